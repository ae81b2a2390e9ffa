//! A character → files of another format, as `pchr convert` writes them.

use bytes::Bytes;
use pchr::convert::{ConvertOptions, Opened, OutFile, open};
use pchr::diagnostics::Diagnostics;
use pchr::export::safe_name;
use pchr::formats::table::{Target, target, targets, usual_target};
use pchr::formats::{Input, Loss, ReadOptions, Sidecars};
use pchr::{Error, Result};
use serde::{Deserialize, Serialize};

use crate::failure::Failure;
use crate::files::Files;

/// A format that a file can be converted to.
#[derive(Serialize)]
pub struct Choice {
    name: &'static str,
    about: &'static str,
    extension: &'static str,
}

/// What to convert: the options of `pchr convert`, by their names.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Request {
    /// The name of the character among the files.
    main: String,
    /// A value of `--to`, or an extension.
    to: String,
    #[serde(default)]
    animations: Vec<String>,
    #[serde(default)]
    skins: Vec<String>,
    #[serde(default)]
    fps: Option<u16>,
    /// Whether a missing picture is no error.
    #[serde(default, rename = "noImage")]
    no_image: bool,
}

/// What a conversion has made.
#[derive(Serialize)]
pub struct Report {
    from: &'static str,
    to: &'static str,
    /// The paths of the files, the main file first.
    files: Vec<String>,
    losses: Vec<Failure>,
    /// The largest error of a visible vertex, in world pixels, if it was measured.
    #[serde(rename = "worstErrorPx")]
    worst_error_px: Option<f32>,
}

/// The formats that the file `name` can be converted to, in the order of the table.
pub fn choices(files: &Files, name: &str) -> Result<Vec<Choice>> {
    let sidecars = files.beside(name);
    let source = opened(files, name, &sidecars)?.source();
    let choice = |&Target { name, about, extension, .. }: &Target| Choice { name, about, extension };
    Ok(targets().filter(|target| target.takes(source)).map(choice).collect())
}

/// Returns the files by path, the main file first.
pub fn convert(files: &Files, request: &Request) -> Result<(Vec<(String, Bytes)>, Report)> {
    let extension = request.to.trim_start_matches('.');
    let to = target(&request.to).or_else(|| usual_target(extension)).ok_or_else(|| {
        let names: Vec<_> = targets().map(|target| target.name).collect();
        Error::misuse("unknown-target", format!("no format `{}`, only {}", request.to, names.join(", ")))
    })?;
    let sidecars = files.beside(&request.main);
    let opened = opened(files, &request.main, &sidecars)?;
    let stem = request.main.rsplit('/').next().unwrap_or_default();
    let stem = stem.rsplit_once('.').map_or(stem, |(stem, _)| stem);
    let options = ConvertOptions {
        animations: request.animations.clone(),
        skins: request.skins.clone(),
        fps: request.fps,
        allows_missing_images: request.no_image,
        ..ConvertOptions::new(to, format!("{}.{}", safe_name(stem), to.extension))
    };
    let converted = opened.convert(&options)?;
    let all = converted.files.files.iter().rev().chain(&converted.files.pictures);
    let made = all.map(|file| Ok((file.name.clone(), content(file)?))).collect::<Result<Vec<_>>>()?;
    let report = Report {
        from: converted.from.name,
        to: converted.to.name,
        files: made.iter().map(|(name, _)| name.clone()).collect(),
        losses: converted.main_losses().map(|loss: &Loss| Failure::of_fault(&loss.fault())).collect(),
        worst_error_px: converted.worst_error_px,
    };
    Ok((made, report))
}

fn opened<'a>(files: &Files, name: &str, sidecars: &'a dyn Sidecars) -> Result<Opened<'a>> {
    let input = Input { bytes: files.main(name), sidecars };
    open(input, &ReadOptions::default(), &mut Diagnostics::default())
}

fn content(file: &OutFile) -> Result<Bytes> {
    if let Some(bytes) = file.bytes() {
        return Ok(bytes.clone());
    }
    let mut bytes = Vec::new();
    file.write_to(&mut bytes).map_err(|error| Error::io(&file.name, error))?;
    Ok(bytes.into())
}
