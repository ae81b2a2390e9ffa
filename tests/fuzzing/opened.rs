//! Opens any bytes as a character, beside a folder with a file for every name that they may request.

use bytes::Bytes;
use pchr::Character;
use pchr::diagnostics::Diagnostics;
use pchr::error::{Error, Result};
use pchr::formats::{Input, ReadOptions, Sidecars, from_input};
use pchr::limits::{Budget, Limits};

use crate::common::checks::Beside;
use crate::common::spine_checks::ATLAS;

/// A folder with an atlas, the files that the fixtures refer to, and an image for every other image name.
pub struct Anything;

/// The name of the file.
pub const OWN_NAME: &str = "hero.json";

impl Anything {
    fn find(path: &str) -> Result<Bytes, String> {
        let known = Beside::default().0;
        let is_picture = [".png", ".jpg", ".webp"].iter().any(|extension| path.ends_with(extension));
        match known.iter().find(|(name, _)| name == path) {
            Some((_, bytes)) => Ok(bytes.clone()),
            None if path.ends_with(".atlas") => Ok(Bytes::from_static(ATLAS.as_bytes())),
            None if is_picture => Ok(known[0].1.clone()),
            None => Err(format!("`{path}` does not exist")),
        }
    }
}

impl Sidecars for Anything {
    fn load(&self, path: &str, limits: &Limits) -> Result<Result<Bytes, String>> {
        let found = Self::find(path);
        if let Ok(bytes) = &found {
            Budget::new(limits).check_file(bytes.len() as u64).map_err(|error| error.in_file(path))?;
        }
        Ok(found)
    }

    fn own_name(&self) -> Option<&str> {
        Some(OWN_NAME)
    }

    fn names_in(&self, _folder: &str, wanted: &dyn Fn(&str) -> bool) -> Vec<String> {
        ["hero.atlas"].map(str::to_owned).into_iter().filter(|name| wanted(name)).collect()
    }

    fn size(&self, path: &str) -> Result<u64, String> {
        Self::find(path).map(|bytes| bytes.len() as u64)
    }
}

/// Returns default options with these limits.
pub fn within(limits: &Limits) -> ReadOptions {
    ReadOptions { limits: limits.clone(), ..ReadOptions::default() }
}

/// Returns an input beside [`Anything`].
pub fn input(bytes: &Bytes) -> Input<'static> {
    Input { bytes: bytes.clone(), sidecars: &Anything }
}

/// Opens the character; `None` if it does not open.
pub fn open(bytes: &Bytes, limits: &Limits) -> Option<Character> {
    from_input(&input(bytes), &within(limits), &mut Diagnostics::default()).ok()
}

/// Returns true if the character opens.
pub fn opens(bytes: &Bytes, limits: &Limits) -> bool {
    open(bytes, limits).is_some()
}

/// Asserts that a writer failed because of a limit, its format or single precision, with a message.
#[track_caller]
pub fn assert_refused(error: &Error) {
    let is_fair = matches!(error, Error::LimitExceeded(_) | Error::Unsupported(_)) || error.code() == "not-finite";
    assert!(is_fair && !error.to_string().is_empty(), "{}: {error}", error.code());
}

/// Asserts that a written character opens again, unless it exceeds the limits.
#[track_caller]
pub fn reopened(result: Result<Character>, what: &str) -> Option<Character> {
    match result {
        Ok(character) => Some(character),
        Err(Error::LimitExceeded(_)) => None,
        Err(error) => panic!("{what}: what was written does not open: {}: {error}", error.code()),
    }
}
