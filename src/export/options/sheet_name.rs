//! Names of frames and animations of a sheet, in the terms of Aseprite.

use std::fmt;
use std::str::FromStr;

use crate::error::escaped;
use crate::export::error::ParseError;

/// A name with placeholders.
#[derive(Debug, Clone, PartialEq)]
pub struct SheetName {
    /// The original text.
    text: String,
    parts: Vec<Part>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Part {
    Text(String),
    Title,
    Extension,
    Layer,
    Group,
    Tag,
    Frame(Count),
    TagFrame(Count),
}

/// Number of the first frame and minimum number of digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Count {
    first: u32,
    digits: usize,
}

/// Values of the placeholders.
#[derive(Debug, Clone, Copy)]
pub struct SheetValues<'a> {
    /// Name of the sheet.
    pub title: &'a str,
    /// Name of the animation.
    pub tag: &'a str,
    /// Index of the frame in the sheet.
    pub frame: usize,
    /// Index of the frame in its animation.
    pub tag_frame: usize,
}

impl SheetName {
    /// Returns the name for these values.
    pub(crate) fn fill(&self, values: SheetValues<'_>) -> String {
        let mut name = String::new();
        let number = |Count { first, digits }: Count, index: usize| {
            format!("{:0digits$}", (first as usize).saturating_add(index))
        };
        for part in &self.parts {
            match part {
                Part::Text(text) => name.push_str(text),
                Part::Title => name.push_str(values.title),
                Part::Extension => name.push_str("aseprite"),
                Part::Layer => name.push_str("character"),
                Part::Group => {}
                Part::Tag => name.push_str(values.tag),
                Part::Frame(count) => name.push_str(&number(*count, values.frame)),
                Part::TagFrame(count) => name.push_str(&number(*count, values.tag_frame)),
            }
        }
        name
    }
}

impl FromStr for SheetName {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut parts = Vec::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('{') {
            let (inside, after) = after
                .split_once('}')
                .ok_or_else(|| ParseError(format!("`{}` has an unmatched brace", escaped(text))))?;
            parts.push(Part::Text(before.to_owned()));
            parts.push(parse(inside).ok_or_else(|| unknown(inside))?);
            rest = after;
        }
        parts.push(Part::Text(rest.to_owned()));
        parts.retain(|part| *part != Part::Text(String::new()));
        Ok(Self { text: text.to_owned(), parts })
    }
}

fn unknown(inside: &str) -> ParseError {
    let expected = "{title}, {tag}, {frame}, {tagframe}, {extension}, {layer} or {group}";
    let numbers = "frame and tagframe accept a start number, as in {frame001}";
    ParseError(format!("unknown placeholder `{{{}}}`, expected {expected}; {numbers}", escaped(inside)))
}

impl fmt::Display for SheetName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

fn parse(inside: &str) -> Option<Part> {
    let count = |number: &str| {
        let first = if number.is_empty() { 0 } else { number.parse().ok()? };
        let is_number = number.len() <= 9 && number.bytes().all(|digit| digit.is_ascii_digit());
        is_number.then_some(Count { first, digits: number.len() })
    };
    match inside {
        "title" | "name" => Some(Part::Title),
        "extension" => Some(Part::Extension),
        "layer" => Some(Part::Layer),
        "group" => Some(Part::Group),
        "tag" | "innertag" | "outertag" => Some(Part::Tag),
        _ => match (inside.strip_prefix("frame"), inside.strip_prefix("tagframe")) {
            (Some(number), _) => count(number).map(Part::Frame),
            (None, Some(number)) => count(number).map(Part::TagFrame),
            (None, None) => None,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fill(text: &str) -> Result<String, String> {
        let values = SheetValues { title: "hero", tag: "run fast", frame: 11, tag_frame: 3 };
        text.parse::<SheetName>().map(|name| name.fill(values)).map_err(|error| error.to_string())
    }

    #[test]
    fn placeholders_match_those_of_aseprite() {
        for (text, name) in [
            ("{frame}", "11"),
            ("{title} {frame}.{extension}", "hero 11.aseprite"),
            ("{tag}:{tagframe001}", "run fast:004"),
            ("{frame000}{group}-{layer}", "011-character"),
            ("", ""),
            ("plain", "plain"),
        ] {
            assert_eq!(fill(text), Ok(name.to_owned()), "{text}");
        }
        assert_eq!(fill("{tag"), Err("`{tag` has an unmatched brace".to_owned()));
        for text in ["{}", "{fram}", "{frame-1}", "{frame0000000000}", "{slice}"] {
            assert!(
                fill(text)
                    .is_err_and(|error| error.starts_with(&format!("unknown placeholder `{text}`, expected ")))
            );
        }
    }
}
