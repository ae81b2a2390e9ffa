//! A TOML value → the words of one option.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::{Arg, ArgAction};
use glob::Pattern;
use toml::Spanned;
use toml::de::DeValue;

use super::{ConfigFile, PathKind, Rules};
use crate::shared::failure::Failure;
use crate::shared::stdio::is_stdio;

/// Returns the values that `value` gives to the option `arg`, one per occurrence. A flag that is not set has none.
pub fn values(
    file: &ConfigFile,
    arg: &Arg,
    key: &str,
    value: &Spanned<DeValue<'_>>,
    rules: &Rules<'_>,
) -> Result<Vec<OsString>, Failure> {
    let wrong = |expected: &str, found: &DeValue<'_>| {
        file.error(value.span(), format!("`{key}`: expected {expected}, found {}", name(found)))
    };
    if is_flag(arg) {
        return match value.get_ref() {
            DeValue::Boolean(true) => Ok(vec![OsString::new()]),
            DeValue::Boolean(false) => Ok(Vec::new()),
            other => Err(wrong("true or false", other)),
        };
    }
    let is_repeatable = matches!(arg.get_action(), ArgAction::Append);
    let texts = match value.get_ref() {
        DeValue::Array(items) if is_repeatable => {
            items.iter().map(|item| text(file, arg, key, item)).collect::<Result<Vec<_>, _>>()?
        }
        other @ DeValue::Array(_) => return Err(wrong("a single value", other)),
        _ => vec![text(file, arg, key, value)?],
    };
    let kind = rules.paths.iter().find(|(name, _)| *name == key).map(|(_, kind)| *kind);
    Ok(texts
        .into_iter()
        .map(|text| kind.map_or_else(|| text.clone().into(), |kind| path(file, &text, kind)))
        .collect())
}

/// Returns true for an option without a value.
pub fn is_flag(arg: &Arg) -> bool {
    matches!(arg.get_action(), ArgAction::SetTrue | ArgAction::SetFalse)
}

/// Returns a single value as it is written on the command line.
fn text(file: &ConfigFile, arg: &Arg, key: &str, value: &Spanned<DeValue<'_>>) -> Result<String, Failure> {
    let wrong = |message: String| file.error(value.span(), format!("`{key}`: {message}"));
    match value.get_ref() {
        DeValue::String(text) => Ok(text.clone().into_owned()),
        DeValue::Integer(number) => {
            let parsed = i64::from_str_radix(number.as_str(), number.radix());
            parsed.map(|number| number.to_string()).map_err(|_| wrong("the number is out of range".to_owned()))
        }
        DeValue::Float(number) => {
            let parsed = number.as_str().parse().ok().filter(|number: &f64| number.is_finite());
            parsed
                .map(|number| number.to_string())
                .ok_or_else(|| wrong("the number is NaN or infinite".to_owned()))
        }
        DeValue::Boolean(is_on) if is_switch(arg) => Ok(if *is_on { "on" } else { "off" }.to_owned()),
        other @ (DeValue::Boolean(_) | DeValue::Datetime(_) | DeValue::Array(_) | DeValue::Table(_)) => {
            Err(wrong(format!("expected a string or a number, found {}", name(other))))
        }
    }
}

/// Returns true for an option with the values `on` and `off`, for which TOML has its own words.
fn is_switch(arg: &Arg) -> bool {
    let values = arg.get_possible_values();
    values.len() == 2 && ["on", "off"].iter().all(|word| values.iter().any(|value| value.get_name() == *word))
}

/// Returns `text` relative to the folder of the file.
fn path(file: &ConfigFile, text: &str, kind: PathKind) -> OsString {
    let (path, folder) = (Path::new(text), file.folder());
    if is_stdio(path) || path.is_absolute() || text.is_empty() {
        return text.into();
    }
    if folder.as_os_str().is_empty() {
        // Not an option, even if it begins with a dash.
        return if text.starts_with('-') { Path::new(".").join(path).into() } else { text.into() };
    }
    let joined = folder.join(path);
    let quote: fn(&str) -> String = match kind {
        PathKind::Plain => return joined.into(),
        PathKind::Pattern if joined.symlink_metadata().is_ok() => return joined.into(),
        PathKind::Pattern => Pattern::escape,
        PathKind::Template => |text| text.replace('{', "{{").replace('}', "}}"),
    };
    // Only the folder is quoted: it is not part of what the user wrote.
    folder.to_str().map_or_else(|| joined.clone().into(), |folder| PathBuf::from(quote(folder)).join(path).into())
}

/// Returns the type of a value, with its article.
fn name(value: &DeValue<'_>) -> &'static str {
    match value {
        DeValue::String(_) => "a string",
        DeValue::Integer(_) | DeValue::Float(_) => "a number",
        DeValue::Boolean(true) => "true",
        DeValue::Boolean(false) => "false",
        DeValue::Datetime(_) => "a date",
        DeValue::Array(_) => "a list",
        DeValue::Table(_) => "a table",
    }
}
