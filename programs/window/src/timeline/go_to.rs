//! Goes to keys.

use super::{TimelineView, target_of};
use crate::base::waker::Waker;
use crate::playback::Playback;
use crate::scene::selection::Selected;

/// Distance to the end of a loop, in frames, at which its last key is shown.
const BEFORE_END: f64 = 1e-4;

impl TimelineView {
    /// Pauses, and moves to the next or the previous key of the selected part, or of any if it has none.
    pub fn go_to_key(
        &mut self,
        playback: &mut Playback,
        selected: Option<Selected>,
        forwards: bool,
        waker: Option<&Waker>,
    ) {
        self.keys.refresh(&playback.animator, waker);
        let Some(keyed) = self.keys.shown() else { return };
        let row = selected.and_then(target_of).and_then(|target| keyed.target(target));
        let times = row.map_or(&keyed.all, |row| &row.times);
        let position = playback.animator.playback(0).position();
        let found = if forwards { times.next_after(position) } else { times.last_before(position) };
        if let Some(position) = found {
            self.go_to(playback, position);
        }
    }

    /// Pauses, and moves to a position in frames.
    pub fn go_to(&mut self, playback: &mut Playback, position: f64) {
        let animator = &mut playback.animator;
        animator.set_playing(false);
        let playback = animator.playback(0);
        let length = playback.length();
        // The end of a loop is its start. Just before it, keyed motion shows its last key.
        let is_end = playback.is_keyed() && playback.wraps() && position >= length;
        animator.seek(if is_end { (length - BEFORE_END).max(0.0) } else { position });
        self.zoom.reveal(position, length);
    }
}
