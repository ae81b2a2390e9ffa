//! Finds characters that never show anything.

use crate::character::Character;
use crate::diagnostics::Diagnostics;
use crate::draw::Hidden;
use crate::error::{Place, Result};
use crate::export::Emptiness;
use crate::limits::{Budget, Limits};
use crate::model::{AnimationId, SkinId};
use crate::motion::{Cue, Evaluator, PoseWork, Position, initial_skins};
use crate::pose::{Pose, bounds_work};

/// Warns if a character has attachments that are drawn, but no frame of any animation shows one in any skin. Gives up if
/// finding out takes too much work.
pub fn check(character: &Character, limits: &Limits, diagnostics: &mut Diagnostics) {
    let limits = Limits { work: limits.first_picture_work(), ..limits.clone() };
    if character.model().attachments().iter().any(|it| it.mesh().is_some())
        && let Ok(Some(why)) = Search::new(character, &limits).run()
    {
        let frames = match character.model().motions().next() {
            Some(_) => "in any frame of any animation",
            None => "in the rest pose, and there is no animation",
        };
        diagnostics.warn("nothing-visible", Place::default(), format!("nothing is visible {frames}: {why}"));
    }
}

/// Searches a pose in which something is visible.
struct Search<'a> {
    character: &'a Character,
    budget: Budget<'a>,
    pixels: u64,
    evaluator: Evaluator,
    pose: Pose,
}

impl<'a> Search<'a> {
    fn new(character: &'a Character, limits: &'a Limits) -> Self {
        Self {
            character,
            budget: Budget::new(limits),
            pixels: limits.work,
            evaluator: Evaluator::default(),
            pose: Pose::for_model(character.model()),
        }
    }

    /// Returns why nothing is visible, or `None` if something is.
    ///
    /// # Errors
    ///
    /// If that takes more work than the limits allow.
    fn run(&mut self) -> Result<Option<Emptiness>> {
        let model = self.character.model();
        let each = model.skin_ids().map(|skin| vec![skin]);
        let animations: Vec<Option<AnimationId>> = model.motions().map(Some).collect();
        let animations = if animations.is_empty() { vec![None] } else { animations };
        let mut why = None;
        for skins in [initial_skins(self.character)].into_iter().chain(each) {
            let work = PoseWork::new(self.character, &skins);
            for &animation in &animations {
                let found = self.look_at(animation, &skins, work)?;
                let Some(found) = found else { return Ok(None) };
                why = why.max(Some(found));
            }
        }
        Ok(why)
    }

    /// Looks at all frames of an animation, or at the rest pose.
    fn look_at(
        &mut self,
        animation: Option<AnimationId>,
        skins: &[SkinId],
        work: PoseWork,
    ) -> Result<Option<Emptiness>> {
        let model = self.character.model();
        let frames = animation.map_or(1, |id| model.animation(id).frame_count());
        let mut best = None;
        for frame in 0..frames.max(1) {
            self.budget.charge_work(1, work.of(self.character, animation), Place::default)?;
            let position = Position::frame(frame);
            let cue = Cue { animation, position, skins: skins.to_vec(), ..Cue::default() };
            self.evaluator.evaluate(self.character, &cue, &mut self.pose);
            self.budget.charge_work(1, bounds_work(model, &self.pose), Place::default)?;
            let why = Emptiness::searching(model, &self.pose, &Hidden::default(), None, &mut self.pixels);
            if why.is_drawn() {
                return Ok(None);
            }
            best = best.max(Some(why));
        }
        Ok(best)
    }
}
