//! Keyframes of any version → keyframes of 0.7: sorted, and each linked to the next.

use super::armature::{constraint_word, mode_word};
use crate::formats::Loss;
use crate::formats::json::number::Number;
use crate::formats::skelform::build::animations::{element_name, whole_frame, word};
use crate::formats::skelform::normalise::{constraint, mode};
use crate::formats::skelform::schema as read;
use crate::formats::skelform::write::animations::link;
use crate::formats::skelform::write::schema::{Animation, Keyframe, Vec2};

/// Handles of a linear segment.
const LINEAR: [[f32; 2]; 2] = [[1.0 / 3.0; 2], [2.0 / 3.0; 2]];

/// The editor's names for pairs of handles; all others are `Custom`.
const PRESETS: [(&str, [[f32; 2]; 2]); 5] = [
    ("Linear", LINEAR),
    ("SineIn", [[0.5, 0.0], [1.0, 1.0]]),
    ("SineOut", [[1.0 / 3.0, 1.0], [2.0 / 3.0, 1.0]]),
    ("SineInOut", [[0.5, 0.0], [0.5, 1.0]]),
    ("Snap", [[999.0; 2]; 2]),
];

/// Converts one animation with all keys, except keys of unnamed elements, and those of bones that do not exist, which the
/// reader has left out.
pub fn animation<'a>(
    id: usize,
    json: &'a read::Animation<'a>,
    bones: usize,
    losses: &mut Vec<Loss>,
) -> Animation<'a> {
    let name = json.name.as_str();
    let played = json.keyframes.iter().filter(|key| key.bone_id.get().is_some_and(|id| id < bones));
    let mut keyframes: Vec<Keyframe<'a>> = played.clone().filter_map(keyframe).collect();
    // Keys of one frame stay in the order of the file.
    keyframes.sort_by_key(|key| key.frame);
    let dropped = played.count() - keyframes.len();
    if keyframes.len() < json.keyframes.len() {
        hold_to(json.keyframes.iter().map(frame).max().unwrap_or_default(), &mut keyframes);
    }
    if dropped > 0 {
        let message =
            format!("{dropped} keys of an element without a name are not written, since no program knows it");
        losses.push(Loss::in_animation("keys-dropped", name, message));
    }
    link(&mut keyframes);
    let is_eased = |key: &&read::Keyframe<'_>| {
        let word = key.transition.as_ref().and_then(read::Named::name);
        let is_straight = key.start_handle.is_none() && key.end_handle.is_none();
        is_straight && (word.is_some_and(|word| word != "Linear") || key.is_snap.unwrap_or_default().0)
    };
    let eased = json.keyframes.iter().filter(is_eased).count();
    if eased > 0 {
        let message = format!(
            "{eased} keys define their easing by name, as before handles; they become linear, as in every program of \
             0.5 and later"
        );
        losses.push(Loss::in_animation("easing-dropped", name, message));
    }
    Animation { name: name.to_owned(), id, fps: json.fps, keyframes }
}

fn frame(key: &read::Keyframe<'_>) -> usize {
    whole_frame(key) as usize
}

/// Returns `None` for a key whose element has no name.
fn keyframe<'a>(key: &'a read::Keyframe<'a>) -> Option<Keyframe<'a>> {
    let element = element_name(key)?;
    let reach = match element {
        "IkConstraint" => constraint(word(key)).map(constraint_word),
        "IkMode" => mode(word(key)).map(mode_word),
        _ => None,
    };
    let [start, end] = LINEAR;
    let handles = [(key.start_handle, start), (key.end_handle, end)];
    let handles = handles.map(|(handle, default)| handle.map_or(default, |handle| [handle.x.0, handle.y.0]));
    let named = PRESETS.iter().find(|(_, known)| *known == handles).map_or("Custom", |(name, _)| name);
    let [start_handle, end_handle] = handles.map(|[x, y]| Vec2 { x: Number(x), y: Number(y) });
    Some(Keyframe {
        frame: frame(key),
        bone_id: key.bone_id.0,
        element,
        value: Number(key.value.0),
        value_str: reach.unwrap_or(key.value_str.as_str()),
        start_handle,
        end_handle,
        next_kf: -1,
        handle_preset: key.handle_preset.as_ref().and_then(read::Named::name).unwrap_or(named),
    })
}

/// An animation lasts until its last key. If that one was dropped, repeats the last remaining one in its place.
fn hold_to(last: usize, keyframes: &mut Vec<Keyframe<'_>>) {
    if let Some(key) = keyframes.last().filter(|key| key.frame < last).cloned() {
        keyframes.push(Keyframe { frame: last, ..key });
    }
}
