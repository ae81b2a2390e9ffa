//! Where pictures go: every path is known, and known to be free, before anything is rendered.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use super::failure::Failure;
use crate::error::Error;
use crate::export::Template;

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

/// Refuses two pictures in one file, formats that cannot be written, and files that are there already.
pub fn check(paths: &[&Path], text: &str, several_animations: bool, force: bool) -> Result<(), Failure> {
    let mut seen = HashMap::new();
    for &path in paths {
        if seen.insert(path, ()).is_some() {
            let message = format!("several pictures would be written to `{}`", path.display());
            return Err(Failure::usage_with_help(message, corrected(text, several_animations)));
        }
    }
    if force {
        return Ok(());
    }
    // A device or a pipe is written through, that takes nothing away.
    let in_the_way = |path: &Path| path.metadata().is_ok_and(|found| found.is_file());
    match paths.iter().find(|path| in_the_way(path)) {
        Some(path) => {
            let exists =
                std::io::Error::new(std::io::ErrorKind::AlreadyExists, "the file exists; --force writes over it");
            Err(Failure::Output(Error::io(path.display(), exists)))
        }
        None => Ok(()),
    }
}

/// `-o` as it would have worked.
fn corrected(text: &str, several_animations: bool) -> String {
    let path = PathBuf::from(text);
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let animation = if several_animations && !text.contains("{animation}") { "-{animation}" } else { "" };
    let frame = if text.contains("{frame") || text.contains("{index") { "" } else { "-{frame:04}" };
    let place = if animation.is_empty() && frame.is_empty() { "-{index:04}" } else { "" };
    let extension = path.extension().map_or("png".into(), |extension| extension.to_string_lossy());
    let name = path.with_file_name(format!("{stem}{animation}{frame}{place}.{extension}"));
    format!("give each its own: -o '{}'", name.display())
}
