//! Curves that state shares of time and change → curves that state times and values, as since 4.0.

use crate::formats::spine::schema::{Animation, Curve, Group, Keys, MAX_WIDTH, Property, for_each_keys_mut};
use crate::model::ConstraintKind;

/// Replaces curves that state shares by times and values, in timelines of any version.
pub fn make_absolute(animation: &mut Animation<'_>, is_share: fn(&Curve) -> bool) {
    // Physics came later.
    for_each_keys_mut(animation, |keys| {
        if keys.row().group != Group::Constraint(ConstraintKind::Physics) {
            absolute(keys, is_share);
        }
    });
}

/// Replaces shares by times and values: four numbers for each of the values.
pub fn absolute(keys: &mut Keys<'_>, is_share: fn(&Curve) -> bool) {
    let is_share = |curve: &Curve| *curve != Curve::Linear && is_share(curve);
    if !keys.list.iter().any(|key| is_share(&key.curve)) {
        return;
    }
    keys.sort();
    for at in 1..keys.len() {
        if is_share(&keys.list[at - 1].curve) {
            // The value of a deformation is the share of the next key.
            let ends = match keys.property {
                Property::Deform => [[0.0; MAX_WIDTH], [1.0; MAX_WIDTH]],
                _ => [keys.get(at - 1), keys.get(at)],
            };
            let times = [keys.list[at - 1].time, keys.list[at].time];
            keys.list[at - 1].curve = of_shares(&keys.list[at - 1].curve, times, ends, keys.row().curves());
        }
    }
}

fn of_shares(curve: &Curve, times: [f32; 2], values: [[f32; MAX_WIDTH]; 2], count: usize) -> Curve {
    let &[x1, y1, x2, y2] = curve.handles() else { return curve.clone() };
    let at = |[from, to]: [f32; 2], share: f32| {
        (f64::from(from) + (f64::from(to) - f64::from(from)) * f64::from(share)) as f32
    };
    let handles = (0..count).flat_map(|value| {
        let ends = values.map(|values| values[value]);
        [at(times, x1), at(ends, y1), at(times, x2), at(ends, y2)]
    });
    Curve::of_handles(&handles.collect::<Vec<f32>>())
}
