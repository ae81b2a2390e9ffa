//! Frame selections: `N`, `A..B`, `A..=B`, `A..B:STEP`, `N,N,…` or `all`; negative numbers count from the end.

use std::fmt;
use std::iter::StepBy;
use std::ops::Range;
use std::str::FromStr;

use crate::error::escaped;
use crate::export::error::ParseError;

/// A selection of stored frames, independent of their number.
#[derive(Debug, Clone, PartialEq)]
pub enum FrameSpec {
    /// Every stored frame once.
    All,
    /// These parts, in order.
    Parts(Vec<FrameRange>),
}

/// One part of a [`FrameSpec`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FrameRange {
    first: i64,
    /// `None` selects only `first`.
    last: Option<Last>,
    step: u32,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Last {
    Excluded(i64),
    Included(i64),
}

impl Default for FrameSpec {
    fn default() -> Self {
        Self::Parts(vec![FrameRange { first: 0, last: None, step: 1 }])
    }
}

impl FrameSpec {
    /// Returns the number of frames and ranges that are listed.
    pub fn parts(&self) -> usize {
        match self {
            Self::All => 1,
            Self::Parts(parts) => parts.len(),
        }
    }

    /// Returns the selected frames out of `count`, or the first number that is out of range.
    pub fn resolve(&self, count: u32) -> Result<Vec<u32>, i64> {
        let parts = match self {
            Self::All => return Ok((0..count).collect()),
            Self::Parts(parts) => parts,
        };
        let mut frames = Vec::new();
        for part in parts {
            frames.extend(part.frames(count)?);
        }
        Ok(frames)
    }

    /// Returns the number of selected frames out of `count`, or the first number that is out of range.
    pub(crate) fn len(&self, count: u32) -> Result<u64, i64> {
        let parts = match self {
            Self::All => return Ok(count.into()),
            Self::Parts(parts) => parts,
        };
        parts.iter().try_fold(0u64, |sum, part| Ok(sum.saturating_add(part.frames(count)?.count() as u64)))
    }
}

impl FrameRange {
    /// Returns the selected frames of this part out of `count`, in constant time.
    fn frames(&self, count: u32) -> Result<StepBy<Range<u32>>, i64> {
        let existing = |frame: i64| {
            let from_start = if frame < 0 { frame + i64::from(count) } else { frame };
            u32::try_from(from_start).ok().filter(|&found| found < count).ok_or(frame)
        };
        let first = existing(self.first)?;
        let end = match self.last {
            None => first + 1,
            Some(Last::Included(last)) => existing(last)? + 1,
            // An exclusive range may end one past the last frame.
            Some(Last::Excluded(end)) if end == i64::from(count) => count,
            Some(Last::Excluded(end)) => existing(end)?,
        };
        Ok((first..end).step_by(self.step as usize))
    }
}

impl fmt::Display for FrameSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = match self {
            Self::All => return f.write_str("all"),
            Self::Parts(parts) => parts,
        };
        for (index, part) in parts.iter().enumerate() {
            write!(f, "{}{part}", if index == 0 { "" } else { "," })?;
        }
        Ok(())
    }
}

impl fmt::Display for FrameRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.last {
            None => write!(f, "{}", self.first)?,
            Some(Last::Excluded(last)) => write!(f, "{}..{last}", self.first)?,
            Some(Last::Included(last)) => write!(f, "{}..={last}", self.first)?,
        }
        // A step is only written with a range.
        match self.step {
            1 => Ok(()),
            step => write!(f, ":{step}"),
        }
    }
}

impl FrameSpec {
    /// Selects one stored frame.
    pub fn one(frame: u32) -> Self {
        Self::Parts(vec![FrameRange { first: frame.into(), last: None, step: 1 }])
    }

    /// Selects every `step`th stored frame from `first` to `last`, both inclusive.
    pub fn range(first: u32, last: u32, step: u32) -> Self {
        let range = FrameRange { first: first.into(), last: Some(Last::Included(last.into())), step: step.max(1) };
        Self::Parts(vec![range])
    }
}

impl FromStr for FrameSpec {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text == "all" {
            return Ok(Self::All);
        }
        let parts: Option<Vec<FrameRange>> = text.split(',').map(parse_range).collect();
        parts.map(Self::Parts).ok_or_else(|| {
            let expected = "expected N, A..B, A..=B, A..B:STEP, N,N,… or all";
            ParseError(format!("`{}` is not a frame selection, {expected}", escaped(text)))
        })
    }
}

fn parse_range(text: &str) -> Option<FrameRange> {
    let number = |text: &str| text.parse::<i64>().ok();
    let Some((first, rest)) = text.split_once("..") else {
        return Some(FrameRange { first: number(text)?, last: None, step: 1 });
    };
    let (last, step) = match rest.split_once(':') {
        Some((last, step)) => (last, step.parse().ok().filter(|&step| step > 0)?),
        None => (rest, 1),
    };
    let last = match last.strip_prefix('=') {
        Some(last) => Last::Included(number(last)?),
        None => Last::Excluded(number(last)?),
    };
    Some(FrameRange { first: number(first)?, last: Some(last), step })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frames(text: &str) -> Result<Vec<u32>, i64> {
        text.parse::<FrameSpec>().unwrap().resolve(10)
    }

    #[test]
    fn every_form_gives_its_frames() {
        assert_eq!(frames("3"), Ok(vec![3]));
        assert_eq!(frames("-1"), Ok(vec![9]));
        assert_eq!(frames("2..5"), Ok(vec![2, 3, 4]));
        assert_eq!(frames("2..=5"), Ok(vec![2, 3, 4, 5]));
        assert_eq!(frames("0..10:4"), Ok(vec![0, 4, 8]));
        assert_eq!(frames("-3..=-1"), Ok(vec![7, 8, 9]));
        assert_eq!(frames("1,1,0"), Ok(vec![1, 1, 0]));
        assert_eq!(frames("4..10"), Ok((4..10).collect()));
        assert_eq!(frames("4..4"), Ok(vec![]));
        assert_eq!(frames("5..0"), Ok(vec![]));
        assert_eq!(frames("-3..0"), Ok(vec![]));
        assert_eq!(frames("5..=2"), Ok(vec![]));
        assert_eq!(frames("all"), Ok((0..10).collect()));
    }

    #[test]
    fn frames_are_counted_without_collecting_them() {
        for text in ["3", "0..10:4", "-3..=-1", "1,1,0", "5..0", "all", "0..=9:100", "2..5,2..5"] {
            let spec: FrameSpec = text.parse().unwrap();
            assert_eq!(spec.len(10), spec.resolve(10).map(|frames| frames.len() as u64), "{text}");
        }
        assert_eq!(FrameSpec::All.len(u32::MAX), Ok(u64::from(u32::MAX)));
        let spec: FrameSpec = "0..=-1,0..=-1:2".parse().unwrap();
        assert_eq!(spec.len(u32::MAX), Ok(u64::from(u32::MAX) + (1 << 31)));
        assert_eq!("3,10".parse::<FrameSpec>().unwrap().len(10), Err(10));
    }

    #[test]
    fn display_and_parse_round_trip() {
        for text in ["all", "3", "-1", "2..5", "2..=5", "0..10:4", "-3..=-1:2", "1,1,0..=3,-2"] {
            assert_eq!(text.parse::<FrameSpec>().unwrap().to_string(), text);
        }
        assert_eq!(FrameSpec::one(7).to_string(), "7");
        assert_eq!(FrameSpec::range(1, 9, 3).to_string(), "1..=9:3");
    }

    #[test]
    fn missing_frames_are_reported() {
        assert_eq!(frames("10"), Err(10));
        assert_eq!(frames("-11"), Err(-11));
        assert_eq!(frames("5..12"), Err(12));
        assert_eq!(frames("0..-9223372036854775808"), Err(i64::MIN));
        assert_eq!("all".parse::<FrameSpec>().unwrap().resolve(0), Ok(vec![]));
    }

    #[test]
    fn invalid_selections_are_rejected() {
        for text in ["", "x", "1..", "..3", "1..5:0", "1..5:-1", "1,,2", "1...3", "99999999999999999999"] {
            assert!(text.parse::<FrameSpec>().is_err(), "{text}");
        }
    }
}
