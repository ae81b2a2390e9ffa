//! The PCHR reader: what it refuses and reports, word for word, and that nothing is lost on the way back.
//!
//! Every folder of `fixtures/pchr` is one quirk: `input.pchr` and, in `expect.txt`, what reading it says.
//! `PCHR_UPDATE=1` writes them anew from the table in [`quirks`]; review the difference.

mod common;
mod quirks;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use common::{conformance, files_in, say, tiny};
use pchr::diagnostics::Diagnostics;
use pchr::formats::pchr::schema::{Animation, Bone, File, Mesh};
use pchr::formats::{open, pchr as format};
use pchr::limits::{Budget, Limits};
use quirks::{QUIRKS, Quirk};

/// Codes that no file read by its name can cause: [`codes_that_need_no_file`] has them.
const WITHOUT_FILE: [&str; 4] = ["bad-magic", "too-many", "partial-record", "frames-length"];

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/pchr")
}

/// What reading a fixture says, in lines: warnings, then how it ended.
fn told(folder: &Path, quirk: &Quirk) -> String {
    let mut diagnostics = Diagnostics::default();
    let result = open(&folder.join("input.pchr"), &quirk.options(), &mut diagnostics);
    let mut lines: Vec<String> =
        diagnostics.warnings().map(|fault| format!("warning[{}]: {fault}", fault.code)).collect();
    lines.push(match result {
        Ok(_) => "opens".to_owned(),
        Err(error) => format!("error[{}]: {error}", error.code()),
    });
    // The folder is another on every machine.
    lines.join("\n").replace(&format!("{}{}", folder.display(), std::path::MAIN_SEPARATOR), "") + "\n"
}

#[test]
fn every_quirk_is_told_as_expected() {
    let update = std::env::var_os("PCHR_UPDATE").is_some();
    let mut faults = Vec::new();
    for quirk in QUIRKS {
        let folder = fixtures().join(quirk.name);
        let (input, expect) = (folder.join("input.pchr"), folder.join("expect.txt"));
        if update {
            fs::create_dir_all(&folder).unwrap();
            fs::write(&input, quirk.bytes()).unwrap();
            fs::write(&expect, told(&folder, quirk)).unwrap();
        }
        let stored = fs::read(&input).unwrap_or_else(|error| panic!("{}: {error}", input.display()));
        assert!(
            stored == quirk.bytes(),
            "{} is not what the table makes; PCHR_UPDATE=1 writes it",
            input.display()
        );
        let (expected, found) = (fs::read_to_string(&expect).unwrap(), told(&folder, quirk));
        if found != expected {
            faults.push(format!("{}\n  expected: {expected}  found:    {found}", quirk.name));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn every_folder_is_in_the_table() {
    let folders: BTreeSet<_> = fs::read_dir(fixtures()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    let names: BTreeSet<_> = QUIRKS.iter().map(|quirk| quirk.name.into()).collect();
    assert_eq!(folders, names);
    assert!(names.len() >= 45, "only {} fixtures", names.len());
}

/// Reads the codes out of the sources, so that a new one without a fixture is noticed.
#[test]
fn every_code_has_a_fixture() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut sources =
        vec![root.join("bytes/reader.rs"), root.join("bytes/writer.rs"), root.join("formats/image.rs")];
    sources.extend(files_in(&root.join("formats/pchr"), ".rs"));
    sources.extend(files_in(&root.join("formats/pchr/build"), ".rs"));
    let expected: String = QUIRKS
        .iter()
        .map(|quirk| fs::read_to_string(fixtures().join(quirk.name).join("expect.txt")).unwrap())
        .collect();
    let mut count = 0;
    for source in sources {
        let text = fs::read_to_string(&source).unwrap();
        for call in [".warn(", "Error::malformed(", "Error::unsupported(", "Error::misuse("] {
            for (at, _) in text.match_indices(call) {
                let code =
                    text[at + call.len()..].trim_start().strip_prefix('"').and_then(|rest| rest.split('"').next());
                let code = code.unwrap_or_else(|| panic!("{}: a code is a literal", source.display()));
                let told = expected.contains(&format!("[{code}]")) || WITHOUT_FILE.contains(&code);
                assert!(told, "{}: no fixture tells `{code}`", source.display());
                count += 1;
            }
        }
    }
    assert!(count >= 25, "only {count} codes found in the sources");
}

#[test]
fn codes_that_need_no_file() {
    let error_of = |change: fn(&mut File)| {
        let mut file = tiny();
        change(&mut file);
        let error = format::write(&file).unwrap_err();
        format!("{}: {error}", error.code())
    };
    assert_eq!(
        error_of(|file| file.bones = vec![Bone::default(); 65_536]),
        "too-many: boneCount: 65536 do not fit, the format holds at most 65535"
    );
    assert_eq!(
        error_of(|file| file.bones[0].name = "x".repeat(65_536)),
        "too-many: bones[].name: 65536 do not fit, the format holds at most 65535"
    );
    assert_eq!(
        error_of(|file| file.meshes[0].vertices = vec![0; 41].into()),
        "partial-record: meshes[].vertices: 41 bytes are not a whole number of 40-byte records"
    );
    assert_eq!(
        error_of(|file| file.animations[0].frame_count = 2),
        "frames-length: animation `bind`: 46 bytes of frames, but 2 frames of 2 bones take 92"
    );
    let limits = Limits::default();
    let error = format::read(b"PCHX".to_vec().into(), &mut Budget::new(&limits), &mut Diagnostics::default());
    assert_eq!(error.unwrap_err().to_string(), "magic (byte 0): found `PCHX`, a PCHR file begins with `PCHR`");
}

#[test]
fn counts_at_the_limit_fit() {
    let mut file = File { bones: vec![Bone { parent: -1, ..Bone::default() }; 65_535], ..File::default() };
    file.meshes = vec![Mesh::default(); 65_535];
    file.animations = vec![Animation { name: "x".repeat(65_535), ..Animation::default() }];
    let bytes = format::write(&file).unwrap();
    assert_eq!(rewritten(&bytes), bytes);
}

/// Read and written again, without what follows the last animation.
fn rewritten(bytes: &[u8]) -> Vec<u8> {
    let limits = Limits::default();
    let file = format::read(bytes.to_vec().into(), &mut Budget::new(&limits), &mut Diagnostics::default());
    format::write(&file.expect("the fields are found")).unwrap()
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
    let Some(folder) = conformance("pchr") else { return };
    let files = files_in(&folder, ".pchr");
    for file in &files {
        let bytes = fs::read(file).unwrap();
        assert!(rewritten(&bytes) == bytes, "{}", file.display());
    }
    say(&format!("pchr round trip: {} files", files.len()));
    assert!(!files.is_empty(), "{} holds no .pchr", folder.display());
}
