//! What `pchr diff` finds between the two characters, found on a thread of its own.

use std::sync::Arc;

use crate::character::Character;
use crate::diff::{self, Line, Options, Side};
use crate::error::escaped;
use crate::limits::Limits;
use crate::viewer::worker::Worker;

/// Two characters and the paths of their files.
#[derive(Debug, Clone)]
pub struct Pair {
    /// The characters.
    pub characters: [Arc<Character>; 2],
    /// The paths of their files, with `/`.
    pub files: [String; 2],
    /// Limits of the comparison.
    pub limits: Limits,
}

impl Pair {
    fn is_of(&self, other: &Self) -> bool {
        self.characters.iter().zip(&other.characters).all(|(a, b)| Arc::ptr_eq(a, b))
    }

    fn lines(&self) -> Result<Arc<[Line]>, String> {
        let side = |index: usize| Side { character: &self.characters[index], file: &self.files[index] };
        let options = Options { limits: self.limits.clone(), ..Options::default() };
        let diff = diff::compare(side(0), side(1), &options);
        diff.map(|diff| diff.lines().into()).map_err(|error| escaped(&error.to_string()))
    }
}

/// The differences, or why they cannot be found.
type Answer = Result<Arc<[Line]>, String>;

/// The list of differences.
#[derive(Debug, Default)]
pub struct Findings {
    /// The list is shown.
    pub is_shown: bool,
    /// Only lines that contain this are listed, whatever the case.
    pub filter: String,
    /// The line that was chosen last.
    pub chosen: Option<usize>,
    worker: Option<Worker<Pair, (Pair, Answer)>>,
    asked: Option<Pair>,
    answer: Option<Answer>,
    /// The listed lines, and the filter that they contain.
    listed: Option<(String, Vec<usize>)>,
}

impl Findings {
    /// Compares `pair`, unless it was compared last. What was found between other characters is forgotten.
    pub fn follow(&mut self, pair: Pair) {
        if !self.asked.as_ref().is_some_and(|asked| asked.is_of(&pair)) {
            (self.answer, self.listed, self.chosen) = (None, None, None);
            let work = |pair: Pair| {
                let answer = pair.lines();
                (pair, answer)
            };
            self.worker.get_or_insert_with(|| Worker::start("diff", work)).ask(pair.clone());
            self.asked = Some(pair);
        }
        if let (Some((of, answer)), Some(asked)) = (self.worker.as_ref().and_then(Worker::take), &self.asked)
            && of.is_of(asked)
        {
            self.answer = Some(answer);
        }
    }

    /// Forgets the characters and what was found.
    pub fn forget(&mut self) {
        if self.asked.is_none() {
            return;
        }
        *self = Self { is_shown: self.is_shown, filter: std::mem::take(&mut self.filter), ..Self::default() };
    }

    /// Returns all differences, or why they cannot be found; `None` while they are being looked for.
    pub fn answer(&self) -> Option<&Answer> {
        self.answer.as_ref()
    }

    /// Returns the indices of the lines that match the filter.
    pub fn listed(&mut self) -> &[usize] {
        let Some(Ok(lines)) = &self.answer else { return &[] };
        if self.listed.as_ref().is_none_or(|(filter, _)| *filter != self.filter) {
            let wanted = self.filter.to_lowercase();
            let matches = |line: &Line| {
                let Line { kind, name, detail, .. } = line;
                wanted.is_empty() || format!("{} {name} {detail}", kind.plural()).to_lowercase().contains(&wanted)
            };
            let places = (0..lines.len()).filter(|&place| matches(&lines[place])).collect();
            self.listed = Some((self.filter.clone(), places));
        }
        self.listed.as_ref().map_or(&[], |(_, places)| places)
    }
}
