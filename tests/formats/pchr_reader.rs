//! The readers: what they refuse and report, word for word, and that PCHR files survive a round trip.
//!
//! Every folder in `fixtures/pchr`, `fixtures/pchr-json`, `fixtures/pchr-packed`, `fixtures/spine-quirks`,
//! `fixtures/sheet` and `fixtures/aseprite` is one quirk: its input and, in `expect.txt`, the messages of the
//! reader and the findings of an examination. `PCHR_UPDATE=1` rewrites them from the tables in [`quirks`]; review
//! the difference.

use std::collections::BTreeSet;
use std::fs;

use crate::common::{conformance_files, say, tiny};
use crate::quirks::{QUIRKS, fixtures, folder};
use pchr::diagnostics::Diagnostics;
use pchr::formats::pchr as format;
use pchr::formats::pchr::schema::{Animation, Bone, File, Mesh};
use pchr::limits::{Budget, Limits};

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
    for form in ["pchr", "pchr-json", "pchr-packed", "spine-quirks", "sheet", "aseprite"] {
        let stored: BTreeSet<_> = fs::read_dir(folder(form)).unwrap().map(|entry| entry.unwrap().path()).collect();
        let listed: Vec<_> = fixtures().into_iter().map(|fixture| fixture.folder).collect();
        let listed: BTreeSet<_> = listed.into_iter().filter(|path| path.starts_with(folder(form))).collect();
        let odd: Vec<_> = stored.symmetric_difference(&listed).collect();
        assert!(odd.is_empty(), "only in the folder or only in the table: {odd:?}");
        count += stored.len();
    }
    assert!(count >= 160, "only {count} fixtures");
}

#[test]
fn errors_of_the_writer_and_the_v1_reader() {
    let error_of = |change: fn(&mut File)| {
        let mut file = tiny();
        change(&mut file);
        let error = format::write(&file).unwrap_err();
        format!("{}: {error}", error.code())
    };
    assert_eq!(
        error_of(|file| file.bones = vec![Bone::default(); 65_536]),
        "too-many: boneCount: 65536 is too many, the format allows at most 65535"
    );
    assert_eq!(
        error_of(|file| file.bones[0].name = "x".repeat(65_536)),
        "too-many: bones[].name: 65536 is too many, the format allows at most 65535"
    );
    assert_eq!(
        error_of(|file| file.meshes[0].vertices = vec![0; 41].into()),
        "partial-record: meshes[].vertices: 41 bytes are not a whole number of 40-byte records"
    );
    assert_eq!(
        error_of(|file| file.animations[0].frame_count = 2),
        "frames-length: animation `bind`: 46 bytes of frames, but 2 frames of 2 bones need 92"
    );
    let limits = Limits::default();
    let error = format::read(b"PCHX".to_vec().into(), &mut Budget::new(&limits), &mut Diagnostics::default());
    assert_eq!(error.unwrap_err().to_string(), "magic (byte 0): found `PCHX`, but a PCHR file begins with `PCHR`");
}

#[test]
fn counts_at_the_limit_fit() {
    let mut file = File { bones: vec![Bone { parent: -1, ..Bone::default() }; 65_535], ..File::default() };
    file.meshes = vec![Mesh::default(); 65_535];
    file.animations = vec![Animation { name: "x".repeat(65_535), ..Animation::default() }];
    let bytes = format::write(&file).unwrap();
    assert_eq!(rewritten(&bytes), bytes);
}

/// Reads and writes the bytes, without any after the last animation.
fn rewritten(bytes: &[u8]) -> Vec<u8> {
    let limits = Limits::default();
    let file = format::read(bytes.to_vec().into(), &mut Budget::new(&limits), &mut Diagnostics::default());
    format::write(&file.expect("the fields can be read")).unwrap()
}

#[test]
fn reading_and_writing_gives_the_same_bytes() {
    let mut count = 0;
    for quirk in QUIRKS.iter().filter(|quirk| quirk.fields_are_found()) {
        let (bytes, trailing) = (quirk.bytes(), quirk.trailing());
        assert!(rewritten(&bytes) == bytes[..bytes.len() - trailing], "{}", quirk.name);
        count += 1;
    }
    assert!(count >= 30, "only {count} fixtures have all their fields");
}

#[test]
fn conformance_pchr_round_trip() {
    let files = conformance_files("pchr", ".pchr");
    for file in &files {
        let bytes = fs::read(file).unwrap();
        assert!(rewritten(&bytes) == bytes, "{}", file.display());
    }
    say(&format!("pchr round trip: {} files", files.len()));
    assert!(!files.is_empty(), "no .pchr file found");
}
