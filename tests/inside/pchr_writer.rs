//! The bytes of PCHR v1: what its reader and its writer refuse, and that files survive a round trip.

use std::fs;

use crate::common::v1::write;
use crate::common::{conformance_files, say, tiny};
use crate::quirks::QUIRKS;
use pchr::Result;
use pchr::diagnostics::Diagnostics;
use pchr::error::Place;
use pchr::formats::pchr as format;
use pchr::formats::pchr::schema::{Animation, Bone, File, Mesh};
use pchr::limits::{Budget, Limits};

#[test]
fn errors_of_the_writer_and_the_v1_reader() {
    let error_of = |change: fn(&mut File)| {
        let mut file = fields(&write(&tiny()).unwrap()).unwrap();
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
    let error = fields(b"PCHX");
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
    format::write(&fields(bytes).expect("the fields can be read")).unwrap()
}

#[test]
fn reading_and_writing_gives_the_same_bytes() {
    let mut count = 0;
    for quirk in QUIRKS.iter().filter(|quirk| fields(&quirk.bytes()).is_ok()) {
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

#[test]
fn another_magic() {
    let knight = include_bytes!("../../assets/paper-knight.pchr");
    for at in 0..4 {
        let mut bytes = knight.to_vec();
        bytes[at] ^= 1;
        let error = fields(&bytes).unwrap_err();
        assert_eq!((error.code(), error.place()), ("bad-magic", Some(&Place::at("magic", 0))));
    }
}

fn fields(bytes: &[u8]) -> Result<File> {
    let limits = Limits::default();
    format::read(bytes.to_vec().into(), &mut Budget::new(&limits), &mut Diagnostics::default())
}
