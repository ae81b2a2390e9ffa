//! The export dialog's choices: data that the panel shows and changes, with what draws and writes behind it.

mod job;
mod kept;
mod path;
mod preview;
mod sheet;

use std::path::{Path, PathBuf};
use std::sync::Arc;

pub use job::{Ended, Job};
pub use kept::Kept;
pub use path::{Needs, completed, escaped, suggested};
pub use preview::{At, Estimate, Preview, Previewer, Wish};
pub use sheet::SheetEstimate;

use kept::Initial;

use super::Background;
use super::document::Document;
use super::state::State;
use crate::character::Character;
use crate::export::{
    self, Backend, Format, FrameSpec, Look, NO_SKIN, Output, RenderOptions, SheetKind, Subject, Template,
};
use crate::model::{AnimationId, Blend, Model, SkinId};
use crate::motion::{has_physics, sole_skin, takes_rate};

/// Everything that is chosen in the dialog, and how far the export is.
#[derive(Debug)]
pub struct Export {
    /// What is chosen beside what stands below.
    pub options: RenderOptions,
    /// Which animations.
    pub which: Which,
    /// Which stored frames of them.
    pub frames: Frames,
    /// Where it goes, with places to fill in.
    pub path: String,
    /// What kind of file a sheet is written to.
    pub sheet_kind: SheetKind,
    /// The page of a sheet that the preview shows, counted from 0.
    pub page: usize,
    /// The preview plays.
    pub plays: bool,
    /// How far it is.
    pub stage: Stage,
    /// The question about existing files.
    pub question: Question,
    /// Draws the preview.
    pub previewer: Previewer,
    /// The command line that was copied last.
    pub copied: Option<String>,
    has_own_path: bool,
    /// What the window suggested when it was opened.
    initial: Initial,
    character: Arc<Character>,
    /// The files that it was read from.
    sources: Vec<PathBuf>,
    /// The stored frame that the window shows.
    shown_frame: u32,
    /// The skins that it wears in the window.
    skins: Vec<SkinId>,
}

/// Which animations are exported.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Which {
    /// This one; `None`: the bind pose of a character without any.
    One(Option<AnimationId>),
    /// All that move.
    All,
}

/// Which stored frames are exported.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Frames {
    /// All.
    All,
    /// The one that the window shows.
    Shown,
    /// Some from the first to the last, which are among them.
    Range {
        /// The first.
        first: u32,
        /// The last.
        last: u32,
        /// The distance from each to the next.
        step: u32,
    },
}

/// How far an export is.
#[derive(Debug)]
pub enum Stage {
    /// The user chooses.
    Choosing,
    /// It is written.
    Running(Job),
    /// It is over; the user may choose again.
    Ended(Ended),
}

/// The question whether existing files are replaced.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Question {
    /// When it was first shown, in egui's seconds; `None` before.
    pub asked_at: Option<f64>,
    /// The export was started with the keyboard.
    pub by_key: bool,
}

impl State {
    /// Opens the dialog for what is shown, with the choices that were made the last time as far as they apply.
    pub fn open_export(&mut self) {
        self.export = Export::new(self).map(Box::new);
        if self.export.is_none() {
            self.complain("There is nothing to export");
        }
    }

    /// Closes the dialog and remembers its choices. While files are written it stays open: that has its own button.
    pub fn close_export(&mut self) {
        if let Some(export) = self.export.take_if(|export| !export.is_running()) {
            self.kept_export = Some(export.kept());
        }
    }

    /// The user has named the file of the export.
    pub fn name_export(&mut self, path: &Path) {
        match (&mut self.export, path.to_str()) {
            (Some(export), Some(path)) if !export.is_running() => export.choose_path(path),
            (Some(_), None) => self.complain(format!("{} cannot be written down as text", path.display())),
            (Some(_) | None, _) => {}
        }
    }

    /// Keeps the dialog with what is shown: it is opened for another file, and stays for one that was read again.
    pub fn follow_export(&mut self) {
        let Some(export) = &self.export else { return };
        if matches!(export.stage, Stage::Running(_)) {
            return;
        }
        let is_same = self.current().is_some_and(|document| {
            export.options.subject.files.first().map(|file| file.as_path()) == Some(document.path())
        });
        let character = self.loaded().map(|loaded| Arc::clone(&loaded.character));
        let sources = self.current().map(sources).unwrap_or_default();
        match (&mut self.export, character) {
            (Some(export), Some(character)) if is_same => export.set_character(character, sources),
            (_, Some(_)) => {
                self.close_export();
                self.open_export();
            }
            (_, None) => self.close_export(),
        }
    }
}

impl Export {
    /// The dialog as it begins; `None` where there is no character.
    fn new(state: &State) -> Option<Self> {
        let document = state.current()?;
        let character = Arc::clone(&document.loaded()?.character);
        let speed = state.animator.speed() as f32;
        let mut read = state.read_options().clone();
        // The command line would refuse a rate that says nothing.
        read.fps = read.fps.filter(|_| takes_rate(&character));
        let subject = Subject {
            files: vec![document.path().to_owned()],
            physics: state.physics,
            // Backwards nothing is written.
            speed: if speed > 0.0 { speed } else { 1.0 },
            ..Subject::default()
        };
        let look = Look {
            background: match state.background {
                Background::Checker => export::Background::Transparent,
                Background::Color([r, g, b]) => export::Background::Color([r, g, b, 255]),
            },
            filter: state.filter,
            antialias: state.antialias,
            // The same bytes wherever the command line is run.
            backend: Backend::Cpu,
            ..Look::default()
        };
        let output = Output { format: Some(Format::Gif), ..Output::default() };
        let options = RenderOptions { subject, read, look, output };
        let mut export = Self {
            options,
            which: Which::One(state.animator.playback(0).animation()),
            frames: Frames::All,
            path: String::new(),
            sheet_kind: SheetKind::default(),
            page: 0,
            plays: state.animator.is_playing(),
            stage: Stage::Choosing,
            question: Question::default(),
            previewer: Previewer::start(),
            copied: None,
            has_own_path: false,
            initial: Initial::default(),
            character,
            sources: sources(document),
            shown_frame: state.animator.playback(0).frame(),
            skins: state.animator.skins().to_vec(),
        };
        export.initial = Initial::of(&export);
        if let Some(kept) = &state.kept_export {
            export.recall(kept);
        }
        export.complete_path();
        Some(export)
    }

    /// The model that is exported.
    pub fn model(&self) -> &Model {
        self.character.model()
    }

    /// Whether something of it can swing.
    pub fn has_physics(&self) -> bool {
        has_physics(&self.character)
    }

    /// Whether anything of it can add light to what is below it.
    pub fn has_additive_slots(&self) -> bool {
        self.model().slots().iter().any(|slot| slot.blend == Blend::Additive)
    }

    /// True while it is written.
    pub fn is_running(&self) -> bool {
        matches!(self.stage, Stage::Running(_))
    }

    /// Stored frames that can be chosen from; 0 where every picture is the same.
    pub fn frame_count(&self) -> u32 {
        let count = |id: AnimationId| self.model().animation(id).frame_count();
        self.animations().into_iter().map(count).min().unwrap_or(0)
    }

    /// The animations that are chosen.
    pub fn animations(&self) -> Vec<AnimationId> {
        match self.which {
            Which::One(id) => id.into_iter().collect(),
            Which::All => self.model().motions().collect(),
        }
    }

    /// Everything that is chosen, as the command line would have it.
    pub fn wanted(&self) -> RenderOptions {
        let model = self.model();
        let animations = match self.which {
            Which::One(id) => id.map(|id| argument(model, id)).into_iter().collect(),
            // An animation of that name would be meant.
            Which::All if model.find_animation("all").is_some() => {
                model.motions().map(|id| argument(model, id)).collect()
            }
            Which::All => vec!["all".to_owned()],
        };
        let mut options = self.options.clone();
        options.subject.animations = animations;
        options.subject.skins = skin_arguments(&self.character, &self.skins);
        options.subject.frames = self.frame_spec();
        options.subject.physics &= self.has_physics();
        options.output.path = Some(self.path.clone());
        options.relevant()
    }

    /// The frames that are chosen; `None` where that goes without saying.
    fn frame_spec(&self) -> Option<FrameSpec> {
        let is_animated = self.options.format().takes_all_frames();
        match self.frames {
            // Nothing is stored, or no more than what is usual.
            _ if self.frame_count() == 0 => None,
            Frames::All if is_animated => None,
            Frames::All => Some(FrameSpec::All),
            Frames::Shown if self.shown_frame == 0 && !is_animated => None,
            Frames::Shown => Some(FrameSpec::one(self.shown_frame)),
            Frames::Range { first, last, step } => Some(FrameSpec::range(first, last, step)),
        }
    }

    /// What to show of it, `seconds` after some beginning.
    pub fn wish(&self, seconds: f64) -> Wish {
        let rate = self.previewer.answer().and_then(|answer| answer.estimate.ok()).map_or(0.0, |it| it.rate);
        let is_sheet = self.options.format() == Format::Sheet;
        let at = match self.plays {
            _ if is_sheet => At::Page(self.page),
            true => At::Index((seconds * rate).max(0.0) as usize),
            false => At::Frame(self.shown_frame),
        };
        // What it is called changes nothing of how it looks.
        let mut options = self.wanted();
        options.output = Output { format: Some(options.format()), path: None, force: false, ..options.output };
        Wish {
            character: Arc::clone(&self.character),
            options,
            animations: self.animations(),
            skins: self.skins.clone(),
            by_animation: is_sheet && self.path.parse().is_ok_and(|name: Template| name.names_animation()),
            at,
        }
    }

    /// The choices have changed: the name follows, and what was asked or told of others is over.
    pub fn changed(&mut self) {
        self.complete_path();
        self.forget();
    }

    /// The user has written another name.
    pub fn typed_path(&mut self) {
        self.has_own_path = true;
        self.follow_kind();
        self.forget();
    }

    /// The name says what kind of sheet is written.
    fn follow_kind(&mut self) {
        if self.options.format() == Format::Sheet
            && let Some(kind) = SheetKind::of_path(Path::new(&self.path))
        {
            self.sheet_kind = kind;
        }
    }

    /// The user has chosen a file in the system's dialog. Whether that has asked before something is replaced
    /// nobody knows, so this dialog does.
    pub fn choose_path(&mut self, path: &str) {
        // Places that were suggested are filled in as before, other braces are part of the name.
        self.path = if path.parse::<Template>().is_ok() { path.to_owned() } else { escaped(path) };
        self.has_own_path = true;
        self.follow_kind();
        self.changed();
    }

    /// Begins to write.
    pub fn start(&mut self) {
        self.question = Question::default();
        let character = Arc::clone(&self.character);
        let job =
            Job::start(character, self.wanted(), self.animations(), self.skins.clone(), self.sources.clone());
        self.stage = match job {
            Ok(job) => Stage::Running(job),
            Err(error) => Stage::Ended(Ended::Failed(format!("no thread could be started: {error}"))),
        };
    }

    /// Begins to write, over what is there.
    pub fn replace(&mut self) {
        self.options.output.force = true;
        self.start();
    }

    /// Looks how far it is.
    pub fn poll(&mut self) {
        if let Stage::Running(job) = &self.stage
            && let Some(ended) = job.ended()
        {
            if let Ended::Written(_) = ended {
                // The next time it is something else that is written over.
                self.options.output.force = false;
            }
            self.stage = Stage::Ended(ended);
        }
    }

    fn forget(&mut self) {
        self.options.output.force = false;
        if let Stage::Ended(_) = self.stage {
            self.stage = Stage::Choosing;
        }
    }

    fn complete_path(&mut self) {
        self.complete_name();
        if self.options.format() == Format::Sheet {
            self.path = path::of_kind(&self.path, self.sheet_kind);
        }
        // Input files are never overwritten.
        if !self.has_own_path && self.sources.iter().any(|source| source.as_path() == Path::new(&self.path)) {
            self.path = path::renamed(&self.path);
        }
    }

    fn complete_name(&mut self) {
        let is_several = match self.frames {
            Frames::All => self.animations().iter().any(|&id| self.model().animation(id).frame_count() > 1),
            Frames::Shown => false,
            Frames::Range { first, last, step } => last.saturating_sub(first) >= step.max(1),
        };
        let format = self.options.format();
        let needs = Needs {
            // A sheet takes them all.
            animation: self.animations().len() > 1 && format != Format::Sheet,
            frame: !format.takes_all_frames() && is_several,
        };
        if self.has_own_path {
            self.path = completed(&self.path, format, needs);
            return;
        }
        let name = match self.which {
            Which::One(Some(id)) => Some(self.model().animation(id).name.as_str()),
            Which::One(None) | Which::All => None,
        };
        let file = self.options.subject.files.first().map(|file| file.as_path()).unwrap_or(Path::new(""));
        self.path = suggested(file, name, format, needs);
    }

    /// The file was read again: what is called the same is chosen still.
    fn set_character(&mut self, character: Arc<Character>, sources: Vec<PathBuf>) {
        if Arc::ptr_eq(&self.character, &character) {
            return;
        }
        if let Which::One(id) = self.which {
            let name = id.map(|id| self.model().animation(id).name.clone());
            let same = name.and_then(|name| character.model().find_animation(&name));
            self.which = Which::One(same.or_else(|| character.model().default_animation()));
        }
        let names = self.skins.iter().map(|&id| self.model().skin(id).name.to_string());
        self.skins = names.filter_map(|name| character.model().find_skin(&name)).collect();
        (self.character, self.sources) = (character, sources);
        self.changed();
    }
}

/// The files that a character is read from.
fn sources(document: &Document) -> Vec<PathBuf> {
    document.files().map(Path::to_owned).collect()
}

/// What names an animation on the command line: its name, or its place where the name would be taken for others.
fn argument(model: &Model, id: AnimationId) -> String {
    let name = &model.animation(id).name;
    named(name, model.find_animation(name) == Some(id), id.index())
}

/// What `--skin` says for the skins that are worn. One that would be worn by default has to be taken off.
fn skin_arguments(character: &Character, worn: &[SkinId]) -> Vec<String> {
    if worn.is_empty() && sole_skin(character).is_some() {
        return vec![NO_SKIN.to_owned()];
    }
    worn.iter().map(|&id| skin_argument(character.model(), id)).collect()
}

/// What names a skin on the command line.
fn skin_argument(model: &Model, id: SkinId) -> String {
    let name = &model.skin(id).name;
    named(name, model.find_skin(name) == Some(id), id.index())
}

fn named(name: &str, is_found: bool, index: usize) -> String {
    let is_readable = !name.is_empty() && !name.chars().any(char::is_control);
    if is_readable && is_found { name.to_owned() } else { format!("#{index}") }
}
