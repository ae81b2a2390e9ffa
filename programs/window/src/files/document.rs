//! One file of the list: its character as last read successfully, and its current error.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::loading::pipe::Pipe;
use super::loading::read::{Outcome, Source, Stamp};
use crate::base::name;
use crate::scene::loaded::Loaded;
use pchr::Error;
use pchr::formats::{self, Grid, ReadOptions};
use pchr::limits::Limits;

/// How a file is read, where the user has chosen that for it.
#[derive(Debug, Default)]
pub struct Reading {
    /// The grid that cuts a picture into frames.
    pub grid: Option<Grid>,
    /// The atlas.
    pub atlas: Option<PathBuf>,
    /// Symbols that can be played.
    pub symbols: Vec<String>,
    /// The animation to show once it is read.
    pub then_show: Option<String>,
}

impl Reading {
    /// Returns the options for this file.
    pub fn options(&self, general: &ReadOptions) -> ReadOptions {
        let mut options = general.clone();
        options.grid = self.grid.or(options.grid);
        if let Some(atlas) = &self.atlas {
            options.atlases = vec![atlas.clone()];
        }
        options.symbols.extend(self.symbols.iter().cloned());
        options
    }
}

/// Who named a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// The command line. The file may be a pipe or a device, which is read once.
    CommandLine,
    /// The user of the window.
    Window,
}

/// One file of the list. It is read when it is first shown.
#[derive(Debug)]
pub struct Document {
    path: PathBuf,
    /// Standard input or another pipe, which cannot be read twice.
    pipe: Option<Arc<Pipe>>,
    /// The user named it on the command line, so it may be a pipe.
    may_be_pipe: bool,
    loaded: Option<Loaded>,
    /// The state of the file that the character was read from.
    stamp: Option<Stamp>,
    error: Option<Error>,
    is_expired: bool,
    /// How often it was read.
    times_read: u64,
    /// It will be read in another way than before, so that the two versions are not comparable.
    is_read_otherwise: bool,
    /// The other files that were read with it.
    sidecars: Vec<PathBuf>,
    /// How it is read, where the user has chosen that for this file.
    pub reading: Reading,
    /// Atlases near the file, if it is not certain which one belongs to it.
    pub atlases: Vec<PathBuf>,
    /// The end of its folder that tells it apart from other files of the list with the same name, for display; empty
    /// if it is the only one.
    pub folder: String,
}

impl Document {
    /// Creates an entry for a file without reading it.
    pub(super) fn new(path: PathBuf, origin: Origin) -> Self {
        Self {
            path,
            pipe: None,
            may_be_pipe: origin == Origin::CommandLine,
            loaded: None,
            stamp: None,
            error: None,
            is_expired: true,
            times_read: 0,
            is_read_otherwise: false,
            sidecars: Vec::new(),
            reading: Reading::default(),
            atlases: Vec::new(),
            folder: String::new(),
        }
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
        if self.is_piped() { "standard input".to_owned() } else { name::file(&self.path) }
    }

    /// Returns the full path for display.
    pub fn location(&self) -> String {
        name::path(&self.path)
    }

    /// Returns the character, which is older than the file while [`Self::error`] returns an error.
    pub fn loaded(&self) -> Option<&Loaded> {
        self.loaded.as_ref()
    }

    /// Like [`Self::loaded`], mutable for cached values.
    pub fn loaded_mut(&mut self) -> Option<&mut Loaded> {
        self.loaded.as_mut()
    }

    /// Returns the state of the file that the character was read from; `None` for a pipe.
    pub fn stamp(&self) -> Option<Stamp> {
        self.stamp
    }

    /// Returns why the last attempt to read the file failed, for display.
    pub fn error(&self) -> Option<String> {
        self.error.as_ref().map(name::message)
    }

    /// Returns true if it is a picture, and its frames are to be described.
    pub fn lacks_grid(&self) -> bool {
        self.loaded.is_none() && self.error.as_ref().is_some_and(|error| error.code() == "png-without-grid")
    }

    /// Returns the number of errors in parts of animations, which the character lacks.
    pub fn errors_left_out(&self) -> usize {
        self.loaded.as_ref().map_or(0, |loaded| loaded.diagnostics.errors())
    }

    /// Returns true if no atlas was found for the character.
    pub fn lacks_atlas(&self) -> bool {
        let missing = self.loaded.as_ref().and_then(|loaded| loaded.diagnostics.missing_image());
        missing.is_some_and(|fault| fault.code == "missing-atlas")
    }

    /// Forgets the character and how the file is read, so that the user chooses again.
    pub fn forget_reading(&mut self) {
        self.reading = Reading::default();
        self.loaded = None;
        self.is_expired = true;
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

    /// Marks the file to be read again in another way, so that the versions before and after are not comparable.
    pub fn read_otherwise(&mut self) {
        (self.is_expired, self.is_read_otherwise) = (true, true);
    }

    /// Returns true if it was read, whether with success or not.
    pub fn was_read(&self) -> bool {
        self.loaded.is_some() || self.error.is_some()
    }

    /// Returns how often it was read.
    pub fn times_read(&self) -> u64 {
        self.times_read
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

    /// Takes over what was read, and returns the version that it replaces, if that was read in the same way. If reading
    /// failed, the old character is kept.
    pub fn finish(&mut self, outcome: Outcome) -> Option<Self> {
        self.is_expired = false;
        self.times_read += 1;
        self.sidecars = outcome.sidecars;
        self.atlases = outcome.atlases;
        match outcome.read {
            Ok(loaded) => {
                let before = self.loaded.replace(*loaded);
                self.stamp = outcome.stamp;
                self.error = None;
                let is_alike = !std::mem::take(&mut self.is_read_otherwise);
                before.filter(|_| is_alike).map(|before| Self {
                    loaded: Some(before),
                    is_expired: false,
                    ..Self::new(self.path.clone(), Origin::Window)
                })
            }
            Err(error) => {
                self.error = Some(error);
                None
            }
        }
    }
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
    use crate::files::loading::read::{LoadRequest, Outlook};
    use pchr::formats::ReadOptions;
    use pchr::progress::Progress;

    fn load(document: &mut Document) {
        let options = ReadOptions::default();
        let source = document.source(&options.limits);
        let request = LoadRequest { source, options, outlook: Outlook::default() };
        document.finish(request.run(&Arc::new(Progress::default()), || {}));
    }

    #[test]
    fn a_file_replaced_by_a_pipe_is_an_error_without_waiting() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("knight.pchr");
        fs::copy(crate::common::root().join("assets/paper-knight.pchr"), &path).unwrap();
        for origin in [Origin::Window, Origin::CommandLine] {
            let mut document = Document::new(path.clone(), origin);
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
        let bytes = fs::read(crate::common::root().join("assets/paper-knight.pchr")).unwrap();
        let to = path.clone();
        let writer = thread::spawn(move || OpenOptions::new().write(true).open(to)?.write_all(&bytes));
        let mut document = Document::new(path.clone(), Origin::CommandLine);
        for _ in 0..2 {
            load(&mut document);
            assert!(document.loaded().is_some() && document.error().is_none());
        }
        writer.join().unwrap().unwrap();
        // A file that was dropped on the window is not waited for.
        let mut document = Document::new(path, Origin::Window);
        load(&mut document);
        assert!(document.loaded().is_none() && document.error().is_some());
    }
}
