//! `--update` and `--accept`: which references are replaced.

use std::cell::Cell;
use std::path::Path;

use super::pattern::{Pattern, of_option};
use super::suite::REFERENCES;
use crate::shared::failure::Failure;
use crate::shared::stdio::portable;

/// The references that are replaced if they differ.
#[derive(Debug)]
pub struct Accepted {
    is_all: bool,
    /// Patterns, and whether each has accepted anything.
    patterns: Vec<(Pattern, Cell<bool>)>,
}

impl Accepted {
    /// Parses patterns of paths below `dir/references`, which may be given with that path. With `update`, everything is
    /// accepted.
    pub fn new(texts: &[String], update: bool, dir: &Path) -> Result<Self, Failure> {
        let root = portable(&dir.join(REFERENCES)) + "/";
        let below = |text: &String| text.strip_prefix(&root).unwrap_or(text).to_owned();
        let texts: Vec<String> = texts.iter().map(below).collect();
        let patterns = of_option(&texts, "--accept").map_err(Failure::usage)?;
        let patterns = patterns.into_iter().map(|pattern| (pattern, Cell::new(false)));
        Ok(Self { is_all: update, patterns: patterns.collect() })
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
        for (_, used) in self.patterns.iter().filter(|(pattern, _)| pattern.covers(&path)) {
            used.set(true);
            is_accepted = true;
        }
        is_accepted
    }

    /// Fails if a pattern has accepted nothing.
    pub fn check(&self) -> Result<(), Failure> {
        let Some((pattern, _)) = self.patterns.iter().find(|(_, used)| !used.get()) else { return Ok(()) };
        let message = format!("--accept: `{}` matches no reference of a tested character", pattern.text);
        Err(Failure::usage_with_help(message, format!("paths are relative to the folder `{REFERENCES}`")))
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
