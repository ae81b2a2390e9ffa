//! JSON pointers → the positions of their values in JSON text.
//!
//! Makes one pass over any text: invalid text is searched as far as it can be parsed. Nothing here recurses, and
//! values that are not on the path of a pointer take no memory.

use super::{Located, Tree};
use crate::formats::detect::json::end_of_string;
use crate::formats::json::parser::unquoted;

/// Locates the value of each RFC 6901 pointer in `text`, in the order of `pointers`. `None` if the text contains
/// no value or the pointer is invalid.
pub fn locate(text: &[u8], pointers: &[&str]) -> Vec<Option<Located>> {
    let mut tree = Tree::of(pointers);
    Scanner { text, at: 0, tree: &mut tree, frames: Vec::new() }.run();
    tree.located()
}

/// An open array or object that has a node.
struct Frame {
    node: usize,
    /// Index of the next value of an array; unused for objects.
    index: usize,
    is_object: bool,
    /// The last key read in an object, with its node if it has one.
    key: Option<Option<usize>>,
}

struct Scanner<'a> {
    text: &'a [u8],
    at: usize,
    tree: &'a mut Tree,
    frames: Vec<Frame>,
}

impl<'a> Scanner<'a> {
    fn run(&mut self) {
        let mut has_begun = false;
        while let Some(&byte) = self.text.get(self.at) {
            match byte {
                b' ' | b'\t' | b'\r' | b'\n' | b':' => self.at += 1,
                b',' => {
                    if let Some(frame) = self.frames.last_mut() {
                        frame.index += 1;
                        frame.key = None;
                    }
                    self.at += 1;
                }
                b'}' | b']' => {
                    self.at += 1;
                    self.close();
                }
                b'"' if self.frames.last().is_some_and(|frame| frame.is_object && frame.key.is_none()) => {
                    self.key()
                }
                _ => {
                    // A text contains only one value.
                    if has_begun && self.frames.is_empty() {
                        return;
                    }
                    has_begun = true;
                    self.value(byte);
                }
            }
        }
    }

    /// Reads a key and finds its node.
    fn key(&mut self) {
        let raw = self.string();
        let Some(frame) = self.frames.last_mut() else { return };
        let keys = &self.tree.nodes[frame.node].keys;
        let plain = raw.get(1..raw.len().saturating_sub(1)).unwrap_or_default();
        let node = if plain.contains(&b'\\') {
            unquoted(raw).and_then(|key| keys.get(&*key).copied())
        } else {
            std::str::from_utf8(plain).ok().and_then(|key| keys.get(key).copied())
        };
        frame.key = Some(node);
    }

    fn value(&mut self, first: u8) {
        let node = match self.frames.last() {
            None => Some(0),
            Some(Frame { is_object: true, key, .. }) => key.flatten(),
            Some(frame) => self.tree.nodes[frame.node].indices.get(&frame.index).copied(),
        };
        // The first of duplicate keys is used.
        let node = node.filter(|&node| self.tree.nodes[node].found.is_none());
        let start = self.at;
        let is_nested = matches!(first, b'{' | b'[');
        match node {
            Some(node) if is_nested && (node == 0 || !self.tree.nodes[node].keys.is_empty()) => {
                self.tree.nodes[node].found = Some(start..self.text.len());
                self.frames.push(Frame { node, index: 0, is_object: first == b'{', key: None });
                self.at += 1;
            }
            node => {
                self.skip(first);
                if let Some(node) = node {
                    self.tree.nodes[node].found = Some(start..self.at);
                }
            }
        }
    }

    /// Closes the innermost array or object.
    fn close(&mut self) {
        if let Some(frame) = self.frames.pop()
            && let Some(range) = &mut self.tree.nodes[frame.node].found
        {
            range.end = self.at;
        }
    }

    /// Skips the value that starts here.
    fn skip(&mut self, first: u8) {
        match first {
            b'"' => {
                self.string();
            }
            b'{' | b'[' => {
                let mut depth = 0usize;
                while let Some(&byte) = self.text.get(self.at) {
                    match byte {
                        b'"' => {
                            self.string();
                            continue;
                        }
                        b'{' | b'[' => depth += 1,
                        b'}' | b']' => depth -= 1,
                        _ => {}
                    }
                    self.at += 1;
                    if depth == 0 {
                        return;
                    }
                }
            }
            _ => {
                let is_end = |byte: &u8| byte.is_ascii_whitespace() || b",:]}[{\"".contains(byte);
                let rest = self.text.get(self.at + 1..).unwrap_or_default();
                self.at += 1 + rest.iter().position(is_end).unwrap_or(rest.len());
            }
        }
    }

    /// Skips the string that starts here and returns it with its quotes.
    fn string(&mut self) -> &'a [u8] {
        let start = self.at;
        self.at = end_of_string(self.text, start).unwrap_or(self.text.len());
        &self.text[start..self.at]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the text of the value of each pointer.
    fn found<'a>(text: &'a str, pointers: &[&str]) -> Vec<(&'a str, bool)> {
        let located = locate(text.as_bytes(), pointers).into_iter();
        located.map(|located| located.map_or(("", false), |at| (&text[at.range], at.is_exact))).collect()
    }

    const TEXT: &str =
        r#" {"a": [1, {"b": "x\"]}y", "c": [[], {}]}, -2.5e3], "a/b~": true, "\u00e4": null, "0": {"1": [7]}} "#;

    #[test]
    fn pointers_lead_to_values() {
        let pointers = ["/a/1/b", "/a/0", "/a/2", "/a~1b~0", "/ä", "/0/1/0", "/a/1/c/1", "/a/1/c"];
        let values = [r#""x\"]}y""#, "1", "-2.5e3", "true", "null", "7", "{}", "[[], {}]"];
        let expected: Vec<_> = values.into_iter().map(|value| (value, true)).collect();
        assert_eq!(found(TEXT, &pointers), expected);
        assert_eq!(found(TEXT, &[""]), [(TEXT.trim(), true)]);
    }

    #[test]
    fn missing_values_are_located_at_their_parent() {
        let whole = TEXT.trim();
        let expected = [("7", false), (whole, false), (whole, false), ("", false)];
        assert_eq!(found(TEXT, &["/0/1/0/z", "/nothing", "/nothing/0", "no pointer"]), expected);
        assert_eq!(found(TEXT, &["/a/01", "/a/3"]).iter().filter(|(_, is_exact)| *is_exact).count(), 0);
    }

    #[test]
    fn the_first_of_duplicate_keys_is_used() {
        assert_eq!(
            found(r#"{"a": {"b": 1}, "a": {"b": 2, "c": 3}}"#, &["/a/b", "/a/c"]),
            [("1", true), (r#"{"b": 1}"#, false)]
        );
    }

    #[test]
    fn invalid_text_is_searched_as_far_as_possible() {
        assert_eq!(found(r#"{"a": 1, "b": [2, "x"#, &["/a", "/b/1", "/b/2"])[..2], [("1", true), ("\"x", true)]);
        for text in
            ["", "\"", "\"\\", "{\"", "]]]", "}{", "[,,", "{:,", "[[[[", "{\"a\"", "{\"a\":", "nul", "\u{feff}{"]
        {
            for pointers in [&["/a"][..], &["", "/0/0/0"]] {
                let all = locate(text.as_bytes(), pointers);
                assert!(all.iter().flatten().all(|at| at.range.end <= text.len()), "{text}");
            }
        }
    }

    #[test]
    fn it_agrees_with_serde() {
        // All pointers of a text with every kind of value, at once.
        fn collect(value: &serde_json::Value, pointer: &str, out: &mut Vec<(String, serde_json::Value)>) {
            out.push((pointer.to_owned(), value.clone()));
            match value {
                serde_json::Value::Array(list) => {
                    list.iter()
                        .enumerate()
                        .for_each(|(at, value)| collect(value, &format!("{pointer}/{at}"), out));
                }
                serde_json::Value::Object(object) => object.iter().for_each(|(key, value)| {
                    let key = key.replace('~', "~0").replace('/', "~1");
                    collect(value, &format!("{pointer}/{key}"), out);
                }),
                _ => {}
            }
        }
        let whole: serde_json::Value = serde_json::from_str(TEXT).unwrap();
        let mut all = Vec::new();
        collect(&whole, "", &mut all);
        assert!(all.len() > 10);
        let pointers: Vec<&str> = all.iter().map(|(pointer, _)| pointer.as_str()).collect();
        for ((pointer, value), (text, is_exact)) in all.iter().zip(found(TEXT, &pointers)) {
            assert!(is_exact, "{pointer}");
            assert_eq!(&serde_json::from_str::<serde_json::Value>(text).unwrap(), value, "{pointer}");
        }
    }

    #[test]
    fn depth_uses_no_stack() {
        let text = "[".repeat(1_000_000);
        assert_eq!(locate(text.as_bytes(), &["/0/0/1"]).len(), 1);
    }
}
