//! The folder of a report: recognizes an earlier report, and removes its pictures once it has been replaced.

use std::collections::HashSet;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::page::SIGNATURE;
use super::pictures::{PICTURES, is_file_name};
use pchr::export::OutputPath;
use pchr::formats::open_regular_file;
use pchr::{Error, Result};

/// The page.
pub(super) const PAGE: &str = "index.html";
/// The results as `pchr.compare/2`.
pub(super) const RESULTS: &str = "results.json";

/// A folder that a report may be written to.
#[derive(Debug)]
pub(super) struct ReportFolder {
    pub path: PathBuf,
    overwrite: bool,
    has_report: bool,
}

impl ReportFolder {
    /// Fails if the folder contains anything but an earlier report, unless `overwrite`.
    pub fn open(path: &Path, overwrite: bool) -> Result<Self> {
        let page = path.join(PAGE);
        // Asked again at the end: another process may have put its report there meanwhile.
        let is_ours = is_report(&page) || is_unfinished(path) || is_empty(path)? || is_report(&page);
        let has_report = is_ours && !is_empty(path)?;
        if !is_ours && !overwrite {
            let why = "the folder contains files that are not part of a report, and --force was not given";
            return Err(Error::io(path.display(), io::Error::new(io::ErrorKind::AlreadyExists, why)));
        }
        Ok(Self { path: path.to_owned(), overwrite, has_report })
    }

    /// Fails if another program has put its own page into the folder since it was opened. The page of another report
    /// is replaced: of several reports written to one folder at the same time, the last one stays.
    pub fn check_page(&self) -> Result<()> {
        let page = self.path.join(PAGE);
        if self.overwrite || page.symlink_metadata().is_err() || is_report(&page) {
            return Ok(());
        }
        let why = "the file is not part of a report, and --force was not given";
        Err(Error::io(page.display(), io::Error::new(io::ErrorKind::AlreadyExists, why)))
    }

    /// Removes the pictures of the earlier report that are not in `kept`, and the folder of the pictures if it is
    /// empty then. Other files stay. Failures are ignored, since the new report is complete without it.
    pub fn remove_stale(&self, kept: HashSet<&str>) {
        let folder = self.path.join(PICTURES);
        let is_folder = fs::symlink_metadata(&folder).is_ok_and(|found| found.is_dir());
        if !self.has_report || !is_folder {
            return;
        }
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let name = entry.file_name();
            if name.to_str().is_some_and(|name| is_file_name(name) && !kept.contains(name)) {
                let _ = OutputPath::below(&self.path, Path::new(PICTURES).join(name)).remove();
            }
        }
        let _ = fs::remove_dir(&folder);
    }
}

/// Returns true if this is the page of a report.
fn is_report(page: &Path) -> bool {
    if !fs::symlink_metadata(page).is_ok_and(|found| found.is_file()) {
        return false;
    }
    let Ok((file, _)) = open_regular_file(page) else { return false };
    let mut start = Vec::new();
    let read = file.take(SIGNATURE.len() as u64).read_to_end(&mut start);
    read.is_ok() && start == SIGNATURE.as_bytes()
}

/// Returns true if the folder contains only what a report leaves behind if its program is killed: pictures and
/// temporary files.
fn is_unfinished(folder: &Path) -> bool {
    let are_ours = |folder: &Path, is_ours: &dyn Fn(&Path, &str) -> bool| {
        let is_ours = |entry: io::Result<fs::DirEntry>| {
            entry.is_ok_and(|entry| entry.file_name().to_str().is_some_and(|name| is_ours(&entry.path(), name)))
        };
        fs::read_dir(folder).is_ok_and(|entries| entries.into_iter().all(is_ours))
    };
    let is_temporary = |name: &str| name.starts_with(".pchr-") && name.ends_with(".tmp");
    are_ours(folder, &|path, name| {
        let is_folder = || fs::symlink_metadata(path).is_ok_and(|found| found.is_dir());
        let is_picture = |_: &Path, name: &str| is_file_name(name) || is_temporary(name);
        is_temporary(name) || name == PICTURES && is_folder() && are_ours(path, &is_picture)
    })
}

/// Returns true if the folder is empty or missing.
fn is_empty(folder: &Path) -> Result<bool> {
    match fs::read_dir(folder) {
        Ok(mut entries) => Ok(entries.next().is_none()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(true),
        Err(error) => Err(Error::io(folder.display(), error)),
    }
}
