//! The data of the export dialog, which the panel displays and edits, with the threads that draw and write.

pub mod arguments;
pub mod cast;
pub mod contact;
pub mod conversion;
pub mod job;
pub mod panel;
pub mod path;
pub mod preview;
pub mod reduced;
pub mod saved_choices;
pub mod scene;
pub mod scene_file;
pub mod sheet;
pub mod shown_scene;
mod shown_underlay;

use std::ops::RangeInclusive;
use std::path::{Path, PathBuf, absolute};
use std::sync::Arc;
use std::sync::atomic::Ordering;

pub use cast::{Cast, CastChoices};
pub use conversion::{Conversion, targets};
pub use job::{Ended, Job};
pub use path::escaped_braces;
pub use preview::{At, Estimate, Preview, PreviewRequest, Previewer};
pub use saved_choices::SavedChoices;
pub use scene_file::SceneFile;
pub use sheet::SheetEstimate;
pub use shown_scene::ShownScene;

use arguments::skin_arguments;
use saved_choices::Initial;
use shown_underlay::ShownUnderlay;

use crate::base::memo::Shared;
use crate::files::document::Document;
use crate::overlays::underlay::Underlay;
use crate::parts::hidden::patterns;
use crate::playback::Playback;
use crate::playback::physics_choice::choice;
use crate::scene::background::Background;
use pchr::Character;
use pchr::convert;
use pchr::draw::{Antialias, Filter, Hidden, View};
use pchr::export::{
    self, Backend, ContactGrid, Format, Look, Output, RenderOptions, Run, SheetKind, Subject, Template, Written,
    input_name,
};
use pchr::formats::ReadOptions;
use pchr::formats::table::Target;
use pchr::math::{Rect, Vec2};
use pchr::model::{AnimationId, Blend, Model, SkinId};
use pchr::motion::{Motion, first_animation, has_physics, plays_physics, takes_rate};

/// The choices made in the export dialog, and the state of the export.
#[derive(Debug, Default)]
pub struct Export {
    /// All choices except those in the other fields.
    pub options: RenderOptions,
    /// The format that the file is converted to; `None`: pictures are written.
    pub target: Option<&'static Target>,
    /// The chosen animations.
    pub which: Which,
    /// The chosen stored frames.
    pub frames: Frames,
    /// Output path, with placeholders.
    pub path: String,
    /// File type of a sprite sheet.
    pub sheet_kind: SheetKind,
    /// Index of the sheet page shown in the preview.
    pub page: usize,
    /// True if the preview plays.
    pub plays: bool,
    /// How far the export is.
    pub phase: Phase,
    /// Size in bytes of all files that were written last.
    pub written_bytes: u64,
    /// The question about existing files.
    pub question: Question,
    /// Renders the preview.
    pub previewer: Previewer,
    /// The command line that was copied last.
    pub copied: Option<String>,
    /// The scene that was written last.
    scene_file: Option<SceneFile>,
    has_own_path: bool,
    /// What the window suggested when the dialog was opened.
    initial: Initial,
    character: Arc<Character>,
    /// Files that the character was read from.
    sources: Vec<PathBuf>,
    /// The stored frame shown in the window.
    shown_frame: u32,
    /// The active skins of the window.
    skins: Vec<SkinId>,
    /// What the window shows beside the animation.
    pub shown: ShownScene,
    /// The picture behind the character in the window.
    underlay: Option<ShownUnderlay>,
    /// The characters that can share a contact sheet, if there are several.
    pub cast: Option<Cast>,
}

/// A choice of animations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Which {
    /// One animation; `None` is the bind pose of a character without animations.
    One(Option<AnimationId>),
    /// All animations except bind poses.
    All,
}

impl Default for Which {
    fn default() -> Self {
        Self::One(None)
    }
}

/// A choice of stored frames.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Frames {
    /// All frames.
    #[default]
    All,
    /// The frame shown in the window.
    Shown,
    /// Every `step`th frame from `first` to `last`, inclusive.
    Range {
        /// Index of the first frame.
        first: u32,
        /// Index of the last frame.
        last: u32,
        /// Distance between frames.
        step: u32,
    },
}

impl Frames {
    /// Returns every frame of `range`.
    pub fn of_range(range: RangeInclusive<u32>) -> Self {
        Self::Range { first: *range.start(), last: *range.end(), step: 1 }
    }
}

/// The phase of an export.
#[derive(Debug, Default)]
pub enum Phase {
    /// The user is choosing.
    #[default]
    Choosing,
    /// Files are being written.
    Running(Job),
    /// The export has ended; the user can choose again.
    Ended(Ended),
}

/// The question whether to replace existing files.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Question {
    /// The time at which it was first shown, in egui seconds; `None` if not shown yet.
    pub asked_at: Option<f64>,
    /// True if the export was started with the keyboard.
    pub by_key: bool,
}

/// What the window shows when the dialog is opened.
#[derive(Debug)]
pub struct Shown<'a> {
    /// The file.
    pub document: &'a Document,
    /// How it was read.
    pub read: ReadOptions,
    /// The shown instant.
    pub playback: &'a Playback,
    /// What is not drawn.
    pub hidden: &'a Hidden,
    /// The background.
    pub background: Background,
    /// The picture behind the character.
    pub underlay: Option<&'a Underlay>,
    /// Sampling of textures.
    pub filter: Filter,
    /// Antialiasing; `None`: automatic.
    pub antialias: Option<Antialias>,
    /// The visible part of the world.
    pub view: Option<View>,
    /// The characters on the stage, or in the gallery.
    pub cast: Option<Cast>,
    /// The stage, if several characters are on it.
    pub stage: Option<Staged>,
}

/// Several characters on a stage.
#[derive(Debug)]
pub struct Staged {
    /// What each shows, and where, what is hidden, and the forces.
    pub subject: Subject,
    /// All of them.
    pub character: Arc<Character>,
    /// Files that they were read from.
    pub sources: Vec<PathBuf>,
    /// The origin of the shown character on the stage.
    pub place: Vec2,
}

impl Export {
    /// Returns the initial dialog, or `None` if no character is loaded.
    pub fn new(shown: Shown<'_>, saved: Option<&SavedChoices>) -> Option<Self> {
        let Shown { document, playback, .. } = shown;
        let character = Arc::clone(&document.loaded()?.character);
        let (speed, main) = (playback.animator.speed() as f32, scene::main(&playback.animator));
        let mut read = shown.read;
        // The command line would reject a rate that has no effect.
        read.fps = read.fps.filter(|_| takes_rate(&character));
        let [meshes, hidden_meshes] = patterns(shown.hidden, character.model());
        let subject = Subject {
            files: vec![document.path().to_owned()],
            physics: playback.chosen_physics(),
            meshes,
            hidden_meshes,
            // Exports cannot run backwards.
            speed: if speed > 0.0 { speed } else { 1.0 },
            ..Subject::default()
        };
        let look = Look {
            background: match shown.background {
                Background::Checker => export::Background::Transparent,
                Background::Color([r, g, b]) => export::Background::Color([r, g, b, 255]),
            },
            filter: shown.filter,
            antialias: shown.antialias,
            // Writes the same bytes wherever the command line runs.
            backend: Backend::Cpu,
            ..Look::default()
        };
        let output = Output { format: Some(Format::Gif), ..Output::default() };
        let options = RenderOptions { subject, read, look, output };
        let export = Self {
            which: Which::One(main.animation()),
            frames: playback.range().map_or(Frames::All, Frames::of_range),
            plays: playback.animator.is_playing(),
            sources: sources(document),
            shown_frame: main.frame(),
            skins: playback.animator.skins().to_vec(),
            shown: ShownScene::of(playback, shown.view),
            underlay: shown.underlay.map(ShownUnderlay::of),
            cast: shown.cast,
            options,
            character,
            ..Self::default()
        };
        Some(match shown.stage {
            Some(stage) => export.of_stage(stage).begun(saved),
            None => export.begun(saved),
        })
    }

    /// Exports all characters on the stage instead of the shown one.
    fn of_stage(mut self, stage: Staged) -> Self {
        let Staged { subject, character, sources, place } = stage;
        let Subject { files, speed, .. } = self.options.subject;
        self.options.subject = Subject { files, speed, ..subject };
        let seconds = self.shown.main_seconds;
        self.which = Which::One(character.model().default_animation());
        self.frames = Frames::All;
        self.shown_frame = character.model().animations().first().map_or(0, |it| it.position_at(seconds) as u32);
        let view =
            self.shown.view.map(|(Rect { min, max }, size)| (Rect { min: min + place, max: max + place }, size));
        self.shown = ShownScene::default();
        (self.shown.seconds, self.shown.view) = (Some(seconds), view);
        (self.character, self.sources, self.skins) = (character, sources, Vec::new());
        self
    }

    /// Returns true if several characters are exported in one picture.
    pub fn has_stage(&self) -> bool {
        !self.options.subject.stage.is_empty()
    }

    /// Returns the initial dialog of a gallery, which shows no character.
    pub fn of_gallery(cast: Cast, saved: Option<&SavedChoices>) -> Self {
        let mut options = RenderOptions { read: cast.read.clone(), ..RenderOptions::default() };
        options.look.backend = Backend::Cpu;
        let mut export = Self { options, cast: Some(cast), ..Self::default() }.begun(saved);
        export.choose_contact_sheet();
        let choices = CastChoices { is_chosen: true, one_frame: true, ..CastChoices::default() };
        export.cast.iter_mut().for_each(|cast| cast.choices = choices);
        export.complete_path();
        export
    }

    fn begun(mut self, saved: Option<&SavedChoices>) -> Self {
        self.initial = Initial::of(&self);
        if let Some(saved) = saved {
            self.restore(saved);
        }
        self.complete_path();
        self
    }

    /// Chooses a contact sheet.
    pub fn choose_contact_sheet(&mut self) {
        /// Columns of a new one.
        const USUAL: u32 = 6;
        self.options.output.format = Some(Format::Png);
        self.options.output.contact_sheet.get_or_insert(ContactGrid::new(USUAL, None));
        self.target = None;
    }

    /// Returns true if no character is shown, but a gallery.
    pub fn is_of_gallery(&self) -> bool {
        self.options.subject.files.is_empty()
    }

    /// Returns the characters of the sheet, if one of several characters is chosen.
    pub fn chosen_cast(&self) -> Option<&Cast> {
        let is_sheet = self.target.is_none() && self.options.contact_sheet().is_some();
        self.cast.as_ref().filter(|cast| is_sheet && cast.choices.is_chosen)
    }

    /// Returns the exported model.
    pub fn model(&self) -> &Model {
        self.character.model()
    }

    /// Returns true if the character has physics.
    pub fn has_physics(&self) -> bool {
        has_physics(&self.character)
    }

    /// Returns true if the character has physics and the export simulates it.
    pub fn plays_physics(&self) -> bool {
        plays_physics(&self.character, self.options.subject.physics)
    }

    /// Enables or disables physics.
    pub fn set_physics(&mut self, is_on: bool) {
        self.options.subject.physics = choice(&self.character, is_on);
    }

    /// Returns true if the character has additive slots.
    pub fn has_additive_slots(&self) -> bool {
        self.model().slots().iter().any(|slot| slot.blend == Blend::Additive)
    }

    /// Returns true if one picture shows several frames: on a sprite sheet or a contact sheet.
    pub fn is_sheet(&self) -> bool {
        self.options.format() == Format::Sheet || self.options.contact_sheet().is_some()
    }

    /// Returns true during an export.
    pub fn is_running(&self) -> bool {
        matches!(self.phase, Phase::Running(_))
    }

    /// Returns the folder of the files that were written last, or `None` if none were.
    pub fn folder(&self) -> Option<PathBuf> {
        let Phase::Ended(Ended::Written(Written { files, .. }) | Ended::Converted { files, .. }) = &self.phase
        else {
            return None;
        };
        absolute(files.first()?).ok()?.parent().map(Path::to_owned)
    }

    /// Returns the number of stored frames to choose from; 0 if all pictures are the same.
    pub fn frame_count(&self) -> u32 {
        let count = |id: AnimationId| self.model().animation(id).frame_count();
        self.animations().into_iter().map(count).min().unwrap_or(0)
    }

    /// Returns the chosen animations.
    pub fn animations(&self) -> Vec<AnimationId> {
        match self.which {
            Which::One(id) => id.into_iter().collect(),
            Which::All => self.model().motions().collect(),
        }
    }

    /// Returns the conversion to the chosen format, or `None` if pictures are written.
    pub fn conversion(&self) -> Option<Conversion> {
        let to = self.target?;
        let keeps_skins = convert::keeps_skins(&self.character, to);
        Some(Conversion {
            source: self.file().to_owned(),
            output: PathBuf::from(&self.path),
            to,
            skins: if keeps_skins { Vec::new() } else { skin_arguments(&self.character, &self.skins) },
            read: self.options.read.clone(),
            force: self.options.output.force,
        })
    }

    /// Returns the target that is suggested: the newest version of Spine for a Spine character, else the first.
    pub fn usual_target(&self) -> Option<&'static Target> {
        let is_spine = matches!(self.character.motion(), Motion::Spine(_));
        let is_usual = |target: &&Target| !is_spine || convert::keeps_skins(&self.character, target);
        targets().find(is_usual)
    }

    /// Returns the extensions that a file of the chosen format may have.
    pub fn extensions(&self) -> Vec<&'static str> {
        match self.target {
            Some(to) => vec![to.extension],
            None => self.options.format().extensions().to_vec(),
        }
    }

    /// Returns true if the file can be converted: a character from standard input cannot be read again.
    pub fn can_convert(&self) -> bool {
        self.file() != Path::new("-") && !self.has_stage()
    }

    fn file(&self) -> &Path {
        self.options.subject.files.first().map_or(Path::new("-"), |file| file.as_path())
    }

    /// Returns the preview to show, `seconds` after an arbitrary start.
    pub fn preview_request(&self, seconds: f64) -> PreviewRequest {
        let rate = self.previewer.answer().and_then(|answer| answer.estimate.ok()).map_or(0.0, |it| it.rate);
        let is_sheet = self.is_sheet();
        let at = match self.plays {
            _ if is_sheet => At::Page(self.page),
            true => At::Index((seconds * rate).max(0.0) as usize),
            false => At::Frame(self.shown_frame),
        };
        // The output path does not affect the picture.
        let mut options = self.wanted();
        options.output = Output { format: Some(options.format()), path: None, force: false, ..options.output };
        PreviewRequest {
            character: Shared::of(&self.character),
            options,
            animations: self.animations(),
            skins: self.skins.clone(),
            is_cast: self.chosen_cast().is_some(),
            by_animation: is_sheet && self.path.parse().is_ok_and(|name: Template| name.names_animation()),
            at,
        }
    }

    /// Updates the dialog after a choice has changed: the path follows, and old questions and results are cleared.
    pub fn changed(&mut self) {
        self.complete_path();
        self.forget();
    }

    /// Updates the dialog after the user has edited the path.
    pub fn typed_path(&mut self) {
        self.has_own_path = true;
        self.follow_kind();
        self.forget();
    }

    /// Derives the sheet's file type from the path.
    fn follow_kind(&mut self) {
        if self.options.format() == Format::Sheet
            && let Some(kind) = SheetKind::of_path(Path::new(&self.path))
        {
            self.sheet_kind = kind;
        }
    }

    /// Sets the path chosen in the system's dialog. That dialog may or may not have asked before replacing a file,
    /// so this one asks again.
    pub fn choose_path(&mut self, path: &str) {
        // Keep suggested placeholders; treat other braces as part of the name.
        let is_literal = self.target.is_some() || path.parse::<Template>().is_ok();
        self.path = if is_literal { path.to_owned() } else { escaped_braces(path) };
        self.has_own_path = true;
        self.follow_kind();
        self.changed();
    }

    /// Starts the export.
    pub fn start(&mut self) {
        self.question = Question::default();
        let mut options = self.wanted();
        // The preview may have read another picture under this name.
        options.look.background.forget();
        let job = if let Some(conversion) = self.conversion() {
            Job::start(move |job| conversion.run(|| job.cancelled.load(Ordering::Relaxed)))
        } else if self.chosen_cast().is_some() {
            Job::start(move |job| cast::write(&options, &job.cancelled, |total| job.set_total(total), job).into())
        } else {
            let (character, animations) = (Arc::clone(&self.character), self.animations());
            let (skins, sources) = (self.skins.clone(), self.sources.clone());
            Job::start(move |job| {
                let (character, animations, skins, sources) = (&*character, &animations, &skins, &sources);
                let run =
                    Run { character, options: &options, animations, skins, sources, cancelled: &job.cancelled };
                run.write(|total| job.set_total(total), job).into()
            })
        };
        self.phase = Phase::Running(job);
    }

    /// Starts the export and replaces existing files.
    pub fn replace(&mut self) {
        self.options.output.force = true;
        self.start();
    }

    /// Checks whether the export has ended.
    pub fn poll(&mut self) {
        if let Phase::Running(job) = &mut self.phase
            && let Some(ended) = job.ended()
        {
            if let Ended::Written(Written { files, .. }) | Ended::Converted { files, .. } = &ended {
                let sizes = files.iter().filter_map(|file| file.metadata().ok());
                self.written_bytes = sizes.map(|file| file.len()).sum();
                // The next export asks again.
                self.options.output.force = false;
            }
            self.phase = Phase::Ended(ended);
        }
    }

    fn forget(&mut self) {
        self.options.output.force = false;
        if let Phase::Ended(_) = self.phase {
            self.phase = Phase::Choosing;
        }
    }

    /// Replaces the character after the file was reloaded. Animations and skins are matched by name.
    pub fn set_character(&mut self, character: Arc<Character>, sources: Vec<PathBuf>) {
        if Arc::ptr_eq(&self.character, &character) {
            return;
        }
        if let Which::One(id) = self.which {
            let name = id.map(|id| self.model().animation(id).name.clone());
            let same = name.and_then(|name| character.model().find_animation(&name));
            let work = self.options.read.limits.first_picture_work();
            self.which = Which::One(same.or_else(|| first_animation(&character, work)));
        }
        let names = self.skins.iter().map(|&id| self.model().skin(id).name.to_string());
        self.skins = names.filter_map(|name| character.model().find_skin(&name)).collect();
        (self.character, self.sources) = (character, sources);
        self.changed();
    }
}

/// Returns the files that a document was read from.
pub fn sources(document: &Document) -> Vec<PathBuf> {
    document.files().map(Path::to_owned).collect()
}

#[cfg(test)]
pub mod tests;
