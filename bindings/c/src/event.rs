//! Updates and their events.

use std::ptr;

use pchr::player::{EventKind, TrackEvent};

use crate::animator::PchrAnimator;
use crate::border::{PchrStatus, PchrText, guarded, owned};

/// What happens on a track.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PchrEventKind {
    /// An animation starts.
    Start,
    /// The next one begins to replace it.
    Interrupt,
    /// It has reached its end, or the end of a loop.
    Complete,
    /// The animation is no longer played.
    End,
    /// The animation fires an event.
    Fired,
}

/// An event. Texts that it lacks are empty.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct PchrEvent {
    /// What has happened.
    pub kind: PchrEventKind,
    /// The track.
    pub track: usize,
    /// The animation; empty for the empty one to which a track fades out.
    pub animation: PchrText,
    /// The name of a fired event, which the following fields describe.
    pub name: PchrText,
    /// Integer payload.
    pub int_value: i32,
    /// Floating-point payload.
    pub float_value: f32,
    /// Text payload.
    pub text: PchrText,
    /// The name of the sound file.
    pub audio: PchrText,
    /// Volume of the sound; 1 as recorded.
    pub volume: f32,
    /// Balance of the sound, -1 left to 1 right.
    pub balance: f32,
}

/// The events of an update, in order.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct PchrEvents {
    /// The first event.
    pub data: *const PchrEvent,
    /// Number of events.
    pub len: usize,
}

/// Lets seconds pass, computes the pose, and returns the events if `events` is not null. They are valid until the next
/// update.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pchr_update(
    animator: *mut PchrAnimator,
    secs: f64,
    events: *mut PchrEvents,
) -> PchrStatus {
    guarded(|| {
        // SAFETY: the animator is valid, by the contract of the header.
        let PchrAnimator { animator, events: kept, .. } = unsafe { owned(animator)? };
        animator.update(secs);
        let model = animator.model();
        kept.clear();
        kept.extend(animator.events().map(|event| {
            let animation = event.animation.map_or("", |id| &model.animation(id).name);
            described(&event, animation)
        }));
        if !events.is_null() {
            // SAFETY: it is not null, and belongs to C.
            unsafe { ptr::write(events, PchrEvents { data: kept.as_ptr(), len: kept.len() }) };
        }
        Ok(())
    })
}

/// The texts belong to the character.
fn described(event: &TrackEvent<'_>, animation: &str) -> PchrEvent {
    let kind = match event.kind {
        EventKind::Start => PchrEventKind::Start,
        EventKind::Interrupt => PchrEventKind::Interrupt,
        EventKind::Complete => PchrEventKind::Complete,
        EventKind::End => PchrEventKind::End,
        EventKind::Fired(_) => PchrEventKind::Fired,
    };
    let none = PchrText::from("");
    let plain = PchrEvent {
        kind,
        track: event.track,
        animation: animation.into(),
        name: none,
        int_value: 0,
        float_value: 0.0,
        text: none,
        audio: none,
        volume: 1.0,
        balance: 0.0,
    };
    match event.kind {
        EventKind::Fired(fired) => PchrEvent {
            name: fired.name.into(),
            int_value: fired.int,
            float_value: fired.float,
            text: fired.string.into(),
            audio: fired.audio.unwrap_or_default().into(),
            volume: fired.volume,
            balance: fired.balance,
            ..plain
        },
        EventKind::Start | EventKind::Interrupt | EventKind::Complete | EventKind::End => plain,
    }
}
