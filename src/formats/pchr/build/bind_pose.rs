//! The bind pose, which the format does not store: which frame it is, and its matrices.
//!
//! Computed in `f64`: an error here would move every vertex of every frame.

use crate::diagnostics::Diagnostics;
use crate::error::{Error, Place, Result};
use crate::formats::pchr::schema::{Animation, Bone, BoneTransform, File};
use crate::formats::{BindPose, ReadOptions};
use crate::math::{Affine2, Mat2, vec2};

/// Names that are never motion.
const BIND_NAMES: [&str; 6] = ["bind", "bind_pose", "bindpose", "rest_pose", "t-pose", "tpose"];
/// Names that could be motion: they count only for a single frame.
const STILL_NAMES: [&str; 2] = ["rest", "setup"];

/// Whether an animation holds the bind pose, by its name.
pub fn is_bind_name(animation: &Animation) -> bool {
    let named = |names: &[&str]| names.iter().any(|name| name.eq_ignore_ascii_case(&animation.name));
    named(&BIND_NAMES) || (animation.frame_count == 1 && named(&STILL_NAMES))
}

/// World matrices of every bone in the bind pose, as `options` choose it.
pub fn choose(file: &File, options: &ReadOptions, diagnostics: &mut Diagnostics) -> Result<Vec<Matrix>> {
    let Some((animation, frame)) = find(file, &options.bind_pose)? else {
        return Ok(vec![Matrix::IDENTITY; file.bones.len()]);
    };
    let size = file.bones.len() * BoneTransform::SIZE;
    let records = &animation.frames.bytes[frame * size..][..size];
    let mut world: Vec<Matrix> = Vec::with_capacity(file.bones.len());
    for (index, (bone, record)) in file.bones.iter().zip(records.chunks_exact(BoneTransform::SIZE)).enumerate() {
        let local = Matrix::from_transform(&BoneTransform::read(record), options.y_down);
        let matrix = match usize::try_from(bone.parent) {
            Ok(parent) => world[parent].times(&local),
            Err(_) => local,
        };
        if matrix.bone_from_world().is_none() {
            report_no_inverse(index, bone, animation, diagnostics);
        }
        world.push(matrix);
    }
    Ok(world)
}

fn report_no_inverse(index: usize, bone: &Bone, animation: &Animation, diagnostics: &mut Diagnostics) {
    let message = format!(
        "bone `{}` is flat or beyond all bounds in the bind pose (`{}`): it moves no vertex",
        bone.name, animation.name
    );
    diagnostics.warn("no-inverse-bind", Place::at(format!("bones[{index}]"), bone.offset), message);
}

/// The animation and frame; `None` when nothing is stored.
fn find<'a>(file: &'a File, wanted: &BindPose) -> Result<Option<(&'a Animation, usize)>> {
    match wanted {
        BindPose::Auto => {
            let stored = || file.animations.iter().filter(|animation| animation.frame_count > 0);
            Ok(stored()
                .find(|animation| is_bind_name(animation))
                .or_else(|| stored().next())
                .map(|found| (found, 0)))
        }
        BindPose::Frame { animation: name, frame } => {
            let Some(animation) = file.animations.iter().find(|animation| animation.name == *name) else {
                return Err(Error::misuse(
                    "unknown-bind-pose",
                    format!("bind pose: no animation is called `{name}`"),
                ));
            };
            if *frame >= animation.frame_count.into() {
                let count = animation.frame_count;
                let message =
                    format!("bind pose: frame {frame} does not exist, `{name}` has {count}, counted from 0");
                return Err(Error::misuse("unknown-bind-pose", message));
            }
            Ok(Some((animation, *frame as usize)))
        }
    }
}

/// An affine matrix in `f64`: columns x, y and translation.
#[derive(Debug, Clone, Copy)]
pub struct Matrix([f64; 6]);

impl Matrix {
    const IDENTITY: Self = Self([1.0, 0.0, 0.0, 1.0, 0.0, 0.0]);

    fn from_transform(transform: &BoneTransform, y_down: bool) -> Self {
        let (sin, cos) = crate::math::angle::sin_cos_degrees_f64(transform.rotation.into());
        let (sx, sy) = (f64::from(transform.scale_x), f64::from(transform.scale_y));
        let (x, y) = (f64::from(transform.x), f64::from(transform.y));
        let (sin, y) = if y_down { (-sin, -y) } else { (sin, y) };
        Self([cos * sx, sin * sx, -sin * sy, cos * sy, x, y])
    }

    fn times(&self, other: &Self) -> Self {
        let [a, b, c, d, x, y] = self.0;
        let [oa, ob, oc, od, ox, oy] = other.0;
        Self([
            a * oa + c * ob,
            b * oa + d * ob,
            a * oc + c * od,
            b * oc + d * od,
            a * ox + c * oy + x,
            b * ox + d * oy + y,
        ])
    }

    /// Rounded to `f32`.
    pub fn world_from_bone(&self) -> Affine2 {
        let [a, b, c, d, x, y] = self.0.map(|value| value as f32);
        Affine2 { matrix2: Mat2::from_cols(vec2(a, b), vec2(c, d)), translation: vec2(x, y) }
    }

    /// The inverse, rounded to `f32`; `None` when there is none or it does not fit.
    pub fn bone_from_world(&self) -> Option<Affine2> {
        let [a, b, c, d, x, y] = self.0;
        let (area, largest) = (a * d - b * c, (a * d).abs() + (b * c).abs());
        // What is left of a flat matrix after rounding is no area: its inverse would throw vertices far away.
        if area.abs() <= largest * 1e-12 {
            return None;
        }
        let factor = 1.0 / area;
        let [ia, ib, ic, id] = [d * factor, -b * factor, -c * factor, a * factor];
        let inverse = Self([ia, ib, ic, id, -(ia * x + ic * y), -(ib * x + id * y)]).world_from_bone();
        inverse.is_finite().then_some(inverse)
    }
}
