//! A walk over JSON text that finds the objects in certain lists.

use std::borrow::Cow;
use std::hash::{DefaultHasher, Hash, Hasher};

use crate::formats::json::parser::{Parser, Result};

/// A step from a value to one inside it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step<'a> {
    Name(Cow<'a, str>),
    Index(usize),
}

/// What a list or an object contains.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// Keys, if it is a list; otherwise lists and objects with keys.
    Keys,
    /// Lists and objects with keys or named items.
    Inside,
    /// Named items: objects in a list, or entries of an object.
    Items,
    /// No keys.
    Other,
}

/// A key or a named item.
pub struct Found<'w, 'a> {
    /// The path of the list or object.
    pub path: &'w [Step<'a>],
    /// Its index or name there.
    pub step: Step<'a>,
    /// The offset of its value in the text.
    pub at: usize,
    /// The fields of an object in a list.
    pub fields: &'w mut Fields<'a>,
}

/// Names and texts of values.
type Fields<'a> = Vec<(Cow<'a, str>, &'a [u8])>;

impl<'a> Found<'_, 'a> {
    /// Removes a field and returns the text of its value.
    pub fn take(&mut self, name: &str) -> Option<&'a [u8]> {
        let at = self.fields.iter().position(|(field, _)| field == name)?;
        Some(self.fields.remove(at).1)
    }

    /// Removes a field with a finite number. Other values stay.
    pub fn take_number(&mut self, name: &str) -> Option<f64> {
        let number = self.number(name)?;
        self.take(name);
        Some(number)
    }

    /// Returns the number in a field.
    pub fn number(&self, name: &str) -> Option<f64> {
        let (_, raw) = self.fields.iter().find(|(field, _)| field == name)?;
        serde_json::from_slice(raw).ok()
    }

    /// Removes a field with a string. Other values stay.
    pub fn take_text(&mut self, name: &str) -> Option<String> {
        let (_, raw) = self.fields.iter().find(|(field, _)| field == name)?;
        let text = serde_json::from_slice(raw).ok()?;
        self.take(name);
        Some(text)
    }
}

/// A walk, and where it has arrived.
pub struct Walk<'w, 'a> {
    pub text: &'a [u8],
    pub path: Vec<Step<'a>>,
    pub part: &'w dyn Fn(&[Step<'a>]) -> Part,
    /// Returns false to end the walk.
    pub visit: &'w mut dyn FnMut(Found<'_, 'a>) -> bool,
}

impl<'a> Walk<'_, 'a> {
    /// Walks over the next value.
    pub fn value(&mut self, json: &mut Parser<'a>) -> Result<()> {
        match (json.peek(), (self.part)(&self.path)) {
            (Some(b'{'), Part::Inside | Part::Keys) => {
                json.object("", |json, name| self.inside(json, Step::Name(name)))
            }
            (Some(b'{'), Part::Items) => json.object("", |json, name| {
                let at = json.start();
                skip(json)?;
                self.found(json, Step::Name(name), at, Vec::new())
            }),
            (Some(b'['), Part::Inside) => {
                let mut index = 0..;
                json.list(|json| self.inside(json, Step::Index(index.next().unwrap_or_default())))
            }
            (Some(b'['), Part::Keys | Part::Items) => {
                let mut index = 0..;
                json.list(|json| self.listed(json, index.next().unwrap_or_default()))
            }
            _ => skip(json),
        }
    }

    fn inside(&mut self, json: &mut Parser<'a>, step: Step<'a>) -> Result<()> {
        self.path.push(step);
        self.value(json)?;
        self.path.pop();
        Ok(())
    }

    fn listed(&mut self, json: &mut Parser<'a>, index: usize) -> Result<()> {
        let at = json.start();
        if json.peek() != Some(b'{') {
            return skip(json);
        }
        let mut fields = Vec::new();
        json.object("", |json, name| {
            let start = json.start();
            skip(json)?;
            let raw = self.text.get(start..json.start()).unwrap_or_default().trim_ascii_end();
            if fields.len() == MAX_FIELDS {
                return Err(json.refused(
                    start,
                    format!("an object in a list of keys or items has at most {MAX_FIELDS} fields"),
                ));
            }
            fields.push((name, raw));
            Ok(())
        })?;
        self.found(json, Step::Index(index), at, fields)
    }

    fn found(&mut self, json: &Parser<'a>, step: Step<'a>, at: usize, mut fields: Fields<'a>) -> Result<()> {
        let found = Found { path: &self.path, step, at, fields: &mut fields };
        if (self.visit)(found) { Ok(()) } else { Err(json.refused(at, "")) }
    }
}

/// More fields are no key.
const MAX_FIELDS: usize = 1 << 12;

fn skip(json: &mut Parser<'_>) -> Result<()> {
    json.ignore()?;
    json.odd.clear();
    Ok(())
}

/// Returns whether a path belongs to one of `patterns`, in which `#` is any index and `same` compares names.
pub fn matches(patterns: &[&[&str]], path: &[Step<'_>], same: impl Fn(&str, &str) -> bool) -> Part {
    let fits = |pattern: &&&[&str]| {
        path.len() <= pattern.len()
            && path.iter().zip(**pattern).all(|(step, word)| match step {
                Step::Name(name) => same(word, name),
                Step::Index(_) => *word == "#",
            })
    };
    match patterns.iter().find(fits) {
        Some(pattern) if pattern.len() == path.len() => Part::Keys,
        Some(_) => Part::Inside,
        None => Part::Other,
    }
}

/// Returns the hash of a path with one more name, from that of the path. Of a long name, only the beginning counts: names may
/// be repeated at little cost to a file.
pub fn hash_step(path: u64, name: &str) -> u64 {
    const BEGINNING: usize = 1 << 12;
    let mut hasher = DefaultHasher::new();
    let bytes = name.as_bytes();
    (path, bytes.len(), bytes.get(..BEGINNING).unwrap_or(bytes)).hash(&mut hasher);
    hasher.finish()
}
