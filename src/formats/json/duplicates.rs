//! Keys that an object of a JSON text has more than once.
//!
//! The text is valid JSON. Nothing here recurses, and only the keys of open objects take memory.

use std::borrow::Cow;

use super::borrowed::Text;
use super::text::{Lines, escaped_key};
use crate::formats::detect::json::end_of_string;

/// A key that an object has more than once.
#[derive(Debug, PartialEq, Eq)]
pub struct Duplicate {
    /// The JSON pointer of its values.
    pub pointer: String,
    pub key: String,
    /// How often the object has it.
    pub count: usize,
    /// Line and column where it is first.
    pub first: (usize, usize),
    /// The offset in the text where it is next.
    pub second: usize,
}

/// Returns up to `most` duplicate keys of objects in `text`, in the order of the text, and the number of the others. If
/// there are more, those of objects that end first are returned: inner ones before those around them.
pub fn duplicates(text: &[u8], most: usize) -> (Vec<Duplicate>, usize) {
    let mut scanner = Scanner { text, most, open: Vec::new(), keys: Vec::new(), found: Vec::new(), more: 0 };
    scanner.run();
    let Scanner { mut found, more, .. } = scanner;
    found.sort_by_key(|(first, _)| *first);
    let mut lines = Lines::of(text);
    let located = found.into_iter().map(|(first, duplicate)| Duplicate { first: lines.go_to(first), ..duplicate });
    (located.collect(), more)
}

/// An open list or object.
struct Open {
    is_object: bool,
    /// True after the bracket and after each comma.
    is_before_entry: bool,
    /// The index of the entry, in a list.
    index: usize,
    /// Where its keys begin in [`Scanner::keys`].
    keys: usize,
}

struct Scanner<'a> {
    text: &'a [u8],
    most: usize,
    /// From the outermost one.
    open: Vec<Open>,
    /// The offsets of the keys of all open objects.
    keys: Vec<usize>,
    /// With the offset where the key is first.
    found: Vec<(usize, Duplicate)>,
    more: usize,
}

impl Scanner<'_> {
    fn run(&mut self) {
        let mut at = 0;
        while let Some(&byte) = self.text.get(at) {
            match byte {
                b'{' | b'[' => self.open.push(Open {
                    is_object: byte == b'{',
                    is_before_entry: true,
                    index: 0,
                    keys: self.keys.len(),
                }),
                b'}' | b']' => self.close(),
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
                        self.keys.push(at);
                    }
                    at = end_of_string(self.text, at).unwrap_or(self.text.len());
                    continue;
                }
                _ => {}
            }
            at += 1;
        }
    }

    /// Closes the innermost list or object, and compares its keys.
    fn close(&mut self) {
        let Self { text, most, open, keys, found, more } = self;
        let Some(closed) = open.pop() else { return };
        let (outer, own) = keys.split_at_mut(closed.keys);
        own.sort_unstable_by(|&a, &b| key(text, a).cmp(&key(text, b)).then(a.cmp(&b)));
        for same in own.chunk_by(|&a, &b| key(text, a) == key(text, b)) {
            let &[first, second, ..] = same else { continue };
            if found.len() == *most {
                *more += 1;
                continue;
            }
            let key = key(text, first).into_owned();
            let pointer = format!("{}/{}", pointer(text, open, outer), escaped_key(&key));
            found.push((first, Duplicate { pointer, key, count: same.len(), first: (0, 0), second }));
        }
        self.keys.truncate(closed.keys);
    }
}

/// The key at an offset.
fn key(text: &[u8], at: usize) -> Cow<'_, str> {
    let quoted = &text[at..end_of_string(text, at).unwrap_or(text.len())];
    if quoted.contains(&b'\\') {
        return serde_json::from_slice(quoted).map(|Text(key)| key).unwrap_or_default();
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_compared_in_each_object() {
        let text = "{\"a\": 1, \"b\": [{\"a\": 2,\n \"ä~\": {\"x\": \"y\", \"y\": \"x\"}, \"\\u00e4~\": 3}], \"a\": \"a\",\n\"a\": 4}";
        let (found, more) = duplicates(text.as_bytes(), 9);
        let all: Vec<_> = found.iter().map(|it| (&*it.pointer, &*it.key, it.count, it.first)).collect();
        assert_eq!(all, [("/a", "a", 3, (1, 2)), ("/b/0/ä~0", "ä~", 2, (2, 2))]);
        assert!(more == 0 && text[found[0].second..].starts_with("\"a\": \"a\""));
        assert!(text[found[1].second..].starts_with("\"\\u00e4~\": 3"));
        assert_eq!(duplicates(text.as_bytes(), 1).1, 1);
    }

    #[test]
    fn any_text_is_scanned() {
        for text in
            ["", "{", "}", "[\"a\", \"a\"]", "{\"a", "{\"a\": \"a\"}", "]]{,\"", "[{\"a\":{\"a\":[{\"a\":0}]}}]"]
        {
            assert!(duplicates(text.as_bytes(), 1).0.is_empty(), "{text}");
        }
        let deep = "[{\"a\":".repeat(100_000);
        assert_eq!(duplicates(deep.as_bytes(), 1), (Vec::new(), 0));
    }
}
