//! Animations that key no bone at their start, although other animations leave bones elsewhere.

use std::collections::HashMap;

use super::Subject;
use super::unused::moves_attachment;
use crate::diagnostics::Diagnostics;
use crate::error::escaped;
use crate::formats::spine::build::at;
use crate::formats::spine::build::keys::Way;
use crate::formats::spine::schema::{Animation, Keys, MAX_FIELDS, Property, Value};

/// A property of a bone.
type Part<'a> = (&'a str, Property);

/// Reports the first bone of each such animation. Exports of the editor have none.
pub fn check(subject: &Subject<'_>, diagnostics: &mut Diagnostics) {
    let bones = subject.model.skeleton().bones().iter().map(|bone| &*bone.name);
    let seen: HashMap<&str, bool> = bones.zip(moves_attachment(subject)).collect();
    let animations = &subject.root.animations.0;
    let left = left_elsewhere(subject);
    diagnostics.warn_all(
        "late-start",
        animations.iter().enumerate().filter_map(|(index, (name, animation))| {
            if timelines(animation).any(|(_, keys)| start(keys) <= 0.0) {
                return None;
            }
            let (bone, keys, other) = timelines(animation).find_map(|(bone, keys)| {
                let others = left.get(&(bone, keys.property)).into_iter().flatten();
                let other = others.copied().find(|other| *other != index)?;
                seen.get(bone).is_some_and(|seen| *seen).then_some((bone, keys, other))
            })?;
            let message = format!(
                "no bone has a key at 0 s: until {} s, bone `{}` is in its setup pose, or where another animation leaves \
                 it, such as `{}`",
                start(keys),
                escaped(bone),
                escaped(animations[other].0.as_str())
            );
            Some((at(Way(&["bones", bone, keys.row().name]).at(name.as_str())), message))
        }),
    );
}

/// The timelines of bones that have keys, with the names of the bones.
fn timelines<'r>(animation: &'r Animation<'_>) -> impl Iterator<Item = (&'r str, &'r Keys<'r>)> {
    let bones = animation.bones.0.iter();
    let all = bones.flat_map(|(bone, it)| it.list.iter().map(move |keys| (bone.as_str(), keys)));
    all.filter(|(_, keys)| !keys.is_empty())
}

fn start(keys: &Keys<'_>) -> f32 {
    keys.times().fold(f32::INFINITY, f32::min)
}

/// The first and the last animation whose last key leaves a property other than in the setup pose, by index.
fn left_elsewhere<'r>(subject: &Subject<'r>) -> HashMap<Part<'r>, [usize; 2]> {
    let mut left: HashMap<Part<'r>, [usize; 2]> = HashMap::new();
    for (index, (_, animation)) in subject.root.animations.0.iter().enumerate() {
        for (bone, keys) in timelines(animation) {
            let last = (0..keys.len()).max_by(|&a, &b| keys.list[a].time.total_cmp(&keys.list[b].time));
            let setup = keys.row().resolve(&[Value::Missing; MAX_FIELDS]);
            if last.is_some_and(|last| keys.get(last) != setup) {
                left.entry((bone, keys.property)).or_insert([index; 2])[1] = index;
            }
        }
    }
    left
}
