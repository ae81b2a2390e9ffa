//! Opens any bytes as a character, beside a folder with a file for every name that they may request.

use std::sync::Arc;

use bytes::Bytes;
use pchr::Character;
use pchr::diagnostics::Diagnostics;
use pchr::formats::image::PNG_SIGNATURE;
use pchr::formats::{Input, Listing, ReadOptions, Sidecars, from_input};
use pchr::limits::{Budget, Limits};
use pchr::{Error, Result};

use super::png_damage::damage_png;
use crate::common::byte_damage::damage_bytes;
use crate::common::checks::Beside;
use crate::common::random::Random;
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

    fn listing(&self, _folder: &str) -> Arc<Listing> {
        Listing::of_files(["hero.atlas".to_owned()]).into()
    }

    fn size(&self, path: &str) -> Result<u64, String> {
        Self::find(path).map(|bytes| bytes.len() as u64)
    }
}

/// [`Anything`], in which some files are damaged or missing.
pub struct Surroundings {
    /// Chooses the damage.
    seed: u32,
}

impl Surroundings {
    pub fn new(seed: u32) -> Self {
        Self { seed }
    }

    fn find(&self, path: &str) -> Result<Bytes, String> {
        let bytes = Anything::find(path)?;
        let name = path.bytes().fold(self.seed, |sum, byte| sum.rotate_left(7) ^ u32::from(byte));
        let mut random = Random(u64::from(name));
        let (len, what) = (bytes.len(), random.below(24));
        // Most inputs have damage of their own.
        match what {
            0 => Err(format!("`{path}` does not exist")),
            1 => Ok(bytes.slice(..random.below(len))),
            2 => Ok(bytes.slice(..len - 1 - random.below(len.min(64)))),
            3 => Ok(Bytes::from_static(b"not a picture")),
            4 | 5 if bytes.starts_with(&PNG_SIGNATURE) => {
                let mut as_bytes = |bytes: &mut Vec<u8>, most: usize| bytes.truncate(most);
                Ok(damage_png(&bytes, &mut random, &mut as_bytes).into())
            }
            6 => {
                let mut bytes = bytes.to_vec();
                damage_bytes(&mut bytes, &mut random, |_| &[]);
                Ok(bytes.into())
            }
            7 if path.ends_with(".png") => Ok(Bytes::from_static(JPEG)),
            _ => Ok(bytes),
        }
    }
}

impl Sidecars for Surroundings {
    fn load(&self, path: &str, limits: &Limits) -> Result<Result<Bytes, String>> {
        let found = self.find(path);
        if let Ok(bytes) = &found {
            Budget::new(limits).check_file(bytes.len() as u64).map_err(|error| error.in_file(path))?;
        }
        Ok(found)
    }

    fn own_name(&self) -> Option<&str> {
        Anything.own_name()
    }

    fn listing(&self, folder: &str) -> Arc<Listing> {
        Anything.listing(folder)
    }

    fn size(&self, path: &str) -> Result<u64, String> {
        self.find(path).map(|bytes| bytes.len() as u64)
    }
}

/// A JPEG, which sheets may have in place of a PNG.
const JPEG: &[u8] = include_bytes!("../fixtures/pictures/red-blue.jpg");

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
