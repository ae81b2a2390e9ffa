//! For fuzz targets: the commands that print text from files, as functions that return what is printed.

use std::io;
use std::path::{Path, PathBuf};

use clap::ValueEnum;

use super::golden::print::{Style, Times, text};
use super::golden::report::{MAX_EMBEDDED, ReportWriter};
use super::shared::failure::Failure;
use super::test;
use super::validate;
use pchr::validate::Checked;
use pchr::{Character, Error};

/// Runs `pchr test --merge FILES --html-report REPORT` in every style. Returns the page, and the output of each style in
/// the order of `--help`. The report is not written.
pub fn merge(files: &[PathBuf], report: &Path) -> Result<(Vec<u8>, Vec<String>), Failure> {
    let writer = ReportWriter::create(report, true, MAX_EMBEDDED).map_err(Failure::Output)?;
    let (comparison, _) = test::merge_files(files, Some(&writer), true)?;
    let unwritten = |error: io::Error| Failure::Output(Error::io(report.display(), error));
    let page = writer.page_text(&comparison, test::TITLE).map_err(unwritten)?;
    let styles = Style::value_variants().iter().map(|style| text(*style, &comparison, &Times::new(), false));
    let styles = styles.collect::<Result<_, _>>()?;
    Ok((page, styles))
}

/// Reads the `pchr-test.toml` in a folder, and plans the pictures of a character at the path `name` in it. Returns the
/// number of pictures of each entry that selects the character, or why they cannot be rendered.
pub fn plan(dir: &Path, name: &str, character: &Character) -> Result<Vec<Result<usize, Failure>>, Failure> {
    let settings = test::settings::read(dir, &test::settings::Given::default(), 1)?;
    let folders = test::suite::Folders::new(dir, None);
    let selected = settings.entries.iter().filter(|entry| entry.selects(name));
    let planned = selected.map(|entry| {
        let recorded = test::plan::Recorded::default();
        let groups = test::plan::plan(entry, character, &folders, Path::new(name), &recorded)?;
        Ok(groups.iter().map(|group| group.files.len()).sum())
    });
    Ok(planned.collect())
}

/// Returns the output of each style of `pchr validate`, in the order of `--help`, for a file with this result.
pub fn print_findings(file: &Path, result: Result<Checked, Error>) -> serde_json::Result<Vec<String>> {
    validate::print_all(file, result)
}
