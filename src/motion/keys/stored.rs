//! The frames in which stored values change.

use super::{KeyChannel, KeyList, KeyTarget, KeyTimes};
use crate::model::{AnimationId, BoneId, Model, SlotId};
use crate::motion::{Flipbook, Sampled};

/// The channels that are compared for each bone.
pub(super) const CHANNELS: [KeyChannel; 4] =
    [KeyChannel::Rotation, KeyChannel::Translation, KeyChannel::Scale, KeyChannel::Visibility];

impl Sampled {
    /// Lists the frames in which the stored values of bones change.
    pub(in crate::motion) fn list_keys(&self, model: &Model, id: AnimationId, list: &mut KeyList) {
        let frames = model.animation(id).frame_count();
        if frames == 0 {
            return;
        }
        let mut before: Vec<_> = self.stored(model, id, 0).collect();
        let mut changes: Vec<[KeyTimes; CHANNELS.len()]> = vec![Default::default(); before.len()];
        let mut orders = KeyTimes::default();
        for frame in 1..frames {
            let mut reorders = false;
            let bones = before.iter_mut().zip(&mut changes);
            for ((before, changes), now) in bones.zip(self.stored(model, id, frame)) {
                if *before == now {
                    continue;
                }
                let changed = [
                    before.sample.rotation_degrees != now.sample.rotation_degrees,
                    before.sample.translation != now.sample.translation,
                    before.sample.scale != now.sample.scale,
                    before.is_visible != now.is_visible,
                ];
                for (times, _) in changes.iter_mut().zip(changed).filter(|(_, changed)| *changed) {
                    times.push_change(frame);
                }
                reorders |= before.z_order != now.z_order;
                *before = now;
            }
            if reorders {
                orders.push_change(frame);
            }
        }
        for (bone, changes) in changes.into_iter().enumerate() {
            for (channel, times) in CHANNELS.into_iter().zip(changes) {
                list.add(KeyTarget::Bone(BoneId::new(bone)), channel, times);
            }
        }
        list.add(KeyTarget::DrawOrder, KeyChannel::DrawOrder, orders);
    }
}

impl Flipbook {
    /// Lists the frames in which another picture appears in a slot.
    pub(in crate::motion) fn list_keys(&self, model: &Model, id: AnimationId, list: &mut KeyList) {
        let (frames, Some(strip)) = (model.animation(id).frame_count(), self.strip(id.index())) else { return };
        let pictures = |frame: u32| self.layers_of(strip.entry(frame.into()));
        let mut times = vec![KeyTimes::default(); model.slots().len()];
        for frame in 1..frames {
            let changed = pictures(frame).zip(pictures(frame - 1)).map(|(now, before)| now != before);
            for (times, _) in times.iter_mut().zip(changed).filter(|(_, changed)| *changed) {
                times.push_change(frame);
            }
        }
        for (slot, times) in times.into_iter().enumerate() {
            list.add(KeyTarget::Slot(SlotId::new(slot)), KeyChannel::Attachment, times);
        }
    }
}

impl KeyTimes {
    /// Adds a change in `frame`, after all others. The first one adds a key for the initial value, too.
    pub(in crate::motion) fn push_change(&mut self, frame: u32) {
        if self.is_empty() {
            self.push_frame(0);
        }
        self.push_frame(frame);
    }
}
