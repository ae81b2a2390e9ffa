//! Keys in JSON texts.

use std::collections::HashMap;
use std::fmt::Debug;

use ::bytes::Bytes;

use super::items::Items;
use super::walk::{Found, Part, Step, Walk, hash_step};
use super::{StatedKey, StatedValue, StatedValues};
use crate::error::Result;
use crate::formats::detect::json::{JsonText, without_bom};
use crate::formats::json::read_with;
use crate::formats::json::text::{Lines, escaped_key};
use crate::limits::{Budget, Limits};

/// The form of keys in the texts of a format.
pub trait Shape: Debug + Send + Sync {
    /// Returns what the list or object at a path contains.
    fn part(&self, path: &[Step<'_>]) -> Part;

    /// Returns the key, without its values, its curve and its place. It takes the fields that are none of them.
    fn key<'k>(&'k self, text: usize, found: &mut Found<'_, 'k>) -> StatedKey<'k>;

    /// The fields that are a curve.
    fn curve_fields(&self) -> &'static [&'static str];

    /// The fields that state the time of a key in another unit, or count the keys of the file.
    fn time_fields(&self) -> &'static [&'static str] {
        &[]
    }
}

/// The offsets of keys, by the [hash](hash_step) of the path of their list, whose empty names are left out: in a binary
/// skeleton, they may stand for the list itself.
pub type KeyOffsets = HashMap<u64, Vec<u64>>;

/// Texts of one format.
#[derive(Debug)]
pub struct Texts {
    /// Format, version and spelling: keys are only compared between texts of one form.
    pub form: String,
    pub texts: Vec<Text>,
    /// `None` if the format stores frames instead of keys.
    pub shape: Option<Box<dyn Shape>>,
    /// The lists and objects of named items.
    pub items: Items,
}

/// A text with keys.
#[derive(Debug, Default)]
pub struct Text {
    pub bytes: Bytes,
    /// The file with this text, if it is not the file that was opened.
    pub file: Option<String>,
    /// The offsets of the keys in a binary skeleton.
    pub offsets: Option<KeyOffsets>,
}

impl Texts {
    /// Lists the keys until `visit` returns false.
    pub fn visit(&self, limits: &Limits, visit: &mut dyn FnMut(&StatedKey<'_>) -> bool) -> Result<()> {
        let Some(shape) = self.shape.as_deref() else { return Ok(()) };
        let mut is_over = false;
        for (index, text) in self.texts.iter().enumerate() {
            let read = text.visit(index, shape, limits, &mut |key| {
                is_over = !visit(key);
                !is_over
            });
            match (read, &text.file) {
                _ if is_over => return Ok(()),
                (Err(error), Some(file)) => return Err(error.in_file(file)),
                (read, _) => read?,
            }
        }
        Ok(())
    }
}

impl Text {
    fn visit<'a>(
        &'a self,
        index: usize,
        shape: &'a dyn Shape,
        limits: &Limits,
        visit: &mut dyn FnMut(&StatedKey<'_>) -> bool,
    ) -> Result<()> {
        let (mut lines, mut places) = (self.lines(), Places::default());
        let mut found = |mut found: Found<'_, 'a>| {
            let mut key = shape.key(index, &mut found);
            let is_curve = |name: &str| shape.curve_fields().contains(&name);
            let fields = found.fields.drain(..).map(|(name, raw)| (name, StatedValue::of(raw)));
            let (curve, values) = fields.partition(|(name, _)| is_curve(name));
            (key.curve, key.values) = (StatedValues(curve), StatedValues(values));
            key.time_fields = shape.time_fields();
            key.file = self.file.as_deref();
            key.pointer = Some(pointer(&found));
            match &self.offsets {
                Some(offsets) => key.byte = places.next(offsets, found.path),
                None => {
                    let (line, column) = lines.go_to(found.at);
                    (key.line, key.column) = (Some(line), Some(column));
                }
            }
            visit(&key)
        };
        self.walk(limits, &|path| shape.part(path), &mut found)
    }

    /// Converts offsets in the text to lines and columns.
    pub fn lines(&self) -> Lines<'_> {
        Lines::of(without_bom(&self.bytes))
    }

    /// Walks over the text until `visit` returns false, which is an error.
    pub fn walk<'a>(
        &'a self,
        limits: &Limits,
        part: &dyn Fn(&[Step<'a>]) -> Part,
        visit: &mut dyn FnMut(Found<'_, 'a>) -> bool,
    ) -> Result<()> {
        let JsonText { text, offset } = JsonText::of(&self.bytes).without_bom();
        let mut walk = Walk { text, path: Vec::new(), part, visit };
        read_with(text, offset, &Budget::new(limits), None, |json| walk.value(json))
    }
}

pub fn pointer(found: &Found<'_, '_>) -> String {
    let mut pointer = String::new();
    for step in found.path.iter().chain([&found.step]) {
        pointer.push('/');
        match step {
            Step::Name(name) => pointer.push_str(&escaped_key(name)),
            Step::Index(index) => pointer.push_str(&index.to_string()),
        }
    }
    pointer
}

/// How many keys of each list have been listed: names may be repeated.
#[derive(Default)]
struct Places(HashMap<u64, usize>);

impl Places {
    /// Returns the offset of the next key of the list at a path.
    fn next(&mut self, offsets: &KeyOffsets, path: &[Step<'_>]) -> Option<u64> {
        let hash = path.iter().fold(0, |hash, step| match step {
            Step::Name(name) if name.is_empty() => hash,
            Step::Name(name) => hash_step(hash, name),
            Step::Index(index) => hash_step(hash, &index.to_string()),
        });
        let next = self.0.entry(hash).or_default();
        let offset = offsets.get(&hash)?.get(*next).copied();
        *next += 1;
        offset
    }
}
