//! A character and its planned pictures → its [`Structure`].

use std::collections::BTreeMap;

use super::moving::Moving;
use super::pictures::checksums;
use super::sampler::{Sampler, distinct, rounded};
use super::{Area, Event, Items, Motion, Setup, Structure};
use crate::shared::json_output::JsonOutput;
use crate::test::plan::Group;
use pchr::Character;
use pchr::export::{Fit, RenderOptions};
use pchr::math::{Affine2, Rect};
use pchr::model::{AnimationId, Model, SkinId};
use pchr::motion::Cue;
use pchr::outline::{self, Comparable, Fact, Part, Value};

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
    Structure {
        fit: fit_name(options),
        items: items(character),
        motions,
        pictures: checksums(character),
        precision,
        schema: Structure::SCHEMA.to_owned(),
        setup,
    }
}

/// Returns the facts about all items. Numbers, and notes that contain some, are left out: exporters round them, and they show in poses and events.
fn items(character: &Character) -> Items {
    let model = character.model();
    let bones = model.skeleton().bone_ids().take(model.skeleton().authored_bones().len()).map(Part::Bone);
    let kinds: [(&str, Vec<Part>); 5] = [
        ("bone", bones.collect()),
        ("slot", model.slot_ids().map(Part::Slot).collect()),
        ("skin", model.skin_ids().map(Part::Skin).collect()),
        ("constraint", model.constraint_ids().map(Part::Constraint).collect()),
        ("event", model.event_ids().map(Part::Event).collect()),
    ];
    let mut items = Items::new();
    for (kind, parts) in kinds {
        let names = distinct(parts.iter().map(|part| part.name(model)));
        for (part, name) in parts.into_iter().zip(names) {
            let facts = part.facts(character).into_iter().filter_map(|Fact { name, value, .. }| match value {
                Value::Number(_) | Value::Note(_) => None,
                Value::Nothing(_)
                | Value::Text(_)
                | Value::Flag(_)
                | Value::Count(_)
                | Value::Color(_)
                | Value::Parts(_)
                | Value::Set(_) => Some((name.to_owned(), Comparable::from(&value))),
            });
            items.insert(format!("{kind} `{name}`"), facts.collect());
        }
    }
    items
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
    outline::fired(character, id, |fired| {
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
