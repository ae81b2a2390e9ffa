//! The table of modules in docs/architecture.md, generated from [`LAYERS`] and the comments of the modules.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use super::{EVERYTHING_ABOVE, LAYERS};

const MARKS: [&str; 2] = ["<!-- modules -->\n", "<!-- /modules -->"];

/// Returns the first sentence of a module's comment, without links.
fn sentence(root: &Path, module: &str) -> String {
    let files = [format!("src/{module}.rs"), format!("src/{module}/mod.rs")].map(|file| root.join(file));
    let text = files.iter().find_map(|file| fs::read_to_string(file).ok());
    let text = text.unwrap_or_else(|| panic!("the module {module} has no file"));
    let lines = text.lines().map_while(|line| line.strip_prefix("//!")).map(str::trim);
    let paragraph = lines.take_while(|line| !line.is_empty()).collect::<Vec<_>>().join(" ");
    let end = paragraph.find(". ").map_or(paragraph.len(), |at| at + 1);
    let sentence = paragraph[..end].trim_end_matches('.').replace("](crate::draw::DrawList)", "]");
    assert!(!sentence.contains("]("), "src/{module}: the first sentence has a link with a target");
    sentence.replace(['[', ']'], "")
}

/// Returns the table, with what the programs use first.
fn table(root: &Path) -> String {
    let mut table = "| module | what it does | may import |\n|---|---|---|\n".to_owned();
    for (module, allowed) in LAYERS.iter().rev() {
        let imports = match *allowed {
            EVERYTHING_ABOVE => "every module below".to_owned(),
            [] => "no other module".to_owned(),
            names => names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", "),
        };
        writeln!(table, "| `{module}` | {} | {imports} |", sentence(root, module)).expect("a string");
    }
    table
}

#[test]
fn the_page_lists_the_layers() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = root.join("docs/architecture.md");
    let text = fs::read_to_string(&page).expect("docs/architecture.md");
    let (before, rest) = text.split_once(MARKS[0]).expect("the first mark");
    let (found, after) = rest.split_once(MARKS[1]).expect("the second mark");
    let expected = table(root);
    if std::env::var_os("PCHR_UPDATE").is_some() {
        let updated = format!("{before}{}{expected}{}{after}", MARKS[0], MARKS[1]);
        fs::write(&page, updated).expect("a writable page");
    } else {
        assert_eq!(found, expected, "update the table with PCHR_UPDATE=1 cargo test --test project structure");
    }
}
