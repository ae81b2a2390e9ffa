//! The failures of characters: sorted and without repetitions, so that merged shards list the same failures as a single
//! run.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use crate::golden::record::Warning;
use crate::shared::failure::Failure;
use crate::shared::interrupt;
use crate::shared::json_error::JsonError;
use pchr::Error;
use pchr::error::Place;

/// Exit code of a setting that does not suit a character.
const SETTING_EXIT_CODE: u8 = 3;

/// Does `work` for one character. A panic is the failure of that character; an interrupt ends the run.
pub fn attempt<T>(work: impl FnOnce() -> Result<T, Failure>) -> Result<Result<T, Failure>, Failure> {
    // Unwind-safe: nothing that a panic leaves half-changed is used for another character.
    match catch_unwind(AssertUnwindSafe(work)).unwrap_or(Err(Failure::Bug)) {
        // Whatever failed.
        _ if interrupt::is_requested() => Err(Failure::Interrupted),
        Err(Failure::Interrupted) => Err(Failure::Interrupted),
        done => Ok(done),
    }
}

/// The failure of a character that has the same references as another one.
pub fn same_references(other: &str) -> Failure {
    let message = format!(
        "it would have the same references as {other}; give one of them a `name` in a [[render]] table of \
         pchr-test.toml"
    );
    Failure::Input(Error::unsupported("same-references", Place::default(), message))
}

/// Records the failure of a character, which has this index in the run.
pub fn of_character(index: usize, character: &str, failure: Failure) -> JsonError {
    let failure = failure.in_file(Path::new(character));
    let mut message = failure.message();
    if failure.place().is_none_or(|place| place.file.is_none()) {
        message = format!("{character}: {message}");
    }
    let mut exit_code = failure.exit_code();
    // A setting that does not suit the character is a fault of the settings file, an input, not of the command line.
    if let Failure::Usage { help, .. } = &failure {
        exit_code = SETTING_EXIT_CODE;
        message = help.iter().fold(message, |message, help| message + "; " + help);
    }
    let (character, index) = (Some(character.to_owned()), Some(index));
    JsonError { character, exit_code, index, message, ..JsonError::new(&failure) }
}

/// A failure to draw a picture. Pictures in different shards exceed a limit by different amounts: without them, the failures
/// are the same.
pub fn without_excess(failure: Failure) -> Failure {
    match failure {
        Failure::Input(Error::LimitExceeded(mut excess)) => {
            excess.asked = excess.allowed.saturating_add(1);
            Failure::Input(Error::LimitExceeded(excess))
        }
        failure => failure,
    }
}

/// Sorts failures, and keeps one of those that have the same cause.
pub fn distinct(mut failures: Vec<JsonError>) -> Vec<JsonError> {
    failures.sort_by(|a, b| key(a).cmp(&key(b)));
    failures.dedup_by(|later, first| later == first || is_repeated(later, first));
    failures
}

/// Sorts the errors in parts of animations, and keeps one of those that are the same: a character may be read several
/// times.
pub fn sorted(mut errors: Vec<Warning>) -> Vec<Warning> {
    errors.sort_by(|a, b| (&a.message, &a.code).cmp(&(&b.message, &b.code)));
    errors.dedup();
    errors
}

fn key(failure: &JsonError) -> (Option<usize>, u8, &str, &str) {
    (failure.index, failure.exit_code, &failure.code, &failure.message)
}

/// Returns true if pictures of one character cannot be drawn or written for the same reason. Their messages name
/// different files; the first one is enough.
fn is_repeated(later: &JsonError, first: &JsonError) -> bool {
    let is_of_picture = matches!(later.exit_code, 4 | 5);
    is_of_picture && (later.index, later.exit_code, &later.code) == (first.index, first.exit_code, &first.code)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failure(index: usize, exit_code: u8, message: &str) -> JsonError {
        let (character, message) = (Some(format!("{index}.pchr")), message.to_owned());
        JsonError { character, exit_code, index: Some(index), message, ..JsonError::new(&Failure::Bug) }
    }

    #[test]
    fn the_order_does_not_depend_on_the_shards() {
        let all = [
            failure(0, 3, "a.json"),
            failure(0, 3, "b.json"),
            failure(0, 5, "walk-0000.png"),
            failure(1, 5, "walk-0000.png"),
        ];
        let later = failure(0, 5, "walk-0001.png");
        let mut whole = [&all[..], &[later.clone(), all[1].clone()]].concat();
        assert_eq!(distinct(whole.clone()), all);
        whole.reverse();
        assert_eq!(distinct(whole), all);
        let shards = [distinct(vec![all[0].clone(), later, all[3].clone()]), distinct(all[1..].to_vec())];
        assert_eq!(distinct(shards.concat()), all);
    }
}
