//! Where files go: known before anything is read, and never in the place of what is read.

use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

use super::failure::Failure;
use super::stdio::{is_stdio, print_bytes};
use crate::error::Error;
use crate::export::{OutputFile, OutputFolder, check_free, distinct_names, source_among};
use crate::formats::pchr::Document;

/// Where the output of a command goes.
pub enum Target {
    /// `-`
    Stdout,
    /// A file.
    File { path: PathBuf, force: bool },
}

impl Target {
    /// For bytes that are no text: as [`Self::text`], and refuses a terminal.
    pub fn binary(path: &Path, input: &Path, force: bool) -> Result<Self, Failure> {
        if is_stdio(path) && io::stdout().is_terminal() {
            let message = "a binary file is not for a terminal";
            return Err(Failure::usage_with_help(message, "-o - | another program, or -o FILE"));
        }
        Self::text(path, input, force)
    }

    /// For text. Refuses the input itself, and a file that is there already.
    pub fn text(path: &Path, input: &Path, force: bool) -> Result<Self, Failure> {
        if is_stdio(path) {
            return Ok(Self::Stdout);
        }
        refuse_sources([path], &[input.to_owned()])?;
        if !force {
            check_free(path).map_err(Failure::Output)?;
        }
        Ok(Self::File { path: path.to_owned(), force })
    }

    /// Writes all of it, or nothing; not over one of `sources`, which were read.
    pub fn write(&self, bytes: &[u8], sources: &[PathBuf]) -> Result<(), Failure> {
        if let Self::File { path, .. } = self {
            refuse_sources([path], sources)?;
        }
        self.put(bytes)
    }

    /// Writes all of it, or nothing.
    pub fn put(&self, bytes: &[u8]) -> Result<(), Failure> {
        match self {
            Self::Stdout => print_bytes(bytes),
            Self::File { path, force } => {
                let mut file = OutputFile::create(path, *force).map_err(Failure::Output)?;
                let written = file.write_all(bytes);
                written.map_err(|error| Failure::Output(Error::io(path.display(), error)))?;
                file.finish().map_err(Failure::Output)
            }
        }
    }
}

/// Writes `pictures` and then `files` into `folder`, the last of which names the others, and over none of `sources`.
/// Where `absent` is there already nothing is written.
pub fn write_files(
    sources: &[PathBuf],
    folder: &Path,
    force: bool,
    keyed: &super::keyed::Keyed,
) -> Result<(), Failure> {
    let mut out = OutputFolder::create(folder, force).map_err(Failure::Output)?;
    out.check_absent(keyed.absent.as_deref().into_iter()).map_err(Failure::Output)?;
    // Next to the input its pictures are there already.
    let pictures: Vec<_> = keyed.pictures.iter().filter(|(name, png)| !out.holds(name, png)).collect();
    let pictures = pictures.into_iter().map(|(name, png)| (name.as_str(), &png[..]));
    let files = keyed.files.iter().map(|(name, bytes)| (name.as_str(), &bytes[..]));
    let outputs: Vec<(&str, &[u8])> = pictures.chain(files).collect();
    out.check_free(outputs.iter().map(|(name, _)| *name)).map_err(Failure::Output)?;
    let paths: Vec<PathBuf> = outputs.iter().map(|(name, _)| folder.join(name)).collect();
    refuse_sources(&paths, sources)?;
    for (name, bytes) in outputs {
        out.write(name, |file| file.write_all(bytes)).map_err(Failure::Output)?;
    }
    out.finish().map_err(Failure::Output)
}

/// Writes the pictures of `document`, and then the JSON that names them, for which `write` is given their names; over
/// none of `sources`.
pub fn write_json(
    document: &Document,
    sources: &[PathBuf],
    folder: &Path,
    json: &str,
    force: bool,
    write: impl FnOnce(&[String], &mut dyn Write) -> io::Result<()>,
) -> Result<(), Failure> {
    let names = distinct_names(document.file.images.iter().map(|image| image.name.as_str()), ".png");
    let mut out = OutputFolder::create(folder, force).map_err(Failure::Output)?;
    let mut pictures = Vec::new();
    for (index, name) in names.iter().enumerate() {
        if document.missing(index).is_some() {
            // Somebody else's picture would be taken for the one that is missing.
            out.check_absent([name.as_str()].into_iter()).map_err(Failure::Output)?;
            continue;
        }
        let png = document.png(index).map_err(Failure::Input)?;
        // Next to the input its pictures are there already.
        if !out.holds(name, &png) {
            pictures.push((name.as_str(), png));
        }
    }
    let outputs = || pictures.iter().map(|(name, _)| *name).chain([json]);
    out.check_free(outputs()).map_err(Failure::Output)?;
    let paths: Vec<PathBuf> = outputs().map(|name| folder.join(name)).collect();
    refuse_sources(&paths, sources)?;
    for (name, png) in &pictures {
        out.write(name, |file| file.write_all(png)).map_err(Failure::Output)?;
    }
    out.write(json, |file| write(&names, file)).map_err(Failure::Output)?;
    out.finish().map_err(Failure::Output)
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

/// Whether two outputs are in the same place, also when nothing is there yet.
pub fn is_same_place(a: &Path, b: &Path) -> bool {
    let place = |path: &Path| {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let folder = folder.canonicalize().or_else(|_| std::path::absolute(folder));
        folder.unwrap_or_default().join(path.file_name().unwrap_or_default())
    };
    place(a) == place(b)
}
