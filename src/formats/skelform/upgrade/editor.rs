//! `editor.json` of any version → `editor.json` of 0.7: existing values are kept, missing ones get the editor's
//! defaults.

use serde_json::{Map, Value};

use crate::error::{Error, Place, Result};
use crate::formats::detect::json::without_bom;
use crate::formats::json;
use crate::formats::skelform::read::EDITOR;
use crate::formats::skelform::write::json;
use crate::formats::skelform::write::schema::EditorBone;
use crate::limits::Budget;

/// Upper bound on the memory for a parsed value in bytes, per byte of text.
const VALUE_BYTES: usize = 48;

/// Returns the text for a file with `bones` bones, and whether an existing one could not be read. `active` are the
/// active styles, and `order` is the order in which all are written.
pub fn editor(
    text: Option<&[u8]>,
    bones: usize,
    active: &[bool],
    order: &[usize],
    budget: &mut Budget<'_>,
) -> Result<(Vec<u8>, bool)> {
    let stated = match text {
        Some(text) => {
            budget.charge_memory(text.len() as u64, VALUE_BYTES, || Place::inside(EDITOR))?;
            object(text, budget)
        }
        None => None,
    };
    let is_lost = text.is_some() && stated.is_none();
    let mut editor = stated.unwrap_or_default();
    if !editor.get("camera").is_some_and(Value::is_object) {
        editor.insert("camera".to_owned(), serde_json::json!({"pos": {"x": 0.0, "y": 0.0}, "zoom": 2000.0}));
    }
    let defaults = serde_json::to_value(EditorBone::default()).map_err(|error| Error::io("JSON", error.into()))?;
    let defaults = defaults.as_object().cloned().unwrap_or_default();
    budget.charge_memory(bones as u64, BONE_BYTES, || Place::inside(EDITOR))?;
    let mut found = list(&mut editor, "bones");
    found.truncate(bones);
    found.resize(bones, Value::Null);
    editor.insert("bones".to_owned(), found.into_iter().map(|bone| completed(bone, &defaults)).collect());
    let mut found = list(&mut editor, "styles");
    let style = |&style: &usize| {
        let mut object = found.get_mut(style).map(Value::take).and_then(into_object).unwrap_or_default();
        object.insert("active".to_owned(), active[style].into());
        Value::Object(object)
    };
    let styles = order.iter().map(style).collect();
    editor.insert("styles".to_owned(), styles);
    Ok((json(&editor)?, is_lost))
}

/// Upper bound on the memory for the entry of a bone in bytes.
const BONE_BYTES: usize = 1024;

fn object(text: &[u8], budget: &Budget<'_>) -> Option<Map<String, Value>> {
    json::read(without_bom(text), 0, budget, None).ok().and_then(into_object)
}

fn into_object(value: Value) -> Option<Map<String, Value>> {
    match value {
        Value::Object(object) => Some(object),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => None,
    }
}

fn list(editor: &mut Map<String, Value>, key: &str) -> Vec<Value> {
    match editor.remove(key) {
        Some(Value::Array(list)) => list,
        _ => Vec::new(),
    }
}

/// Adds the fields of 0.7 that are missing.
fn completed(value: Value, defaults: &Map<String, Value>) -> Value {
    let mut object = into_object(value).unwrap_or_default();
    for (key, value) in defaults {
        object.entry(key.clone()).or_insert_with(|| value.clone());
    }
    Value::Object(object)
}
