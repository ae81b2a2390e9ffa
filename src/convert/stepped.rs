//! Writes a character whose frames are never interpolated as Spine, with stepped keys where something changes.

use ::bytes::Bytes;

use super::rewrite::distinct_animations;
use super::targets::keyed::{Skeleton, skeleton};
use super::{Content, ConvertError, ConvertOptions, Converted, Opened};
use crate::bake;
use crate::error::{Error, Place, Result};
use crate::export::{choose, distinct_names};
use crate::formats::Loss;
use crate::formats::spine::rewrite::Form;
use crate::formats::spine::write::stepped;
use crate::limits::Budget;
use crate::model::AtlasPage;
use crate::motion::Motion;

/// Returns `None` for other sources and targets. The rate stays that of the source.
pub fn convert(
    opened: &Opened<'_>,
    options: &ConvertOptions,
    budget: &mut Budget<'_>,
) -> Result<Option<Converted>, ConvertError> {
    let Content::Character(character) = &opened.content else { return Ok(None) };
    let is_stepped = matches!(character.motion(), Motion::Animate(_));
    let Some(form) = Form::of_target(options.to.name).filter(|_| is_stepped) else { return Ok(None) };
    let model = character.model();
    let mut losses = Vec::new();
    if opened.missing_image.is_some() {
        let message = "an image of the atlas is missing or damaged; its sprites are written without it";
        if !options.allows_missing_images {
            return Err(ConvertError::Incomplete(Error::malformed("no-image", Place::default(), message)));
        }
        losses.push(Loss::new("images-dropped", "", message));
    }
    choose::skins(character, &options.skins)?;
    let animations = distinct_animations(model, &options.animations)?;
    let animations = animations.unwrap_or_else(|| model.animation_ids().collect());
    let names = distinct_names(model.pages().iter().map(|page| &*page.name), ".png");
    let written = stepped::write(character, &animations, &names, form, budget).map_err(ConvertError::writing)?;
    let png = |page: &AtlasPage| bake::image(page, budget).map(|image| image.data.bytes);
    let pages: Result<Vec<Bytes>> = model.pages().iter().map(png).collect();
    let pages = names.into_iter().zip(pages.map_err(ConvertError::writing)?).collect();
    let written = skeleton(Skeleton { character, written, pages }, options)?;
    losses.extend(written.losses);
    Ok(Some(Converted {
        sampled: losses.len(),
        losses,
        worst_error_px: written.worst_error_px,
        ..Converted::new(opened.source, options.to, written.files)
    }))
}
