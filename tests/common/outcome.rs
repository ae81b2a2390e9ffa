//! The visible result of a character, independent of its format: triangles back to front, with mesh names.

use pchr::Character;
use pchr::cpu::{Renderer, Threads};
use pchr::draw::DrawList;
use pchr::draw::{Picture, Settings, View};
use pchr::math::Vec2;
use pchr::motion::{Cue, Position, evaluate};
use pchr::pose::{Pose, bounds, deformed_world_position, palette};

/// Corners of a visible mesh, three per triangle.
pub type Shown = (String, Vec<Vec2>);

/// Returns a cue for a stored frame of an animation.
pub fn frame(character: &Character, animation: &str, frame: u32) -> Cue {
    let id = character.model().find_animation(animation).unwrap_or_else(|| panic!("no animation `{animation}`"));
    Cue { animation: Some(id), position: Position::frame(frame), ..Cue::default() }
}

/// Returns the visible meshes at `cue`, back to front. Meshes without triangles are skipped.
pub fn shown(character: &Character, cue: &Cue) -> Vec<Shown> {
    let model = character.model();
    let (mut pose, mut matrices) = (Pose::default(), Vec::new());
    evaluate(character, cue, &mut pose);
    palette(model, &pose, &mut matrices);
    let mut shown = Vec::new();
    for slot in &pose.draw_order {
        let Some(attachment) = pose.slots[slot.index()].attachment else { continue };
        let Some(mesh) = model.attachment(attachment).mesh().filter(|mesh| !mesh.indices.is_empty()) else {
            continue;
        };
        let corner =
            |index| deformed_world_position(&mesh.vertices, index, &[], &matrices).expect("an existing vertex");
        let corners = mesh.indices.triangles().flatten().map(corner).collect();
        // Some formats have no empty names.
        let name = if mesh.name.is_empty() { "mesh" } else { &*mesh.name };
        shown.push((name.to_owned(), corners));
    }
    shown
}

/// Returns the largest distance between corresponding corners, relative to coordinates beyond 1000 pixels. Panics
/// unless the same meshes are shown in the same order.
#[track_caller]
pub fn distance(a: &[Shown], b: &[Shown], what: &str) -> f32 {
    let names = |shown: &[Shown]| shown.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
    assert_eq!(names(a), names(b), "{what}");
    let mut worst = 0.0_f32;
    for ((name, a), (_, b)) in a.iter().zip(b) {
        assert_eq!(a.len(), b.len(), "{what}: {name}");
        for (a, b) in a.iter().zip(b) {
            // Beyond 1000 pixels, single precision becomes proportionally coarser.
            let scale = (a.abs().max_element() / 1000.0).max(1.0);
            worst = worst.max(a.distance(*b) / scale);
        }
    }
    worst
}

/// Renders `cue` with `view`.
pub fn draw(character: &Character, cue: &Cue, view: &View) -> Picture {
    let model = character.model();
    let (mut pose, mut matrices, mut list) = (Pose::default(), Vec::new(), DrawList::default());
    evaluate(character, cue, &mut pose);
    palette(model, &pose, &mut matrices);
    list.build(model, &pose, view);
    let mut picture = Picture::default();
    let mut renderer = Renderer::new(model).with_threads(Threads::One);
    renderer.render(model, &list, view, Settings::default(), &mut picture);
    picture
}

/// Returns a square view of `size` pixels that fits everything visible at `cue`.
pub fn view_of(character: &Character, cue: &Cue, size: u32) -> View {
    let model = character.model();
    let (mut pose, mut matrices) = (Pose::default(), Vec::new());
    evaluate(character, cue, &mut pose);
    palette(model, &pose, &mut matrices);
    View::fit(size, size, bounds(model, &pose, &matrices))
}
