//! Matrix of a bone → a local pose that gives exactly this matrix.

use super::axes::{angle, turn};
use super::bone::{TINY, frame, stretch_of};
use super::parts::{BoneLocal, Inherit};
use crate::math::angle::wrap_turn;
use crate::math::{DAffine2, DMat2, DVec2, dvec2};

/// Returns the local pose with which a bone that has the inheritance and the x shear of `rest` gets exactly `world`.
/// The signs of its scale are the same as in `rest` where possible. `None` if no pose does, or only one with
/// astronomical numbers, because a parent has hardly any area.
pub(crate) fn local_within(parent: Option<DAffine2>, world: DAffine2, rest: &BoneLocal) -> Option<BoneLocal> {
    let solve = |matrix: DMat2| {
        // Its least stretch is the determinant by the greatest one, which the longer axis is close to.
        let longer = matrix.x_axis.length().max(matrix.y_axis.length());
        (matrix.determinant().abs() > TINY * longer).then(|| matrix.inverse())
    };
    let parent_axes = parent.map_or(DMat2::IDENTITY, |parent| parent.matrix2);
    let translation = match parent {
        Some(parent) => solve(parent_axes)? * (world.translation - parent.translation),
        None => world.translation,
    };
    let sign = |rest: f64| if rest < 0.0 { -1.0 } else { 1.0 };
    let (inherit, shear_x, signs) = (rest.inherit, rest.shear.x, dvec2(sign(rest.scale.x), sign(rest.scale.y)));
    let space = match inherit {
        _ if parent.is_none() => DMat2::IDENTITY,
        // Nothing is written with the rules of old versions.
        Inherit::Normal | Inherit::Old(_) => parent_axes,
        Inherit::OnlyTranslation => DMat2::IDENTITY,
        Inherit::NoRotationOrReflection => stretch_of(parent_axes),
        Inherit::NoScale | Inherit::NoScaleOrReflection => {
            // The frame's x axis, turned by the shear, is the x axis of the bone.
            let mirrored = inherit == Inherit::NoScale && parent_axes.determinant() < 0.0;
            let shear = if mirrored { -shear_x } else { shear_x };
            let x = turn(-shear) * (world.matrix2.x_axis * signs.x);
            let rotation = angle(solve(parent_axes)? * x);
            let axes = solve(frame(parent_axes, rotation, inherit))? * world.matrix2;
            return Some(BoneLocal { rotation, ..of_axes(axes, translation, rest, signs, -shear_x) });
        }
    };
    Some(of_axes(solve(space)? * world.matrix2, translation, rest, signs, -shear_x))
}

/// The local pose with these axes. `base`: minus the angle between the rotation and the x axis.
fn of_axes(axes: DMat2, translation: DVec2, rest: &BoneLocal, mut signs: DVec2, base: f64) -> BoneLocal {
    let DMat2 { x_axis: x, y_axis: y } = axes;
    let rotation = angle(x * signs.x) + base;
    let start = match rest.inherit {
        Inherit::NoScale | Inherit::NoScaleOrReflection => 0.0,
        Inherit::Normal | Inherit::OnlyTranslation | Inherit::NoRotationOrReflection | Inherit::Old(_) => rotation,
    };
    let shear_of = |sign: f64| wrap_turn(angle(y * sign) - start - 90.0);
    // The smaller of both shears.
    if (shear_of(-signs.y) - rest.shear.y).abs() < (shear_of(signs.y) - rest.shear.y).abs() {
        signs.y = -signs.y;
    }
    BoneLocal {
        translation,
        rotation,
        scale: dvec2(x.length() * signs.x, y.length() * signs.y),
        shear: dvec2(rest.shear.x, shear_of(signs.y)),
        inherit: rest.inherit,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::motion::spine::world_within;

    #[test]
    fn every_matrix_has_a_local_pose() {
        let mut random = 1u32;
        let mut number = |from: f64, to: f64| {
            random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            from + (to - from) * f64::from(random >> 8) / f64::from(1u32 << 24)
        };
        let mut matrix = || DAffine2 {
            matrix2: DMat2::from_cols_array(&[(); 4].map(|()| number(-2.0, 2.0))),
            translation: dvec2(number(-99.0, 99.0), number(-99.0, 99.0)),
        };
        let modes = [
            Inherit::Normal,
            Inherit::OnlyTranslation,
            Inherit::NoRotationOrReflection,
            Inherit::NoScale,
            Inherit::NoScaleOrReflection,
        ];
        for (round, inherit) in (0..2000).zip(modes.into_iter().cycle()) {
            let (parent, world) = (matrix(), matrix());
            let shear = dvec2(f64::from(round % 7) * 9.0, f64::from(round % 5) * 4.0);
            let scale = dvec2(if round % 3 == 0 { -1.0 } else { 1.0 }, if round % 4 == 0 { -1.0 } else { 1.0 });
            let rest = BoneLocal { translation: DVec2::ZERO, rotation: 10.0, scale, shear, inherit };
            let local = local_within(Some(parent), world, &rest).expect("a parent with an area");
            assert_eq!((local.inherit, local.shear.x), (inherit, shear.x));
            let found = world_within(Some(&parent), &local);
            assert!(found.abs_diff_eq(world, 1e-6), "{inherit:?} {parent} {world} {local:?} {found}");
        }
    }
}
