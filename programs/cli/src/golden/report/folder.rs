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
            return Err(refused(path, "the folder contains files that are not part of a report"));
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
        Err(refused(&page, "the file is not part of a report"))
    }

    /// Removes the pictures of the earlier report that are not in `kept`, and the folder of the pictures if it is
    /// empty then. Other files stay. Failures are ignored, since the new report is complete without it.
    pub fn remove_stale(&self, kept: HashSet<&str>) {
        let folder = self.path.join(PICTURES);
        if !self.has_report || !is_folder(&folder) {
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
    let pictures = folder.join(PICTURES);
    let is_temporary = |name: &str| name.starts_with(".pchr-") && name.ends_with(".tmp");
    let is_picture = |name: &str| is_file_name(name) || is_temporary(name);
    let are_pictures = || is_folder(&pictures) && contains_only(&pictures, is_picture);
    contains_only(folder, |name| is_temporary(name) || name == PICTURES && are_pictures())
}

/// Returns true if the names of all entries of a folder are expected.
fn contains_only(folder: &Path, is_expected: impl Fn(&str) -> bool) -> bool {
    let is_expected = |entry: io::Result<fs::DirEntry>| {
        entry.is_ok_and(|entry| entry.file_name().to_str().is_some_and(&is_expected))
    };
    fs::read_dir(folder).is_ok_and(|mut entries| entries.all(is_expected))
}

/// Returns true if this is a folder, and no link to one.
fn is_folder(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|found| found.is_dir())
}

fn refused(path: &Path, why: &str) -> Error {
    let why = format!("{why}, and --force was not given");
    Error::io(path.display(), io::Error::new(io::ErrorKind::AlreadyExists, why))
}

/// Returns true if the folder is empty or missing.
fn is_empty(folder: &Path) -> Result<bool> {
    match fs::read_dir(folder) {
        Ok(mut entries) => Ok(entries.next().is_none()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(true),
        Err(error) => Err(Error::io(folder.display(), error)),
    }
}
