//! JSON that is written part by part, laid out as if it had been written at once.

use serde::Serialize;

use crate::cli::shared::json_output::harmless;

/// A list that grows.
#[derive(Debug, Default)]
pub struct List {
    has_items: bool,
}

impl List {
    /// Appends an item, `indent` spaces deep. The list's `[` has been written.
    pub fn push(&mut self, item: &impl Serialize, indent: usize, out: &mut String) -> serde_json::Result<()> {
        out.push_str(if self.has_items { ",\n" } else { "\n" });
        self.has_items = true;
        out.push_str(&" ".repeat(indent));
        push(item, indent, out)
    }

    /// Ends the list, which is `indent` spaces deep itself.
    pub fn end(&self, indent: usize, out: &mut String) {
        if self.has_items {
            out.push('\n');
            out.push_str(&" ".repeat(indent));
        }
        out.push(']');
    }
}

/// Appends a value that begins `indent` spaces deep.
pub fn push(value: &impl Serialize, indent: usize, out: &mut String) -> serde_json::Result<()> {
    // A line's end inside a string is written `\n`, so every line is one of the layout.
    let text = harmless(serde_json::to_string_pretty(value)?);
    out.push_str(&text.replace('\n', &format!("\n{}", " ".repeat(indent))));
    Ok(())
}
