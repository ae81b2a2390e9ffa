//! JSON pointers → the positions of their values.

#[cfg(feature = "formats-all")]
mod scan;

use std::collections::HashMap;
use std::ops::Range;

#[cfg(feature = "formats-all")]
pub use scan::locate;

/// The position of a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Located {
    /// Byte range of the value in the text.
    pub range: Range<usize>,
    /// True if this is the value of the whole pointer, false if only a prefix exists.
    pub is_exact: bool,
}

/// A prefix tree of the pointers. Node 0 is the root value.
pub struct Tree {
    nodes: Vec<Node>,
    /// The node of each pointer; `None` if the pointer is invalid.
    ends: Vec<Option<usize>>,
}

#[derive(Default)]
struct Node {
    parent: usize,
    /// Children by object key.
    keys: HashMap<String, usize>,
    /// Children whose key is an array index.
    indices: HashMap<usize, usize>,
    found: Option<Range<usize>>,
}

impl Tree {
    /// Creates the tree of `pointers`, without any locations yet.
    pub fn of(pointers: &[&str]) -> Self {
        let mut tree = Self { nodes: vec![Node::default()], ends: Vec::new() };
        tree.ends = pointers.iter().map(|pointer| tree.insert(pointer)).collect();
        tree
    }

    /// Returns the position of the value of each pointer, or of the longest prefix that was found.
    pub fn located(&self) -> Vec<Option<Located>> {
        let located = |end: usize| {
            let mut node = end;
            loop {
                let Node { parent, found, .. } = &self.nodes[node];
                match found {
                    Some(range) => return Some(Located { range: range.clone(), is_exact: node == end }),
                    None if node == 0 => return None,
                    None => node = *parent,
                }
            }
        };
        self.ends.iter().map(|end| end.and_then(located)).collect()
    }

    fn insert(&mut self, pointer: &str) -> Option<usize> {
        let mut node = 0;
        if pointer.is_empty() {
            return Some(node);
        }
        for part in pointer.strip_prefix('/')?.split('/') {
            let key = part.replace("~1", "/").replace("~0", "~");
            node = match self.nodes[node].keys.get(&key) {
                Some(&child) => child,
                None => {
                    let child = self.nodes.len();
                    self.nodes.push(Node { parent: node, ..Node::default() });
                    if let Some(index) = index(&key) {
                        self.nodes[node].indices.insert(index, child);
                    }
                    self.nodes[node].keys.insert(key, child);
                    child
                }
            };
        }
        Some(node)
    }
}

#[cfg(feature = "spine")]
impl Tree {
    /// Returns the node of an entry of an object.
    pub fn child_by_key(&self, node: usize, key: &str) -> Option<usize> {
        let keys = &self.nodes[node].keys;
        // Most values are on the path of no pointer.
        if keys.is_empty() { None } else { keys.get(key).copied() }
    }

    /// Returns the node of an item of an array.
    pub fn child_by_index(&self, node: usize, index: usize) -> Option<usize> {
        let indices = &self.nodes[node].indices;
        if indices.is_empty() { None } else { indices.get(&index).copied() }
    }

    /// Sets the position of a value, unless it is known: the first of duplicate keys is used.
    pub fn found(&mut self, node: usize, range: Range<usize>) {
        self.nodes[node].found.get_or_insert(range);
    }
}

/// Parses a part of a pointer as an array index, as RFC 6901 defines it.
fn index(key: &str) -> Option<usize> {
    let is_plain = key.bytes().all(|byte| byte.is_ascii_digit()) && (key == "0" || !key.starts_with('0'));
    if is_plain { key.parse().ok() } else { None }
}
