//! A picture file → a page.

use ::bytes::Bytes;

use super::Page;
use crate::error::{Error, Fault, Place, Result, escaped};
use crate::formats::image::{charge_decoding, decode_picture_watched, picture_size};
use crate::formats::spine::find_image::Found;
use crate::formats::spine::find_page::PageFinder;
use crate::limits::Budget;
use crate::model::{AlphaSource, AtlasPage, ModelBuilder};

/// Decodes a picture, with the alpha that `finder` finds beside it if it has none. The inner error is the reason that it
/// cannot be used.
pub fn load_page(
    found: Found,
    is_premultiplied: Option<bool>,
    finder: Option<&PageFinder<'_>>,
    builder: &mut ModelBuilder,
    budget: &mut Budget<'_>,
    total: &mut u64,
) -> Result<Result<Page, String>> {
    let mut picture = match decode(&found, budget, total)? {
        Ok(picture) => picture,
        Err(why) => return Ok(Err(why)),
    };
    if let Some(finder) = finder.filter(|_| picture.is_opaque())
        && let Some(alpha) = finder.alpha_of(&found, budget.limits())?
    {
        match decode(&alpha, budget, total)? {
            Ok(alpha) => picture.take_alpha(&alpha),
            Err(why) => return Ok(Err(why)),
        }
    }
    let Decoded { width, height, pixels } = picture;
    let alpha_source = is_premultiplied.map_or(AlphaSource::Assumed, |_| AlphaSource::Stated);
    let is_premultiplied = is_premultiplied.unwrap_or_default();
    let page = AtlasPage { name: found.path.into(), width, height, pixels, is_premultiplied, alpha_source };
    Ok(Ok(Page { id: Some(builder.page(page)?), size: [width as f32, height as f32] }))
}

/// Decodes a picture. The inner error is the reason that it cannot be used.
fn decode(found: &Found, budget: &mut Budget<'_>, total: &mut u64) -> Result<Result<Decoded, String>> {
    let Found { path, bytes, .. } = found;
    *total += bytes.len() as u64;
    budget.check_file(*total).map_err(|error| error.in_file(path))?;
    let place = || Place::file(escaped(path));
    let decoded = picture_size(bytes, place).and_then(|(width, height)| {
        charge_decoding(bytes, (width, height), budget, place)?;
        Ok(Decoded { width, height, pixels: decode_picture_watched(bytes, budget.progress(), place)? })
    });
    match decoded {
        Ok(decoded) => Ok(Ok(decoded)),
        // A broken picture counts as missing.
        Err(Error::Malformed(fault) | Error::Unsupported(fault)) => {
            let Fault { message, .. } = *fault;
            Ok(Err(format!("`{}` is broken: {message}", escaped(path))))
        }
        Err(error) => Err(error),
    }
}

/// A decoded picture: straight RGBA.
struct Decoded {
    width: u32,
    height: u32,
    pixels: Bytes,
}

impl Decoded {
    fn is_opaque(&self) -> bool {
        self.pixels.chunks_exact(4).all(|pixel| pixel[3] == 255)
    }

    /// Replaces the alpha by the alpha of `mask`, or by its brightness if it has no alpha. A smaller or larger mask is
    /// scaled, taking its nearest pixels.
    fn take_alpha(&mut self, mask: &Self) {
        let channel = if mask.is_opaque() { 0 } else { 3 };
        let scaled = |at: usize, side: u32, of_mask: u32| at as u64 * u64::from(of_mask) / u64::from(side);
        let (width, mask_width) = (self.width as usize, mask.width as usize);
        let mut pixels = Vec::from(std::mem::take(&mut self.pixels));
        for (y, row) in pixels.chunks_exact_mut(width * 4).enumerate() {
            let from = scaled(y, self.height, mask.height) as usize * mask_width;
            for (x, pixel) in row.chunks_exact_mut(4).enumerate() {
                pixel[3] = mask.pixels[(from + scaled(x, self.width, mask.width) as usize) * 4 + channel];
            }
        }
        self.pixels = pixels.into();
    }
}
