//! A plain PNG cut into frames of one size, left to right and top to bottom.

use ::bytes::Bytes;

use super::parts::{Gathered, Part, Picture};
use super::schema::{self, Number};
use crate::bytes::Block;
use crate::error::{Error, Place, Result};
use crate::formats::grid::Grid;
use crate::formats::image::png_size;
use crate::limits::Budget;

/// Cuts a PNG into frames.
pub fn cut(png: &Bytes, grid: Grid, budget: &mut Budget<'_>) -> Result<Gathered> {
    let Some((width, height)) = png_size(png) else {
        return Err(Error::malformed("bad-png", Place::at("PNG", 0), "the image is not a PNG file"));
    };
    let [columns, rows] = grid.cells(width, height);
    let fitting = u64::from(columns) * u64::from(rows);
    let count = grid.count.map_or(fitting, u64::from);
    if count > fitting || count == 0 {
        let message = format!(
            "{fitting} frames of {}×{} fit into an image of {width}×{height}, not {}",
            grid.width,
            grid.height,
            count.max(1)
        );
        return Err(Error::malformed("grid", Place::at("IHDR", 16), message));
    }
    // The image is decoded later; until then its header is not trustworthy.
    Budget::new(budget.limits()).charge_pixels(width, height, || Place::at("IHDR", 16))?;
    budget.charge_records(count, || Place::at("IHDR", 16))?;
    budget.charge_memory(count, size_of::<schema::Frame>(), || Place::at("IHDR", 16))?;
    let size = |pixels: u32| Number(pixels as f32);
    let frame = |index: u64| {
        let (column, row) = (index % u64::from(columns), index / u64::from(columns));
        // Both edges lie in the image.
        let [x, y] = grid.corner(column as u32, row as u32).map(|edge| size(edge as u32));
        schema::Frame {
            frame: schema::Rect { x, y, w: size(grid.width), h: size(grid.height) },
            ..schema::Frame::default()
        }
    };
    let list = (0..count).map(frame).collect();
    let picture = Picture::Inside(Block::new(png.clone(), 0));
    let part = Part { picture, frames: list, ..Part::default() };
    Ok(Gathered { parts: vec![part], ..Gathered::default() })
}
