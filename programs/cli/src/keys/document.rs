//! The JSON document of `pchr keys`. Keys are listed while they are written, so that many of them take no memory.

use std::cell::Cell;

use schemars::JsonSchema;
use serde::ser::SerializeSeq;
use serde::{Serialize, Serializer};

use super::Chosen;
use crate::shared::json_output::{JsonOutput, Line};
use pchr::formats::StatedKey;

/// The whole document.
#[derive(Serialize, JsonSchema)]
pub struct Keys<'a> {
    /// Path of the character as given, with `/`; `stdin` for standard input.
    file: String,
    /// The keys, in the order of the file.
    #[schemars(with = "Vec<StatedKey<'_>>")]
    keys: Listed<'a>,
    /// The value of `--skip` for the keys that follow, if there are more than `--max`; else null.
    #[serde(serialize_with = "found")]
    #[schemars(with = "Option<usize>")]
    next: Next,
    /// Name and version of this schema.
    #[schemars(extend("const" = Keys::SCHEMA))]
    schema: &'static str,
}

/// Known after all keys have been written.
type Next = std::rc::Rc<Cell<Option<usize>>>;

fn found<S: Serializer>(next: &Next, serializer: S) -> Result<S::Ok, S::Error> {
    next.get().serialize(serializer)
}

impl JsonOutput for Keys<'_> {
    const SCHEMA: &'static str = "pchr.keys/1";
}

impl<'a> Keys<'a> {
    pub(super) fn new(file: String, chosen: Chosen<'a>) -> Self {
        let next = Next::default();
        Self { file, keys: Listed { chosen, next: Next::clone(&next) }, next, schema: Self::SCHEMA }
    }
}

/// Keys that are listed when they are serialized.
struct Listed<'a> {
    chosen: Chosen<'a>,
    next: Next,
}

impl Serialize for Listed<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut keys = serializer.serialize_seq(None)?;
        let (_, next) = self.chosen.for_each(|key| keys.serialize_element(&Line(key)))?;
        self.next.set(next);
        keys.end()
    }
}
