//! Deviation of the baked character from its source: both are evaluated at every stored frame.

use super::BakeOptions;
use super::sample::{Sampling, steps};
use super::side::{Side, farthest};
use crate::character::Character;
use crate::diagnostics::Diagnostics;
use crate::error::{Place, Result};
use crate::formats::ReadOptions;
use crate::formats::pchr::{self, Document};
use crate::limits::Budget;
use crate::model::AnimationId;
use crate::motion::{Cue, PoseWork, Position};
use crate::pose::vertices_work;

/// The largest deviation of a mesh in an animation.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Worst {
    /// Deviation in world pixels.
    pub px: f32,
    /// The stored frame.
    pub frame: u32,
}

/// Returns the largest deviations by visual and track.
pub fn measure(
    source: &Character,
    sampling: &Sampling,
    options: &BakeOptions,
    document: &Document,
    budget: &mut Budget<'_>,
) -> Result<Vec<Vec<Worst>>> {
    // Images are dropped: they do not affect positions and need not be decoded.
    let mut written = document.clone();
    written.file.images.clear();
    let read = ReadOptions { limits: options.limits.clone(), ..ReadOptions::default() };
    let written = pchr::build(&written, &read, budget, &mut Diagnostics::default())?;
    let ids: Vec<AnimationId> = written.model().animation_ids().collect();
    let pairs = (sampling.visuals.len() * sampling.tracks.len()) as u64;
    budget.charge_memory(pairs, size_of::<Worst>(), Place::default)?;
    let mut errors = vec![vec![Worst::default(); sampling.tracks.len()]; sampling.visuals.len()];
    let (mut expected, mut found) = (Side::with_physics(source, options.physics), Side::new(&written));
    let (of_source, of_written) = (PoseWork::new(source, &options.skins), PoseWork::new(&written, &[]));
    let of_vertices = |visual: usize| 2 * vertices_work(&sampling.visuals[visual].mesh(source.model()).vertices);
    for (number, track) in sampling.tracks.iter().enumerate() {
        let place = || Place::inside(format!("animations/{}", source.model().animation(track.animation).name));
        let shown = sampling.frames[track.frames.clone()].iter().flat_map(|frame| &frame.shown);
        let of_shown = shown.fold(0, |sum: u64, (visual, _)| sum.saturating_add(of_vertices(*visual)));
        let steps = steps(source, track.animation, track.cycle, track.frames.len(), options);
        budget.charge_work(steps, of_source.of(source, Some(track.animation)), place)?;
        budget.charge_work(track.frames.len() as u64, of_written.of(&written, Some(track.animation)), place)?;
        budget.charge_work(1, of_shown, place)?;
        // The bind pose comes first.
        let animation = ids.get(number + 1).copied();
        for (frame, at) in (0..).zip(track.frames.clone()) {
            budget.check_cancelled()?;
            let stored = &sampling.frames[at];
            expected.show(&stored.cue);
            found.show(&Cue { animation, position: Position::frame(frame), ..Cue::default() });
            for &(visual, _) in &stored.shown {
                let slot = sampling.visuals[visual].slot.index();
                expected.skin(sampling.visuals[visual].mesh(source.model()), slot);
                if let Some(mesh) = written.model().attachments().get(visual).and_then(|shown| shown.mesh()) {
                    found.skin(mesh, visual);
                }
                let px = farthest(&expected.points, &found.points);
                let worst = &mut errors[visual][number];
                if px > worst.px {
                    *worst = Worst { px, frame };
                }
            }
        }
    }
    Ok(errors)
}
