//! Tests of the clock.

use super::*;
use crate::model::{FrameTimes, Order, Strip};
use crate::motion::Position;

fn clock(looping: bool, count: u32, fps: f64) -> Clock {
    let timing = Timing::Frames { count, fps };
    Clock::new(&Animation { looping, timing, ..Animation::default() }, LoopMode::Authored, false)
}

impl Clock {
    /// Lets seconds pass.
    fn pass(&mut self, dt_secs: f64) -> (f64, f64) {
        self.move_by(dt_secs * self.speed)
    }
}

fn frame(clock: &Clock) -> u32 {
    clock.split().0
}

#[test]
fn an_hour_at_sixty_hertz_shows_every_frame_on_time() {
    let mut clock = clock(true, 24, 24.0);
    for tick in 1..=60 * 60 * 60u64 {
        clock.pass(1.0 / 60.0);
        // 24 fps at 60 Hz: tick · 24 / 60 frames, whole every fifth tick.
        assert_eq!(u64::from(frame(&clock)), tick * 24 / 60 % 24, "tick {tick}");
    }
}

#[test]
fn a_loop_shows_its_last_frame_as_long_as_the_others() {
    let mut clock = clock(true, 4, 10.0);
    clock.pass(0.35);
    assert_eq!(frame(&clock), 3);
    clock.pass(0.1);
    assert_eq!((frame(&clock), clock.is_finished(1.0)), (0, false));
}

/// Returns the frame shown after each of `ticks` tenths of a second.
fn frames_of(clock: &mut Clock, ticks: usize) -> Vec<u32> {
    let mut show = || {
        clock.pass(0.1);
        frame(clock)
    };
    (0..ticks).map(|_| show()).collect()
}

#[test]
fn a_range_is_played_in_every_loop_mode_and_direction() {
    let of = |mode, speed, from| {
        let mut clock = clock(true, 10, 10.0);
        clock.set_loop_mode(mode);
        clock.set_range(Some(3..=6));
        clock.set_speed(speed);
        clock.seek(from);
        clock
    };
    assert_eq!(frames_of(&mut of(LoopMode::Loop, 1.0, 3.0), 6), [4, 5, 6, 3, 4, 5]);
    assert_eq!(frames_of(&mut of(LoopMode::Loop, -1.0, 4.0), 6), [3, 6, 5, 4, 3, 6]);
    assert_eq!(frames_of(&mut of(LoopMode::Once, 1.0, 4.0), 4), [5, 6, 6, 6]);
    assert_eq!(frames_of(&mut of(LoopMode::Once, -1.0, 5.0), 4), [4, 3, 3, 3]);
    let mut once = of(LoopMode::Once, 1.0, 4.0);
    assert!(!once.is_finished(1.0));
    once.pass(1.0);
    assert!(once.is_finished(1.0) && !once.is_finished(-1.0));
    let mut there_and_back = of(LoopMode::PingPong, 1.0, 3.0);
    assert_eq!(frames_of(&mut there_and_back, 8), [4, 5, 6, 5, 4, 3, 4, 5]);
}

#[test]
fn a_position_outside_the_range_is_kept_until_time_passes() {
    let mut clock = clock(true, 10, 10.0);
    clock.seek(8.0);
    clock.set_range(Some(3..=6));
    assert_eq!((frame(&clock), clock.range()), (8, Some(3..=6)));
    clock.step(1);
    assert_eq!(frame(&clock), 9);
    clock.pass(0.0);
    assert_eq!(frame(&clock), 9);
    clock.pass(0.05);
    assert_eq!(frame(&clock), 3);
    clock.seek(1.0);
    clock.set_speed(-1.0);
    clock.pass(0.05);
    assert_eq!(frame(&clock), 6);
    clock.set_range(None);
    assert_eq!((frame(&clock), clock.range()), (6, None));
}

#[test]
fn a_range_is_limited_to_the_animation() {
    let mut clock = clock(true, 10, 10.0);
    let mut set = |range| {
        clock.set_range(Some(range));
        clock.range()
    };
    assert_eq!(set(4..=99), Some(4..=9));
    assert_eq!(set(0..=9), None);
    assert_eq!(set(20..=30), None);
    #[allow(clippy::reversed_empty_ranges)]
    let reversed = 6..=2;
    assert_eq!(set(reversed), None);
}

#[test]
fn a_range_of_keyed_motion_ends_before_the_next_frame() {
    let timing = Timing::Keys { secs: 1.05, fps: 10.0 };
    let animation = Animation { looping: true, timing, ..Animation::default() };
    let mut clock = Clock::new(&animation, LoopMode::Authored, false);
    clock.set_range(Some(2..=4));
    clock.seek(2.0);
    clock.pass(0.25);
    assert!((clock.position() - 4.5).abs() < 1e-9, "{}", clock.position());
    clock.pass(0.1);
    assert!((clock.position() - 2.5).abs() < 1e-9, "{}", clock.position());
    // A range up to the end contains the last part of a frame.
    clock.set_range(Some(5..=10));
    clock.seek(10.0);
    clock.pass(0.04);
    assert!((clock.position() - 10.4).abs() < 1e-9, "{}", clock.position());
    clock.pass(0.02);
    assert!((clock.position() - 5.1).abs() < 1e-9, "{}", clock.position());
}

#[test]
fn without_looping_it_stops_at_the_last_frame() {
    let mut clock = clock(false, 4, 10.0);
    clock.pass(100.0);
    assert_eq!((frame(&clock), clock.is_finished(1.0)), (3, true));
    assert!(!clock.is_finished(-1.0), "it can still play backwards");
    clock.set_speed(-1.0);
    clock.pass(0.1);
    assert_eq!(frame(&clock), 2, "it turns round at the end");
}

#[test]
fn ping_pong_shows_the_ends_as_long_as_the_other_frames() {
    let mut clock = clock(true, 4, 1.0);
    clock.set_loop_mode(LoopMode::PingPong);
    let mut seen = Vec::new();
    for _ in 0..12 {
        seen.push(frame(&clock));
        assert_eq!(clock.secs_to_next_position(1.0), if seen.len() % 2 == 1 { 1.0 } else { 0.5 });
        clock.pass(0.5);
    }
    assert_eq!(seen, [0, 0, 1, 1, 2, 2, 3, 3, 2, 2, 1, 1]);
}

#[test]
fn the_loop_mode_overrides_the_file() {
    let mut once = clock(true, 4, 1.0);
    once.set_loop_mode(LoopMode::Once);
    once.pass(50.0);
    assert_eq!(frame(&once), 3);
    let mut looped = clock(false, 4, 1.0);
    looped.set_loop_mode(LoopMode::Loop);
    looped.pass(4.0);
    assert_eq!((frame(&looped), looped.is_finished(1.0)), (0, false));
}

#[test]
fn on_the_way_back_steps_and_modes_start_from_the_shown_frame() {
    let mut clock = clock(true, 60, 1.0);
    clock.set_loop_mode(LoopMode::PingPong);
    clock.pass(62.5);
    assert_eq!(frame(&clock), 56);
    let mut looped = clock.clone();
    looped.set_loop_mode(LoopMode::Loop);
    assert_eq!(frame(&looped), 56);
    clock.step(1);
    assert_eq!(frame(&clock), 57);
}

#[test]
fn backwards_the_time_of_a_loop_stays_positive() {
    let mut clock = clock(true, 4, 1.0);
    assert_eq!(clock.pass(-1.0), (-1.0, 4.0));
    assert_eq!((clock.time(), clock.pass(-7.0)), (3.0, (-7.0, 4.0)));
    assert_eq!((clock.time(), frame(&clock)), (0.0, 0));
}

#[test]
fn steps_are_whole_frames() {
    let mut clock = clock(true, 10, 24.0);
    clock.pass(0.1);
    for (steps, position) in [(1, 3.0), (-10, 3.0), (-4, 9.0)] {
        clock.step(steps);
        assert_eq!(clock.position(), position);
    }
    clock.set_loop_mode(LoopMode::Once);
    clock.step(10);
    assert_eq!(clock.position(), 9.0);
    clock.step(i64::MIN);
    assert_eq!(clock.position(), 0.0);
}

#[test]
fn backwards_it_wraps_or_stops_at_the_first_frame() {
    let mut looped = clock(true, 4, 1.0);
    looped.set_speed(-1.0);
    looped.pass(1.0);
    assert_eq!(frame(&looped), 3);
    let mut once = clock(false, 4, 1.0);
    once.seek(2.0);
    once.set_speed(-0.5);
    once.pass(10.0);
    assert_eq!((frame(&once), once.is_finished(1.0)), (0, true));
}

#[test]
fn seeking_is_clamped_and_the_end_of_a_loop_is_its_last_frame() {
    let mut clock = clock(true, 65_535, 60.0);
    for frame in [0u32, 1, 40_000, 65_534] {
        clock.seek(frame.into());
        assert_eq!(clock.cue_position(), Position::frame(frame));
    }
    clock.seek(65_535.0);
    assert_eq!(frame(&clock), 65_534);
    clock.seek(f64::NAN);
    assert_eq!(frame(&clock), 0);
    clock.seek(12.25);
    assert_eq!(clock.cue_position(), Position::frame(12), "a frame that is held has no fraction");
    clock.set_interpolates(true);
    assert_eq!(clock.cue_position(), Position::Frame { frame: 12, fraction: 0.25 });
}

#[test]
fn the_next_change_is_known() {
    let mut clock = clock(true, 10, 4.0);
    clock.set_speed(2.0);
    clock.seek(3.25);
    assert_eq!(clock.secs_to_next_position(1.0), 0.75 / 8.0);
    assert_eq!(clock.secs_to_next_position(-1.0), 0.25 / 8.0);
    clock.set_interpolates(true);
    assert_eq!(clock.secs_to_next_position(1.0), 0.0);
}

#[test]
fn arbitrary_timings_stay_in_range() {
    const ODD: [f64; 9] =
        [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MAX, f64::MIN, 1e-300, -0.0, -1.0, 7.5];
    let times = FrameTimes::new([0.0, 10.0, 25.0].into(), Strip::new(0, 2, Order::PingPong)).unwrap();
    let of_rate = |fps: f64| {
        let counted = [0, 1, 3, u32::MAX].map(|count| Timing::Frames { count, fps });
        counted.into_iter().chain(ODD.map(|secs| Timing::Keys { secs, fps }))
    };
    let timed = [0, 1, 3, u32::MAX].map(|count| Timing::TimedFrames { count, times: times.clone() });
    for timing in ODD.into_iter().flat_map(of_rate).chain(timed) {
        let animation = Animation { timing, looping: true, ..Animation::default() };
        for mode in LoopMode::ALL {
            let mut clock = Clock::new(&animation, mode, false);
            for odd in ODD {
                clock.pass(odd);
                clock.set_speed(odd);
                clock.pass(0.5);
                let (position, secs) = (clock.position(), clock.seconds());
                assert!(position.is_finite() && secs.is_finite(), "{animation:?}, {mode:?}, {odd}");
                assert!(frame(&clock) < clock.frame_count().max(1));
                clock.seek(odd);
                clock.step(-1);
                clock.seek_last();
                _ = (clock.cue_position(), clock.secs_to_next_position(odd), clock.cycle_secs());
            }
        }
    }
}
