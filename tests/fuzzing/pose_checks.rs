//! Asserts that a converted character looks like its source: the visible meshes, back to front, with every triangle at
//! the same place. The largest deviation is the one that the conversion reported.

use pchr::Character;
use pchr::convert::Converted;
use pchr::export::choose;
use pchr::math::{Affine2, Vec2};
use pchr::model::{AnimationId, SkinId};
use pchr::motion::{Cue, Motion, Position, evaluate, plays_physics};
use pchr::pose::{Pose, for_each_deformed_vertex, palette};

use super::rewrite_checks::{assert_same_parts, assert_same_poses};
use crate::common::baking::visible;

/// Maximum number of animations; more would not find more.
const MOST_ANIMATIONS: usize = 4;

/// How far vertices may be off besides the deviation that was reported, in pixels.
const CLOSE: f32 = 0.05;

/// Maximum distance from the origin of characters that are compared: single precision resolves a thousandth of a
/// pixel there.
pub const NEAR: f32 = 8192.0;

/// Minimum ratio of a bone's area to the square of its longer axis. Positions in a flatter space are far from its
/// origin and lose digits.
const FLAT: f32 = 1e-3;

/// Compares a few frames of animations.
pub fn assert_looks_same(source: &Character, back: &Character, converted: &Converted) {
    let name = converted.to.name;
    let is_baked = converted.losses.iter().any(|loss| loss.code.ends_with("-baked"));
    let keeps_keys = matches!(
        (source.motion(), back.motion()),
        (Motion::Spine(_), Motion::Spine(_)) | (Motion::SkelForm(_), Motion::SkelForm(_))
    );
    if let (Motion::Spine(_), Motion::Spine(_)) = (source.motion(), back.motion()) {
        assert_same_parts(source, back);
        if !is_baked {
            assert_same_poses(source, back);
        }
    }
    // Physics depends on all poses before, and the size of a region may be that of its picture, which is not compared.
    if plays_physics(source, None) || converted.losses.iter().any(|loss| loss.code == "size-dropped") {
        return;
    }
    let skins = if keeps_keys && matches!(source.motion(), Motion::Spine(_)) {
        Vec::new()
    } else {
        choose::skins(source, &[]).expect("no names")
    };
    let allowed = converted.worst_error_px.unwrap_or_default();
    let [mut expected, found] = [source, back].map(|it| it.model().motions().collect::<Vec<AnimationId>>());
    if expected.len() < found.len() {
        // Formats without a bind pose have that of the source as a motion, if it moves.
        expected = source.model().animation_ids().collect();
    }
    assert_eq!(expected.len(), found.len(), "{name}: the number of animations");
    for (&expected, &found) in expected.iter().zip(&found).take(MOST_ANIMATIONS) {
        for [at_source, at_back] in moments([source, back], expected, converted) {
            let cue = |id, position, skins: &[SkinId]| Cue {
                animation: Some(id),
                position,
                interpolate: true,
                hold: true,
                skins: skins.to_vec(),
                ..Cue::default()
            };
            let Some(expected) = drawn(source, &cue(expected, at_source, &skins)) else { continue };
            let Some(found) = drawn(back, &cue(found, at_back, &[])) else { continue };
            assert_eq!(expected.len(), found.len(), "{name}: the number of visible meshes at {at_source:?}");
            for (expected, found) in expected.iter().zip(&found) {
                assert_eq!(expected.len(), found.len(), "{name}: a different mesh is drawn at {at_source:?}");
                let off = expected.iter().zip(found).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
                assert!(
                    off <= allowed + CLOSE || allowed.is_nan(),
                    "{name}: a mesh is off by {off} px at {at_source:?}, but {allowed} px are reported"
                );
            }
        }
    }
}

/// A few positions in an animation, in the source and in the result: stored frames if there are any.
fn moments([source, back]: [&Character; 2], id: AnimationId, converted: &Converted) -> Vec<[Position; 2]> {
    let animation = source.model().animation(id);
    let secs = animation.duration_secs();
    let fps = match (converted.fps, source.motion()) {
        (Some(fps), _) => f64::from(fps),
        // Rewritten keys are compared 60 times a second.
        (None, Motion::Spine(_)) => 60.0,
        (None, _) => animation.fps(),
    };
    if fps <= 0.0 || secs > 1e4 || secs <= 0.0 {
        return vec![[Position::frame(0); 2]];
    }
    // The last of several sampled frames may be the end of the animation instead.
    let last = ((secs * fps - 1e-6).ceil() - 1.0 - f64::from(u8::from(converted.fps.is_some()))).max(0.0);
    let frames = [0.0, 0.3, 0.7, 1.0].map(|share: f64| (share * last).floor());
    let position = |character: &Character, frame: f64| match character.motion() {
        Motion::Sampled(_) => Position::frame(frame as u32),
        _ => Position::Seconds(frame / fps),
    };
    frames.iter().map(|&frame| [source, back].map(|it| position(it, frame))).collect()
}

/// The triangle corners of the visible meshes, back to front; `None` if they or a bone are far away or flat.
fn drawn(character: &Character, cue: &Cue) -> Option<Vec<Vec<Vec2>>> {
    let model = character.model();
    let (mut pose, mut matrices) = (Pose::default(), Vec::new());
    evaluate(character, cue, &mut pose);
    palette(model, &pose, &mut matrices);
    let inverse = model.skeleton().bones().iter().filter_map(|bone| bone.bone_from_bind);
    if !inverse.into_iter().chain(pose.world_from_bone.iter().copied()).all(|matrix| is_sane(&matrix)) {
        return None;
    }
    let mut meshes = Vec::new();
    for (state, mesh) in visible(model, &pose) {
        let mut points = Vec::new();
        for_each_deformed_vertex(&mesh.vertices, pose.deform_of(state), &matrices, |at, _uv| points.push(at));
        if !points.iter().all(|at| at.abs().max_element() < NEAR) {
            return None;
        }
        meshes.push(mesh.indices.triangles().flatten().map(|index| points[usize::from(index)]).collect());
    }
    Some(meshes)
}

/// Returns true if a bone is near the origin and not flat.
pub fn is_sane(matrix: &Affine2) -> bool {
    let Affine2 { matrix2, translation } = matrix;
    let longest = matrix2.x_axis.length_squared().max(matrix2.y_axis.length_squared());
    longest < NEAR && translation.abs().max_element() < NEAR && matrix2.determinant().abs() >= FLAT * longest
}
