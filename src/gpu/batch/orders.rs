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
    /// The attachments whose triangles `indices` contains.
    drawn: Vec<AttachmentId>,
    /// The same for the view that is being built.
    next: Vec<AttachmentId>,
    /// The number of indices of `next`.
    count: u64,
    /// The orders in `next`, by hash.
    known: HashMap<u64, Known>,
    last: Known,
}

/// An order in [`Orders::next`].
#[derive(Debug, Clone, Default)]
struct Known {
    place: Range<usize>,
    first_index: u64,
}

impl Orders {
    /// Begins another picture.
    pub fn restart(&mut self) {
        self.next.clear();
        self.known.clear();
        (self.count, self.last) = (0, Known::default());
    }

    /// Returns the first index of attachments with `count` indices, of which `limit` bytes fit in a buffer.
    pub fn place(&mut self, order: &[AttachmentId], count: u64, limit: u64) -> Result<u32, Full> {
        if self.next[self.last.place.clone()] != *order {
            let mut hasher = DefaultHasher::new();
            order.hash(&mut hasher);
            let hash = hasher.finish();
            let known = self.known.get(&hash).filter(|known| self.next[known.place.clone()] == *order);
            self.last = match known {
                Some(known) => known.clone(),
                None => self.add(hash, order, count, limit)?,
            };
        }
        // Fits: the limit is less than that.
        Ok(self.last.first_index as u32)
    }

    fn add(&mut self, hash: u64, order: &[AttachmentId], count: u64, limit: u64) -> Result<Known, Full> {
        let bytes = (self.count + count) * size_of::<u32>() as u64;
        // Indices are counted in 32 bits, however large buffers may be.
        let limit = limit.min(u64::from(u32::MAX) * size_of::<u32>() as u64);
        if bytes > limit {
            return Err(Full { what: "the index buffer", bytes, limit });
        }
        let known = Known { place: self.next.len()..self.next.len() + order.len(), first_index: self.count };
        self.next.extend_from_slice(order);
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
        for &id in &self.drawn {
            if let Some(shape) = geometry.shape(id) {
                append_indices(model.attachment(id), shape, &mut self.indices);
            }
        }
    }
}

/// Appends the triangles of a mesh, or of a polygon as a fan, offset by its first vertex.
fn append_indices(attachment: &Attachment, shape: &Shape, indices: &mut Vec<u32>) {
    let base = shape.base_vertex;
    match attachment {
        Attachment::Region(mesh) | Attachment::Mesh(mesh) => {
            let own = mesh.indices.bytes().as_chunks().0.iter();
            indices.extend(own.map(|&index| base + u32::from(u16::from_le_bytes(index))));
        }
        Attachment::ClipMask(mask) => {
            let fan = |base: u32, triangles: u32| {
                (0..triangles).flat_map(move |number| [base, base + number + 1, base + number + 2])
            };
            // The square around everything comes after the polygon.
            let around = if mask.is_inverse { ClipMask::AROUND.len() as u32 - 2 } else { 0 };
            let triangles = shape.index_count / 3 - around;
            indices.extend(fan(base, triangles));
            indices.extend(fan(base + triangles + 2, around));
        }
        Attachment::Path(_) | Attachment::Point(_) | Attachment::Bounds(_) => {}
    }
}
