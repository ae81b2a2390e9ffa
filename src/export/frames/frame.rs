//! One picture of a [`Sequence`]: evaluated, listed, charged and drawn, with buffers reused between pictures.

use std::sync::Arc;

use super::drawing::Pipeline;
use super::sequence::Sequence;
use crate::Character;
use crate::cpu;
use crate::draw::{DrawList, Hidden, Overlays, Picture, PictureWork, View};
use crate::error::{Place, escaped};
use crate::export::error::ExportError;
use crate::limits::Budget;
use crate::model::{Model, SkinId};
use crate::motion::{Cue, Dynamics, Evaluator, PoseWork};
use crate::pose::Pose;

/// Buffers that a worker reuses between pictures.
pub struct Frame<'a> {
    sequence: &'a Sequence<'a>,
    /// Consecutive pictures share simulation steps; results do not depend on previous pictures.
    evaluator: Evaluator,
    pub(super) pose: Pose,
    pub(super) list: DrawList,
    /// The number of commands of the list before those of overlays.
    pub(super) drawn: usize,
    ghosts: GhostPoser,
    meter: Meter,
    pub(super) work: PictureWork,
    pub picture: Picture,
}

impl<'a> Frame<'a> {
    pub fn new(sequence: &'a Sequence<'a>) -> Self {
        let pose = Pose::for_model(sequence.character.model());
        let evaluator = Evaluator::with_dynamics(sequence.physics.then(Dynamics::default));
        let (list, meter, work, picture) = Default::default();
        let ghosts = GhostPoser::new(sequence.physics);
        Self { sequence, evaluator, pose, list, drawn: 0, ghosts, meter, work, picture }
    }

    /// Prepares the draw list for `cue`. Fails if the picture takes more work than allowed.
    pub fn prepare(&mut self, cue: &Cue) -> Result<(), ExportError> {
        let Sequence { character, view, limits, .. } = self.sequence;
        let mut budget = Budget::new(limits);
        let mut charge = |work| budget.charge_work(1, work, || place_of(character.model(), cue));
        let replayed = if self.sequence.physics { Dynamics::replay_steps(character, cue) } else { 0 };
        let one = self.meter.pose(character, cue);
        let mut of_pose = one.saturating_mul(1 + replayed);
        let mut ghost = Cue::default();
        for steps in self.sequence.overlays.ghosts().steps() {
            if cue.stepped(character.model(), steps, &mut ghost) {
                let replayed = if self.sequence.physics { Dynamics::replay_steps(character, &ghost) } else { 0 };
                of_pose = of_pose.saturating_add(one.saturating_mul(1 + replayed));
            }
        }
        charge(of_pose)?;
        self.evaluator.evaluate(character, cue, &mut self.pose);
        if let Some(hidden) = self.sequence.hidden {
            hidden.apply(character.model(), &mut self.pose);
        }
        self.list.build(character.model(), &self.pose, view);
        self.drawn = self.list.commands.len();
        self.ghosts.add(character, cue, self.sequence.hidden, self.sequence.overlays, view, &mut self.list);
        self.list.add_overlays(character.model(), &self.pose, view, self.sequence.overlays);
        let left = limits.work.saturating_sub(of_pose);
        // What pictures use together is counted exactly.
        let of_list = match limits.shared {
            None => self.work.of(&self.list, character.model(), view, left),
            Some(_) => self.work.counted(&self.list, character.model(), view, left),
        };
        Ok(charge(of_list)?)
    }

    /// Draws a picture that is laid over `behind`.
    pub fn render(&mut self, renderer: &mut cpu::Renderer, behind: Option<&Arc<Picture>>) {
        let Sequence { character, view, settings, .. } = self.sequence;
        let (model, list, picture) = (character.model(), &self.list, &mut self.picture);
        match behind {
            None => renderer.render(model, list, view, *settings, picture),
            Some(behind) => renderer.render_over(model, list, view, *settings, behind, picture),
        }
    }

    /// Starts drawing a picture that is laid over `behind`.
    pub fn submit(&self, renderer: &mut dyn Pipeline, behind: Option<&Arc<Picture>>) -> Result<(), ExportError> {
        let Sequence { character, view, settings, .. } = self.sequence;
        renderer.submit(character.model(), &self.list, view, *settings, behind)
    }
}

/// Evaluates the frames of an onion skin. Reuses its memory.
#[derive(Debug, Default)]
pub struct GhostPoser {
    physics: bool,
    /// One for each ghost, so that each can continue the steps of its physics in the next frame.
    evaluators: Vec<Evaluator>,
    cue: Cue,
    pose: Pose,
}

impl GhostPoser {
    /// Creates a poser. With `physics`, every ghost shows the state reached by playing to its frame.
    pub fn new(physics: bool) -> Self {
        Self { physics, ..Self::default() }
    }

    /// Returns true if ghosts include physics.
    pub fn has_physics(&self) -> bool {
        self.physics
    }

    /// Adds the ghosts around `cue` to `list`, which was built from it.
    ///
    /// # Panics
    ///
    /// If `cue` or `list` belongs to another character.
    #[track_caller]
    pub fn add(
        &mut self,
        character: &Character,
        cue: &Cue,
        hidden: Option<&Hidden>,
        overlays: Overlays,
        view: &View,
        list: &mut DrawList,
    ) {
        let (model, onion) = (character.model(), overlays.ghosts());
        for (index, steps) in onion.steps().enumerate() {
            if !cue.stepped(model, steps, &mut self.cue) {
                continue;
            }
            if self.evaluators.len() <= index {
                let new = || Evaluator::with_dynamics(self.physics.then(Dynamics::default));
                self.evaluators.resize_with(index + 1, new);
            }
            self.evaluators[index].evaluate(character, &self.cue, &mut self.pose);
            hidden.into_iter().for_each(|hidden| hidden.apply(model, &mut self.pose));
            list.add_ghost(model, &self.pose, view, onion, steps);
        }
    }
}

/// Work per pose, counted again only when the skins change.
#[derive(Default)]
struct Meter {
    counted: Option<(Vec<SkinId>, PoseWork)>,
}

impl Meter {
    fn pose(&mut self, character: &Character, cue: &Cue) -> u64 {
        let counted = self.counted.take().filter(|(skins, _)| *skins == cue.skins);
        let counted = counted.unwrap_or_else(|| (cue.skins.clone(), PoseWork::new(character, &cue.skins)));
        self.counted.insert(counted).1.of_cue(character, cue)
    }
}

pub(super) fn place_of(model: &Model, cue: &Cue) -> Place {
    let path = cue.animation.map_or("a picture of the bind pose".to_owned(), |id| {
        format!("a picture of `{}`", escaped(&model.animation(id).name))
    });
    Place { path, ..Place::default() }
}
