//! The rectangle of the world that a character covers.

use pchr::math::Rect;
use pchr::model::AnimationId;
use pchr::motion::{Cue, Evaluator, PoseWork, Position};
use pchr::pose::{Extent, Pose, palette};

use super::player::Player;

/// At most this many frames of an animation are looked at, evenly spaced.
const MAX_SAMPLES: u32 = 1 << 10;

/// Units of work for all of them: about a tenth of a second.
const MAX_WORK: u64 = 1 << 27;

/// `[left, bottom, right, top]`, rounded outward to whole pixels. `which` is explained at [`super::pchr_area`].
pub fn of(player: &Player, which: u32) -> [f32; 4] {
    let animator = player.animator();
    let (character, model) = (animator.character(), animator.model());
    let animations: Vec<AnimationId> = match which {
        0 => animator.playback(0).animation().into_iter().collect(),
        1 => model.motions().collect(),
        _ => Vec::new(),
    };
    let mut extent = Extent::default();
    extent.add(model, animator.pose(), animator.palette());
    let (mut evaluator, mut pose, mut matrices) = (Evaluator::default(), Pose::default(), Vec::new());
    let work = PoseWork::new(character, animator.skins());
    for &id in &animations {
        let affordable = MAX_WORK / animations.len() as u64 / work.of(character, Some(id)).max(1);
        let count = model.animation(id).frame_count();
        let most = MAX_SAMPLES.min(u32::try_from(affordable).unwrap_or(u32::MAX)).max(2);
        for frame in (0..count).step_by(count.div_ceil(most).max(1) as usize) {
            let skins = animator.skins().to_vec();
            let cue = Cue { animation: Some(id), position: Position::frame(frame), skins, ..Cue::default() };
            evaluator.evaluate(character, &cue, &mut pose);
            palette(model, &pose, &mut matrices);
            extent.add(model, &pose, &matrices);
        }
    }
    let seen = extent.seen().round_out();
    let area =
        if seen.is_empty() { Rect::from_min_size(pchr::math::Vec2::ZERO, pchr::math::Vec2::ONE) } else { seen };
    [area.min.x, area.min.y, area.max.x, area.max.y]
}
