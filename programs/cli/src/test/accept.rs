//! `--update` and `--accept`: which references are replaced.

use std::cell::RefCell;
use std::path::Path;

use super::select::{is_in, patterns};
use super::suite::REFERENCES;
use crate::shared::failure::Failure;
use crate::shared::path_glob::PathGlob;
use crate::shared::stdio::portable;

/// The references that are replaced if they differ.
#[derive(Debug)]
pub struct Accepted {
    is_all: bool,
    patterns: Vec<(String, PathGlob)>,
    /// By pattern, whether it has accepted anything.
    used: RefCell<Vec<bool>>,
}

impl Accepted {
    /// Parses patterns of paths below `dir/references`, which may be given with that path. With `update`, everything is
    /// accepted.
    pub fn new(texts: &[String], update: bool, dir: &Path) -> Result<Self, Failure> {
        let root = portable(&dir.join(REFERENCES)) + "/";
        let below = |text: &String| text.strip_prefix(&root).unwrap_or(text).to_owned();
        let texts: Vec<String> = texts.iter().map(below).collect();
        let patterns = patterns(&texts, "--accept")?;
        Ok(Self { is_all: update, used: RefCell::new(vec![false; patterns.len()]), patterns })
    }

    /// Returns true if all references are replaced.
    pub fn is_all(&self) -> bool {
        self.is_all
    }

    /// Returns true if any reference may be replaced.
    pub fn is_any(&self) -> bool {
        self.is_all || !self.patterns.is_empty()
    }

    /// Returns true if the reference at this path in the folder of the suite is replaced.
    pub fn has(&self, reference: &Path, dir: &Path) -> bool {
        let below = reference.strip_prefix(dir.join(REFERENCES)).unwrap_or(reference);
        let path = portable(below);
        let mut is_accepted = self.is_all;
        for (pattern, used) in self.patterns.iter().zip(self.used.borrow_mut().iter_mut()) {
            let is_match = is_in(std::slice::from_ref(pattern), &path);
            *used |= is_match;
            is_accepted |= is_match;
        }
        is_accepted
    }

    /// Fails if a pattern has accepted nothing.
    pub fn check(&self) -> Result<(), Failure> {
        match self.patterns.iter().zip(self.used.borrow().iter()).find(|(_, used)| !**used) {
            Some(((text, _), _)) => {
                let message = format!("--accept: `{text}` matches no reference of a tested character");
                Err(Failure::usage_with_help(message, format!("paths are relative to the folder `{REFERENCES}`")))
            }
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_accepts_a_picture_or_a_folder() {
        let has = |pattern: &str, path: &str| {
            let accepted =
                Accepted::new(&[pattern.to_owned()], false, Path::new("art")).unwrap_or_else(|_| panic!());
            accepted.has(Path::new(path), Path::new("art"))
        };
        for pattern in
            ["hero/walk-0001.png", "hero", "hero/walk-*", "*", "art/references/hero/walk-0001.png", "./hero/"]
        {
            assert!(has(pattern, "art/references/hero/walk-0001.png"), "{pattern}");
        }
        for pattern in ["walk-0001.png", "her", "hero/run-*", "*.png"] {
            assert!(!has(pattern, "art/references/hero/walk-0001.png"), "{pattern}");
        }
    }
}
