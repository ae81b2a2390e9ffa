//! Documents of all layouts, written and read again.

#[cfg(test)]
use std::fs;
use std::path::{Path, PathBuf};

use super::super::cursor::Cursor;
use super::super::layout::Layout;
use super::super::locate;
use super::super::reader::Reader;
use super::super::trace::Untraced;
use super::{Written, nonessential, write, write_with};
use crate::diagnostics::Diagnostics;
use crate::formats::detect;
use crate::formats::spine::binary::write::names::Strings;
use crate::formats::spine::fixtures;
use crate::formats::spine::read::read;
use crate::formats::spine::schema::{Physics, Root};
use crate::formats::spine::version::Version;
use crate::limits::{Budget, Limits};
use explicit::{essential, explicit};

mod explicit;
mod hostile;
mod losses;

/// Reads a document in either form. `None` if it cannot be written: it is no skeleton, or one of another version.
pub fn document(bytes: &[u8]) -> Option<Root<'_>> {
    let limits = Limits::default();
    let root = read(bytes, &mut Budget::new(&limits), &mut Diagnostics::default()).ok()?;
    Layout::written(root.version).map(|_| root)
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

fn ours() -> Option<Vec<PathBuf>> {
    Some(vec![fixtures::folder()?, Path::new(env!("CARGO_MANIFEST_DIR")).join("assets")])
}

/// The corpus beside the project.
fn corpus() -> Vec<PathBuf> {
    let root = match std::env::var_os("PCHR_CONFORMANCE") {
        Some(root) => PathBuf::from(root),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/conformance"),
    };
    ["spine", "spine4", "spine-next/4.3", "spine-43-skel"].map(|folder| root.join(folder)).to_vec()
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

/// Compares every binary of 4.3 with the JSON of its name. Returns the number of files.
fn pairs(paths: &[PathBuf]) -> usize {
    let mut failures = Vec::new();
    let mut count = 0;
    for path in paths {
        let Some(json) = json_of(path) else { continue };
        count += 1;
        let [json, skel] = [&json, path].map(|path| fs::read(path).expect("a readable file"));
        let (limits, mut diagnostics) = (Limits::default(), Diagnostics::default());
        let found = match read(&skel, &mut Budget::new(&limits), &mut diagnostics) {
            Ok(root) => {
                let (mut expected, head) = (document(&json).expect("a skeleton"), root.skeleton.clone());
                if head.as_ref().is_some_and(|head| head.fps.is_none()) {
                    essential(&mut expected);
                }
                // The other writer has a hash of its own.
                expected.skeleton = head;
                balances(&mut expected, &root);
                difference(expected, root)
            }
            Err(error) => Some(error.to_string()),
        };
        failures.extend(found.map(|what| format!("{}: {what}", path.display())));
        failures.extend(diagnostics.findings().iter().map(|it| format!("{}: {it:?}", path.display())));
    }
    assert!(failures.is_empty(), "{} of {count}:\n{}", failures.len(), failures.join("\n"));
    count
}

/// A key without balance has the volume in JSON of 4.3, and the balance of its event in a binary.
fn balances(expected: &mut Root<'_>, found: &Root<'_>) {
    let keys = expected.animations.0.iter_mut().flat_map(|(_, animation)| &mut animation.events);
    let found = found.animations.0.iter().flat_map(|(_, animation)| &animation.events);
    for (key, found) in keys.zip(found).filter(|(key, _)| key.balance == key.volume) {
        key.balance = found.balance;
    }
}

/// The JSON beside a binary, or in the folder of its name and version.
fn json_of(skel: &Path) -> Option<PathBuf> {
    let name = skel.file_stem()?.to_string_lossy().replace("-nonessential", "");
    let rigs = corpus()[0].join("../spine-next/4.3").join(&name);
    let folders = [skel.parent()?, &rigs];
    let plain = |folder: &Path| folder.join(format!("{}.json", name.trim_end_matches(".skel")));
    folders.into_iter().map(plain).find(|json| json.exists())
}

#[test]
fn conformance_binaries_of_4_3_hold_the_document_of_the_json() {
    let paths = all_of(&[corpus()[0].join("../spine-43-skel")], ".skel");
    let count = pairs(&paths);
    assert!(paths.is_empty() || count >= 2, "only {count} files");
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
            Err(_) if is_faulty(path) => {}
            Err(error) => failures.push(format!("{}: {error}", path.display())),
        }
    }
    assert!(failures.is_empty(), "{} of {count}:\n{}", failures.len(), failures.join("\n"));
    count
}

/// Returns true for files whose faults are tested.
fn is_faulty(path: &Path) -> bool {
    path.components().any(|part| ["spine-quirks", "hostile", "validate"].iter().any(|it| part.as_os_str() == *it))
}

#[test]
fn json_survives_the_binary_form() {
    let Some(ours) = ours() else { return };
    let count = round_trips(&all_of(&ours, ".json"));
    assert!(count >= 100, "only {count} files");
}

#[test]
fn binaries_survive_being_written_again() {
    let Some(ours) = ours() else { return };
    let count = round_trips(&all_of(&ours, ".skel"));
    assert!(count >= 30, "only {count} files");
}

#[test]
fn conformance_documents_survive_the_binary_form() {
    let mut paths = all_of(&corpus(), ".json");
    paths.extend(all_of(&corpus(), ".skel"));
    let count = round_trips(&paths);
    assert!(paths.is_empty() || count >= 200, "only {count} files");
}

/// Writes the document of `json` with the shared strings, the hash and the choice of nonessential data of another
/// writer, whose file is `skel`.
fn written_like(skel: &[u8], json: &[u8]) -> Vec<u8> {
    let mut root = document(json).expect("a skeleton");
    let reference = document(skel).expect("a binary skeleton");
    balances(&mut root, &reference);
    let mut strings = Strings::default();
    for string in shared_strings(skel, reference.version) {
        strings.number(string);
    }
    let head = reference.skeleton.expect("a head");
    root.skeleton.get_or_insert_default().hash = head.hash;
    let layout = Layout::of(root.version).expect("it can be written");
    write_with(&root, layout, head.fps.is_some(), strings).expect("it can be written").bytes
}

fn shared_strings(skel: &[u8], version: Version) -> Vec<&str> {
    let limits = Limits::default();
    let layout = Layout::of(version).expect("a layout");
    let mut reader = Reader::new(Cursor::new(skel, Budget::new(&limits), Untraced), layout);
    reader.read().expect("a binary skeleton");
    reader.strings.into_iter().flatten().collect()
}

/// How often each byte occurs.
fn histogram(bytes: &[u8]) -> [i64; 256] {
    let mut counts = [0; 256];
    bytes.iter().for_each(|byte| counts[usize::from(*byte)] += 1);
    counts
}

/// Compares what is written with the files of another writer byte by byte. That one writes the timelines of an entry
/// in the order of the JSON text, so bytes may be in another order; and it divides by a mass before that is rounded to
/// `f32`, so the last byte of each inverse may differ. Returns the number of files and of those with the same bytes.
fn compare_with_other_writer(paths: &[PathBuf]) -> (usize, usize) {
    let (mut count, mut same) = (0, 0);
    for path in paths {
        let Some(json) = json_of(path) else { continue };
        let [json, skel] = [&json, path].map(|path| fs::read(path).expect("a readable file"));
        // It leaves out negative zeros, which are kept here.
        if json.windows(5).any(|text| text == b"-0.0," || text == b"-0.0}") {
            continue;
        }
        if document(&skel).is_none() {
            continue;
        }
        let written = written_like(&skel, &json);
        count += 1;
        if written == skel {
            same += 1;
            continue;
        }
        assert_eq!(written.len(), skel.len(), "{}", path.display());
        let [one, other] = [&written, &skel].map(|bytes| histogram(bytes));
        let moved: i64 = one.iter().zip(other).map(|(one, other)| (one - other).abs()).sum();
        let masses = document(&json).map_or(0, |root| root.all::<Physics<'_>>().count()) as i64;
        assert!(moved <= 2 * masses, "{}: {moved} bytes differ", path.display());
    }
    (count, same)
}

#[test]
fn another_writer_writes_the_same_bytes() {
    let Some(ours) = ours() else { return };
    let (count, same) = compare_with_other_writer(&all_of(&ours, ".skel"));
    assert!(count >= 30 && 5 * same >= 3 * count, "{same} of {count}");
}

#[test]
fn conformance_another_writer_writes_the_same_bytes() {
    let folders = ["spine/own", "spine4/4.0", "spine4/4.1", "spine4/4.2", "spine-43-skel"];
    let paths = all_of(&folders.map(|folder| corpus()[0].join("..").join(folder)), ".skel");
    let (count, same) = compare_with_other_writer(&paths);
    assert!(paths.is_empty() || count >= 70 && 5 * same >= 3 * count, "{same} of {count}");
}

/// The editor lists some shared strings several times; apart from their numbers, we write the same bytes.
#[test]
fn conformance_the_editor_writes_the_same_bytes() {
    let paths = all_of(&[corpus()[1].join("examples")], ".skel");
    let mut failures = Vec::new();
    let mut count = 0;
    for path in &paths {
        let skel = fs::read(path).expect("a readable file");
        let root = document(&skel).expect("a binary skeleton");
        let written = write(&root).expect("it can be written").bytes;
        let [one, other] = [&written, &skel].map(|bytes| {
            let start = locate(bytes, &["/bones"])[0].expect("bones") as usize;
            (shared_strings(bytes, root.version), &bytes[start..])
        });
        // Numbers of one byte.
        if other.0.len() > 126 {
            continue;
        }
        count += 1;
        let string = |strings: &[&str], byte: u8| {
            usize::from(byte).checked_sub(1).and_then(|at| strings.get(at)).map(|it| (*it).to_owned())
        };
        let is_same = |(a, b): (&u8, &u8)| {
            a == b || string(&one.0, *a).is_some_and(|text| Some(text) == string(&other.0, *b))
        };
        let differing = one.1.iter().zip(other.1).filter(|pair| !is_same(*pair)).count();
        if one.1.len() != other.1.len() || differing > 0 {
            let at = one.1.iter().zip(other.1).position(|pair| !is_same(pair)).unwrap_or(0);
            let part =
                |bytes: &[u8]| format!("{:02x?}", &bytes[at.saturating_sub(40)..(at + 24).min(bytes.len())]);
            failures.push(format!(
                "{}: {differing} at {at}: {} instead of {}",
                path.display(),
                part(one.1),
                part(other.1)
            ));
        }
    }
    assert!(failures.is_empty(), "{} of {count}:\n{}", failures.len(), failures.join("\n"));
    assert!(paths.is_empty() || count >= 10, "only {count} files");
}
