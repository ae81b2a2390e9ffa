//! Property list values, and their XML form. Nothing here recurses, so nested values use no stack.

use std::borrow::Cow;

use super::loose::Scalar;
use super::xml::{Part, Parts, Text};
use crate::error::{Error, Place, Result};
use crate::limits::Budget;

/// A value, as far as sheets need it: the content of arrays, dates and data is not stored.
#[derive(Debug, Clone, PartialEq)]
pub enum Value<'a> {
    Text(Cow<'a, str>),
    Number(f64),
    Bool(bool),
    Dict(Dict<'a>),
    /// The texts of an array.
    Texts(Vec<Cow<'a, str>>),
    /// Any other value, described for errors.
    Other(&'static str),
}

/// Keys and values in the order of the text, including duplicates.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Dict<'a>(pub Vec<(Cow<'a, str>, Value<'a>)>);

impl<'a> Dict<'a> {
    /// Returns the first value of a key.
    pub fn get(&self, key: &str) -> Option<&Value<'a>> {
        self.0.iter().find(|(found, _)| found == key).map(|(_, value)| value)
    }

    pub fn pairs(&self) -> impl Iterator<Item = (&str, &Value<'a>)> {
        self.0.iter().map(|(key, value)| (&**key, value))
    }
}

impl Value<'_> {
    /// Converts the value to a scalar.
    pub fn scalar(&self) -> Scalar {
        match self {
            Self::Text(text) => Scalar::Text(text.to_string()),
            Self::Number(number) => Scalar::Number(*number),
            Self::Bool(value) => Scalar::Bool(*value),
            Self::Dict(_) => Scalar::Other("a dictionary"),
            Self::Texts(_) => Scalar::Other("an array"),
            Self::Other(what) => Scalar::Other(what),
        }
    }
}

/// Maximum nesting depth of dictionaries that are read; sheets need `frames`, a frame and its fields.
pub const MAX_DEPTH: usize = 4;
/// Memory for a key and its value, in bytes.
pub const PAIR_BYTES: usize = size_of::<(Cow<'_, str>, Value<'_>)>();

/// An open dictionary.
#[derive(Default)]
struct Open<'a> {
    dict: Dict<'a>,
    key: Option<Cow<'a, str>>,
}

/// Reads `<plist>`.
pub fn read_xml<'a>(text: &'a Text<'_>, budget: &mut Budget<'_>) -> Result<Value<'a>> {
    let mut parts = Parts::of(text);
    let mut open: Vec<Open<'a>> = Vec::new();
    let mut root = None;
    while let Some(part) = parts.next(budget)? {
        let (element, is_empty) = match part {
            Part::Start(element, is_empty) => (element, is_empty),
            Part::End => {
                // Only dictionaries stay open; everything else is read to its end.
                if let Some(Open { dict, .. }) = open.pop() {
                    put(Value::Dict(dict), &mut open, &mut root, budget)?;
                }
                continue;
            }
            Part::Text(text) if text.trim().is_empty() => continue,
            Part::Text(text) => {
                let message = format!("expected an element, found `{}`", crate::error::escaped(text.trim()));
                return Err(Error::malformed("bad-plist", Place::at("", parts.offset()), message));
            }
        };
        let name = element.name();
        match name.as_str() {
            "plist" => {}
            "dict" if open.len() < MAX_DEPTH => {
                open.push(Open::default());
                if is_empty {
                    open.pop();
                    put(Value::Dict(Dict::default()), &mut open, &mut root, budget)?;
                }
            }
            "key" => {
                let key = if is_empty { Cow::Borrowed("") } else { content(&mut parts, budget)? };
                if let Some(open) = open.last_mut() {
                    open.key = Some(key);
                }
            }
            "array" if !is_empty => put(Value::Texts(texts(&mut parts, budget)?), &mut open, &mut root, budget)?,
            _ => {
                let text = if is_empty { Cow::Borrowed("") } else { content(&mut parts, budget)? };
                put(value(&name, text), &mut open, &mut root, budget)?;
            }
        }
    }
    Ok(root.unwrap_or(Value::Other("empty")))
}

/// Converts the element `name` with content `text` to a value.
fn value<'a>(name: &str, text: Cow<'a, str>) -> Value<'a> {
    match name {
        "string" => Value::Text(text),
        "integer" | "real" => match text.trim().parse() {
            Ok(number) => Value::Number(number),
            Err(_) => Value::Text(text),
        },
        "true" => Value::Bool(true),
        "false" => Value::Bool(false),
        "array" => Value::Other("an array"),
        "dict" => Value::Other("a dictionary"),
        "data" => Value::Other("data"),
        "date" => Value::Other("a date"),
        _ => Value::Other("an unknown element"),
    }
}

/// Returns the texts of an array up to its end. Other items are skipped.
fn texts<'a>(parts: &mut Parts<'a>, budget: &mut Budget<'_>) -> Result<Vec<Cow<'a, str>>> {
    let mut texts = Vec::new();
    while let Some(part) = parts.next(budget)? {
        match part {
            Part::Start(_, true) | Part::Text(_) => {}
            Part::Start(element, false) => {
                let is_text = element.name() == "string";
                let text = content(parts, budget)?;
                if is_text {
                    budget.charge_memory(1, 2 * size_of::<Cow<'_, str>>(), || Place::at("", parts.offset()))?;
                    texts.push(text);
                }
            }
            Part::End => break,
        }
    }
    Ok(texts)
}

/// Returns the text of an element up to its end. Nested elements are skipped.
fn content<'a>(parts: &mut Parts<'a>, budget: &mut Budget<'_>) -> Result<Cow<'a, str>> {
    let (mut text, mut depth) = (Cow::Borrowed(""), 0u64);
    while let Some(part) = parts.next(budget)? {
        match part {
            Part::Start(_, is_empty) => depth += u64::from(!is_empty),
            Part::End if depth == 0 => break,
            Part::End => depth -= 1,
            Part::Text(more) if depth == 0 && text.is_empty() => text = more,
            Part::Text(more) if depth == 0 => {
                budget.charge_memory(more.len() as u64, 1, || Place::at("", parts.offset()))?;
                text.to_mut().push_str(&more);
            }
            Part::Text(_) => {}
        }
    }
    Ok(text)
}

fn put<'a>(
    value: Value<'a>,
    open: &mut [Open<'a>],
    root: &mut Option<Value<'a>>,
    budget: &mut Budget<'_>,
) -> Result<()> {
    match open.last_mut() {
        // A value without a key cannot be looked up.
        Some(Open { dict, key }) => {
            if let Some(key) = key.take() {
                budget.charge_memory(1, PAIR_BYTES, || Place::at("", 0))?;
                dict.0.push((key, value));
            }
        }
        None => _ = root.get_or_insert(value),
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Limits;

    fn read(text: &str) -> Result<Value<'static>> {
        let limits = Limits::default();
        let text = Text::from(text);
        read_xml(&text, &mut Budget::new(&limits)).map(owned)
    }

    fn owned(value: Value<'_>) -> Value<'static> {
        match value {
            Value::Text(text) => Value::Text(text.into_owned().into()),
            Value::Number(number) => Value::Number(number),
            Value::Bool(value) => Value::Bool(value),
            Value::Dict(Dict(pairs)) => Value::Dict(Dict(
                pairs.into_iter().map(|(key, value)| (key.into_owned().into(), owned(value))).collect(),
            )),
            Value::Texts(texts) => Value::Texts(texts.into_iter().map(|text| text.into_owned().into()).collect()),
            Value::Other(what) => Value::Other(what),
        }
    }

    #[test]
    fn values_keep_their_order_and_duplicates() {
        let text = "<plist version='1.0'>\n<dict><key>b</key><integer> 7 </integer><key>a&amp;b</key><string>x&#33;y</string>\
                    <key>b</key><true/><key>l</key><array><dict><key>n</key></dict><string>1</string></array>\
                    <key>e</key><string/><key>d</key><dict/></dict></plist>";
        let Value::Dict(dict) = read(text).unwrap() else { panic!() };
        let expected = [
            ("b", Value::Number(7.0)),
            ("a&b", Value::Text("x!y".into())),
            ("b", Value::Bool(true)),
            ("l", Value::Texts(vec!["1".into()])),
            ("e", Value::Text("".into())),
            ("d", Value::Dict(Dict::default())),
        ];
        assert!(dict.pairs().eq(expected.iter().map(|(key, value)| (*key, value))), "{dict:?}");
    }

    #[test]
    fn deep_and_invalid_lists_are_handled() {
        let deep = |count: usize| {
            format!("<plist>{}</plist>", "<dict><key>a</key>".repeat(count) + &"</dict>".repeat(count))
        };
        assert!(read(&deep(60)).is_ok());
        assert_eq!(read(&deep(1000)).unwrap_err().code(), "limit-exceeded");
        assert_eq!(read("<plist><array>").unwrap_err().code(), "bad-xml");
        assert_eq!(read("<plist>text</plist>").unwrap_err().code(), "bad-plist");
        assert_eq!(read("<plist/>").unwrap(), Value::Other("empty"));
        assert_eq!(read("<plist><dict><string>a</string></dict></plist>").unwrap(), Value::Dict(Dict::default()));
    }
}
