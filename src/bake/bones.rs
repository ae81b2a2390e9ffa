//! World matrices → translation, rotation and scale relative to a parent.
//!
//! A sheared matrix cannot be expressed by one transform, but by two: every matrix is a rotation, a scale and
//! another rotation. So a bone that is sheared at some time gets an additional bone above it and is exact in every
//! frame. Each bone is fitted below the fitted parent, so that errors do not accumulate. Only below a parent that
//! is flat at some time a transform may be unreachable: then the bone becomes a root.

use std::ops::Range;

use super::sample::Sampling;
use crate::error::Result;
use crate::formats::pchr::schema::BoneTransform;
use crate::limits::Budget;
use crate::math::angle::{atan2_degrees, sin_cos_degrees_f64, wrap_degrees};
use crate::math::{DAffine2, DMat2, DVec2, dvec2};
use crate::model::{BoneId, Model};

/// The bones of the source in every frame.
#[derive(Default)]
pub struct Bones {
    /// The output bones, parents before children.
    pub list: Vec<Written>,
    /// By bone of the source: its index in the list.
    pub of: Vec<usize>,
    /// Bones of the source that became roots.
    pub detached: Vec<usize>,
    /// By bone of the source and frame: the matrices resulting from the transforms.
    world: Vec<Vec<DAffine2>>,
    /// By bone of the source and frame: the largest deviation of the axes, per pixel of distance from the bone.
    off: Vec<Vec<f32>>,
}

/// A bone of the output.
pub struct Written {
    /// The bone of the source.
    pub source: usize,
    /// True for the upper one of two bones, which carries position and scale.
    pub is_upper: bool,
    /// Index of an earlier bone of the list.
    pub parent: Option<usize>,
    /// By frame.
    pub transforms: Vec<BoneTransform>,
}

/// A bone in one frame.
#[derive(Clone, Copy)]
struct Fitted {
    transform: BoneTransform,
    /// Rotation of the lower bone in degrees, if two bones are used.
    lower: f32,
    /// The resulting world matrix.
    world: DAffine2,
    off: f64,
}

/// Smaller deviations of the axes are accepted.
const FINE: f64 = 1e-4;
/// Minimum scale of a bind pose; below that its inverse is unusable.
const LEAST_SCALE: f32 = 1e-3;
/// Weight of a position error: one pixel counts like this deviation of the axes.
const FAR: f64 = 0.01;

impl Bones {
    pub fn fit(model: &Model, sampling: &Sampling, budget: &Budget<'_>) -> Result<Self> {
        let source = model.skeleton().bones();
        let mut bones = Self::default();
        for (index, bone) in source.iter().enumerate() {
            budget.check_cancelled()?;
            let parent = bone.parent.map(BoneId::index);
            // Alternatives that preserve more of the source come first.
            let mut best: Option<(Vec<Fitted>, Option<usize>, bool)> = None;
            for (parent, is_two) in [(parent, false), (parent, true), (None, false), (None, true)] {
                if best.as_ref().is_some_and(|(fitted, ..)| off(fitted) <= FINE) {
                    break;
                }
                let fitted = bones.fit_below(index, parent, is_two, sampling);
                if best.as_ref().is_none_or(|(before, ..)| off(&fitted) < off(before)) {
                    best = Some((fitted, parent, is_two));
                }
            }
            let (fitted, kept, is_two) = best.unwrap_or_default();
            if kept.is_none() && parent.is_some() {
                bones.detached.push(index);
            }
            bones.push(index, kept, &fitted, is_two);
        }
        Ok(bones)
    }

    fn push(&mut self, source: usize, parent: Option<usize>, fitted: &[Fitted], is_two: bool) {
        let mut parent = parent.map(|parent| self.of[parent]);
        let mut transforms: Vec<BoneTransform> = fitted.iter().map(|frame| frame.transform).collect();
        if is_two {
            self.list.push(Written { source, is_upper: true, parent, transforms });
            parent = Some(self.list.len() - 1);
            transforms = fitted.iter().map(Fitted::below).collect();
        }
        self.of.push(self.list.len());
        self.list.push(Written { source, is_upper: false, parent, transforms });
        self.world.push(fitted.iter().map(|frame| frame.world).collect());
        self.off.push(fitted.iter().map(|frame| frame.off as f32).collect());
    }

    /// Fits one bone in every frame, below an already fitted parent.
    fn fit_below(&self, index: usize, parent: Option<usize>, is_two: bool, sampling: &Sampling) -> Vec<Fitted> {
        let count = sampling.world.len() / sampling.frames.len().max(1);
        let mut before: Option<BoneTransform> = None;
        let fit_frame = |frame: usize| {
            let above = parent.map_or(DAffine2::IDENTITY, |parent| self.world[parent][frame]);
            let wanted = sampling.world[frame * count + index].as_daffine2();
            let mut fitted = fit(is_two, above, wanted, before);
            if frame == 0 {
                fitted.make_solid(above);
            }
            before = Some(fitted.transform);
            fitted
        };
        (0..sampling.frames.len()).map(fit_frame).collect()
    }

    /// Returns the bind pose of a bone of the source.
    pub fn bind(&self, bone: usize) -> DAffine2 {
        self.world[bone].first().copied().unwrap_or_default()
    }

    /// Returns the largest deviation of a bone's axes in some frames, per pixel of distance from it.
    pub fn off(&self, bone: usize, frames: Range<usize>) -> f32 {
        self.off[bone].get(frames).unwrap_or_default().iter().copied().fold(0.0, f32::max)
    }
}

/// A root that follows given matrices in every frame: one bone, or two if they are sheared.
pub struct Alone {
    pub upper: Vec<BoneTransform>,
    /// Rotation of the lower bone.
    pub lower: Option<Vec<BoneTransform>>,
}

/// One bone suffices for a root if its axes deviate by no more than this.
const EXACT: f64 = 1e-6;

/// Returns the largest deviation in any frame.
fn off(fitted: &[Fitted]) -> f64 {
    fitted.iter().fold(0.0, |worst, frame| frame.off.max(worst))
}

/// Returns the best fit of `wanted`, frame by frame.
pub fn alone(wanted: &[DAffine2]) -> Alone {
    let fitted = |is_two: bool| {
        let mut before = None;
        let fit_frame = |&wanted: &DAffine2| {
            let above = DAffine2::IDENTITY;
            let fitted = fit(is_two, above, wanted, before);
            before = Some(fitted.transform);
            fitted
        };
        wanted.iter().map(fit_frame).collect::<Vec<Fitted>>()
    };
    let upper = |fitted: &[Fitted]| fitted.iter().map(|frame| frame.transform).collect();
    let one = fitted(false);
    if off(&one) > EXACT {
        let two = fitted(true);
        if off(&two) < off(&one) {
            return Alone { upper: upper(&two), lower: Some(two.iter().map(Fitted::below).collect()) };
        }
    }
    Alone { upper: upper(&one), lower: None }
}

/// Returns the inverse of a matrix, or a regularized pseudo-inverse of a singular one.
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

impl Fitted {
    /// Computed from the transforms as stored.
    fn new(above: DAffine2, wanted: DAffine2, mut transform: BoneTransform, lower: f64) -> Self {
        for number in [&mut transform.x, &mut transform.y, &mut transform.scale_x, &mut transform.scale_y] {
            if !number.is_finite() {
                *number = 0.0;
            }
        }
        let lower = wrap_degrees(lower) as f32;
        let world = above * matrix_of(&transform) * turned(lower);
        let (is, expected) = (world.matrix2, wanted.matrix2);
        let off = (is.x_axis - expected.x_axis).length().max((is.y_axis - expected.y_axis).length());
        Self { transform, lower, world, off: off.max((world.translation - wanted.translation).length() * FAR) }
    }

    /// Returns the lower one of two bones.
    fn below(&self) -> BoneTransform {
        BoneTransform { rotation: self.lower, ..BoneTransform::default() }
    }

    /// Makes a bind pose invertible if the bone is flat.
    fn make_solid(&mut self, above: DAffine2) {
        for scale in [&mut self.transform.scale_x, &mut self.transform.scale_y] {
            if scale.abs() < LEAST_SCALE {
                *scale = 1.0;
            }
        }
        self.world = above * matrix_of(&self.transform) * turned(self.lower);
        // The deviation in the bind pose is invisible.
        self.off = 0.0;
    }

    /// Repeats the previous transform; used if a matrix is not finite.
    fn unreachable(above: DAffine2, before: BoneTransform) -> Self {
        Self { transform: before, lower: 0.0, world: above * matrix_of(&before), off: f64::INFINITY }
    }
}

/// Returns the transform below `above` that is closest to `wanted`, of one bone or of two. Of equivalent ones it is the
/// one nearest to `before`, so that interpolation takes the short way.
fn fit(is_two: bool, above: DAffine2, wanted: DAffine2, before: Option<BoneTransform>) -> Fitted {
    let start = before.unwrap_or_default();
    if !(wanted.is_finite() && above.is_finite()) {
        return Fitted::unreachable(above, start);
    }
    let below = inverse(above.matrix2);
    let translation = below * (wanted.translation - above.translation);
    let local = below * wanted.matrix2;
    let (mut transform, lower) = match is_two {
        true => fit_two(local, start, before.is_none()),
        false => (fit_one(above.matrix2, wanted.matrix2, local, start, before.is_none()), 0.0),
    };
    (transform.x, transform.y) = (translation.x as f32, translation.y as f32);
    Fitted::new(above, wanted, transform, lower)
}

/// Fits one bone: a rotation and a scale.
fn fit_one(above: DMat2, wanted: DMat2, local: DMat2, start: BoneTransform, is_first: bool) -> BoneTransform {
    let size = wanted.x_axis.length_squared() + wanted.y_axis.length_squared();
    let enough = size * 1e-13;
    let mut best = Turn::at(above, wanted, f64::from(start.rotation), start);
    for degrees in [angle(local.x_axis), angle(local.y_axis) - 90.0] {
        best = best.or(Turn::at(above, wanted, degrees, start), enough);
    }
    best.nearest(start.rotation, is_first)
}

/// Fits two bones: a rotation and a scale, then another rotation, which is returned in degrees.
fn fit_two(local: DMat2, start: BoneTransform, is_first: bool) -> (BoneTransform, f64) {
    let DMat2 { x_axis: x, y_axis: y } = local;
    // Every matrix is the sum of a scaled rotation and a scaled reflection.
    let (straight, mirrored) = (dvec2(x.x + y.y, x.y - y.x) / 2.0, dvec2(x.x - y.y, x.y + y.x) / 2.0);
    let (straight_length, mirrored_length) = (straight.length(), mirrored.length());
    let (sum, difference) = (angle(straight), angle(mirrored));
    let least = (straight_length + mirrored_length) * 1e-7;
    let old = f64::from(start.rotation);
    // If only one of them is present, any first rotation will do.
    let (upper, lower) = if mirrored_length <= least {
        (old, sum - old)
    } else if straight_length <= least {
        (old, old - difference)
    } else {
        ((sum + difference) / 2.0, (sum - difference) / 2.0)
    };
    let scale = dvec2(straight_length + mirrored_length, straight_length - mirrored_length);
    // A quarter turn more or less with exchanged axes is equivalent.
    let far = |quarters: f64| match is_first {
        false => wrap_degrees(upper + quarters * 90.0 - old).abs(),
        true => wrap_degrees(lower - quarters * 90.0).abs(),
    };
    let mut quarters = 0.0;
    for other in [1.0, 2.0, 3.0] {
        if far(other) < far(quarters) {
            quarters = other;
        }
    }
    let scale = if quarters % 2.0 == 1.0 { dvec2(scale.y, scale.x) } else { scale };
    let transform = BoneTransform {
        rotation: wrap_degrees(upper + quarters * 90.0) as f32,
        scale_x: scale.x as f32,
        scale_y: scale.y as f32,
        ..BoneTransform::default()
    };
    (transform, lower - quarters * 90.0)
}

/// Returns the angle of a vector in degrees.
fn angle(vector: DVec2) -> f64 {
    atan2_degrees(vector.y, vector.x)
}

/// An angle with its best scales and the remaining error.
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

    /// Returns the better one; `self` if it is good enough.
    fn or(self, other: Self, enough: f64) -> Self {
        if self.cost > enough && other.cost < self.cost { other } else { self }
    }

    /// Half a turn more with both axes negated is equivalent.
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

fn turned(degrees: f32) -> DAffine2 {
    let (sin, cos) = sin_cos_degrees_f64(degrees.into());
    DAffine2 { matrix2: DMat2::from_cols(dvec2(cos, sin), dvec2(-sin, cos)), translation: DVec2::ZERO }
}

/// `T · R · S`.
pub fn matrix_of(transform: &BoneTransform) -> DAffine2 {
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
        let fitted = fit(false, above, wanted, before);
        (fitted.transform, fitted.off)
    }

    fn at(x: f32, y: f32, rotation: f32, scale_x: f32, scale_y: f32) -> BoneTransform {
        BoneTransform { x, y, rotation, scale_x, scale_y, ..BoneTransform::default() }
    }

    #[test]
    fn representable_transforms_are_exact() {
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
    fn a_flipped_card_keeps_its_angle() {
        let mut before = None;
        for scale in [1.0, 0.5, 0.0, -0.5, -1.0] {
            let wanted = matrix_of(&at(0.0, 0.0, 30.0, scale, 1.0));
            let (found, off) = fitted(DAffine2::IDENTITY, wanted, before);
            assert!(off < 1e-6 && (found.rotation - 30.0).abs() < 1e-3, "{scale}: {found:?}");
            before = Some(found);
        }
    }

    #[test]
    fn every_matrix_is_a_product_of_two_bones() {
        let above = matrix_of(&at(3.0, -4.0, 37.0, 2.0, -0.5));
        let mut before = None;
        let mut random = 1u32;
        let mut next = || {
            random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            f64::from(random >> 8) / f64::from(1 << 23) - 1.0
        };
        for step in 0..1000 {
            let mut axes = [next(), next(), next(), next()];
            match step % 5 {
                // Rotation only, reflection only, flat, zero.
                1 => axes = [axes[0], axes[1], -axes[1], axes[0]],
                2 => axes = [axes[0], axes[1], axes[1], -axes[0]],
                3 => axes = [axes[0], axes[1], axes[0] * 2.0, axes[1] * 2.0],
                4 if step % 10 == 4 => axes = [0.0; 4],
                _ => {}
            }
            let wanted = DAffine2 { matrix2: DMat2::from_cols_array(&axes), translation: dvec2(next(), next()) };
            let found = fit(true, above, wanted, before);
            // Angles and scales are stored in 32 bits: each of the two angles is off by up to 1.3e-7 radians at
            // 180°, and a scale by 6e-8 relative.
            let size = wanted.matrix2.x_axis.length().max(wanted.matrix2.y_axis.length());
            assert!(found.off < 1e-6 * size.max(1.0), "{}: {wanted}", found.off);
            before = Some(found.transform);
        }
    }

    #[test]
    fn a_temporary_shear_rotates_no_bone_far() {
        let mut before: Option<Fitted> = None;
        for step in -20..=20 {
            let shear = f64::from(step) * 0.02;
            let wanted = DAffine2 { matrix2: DMat2::from_cols(DVec2::X, dvec2(shear, 1.0)), ..DAffine2::IDENTITY };
            let found = fit(true, DAffine2::IDENTITY, wanted, before.map(|before| before.transform));
            if let Some(before) = before {
                let by = wrap_degrees(f64::from(found.transform.rotation - before.transform.rotation)).abs();
                assert!(by < 5.0, "{step}: {by}");
            }
            before = Some(found);
        }
    }

    #[test]
    fn positions_are_exact_below_a_flat_parent() {
        let flat = matrix_of(&at(7.0, 8.0, 0.0, 0.0, 0.0));
        let (found, off) = fitted(flat, flat, None);
        assert!(off == 0.0 && found.x == 0.0, "{found:?}");
        // But other positions are unreachable.
        assert!(fitted(flat, matrix_of(&at(9.0, 8.0, 0.0, 1.0, 1.0)), None).1 >= 1.0);
    }
}
