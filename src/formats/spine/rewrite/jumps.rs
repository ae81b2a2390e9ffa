//! The times at which bones jump.

use crate::formats::spine::binary::Layout;
use crate::formats::spine::schema::{Animation, ConstraintTimelines, Curve, Keys, Property, Timed};

/// The times at which values of an animation change at once: at the ends of constant curves, and where keys switch
/// something.
pub fn jumps(animation: &Animation<'_>) -> Vec<f32> {
    let mut times = Vec::new();
    for (_, it) in &animation.bones.0 {
        it.list.iter().for_each(|keys| add(&mut times, keys));
        times.extend(it.steps.iter().map(Timed::time));
    }
    for ConstraintTimelines { kind, timelines, .. } in &animation.constraints {
        // Jumps of later kinds are not looked for.
        if kind.row().since == Layout::V3_6 {
            timelines.list.iter().for_each(|keys| add(&mut times, keys));
        }
        times.extend(timelines.steps.iter().map(Timed::time));
        for keys in timelines.list.iter().filter(|keys| keys.property == Property::Ik) {
            let changed = (1..keys.len()).filter(|&at| keys.switches(at - 1) != keys.switches(at));
            times.extend(changed.map(|at| keys.list[at].time));
        }
    }
    for (_, it) in &animation.slots.0 {
        // A path constraint rests while its slot shows no path.
        times.extend(it.steps.iter().map(Timed::time));
    }
    times.sort_by(f32::total_cmp);
    times.dedup();
    times
}

/// Adds the times at which a value jumps: the first key, since the value at rest applies before it, and keys after
/// constant curves.
fn add(times: &mut Vec<f32>, keys: &Keys<'_>) {
    if matches!(keys.property, Property::FlipX | Property::FlipY) {
        times.extend(keys.times());
    }
    times.extend(keys.times().next());
    for ends in keys.list.windows(2) {
        if ends[0].time == ends[1].time || ends[0].curve == Curve::Stepped {
            times.push(ends[1].time);
        }
    }
}
