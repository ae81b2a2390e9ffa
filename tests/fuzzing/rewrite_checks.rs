//! Invariants of rewriting any Spine skeleton in another version and form: the result reads, has the same parts, and
//! poses the same unless a loss says otherwise.

use bytes::Bytes;
use pchr::Character;
use pchr::convert::{ConvertError, ConvertOptions};
use pchr::diagnostics::Diagnostics;
use pchr::formats::{Input, NO_SIDECARS, ReadOptions};
use pchr::limits::Limits;
use pchr::model::{AnimationId, Model};
use pchr::motion::{Cue, Motion, Position, evaluate};
use pchr::pose::Pose;
use pchr::{Error, Result};

use super::opened::assert_refused;
use crate::common::converted::{cause, converted, main_file, options};

/// The names of all forms.
pub const FORMS: [&str; 10] =
    ["spine38", "spine40", "spine41", "spine42", "spine43", "skel38", "skel40", "skel41", "skel42", "skel43"];

/// Keys per second of what is baked.
const FPS: u16 = 30;

/// Rewrites a skeleton to a form that its bytes choose.
pub fn rewrite_spine(bytes: &Bytes, limits: &Limits) {
    let sum = bytes.iter().fold(0_u32, |sum, &byte| sum.rotate_left(5).wrapping_mul(31) ^ u32::from(byte));
    rewrite_to(bytes, FORMS[sum as usize % FORMS.len()], sum & 0x700 != 0, limits);
}

/// Rewrites a skeleton to one form.
pub fn rewrite_to(bytes: &Bytes, form: &str, bakes: bool, limits: &Limits) {
    let Ok(source) = read(bytes, limits) else { return };
    let Motion::Spine(_) = source.motion() else { return };
    let mut limits = limits.clone();
    // The output may be larger than the input.
    limits.file_bytes = u64::MAX;
    let options = ConvertOptions { bakes, fps: Some(FPS), ..options(form, &limits) };
    let rewritten = match converted(bytes, &options) {
        Ok(rewritten) => rewritten,
        Err(error) => return assert_refused(cause(&error)),
    };
    let result = main_file(&rewritten);
    let back = match read(&result, &limits) {
        Ok(back) => back,
        Err(Error::LimitExceeded(_)) => return,
        Err(error) => panic!("what was written does not read: {}: {error}", error.code()),
    };
    assert_same_parts(&source, &back);
    // What is baked is never exact, and which pictures a skin shows has no effect on bones.
    let is_baked = rewritten.losses.iter().any(|lost| lost.code.ends_with("-baked"));
    if !is_baked {
        assert_same_poses(&source, &back);
    }
    match converted(&result, &options) {
        Ok(again) => assert!(main_file(&again) == result, "rewriting the result in its own form changes it"),
        Err(ConvertError::Input(Error::LimitExceeded(_))) => {}
        Err(error) => panic!("what was written cannot be rewritten: {}: {error}", cause(&error).code()),
    }
}

fn read(bytes: &Bytes, limits: &Limits) -> Result<Character> {
    let options = ReadOptions { limits: limits.clone(), ..ReadOptions::default() };
    let input = Input { bytes: bytes.clone(), sidecars: NO_SIDECARS };
    pchr::formats::from_input(&input, &options, &mut Diagnostics::default())
}

/// Asserts that both have the same bones, slots, skins and animations.
pub fn assert_same_parts(source: &Character, back: &Character) {
    let [expected, found] = [source, back].map(Character::model);
    let bones =
        |it: &Model| -> Vec<String> { it.skeleton().bones().iter().map(|bone| bone.name.to_string()).collect() };
    assert_eq!(bones(expected), bones(found), "bones");
    let slots = |it: &Model| -> Vec<String> { it.slots().iter().map(|slot| slot.name.to_string()).collect() };
    assert_eq!(slots(expected), slots(found), "slots");
    // Binary skeletons have the default skin first, or none if it is empty.
    let skins = |it: &Model| -> Vec<String> {
        let names = it.skins().iter().map(|skin| skin.name.to_string());
        names.filter(|name| name != "default").collect()
    };
    assert_eq!(skins(expected), skins(found), "skins");
    let animations = |it: &Model| -> Vec<String> {
        it.animations().iter().map(|animation| animation.name.to_string()).collect()
    };
    assert_eq!(animations(expected), animations(found), "animations");
    for (expected, found) in expected.animations().iter().zip(found.animations()) {
        let [expected_secs, found_secs] = [expected, found].map(|animation| animation.duration_secs());
        let off = (expected_secs - found_secs).abs();
        assert!(
            off <= 1e-5 * expected_secs.max(1.0),
            "`{}` lasts {found_secs} s instead of {expected_secs} s",
            expected.name
        );
    }
}

/// Maximum number of animations whose poses are compared.
const MOST_ANIMATIONS: usize = 4;

/// How far a bone may be off, in units.
const CLOSE: f32 = 0.05;

/// Coordinates and scales up to which single precision is precise enough.
const NEAR: f32 = 8192.0;
const MODERATE: f32 = 64.0;
/// The smallest determinant of a bone; positions in a flatter space lose digits.
const FLAT: f32 = 1e-3;

/// Asserts that bones are at the same places at rest and at a few frames of animations.
pub fn assert_same_poses(source: &Character, back: &Character) {
    let model = source.model();
    let [mut expected, mut found] = [source, back].map(|it| Pose::for_model(it.model()));
    let animations = model.animation_ids().take(MOST_ANIMATIONS).map(Some);
    for animation in std::iter::once(None).chain(animations) {
        for frame in frames(source, animation) {
            let position = Position::Seconds(frame / 60.0);
            let cue = Cue { animation, position, hold: true, ..Cue::default() };
            evaluate(source, &cue, &mut expected);
            if !is_plain(&expected) {
                continue;
            }
            evaluate(back, &cue, &mut found);
            for (index, bone) in model.skeleton().bones().iter().enumerate() {
                let is_inactive = expected.inactive_bones.iter().any(|bone| bone.index() == index);
                let [a, b] = [&expected, &found].map(|pose| pose.world_from_bone[index].translation);
                let off = a.distance(b);
                assert!(
                    is_inactive || off <= CLOSE,
                    "bone `{}` is off by {off} units at frame {frame} of animation {animation:?}",
                    bone.name
                );
            }
        }
    }
}

/// Frames at 60 per second.
fn frames(character: &Character, animation: Option<AnimationId>) -> Vec<f64> {
    let secs = animation.map_or(0.0, |id| character.model().animation(id).duration_secs());
    // Times of more digits cannot be written.
    if secs > 1e4 {
        return Vec::new();
    }
    [0.0, 0.3, 0.7, 1.0].map(|share| (share * secs * 60.0).floor()).to_vec()
}

/// Returns true if no bone is far away, large or flat.
fn is_plain(pose: &Pose) -> bool {
    pose.world_from_bone.iter().all(|bone| {
        let longest = bone.matrix2.x_axis.abs().max(bone.matrix2.y_axis.abs()).max_element();
        bone.translation.abs().max_element() < NEAR
            && longest < MODERATE
            && bone.matrix2.determinant().abs() > FLAT
    })
}
