//! A file of any version → a 0.7 file that plays the same, with its keys, chains, physics and styles.
//!
//! The text is rewritten from its normalised form. Pictures and all other entries are copied as stored,
//! unverified. Rewriting a result gives the same bytes.

mod armature;
mod editor;
mod keys;

use std::collections::HashMap;
use std::collections::hash_map::Entry as Slot;

use ::bytes::Bytes;

use super::archive::{Entry, archive};
use super::build::styles::active_by_default;
use super::container::{Container, Packed};
use super::normalise::normalise;
use super::write::json;
use super::{armature_text, read, schema};
use crate::diagnostics::Diagnostics;
use crate::error::{Place, Result, escaped};
use crate::formats::Loss;
use crate::formats::image::{charge_decoding, png_size, straight_png};
use crate::limits::{Budget, Limits};
use crate::model::{AnimationId, SkinId};

/// What to keep, and which styles to activate.
#[derive(Debug, Clone, Default)]
pub struct UpgradeOptions {
    /// The animations to keep, in this order; `None`: all.
    pub animations: Option<Vec<AnimationId>>,
    /// Styles to activate in addition to those that the file activates; later ones take precedence. They are moved
    /// to the front of the list, which defines precedence.
    pub skins: Vec<SkinId>,
    /// True if pictures are premultiplied. They are written with straight alpha, as the format requires.
    pub is_premultiplied: bool,
}

/// The result of [`upgrade`].
#[derive(Debug)]
pub struct Upgraded {
    /// The archive.
    pub bytes: Vec<u8>,
    /// What 0.7 cannot represent.
    pub losses: Vec<Loss>,
}

/// Upper bound on the written text of any counted object in bytes.
const WRITTEN_BYTES: usize = 512;

/// Rewrites the file in `bytes`, which must be readable as a character, as version 0.7.
pub fn upgrade(bytes: &Bytes, options: &UpgradeOptions, limits: &Limits) -> Result<Upgraded> {
    let mut budget = Budget::new(limits);
    let container = Container::open(bytes, &mut budget)?;
    let text = armature_text(&container, &mut budget)?;
    let objects = text.iter().filter(|byte| **byte == b'{').count() as u64;
    budget.charge_memory(objects, WRITTEN_BYTES, || read::at(""))?;
    let mut found = Diagnostics::default();
    let mut root = read::read(&text, container.data_offset(read::ARMATURE), &mut budget, &mut found)?;
    read::list_only_atlas(&mut root, &container, &mut budget)?;
    let normal = normalise(&root)?;
    let mut losses = unknown(&found);

    let stated = container.load(read::EDITOR, &mut budget)?;
    let active = stated.as_ref().and_then(|text| read::active_styles(text, &budget));
    let mut active = active_by_default(&root, active.as_deref());
    let order = style_order(active.len(), &options.skins);
    for skin in &options.skins {
        if let Some(is_active) = active.get_mut(skin.index()) {
            *is_active = true;
        }
    }
    let (editor, is_lost) = editor::editor(stated.as_deref(), normal.bones.len(), &active, &order, &mut budget)?;
    if is_lost {
        let message = "`editor.json` cannot be read; its editor state is lost, and a default one is written";
        losses.push(Loss::new("editor-dropped", "", message));
    }

    let kept: Vec<usize> = match &options.animations {
        Some(kept) => kept.iter().map(|id| id.index()).collect(),
        None => (0..root.animations.len()).collect(),
    };
    let kept = kept.into_iter().filter_map(|index| root.animations.get(index));
    let animations = kept
        .enumerate()
        .map(|(id, animation)| keys::animation(id, animation, normal.bones.len(), &mut losses))
        .collect();
    let armature = json(&armature::root(&root, &normal, animations, &order))?;

    let names: Vec<&str> =
        container.names().into_iter().filter(|name| ![read::ARMATURE, read::EDITOR].contains(name)).collect();
    let copied: Vec<Packed> = names.iter().filter_map(|name| container.packed(name)).collect();
    let straight =
        if options.is_premultiplied { straight(&root, &container, &mut budget)? } else { HashMap::new() };
    let mut entries = vec![Entry::whole(read::ARMATURE, &armature)?, Entry::whole(read::EDITOR, &editor)?];
    for (name, packed) in names.iter().zip(&copied) {
        entries.push(match straight.get(name) {
            Some(png) => Entry::whole(name, png)?,
            None => Entry::copied(name, packed),
        });
    }
    Ok(Upgraded { bytes: archive(&entries)?, losses })
}

/// Returns every PNG atlas by name, converted to straight alpha.
fn straight<'a>(
    root: &'a schema::Root<'_>,
    container: &Container,
    budget: &mut Budget<'_>,
) -> Result<HashMap<&'a str, Vec<u8>>> {
    let mut pictures = HashMap::new();
    for name in root.atlases.iter().map(|atlas| atlas.filename.as_str()) {
        let Some(png) = container.load(name, budget)? else { continue };
        if let (Some((width, height)), Slot::Vacant(picture)) = (png_size(&png), pictures.entry(name)) {
            let place = || Place::inside(escaped(name));
            charge_decoding(&png, (width, height), budget, place)?;
            picture.insert(straight_png(&png, (width, height), place)?);
        }
    }
    Ok(pictures)
}

/// Reports the unknown keys of objects.
fn unknown(found: &Diagnostics) -> Vec<Loss> {
    let count: usize = found.counts().filter(|(_, code, _)| *code == "unknown-key").map(|(.., count)| count).sum();
    let first = found.findings().iter().find(|finding| finding.fault.code == "unknown-key");
    let lost = |finding: &crate::diagnostics::Finding| {
        let message = format!(
            "{count} keys that no version knows are not written, the first at {}",
            finding.fault.place.path
        );
        Loss::new("unknown-dropped", "", message)
    };
    first.map(lost).into_iter().collect()
}

/// The styles in the order in which they are written.
fn style_order(count: usize, skins: &[SkinId]) -> Vec<usize> {
    let mut is_placed = vec![false; count];
    let mut order = Vec::with_capacity(count);
    let requested = skins.iter().rev().map(|skin| skin.index()).filter(|&style| style < count);
    for style in requested.chain(0..count) {
        if !std::mem::replace(&mut is_placed[style], true) {
            order.push(style);
        }
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_requested_style_comes_first() {
        let order =
            |skins: &[usize]| style_order(4, &skins.iter().map(|&skin| SkinId::new(skin)).collect::<Vec<_>>());
        assert_eq!(order(&[]), [0, 1, 2, 3]);
        assert_eq!(order(&[1, 3]), [3, 1, 0, 2]);
        assert_eq!(order(&[2, 0, 2]), [2, 0, 1, 3]);
    }
}
