//! A new picture and its reference → a verdict.

use super::record::{DifferenceRecord, Verdict};
use pchr::draw::Picture;
use pchr::error::with_sources;
use pchr::export::Alpha;
use pchr::golden::{Allowance, Difference, difference};
use pchr::{Error, Result};

/// What was found in place of a reference.
pub enum Reference<T = Picture> {
    /// The reference.
    Found(T),
    /// Nothing.
    Missing,
    /// Something that cannot be read, and why.
    Unreadable(String),
}

impl<T> Reference<T> {
    /// Returns the result of reading a reference.
    pub fn of(read: Result<T>) -> Self {
        match read {
            Ok(found) => Self::Found(found),
            Err(error) if is_missing(&error) => Self::Missing,
            Err(error) => Self::Unreadable(with_sources(&error)),
        }
    }

    /// Returns the reference, if it was found.
    pub fn found(&self) -> Option<&T> {
        match self {
            Self::Found(found) => Some(found),
            Self::Missing | Self::Unreadable(_) => None,
        }
    }
}

/// Returns true if a file does not exist.
pub fn is_missing(error: &Error) -> bool {
    matches!(error, Error::Io { source, .. } if source.kind() == std::io::ErrorKind::NotFound)
}

/// The result of one comparison.
#[derive(Debug, Clone, PartialEq)]
pub struct Judgement {
    pub verdict: Verdict,
    pub difference: Option<DifferenceRecord>,
    pub reference_size: Option<[u32; 2]>,
    pub message: Option<String>,
}

/// Compares a picture with its reference.
pub fn judge(reference: &Reference, now: &Picture, allowance: &Allowance, alpha: Alpha) -> Judgement {
    let of = |verdict, message| Judgement { verdict, difference: None, reference_size: None, message };
    match reference {
        Reference::Missing => of(Verdict::Missing, Some("there was no reference".to_owned())),
        Reference::Unreadable(message) => of(Verdict::Unreadable, Some(message.clone())),
        Reference::Found(picture) => match difference(picture, now, allowance.tolerance, alpha) {
            Some(found) => judge_difference(&found, now, allowance),
            None => {
                let [(width, height), (new_width, new_height)] =
                    [picture, now].map(|picture| (picture.width(), picture.height()));
                let message =
                    format!("the reference is {width}×{height}, the new picture {new_width}×{new_height}");
                Judgement { reference_size: Some([width, height]), ..of(Verdict::Resized, Some(message)) }
            }
        },
    }
}

fn judge_difference(found: &Difference, now: &Picture, allowance: &Allowance) -> Judgement {
    let pixels = u64::from(now.width()) * u64::from(now.height());
    let is_same = allowance.accepts(found, pixels);
    let message = found.rect.filter(|_| !is_same).map(|[left, top, width, height]| {
        let (count, worst) = (found.pixels, found.worst);
        let verb = if count == 1 { "pixel differs" } else { "pixels differ" };
        format!("{count} of {pixels} {verb} by up to {worst}, within {width}×{height} at {left},{top}")
    });
    Judgement {
        verdict: if is_same { Verdict::Same } else { Verdict::Different },
        difference: Some(DifferenceRecord { pixels: found.pixels, rect: found.rect, worst: found.worst }),
        reference_size: None,
        message,
    }
}
