//! Determines which bones SkelForm can represent directly, by checking every frame.
//!
//! SkelForm adds angles and multiplies scales along the hierarchy. Matrices agree with that only if the parent's
//! scale is uniform or the bone is not rotated relative to it. Otherwise the matrix is sheared, which SkelForm
//! cannot represent.

use crate::formats::stored::{Local, Stored};
use crate::math::angle::wrap_turn;
use crate::math::{DAffine2, DMat2};
use crate::model::BoneId;

/// Relative length that counts as zero: a thousandth of a pixel at 500 pixels.
const NEGLIGIBLE: f64 = 2e-6;
/// Angle in degrees that counts as zero.
const NEGLIGIBLE_ANGLE: f64 = 1e-5;

/// Properties of one bone that hold in the setup pose and in every written frame.
#[derive(Debug, Clone, Copy)]
pub struct Fitness {
    /// SkelForm computes the same matrix from the same numbers.
    pub is_plain: bool,
    /// Its world scale is uniform. Only valid for plain bones.
    pub is_uniform: bool,
    /// Its axes are orthogonal in world space.
    pub is_orthogonal: bool,
    /// The axes of its palette matrix are orthogonal.
    pub palette_is_orthogonal: bool,
    /// Properties of its bind pose.
    pub bind: BindFitness,
}

/// Properties of a bone's bind pose.
#[derive(Debug, Clone, Copy, Default)]
pub struct BindFitness {
    /// Its axes are orthogonal.
    pub is_orthogonal: bool,
    /// It is not rotated.
    pub is_unrotated: bool,
}

/// Checks each bone.
pub fn fitness(stored: &Stored<'_>) -> Vec<Fitness> {
    let bones = stored.model.skeleton().bones();
    let inverse: Vec<_> = (0..bones.len()).map(|bone| stored.bone_from_bind(BoneId::new(bone))).collect();
    let bind = |inverse: &Option<DAffine2>| {
        let Some(inverse) = inverse else { return BindFitness::default() };
        let is_unrotated = wrap_turn(Local::nearest(inverse).rotation).abs() <= NEGLIGIBLE_ANGLE;
        BindFitness { is_orthogonal: is_orthogonal(&inverse.matrix2), is_unrotated }
    };
    let fit = |inverse| Fitness {
        is_plain: true,
        is_uniform: true,
        is_orthogonal: true,
        palette_is_orthogonal: true,
        bind: bind(inverse),
    };
    let mut fitness: Vec<Fitness> = inverse.iter().map(fit).collect();
    let mut is_unrotated = vec![true; bones.len()];
    let mut check = |locals: Vec<Local>| {
        let world = stored.compose(locals.iter().copied());
        let mut scale = Vec::with_capacity(bones.len());
        for (index, (bone, local)) in bones.iter().zip(&locals).enumerate() {
            let of_parent = bone.parent.map_or(crate::math::DVec2::ONE, |parent| scale[parent.index()]);
            let own = of_parent * local.scale;
            scale.push(own);
            is_unrotated[index] &= wrap_turn(local.rotation).abs() <= NEGLIGIBLE_ANGLE;
            let fit = &mut fitness[index];
            fit.is_uniform &= (own.x - own.y).abs() <= NEGLIGIBLE * own.abs().max_element();
            fit.is_orthogonal &= is_orthogonal(&world[index].matrix2);
            if let Some(inverse) = &inverse[index] {
                fit.palette_is_orthogonal &= is_orthogonal(&(world[index].matrix2 * inverse.matrix2));
            }
        }
    };
    check(stored.setup().to_vec());
    for id in stored.animations() {
        for frame in 0..stored.frame_count(id) {
            check(stored.frame(id, frame).collect());
        }
    }
    for (index, bone) in bones.iter().enumerate() {
        if let Some(parent) = bone.parent {
            let parent = fitness[parent.index()];
            fitness[index].is_plain = parent.is_plain && (parent.is_uniform || is_unrotated[index]);
        }
    }
    fitness
}

/// Returns true if the axes are at right angles, or one of them is zero.
fn is_orthogonal(matrix: &DMat2) -> bool {
    let longest = matrix.x_axis.length_squared().max(matrix.y_axis.length_squared());
    matrix.x_axis.dot(matrix.y_axis).abs() <= NEGLIGIBLE * longest
}
