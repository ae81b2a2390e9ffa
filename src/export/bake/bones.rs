//! World matrices → translation, rotation and scale relative to a parent, as near as these can come.
//!
//! A matrix that is sheared is no such product. Each bone is fitted below what its parent became, so that errors do
//! not add up; a bone that fits better without its parent, as one does that takes no scale from it, becomes a root.

use super::sample::Sampling;
use crate::formats::pchr::schema::BoneTransform;
use crate::math::angle::{atan2_degrees, sin_cos_degrees_f64, wrap_degrees};
use crate::math::{Affine2, DAffine2, DMat2, DVec2, dvec2};
use crate::model::{BoneId, Model};

/// The bones of the source in every frame.
pub struct Bones {
    /// By bone; an earlier one.
    pub parents: Vec<Option<usize>>,
    /// Bones that have another parent in the source.
    pub detached: Vec<usize>,
    /// Frame after frame, in each bone after bone.
    transforms: Vec<BoneTransform>,
    /// The matrices that these give.
    world: Vec<DAffine2>,
    /// By frame and bone: how far off the axes are at most, per pixel from the bone.
    off: Vec<f32>,
}

/// A fitted bone.
#[derive(Clone, Copy)]
struct Fitted {
    transform: BoneTransform,
    /// What the transform gives below its parent.
    world: DAffine2,
    off: f64,
}

/// Axes that are less far off are taken for right.
const FINE: f64 = 1e-4;
/// A bind pose is not scaled less than this: what it moves could not be found again.
const LEAST_SCALE: f32 = 1e-3;

impl Bones {
    pub fn fit(model: &Model, sampling: &Sampling) -> Self {
        let source = model.skeleton().bones();
        let (count, frames) = (source.len(), sampling.frames.len());
        let mut bones = Self {
            parents: Vec::with_capacity(count),
            detached: Vec::new(),
            transforms: vec![BoneTransform::default(); count * frames],
            world: vec![DAffine2::IDENTITY; count * frames],
            off: vec![0.0; count * frames],
        };
        for (index, bone) in source.iter().enumerate() {
            let mut parent = bone.parent.map(BoneId::index);
            let mut fitted = bones.fit_below(index, parent, count, sampling);
            let off = |fitted: &[Fitted]| fitted.iter().fold(0.0, |worst: f64, frame| frame.off.max(worst));
            if parent.is_some() && off(&fitted) > FINE {
                let alone = bones.fit_below(index, None, count, sampling);
                if off(&alone) < off(&fitted) / 2.0 {
                    (parent, fitted) = (None, alone);
                    bones.detached.push(index);
                }
            }
            bones.parents.push(parent);
            for (frame, fitted) in fitted.into_iter().enumerate() {
                let at = frame * count + index;
                bones.transforms[at] = fitted.transform;
                bones.world[at] = fitted.world;
                bones.off[at] = fitted.off as f32;
            }
        }
        bones
    }

    /// One bone in every frame, below a parent that is known already.
    fn fit_below(&self, index: usize, parent: Option<usize>, count: usize, sampling: &Sampling) -> Vec<Fitted> {
        let mut before: Option<BoneTransform> = None;
        let fit_frame = |frame: usize| {
            let above = parent.map_or(DAffine2::IDENTITY, |parent| self.world[frame * count + parent]);
            let fitted = fit(above, double(sampling.world[frame * count + index]), before, frame == 0);
            before = Some(fitted.transform);
            fitted
        };
        (0..sampling.frames.len()).map(fit_frame).collect()
    }

    /// One transform a bone.
    pub fn frame(&self, frame: usize) -> &[BoneTransform] {
        let count = self.parents.len();
        &self.transforms[frame * count..][..count]
    }

    /// Where a bone is in the bind pose.
    pub fn bind(&self, bone: usize) -> DAffine2 {
        self.world[bone]
    }

    /// How far off the axes of a bone are at most in some frames, per pixel from it.
    pub fn off(&self, bone: usize, mut frames: std::ops::Range<usize>) -> f32 {
        let count = self.parents.len();
        frames
            .try_fold(0.0, |worst: f32, frame| Some(self.off.get(frame * count + bone)?.max(worst)))
            .unwrap_or(0.0)
    }
}

pub fn double(matrix: Affine2) -> DAffine2 {
    let axes = DMat2::from_cols(matrix.matrix2.x_axis.as_dvec2(), matrix.matrix2.y_axis.as_dvec2());
    DAffine2 { matrix2: axes, translation: matrix.translation.as_dvec2() }
}

/// The inverse of a matrix, or what comes nearest to one.
fn inverse(matrix: DMat2) -> DMat2 {
    let size = matrix.x_axis.length_squared() + matrix.y_axis.length_squared();
    if matrix.determinant().abs() > size * 1e-9 {
        return matrix.inverse();
    }
    if size == 0.0 {
        return DMat2::ZERO;
    }
    let transposed = matrix.transpose();
    let square = transposed * matrix;
    (square + DMat2::from_diagonal(DVec2::splat(size * 1e-9))).inverse() * transposed
}

/// The bone below `above` that comes nearest to `wanted`. Of several ways to say the same the one that is nearest to
/// `before`, so that what lies between two frames is short.
fn fit(above: DAffine2, wanted: DAffine2, before: Option<BoneTransform>, is_bind: bool) -> Fitted {
    let start = before.unwrap_or_default();
    if !(wanted.is_finite() && above.is_finite()) {
        let transform = BoneTransform { x: 0.0, y: 0.0, ..start };
        return Fitted { transform, world: above * matrix_of(&transform), off: f64::INFINITY };
    }
    let below = inverse(above.matrix2);
    let translation = below * (wanted.translation - above.translation);
    let local = below * wanted.matrix2;
    let mut best = Turn::at(above.matrix2, wanted.matrix2, f64::from(start.rotation), start);
    let size = wanted.matrix2.x_axis.length_squared() + wanted.matrix2.y_axis.length_squared();
    let enough = size * 1e-13;
    let angle = |axis: DVec2| atan2_degrees(axis.y, axis.x);
    for degrees in [angle(local.x_axis), angle(local.y_axis) - 90.0] {
        best = best.or(Turn::at(above.matrix2, wanted.matrix2, degrees, start), enough);
    }
    if best.cost > enough {
        // Sheared: the best angle is between those that are good for one axis.
        let mut step = 10.0;
        for degrees in 0..18 {
            best = best.or(Turn::at(above.matrix2, wanted.matrix2, f64::from(degrees) * step, start), enough);
        }
        while step > 1e-7 {
            for degrees in [best.degrees - step, best.degrees + step] {
                best = best.or(Turn::at(above.matrix2, wanted.matrix2, degrees, start), enough);
            }
            step *= 0.7;
        }
    }
    let mut transform = best.nearest(start.rotation, before.is_none());
    (transform.x, transform.y) = (translation.x as f32, translation.y as f32);
    if is_bind {
        let whole = |scale: &mut f32| {
            if scale.abs() < LEAST_SCALE {
                *scale = 1.0;
            }
        };
        whole(&mut transform.scale_x);
        whole(&mut transform.scale_y);
    }
    for number in [&mut transform.x, &mut transform.y, &mut transform.scale_x, &mut transform.scale_y] {
        if !number.is_finite() {
            *number = 0.0;
        }
    }
    let world = above * matrix_of(&transform);
    let axes = (world.matrix2.x_axis - wanted.matrix2.x_axis)
        .length()
        .max((world.matrix2.y_axis - wanted.matrix2.y_axis).length());
    Fitted { transform, world, off: axes }
}

/// An angle, the scales that are best for it, and how much is missing then.
#[derive(Clone, Copy)]
struct Turn {
    degrees: f64,
    scale: DVec2,
    cost: f64,
}

impl Turn {
    fn at(above: DMat2, wanted: DMat2, degrees: f64, start: BoneTransform) -> Self {
        let (sin, cos) = sin_cos_degrees_f64(degrees);
        let along = |axis: DVec2, wanted: DVec2, start: f32| {
            let axis = above * axis;
            let square = axis.length_squared();
            let scale = if square > 0.0 { axis.dot(wanted) / square } else { f64::from(start) };
            (scale, (axis * scale - wanted).length_squared())
        };
        let (x, x_cost) = along(dvec2(cos, sin), wanted.x_axis, start.scale_x);
        let (y, y_cost) = along(dvec2(-sin, cos), wanted.y_axis, start.scale_y);
        Self { degrees, scale: dvec2(x, y), cost: x_cost + y_cost }
    }

    /// The better one; this one where it is good enough.
    fn or(self, other: Self, enough: f64) -> Self {
        if self.cost > enough && other.cost < self.cost { other } else { self }
    }

    /// Half a turn more with both axes the other way round is the same.
    fn nearest(self, rotation: f32, is_first: bool) -> BoneTransform {
        let turned = wrap_degrees(self.degrees - f64::from(rotation)).abs() > 90.0;
        let turns = if is_first { self.scale.x < 0.0 } else { turned };
        let (degrees, scale) =
            if turns { (self.degrees + 180.0, -self.scale) } else { (self.degrees, self.scale) };
        BoneTransform {
            rotation: wrap_degrees(degrees) as f32,
            scale_x: scale.x as f32,
            scale_y: scale.y as f32,
            ..BoneTransform::default()
        }
    }
}

/// `T · R · S`.
fn matrix_of(transform: &BoneTransform) -> DAffine2 {
    let (sin, cos) = sin_cos_degrees_f64(transform.rotation.into());
    let (x, y) = (f64::from(transform.scale_x), f64::from(transform.scale_y));
    DAffine2 {
        matrix2: DMat2::from_cols(dvec2(cos, sin) * x, dvec2(-sin, cos) * y),
        translation: dvec2(transform.x.into(), transform.y.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fitted(above: DAffine2, wanted: DAffine2, before: Option<BoneTransform>) -> (BoneTransform, f64) {
        let fitted = fit(above, wanted, before, false);
        (fitted.transform, fitted.off)
    }

    fn at(x: f32, y: f32, rotation: f32, scale_x: f32, scale_y: f32) -> BoneTransform {
        BoneTransform { x, y, rotation, scale_x, scale_y, ..BoneTransform::default() }
    }

    #[test]
    fn what_can_be_said_is_said_exactly() {
        let above = matrix_of(&at(3.0, -4.0, 37.0, 2.0, -0.5));
        for local in [at(1.0, 2.0, 20.0, 1.0, 3.0), at(0.0, 0.0, -170.0, -1.5, 0.25), at(5.0, 5.0, 90.0, 1.0, 0.0)]
        {
            let (found, off) =
                fitted(above, above * matrix_of(&local), Some(at(0.0, 0.0, local.rotation, 1.0, 1.0)));
            let near = |a: f32, b: f32| (a - b).abs() < 1e-4;
            assert!(off < 1e-6 && near(found.rotation, local.rotation), "{found:?}, expected {local:?}");
            assert!(
                near(found.x, local.x) && near(found.scale_x, local.scale_x) && near(found.scale_y, local.scale_y)
            );
        }
    }

    #[test]
    fn a_card_that_is_flipped_keeps_its_angle() {
        let mut before = None;
        for scale in [1.0, 0.5, 0.0, -0.5, -1.0] {
            let wanted = matrix_of(&at(0.0, 0.0, 30.0, scale, 1.0));
            let (found, off) = fitted(DAffine2::IDENTITY, wanted, before);
            assert!(off < 1e-6 && (found.rotation - 30.0).abs() < 1e-3, "{scale}: {found:?}");
            before = Some(found);
        }
    }

    #[test]
    fn a_sheared_bone_comes_as_near_as_it_can() {
        // A unit square sheared by 0.2: the best fit is off by half of that on each axis, more or less.
        let sheared = DAffine2 { matrix2: DMat2::from_cols(DVec2::X, dvec2(0.2, 1.0)), translation: DVec2::ZERO };
        let (found, off) = fitted(DAffine2::IDENTITY, sheared, None);
        assert!((0.09..0.11).contains(&off) && (-6.5..-5.0).contains(&found.rotation), "{off} {found:?}");
        // Nothing below a flat parent is known, and nothing is wrong with that.
        let (found, off) =
            fitted(matrix_of(&at(7.0, 8.0, 0.0, 0.0, 0.0)), matrix_of(&at(7.0, 8.0, 0.0, 0.0, 0.0)), None);
        assert!(off == 0.0 && found.x == 0.0, "{found:?}");
    }
}
