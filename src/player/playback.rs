//! One animation on a track.

use std::ops::RangeInclusive;

use super::clock::{Clock, LoopMode};
use super::event::EventKind;
use crate::character::Character;
use crate::math::Vec2;
use crate::model::{Animation, AnimationId, BoneId};
use crate::motion::{
    Fade, Holder, Played, Position, QueuesAfter, Rules, bone_position, finite, for_each_event_index,
};

/// An animation that is playing on a track, or queued on it.
///
/// [`Animator::play`](crate::Animator::play) and [`Animator::queue`](crate::Animator::queue) return one to adjust:
///
/// ```
/// # use pchr::{Animator, player::LoopMode};
/// # let mut animator = Animator::open("assets/paper-lamp.json")?;
/// animator.play("hop")?.set_loop_mode(LoopMode::Once).set_speed(1.5).set_fade(0.1);
/// # Ok::<(), pchr::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Playback {
    /// The animation. `None`: an empty one, to which others fade.
    pub(super) animation: Option<AnimationId>,
    pub(super) clock: Clock,
    /// The time of its clock up to which events were fired; `None`: before the first instant.
    fired_to: Option<f64>,
    /// It has moved backwards since events were last fired.
    is_reversing: bool,
    /// Seconds that its animation has been played, in either direction. Unlike the time of its clock they never jump.
    played: f64,
    /// [`Self::played`] when it was last checked; `None` before that.
    pub(super) checked_at: Option<f64>,
    /// Duration in seconds of the fade from the previous one.
    pub(super) fade: f64,
    /// Seconds of the fade that have passed; infinite if it replaces nothing.
    pub(super) faded: f64,
    /// How it replaces the previous one, apart from its progress and what depends on others. It takes time if it began
    /// with a fade, or got one since: values that it holds are released.
    pub(super) fading: Fade,
    /// When it starts: after the previous one did, or later than it was put on an idle track.
    pub(super) delay: Delay,
    /// Its share of the mix, 0 to 1.
    weight: f64,
    is_reversed: bool,
    /// See [`Thresholds::events`].
    pub(super) events_until: f64,
    /// When it ends by itself, in played seconds.
    pub(super) ends_at: f64,
    /// How far the next one had replaced it when the pose was last evaluated, 0 to 1.
    pub(super) shown_cover: f64,
    /// The pose has been evaluated with it.
    pub(super) was_shown: bool,
    /// It was moved other than by time since then.
    pub(super) jumped: bool,
    /// The same, since its queue was last checked.
    pub(super) moved: bool,
    /// It had no effect any more when the pose was last evaluated.
    pub(super) is_spent: bool,
    /// `held_by`, which decides which of its values keep their strength, does not change any more.
    pub(super) is_frozen: bool,
    pub(super) held_by: Holder,
    /// Id, unique among the tracks.
    pub(super) id: u64,
    /// The loops that it had completed when its root motion was last taken, and where its root was.
    root: Option<(f64, Vec2)>,
}

/// When an animation starts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Delay {
    /// After these seconds of the previous animation, or of its own if it is the first.
    After(f64),
    /// So that its fade ends `offset` seconds after the end of the previous one, in played seconds of that one.
    ToEnd { end: f64, offset: f64, is_clamped: bool },
}

/// How far the next animation must have replaced one, 0 to 1, for that to stop doing what cannot be mixed.
///
/// The default is 0: when the next animation begins, its attachments, its draw order and its events stop at once.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Thresholds {
    /// It shows its attachments until then.
    pub attachments: f64,
    /// Its draw order applies until then.
    pub draw_order: f64,
    /// It fires its events until then.
    pub events: f64,
}

impl Playback {
    pub(super) fn new(
        animation: AnimationId,
        played: &Animation,
        loop_mode: LoopMode,
        interpolates: bool,
        fade: f64,
        id: u64,
    ) -> Self {
        let clock = Clock::new(played, loop_mode, interpolates);
        Self { animation: Some(animation), clock, ends_at: f64::INFINITY, ..Self::empty(fade, id) }
    }

    pub(super) fn empty(fade: f64, id: u64) -> Self {
        Self {
            animation: None,
            clock: Clock::new(&Animation::default(), LoopMode::Once, false),
            fired_to: None,
            is_reversing: false,
            played: 0.0,
            checked_at: None,
            fade,
            faded: 0.0,
            fading: Fade::default(),
            delay: Delay::After(0.0),
            weight: 1.0,
            is_reversed: false,
            events_until: 0.0,
            ends_at: fade,
            shown_cover: 0.0,
            was_shown: false,
            jumped: false,
            moved: false,
            is_spent: false,
            is_frozen: false,
            held_by: Holder { animation: None, is_additive: false },
            id,
            root: None,
        }
    }

    /// Returns the animation. `None` if nothing is played, or the track is being faded out.
    pub fn animation(&self) -> Option<AnimationId> {
        self.animation
    }

    /// Returns its mix weight, 0 to 1: how far it has replaced the previous animation.
    pub fn mix(&self) -> f64 {
        if self.fade > 0.0 { (self.faded / self.fade).clamp(0.0, 1.0) } else { 1.0 }
    }

    /// Returns the duration in seconds of the fade from the previous animation. On an idle track it is 0 at first.
    pub fn fade_secs(&self) -> f64 {
        self.fade
    }

    /// Returns its weight, 0 to 1, by which [`Self::mix`] is multiplied; initially 1.
    pub fn weight(&self) -> f64 {
        self.weight
    }

    /// Sets the weight: at 1, the animation replaces what lower tracks show, at 0.5 the result is halfway between,
    /// at 0 the animation does not move anything. The lowest track is mixed with the rest pose. Values outside 0 to 1
    /// are clamped, non-finite ones are ignored.
    ///
    /// What cannot be blended, such as attachments and the draw order, changes at any weight. Stored frames and
    /// sprite sheets cannot be mixed at all: they ignore it.
    ///
    /// ```
    /// # let mut lamp = pchr::Animator::open("assets/paper-lamp.json")?;
    /// lamp.play("idle")?;
    /// lamp.play_on(1, "hop")?.set_weight(0.5);
    /// # Ok::<(), pchr::Error>(())
    /// ```
    pub fn set_weight(&mut self, weight: f64) -> &mut Self {
        if weight.is_finite() {
            self.weight = weight.clamp(0.0, 1.0);
        }
        self
    }

    /// Returns true if it is added to what lower tracks show.
    pub fn is_additive(&self) -> bool {
        self.fading.is_additive
    }

    /// Adds its difference from the rest pose to what lower tracks show, instead of replacing it; initially false.
    ///
    /// In a fade to or from an additive animation, each is faded by itself; neither holds values for the other.
    /// Stored frames and sprite sheets cannot be mixed: they ignore it.
    pub fn set_additive(&mut self, is_additive: bool) -> &mut Self {
        self.fading.is_additive = is_additive;
        self
    }

    /// Returns true if the previous animation keeps its full strength while this one fades in.
    pub fn holds_previous(&self) -> bool {
        self.fading.holds_previous
    }

    /// Lets the previous animation keep its full strength while this one fades in over it; initially false. Otherwise only
    /// values keep theirs that both change. Characters of Spine 3.6 and 4.3 ignore it, as those versions do.
    pub fn set_hold_previous(&mut self, holds_previous: bool) -> &mut Self {
        self.fading.holds_previous = holds_previous;
        self
    }

    /// Returns true if mixed rotations take the shortest way in each pose.
    pub fn turns_short_way(&self) -> bool {
        self.fading.turns_short_way
    }

    /// Lets mixed rotations take the shortest way in each pose; initially false. Otherwise a bone keeps turning in the
    /// direction in which it began, even when the other way becomes shorter.
    pub fn set_turns_short_way(&mut self, turns_short_way: bool) -> &mut Self {
        self.fading.turns_short_way = turns_short_way;
        self
    }

    /// Returns true if the animation is shown from its end to its start.
    pub fn is_reversed(&self) -> bool {
        self.is_reversed
    }

    /// Shows keyed motion from its end to its start while time passes forwards, so that a queue follows in time; initially
    /// false. It fires no events. [`Self::position`] and seeking still count from the start of playback.
    pub fn set_reversed(&mut self, is_reversed: bool) -> &mut Self {
        self.is_reversed = is_reversed;
        self
    }

    /// Returns how long it does what cannot be mixed while the next animation replaces it.
    pub fn thresholds(&self) -> Thresholds {
        let Fade { attachments_until: attachments, draw_order_until: draw_order, .. } = self.fading;
        Thresholds { attachments, draw_order, events: self.events_until }
    }

    /// Sets how long it does what cannot be mixed while the next animation replaces it. Non-finite values count as 0.
    pub fn set_thresholds(&mut self, thresholds: Thresholds) -> &mut Self {
        let Thresholds { attachments, draw_order, events } = thresholds;
        [self.fading.attachments_until, self.fading.draw_order_until, self.events_until] =
            [attachments, draw_order, events].map(finite);
        self
    }

    /// Returns the seconds after which it starts: of a queued animation, after the start of the previous one and counted by
    /// that; of one on an idle track, those that are left.
    pub fn delay_secs(&self) -> f64 {
        match self.delay {
            Delay::After(secs) => secs,
            Delay::ToEnd { end, offset, is_clamped } => {
                let secs = end - self.fade + offset;
                if is_clamped { secs.max(0.0) } else { secs }
            }
        }
    }

    /// Sets [`Self::delay_secs`]. A queued animation then starts at this time, whatever its fade is. Non-finite values are
    /// ignored.
    pub fn set_delay(&mut self, secs: f64) -> &mut Self {
        if secs.is_finite() {
            self.delay = Delay::After(secs);
        }
        self
    }

    /// Returns the seconds for which the animation has been played, at its speed and in either direction.
    pub fn played_secs(&self) -> f64 {
        self.played
    }

    /// Returns the seconds of playing after which it ends by itself; `None` if it does not.
    pub fn end_secs(&self) -> Option<f64> {
        Some(self.ends_at).filter(|secs| secs.is_finite())
    }

    /// Ends the animation after some seconds of playing, unless another one has replaced it or is queued: from then on the
    /// track does nothing, and tracks below show through. `None`: it goes on. An animation that does not repeat otherwise
    /// stays at its last frame.
    pub fn set_end(&mut self, secs: Option<f64>) -> &mut Self {
        self.ends_at = secs.filter(|secs| secs.is_finite()).unwrap_or(f64::INFINITY);
        self
    }

    /// Returns what its layer says about its fade. `next` replaces it.
    pub(super) fn layer_fade(&self, next: Option<&Self>) -> Fade {
        Fade {
            share: self.mix(),
            takes_time: self.fading.takes_time && self.fade > 0.0,
            held_by: next.filter(|_| self.is_frozen).map(|_| self.held_by),
            ..self.fading
        }
    }

    /// Returns what decides which values of the previous one keep their strength.
    pub(super) fn holder(&self) -> Holder {
        Holder { animation: self.animation, is_additive: self.fading.is_additive }
    }

    /// Returns true if it is played with its whole strength.
    pub(super) fn is_whole(&self) -> bool {
        self.mix() * self.weight >= 1.0
            && !self.fading.is_additive
            && self.delay_secs() <= 0.0
            && !self.has_ended()
    }

    /// Returns true if it has reached the end that was set.
    pub(super) fn has_ended(&self) -> bool {
        self.played >= self.ends_at
    }

    /// Returns true if a pose has been evaluated with it, or could have been.
    pub(super) fn has_been_shown(&self) -> bool {
        self.checked_at.is_some() || self.was_shown
    }

    /// Returns the played seconds in the last pose; negative before the first one.
    pub(super) fn shown_secs(&self) -> f64 {
        self.checked_at.unwrap_or(-1.0)
    }

    /// Returns the position for a cue.
    pub(super) fn cue_position(&self) -> Position {
        match self.clock.cue_position() {
            Position::Seconds(secs) if self.is_reversed => {
                Position::Seconds(2.0 * self.clock.start_secs() + self.clock.span_secs() - secs)
            }
            position @ (Position::Frame { .. } | Position::Seconds(_)) => position,
        }
    }

    /// Returns its speed: 1 as authored, negative for backwards.
    pub fn speed(&self) -> f64 {
        self.clock.speed()
    }

    /// Sets the speed: 1 as authored, negative for backwards. Non-finite values are ignored.
    ///
    /// An animation that is played backwards fires no events.
    pub fn set_speed(&mut self, speed: f64) -> &mut Self {
        self.clock.set_speed(speed);
        self
    }

    /// Returns what happens at its end.
    pub fn loop_mode(&self) -> LoopMode {
        self.clock.loop_mode()
    }

    /// Sets what happens at its end. The current frame stays.
    pub fn set_loop_mode(&mut self, loop_mode: LoopMode) -> &mut Self {
        self.clock.set_loop_mode(loop_mode);
        self.restart_events();
        self
    }

    /// Returns the frames to which playback is restricted; `None`: the whole animation.
    pub fn range(&self) -> Option<RangeInclusive<u32>> {
        self.clock.range()
    }

    /// Restricts playback to some frames, from the first to the last of `range`: it loops, stops or turns round there
    /// instead of at the ends of the animation. The part beyond the animation is ignored; a range of no or all frames
    /// counts as `None`: the whole animation. The current frame stays, and [`Self::seek`] and [`Self::step`] can
    /// leave the range: playback then continues at its beginning. A ping-pong continues forwards.
    ///
    /// ```
    /// # use pchr::{Animator, player::LoopMode};
    /// # let mut animator = Animator::open("assets/paper-knight.pchr")?;
    /// animator.play("walk")?.set_loop_mode(LoopMode::Loop).set_range(Some(6..=11)).seek(6.0);
    /// animator.update(0.25);
    /// assert!((6..=11).contains(&animator.playback(0).frame()));
    /// # Ok::<(), pchr::Error>(())
    /// ```
    pub fn set_range(&mut self, range: Option<RangeInclusive<u32>>) -> &mut Self {
        self.clock.set_range(range);
        self.restart_events();
        self
    }

    /// Returns the part of the animation to which playback is restricted, in seconds from its first frame.
    pub fn range_secs(&self) -> RangeInclusive<f64> {
        let start = self.clock.start_secs();
        start..=start + self.clock.span_secs()
    }

    /// Restricts playback to some seconds of the animation, like [`Self::set_range`], which it replaces: keyed motion to
    /// exactly these, stored frames to those that are shown then. Non-finite values are ignored.
    pub fn set_range_secs(&mut self, range: RangeInclusive<f64>) -> &mut Self {
        if range.start().is_finite() && range.end().is_finite() {
            self.clock.set_range_secs([*range.start(), *range.end()]);
            self.restart_events();
        }
        self
    }

    /// Sets the duration in seconds of the fade from the previous animation. Negative and non-finite values count
    /// as 0. It has no effect if there is no previous animation.
    pub fn set_fade(&mut self, secs: f64) -> &mut Self {
        if self.checked_at.is_some() && self.mix() >= 1.0 {
            self.faded = f64::INFINITY;
        }
        self.fade = finite(secs).max(0.0);
        self.fading.takes_time = self.fade > 0.0;
        self
    }

    /// Moves to a position in frames from the first, clamped to the animation. Fires no events.
    pub fn seek(&mut self, position: f64) -> &mut Self {
        self.clock.seek(position);
        self.note_jump();
        self
    }

    /// Moves to a time in seconds from the first frame, clamped to the animation. Fires no events.
    pub fn seek_secs(&mut self, secs: f64) -> &mut Self {
        let position = self.clock.position_at(finite(secs));
        self.seek(position)
    }

    /// Moves by whole frames. A loop wraps around, others stop at their ends.
    pub fn step(&mut self, frames: i64) -> &mut Self {
        self.clock.step(frames);
        self.note_jump();
        self
    }

    /// Moves to the last frame.
    pub fn seek_last(&mut self) -> &mut Self {
        self.clock.seek_last();
        self.note_jump();
        self
    }

    fn note_jump(&mut self) {
        self.root = None;
        self.jumped |= self.was_shown;
        self.restart_events();
    }

    /// Fires events from the current time on.
    fn restart_events(&mut self) {
        self.moved = true;
        // An event at time 0 is fired when playback starts there.
        let is_inside = !self.clock.is_outside();
        self.fired_to = Some(self.clock.time()).filter(|time| *time > 0.0 && is_inside);
    }

    pub(super) fn set_interpolates(&mut self, interpolates: bool) {
        self.clock.set_interpolates(interpolates);
    }

    /// Lets `dt_secs` seconds of the animator's time pass, which may be negative.
    pub(super) fn pass(&mut self, dt_secs: f64) {
        // An empty playback only fades, in either direction.
        let dt_secs = if self.animation.is_none() { dt_secs.abs() } else { dt_secs };
        self.move_by(dt_secs * self.speed());
    }

    /// Moves it by seconds of its own time.
    pub(super) fn move_by(&mut self, secs: f64) {
        let (moved, added) = self.clock.move_by(secs);
        self.played += moved.abs();
        self.is_reversing = moved < 0.0;
        self.fired_to = self.fired_to.map(|time| time + added);
        if let Some((loops, _)) = self.root.as_mut().filter(|_| added != 0.0) {
            *loops += added / self.clock.cycle_secs();
        }
    }

    /// Returns the completed loops, and the position of `bone` in the space of its parent; `None` if the animation does
    /// not move it.
    fn root_now(&self, character: &Character, bone: BoneId) -> Option<(f64, Vec2)> {
        let animation = self.animation?;
        let (cycle, mut loops) = (self.clock.cycle_secs(), 0.0);
        let position = match self.wraps() && cycle > 0.0 && !self.clock.is_outside() {
            // Not snapped to frames: it must belong to the same loop.
            true => {
                loops = (self.clock.time() / cycle).floor();
                Position::Seconds(self.clock.start_secs() + self.clock.time() - loops * cycle)
            }
            false => self.clock.cue_position(),
        };
        let at = bone_position(character, Played { animation, position, hold: true }, bone)?;
        Some((loops, at))
    }

    /// Notes where the root is before time passes.
    pub(super) fn note_root(&mut self, character: &Character, bone: BoneId) {
        if self.root.is_none() {
            self.root = self.root_now(character, bone);
        }
    }

    /// Returns by how much the root has moved since the last call; `None` if the animation does not move it.
    pub(super) fn take_root_motion(&mut self, character: &Character, bone: BoneId) -> Option<Vec2> {
        let now = self.root_now(character, bone)?;
        let Some(before) = self.root.replace(now) else { return Some(Vec2::ZERO) };
        let loops = (now.0 - before.0) as f32;
        let mut moved = now.1 - before.1;
        if loops != 0.0 {
            let (start, end) = (self.clock.start_secs(), self.clock.start_secs() + self.clock.span_secs());
            let at = |secs| {
                let (animation, position) = (self.animation?, Position::Seconds(secs));
                bone_position(character, Played { animation, position, hold: true }, bone)
            };
            moved += (at(end)? - at(start)?) * loops;
        }
        Some(moved)
    }

    /// Returns the number of frames. Keyed motion has no stored frames; they are counted at the rate of the file,
    /// at least one.
    pub fn frame_count(&self) -> u32 {
        self.clock.frame_count()
    }

    /// Returns the length in frames, which need not be whole for keyed motion.
    pub fn length(&self) -> f64 {
        self.clock.length()
    }

    /// Returns the length in seconds, up to where it starts again or ends, regardless of [`Self::range`].
    pub fn duration_secs(&self) -> f64 {
        self.clock.whole_end_secs()
    }

    /// Returns the position in frames from the first.
    pub fn position(&self) -> f64 {
        self.clock.position()
    }

    /// Returns the position in frames after `secs` seconds.
    pub fn position_at(&self, secs: f64) -> f64 {
        self.clock.position_at(secs)
    }

    /// Returns the current frame, from 0.
    pub fn frame(&self) -> u32 {
        self.clock.split().0
    }

    /// Returns the position in seconds from the first frame, at normal speed.
    pub fn seconds(&self) -> f64 {
        self.clock.seconds()
    }

    /// Returns true for keyed motion, which changes continuously instead of having stored frames.
    pub fn is_keyed(&self) -> bool {
        self.clock.is_keyed()
    }

    /// Returns true if the last frame is followed by the first.
    pub fn wraps(&self) -> bool {
        self.clock.wraps()
    }

    /// Returns true at the end of an animation that does not repeat, in the direction of `speed` times its own speed.
    pub(super) fn is_finished(&self, speed: f64) -> bool {
        self.clock.is_finished(speed)
    }

    /// Continues at the same time with another version of the animation.
    pub(super) fn replace_animation(&mut self, animation: AnimationId, played: &Animation) {
        self.animation = Some(animation);
        self.clock = self.clock.of(played);
        self.note_jump();
    }

    /// Returns true if it has not been shown since it was replaced entirely.
    pub(super) fn ends_unshown(&self) -> bool {
        self.was_shown && self.shown_cover < 1.0
    }

    /// Returns when one that is queued after it starts.
    pub(super) fn delay_of_next(&self, offset: f64, rules: &Rules) -> Delay {
        let has_length = self.clock.cycle_secs() > 0.0;
        let end = match rules.queues_after {
            _ if offset > 0.0 => return Delay::After(offset),
            QueuesAfter::Length if !has_length => return Delay::After(0.0),
            QueuesAfter::Now if !has_length => return Delay::After(self.played),
            QueuesAfter::Length if !self.clock.repeats() => self.clock.span_secs(),
            QueuesAfter::Length | QueuesAfter::Now | QueuesAfter::Latest => {
                self.played + self.clock.remaining_secs()
            }
        };
        Delay::ToEnd { end, offset, is_clamped: !rules.starts_late }
    }

    /// Returns the played seconds until `at`, at `speed` times its own speed.
    pub(super) fn secs_until(&self, at: f64, speed: f64) -> f64 {
        (at - self.played).max(0.0) / (self.speed() * speed).abs()
    }

    /// Reports the events since the last call.
    pub(super) fn check_events(
        &mut self,
        character: &Character,
        fires: bool,
        mut report: impl FnMut(EventKind<u32>),
    ) {
        let (from, to) = (self.fired_to.unwrap_or(-1.0), self.clock.time());
        if self.is_reversing {
            if self.checked_at.is_some() && self.clock.completes_backwards(from, to) {
                report(EventKind::Complete);
            }
        } else {
            let is_playing = fires && !self.is_reversed && to >= from && !self.clock.is_outside();
            if let Some(animation) = self.animation.filter(|_| is_playing) {
                self.clock.for_each_pass(from, to, |span| {
                    for_each_event_index(character, animation, span, |index| report(EventKind::Fired(index)));
                });
            }
            // A loop is complete if its start was shown.
            let began = self.checked_at.is_some() || !self.clock.repeats() || self.clock.cycle_secs() <= 0.0;
            if began && !self.clock.is_outside() && self.clock.completes(from, to) {
                report(EventKind::Complete);
            }
        }
        self.fired_to = Some(to).filter(|_| !self.clock.is_outside());
        self.checked_at = Some(self.played);
    }
}
