//! Still pictures by the CPU renderer, whose pixels are the same on every machine.

use pchr::Result;
use pchr::limits::Limits;
use pchr::model::{AnimationId, Select};
use pchr::motion::{Cue, Dynamics, Evaluator, Position, first_animation, plays_physics};
use pchr::pose::Pose;

use super::player::Player;

/// The pixels of the present pose, or of the animation `name` at `secs`: RGBA with straight alpha.
pub fn paint<'p>(player: &'p mut Player, name: &str, secs: f64) -> Result<&'p [u8]> {
    Limits::default().check_picture(player.view().width(), player.view().height())?;
    if !secs.is_finite() {
        return player.paint(None);
    }
    let animation = chosen(player, name)?;
    let pose = pose_at(player, animation, secs);
    player.paint_pose(&pose)
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
