//! Keys of stored frames: the frames in which a value changes, with the value.

use std::borrow::Cow;

use super::{StatedKey, StatedValue, StatedValues};
use crate::character::Character;
use crate::model::{AnimationId, BoneId, Model};
use crate::motion::{self, KeyChannel, KeyRow, KeyTarget, Motion, Sampled};

/// Lists the keys until `visit` returns false.
pub fn visit(character: &Character, visit: &mut dyn FnMut(&StatedKey<'_>) -> bool) {
    let model = character.model();
    for id in (0..model.animations().len()).map(AnimationId::new) {
        let animation = model.animation(id);
        for row in motion::keys(character, id) {
            let (target, name) = target(model, row.target);
            for position in row.times.iter() {
                let property = row.channel.name().to_lowercase();
                let mut key =
                    StatedKey::new((&*animation.name).into(), target.into(), name.into(), property.into());
                let frame = position as u32;
                key.frame = Some(frame);
                key.seconds = Some(animation.seconds_at(position));
                key.values = StatedValues(values(character, id, &row, frame));
                if !visit(&key) {
                    return;
                }
            }
        }
    }
}

fn target(model: &Model, target: KeyTarget) -> (&'static str, &str) {
    match target {
        KeyTarget::Bone(bone) => ("bone", bone_name(model, bone)),
        KeyTarget::Slot(slot) => ("slot", &model.slot(slot).name),
        KeyTarget::DrawOrder => ("drawOrder", ""),
        // Only keyed motion has these.
        KeyTarget::Constraint(_) | KeyTarget::AllPhysics => ("constraint", ""),
        KeyTarget::Events => ("events", ""),
    }
}

fn bone_name(model: &Model, bone: BoneId) -> &str {
    model.skeleton().bones().get(bone.index()).map_or("", |bone| &bone.name)
}

type Values<'k> = Vec<(Cow<'k, str>, StatedValue<'k>)>;

fn values<'k>(character: &'k Character, id: AnimationId, row: &KeyRow, frame: u32) -> Values<'k> {
    let model = character.model();
    match (character.motion(), row.target) {
        (Motion::Sampled(sampled), KeyTarget::Bone(bone)) => {
            let stored = sampled.stored_bone(model, id, frame, bone);
            let number = |name: &'static str, value: f32| (name.into(), StatedValue::plain(value));
            let sample = stored.sample;
            match row.channel {
                KeyChannel::Rotation => vec![number("rotation", sample.rotation_degrees)],
                KeyChannel::Translation => {
                    vec![number("x", sample.translation.x), number("y", sample.translation.y)]
                }
                KeyChannel::Scale => vec![number("scaleX", sample.scale.x), number("scaleY", sample.scale.y)],
                KeyChannel::Visibility => vec![("visible".into(), StatedValue::plain(stored.is_visible))],
                _ => Vec::new(),
            }
        }
        (Motion::Sampled(sampled), KeyTarget::DrawOrder) => orders(model, sampled, id, frame),
        (Motion::Flipbook(flipbook), KeyTarget::Slot(slot)) => {
            let entry = flipbook.strip(id.index()).map(|strip| strip.entry(frame.into()));
            let shown = entry.and_then(|entry| flipbook.layers_of(entry).nth(slot.index()).flatten());
            let name = shown
                .map_or(StatedValue::plain("null"), |shown| StatedValue::text(model.attachment(shown).name()));
            vec![("attachment".into(), name)]
        }
        _ => Vec::new(),
    }
}

/// The new places of bones in the draw order, by name.
fn orders<'k>(model: &'k Model, sampled: &Sampled, id: AnimationId, frame: u32) -> Values<'k> {
    let order = |frame, bone| sampled.stored_bone(model, id, frame, bone).z_order;
    let changed = |bone: &BoneId| frame == 0 || order(frame, *bone) != order(frame - 1, *bone);
    let bones = (0..model.skeleton().bones().len()).map(BoneId::new).filter(changed);
    bones.map(|bone| (bone_name(model, bone).into(), StatedValue::plain(order(frame, bone)))).collect()
}
