//! Conversions in the export dialog: they write the same files as the command line that it shows.

use std::fs;

use crate::export::tests::dialog_harness::Dialog;
use crate::export::{Ended, targets};
use pchr::Character;
use pchr::export::Format;
use pchr::formats::table::{self, Target};

fn target(name: &str) -> &'static Target {
    table::target(name).expect("a target of the table")
}

#[track_caller]
fn converted(ended: Ended) -> usize {
    let Ended::Converted { files, .. } = ended else { panic!("{ended:?}") };
    files.len()
}

#[test]
fn a_spine_character_becomes_another_version() {
    let mut it = Dialog::of_lamp();
    it.choose("Kind", "Character in another format");
    assert_eq!(it.export().target, Some(target("spine43")));
    it.choose("Format", target("spine41").about);
    assert_eq!(it.export().target, Some(target("spine41")));
    assert!(it.export().path.ends_with("my lamp-export.json"), "the source stays: {}", it.export().path);
    let atlas = fs::read(it.path("my lamp.atlas")).expect("the atlas");
    let count = converted(it.write());
    // The page is there already.
    assert_eq!(count, 2);
    assert!(it.says("Saved 2 files (") && it.says("), starting with") && it.says("my lamp-export.json"));
    let files = it.files();
    assert_eq!(files.keys().collect::<Vec<_>>(), ["my lamp-export.atlas", "my lamp-export.json"]);
    assert!(files["my lamp-export.atlas"] == atlas);
    let text = String::from_utf8_lossy(&files["my lamp-export.json"]);
    assert!(text.contains("4.1."), "{text}");
    assert_eq!(it.command_line_files(), files);
    // Existing files are only replaced on request. The atlas is the same.
    fs::write(it.path("my lamp-export.json"), "theirs").expect("can be written");
    let ended = it.write();
    assert!(matches!(&ended, Ended::Exists { count: 1, .. }), "{ended:?}");
    it.export().replace();
    assert_eq!(converted(it.ended()), 1);
    assert_eq!(it.files(), files);
}

#[test]
fn every_format_of_a_character_is_offered() {
    let mut it = Dialog::new();
    for target in targets().filter(|target| !target.has_separate_images) {
        it.set(|export| export.target = Some(target));
        assert!(it.export().path.ends_with(target.extension), "{}", it.export().path);
        assert_eq!(it.export().extensions(), [target.extension], "the system's dialog offers it");
        converted(it.write());
        let files = it.files();
        assert_eq!(files.len(), 1, "{}", target.name);
        assert_eq!(it.command_line_files(), files, "{}", target.name);
        for name in files.keys() {
            Character::open(it.path(name)).unwrap_or_else(|error| panic!("{error}"));
            fs::remove_file(it.path(name)).expect("it goes");
        }
    }
    // Back to pictures.
    it.set(|export| {
        export.target = None;
        export.options.output.format = Some(Format::Gif);
    });
    assert!(it.export().path.ends_with("my knight-walk.gif"), "{}", it.export().path);
    assert_eq!(it.export().extensions(), ["gif"]);
}

#[test]
fn losses_and_errors_are_shown() {
    let mut it = Dialog::of_lamp();
    it.set(|export| export.target = Some(target("pchr")));
    converted(it.write());
    assert!(it.says("losses:"), "events, skins and shapes");
    fs::remove_file(it.path("paper-lamp.png")).expect("it exists");
    it.set(|export| export.target = Some(target("spine42")));
    let Ended::Failed(message) = it.write() else { panic!("the page is missing") };
    assert!(message.contains("paper-lamp.png"), "{message}");
}
