//! A character that was read, with what the window computes about it once.

use std::sync::{Arc, OnceLock};

use super::checkerboard::Tones;
use super::events::{self, Mark};
use super::names::Names;
use pchr::Character;
use pchr::diagnostics::Diagnostics;
use pchr::math::Rect;
use pchr::model::{AnimationId, Model, SkinId};
use pchr::motion::{self, Overview};

/// What a bounding rectangle covers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Covered {
    /// One animation, or the setup pose.
    Animation(Option<AnimationId>),
    /// What was shown so far; every animation if nothing of it is visible, or on demand.
    Shown,
    /// Every animation except the one that only stores the bind pose.
    Everything,
}

impl Covered {
    /// Replaces everything by the only animation if there is one: its rectangle is computed once.
    fn simplest(self, model: &Model) -> Self {
        match self {
            Self::Everything if model.motions().nth(1).is_none() => Self::Animation(model.default_animation()),
            Self::Everything | Self::Shown | Self::Animation(_) => self,
        }
    }
}

/// What the fitted view shows of a character: it grows when another animation is shown, and never shrinks.
#[derive(Debug, Default)]
struct Coverage {
    shown: Vec<Option<AnimationId>>,
    is_everything: bool,
}

/// A coverage that can be taken over by a later version of the character.
#[derive(Debug, Clone, Default)]
pub struct CoverageNames {
    /// The animations that it covers; `None` is the setup pose.
    shown: Vec<Option<String>>,
    is_everything: bool,
}

/// A file that was read successfully.
#[derive(Debug)]
pub struct Loaded {
    /// The character.
    pub character: Arc<Character>,
    /// The findings.
    pub diagnostics: Diagnostics,
    /// The bounding rectangles that were computed so far, in the skins `active` and with physics if `with_physics`.
    content: Vec<(Covered, Rect)>,
    active: Vec<SkinId>,
    with_physics: bool,
    coverage: Coverage,
    /// The brightness of its first picture, once computed.
    tones: Option<Tones>,
    /// The animation to show first, once needed.
    first: OnceLock<Option<AnimationId>>,
    /// The names of its animations and skins, once needed.
    names: OnceLock<Names>,
    /// The events of an animation, if computed.
    marks: Option<(Option<AnimationId>, Vec<Mark>)>,
    /// Number of these values that were computed after [`Self::finish_preparing`].
    computed_unprepared: Option<u64>,
}

impl Loaded {
    /// Wraps a character that was just read.
    pub fn new(character: Arc<Character>, diagnostics: Diagnostics) -> Self {
        Self {
            character,
            diagnostics,
            content: Vec::new(),
            active: Vec::new(),
            with_physics: false,
            coverage: Coverage::default(),
            tones: None,
            first: OnceLock::new(),
            names: OnceLock::new(),
            marks: None,
            computed_unprepared: None,
        }
    }

    /// Counts what is computed from now on.
    pub fn finish_preparing(&mut self) {
        self.computed_unprepared = Some(0);
    }

    /// Returns how often something was computed when it was asked for, because it was not prepared.
    #[cfg(test)]
    pub fn computed_unprepared(&self) -> u64 {
        self.computed_unprepared.unwrap_or_default()
    }

    fn count(&mut self) {
        self.computed_unprepared = self.computed_unprepared.map(|count| count + 1);
    }

    /// Returns the bounding rectangle of the `covered` animations in `skins`, in world pixels, with physics if
    /// `with_physics`.
    /// Evaluates as many frames as `work` allows, at least one.
    pub fn content(&mut self, covered: Covered, skins: &[SkinId], with_physics: bool, work: u64) -> Rect {
        if self.active != skins || self.with_physics != with_physics {
            self.content.clear();
            self.active = skins.to_vec();
            self.with_physics = with_physics;
        }
        let covered = covered.simplest(self.character.model());
        if let Some(&(_, content)) = self.content.iter().find(|(of, _)| *of == covered) {
            return content;
        }
        let content = match covered {
            Covered::Shown => self.shown_content(skins, with_physics, work),
            Covered::Animation(animation) => self.extent(&[animation], work),
            Covered::Everything => {
                self.extent(&self.character.model().motions().map(Some).collect::<Vec<_>>(), work)
            }
        };
        self.content.push((covered, content));
        content
    }

    fn extent(&mut self, animations: &[Option<AnimationId>], work: u64) -> Rect {
        self.count();
        Overview::of(&self.character, animations, &self.active, self.with_physics, work).extent().seen()
    }

    fn shown_content(&mut self, skins: &[SkinId], with_physics: bool, work: u64) -> Rect {
        let shown = if self.coverage.is_everything { Vec::new() } else { self.coverage.shown.clone() };
        let known = |animation| self.content.iter().find(|(of, _)| *of == Covered::Animation(animation));
        let (mut content, mut missing) = (Rect::NOTHING, Vec::new());
        for animation in shown {
            match known(animation) {
                Some((_, area)) => content = content.union(*area),
                None => missing.push(animation),
            }
        }
        if let [animation] = missing[..] {
            content = content.union(self.content(Covered::Animation(animation), skins, with_physics, work));
        } else if !missing.is_empty() {
            // Together, so that a change of skins takes no more work than one of them.
            content = content.union(self.extent(&missing, work));
        }
        if content.is_empty() { self.content(Covered::Everything, skins, with_physics, work) } else { content }
    }

    /// Adds an animation, or the setup pose, to those that the fitted view covers.
    pub fn cover(&mut self, animation: Option<AnimationId>) {
        if !self.coverage.shown.contains(&animation) {
            self.coverage.shown.push(animation);
            self.forget_coverage();
        }
    }

    /// Makes the fitted view cover every animation, or again only those shown so far. Returns true if it covers every one.
    pub fn toggle_whole_coverage(&mut self) -> bool {
        self.coverage.is_everything ^= true;
        self.forget_coverage();
        self.coverage.is_everything
    }

    fn forget_coverage(&mut self) {
        self.content.retain(|(covered, _)| *covered != Covered::Shown);
    }

    /// Returns the names of the animations that the fitted view covers, and whether it covers every one.
    pub fn coverage(&self) -> CoverageNames {
        let model = self.character.model();
        let names = self.coverage.shown.iter().map(|id| id.map(|id| model.animation(id).name.to_string()));
        CoverageNames { shown: names.collect(), is_everything: self.coverage.is_everything }
    }

    /// Takes over the coverage of an earlier version of the character.
    pub fn set_coverage(&mut self, names: &CoverageNames) {
        let model = self.character.model();
        let find = |name: &Option<String>| match name {
            Some(name) => model.find_animation(name).map(Some),
            None => Some(None),
        };
        let shown = names.shown.iter().filter_map(find).collect();
        self.coverage = Coverage { shown, is_everything: names.is_everything };
        self.forget_coverage();
    }

    /// Returns the names of its animations and skins.
    pub fn names(&self) -> &Names {
        self.names.get_or_init(|| Names::of(self.character.model()))
    }

    /// Returns the [animation to show first](motion::first_animation). Looks for motion as long as `work` allows.
    pub fn first_animation(&self, work: u64) -> Option<AnimationId> {
        *self.first.get_or_init(|| motion::first_animation(&self.character, work))
    }

    /// Returns the animation with this name, or `#index`.
    pub fn find_animation(&self, name: &str) -> Option<AnimationId> {
        let model = self.character.model();
        let by_index = || model.animation_ids().nth(name.strip_prefix('#')?.parse().ok()?);
        model.find_animation(name).or_else(by_index)
    }

    /// Returns the animation with this name, or `#index`; without one, [`Self::first_animation`].
    pub fn animation_or_first(&self, name: Option<&str>, work: u64) -> Option<AnimationId> {
        name.and_then(|name| self.find_animation(name)).or_else(|| self.first_animation(work))
    }

    /// Returns the brightness of its first picture, if it was measured.
    pub fn tones(&self) -> Option<&Tones> {
        self.tones.as_ref()
    }

    /// Takes over the brightness of an earlier version of the character, if there is one.
    pub fn keep_tones(&mut self, earlier: Option<&Tones>) {
        self.tones = earlier.cloned();
    }

    /// Measures the brightness of its first picture, unless that was done before.
    pub fn measure_tones(&mut self, animation: Option<AnimationId>, skins: &[SkinId], work: u64) {
        if self.tones.is_none() {
            self.count();
            self.tones = Some(Tones::of(&self.character, animation, skins, work));
        }
    }

    /// Returns the events of an animation.
    pub fn marks(&mut self, animation: Option<AnimationId>) -> &[Mark] {
        if self.marks.as_ref().is_none_or(|(of, _)| *of != animation) {
            self.count();
            self.marks = Some((animation, events::marks(&self.character, animation)));
        }
        self.marks.as_ref().map_or(&[], |(_, marks)| marks)
    }

    /// Returns true if every image is assumed to be pixel art.
    pub fn is_pixel_art(&self) -> bool {
        let model = self.character.model();
        !model.pages().is_empty() && model.page_ids().all(|page| model.is_pixel_art(page))
    }
}
