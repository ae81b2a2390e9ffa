//! Vertices with a list of influences, of any length.
//!
//! `world position = Σ weight · world_from_bind[bone] · position` over the influences, in the order of the list. A
//! negative weight counts as it is: a vertex may then lie outside of where its bones have it. Every influence has a position of its own: in a format that stores bind-pose positions
//! they are all the same, in one that stores them relative to each bone `world_from_bind` is `world_from_bone`.

use bytemuck::{Pod, Zeroable};

use crate::error::{Error, Result};
use crate::math::Vec2;

/// Vertices with a list of influences each, as `skin_n.wgsl` takes them: records for the vertex buffer, and the
/// lists of all of them one after the other for a storage buffer.
///
/// Valid at any time: no list is empty, every one lies within the influences, and no number is NaN or infinite.
/// That its bones exist is checked when the mesh becomes part of a model.
///
/// ```
/// # use pchr::{math::{Vec2, vec2}, model::{Influence, SkinNVertices}};
/// let mut vertices = SkinNVertices::default();
/// let influences = [0, 1, 2, 3, 4].map(|bone| Influence { position: vec2(3.0, 4.0), bone, weight: 0.2 });
/// vertices.push(vec2(0.0, 1.0), vec2(3.0, 4.0), &influences)?;
/// // Moved by nothing.
/// vertices.push(vec2(1.0, 1.0), vec2(5.0, 4.0), &[])?;
/// assert_eq!((vertices.len(), vertices.influences().len(), vertices.bone_count()), (2, 6, 5));
/// # Ok::<(), pchr::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct SkinNVertices {
    records: Vec<SkinNRecord>,
    influences: Vec<Influence>,
    bone_count: usize,
}

/// What one bone has to do with one vertex: 16 bytes, as the storage buffer takes it.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
pub struct Influence {
    /// In pixels, y up, in the space that the bone's `bone_from_bind` starts from.
    pub position: Vec2,
    /// Index of a bone, or [`Self::NO_BONE`].
    pub bone: u32,
    /// Not normalised; may be negative.
    pub weight: f32,
}

/// One vertex as the vertex buffer takes it: 16 bytes.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
pub struct SkinNRecord {
    /// 0–1, v down.
    pub uv: Vec2,
    /// Where its influences begin in [`SkinNVertices::influences`].
    pub first_influence: u32,
    /// How many there are, not 0.
    pub influence_count: u32,
}

/// One vertex of [`SkinNVertices`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SkinNVertex<'a> {
    /// 0–1, v down.
    pub uv: Vec2,
    /// What moves it.
    pub influences: &'a [Influence],
}

impl Influence {
    /// In place of a bone: the position is one in the world, and not moved.
    pub const NO_BONE: u32 = u32::MAX;

    /// Of a vertex that stays where it is.
    const fn still(position: Vec2) -> Self {
        Self { position, bone: Self::NO_BONE, weight: 1.0 }
    }
}

impl SkinNVertices {
    /// None yet, with room for as many.
    ///
    /// # Panics
    ///
    /// If there is no memory for them, as [`Vec::with_capacity`].
    pub fn with_capacity(vertices: usize, influences: usize) -> Self {
        Self { records: Vec::with_capacity(vertices), influences: Vec::with_capacity(influences), bone_count: 0 }
    }

    /// Adds a vertex that was authored at `position` in the world.
    ///
    /// The list gets as many entries as `influences` has, in the same order, so that what is stored for each of
    /// them elsewhere keeps its place. One whose weight is 0 loses its bone, which need not exist. Where all weights
    /// are 0 the vertex stays at `position`: the first entry says so, which is added to an empty list.
    ///
    /// Refuses numbers that are not finite, and more than 2³² - 1 influences in total.
    pub fn push(&mut self, uv: Vec2, position: Vec2, influences: &[Influence]) -> Result<()> {
        let is_finite = |influence: &Influence| influence.position.is_finite() && influence.weight.is_finite();
        if !(uv.is_finite() && position.is_finite() && influences.iter().all(is_finite)) {
            let message = format!("vertex {} has a number that is not finite", self.len());
            return Err(Error::misuse("not-finite", message));
        }
        let first = self.influences.len();
        let count = influences.len().max(1);
        let (Ok(first_influence), Ok(_)) = (u32::try_from(first), u32::try_from(first + count)) else {
            let message =
                format!("a mesh has at most {} influences, up to here {} are needed", u32::MAX, first + count);
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

    /// The records for the vertex buffer.
    pub fn records(&self) -> &[SkinNRecord] {
        &self.records
    }

    /// The influences of all vertices, for the storage buffer.
    pub fn influences(&self) -> &[Influence] {
        &self.influences
    }

    /// How many bones a skeleton has at least that these hang on: one more than the largest index.
    pub fn bone_count(&self) -> usize {
        self.bone_count
    }

    /// How many vertices there are.
    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// True when there are none.
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// One vertex.
    pub fn get(&self, index: u16) -> Option<SkinNVertex<'_>> {
        self.records.get(usize::from(index)).map(|record| self.vertex(record))
    }

    /// The vertices.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = SkinNVertex<'_>> {
        self.records.iter().map(|record| self.vertex(record))
    }

    /// `record` is one of these.
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
    fn entries_keep_their_places_and_idle_ones_lose_their_bone() {
        let mut vertices = SkinNVertices::default();
        let given = [influence(99, 0.0), influence(3, -0.5), influence(98, -0.0), influence(1, 2.0)];
        vertices.push(Vec2::ZERO, vec2(7.0, 8.0), &given).unwrap();
        let idle = influence(Influence::NO_BONE, 0.0);
        assert_eq!(vertices.get(0).unwrap().influences, [idle, given[1], idle, given[3]]);
        assert_eq!(vertices.bone_count(), 4);
    }

    #[test]
    fn without_a_weight_a_vertex_stays() {
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
    fn numbers_that_are_not_finite_are_refused() {
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
            assert_eq!(refused.to_string(), "vertex 1 has a number that is not finite");
        }
        assert_eq!((vertices.len(), vertices.influences().len()), (1, 1));
    }
}
