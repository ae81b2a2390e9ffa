//! A walk over a JSON text, which knows the JSON pointer of every place.
//!
//! The text may be invalid. Nothing here recurses, and only the keys of open objects take memory.

use std::borrow::Cow;

use super::parser::unquoted;
use super::text::escaped_key;
use crate::formats::detect::json::end_of_string;

/// A walk, and where it has arrived.
#[derive(Default)]
pub struct Walk<'a> {
    text: &'a [u8],
    at: usize,
    /// From the outermost one.
    open: Vec<Open>,
    /// The offsets of the keys of all open objects.
    keys: Vec<usize>,
}

/// An open list or object.
struct Open {
    is_object: bool,
    /// True after the bracket and after each comma.
    is_before_entry: bool,
    /// The index of the entry, in a list.
    index: usize,
    /// Where its keys begin in [`Walk::keys`].
    keys: usize,
}

impl<'a> Walk<'a> {
    pub fn over(text: &'a [u8]) -> Self {
        Self { text, ..Self::default() }
    }

    /// Goes on until `end`; calls `closed` at the end of each list and object, with the offsets of its keys and a function
    /// from a key to its pointer.
    pub fn go_to(&mut self, end: usize, mut closed: impl FnMut(&mut [usize], &dyn Fn(&str) -> String)) {
        while let Some(&byte) = self.text.get(self.at).filter(|_| self.at < end) {
            match byte {
                b'{' | b'[' => self.open.push(Open {
                    is_object: byte == b'{',
                    is_before_entry: true,
                    index: 0,
                    keys: self.keys.len(),
                }),
                b'}' | b']' => {
                    let Self { text, open, keys, .. } = self;
                    if let Some(Open { keys: first, .. }) = open.pop() {
                        let (outer, own) = keys.split_at_mut(first);
                        closed(own, &|key| format!("{}/{}", pointer(text, open, outer), escaped_key(key)));
                        keys.truncate(first);
                    }
                }
                b',' => {
                    if let Some(open) = self.open.last_mut() {
                        open.index += 1;
                        open.is_before_entry = true;
                    }
                }
                b'"' => {
                    if let Some(open) = self.open.last_mut()
                        && open.is_object
                        && std::mem::take(&mut open.is_before_entry)
                    {
                        self.keys.push(self.at);
                    }
                    self.at = end_of_string(self.text, self.at).unwrap_or(self.text.len());
                    continue;
                }
                _ => {}
            }
            self.at += 1;
        }
    }

    /// The pointer of the value at this place, or of the list or object around it.
    pub fn pointer(&self, is_between: bool) -> String {
        let Self { text, open, keys, .. } = self;
        match open.split_last().filter(|_| is_between) {
            Some((last, around)) => pointer(text, around, &keys[..last.keys]),
            None => pointer(text, open, keys),
        }
    }
}

/// The key at an offset.
pub fn key(text: &[u8], at: usize) -> Cow<'_, str> {
    let quoted = &text[at..end_of_string(text, at).unwrap_or(text.len())];
    if quoted.contains(&b'\\') {
        return unquoted(quoted).unwrap_or_default();
    }
    String::from_utf8_lossy(quoted.get(1..quoted.len() - 1).unwrap_or_default())
}

/// The pointer of the innermost entry.
fn pointer(text: &[u8], open: &[Open], keys: &[usize]) -> String {
    let mut pointer = String::new();
    let ends = open.iter().skip(1).map(|next| next.keys).chain([keys.len()]);
    for (open, end) in open.iter().zip(ends) {
        pointer.push('/');
        match keys[..end].last().filter(|_| open.is_object) {
            Some(&at) => pointer.push_str(&escaped_key(&key(text, at))),
            None => pointer.push_str(&open.index.to_string()),
        }
    }
    pointer
}
