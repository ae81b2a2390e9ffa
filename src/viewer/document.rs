//! One file of the list: its character as last read successfully, and its current error.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bytes::Bytes;

use super::backdrop::Tones;
use super::hidden::HiddenNames;
use super::selection::ByName;
use super::view::Camera;
use crate::character::Character;
use crate::diagnostics::Diagnostics;
use crate::draw::Filter;
use crate::error::{Error, Result, escaped};
use crate::formats::{self, Input, ReadOptions, RecordedSidecars};
use crate::limits::Limits;
use crate::math::Rect;
use crate::model::{AnimationId, SkinId};
use crate::motion::{Cue, Dynamics, Evaluator, PoseWork, Position, has_physics};
use crate::pose::{self, Pose};

/// One file of the list. It is read when it is first shown.
#[derive(Debug)]
pub struct Document {
    path: PathBuf,
    /// Bytes of standard input or another pipe, which cannot be read twice.
    piped: Option<Bytes>,
    /// The user named it on the command line, so it may be a pipe.
    may_be_pipe: bool,
    loaded: Option<Loaded>,
    error: Option<Error>,
    is_expired: bool,
    /// The other files that were read with it.
    sidecars: Vec<PathBuf>,
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
    pub tones: Option<Tones>,
}

/// The user's place in a file. Uses names, so that it remains valid when the file changes.
#[derive(Debug, Clone, PartialEq)]
pub struct Place {
    /// The animation's name; `None`: the bind pose.
    pub animation: Option<String>,
    /// Stored frames from the first.
    pub position: f64,
    /// The active skins, in order.
    pub skins: Vec<String>,
    /// The camera.
    pub camera: Camera,
    /// The selected part.
    pub selected: Option<ByName>,
    /// What is hidden.
    pub hidden: HiddenNames,
}

impl Document {
    /// Creates an entry for a file without reading it.
    pub fn new(path: PathBuf) -> Self {
        Self {
            path,
            piped: None,
            may_be_pipe: false,
            loaded: None,
            error: None,
            is_expired: true,
            sidecars: Vec::new(),
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

    /// Reads the file again. If that fails, the old character is kept.
    pub fn load(&mut self, options: &ReadOptions) {
        self.is_expired = false;
        let mut diagnostics = Diagnostics::default();
        match self.read(options, &mut diagnostics) {
            Ok(character) => {
                let character = Arc::new(character);
                self.loaded = Some(Loaded {
                    character,
                    diagnostics,
                    content: Vec::new(),
                    worn: Vec::new(),
                    swings: false,
                    tones: None,
                });
                self.error = None;
            }
            Err(error) => self.error = Some(error),
        }
    }

    fn read(&mut self, options: &ReadOptions, diagnostics: &mut Diagnostics) -> Result<Character> {
        if !self.is_piped() {
            let sidecars = RecordedSidecars::of(&self.path);
            let read = self.bytes(&options.limits).and_then(|bytes| {
                formats::from_input(&Input { bytes, sidecars: &sidecars }, options, diagnostics)
            });
            self.sidecars = sidecars.files(&self.path, options);
            return read.map_err(|error| error.in_file(self.path.display()));
        }
        let name = self.name();
        let bytes = self.bytes(&options.limits)?;
        let sidecars = RecordedSidecars::none();
        let read = formats::from_input(&Input { bytes, sidecars: &sidecars }, options, diagnostics);
        self.sidecars = sidecars.files(&self.path, options);
        read.map_err(|error| error.in_file(name))
    }

    /// Reads the bytes of the file. A file that was replaced by a pipe or a device is an error: reading could
    /// block forever.
    fn bytes(&mut self, limits: &Limits) -> Result<Bytes> {
        let may_be_pipe = std::mem::take(&mut self.may_be_pipe);
        if let Some(bytes) = &self.piped {
            return Ok(bytes.clone());
        }
        let bytes = if self.is_piped() {
            read_stdin(limits)?
        } else if may_be_pipe && formats::is_pipe_or_device(&self.path) {
            formats::load(&self.path, limits)?
        } else {
            return formats::load_regular(&self.path, limits);
        };
        Ok(self.piped.insert(bytes).clone())
    }
}

fn read_stdin(limits: &Limits) -> Result<Bytes> {
    formats::read_limited(io::stdin().lock(), 0, limits).map_err(|error| error.in_file("standard input"))
}

impl Loaded {
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
        let content = extent(&self.character, animation, skins, swings, work);
        self.content.push((animation, content));
        content
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
    let mut extent = Rect::NOTHING;
    for look in 0..looks {
        let frame = (u64::from(look) * u64::from(frame_count) / u64::from(looks)) as u32;
        let position = Position::frame(frame);
        let cue = Cue { animation, position, skins: skins.to_vec(), ..Cue::default() };
        evaluator.evaluate(character, &cue, &mut pose);
        pose::palette(model, &pose, &mut palette);
        extent = extent.union(pose::bounds(model, &pose, &palette));
    }
    extent
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

    #[test]
    fn a_file_replaced_by_a_pipe_is_an_error_without_waiting() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("knight.pchr");
        fs::copy("assets/paper-knight.pchr", &path).unwrap();
        for mut document in [Document::new(path.clone()), Document::named(path.clone())] {
            document.load(&ReadOptions::default());
            assert!(document.loaded().is_some() && document.error().is_none());
            let aside = folder.path().join("aside");
            fs::rename(&path, &aside).unwrap();
            mkfifo(&path, Mode::S_IRWXU).unwrap();
            document.load(&ReadOptions::default());
            assert!(document.error().unwrap().contains("this is a pipe or a device"), "{:?}", document.error());
            assert!(document.loaded().is_some(), "the old character is kept");
            fs::rename(aside, &path).unwrap();
            document.load(&ReadOptions::default());
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
            document.load(&ReadOptions::default());
            assert!(document.loaded().is_some() && document.error().is_none());
        }
        writer.join().unwrap().unwrap();
        // A file that was dropped on the window is not waited for.
        let mut document = Document::new(path);
        document.load(&ReadOptions::default());
        assert!(document.loaded().is_none() && document.error().is_some());
    }
}
