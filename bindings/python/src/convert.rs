//! `Character.convert`: files of another format, as `pchr convert` writes them.

use std::path::Path;

use pchr::convert::{ConvertOptions, Place, open};
use pchr::diagnostics::Diagnostics;
use pchr::export::OutputPath;
use pchr::formats::table::{implied_target, target, targets};
use pchr::formats::{Input, Loss, ReadOptions, RecordedSidecars, load};
use pchr::{Error, error};
use serde::Serialize;

use crate::failure::Failure;

/// What a conversion has written.
#[derive(Serialize)]
pub struct Report {
    /// The main file first.
    files: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fps: Option<u16>,
    from: &'static str,
    losses: Vec<Loss>,
    to: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    worst_error_px: Option<f32>,
}

/// What to convert to.
pub struct Wanted<'a> {
    pub output: &'a Path,
    pub to: Option<&'a str>,
    pub animations: Vec<String>,
    pub skins: Vec<String>,
    pub fps: Option<u16>,
    pub allow_missing_images: bool,
    pub force: bool,
}

/// Converts the file at `path` and writes the result.
pub fn convert(path: &Path, read: &ReadOptions, wanted: Wanted<'_>) -> Result<Report, Failure> {
    let sidecars = RecordedSidecars::of(path);
    let bytes = load(path, &read.limits)?;
    let opened = open(Input { bytes, sidecars: sidecars.access() }, read, &mut Diagnostics::default())?;
    let to = match wanted.to {
        Some(name) => target(name).ok_or_else(|| unclear(name))?,
        // The version of a skeleton is only known after reading it.
        None => {
            let implied = implied_target(path, wanted.output);
            let implied = implied.ok_or_else(|| unclear(&wanted.output.display().to_string()))?;
            opened.usual_target(implied, &read.limits)?
        }
    };
    if !to.takes(opened.source()) {
        let message = format!("{} is converted to {} only from other formats", opened.source().name, to.name);
        return Err(Error::unsupported("other-format", error::Place::default(), message).into());
    }
    // Readers find the images, and an atlas, by the name of the file.
    let extension = wanted.output.extension().unwrap_or_default();
    if to.has_separate_images && !extension.eq_ignore_ascii_case(to.extension) {
        let message = format!("`{}` does not end in .{}", wanted.output.display(), to.extension);
        return Err(Failure::misuse("invalid-argument", message));
    }
    let name = wanted.output.file_name().unwrap_or_default().to_string_lossy();
    let options = ConvertOptions {
        preserve_text: wanted.to.is_none(),
        animations: wanted.animations,
        skins: wanted.skins,
        fps: wanted.fps,
        allows_missing_images: wanted.allow_missing_images,
        read: read.clone(),
        ..ConvertOptions::new(to, name)
    };
    let converted = opened.convert(&options)?;
    let mut sources = sidecars.files(path, read);
    sources.push(path.to_owned());
    let folder = OutputPath::named(wanted.output).folder();
    let written =
        converted.files.write_into(&Place { folder: &folder, force: wanted.force, sources: &sources })?;
    Ok(Report {
        files: written.iter().map(|path| path.display().to_string()).collect(),
        fps: converted.fps,
        from: converted.from.name,
        losses: converted.losses,
        to: converted.to.name,
        worst_error_px: converted.worst_error_px,
    })
}

fn unclear(found: &str) -> Failure {
    let names: Vec<_> = targets().map(|target| target.name).collect();
    Failure::misuse("unknown-target", format!("no format `{found}`, only {}", names.join(", ")))
}
