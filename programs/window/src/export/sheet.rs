//! The preview of a sprite sheet: one page, scaled down if necessary.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::preview::{At, Planned, PreviewRequest};
use super::reduced::MAX_SIDE;
use crate::base::name;
use pchr::cpu;
use pchr::draw::Picture;
use pchr::export::{Alpha, Drawing, Plan, SheetPlan, Surface, sheet_ranges};
use pchr::motion::Cue;

/// The layout of a sheet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SheetEstimate {
    /// Number of sheets. The other fields describe the first.
    pub sheets: usize,
    /// Number of frames.
    pub frames: usize,
    /// Width and height of each page in pixels.
    pub pages: Vec<[u32; 2]>,
    /// Index of the page shown.
    pub page: usize,
}

impl SheetEstimate {
    /// Summarizes a planned sheet.
    pub fn new(request: &PreviewRequest, plan: &Plan, sheet: &SheetPlan) -> Self {
        let ranges = sheet_ranges(&plan.pictures, request.by_animation);
        let frames = ranges.first().map_or(0, |range| range.len());
        Self { sheets: ranges.len(), frames, pages: sheet.pages.clone(), page: page(request, sheet) }
    }
}

fn page(request: &PreviewRequest, sheet: &SheetPlan) -> usize {
    let wanted = match request.at {
        At::Page(page) => page,
        At::Frame(_) | At::Index(_) => 0,
    };
    wanted.min(sheet.pages.len().saturating_sub(1))
}

/// Draws the requested page of the first sheet, and returns the plan with the layout filled in. Returns no picture
/// if no frames are chosen or drawing was cancelled.
pub fn draw(
    request: &PreviewRequest,
    planned: Planned,
    renderer: &cpu::Renderer,
    cancelled: &AtomicBool,
) -> Result<(Option<Picture>, Planned), String> {
    let Planned { plan, sheet } = planned;
    let options = &request.options;
    let range = sheet_ranges(&plan.pictures, request.by_animation).into_iter().next().unwrap_or(0..0);
    let cues: Vec<Cue> = plan.pictures[range].iter().map(|picture| picture.cue.clone()).collect();
    if cues.is_empty() {
        return Ok((None, Planned { plan, sheet }));
    }
    let sequence = |surface| {
        let sequence = options.sequence(&request.character, &plan, cancelled);
        sequence.previewed(plan.view, options.settings(&plan.view), surface)
    };
    let message = name::message;
    let mut drawing = Drawing::cpu(renderer.clone());
    let sheet = match sheet {
        Some(sheet) => Some(sheet),
        None => sequence(options.surface())
            .plan_sheet(&mut drawing, &cues, &options.output.sheet, &|| {})
            .map_err(message)?
            .map(Arc::new),
    };
    let Some(sheet) = sheet else { return Ok((None, Planned { plan, sheet: None })) };
    let surface = Surface { alpha: Alpha::Premultiplied, ..options.surface() };
    let picture =
        sequence(surface).sheet_page_picture(&mut drawing, &cues, &sheet, page(request, &sheet), MAX_SIDE);
    let mut picture = picture.map_err(message)?;
    if let Some(picture) = &mut picture {
        options.surface().read_back(picture);
    }
    Ok((picture, Planned { plan, sheet: Some(sheet) }))
}
