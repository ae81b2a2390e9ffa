//! Compares characters sampled frame by frame with their sources.

use pchr::bake::{BakeOptions, Baked, bake};
use pchr::diagnostics::Diagnostics;
use pchr::formats::{ReadOptions, from_bytes};
use pchr::limits::Limits;
use pchr::math::Vec2;
use pchr::model::{AnimationId, Attachment, Mesh, Model, SkinId, Vertices};
use pchr::motion::{Cue, Position, evaluate};
use pchr::pose::{Pose, SlotPose, for_each_deformed_vertex, palette};
use pchr::{Character, Result};

/// A drawn mesh: the positions of its vertices and their texture coordinates.
type Drawn = Vec<(Vec2, Vec2)>;

/// The result of comparing a written file with its source: drawn meshes and their order.
#[derive(Debug, Default, Clone, Copy)]
pub struct Compared {
    pub frames: usize,
    pub meshes: usize,
    /// Largest distance in world pixels.
    pub worst: f32,
}

/// Returns the options for all motions with these skins.
pub fn options(character: &Character, skins: Vec<SkinId>) -> BakeOptions {
    BakeOptions { animations: character.model().motions().collect(), skins, ..BakeOptions::default() }
}

/// Samples `character`, writes the result as PCHR v1, reads it again, and compares every stored frame.
pub fn round(character: &Character, options: &BakeOptions, name: &str) -> (Baked, Character, Compared) {
    let baked = bake(character, options).unwrap_or_else(|error| panic!("{name}: {error}"));
    let written = reread(&baked, &Limits::default()).unwrap_or_else(|error| panic!("{name}: {error}"));
    let compared = compare_all(character, &written, options, name);
    (baked, written, compared)
}

/// Writes the samples as PCHR v1 and reads them again, without pictures if one is missing.
pub fn reread(baked: &Baked, limits: &Limits) -> Result<Character> {
    let options = ReadOptions { limits: limits.clone(), ..ReadOptions::default() };
    from_bytes(baked.to_pchr()?, &options, &mut Diagnostics::default())
}

/// Compares every stored frame of `written` with the same instant of its source.
pub fn compare_all(source: &Character, written: &Character, options: &BakeOptions, name: &str) -> Compared {
    let mut compared = Compared::default();
    for (number, &id) in options.animations.iter().enumerate() {
        compare(source, written, (id, number), options, name, &mut compared);
    }
    compared
}

fn compare(
    source: &Character,
    written: &Character,
    (id, number): (AnimationId, usize),
    options: &BakeOptions,
    name: &str,
    compared: &mut Compared,
) {
    let model = source.model();
    let animation = written.model().motions().nth(number).expect("every animation is written");
    let stored = written.model().animation(animation);
    let duration = model.animation(id).duration_secs();
    for frame in 0..stored.frame_count() {
        let is_end = !stored.looping && frame + 1 == stored.frame_count();
        let seconds = if is_end { duration } else { f64::from(frame) / stored.fps() };
        let position = Position::Seconds(seconds);
        let skins = options.skins.clone();
        let meant = Cue { animation: Some(id), position, interpolate: true, hold: true, skins, ..Cue::default() };
        let found = Cue { animation: Some(animation), position: Position::frame(frame), ..Cue::default() };
        let (meant, found) = (drawn(source, &meant), drawn(written, &found));
        assert_eq!(meant.len(), found.len(), "{name}: `{}` frame {frame}", stored.name);
        for (meant, found) in meant.iter().zip(&found) {
            assert_eq!(meant.len(), found.len(), "{name}: a different mesh is drawn in frame {frame}");
            for ((meant, meant_uv), (found, found_uv)) in meant.iter().zip(found) {
                assert_eq!(meant_uv, found_uv, "{name}: a different mesh is drawn in frame {frame}");
                compared.worst = compared.worst.max(meant.distance(*found));
            }
            compared.meshes += 1;
        }
        compared.frames += 1;
    }
}

/// Returns the visible meshes with their slots, back to front.
pub fn visible<'a>(model: &'a Model, pose: &'a Pose) -> impl Iterator<Item = (&'a SlotPose, &'a Mesh)> {
    pose.draw_order.iter().filter_map(|&slot| {
        let state = &pose.slots[slot.index()];
        let is_there = model.slot(slot).bone.is_none_or(|bone| !pose.inactive_bones.contains(&bone));
        let mesh = state.attachment.and_then(|id| model.attachment(id).mesh())?;
        let is_visible = is_there && state.tint.light[3] * mesh.tint[3] > 0.0 && !mesh.indices.is_empty();
        is_visible.then_some((state, mesh))
    })
}

/// Returns the vertices of the visible meshes, back to front.
fn drawn(character: &Character, cue: &Cue) -> Vec<Drawn> {
    let model = character.model();
    let (mut pose, mut matrices) = (Pose::default(), Vec::new());
    evaluate(character, cue, &mut pose);
    palette(model, &pose, &mut matrices);
    let mut meshes = Vec::new();
    for (state, mesh) in visible(model, &pose) {
        let mut vertices = Drawn::new();
        for_each_deformed_vertex(&mesh.vertices, pose.deform_of(state), &matrices, |at, uv| {
            vertices.push((at, uv))
        });
        meshes.push(vertices);
    }
    meshes
}

/// Returns true if the character can be stored exactly, that is, without deforms and with at most four influences
/// per vertex.
pub fn is_exact(character: &Character, options: &BakeOptions) -> bool {
    let model = character.model();
    let is_long = |attachment: &Attachment| match attachment.mesh().map(|mesh| &mesh.vertices) {
        Some(Vertices::SkinN(vertices)) => vertices.iter().any(|vertex| vertex.influences.len() > 4),
        Some(Vertices::Skin4(_)) | None => false,
    };
    if model.attachments().iter().any(is_long) {
        return false;
    }
    let is_deformed = |&animation: &AnimationId| {
        let count = model.animation(animation).frame_count();
        (0..=count).any(|frame| {
            let mut pose = Pose::default();
            let cue = Cue {
                animation: Some(animation),
                position: Position::frame(frame),
                hold: true,
                skins: options.skins.clone(),
                ..Cue::default()
            };
            evaluate(character, &cue, &mut pose);
            pose.slots.iter().any(|slot| slot.deform.count > 0)
        })
    };
    !options.animations.iter().any(is_deformed)
}
