//! An animation → one file, as `pchr-view -o` writes it with `--backend cpu`.

use std::sync::atomic::AtomicBool;

use pchr::cpu::Renderer;
use pchr::export::{
    Backend, Batch, BatchError, Commit, Drawing, ExportError, Fit, Format, PlannedFile, RenderOptions, Size,
    choose,
};
use pchr::math::{Rect, vec2};
use pchr::{Error, Result};
use serde::Deserialize;

use super::opened;
use crate::files::Files;

/// What to draw: the options of `pchr-view`, by their names.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Request {
    /// The name of the character among the files.
    main: String,
    /// `apng`, `webp` or `gif`.
    format: String,
    #[serde(default)]
    animation: Option<String>,
    #[serde(default)]
    skins: Vec<String>,
    #[serde(default)]
    physics: Option<bool>,
    /// Frame rate of keyed animations; by default, the file's rate.
    #[serde(default)]
    fps: Option<f64>,
    #[serde(default)]
    speed: Option<f32>,
    #[serde(default)]
    loops: Option<u16>,
    /// Red, green and blue.
    #[serde(default)]
    matte: Option<[u8; 3]>,
    width: u32,
    height: u32,
    /// The visible area of the world: left, bottom, right, top.
    area: [f32; 4],
}

/// Returns the bytes of the file.
pub fn animate(files: &Files, request: &Request) -> Result<Vec<u8>> {
    let options = options(request)?;
    let character = opened(files, &request.main, options.read.clone())?;
    let model = character.model();
    let animations = choose::animations_or_first(&character, &options.subject.animations, &options.read.limits)?;
    let skins = choose::skins(&character, &options.subject.skins)?;
    let plan = options.plan(&character, &animations, &skins)?;
    let mut bytes = Vec::new();
    // Ending the worker cancels.
    let cancelled = AtomicBool::new(false);
    let batch = Batch {
        sequence: options.sequence(&character, &plan, &cancelled),
        options: &options,
        plan: &plan,
        files: &[PlannedFile { path: None, pictures: 0..plan.pictures.len() }],
        sources: &[],
        commit: Commit::Together,
        may_replace: &|_| false,
        observer: &(),
    };
    batch.write(&mut Drawing::cpu(Renderer::new(model)), &mut bytes).map_err(plain)?;
    Ok(bytes)
}

fn options(request: &Request) -> Result<RenderOptions> {
    let names = [("apng", Format::Apng), ("webp", Format::Webp), ("gif", Format::Gif)];
    let Some((_, format)) = names.into_iter().find(|(name, _)| *name == request.format) else {
        let message = format!("`{}` cannot be written here, only apng, webp and gif", request.format);
        return Err(Error::misuse("unsupported", message));
    };
    let mut options = RenderOptions::default();
    options.subject.animations = request.animation.clone().into_iter().collect();
    options.subject.skins.clone_from(&request.skins);
    options.subject.physics = request.physics;
    options.subject.loops = request.loops;
    options.subject.speed = request.speed.unwrap_or(1.0);
    options.read.fps = request.fps;
    options.look.matte = request.matte;
    options.look.size = Size::Exact(request.width, request.height);
    options.look.backend = Backend::Cpu;
    let [left, bottom, right, top] = request.area;
    options.look.fit = Fit::Rect(Rect { min: vec2(left, bottom), max: vec2(right, top) });
    options.output.format = Some(format);
    options.output.jobs = 1;
    Ok(options)
}

/// The error of the library in an error of a batch.
fn plain(error: BatchError) -> Error {
    match error {
        BatchError::Export(ExportError::File(error)) => error,
        error => Error::misuse("encoding", error.to_string()),
    }
}
