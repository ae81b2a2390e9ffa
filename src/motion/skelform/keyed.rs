//! What is keyed in an animation.

use super::{Animation, NUMBERS_A_BONE, NUMBERS_A_VISUAL, Rig, SWITCHES_A_CHAIN, SWITCHES_A_VISUAL, SkelForm};
use crate::model::{AnimationId, BoneId, SlotId};
use crate::motion::keys::{KeyChannel, KeyList, KeyTarget, KeyTimes};

impl SkelForm {
    /// Lists the keys of an animation.
    pub(in crate::motion) fn list_keys(&self, id: AnimationId, list: &mut KeyList) {
        let Some(animation) = self.animations.get(id.index()) else { return };
        let Animation { tracks, keys, switch_tracks, switch_keys, .. } = animation;
        for track in tracks {
            let keys = keys.get(track.keys.start as usize..track.keys.end as usize).unwrap_or_default();
            let times = KeyTimes::at_positions(keys.iter().map(|key| key.frame));
            self.rig.add_number(track.target as usize, &times, list);
        }
        for track in switch_tracks {
            let keys = switch_keys.get(track.keys.start as usize..track.keys.end as usize).unwrap_or_default();
            let times = KeyTimes::at_positions(keys.iter().map(|key| key.frame));
            self.rig.add_switch(track.target as usize, &times, list);
        }
    }
}

impl Rig {
    fn add_number(&self, target: usize, times: &KeyTimes, list: &mut KeyList) {
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
                list.add(bone, CHANNELS[target % NUMBERS_A_BONE], times.clone());
            }
            Some(target) => self.add_to_slots(target / NUMBERS_A_VISUAL, KeyChannel::Color, times, list),
        }
    }

    fn add_switch(&self, target: usize, times: &KeyTimes, list: &mut KeyList) {
        let visuals = self.bones.len();
        if target < visuals {
            list.add(KeyTarget::Bone(BoneId::new(target)), KeyChannel::Visibility, times.clone());
        } else if let Some(target) = target.checked_sub(self.chain_switches()) {
            // A chain is a property of the bone that ends it.
            let chain = self.chains.get(target / SWITCHES_A_CHAIN);
            if let Some(&bone) = chain.and_then(|chain| chain.bones.last()) {
                list.add(KeyTarget::Bone(BoneId::new(bone as usize)), KeyChannel::Ik, times.clone());
            }
        } else if (target - visuals).is_multiple_of(SWITCHES_A_VISUAL) {
            self.add_to_slots((target - visuals) / SWITCHES_A_VISUAL, KeyChannel::Attachment, times, list);
        } else {
            list.add(KeyTarget::DrawOrder, KeyChannel::DrawOrder, times.clone());
        }
    }

    /// Adds a row to each slot that shows a visual.
    fn add_to_slots(&self, visual: usize, channel: KeyChannel, times: &KeyTimes, list: &mut KeyList) {
        let shows_it = |slot: &usize| self.slots[*slot].visual as usize == visual;
        for slot in (0..self.slots.len()).filter(shows_it) {
            list.add(KeyTarget::Slot(SlotId::new(slot)), channel, times.clone());
        }
    }
}
