//! Output paths with placeholders: `{name}`, `{path}`, `{animation}`, `{index}` and `{frame:04}`.

use std::path::{PathBuf, is_separator};
use std::str::FromStr;

use crate::error::escaped;
use crate::export::error::ParseError;
use crate::export::files::OutputPath;
pub use crate::names::safe_name;

/// An output path with placeholders.
#[derive(Debug, Clone)]
pub struct Template {
    parts: Vec<Part>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Part {
    Text(String),
    Name,
    Path,
    Animation,
    Index { digits: usize },
    Frame { digits: usize },
}

/// Values of the placeholders.
#[derive(Debug, Clone, Copy)]
pub struct Values<'a> {
    /// The input's file name without extension.
    pub name: &'a str,
    /// The input's path below the folder in which it was found, without extension and with `/`; otherwise its name.
    pub path: &'a str,
    /// The animation's name.
    pub animation: &'a str,
    /// Number of the picture within the run, from 0.
    pub index: usize,
    /// The stored frame.
    pub frame: u32,
}

impl Template {
    /// Returns the folder that contains all outputs, whatever the values.
    pub fn folder(&self) -> PathBuf {
        let texts =
            self.parts.iter().map_while(|part| if let Part::Text(text) = part { Some(&**text) } else { None });
        let path: String = texts.collect();
        PathBuf::from(&path[..path.rfind(is_separator).map_or(0, |at| at + 1)])
    }

    /// Returns the path for these values. Names from files are sanitized. The folders before the first placeholder
    /// are those that the user named; without placeholders, the user named the whole path.
    pub fn fill(&self, values: Values<'_>) -> OutputPath {
        let mut path = String::new();
        for part in &self.parts {
            match part {
                Part::Text(text) => path.push_str(text),
                Part::Name => path.push_str(&safe_name(values.name)),
                Part::Path => path.push_str(&safe_path(values.path)),
                Part::Animation => path.push_str(&safe_name(values.animation)),
                Part::Index { digits } => path.push_str(&format!("{:0digits$}", values.index)),
                Part::Frame { digits } => path.push_str(&format!("{:0digits$}", values.frame)),
            }
        }
        match self.named_folder() {
            Some(folder) => OutputPath::in_folder(folder, path.into()),
            None => OutputPath::named(path),
        }
    }

    /// Returns the folder before the first placeholder, or `None` if there is no placeholder.
    fn named_folder(&self) -> Option<PathBuf> {
        let before = match self.parts.as_slice() {
            [Part::Text(_)] | [] => return None,
            [Part::Text(text), ..] => text.as_str(),
            _ => "",
        };
        // Up to the last separator: what follows is the start of a name.
        let end = before.rfind(std::path::is_separator).map_or(0, |at| at + 1);
        Some(PathBuf::from(&before[..end]))
    }
}

impl Template {
    /// Returns true if the path contains `{frame}`.
    pub fn names_frame(&self) -> bool {
        self.parts.iter().any(|part| matches!(part, Part::Frame { .. }))
    }

    /// Returns true if the path contains `{index}`.
    pub(crate) fn names_index(&self) -> bool {
        self.parts.iter().any(|part| matches!(part, Part::Index { .. }))
    }

    /// Returns true if the path contains any placeholder.
    pub fn has_places(&self) -> bool {
        self.parts.iter().any(|part| !matches!(part, Part::Text(_)))
    }

    /// Returns true if the path contains `{animation}`.
    pub fn names_animation(&self) -> bool {
        self.parts.contains(&Part::Animation)
    }
}

impl FromStr for Template {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let unbalanced = || {
            let help = "write {{ and }} for literal braces";
            ParseError(format!("`{}` has an unmatched brace; {help}", escaped(text)))
        };
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
            parts.push(parse_part(inside).ok_or_else(|| unknown(inside))?);
            rest = after;
        }
        plain.push_str(rest);
        if !plain.is_empty() {
            parts.push(Part::Text(plain));
        }
        Ok(Self { parts })
    }
}

fn unknown(inside: &str) -> ParseError {
    let expected = "{name}, {path}, {animation}, {index} or {frame}";
    let widths = "the last two accept a width, as in {frame:04}";
    ParseError(format!("unknown placeholder `{{{}}}`, expected {expected}; {widths}", escaped(inside)))
}

/// Turns a relative path into one whose folders are safe names. `..` is left out, and the path is never empty.
fn safe_path(path: &str) -> String {
    let names: Vec<String> =
        path.split('/').filter(|name| !matches!(*name, "" | "." | "..")).map(safe_name).collect();
    if names.is_empty() { safe_name("") } else { names.join("/") }
}

fn parse_part(inside: &str) -> Option<Part> {
    let (name, digits) = match inside.split_once(':') {
        Some((name, digits)) => (name, Some(digits.parse().ok().filter(|digits| *digits <= 20)?)),
        None => (inside, None),
    };
    match (name, digits) {
        ("name", None) => Some(Part::Name),
        ("path", None) => Some(Part::Path),
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
        let path = "/a:b/../kni\\ght";
        let values = Values { name: "kni/ght", path, animation: "../walk", index: 7, frame: 12 };
        template.parse::<Template>().unwrap().fill(values).display().to_string()
    }

    #[test]
    fn placeholders_are_filled_and_sanitized() {
        assert_eq!(fill("out/{name}-{animation}-{frame:04}.png"), "out/kni_ght-_.._walk-0012.png");
        assert_eq!(fill("{{{index}}}-{index:03}"), "{7}-007");
        assert_eq!(fill("plain.png"), "plain.png");
        assert_eq!(fill("out/{path}.png"), "out/a_b/kni_ght.png");
        assert_eq!(safe_path("../"), "_");
    }

    #[test]
    fn mistakes_are_reported() {
        let error = |text: &str| text.parse::<Template>().unwrap_err().to_string();
        assert!(error("a{frame").contains("brace"));
        assert!(error("a}b").contains("brace"));
        assert!(error("{fram}").contains("{fram}"));
        assert!(error("{frame:x}").contains("{frame:x}"));
    }
}
