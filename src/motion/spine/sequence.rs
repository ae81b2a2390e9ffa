//! Attachments with several pictures; timelines choose the one that is shown.

use super::keys::last_before;
use super::{Moment, Posing, Rig, Scratch, StepKeys};
use crate::model::AttachmentId;
use crate::motion::{Direction, Mix};

/// The pictures of an attachment. Each is an attachment of the model.
#[derive(Debug, Clone)]
pub(crate) struct Sequence {
    /// The attachment that stands for all of them: the picture at rest.
    pub attachment: AttachmentId,
    /// The attachments of all pictures.
    pub pictures: Vec<AttachmentId>,
}

/// The keys of the picture of one attachment, and of attachments that use its timelines.
#[derive(Debug, Clone)]
pub(crate) struct SequenceKeys {
    pub attachment: AttachmentId,
    pub keys: StepKeys<SequenceKey>,
}

/// The picture from a time on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct SequenceKey {
    pub mode: SequenceMode,
    /// The first picture; negative: that at rest.
    pub index: i32,
    /// Seconds per picture.
    pub delay: f32,
}

/// How pictures follow each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SequenceMode {
    Hold,
    Once,
    Loop,
    PingPong,
    OnceReverse,
    LoopReverse,
    PingPongReverse,
}

impl SequenceKey {
    /// How much earlier than its delay is over a picture appears, as a share of the delay.
    pub const EARLY: f64 = 1e-5;

    /// Returns how many delays have passed after some seconds.
    pub fn passed(self, seconds: f64) -> usize {
        if self.delay > 0.0 { (seconds / f64::from(self.delay) + Self::EARLY) as usize } else { 0 }
    }

    /// Returns the index of the picture after some seconds, of `count`; `None` for that at rest.
    pub fn picture(self, seconds: f64, count: usize) -> Option<usize> {
        let first = usize::try_from(self.index).ok()?;
        let last = count.checked_sub(1)?;
        let at = first.saturating_add(self.passed(seconds));
        let back_and_forth = |at: usize| {
            let at = if last == 0 { 0 } else { at % (2 * last) };
            if at > last { 2 * last - at } else { at }
        };
        Some(match self.mode {
            SequenceMode::Hold => first.min(last),
            SequenceMode::Once => at.min(last),
            SequenceMode::Loop => at % count,
            SequenceMode::PingPong => back_and_forth(at),
            SequenceMode::OnceReverse => last.saturating_sub(at),
            SequenceMode::LoopReverse => last - at % count,
            SequenceMode::PingPongReverse => back_and_forth(at % (2 * last).max(1) + last),
        })
    }
}

impl Rig {
    /// Returns the sequence of an attachment.
    fn sequence(&self, attachment: AttachmentId) -> Option<&Sequence> {
        let at = self.sequences.binary_search_by_key(&attachment, |it| it.attachment).ok()?;
        Some(&self.sequences[at])
    }
}

impl Scratch {
    /// Chooses the picture of a slot; `None`: that at rest.
    pub(super) fn set_picture(&mut self, slot: usize, picture: Option<u32>) {
        if picture.is_some() && self.pictures.len() <= slot {
            self.pictures.resize(slot + 1, None);
        }
        if let Some(now) = self.pictures.get_mut(slot) {
            *now = picture;
        }
    }
}

impl Posing<'_> {
    /// Chooses the picture of a slot if it shows the keyed attachment.
    pub(super) fn show_picture(&mut self, slot: usize, keys: &SequenceKeys, moment: &Moment<'_>) {
        let Self { rig, scratch, pose, .. } = self;
        let shown = pose.slots[slot].attachment;
        if !scratch.is_active[rig.slots[slot].bone] || !rig.is_timed_as(shown, keys.attachment) {
            return;
        }
        let Some(sequence) = shown.and_then(|shown| rig.sequence(shown)) else { return };
        if moment.blend.direction == Direction::Out && rig.rules.keeps_pictures {
            if moment.blend.mix == Mix::Setup {
                scratch.set_picture(slot, None);
            }
            return;
        }
        let keyed = last_before(&keys.keys.times, moment.time).map(|at| {
            let seconds = moment.time.secs - f64::from(keys.keys.times[at]);
            keys.keys.values[at].picture(seconds, sequence.pictures.len())
        });
        match (keyed, moment.blend.mix) {
            (Some(picture), _) => scratch.set_picture(slot, picture.map(|picture| picture as u32)),
            (None, Mix::Setup | Mix::First) => scratch.set_picture(slot, None),
            (None, Mix::Replace | Mix::Add | Mix::Fade) => {}
        }
    }

    /// Replaces attachments by their chosen pictures.
    pub(super) fn resolve_pictures(&mut self) {
        let Self { rig, scratch, pose, .. } = self;
        for (slot, picture) in scratch.pictures.iter().enumerate() {
            let Some(picture) = *picture else { continue };
            let shown = &mut pose.slots[slot].attachment;
            if let Some(sequence) = shown.and_then(|shown| rig.sequence(shown)) {
                *shown = sequence.pictures.get(picture as usize).copied().or(*shown);
            }
        }
    }

    /// Replaces pictures by their attachments, to continue from the previous frame.
    pub(super) fn unresolve_pictures(&mut self) {
        let Self { rig, model, pose, .. } = self;
        if rig.sequences.is_empty() {
            return;
        }
        for state in &mut pose.slots {
            state.attachment = state.attachment.map(|shown| model.authored_attachment(shown));
        }
    }
}
