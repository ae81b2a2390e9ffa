//! Pictures that are no larger than a preview.

use crate::base::name;
use crate::overlays::underlay::reduced;
use pchr::draw::{Picture, View};
use pchr::export::Surface;
use pchr::formats::image::{decode_png, png_size};

/// Longer side of a preview in pixels; larger pictures are scaled down.
pub const MAX_SIDE: u32 = 1024;

/// A side that every texture can have.
const LARGEST: u32 = 2048;

/// Returns the picture in a PNG as textures are stored.
pub fn decoded(png: &[u8], surface: Surface) -> Result<Option<Picture>, String> {
    let pixels = decode_png(png, Default::default).map_err(name::message)?;
    let Some((width, height)) = png_size(png) else { return Ok(None) };
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
