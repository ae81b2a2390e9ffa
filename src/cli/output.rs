//! Where pictures go: every path is known, and known to be free, before anything is rendered.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::{Arc, Mutex, PoisonError};

use super::failure::Failure;
use super::view::OutputArgs;
use crate::export::{Template, Values, check_free, first_twice, source_among};

/// What `-o` names.
#[derive(Debug, Clone)]
pub enum Output {
    /// `-`
    Stdout,
    /// A path, perhaps with places to fill in.
    Files {
        /// As it was given.
        text: String,
        /// The same, understood.
        template: Template,
    },
}

impl FromStr for Output {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text == "-" {
            return Ok(Self::Stdout);
        }
        if text.is_empty() {
            return Err("the path is empty".to_owned());
        }
        let template = text.parse().map_err(|error| format!("{error}"))?;
        Ok(Self::Files { text: text.to_owned(), template })
    }
}

/// Files that this command has written, and may replace when it writes again.
#[derive(Debug, Clone, Default)]
pub struct Ours(Arc<Mutex<HashSet<PathBuf>>>);

impl Ours {
    /// This one, too.
    pub fn claim(&self, path: &Path) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(path.to_owned());
    }

    /// Whether it is one of them, by any name.
    pub fn holds(&self, path: &Path) -> bool {
        let ours = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let is_same = |known: &PathBuf, path: &PathBuf| known.canonicalize().is_ok_and(|known| known == *path);
        ours.contains(path) || path.canonicalize().is_ok_and(|path| ours.iter().any(|known| is_same(known, &path)))
    }
}

/// The path of every picture, in their order. Refuses two pictures in one file, one in the place of an input,
/// and files that are there already.
pub fn paths(
    text: &str,
    template: &Template,
    values: &[Values<'_>],
    sources: &[PathBuf],
    output: &OutputArgs,
) -> Result<Vec<PathBuf>, Failure> {
    let paths = fill(template, values);
    if let Some(twice) = first_twice(&paths) {
        let message = format!("several pictures would be written to `{}`", twice.display());
        return Err(Failure::usage_with_help(message, corrected(text, values)));
    }
    refuse_sources(&paths, sources)?;
    let mut others = paths.iter().filter(|path| !output.may_replace(path));
    others.try_for_each(|path| check_free(path)).map_err(Failure::Output)?;
    Ok(paths)
}

/// Refuses to write over what the characters are read from.
pub fn refuse_sources<'a>(
    paths: impl IntoIterator<Item = &'a (impl AsRef<Path> + ?Sized + 'a)>,
    sources: &[PathBuf],
) -> Result<(), Failure> {
    match source_among(paths, sources) {
        Some(path) => {
            let message = format!("`{}` is read by this command, and not written over", path.display());
            Err(Failure::usage(message))
        }
        None => Ok(()),
    }
}

fn fill(template: &Template, values: &[Values<'_>]) -> Vec<PathBuf> {
    values.iter().map(|&values| template.fill(values)).collect()
}

/// `-o` as it would have worked: with the fewest places that tell the pictures apart.
fn corrected(text: &str, values: &[Values<'_>]) -> String {
    const PLACES: [&str; 4] = ["-{frame:04}", "-{animation}", "-{animation}-{frame:04}", "-{name}"];
    let path = Path::new(text);
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let extension = path.extension().map_or("png".into(), |extension| extension.to_string_lossy());
    let with = |place: &str| path.with_file_name(format!("{stem}{place}.{extension}")).display().to_string();
    let tells_apart =
        |text: &String| text.parse().is_ok_and(|template| first_twice(&fill(&template, values)).is_none());
    let found = PLACES.into_iter().map(with).find(tells_apart);
    // The number of the picture always does.
    format!("give each its own: -o '{}'", found.unwrap_or_else(|| with("-{index:04}")))
}
