//! Streams JSON part by part, with the same layout as if it had been written at once.

use serde::Serialize;

use crate::shared::json_output::escape_controls;

/// A streamed list.
#[derive(Debug, Default)]
pub struct List {
    has_items: bool,
}

impl List {
    /// Appends an item, indented by `indent` spaces. The list's `[` must already be written.
    pub fn push(&mut self, item: &impl Serialize, indent: usize, out: &mut String) -> serde_json::Result<()> {
        out.push_str(if self.has_items { ",\n" } else { "\n" });
        self.has_items = true;
        out.push_str(&" ".repeat(indent));
        push(item, indent, out)
    }

    /// Ends the list, which is itself indented by `indent` spaces.
    pub fn end(&self, indent: usize, out: &mut String) {
        if self.has_items {
            out.push('\n');
            out.push_str(&" ".repeat(indent));
        }
        out.push(']');
    }
}

/// Appends a value, indented by `indent` spaces.
pub fn push(value: &impl Serialize, indent: usize, out: &mut String) -> serde_json::Result<()> {
    // Line breaks inside strings are escaped, so all line breaks belong to the layout.
    let text = escape_controls(serde_json::to_string_pretty(value)?);
    out.push_str(&text.replace('\n', &format!("\n{}", " ".repeat(indent))));
    Ok(())
}
