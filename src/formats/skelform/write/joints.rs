//! Bones as SkelForm can represent them: the skeleton, and helpers that move vertices.
//!
//! A SkelForm vertex has one position for all of its bones, so it is moved by helpers that map from the bind pose
//! to world space, one for each bone: a child of the bone that undoes the bind pose if possible, otherwise a root
//! with its own keys. A sheared matrix is the mean of two without shear: a rotation with uniform scale, and a
//! reflection with uniform scale. Each of the two becomes a helper.

use super::fitness::{Fitness, fitness};
use crate::formats::stored::{Local, Stored};
use crate::math::{DAffine2, DMat2, DVec2, dvec2};
use crate::model::BoneId;

/// A written bone.
#[derive(Debug, Clone)]
pub struct Joint {
    pub name: String,
    /// Index of an earlier joint.
    pub parent: Option<usize>,
    pub moves: Moves,
}

/// The source of a written bone's movement.
#[derive(Debug, Clone, Copy)]
pub enum Moves {
    /// The stored bone, relative to its parent.
    Stored(BoneId),
    /// The world transform of the bone.
    World(BoneId),
    /// The palette matrix of the bone.
    Vertices(BoneId, Part),
    /// Nothing.
    Fixed(Local),
}

/// A part of a matrix.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    Whole,
    /// Twice the rotating part.
    Turning,
    /// Twice the reflecting part.
    Mirroring,
}

/// The helpers that replace a bone, each with its share of the weight.
pub type Helpers = Vec<(usize, f64)>;

/// All written bones; helpers of meshes come last.
pub struct Joints {
    pub joints: Vec<Joint>,
    pub fitness: Vec<Fitness>,
    /// By bone: its helpers, created on demand.
    helpers: Vec<Option<Helpers>>,
    still: Option<usize>,
    nowhere: Option<usize>,
}

impl Joints {
    /// Creates the joints of the skeleton, with the bone indices of the model.
    pub fn new(stored: &Stored<'_>) -> Self {
        let fitness = fitness(stored);
        let bones = stored.model.skeleton().bones();
        let joint = |(index, bone): (usize, &crate::model::Bone)| {
            let id = BoneId::new(index);
            let name = bone.name.to_string();
            if fitness[index].is_plain {
                Joint { name, parent: bone.parent.map(BoneId::index), moves: Moves::Stored(id) }
            } else {
                Joint { name, parent: None, moves: Moves::World(id) }
            }
        };
        Self {
            joints: bones.iter().enumerate().map(joint).collect(),
            helpers: vec![None; bones.len()],
            fitness,
            still: None,
            nowhere: None,
        }
    }

    /// Adds a bone and returns its index.
    pub fn add(&mut self, name: impl Into<String>, parent: Option<usize>, moves: Moves) -> usize {
        self.joints.push(Joint { name: name.into(), parent, moves });
        self.joints.len() - 1
    }

    /// Returns true if attachments to the bone itself keep its world transform.
    pub fn is_exact(&self, bone: BoneId) -> bool {
        let fitness = self.fitness[bone.index()];
        fitness.is_plain || fitness.is_orthogonal
    }

    /// Returns the helpers that move vertices as `bone` does; `None` for vertices that never move.
    pub fn helpers(&mut self, stored: &Stored<'_>, bone: Option<BoneId>) -> Helpers {
        let of_bone = bone.and_then(|bone| Some((bone, stored.bone_from_bind(bone)?)));
        let Some((bone, bone_from_bind)) = of_bone else { return vec![(self.still(), 1.0)] };
        if let Some(helpers) = &self.helpers[bone.index()] {
            return helpers.clone();
        }
        let name = self.joints[bone.index()].name.clone();
        let Fitness { is_plain, is_uniform, palette_is_orthogonal, bind, .. } = self.fitness[bone.index()];
        let helpers = if is_plain && bind.is_orthogonal && (is_uniform || bind.is_unrotated) {
            let moves = Moves::Fixed(Local::nearest(&bone_from_bind));
            vec![(self.add(format!("{name} bind"), Some(bone.index()), moves), 1.0)]
        } else if palette_is_orthogonal {
            vec![(self.add(format!("{name} bind"), None, Moves::Vertices(bone, Part::Whole)), 1.0)]
        } else {
            let mut half = |name: String, part| (self.add(name, None, Moves::Vertices(bone, part)), 0.5);
            vec![
                half(format!("{name} bind turning"), Part::Turning),
                half(format!("{name} bind mirroring"), Part::Mirroring),
            ]
        };
        self.helpers[bone.index()] = Some(helpers.clone());
        helpers
    }

    /// A static bone at the origin.
    fn still(&mut self) -> usize {
        let still = self.still.unwrap_or_else(|| self.add("still", None, Moves::Fixed(Local::IDENTITY)));
        self.still = Some(still);
        still
    }

    /// A bone with scale 0, which moves everything to the origin. It makes up for weights that do not add up to 1.
    pub fn nowhere(&mut self) -> usize {
        let moves = Moves::Fixed(Local { scale: DVec2::ZERO, ..Local::IDENTITY });
        let nowhere = self.nowhere.unwrap_or_else(|| self.add("nowhere", None, moves));
        self.nowhere = Some(nowhere);
        nowhere
    }
}

impl Moves {
    /// Returns the transform to write, given the stored transforms of all bones and their world matrices.
    pub fn local(&self, stored: &Stored<'_>, locals: &[Local], world: &[DAffine2]) -> Local {
        match *self {
            Self::Stored(bone) => locals[bone.index()],
            Self::World(bone) => Local::nearest(&world[bone.index()]),
            Self::Vertices(bone, part) => {
                let bone_from_bind = stored.bone_from_bind(bone).unwrap_or(DAffine2::IDENTITY);
                Local::nearest(&part.of(&(world[bone.index()] * bone_from_bind)))
            }
            Self::Fixed(local) => local,
        }
    }
}

impl Part {
    fn of(self, affine: &DAffine2) -> DAffine2 {
        let DMat2 { x_axis: x, y_axis: y } = affine.matrix2;
        let matrix2 = match self {
            Self::Whole => affine.matrix2,
            Self::Turning => {
                let axis = dvec2(x.x + y.y, x.y - y.x);
                DMat2::from_cols(axis, dvec2(-axis.y, axis.x))
            }
            Self::Mirroring => {
                let axis = dvec2(x.x - y.y, x.y + y.x);
                DMat2::from_cols(axis, dvec2(axis.y, -axis.x))
            }
        };
        DAffine2 { matrix2, translation: affine.translation }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_halves_are_the_whole() {
        let matrix2 = DMat2::from_cols(dvec2(1.5, -0.25), dvec2(0.75, -2.0));
        let whole = DAffine2 { matrix2, translation: dvec2(3.0, 4.0) };
        let parts = [Part::Turning, Part::Mirroring].map(|part| Local::nearest(&part.of(&whole)).affine());
        let sum = parts.iter().map(|part| part.transform_point2(dvec2(7.0, -5.0)) * 0.5).sum::<DVec2>();
        assert!(sum.distance(whole.transform_point2(dvec2(7.0, -5.0))) < 1e-9, "{sum}");
    }
}
