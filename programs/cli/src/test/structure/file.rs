//! Reads and writes `structure.json`.

use std::io::Write;
use std::path::Path;

use serde_json::Value;

use super::Structure;
use crate::golden::reference::{Reference, is_missing};
use crate::shared::json_output::{JsonOutput, escape_controls};
use pchr::error::with_sources;
use pchr::export::{OutputFile, OutputPath};
use pchr::formats::read_file;
use pchr::limits::Limits;
use pchr::{Error, Result};

/// The name of the file.
pub const FILE: &str = "structure.json";

/// How the files of all characters are written.
pub const RENEW: &str = "`pchr test DIR --accept '**/structure.json'` writes it, and no picture";

/// Maximum size in bytes.
const MAX_BYTES: u64 = 128 << 20;

/// Longest line of a list or object that is written on one line.
const MAX_LINE: usize = 110;

/// Reads a structure.
pub fn read(path: &Path) -> Reference<Box<Structure>> {
    let mut limits = Limits::default();
    limits.set("file-bytes", MAX_BYTES);
    let bytes = match read_file(path, &limits) {
        Ok(bytes) => bytes,
        Err(error) if is_missing(&error) => return Reference::Missing,
        Err(error) => return Reference::Unreadable(with_sources(&error)),
    };
    let structure: Structure = match serde_json::from_slice(&bytes) {
        Ok(structure) => structure,
        Err(error) => {
            return Reference::Unreadable(format!("not a structure of `{}`: {error}; {RENEW}", Structure::SCHEMA));
        }
    };
    if structure.schema != Structure::SCHEMA {
        return Reference::Unreadable(format!("expected the schema `{}`; {RENEW}", Structure::SCHEMA));
    }
    let areas = structure.motions.values().map(|motion| motion.area).chain([structure.setup.area]);
    if areas.flatten().any(|area| area.rect().is_empty() || !area.rect().size().is_finite()) {
        return Reference::Unreadable("an area has no width or height".to_owned());
    }
    Reference::Found(Box::new(structure))
}

/// Writes a structure, in place of an earlier one.
pub fn write(path: &OutputPath, structure: &Structure) -> Result<()> {
    let text = text(structure).map_err(|error| Error::io(path.display(), error.into()))?;
    let mut file = OutputFile::create(path, true)?;
    file.write_all(text.as_bytes()).map_err(|error| Error::io(path.display(), error))?;
    file.finish()
}

/// Returns the text. Whatever is short is on one line, so that a bone is a line.
fn text(structure: &Structure) -> serde_json::Result<String> {
    let mut out = String::new();
    lay_out(&serde_json::to_value(structure)?, 0, &mut out);
    out.push('\n');
    Ok(escape_controls(out).into_owned())
}

fn lay_out(value: &Value, indent: usize, out: &mut String) {
    let ([open, close], items): (_, Vec<(String, &Value)>) = match value {
        Value::Array(items) => (['[', ']'], items.iter().map(|item| (String::new(), item)).collect()),
        Value::Object(items) => {
            let keyed = items.iter().map(|(key, item)| (format!("{}: ", Value::from(key.as_str())), item));
            (['{', '}'], keyed.collect())
        }
        scalar => return *out += &scalar.to_string(),
    };
    // Spans are arrays of arrays of numbers.
    let is_numbers = |item: &Value| item.as_array().is_some_and(|list| list.iter().all(Value::is_number));
    let is_course = value.is_array() && items.iter().all(|(_, item)| is_numbers(item));
    if is_course || !items.iter().any(|(_, item)| item.is_array() || item.is_object()) {
        let line = items.iter().map(|(key, item)| format!("{key}{item}")).collect::<Vec<_>>().join(", ");
        if is_course || line.chars().count() <= MAX_LINE {
            return *out += &format!("{open}{line}{close}");
        }
    }
    let mut before = open;
    for (key, item) in items {
        *out += &format!("{before}\n{:1$}{key}", "", indent + 2);
        lay_out(item, indent + 2, out);
        before = ',';
    }
    *out += &format!("\n{:1$}{close}", "", indent);
}
