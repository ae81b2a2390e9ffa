//! The course of values over an animation: a few numbers for each of eight equal spans.
//!
//! The samples of a span are the stored frames in it. Of keys, they are instants that depend on the duration only, so
//! that keys that change nothing do not change the numbers.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::sampler::rounded;

/// Most spans of an animation; one with fewer frames has a span for each.
pub const SPANS: usize = 8;

/// Numbers of a span. Two change if the same values come in another order: the mean of the values times -1 to 1 from its
/// start to its end, and the mean of the steps from one to the next, for neighbours that are exchanged.
const NUMBERS: usize = 5;

/// What changes over an animation, compared with the setup pose, and of colours with white: there, all values are 0. For
/// each span, minimum, maximum, mean, trend and mean step, or one number if it is constant; only one span if it is constant in all.
pub type Course = BTreeMap<Channel, Vec<Vec<f64>>>;

/// A value that changes over an animation. Those of bones are relative to their parents and after constraints.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Channel {
    /// Area of a unit square on the bone.
    Area,
    /// Checksum of the name of the attachment that a slot shows.
    Attachment,
    /// Where the x axis of the bone points: angles would jump at half a turn.
    AxisX,
    /// The same along the y axis.
    AxisY,
    /// Weighted sum of the parts of a slot's colours.
    Color,
    /// Weighted sum of the offsets of a deformed attachment.
    Deform,
    /// Checksum of the names of the slots, back to front.
    DrawOrder,
    /// 1 while a bone moves nothing: it is inactive, or below a bone without any size.
    Inactive,
    /// Duration of a frame.
    Seconds,
    /// By how much the axes of a bone are not at a right angle.
    Shear,
    /// Position of a bone in world units.
    X,
    /// The same along the y axis.
    Y,
}

impl Channel {
    /// Returns the step to which numbers are rounded. Positions have the step `precision`.
    pub fn step(self, precision: f64) -> f64 {
        match self {
            Self::X | Self::Y | Self::Deform => precision,
            Self::Attachment | Self::DrawOrder => 1.0,
            Self::AxisX | Self::AxisY | Self::Area | Self::Shear | Self::Inactive => 1e-4,
            Self::Color | Self::Seconds => 1e-4,
        }
    }

    /// Returns by how much numbers may differ from `number`: about twice the step, and of axes as much as two hundredths
    /// of a degree move them.
    fn tolerance(self, number: f64, precision: f64) -> f64 {
        match self {
            Self::AxisX | Self::AxisY | Self::Area | Self::Shear => 3.7e-4 * number.abs().max(1.0),
            Self::Attachment | Self::Color | Self::Deform | Self::DrawOrder => 2.1 * self.step(precision),
            Self::Inactive | Self::Seconds | Self::X | Self::Y => 2.1 * self.step(precision),
        }
    }

    /// Returns what of a slot or of all differs; empty for bones.
    pub fn name(self) -> &'static str {
        match self {
            Self::Attachment => ": attachment",
            Self::Color => ": colour",
            Self::Deform => ": deformation",
            Self::DrawOrder => ": draw order",
            Self::Seconds => ": duration",
            Self::Area | Self::AxisX | Self::AxisY | Self::Inactive | Self::Shear | Self::X | Self::Y => "",
        }
    }
}

/// Adds up samples, each with the same number of values.
pub struct Spans {
    width: usize,
    samples: usize,
    added: usize,
    /// By span and value: minimum, maximum, and the sums.
    numbers: Vec<[f64; NUMBERS]>,
    /// The last sample.
    before: Vec<f64>,
}

impl Spans {
    /// Prepares the spans for `samples` with `width` values.
    pub fn new(width: usize, samples: usize) -> Self {
        let unset = [f64::INFINITY, f64::NEG_INFINITY, 0.0, 0.0, 0.0];
        let numbers = vec![unset; width * SPANS.min(samples)];
        Self { width, samples, added: 0, numbers, before: vec![0.0; width] }
    }

    /// Adds the next sample.
    pub fn add(&mut self, values: &[f64]) {
        let spans = SPANS.min(self.samples).max(1);
        let span = self.added * spans / self.samples.max(1);
        let [start, end] = [span, span + 1].map(|span| (span * self.samples).div_ceil(spans));
        let count = end.saturating_sub(start) as f64;
        let weight = (2 * (self.added - start) + 1) as f64 / count - 1.0;
        let is_first = self.added == start;
        self.added += 1;
        let numbers = self.numbers.get_mut(span * self.width..).unwrap_or_default();
        for (([least, most, mean, trend, step], value), before) in
            numbers.iter_mut().zip(values).zip(&mut self.before)
        {
            *least = least.min(*value);
            *most = most.max(*value);
            *mean += value / count;
            *trend += value * weight / count;
            *step += if is_first { 0.0 } else { (value - *before).abs() / count };
            *before = *value;
        }
    }

    /// Returns the spans of the value at `at`; `None` if it is always 0.
    pub fn course(&self, at: usize, step: f64) -> Option<Vec<Vec<f64>>> {
        let values = self.numbers.chunks_exact(self.width.max(1)).filter_map(|values| values.get(at));
        let span = |numbers: &[f64; NUMBERS]| {
            let mut span = numbers.map(|number| rounded(number, step)).to_vec();
            if span[0] == span[1] {
                span.truncate(1);
            }
            span
        };
        let mut spans: Vec<Vec<f64>> = values.map(span).collect();
        if spans.iter().all(|span| span.len() == 1 && *span == spans[0]) {
            spans.truncate(1);
        }
        (!spans.is_empty() && spans != [[0.0]]).then_some(spans)
    }
}

/// Returns which of the spans of two courses differ, by the name of the channel, and how far, in tolerances.
pub fn differing(old: &Course, new: &Course, precision: f64) -> BTreeMap<&'static str, ([bool; SPANS], f64)> {
    let mut found: BTreeMap<_, ([bool; SPANS], f64)> = BTreeMap::new();
    for channel in old.keys().chain(new.keys()) {
        let [was, is] = [old, new].map(|course| course.get(channel).map_or(&[][..], Vec::as_slice));
        for span in 0..SPANS {
            let pairs = numbers(was, span).into_iter().zip(numbers(is, span));
            let off = pairs.map(|(a, b)| (a - b).abs() / channel.tolerance(a, precision)).fold(0.0, f64::max);
            if off > 1.0 {
                let (differs, most) = found.entry(channel.name()).or_default();
                differs[span] = true;
                *most = most.max(off);
            }
        }
    }
    found
}

/// Returns the numbers of one of [`SPANS`] spans. A short animation has fewer, and each covers several of them.
fn numbers(spans: &[Vec<f64>], span: usize) -> [f64; NUMBERS] {
    match spans.get(span * spans.len() / SPANS).map(Vec::as_slice) {
        Some(&[least, most, mean, trend, step]) => [least, most, mean, trend, step],
        Some(&[constant, ..]) => [constant, constant, constant, 0.0, 0.0],
        Some([]) | None => [0.0; NUMBERS],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A breath of 60 frames, in which a bone turns by five degrees and back; two frames can be exchanged.
    fn course(exchanged: [usize; 2]) -> Course {
        let mut frames: Vec<f64> =
            (0..60).map(|frame| f64::from(frame) / 60.0).map(|time| 0.35 * time * (1.0 - time)).collect();
        frames.swap(exchanged[0], exchanged[1]);
        let mut spans = Spans::new(1, 60);
        frames.iter().for_each(|value| spans.add(&[*value]));
        Course::from([(Channel::AxisY, spans.course(0, 1e-4).expect("it moves"))])
    }

    #[test]
    fn exchanged_frames_differ() {
        let differs = |frames| !differing(&course([0, 0]), &course(frames), 0.01).is_empty();
        assert!(!differs([3, 3]));
        for frames in [[0, 1], [3, 4], [5, 6], [7, 8], [49, 50], [2, 5], [10, 40]] {
            assert!(differs(frames), "{frames:?}");
        }
    }
}
