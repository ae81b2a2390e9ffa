//! `samples = N`: stored frames that are evenly spread over an animation.

use pchr::export::FrameSpec;

/// Maximum number of samples per animation.
const MAX_SAMPLES: u32 = 10_000;

/// Parses a number of samples.
pub fn parse(text: &str) -> Result<u32, String> {
    let parsed = text.parse().ok().filter(|count| (1..=MAX_SAMPLES).contains(count));
    parsed.ok_or_else(|| format!("expected a number from 1 to {MAX_SAMPLES}"))
}

/// Selects `samples` of `count` stored frames, from the first to the last.
pub fn spread(samples: u32, count: u32) -> FrameSpec {
    let frames: Vec<String> = indices(samples, count).map(|frame| frame.to_string()).collect();
    // Without stored frames, the first one stands for the bind pose.
    frames.join(",").parse().unwrap_or_default()
}

fn indices(samples: u32, count: u32) -> impl Iterator<Item = u64> {
    let samples = u64::from(samples.min(count));
    let (last, gaps) = (u64::from(count).saturating_sub(1), samples.saturating_sub(1).max(1));
    // Rounded to the nearest frame.
    (0..samples).map(move |sample| (2 * sample * last + gaps) / (2 * gaps))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_go_from_the_first_frame_to_the_last() {
        let of = |samples, count| indices(samples, count).collect::<Vec<_>>();
        assert_eq!(of(3, 24), [0, 12, 23]);
        assert_eq!(of(3, 25), [0, 12, 24]);
        assert_eq!(of(3, 2), [0, 1]);
        assert_eq!(of(3, 1), [0]);
        assert_eq!(of(1, 24), [0]);
        assert_eq!(of(5, 5), [0, 1, 2, 3, 4]);
        assert_eq!(of(2, u32::MAX), [0, u64::from(u32::MAX) - 1]);
        assert_eq!(spread(3, 0), FrameSpec::default());
        assert_eq!(spread(3, 24).to_string(), "0,12,23");
    }

    #[test]
    fn samples_are_distinct() {
        for count in 1..60 {
            for samples in 1..60 {
                let found: Vec<u64> = indices(samples, count).collect();
                assert!(found.is_sorted_by(|a, b| a < b), "{samples} of {count}: {found:?}");
                assert!(found.iter().all(|&frame| frame < count.into()));
            }
        }
    }
}
