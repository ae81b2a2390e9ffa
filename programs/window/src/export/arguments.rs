//! The choices of the dialog as arguments of the command line.

use super::{Cast, Export, Frames, Which};
use crate::playback::physics_choice::choice;
use pchr::Character;
use pchr::export::{Fit, FrameSpec, NO_SKIN, RenderOptions, Subject};
use pchr::model::{AnimationId, Model, SkinId};
use pchr::motion::initial_skins;

impl Export {
    /// Returns all choices as command line options.
    pub fn wanted(&self) -> RenderOptions {
        if let Some(cast) = self.chosen_cast() {
            return self.wanted_of_cast(cast);
        }
        let model = self.model();
        let animations = match self.which {
            Which::One(id) => id.map(|id| argument(model, id)).into_iter().collect(),
            // An animation of that name would be chosen instead.
            Which::All if model.find_animation("all").is_some() => {
                model.motions().map(|id| argument(model, id)).collect()
            }
            Which::All => vec!["all".to_owned()],
        };
        let mut options = self.options.clone();
        options.subject.animations = animations;
        options.subject.skins = skin_arguments(&self.character, &self.skins);
        match (self.frames, self.shown.seconds) {
            (Frames::Shown, Some(seconds)) => options.subject.time = Some(seconds),
            _ => options.subject.frames = self.frame_spec(),
        }
        if self.has_stage() {
            // Its characters have their own; it has only one animation.
            (options.subject.animations, options.subject.skins) = Default::default();
        } else {
            self.shown.add_to(&mut options.subject, self.which);
        }
        options.subject.physics = choice(&self.character, self.plays_physics());
        options.output.path = Some(self.path.clone());
        options.relevant()
    }

    /// Returns the options for a sheet of several characters: they have neither animations nor bones in common.
    fn wanted_of_cast(&self, cast: &Cast) -> RenderOptions {
        let Cast { files, read, choices, .. } = cast;
        let subject = Subject {
            files: files.clone(),
            animations: if choices.all_animations { vec!["all".to_owned()] } else { Vec::new() },
            frames: choices.one_frame.then(FrameSpec::default),
            ..Subject::default()
        };
        let mut options = RenderOptions { subject, read: read.clone(), ..self.options.clone() };
        if let Fit::Rect(_) = options.look.fit {
            options.look.fit = Fit::default();
        }
        options.output.path = Some(self.path.clone());
        options.relevant()
    }

    /// Returns the chosen frames, or `None` if they are the default.
    fn frame_spec(&self) -> Option<FrameSpec> {
        let is_animated = self.options.defaults_to_all_frames();
        match self.frames {
            // There are no stored frames, or the choice is the default.
            _ if self.frame_count() == 0 => None,
            Frames::All if is_animated => None,
            Frames::All => Some(FrameSpec::All),
            Frames::Shown if self.shown_frame == 0 && !is_animated => None,
            Frames::Shown => Some(FrameSpec::one(self.shown_frame)),
            Frames::Range { first, last, step } => Some(FrameSpec::range(first, last, step)),
        }
    }
}

/// Returns the command line argument for an animation: its name, or `#index` if the name is ambiguous.
pub fn argument(model: &Model, id: AnimationId) -> String {
    let name = &model.animation(id).name;
    named(name, model.find_animation(name) == Some(id), id.index())
}

/// Returns the `--skin` arguments for the active skins. A skin worn by default has to be disabled explicitly.
pub fn skin_arguments(character: &Character, active: &[SkinId]) -> Vec<String> {
    if active.is_empty() && !initial_skins(character).is_empty() {
        return vec![NO_SKIN.to_owned()];
    }
    active.iter().map(|&id| skin_argument(character.model(), id)).collect()
}

/// Returns the command line argument for a skin.
fn skin_argument(model: &Model, id: SkinId) -> String {
    let name = &model.skin(id).name;
    named(name, model.find_skin(name) == Some(id), id.index())
}

/// Returns a name, or `#index` if it is not readable or would find something else.
pub fn named(name: &str, is_found: bool, index: usize) -> String {
    let is_readable = !name.is_empty() && !name.chars().any(char::is_control);
    if is_readable && is_found { name.to_owned() } else { format!("#{index}") }
}
