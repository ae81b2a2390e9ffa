//! Keeps the durations of animations: an animation lasts until its last key.

use crate::formats::spine::schema::{Curve, Property, Root};
use crate::formats::spine::translate::duration;

/// The time of the last key of each animation.
pub fn durations(root: &Root<'_>) -> Vec<f32> {
    root.animations.0.iter().map(|(_, animation)| duration(animation)).collect()
}

/// Adds a key that changes nothing to each animation that has become shorter than its entry in `durations`.
pub fn hold(root: &mut Root<'_>, durations: &[f32]) {
    let is_four = root.version.is_four();
    let Some(bone) = root.bones.first().map(|bone| bone.name.clone()) else { return };
    for ((_, animation), &end) in root.animations.0.iter_mut().zip(durations) {
        if duration(animation) >= end {
            continue;
        }
        let at = animation.bones.0.iter().position(|(name, _)| *name == bone).unwrap_or_else(|| {
            animation.bones.0.push((bone.clone(), Default::default()));
            animation.bones.0.len() - 1
        });
        let timelines = &mut animation.bones.0[at].1;
        let mut keys = timelines.take_or_new(Property::Rotate);
        let last = (0..keys.len()).max_by(|&a, &b| keys.list[a].time.total_cmp(&keys.list[b].time));
        let values = last.map_or([0.0; 7], |last| keys.get(last));
        keys.add(end, Curve::Linear, &values, is_four);
        timelines.put(keys);
    }
}
