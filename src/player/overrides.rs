//! What the caller has changed in a character, and how long it lasts.

use crate::character::Character;
use crate::math::Affine2;
use crate::model::ConstraintKind;
use crate::motion::{
    BoneOverride, BonePlace, ConstraintOverride, ConstraintSettings, Cue, KeyChannel, KeyTarget, Lifetime,
    SlotOverride, for_each_channel,
};

/// The changes of an animator. Each list is sorted by lifetime, and has one entry for each item and lifetime.
#[derive(Debug, Clone, Default)]
pub(super) struct Overrides {
    pub bones: Vec<BoneOverride>,
    pub slots: Vec<SlotOverride>,
    pub constraints: Vec<ConstraintOverride>,
}

/// Adds a change, or merges it with an earlier one that has the same key. The lists are sorted by lifetime.
fn put<T, Item: PartialEq>(
    list: &mut Vec<T>,
    change: T,
    key: impl Fn(&T) -> (Lifetime, Item),
    merge: impl FnOnce(&mut T),
) {
    match list.iter_mut().find(|other| key(other) == key(&change)) {
        Some(other) => merge(other),
        None => {
            let at = list.partition_point(|other| key(other).0 <= key(&change).0);
            list.insert(at, change);
        }
    }
}

impl Overrides {
    /// Adds an override, or replaces an earlier one of the same bone and lifetime.
    pub fn put_bone(&mut self, change: BoneOverride) {
        put(&mut self.bones, change, |put| (put.lifetime, put.bone), |other| *other = change);
    }

    /// Adds an override. What it leaves open stays as an earlier one of the same slot and lifetime has it.
    pub fn put_slot(&mut self, change: SlotOverride) {
        put(
            &mut self.slots,
            change,
            |put| (put.lifetime, put.slot),
            |other| {
                other.attachment = change.attachment.or(other.attachment);
                other.tint = change.tint.or(other.tint);
                other.order = change.order.or(other.order);
            },
        );
    }

    /// Adds an override. What it leaves open stays as an earlier one of the same constraint and lifetime has it.
    pub fn put_constraint(&mut self, change: ConstraintOverride) {
        put(
            &mut self.constraints,
            change,
            |put| (put.lifetime, put.constraint),
            |other| {
                other.settings = change.settings.or(other.settings);
                other.target = change.target.or(other.target);
            },
        );
    }

    /// Removes everything.
    pub fn clear(&mut self) {
        self.bones.clear();
        self.slots.clear();
        self.constraints.clear();
    }

    /// Writes the changes into `cue`, whose animations are those that are played now, and removes those that last until
    /// one of these keys their value. `placement` is the character's.
    pub fn write(&mut self, character: &Character, placement: Affine2, cue: &mut Cue) {
        let Self { bones, slots, constraints } = self;
        let shortest = [
            bones.first().map(|put| put.lifetime),
            slots.first().map(|put| put.lifetime),
            constraints.first().map(|put| put.lifetime),
        ];
        if shortest.contains(&Some(Lifetime::UntilKeyed)) {
            self.drop_keyed(character, cue);
        }
        cue.bones.clone_from(&self.bones);
        cue.slots.clone_from(&self.slots);
        cue.constraints.clone_from(&self.constraints);
        if placement != Affine2::IDENTITY && !cue.bones.is_empty() {
            // If it is flat, the numbers are not finite, and thus ignored.
            let character_from_world = placement.inverse();
            for put in &mut cue.bones {
                if let Some(BonePlace::World(position)) = &mut put.position {
                    *position = character_from_world.transform_point2(*position);
                }
                put.world = put.world.map(|world| character_from_world * world);
            }
        }
    }

    fn drop_keyed(&mut self, character: &Character, cue: &Cue) {
        for animation in cue.animations() {
            for_each_channel(character, animation, |target, channel| {
                self.drop_value(target, channel);
                self.drop_settings(character, target, channel);
            });
        }
        // Those with another lifetime are never equal to these.
        let lifetime = Lifetime::UntilKeyed;
        self.bones.retain(|put| *put != BoneOverride { lifetime, ..BoneOverride::new(put.bone) });
        self.slots.retain(|put| *put != SlotOverride { lifetime, ..SlotOverride::new(put.slot) });
        self.constraints
            .retain(|put| *put != ConstraintOverride { lifetime, ..ConstraintOverride::new(put.constraint) });
    }

    /// Removes the values of constraints that last until they are keyed.
    fn drop_settings(&mut self, character: &Character, target: KeyTarget, channel: KeyChannel) {
        let constraints = character.model().constraints();
        let until = self.constraints.iter_mut().take_while(|put| put.lifetime == Lifetime::UntilKeyed);
        for put in until {
            let is_keyed = constraints.get(put.constraint.index()).is_some_and(|it| match target {
                KeyTarget::Constraint(at) => at == put.constraint,
                KeyTarget::AllPhysics => it.kind == ConstraintKind::Physics,
                // In SkelForm, a chain is a property of its last bone.
                KeyTarget::Bone(bone) => channel == KeyChannel::Ik && it.bones.last() == Some(&bone),
                KeyTarget::Slot(_) | KeyTarget::DrawOrder | KeyTarget::Events => false,
            });
            if is_keyed {
                put.settings = ConstraintSettings::default();
            }
        }
    }

    /// Removes a value that lasts until it is keyed.
    fn drop_value(&mut self, target: KeyTarget, channel: KeyChannel) {
        use KeyChannel as Key;
        let bones = self.bones.iter_mut().take_while(|put| put.lifetime == Lifetime::UntilKeyed);
        for put in bones.filter(|put| target == KeyTarget::Bone(put.bone)) {
            let moves = matches!(channel, Key::Translation | Key::TranslationX | Key::TranslationY);
            let turns = channel == Key::Rotation;
            let scales = matches!(channel, Key::Scale | Key::ScaleX | Key::ScaleY);
            put.position.take_if(|_| moves);
            put.rotation_radians.take_if(|_| turns);
            put.scale.take_if(|_| scales);
            put.world.take_if(|_| moves || turns || scales);
            put.after.take_if(|_| moves || turns || scales);
        }
        let slots = self.slots.iter_mut().take_while(|put| put.lifetime == Lifetime::UntilKeyed);
        for put in slots {
            let is_keyed = target == KeyTarget::Slot(put.slot);
            put.order.take_if(|_| target == KeyTarget::DrawOrder);
            put.attachment.take_if(|_| is_keyed && channel == Key::Attachment);
            put.tint.take_if(|_| is_keyed && matches!(channel, Key::Color | Key::Alpha));
        }
    }

    /// Removes what lasted for the pose that has just been evaluated. Returns true if there was anything.
    pub fn end_frame(&mut self) -> bool {
        let Self { bones, slots, constraints } = self;
        let count = bones.len() + slots.len() + constraints.len();
        let lasts = |lifetime: Lifetime| lifetime != Lifetime::ThisFrame;
        bones.truncate(bones.partition_point(|put| lasts(put.lifetime)));
        slots.truncate(slots.partition_point(|put| lasts(put.lifetime)));
        constraints.truncate(constraints.partition_point(|put| lasts(put.lifetime)));
        bones.len() + slots.len() + constraints.len() != count
    }
}
