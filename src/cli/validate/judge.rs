//! One file of the command line → what comes of checking it.

use std::panic::{AssertUnwindSafe, catch_unwind};

use ::bytes::Bytes;

use crate::cli::shared::files::{Target, begins_foreign, is_foreign};
use crate::cli::shared::load::{bytes_of, sidecars_of};
use crate::cli::shared::stdio::shown_name;
use crate::error::Error;
use crate::formats::{self, Input};
use crate::validate::{Checked, Options, check};

/// One file, judged.
#[derive(Debug)]
pub struct Judged {
    /// Its name in JSON.
    pub name: String,
    /// Its name in annotations.
    pub annotated: String,
    /// As the user wrote it, for people.
    pub shown: String,
    /// What comes of it.
    pub outcome: Outcome,
}

#[derive(Debug)]
pub enum Outcome {
    Checked(Checked),
    /// It cannot be judged: it is missing, unreadable, in no known format or over a limit.
    Failed(Error),
    /// Checking it panicked, which is a bug, and must not keep other files from being checked.
    Broken,
    /// It was found in a folder, and is JSON or the like that is no character.
    Skipped,
}

/// Reads and judges one file.
pub fn judge(target: &Target, options: &Options) -> Judged {
    let outcome = guarded(|| match load(target, options) {
        Err(error) if target.is_found && begins_foreign(&target.path, &error) => Outcome::Skipped,
        Err(error) => Outcome::Failed(error),
        Ok(bytes) if target.is_found && is_foreign(&target.path, &bytes) => Outcome::Skipped,
        Ok(bytes) => {
            let input = Input { bytes, sidecars: &*sidecars_of(&target.path) };
            check(&input, options).map_or_else(Outcome::Failed, Outcome::Checked)
        }
    });
    let (name, annotated) = (target.name.clone(), target.annotated.clone());
    Judged { name, annotated, shown: shown_name(&target.path), outcome }
}

/// Nothing is used after a panic that it could have left half-changed.
fn guarded(judge: impl FnOnce() -> Outcome) -> Outcome {
    catch_unwind(AssertUnwindSafe(judge)).unwrap_or(Outcome::Broken)
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
        assert!(matches!(guarded(|| panic!("on purpose")), Outcome::Broken));
    }
}
