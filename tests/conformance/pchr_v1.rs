//! Compares PCHR with the conformance data: draw order and skinned vertices of every golden, and every picture.
//!
//! Input: any files `pchr/NAME.golden.json` and `pchr/NAME.ANIMATION-FRAME.png` beside `pchr/NAME.pchr`.

use std::path::Path;

use crate::common::compare::{Scene, difference};
use crate::common::{conformance_files, say};
use pchr::Character;
use pchr::cpu::Renderer;
use pchr::draw::{DrawList, Filter, Picture, Settings, View};
use pchr::error::Place;
use pchr::formats::image::{decode_png, png_size};
use pchr::math::color::premultiply;
use pchr::math::{Vec2, vec2};
use pchr::motion::{Cue, Position, evaluate};
use pchr::pose::{Pose, deformed_world_position, palette};
use serde_json::Value;

/// Tolerance in world pixels: the goldens are rounded to four decimals and computed in another order.
const TOLERANCE: f32 = 0.01;

#[test]
fn conformance_draw_order_and_skinned_vertices() {
    let goldens = conformance_files("pchr", ".golden.json");
    let (mut cases, mut worst, mut faults) = (0, 0.0_f32, Vec::new());
    for golden in &goldens {
        let (character, golden) = load(golden);
        for case in list(&golden["cases"]) {
            cases += 1;
            match compare(&character, case) {
                Ok(error) => worst = worst.max(error),
                Err(fault) => faults.push(format!("{}: {fault}", name_of(case))),
            }
        }
    }
    say(&format!("pchr goldens: {} files, {cases} cases, worst error {worst} px", goldens.len()));
    assert!(cases > 0, "no golden has any case");
    assert!(faults.is_empty(), "{} of {cases} cases differ:\n{}", faults.len(), faults.join("\n"));
}

/// Tolerance per channel: the reference samples in floating point and rounds at other points.
const PIXEL_TOLERANCE: u8 = 3;
/// Maximum fraction of covered pixels at an edge.
const MAX_EXCLUDED: f64 = 0.25;

#[test]
fn conformance_pictures() {
    let pictures = conformance_files("pchr", ".png");
    let (mut worst, mut faults) = (0, Vec::new());
    for path in &pictures {
        let (expected, view) = expected_picture(path);
        let (character, cue) = shown_in(path);
        let mut pose = Pose::default();
        evaluate(&character, &cue, &mut pose);
        let (mut list, mut found) = (DrawList::default(), Picture::default());
        let model = character.model();
        list.build(model, &pose, &view);
        let settings = Settings { filter: Filter::Linear, ..Settings::default() };
        Renderer::new(model).render(model, &list, &view, settings, &mut found);

        let scene = Scene { model, list: &list, view };
        let difference = difference(&scene, &found, &expected, PIXEL_TOLERANCE);
        let name = path.file_name().expect("a name").display();
        say(&format!(
            "{name}: {} pixels inside differ by at most {}, {:.1} % of the covered ones are at an edge",
            difference.inside,
            difference.worst.0,
            difference.excluded() * 100.0
        ));
        worst = worst.max(difference.worst.0);
        let fine = difference.worst.0 <= PIXEL_TOLERANCE
            && difference.inside > 0
            && difference.excluded() <= MAX_EXCLUDED
            && difference.stray.is_empty()
            && difference.spill.is_empty();
        if !fine {
            faults.push(format!("{name}: {difference:?}"));
        }
    }
    say(&format!("pchr pictures: {} files, worst difference {worst}/255", pictures.len()));
    assert!(!pictures.is_empty(), "no pictures found");
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Returns the premultiplied picture and its view: centred at the origin, one pixel per world pixel.
fn expected_picture(path: &Path) -> (Picture, View) {
    let bytes = std::fs::read(path).expect("a readable picture");
    let (width, height) = png_size(&bytes).expect("a PNG");
    let mut picture = Picture::default();
    picture.reset(width, height);
    let pixels = decode_png(&bytes, Place::default).expect("a valid PNG");
    for (to, from) in picture.pixels_mut().as_chunks_mut().0.iter_mut().zip(pixels.as_chunks().0) {
        *to = premultiply(*from);
    }
    // Skellina is drawn larger than the others, and off-centre.
    let left_bottom = match (width, height) {
        (1100, 2700) => vec2(-700.0, -1100.0),
        _ => vec2(width as f32, height as f32) * -0.5,
    };
    (picture, View::new(width, height, left_bottom + vec2(0.0, height as f32), 1.0))
}

/// Returns the character and frame shown in `NAME.ANIMATION-FRAME.png`.
fn shown_in(path: &Path) -> (Character, Cue) {
    let name = path.file_stem().and_then(|name| name.to_str()).expect("a name in UTF-8");
    let (character, rest) = name.split_once('.').expect("NAME.ANIMATION-FRAME");
    let (animation, frame) = rest.rsplit_once('-').expect("ANIMATION-FRAME");
    let character = Character::open(path.with_file_name(format!("{character}.pchr"))).expect("a valid character");
    let animation = character.model().find_animation(animation).expect("its animation");
    let position = Position::frame(frame.parse().expect("a frame"));
    (character, Cue { animation: Some(animation), position, interpolate: false, ..Cue::default() })
}

/// Returns the golden, and the character of the same name beside it.
fn load(golden: &Path) -> (Character, Value) {
    let json = std::fs::read(golden).expect("a readable golden");
    let mut golden_json: Value = serde_json::from_slice(&json).expect("a golden is JSON");
    assert_eq!(golden_json["format"], "pchr-golden-1", "{}", golden.display());
    let path = golden.to_str().expect("a path in UTF-8").replace(".golden.json", ".pchr");
    let character = Character::open(&path).unwrap_or_else(|error| panic!("{error}"));
    // Store the file in each case, for messages.
    for case in golden_json["cases"].as_array_mut().expect("cases") {
        case["file"] = path.as_str().into();
    }
    (character, golden_json)
}

/// Returns the largest distance of a vertex from the golden, or a description of any other difference.
fn compare(character: &Character, case: &Value) -> Result<f32, String> {
    let model = character.model();
    let name = case["animation"].as_str().expect("a name");
    let animation = model.find_animation(name).ok_or("the animation does not exist")?;
    let frame = case["frame"].as_u64().expect("a frame") as u32;
    let mut pose = Pose::default();
    let cue =
        Cue { animation: Some(animation), position: Position::frame(frame), interpolate: false, ..Cue::default() };
    evaluate(character, &cue, &mut pose);

    let expected: Vec<u64> =
        list(&case["draw"]).iter().map(|draw| draw["mesh"].as_u64().expect("a mesh")).collect();
    let drawn: Vec<u64> = pose.visible_attachments(model).map(|id| id.index() as u64).collect();
    if drawn != expected {
        return Err(format!("draws {drawn:?}, expected {expected:?}"));
    }
    let mut matrices = Vec::new();
    palette(model, &pose, &mut matrices);
    let mut worst = 0.0_f32;
    for (id, draw) in pose.visible_attachments(model).zip(list(&case["draw"])) {
        let mesh = model.attachment(id).mesh().expect("a mesh");
        let points = list(&draw["points"]);
        if mesh.vertices.len() != points.len() {
            return Err(format!(
                "`{}` has {} vertices, expected {}",
                mesh.name,
                mesh.vertices.len(),
                points.len()
            ));
        }
        for (number, point) in (0..).zip(points) {
            let found = deformed_world_position(&mesh.vertices, number, &[], &matrices).expect("a vertex");
            let expected = to_vec2(point);
            let distance = found.distance(expected);
            if distance.is_nan() || distance > TOLERANCE {
                return Err(format!("`{}` vertex {number} is at {found}, expected {expected}", mesh.name));
            }
            worst = worst.max(distance);
        }
    }
    Ok(worst)
}

fn to_vec2(point: &Value) -> Vec2 {
    let number = |at: usize| point[at].as_f64().expect("a number") as f32;
    vec2(number(0), number(1))
}

fn list(value: &Value) -> &[Value] {
    value.as_array().expect("a list")
}

fn name_of(case: &Value) -> String {
    format!("{} {} frame {}", case["file"], case["animation"], case["frame"])
}
