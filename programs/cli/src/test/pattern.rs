//! Patterns for paths of characters and references, in options and in the settings.

use glob::MatchOptions;

use crate::shared::path_glob::PathGlob;

/// As in a shell.
const MATCHING: MatchOptions =
    MatchOptions { case_sensitive: true, require_literal_separator: true, require_literal_leading_dot: false };

/// A pattern for paths relative to a folder, with `/`.
#[derive(Debug)]
pub struct Pattern {
    /// The pattern, or a path.
    pub text: String,
    /// Nothing if the text is only a path.
    wildcards: Option<PathGlob>,
}

impl Pattern {
    /// A pattern that matches only this path.
    pub fn path(path: String) -> Self {
        Self { text: path, wildcards: None }
    }

    /// Parses a pattern. Fails with a message.
    pub fn parse(text: &str) -> Result<Self, String> {
        match PathGlob::new(text, MATCHING) {
            Ok(wildcards) => Ok(Self { text: text.to_owned(), wildcards: Some(wildcards) }),
            Err(error) => Err(format!("`{text}` is not a pattern: {}", error.msg)),
        }
    }

    /// Returns true if it matches the whole path.
    pub fn matches(&self, path: &str) -> bool {
        self.text == path || self.wildcards.as_ref().is_some_and(|wildcards| wildcards.matches(path))
    }

    /// Returns true if it matches the path, or a folder that contains it.
    pub fn covers(&self, path: &str) -> bool {
        let mut ends = path.match_indices('/').map(|(at, _)| at).chain([path.len()]);
        ends.any(|end| self.matches(&path[..end]))
    }
}

/// Returns true if one of the patterns matches the path, or a folder that contains it.
pub fn cover(patterns: &[Pattern], path: &str) -> bool {
    patterns.iter().any(|pattern| pattern.covers(path))
}

/// Returns true if one of the patterns is this path, without wildcards.
pub fn name(patterns: &[Pattern], path: &str) -> bool {
    patterns.iter().any(|pattern| pattern.text == path)
}

/// Returns the text of the first pattern that is for none of the paths, as `is_for` says.
pub fn useless<'a>(
    patterns: &'a [Pattern],
    paths: &[String],
    is_for: fn(&Pattern, &str) -> bool,
) -> Option<&'a str> {
    let is_useless = |pattern: &&Pattern| !paths.iter().any(|path| is_for(pattern, path));
    patterns.iter().find(is_useless).map(|pattern| pattern.text.as_str())
}

/// Parses the values of an option.
pub fn of_option(texts: &[String], option: &str) -> Result<Vec<Pattern>, String> {
    let parse = |text: &String| {
        let text = text.strip_prefix("./").unwrap_or(text).trim_end_matches('/');
        Pattern::parse(text).map_err(|message| format!("{option}: {message}"))
    };
    texts.iter().map(parse).collect()
}
