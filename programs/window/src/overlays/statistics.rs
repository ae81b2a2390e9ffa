//! What drawing costs: the numbers of the statistics in the corner of the canvas.
//!
//! Nothing is recorded while they are hidden. Only frames that are painted anyway are counted, so the numbers of a
//! paused window stay as they are.

use std::collections::VecDeque;
use std::time::Duration;

use crate::scene::cost::PictureCost;

/// Number of frames in the graph.
pub const FRAMES: usize = 120;

/// The statistics.
#[derive(Debug, Clone, Default)]
pub struct Statistics {
    is_shown: bool,
    /// What paints the window, such as `Vulkan, llvmpipe`.
    pub screen: String,
    /// The times of the last frames in milliseconds, the newest last.
    frames: VecDeque<f32>,
    picture: Option<PictureCost>,
}

impl Statistics {
    /// Returns true if they are shown.
    pub fn is_shown(&self) -> bool {
        self.is_shown
    }

    /// Shows or hides them. What was recorded before is dropped.
    pub fn toggle(&mut self) {
        let screen = std::mem::take(&mut self.screen);
        *self = Self { is_shown: !self.is_shown, screen, ..Self::default() };
    }

    /// Records a painted frame: the time from the beginning of its layout until it was passed to the screen, and
    /// the cost of the last picture. `posing` was spent on that picture before the screen got it. Returns true for
    /// the first frame, after which another one has to show the numbers.
    pub fn record(&mut self, frame: Duration, posing: Duration, picture: Option<PictureCost>) -> bool {
        if !self.is_shown {
            return false;
        }
        let is_first = self.frames.is_empty();
        if self.frames.len() == FRAMES {
            self.frames.pop_front();
        }
        self.frames.push_back(frame.as_secs_f32() * 1000.0);
        if let Some(cost) = picture
            && self.picture.is_none_or(|known| known.number != cost.number)
        {
            self.picture = Some(PictureCost { evaluating: cost.evaluating + posing, ..cost });
        }
        is_first
    }

    /// Returns the times of the last frames in milliseconds, the newest last.
    pub fn frames(&self) -> impl ExactSizeIterator<Item = f32> + Clone {
        self.frames.iter().copied()
    }

    /// Returns the cost of the last picture.
    #[cfg(test)]
    pub fn picture(&self) -> Option<PictureCost> {
        self.picture
    }

    /// Returns the lines as name and value, with values of constant width.
    pub fn lines(&self) -> Vec<(&'static str, String)> {
        let mut lines = Vec::with_capacity(9);
        let longest = self.frames().fold(0.0, f32::max);
        let frame = self.frames.back().map_or("–".to_owned(), |last| format!("{last:6.2} ms"));
        lines.push(("Frame", frame));
        if !self.frames.is_empty() {
            lines.push(("Longest", format!("{longest:6.2} ms")));
        }
        if let Some(cost) = self.picture {
            let millis = |time: Duration| format!("{:6.3} ms", time.as_secs_f64() * 1000.0);
            lines.extend([
                ("Evaluation", millis(cost.evaluating)),
                ("Draw list", millis(cost.listing)),
                ("Draws", grouped(cost.draws)),
                ("Vertices", grouped(cost.vertices)),
                ("Triangles", grouped(cost.triangles)),
                ("Upload", bytes(cost.uploaded_bytes)),
                ("Textures", bytes(cost.texture_bytes)),
            ]);
        }
        lines
    }
}

/// Writes a number with commas between thousands.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

pub fn bytes(count: u64) -> String {
    match count {
        0..10_000 => format!("{} B", grouped(count)),
        10_000..10_240_000 => format!("{:.1} KiB", count as f64 / 1024.0),
        _ => format!("{:.1} MiB", count as f64 / (1024.0 * 1024.0)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_easy_to_read() {
        assert_eq!([0, 999, 1000, 1_234_567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!([5, 20_480, 64 << 20].map(bytes), ["5 B", "20.0 KiB", "64.0 MiB"]);
    }

    #[test]
    fn the_last_frames_and_the_last_picture_are_kept() {
        let mut statistics = Statistics::default();
        let millis = Duration::from_millis;
        assert!(!statistics.record(millis(3), millis(0), None), "hidden");
        assert_eq!(statistics.frames().len(), 0);
        statistics.toggle();
        let cost = PictureCost { draws: 7, evaluating: millis(1), ..PictureCost::default() };
        assert!(statistics.record(millis(3), millis(4), Some(cost)));
        for frame in 0..200 {
            assert!(!statistics.record(millis(frame), millis(1), Some(cost)), "the picture is the same");
        }
        assert_eq!((statistics.frames().len(), statistics.frames().next()), (FRAMES, Some(80.0)));
        assert_eq!(statistics.picture(), Some(PictureCost { evaluating: millis(5), ..cost }));
        assert!(!statistics.record(millis(3), millis(0), Some(PictureCost { number: 1, ..cost })));
        assert_eq!(statistics.picture().map(|cost| cost.number), Some(1));
        statistics.toggle();
        assert_eq!((statistics.frames().len(), statistics.picture()), (0, None));
    }
}
