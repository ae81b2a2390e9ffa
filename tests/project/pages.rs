//! The README and the pages: length, links, the tables of exit codes, limits and keys, and the picture of the window.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::common;
use crate::common::program::{pchr_path, view_path};
use crate::features::check;

pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Returns the Markdown files for users and contributors, relative to the root.
pub fn all() -> Vec<String> {
    let mut folders = vec![PathBuf::from("docs")];
    let mut pages: Vec<String> = ["README.md", "CONTRIBUTING.md", "SECURITY.md"].map(str::to_owned).to_vec();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(root().join(&folder)).expect("a folder") {
            let path = folder.join(entry.expect("an entry").file_name());
            if root().join(&path).is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "md") {
                pages.push(path.to_str().expect("UTF-8").replace('\\', "/"));
            }
        }
    }
    pages.sort();
    assert!(pages.len() > 15, "{pages:?}");
    pages
}

pub fn text(page: &str) -> String {
    fs::read_to_string(root().join(page)).unwrap_or_else(|error| panic!("{page}: {error}"))
}

/// Returns the text without code blocks, which contain no links and no headings.
fn prose(page: &str) -> String {
    text(page).split("```").step_by(2).collect()
}

/// Returns the names by which links reach the headings of a page, as GitHub makes them.
fn anchors(page: &str) -> BTreeSet<String> {
    let prose = prose(page);
    let headings =
        prose.lines().filter(|line| line.starts_with('#')).map(|line| line.trim_start_matches('#').trim());
    let anchor = |heading: &str| -> String {
        let kept = heading.chars().filter(|char| char.is_alphanumeric() || [' ', '-', '_'].contains(char));
        kept.collect::<String>().to_lowercase().replace(' ', "-")
    };
    headings.map(anchor).collect()
}

/// Returns the path of a link in a page relative to the root, and the heading that it leads to.
pub fn resolve(page: &str, target: &str) -> (String, Option<String>) {
    let (path, anchor) =
        target.split_once('#').map_or((target, None), |(path, anchor)| (path, Some(anchor.to_owned())));
    if path.is_empty() {
        return (page.to_owned(), anchor);
    }
    let mut parts: Vec<&str> = page.split('/').collect();
    parts.pop();
    for part in path.split('/') {
        match part {
            ".." => assert!(parts.pop().is_some(), "{page}: {target} leads out of the repository"),
            part => parts.push(part),
        }
    }
    (parts.join("/"), anchor)
}

/// Returns the local links of a page.
pub fn links(page: &str) -> Vec<String> {
    let prose = prose(page);
    let targets = prose.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    targets.filter(|target| !target.contains("://")).map(str::to_owned).collect()
}

#[test]
fn the_readme_is_short() {
    let lines = text("README.md").lines().count();
    assert!(
        (150..=200).contains(&lines),
        "README.md has {lines} lines, not 150 to 200: new sections replace others, and details are for the pages in docs"
    );
}

#[test]
fn every_link_leads_somewhere_and_every_page_is_linked() {
    let mut reached = BTreeSet::from(["README.md".to_owned()]);
    for page in all() {
        for target in links(&page) {
            let (path, anchor) = resolve(&page, &target);
            assert!(root().join(&path).exists(), "{page}: {target} does not exist");
            if let Some(anchor) = anchor {
                assert!(anchors(&path).contains(&anchor), "{page}: {target}: no such heading");
            }
            if path != page {
                reached.insert(path);
            }
        }
    }
    let lost: Vec<String> = all().into_iter().filter(|page| !reached.contains(page)).collect();
    assert!(lost.is_empty(), "no page links to {lost:?}");
}

#[test]
fn the_exit_codes_are_those_of_the_help() {
    let page = text("docs/convert.md");
    let (_, table) = page.split_once("| exit code |").expect("a table of exit codes");
    let rows = table.lines().skip(2).take_while(|line| line.starts_with('|'));
    let listed: BTreeSet<u8> = rows.filter_map(|row| row.split('|').nth(1)?.trim().parse().ok()).collect();
    let mut known = BTreeSet::new();
    for program in [pchr_path(), view_path()] {
        let output = Command::new(program).arg("--help").output().expect("the program starts");
        let help = String::from_utf8(output.stdout).expect("UTF-8");
        let (_, codes) = help.split_once("Exit codes:").expect("exit codes");
        let numbers = codes.split(|char: char| !char.is_ascii_digit());
        known.extend(numbers.filter_map(|number| number.parse::<u8>().ok()));
    }
    assert_eq!(listed, known, "docs/convert.md");
}

#[test]
fn the_limits_are_those_of_the_library() {
    let page = text("docs/limits.md");
    let (_, table) = page.split_once("| name | default | meaning |\n|---|---:|---|\n").expect("a table of limits");
    let rows = table.lines().take_while(|line| line.starts_with('|'));
    let listed: Vec<&str> = rows.filter_map(|row| row.split('`').nth(1)).collect();
    assert_eq!(listed, pchr::limits::Limits::NAMES, "docs/limits.md");
}

#[test]
fn the_keys_are_those_of_the_window() {
    let output = Command::new(view_path()).arg("--list-bindings").output().expect("the program starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let listed = String::from_utf8(output.stdout).expect("UTF-8");
    let mut expected = "| keys | action |\n|---|---|\n".to_owned();
    for line in listed.lines() {
        let Some((keys, action)) = line.trim_start().split_once("   ").filter(|_| line.starts_with(' ')) else {
            continue;
        };
        let keys: Vec<String> = keys.split("  or  ").map(|keys| format!("`{keys}`")).collect();
        expected.push_str(&format!("| {} | {} |\n", keys.join(" "), action.trim_start()));
    }
    check("docs/window.md", "keys", "", &expected);
}

/// Returns the rows of the constants in a source that are units of work: item, units and what they are counted from.
fn units_of_work(source: &str) -> Vec<String> {
    let mut rows = Vec::new();
    let mut lines = source.lines().map(str::trim);
    while let Some(line) = lines.next() {
        let Some(first) = line.strip_prefix("/// Units of work for ") else { continue };
        let mut about = first.to_owned();
        let constant = loop {
            let line = lines.next().expect("a constant");
            let Some(more) = line.strip_prefix("/// ") else { break line };
            about = about + " " + more;
        };
        let (item, counted) = about.trim_end_matches('.').split_once(", counted from ").expect(&about);
        let units = constant.strip_suffix(';').and_then(|it| it.rsplit_once("u64 = ")).expect(constant).1;
        let item = item.trim_start_matches("an ").trim_start_matches("a ");
        rows.push(format!("| {item} | {units} | {counted} |\n"));
    }
    rows
}

#[test]
fn the_units_of_work_are_those_of_the_constants() {
    // In the order in which a command charges them.
    const MODULES: [&str; 10] =
        ["limits.rs", "motion/work.rs", "motion", "pose", "draw", "bake", "formats", "convert", "diff", ""];
    let mut files = Vec::new();
    let mut folders = vec![root().join("src")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() { folders.push(path) } else { files.push(path) }
        }
    }
    let name = |path: &PathBuf| path.strip_prefix(root().join("src")).expect("in src").to_path_buf();
    let place =
        |path: &PathBuf| MODULES.iter().position(|module| name(path).starts_with(module) || module.is_empty());
    files.sort_by_key(|path| (place(path), name(path)));
    let mut table = "| item | units | counted from |\n|---|---:|---|\n".to_owned();
    for file in files {
        let source = fs::read_to_string(&file).expect("a source");
        let rows = units_of_work(&source);
        // A constant of another name or without this comment would be missing from the table.
        let is_unit = |line: &&str| line.contains("const ") && line.contains("WORK: u64");
        let least = match file.ends_with("work.rs") {
            true => source.lines().filter(|line| line.starts_with("const ") && line.contains(": u64 = ")).count(),
            false => source.lines().filter(is_unit).count(),
        };
        assert!(rows.len() >= least, "{}: describe all units as in src/motion/work.rs", file.display());
        table.extend(rows);
    }
    check("docs/limits.md", "work", "", &table);
}

#[test]
fn the_pictures_of_the_window_can_be_made_again() {
    let size = |path: &Path| {
        let file = fs::File::open(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let reader = png::Decoder::new(std::io::BufReader::new(file)).read_info().expect("a PNG");
        (reader.info().width, reader.info().height)
    };
    let pictures = ["window.png", "gallery.png"];
    for name in pictures {
        let bytes = fs::metadata(root().join("docs").join(name)).expect("a picture").len();
        assert!(bytes < 300_000, "docs/{name} is too large");
    }
    for tool in ["Xvfb", "xdotool", "import"] {
        if Command::new(tool).arg("-version").output().is_err() {
            assert_ne!(std::env::var("PCHR_TEST_WINDOW").as_deref(), Ok("require"), "{tool} is missing");
            return common::say(&format!("SKIPPED: {tool} is missing, required by scripts/window-picture"));
        }
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    let output = Command::new(root().join("scripts/window-picture"))
        .arg(view_path())
        .arg(folder.path())
        .output()
        .expect("the script starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    for name in pictures {
        assert_eq!(size(&folder.path().join(name)), size(&root().join("docs").join(name)), "{name}");
    }
}
