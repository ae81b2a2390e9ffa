//! Comparing the shown character with a second one, or with its own version before the last save: which, how, and what
//! the second one shows.
//!
//! The timeline, the skins and the camera belong to the first character; the second one follows.

pub mod alignment;
pub mod changed_keys;
pub mod changes;
pub mod difference;
pub mod findings;
pub mod lineup;
pub mod member;
pub mod panel;
pub mod panes;
pub mod review;
pub mod sides;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use egui::Color32;

use crate::base::memo::{ByAddress, Cached};
use crate::base::texts::texts;
use crate::files::loading::job::Job;
use crate::parts::hidden::MeshPatterns;
use crate::scene::Scene;
use pchr::Character;
use pchr::draw::Hidden;
use pchr::motion::{Cue, Dynamics, Evaluator};
use pchr::pose::Pose;

pub use alignment::Align;
use difference::Comparer;
use findings::Findings;
use review::Review;

texts! {
    /// How two characters are shown.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
    pub enum Arrangement: label {
        /// Beside each other, with the same camera.
        #[default]
        SideBySide => "Side by side",
        /// One over the other, on either side of a divider.
        Swipe => "Swipe",
        /// One at a time: a key exchanges them.
        Blink => "Blink",
        /// One over the other, both half transparent.
        Onion => "Onion",
        /// As a picture of their differences.
        Difference => "Difference",
    }
}

impl Arrangement {
    /// Returns the next one, wrapping around.
    #[must_use]
    pub fn next(self) -> Self {
        let following = Self::ALL.into_iter().skip_while(|one| *one != self).nth(1);
        following.unwrap_or(Self::ALL[0])
    }
}

/// The comparison, and its settings while there is none.
#[derive(Debug)]
pub struct Compare {
    /// The user is choosing the second file.
    pub is_choosing: bool,
    /// How the characters are shown.
    pub arrangement: Arrangement,
    /// Which instant of the second character corresponds to one of the first.
    pub align: Align,
    /// Position of the divider: the fraction of the canvas left of it, 0 to 1.
    pub divider: f32,
    /// While blinking: the second character is the one that is seen.
    pub sees_second: bool,
    /// The list of differences.
    pub findings: Findings,
    /// What the last save has changed.
    pub review: Review,
    /// The second character; `None` while nothing is compared.
    pub second: Option<Box<Second>>,
}

impl Default for Compare {
    fn default() -> Self {
        Self {
            is_choosing: false,
            arrangement: Arrangement::default(),
            align: Align::default(),
            divider: 0.5,
            sees_second: false,
            findings: Findings::default(),
            review: Review::default(),
            second: None,
        }
    }
}

impl Compare {
    /// Returns how the characters are shown; `None` while nothing is compared.
    pub fn shown(&self) -> Option<Arrangement> {
        self.second.as_ref().map(|_| self.arrangement)
    }

    /// Returns true while the shown file is compared with its version before the last save.
    pub fn is_review(&self) -> bool {
        self.second.as_ref().is_some_and(|second| second.other == Other::Earlier)
    }

    /// Returns the colour by which both pictures are multiplied.
    pub fn tint(&self) -> Color32 {
        match self.shown() {
            Some(Arrangement::Onion) => Color32::from_white_alpha(128),
            Some(_) | None => Color32::WHITE,
        }
    }

    /// Shows the other of the two characters, alone.
    pub fn blink(&mut self) {
        self.sees_second = self.arrangement != Arrangement::Blink || !self.sees_second;
        self.arrangement = Arrangement::Blink;
    }
}

/// Which character is the second one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Other {
    /// A file of the list.
    File(PathBuf),
    /// The version of the shown file before the last save.
    Earlier,
}

/// The second character of a comparison.
#[derive(Debug)]
pub struct Second {
    /// Which one it is.
    pub other: Other,
    /// Animations chosen by the user for animations that it does not have: the name in the first character and its
    /// own.
    pub chosen: BTreeMap<String, String>,
    /// The picture of the differences.
    pub difference: Comparer,
    /// Reads the file, while it is being read.
    pub job: Option<Job>,
    /// What is hidden in this character, by what is hidden in the first one, and by this one.
    hidden: Cached<(ByAddress<Hidden>, ByAddress<Character>), Arc<Hidden>>,
    /// Physics of both characters.
    replays: [Replay; 2],
}

impl Second {
    /// Creates the second side.
    pub fn new(other: Other) -> Self {
        Self {
            other,
            chosen: BTreeMap::new(),
            difference: Comparer::default(),
            job: None,
            hidden: Cached::default(),
            replays: Default::default(),
        }
    }

    /// Creates the second side after the two have changed places: `path` was the first.
    pub fn swapped(&self, path: PathBuf) -> Self {
        let chosen = self.chosen.iter().map(|(first, second)| (second.clone(), first.clone())).collect();
        Self { chosen, ..Self::new(Other::File(path)) }
    }

    /// Returns the path of its file in the list.
    pub fn path(&self) -> Option<&Path> {
        match &self.other {
            Other::File(path) => Some(path),
            Other::Earlier => None,
        }
    }

    /// Returns what is hidden in `character`, as in the `first` scene, where `patterns` have hidden a part of it.
    pub fn hidden(&mut self, first: &Scene, patterns: &MeshPatterns, character: &Arc<Character>) -> Arc<Hidden> {
        if first.hidden.is_empty() && patterns.is_empty() {
            return Arc::default();
        }
        let carry = || patterns.carry(&first.hidden, first.character.model(), character.model()).into();
        Arc::clone(self.hidden.get((ByAddress::of(&first.hidden), ByAddress::of(character)), carry))
    }

    /// Returns the poses with physics of the first (0) or the second (1) character at `cue`. They only depend on
    /// the cue, so that equal characters look the same whatever was shown before.
    pub fn replay(&mut self, side: usize, character: &Arc<Character>, cue: &Cue) -> Arc<Pose> {
        self.replays[side].pose(character, cue)
    }
}

/// Evaluates physics as if the animation had been played from its first frame.
#[derive(Debug, Default)]
struct Replay {
    last: Option<(Arc<Character>, Cue, Arc<Pose>)>,
    evaluator: Option<Evaluator>,
}

impl Replay {
    fn pose(&mut self, character: &Arc<Character>, cue: &Cue) -> Arc<Pose> {
        match &self.last {
            Some((of, at, pose)) if Arc::ptr_eq(of, character) && at == cue => return Arc::clone(pose),
            Some((of, _, _)) if Arc::ptr_eq(of, character) => {}
            Some(_) | None => self.evaluator = None,
        }
        let evaluator = self.evaluator.get_or_insert_with(|| Evaluator::with_dynamics(Some(Dynamics::default())));
        let mut pose = Pose::for_model(character.model());
        evaluator.evaluate(character, cue, &mut pose);
        let pose = Arc::new(pose);
        self.last = Some((Arc::clone(character), cue.clone(), Arc::clone(&pose)));
        pose
    }
}

#[cfg(test)]
pub mod tests;
