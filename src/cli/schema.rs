//! `pchr schema`: the JSON Schemas of everything that is printed as JSON, made from the very types that are
//! printed. [`PUBLISHED`] is the list; the files below `schema/` are what it gives.

use std::fmt::Write as _;

use clap::Args;
use schemars::generate::SchemaSettings;
use schemars::transform::transform_subschemas;
use schemars::{JsonSchema, Schema};
use serde::Serialize;
use serde_json::{Map, Value};

use super::adapter::Adapters;
use super::choose;
use super::convert::LossReport;
use super::diff::Diff;
use super::failure::Failure;
use super::inspect::Inspection;
use super::json_error::JsonError;
use super::stdio::print_stdout;
use super::summary::Summary;
use super::validate::Report;
use crate::error::{Error, is_obeyed};
use crate::formats::pchr::json::description::Description;
use crate::formats::pchr::json::pachario::Pachario;

/// What is printed as JSON with a schema of its own. Its fields are in alphabetical order, those of
/// everything in it too.
pub trait JsonOutput: Serialize + JsonSchema {
    /// Name and version, as the field `schema` has it.
    const SCHEMA: &'static str;

    /// As text. Its keys are sorted because the fields are: a `Value` would sort them, and print every
    /// `f32` with the digits of an `f64`.
    fn to_text(&self) -> serde_json::Result<String> {
        serde_json::to_string_pretty(self).map(harmless)
    }
}

/// JSON text in which nothing stands that a terminal obeys: JSON itself escapes only the first 32 characters. All of it
/// is in strings.
pub fn harmless(text: String) -> String {
    if !text.contains(is_obeyed_in_json) {
        return text;
    }
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        if is_obeyed_in_json(c) { _ = write!(escaped, "\\u{:04x}", u32::from(c)) } else { escaped.push(c) }
    }
    escaped
}

/// The layout has line ends of its own.
fn is_obeyed_in_json(c: char) -> bool {
    c != '\n' && is_obeyed(c)
}

/// Prints `document` to stdout.
pub fn print(document: &impl JsonOutput) -> Result<(), Failure> {
    print_stdout(&(document.to_text().map_err(unwritten)? + "\n"))
}

fn unwritten(error: serde_json::Error) -> Failure {
    Failure::Output(Error::io("stdout", error.into()))
}

/// One schema of the list.
struct Published {
    name: &'static str,
    /// What prints documents of it.
    printed_by: &'static str,
    schema: fn() -> Schema,
}

impl Published {
    const fn of<T: JsonOutput>(printed_by: &'static str) -> Self {
        Self { name: T::SCHEMA, printed_by, schema: schema_of::<T> }
    }

    /// The name without project and version.
    fn short_name(&self) -> &str {
        let (name, _) = self.name.split_once('/').unwrap_or((self.name, ""));
        name.strip_prefix("pchr.").unwrap_or(name)
    }
}

/// Every schema, by name. A new one is one line here and one file more in `schema/`, which
/// `PCHR_UPDATE=1 cargo test --release --test project schemas` writes.
static PUBLISHED: &[Published] = &[
    Published::of::<Adapters>("pchr-view --list-adapters --json"),
    Published { name: DESCRIPTION, printed_by: "pchr unpack", schema: || named::<Description<'_>>(DESCRIPTION) },
    Published::of::<Diff>("pchr diff --json"),
    Published::of::<JsonError>("any command with --json that fails"),
    Published::of::<Inspection>("pchr inspect --json"),
    Published::of::<LossReport>("pchr convert --loss-report"),
    Published {
        name: PACHARIO,
        printed_by: "pchr convert --to pachario",
        schema: || named::<Pachario<'_>>(PACHARIO),
    },
    Published::of::<Summary>("pchr-view --json"),
    Published::of::<Report>("pchr validate --json"),
];

/// Files of their own kind, which do not name their schema.
const DESCRIPTION: &str = "pchr.description/1";
const PACHARIO: &str = "pchr.pachario/1";

/// What `pchr schema` takes.
#[derive(Debug, Args)]
pub struct SchemaArgs {
    /// The schema, as the field `schema` of a document names it, or in short, as diff; without it all are listed
    #[arg(value_name = "NAME")]
    name: Option<String>,
}

/// Prints a schema, or the list of them.
pub fn run(args: &SchemaArgs) -> Result<(), Failure> {
    let Some(name) = &args.name else {
        let line = |published: &Published| format!("{:<16} {}\n", published.name, published.printed_by);
        return print_stdout(&PUBLISHED.iter().map(line).collect::<String>());
    };
    // `diff` is the newest of `pchr.diff/1`, `pchr.diff/2`, …
    let is_meant = |known: &&Published| known.name == name || known.short_name() == name;
    let published = PUBLISHED.iter().rfind(is_meant);
    let names = PUBLISHED.iter().map(|known| if name.contains('.') { known.name } else { known.short_name() });
    let published = published.ok_or_else(|| choose::unknown("schema", name, names))?;
    let text = serde_json::to_string_pretty(&sorted((published.schema)().to_value())).map_err(unwritten)?;
    print_stdout(&(text + "\n"))
}

/// The schema of what is printed as `T`.
fn schema_of<T: JsonOutput>() -> Schema {
    named::<T>(T::SCHEMA)
}

fn named<T: JsonSchema>(name: &str) -> Schema {
    let settings = SchemaSettings::draft2020_12().for_serialize().with_transform(close_objects);
    let mut schema = settings.into_generator().into_root_schema_for::<T>();
    schema.insert("$id".to_owned(), id(name).into());
    schema.insert("title".to_owned(), name.into());
    schema
}

/// Where the schema `name` is read.
fn id(name: &str) -> String {
    format!("{}/raw/HEAD/schema/{}.schema.json", env!("CARGO_PKG_REPOSITORY"), name.replace('/', "-"))
}

/// What a type does not name is not printed, and what may be left out is left out rather than null.
fn close_objects(schema: &mut Schema) {
    if let Some(object) = schema.as_object_mut() {
        let required = object.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
        if let Some(Value::Object(properties)) = object.get_mut("properties") {
            let optional = properties.iter_mut().filter(|(name, _)| !required.iter().any(|known| known == *name));
            optional.for_each(|(_, property)| without_null(property));
            object.insert("additionalProperties".to_owned(), false.into());
        }
    }
    transform_subschemas(&mut close_objects, schema);
}

/// Takes the null out of `T | null`.
fn without_null(property: &mut Value) {
    let Some(property) = property.as_object_mut() else { return };
    if let Some(Value::Array(types)) = property.get_mut("type") {
        types.retain(|kind| kind != "null");
        if let [kind] = &types[..] {
            let kind = kind.clone();
            property.insert("type".to_owned(), kind);
        }
    }
    if let Some(Value::Array(mut choices)) = property.remove("anyOf") {
        choices.retain(|choice| choice.get("type").is_none_or(|kind| kind != "null"));
        match (&choices[..], property.contains_key("$ref")) {
            ([Value::Object(only)], false) => property.extend(only.clone()),
            _ => {
                property.insert("anyOf".to_owned(), Value::Array(choices));
            }
        }
    }
}

/// The same with sorted keys, whatever order the features of this build keep them in.
fn sorted(value: Value) -> Value {
    match value {
        Value::Object(object) => {
            let mut entries: Vec<(String, Value)> = object.into_iter().collect();
            entries.sort_by(|a, b| a.0.cmp(&b.0));
            Value::Object(entries.into_iter().map(|(key, value)| (key, sorted(value))).collect::<Map<_, _>>())
        }
        Value::Array(items) => Value::Array(items.into_iter().map(sorted).collect()),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_terminals_obey_is_printed_raw() {
        let value = serde_json::json!({ "name": "a\u{9b}31m\u{202e}\u{85}\u{1b}é" });
        let text = harmless(serde_json::to_string_pretty(&value).unwrap());
        let is_plain = |c: char| matches!(c, ' '..='~' | '\n' | 'é');
        assert!(text.chars().all(is_plain), "{text:?}");
        assert!(text.contains('é') && text.lines().count() == 3, "{text}");
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), value);
    }

    #[test]
    fn the_list_is_sorted_and_every_name_has_a_version() {
        assert!(PUBLISHED.is_sorted_by_key(|published| published.name));
        for published in PUBLISHED {
            let (name, version) = published.name.split_once('/').unwrap();
            assert!(name.starts_with("pchr.") && version.parse::<u32>().is_ok(), "{}", published.name);
        }
    }
}
