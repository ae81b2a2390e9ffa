//! [`Document`] → the fields of a v1 file.

use ::bytes::Bytes;

use super::build::{PageDecoder, decode_page};
use super::document::{At, Document};
use super::schema::{self, Image};
use crate::bytes::Block;
use crate::error::{Error, Result};
use crate::formats::Loss;
use crate::formats::image::encode_png;
use crate::limits::{Budget, Limits};

impl Document {
    /// Returns the picture of an image as a PNG file: its own bytes if it is one.
    pub fn png(&self, image: usize) -> Result<Bytes> {
        let limits = Limits { pixels: u64::MAX, memory_bytes: u64::MAX, work: u64::MAX, ..Limits::default() };
        self.png_within(image, &mut Budget::new(&limits))
    }

    /// Like [`Self::png`], within a budget.
    pub(crate) fn png_within(&self, image: usize, budget: &mut Budget<'_>) -> Result<Bytes> {
        let Some(found) = self.file.images.get(image) else {
            let message = format!("image {image} does not exist, the document has {}", self.file.images.len());
            return Err(Error::misuse("no-such-image", message));
        };
        if self.is_png(image) {
            return Ok(found.data.bytes.clone());
        }
        budget
            .charge_encoding(found.width.into(), found.height.into(), || self.place(At::Image(image, "data")))?;
        let page = decode_page(self, image)?;
        encode_png(page.width, page.height, &page.pixels).map(Bytes::from)
    }

    /// Fails if a mesh would have no picture: an image is missing, there are none, or the mesh refers to none.
    pub fn require_images(&self) -> Result<()> {
        let count = self.file.images.len();
        if let Some(image) = (0..count).find(|&image| self.missing(image).is_some()) {
            let why = self.missing(image).unwrap_or_default().to_owned();
            return Err(Error::malformed("missing-image", self.place(At::Image(image, "data")), why));
        }
        match self.file.meshes.iter().position(|mesh| usize::from(mesh.image) >= count) {
            Some(_) if count == 0 => {
                let message = "the file has meshes but no images";
                Err(Error::malformed("no-atlas", self.place(At::File("imageCount")), message))
            }
            Some(mesh) => {
                let message = format!("the image of mesh `{}` does not exist", self.file.meshes[mesh].name);
                Err(Error::malformed("no-image", self.place(At::Mesh(mesh, "image")), message))
            }
            None => Ok(()),
        }
    }

    /// Removes all images, because a v1 file with images cannot contain meshes without one. Returns the loss, or
    /// `None` if there were no images.
    pub fn drop_images(&mut self) -> Option<Loss> {
        let count = self.file.images.len();
        let why = self.require_images().err().map_or_else(String::new, |error| format!(": {error}"));
        let path = self.place(At::File("imageCount")).path;
        let loss = Loss::new("images-dropped", path, format!("none of the {count} images are written{why}"));
        // `sidecars` are kept, so that the pictures are not overwritten.
        self.file.images.clear();
        (count > 0).then_some(loss)
    }

    /// Returns the fields of a v1 file, with images stored in a [format](Image::format), or in their own format by default. Every
    /// image must have a picture.
    pub fn to_v1(&self, format: Option<u8>) -> Result<schema::File> {
        let mut file = self.file.clone();
        let mut decoder = PageDecoder::new(self);
        for (index, image) in file.images.iter_mut().enumerate() {
            let wanted = format.unwrap_or(image.format);
            image.format = wanted;
            image.data = match wanted {
                Image::RGBA8888 => Block::new(decoder.page(index)?.pixels, 0),
                _ => Block::new(self.png(index)?, 0),
            };
        }
        Ok(file)
    }
}
