//! A member of a crowd, and its record on the GPU.

use crate::gpu::shaders::crowd_data::{MemberRecord, Play};
use crate::math::Affine2;
use crate::misuse;
use crate::model::{Animation, AnimationId};
use crate::player::LoopMode;

/// A member of a [`Crowd`](crate::gpu::Crowd): what it plays, where it is, and its tint.
///
/// At time `t` it is `start_secs + speed · t` seconds into its animation, wrapped or clamped by the loop mode.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CrowdMember {
    /// The animation. One without frames shows nothing.
    pub animation: AnimationId,
    /// The position in the animation at time 0, in seconds. May be negative.
    pub start_secs: f64,
    /// Seconds of the animation per second. May be negative.
    pub speed: f64,
    /// What happens at the end of the animation.
    pub loop_mode: LoopMode,
    /// The place in the world. A member is not drawn if a number is not finite.
    pub world_from_character: Affine2,
    /// Its depth: see [`Member::z`](crate::gpu::Member::z).
    pub z: f32,
    /// Straight RGBA, which multiplies its colours.
    pub tint: [u8; 4],
}

impl CrowdMember {
    /// A member at the origin of the world, untinted, that plays `animation` from its start as authored.
    pub fn new(animation: AnimationId) -> Self {
        Self {
            animation,
            start_secs: 0.0,
            speed: 1.0,
            loop_mode: LoopMode::Authored,
            world_from_character: Affine2::IDENTITY,
            z: 0.0,
            tint: [255; 4],
        }
    }

    /// Returns its record, without a fade. Non-finite times and speeds count as 0.
    ///
    /// # Panics
    ///
    /// If its animation is not among `animations`.
    #[track_caller]
    pub(super) fn record(&self, animations: &[Animation]) -> MemberRecord {
        let number = self.animation.index();
        misuse::expect(number < animations.len(), || {
            format!("the animation belongs to another character: it has number {number} of {}", animations.len())
        });
        let Some(animation) = animations.get(number) else { return MemberRecord::default() };
        let finite = |value: f64| if value.is_finite() { value } else { 0.0 };
        let (start, speed) = (finite(self.start_secs), finite(self.speed));
        let shown = Play::new(self.animation, animation, self.loop_mode, start, speed);
        let mut record = MemberRecord { shown, faded: shown, tint: self.tint, ..MemberRecord::default() };
        if animation.frame_count() > 0 {
            record.set_place(self.world_from_character, self.z);
        }
        record
    }
}

impl MemberRecord {
    /// Moves the member. A place that is not finite hides it.
    pub(super) fn set_place(&mut self, world_from_character: Affine2, z: f32) {
        let Affine2 { matrix2, translation } = world_from_character;
        (self.x_axis, self.y_axis, self.translation) = (matrix2.x_axis, matrix2.y_axis, translation);
        self.z = z;
        self.is_present = u32::from(world_from_character.is_finite() && z.is_finite());
    }
}

/// A member of a [`Crowd`](crate::gpu::Crowd), by number. After it was removed, the number stands for no other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct MemberId {
    pub(super) place: u32,
    pub(super) generation: u32,
}

impl MemberId {
    /// Its place in the order in which members are drawn, back to front. Places of removed members are taken again.
    pub fn place(self) -> usize {
        self.place as usize
    }
}

/// A place in the crowd.
#[derive(Debug, Default)]
pub(super) struct Place {
    pub member: Option<CrowdMember>,
    /// The number of members that were removed from it.
    pub generation: u32,
}
