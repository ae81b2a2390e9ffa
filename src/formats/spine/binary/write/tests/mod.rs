//! Documents of all layouts, written and read again.

#[cfg(test)]
use std::fs;
use std::path::{Path, PathBuf};

use super::super::cursor::Cursor;
use super::super::layout::Layout;
use super::super::reader::Reader;
use super::super::trace::Untraced;
use super::{Written, nonessential, write, write_with};
use crate::diagnostics::Diagnostics;
use crate::formats::detect;
use crate::formats::spine::binary::write::names::Strings;
use crate::formats::spine::read::read;
use crate::formats::spine::schema::Root;
use crate::limits::{Budget, Limits};
use explicit::explicit;

mod explicit;
mod hostile;
mod losses;

/// Reads a document in either form. `None` if it cannot be written: it is no skeleton, or one of another version.
pub fn document(bytes: &[u8]) -> Option<Root<'_>> {
    let limits = Limits::default();
    let root = read(bytes, &mut Budget::new(&limits), &mut Diagnostics::default()).ok()?;
    Layout::of(root.version).map(|_| root)
}

/// The document of some JSON text.
pub fn parsed(json: &str) -> Root<'_> {
    document(json.as_bytes()).expect("a skeleton of a version with a binary form")
}

/// What was written, or the code and the place of the error.
pub fn written(json: &str) -> Result<Written, String> {
    write(&parsed(json)).map_err(|error| {
        let path = error.place().map(|place| place.path.clone()).unwrap_or_default();
        format!("{} {path}", error.code())
    })
}

/// The files below a folder whose names end in `suffix`, sorted.
fn files(folder: &Path, suffix: &str, found: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for path in entries.map(|entry| entry.expect("a readable folder").path()) {
        if path.is_dir() {
            files(&path, suffix, found);
        } else if path.to_string_lossy().ends_with(suffix) {
            found.push(path);
        }
    }
    found.sort();
}

fn all_of(folders: &[PathBuf], suffix: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    folders.iter().for_each(|folder| files(folder, suffix, &mut found));
    found
}

fn ours() -> Vec<PathBuf> {
    ["tests/fixtures", "assets"].map(|folder| Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)).to_vec()
}

/// The corpus beside the project.
fn corpus() -> Vec<PathBuf> {
    let root = match std::env::var_os("PCHR_CONFORMANCE") {
        Some(root) => PathBuf::from(root),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/conformance"),
    };
    ["spine", "spine4"].map(|folder| root.join(folder)).to_vec()
}

/// The first difference of two documents with all defaults made explicit.
fn difference(mut one: Root<'_>, mut other: Root<'_>) -> Option<String> {
    let layout = Layout::of(one.version).expect("it can be written");
    let is_nonessential = nonessential::is_in(&one, layout);
    explicit(&mut one, layout, is_nonessential);
    explicit(&mut other, layout, is_nonessential);
    let (one, other) = (format!("{one:?}"), format!("{other:?}"));
    if one == other {
        return None;
    }
    let at = one.bytes().zip(other.bytes()).position(|(a, b)| a != b).unwrap_or(one.len().min(other.len()));
    let around = |text: &str| {
        let part = &text.as_bytes()[at.saturating_sub(300)..(at + 100).min(text.len())];
        String::from_utf8_lossy(part).into_owned()
    };
    Some(format!("\n  was …{}…\n  is  …{}…", around(&one), around(&other)))
}

/// Writes each file of a version with a binary form, and compares what is read from that with the file. Returns the
/// number of files.
fn round_trips(paths: &[PathBuf]) -> usize {
    let mut failures = Vec::new();
    let mut count = 0;
    for path in paths {
        let bytes = fs::read(path).expect("a readable file");
        if detect::spine::kind(&bytes).is_none() {
            continue;
        }
        let Some(root) = document(&bytes) else { continue };
        count += 1;
        match write(&root) {
            Ok(written) => match document(&written.bytes) {
                Some(again) => {
                    failures.extend(difference(root, again).map(|what| format!("{}: {what}", path.display())));
                }
                None => failures.push(format!("{}: cannot be read again", path.display())),
            },
            // Fixtures with faults.
            Err(error) => eprintln!("{}: {error}", path.display()),
        }
    }
    assert!(failures.is_empty(), "{} of {count}:\n{}", failures.len(), failures.join("\n"));
    count
}

#[test]
fn json_survives_the_binary_form() {
    let count = round_trips(&all_of(&ours(), ".json"));
    assert!(count >= 100, "only {count} files");
}

#[test]
fn binaries_survive_being_written_again() {
    let count = round_trips(&all_of(&ours(), ".skel"));
    assert!(count >= 30, "only {count} files");
}

#[test]
fn conformance_documents_survive_the_binary_form() {
    let mut paths = all_of(&corpus(), ".json");
    paths.extend(all_of(&corpus(), ".skel"));
    let count = round_trips(&paths);
    assert!(paths.is_empty() || count >= 200, "only {count} files");
}

/// Writes the document of a file with the shared strings, the hash and the choice of nonessential data of another
/// writer, whose file is `skel`. Returns the first byte that differs.
fn first_difference(document: &[u8], skel: &[u8]) -> Option<String> {
    let mut root = self::document(document).expect("a skeleton");
    let reference = self::document(skel).expect("a binary skeleton");
    let layout = Layout::of(root.version).expect("it can be written");
    let limits = Limits::default();
    let mut reader = Reader::new(Cursor::new(skel, Budget::new(&limits), Untraced), layout);
    reader.read().expect("a binary skeleton");
    let mut strings = Strings::default();
    for string in reader.strings.iter().flatten() {
        strings.number(string);
    }
    let head = reference.skeleton.expect("a head");
    root.skeleton.get_or_insert_default().hash = head.hash;
    let written = write_with(&root, layout, head.fps.is_some(), strings).expect("it can be written");
    if written.bytes == skel {
        return None;
    }
    let at = written.bytes.iter().zip(skel).position(|(a, b)| a != b).unwrap_or(skel.len());
    let part = |bytes: &[u8]| format!("{:02x?}", &bytes[at.saturating_sub(8)..(at + 24).min(bytes.len())]);
    Some(format!("at {at} of {}: {} instead of {}", skel.len(), part(&written.bytes), part(skel)))
}

/// Compares what is written with the files of other writers byte by byte. Returns those that differ.
fn compared(paths: &[PathBuf], from_json: bool) -> Vec<String> {
    let differs = |path: &PathBuf| {
        let skel = fs::read(path).expect("a readable file");
        let plain = path.with_extension("");
        let json = [path.with_extension("json"), plain.with_extension("json")].into_iter().find(|it| it.exists());
        let source = if from_json { fs::read(json?).expect("a readable file") } else { skel.clone() };
        document(&skel)?;
        first_difference(&source, &skel).map(|what| format!("{}: {what}", path.display()))
    };
    paths.iter().filter_map(differs).collect()
}

#[test]
fn another_writer_writes_the_same_bytes() {
    let differing = compared(&all_of(&ours(), ".skel"), true);
    assert!(differing.is_empty(), "{} differ:\n{}", differing.len(), differing.join("\n"));
}

#[test]
fn conformance_the_editor_writes_the_same_bytes() {
    let differing = compared(&all_of(&corpus(), ".skel"), false);
    assert!(differing.is_empty(), "{} differ:\n{}", differing.len(), differing.join("\n"));
}
