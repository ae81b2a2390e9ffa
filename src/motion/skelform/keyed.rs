//! What is keyed in an animation.

use super::{NUMBERS_A_BONE, NUMBERS_A_VISUAL, Rig, SWITCHES_A_CHAIN, SWITCHES_A_VISUAL, SkelForm};
use crate::model::{AnimationId, BoneId, SlotId};
use crate::motion::keys::{KeyChannel, KeyList, KeyTarget, KeyTimes};

impl SkelForm {
    /// Lists the keys of an animation.
    pub(in crate::motion) fn list_keys(&self, id: AnimationId, list: &mut KeyList) {
        let Some(animation) = self.animations.get(id.index()) else { return };
        for track in &animation.tracks {
            let times = KeyTimes::at_positions(track.keys.iter().map(|key| key.frame));
            let add = |target, channel| list.add(target, channel, times.clone());
            self.rig.for_each_of_number(track.target as usize, add);
        }
        for track in &animation.switch_tracks {
            let times = KeyTimes::at_positions(track.keys.iter().map(|key| key.frame));
            let add = |target, channel| list.add(target, channel, times.clone());
            self.rig.for_each_of_switch(track.target as usize, add);
        }
    }

    /// See [`for_each_channel`](crate::motion::keys::for_each_channel).
    pub(in crate::motion) fn for_each_channel(
        &self,
        id: AnimationId,
        mut visit: impl FnMut(KeyTarget, KeyChannel),
    ) {
        let Some(animation) = self.animations.get(id.index()) else { return };
        for track in &animation.tracks {
            self.rig.for_each_of_number(track.target as usize, &mut visit);
        }
        for track in &animation.switch_tracks {
            self.rig.for_each_of_switch(track.target as usize, &mut visit);
        }
    }
}

impl Rig {
    /// Visits what a number of the rest pose belongs to.
    fn for_each_of_number(&self, target: usize, mut visit: impl FnMut(KeyTarget, KeyChannel)) {
        const CHANNELS: [KeyChannel; NUMBERS_A_BONE] = [
            KeyChannel::TranslationX,
            KeyChannel::TranslationY,
            KeyChannel::Rotation,
            KeyChannel::ScaleX,
            KeyChannel::ScaleY,
        ];
        match target.checked_sub(self.visual_numbers()) {
            None => {
                let bone = KeyTarget::Bone(BoneId::new(target / NUMBERS_A_BONE));
                visit(bone, CHANNELS[target % NUMBERS_A_BONE]);
            }
            Some(target) => self.for_each_slot(target / NUMBERS_A_VISUAL, |slot| visit(slot, KeyChannel::Color)),
        }
    }

    /// Visits what a switch of the rest pose belongs to.
    fn for_each_of_switch(&self, target: usize, mut visit: impl FnMut(KeyTarget, KeyChannel)) {
        let visuals = self.bones.len();
        if target < visuals {
            visit(KeyTarget::Bone(BoneId::new(target)), KeyChannel::Visibility);
        } else if let Some(target) = target.checked_sub(self.chain_switches()) {
            // A chain is a property of the bone that ends it.
            let chain = self.chains.get(target / SWITCHES_A_CHAIN);
            if let Some(&bone) = chain.and_then(|chain| chain.bones.last()) {
                visit(KeyTarget::Bone(BoneId::new(bone as usize)), KeyChannel::Ik);
            }
        } else if (target - visuals).is_multiple_of(SWITCHES_A_VISUAL) {
            let visual = (target - visuals) / SWITCHES_A_VISUAL;
            self.for_each_slot(visual, |slot| visit(slot, KeyChannel::Attachment));
        } else {
            visit(KeyTarget::DrawOrder, KeyChannel::DrawOrder);
        }
    }

    /// Visits each slot that shows a visual.
    fn for_each_slot(&self, visual: usize, mut visit: impl FnMut(KeyTarget)) {
        let shows_it = |slot: &usize| self.slots[*slot].visual as usize == visual;
        for slot in (0..self.slots.len()).filter(shows_it) {
            visit(KeyTarget::Slot(SlotId::new(slot)));
        }
    }
}
