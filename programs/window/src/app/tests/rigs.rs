//! Characters that are written for tests of the window.

use std::fmt::Write as _;

use crate::common::v1::{self as schema, write};

use crate::app::tests::harness::TestWindow;

/// Returns a large Spine character with an empty default skin: 8 animations, 40 slots, and the given skins. Each
/// fills that many of the first slots.
pub fn wardrobe(skins: &[(&str, usize)]) -> String {
    let mut slots = String::new();
    for slot in 0..40 {
        let comma = if slot > 0 { "," } else { "" };
        write!(slots, r#"{comma}{{"name": "slot{slot:02}", "bone": "root", "attachment": "part"}}"#).unwrap();
    }
    let mut dressed = String::from(r#"{"name": "default"}"#);
    for (name, count) in skins {
        let mut attachments = String::new();
        for slot in 0..*count {
            let comma = if slot > 0 { "," } else { "" };
            write!(
                attachments,
                r#"{comma}"slot{slot:02}": {{"part": {{"x": {slot}, "width": 40, "height": 40}}}}"#
            )
            .unwrap();
        }
        write!(dressed, r#",{{"name": "{name}", "attachments": {{{attachments}}}}}"#).unwrap();
    }
    let names = ["walk", "run", "idle", "jump", "fall", "wave", "sit", "blink"];
    let turns = names.map(|name| {
        format!(r#""{name}": {{"bones": {{"root": {{"rotate": [{{}}, {{"time": 1, "angle": 9}}]}}}}}}"#)
    });
    format!(
        r#"{{"skeleton": {{"spine": "3.8.99"}}, "bones": [{{"name": "root"}}], "slots": [{slots}],
            "skins": [{dressed}], "animations": {{{}}}}}"#,
        turns.join(",")
    )
}

/// Returns thirty skins with single parts, and two complete skins among them.
pub fn many_skins() -> Vec<(String, usize)> {
    let mut skins: Vec<_> = (0..30).map(|number| (format!("parts/part{number:02}"), 1)).collect();
    skins.insert(20, ("full-skins/girl".to_owned(), 12));
    skins.insert(25, ("full-skins/boy".to_owned(), 9));
    skins
}

pub fn wardrobe_of_many() -> String {
    let skins = many_skins();
    wardrobe(&skins.iter().map(|(name, count)| (name.as_str(), *count)).collect::<Vec<_>>())
}

/// Returns a square of one colour with an animation of ten frames that rotates it by 9 degrees per frame.
pub fn square(color: [u8; 3]) -> Vec<u8> {
    turning_square(color, &[("turn", true, 10)])
}

/// Returns a square of one colour at 10 fps. Its animations, given by name, whether they loop, and number of frames, rotate
/// it by 9 degrees per frame.
pub fn turning_square(color: [u8; 3], animations: &[(&str, bool, u8)]) -> Vec<u8> {
    let corner =
        |x: f32, y: f32| schema::Vertex { x, y, bone_weights: [1.0, 0.0, 0.0, 0.0], ..schema::Vertex::default() };
    let corners = [corner(-50.0, -50.0), corner(50.0, -50.0), corner(50.0, 50.0), corner(-50.0, 50.0)];
    let frame = |rotation| vec![schema::BoneTransform { rotation, ..Default::default() }];
    let frames = |count: u8| (0..count).map(|number| frame(f32::from(number) * 9.0)).collect::<Vec<_>>();
    let animation =
        |(name, loops, count): &(&str, bool, u8)| schema::Animation::new(*name, *loops, &frames(*count));
    let [r, g, b] = color;
    let file = schema::File {
        fps: 10,
        images: vec![schema::Image {
            name: "page".to_owned(),
            width: 1,
            height: 1,
            format: schema::Image::RGBA8888,
            data: vec![r, g, b, 255].into(),
            offset: 0,
        }],
        bones: vec![schema::Bone { name: "root".to_owned(), parent: -1, offset: 0 }],
        meshes: vec![schema::Mesh::new("square", 0, &corners, &[0, 1, 2, 0, 2, 3])],
        animations: animations.iter().map(animation).collect(),
        ..schema::File::default()
    };
    write(&file).unwrap()
}

/// Opens a window on [`wardrobe_of_many`].
pub fn crowded(size: [f32; 2]) -> TestWindow {
    TestWindow::of(size, &[("girl.json", wardrobe_of_many().as_bytes())], |_| {})
}
