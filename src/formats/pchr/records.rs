//! Vertices and transforms → the records of v1.

use super::schema::{BoneTransform, Vertex};

impl Vertex {
    /// Returns the record that [`Self::read`] reads.
    pub(crate) fn record(&self) -> [u8; Self::SIZE] {
        let mut record = [0; Self::SIZE];
        let (position, rest) = record.split_at_mut(16);
        let (ids, weights) = rest.split_at_mut(8);
        put(position, [self.x, self.y, self.u, self.v].map(f32::to_le_bytes));
        put(ids, self.bone_ids.map(u16::to_le_bytes));
        put(weights, self.bone_weights.map(f32::to_le_bytes));
        record
    }
}

impl BoneTransform {
    /// Returns the record that [`Self::read`] reads.
    pub(crate) fn record(&self) -> [u8; Self::SIZE] {
        let mut record = [0; Self::SIZE];
        let numbers = [self.x, self.y, self.rotation, self.scale_x, self.scale_y];
        put(&mut record[..20], numbers.map(f32::to_le_bytes));
        record[20] = self.flags;
        put(&mut record[21..], [self.z_order.to_le_bytes()]);
        record
    }
}

/// Fills `out` with the bytes of fields of one size.
fn put<const N: usize, const COUNT: usize>(out: &mut [u8], fields: [[u8; N]; COUNT]) {
    out.copy_from_slice(fields.as_flattened());
}
