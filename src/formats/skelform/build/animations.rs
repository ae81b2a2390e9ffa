//! Keyframes → tracks, one for each animated value.

use std::collections::HashMap;

use super::styles::Candidates;
use super::{Armature, bone, malformed, schema};
use crate::diagnostics::Diagnostics;
use crate::error::{Result, escaped};
use crate::formats::ReadOptions;
use crate::formats::skelform::normalise::{constraint, mode, vector};
use crate::formats::skelform::read::at;
use crate::formats::skelform::schema::Word;
use crate::limits::Budget;
use crate::model::{self, ModelBuilder, Timing};
use crate::motion::skelform::{
    Animation, Handles, Key, NUMBERS_A_BONE, NUMBERS_A_VISUAL, Rig, SWITCHES_A_CHAIN, SWITCHES_A_VISUAL,
    SwitchKey, Track,
};

/// The last supported frame: at any usual rate this is hours; a larger number is a mistake.
const MAX_FRAME: f32 = 1_000_000.0;

/// What a key changes.
enum Target {
    /// A number, by index.
    Number(usize),
    /// A switch, by index, and its new value.
    Switch(usize, i32),
    /// A property that the bone lacks.
    Nothing,
}

/// The name of the key's element; `None` for a number without a name.
pub fn element_name<'a>(key: &'a schema::Keyframe<'a>) -> Option<&'a str> {
    key.element.name().or_else(|| key.element_str.as_ref().map(schema::Text::as_str))
}

/// The frame of a key; negative frames count as 0.
pub fn whole_frame(key: &schema::Keyframe<'_>) -> f32 {
    key.frame.0.max(0.0).floor()
}

/// The word of a key that changes a chain's constraint or mode. Older files have a number instead.
pub fn word(key: &schema::Keyframe<'_>) -> Word {
    match Word::of(key.value_str.as_str()) {
        Word::Missing => Word::Number(key.value.0.clamp(0.0, 255.0) as u8),
        word => word,
    }
}

/// Builds every animation.
#[expect(clippy::too_many_arguments, reason = "every part of a file is needed")]
pub fn build(
    root: &schema::Root<'_>,
    armature: &Armature<'_>,
    candidates: &Candidates<'_>,
    builder: &mut ModelBuilder,
    rig: &Rig,
    options: &ReadOptions,
    budget: &mut Budget<'_>,
    diagnostics: &mut Diagnostics,
) -> Result<Vec<Animation>> {
    let mut animations = Vec::with_capacity(root.animations.len());
    for (index, json) in root.animations.iter().enumerate() {
        let pointer = format!("/animations/{index}");
        let keys = &json.keyframes;
        budget.charge_memory(keys.len() as u64, 4 * size_of::<Key>(), || at(&pointer))?;
        let mut order = Vec::with_capacity(keys.len());
        for (at, key) in keys.iter().enumerate() {
            let frame = whole_frame(key);
            if frame > MAX_FRAME {
                let message = format!("frame {frame} is beyond {MAX_FRAME}, the last supported one");
                return Err(malformed("too-many", format!("{pointer}/keyframes/{at}/frame"), message));
            }
            order.push((frame as u32, at));
        }
        // Keys of one frame stay in the order of the file.
        order.sort_unstable();
        if json.fps.0 <= 0.0 && !keys.is_empty() {
            let message = "the animation has no frame rate, so it is shown as a still picture";
            diagnostics.warn("zero-fps", at(format!("{pointer}/fps")), message);
        }
        builder.animation(model::Animation {
            name: json.name.as_str().to_owned(),
            looping: true,
            timing: Timing::Frames {
                count: order.last().map_or(0, |(last, _)| last + 1),
                fps: f64::from(json.fps.0).max(0.0),
            },
            is_bind_pose: false,
        });
        let mut tracks = Tracks::default();
        for (frame, at) in order {
            let pointer = || format!("{pointer}/keyframes/{at}");
            let key = &keys[at];
            let bone = bone(key.bone_id, armature, || format!("{}/bone_id", pointer()));
            let Some(bone) = diagnostics.leave_out(bone, options.keep_going)? else { continue };
            match target(key, bone as usize, armature, candidates, rig) {
                Some(Target::Number(target)) => tracks.add(target, bone, frame, key),
                Some(Target::Switch(target, value)) => tracks.switch(target, frame, value),
                Some(Target::Nothing) => {}
                None => {
                    let name = escaped(element_name(key).unwrap_or("(unnamed)"));
                    let message = format!("a key of `{name}` with this value has no known effect and is ignored");
                    diagnostics.warn("unknown-element", crate::formats::skelform::read::at(pointer()), message);
                }
            }
        }
        animations.push(tracks.finish());
    }
    Ok(animations)
}

/// Returns what a key changes; `None` if its element or value is unknown.
fn target(
    key: &schema::Keyframe<'_>,
    bone: usize,
    armature: &Armature<'_>,
    candidates: &Candidates<'_>,
    rig: &Rig,
) -> Option<Target> {
    let json = &armature.bones[bone];
    let on = i32::from(key.value.0 == 1.0);
    let number = |at| Some(Target::Number(NUMBERS_A_BONE * bone + at));
    let visual_numbers = NUMBERS_A_BONE * armature.bones.len();
    let tint = |at| {
        let number = |visual| Target::Number(visual_numbers + NUMBERS_A_VISUAL * visual + at);
        Some(json.visual.map_or(Target::Nothing, number))
    };
    let visual = |at, value: &dyn Fn(usize) -> i32| {
        let switches = armature.bones.len();
        let switch = |visual| Target::Switch(switches + SWITCHES_A_VISUAL * visual + at, value(visual));
        Some(json.visual.map_or(Target::Nothing, switch))
    };
    let chain_switches = rig.rest.switches.len() - SWITCHES_A_CHAIN * armature.chains.len();
    let chain = |at, value| {
        let switch = |chain| Target::Switch(chain_switches + SWITCHES_A_CHAIN * chain + at, value);
        Some(json.chain.map_or(Target::Nothing, switch))
    };
    let word = word(key);
    match element_name(key)? {
        "PositionX" => number(0),
        "PositionY" => number(1),
        "Rotation" => number(2),
        "ScaleX" => number(3),
        "ScaleY" => number(4),
        "TintR" => tint(0),
        "TintG" => tint(1),
        "TintB" => tint(2),
        "TintA" => tint(3),
        "Hidden" => Some(Target::Switch(bone, on)),
        "Texture" => visual(0, &|visual| candidates.index(visual, key.value_str.as_str())),
        "Zindex" => visual(1, &|_| key.value.0 as i32),
        "IkConstraint" => chain(0, constraint(word)? as i32),
        "IkMode" => chain(1, mode(word)? as i32),
        "MimicTarget" => chain(2, on),
        _ => None,
    }
}

/// Keys grouped by target.
#[derive(Default)]
struct Tracks {
    /// The keys of each bone form one curve, even if two bones share a visual.
    index: HashMap<(usize, u32), usize>,
    numbers: Vec<(usize, Vec<Key>)>,
    switch_index: HashMap<usize, usize>,
    switches: Vec<(usize, Vec<SwitchKey>)>,
}

impl Tracks {
    fn add(&mut self, target: usize, bone: u32, frame: u32, json: &schema::Keyframe<'_>) {
        let count = self.numbers.len();
        let at = *self.index.entry((target, bone)).or_insert(count);
        if at == count {
            self.numbers.push((target, Vec::new()));
        }
        let keys = &mut self.numbers[at].1;
        // The handles of a key shape the segment that leads to it.
        if let Some(before) = keys.last_mut() {
            before.handles = Handles {
                start: json.start_handle.map_or(Handles::LINEAR.start, vector),
                end: json.end_handle.map_or(Handles::LINEAR.end, vector),
            };
        }
        keys.push(Key { frame: frame.into(), value: json.value.0.into(), handles: Handles::LINEAR });
    }

    fn switch(&mut self, target: usize, frame: u32, value: i32) {
        let count = self.switches.len();
        let at = *self.switch_index.entry(target).or_insert(count);
        if at == count {
            self.switches.push((target, Vec::new()));
        }
        self.switches[at].1.push(SwitchKey { frame: frame.into(), value });
    }

    fn finish(self) -> Animation {
        let numbers = self.numbers.into_iter();
        let switches = self.switches.into_iter();
        Animation {
            tracks: numbers.map(|(target, keys)| Track { target: target as u32, keys: keys.into() }).collect(),
            switch_tracks: switches
                .map(|(target, keys)| Track { target: target as u32, keys: keys.into() })
                .collect(),
            ..Animation::default()
        }
    }
}
