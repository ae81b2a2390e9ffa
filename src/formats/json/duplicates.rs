//! Keys that an object of a JSON text has more than once.
//!
//! The text is valid JSON.

use super::text::Lines;
use super::walk::{Walk, key};

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
    let (mut found, mut more) = (Vec::new(), 0);
    Walk::over(text).go_to(text.len(), |keys, pointer| {
        keys.sort_unstable_by(|&a, &b| key(text, a).cmp(&key(text, b)).then(a.cmp(&b)));
        for same in keys.chunk_by(|&a, &b| key(text, a) == key(text, b)) {
            let &[first, second, ..] = same else { continue };
            if found.len() == most {
                more += 1;
                continue;
            }
            let key = key(text, first).into_owned();
            let pointer = pointer(&key);
            found.push((first, Duplicate { pointer, key, count: same.len(), first: (0, 0), second }));
        }
    });
    found.sort_by_key(|(first, _)| *first);
    let mut lines = Lines::of(text);
    let located = found.into_iter().map(|(first, duplicate)| Duplicate { first: lines.go_to(first), ..duplicate });
    (located.collect(), more)
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
