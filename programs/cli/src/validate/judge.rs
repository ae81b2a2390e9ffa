//! Checks one input file.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use ::bytes::Bytes;

use crate::shared::failure::Failure;
use crate::shared::files::Target;
use crate::shared::load::{bytes_of, recorded_sidecars};
use crate::shared::stdio::{portable, shown_name};
use pchr::Error;
use pchr::find::{begins_foreign, is_foreign};
use pchr::formats::{self, Input};
use pchr::validate::{Checked, Options, check, check_unread};

/// A checked file.
#[derive(Debug)]
pub struct Judged<'a> {
    pub target: &'a Target,
    pub outcome: Outcome,
}

impl Judged<'_> {
    /// Displayed name, as given by the user.
    pub fn shown(&self) -> String {
        shown_name(&self.target.path)
    }
}

#[derive(Debug)]
pub enum Outcome {
    Checked(Checked),
    /// It cannot be checked: it is missing, unreadable, of unknown format or over a limit, or checking it panicked. The
    /// other files are still checked. The failure does not name the file.
    Failed(Failure),
    /// It was found in a folder, but is not a character (other JSON, XML and the like), with the reason.
    Skipped(&'static str),
}

/// Reads and judges one file.
pub fn judge<'a>(target: &'a Target, options: &Options) -> Judged<'a> {
    Judged { target, outcome: guarded(|| outcome(target, options)) }
}

fn outcome(target: &Target, options: &Options) -> Outcome {
    match load(target, options) {
        Err(error) if target.is_found && begins_foreign(&target.path, &error) => {
            Outcome::Skipped("it is empty, or in a format that pchr does not know")
        }
        Err(error) => check_unread(error, options)
            .map_or_else(|error| Outcome::Failed(Failure::reading(error)), Outcome::Checked),
        Ok(bytes) if target.is_found && is_foreign(&target.path, &bytes) => {
            Outcome::Skipped("it contains neither a character nor a sprite sheet")
        }
        Ok(bytes) => {
            let sidecars = recorded_sidecars(&target.path, &options.read);
            match check(&Input { bytes, sidecars: sidecars.access() }, options) {
                Ok(mut checked) => {
                    name_other_files(&mut checked, &target.path, options);
                    Outcome::Checked(checked)
                }
                Err(error) => Outcome::Failed(Failure::reading(error)),
            }
        }
    }
}

/// Adds the folder of the character at `path` to the names of other files, unless they are named on the command line.
fn name_other_files(checked: &mut Checked, path: &Path, options: &Options) {
    let Some(folder) = path.parent() else { return };
    for file in checked.findings.iter_mut().filter_map(|finding| finding.other_file.as_mut()) {
        if options.read.atlases.iter().all(|given| given != Path::new(file)) {
            *file = portable(&folder.join(&*file));
        }
    }
}

/// Turns a panic into an outcome. Unwind-safe: nothing that a panic leaves half-changed is used afterwards.
fn guarded(judge: impl FnOnce() -> Outcome) -> Outcome {
    catch_unwind(AssertUnwindSafe(judge)).unwrap_or(Outcome::Failed(Failure::Bug))
}

fn load(target: &Target, options: &Options) -> Result<Bytes, Error> {
    target.check()?;
    if target.is_found {
        return formats::load_regular(&target.path, &options.read.limits);
    }
    bytes_of(&target.path, &options.read.limits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_an_outcome() {
        assert!(matches!(guarded(|| panic!("on purpose")), Outcome::Failed(Failure::Bug)));
    }
}
