//! Bones as SkelForm can say them: the skeleton, and helpers that move vertices.
//!
//! A vertex has one position for all bones that move it, so what moves it is a helper for each bone that maps from
//! the bind pose to the world: a child of the bone that undoes the bind pose where that is possible, else a root
//! with keys of its own. A sheared matrix is half of two others that are not: of one that turns and grows, and of one
//! that mirrors too. Each of the two is a helper.

use super::fitness::{Fitness, fitness};
use crate::formats::stored::{Local, Stored};
use crate::math::{DAffine2, DMat2, DVec2, dvec2};
use crate::model::BoneId;

/// A bone that is written.
#[derive(Debug, Clone)]
pub struct Joint {
    pub name: String,
    /// An earlier one.
    pub parent: Option<usize>,
    pub moves: Moves,
}

/// What moves a bone that is written.
#[derive(Debug, Clone, Copy)]
pub enum Moves {
    /// As the bone is stored, relative to its parent.
    Stored(BoneId),
    /// As the bone is in the world.
    World(BoneId),
    /// As the bone moves vertices.
    Vertices(BoneId, Part),
    /// Nothing.
    Not(Local),
}

/// A part of a matrix.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    Whole,
    /// Twice what turns and grows.
    Turning,
    /// Twice what is left, which mirrors.
    Mirroring,
}

/// What moves vertices in the place of a bone, each with this share of its weight.
pub type Helpers = Vec<(usize, f64)>;

/// Everything that is written of bones; those of meshes come after them.
pub struct Joints {
    pub joints: Vec<Joint>,
    pub fitness: Vec<Fitness>,
    /// By bone: what moves the vertices that it moves; made when it is asked for.
    helpers: Vec<Option<Helpers>>,
    still: Option<usize>,
    nowhere: Option<usize>,
}

impl Joints {
    /// The skeleton; each bone has the number that it has in the model.
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

    /// Adds a bone and tells its number.
    pub fn add(&mut self, name: impl Into<String>, parent: Option<usize>, moves: Moves) -> usize {
        self.joints.push(Joint { name: name.into(), parent, moves });
        self.joints.len() - 1
    }

    /// Whether what hangs on a bone's joint is where the bone has it.
    pub fn is_exact(&self, bone: BoneId) -> bool {
        let fitness = self.fitness[bone.index()];
        fitness.is_plain || fitness.is_upright
    }

    /// What moves vertices as `bone` does; `None`: the one that never moves.
    pub fn helpers(&mut self, stored: &Stored<'_>, bone: Option<BoneId>) -> Helpers {
        let of_bone = bone.and_then(|bone| Some((bone, stored.bone_from_bind(bone)?)));
        let Some((bone, bone_from_bind)) = of_bone else { return vec![(self.still(), 1.0)] };
        if let Some(helpers) = &self.helpers[bone.index()] {
            return helpers.clone();
        }
        let name = self.joints[bone.index()].name.clone();
        let Fitness { is_plain, is_uniform, moves_upright, bind, .. } = self.fitness[bone.index()];
        let helpers = if is_plain && bind.is_upright && (is_uniform || bind.is_level) {
            let moves = Moves::Not(Local::nearest(&bone_from_bind));
            vec![(self.add(format!("{name} bind"), Some(bone.index()), moves), 1.0)]
        } else if moves_upright {
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

    /// A bone at the origin that does nothing.
    fn still(&mut self) -> usize {
        let still = self.still.unwrap_or_else(|| self.add("still", None, Moves::Not(Local::IDENTITY)));
        self.still = Some(still);
        still
    }

    /// A bone that moves everything to the origin: it takes what weights lack.
    pub fn nowhere(&mut self) -> usize {
        let moves = Moves::Not(Local { scale: DVec2::ZERO, ..Local::IDENTITY });
        let nowhere = self.nowhere.unwrap_or_else(|| self.add("nowhere", None, moves));
        self.nowhere = Some(nowhere);
        nowhere
    }
}

impl Moves {
    /// The numbers of a bone, of those that are stored and of the matrices that they give.
    pub fn local(&self, stored: &Stored<'_>, locals: &[Local], world: &[DAffine2]) -> Local {
        match *self {
            Self::Stored(bone) => locals[bone.index()],
            Self::World(bone) => Local::nearest(&world[bone.index()]),
            Self::Vertices(bone, part) => {
                let bone_from_bind = stored.bone_from_bind(bone).unwrap_or(DAffine2::IDENTITY);
                Local::nearest(&part.of(&(world[bone.index()] * bone_from_bind)))
            }
            Self::Not(local) => local,
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
