//! The recorded structure of a character: compared with the present one, and replaced.

use std::path::Path;

use super::file::{FILE, Stored, read, write};
use super::sample::sample;
use crate::character::Character;
use crate::cli::golden::record::{StructureChange, Verdict};
use crate::cli::shared::failure::note;
use crate::cli::test::plan::Group;
use crate::cli::test::suite::REFERENCES;
use crate::error::Result;
use crate::export::{OutputPath, RenderOptions};

/// A recorded structure.
pub struct Recording {
    /// Where it is.
    pub path: OutputPath,
    /// What is there.
    pub stored: Stored,
    /// Whether it is replaced if it differs.
    pub is_accepted: bool,
}

/// A character that is not as recorded.
pub struct Outcome {
    /// What has changed.
    pub changes: Vec<StructureChange>,
    /// Why the recorded structure cannot be read.
    pub message: Option<String>,
    /// The result.
    pub verdict: Verdict,
}

impl Recording {
    /// Reads the structure beside the references at `base`, below the folder of references in `dir`.
    pub fn read(dir: &Path, base: &Path) -> Self {
        let path = OutputPath::below(dir, Path::new(REFERENCES).join(base).join(FILE));
        Self { stored: read(&path), path, is_accepted: false }
    }

    /// Returns true if there is none.
    pub fn is_missing(&self) -> bool {
        matches!(self.stored, Stored::Missing)
    }

    /// Compares it with the structure of the character that was planned as `groups`, and replaces it if that is
    /// accepted. Returns nothing if they are the same, or if there was none.
    pub fn compare(
        &self,
        character: &Character,
        options: &RenderOptions,
        groups: &[Group],
    ) -> Result<Option<Outcome>> {
        let skins = groups.iter().flat_map(|group| &group.plan.pictures).next().map(|picture| &*picture.cue.skins);
        let now = sample(character, options, groups, skins.unwrap_or_default());
        let left: Vec<StructureChange> = groups.iter().filter_map(|group| group.left.clone()).collect();
        let (changes, message) = match &self.stored {
            Stored::Found(recorded) => (recorded.changes(&now, &left), None),
            Stored::Missing => (Vec::new(), None),
            Stored::Unreadable(message) => (Vec::new(), Some(message.clone())),
        };
        // Otherwise the file stays as it is: what differs is less than the tolerance.
        let is_recorded = self.stored.structure().is_some_and(|recorded| recorded.has_same_pictures(&now));
        if self.is_accepted && (!is_recorded || !changes.is_empty()) {
            write(&self.path, &now)?;
        }
        let verdict = match (changes.is_empty(), &message) {
            (true, None) => return Ok(None),
            _ if self.is_accepted => Verdict::Updated,
            (_, Some(_)) => Verdict::Unreadable,
            (false, None) => Verdict::Different,
        };
        Ok(Some(Outcome { changes, message, verdict }))
    }
}

/// Prints a note about characters without a recorded structure.
pub fn note_unrecorded(count: usize) {
    let what = if count == 1 { "character has" } else { "characters have" };
    note(&format!(
        "{count} {what} no {FILE} beside the references, so changes that no picture shows are not found; --update \
         writes it"
    ));
}
