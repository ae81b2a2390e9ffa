//! Where tools may read and write.

use std::fs::{self, File};
use std::io;
use std::path::{Component, Path, PathBuf};

use tempfile::TempDir;

use super::scratch;
use crate::shared::failure::Failure;
use crate::shared::interrupt;
use pchr::Error;
use pchr::export::confine_writing;
use pchr::formats::{confine_reading, is_inside, is_pipe_or_device};

/// The folders, without symbolic links.
pub struct Places {
    roots: Vec<PathBuf>,
    out: Option<PathBuf>,
    /// For pictures that are only part of an answer. Removed at the end.
    scratch: TempDir,
    _lock: Option<File>,
}

impl Places {
    /// Confines this process to the folders.
    pub fn new(roots: &[PathBuf], out: Option<&Path>) -> Result<Self, Failure> {
        let folder = |path: &Path| {
            let real = path.canonicalize().and_then(|real| match real.is_dir() {
                true => Ok(real),
                false => Err(io::Error::new(io::ErrorKind::NotADirectory, "this is not a folder")),
            });
            real.map_err(|error| Error::io(path.display(), error))
        };
        let roots: Vec<PathBuf> =
            roots.iter().map(|root| folder(root).map_err(Failure::Input)).collect::<Result<_, _>>()?;
        let out = match out {
            Some(out) => {
                std::fs::create_dir_all(out).map_err(|error| Failure::Output(Error::io(out.display(), error)))?;
                Some(folder(out).map_err(Failure::Output)?)
            }
            None => None,
        };
        let temporary = std::env::temp_dir();
        let no_folder = |error| Failure::Output(Error::io(temporary.display(), error));
        let (scratch, lock) = scratch::create(&temporary).map_err(no_folder)?;
        interrupt::remove_on_request(scratch.path());
        let own = scratch.path().canonicalize().map_err(no_folder)?;
        let writable = || out.iter().chain([&own]).cloned();
        confine_reading(roots.iter().cloned().chain(writable()).collect());
        confine_writing(writable().collect());
        if let Some(first) = roots.first() {
            std::env::set_current_dir(first).map_err(|error| Failure::Input(Error::io(first.display(), error)))?;
        }
        Ok(Self { roots, out, scratch, _lock: lock })
    }

    /// Returns a folder for one call.
    pub fn scratch(&self) -> Result<TempDir, Failure> {
        let folder = self.scratch.path();
        TempDir::new_in(folder).map_err(|error| Failure::Output(Error::io(folder.display(), error)))
    }

    /// Removes the folders of all calls, also of those that still run.
    pub fn remove_scratch(&self) {
        let _ = fs::remove_dir_all(self.scratch.path());
    }

    /// Checks a path that a tool reads.
    pub fn input(&self, path: &str) -> Result<PathBuf, Failure> {
        let given = PathBuf::from(path);
        // What was written may be read.
        let found = if is_inside(&given, self.roots.iter().chain(&self.out)) {
            // Also rejects `-`, patterns, and links that lead nowhere, unless a file has such a name.
            given.canonicalize()
        } else {
            let message = "this is outside of the folders that the server may read";
            Err(io::Error::new(io::ErrorKind::PermissionDenied, message))
        };
        found.map_err(|error| Failure::Input(Error::io(path, error)))?;
        Ok(if path == "-" { Path::new(".").join(given) } else { given })
    }

    /// Returns the place of a file that a tool writes: a relative path in the folder for outputs.
    pub fn output(&self, path: &str) -> Result<PathBuf, Failure> {
        let Some(out) = &self.out else {
            return Err(Failure::usage_with_help("the server may not write files", "start it with --out DIR"));
        };
        let refused =
            |message| Failure::Output(Error::io(path, io::Error::new(io::ErrorKind::PermissionDenied, message)));
        let is_plain = |part: Component<'_>| matches!(part, Component::Normal(_) | Component::CurDir);
        // Braces would be placeholders.
        if path.is_empty() || path.contains(['{', '}']) || !Path::new(path).components().all(is_plain) {
            return Err(refused("outputs are relative paths in the folder of --out, without `..`, `{` and `}`"));
        }
        let target = out.join(path);
        // Writing would wait for another program, and block all later calls.
        if is_pipe_or_device(&target) {
            return Err(refused("this is a pipe or a device, not a file"));
        }
        Ok(target)
    }
}
