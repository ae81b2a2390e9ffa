//! Patterns for names of slots and meshes, with the wildcards of a shell.

use std::fmt;
use std::str::FromStr;

use glob::Pattern;

use crate::draw::{Hidden, hideable_names};
use crate::error::escaped;
use crate::export::error::ParseError;
use crate::model::{Model, UnknownName};
use crate::{Error, Result};

/// A pattern that matches whole names: `*` stands for any text, `?` for one character, `[ab]` for one of several.
/// Upper and lower case differ.
///
/// ```
/// use pchr::export::NamePattern;
///
/// let pattern: NamePattern = "arm-*".parse()?;
/// assert!(pattern.matches("arm-left") && !pattern.matches("forearm-left"));
/// assert!(NamePattern::exact("a*").matches("a*") && !NamePattern::exact("a*").matches("ab"));
/// # Ok::<(), pchr::export::ParseError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct NamePattern(Pattern);

/// Maximum length of a pattern in bytes. Matching recurses once per wildcard, as far as the name, which is as long as a
/// file likes, goes on.
const MAX_BYTES: usize = 1000;

impl NamePattern {
    /// Returns the pattern that only matches `name`.
    pub fn exact(name: &str) -> Self {
        // Escaped text is always a valid pattern.
        Pattern::new(&Pattern::escape(name)).map_or_else(|_| Self(Pattern::default()), Self)
    }

    /// Returns true if the pattern matches the whole of `name`.
    pub fn matches(&self, name: &str) -> bool {
        self.0.matches(name)
    }
}

impl FromStr for NamePattern {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let fail = |reason| ParseError(format!("`{}` is not a pattern: {reason}", escaped(text)));
        if text.len() > MAX_BYTES {
            return Err(fail("it has more than 1000 bytes"));
        }
        Pattern::new(text).map(Self).map_err(|error| fail(error.msg))
    }
}

impl fmt::Display for NamePattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.as_str())
    }
}

/// Returns what is not drawn if only the meshes that match `solo` are, unless it is empty, and none that match
/// `hidden`. Fails for a pattern that matches no name of a slot, region or mesh.
pub fn hidden_meshes(model: &Model, solo: &[NamePattern], hidden: &[NamePattern]) -> Result<Hidden> {
    let unmatched = |pattern: &&NamePattern| !hideable_names(model).any(|(_, name)| pattern.matches(name));
    if let Some(pattern) = solo.iter().chain(hidden).find(unmatched) {
        let mut known: Vec<String> = hideable_names(model).map(|(_, name)| name.to_owned()).collect();
        known.sort_unstable();
        known.dedup();
        let unknown = UnknownName { what: "slot or mesh", name: pattern.to_string(), known };
        let help = if unknown.known.is_empty() { "it has none".to_owned() } else { unknown.suggestion() };
        let message =
            format!("the character has no slot or mesh that matches `{}`; {help}", escaped(&unknown.name));
        return Err(Error::misuse("unknown-name", message));
    }
    let is_in = |patterns: &[NamePattern], name: &str| patterns.iter().any(|pattern| pattern.matches(name));
    let is_solo = |name: &str| is_in(solo, name);
    let is_solo: Option<&dyn Fn(&str) -> bool> = if solo.is_empty() { None } else { Some(&is_solo) };
    Ok(Hidden::by_name(model, |name| is_in(hidden, name), is_solo))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_patterns_are_refused() {
        let name = "a".repeat(1_000_000);
        assert!("*?".repeat(500).parse::<NamePattern>().unwrap().matches(&name));
        // Would overflow the stack.
        let error = "*?".repeat(500_000).parse::<NamePattern>().unwrap_err().to_string();
        assert!(error.ends_with("is not a pattern: it has more than 1000 bytes"), "{error}");
    }
}
