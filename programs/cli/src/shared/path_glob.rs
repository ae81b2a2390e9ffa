//! Wildcards in paths: `*`, `?`, `[abc]` and `[!abc]` within a name, and `**` for any number of folders.
//!
//! Each name is matched by itself: over a whole path, the time that `glob` takes grows exponentially with the number of
//! wildcards in a name.

use std::path::is_separator;

use glob::{MatchOptions, Pattern, PatternError};

/// A pattern for whole paths.
#[derive(Debug)]
pub struct PathGlob {
    parts: Vec<Part>,
    options: MatchOptions,
}

#[derive(Debug)]
enum Part {
    /// `**`
    Folders,
    Name(Pattern),
}

impl PathGlob {
    /// Parses a pattern. Wildcards never match a separator, whatever the options are.
    pub fn new(text: &str, options: MatchOptions) -> Result<Self, PatternError> {
        // Finds mistakes around `**`.
        Pattern::new(text)?;
        let part = |text| if text == "**" { Ok(Part::Folders) } else { Pattern::new(text).map(Part::Name) };
        Ok(Self { parts: text.split(is_separator).map(part).collect::<Result<_, _>>()?, options })
    }

    /// Returns true if the pattern matches the whole path.
    pub fn matches(&self, path: &str) -> bool {
        let end = self.parts.len();
        // The parts that may match the next name.
        let mut current = vec![false; end + 1];
        self.reach(0, &mut current);
        for name in path.split(is_separator) {
            let mut next = vec![false; end + 1];
            for (index, part) in self.parts.iter().enumerate().filter(|(index, _)| current[*index]) {
                match part {
                    Part::Folders if !self.is_hidden(name) => {
                        self.reach(index, &mut next);
                        self.reach(index + 1, &mut next);
                    }
                    Part::Name(pattern) if pattern.matches_with(name, self.options) => {
                        self.reach(index + 1, &mut next);
                    }
                    Part::Folders | Part::Name(_) => {}
                }
            }
            current = next;
        }
        current[end]
    }

    /// Marks a part and, since `**` also stands for no folder, those after it. As the last part it stands for one at
    /// least.
    fn reach(&self, index: usize, reached: &mut [bool]) {
        let skipped = self.parts[index..].iter().take_while(|part| matches!(part, Part::Folders)).count();
        let last =
            if index + skipped == self.parts.len() { index + skipped.saturating_sub(1) } else { index + skipped };
        reached[index..=last].fill(true);
    }

    fn is_hidden(&self, name: &str) -> bool {
        self.options.require_literal_leading_dot && name.starts_with('.')
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHELL: MatchOptions =
        MatchOptions { case_sensitive: true, require_literal_separator: true, require_literal_leading_dot: true };

    #[test]
    fn paths_match_as_with_glob() {
        let words = ["a", "b", ".h", "*", "**", "?", "[!a]", ".*", "a*"];
        let names = ["a", "b", ".h", "ab"];
        let joined = |words: &[&str], count: usize, mut number: usize| {
            let mut parts = Vec::new();
            for _ in 0..count {
                parts.push(words[number % words.len()]);
                number /= words.len();
            }
            parts.join("/")
        };
        let mut matched = 0;
        for literal_dot in [false, true] {
            let options = MatchOptions { require_literal_leading_dot: literal_dot, ..SHELL };
            for (count, length) in [(1, 1), (2, 1), (2, 2), (3, 2), (3, 3), (2, 3), (4, 3)] {
                for pattern in 0..words.len().pow(count) {
                    let pattern = joined(&words, count as usize, pattern);
                    let (own, theirs) =
                        (PathGlob::new(&pattern, options).unwrap(), Pattern::new(&pattern).unwrap());
                    for path in 0..names.len().pow(length) {
                        let path = joined(&names, length as usize, path);
                        let is_match = own.matches(&path);
                        assert_eq!(
                            is_match,
                            theirs.matches_with(&path, options),
                            "{pattern} {path} {literal_dot}"
                        );
                        matched += usize::from(is_match);
                    }
                }
            }
        }
        assert!(matched > 10_000, "{matched}");
    }

    #[test]
    fn many_wildcards_take_no_time() {
        // `glob` alone needs 10^19 steps.
        let (pattern, path) = (format!("{}/x", "*a".repeat(20)), format!("{}/y", "a".repeat(80)));
        assert!(!PathGlob::new(&pattern, SHELL).unwrap().matches(&path));
        let (pattern, path) = (format!("{}x", "**/*a*/".repeat(50)), format!("{}y", "aaaa/".repeat(500)));
        assert!(!PathGlob::new(&pattern, SHELL).unwrap().matches(&path));
    }

    #[test]
    fn mistakes_are_found() {
        for text in ["a**", "**b/c", "***", "[", "a/[b", "[a/b]"] {
            assert!(PathGlob::new(text, SHELL).is_err(), "{text}");
        }
    }
}
