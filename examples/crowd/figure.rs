//! The character of the crowd: opened, baked, and measured.

use std::path::Path;

use pchr::Character;
use pchr::bake::{BakeOptions, bake};
use pchr::gpu::{CrowdBake, CrowdObstacle, CrowdOptions};
use pchr::limits::Limits;
use pchr::math::Rect;
use pchr::model::{AnimationId, Model};
use pchr::motion::{Cue, Evaluator, Position, initial_skins};
use pchr::pose::{self, Pose};

use super::Result;

/// Stored frames per second of a character that has keys.
const FPS: u16 = 30;

pub struct Figure {
    /// The name of the file.
    pub name: String,
    pub bake: CrowdBake,
    /// The animation of those who march.
    pub march: AnimationId,
    /// Everything else that it can do.
    pub acts: Vec<AnimationId>,
    /// The area that it covers while it marches.
    pub area: Rect,
}

impl Figure {
    pub fn open(path: &Path) -> Result<Self> {
        let bake = baked(Character::open(path)?)?;
        let model = bake.character().model();
        let march = ["walk", "run"].iter().find_map(|name| model.find_animation(name));
        let march = march.or_else(|| model.default_animation()).ok_or("the character has no animation")?;
        let acts = model.motions().filter(|&act| act != march && cycle_secs(model, act) > 0.0).collect();
        let area = area(bake.character(), march);
        if area.is_empty() {
            return Err("the character shows nothing in its first animation".into());
        }
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        Ok(Self { name, march, acts, area, bake })
    }

    pub fn model(&self) -> &Model {
        self.bake.character().model()
    }

    /// The seconds after which an animation repeats.
    pub fn cycle_secs(&self, animation: AnimationId) -> f64 {
        cycle_secs(self.model(), animation)
    }
}

fn cycle_secs(model: &Model, animation: AnimationId) -> f64 {
    let animation = model.animation(animation);
    if animation.fps() > 0.0 { f64::from(animation.frame_count()) / animation.fps() } else { 0.0 }
}

/// Bakes a character for a crowd. Keys are sampled first, and losses are printed.
fn baked(character: Character) -> Result<CrowdBake> {
    match CrowdBake::new(&character, CrowdOptions::default()) {
        Err(obstacles) if obstacles.0.contains(&CrowdObstacle::Keys) => {}
        result => return Ok(result?),
    }
    let model = character.model();
    let limits = Limits::default();
    let options = BakeOptions {
        fps: Some(FPS),
        animations: model.motions().collect(),
        skins: initial_skins(&character),
        physics: true,
        ..BakeOptions::default()
    };
    let sampled = bake(&character, &options)?;
    eprintln!("baked at {FPS} frames per second; losses: {}", sampled.losses.len());
    for loss in &sampled.losses {
        eprintln!("  {}: {}", loss.path, loss.message);
    }
    Ok(CrowdBake::new(&sampled.character(&limits)?, CrowdOptions::default())?)
}

/// Returns a rectangle around everything that the character shows in an animation.
fn area(character: &Character, animation: AnimationId) -> Rect {
    let model = character.model();
    let (mut evaluator, mut pose, mut palette) = (Evaluator::default(), Pose::default(), Vec::new());
    let mut area = Rect::NOTHING;
    for frame in 0..model.animation(animation).frame_count() {
        let position = Position::frame(frame);
        let cue = Cue { animation: Some(animation), position, interpolate: false, ..Cue::default() };
        evaluator.evaluate(character, &cue, &mut pose);
        pose::palette(model, &pose, &mut palette);
        area = area.union(pose::bounds(model, &pose, &palette));
    }
    area
}
