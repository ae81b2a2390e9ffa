//! Characters of game engines: sheets and PCHR made of them show what they show, offsets and mirroring included.

use std::fs;
use std::path::Path;

use crate::common::sheet_painter::Painter;
use pchr::Character;
use pchr::convert::{ConvertOptions, open};
use pchr::diagnostics::Diagnostics;
use pchr::draw::Filter;
use pchr::formats::image::encode_png;
use pchr::formats::table::target;
use pchr::formats::{Folder, Input, ReadOptions};
use pchr::motion::Position;

const SHEET: &str = r#"<TextureAtlas imagePath="hero.png">
<SubTexture name="a0000" x="0" y="0" width="3" height="4" frameX="-1" frameY="0" frameWidth="6" frameHeight="5"/>
<SubTexture name="a0001" x="3" y="0" width="4" height="3" frameX="-2" frameY="-1" frameWidth="6" frameHeight="5" rotated="true"/>
<SubTexture name="b0000" x="0" y="4" width="3" height="4"/>
</TextureAtlas>"#;

const PSYCH: &str = r#"{"image": "characters/hero", "flip_x": true, "animations": [
{"anim": "idle", "name": "a0", "fps": 10, "loop": true, "indices": [], "offsets": [2, -1]},
{"anim": "sing", "name": "b", "fps": 20, "loop": false, "indices": [], "offsets": [-3, 2]},
{"anim": "back", "name": "a", "fps": 10, "loop": false, "indices": [1, 0, 1], "offsets": [0, 0]}]}"#;

/// Writes a game's folder, and returns the path of the character.
fn game(place: &Path, text: &str) -> std::path::PathBuf {
    let write = |name: &str, bytes: &[u8]| {
        let path = place.join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, bytes).expect("space");
    };
    let pixels: Vec<u8> = (0..8 * 8_u8).flat_map(|index| [index * 4, 255 - index * 4, index, 255]).collect();
    write("images/characters/hero.png", &encode_png(8, 8, &pixels).expect("a picture"));
    write("images/characters/hero.xml", SHEET.as_bytes());
    write("characters/hero.json", text.as_bytes());
    place.join("characters/hero.json")
}

/// What `character` shows in the middle of each frame of the animations of `original`. PCHR has frames of its own.
fn pictures(character: &Character, original: &Character) -> Vec<(String, Vec<Vec<[u8; 4]>>)> {
    let mut painter = Painter::new(character);
    let all = original.model().animations().iter().map(|animation| {
        let id = character.model().find_animation(&animation.name).expect("the animation");
        let mut at = |frame: u32| {
            let middle = Position::Seconds(animation.seconds_at(f64::from(frame) + 0.5));
            painter.paint(id, middle, [24, 24], [8, 8], Filter::Nearest).to_vec()
        };
        (animation.name.clone(), (0..animation.frame_count()).map(&mut at).collect())
    });
    all.collect()
}

/// Converts the file, and opens the result.
fn converted(path: &Path, to: &str, place: &Path) -> pchr::Result<Character> {
    let sidecars = Folder::of(path);
    let input = Input { bytes: fs::read(path).expect("a file").into(), sidecars: &sidecars };
    let opened = open(input, &ReadOptions::default(), &mut Diagnostics::default()).expect("it opens");
    let to = target(to).expect("a target");
    let main = format!("hero.{}", to.extension);
    let converted = opened.convert(&ConvertOptions::new(to, main.clone())).map_err(|error| match error {
        pchr::convert::ConvertError::Input(error) => error,
        other => panic!("{other}"),
    })?;
    for file in converted.files.files.iter().chain(&converted.files.pictures) {
        let mut bytes = Vec::new();
        file.write_to(&mut bytes).expect("memory");
        fs::create_dir_all(place).expect("a folder");
        fs::write(place.join(&file.name), bytes).expect("space");
    }
    Character::open(place.join(main))
}

#[test]
fn characters_look_the_same_in_sheets_and_in_pchr() {
    let place = tempfile::tempdir().expect("a folder");
    let path = game(place.path(), PSYCH);
    let original = Character::open(&path).expect("it opens");
    let expected = pictures(&original, &original);
    assert!(expected.iter().flat_map(|(_, frames)| frames).all(|frame| frame.iter().any(|pixel| pixel[3] > 0)));
    for to in ["sheet", "sheet-hash", "sheet-packed", "pchr"] {
        let character = converted(&path, to, &place.path().join(to)).expect("it can be converted");
        for ((name, found), (_, expected)) in pictures(&character, &original).iter().zip(&expected) {
            let wrong = |(a, b): (&Vec<[u8; 4]>, &Vec<[u8; 4]>)| a.iter().zip(b).filter(|(a, b)| a != b).count();
            let wrong: Vec<usize> = found.iter().zip(expected).map(wrong).collect();
            assert!(wrong.iter().all(|count| *count == 0), "{to}: {name}: {wrong:?}");
        }
        let timing = |character: &Character| -> Vec<(String, bool, u32)> {
            let animations = character.model().animations().iter();
            animations.map(|it| (it.name.clone(), it.looping, it.fps().round() as u32)).collect()
        };
        if to != "pchr" {
            assert_eq!(timing(&character), timing(&original), "{to}");
        }
    }
    let scaled = game(place.path(), &PSYCH.replace("\"flip_x\"", "\"scale\": 2, \"flip_x\""));
    let error = converted(&scaled, "sheet", &place.path().join("scaled")).expect_err("a sheet has no scale");
    assert_eq!(error.code(), "unread-dialect");
}
