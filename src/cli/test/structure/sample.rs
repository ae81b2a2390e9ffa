//! A character and its planned pictures → its [`Structure`].

use std::collections::{BTreeMap, BTreeSet};

use super::moving::Moving;
use super::pictures::checksums;
use super::{Area, Bones, Drawn, Event, Motion, Placement, Setup, Structure};
use crate::Character;
use crate::cli::shared::json_output::JsonOutput;
use crate::cli::test::plan::Group;
use crate::export::{Fit, RenderOptions};
use crate::math::angle::{atan2_degrees, wrap_degrees};
use crate::math::{Affine2, Rect, Vec2};
use crate::model::{AnimationId, Model, SkinId};
use crate::motion::{Cue, Dynamics, Evaluator, Span, for_each_event, plays_physics};
use crate::pose::Pose;

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
const DEGREES: f64 = 0.01;
const SCALE: f64 = 1e-4;

/// Rounds to a multiple of `step`, a power of ten.
pub fn rounded(value: f64, step: f64) -> f64 {
    // Dividing by whole numbers gives few digits. Adding 0 removes the sign of -0.
    let rounded = if step >= 1.0 {
        (value / step).round() * step
    } else {
        let per_unit = (1.0 / step).round();
        (value * per_unit).round() / per_unit
    };
    rounded + 0.0
}

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

/// Returns the names; later ones of the same name get a number.
pub fn distinct<'a>(names: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
    let number = |name: &'a str| {
        let count = counts.entry(name).or_default();
        *count += 1;
        if *count == 1 { name.to_owned() } else { format!("{name} #{count}") }
    };
    names.map(number).collect()
}

/// Poses a character, with the buffers for it.
pub struct Sampler<'a> {
    pub character: &'a Character,
    pub evaluator: Evaluator,
    pub pose: Pose,
    /// Names of the authored bones.
    pub bones: Vec<String>,
    pub slots: Vec<String>,
    /// Step to which positions are rounded.
    pub precision: f64,
}

impl<'a> Sampler<'a> {
    fn new(character: &'a Character, options: &RenderOptions) -> Self {
        let physics = plays_physics(character, options.subject.physics);
        let model = character.model();
        Self {
            character,
            evaluator: Evaluator::with_dynamics(physics.then(Dynamics::default)),
            pose: Pose::for_model(model),
            bones: distinct(model.skeleton().authored_bones().iter().map(|bone| &*bone.name)),
            slots: distinct(model.slots().iter().map(|slot| &*slot.name)),
            precision: 1.0,
        }
    }

    pub fn evaluate(&mut self, cue: &Cue) {
        self.evaluator.evaluate(self.character, cue, &mut self.pose);
    }

    /// The bones, relative to their parents.
    fn bones(&self, precision: f64) -> Bones {
        let skeleton = self.character.model().skeleton();
        let bones = skeleton.bone_ids().zip(skeleton.authored_bones()).zip(&self.bones);
        let placed = bones.map(|((id, bone), name)| {
            let world = self.pose.world_from_bone[id.index()];
            let parent = bone.parent.map(|parent| self.pose.world_from_bone[parent.index()]);
            let local = parent.map_or(world, |parent| parent.inverse() * world);
            // A parent without any size has no inverse.
            let is_usable = local.is_finite() && !self.pose.inactive_bones.contains(&id);
            (name.clone(), is_usable.then(|| placement(local, precision)))
        });
        placed.collect()
    }

    /// What is drawn, back to front.
    fn drawn(&self) -> Vec<Drawn> {
        let model = self.character.model();
        let of_slot = |slot: &crate::model::SlotId| {
            let attachment = model.attachment(self.pose.slots[slot.index()].attachment?);
            let is_visible = attachment.mesh().is_some() && self.pose.is_slot_active(model, *slot);
            let (attachment, slot) = (attachment.name().to_owned(), self.slots[slot.index()].clone());
            is_visible.then_some(Drawn { attachment, slot })
        };
        self.pose.draw_order.iter().filter_map(of_slot).collect()
    }
}

fn placement(local: Affine2, precision: f64) -> Placement {
    let (x_axis, y_axis) = (local.matrix2.x_axis, local.matrix2.y_axis);
    let angle = |axis: Vec2| atan2_degrees(axis.y.into(), axis.x.into());
    let length = |axis: Vec2| f64::from(axis.length());
    let is_mirrored = x_axis.perp_dot(y_axis) < 0.0;
    let rotation = angle(x_axis);
    let right = if is_mirrored { -90.0 } else { 90.0 };
    // An axis without length has no direction.
    let [has_x, has_y] = [x_axis, y_axis].map(|axis| length(axis) >= SCALE);
    let shear = if has_x && has_y { wrap_degrees(angle(y_axis) - rotation - right) } else { 0.0 };
    Placement {
        rotation: rounded(if has_x { rotation } else { 0.0 }, DEGREES),
        scale_x: rounded(length(x_axis), SCALE),
        scale_y: rounded(if is_mirrored { -length(y_axis) } else { length(y_axis) }, SCALE),
        shear: rounded(shear, DEGREES),
        x: rounded(local.translation.x.into(), precision),
        y: rounded(local.translation.y.into(), precision),
    }
}
