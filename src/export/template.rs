//! Output paths with `{name}`, `{animation}`, `{index}` and `{frame:04}` in them.

use std::path::PathBuf;
use std::str::FromStr;

use super::quoted;
use crate::error::shown;
pub use crate::names::safe_name;

/// An output path with places to fill in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Template {
    parts: Vec<Part>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Part {
    Text(String),
    Name,
    Animation,
    Index { digits: usize },
    Frame { digits: usize },
}

/// What is filled in.
#[derive(Debug, Clone, Copy)]
pub struct Values<'a> {
    /// The input file's name without its extension.
    pub name: &'a str,
    /// The animation's name.
    pub animation: &'a str,
    /// Counts the pictures of a run from 0.
    pub index: usize,
    /// The stored frame.
    pub frame: u32,
}

/// Why a text is no [`Template`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TemplateError {
    /// A `{` without its `}`, or a `}` alone.
    #[error("`{}` has a brace without its partner; {{{{ and }}}} stand for the braces themselves", shown(.0))]
    Unbalanced(String),
    /// A place that nothing fills.
    #[error(
        "nothing fills `{{{}}}`; there are {{name}}, {{animation}}, {{index}} and {{frame}}, the last two also with digits, as {{frame:04}}",
        shown(.0)
    )]
    Unknown(String),
}

impl Template {
    /// The path for these values. Names from files are made safe first.
    pub fn fill(&self, values: Values<'_>) -> PathBuf {
        let mut path = String::new();
        for part in &self.parts {
            match part {
                Part::Text(text) => path.push_str(text),
                Part::Name => path.push_str(&safe_name(values.name)),
                Part::Animation => path.push_str(&safe_name(values.animation)),
                Part::Index { digits } => path.push_str(&format!("{:0digits$}", values.index)),
                Part::Frame { digits } => path.push_str(&format!("{:0digits$}", values.frame)),
            }
        }
        path.into()
    }
}

impl Template {
    /// Whether the stored frame is filled in.
    pub fn names_frame(&self) -> bool {
        self.parts.iter().any(|part| matches!(part, Part::Frame { .. }))
    }

    /// Whether anything is filled in.
    pub fn has_places(&self) -> bool {
        self.parts.iter().any(|part| !matches!(part, Part::Text(_)))
    }

    /// A pattern of POSIX shells for every path that this fills.
    pub fn shell_pattern(&self) -> String {
        let part = |part: &Part| match part {
            Part::Text(text) => quoted(text),
            Part::Name | Part::Animation | Part::Index { .. } | Part::Frame { .. } => "*".to_owned(),
        };
        self.parts.iter().map(part).collect()
    }

    /// Whether the animation is filled in.
    pub fn names_animation(&self) -> bool {
        self.parts.contains(&Part::Animation)
    }
}

impl FromStr for Template {
    type Err = TemplateError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let unbalanced = || TemplateError::Unbalanced(text.to_owned());
        let mut parts = Vec::new();
        let mut plain = String::new();
        let mut rest = text;
        while let Some(at) = rest.find(['{', '}']) {
            plain.push_str(&rest[..at]);
            rest = &rest[at..];
            if let Some(after) = rest.strip_prefix("{{").or_else(|| rest.strip_prefix("}}")) {
                plain.push_str(&rest[..1]);
                rest = after;
                continue;
            }
            let (inside, after) =
                rest.strip_prefix('{').and_then(|rest| rest.split_once('}')).ok_or_else(unbalanced)?;
            if !plain.is_empty() {
                parts.push(Part::Text(std::mem::take(&mut plain)));
            }
            parts.push(parse_part(inside).ok_or_else(|| TemplateError::Unknown(inside.to_owned()))?);
            rest = after;
        }
        plain.push_str(rest);
        if !plain.is_empty() {
            parts.push(Part::Text(plain));
        }
        Ok(Self { parts })
    }
}

fn parse_part(inside: &str) -> Option<Part> {
    let (name, digits) = match inside.split_once(':') {
        Some((name, digits)) => (name, Some(digits.parse().ok().filter(|digits| *digits <= 20)?)),
        None => (inside, None),
    };
    match (name, digits) {
        ("name", None) => Some(Part::Name),
        ("animation", None) => Some(Part::Animation),
        ("index", digits) => Some(Part::Index { digits: digits.unwrap_or(0) }),
        ("frame", digits) => Some(Part::Frame { digits: digits.unwrap_or(0) }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fill(template: &str) -> String {
        let values = Values { name: "kni/ght", animation: "../walk", index: 7, frame: 12 };
        template.parse::<Template>().unwrap().fill(values).display().to_string()
    }

    #[test]
    fn places_are_filled_and_made_safe() {
        assert_eq!(fill("out/{name}-{animation}-{frame:04}.png"), "out/kni_ght-_.._walk-0012.png");
        assert_eq!(fill("{{{index}}}-{index:03}"), "{7}-007");
        assert_eq!(fill("plain.png"), "plain.png");
    }

    #[test]
    fn mistakes_are_told() {
        let error = |text: &str| text.parse::<Template>().unwrap_err().to_string();
        assert!(error("a{frame").contains("brace"));
        assert!(error("a}b").contains("brace"));
        assert!(error("{fram}").contains("{fram}"));
        assert!(error("{frame:x}").contains("{frame:x}"));
    }
}
