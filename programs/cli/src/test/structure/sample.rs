//! A character and its planned pictures → its [`Structure`].

use std::collections::{BTreeMap, BTreeSet};

use super::moving::Moving;
use super::pictures::checksums;
use super::sampler::{Sampler, distinct, rounded};
use super::{Area, Event, Motion, Setup, Structure};
use crate::shared::json_output::JsonOutput;
use crate::test::plan::Group;
use pchr::Character;
use pchr::export::{Fit, RenderOptions};
use pchr::math::{Affine2, Rect};
use pchr::model::{AnimationId, Model, SkinId};
use pchr::motion::{Cue, Span, for_each_event};

/// Most bones and slots of all samples together. Of longer animations, evenly spread samples are taken.
const MAX_ITEMS: usize = 1 << 26;

/// Returns the structure of a character whose pictures were planned as `groups`, with `skins`. Animations are sampled at
/// the same instants as they were `recorded`.
pub fn sample(
    character: &Character,
    options: &RenderOptions,
    groups: &[Group],
    skins: &[SkinId],
    recorded: Option<&Structure>,
) -> Structure {
    let model = character.model();
    let mut sampler = Sampler::new(character, options);
    sampler.evaluate(&Cue { skins: skins.to_vec(), ..Cue::default() });
    sampler.precision = precision(&sampler.pose.world_from_bone, groups);
    let precision = sampler.precision;
    let mut setup = Setup { area: None, bones: sampler.bones(precision), drawn: sampler.drawn() };
    let moving = Moving::new(&sampler);
    let names = animation_names(model);
    let most = MAX_ITEMS / (sampler.bones.len() + sampler.slots.len() + 1) / names.len().max(1);
    let mut motions = BTreeMap::new();
    for (id, name) in model.animation_ids().zip(&names) {
        let mut motion = motion(character, id);
        let cue = Cue { animation: Some(id), skins: skins.to_vec(), hold: true, ..Cue::default() };
        // Rounding may have changed the duration.
        let as_before = recorded.and_then(|recorded| recorded.motions.get(name)).unwrap_or(&motion);
        motion.courses = moving.courses(&mut sampler, cue, as_before, most);
        motions.insert(name.clone(), motion);
    }
    for group in groups {
        let id = group.plan.pictures.first().and_then(|picture| picture.animation);
        let motion = id.and_then(|id| motions.get_mut(&names[id.index()]));
        let area = motion.map_or(&mut setup.area, |motion| &mut motion.area);
        *area = (!matches!(options.look.fit, Fit::Rect(_))).then(|| Area::of(group.plan.area));
    }
    let attachments: BTreeSet<String> = model
        .skins()
        .iter()
        .flat_map(|skin| &skin.entries)
        .map(|entry| format!("{}/{}", model.slot(entry.slot).name, entry.key))
        .collect();
    let mut skin_names: Vec<String> = model.skins().iter().map(|skin| skin.name.to_string()).collect();
    skin_names.sort();
    Structure {
        attachments: attachments.into_iter().collect(),
        fit: fit_name(options),
        motions,
        pictures: checksums(character),
        precision,
        schema: Structure::SCHEMA.to_owned(),
        setup,
        skin_names,
    }
}

/// Returns the names of all animations in a structure.
pub fn animation_names(model: &Model) -> Vec<String> {
    distinct(model.animations().iter().map(|animation| animation.name.as_str()))
}

/// Returns the text that says how areas are chosen.
pub fn fit_name(options: &RenderOptions) -> String {
    let fit = match options.look.fit {
        Fit::Animation => "animation",
        Fit::Frame => "frame",
        Fit::All => "all",
        Fit::Rect(_) => "rectangle",
    };
    if options.look.fit_whole { format!("{fit}, whole") } else { fit.to_owned() }
}

const SECONDS: f64 = 1e-4;

/// Returns the power of ten to which positions are rounded: at most a ten-thousandth of the size of the character.
fn precision(bones: &[Affine2], groups: &[Group]) -> f64 {
    const PARTS: f64 = 1e4;
    let joints = bones.iter().map(|bone| bone.translation).fold(Rect::NOTHING, Rect::include);
    let area = groups.first().map_or(joints, |group| joints.union(group.plan.area));
    let size = f64::from(area.size().max_element());
    let (mut per_unit, mut step) = (1.0, 1.0);
    if !(size.is_finite() && size > 0.0) {
        return step;
    }
    while per_unit * size < PARTS {
        per_unit *= 10.0;
    }
    while 10.0 * step * PARTS <= size {
        step *= 10.0;
    }
    step / per_unit
}

/// The description of an animation, without its frames.
fn motion(character: &Character, id: AnimationId) -> Motion {
    let animation = character.model().animation(id);
    let mut events = Vec::new();
    let span = Span { from: -1.0, to: f64::INFINITY, looping: false };
    for_each_event(character, id, span, |fired| {
        let mut event = fired.name.to_owned();
        let carried = [
            (fired.int != 0).then(|| format!("int {}", fired.int)),
            (fired.float != 0.0).then(|| format!("float {}", fired.float)),
            (!fired.string.is_empty()).then(|| format!("string {:?}", fired.string)),
            (fired.volume != 1.0).then(|| format!("volume {}", fired.volume)),
            (fired.balance != 0.0).then(|| format!("balance {}", fired.balance)),
        ];
        carried.into_iter().flatten().for_each(|part| event = format!("{event}, {part}"));
        events.push(Event { event, seconds: rounded(fired.time.into(), SECONDS) });
    });
    Motion {
        events,
        looping: animation.looping,
        seconds: rounded(animation.duration_secs(), SECONDS),
        stored_frames: (!animation.is_keyed()).then(|| animation.frame_count()),
        ..Motion::default()
    }
}
