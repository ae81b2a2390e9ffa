//! The values of a bone over an animation, for a graph of them.

use pchr::export::choose;
use pchr::formats::ReadOptions;
use pchr::model::{AnimationId, Select};
use pchr::motion::{BoneCurve, KeyTarget, bone_curve, curve_positions, keys};
use pchr::{Error, Result};
use serde::{Deserialize, Serialize};

use super::opened;
use crate::files::Files;

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
    /// Positions in frames, each with the rotation in degrees, x, y and the scales along both axes.
    points: Vec<(f64, [f32; 5])>,
    /// The frames in which each of the five is keyed.
    keys: [Vec<f64>; 5],
}

/// Returns the curves of a bone.
pub fn curves(files: &Files, request: &Request) -> Result<Curves> {
    let character = opened(files, &request.main, ReadOptions::default())?;
    let animation: AnimationId = request.animation.as_str().select(character.model())?;
    let skins = choose::skins(&character, &request.skins)?;
    let bone = character.model().skeleton().bone_ids().nth(request.bone);
    let bone = bone.ok_or_else(|| Error::misuse("no-bone", format!("there is no bone #{}", request.bone)))?;
    let mut curves = Curves::default();
    for row in keys(&character, animation).iter().filter(|row| row.target == KeyTarget::Bone(bone)) {
        for (keys, _) in curves.keys.iter_mut().zip(BoneCurve::ALL).filter(|(_, of)| of.is_keyed_by(row.channel)) {
            keys.extend(row.times.iter());
        }
    }
    let positions = curve_positions(&character, animation, &curves.keys.concat());
    let points = bone_curve(&character, animation, &skins, bone, positions);
    curves.points.extend(points.iter().map(|point| (point.position, BoneCurve::ALL.map(|curve| curve.of(point)))));
    Ok(curves)
}
