//! The playhead: track 0 of the animator as a media player shows it.

use super::{Paused, Playback};
use pchr::Animator;
use pchr::player::LoopMode;

/// Playback speeds that the keys step through.
const SPEEDS: [f64; 9] = [0.1, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 4.0, 8.0];

/// Plays, or pauses at a frame. An animation that has ended starts again.
pub fn toggle(playback: &mut Playback) {
    let animator = &mut playback.animator;
    animator.set_playing(!animator.is_playing());
    if !animator.is_playing() {
        playback.paused = go_to_frame(animator);
        return;
    }
    // Events between the frame and where playback was have been fired.
    if let Some(Paused { animation, frame, position }) = playback.paused.take()
        && (animator.playback(0).animation(), animator.playback(0).position()) == (Some(animation), frame)
    {
        return animator.seek(position);
    }
    let (is_finished, is_backwards) = (animator.is_finished(0), animator.speed() < 0.0);
    if let Some(playback) = animator.playback_mut(0).filter(|_| is_finished) {
        let range = playback.range();
        _ = match (range, is_backwards) {
            (Some(range), true) => playback.seek((*range.end()).into()),
            (Some(range), false) => playback.seek((*range.start()).into()),
            (None, true) => playback.seek_last(),
            (None, false) => playback.seek(0.0),
        };
    }
}

/// Goes back from between two frames to the first of them, whose number is shown. Physics would have to be simulated
/// again, and ping-pong would turn round.
fn go_to_frame(animator: &mut Animator) -> Option<Paused> {
    let (animation, position) = (animator.playback(0).animation()?, animator.playback(0).position());
    let frame = position.floor();
    let is_exact = position == frame || animator.is_finished(0);
    if is_exact || animator.shows_physics() || animator.loop_mode() == LoopMode::PingPong {
        return None;
    }
    animator.seek(frame);
    Some(Paused { animation, frame, position })
}

/// Pauses, and moves by whole frames.
pub fn step(animator: &mut Animator, frames: i64) {
    animator.set_playing(false);
    if let Some(playback) = animator.playback_mut(0) {
        playback.step(frames);
    }
}

/// Pauses, and moves to the last frame.
pub fn seek_last(animator: &mut Animator) {
    animator.set_playing(false);
    if let Some(playback) = animator.playback_mut(0) {
        playback.seek_last();
    }
}

/// Pauses if the animation has ended and nothing else moves, so that it can be played again.
pub fn pause_at_end(animator: &mut Animator) {
    if animator.speed() != 0.0 && animator.is_finished(0) && !animator.is_moving() {
        animator.set_playing(false);
    }
}

/// Steps to the next faster or slower speed.
pub fn step_speed(animator: &mut Animator, faster: bool) {
    let speed = animator.speed();
    let next = if faster {
        SPEEDS.into_iter().find(|&step| step > speed + 1e-9)
    } else {
        SPEEDS.into_iter().rfind(|&step| step < speed - 1e-9)
    };
    if let Some(next) = next {
        animator.set_speed(next);
    }
}

/// Returns the name of a loop mode for display.
pub fn loop_title(mode: LoopMode) -> &'static str {
    match mode {
        LoopMode::Authored => "Loop as authored",
        LoopMode::Loop => "Loop",
        LoopMode::Once => "Play once",
        LoopMode::PingPong => "Ping-pong",
    }
}
