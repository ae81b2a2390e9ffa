//! The times at which bones jump.

use crate::formats::spine::schema::{Animation, Curve, IkKey};
use crate::formats::spine::translate::Timed;

/// The times at which values of an animation change at once: at the ends of constant curves, and where keys switch
/// something.
pub fn jumps(animation: &Animation<'_>) -> Vec<f32> {
    let mut times = Vec::new();
    for (_, it) in &animation.bones.0 {
        for keys in [&it.rotate, &it.translate, &it.translatex, &it.translatey, &it.scale, &it.scalex, &it.scaley]
        {
            add(&mut times, keys, |key| key.curve.as_ref());
        }
        for keys in [&it.shear, &it.shearx, &it.sheary] {
            add(&mut times, keys, |key| key.curve.as_ref());
        }
        times.extend(it.inherit.iter().map(|key| key.time.0));
    }
    for (_, keys) in &animation.ik.0 {
        add(&mut times, keys, |key| key.curve.as_ref());
        let switches = |key: &IkKey| (key.bend_positive, key.compress, key.stretch);
        let changed = keys.windows(2).filter(|keys| switches(&keys[0]) != switches(&keys[1]));
        times.extend(changed.map(|keys| keys[1].time.0));
        // Before its first key, a constraint is as at rest.
        times.extend(keys.first().map(|key| key.time.0));
    }
    for (_, keys) in &animation.transform.0 {
        add(&mut times, keys, |key| key.curve.as_ref());
    }
    for (_, it) in &animation.path.0 {
        for keys in [&it.position, &it.spacing, &it.mix] {
            add(&mut times, keys, |key| key.curve.as_ref());
        }
    }
    for (_, it) in &animation.physics.0 {
        times.extend(it.reset.iter().map(|key| key.time.0));
    }
    for (_, it) in &animation.slots.0 {
        // A path constraint rests while its slot shows no path.
        times.extend(it.attachment.iter().map(|key| key.time.0));
    }
    times.sort_by(f32::total_cmp);
    times.dedup();
    times
}

/// Adds the first key, before which the value is that at rest, and those after constant curves.
fn add<K: Timed>(times: &mut Vec<f32>, keys: &[K], curve: impl Fn(&K) -> Option<&Curve>) {
    times.extend(keys.first().map(Timed::time));
    for ends in keys.windows(2) {
        let is_at_once = ends[0].time() == ends[1].time();
        if is_at_once || curve(&ends[0]) == Some(&Curve::Stepped) {
            times.push(ends[1].time());
        }
    }
}
