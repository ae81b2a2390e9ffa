//! Overlays: pictures of each with our own art, and that both renderers draw them alike.
//!
//! `PCHR_UPDATE=1 cargo test --release --test render overlays` rewrites the pictures. Look at them before you commit.

use std::fs;
use std::path::{Path, PathBuf};

use pchr::Character;
use pchr::cpu::Renderer;
use pchr::draw::{
    Antialias, Command, DrawList, Filter, Hidden, Onion, Overlay, OverlayVertex, Overlays, Picture, Settings, View,
};
use pchr::export::GhostPoser;
use pchr::math::vec2;
use pchr::motion::{Cue, Position, evaluate};
use pchr::pose::Pose;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/overlays")
}

fn knight() -> Character {
    Character::open(Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/paper-knight.pchr")).expect("the knight")
}

/// A character with a bounding box, a point, a clipping polygon, a path and an IK constraint.
fn marks() -> Character {
    Character::open(folder().join("marks.json")).expect("our fixture")
}

/// Returns the overlay with parameters that show something.
fn shown(character: &Character, overlay: Overlay) -> Overlays {
    let mut overlays = Overlays::from(overlay);
    overlays.bone = character.model().skeleton().find("arm_upper_front");
    overlays.onion = Onion { before: 2, after: 1 };
    overlays
}

/// Returns the character on which an overlay shows something, and a view of it.
fn example(overlay: Overlay) -> (Character, View) {
    match overlay {
        Overlay::Boxes | Overlay::Points | Overlay::Clips | Overlay::Paths | Overlay::Ik => {
            (marks(), View::new(150, 130, vec2(-75.0, 70.0), 1.0))
        }
        _ => (knight(), View::new(120, 190, vec2(-130.0, 425.0), 0.45)),
    }
}

fn list(character: &Character, view: &View, overlays: Overlays, hidden: &Hidden) -> DrawList {
    let model = character.model();
    let animation = model.find_animation("walk").or(model.default_animation());
    let cue = Cue { animation, position: Position::frame(5), ..Cue::default() };
    let (mut pose, mut list) = (Pose::default(), DrawList::default());
    evaluate(character, &cue, &mut pose);
    hidden.apply(model, &mut pose);
    list.build(model, &pose, view);
    GhostPoser::new(false).add(character, &cue, Some(hidden), overlays, view, &mut list);
    list.add_overlays(model, &pose, view, overlays);
    list
}

fn render(character: &Character, list: &DrawList, view: &View, antialias: Antialias) -> Picture {
    let mut picture = Picture::default();
    let settings = Settings { filter: Filter::Linear, antialias };
    Renderer::new(character.model()).render(character.model(), list, view, settings, &mut picture);
    picture
}

#[test]
fn pictures_of_overlays_equal_their_golden_files() {
    for overlay in Overlay::ALL {
        let (character, view) = example(overlay);
        let list = list(&character, &view, shown(&character, overlay), &Hidden::default());
        let mut picture = render(&character, &list, &view, Antialias::Msaa4);
        picture.unpremultiply();
        let mut png = Vec::new();
        pchr::export::write_png(&picture, &mut png).expect("memory");
        let path = folder().join(overlay.name()).with_extension("png");
        if std::env::var_os("PCHR_UPDATE").is_some() {
            fs::write(&path, &png).expect("the golden file can be written");
        }
        let golden = fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert!(golden == png, "{} differs", path.display());
    }
}

#[cfg(feature = "gpu")]
#[test]
fn both_renderers_draw_overlays_alike() {
    use crate::common::gpu::gpu_or_skip;
    use pchr::gpu::Headless;

    for (round, overlay) in Overlay::ALL.into_iter().enumerate() {
        let (character, view) = example(overlay);
        let model = character.model();
        let Some(context) = gpu_or_skip() else { return };
        let mut gpu = Headless::new(context, model).expect("it fits");
        let list = list(&character, &view, shown(&character, overlay), &Hidden::default());
        let antialias = [Antialias::None, Antialias::Msaa4][round % 2];
        let expected = render(&character, &list, &view, antialias);
        let mut found = Picture::default();
        let settings = Settings { filter: Filter::Linear, antialias };
        gpu.render(model, &list, &view, settings, &mut found).expect("it renders");
        let is_off = |(a, b): (&u8, &u8)| a.abs_diff(*b) > 3;
        let off = expected.pixels().iter().zip(found.pixels()).filter(|pair| is_off(*pair)).count();
        // Thin marks are mostly edges, where samples of the renderers may fall on different sides.
        assert!(off * 50 < expected.pixels().len(), "{overlay:?}: {off} of {}", expected.pixels().len());
    }
}

#[test]
fn ghosts_have_matrices_of_their_own() {
    let character = knight();
    let view = example(Overlay::Onion).1;
    let list = list(&character, &view, shown(&character, Overlay::Onion), &Hidden::default());
    let ghosts = list.ghosts.lists();
    assert_eq!(ghosts.len(), 3, "two before and one after");
    assert!(ghosts.iter().all(|ghost| ghost.palette != list.palette && ghost.overlay.is_empty()));
    let colors = ghosts.iter().map(|ghost| match &ghost.commands[0] {
        Command::Sprite(sprite) => sprite.color.light,
        other => panic!("{other:?}"),
    });
    let [far, near, after] = colors.collect::<Vec<_>>()[..] else { panic!("three ghosts") };
    assert!(far[3] < near[3], "the farther, the paler");
    assert!(near[0] > near[2] && far[0] > far[2] && after[0] < after[2], "warm before, cool after");
    // Batches for other renderers contain the ghosts as well.
    let mut batches = pchr::draw::Batches::default();
    batches.build(character.model(), &list);
    let with_ghosts = batches.vertices().len();
    batches.build(character.model(), &ghosts[0]);
    assert!(with_ghosts > 3 * batches.vertices().len());
}

#[test]
fn overdraw_counts_layers_exactly() {
    let character = knight();
    let (_, view) = example(Overlay::Overdraw);
    let list = list(&character, &view, Overlay::Overdraw.into(), &Hidden::default());
    let picture = render(&character, &list, &view, Antialias::None);
    // Above the legend, every pixel is a whole number of layers.
    let above = &picture.pixels()[..4 * 120 * 130];
    let layers = |pixel: &[u8]| pixel[2] / 6;
    let is_whole = |pixel: &[u8]| {
        let count = u32::from(layers(pixel));
        let of = |light: u32| (light * count).min(255) as u8;
        *pixel == [of(28), of(14), of(6), 255]
    };
    assert!(above.chunks(4).all(is_whole));
    assert!(above.chunks(4).map(layers).max().expect("pixels") >= 4);
    assert!(above.chunks(4).any(|pixel| layers(pixel) == 0));
}

#[test]
fn hidden_and_transparent_slots_have_no_marks() {
    let everything: Overlays = Overlay::ALL
        .into_iter()
        .filter(|overlay| !matches!(overlay, Overlay::Bones | Overlay::Names | Overlay::Ik | Overlay::Overdraw))
        .collect();
    for character in [knight(), marks()] {
        let model = character.model();
        let mut hidden = Hidden::default();
        let is_clip = |slot: &pchr::model::SlotId| &*model.slot(*slot).name == "window";
        model.slot_ids().filter(|slot| !is_clip(slot)).for_each(|slot| hidden.set_hidden(slot, true));
        let view = View::new(150, 130, vec2(-75.0, 70.0), 1.0);
        let mut overlays = everything;
        overlays.set(Overlay::Clips, false);
        overlays.bone = None;
        let marks = list(&character, &view, overlays, &hidden);
        assert!(marks.overlay.is_empty(), "{}", marks.overlay.len());
        overlays.set(Overlay::Clips, true);
        let clips = list(&character, &view, overlays, &hidden).overlay;
        assert_eq!(clips.is_empty(), model.slots().len() != 6, "clipping polygons are never hidden");
    }
}

#[test]
fn widths_are_in_pixels_of_the_picture() {
    let character = marks();
    let width_at = |scale: f32| {
        let view = View::new(150, 130, vec2(-75.0, 70.0), scale);
        let list = list(&character, &view, Overlay::Points.into(), &Hidden::default());
        let Some(Command::Overlay(marks)) = list.commands.last() else { panic!("no marks") };
        let marks = &list.overlay[marks.start as usize..marks.end as usize];
        let pixels = marks.iter().map(|vertex| view.pixel_from_world(vertex.position));
        let (min, max) = pixels.fold((f32::MAX, f32::MIN), |(min, max), at| (min.min(at.x), max.max(at.x)));
        max - min
    };
    assert!((width_at(1.0) - width_at(8.0)).abs() < 0.01, "{} and {}", width_at(1.0), width_at(8.0));
}

#[test]
fn odd_characters_have_overlays_too() {
    let bytes = br#"{"skeleton": {"spine": "4.2.43"}, "bones": [{"name": "root"}]}"#;
    let character = Character::from_bytes(bytes.to_vec()).expect("a character without slots");
    let overlays: Overlays = Overlay::ALL.into_iter().collect();
    for view in [View::new(1, 1, vec2(0.0, 0.0), 1.0), View::new(40, 3, vec2(-1e9, 1e9), 1e-6)] {
        let list = list(&character, &view, overlays, &Hidden::default());
        render(&character, &list, &view, Antialias::None);
    }
}

#[test]
fn marks_keep_their_size_on_a_screen_with_two_pixels_per_point() {
    for overlay in [Overlay::Bones, Overlay::Wire, Overlay::Hulls] {
        let (character, view) = example(overlay);
        let shown = shown(&character, overlay);
        let sharp = View::new(
            2 * view.width(),
            2 * view.height(),
            view.world_from_pixel(vec2(0.0, 0.0)),
            2.0 * view.scale(),
        );
        let marks = |view: &View, overlays| list(&character, view, overlays, &Hidden::default()).overlay;
        let usual = marks(&view, shown);
        assert!(!usual.is_empty(), "{overlay:?}");
        // Rounding differs.
        let are_near = |found: &[OverlayVertex]| {
            let is_near = |(a, b): (&OverlayVertex, &OverlayVertex)| (a.position - b.position).length() < 1e-3;
            found.len() == usual.len() && found.iter().zip(&usual).all(is_near)
        };
        assert!(!are_near(&marks(&sharp, shown)), "{overlay:?} is thinner without the scale");
        let mut scaled = shown;
        scaled.scale = 2.0;
        assert!(are_near(&marks(&sharp, scaled)), "{overlay:?}");
    }
}
