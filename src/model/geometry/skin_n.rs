//! Vertices with any number of influences.
//!
//! `world position = Σ weight · world_from_bind[bone] · position` over the influences, in the order of the list.
//! Negative weights are used as they are and may extrapolate. Every influence has its own position: formats that
//! store bind-pose positions use the same for all; if positions are stored relative to each bone,
//! `world_from_bind` is
//! `world_from_bone`.

use bytemuck::{Pod, Zeroable};

use crate::error::{Error, Result};
use crate::math::Vec2;

/// Vertices with a list of influences each, in the layout of `skin_n.wgsl`: records for the vertex buffer, and the
/// concatenated lists for a storage buffer.
///
/// Always valid: no list is empty, each is within the influences, and no number is NaN or infinite.
/// Whether the bones exist is checked when the mesh is added to a model.
///
/// ```
/// # use pchr::{math::{Vec2, vec2}, model::{Influence, SkinNVertices}};
/// let mut vertices = SkinNVertices::default();
/// let influences = [0, 1, 2, 3, 4].map(|bone| Influence { position: vec2(3.0, 4.0), bone, weight: 0.2 });
/// vertices.push(vec2(0.0, 1.0), vec2(3.0, 4.0), &influences)?;
/// // Not moved by any bone.
/// vertices.push(vec2(1.0, 1.0), vec2(5.0, 4.0), &[])?;
/// assert_eq!((vertices.len(), vertices.influences().len()), (2, 6));
/// # Ok::<(), pchr::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct SkinNVertices {
    records: Vec<SkinNRecord>,
    influences: Vec<Influence>,
    bone_count: usize,
}

/// Influence of a bone on a vertex: 16 bytes, in the layout of the storage buffer.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
pub struct Influence {
    /// Position in pixels, y up, in the source space of the bone's `bone_from_bind`.
    pub position: Vec2,
    /// Index of a bone, or [`Self::NO_BONE`].
    pub bone: u32,
    /// Weight; not normalised, may be negative.
    pub weight: f32,
}

/// A vertex in the layout of the vertex buffer: 16 bytes.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
pub struct SkinNRecord {
    /// Texture coordinates, 0–1, v down.
    pub(crate) uv: Vec2,
    /// Index of its first influence in [`SkinNVertices::influences`].
    pub(crate) first_influence: u32,
    /// Number of its influences, not 0.
    pub(crate) influence_count: u32,
}

/// A vertex of [`SkinNVertices`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SkinNVertex<'a> {
    /// Texture coordinates, 0–1, v down.
    pub uv: Vec2,
    /// The influences.
    pub influences: &'a [Influence],
}

impl Influence {
    /// Replaces the bone index if the position is in world space and does not move.
    pub const NO_BONE: u32 = u32::MAX;

    /// Returns the influence of a vertex that does not move.
    const fn still(position: Vec2) -> Self {
        Self { position, bone: Self::NO_BONE, weight: 1.0 }
    }
}

impl SkinNVertices {
    /// Creates an empty list with the given capacities.
    ///
    /// # Panics
    ///
    /// Panics if the allocation fails, like [`Vec::with_capacity`].
    pub fn with_capacity(vertices: usize, influences: usize) -> Self {
        Self { records: Vec::with_capacity(vertices), influences: Vec::with_capacity(influences), bone_count: 0 }
    }

    /// Adds a vertex that was authored at the world position `position`.
    ///
    /// The influences are added in the same order and number, so that data stored for each of them elsewhere stays
    /// aligned. An influence of weight 0 loses its bone, which need not exist. If all weights are 0, the vertex
    /// does not move from `position`: the first influence is replaced accordingly, or added to an empty list.
    ///
    /// # Errors
    ///
    /// Fails if a number is not finite, or if there are more than 2³² - 1 influences in total.
    pub fn push(&mut self, uv: Vec2, position: Vec2, influences: &[Influence]) -> Result<()> {
        let is_finite = |influence: &Influence| influence.position.is_finite() && influence.weight.is_finite();
        if !(uv.is_finite() && position.is_finite() && influences.iter().all(is_finite)) {
            let message = format!("vertex {} has a number that is infinite or NaN", self.len());
            return Err(Error::misuse("not-finite", message));
        }
        let first = self.influences.len();
        let count = influences.len().max(1);
        let (Ok(first_influence), Ok(_)) = (u32::try_from(first), u32::try_from(first + count)) else {
            let message = format!("a mesh has at most {} influences, at least {} needed", u32::MAX, first + count);
            return Err(Error::misuse("too-many-influences", message));
        };
        self.influences.extend(influences.iter().map(|influence| {
            let is_used = influence.weight != 0.0;
            if is_used { *influence } else { Influence { bone: Influence::NO_BONE, weight: 0.0, ..*influence } }
        }));
        let is_moved = influences.iter().any(|influence| influence.weight != 0.0);
        match self.influences.get_mut(first) {
            None => self.influences.push(Influence::still(position)),
            Some(entry) if !is_moved => *entry = Influence::still(position),
            Some(_) => {}
        }
        let named = self.influences[first..].iter().filter(|influence| influence.bone != Influence::NO_BONE);
        let bone_count = named.map(|influence| influence.bone as usize + 1).max();
        self.bone_count = self.bone_count.max(bone_count.unwrap_or(0));
        self.records.push(SkinNRecord { uv, first_influence, influence_count: count as u32 });
        Ok(())
    }

    /// Returns the content of the vertex buffer.
    pub fn records(&self) -> &[SkinNRecord] {
        &self.records
    }

    /// Returns the influences of all vertices, the content of the storage buffer.
    pub fn influences(&self) -> &[Influence] {
        &self.influences
    }

    /// Returns the minimum number of bones of the skeleton: one more than the largest index.
    pub(crate) fn bone_count(&self) -> usize {
        self.bone_count
    }

    /// Returns the number of vertices.
    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// Returns true if there are no vertices.
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// Returns a vertex.
    pub(crate) fn get(&self, index: u16) -> Option<SkinNVertex<'_>> {
        self.records.get(usize::from(index)).map(|record| self.vertex(record))
    }

    /// Returns all vertices.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = SkinNVertex<'_>> {
        self.records.iter().map(|record| self.vertex(record))
    }

    /// Returns the vertex of `record`, which is one of `self.records`.
    #[inline]
    fn vertex(&self, record: &SkinNRecord) -> SkinNVertex<'_> {
        let first = record.first_influence as usize;
        SkinNVertex { uv: record.uv, influences: &self.influences[first..][..record.influence_count as usize] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::vec2;

    fn influence(bone: u32, weight: f32) -> Influence {
        Influence { position: vec2(1.0, 2.0), bone, weight }
    }

    #[test]
    fn influences_keep_their_places_and_unused_ones_lose_their_bone() {
        let mut vertices = SkinNVertices::default();
        let given = [influence(99, 0.0), influence(3, -0.5), influence(98, -0.0), influence(1, 2.0)];
        vertices.push(Vec2::ZERO, vec2(7.0, 8.0), &given).unwrap();
        let idle = influence(Influence::NO_BONE, 0.0);
        assert_eq!(vertices.get(0).unwrap().influences, [idle, given[1], idle, given[3]]);
        assert_eq!(vertices.bone_count(), 4);
    }

    #[test]
    fn a_vertex_without_weight_does_not_move() {
        let mut vertices = SkinNVertices::default();
        let at = vec2(7.0, 8.0);
        vertices.push(Vec2::ZERO, at, &[]).unwrap();
        vertices.push(Vec2::X, at, &[influence(5, 0.0), influence(6, -0.0)]).unwrap();
        vertices.push(Vec2::Y, at, &[influence(2, 1.0)]).unwrap();
        let still = Influence { position: at, bone: u32::MAX, weight: 1.0 };
        let lists: Vec<&[Influence]> = vertices.iter().map(|vertex| vertex.influences).collect();
        let idle = influence(Influence::NO_BONE, 0.0);
        assert_eq!(lists, [&[still][..], &[still, idle], &[influence(2, 1.0)]]);
        assert_eq!(vertices.iter().map(|vertex| vertex.uv).collect::<Vec<_>>(), [Vec2::ZERO, Vec2::X, Vec2::Y]);
        assert_eq!(vertices.bone_count(), 3);
        assert_eq!(vertices.get(3), None);
    }

    #[test]
    fn numbers_that_are_not_finite_are_rejected() {
        let mut vertices = SkinNVertices::default();
        vertices.push(Vec2::ZERO, Vec2::ZERO, &[influence(0, 1.0)]).unwrap();
        let nan = vec2(f32::NAN, 0.0);
        for (uv, position, influence) in [
            (nan, Vec2::ZERO, influence(0, 1.0)),
            (Vec2::ZERO, nan, influence(0, 1.0)),
            (Vec2::ZERO, Vec2::ZERO, influence(0, f32::INFINITY)),
            (Vec2::ZERO, Vec2::ZERO, Influence { position: nan, ..influence(0, 1.0) }),
        ] {
            let refused = vertices.push(uv, position, &[influence]).unwrap_err();
            assert_eq!(refused.to_string(), "vertex 1 has a number that is infinite or NaN");
        }
        assert_eq!((vertices.len(), vertices.influences().len()), (1, 1));
    }
}
