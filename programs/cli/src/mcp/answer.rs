//! A call of a tool → the document and the pictures of its answer.

use std::fs;
use std::path::Path;

use clap::Command;
use serde_json::{Map, Value, json};
use tempfile::TempDir;

use super::call::{Printed, command, refused, run};
use super::catalogue::{DRAW, Picture, Tool};
use super::param::{Line, Param};
use super::places::Places;
use crate::shared::failure::Failure;
use pchr::limits::Limits;

/// What a tool answers.
pub struct Answer {
    pub printed: Printed,
    /// A PNG.
    pub picture: Option<Vec<u8>>,
}

impl Tool {
    /// Returns the JSON Schema of its parameters.
    pub fn input_schema(&self) -> Map<String, Value> {
        let command = command(self.words);
        let property = |param: &Param| (param.name.to_owned(), param.schema(&command));
        let properties: Map<String, Value> = self.params.iter().map(property).collect();
        let required: Vec<&str> = self.params.iter().filter(|it| it.is_required).map(|it| it.name).collect();
        let schema = json!({
            "type": "object", "properties": properties, "required": required, "additionalProperties": false
        });
        schema.as_object().cloned().unwrap_or_default()
    }

    /// Returns true if it can write files.
    pub fn writes(&self) -> bool {
        self.params.iter().any(Param::is_output)
    }

    /// Runs it within `limits`.
    pub fn call(&self, places: &Places, arguments: &Map<String, Value>, limits: &Limits) -> Answer {
        let answer = self.line(places, arguments).and_then(|line| {
            // Removed at the end of the call, with everything in it.
            let scratch = places.scratch()?;
            Ok(self.answer(line, &scratch, limits))
        });
        answer.unwrap_or_else(|failure| Answer { printed: refused(&failure), picture: None })
    }

    fn answer(&self, mut line: Line, scratch: &TempDir, limits: &Limits) -> Answer {
        let unsaved = scratch.path().join("picture.png");
        if self.picture == Picture::Rendered && line.output.is_none() {
            line.add("output", &unsaved);
        }
        let mut printed = run(line.words(), limits);
        let picture = match self.picture {
            _ if printed.is_failed => None,
            Picture::None => None,
            Picture::Rendered => fs::read(line.output.as_ref().unwrap_or(&unsaved)).ok(),
            Picture::Difference => difference(&line, scratch, limits),
        };
        // The client cannot see this folder.
        let folder = Value::from(scratch.path().join("").display().to_string()).to_string();
        printed.text = printed.text.replace(folder.trim_matches('"'), "");
        self.reword(&mut printed);
        Answer { printed, picture }
    }

    /// Returns the command line.
    fn line(&self, places: &Places, arguments: &Map<String, Value>) -> Result<Line, Failure> {
        if let Some(unknown) = arguments.keys().find(|name| self.params.iter().all(|param| param.name != **name)) {
            return Err(Failure::usage(format!("`{}` has no parameter `{unknown}`", self.name)));
        }
        let command: Command = command(self.words);
        let mut line = start(self.words);
        for param in self.params {
            match arguments.get(param.name).filter(|value| !value.is_null()) {
                Some(value) => param.add(value, &command, places, &mut line)?,
                None if param.is_required => {
                    return Err(Failure::usage(format!("the parameter `{}` is missing", param.name)));
                }
                None => {}
            }
        }
        Ok(line)
    }
}

fn start(words: &[&str]) -> Line {
    Line { words: words.iter().map(Into::into).collect(), ..Line::default() }
}

/// Renders the first frames of both characters in the area of the first one, and returns the picture of the difference.
/// `None` if they look the same, or if one cannot be drawn.
fn difference(diff: &Line, scratch: &TempDir, limits: &Limits) -> Option<Vec<u8>> {
    let [a, b] = &diff.arguments[..] else { return None };
    let [reference, picture] = ["reference.png", "difference.png"].map(|name| scratch.path().join(name));
    let draw = |file: &Path, options: &[(&str, &Path)]| {
        let mut line = start(DRAW);
        for (long, value) in [("size", Path::new("512")), ("frames", Path::new("0"))].iter().chain(options) {
            line.add(long, value);
        }
        line.arguments.push(file.to_owned());
        run(line.words(), limits)
    };
    let drawn = draw(a, &[("output", &reference)]);
    let document: Value = serde_json::from_str(&drawn.text).ok()?;
    let area: Vec<String> = document["renders"][0]["view"].as_array()?.iter().map(Value::to_string).collect();
    let area = area.join(",");
    draw(b, &[("fit", Path::new(&area)), ("reference", &reference), ("diff", &picture)]);
    fs::read(picture).ok()
}
