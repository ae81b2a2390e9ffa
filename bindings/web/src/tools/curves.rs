//! The values of a bone over an animation, for a graph of them.

use pchr::diagnostics::Diagnostics;
use pchr::export::choose;
use pchr::formats::{Input, ReadOptions, from_input};
use pchr::model::{AnimationId, Select};
use pchr::motion::{KeyChannel, KeyTarget, bone_curve, curve_positions, keys};
use pchr::{Error, Result};
use serde::{Deserialize, Serialize};

use crate::files::Files;

/// Limit of the bones that are evaluated for all points.
const MAX_BONES: usize = 1_000_000;

/// The values: rotation in degrees, x, y, and the scales along both axes.
const VALUES: usize = 5;

/// A bone in an animation.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Request {
    /// The name of the character among the files.
    main: String,
    animation: String,
    #[serde(default)]
    skins: Vec<String>,
    /// Its place in the list of bones.
    bone: usize,
}

/// The curves of one bone.
#[derive(Default, Serialize)]
pub struct Curves {
    /// Positions in frames, each with the values there.
    points: Vec<(f64, [f32; VALUES])>,
    /// The frames in which each value is keyed.
    keys: [Vec<f64>; VALUES],
}

/// Returns the curves of a bone.
pub fn curves(files: &Files, request: &Request) -> Result<Curves> {
    let sidecars = files.beside(&request.main);
    let input = Input { bytes: files.main(&request.main), sidecars: &sidecars };
    // As the player shows it.
    let options = ReadOptions { keep_going: true, ..ReadOptions::default() };
    let character = from_input(&input, &options, &mut Diagnostics::default())?;
    let animation: AnimationId = request.animation.as_str().select(character.model())?;
    let skins = choose::skins(&character, &request.skins)?;
    let bone = character.model().skeleton().bone_ids().nth(request.bone);
    let bone = bone.ok_or_else(|| Error::misuse("no-bone", format!("there is no bone #{}", request.bone)))?;
    let mut curves = Curves::default();
    for row in keys(&character, animation).iter().filter(|row| row.target == KeyTarget::Bone(bone)) {
        for value in keyed_by(row.channel) {
            curves.keys[*value].extend(row.times.iter());
        }
    }
    let keyed = curves.keys.concat();
    let positions = curve_positions(&character, animation, &keyed, MAX_BONES);
    let points = bone_curve(&character, animation, &skins, bone, positions);
    curves.points.extend(points.iter().map(|point| {
        let (at, scale) = (point.translation, point.scale);
        (point.position, [point.rotation_degrees, at.x, at.y, scale.x, scale.y])
    }));
    Ok(curves)
}

/// The values that keys of `channel` change.
fn keyed_by(channel: KeyChannel) -> &'static [usize] {
    match channel {
        KeyChannel::Rotation => &[0],
        KeyChannel::Translation => &[1, 2],
        KeyChannel::TranslationX => &[1],
        KeyChannel::TranslationY => &[2],
        KeyChannel::Scale => &[3, 4],
        KeyChannel::ScaleX => &[3],
        KeyChannel::ScaleY => &[4],
        // No value of a bone that has a curve.
        _ => &[],
    }
}
