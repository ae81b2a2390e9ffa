//! Conversion of the open file to another format, as `pchr convert` does it.

use std::path::{Path, PathBuf};

use super::Ended;
use pchr::Error;
use pchr::convert::{self, ConvertError, ConvertOptions, Place, WriteError};
use pchr::diagnostics::Diagnostics;
use pchr::export::{OutputPath, quoted, reading_args};
use pchr::formats::table::{self, Target};
use pchr::formats::{self, Input, ReadOptions, RecordedSidecars};

/// A conversion of a file.
#[derive(Debug, Clone)]
pub struct Conversion {
    /// The file.
    pub source: PathBuf,
    /// The main output file.
    pub output: PathBuf,
    /// The format to write.
    pub to: &'static Target,
    /// Skins to apply, as arguments of `--skin`. Empty if all are written.
    pub skins: Vec<String>,
    /// Options that the file is read with.
    pub read: ReadOptions,
    /// Whether to replace existing files.
    pub force: bool,
}

/// Returns the formats that every character can be converted to.
pub fn targets() -> impl Iterator<Item = &'static Target> {
    // Another name of `spine38`.
    table::targets().filter(|target| !target.is_sheet && target.name != "spine")
}

impl Conversion {
    /// Returns the rate as `--fps` takes it, and the other options that the file is read with.
    fn rate(&self) -> (Option<u16>, ReadOptions) {
        let rate = self.read.fps.filter(|fps| fps.fract() == 0.0 && (1.0..=f64::from(u16::MAX)).contains(fps));
        (rate.map(|fps| fps as u16), ReadOptions { fps: None, ..self.read.clone() })
    }

    /// Returns the command that writes the same files, quoted for POSIX shells.
    pub fn command_line(&self) -> String {
        // A name that looks like an option.
        let path = |path: &Path| {
            let text = path.to_string_lossy().into_owned();
            if text.starts_with('-') { format!("./{text}") } else { text }
        };
        let (fps, read) = self.rate();
        let mut words = vec!["pchr".to_owned(), "convert".to_owned(), path(&self.source)];
        words.extend(["-o".to_owned(), path(&self.output), "--to".to_owned(), self.to.name.to_owned()]);
        words.extend(self.skins.iter().map(|skin| format!("--skin={skin}")));
        words.extend(fps.map(|fps| format!("--fps={fps}")));
        words.extend(reading_args(&read).iter().map(|arg| arg.to_string_lossy().into_owned()));
        words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ")
    }

    /// Converts the file and writes the result, unless `is_cancelled` returns true before.
    pub fn run(&self, is_cancelled: impl FnOnce() -> bool) -> Ended {
        let (fps, read) = self.rate();
        let sidecars = RecordedSidecars::of(&self.source);
        let file_name = self.output.file_name().unwrap_or_default().to_string_lossy();
        let options =
            ConvertOptions { skins: self.skins.clone(), fps, read, ..ConvertOptions::new(self.to, file_name) };
        let bytes = formats::load(&self.source, &options.read.limits);
        let input = bytes.map(|bytes| Input { bytes, sidecars: sidecars.access() });
        let opened = input.and_then(|input| convert::open(input, &options.read, &mut Diagnostics::default()));
        let converted = opened.map_err(ConvertError::Input).and_then(|opened| opened.convert(&options));
        let converted = match converted {
            Ok(converted) => converted,
            Err(error) => return Ended::failed(&error),
        };
        if is_cancelled() {
            return Ended::Cancelled;
        }
        let mut sources = sidecars.files(&self.source, &options.read);
        sources.push(self.source.clone());
        let place =
            Place { folder: &OutputPath::named(&self.output).folder(), force: self.force, sources: &sources };
        match converted.files.write_into(&place) {
            Ok(files) => {
                let losses = converted.main_losses().map(|loss| loss.message.clone()).collect();
                Ended::Converted { files, losses }
            }
            Err(WriteError::Exists { first, count, error: Error::Io { source, .. } })
                if source.kind() == std::io::ErrorKind::AlreadyExists =>
            {
                Ended::Exists { first, count }
            }
            Err(error) => Ended::failed(&error),
        }
    }
}
