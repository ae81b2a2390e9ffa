//! One animation on a track.

use super::clock::{Clock, LoopMode};
use super::event::EventKind;
use crate::character::Character;
use crate::model::{Animation, AnimationId};
use crate::motion::{Span, for_each_event_index};

/// An animation that is playing on a track, or queued on it.
///
/// [`Animator::play`](super::Animator::play) and [`Animator::queue`](super::Animator::queue) return one to adjust:
///
/// ```
/// # use pchr::{Animator, player::LoopMode};
/// # let mut animator = Animator::open("assets/paper-lamp.json")?;
/// animator.play("hop")?.set_loop_mode(LoopMode::Once).set_speed(1.5).set_fade(0.1);
/// # Ok::<(), pchr::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Playback {
    /// `None`: an empty one, to which others fade.
    pub(super) animation: Option<AnimationId>,
    pub(super) clock: Clock,
    /// The time of the clock when it was last looked at; negative before that.
    pub(super) seen: f64,
    /// Seconds in which it replaces the one before it.
    pub(super) fade: f64,
    /// Seconds of the fade that have passed.
    pub(super) faded: f64,
    /// Its mix when the next one began to replace it; it gets no further.
    pub(super) mix_when_covered: f64,
    /// When it ends by itself, in seconds of its clock.
    pub(super) ends_at: f64,
    /// The pose has been evaluated with it.
    pub(super) was_shown: bool,
    /// It was moved other than by time since then.
    pub(super) jumped: bool,
    /// Tells it from every other one of the same tracks.
    pub(super) id: u64,
}

impl Playback {
    pub(super) fn new(
        animation: AnimationId,
        played: &Animation,
        loop_mode: LoopMode,
        fade: f64,
        id: u64,
    ) -> Self {
        let clock = Clock::new(played, loop_mode);
        Self { animation: Some(animation), clock, ends_at: f64::INFINITY, ..Self::empty(fade, id) }
    }

    pub(super) fn empty(fade: f64, id: u64) -> Self {
        Self {
            animation: None,
            clock: Clock::new(&Animation::default(), LoopMode::Once),
            seen: -1.0,
            fade,
            faded: 0.0,
            mix_when_covered: 1.0,
            ends_at: fade,
            was_shown: false,
            jumped: false,
            id,
        }
    }

    /// The animation. `None` if nothing is played, or the track is being faded out.
    pub fn animation(&self) -> Option<AnimationId> {
        self.animation
    }

    /// Its mix weight, 0 to 1: how far it has replaced what was played before it.
    pub fn mix(&self) -> f64 {
        if self.fade > 0.0 { (self.faded / self.fade).min(1.0) } else { 1.0 }
    }

    /// Its speed, 1 as authored; negative plays backwards.
    pub fn speed(&self) -> f64 {
        self.clock.speed()
    }

    /// Sets the speed, 1 as authored. Negative values play backwards, values that are not finite are ignored.
    ///
    /// An animation that is played backwards fires no events.
    pub fn set_speed(&mut self, speed: f64) -> &mut Self {
        self.clock.set_speed(speed);
        self
    }

    /// What happens at its end.
    pub fn loop_mode(&self) -> LoopMode {
        self.clock.loop_mode()
    }

    /// Sets what happens at its end. The frame that is shown stays.
    pub fn set_loop_mode(&mut self, loop_mode: LoopMode) -> &mut Self {
        self.clock.set_loop_mode(loop_mode);
        self.restart_events();
        self
    }

    /// Sets in how many seconds it replaces what was played before it. Values that are negative or not finite count
    /// as 0. It has no effect if nothing was played before it.
    pub fn set_fade(&mut self, secs: f64) -> &mut Self {
        if self.was_seen() && self.mix() >= 1.0 {
            self.faded = f64::INFINITY;
        }
        self.fade = finite(secs).max(0.0);
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
        self.jumped |= self.was_shown;
        self.restart_events();
    }

    /// Fires events from here on.
    fn restart_events(&mut self) {
        if self.was_seen() {
            // An event of the very first instant fires when playing starts there.
            self.seen = if self.clock.time() > 0.0 { self.clock.time() } else { -1.0 };
        }
    }

    /// The number of frames. Motion with keys has none; they are counted at the rate of the file, at least one.
    pub fn frame_count(&self) -> u32 {
        self.clock.frame_count()
    }

    /// The length in frames, which is not always whole for motion with keys.
    pub fn length(&self) -> f64 {
        self.clock.length()
    }

    /// The length in seconds, up to where it starts again or ends.
    pub fn duration_secs(&self) -> f64 {
        self.clock.end_secs()
    }

    /// The position in frames from the first.
    pub fn position(&self) -> f64 {
        self.clock.position(true)
    }

    /// The position in frames after `secs` seconds.
    pub fn position_at(&self, secs: f64) -> f64 {
        self.clock.position_at(secs)
    }

    /// The frame that is shown, from 0.
    pub fn frame(&self) -> u32 {
        self.clock.split(false).0
    }

    /// The position in seconds from the first frame, at normal speed.
    pub fn seconds(&self) -> f64 {
        self.clock.seconds(true)
    }

    /// True for motion with keys, which is different at every instant instead of having stored frames.
    pub fn is_keyed(&self) -> bool {
        self.clock.is_keyed()
    }

    /// True if the last frame is followed by the first.
    pub fn wraps(&self) -> bool {
        self.clock.wraps()
    }

    /// True at the end of an animation that does not repeat.
    pub fn is_finished(&self) -> bool {
        self.clock.is_finished(1.0)
    }

    /// Continues at the same time of another version of the animation.
    pub(super) fn replace_animation(&mut self, animation: AnimationId, played: &Animation) {
        let (time, speed) = (self.clock.time(), self.clock.speed());
        self.animation = Some(animation);
        self.clock = Clock::new(played, self.clock.loop_mode());
        self.clock.set_speed(speed);
        self.clock.set_time(time);
        self.jumped |= self.was_shown;
    }

    pub(super) fn was_seen(&self) -> bool {
        self.seen >= 0.0
    }

    /// The time of the next end.
    pub(super) fn next_end(&self) -> f64 {
        let (time, cycle) = (self.clock.time(), self.clock.cycle_secs());
        if self.clock.repeats() && cycle > 0.0 { cycle * (1.0 + (time / cycle).floor()) } else { cycle.max(time) }
    }

    /// Reports what has happened since the last look.
    pub(super) fn look(
        &mut self,
        character: &Character,
        is_current: bool,
        mut report: impl FnMut(EventKind<u32>),
    ) {
        let (from, to) = (self.seen, self.clock.time());
        if let Some(animation) = self.animation.filter(|_| is_current && to >= from) {
            self.for_each_span(from, to, |span| {
                for_each_event_index(character, animation, span, |index| report(EventKind::Fired(index)));
            });
        }
        if self.has_completed(from, to) {
            report(EventKind::Complete);
        }
        self.seen = to;
    }

    /// The parts of the time between `from` and `to` in which the animation plays forwards.
    fn for_each_span(&self, from: f64, to: f64, mut visit: impl FnMut(Span)) {
        let cycle = self.clock.cycle_secs();
        if self.clock.wraps() || !self.clock.repeats() || cycle <= 0.0 {
            return visit(Span { from, to, looping: self.clock.wraps() });
        }
        // There and back: only on the way there, at most once each.
        let end = self.clock.end_secs();
        let (start, stop) = ((from.max(0.0) / cycle).floor(), (to / cycle).floor());
        let along = |time: f64, cycles: f64| time - cycles * cycle;
        if start == stop {
            visit(Span {
                from: if from < 0.0 { from } else { along(from, start) },
                to: along(to, stop).min(end),
                looping: false,
            });
        } else {
            visit(Span { from: along(from, start), to: end, looping: false });
            visit(Span { from: -1.0, to: along(to, stop).min(end), looping: false });
        }
    }

    fn has_completed(&self, from: f64, to: f64) -> bool {
        let cycle = self.clock.cycle_secs();
        if to < from {
            let ends = |time: f64| (time / cycle).ceil();
            return if self.clock.repeats() {
                cycle > 0.0 && ends(from) > ends(to)
            } else {
                from > 0.0 && to <= 0.0
            };
        }
        if self.clock.repeats() {
            cycle <= 0.0 || (from.max(0.0) / cycle).floor() < (to / cycle).floor()
        } else {
            from < cycle && cycle <= to
        }
    }
}

/// A number of seconds; 0 if it is not finite.
pub(super) fn finite(secs: f64) -> f64 {
    if secs.is_finite() { secs } else { 0.0 }
}
