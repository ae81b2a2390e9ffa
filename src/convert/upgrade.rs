//! Upgrades a file within its format: SkelForm of any version to the current version, with all keys.

use ::bytes::Bytes;

use super::rewrite::distinct_animations;
use super::targets::keyed::{Compared, read_again};
use super::{Content, ConvertError, ConvertOptions, Converted, Files, Opened};
use crate::character::Character;
use crate::export::choose;
use crate::formats::skelform::upgrade::{self, UpgradeOptions};
use crate::formats::{Input, NO_SIDECARS};
use crate::model::SlotId;
use crate::motion::Motion;

/// Converts a file whose keys can be preserved. Returns `None` otherwise.
pub fn upgrade(opened: &Opened<'_>, options: &ConvertOptions) -> Result<Option<Converted>, ConvertError> {
    let Content::Character(character) = &opened.content else { return Ok(None) };
    if options.to.name != "skelform" {
        return Ok(None);
    }
    let Some(chosen) = upgrade_options(character, options)? else { return Ok(None) };
    let limits = &options.read.limits;
    let written = upgrade::upgrade(&opened.input.bytes, &chosen, limits).map_err(ConvertError::writing)?;
    let bytes = Bytes::from(written.bytes);
    let back = read_again(&Input { bytes: bytes.clone(), sidecars: NO_SIDECARS }, limits)?;
    let model = character.model();
    let animations = chosen.animations.clone().unwrap_or_else(|| model.animation_ids().collect());
    let slots: Vec<SlotId> = (0..model.slots().len()).map(SlotId::new).collect();
    let compared = Compared { source: character, back: &back, skins: &chosen.skins, limits };
    let (losses, worst_error_px) = compared.losses(written.losses, &animations, &slots)?;
    let files = Files::one(&options.file_name, vec![bytes]);
    Ok(Some(Converted { losses, worst_error_px, ..Converted::new(opened.source, options.to, files) }))
}

/// Returns what to keep of a SkelForm file; `None` for other formats, or if another rate requires sampling.
fn upgrade_options(
    character: &Character,
    options: &ConvertOptions,
) -> Result<Option<UpgradeOptions>, ConvertError> {
    let Motion::SkelForm(_) = character.motion() else { return Ok(None) };
    let model = character.model();
    let animations = distinct_animations(model, &options.animations)?;
    let mut written = animations.clone().unwrap_or_else(|| model.animation_ids().collect()).into_iter();
    let is_other_rate = |fps: u16| written.any(|id| model.animation(id).fps() != f64::from(fps));
    if options.fps.is_some_and(is_other_rate) {
        return Ok(None);
    }
    let is_premultiplied = model.pages().iter().any(|page| page.is_premultiplied);
    Ok(Some(UpgradeOptions { animations, skins: choose::skins(character, &options.skins)?, is_premultiplied }))
}
