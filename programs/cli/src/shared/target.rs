//! Output files of commands: they are never inputs.

use std::path::{Path, PathBuf};

use super::failure::Failure;
use pchr::export::source_among;

/// Rejects overwriting files that the characters are read from.
pub fn reject_sources<'a>(
    paths: impl IntoIterator<Item = &'a (impl AsRef<Path> + ?Sized + 'a)>,
    sources: &[PathBuf],
) -> Result<(), Failure> {
    source_among(paths, sources).map_or(Ok(()), |path| Err(is_source(path)))
}

/// The failure of an output that is an input.
pub fn is_source(path: &Path) -> Failure {
    Failure::usage(format!("`{}` is an input file and cannot be overwritten", path.display()))
}

/// Returns a text that is equal for two output paths that name the same file, on file systems that ignore case too. The
/// file need not exist yet.
pub fn place(path: &Path) -> String {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let folder = folder.canonicalize().or_else(|_| std::path::absolute(folder)).unwrap_or_default();
    folder.join(path.file_name().unwrap_or_default()).to_string_lossy().to_lowercase()
}
