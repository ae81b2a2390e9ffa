//! Which bones SkelForm can say as they are, looked at in every frame.
//!
//! SkelForm adds angles and multiplies scales from bone to bone; matrices do the same only where the parent's scale
//! is as wide as high, or where the bone is not turned in it. Elsewhere a matrix is sheared, which no bone of
//! SkelForm is.

use crate::formats::stored::{Local, Stored};
use crate::math::angle::wrap_turn;
use crate::math::{DAffine2, DMat2};
use crate::model::BoneId;

/// Shares of a length that count as nothing: a thousandth of a pixel at 500 pixels.
const NEGLIGIBLE: f64 = 2e-6;
/// Degrees that count as none.
const LEVEL: f64 = 1e-5;

/// What holds for one bone in every frame that is written and at rest.
#[derive(Debug, Clone, Copy)]
pub struct Fitness {
    /// SkelForm comes to the same matrix from the same numbers.
    pub is_plain: bool,
    /// Its scale in the world is as wide as high. Told of plain bones only.
    pub is_uniform: bool,
    /// Its axes are at right angles in the world.
    pub is_upright: bool,
    /// So are those of the matrix that moves its vertices.
    pub moves_upright: bool,
    /// The same of its bind pose alone, and it is not turned in that.
    pub bind: BindFitness,
}

/// How a bone is in the bind pose.
#[derive(Debug, Clone, Copy, Default)]
pub struct BindFitness {
    /// Its axes are at right angles.
    pub is_upright: bool,
    /// It is not turned.
    pub is_level: bool,
}

/// What holds for each bone.
pub fn fitness(stored: &Stored<'_>) -> Vec<Fitness> {
    let bones = stored.model.skeleton().bones();
    let inverse: Vec<_> = (0..bones.len()).map(|bone| stored.bone_from_bind(BoneId::new(bone))).collect();
    let bind = |inverse: &Option<DAffine2>| {
        let Some(inverse) = inverse else { return BindFitness::default() };
        let is_level = wrap_turn(Local::nearest(inverse).rotation).abs() <= LEVEL;
        BindFitness { is_upright: is_upright(&inverse.matrix2), is_level }
    };
    let fit = |inverse| Fitness {
        is_plain: true,
        is_uniform: true,
        is_upright: true,
        moves_upright: true,
        bind: bind(inverse),
    };
    let mut fitness: Vec<Fitness> = inverse.iter().map(fit).collect();
    let mut is_level = vec![true; bones.len()];
    let mut look = |locals: Vec<Local>| {
        let world = stored.compose(locals.iter().copied());
        let mut scale = Vec::with_capacity(bones.len());
        for (index, (bone, local)) in bones.iter().zip(&locals).enumerate() {
            let of_parent = bone.parent.map_or(crate::math::DVec2::ONE, |parent| scale[parent.index()]);
            let own = of_parent * local.scale;
            scale.push(own);
            is_level[index] &= wrap_turn(local.rotation).abs() <= LEVEL;
            let fit = &mut fitness[index];
            fit.is_uniform &= (own.x - own.y).abs() <= NEGLIGIBLE * own.abs().max_element();
            fit.is_upright &= is_upright(&world[index].matrix2);
            if let Some(inverse) = &inverse[index] {
                fit.moves_upright &= is_upright(&(world[index].matrix2 * inverse.matrix2));
            }
        }
    };
    look(stored.setup().to_vec());
    for id in stored.animations() {
        for frame in 0..stored.frame_count(id) {
            look(stored.frame(id, frame).collect());
        }
    }
    for (index, bone) in bones.iter().enumerate() {
        if let Some(parent) = bone.parent {
            let parent = fitness[parent.index()];
            fitness[index].is_plain = parent.is_plain && (parent.is_uniform || is_level[index]);
        }
    }
    fitness
}

/// Whether a step along x and one along y are at right angles, or one of them is nothing.
fn is_upright(matrix: &DMat2) -> bool {
    let longest = matrix.x_axis.length_squared().max(matrix.y_axis.length_squared());
    matrix.x_axis.dot(matrix.y_axis).abs() <= NEGLIGIBLE * longest
}
