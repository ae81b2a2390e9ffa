//! The choices that the export dialog remembers after it is closed, until the program ends.

use super::{CastChoices, Export, Frames, Which};
use pchr::draw::{Antialias, Filter};
use pchr::export::{Background, Fit, Look, RenderOptions, SheetKind, Size, Subject};
use pchr::formats::table::Target;
use pchr::model::Model;

/// The choices of a closed dialog. Holds no character.
#[derive(Debug, Clone)]
pub struct SavedChoices {
    options: RenderOptions,
    target: Option<&'static Target>,
    which: SavedWhich,
    frames: Frames,
    sheet_kind: SheetKind,
    /// The path, if the user has edited it.
    own_path: Option<String>,
    plays: bool,
    cast: CastChoices,
    initial: Initial,
}

/// The chosen animations, by name: another file numbers them differently.
#[derive(Debug, Clone, PartialEq)]
enum SavedWhich {
    One(Option<String>),
    All,
}

/// The values that the window suggested when the dialog was opened. If a suggestion differs the next time, the
/// user has changed the setting in the window since, and the newer choice wins.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Initial {
    animation: Option<String>,
    physics: Option<bool>,
    speed: f32,
    background: Background,
    filter: Filter,
    antialias: Option<Antialias>,
    plays: bool,
    frames: Option<Frames>,
}

impl Initial {
    /// Returns what `export` suggests before the user changes anything.
    pub fn of(export: &Export) -> Self {
        let Subject { physics, speed, .. } = export.options.subject;
        let Look { ref background, filter, antialias, .. } = export.options.look;
        let animation = match export.which {
            Which::One(id) => id.map(|id| export.model().animation(id).name.to_string()),
            Which::All => None,
        };
        Self {
            animation,
            physics,
            speed,
            background: background.clone(),
            filter,
            antialias,
            plays: export.plays,
            frames: Some(export.frames),
        }
    }
}

impl Export {
    /// Returns the choices to remember.
    pub fn save(&self) -> SavedChoices {
        let which = match self.which {
            Which::One(id) => SavedWhich::One(id.map(|id| self.model().animation(id).name.to_string())),
            Which::All => SavedWhich::All,
        };
        SavedChoices {
            options: self.options.clone(),
            target: self.target,
            which,
            frames: self.frames,
            sheet_kind: self.sheet_kind,
            own_path: self.has_own_path.then(|| self.path.clone()),
            plays: self.plays,
            cast: self.cast.as_ref().map(|cast| cast.choices).unwrap_or_default(),
            initial: self.initial.clone(),
        }
    }

    /// Restores remembered choices as far as they apply to this character.
    pub fn restore(&mut self, saved: &SavedChoices) {
        let (before, now) = (&saved.initial, &self.initial);
        let is_same_file = self.options.subject.files == saved.options.subject.files;
        let suggested = self.options.clone();
        // Nothing else of the subject is chosen in the dialog.
        let Subject { physics, loops, speed, .. } = saved.options.subject;
        let subject = Subject { physics, loops, speed, ..suggested.subject };
        let mut options = RenderOptions { subject, read: suggested.read, ..saved.options.clone() };
        options.output.force = false;
        // The view of the window may be another one by now.
        if let (Fit::Rect(_), Some((rect, [width, height]))) = (options.look.fit, self.shown.view) {
            options.look.fit = Fit::Rect(rect);
            options.look.size = Size::Exact(width, height);
        }
        if before.physics != now.physics {
            options.subject.physics = now.physics;
        }
        if before.speed != now.speed {
            options.subject.speed = now.speed;
        }
        if before.background != now.background {
            options.look.background = now.background.clone();
        }
        if before.filter != now.filter {
            options.look.filter = now.filter;
        }
        if before.antialias != now.antialias {
            options.look.antialias = now.antialias;
        }
        if before.plays == now.plays {
            self.plays = saved.plays;
        }
        let which = saved.which.of(self.model());
        if let Some(which) = which.filter(|which| *which == Which::All || before.animation == now.animation) {
            self.which = which;
        }
        if before.frames == now.frames {
            self.frames = match saved.frames {
                // Frame numbers of another file mean nothing here.
                Frames::Range { .. } if !is_same_file => Frames::All,
                frames => frames,
            };
        }
        self.sheet_kind = saved.sheet_kind;
        self.cast.iter_mut().for_each(|cast| cast.choices = saved.cast);
        if let Some(path) = saved.own_path.clone().filter(|_| is_same_file) {
            self.path = path;
            self.has_own_path = true;
        }
        self.options = options;
        self.place_background();
        self.target = saved.target.filter(|_| self.can_convert());
    }
}

impl SavedWhich {
    /// Returns the same animations of `model`, or `None` if it does not have them.
    fn of(&self, model: &Model) -> Option<Which> {
        match self {
            Self::One(Some(name)) => model.find_animation(name).map(|id| Which::One(Some(id))),
            Self::One(None) => None,
            Self::All => (model.animations().len() > 1).then_some(Which::All),
        }
    }
}
