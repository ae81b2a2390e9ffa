//! `--summary`: the result as Markdown, with a table of all failures.
//!
//! Names and messages come from files: every punctuation character in them is escaped, so that they are only text.

use std::fmt::Write as _;
use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::Path;

use super::{UNUSED, structure_lines, summary, wrong_animations, wrong_structures};
use crate::golden::record::Comparison;
use crate::shared::failure::Failure;
use crate::shared::stdio::without_commands;
use pchr::Error;
use pchr::error::escaped;

/// Maximum size of a summary in bytes; runners reject more than 1 MiB.
const MAX_BYTES: usize = 200_000;
/// Maximum number of characters in a cell.
const MAX_CELL: usize = 400;

/// Appends the summary to a file, which is created if it is missing.
pub fn append(path: &Path, comparison: &Comparison) -> Result<(), Failure> {
    let file = OpenOptions::new().create(true).append(true).open(path);
    let written = file.and_then(|mut file| file.write_all(text(comparison).as_bytes()));
    written.map_err(|error| Failure::Output(Error::io(path.display(), error)))
}

fn text(comparison: &Comparison) -> String {
    let verdict = if comparison.exit_code() == 0 { "passed" } else { "failed" };
    let mut text = format!("### Comparison with references {verdict}\n\n{}\n\n", plain(&summary(comparison)));
    let rows = rows(comparison);
    if rows.is_empty() {
        return text;
    }
    text += "| Result | Character | Animation | Frames | |\n|---|---|---|---|---|\n";
    let mut left = rows.len();
    for row in &rows {
        let line = format!("| {} |\n", row.each_ref().map(|cell| plain(cell)).join(" | "));
        if text.len() + line.len() > MAX_BYTES {
            break;
        }
        text += &line;
        left -= 1;
    }
    if left > 0 {
        // Writing to a String cannot fail.
        _ = writeln!(text, "\n… and {left} more rows");
    }
    text + "\n"
}

/// Returns what is not as expected: result, character, animation, frames and message.
fn rows(comparison: &Comparison) -> Vec<[String; 5]> {
    let row = |cells: [&str; 5]| cells.map(str::to_owned);
    let failed = comparison.failures.iter().map(|failure| {
        row(["failed", failure.character.as_deref().unwrap_or_default(), "", "", &failure.message])
    });
    let structures = wrong_structures(comparison)
        .map(|structure| row(["structure", &structure.character, "", "", &structure_lines(structure).join("; ")]));
    let compared = wrong_animations(comparison).into_iter().map(|(worst, frames)| {
        let (verdict, message) = (worst.verdict.name(), worst.message.as_deref().unwrap_or_default());
        row([verdict, &worst.character, worst.animation_name(), &frames.join(", "), message])
    });
    let unused = comparison.unused.iter().map(|reference| row(["unused", reference, "", "", UNUSED]));
    failed.chain(structures).chain(compared).chain(unused).collect()
}

/// Returns text that Markdown shows as it is.
fn plain(text: &str) -> String {
    let short: String = text.chars().take(MAX_CELL).collect();
    let more = if short.len() < text.len() { "…" } else { "" };
    let mut plain = String::new();
    for c in without_commands(&escaped(&short)).chars() {
        match c {
            // Some readers take these as HTML even after a backslash.
            '<' => plain += "&lt;",
            '>' => plain += "&gt;",
            '&' => plain += "&amp;",
            // Has no meaning in text. In an address, the escaped colon is enough.
            ',' | ';' | '%' | '(' | ')' => plain.push(c),
            _ if c.is_ascii_punctuation() => plain.extend(['\\', c]),
            _ => plain.push(c),
        }
    }
    plain + more
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_only_text() {
        let hostile = "a|b\n# c\r<img src=x>[l](https://x.y) `@user` ##[error]";
        let text = plain(hostile);
        assert!(!text.contains(['\n', '\r', '<', '>']), "{text}");
        for part in ["a\\|b", "\\[l\\]", "https\\:", "\\@user", "\\`"] {
            assert!(text.contains(part), "{part}: {text}");
        }
        assert!(!text.contains("##"), "{text}");
        assert_eq!(plain(&"é".repeat(1000)).chars().count(), MAX_CELL + 1);
    }
}
