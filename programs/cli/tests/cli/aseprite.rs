//! Aseprite files in the commands.

use pchr::Character;
use pchr::diagnostics::Diagnostics;
use pchr::draw::Filter;
use pchr::formats::{ReadOptions, from_bytes};
use pchr::model::AnimationId;

use crate::common::aseprite::{Chunk, Tag, everything, paint};
use crate::common::program::{fine, folder, pchr, stderr};

/// An animation: its name, whether it loops, and its frames with their times.
type Shown = (String, bool, Vec<(f64, Vec<[u8; 4]>)>);

/// What every animation shows at every step, on the whole canvas.
fn everything_shown(character: &Character, size: [u32; 2]) -> Vec<Shown> {
    let model = character.model();
    let of = |id: AnimationId| {
        let animation = model.animation(id);
        let step =
            |step: u32| (animation.seconds_at(f64::from(step)), paint(character, id, step, size, Filter::Nearest));
        (animation.name.clone(), animation.looping, (0..animation.frame_count()).map(step).collect())
    };
    model.animation_ids().map(of).collect()
}

#[test]
fn the_converted_sprite_sheet_shows_the_same() {
    let tag = |name, direction, repeat| Tag { name, from: 0, to: 3, direction, repeat };
    let mut sprite = everything().frame(40, []);
    let tags =
        [tag("a", 1, 0), tag("b", 2, 0), tag("c", 3, 2), Tag { name: "none", from: 9, to: 9, ..tag("", 0, 0) }];
    sprite.frames[0].chunks.push(Chunk::tags(&tags));
    let mut found = Diagnostics::default();
    let source = from_bytes(sprite.bytes(), &ReadOptions::default(), &mut found).expect("it is valid");
    assert_eq!(found.warnings().map(|fault| fault.code).collect::<Vec<_>>(), ["bad-tag"]);
    let expected = everything_shown(&source, [6, 5]);
    assert_eq!(expected.len(), 4);

    let place = folder();
    std::fs::write(place.path().join("hero.aseprite"), sprite.bytes()).expect("a folder");
    for (to, output) in [("sheet", "list.json"), ("sheet-hash", "hash.json"), ("sheet-packed", "packed.sprsh")] {
        fine(place.path(), &["convert", "hero.aseprite", "-o", output, "--to", to, "-q"]);
        let sheet = Character::open(place.path().join(output)).unwrap_or_else(|error| panic!("{error}"));
        assert!(everything_shown(&sheet, [6, 5]) == expected, "{to}");
    }
    assert!(place.path().join("list.png").is_file());
    fine(place.path(), &["convert", "hero.aseprite", "-o", "by-name.sprsh", "-q"]);

    // Non-square pixels become square, which is reported.
    sprite.pixel = [1, 2];
    std::fs::write(place.path().join("tall.ase"), sprite.bytes()).expect("a folder");
    let args = ["convert", "tall.ase", "-o", "tall.json", "--to", "sheet", "--loss-report", "loss.json"];
    let run = pchr(place.path(), &args);
    assert!(run.status.success() && stderr(&run).contains("pixels-squared"), "{}", stderr(&run));
    let report = std::fs::read_to_string(place.path().join("loss.json")).expect("a report");
    assert!(report.contains("pixels-squared"), "{report}");
}

#[test]
fn the_programs_open_it() {
    let place = folder();
    std::fs::write(place.path().join("hero.aseprite"), everything().bytes()).expect("a folder");
    std::fs::write(place.path().join("cut.ASE"), &everything().bytes()[..200]).expect("a folder");
    let run = pchr(place.path(), &["validate", "."]);
    assert_eq!(run.status.code(), Some(1));
    let output = String::from_utf8_lossy(&run.stdout);
    assert!(
        output.contains("cut.ASE") && output.contains("truncated") && output.contains("1 valid, 1 invalid"),
        "{output}"
    );
    let run = fine(place.path(), &["inspect", "hero.aseprite"]);
    let output = String::from_utf8_lossy(&run.stdout);
    assert!(output.contains("Aseprite sprite") && output.contains("go"), "{output}");
    fine(place.path(), &["convert", "hero.aseprite", "-o", "hero.pchr", "-q"]);
    assert!(Character::open(place.path().join("hero.pchr")).is_ok());
}
