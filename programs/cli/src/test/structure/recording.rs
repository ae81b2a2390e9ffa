//! The recorded structure of a character: compared with the present one, and replaced.

use std::path::Path;

use super::Structure;
use super::file::{FILE, RENEW, read, write};
use super::sample::sample;
use crate::golden::record::{StructureChange, Verdict};
use crate::golden::reference::Reference;
use crate::test::accept::Accepted;
use crate::test::plan::{Group, Recorded};
use crate::test::suite::REFERENCES;
use pchr::export::{OutputPath, RenderOptions};
use pchr::{Character, Result};

/// A recorded structure.
pub struct Recording {
    /// Where it is.
    pub path: OutputPath,
    /// What is there.
    pub stored: Reference<Box<Structure>>,
    /// Whether it is replaced if it differs.
    pub is_accepted: bool,
}

/// A character that is not as recorded.
pub struct Outcome {
    /// What has changed.
    pub changes: Vec<StructureChange>,
    /// Why there is no recorded structure, or why it cannot be read.
    pub message: Option<String>,
    /// The result.
    pub verdict: Verdict,
}

/// Returns the path of the structure beside the references at `base`, below the folder of references in `dir`.
pub fn structure_path(dir: &Path, base: &Path) -> OutputPath {
    OutputPath::below(dir, Path::new(REFERENCES).join(base).join(FILE))
}

impl Recording {
    /// Reads the structure beside the references at `base`, below the folder of references in `dir`.
    pub fn read(dir: &Path, base: &Path, accepted: &Accepted) -> Self {
        let path = structure_path(dir, base);
        let is_accepted = accepted.has(&path, dir);
        Self { stored: read(&path), path, is_accepted }
    }

    /// Returns the areas that it contains.
    pub fn area(&self) -> Recorded<'_> {
        let structure = self.stored.found().map(|structure| (&**structure, &*self.path));
        Recorded { structure, update: self.is_accepted }
    }

    /// Compares it with the structure of the character that was planned as `groups`, and replaces it if that is
    /// accepted. Returns nothing if they are the same.
    pub fn compare(
        &self,
        character: &Character,
        options: &RenderOptions,
        groups: &[Group],
    ) -> Result<Option<Outcome>> {
        let skins = groups.iter().flat_map(|group| &group.plan.pictures).next().map(|picture| &*picture.cue.skins);
        let recorded = self.stored.found().map(|recorded| &**recorded);
        let of = |recorded| sample(character, options, groups, skins.unwrap_or_default(), recorded);
        let now = of(recorded);
        let left: Vec<StructureChange> = groups.iter().filter_map(|group| group.left.clone()).collect();
        let (changes, message) = match &self.stored {
            Reference::Found(recorded) => (recorded.changes(&now, &left), None),
            Reference::Missing if self.is_accepted => (Vec::new(), None),
            Reference::Missing => (Vec::new(), Some(format!("there is no recorded structure; {RENEW}"))),
            Reference::Unreadable(message) => (Vec::new(), Some(message.clone())),
        };
        // Otherwise the file stays as it is: what differs is less than the tolerance.
        let is_recorded = self.stored.found().is_some_and(|recorded| recorded.has_same_pictures(&now));
        let is_written = self.is_accepted && (!is_recorded || !changes.is_empty());
        if is_written {
            // In its own time.
            write(&self.path, &of(None))?;
        }
        let (verdict, reason) = match &self.stored {
            Reference::Missing if is_written => (Verdict::Updated, "there was none"),
            _ if is_written => (Verdict::Updated, "it was replaced"),
            Reference::Missing => (Verdict::Missing, ""),
            Reference::Unreadable(_) => (Verdict::Unreadable, ""),
            Reference::Found(_) if changes.is_empty() => return Ok(None),
            Reference::Found(_) => (Verdict::Different, ""),
        };
        let reason = Some(reason.to_owned()).filter(|reason| changes.is_empty() && !reason.is_empty());
        Ok(Some(Outcome { changes, message: message.or(reason), verdict }))
    }
}
