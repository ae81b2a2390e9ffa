//! Images: their sizes first, their pixels last.

use ::bytes::Bytes;

use crate::error::{Error, Place, Result};
use crate::formats::image::{decode_png, png_size};
use crate::formats::pchr::schema::Image;
use crate::limits::Budget;
use crate::model::AtlasPage;

/// Checks formats and sizes, and charges the pixels. Decodes nothing.
pub fn check(images: &[Image], budget: &mut Budget<'_>) -> Result<()> {
    images.iter().enumerate().try_for_each(|(index, image)| check_one(index, image, budget))
}

fn check_one(index: usize, image: &Image, budget: &mut Budget<'_>) -> Result<()> {
    let header = image.offset + 2 + image.name.len() as u64;
    let size_place = || Place::at(format!("images[{index}].width"), header);
    let (width, height) = (image.width, image.height);
    if width == 0 || height == 0 {
        let message = format!("an image of {width}×{height} has no pixels");
        return Err(Error::malformed("empty-image", size_place(), message));
    }
    budget.charge_pixels(width.into(), height.into(), size_place)?;
    match image.format {
        Image::PNG => {
            let Some(size) = png_size(&image.data.bytes) else {
                let message = "`format` says PNG, but the data does not begin like one";
                return Err(Error::malformed("bad-png", data_place(index, image), message));
            };
            if size != (width.into(), height.into()) {
                let message =
                    format!("width and height are {width}×{height}, but the PNG is {}×{}", size.0, size.1);
                return Err(Error::malformed("image-size", size_place(), message));
            }
        }
        Image::RGBA8888 => {
            let expected = u64::from(width) * u64::from(height) * 4;
            let found = image.data.bytes.len();
            if found as u64 != expected {
                let place = Place::at(format!("images[{index}].dataLength"), header + 5);
                let message =
                    format!("{found} bytes of data, but {width}×{height} pixels of rgba8888 take {expected}");
                return Err(Error::malformed("image-length", place, message));
            }
        }
        format => {
            let place = Place::at(format!("images[{index}].format"), header + 4);
            let message = format!("image format {format} is not known, there are 0 (png) and 1 (rgba8888)");
            return Err(Error::malformed("image-format", place, message));
        }
    }
    Ok(())
}

/// Decodes checked images, one after the other: each needs memory beside its pixels.
pub fn decode(images: &[Image]) -> Result<Vec<AtlasPage>> {
    let decode_one = |(index, image): (usize, &Image)| {
        let pixels = match image.format {
            Image::PNG => Bytes::from(decode_png(&image.data.bytes, || data_place(index, image))?),
            _ => image.data.bytes.clone(),
        };
        Ok(AtlasPage {
            name: image.name.as_str().into(),
            width: image.width.into(),
            height: image.height.into(),
            pixels,
        })
    };
    images.iter().enumerate().map(decode_one).collect()
}

fn data_place(index: usize, image: &Image) -> Place {
    Place::at(format!("images[{index}].data"), image.data.offset)
}
