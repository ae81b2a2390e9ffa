//! Adds, removes and changes members.

use super::clock::Time;
use super::draw::Crowd;
use super::member::{CrowdMember, MemberId, Place};
use crate::gpu::shaders::crowd_data::MemberRecord;
use crate::math::Affine2;
use crate::model::AnimationId;

impl Crowd {
    /// Adds a member.
    ///
    /// # Panics
    ///
    /// If its animation belongs to another character.
    #[track_caller]
    pub fn add(&mut self, member: CrowdMember) -> MemberId {
        let record = self.record(&member);
        let place = match self.free.pop() {
            Some(place) => place,
            None => {
                self.places.push(Place::default());
                self.records.push(MemberRecord::default());
                self.places.len() as u32 - 1
            }
        };
        let free = &mut self.places[place as usize];
        free.member = Some(member);
        let id = MemberId { place, generation: free.generation };
        self.write(place, record);
        id
    }

    /// Removes a member. Returns it, or `None` if it was removed before.
    pub fn remove(&mut self, id: MemberId) -> Option<CrowdMember> {
        let place = self.places.get_mut(id.place()).filter(|place| place.generation == id.generation)?;
        let member = place.member.take()?;
        place.generation = place.generation.wrapping_add(1);
        self.free.push(id.place);
        self.write(id.place, MemberRecord::default());
        Some(member)
    }

    /// Removes every member. The buffers stay, so that a crowd of the same size can be added without new ones. The next
    /// members are drawn in the order in which they are added.
    pub fn clear(&mut self) {
        self.free.clear();
        for (number, place) in self.places.iter_mut().enumerate().rev() {
            if place.member.take().is_some() {
                place.generation = place.generation.wrapping_add(1);
            }
            self.free.push(number as u32);
        }
        for place in 0..self.places.len() as u32 {
            self.write(place, MemberRecord::default());
        }
    }

    /// Returns a member, or `None` if it was removed.
    pub fn get(&self, id: MemberId) -> Option<&CrowdMember> {
        self.places.get(id.place()).filter(|place| place.generation == id.generation)?.member.as_ref()
    }

    /// Replaces a member, without a fade. Does nothing if it was removed.
    ///
    /// # Panics
    ///
    /// If its animation belongs to another character.
    #[track_caller]
    pub fn set(&mut self, id: MemberId, member: CrowdMember) {
        let record = self.record(&member);
        if let Some(before) = self.get_mut(id) {
            *before = member;
            self.write(id.place, record);
        }
    }

    /// Moves a member. Does nothing if it was removed.
    pub fn set_place(&mut self, id: MemberId, world_from_character: Affine2) {
        if let Some(member) = self.get_mut(id) {
            member.world_from_character = world_from_character;
            let member = *member;
            let MemberRecord { x_axis, y_axis, translation, is_present, .. } = self.record(&member);
            let record = MemberRecord { x_axis, y_axis, translation, is_present, ..self.records[id.place()] };
            self.write(id.place, record);
        }
    }

    /// Tints a member: straight RGBA, which multiplies its colours. Does nothing if it was removed.
    pub fn set_tint(&mut self, id: MemberId, tint: [u8; 4]) {
        if let Some(member) = self.get_mut(id) {
            member.tint = tint;
            let record = MemberRecord { tint, ..self.records[id.place()] };
            self.write(id.place, record);
        }
    }

    /// Changes how fast a member plays from `now_secs` on. Does nothing if it was removed.
    pub fn set_speed(&mut self, id: MemberId, speed: f64, now_secs: f64) {
        let Some(member) = self.get_mut(id) else { return };
        // At that time it stays where it is.
        member.start_secs += (member.speed - speed) * now_secs;
        member.speed = speed;
        let member = *member;
        let shown = self.record(&member).shown;
        let record = MemberRecord { shown, ..self.records[id.place()] };
        self.write(id.place, record);
    }

    /// Lets a member begin another animation at `now_secs`, and blends from the one that it shows for `fade_secs`
    /// seconds. Its loop mode and speed stay. Does nothing if it was removed. See [`Self::fade`].
    ///
    /// # Panics
    ///
    /// If `animation` belongs to another character.
    #[track_caller]
    pub fn switch(&mut self, id: MemberId, animation: AnimationId, now_secs: f64, fade_secs: f32) {
        let Some(&member) = self.get(id) else { return };
        let start_secs = -member.speed * now_secs;
        self.fade(id, CrowdMember { animation, start_secs, ..member }, now_secs, fade_secs);
    }

    /// Replaces a member as [`Self::set`] does, and blends from what it shows to what `member` shows for `fade_secs`
    /// seconds, beginning at `now_secs`. Does nothing if it was removed.
    ///
    /// If an earlier fade is not over, what it was fading from disappears. Place, tint, draw order and visibility change
    /// at once. There is no fade if [`CrowdOptions::interpolate`](crate::gpu::CrowdOptions::interpolate) is off.
    ///
    /// # Panics
    ///
    /// If the animation of `member` belongs to another character.
    #[track_caller]
    pub fn fade(&mut self, id: MemberId, member: CrowdMember, now_secs: f64, fade_secs: f32) {
        let mut record = self.record(&member);
        let Some(before) = self.get_mut(id) else { return };
        *before = member;
        let before = self.records[id.place()].shown;
        // An animation without frames cannot be faded from.
        if self.frame_count(before.animation) > 0 && fade_secs.is_finite() {
            record.faded = before;
            record.fade_start = Time::from_secs(now_secs).words();
            record.fade_secs = fade_secs.max(0.0);
        }
        self.write(id.place, record);
    }

    fn get_mut(&mut self, id: MemberId) -> Option<&mut CrowdMember> {
        self.places.get_mut(id.place()).filter(|place| place.generation == id.generation)?.member.as_mut()
    }

    fn frame_count(&self, animation: u32) -> u32 {
        self.model.uploaded().animations.get(animation as usize).map_or(0, |animation| animation.frame_count())
    }

    /// The record of a member, without a fade.
    #[track_caller]
    fn record(&self, member: &CrowdMember) -> MemberRecord {
        member.record(&self.model.uploaded().animations)
    }

    /// Changes the record of a place.
    fn write(&mut self, place: u32, record: MemberRecord) {
        self.records[place as usize] = record;
        // A place without a chunk is written with all others of its chunk.
        if let Some(chunk) = self.chunks.get_mut((place / self.chunk_capacity) as usize) {
            let member = place % self.chunk_capacity;
            if member < chunk.capacity() {
                chunk.change(member);
            }
        }
    }
}
