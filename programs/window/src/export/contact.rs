//! The preview of a contact sheet, with smaller cells than the file.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use super::preview::PreviewRequest;
use super::reduced::{decoded, smaller};
use crate::base::name;
use pchr::cpu;
use pchr::draw::Picture;
use pchr::export::{Alpha, Batch, Commit, Drawing, Plan, PlannedFile, sheet_ranges};

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
    options.output.optimize = false;
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
        observer: &(),
    };
    let mut png = Vec::new();
    let message = |error: &dyn std::error::Error| name::message(error);
    let written = batch.write(&mut Drawing::cpu(renderer.clone()), &mut png).map_err(|error| message(&error))?;
    if !written.outcome.is_finished {
        return Ok(None);
    }
    decoded(&png, request.options.surface())
}
