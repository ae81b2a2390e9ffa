//! The readers: what they refuse and report, word for word.
//!
//! Every folder in `fixtures/pchr`, `fixtures/pchr-json`, `fixtures/pchr-packed`, `fixtures/spine-quirks`,
//! `fixtures/sheet`, `fixtures/aseprite` and `fixtures/animate` is one quirk: its input and, in `expect.txt`, the messages of the
//! reader and the findings of an examination. `PCHR_UPDATE=1` rewrites them from the tables in [`quirks`]; review
//! the difference.

use std::collections::BTreeSet;
use std::fs;

use crate::quirks::{fixtures, folder};

#[test]
fn every_quirk_is_reported_as_expected() {
    let update = std::env::var_os("PCHR_UPDATE").is_some();
    let mut faults = Vec::new();
    // All inputs first, because one refers to a picture of another.
    for fixture in fixtures() {
        for (name, bytes) in &fixture.files {
            let path = fixture.folder.join(name);
            if update {
                fs::create_dir_all(&fixture.folder).unwrap();
                fs::write(&path, bytes).unwrap();
            }
            let stored = fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            assert!(stored == *bytes, "{} does not match the table; PCHR_UPDATE=1 rewrites it", path.display());
        }
    }
    for fixture in fixtures() {
        let found = fixture.report();
        if update {
            fs::write(fixture.folder.join("expect.txt"), &found).unwrap();
        }
        let expected = fixture.expected();
        if found != expected {
            faults.push(format!("{}\nexpected:\n{expected}found:\n{found}", fixture.folder.display()));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn every_folder_is_in_the_table() {
    let mut count = 0;
    for form in ["pchr", "pchr-json", "pchr-packed", "spine-quirks", "sheet", "aseprite", "animate"] {
        let stored: BTreeSet<_> = fs::read_dir(folder(form)).unwrap().map(|entry| entry.unwrap().path()).collect();
        let listed: Vec<_> = fixtures().into_iter().map(|fixture| fixture.folder).collect();
        let listed: BTreeSet<_> = listed.into_iter().filter(|path| path.starts_with(folder(form))).collect();
        let odd: Vec<_> = stored.symmetric_difference(&listed).collect();
        assert!(odd.is_empty(), "only in the folder or only in the table: {odd:?}");
        count += stored.len();
    }
    assert!(count >= 160, "only {count} fixtures");
}
