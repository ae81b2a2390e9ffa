//! Reads a file and computes what the window needs to show it. Blocking; runs on the thread of a job.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::SystemTime;

use bytes::Bytes;

use super::atlases;
use super::pipe::Pipe;
use crate::scene::checkerboard::Tones;
use crate::scene::loaded::{CoverageNames, Covered, Loaded};
use pchr::diagnostics::Diagnostics;
use pchr::formats::{self, Input, Listings, ReadOptions, RecordedSidecars};
use pchr::model::SkinId;
use pchr::motion::{initial_skins, plays_physics};
use pchr::progress::Progress;
use pchr::{Character, Error, Result};

/// Where a file is read from.
#[derive(Debug, Clone)]
pub struct Source {
    /// Its path; `-` for standard input.
    pub path: PathBuf,
    /// The pipe, if it is one.
    pub pipe: Option<Arc<Pipe>>,
    /// Its name in messages.
    pub name: String,
}

/// The length of a file, and when it was changed.
pub type Stamp = (u64, SystemTime);

/// What to load.
#[derive(Debug, Clone)]
pub struct LoadRequest {
    /// The file.
    pub source: Source,
    /// How to read it.
    pub options: ReadOptions,
    /// How it will be shown.
    pub outlook: Outlook,
}

/// What the window will show of a file, as far as it is known before the file is read. What is computed for it is
/// computed again if it turns out to be wrong.
#[derive(Debug, Clone, Default)]
pub struct Outlook {
    /// The file was shown before, so that no skins are an answer.
    pub was_shown: bool,
    /// The animation to show.
    pub animation: Option<String>,
    /// What the fitted view of the version that is replaced covers.
    pub coverage: CoverageNames,
    /// The brightness of the version that is replaced. A version without its pictures keeps it: they may be written soon.
    pub tones: Option<Tones>,
    /// The skins to show.
    pub skins: Vec<String>,
    /// Whether physics is simulated.
    pub physics: Option<bool>,
    /// Work that each computation may take.
    pub work: u64,
}

/// The result of loading.
#[derive(Debug)]
pub struct Outcome {
    /// The character, or the reason why it cannot be read.
    pub read: Result<Box<Loaded>>,
    /// The state of the file before it was read; `None` for a pipe.
    pub stamp: Option<Stamp>,
    /// The other files that were asked for.
    pub sidecars: Vec<PathBuf>,
    /// Atlases near the file, if it is not certain which one belongs to it.
    pub atlases: Vec<PathBuf>,
    /// It is a folder, not a file.
    pub is_folder: bool,
}

impl Outcome {
    /// Returns the result of a file that could not be read at all.
    pub fn failed(error: Error) -> Self {
        Self { read: Err(error), stamp: None, sidecars: Vec::new(), atlases: Vec::new(), is_folder: false }
    }
}

/// What a file contains.
#[derive(Debug)]
pub struct Contents {
    /// The character, or the reason why it cannot be read.
    pub character: Result<Character>,
    /// The findings.
    pub diagnostics: Diagnostics,
    /// The other files that were asked for.
    pub sidecars: Vec<PathBuf>,
    /// The name of its format, if it is known.
    pub format: Option<&'static str>,
}

impl LoadRequest {
    /// Reads the file and prepares it. `preparing` is called in between.
    pub fn run(mut self, progress: &Arc<Progress>, preparing: impl FnOnce()) -> Outcome {
        // A folder may have changed since the last time.
        self.options.listings = Listings::default();
        let Self { source, options, outlook } = self;
        let stamp = source.stamp();
        let Contents { character, diagnostics, sidecars, .. } = source.read(options.clone(), progress);
        let has_chosen = !options.atlases.is_empty();
        let lacks_atlas = diagnostics.missing_image().is_some_and(|fault| fault.code == "missing-atlas");
        let atlases = if lacks_atlas || has_chosen { atlases::near(&source.path) } else { Vec::new() };
        let is_folder = character.is_err() && source.pipe.is_none() && source.path.is_dir();
        let read = character.and_then(|character| {
            preparing();
            let mut loaded = Box::new(Loaded::new(Arc::new(character), diagnostics));
            loaded.prepare(&outlook, progress)?;
            Ok(loaded)
        });
        Outcome { read, stamp, sidecars, atlases, is_folder }
    }
}

impl Source {
    /// Reads the file, without parts of animations that have errors. Blocking, but no longer than regular files and the pipe block.
    pub fn read(&self, mut options: ReadOptions, progress: &Arc<Progress>) -> Contents {
        options.progress = Some(Arc::clone(progress));
        options.keep_going = true;
        let is_piped = self.path.as_os_str() == "-";
        let sidecars = match is_piped {
            true => RecordedSidecars::none(),
            false => RecordedSidecars::of(&self.path).listed_in(&options.listings),
        };
        let (mut diagnostics, mut format) = (Diagnostics::default(), None);
        let read = self.bytes(&options, progress).and_then(|bytes| {
            format = formats::format_name(&bytes);
            formats::from_input(&Input { bytes, sidecars: sidecars.access() }, &options, &mut diagnostics)
        });
        let character = read.map_err(|error| match is_piped {
            true => error.in_file(&self.name),
            false => error.in_file(self.path.display()),
        });
        Contents { character, diagnostics, sidecars: sidecars.files(&self.path, &options), format }
    }

    /// Returns the present state of the file; `None` if there is none, or for a pipe.
    pub fn stamp(&self) -> Option<Stamp> {
        let metadata = fs::metadata(&self.path).ok().filter(|_| self.pipe.is_none())?;
        Some((metadata.len(), metadata.modified().ok()?))
    }

    /// Reads the bytes of the file. A file that was replaced by a pipe or a device is an error: reading could
    /// block for ever.
    pub fn bytes(&self, options: &ReadOptions, progress: &Progress) -> Result<Bytes> {
        if let Some(pipe) = &self.pipe {
            return pipe.wait(progress);
        }
        let opened = formats::open_regular_file(&self.path)?;
        formats::load_opened(&self.path, opened, Some(progress), &options.limits)
    }
}

impl Loaded {
    /// Computes what the window will ask for, which can take long.
    fn prepare(&mut self, outlook: &Outlook, progress: &Progress) -> Result<()> {
        let Outlook { was_shown, animation, coverage, tones, skins, physics, work } = outlook;
        let character = Arc::clone(&self.character);
        let model = character.model();
        let animation = self.animation_or_first(animation.as_deref(), *work);
        self.marks(animation);
        progress.check()?;
        let mut active: Vec<SkinId> = skins.iter().filter_map(|name| model.find_skin(name)).collect();
        if active.is_empty() && (!was_shown || !skins.is_empty()) {
            active = initial_skins(&character);
        }
        progress.check()?;
        let with_physics = plays_physics(&character, *physics);
        self.set_coverage(coverage);
        self.cover(animation);
        for covered in [Covered::Animation(animation), Covered::Shown] {
            self.content(covered, &active, with_physics, *work);
            progress.check()?;
        }
        if self.diagnostics.missing_image().is_some() {
            self.keep_tones(tones.as_ref());
        }
        self.measure_tones(animation, &active, *work);
        self.finish_preparing();
        progress.check()
    }
}
