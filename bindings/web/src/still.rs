//! Pictures as files: the pixels of the CPU renderer, which are the same on every machine.

use pchr::Error;
use pchr::Result;
use pchr::formats::image::encode_png;
use pchr::limits::Limits;
use pchr::model::{AnimationId, Select};
use pchr::motion::{Cue, Dynamics, Evaluator, Position, plays_physics};
use pchr::pose::Pose;

use crate::player::Player;

/// Maximum number of pictures in an animated one.
const MAX_FRAMES: u32 = 10_000;

/// A PNG of the present pose, or of the animation `name` at `secs`.
pub fn png(player: &mut Player, name: &str, secs: f64) -> Result<Vec<u8>> {
    let [width, height] = size(player)?;
    if !secs.is_finite() {
        return encode_png(width, height, player.paint(None)?);
    }
    let animation = chosen(player, name)?;
    let pose = Poses::new(player).at(player, animation, secs);
    encode_png(width, height, player.paint_pose(&pose)?)
}

/// An APNG that loops forever, of the animation `name` at `fps`, or at its own rate.
pub fn apng(player: &mut Player, name: &str, fps: f64) -> Result<Vec<u8>> {
    let [width, height] = size(player)?;
    let Some(id) = chosen(player, name)? else {
        return Err(Error::misuse("no-animation", "the character has no animation"));
    };
    let animation = player.animator().model().animation(id);
    let own = if animation.fps() > 0.0 { animation.fps() } else { 10.0 };
    let fps = if fps > 0.0 && fps.is_finite() { fps.min(1000.0) } else { own };
    let count = ((animation.duration_secs() * fps).round().max(1.0) as u32).min(MAX_FRAMES);
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, width, height);
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_depth(png::BitDepth::Eight);
    let fail = |error: png::EncodingError| Error::misuse("encoding", error.to_string());
    encoder.set_animated(count, 0).map_err(fail)?;
    encoder.set_frame_delay((1000.0 / fps).round().max(1.0) as u16, 1000).map_err(fail)?;
    let mut writer = encoder.write_header().map_err(fail)?;
    let mut poses = Poses::new(player);
    for frame in 0..count {
        let pose = poses.at(player, Some(id), f64::from(frame) / fps);
        writer.write_image_data(player.paint_pose(&pose)?).map_err(fail)?;
    }
    writer.finish().map_err(fail)?;
    Ok(file)
}

/// The size of pictures, if it is allowed.
fn size(player: &Player) -> Result<[u32; 2]> {
    let (width, height) = (player.view().width(), player.view().height());
    Limits::default().check_picture(width, height)?;
    Ok([width, height])
}

/// The animation `name`; without one, what plays, or else the one that plays by default.
fn chosen(player: &Player, name: &str) -> Result<Option<AnimationId>> {
    let animator = player.animator();
    if name.is_empty() {
        return Ok(animator.playback(0).animation().or_else(|| animator.model().default_animation()));
    }
    Ok(Some(name.select(animator.model())?))
}

/// Poses by time, with the skins and the physics of a player.
struct Poses(Evaluator);

impl Poses {
    fn new(player: &Player) -> Self {
        let character = player.animator().character();
        let physics = plays_physics(character, Some(player.animator().shows_physics()));
        Self(Evaluator::with_dynamics(physics.then(Dynamics::default)))
    }

    fn at(&mut self, player: &Player, animation: Option<AnimationId>, secs: f64) -> Pose {
        let animator = player.animator();
        let skins = animator.skins().to_vec();
        let cue = Cue { animation, position: Position::Seconds(secs), interpolate: true, skins, ..Cue::default() };
        let mut pose = Pose::default();
        self.0.evaluate(animator.character(), &cue, &mut pose);
        pose
    }
}
