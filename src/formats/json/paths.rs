//! The numbers of values in a JSON text → their pointers.
//!
//! Values are numbered as [`read`](super::read()) does: in the order of the text, and none in an ignored value.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::borrowed::Text;
use super::read::Oddity;
use super::text::escaped_key;
use super::visit_scalars;

/// What an ignored value contains.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Content {
    /// `null`, or an empty string, list or object.
    Nothing,
    /// A string.
    Text,
    Other,
}

/// Calls `see` with the pointer of each odd value; `odd` contains their numbers in ascending order.
pub(super) fn of_odd(text: &[u8], odd: &[(usize, Oddity)], see: &mut dyn FnMut(String, Oddity)) {
    if let Some(&(last, _)) = odd.last() {
        Search { odd, last, number: 0, path: Vec::new(), see: Some(see) }.run(text);
    }
}

/// The pointer of the value around number `last`, or of that value itself, that is inside of `depth` lists and objects.
pub(super) fn of_last(text: &[u8], odd: &[(usize, Oddity)], last: usize, depth: usize) -> String {
    let mut search = Search { odd, last, number: 0, path: Vec::new(), see: None };
    search.run(text);
    pointer(search.path.get(..depth).unwrap_or_default())
}

enum Step<'de> {
    Key(Text<'de>),
    Item(usize),
}

fn pointer(path: &[Step<'_>]) -> String {
    let mut pointer = String::new();
    for step in path {
        pointer.push('/');
        match step {
            Step::Key(key) => pointer.push_str(&escaped_key(key.as_str())),
            Step::Item(index) => pointer.push_str(&index.to_string()),
        }
    }
    pointer
}

struct Search<'de, 's> {
    /// The numbers of odd values that were not reached.
    odd: &'s [(usize, Oddity)],
    /// The number of the value where the search ends.
    last: usize,
    number: usize,
    /// From the outermost list or object to the value.
    path: Vec<Step<'de>>,
    /// Called with the pointers of odd values.
    see: Option<&'s mut dyn FnMut(String, Oddity)>,
}

impl<'de> Search<'de, '_> {
    fn run(&mut self, text: &'de [u8]) {
        // It fails at the last value.
        let _ = self.deserialize(&mut serde_json::Deserializer::from_slice(text));
    }

    /// Skips an odd value. Nothing in it has a number.
    fn skip<D: Deserializer<'de>>(&mut self, oddity: Oddity, deserializer: D) -> Result<(), D::Error> {
        let Some(see) = &mut self.see else {
            return deserializer.deserialize_ignored_any(IgnoredAny).map(drop);
        };
        // It fails at a number that is too large, which ends the search.
        let content = deserializer.deserialize_any(ContentReader);
        let oddity = match (oddity, &content) {
            (Oddity::Ignored(_), Ok(content)) => Oddity::Ignored(*content),
            (oddity, _) => oddity,
        };
        see(pointer(&self.path), oddity);
        content.map(drop)
    }
}

impl<'de> DeserializeSeed<'de> for &mut Search<'de, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        let number = self.number;
        self.number += 1;
        if let Some(((_, oddity), rest)) = self.odd.split_first().filter(|((odd, _), _)| *odd == number) {
            self.odd = rest;
            self.skip(*oddity, deserializer)?;
        } else if number != self.last {
            return deserializer.deserialize_any(self);
        }
        if number == self.last { Err(D::Error::custom("found")) } else { Ok(()) }
    }
}

impl<'de> Visitor<'de> for &mut Search<'de, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    visit_scalars! { () }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        self.path.push(Step::Item(0));
        while list.next_element_seed(&mut *self)?.is_some() {
            if let Some(Step::Item(index)) = self.path.last_mut() {
                *index += 1;
            }
        }
        self.path.pop();
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<(), A::Error> {
        while let Some(key) = object.next_key()? {
            self.path.push(Step::Key(key));
            object.next_value_seed(&mut *self)?;
            self.path.pop();
        }
        Ok(())
    }
}

/// Finds out what a value contains.
struct ContentReader;

impl<'de> Visitor<'de> for ContentReader {
    type Value = Content;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    visit_scalars! { Content::Other, visit_bool(bool) visit_i64(i64) visit_u64(u64) visit_f64(f64) }

    fn visit_unit<E>(self) -> Result<Content, E> {
        Ok(Content::Nothing)
    }

    fn visit_str<E>(self, text: &str) -> Result<Content, E> {
        Ok(if text.is_empty() { Content::Nothing } else { Content::Text })
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Content, A::Error> {
        let mut content = Content::Nothing;
        while list.next_element::<IgnoredAny>()?.is_some() {
            content = Content::Other;
        }
        Ok(content)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<Content, A::Error> {
        let mut content = Content::Nothing;
        while object.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {
            content = Content::Other;
        }
        Ok(content)
    }
}
