//! HTML reports of compared pictures: encoded pictures and a [`Comparison`] → `index.html` and `results.json`.
//!
//! The page needs no network and opens from disk. Up to [`MAX_EMBEDDED`] bytes of pictures are embedded, so that
//! the page can be sent around as one file; more of them become files in `pictures/`, which the page loads when
//! they are shown. Everything is written to temporary files first: an earlier report stays until the new one is
//! complete.

mod folder;
mod page;
mod pictures;

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use self::folder::ReportFolder;
use self::pictures::Pictures;
use super::record::Comparison;
use crate::shared::failure::{Failure, note};
use crate::shared::json_output::JsonOutput;
use pchr::export::{OutputFile, OutputFiles, OutputPath};
use pchr::{Error, Result};

/// Total size up to which pictures are embedded in the page, in bytes of their PNG data.
pub const MAX_EMBEDDED: usize = 16 << 20;

/// The encoded pictures of one frame, as PNG data. Each may be missing.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FramePictures {
    /// The reference; for the verdict `same` also the new picture.
    pub reference: Option<Vec<u8>>,
    /// The new picture.
    pub now: Option<Vec<u8>>,
    /// The picture that shows the difference.
    pub difference: Option<Vec<u8>>,
}

/// Collects the pictures of a run and writes the report.
///
/// If dropped before [`ReportWriter::finish`], nothing is written.
#[derive(Debug)]
pub struct ReportWriter {
    folder: ReportFolder,
    pictures: Mutex<Pictures>,
    /// The files of pictures.
    out: OutputFiles,
    /// Created at the beginning, so that a folder that cannot be written to is reported before the run.
    page: OutputFile,
}

impl ReportWriter {
    /// Prepares the report of `--html-report`, if it is given.
    pub fn requested(folder: Option<&Path>, overwrite: bool) -> Result<Option<Self>, Failure> {
        let report = folder.map(|folder| Self::create(folder, overwrite, MAX_EMBEDDED));
        report.transpose().map_err(Failure::Output)
    }

    /// Writes the report of `--html-report`, if it is given, and prints where it is unless `quiet`.
    pub fn finish_requested(
        report: Option<Self>,
        comparison: &Comparison,
        title: &str,
        quiet: bool,
    ) -> Result<(), Failure> {
        let Some(report) = report else { return Ok(()) };
        let page = report.page();
        report.finish(comparison, title).map_err(Failure::Output)?;
        if !quiet {
            note(&format!("the report is {}", page.display()));
        }
        Ok(())
    }

    /// Prepares a report in `folder`, which is created if missing. Up to `max_embedded` bytes of pictures are embedded.
    ///
    /// # Errors
    ///
    /// Fails if the folder contains anything but an earlier report, unless `overwrite`. Files that are not part of
    /// a report are never removed.
    pub fn create(folder: &Path, overwrite: bool, max_embedded: usize) -> Result<Self> {
        let folder = ReportFolder::open(folder, overwrite)?;
        let path = OutputPath::named(&folder.path);
        let page = OutputFile::create(&path.join(folder::PAGE), true)?;
        path.join(folder::RESULTS).check_writable(true)?;
        let pictures = Mutex::new(Pictures::new(max_embedded));
        Ok(Self { folder, pictures, out: OutputFiles::default(), page })
    }

    /// Adds the pictures of the frame with this [`FrameRecord::index`](super::record::FrameRecord::index).
    ///
    /// # Errors
    ///
    /// Fails if a file cannot be written.
    pub fn add(&self, index: usize, pictures: FramePictures) -> Result<()> {
        let out = (&OutputPath::named(&self.folder.path), &self.out);
        self.pictures.lock().unwrap_or_else(PoisonError::into_inner).add(index, pictures, out)
    }

    /// Writes the report. `title` names the run.
    ///
    /// # Errors
    ///
    /// Fails if a file cannot be written; an earlier report is then still complete.
    pub fn finish(self, comparison: &Comparison, title: &str) -> Result<()> {
        let Self { folder, pictures, out, page } = self;
        let pictures = pictures.into_inner().unwrap_or_else(PoisonError::into_inner);
        let error = |name: &str, error| Error::io(folder.path.join(name).display(), error);
        let results = comparison.to_text().map_err(|failed| error(folder::RESULTS, failed.into()))?;
        // After the pictures, to which it refers, and before the results: a folder with results has a page, by which
        // it is recognized as a report.
        let mut page = page;
        page::write(&mut page, comparison, title, &pictures).map_err(|failed| error(folder::PAGE, failed))?;
        out.add(page)?;
        let results_path = OutputPath::below(&folder.path, folder::RESULTS);
        out.write(&results_path, true, |file| writeln!(file, "{results}"))?;
        folder.check_page()?;
        out.finish()?;
        folder.remove_stale(pictures.file_names());
        Ok(())
    }

    /// Returns the page that [`ReportWriter::finish`] writes.
    pub(crate) fn page_text(&self, comparison: &Comparison, title: &str) -> io::Result<Vec<u8>> {
        let pictures = self.pictures.lock().unwrap_or_else(PoisonError::into_inner);
        let mut text = Vec::new();
        page::write(&mut text, comparison, title, &pictures).map(|()| text)
    }

    /// The page of the report.
    pub fn page(&self) -> PathBuf {
        self.folder.path.join(folder::PAGE)
    }
}

#[cfg(test)]
mod tests;

// Elsewhere, a browser may be installed that the tests do not know.
#[cfg(test)]
#[cfg(target_os = "linux")]
#[path = "../../../tests/report/mod.rs"]
mod browser_tests;
