//! Which frames a contact sheet shows, and how they are divided into sheets.

use std::ops::Range;

use super::contact_layout::{CAPTION_LINES, Layout};
use super::pictures::Planned;
use super::pictures::neighbours;
use crate::draw::View;
use crate::export::options::{ContactGrid, RenderOptions, Template};
use crate::model::Animation;
use crate::{Error, Result};

/// Error code: more frames are selected than a contact sheet has cells.
pub const CONTACT_SHEET_FULL: &str = "contact-sheet-full";
/// Error code: more animations are selected than a contact sheet has cells.
pub const CONTACT_SHEET_SHARED: &str = "contact-sheet-shared";
/// Error code: the contact sheet has more pixels than allowed.
pub const CONTACT_SHEET_TOO_LARGE: &str = "contact-sheet-too-large";

/// Returns the number of cells for each of `count` animations if no frames are selected, or `None` if each shows
/// all of its frames. One sheet for several animations divides its cells among them.
pub fn frames_of(options: &RenderOptions, grid: ContactGrid, count: usize) -> Result<Option<Vec<usize>>> {
    let Some(cells) = grid.cells() else { return Ok(None) };
    let is_shared = template(options).is_none_or(|path| !path.names_animation() && !path.names_index());
    if !is_shared {
        return Ok(Some(vec![cells; count]));
    }
    let columns = grid.columns().map_or(1, |columns| columns as usize);
    let shares = shares(cells, columns, count).ok_or_else(|| {
        let message = format!("{count} animations are selected, but a contact sheet of {grid} has {cells} cells");
        Error::misuse(CONTACT_SHEET_SHARED, message)
    })?;
    Ok(Some(shares))
}

/// Divides cells in rows of `columns` among `count` animations or characters. Each begins a row if there are enough
/// rows. Returns `None` if there are not enough cells.
pub fn shares(cells: usize, columns: usize, count: usize) -> Option<Vec<usize>> {
    if count > cells {
        return None;
    }
    let cells_per_unit = if count <= cells / columns { columns } else { 1 };
    let units = cells / cells_per_unit;
    // The shares before this index, together. The numbers of units differ by at most one.
    let units_before = |index: usize| units * index / count.max(1);
    let units_of = |index: usize| units_before(index + 1) - units_before(index);
    Some((0..count).map(|index| units_of(index) * cells_per_unit).collect())
}

/// Returns up to `cells` frames of `animation`, evenly spread. The last frame is included unless the animation
/// loops, where the first one follows it.
pub fn spread(animation: &Animation, cells: usize) -> Vec<u32> {
    let count = u64::from(animation.frame_count());
    let cells = cells as u64;
    if count <= cells {
        return (0..animation.frame_count()).collect();
    }
    let frame = |cell: u64| match animation.looping {
        true => cell * count / cells,
        false => (cell * (count - 1)).checked_div(cells - 1).unwrap_or(0),
    };
    (0..cells).map(|cell| frame(cell) as u32).collect()
}

/// Returns the pictures of each sheet: one sheet per animation with `{animation}` in the path, and as many sheets
/// as are needed with `{index}`.
pub fn sheet_ranges(pictures: &[Planned], grid: ContactGrid, template: Option<&Template>) -> Vec<Range<usize>> {
    let by_animation = template.is_some_and(Template::names_animation);
    let ranges = neighbours(pictures, |a, b| !by_animation || a.animation == b.animation);
    match grid.cells().filter(|_| template.is_some_and(Template::names_index)) {
        None => ranges,
        Some(cells) => {
            let split = |range: Range<usize>| {
                range.clone().step_by(cells).map(move |start| start..(start + cells).min(range.end))
            };
            ranges.into_iter().flat_map(split).collect()
        }
    }
}

/// Fails if more frames are selected for a sheet than it has cells.
pub fn check_fit(options: &RenderOptions, grid: ContactGrid, pictures: &[Planned]) -> Result<()> {
    let Some(cells) = grid.cells() else { return Ok(()) };
    let ranges = sheet_ranges(pictures, grid, template(options).as_ref());
    let most = ranges.iter().map(ExactSizeIterator::len).max().unwrap_or(0);
    if most <= cells {
        return Ok(());
    }
    Err(overfull(most, grid))
}

/// The error for more frames than cells.
pub fn overfull(frames: usize, grid: ContactGrid) -> Error {
    let cells = grid.cells().unwrap_or(0);
    let message = format!("{frames} frames are selected, but a contact sheet of {grid} has {cells} cells");
    Error::misuse(CONTACT_SHEET_FULL, message)
}

/// Fails if a sheet takes more memory than allowed.
pub fn check_size(options: &RenderOptions, grid: ContactGrid, pictures: &[Planned], view: &View) -> Result<()> {
    let ranges = sheet_ranges(pictures, grid, template(options).as_ref());
    let frame = [view.width(), view.height()];
    let layout = |range: Range<usize>| Layout::new(frame, CAPTION_LINES, grid, &groups(&pictures[range]));
    let sizes = ranges.into_iter().map(|range| layout(range).size());
    let largest = sizes.max_by_key(|[width, height]| width.saturating_mul(*height)).unwrap_or_default();
    check_bytes(largest, options)
}

/// Fails if a sheet of this size takes more memory than allowed, although it is never in memory completely: few programs
/// open larger pictures.
pub fn check_bytes([width, height]: [u64; 2], options: &RenderOptions) -> Result<()> {
    let (bytes, allowed) = (width.saturating_mul(height).saturating_mul(4), options.read.limits.memory_bytes);
    // The PNG format stores sides in 31 bits.
    let fits = bytes <= allowed && width.max(height) <= i32::MAX as u64;
    if fits {
        return Ok(());
    }
    let message = format!(
        "a contact sheet of {width}×{height} takes {bytes} bytes, the limit `memory-bytes` allows {allowed}"
    );
    Err(Error::misuse(CONTACT_SHEET_TOO_LARGE, message))
}

/// Returns the numbers of consecutive pictures of the same animation.
pub fn groups(pictures: &[Planned]) -> Vec<usize> {
    neighbours(pictures, |a, b| a.animation == b.animation).iter().map(ExactSizeIterator::len).collect()
}

pub fn template(options: &RenderOptions) -> Option<Template> {
    options.output.files().and_then(|path| path.parse().ok())
}
