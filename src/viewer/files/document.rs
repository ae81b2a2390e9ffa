//! One file of the list: its character as last read successfully, and its current error.

use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use super::loading::pipe::Pipe;
use super::loading::read::{Outcome, Source};
use crate::Character;
use crate::diagnostics::Diagnostics;
use crate::draw::Filter;
use crate::error::{Error, escaped};
use crate::formats;
use crate::limits::Limits;
use crate::math::Rect;
use crate::model::{AnimationId, SkinId};
use crate::motion::{Cue, Dynamics, Evaluator, PoseWork, Position, has_physics};
use crate::pose::{self, Extent, Pose};
use crate::viewer::compare::names::Names;
use crate::viewer::parts::folding::Folding;
use crate::viewer::parts::hidden::HiddenNames;
use crate::viewer::playback::events::{self, Mark};
use crate::viewer::scene::camera::Camera;
use crate::viewer::scene::checkerboard::Tones;
use crate::viewer::scene::selection::ByName;
use crate::viewer::timeline::TimelinePlace;
use crate::viewer::tracks::saved::SavedTracks;

/// One file of the list. It is read when it is first shown.
#[derive(Debug)]
pub struct Document {
    path: PathBuf,
    /// Standard input or another pipe, which cannot be read twice.
    pipe: Option<Arc<Pipe>>,
    /// The user named it on the command line, so it may be a pipe.
    may_be_pipe: bool,
    loaded: Option<Loaded>,
    error: Option<Error>,
    is_expired: bool,
    /// The other files that were read with it.
    sidecars: Vec<PathBuf>,
    /// The end of its folder that tells it apart from other files of the list with the same name, for display; empty
    /// if it is the only one.
    pub folder: String,
    /// The user's place in it.
    pub place: Option<Place>,
}

/// A file that was read successfully.
#[derive(Debug)]
pub struct Loaded {
    /// The character.
    pub character: Arc<Character>,
    /// The findings.
    pub diagnostics: Diagnostics,
    /// The bounding rectangles of animations that were computed so far, in the skins `worn` and with physics if
    /// `swings`.
    content: Vec<(Option<AnimationId>, Rect)>,
    worn: Vec<SkinId>,
    swings: bool,
    /// The brightness of its first picture, once computed.
    tones: Option<Tones>,
    /// The names of its animations and skins, once needed.
    names: OnceLock<Names>,
    /// The events of an animation, if computed.
    marks: Option<(Option<AnimationId>, Vec<Mark>)>,
    /// Number of these values that were computed after [`Self::finish_preparing`].
    computed_late: Option<u64>,
}

/// The user's place in a file. Uses names, so that it remains valid when the file changes.
#[derive(Debug, Clone, PartialEq)]
pub struct Place {
    /// What played, and where.
    pub tracks: SavedTracks,
    /// The tracks that the user added to the strip.
    pub added_tracks: Vec<usize>,
    /// The frames between the in and out points.
    pub range: Option<RangeInclusive<u32>>,
    /// The active skins, in order.
    pub skins: Vec<String>,
    /// The camera.
    pub camera: Camera,
    /// The selected part.
    pub selected: Option<ByName>,
    /// What is hidden.
    pub hidden: HiddenNames,
    /// What is folded in the tree.
    pub folding: Folding,
    /// What is shown of the timeline.
    pub timeline: TimelinePlace,
}

impl Document {
    /// Creates an entry for a file without reading it.
    pub fn new(path: PathBuf) -> Self {
        Self {
            path,
            pipe: None,
            may_be_pipe: false,
            loaded: None,
            error: None,
            is_expired: true,
            sidecars: Vec::new(),
            folder: String::new(),
            place: None,
        }
    }

    /// Creates an entry for a file named on the command line. It may be a pipe or a device, which is read once.
    pub fn named(path: PathBuf) -> Self {
        Self { may_be_pipe: true, ..Self::new(path) }
    }

    /// Returns the path of the file; `-` for standard input.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns true for standard input.
    pub fn is_piped(&self) -> bool {
        self.path.as_os_str() == "-"
    }

    /// Returns the file's name for display.
    pub fn name(&self) -> String {
        match self.path.file_name() {
            _ if self.is_piped() => "standard input".to_owned(),
            Some(name) => escaped(&name.to_string_lossy()),
            None => self.location(),
        }
    }

    /// Returns the full path for display.
    pub fn location(&self) -> String {
        escaped(&self.path.to_string_lossy())
    }

    /// Returns the character, which is older than the file while [`Self::error`] returns an error.
    pub fn loaded(&self) -> Option<&Loaded> {
        self.loaded.as_ref()
    }

    /// Like [`Self::loaded`], mutable for cached values.
    pub fn loaded_mut(&mut self) -> Option<&mut Loaded> {
        self.loaded.as_mut()
    }

    /// Returns why the last attempt to read the file failed, for display.
    pub fn error(&self) -> Option<String> {
        self.error.as_ref().map(|error| escaped(&error.to_string()))
    }

    /// Returns true if the file has never been read, or has changed since.
    pub fn is_expired(&self) -> bool {
        self.is_expired
    }

    /// Returns the other files that belong to it, whether they exist or not.
    #[cfg(test)]
    pub fn sidecars(&self) -> &[PathBuf] {
        &self.sidecars
    }

    /// Returns the file and the other files that belong to it, whether they exist or not.
    pub fn files(&self) -> impl Iterator<Item = &Path> {
        self.sidecars.iter().map(PathBuf::as_path).chain([self.path()])
    }

    /// Marks the file to be read again when it is next shown.
    pub fn expire(&mut self) {
        self.is_expired = true;
    }

    /// Returns true if it was read, whether with success or not.
    pub fn was_read(&self) -> bool {
        self.loaded.is_some() || self.error.is_some()
    }

    /// Returns where to read it from. A pipe is read from now on.
    pub fn source(&mut self, limits: &Limits) -> Source {
        let is_pipe = std::mem::take(&mut self.may_be_pipe) && formats::is_pipe_or_device(&self.path);
        if self.pipe.is_none() && (is_pipe || self.is_piped()) {
            let path = is_pipe.then(|| self.path.clone());
            self.pipe = Some(Arc::new(Pipe::start(path, limits.clone())));
        }
        Source { path: self.path.clone(), pipe: self.pipe.clone(), name: self.name() }
    }

    /// Takes over what was read. If reading failed, the old character is kept.
    pub fn finish(&mut self, outcome: Outcome) {
        self.is_expired = false;
        self.sidecars = outcome.sidecars;
        match outcome.read {
            Ok(loaded) => {
                self.loaded = Some(*loaded);
                self.error = None;
            }
            Err(error) => {
                self.error = Some(error);
            }
        }
    }
}

impl Loaded {
    /// Wraps a character that was just read.
    pub fn new(character: Arc<Character>, diagnostics: Diagnostics) -> Self {
        Self {
            character,
            diagnostics,
            content: Vec::new(),
            worn: Vec::new(),
            swings: false,
            tones: None,
            names: OnceLock::new(),
            marks: None,
            computed_late: None,
        }
    }

    /// Counts what is computed from now on.
    pub fn finish_preparing(&mut self) {
        self.computed_late = Some(0);
    }

    /// Returns how often something was computed when it was asked for, because it was not prepared.
    #[cfg(test)]
    pub fn computed_late(&self) -> u64 {
        self.computed_late.unwrap_or_default()
    }

    fn count(&mut self) {
        self.computed_late = self.computed_late.map(|count| count + 1);
    }

    /// Maximum number of frames that are evaluated to find the extent of an animation.
    const MAX_LOOKS: u32 = 96;

    /// Returns the bounding rectangle of `animation` in `skins`, in world pixels, with physics if `swings`.
    /// Evaluates as many frames as `work` allows, at least one.
    pub fn content(&mut self, animation: Option<AnimationId>, skins: &[SkinId], swings: bool, work: u64) -> Rect {
        if self.worn != skins || self.swings != swings {
            self.content.clear();
            self.worn = skins.to_vec();
            self.swings = swings;
        }
        if let Some(&(_, content)) = self.content.iter().find(|(of, _)| *of == animation) {
            return content;
        }
        self.count();
        let content = extent(&self.character, animation, skins, swings, work);
        self.content.push((animation, content));
        content
    }

    /// Returns the names of its animations and skins.
    pub fn names(&self) -> &Names {
        self.names.get_or_init(|| Names::of(self.character.model()))
    }

    /// Returns the brightness of its first picture, if it was measured.
    pub fn tones(&self) -> Option<&Tones> {
        self.tones.as_ref()
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

    /// Returns true if every image is so small that it is assumed to be pixel art.
    pub fn is_pixel_art(&self) -> bool {
        let pages = self.character.model().pages();
        let is_small = |page: &crate::model::AtlasPage| page.width.max(page.height) <= Filter::SMALL_PAGE;
        !pages.is_empty() && pages.iter().all(is_small)
    }
}

fn extent(
    character: &Character,
    animation: Option<AnimationId>,
    skins: &[SkinId],
    swings: bool,
    work: u64,
) -> Rect {
    let model = character.model();
    let swings = swings && has_physics(character);
    let frame_count = animation.map_or(1, |id| model.animation(id).frame_count()).max(1);
    let seconds = animation.map_or(0.0, |id| model.animation(id).duration_secs());
    // Each evaluation of a long animation replays it.
    let steps_a_look = if swings && seconds > Dynamics::MAX_REPLAY_SECS {
        Dynamics::MAX_REPLAY_SECS / Dynamics::STEP_SECS
    } else {
        1.0
    };
    let of_look = PoseWork::new(character, skins).of(character, animation).saturating_mul(steps_a_look as u64);
    let affordable = u32::try_from(work / of_look.max(1)).unwrap_or(u32::MAX).max(1);
    let looks = frame_count.min(Loaded::MAX_LOOKS).min(affordable);
    let mut pose = Pose::for_model(model);
    let mut palette = Vec::new();
    let mut evaluator = Evaluator::with_dynamics(swings.then(Dynamics::default));
    let mut extent = Extent::default();
    for look in 0..looks {
        let frame = (u64::from(look) * u64::from(frame_count) / u64::from(looks)) as u32;
        let position = Position::frame(frame);
        let cue = Cue { animation, position, skins: skins.to_vec(), ..Cue::default() };
        evaluator.evaluate(character, &cue, &mut pose);
        pose::palette(model, &pose, &mut palette);
        extent.add(model, &pose, &palette);
    }
    extent.seen()
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::fs::{self, OpenOptions};
    use std::io::Write;
    use std::thread;

    use nix::sys::stat::Mode;
    use nix::unistd::mkfifo;

    use super::*;
    use crate::formats::ReadOptions;
    use crate::progress::Progress;
    use crate::viewer::files::loading::read::{Outlook, Request};

    fn load(document: &mut Document) {
        let options = ReadOptions::default();
        let source = document.source(&options.limits);
        let request = Request { source, options, outlook: Outlook::default() };
        document.finish(request.run(&Arc::new(Progress::default()), || {}));
    }

    #[test]
    fn a_file_replaced_by_a_pipe_is_an_error_without_waiting() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("knight.pchr");
        fs::copy("assets/paper-knight.pchr", &path).unwrap();
        for mut document in [Document::new(path.clone()), Document::named(path.clone())] {
            load(&mut document);
            assert!(document.loaded().is_some() && document.error().is_none());
            let aside = folder.path().join("aside");
            fs::rename(&path, &aside).unwrap();
            mkfifo(&path, Mode::S_IRWXU).unwrap();
            load(&mut document);
            assert!(document.error().unwrap().contains("this is a pipe or a device"), "{:?}", document.error());
            assert!(document.loaded().is_some(), "the old character is kept");
            fs::rename(aside, &path).unwrap();
            load(&mut document);
            assert_eq!(document.error(), None);
        }
    }

    #[test]
    fn a_pipe_on_the_command_line_is_read_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pipe");
        mkfifo(&path, Mode::S_IRWXU).unwrap();
        let bytes = fs::read("assets/paper-knight.pchr").unwrap();
        let to = path.clone();
        let writer = thread::spawn(move || OpenOptions::new().write(true).open(to)?.write_all(&bytes));
        let mut document = Document::named(path.clone());
        for _ in 0..2 {
            load(&mut document);
            assert!(document.loaded().is_some() && document.error().is_none());
        }
        writer.join().unwrap().unwrap();
        // A file that was dropped on the window is not waited for.
        let mut document = Document::new(path);
        load(&mut document);
        assert!(document.loaded().is_none() && document.error().is_some());
    }
}
