//! Atlases that may be the right one, and which of them is.

use std::cmp::Reverse;

use ::bytes::Bytes;

use super::atlas_names::Rank;
use crate::error::escaped;

/// Maximum number of atlases to list in a message.
const MAX_LISTED: usize = 8;

/// How much later an atlas must have been written to be newer. A checkout or an unpacked archive writes all files at about
/// the same time, in any order.
const NEWER_SECS: u64 = 60;

/// How far an atlas is from the skeleton in the folder tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Distance {
    Here,
    Below,
    BesideTheFolder,
}

/// An atlas that may be the right one.
pub struct Candidate {
    pub path: String,
    pub bytes: Bytes,
    /// Number of wanted regions in the atlas.
    pub fit: usize,
    /// Minimum `fit` to be accepted.
    pub needed: usize,
    pub distance: Distance,
    pub rank: Option<Rank>,
    /// `rank`, if the atlas is next to the skeleton and named after it alone.
    pub sure: Option<Rank>,
    /// Whether its name begins with that of the skeleton, or the other way round.
    pub is_alike: bool,
    /// When it was written, in seconds since 1970; 0 if that is unknown.
    pub written: u64,
    /// Index of the nearby folder that contains it.
    pub folder: Option<usize>,
}

impl Candidate {
    /// The path for a message.
    pub fn quoted(&self) -> String {
        format!("`{}`", escaped(&self.path))
    }

    /// Sort key, best first: by name if that is certain, otherwise by content.
    pub fn order(&self) -> impl Ord + use<> {
        let by_name = (self.sure.is_none(), self.sure);
        (by_name, Reverse(self.fit), self.distance, self.rank.is_none(), self.rank)
    }
}

/// Returns the best of equally good candidates, and why it is used. Of several, that is the one with the nearest name, or
/// else the newest, or else the first by path; but none if they lack regions: each may be the right one.
pub fn best_of_equal<'c>(equal: &[&'c Candidate], have_all: bool) -> Option<(&'c Candidate, String)> {
    match equal {
        [] => return None,
        [sole] => return Some((sole, String::new())),
        [..] if !have_all => return None,
        [..] => {}
    }
    let is_any_alike = equal.iter().any(|found| found.is_alike);
    let named: Vec<&Candidate> = equal.iter().copied().filter(|found| found.is_alike == is_any_alike).collect();
    let newest = named.iter().map(|found| found.written).max()?;
    let new: Vec<&Candidate> = named.iter().copied().filter(|found| newest - found.written < NEWER_SECS).collect();
    let best = new.iter().copied().min_by_key(|found| &found.path)?;
    let why = match (named.len(), new.len()) {
        (1, _) => "has the nearest name",
        (_, 1) => "is newer",
        _ => "comes first by path",
    };
    let others = equal.iter().filter(|found| found.path != best.path);
    Some((best, format!("; {} too, but this one {why}", listed(others.map(|found| found.quoted())))))
}

/// Lists the first items.
pub fn listed(items: impl Iterator<Item = String>) -> String {
    let items: Vec<String> = items.collect();
    let more = if items.len() > MAX_LISTED { " and others" } else { "" };
    items[..items.len().min(MAX_LISTED)].join(", ") + more
}
