//! Images: sizes are checked and charged first, pixels are decoded last.

use std::collections::HashMap;

use ::bytes::Bytes;

use crate::diagnostics::Diagnostics;
use crate::error::{Error, Fault, Place, Result};
use crate::formats::image::{charge_decoder, decode_png_watched, png_size};
use crate::formats::pchr::document::{At, Document};
use crate::formats::pchr::schema::Image;
use crate::limits::Budget;
use crate::model::{AlphaSource, AtlasPage};
use crate::progress::Progress;

/// Checks formats and sizes and charges the pixels, without decoding. Returns for each image whether it has a
/// picture.
pub fn check(document: &Document, budget: &mut Budget<'_>, diagnostics: &mut Diagnostics) -> Result<Vec<bool>> {
    let mut has_picture = Vec::with_capacity(document.file.images.len());
    for index in 0..document.file.images.len() {
        has_picture.push(check_one(document, index, budget, diagnostics)?);
    }
    Ok(has_picture)
}

fn check_one(
    document: &Document,
    index: usize,
    budget: &mut Budget<'_>,
    diagnostics: &mut Diagnostics,
) -> Result<bool> {
    let image = &document.file.images[index];
    let place = |field| document.place(At::Image(index, field));
    let mut reject_image =
        |code, place, message: String| diagnostics.reject(Error::malformed(code, place, message)).map(|()| false);
    let (width, height) = (image.width, image.height);
    if width == 0 || height == 0 {
        let message = format!("an image of {width}×{height} has no pixels");
        return reject_image("empty-image", place(if width == 0 { "width" } else { "height" }), message);
    }
    budget.charge_pixels(width.into(), height.into(), || place("width"))?;
    if image.format > Image::RGBA8888 {
        let format = image.format;
        let message = format!("unknown image format {format}; expected 0 (png) or 1 (rgba8888)");
        return reject_image("image-format", place("format"), message);
    }
    if let Some(why) = document.missing(index) {
        let message = format!("{why}; its meshes are drawn in a neutral colour");
        diagnostics.incomplete("missing-image", place("data"), message);
        return Ok(false);
    }
    if document.is_png(index) {
        let Some(size) = png_size(&image.data.bytes) else {
            let message = "the data is not a PNG file".to_owned();
            return reject_image("bad-png", data_place(document, index), message);
        };
        if size != (width.into(), height.into()) {
            let message = format!("width and height are {width}×{height}, but the PNG is {}×{}", size.0, size.1);
            let field = if size.0 == u32::from(width) { "height" } else { "width" };
            return reject_image("image-size", place(field), message);
        }
        charge_decoder(&image.data.bytes, size, budget, || data_place(document, index))?;
    } else {
        let expected = u64::from(width) * u64::from(height) * 4;
        let found = image.data.bytes.len();
        if found as u64 != expected {
            let message =
                format!("{found} bytes of data, but {width}×{height} pixels of rgba8888 need {expected}");
            return reject_image("image-length", place("dataLength"), message);
        }
    }
    Ok(true)
}

/// Decodes checked images; a picture that several of them share is decoded once.
pub struct PageDecoder<'a> {
    document: &'a Document,
    progress: Option<&'a Progress>,
    /// By picture: the number of images that share it, and the result of decoding it.
    pictures: HashMap<PictureKey, (usize, Option<Result<Bytes, Fault>>)>,
}

/// Identifies a picture: images that share one share its bytes in memory.
pub type PictureKey = (*const u8, usize);

/// Returns the key of an image's picture.
pub fn picture_key(document: &Document, index: usize) -> PictureKey {
    let bytes = &document.file.images[index].data.bytes;
    (bytes.as_ptr(), bytes.len())
}

impl<'a> PageDecoder<'a> {
    pub fn new(document: &'a Document) -> Self {
        let mut pictures: HashMap<_, (usize, _)> = HashMap::new();
        for index in 0..document.file.images.len() {
            pictures.entry(picture_key(document, index)).or_default().0 += 1;
        }
        Self { document, progress: None, pictures }
    }

    /// Stops decoding once `progress` is cancelled.
    pub fn with_progress(self, progress: Option<&'a Progress>) -> Self {
        Self { progress, ..self }
    }

    /// Decodes one image.
    pub fn page(&mut self, index: usize) -> Result<AtlasPage> {
        let document = self.document;
        let pixels = match self.pictures.get_mut(&picture_key(document, index)) {
            // Pictures of a single image are not cached.
            Some((count, known)) if *count > 1 && document.is_png(index) => match known {
                Some(Ok(pixels)) => pixels.clone(),
                Some(Err(fault)) => {
                    let fault = Fault { place: data_place(document, index), ..fault.clone() };
                    return Err(Error::Malformed(Box::new(fault)));
                }
                None => {
                    let decoded = decode_pixels(document, index, self.progress);
                    *known = match &decoded {
                        Ok(pixels) => Some(Ok(pixels.clone())),
                        Err(Error::Malformed(fault)) => Some(Err((**fault).clone())),
                        Err(_) => None,
                    };
                    decoded?
                }
            },
            _ => decode_pixels(document, index, self.progress)?,
        };
        Ok(page(document, index, pixels))
    }
}

/// Decodes one checked image.
#[cfg(feature = "bake")]
pub fn decode_page(document: &Document, index: usize) -> Result<AtlasPage> {
    Ok(page(document, index, decode_pixels(document, index, None)?))
}

fn decode_pixels(document: &Document, index: usize, progress: Option<&Progress>) -> Result<Bytes> {
    let image = &document.file.images[index];
    if document.is_png(index) {
        decode_png_watched(&image.data.bytes, progress, || data_place(document, index))
    } else {
        Ok(image.data.bytes.clone())
    }
}

fn page(document: &Document, index: usize, pixels: Bytes) -> AtlasPage {
    let image = &document.file.images[index];
    AtlasPage {
        name: image.name.as_str().into(),
        width: image.width.into(),
        height: image.height.into(),
        pixels,
        is_premultiplied: false,
        // The format only has straight alpha.
        alpha_source: AlphaSource::Stated,
    }
}

/// The place of the bytes of a picture.
fn data_place(document: &Document, index: usize) -> Place {
    let mut place = document.place(At::Image(index, "data"));
    if let Some(sidecar) = document.sidecars.get(index) {
        place.path = format!("{} (`{}`)", place.path, sidecar.path);
    }
    place
}
