//! Picking among layers: transparent pixels of rotated regions, clip masks and inactive bones.

use pchr::Character;
use pchr::cpu::Renderer;
use pchr::draw::{Antialias, DrawList, Filter, Picture, Settings, View, pick};
use pchr::formats::image::encode_png;
use pchr::math::vec2;
use pchr::model::SkinId;
use pchr::motion::{Cue, evaluate};
use pchr::pose::{Pose, mesh_at, palette};

/// A blue square, a red picture with holes that is cut by a window, and a green square on a bone of a skin.
const CHARACTER: &str = r#"{
    "skeleton": {"spine": "4.2.43"},
    "bones": [
        {"name": "root"},
        {"name": "tilted", "parent": "root", "rotation": 30},
        {"name": "extra", "parent": "root", "x": 15, "y": -15, "skin": true}
    ],
    "slots": [
        {"name": "back", "bone": "root", "attachment": "blue"},
        {"name": "window", "bone": "root", "attachment": "window"},
        {"name": "front", "bone": "tilted", "attachment": "red"},
        {"name": "extra", "bone": "extra", "attachment": "green"}
    ],
    "skins": [
        {"name": "default", "attachments": {
            "back": {"blue": {"width": 60, "height": 60}},
            "window": {"window": {
                "type": "clipping", "end": "front", "vertexCount": 4, "vertices": [-20, -25, 18, -25, 18, 25, -20, 25]
            }},
            "front": {"red": {"width": 54, "height": 36}},
            "extra": {"green": {"width": 20, "height": 20}}
        }},
        {"name": "extra", "bones": ["extra"]}
    ]
}"#;

/// The red region is stored rotated: 6 × 4 pixels take 4 × 6 in the page.
const ATLAS: &str = "page.png
size: 16, 16
filter: Nearest, Nearest
blue
bounds: 0, 0, 2, 2
green
bounds: 2, 0, 2, 2
red
bounds: 4, 4, 6, 4
rotate: 90
";

const NAMES: [&str; 3] = ["back", "extra", "front"];
const COLORS: [[u8; 4]; 3] = [[0, 0, 255, 255], [0, 255, 0, 255], [255, 0, 0, 255]];

fn character() -> Character {
    let pixel = |index: usize| match (index % 16, index / 16) {
        (0..2, 0..2) => COLORS[0],
        (2..4, 0..2) => COLORS[1],
        // Holes that look different in every rotation.
        (5, 4..8) | (6..8, 9) => [0; 4],
        (4..8, 4..10) => COLORS[2],
        _ => [0; 4],
    };
    let pixels: Vec<u8> = (0..16 * 16).flat_map(pixel).collect();
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, bytes: &[u8]| std::fs::write(folder.path().join(name), bytes).expect("a file");
    write("page.png", &encode_png(16, 16, &pixels).expect("a picture"));
    write("layers.atlas", ATLAS.as_bytes());
    write("layers.json", CHARACTER.as_bytes());
    Character::open(folder.path().join("layers.json")).expect("a valid character")
}

/// Compares the colour of each pixel with the frontmost hit at its centre. Returns how many pixels show each of
/// [`NAMES`], and how many show the back through a hole of the front.
fn shown(character: &Character, skins: Vec<SkinId>) -> ([u32; 3], u32) {
    let model = character.model();
    let (mut pose, mut matrices) = (Pose::default(), Vec::new());
    evaluate(character, &Cue { skins, ..Cue::default() }, &mut pose);
    palette(model, &pose, &mut matrices);
    let (mut list, mut picture) = (DrawList::default(), Picture::default());
    let view = View::new(70, 70, vec2(-35.13, 35.21), 1.0);
    list.build(model, &pose, &view);
    let settings = Settings { filter: Filter::Nearest, antialias: Antialias::None };
    Renderer::new(model).render(model, &list, &view, settings, &mut picture);
    let (mut hits, mut counts, mut holes, mut wrong) = (Vec::new(), [0; 3], 0, 0);
    for (x, y) in (0..70).flat_map(|y| (0..70).map(move |x| (x, y))) {
        let at = view.world_from_pixel(vec2(x as f32 + 0.5, y as f32 + 0.5));
        pick(model, &pose, &matrices, at, 0.0, &mut hits);
        let color = picture.pixel(x, y);
        let drawn = COLORS.iter().position(|known| *known == color);
        assert_eq!(drawn.is_none(), color == [0; 4], "{color:?}");
        let found = hits.first().map(|hit| &*model.slot(hit.slot).name);
        wrong += u32::from(found != drawn.map(|index| NAMES[index]));
        if let Some(index) = drawn {
            counts[index] += 1;
        }
        let over = mesh_at(model, &pose, &matrices, at).map(|slot| &*model.slot(slot).name);
        let is_in_window = (-20.0..18.0).contains(&at.x) && (-25.0..25.0).contains(&at.y);
        holes += u32::from(drawn == Some(0) && over == Some("front") && is_in_window);
    }
    // The renderer rounds vertices to 1/256 pixel, so a few pixels on edges may differ.
    assert!(wrong <= 20, "{wrong} pixels differ");
    (counts, holes)
}

#[test]
fn the_frontmost_hit_is_what_the_picture_shows() {
    let character = character();
    let ([back, extra, front], holes) = shown(&character, Vec::new());
    assert!(back > 1000 && front > 500 && holes > 200, "{back} {front} {holes}");
    assert_eq!(extra, 0, "the bone is inactive");
    let skins = vec![character.model().find_skin("extra").expect("the skin")];
    let ([_, extra, _], _) = shown(&character, skins);
    assert!((390..=400).contains(&extra), "{extra}");
}
