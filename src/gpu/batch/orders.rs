//! Orders of attachments → indices. Members that show the same attachments in the same order share their indices.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Range;

use super::full::Full;
use crate::gpu::upload::{Geometry, Shape};
use crate::model::{Attachment, AttachmentId, ClipMask, Model};

/// The triangles of sprites and masks, in the orders in which they are drawn.
#[derive(Debug, Default)]
pub struct Orders {
    /// Three per triangle.
    pub indices: Vec<u32>,
    /// True if `indices` changed since they were uploaded.
    pub changed: bool,
    /// The order of `indices`.
    drawn: Order,
    /// The same for the view that is being built.
    next: Order,
    /// The number of indices of `next`.
    count: u64,
    /// The orders in `next`, by hash.
    known: HashMap<u64, Known>,
    last: Known,
}

/// The triangles of attachments, in the order in which they are drawn.
#[derive(Debug, Default, PartialEq)]
pub struct Order {
    pub attachments: Vec<AttachmentId>,
    /// For each convex mask among them: the number of its corners, and the vertices that are corners.
    hulls: Vec<u16>,
}

impl Order {
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

/// An order in [`Orders::next`].
#[derive(Debug, Clone, Default)]
struct Known {
    place: Range<usize>,
    hulls: Range<usize>,
    first_index: u64,
}

impl Known {
    fn is(&self, order: &Order, of: &Order) -> bool {
        of.attachments[self.place.clone()] == *order.attachments && of.hulls[self.hulls.clone()] == *order.hulls
    }
}

impl Orders {
    /// Begins another picture.
    pub fn restart(&mut self) {
        self.next.clear();
        self.known.clear();
        (self.count, self.last) = (0, Known::default());
    }

    /// Returns the first index of attachments with `count` indices. `limit` bytes of them fit in a buffer.
    pub fn place(&mut self, order: &Order, count: u64, limit: u64) -> Result<u32, Full> {
        if !self.last.is(order, &self.next) {
            let mut hasher = DefaultHasher::new();
            (&order.attachments, &order.hulls).hash(&mut hasher);
            let hash = hasher.finish();
            let known = self.known.get(&hash).filter(|known| known.is(order, &self.next));
            self.last = match known {
                Some(known) => known.clone(),
                None => self.add(hash, order, count, limit)?,
            };
        }
        // Fits: the limit is less than that.
        Ok(self.last.first_index as u32)
    }

    fn add(&mut self, hash: u64, order: &Order, count: u64, limit: u64) -> Result<Known, Full> {
        let bytes = (self.count + count) * size_of::<u32>() as u64;
        // Indices are counted in 32 bits, however large buffers may be.
        let limit = limit.min(u64::from(u32::MAX) * size_of::<u32>() as u64);
        if bytes > limit {
            return Err(Full { what: "the index buffer", bytes, limit });
        }
        let Order { attachments, hulls } = &mut self.next;
        let known = Known {
            place: attachments.len()..attachments.len() + order.attachments.len(),
            hulls: hulls.len()..hulls.len() + order.hulls.len(),
            first_index: self.count,
        };
        attachments.extend_from_slice(&order.attachments);
        hulls.extend_from_slice(&order.hulls);
        self.count += count;
        self.known.insert(hash, known.clone());
        Ok(known)
    }

    /// Ends the picture: updates the indices if the orders changed.
    ///
    /// # Panics
    ///
    /// If the model is not the one that was uploaded.
    pub fn finish(&mut self, model: &Model, geometry: &Geometry) {
        if self.next == self.drawn {
            return;
        }
        std::mem::swap(&mut self.next, &mut self.drawn);
        self.changed = true;
        self.indices.clear();
        let mut hulls = &self.drawn.hulls[..];
        for &id in &self.drawn.attachments {
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
