//! `pchr schema`: the JSON Schemas of all printed JSON documents, generated from the printed types.

use clap::Args;
use schemars::generate::SchemaSettings;
use schemars::transform::transform_subschemas;
use schemars::{Schema, SchemaGenerator};
use serde_json::Value;

use super::shared::choose;
use super::shared::failure::Failure;
use super::shared::json_output::{JsonOutput, unwritten};
use super::shared::stdio::print_stdout;

/// A published schema.
pub struct Published {
    /// Name and version, as in the `schema` field.
    pub name: &'static str,
    /// The command that prints such documents.
    printed_by: &'static str,
    schema: fn() -> Schema,
}

impl Published {
    /// The schema of a document that names its schema.
    pub const fn of<T: JsonOutput>(printed_by: &'static str) -> Self {
        Self { name: T::SCHEMA, printed_by, schema: schema_of::<T> }
    }

    /// The schema of a file format whose documents do not name their schema.
    pub const fn of_file(name: &'static str, printed_by: &'static str, schema: fn() -> Schema) -> Self {
        Self { name, printed_by, schema }
    }

    /// The schema, with sorted keys: the order of a `Map` depends on the features of the build.
    pub fn schema(&self) -> Value {
        let mut schema = (self.schema)().to_value();
        schema.sort_all_objects();
        schema
    }

    /// The name without `pchr.` and the version.
    fn short_name(&self) -> &str {
        let (name, _) = self.name.split_once('/').unwrap_or((self.name, ""));
        name.strip_prefix("pchr.").unwrap_or(name)
    }
}

/// Arguments of `pchr schema`.
#[derive(Debug, Args)]
pub struct SchemaArgs {
    /// Schema name as in a document's `schema` field, or its short form, such as diff; lists all schemas if
    /// omitted
    #[arg(value_name = "NAME")]
    name: Option<String>,
}

/// Prints one schema of `all`, or lists them. `all` must be sorted by name.
pub fn run(args: &SchemaArgs, all: &[Published]) -> Result<(), Failure> {
    let Some(name) = &args.name else {
        let line = |published: &Published| format!("{:<20} {}\n", published.name, published.printed_by);
        return print_stdout(&all.iter().map(line).collect::<String>());
    };
    // `diff` means the latest of `pchr.diff/1`, `pchr.diff/2`, …
    let is_meant = |known: &&Published| known.name == name || known.short_name() == name;
    let published = all.iter().rfind(is_meant);
    let names = all.iter().map(|known| if name.contains('.') { known.name } else { known.short_name() });
    let published = published.ok_or_else(|| choose::unknown("schema", name, names))?;
    let text = serde_json::to_string_pretty(&published.schema()).map_err(unwritten)?;
    print_stdout(&(text + "\n"))
}

/// The schema of the document type `T`.
fn schema_of<T: JsonOutput>() -> Schema {
    named(T::SCHEMA, SchemaGenerator::into_root_schema_for::<T>)
}

/// The schema that `generate` returns, under this name.
pub fn named(name: &str, generate: impl FnOnce(SchemaGenerator) -> Schema) -> Schema {
    let settings = SchemaSettings::draft2020_12().for_serialize().with_transform(close_objects);
    let mut schema = generate(settings.into_generator());
    schema.insert("$id".to_owned(), id(name).into());
    schema.insert("title".to_owned(), name.into());
    schema
}

/// The URL of the schema `name`.
fn id(name: &str) -> String {
    format!("{}/raw/HEAD/schema/{}.schema.json", env!("CARGO_PKG_REPOSITORY"), name.replace('/', "-"))
}

/// Forbids additional properties, and null for optional properties: they are omitted instead.
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

/// Turns `T | null` into `T`.
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
