//! Packing and unpacking: PCHR v1 ⇄ its JSON description, without posing or changing a number.

use crate::diagnostics::Diagnostics;
use crate::error::{Error, Place};
use crate::formats::pchr::schema::Image;
use crate::formats::pchr::{self, Document};
use crate::formats::{self, Input, Loss, ReadOptions};

use super::{ConvertError, Files, JsonForm, read_verified, source_name, targets};

/// How [`Packable::pack`] stores images.
#[derive(Debug, Clone, Copy)]
pub enum PackedImages {
    /// As the description says.
    AsDescribed,
    /// As PNG files.
    Png,
    /// As raw pixels.
    Rgba8888,
    /// Not at all.
    None,
}

/// A file in any form of PCHR.
pub struct Packable(Document);

/// Reads and checks a file in any form of PCHR.
///
/// # Errors
///
/// [`ConvertError::Output`] for a character in another format, and else [`ConvertError::Input`].
pub fn open_document(
    input: &Input<'_>,
    options: &ReadOptions,
    diagnostics: &mut Diagnostics,
) -> Result<Packable, ConvertError> {
    formats::reject_foreign(&input.bytes).map_err(ConvertError::Input)?;
    let other = || formats::format_name(&input.bytes).filter(|_| !formats::is_document(&input.bytes));
    if let Some(kind) = formats::spine::kind(&input.bytes).or_else(other) {
        let message = format!("this is a {kind}; only PCHR can be packed and unpacked");
        return Err(ConvertError::Output(Error::unsupported("unknown-format", Place::default(), message)));
    }
    let (document, _) = read_verified(input, options, diagnostics).map_err(ConvertError::Input)?;
    Ok(Packable(document))
}

impl Packable {
    /// Returns the name of the format in the table of formats, such as `pchr-json`.
    pub fn source(&self) -> &'static str {
        source_name(self.0.kind)
    }

    /// Returns the display name of the format.
    pub fn format(&self) -> &'static str {
        self.0.kind.name()
    }

    /// Packs a description and its images into one PCHR v1 file. `losses` receives what v1 cannot contain, also on
    /// failure.
    ///
    /// # Errors
    ///
    /// [`ConvertError::Incomplete`] if an image is missing that is to be stored.
    pub fn pack(
        self,
        images: PackedImages,
        file_name: &str,
        losses: &mut Vec<Loss>,
    ) -> Result<Files, ConvertError> {
        let Self(mut document) = self;
        let format = match images {
            PackedImages::AsDescribed | PackedImages::None => None,
            PackedImages::Png => Some(Image::PNG),
            PackedImages::Rgba8888 => Some(Image::RGBA8888),
        };
        if matches!(images, PackedImages::None) {
            document.drop_images();
        } else {
            document.require_images().map_err(ConvertError::Incomplete)?;
        }
        losses.extend(document.losses_to_v1());
        let file = document.to_v1(format).map_err(ConvertError::Input)?;
        let parts = pchr::write_parts(&file).map_err(ConvertError::Output)?;
        Ok(Files::one(file_name, parts))
    }

    /// Unpacks a file into its JSON description, in a file named `file_name`, and its images. `options` are those that
    /// it was read with; `losses` receives what the description cannot contain, also on failure.
    ///
    /// # Errors
    ///
    /// Fails if an image cannot be converted within the limits.
    pub fn unpack(
        self,
        file_name: &str,
        options: &ReadOptions,
        losses: &mut Vec<Loss>,
    ) -> Result<Files, ConvertError> {
        let Self(mut document) = self;
        losses.extend(document.losses_to_v1());
        if document.require_images().is_err() {
            // Like v1, the description allows no meshes without an image if there are images.
            losses.extend(document.drop_images());
        }
        targets::packed::json(document.into(), file_name, JsonForm::Description, &mut options.budget())
    }
}
