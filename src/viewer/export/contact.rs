//! The preview of a contact sheet, with smaller cells than the file.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use super::preview::{MAX_SIDE, PreviewRequest};
use crate::cpu;
use crate::draw::{Picture, View};
use crate::error::escaped;
use crate::export::{Alpha, Batch, Commit, Drawing, Observer, Plan, PlannedFile, Surface, sheet_ranges};
use crate::formats::image::decode_png;
use crate::viewer::overlays::underlay::reduced;

/// Draws the first sheet. Returns no picture if no frames are chosen or drawing was cancelled.
pub fn draw(
    request: &PreviewRequest,
    plan: &Plan,
    renderer: &cpu::Renderer,
    cancelled: &AtomicBool,
) -> Result<Option<Picture>, String> {
    // As textures are stored.
    let mut options = request.options.clone();
    options.look.alpha = Alpha::Premultiplied;
    let range = sheet_ranges(&plan.pictures, request.by_animation).into_iter().next().unwrap_or(0..0);
    if range.is_empty() {
        return Ok(None);
    }
    let pictures = plan.pictures[range].to_vec();
    let columns = options.contact_sheet().and_then(|grid| grid.columns()).unwrap_or(1);
    let rows = (pictures.len() as u32).div_ceil(columns);
    let cell = [plan.view.width(), plan.view.height()];
    let plan = Plan { view: smaller(plan.view, cell, columns, rows), pictures, ..plan.clone() };
    let files = [PlannedFile { path: None, pictures: 0..plan.pictures.len() }];
    let batch = Batch {
        sequence: options.sequence(&request.character, &plan, cancelled),
        options: &options,
        plan: &plan,
        files: &files,
        sources: &[],
        commit: Commit::Each,
        may_replace: &|_: &Path| false,
        observer: &Silent,
    };
    let mut png = Vec::new();
    let message = |error: &dyn std::error::Error| escaped(&error.to_string());
    let written = batch.write(&mut Drawing::cpu(renderer.clone()), &mut png).map_err(|error| message(&error))?;
    if !written.outcome.is_finished {
        return Ok(None);
    }
    decoded(&png, request.options.surface())
}

/// Returns the picture in a PNG as textures are stored.
pub fn decoded(png: &[u8], surface: Surface) -> Result<Option<Picture>, String> {
    let pixels = decode_png(png, Default::default).map_err(|error| escaped(&error.to_string()))?;
    // As the header of every PNG states it.
    let side = |at: usize| png.get(at..at + 4).and_then(|bytes| bytes.try_into().ok()).map(u32::from_be_bytes);
    let (Some(width), Some(height)) = (side(16), side(20)) else { return Ok(None) };
    let mut picture = Picture::default();
    picture.reset(width, height);
    if picture.pixels().len() != pixels.len() {
        return Ok(None);
    }
    picture.pixels_mut().copy_from_slice(&pixels);
    surface.read_back(&mut picture);
    // Captions do not shrink with the cells.
    Ok(Some(reduced(picture, LARGEST)))
}

/// Reduces a view as much as a sheet whose cells have this width and height, so that it is about as large as a preview.
pub fn smaller(view: View, cell: [u32; 2], columns: u32, rows: u32) -> View {
    let longest = u64::from(cell[0]) * u64::from(columns.max(1));
    let longest = longest.max(u64::from(cell[1]) * u64::from(rows.max(1)));
    if longest <= u64::from(MAX_SIDE) {
        return view;
    }
    let side = |side: u32| (u64::from(side) * u64::from(MAX_SIDE) / longest).max(1) as u32;
    View::fit(side(view.width()), side(view.height()), view.world())
}

/// A side that every texture can have.
const LARGEST: u32 = 2048;

struct Silent;

impl Observer for Silent {}
