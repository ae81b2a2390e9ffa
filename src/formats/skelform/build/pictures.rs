//! Atlases: sizes are checked and charged first, then pixels are decoded in parallel.

use ::bytes::Bytes;

use super::{Container, schema};
use crate::diagnostics::Diagnostics;
use crate::error::{Error, Place, Result, escaped};
#[cfg(feature = "convert")]
use crate::formats::image::blank_png;
use crate::formats::image::{
    charge_decoding, decode_picture_watched, decode_png_watched, is_jpeg, jpeg_size, png_size,
};
use crate::formats::skelform::read::at;
use crate::limits::Budget;
use crate::model::{AlphaSource, AtlasPage, ModelBuilder, PageId};
use crate::progress::Progress;

/// An atlas.
#[derive(Debug, Clone, Copy)]
pub struct Picture {
    /// `None` if it is missing.
    pub page: Option<PageId>,
    /// Size in pixels; the stated one if the picture is missing.
    pub size: [f32; 2],
}

/// The pixels of pages.
#[derive(Debug, Clone, Copy)]
pub enum Pixels {
    /// All are decoded.
    Decoded,
    /// Those of complete PNGs are left blank.
    #[cfg(feature = "convert")]
    Blank,
}

/// A picture whose size has been charged.
struct Checked {
    name: String,
    bytes: Bytes,
    size: (u32, u32),
}

/// Finds and decodes every atlas.
pub fn build(
    root: &schema::Root<'_>,
    (container, pixels): (&Container, Pixels),
    builder: &mut ModelBuilder,
    budget: &mut Budget<'_>,
    diagnostics: &mut Diagnostics,
) -> Result<Vec<Picture>> {
    let mut checked = Vec::with_capacity(root.atlases.len());
    for (index, atlas) in root.atlases.iter().enumerate() {
        let name = atlas.filename.as_str();
        let Some(bytes) = container.load(name, budget)? else {
            let name = escaped(name);
            let message = format!("the entry `{name}` is missing; its textures are drawn in a neutral colour");
            diagnostics.incomplete("missing-image", at(format!("/atlases/{index}/filename")), message);
            checked.push(None);
            continue;
        };
        checked.push(Some(check(escaped(name), bytes, budget)?));
    }
    let schema::Color { r, g, b, .. } = root.clear_color;
    let mut pages = decode_all(&checked, ([r, g, b], pixels), budget.progress())?.into_iter();
    let mut pictures = Vec::with_capacity(checked.len());
    for (checked, atlas) in checked.iter().zip(&root.atlases) {
        let picture = match checked.as_ref().zip(pages.next()) {
            Some((checked, page)) => {
                let size = [checked.size.0 as f32, checked.size.1 as f32];
                Picture { page: page.map(|page| builder.page(page)).transpose()?, size }
            }
            None => Picture { page: None, size: [atlas.size.x.0.max(1.0), atlas.size.y.0.max(1.0)] },
        };
        pictures.push(picture);
    }
    Ok(pictures)
}

fn check(name: String, bytes: Bytes, budget: &mut Budget<'_>) -> Result<Checked> {
    let place = || Place::inside(name.clone());
    let size = if is_jpeg(&bytes) {
        jpeg_size(&bytes, &place())?
    } else {
        png_size(&bytes)
            .ok_or_else(|| Error::malformed("bad-png", place(), "this is neither a PNG nor a JPEG file"))?
    };
    if size.0 == 0 || size.1 == 0 {
        let message = format!("an image of {}×{} has no pixels", size.0, size.1);
        return Err(Error::malformed("empty-image", place(), message));
    }
    charge_decoding(&bytes, size, budget, place)?;
    Ok(Checked { name, bytes, size })
}

fn decode(
    checked: &Checked,
    (clear, pixels): ([u8; 3], Pixels),
    progress: Option<&Progress>,
) -> Result<AtlasPage> {
    progress.map_or(Ok(()), Progress::check)?;
    let Checked { name, bytes, size: (width, height) } = checked;
    let place = || Place::inside(name.clone());
    let pixels = if is_jpeg(bytes) {
        decode_keyed_jpeg(bytes, clear, progress, place)?.into()
    } else {
        match pixels {
            Pixels::Decoded => decode_png_watched(bytes, progress, place)?,
            #[cfg(feature = "convert")]
            Pixels::Blank => blank_png(bytes, progress, place)?.into(),
        }
    };
    progress.inspect(|progress| progress.image_done());
    let name = name.as_str().into();
    // The format defines straight alpha, whatever the pixels look like.
    let (is_premultiplied, alpha_source) = (false, AlphaSource::Stated);
    Ok(AtlasPage { name, width: *width, height: *height, pixels, is_premultiplied, alpha_source })
}

/// Tolerance per channel around the transparent colour, since JPEG keeps no colour exactly.
const NEAR: u8 = 100;

/// Decodes a JPEG whose size has been charged. Pixels close to `clear` become transparent.
fn decode_keyed_jpeg(
    bytes: &[u8],
    clear: [u8; 3],
    progress: Option<&Progress>,
    place: impl Fn() -> Place,
) -> Result<Vec<u8>> {
    let mut pixels = Vec::from(decode_picture_watched(bytes, progress, place)?);
    for pixel in pixels.as_chunks_mut::<4>().0 {
        let is_clear = clear.iter().zip(&*pixel).all(|(clear, channel)| clear.abs_diff(*channel) <= NEAR);
        *pixel = if is_clear { [0; 4] } else { [pixel[0], pixel[1], pixel[2], 255] };
    }
    Ok(pixels)
}

/// Decodes all atlases; `None` for those that are missing.
fn decode_all(
    checked: &[Option<Checked>],
    how: ([u8; 3], Pixels),
    progress: Option<&Progress>,
) -> Result<Vec<Option<AtlasPage>>> {
    progress.inspect(|progress| progress.expect_images(checked.iter().flatten().count()));
    let one =
        |checked: &Option<Checked>| checked.as_ref().map(|checked| decode(checked, how, progress)).transpose();
    #[cfg(feature = "threads")]
    {
        use rayon::prelude::*;
        checked.par_iter().map(one).collect()
    }
    #[cfg(not(feature = "threads"))]
    checked.iter().map(one).collect()
}
