//! What `pchr diff` finds between the two characters, found on a thread of its own.

use std::sync::Arc;

use crate::base::answer::Deferred;
use crate::base::filter::Filter;
use crate::base::memo::{ByAddress, Cached, Shared};
use crate::base::name;
use crate::base::waker::Waker;
use pchr::Character;
use pchr::diff::{self, Kind, Line, Options, Side};
use pchr::limits::Limits;

/// Returns the place of a kind in the list. Meshes come last: if the atlas was repacked, there is a line for each.
pub fn place_of(kind: Kind) -> usize {
    match kind {
        Kind::Bone => 0,
        Kind::Slot => 1,
        Kind::Constraint => 2,
        Kind::Skin => 3,
        Kind::Animation => 4,
        Kind::Pose => 5,
        Kind::Event => 6,
        Kind::Image => 7,
        Kind::Mesh => 8,
        Kind::Key => 9,
    }
}

/// Two characters and the paths of their files.
#[derive(Debug, Clone)]
pub struct Pair {
    /// The characters.
    pub characters: [Shared<Character>; 2],
    /// The paths of their files, with `/`.
    pub files: [String; 2],
    /// Limits of the comparison.
    pub limits: Limits,
}

impl PartialEq for Pair {
    /// Pairs of the same characters are equal, whatever their files are called.
    fn eq(&self, other: &Self) -> bool {
        self.characters == other.characters
    }
}

impl Pair {
    /// Returns what differs, or why that cannot be found.
    pub fn lines(&self) -> Answer {
        let side = |index: usize| Side { character: &self.characters[index], file: &self.files[index] };
        let options = Options { limits: self.limits.clone(), ..Options::default() };
        let diff = diff::compare(side(0), side(1), &options);
        let lines = diff.map(|diff| {
            let mut lines = diff.lines();
            lines.sort_by_key(|line| place_of(line.kind));
            lines.into()
        });
        lines.map_err(name::message)
    }
}

/// The differences, or why they cannot be found.
pub type Answer = Result<Arc<[Line]>, String>;

/// What the listed lines depend on: all lines, and the filter.
type ListOf = (ByAddress<[Line]>, Filter);

/// The list of differences.
#[derive(Debug, Default)]
pub struct Findings {
    /// The list is shown.
    pub is_shown: bool,
    /// The filter of the lines.
    pub filter: Filter,
    /// The line that was chosen last.
    pub chosen: Option<usize>,
    found: Deferred<Pair, Answer>,
    /// What was found elsewhere.
    adopted: Option<Answer>,
    /// The indices of the lines that match the filter.
    listed: Cached<ListOf, Arc<[usize]>>,
}

impl Findings {
    /// Compares two characters, unless they were compared last. What was found between other characters is forgotten.
    /// `waker` is called when they were compared; without one, it is done at once.
    pub fn follow(&mut self, pair: Pair, waker: Option<&Waker>) {
        self.adopted = None;
        if self.found.ask(pair, waker, Pair::lines) {
            self.chosen = None;
        }
    }

    /// Takes over what was found elsewhere.
    pub fn adopt(&mut self, answer: &Answer) {
        let is_known = match (&self.adopted, answer) {
            (Some(Ok(known)), Ok(lines)) => Arc::ptr_eq(known, lines),
            (Some(Err(known)), Err(error)) => known == error,
            (Some(_) | None, _) => false,
        };
        if !is_known {
            (self.adopted, self.chosen, self.found) = (Some(answer.clone()), None, Deferred::default());
        }
    }

    /// Forgets the characters and what was found.
    pub fn forget(&mut self) {
        *self = Self { is_shown: self.is_shown, filter: std::mem::take(&mut self.filter), ..Self::default() };
    }

    /// Returns all differences, or why they cannot be found; `None` while they are being looked for.
    pub fn answer(&self) -> Option<&Answer> {
        self.adopted.as_ref().or_else(|| self.found.answer())
    }

    /// Returns the indices of the lines that match the filter.
    pub fn listed(&mut self) -> Arc<[usize]> {
        let Some(Ok(lines)) = self.adopted.as_ref().or_else(|| self.found.answer()) else { return Arc::default() };
        let filter = &self.filter;
        let matches = |Line { kind, name, detail, .. }: &Line| {
            !filter.is_on() || filter.matches(&format!("{} {name} {detail}", kind.plural()))
        };
        let list = || (0..lines.len()).filter(|&place| matches(&lines[place])).collect();
        Arc::clone(self.listed.get((ByAddress::of(lines), filter.clone()), list))
    }

    /// Returns how often the list was computed.
    #[cfg(test)]
    pub fn computed(&self) -> u64 {
        self.listed.computed()
    }
}
