//! What is keyed in an animation.

use super::keys::{Time, last_before};
use super::{Axis, Spine, Stored, Timeline};
use crate::model::{AnimationId, BoneId, ConstraintId, SlotId};
use crate::motion::keys::{KeyChannel, KeyList, KeyTarget, KeyTimes};

impl Spine {
    /// Lists the keys of an animation, at `fps` frames per second.
    pub(in crate::motion) fn list_keys(&self, id: AnimationId, fps: f64, list: &mut KeyList) {
        let animation = &self.animations[id.index()];
        let at = |times: &[f32]| KeyTimes::at_positions(times.iter().map(|&secs| f64::from(secs) * fps));
        for timeline in &animation.timelines {
            let (target, channel) = timeline.subject();
            list.add(target, channel, at(timeline.times(&self.stored)));
        }
        for (constraint, times) in &animation.resets {
            list.add(physics(*constraint), KeyChannel::PhysicsReset, at(times));
        }
        let events: Vec<f32> = animation.events.iter().map(|event| event.time).collect();
        list.add(KeyTarget::Events, KeyChannel::Events, at(&events));
    }

    /// See [`for_each_channel`](crate::motion::keys::for_each_channel).
    pub(in crate::motion) fn for_each_channel(
        &self,
        id: AnimationId,
        mut visit: impl FnMut(KeyTarget, KeyChannel),
    ) {
        for timeline in &self.animations[id.index()].timelines {
            let (target, channel) = timeline.subject();
            visit(target, channel);
        }
    }

    /// Returns the slots of each draw order folder of an animation.
    pub(in crate::motion) fn draw_order_folders(&self, animation: AnimationId) -> Vec<Vec<SlotId>> {
        let timelines = self.animations.get(animation.index()).map_or(&[][..], |animation| &animation.timelines);
        let slots =
            timelines.iter().filter_map(|it| if let Timeline::Folder(slots, _) = it { Some(slots) } else { None });
        slots.map(|slots| slots.iter().map(|&slot| SlotId::new(slot as usize)).collect()).collect()
    }
}

fn physics(constraint: Option<u32>) -> KeyTarget {
    constraint.map_or(KeyTarget::AllPhysics, |at| KeyTarget::Constraint(ConstraintId::new(at as usize)))
}

impl Timeline {
    pub(super) fn subject(&self) -> (KeyTarget, KeyChannel) {
        let bone = |bone: &u32| KeyTarget::Bone(BoneId::new(*bone as usize));
        let slot = |slot: &u32| KeyTarget::Slot(SlotId::new(*slot as usize));
        let constraint = |at: &u32| KeyTarget::Constraint(ConstraintId::new(*at as usize));
        match self {
            Self::Rotate(at, _) => (bone(at), KeyChannel::Rotation),
            Self::Translate(at, _) => (bone(at), KeyChannel::Translation),
            Self::Scale(at, _) => (bone(at), KeyChannel::Scale),
            Self::Shear(at, _) => (bone(at), KeyChannel::Shear),
            Self::Axis(at, axis, _) => (bone(at), axis.channel()),
            Self::Inherit(at, _) => (bone(at), KeyChannel::Inherit),
            Self::Attachment(at, _) => (slot(at), KeyChannel::Attachment),
            Self::Color(at, _) | Self::TwoColor(at, _) | Self::Rgb(at, _) | Self::Rgb2(at, _) => {
                (slot(at), KeyChannel::Color)
            }
            Self::Alpha(at, _) => (slot(at), KeyChannel::Alpha),
            Self::Ik(at, ..) => (constraint(at), KeyChannel::Ik),
            Self::Transform(at, _) => (constraint(at), KeyChannel::Mix),
            Self::PathPosition(at, _) => (constraint(at), KeyChannel::PathPosition),
            Self::PathSpacing(at, _) => (constraint(at), KeyChannel::PathSpacing),
            Self::PathMix(at, _) => (constraint(at), KeyChannel::PathMix),
            Self::SliderTime(at, _) => (constraint(at), KeyChannel::SliderTime),
            Self::SliderMix(at, _) => (constraint(at), KeyChannel::Mix),
            Self::Physics(at, ..) => (physics(*at), KeyChannel::Physics),
            Self::Deform(at, keys) => (slot(at), KeyChannel::Deform(keys.attachment)),
            Self::Sequence(at, keys) => (slot(at), KeyChannel::Sequence(keys.attachment)),
            Self::DrawOrder(_) | Self::Folder(..) => (KeyTarget::DrawOrder, KeyChannel::DrawOrder),
        }
    }

    /// Returns true if a time is before its first key.
    pub(super) fn starts_after(&self, stored: &Stored, time: Time) -> bool {
        last_before(self.times(stored), time).is_none()
    }

    /// Returns the times of its keys in seconds.
    fn times<'a>(&'a self, stored: &'a Stored) -> &'a [f32] {
        match self {
            Self::Rotate(_, keys) | Self::Axis(_, _, keys) | Self::Alpha(_, keys) => keys.times(stored),
            Self::PathPosition(_, keys) | Self::PathSpacing(_, keys) | Self::Physics(_, _, keys) => {
                keys.times(stored)
            }
            Self::SliderTime(_, keys) | Self::SliderMix(_, keys) => keys.times(stored),
            Self::Translate(_, keys) | Self::Scale(_, keys) | Self::Shear(_, keys) => keys.times(stored),
            Self::Ik(_, keys, _) => keys.times(stored),
            Self::Rgb(_, keys) | Self::PathMix(_, keys) => keys.times(stored),
            Self::Color(_, keys) => keys.times(stored),
            Self::Rgb2(_, keys) | Self::Transform(_, keys) => keys.times(stored),
            Self::TwoColor(_, keys) => keys.times(stored),
            Self::Inherit(_, keys) => &keys.times,
            Self::Attachment(_, keys) => &keys.times,
            Self::Deform(_, keys) => keys.keys.times(stored),
            Self::Sequence(_, keys) => &keys.keys.times,
            Self::DrawOrder(keys) | Self::Folder(_, keys) => &keys.times,
        }
    }
}

impl Axis {
    fn channel(self) -> KeyChannel {
        match self {
            Self::TranslateX => KeyChannel::TranslationX,
            Self::TranslateY => KeyChannel::TranslationY,
            Self::ScaleX => KeyChannel::ScaleX,
            Self::ScaleY => KeyChannel::ScaleY,
            Self::ShearX => KeyChannel::ShearX,
            Self::ShearY => KeyChannel::ShearY,
        }
    }
}
