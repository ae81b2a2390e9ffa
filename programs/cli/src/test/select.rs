//! Which characters of a suite are tested: `--only`, `--exclude`, and a DIR that is part of a suite.

use std::path::{Path, PathBuf};

use super::pattern::{Pattern, cover, name, of_option, useless};
use super::settings;
use super::suite::{REFERENCES, base_of, below};
use crate::shared::failure::Failure;

/// Options that select characters.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct SelectArgs {
    /// Test only characters at this path or below, relative to the suite; patterns such as 'heroes/*.json' too;
    /// repeatable
    #[arg(long, value_name = "PATTERN", conflicts_with = "merge")]
    only: Vec<String>,
    /// Do not test characters at this path or below; repeatable
    #[arg(long, value_name = "PATTERN", conflicts_with = "merge")]
    exclude: Vec<String>,
}

/// The tested part of a suite.
#[derive(Debug)]
pub struct Selection {
    /// Folder with the settings and references.
    pub root: PathBuf,
    only: Vec<Pattern>,
    exclude: Vec<Pattern>,
}

impl Selection {
    /// Finds the suite to which `path` belongs. That may be a character or a folder of a suite.
    pub fn of(path: &Path, args: &SelectArgs) -> Result<Self, Failure> {
        let (root, part) = root_of(path);
        let patterns = |texts, option| of_option(texts, option).map_err(Failure::usage);
        let mut only = patterns(&args.only, "--only")?;
        if let Some(part) = part {
            only = vec![Pattern::path(part)];
        }
        Ok(Self { root, only, exclude: patterns(&args.exclude, "--exclude")? })
    }

    /// Returns true if the whole suite is tested.
    pub fn is_all(&self) -> bool {
        self.only.is_empty() && self.exclude.is_empty()
    }

    /// Returns true if the character at this path, relative to the suite and with `/`, is tested.
    pub fn covers(&self, path: &str) -> bool {
        (self.only.is_empty() || cover(&self.only, path)) && !self.excludes(path)
    }

    /// Returns true if `--exclude` leaves out the character at this path.
    pub fn excludes(&self, path: &str) -> bool {
        cover(&self.exclude, path)
    }

    /// Returns true if the command line names this path, without wildcards.
    pub fn names(&self, path: &str) -> bool {
        name(&self.only, path)
    }

    /// Fails if a pattern of `--only` covers none of `paths`, or nothing is left to test.
    pub fn check(&self, paths: &[String]) -> Result<(), Failure> {
        match useless(&self.only, paths, Pattern::covers) {
            None if paths.iter().any(|path| self.covers(path)) => Ok(()),
            None => Err(Failure::usage("--exclude leaves no character to test")),
            Some(text) => {
                let root = self.root.display();
                Err(Failure::usage(format!("no character of `{root}` is at `{text}`; paths are relative to it")))
            }
        }
    }
}

/// Returns the folder of the suite, and the path in it of the part to test, if that is not the whole suite.
///
/// A folder without settings and references is part of the suite in a folder above it that has settings, or references
/// for it. Otherwise it is a new suite.
fn root_of(path: &Path) -> (PathBuf, Option<String>) {
    let has_settings = |folder: &Path| folder.join(settings::FILE).symlink_metadata().is_ok();
    let is_file = path.is_file();
    if !is_file && (has_settings(path) || path.join(REFERENCES).is_dir()) {
        return (path.to_owned(), None);
    }
    for folder in path.ancestors().skip(1) {
        let part = below(path, folder);
        let is_inside = !part.is_empty() && !part.split('/').any(|name| name == "..");
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        let references = if is_file { base_of(&part, None) } else { PathBuf::from(&part) };
        if is_inside && (has_settings(folder) || folder.join(REFERENCES).join(references).is_dir()) {
            return (folder.to_owned(), Some(part));
        }
    }
    match (path.parent(), path.file_name()) {
        (Some(folder), Some(name)) if is_file => {
            let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
            (folder.to_owned(), Some(name.to_string_lossy().into_owned()))
        }
        _ => (path.to_owned(), None),
    }
}
