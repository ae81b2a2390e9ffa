//! The only accumulator of time: what plays, how fast, and what happens at the end.
//!
//! Callers pass the seconds that went by and get a [`Cue`] back; there is no clock in here. The
//! position is kept in stored frames as `f64`. A position within a millionth of a frame *is* that
//! frame, so that sums of rounded seconds never show the frame before.
//!
//! [`Player`] plays one animation, [`Tracks`] several at once that fade into each other.

mod entry;
mod steps;
mod tracks;

use crate::model::{Animation, AnimationId, FrameTimes, Model, Timing};
use crate::motion::{Cue, Dynamics, Evaluator, Position};

use steps::Steps;

pub use tracks::{TrackEvent, Tracks};

/// What happens at the end of an animation.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum LoopMode {
    /// As the file says: from the beginning again, or stop.
    #[default]
    Authored,
    /// From the beginning again.
    Loop,
    /// Stop at the last frame.
    Once,
    /// Backwards to the first frame and forwards again.
    PingPong,
}

impl LoopMode {
    /// Every mode, in the order in which one key goes through them.
    pub const ALL: [Self; 4] = [Self::Authored, Self::Loop, Self::Once, Self::PingPong];

    /// The mode after this one.
    #[must_use]
    pub fn next(self) -> Self {
        match self {
            Self::Authored => Self::Loop,
            Self::Loop => Self::Once,
            Self::Once => Self::PingPong,
            Self::PingPong => Self::Authored,
        }
    }
}

/// Plays one animation of a character. Without one it shows the rest pose and stands still.
#[derive(Debug, Clone)]
pub struct Player {
    animation: Option<AnimationId>,
    looping: bool,
    timing: Timing,
    frame_count: u32,
    /// Finite, not below 0.
    fps: f64,
    /// In stored frames, from 0 up to [`Self::end`].
    position: f64,
    /// On the way back of [`LoopMode::PingPong`].
    returning: bool,
    playing: bool,
    speed: f64,
    loop_mode: LoopMode,
    interpolate: bool,
    /// Physics and smoothing, where they are shown.
    steps: Option<Steps>,
    /// Poses where neither is shown.
    evaluator: Evaluator,
}

impl Default for Player {
    fn default() -> Self {
        Self {
            animation: None,
            looping: false,
            timing: Timing::default(),
            frame_count: 0,
            fps: 0.0,
            position: 0.0,
            returning: false,
            playing: true,
            speed: 1.0,
            loop_mode: LoopMode::Authored,
            interpolate: false,
            steps: None,
            evaluator: Evaluator::default(),
        }
    }
}

impl Player {
    /// Shows `animation` of `model` from its first frame, or the rest pose. Keeps speed, loop mode
    /// and whether it plays.
    ///
    /// # Panics
    ///
    /// If `animation` is of another model.
    #[track_caller]
    pub fn show(&mut self, model: &Model, animation: Option<AnimationId>) {
        let still = Animation::default();
        let shown = animation.map_or(&still, |id| model.animation(id));
        self.animation = animation;
        self.looping = shown.looping;
        self.timing.clone_from(&shown.timing);
        self.frame_count = shown.frame_count();
        self.fps = if shown.fps().is_finite() { shown.fps().max(0.0) } else { 0.0 };
        self.rewind();
    }

    /// In frames, where motion has keys: they need not end at a whole one.
    fn exact_frames(&self) -> Option<f64> {
        match self.timing {
            Timing::Keys { secs, .. } => Some((secs * self.fps).max(0.0)),
            Timing::Frames { .. } | Timing::TimedFrames { .. } => None,
        }
    }

    /// Where frames are not equally long.
    fn times(&self) -> Option<&FrameTimes> {
        match &self.timing {
            Timing::TimedFrames { times, .. } => Some(times),
            Timing::Frames { .. } | Timing::Keys { .. } => None,
        }
    }

    /// What is shown; `None`: the rest pose.
    pub fn animation(&self) -> Option<AnimationId> {
        self.animation
    }

    /// How many frames the animation has.
    pub fn frame_count(&self) -> u32 {
        self.frame_count
    }

    /// The cue for this instant. As long as it looks the same it is the same: where frames are held it
    /// says only which one.
    pub fn cue(&self) -> Cue {
        if self.is_keyed() {
            let position = Position::Seconds(self.seconds());
            return Cue { animation: self.animation, position, hold: !self.wraps(), ..Cue::default() };
        }
        let (frame, fraction) = self.split();
        let fraction = if self.interpolate { fraction as f32 } else { 0.0 };
        let position = Position::Frame { frame, fraction };
        Cue { animation: self.animation, position, interpolate: self.interpolate, ..Cue::default() }
    }

    /// How long the animation is in seconds, where motion has keys.
    pub fn length_secs(&self) -> Option<f64> {
        self.exact_frames().map(|frames| if self.fps > 0.0 { frames / self.fps } else { 0.0 })
    }

    /// How long the animation is in frames, not always whole ones where motion has keys.
    pub fn length(&self) -> f64 {
        self.exact_frames().unwrap_or_else(|| self.frame_count.into())
    }

    /// Where `secs` seconds of the animation are, in frames.
    pub fn position_of(&self, secs: f64) -> f64 {
        self.times().map_or(secs * self.fps, |times| times.position_at_ms(secs * 1000.0))
    }

    /// True where motion has keys: it has no stored frames, and every instant is its own.
    pub fn is_keyed(&self) -> bool {
        matches!(self.timing, Timing::Keys { .. })
    }

    /// The stored frame that is shown.
    pub fn frame(&self) -> u32 {
        self.split().0
    }

    /// Where the player is, in stored frames.
    pub fn position(&self) -> f64 {
        let (frame, fraction) = self.split();
        f64::from(frame) + fraction
    }

    /// Where the player is, in seconds at normal speed; 0 for a still picture.
    pub fn seconds(&self) -> f64 {
        match self.times() {
            Some(times) => times.ms_at(self.position()) / 1000.0,
            None if self.fps > 0.0 => self.position() / self.fps,
            None => 0.0,
        }
    }

    /// Lets `dt_secs` seconds go by. Does nothing unless [playing](Self::is_playing).
    pub fn advance(&mut self, dt_secs: f64) {
        let passes = dt_secs > 0.0 && dt_secs.is_finite();
        if !(passes && self.is_moving()) {
            return;
        }
        if self.has_dynamics() {
            self.pass_in_steps(dt_secs);
        } else {
            self.pass(dt_secs);
        }
    }

    fn pass(&mut self, dt_secs: f64) {
        let by = dt_secs * self.units_a_second() * self.speed;
        let (from, end) = (self.units(self.position), self.units(self.end()));
        let to = match self.effective_mode() {
            LoopMode::PingPong => self.bounce(from, by, end),
            LoopMode::Once => {
                let to = (from + by).clamp(0.0, end);
                self.playing = if by < 0.0 { to > 0.0 } else { to < end };
                to
            }
            LoopMode::Authored | LoopMode::Loop => wrap(from + by, end),
        };
        self.position = match self.times() {
            None => to,
            Some(times) => times.position_at_ms(to),
        };
    }

    /// What time is counted in: stored frames, or milliseconds where they are not equally long.
    fn units_a_second(&self) -> f64 {
        if self.times().is_some() { 1000.0 } else { self.fps }
    }

    /// A position in stored frames in those units.
    fn units(&self, position: f64) -> f64 {
        self.times().map_or(position, |times| times.ms_at(position))
    }

    /// Goes to a position in stored frames. Beyond the ends it stays at them.
    pub fn seek(&mut self, position: f64) {
        let end = self.end();
        let position = if position.is_finite() { position.clamp(0.0, end) } else { 0.0 };
        // The end of a loop is its beginning; someone who asks for the end wants the last frame.
        let is_beginning = self.wraps() && position >= end;
        self.position = if is_beginning { f64::from(self.last_frame()).min(end) } else { position };
        self.returning = false;
        if let Some(steps) = &mut self.steps {
            steps.jump();
        }
    }

    /// Goes `frames` whole frames forwards or back and stops there. A loop goes round.
    pub fn step(&mut self, frames: i64) {
        self.playing = false;
        let Some(last) = self.frame_count.checked_sub(1) else { return };
        let target = i64::from(self.frame()).saturating_add(frames);
        let target = if self.wraps() {
            target.rem_euclid(i64::from(self.frame_count))
        } else {
            target.clamp(0, i64::from(last))
        };
        self.seek(target as f64);
    }

    /// Goes to the first frame.
    pub fn rewind(&mut self) {
        self.seek(0.0);
    }

    /// Goes to the last frame.
    pub fn seek_last(&mut self) {
        self.seek(f64::from(self.last_frame()));
    }

    /// True when time counts.
    pub fn is_playing(&self) -> bool {
        self.playing
    }

    /// True when [`Self::advance`] changes anything: playing something that has more than one frame.
    pub fn is_moving(&self) -> bool {
        let has_length = self.exact_frames().map_or(self.frame_count > 1, |frames| frames > 0.0);
        self.playing && self.fps > 0.0 && has_length && self.speed != 0.0
    }

    /// Seconds until [`Self::cue`] is another one; `None` when it never will be.
    pub fn secs_to_next_cue(&self) -> Option<f64> {
        if !self.is_moving() {
            return None;
        }
        if self.interpolate || self.is_keyed() {
            return Some(0.0);
        }
        let along = snap(self.along());
        let fraction = along - along.floor();
        let frames = if self.speed < 0.0 { fraction } else { 1.0 - fraction };
        // What swings goes on between the frames.
        let longest = if self.has_dynamics() { Dynamics::STEP_SECS } else { f64::INFINITY };
        let Some(times) = self.times() else { return Some(longest.min(frames / (self.fps * self.speed.abs()))) };
        let position = snap(self.position);
        let is_on_the_way_back = self.returning != (self.speed < 0.0);
        let frame = if is_on_the_way_back { (position.ceil() - 1.0).max(0.0) } else { position.floor() };
        Some(longest.min(frames * times.frame_ms(frame as u64) / (1000.0 * self.speed.abs())))
    }

    /// Plays or pauses. Playing at the end of something that does not go round begins again.
    pub fn set_playing(&mut self, playing: bool) {
        if playing && !self.playing && self.effective_mode() == LoopMode::Once {
            if self.speed >= 0.0 && snap(self.position) >= self.end() {
                self.rewind();
            } else if self.speed < 0.0 && snap(self.position) <= 0.0 {
                self.seek_last();
            }
        }
        self.playing = playing;
    }

    /// How many times faster than authored; negative is backwards.
    pub fn speed(&self) -> f64 {
        self.speed
    }

    /// Sets the speed. Nothing but a finite number changes it.
    pub fn set_speed(&mut self, speed: f64) {
        if speed.is_finite() {
            self.speed = speed;
        }
    }

    /// What happens at the end.
    pub fn loop_mode(&self) -> LoopMode {
        self.loop_mode
    }

    /// Sets what happens at the end. The frame that is shown stays.
    pub fn set_loop_mode(&mut self, loop_mode: LoopMode) {
        let position = self.position();
        self.loop_mode = loop_mode;
        self.seek(position);
    }

    /// True when stored frames are blended. Motion that has keys has none.
    pub fn interpolates(&self) -> bool {
        self.interpolate
    }

    /// Blends stored frames, or holds each until the next.
    pub fn set_interpolate(&mut self, interpolate: bool) {
        self.interpolate = interpolate;
    }

    /// True when the last frame is followed by the first.
    pub fn wraps(&self) -> bool {
        self.effective_mode() == LoopMode::Loop
    }

    /// [`LoopMode::Authored`] resolved.
    fn effective_mode(&self) -> LoopMode {
        match (self.loop_mode, self.looping) {
            (LoopMode::Authored, true) => LoopMode::Loop,
            (LoopMode::Authored, false) => LoopMode::Once,
            (mode, _) => mode,
        }
    }

    fn last_frame(&self) -> u32 {
        self.frame_count.saturating_sub(1)
    }

    /// Where the position begins again or stops. A loop shows its last frame as long as every other.
    fn end(&self) -> f64 {
        if let Some(frames) = self.exact_frames() {
            return frames;
        }
        if self.wraps() { f64::from(self.frame_count) } else { f64::from(self.last_frame()) }
    }

    /// How far it is into the loop that there and back make.
    fn along(&self) -> f64 {
        if self.returning { 2.0 * self.end() - self.position } else { self.position }
    }

    /// There and back is one loop of twice the length. All of it is in the units of time.
    fn bounce(&mut self, from: f64, by: f64, end: f64) -> f64 {
        let along = if self.returning { 2.0 * end - from } else { from };
        let along = wrap(along + by, 2.0 * end);
        self.returning = along > end;
        if self.returning { 2.0 * end - along } else { along }
    }

    /// Whole frame and fraction, the frame always one that is stored when there is any.
    fn split(&self) -> (u32, f64) {
        let position = snap(self.position);
        // A frame that is held on the way back is shown until the one before it, as long as on the way there.
        let is_held = !self.interpolate && !self.is_keyed();
        let position = if self.returning && is_held { position.ceil() } else { position };
        let frame = position.floor();
        if self.is_keyed() {
            // What lies beyond the last whole frame belongs to it.
            let frame = frame.min(f64::from(self.last_frame()));
            return (frame as u32, position - frame);
        }
        if frame >= f64::from(self.frame_count) {
            // Only a loop gets here, and less than a millionth of a frame before it begins again.
            return (0, 0.0);
        }
        (frame as u32, position - frame)
    }
}

/// `position`, or the whole frame that it is as good as at.
fn snap(position: f64) -> f64 {
    const NEAR: f64 = 1e-6;
    let nearest = position.round();
    if (position - nearest).abs() < NEAR { nearest } else { position }
}

/// `position` in 0 to `length`, without it.
fn wrap(position: f64, length: f64) -> f64 {
    let wrapped = position.rem_euclid(length);
    // `rem_euclid` of a tiny negative number rounds to the length itself.
    if wrapped < length { wrapped } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::ModelBuilder;

    fn player(looping: bool, count: u32, fps: f64) -> Player {
        let mut builder = ModelBuilder::default();
        let timing = Timing::Frames { count, fps };
        let animation = Animation { name: "walk".to_owned(), looping, timing, ..Animation::default() };
        let id = builder.animation(animation);
        let mut player = Player::default();
        player.show(&builder.build(), Some(id));
        player
    }

    #[test]
    fn an_hour_at_sixty_hertz_shows_every_frame_on_time() {
        let mut player = player(true, 24, 24.0);
        for tick in 1..=60 * 60 * 60u64 {
            player.advance(1.0 / 60.0);
            // 24 fps at 60 Hz: tick · 24 / 60 frames, whole every fifth tick.
            assert_eq!(u64::from(player.frame()), tick * 24 / 60 % 24, "tick {tick}");
        }
    }

    #[test]
    fn a_loop_shows_its_last_frame_as_long_as_the_others() {
        let mut player = player(true, 4, 10.0);
        player.advance(0.35);
        assert_eq!(player.frame(), 3);
        player.advance(0.1);
        assert_eq!(player.frame(), 0);
        assert!(player.is_playing());
    }

    #[test]
    fn without_looping_it_stops_at_the_last_frame_and_play_begins_again() {
        let mut player = player(false, 4, 10.0);
        player.advance(100.0);
        assert_eq!((player.frame(), player.is_playing()), (3, false));
        player.set_playing(true);
        assert_eq!((player.frame(), player.is_playing()), (0, true));
    }

    #[test]
    fn ping_pong_turns_round_at_both_ends() {
        let mut player = player(true, 4, 1.0);
        player.set_loop_mode(LoopMode::PingPong);
        let mut seen = Vec::new();
        for _ in 0..9 {
            seen.push(player.frame());
            player.advance(1.0);
        }
        assert_eq!(seen, [0, 1, 2, 3, 2, 1, 0, 1, 2]);
    }

    #[test]
    fn ping_pong_shows_the_last_frame_as_long_as_the_others() {
        let mut player = player(true, 4, 1.0);
        player.set_loop_mode(LoopMode::PingPong);
        let mut seen = Vec::new();
        for _ in 0..12 {
            seen.push(player.frame());
            assert_eq!(player.secs_to_next_cue(), Some(if seen.len() % 2 == 1 { 1.0 } else { 0.5 }));
            player.advance(0.5);
        }
        assert_eq!(seen, [0, 0, 1, 1, 2, 2, 3, 3, 2, 2, 1, 1]);
    }

    #[test]
    fn loop_mode_overrules_the_file() {
        let mut once = player(true, 4, 1.0);
        once.set_loop_mode(LoopMode::Once);
        once.advance(50.0);
        assert_eq!(once.frame(), 3);
        let mut looped = player(false, 4, 1.0);
        looped.set_loop_mode(LoopMode::Loop);
        looped.advance(4.0);
        assert_eq!((looped.frame(), looped.is_playing()), (0, true));
    }

    #[test]
    fn steps_are_whole_frames_and_pause() {
        let mut player = player(true, 10, 24.0);
        player.advance(0.1);
        player.step(1);
        assert_eq!((player.position(), player.is_playing()), (3.0, false));
        player.step(-10);
        assert_eq!(player.position(), 3.0);
        player.step(-4);
        assert_eq!(player.position(), 9.0);
        player.set_loop_mode(LoopMode::Once);
        player.step(10);
        assert_eq!(player.position(), 9.0);
        player.step(i64::MIN);
        assert_eq!(player.position(), 0.0);
    }

    #[test]
    fn backwards_goes_round_or_stops_at_the_first_frame() {
        let mut looped = player(true, 4, 1.0);
        looped.set_speed(-1.0);
        looped.advance(1.0);
        assert_eq!(looped.frame(), 3);
        let mut once = player(false, 4, 1.0);
        once.seek(2.0);
        once.set_speed(-0.5);
        once.advance(10.0);
        assert_eq!((once.frame(), once.is_playing()), (0, false));
    }

    #[test]
    fn seeking_stays_inside_and_the_end_of_a_loop_is_its_last_frame() {
        let mut player = player(true, 65_535, 60.0);
        for frame in [0u32, 1, 40_000, 65_534] {
            player.seek(frame.into());
            assert_eq!(player.cue().position, Position::frame(frame));
        }
        player.seek(65_535.0);
        assert_eq!(player.frame(), 65_534);
        player.seek(f64::NAN);
        assert_eq!(player.frame(), 0);
        player.seek(12.25);
        assert_eq!(player.cue().position, Position::frame(12), "a frame that is held has no fraction");
        player.set_interpolate(true);
        assert_eq!(player.cue().position, Position::Frame { frame: 12, fraction: 0.25 });
    }

    #[test]
    fn nothing_moves_where_nothing_can() {
        for mut player in [Player::default(), player(true, 0, 24.0), player(true, 1, 24.0), player(true, 9, 0.0)] {
            assert!(!player.is_moving());
            player.advance(5.0);
            player.step(3);
            player.seek_last();
            assert!(player.frame() < player.frame_count().max(1));
            assert_eq!(player.seconds(), 0.0);
        }
    }

    #[test]
    fn it_tells_when_to_look_again() {
        let mut player = player(true, 10, 4.0);
        player.set_speed(2.0);
        player.seek(3.25);
        assert_eq!(player.secs_to_next_cue(), Some(0.75 / 8.0));
        player.set_speed(-2.0);
        assert_eq!(player.secs_to_next_cue(), Some(0.25 / 8.0));
        player.set_interpolate(true);
        assert_eq!(player.secs_to_next_cue(), Some(0.0));
        player.set_playing(false);
        assert_eq!(player.secs_to_next_cue(), None);
    }

    #[test]
    fn a_new_animation_begins_at_its_first_frame() {
        let mut player = player(true, 10, 24.0);
        player.set_speed(2.0);
        player.advance(0.2);
        player.show(&Model::default(), None);
        assert_eq!((player.cue(), player.speed()), (Cue::default(), 2.0));
    }
}
