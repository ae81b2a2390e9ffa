//! Index lists of draw calls, shared by members with the same draw order.
//!
//! The attachments that a member draws, in their order → the indices of their triangles, in one index buffer for the
//! whole view. A crowd of one character has few draw orders, so it has few lists, and the buffer is only written again
//! when one of them changes.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Range;

use super::buffer_full::BufferFull;
use crate::gpu::upload::{Geometry, Shape};
use crate::model::{Attachment, AttachmentId, ClipMask, Model};

/// The index lists of a view, one after the other, and the draw orders that they belong to.
#[derive(Debug, Default)]
pub struct IndexLists {
    /// Three per triangle.
    pub indices: Vec<u32>,
    /// True if `indices` changed since they were uploaded.
    pub changed: bool,
    /// The draw orders of `indices`.
    uploaded: DrawOrder,
    /// Those of the picture that is being built.
    next: DrawOrder,
    /// The number of indices of `next`.
    count: u64,
    /// The lists of `next`, by the hash of their draw orders.
    by_hash: HashMap<u64, IndexList>,
    /// The list of the member before.
    selected: IndexList,
}

/// The attachments that are drawn, in their draw order.
#[derive(Debug, Default, PartialEq)]
pub struct DrawOrder {
    pub attachments: Vec<AttachmentId>,
    /// For each convex mask among them: the number of its corners, and the vertices that are corners.
    hulls: Vec<u16>,
}

impl DrawOrder {
    pub fn clear(&mut self) {
        self.attachments.clear();
        self.hulls.clear();
    }

    /// Adds the corners of a convex mask, which are at most 65,535.
    pub fn add_hull(&mut self, corners: &[u16]) {
        self.hulls.push(corners.len() as u16);
        self.hulls.extend_from_slice(corners);
    }
}

/// The list of one draw order: the order's ranges in [`IndexLists::next`], and where its indices begin.
#[derive(Debug, Clone, Default)]
struct IndexList {
    attachments: Range<usize>,
    hulls: Range<usize>,
    first_index: u64,
}

impl IndexList {
    /// Returns true if this is the list of `order`. `all` are the orders of all lists.
    fn is_of(&self, order: &DrawOrder, all: &DrawOrder) -> bool {
        all.attachments[self.attachments.clone()] == *order.attachments
            && all.hulls[self.hulls.clone()] == *order.hulls
    }
}

impl IndexLists {
    /// Begins another picture.
    pub fn restart(&mut self) {
        self.next.clear();
        self.by_hash.clear();
        (self.count, self.selected) = (0, IndexList::default());
    }

    /// Selects the index list of a draw order, and adds the list if no member before has it. It has `count` indices,
    /// and `limit` bytes fit in a buffer.
    pub fn select(&mut self, order: &DrawOrder, count: u64, limit: u64) -> Result<(), BufferFull> {
        if !self.selected.is_of(order, &self.next) {
            let mut hasher = DefaultHasher::new();
            (&order.attachments, &order.hulls).hash(&mut hasher);
            let hash = hasher.finish();
            let found = self.by_hash.get(&hash).filter(|list| list.is_of(order, &self.next));
            self.selected = match found {
                Some(list) => list.clone(),
                None => self.add(hash, order, count, limit)?,
            };
        }
        Ok(())
    }

    /// Where the selected list begins.
    pub fn first_index(&self) -> u32 {
        // Fits: the limit is less than that.
        self.selected.first_index as u32
    }

    fn add(&mut self, hash: u64, order: &DrawOrder, count: u64, limit: u64) -> Result<IndexList, BufferFull> {
        let bytes = (self.count + count) * size_of::<u32>() as u64;
        // Indices are counted in 32 bits, however large buffers may be.
        let limit = limit.min(u64::from(u32::MAX) * size_of::<u32>() as u64);
        if bytes > limit {
            return Err(BufferFull { what: "the index buffer", bytes, limit });
        }
        let DrawOrder { attachments, hulls } = &mut self.next;
        let list = IndexList {
            attachments: attachments.len()..attachments.len() + order.attachments.len(),
            hulls: hulls.len()..hulls.len() + order.hulls.len(),
            first_index: self.count,
        };
        attachments.extend_from_slice(&order.attachments);
        hulls.extend_from_slice(&order.hulls);
        self.count += count;
        self.by_hash.insert(hash, list.clone());
        Ok(list)
    }

    /// Ends the picture: updates the indices if a draw order changed.
    ///
    /// # Panics
    ///
    /// If the model is not the one that was uploaded.
    pub fn finish(&mut self, model: &Model, geometry: &Geometry) {
        if self.next == self.uploaded {
            return;
        }
        std::mem::swap(&mut self.next, &mut self.uploaded);
        self.changed = true;
        self.indices.clear();
        let mut hulls = &self.uploaded.hulls[..];
        for &id in &self.uploaded.attachments {
            if let Some(shape) = geometry.shape(id) {
                append_indices(model.attachment(id), shape, &mut hulls, &mut self.indices);
            }
        }
    }
}

/// Appends the triangles of a mesh, or of a polygon as a fan, offset by its first vertex. Takes the corners of a convex
/// mask off the front of `hulls`.
fn append_indices(attachment: &Attachment, shape: &Shape, hulls: &mut &[u16], indices: &mut Vec<u32>) {
    let base = shape.base_vertex;
    match attachment {
        Attachment::Region(mesh) | Attachment::Mesh(mesh) => {
            let own = mesh.indices.bytes().as_chunks().0.iter();
            indices.extend(own.map(|&index| base + u32::from(u16::from_le_bytes(index))));
        }
        Attachment::ClipMask(mask) => {
            let mut fan = |corners: &mut dyn Iterator<Item = u32>| {
                let (Some(first), Some(mut last)) = (corners.next(), corners.next()) else { return };
                for corner in corners {
                    indices.extend([first, last, corner].map(|corner| base + corner));
                    last = corner;
                }
            };
            let corners = mask.polygon.vertices.len() as u32;
            if mask.is_convex {
                let hull = hulls.split_off_first().and_then(|&count| hulls.split_off(..usize::from(count)));
                fan(&mut hull.unwrap_or_default().iter().map(|&corner| u32::from(corner)));
            } else {
                fan(&mut (0..corners));
            }
            if mask.is_inverse {
                // The square around everything comes after the polygon.
                fan(&mut (corners..corners + ClipMask::AROUND.len() as u32));
            }
        }
        Attachment::Path(_) | Attachment::Point(_) | Attachment::Bounds(_) => {}
    }
}
