//! Sheets that Aseprite has split by layers, and the origin that slices state.

use pchr::Character;
use pchr::Error;
use pchr::diagnostics::Diagnostics;
use pchr::formats::{ReadOptions, from_bytes};
use pchr::math::Affine2;
use pchr::model::{Attachment, Vertices};
use pchr::motion::{Cue, Position, evaluate};
use pchr::pose::Pose;

const LAYERS: &str = r#"{"name": "Body", "opacity": 255, "blendMode": "normal"},
    {"name": "Limbs", "opacity": 255, "blendMode": "normal"},
    {"name": "Arm (left)", "group": "Limbs", "opacity": 128, "blendMode": "multiply"},
    {"name": "Hat", "opacity": 255, "blendMode": "overlay"}"#;

const TAGS: &str = r#"{"name": "all", "from": 0, "to": 2}, {"name": "last", "from": 2, "to": 2}"#;

fn sheet(names: &[&str], tags: &str, slices: &str) -> String {
    let frame = |name: &&str| {
        format!(
            "{name:?}: {{\"frame\": {{\"x\":0,\"y\":0,\"w\":2,\"h\":2}}, \"duration\": {}}}",
            if name.contains('2') { 200 } else { 100 }
        )
    };
    let frames: Vec<String> = names.iter().map(frame).collect();
    format!(
        "{{\"frames\": {{{}}}, \"meta\": {{\"app\": \"https://www.aseprite.org/\", \"frameTags\": [{tags}],
        \"layers\": [{LAYERS}], \"slices\": [{slices}]}}}}",
        frames.join(",\n")
    )
}

fn read(text: &str, layers: &[&str]) -> Result<(Character, Vec<&'static str>), Error> {
    let layers = layers.iter().map(|name| (*name).to_owned()).collect();
    let mut diagnostics = Diagnostics::default();
    let read = from_bytes(text.to_owned(), &ReadOptions { layers, ..ReadOptions::default() }, &mut diagnostics);
    let codes = diagnostics.findings().iter().map(|finding| finding.fault.code).collect();
    read.map(|character| (character, codes))
}

/// The pictures of all slots in each frame of the animation `name`; `-` for nothing.
fn shown(character: &Character, name: &str) -> Vec<String> {
    let model = character.model();
    let id = model.find_animation(name).expect("an animation");
    let mut pose = Pose::default();
    let mut frame = |number: u32| {
        let cue = Cue { animation: Some(id), position: Position::frame(number), ..Cue::default() };
        evaluate(character, &cue, &mut pose);
        let pictures = pose.draw_order.iter().map(|slot| pose.slots[slot.index()].attachment);
        let names = pictures.map(|shown| shown.map_or("", |shown| model.attachment(shown).name()));
        names.map(|name| if name.is_empty() { "-" } else { name }).collect::<Vec<_>>().join("|")
    };
    (0..model.animation(id).frame_count()).map(&mut frame).collect()
}

fn slots(character: &Character) -> Vec<String> {
    character.model().slots().iter().map(|slot| format!("{} {}", slot.name, slot.blend.name())).collect()
}

/// As Aseprite lists them: layer by layer. It leaves out empty frames if asked to.
const NAMES: [&str; 8] = [
    "hero (Body) 0.aseprite",
    "hero (Body) 2.aseprite",
    "hero (Arm (left)) 0.aseprite",
    "hero (Arm (left)) 1.aseprite",
    "hero (Arm (left)) 2.aseprite",
    "hero (Hat) 0.aseprite",
    "hero (Hat) 1.aseprite",
    "hero (Hat) 10.aseprite",
];

#[test]
fn layers_of_a_frame_are_shown_together() {
    let (character, codes) = read(&sheet(&NAMES, TAGS, ""), &[]).expect("a sheet");
    assert_eq!(slots(&character), ["Body normal", "Arm (left) multiply", "Hat normal"]);
    assert_eq!(
        shown(&character, "all"),
        [
            "hero (Body) 0.aseprite|hero (Arm (left)) 0.aseprite|hero (Hat) 0.aseprite",
            "-|hero (Arm (left)) 1.aseprite|hero (Hat) 1.aseprite",
            "hero (Body) 2.aseprite|hero (Arm (left)) 2.aseprite|-",
        ]
    );
    assert_eq!(shown(&character, "last").len(), 1);
    assert_eq!(character.model().animations()[1].duration_secs(), 0.2);
    assert!(codes.contains(&"bad-layer"), "{codes:?}");
    // Without tags, all frames are one animation.
    let (character, _) = read(&sheet(&NAMES, "", ""), &[]).expect("a sheet");
    assert_eq!(character.model().animations().len(), 1);
    assert_eq!(shown(&character, "sheet").last().map(String::as_str), Some("-|-|hero (Hat) 10.aseprite"));
}

#[test]
fn one_layer_or_group_can_be_shown() {
    let text = sheet(&NAMES, TAGS, "");
    for name in ["Limbs", "Arm (left)"] {
        let (character, _) = read(&text, &[name]).expect("a layer");
        assert_eq!(slots(&character), ["Arm (left) multiply"]);
        assert_eq!(shown(&character, "last"), ["hero (Arm (left)) 2.aseprite"]);
    }
    let (character, _) = read(&text, &["Hat", "Body"]).expect("layers");
    assert_eq!(shown(&character, "all")[1], "-|hero (Hat) 1.aseprite");
    let (character, _) = read(&sheet(&["a (Body).png", "a (Hat).png"], "", ""), &["Hat"]).expect("one frame");
    assert_eq!(shown(&character, "sheet"), ["a (Hat).png"]);
}

#[test]
fn unknown_layers_are_refused() {
    let message = |text: &str, name| {
        let Err(error) = read(text, &["Body", name]) else { panic!("it is not refused") };
        assert_eq!(error.code(), "unknown-name");
        error.to_string()
    };
    let found = message(&sheet(&NAMES, TAGS, ""), "Shoes");
    assert!(found.contains("no layer `Shoes`") && found.contains("`Arm (left)`, `Hat`"), "{found}");
    // It is listed, but has no frames.
    assert!(read(&sheet(&NAMES[..5], "", ""), &["Hat"]).is_err());
    // Its layers are merged.
    let found = message(&sheet(&["hero 0.aseprite", "hero 1.aseprite"], "", ""), "Hat");
    assert!(found.contains("it has no layers"), "{found}");
}

/// The upper-left corner of what a frame shows, y up.
fn corner(character: &Character, frame: u32) -> [f32; 2] {
    let cue = Cue {
        animation: character.model().animation_ids().next(),
        position: Position::frame(frame),
        ..Cue::default()
    };
    let mut pose = Pose::default();
    evaluate(character, &cue, &mut pose);
    assert_eq!(pose.world_from_bone[0], Affine2::IDENTITY);
    let shown = pose.slots.iter().filter_map(|slot| slot.attachment).next_back().expect("a picture");
    let Attachment::Region(mesh) = character.model().attachment(shown) else { panic!("a region") };
    let Vertices::SkinN(vertices) = &mesh.vertices else { panic!("vertices") };
    vertices.iter().next().expect("a corner").influences[0].position.to_array()
}

#[test]
fn the_pivot_of_a_slice_is_the_origin() {
    let key = |frame: u32, x: u32, pivot: &str| {
        format!(r#"{{"frame": {frame}, "bounds": {{"x": {x}, "y": 1, "w": 4, "h": 4}}{pivot}}}"#)
    };
    let pivot = r#", "pivot": {"x": 3, "y": 5}"#;
    let slice = |name: &str, keys: &[String]| format!(r#"{{"name": "{name}", "keys": [{}]}}"#, keys.join(", "));
    let plain = slice("hit", &[key(0, 9, "")]);
    let feet = slice("feet", &[key(0, 10, pivot), key(1, 20, pivot)]);
    let origin = slice("origin", &[key(0, 0, pivot)]);
    let without_pivot = slice("origin", &[key(0, 0, "")]);
    let two = ["hero 0.aseprite", "hero 1.aseprite", "hero 2.aseprite"];
    for (names, slices, expected) in [
        (&two[..], vec![plain.clone()], [[0.0, 0.0]; 3]),
        (&two, vec![plain.clone(), feet.clone()], [[-13.0, 6.0], [-23.0, 6.0], [-23.0, 6.0]]),
        (&two, vec![feet.clone(), origin], [[-3.0, 6.0]; 3]),
        (&two, vec![without_pivot, feet.clone()], [[-13.0, 6.0], [-23.0, 6.0], [-23.0, 6.0]]),
        (&NAMES[2..7], vec![feet], [[-13.0, 6.0], [-23.0, 6.0], [-23.0, 6.0]]),
    ] {
        let (character, _) = read(&sheet(names, "", &slices.join(", ")), &[]).expect("a sheet");
        assert_eq!([0, 1, 2].map(|frame| corner(&character, frame)), expected, "{slices:?}");
    }
}
