//! The bind pose, which the format does not store: chooses a frame and computes its matrices.
//!
//! Computed in `f64`, because an error here moves every vertex of every frame.

use crate::diagnostics::Diagnostics;
use crate::error::{Error, Result};
use crate::formats::pchr::document::{At, Document};
use crate::formats::pchr::schema::{Animation, BoneTransform, File};
use crate::formats::{BindPose, ReadOptions};
use crate::math::angle::sin_cos_degrees_f64;
use crate::math::{Affine2, DAffine2, DMat2, dvec2};

/// Names that always mean a bind pose.
const BIND_NAMES: [&str; 6] = ["bind", "bind_pose", "bindpose", "rest_pose", "t-pose", "tpose"];
/// Names that may also be motion: they only count for a single frame.
const STILL_NAMES: [&str; 2] = ["rest", "setup"];

/// Returns true if an animation contains the bind pose, according to its name.
pub fn is_bind_name(animation: &Animation) -> bool {
    let named = |names: &[&str]| names.iter().any(|name| name.eq_ignore_ascii_case(&animation.name));
    named(&BIND_NAMES) || (animation.frame_count == 1 && named(&STILL_NAMES))
}

/// A bind pose: the stored frame, and the bones' matrices in it.
#[derive(Debug, Clone)]
pub struct Bind {
    /// Animation and frame; `None` if nothing is stored, which leaves every bone at the origin.
    pub frame: Option<(usize, usize)>,
    /// One matrix per bone.
    pub world_from_bone: Vec<DAffine2>,
}

/// Chooses the bind pose according to `options`. The bones' parents must be valid.
pub fn choose(document: &Document, options: &ReadOptions, diagnostics: &mut Diagnostics) -> Result<Bind> {
    let file = &document.file;
    let frame = find(file, &options.bind_pose)?;
    let world_from_bone = match frame {
        Some((animation, frame)) => world_from_bone(file, animation, frame, options.y_down),
        None => vec![DAffine2::IDENTITY; file.bones.len()],
    };
    for (index, matrix) in world_from_bone.iter().enumerate() {
        if let (Some((animation, _)), None) = (frame, bone_from_world(matrix)) {
            let (bone, animation) = (&file.bones[index].name, &file.animations[animation].name);
            let message =
                format!("bone `{bone}` has no inverse in the bind pose (`{animation}`), so it moves no vertices");
            diagnostics.warn("no-inverse-bind", document.place(At::Bone(index, "")), message);
        }
    }
    Ok(Bind { frame, world_from_bone })
}

/// Returns the world matrices of all bones in a stored frame. The bones' parents must be valid.
pub fn world_from_bone(file: &File, animation: usize, frame: usize, y_down: bool) -> Vec<DAffine2> {
    let size = file.bones.len() * BoneTransform::SIZE;
    let records = &file.animations[animation].frames.bytes[frame * size..][..size];
    let mut world: Vec<DAffine2> = Vec::with_capacity(file.bones.len());
    for (bone, record) in file.bones.iter().zip(records.chunks_exact(BoneTransform::SIZE)) {
        let local = bone_matrix(&BoneTransform::read(record), y_down);
        world.push(match usize::try_from(bone.parent) {
            Ok(parent) => world[parent] * local,
            Err(_) => local,
        });
    }
    world
}

/// Finds animation and frame; `None` if nothing is stored.
fn find(file: &File, wanted: &BindPose) -> Result<Option<(usize, usize)>> {
    match wanted {
        BindPose::Auto => {
            let stored = || file.animations.iter().enumerate().filter(|(_, animation)| animation.frame_count > 0);
            let named = stored().find(|(_, animation)| is_bind_name(animation));
            Ok(named.or_else(|| stored().next()).map(|(index, _)| (index, 0)))
        }
        BindPose::Frame { animation: name, frame } => {
            let Some(index) = file.animations.iter().position(|animation| animation.name == *name) else {
                return Err(Error::misuse("unknown-bind-pose", format!("bind pose: no animation named `{name}`")));
            };
            let count = file.animations[index].frame_count;
            if *frame >= count.into() {
                let message =
                    format!("bind pose: frame {frame} does not exist, `{name}` has {count} (numbered from 0)");
                return Err(Error::misuse("unknown-bind-pose", message));
            }
            Ok(Some((index, *frame as usize)))
        }
    }
}

/// Returns the matrix of a transform relative to the parent.
fn bone_matrix(transform: &BoneTransform, y_down: bool) -> DAffine2 {
    let (sin, cos) = sin_cos_degrees_f64(transform.rotation.into());
    let (sx, sy) = (f64::from(transform.scale_x), f64::from(transform.scale_y));
    let (x, y) = (f64::from(transform.x), f64::from(transform.y));
    let (sin, y) = if y_down { (-sin, -y) } else { (sin, y) };
    let matrix2 = DMat2::from_cols(dvec2(cos * sx, sin * sx), dvec2(-sin * sy, cos * sy));
    DAffine2 { matrix2, translation: dvec2(x, y) }
}

/// Returns the inverse of a matrix, rounded to `f32`; `None` if there is none or it is not finite.
pub fn bone_from_world(world_from_bone: &DAffine2) -> Option<Affine2> {
    let DMat2 { x_axis, y_axis } = world_from_bone.matrix2;
    let (main, other) = (x_axis.x * y_axis.y, x_axis.y * y_axis.x);
    // A flat matrix may have a tiny area due to rounding; its inverse would throw vertices far away.
    if (main - other).abs() <= (main.abs() + other.abs()) * 1e-12 {
        return None;
    }
    Some(Affine2::from(world_from_bone.inverse())).filter(Affine2::is_finite)
}
