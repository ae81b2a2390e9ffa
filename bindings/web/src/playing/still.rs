//! Pictures as files: the pixels of the CPU renderer, which are the same on every machine.

use pchr::Result;
use pchr::formats::image::encode_png;
use pchr::limits::Limits;
use pchr::model::{AnimationId, Select};
use pchr::motion::{Cue, Dynamics, Evaluator, Position, first_animation, plays_physics};
use pchr::pose::Pose;

use super::player::Player;

/// A PNG of the present pose, or of the animation `name` at `secs`.
pub fn png(player: &mut Player, name: &str, secs: f64) -> Result<Vec<u8>> {
    let [width, height] = size(player)?;
    if !secs.is_finite() {
        return encode_png(width, height, player.paint(None)?);
    }
    let animation = chosen(player, name)?;
    let pose = pose_at(player, animation, secs);
    encode_png(width, height, player.paint_pose(&pose)?)
}

/// The size of pictures, if it is allowed.
fn size(player: &Player) -> Result<[u32; 2]> {
    let (width, height) = (player.view().width(), player.view().height());
    Limits::default().check_picture(width, height)?;
    Ok([width, height])
}

/// The animation `name`; without one, what plays, or else the first to show.
fn chosen(player: &Player, name: &str) -> Result<Option<AnimationId>> {
    let animator = player.animator();
    if name.is_empty() {
        let first = || first_animation(animator.character(), Limits::default().first_picture_work());
        return Ok(animator.playback(0).animation().or_else(first));
    }
    Ok(Some(name.select(animator.model())?))
}

/// The pose of an animation at a time, with the skins and the physics of a player.
fn pose_at(player: &Player, animation: Option<AnimationId>, secs: f64) -> Pose {
    let animator = player.animator();
    let physics = plays_physics(animator.character(), Some(animator.shows_physics()));
    let skins = animator.skins().to_vec();
    let cue = Cue { animation, position: Position::Seconds(secs), interpolate: true, skins, ..Cue::default() };
    let mut pose = Pose::default();
    let mut evaluator = Evaluator::with_dynamics(physics.then(Dynamics::default));
    evaluator.evaluate(animator.character(), &cue, &mut pose);
    pose
}
