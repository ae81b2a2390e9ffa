//! When the next frame is due.
//!
//! egui lays out two more frames after every input, in case something reacts to it late. In lists and bars nothing reacts
//! late to a mere move of the pointer, so that crossing a row costs one frame instead of three.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use egui::{Context, Event, RawInput};

use super::paint::Painted;

/// Frame interval if the screen does not wait for vertical sync.
const FRAME: Duration = Duration::from_millis(16);
/// Interval between attempts to repaint if nothing moves.
const RETRY: Duration = Duration::from_secs(1);

/// Returns how long after the beginning of a frame the next one begins. `paces_itself`: painting waits for vertical sync.
/// `unchanged`: how long the character looks the same, if it moves. `delay`: when something else needs a frame.
pub fn until_next(
    painted: &Painted,
    paces_itself: bool,
    unchanged: Option<Duration>,
    delay: Duration,
) -> Duration {
    match painted {
        // A hidden surface does not wait for vertical sync.
        Painted::Later if unchanged.is_some() || delay.is_zero() => FRAME,
        Painted::Later => delay.min(RETRY),
        Painted::Shown | Painted::Lost(_) if paces_itself => unchanged.map_or(delay, |_| Duration::ZERO),
        // On the CPU, a frame is only painted if something changes, and nothing but this keeps the window from laying out
        // thousands of frames per second.
        Painted::Shown | Painted::Lost(_) => unchanged.unwrap_or(Duration::MAX).min(delay).max(FRAME),
    }
}

/// Returns when to lay out a frame after input, if not at once. `last` is when the last frame began. Without vertical sync,
/// there is at most one frame per interval: a mouse reports moves faster than needed.
pub fn after_input(last: Option<Instant>, paces_itself: bool, now: Instant) -> Option<Instant> {
    last.filter(|_| !paces_itself)?.checked_add(FRAME).filter(|next| *next > now)
}

/// Collects the repaints that are requested while a frame is laid out.
#[derive(Debug, Clone, Default)]
pub struct Repaints(Arc<Mutex<Requested>>);

#[derive(Debug, Default)]
struct Requested {
    /// Number of requests for a frame at once.
    at_once: u32,
    /// The shortest delay of all other requests.
    later: Option<Duration>,
}

impl Repaints {
    /// Collects the requests to `ctx` from now on.
    pub fn of(ctx: &Context) -> Self {
        let it = Self::default();
        let observed = it.clone();
        ctx.set_repaint_observer(move |request| {
            let mut requested = observed.requested();
            match request.delay {
                Duration::ZERO => requested.at_once += 1,
                delay => requested.later = Some(requested.later.map_or(delay, |later| later.min(delay))),
            }
        });
        it
    }

    /// Forgets what was requested. Call it before a frame is laid out.
    pub fn begin(&self) {
        *self.requested() = Requested::default();
    }

    /// Returns how long after a frame the next one is due. `of_egui` is what egui says; `is_mere_move`: the input of the
    /// frame was [`is_mere_move`] in lists or bars.
    pub fn delay(&self, is_mere_move: bool, of_egui: Duration) -> Duration {
        let requested = self.requested();
        // One request comes from the move itself.
        match is_mere_move && requested.at_once <= 1 {
            true => requested.later.unwrap_or(Duration::MAX),
            false => of_egui,
        }
    }

    fn requested(&self) -> MutexGuard<'_, Requested> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns true if nothing but the pointer has moved.
pub fn is_mere_move(input: &RawInput) -> bool {
    let is_move = |event: &Event| matches!(event, Event::PointerMoved(_));
    !input.events.is_empty()
        && input.events.iter().all(is_move)
        && input.hovered_files.is_empty()
        && input.dropped_files.is_empty()
}

#[cfg(test)]
mod tests {
    use egui::{Sense, Ui, ViewportId, pos2, vec2};

    use super::*;

    /// Lays out a frame with these events and returns the delay of the next one.
    fn delay(ctx: &Context, repaints: &Repaints, events: Vec<Event>, show: impl FnMut(&mut Ui)) -> Duration {
        let input = RawInput { events, ..RawInput::default() };
        let is_mere_move = is_mere_move(&input);
        repaints.begin();
        let mut output = ctx.run_ui(input, show);
        output.textures_delta.clear();
        repaints.delay(is_mere_move, output.viewport_output[&ViewportId::ROOT].repaint_delay)
    }

    #[test]
    fn without_vertical_sync_frames_are_16_ms_apart_at_least() {
        let [ms_0, ms_5, ms_16, ms_40, secs_9] = [0, 5, 16, 40, 9000].map(Duration::from_millis);
        let never = Duration::MAX;
        for (painted, paces_itself, unchanged, delay, expected) in [
            (Painted::Shown, false, Some(ms_5), never, ms_16),
            (Painted::Shown, false, Some(ms_40), never, ms_40),
            (Painted::Shown, false, Some(ms_40), ms_0, ms_16),
            (Painted::Shown, false, None, ms_0, ms_16),
            (Painted::Shown, false, None, ms_40, ms_40),
            (Painted::Shown, false, None, never, never),
            (Painted::Shown, true, Some(ms_40), never, ms_0),
            (Painted::Shown, true, None, ms_5, ms_5),
            (Painted::Shown, true, None, never, never),
            (Painted::Later, true, Some(ms_0), never, ms_16),
            (Painted::Later, true, None, ms_0, ms_16),
            (Painted::Later, false, None, secs_9, Duration::from_secs(1)),
        ] {
            let found = until_next(&painted, paces_itself, unchanged, delay);
            assert_eq!(found, expected, "{painted:?}, {paces_itself}, {unchanged:?}, {delay:?}");
        }
        let now = Instant::now();
        assert_eq!(after_input(Some(now), false, now + ms_5), Some(now + ms_16));
        assert_eq!(after_input(Some(now), false, now + ms_40), None);
        assert_eq!(after_input(Some(now), true, now + ms_5), None);
        assert_eq!(after_input(None, false, now), None);
    }

    #[test]
    fn a_mere_move_asks_only_for_what_widgets_ask_for() {
        let ctx = Context::default();
        let repaints = Repaints::of(&ctx);
        let quiet = |ui: &mut Ui| drop(ui.allocate_response(vec2(50.0, 50.0), Sense::click()));
        while delay(&ctx, &repaints, Vec::new(), quiet).is_zero() {}
        let to = |x: f32| vec![Event::PointerMoved(pos2(x, 5.0))];
        assert_eq!(delay(&ctx, &repaints, to(5.0), quiet), Duration::MAX);
        assert_eq!(delay(&ctx, &repaints, to(6.0), quiet), Duration::MAX);
        let later = |ui: &mut Ui| ui.request_repaint_after_secs(0.5);
        assert_eq!(delay(&ctx, &repaints, to(7.0), later), Duration::from_millis(500));
        assert_eq!(delay(&ctx, &repaints, to(8.0), |ui: &mut Ui| ui.request_repaint()), Duration::ZERO);
        assert_eq!(delay(&ctx, &repaints, vec![Event::Copy], quiet), Duration::ZERO);
    }
}
