//! One animation to be written to one file.

use super::timing::Rate;
use crate::export::options::{AnimatedFormat, RenderOptions};
use crate::model::{AnimationId, Model};
use crate::motion::Cue;

/// An animation to be written to one file.
#[derive(Debug, Clone, Copy)]
pub struct Clip<'a> {
    /// File format.
    pub format: AnimatedFormat,
    /// The contents of each picture, in order. Must not be empty.
    pub cues: &'a [Cue],
    /// Frame rate.
    pub rate: Rate,
    /// Start of each picture and end of the last one in seconds, if they are not evenly spaced. Video formats
    /// always use `rate`.
    pub starts_secs: Option<&'a [f64]>,
    /// Number of plays; 0 means forever.
    pub plays: u16,
    /// Mixes the colours of a GIF in patterns.
    pub dither: bool,
}

/// Result of writing a clip.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Outcome {
    /// False if the export was cancelled; the output is incomplete then.
    pub is_finished: bool,
    /// True if pixels were partly transparent and the format cannot represent that.
    pub has_partial_alpha: bool,
    /// True if the file plays slower than requested because the format has no durations this short.
    pub is_slowed: bool,
}

impl Clip<'_> {
    /// Returns the duration of picture `index`, in units of 1/`units` second.
    pub(super) fn duration(&self, index: usize, units: f64) -> u64 {
        let Some(starts) = self.starts_secs else { return self.rate.duration(index, units) };
        let start = |index: usize| (starts.get(index).copied().unwrap_or_default() * units + 0.5).floor() as u64;
        start(index + 1).saturating_sub(start(index))
    }

    /// Returns true if any picture is shown for less than 1/`units` second.
    pub(super) fn is_above(&self, units: f64) -> bool {
        let Some(starts) = self.starts_secs else { return self.rate.is_above(units) };
        // Tolerates rounding errors.
        starts.windows(2).any(|pair| (pair[1] - pair[0]) * units < 1.0 - 1e-6)
    }
}

impl RenderOptions {
    /// Returns how pictures of `animation` with `cues` are written to one file, or `None` for formats with one
    /// picture per file. `starts_secs` is the result of [`Self::starts_secs`].
    ///
    /// # Panics
    ///
    /// Panics if `animation` belongs to another model.
    #[track_caller]
    pub(crate) fn clip<'a>(
        &self,
        model: &Model,
        animation: Option<AnimationId>,
        cues: &'a [Cue],
        starts_secs: Option<&'a [f64]>,
    ) -> Option<Clip<'a>> {
        let animation = animation.map(|id| model.animation(id));
        Some(Clip {
            format: self.format().animated()?,
            cues,
            starts_secs,
            rate: Rate::new(animation.map_or(0.0, |animation| animation.fps() * f64::from(self.subject.speed))),
            dither: self.look.dither,
            // An animation that does not loop is played once and stays at its last picture.
            plays: self.subject.loops.unwrap_or(if animation.is_some_and(|animation| animation.looping) {
                0
            } else {
                1
            }),
        })
    }
}
