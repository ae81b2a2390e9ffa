//! A file of any version → one of 0.7 that plays the same: keys, chains, physics and styles stay what they are.
//!
//! The text is written anew from its normalised form. Pictures and whatever else lies in the archive are copied as they
//! lie there, and nobody looks into them. What is written twice is the same bytes.

mod armature;
mod editor;
mod keys;

use std::collections::HashMap;
use std::collections::hash_map::Entry as Slot;

use ::bytes::Bytes;

use super::build::styles::worn;
use super::container::{Container, Packed};
use super::normalise::normalise;
use super::write::archive::{Entry, archive};
use super::write::json;
use super::{armature_text, read, schema};
use crate::diagnostics::Diagnostics;
use crate::error::{Place, Result, shown};
use crate::formats::image::{png_size, straight_png};
use crate::formats::written::Lost;
use crate::limits::{Budget, Limits};
use crate::model::{AnimationId, SkinId};

/// What is kept, and what is worn.
#[derive(Debug, Clone, Default)]
pub struct Keep {
    /// These animations in this order; `None`: all.
    pub animations: Option<Vec<AnimationId>>,
    /// Styles that are worn beside those that the file says, a later one before an earlier one. They become the first
    /// of the list, which is what counts.
    pub skins: Vec<SkinId>,
    /// Pictures are premultiplied; they are written straight, as everybody expects them here.
    pub is_premultiplied: bool,
}

/// What is written.
#[derive(Debug)]
pub struct Upgraded {
    /// The archive.
    pub bytes: Vec<u8>,
    /// What has no place in 0.7.
    pub losses: Vec<Lost>,
}

/// Bytes of text that anything takes that is counted, written in full.
const WRITTEN_BYTES: usize = 512;

/// Writes the file in `bytes`, which can be read as a character, in the form of 0.7.
pub fn upgrade(bytes: &Bytes, keep: &Keep, limits: &Limits) -> Result<Upgraded> {
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

    let said = container.load(read::EDITOR, &mut budget)?;
    let active = said.as_ref().and_then(|text| read::active_styles(text, &budget));
    let mut worn = worn(&root, active.as_deref());
    let order = style_order(worn.len(), &keep.skins);
    for skin in &keep.skins {
        if let Some(is_worn) = worn.get_mut(skin.index()) {
            *is_worn = true;
        }
    }
    let (editor, is_lost) = editor::editor(said.as_deref(), normal.bones.len(), &worn, &order, &mut budget)?;
    if is_lost {
        let message = "`editor.json` cannot be read; what the editor showed is not in it, a plain one is written";
        losses.push(Lost::character("editor-dropped", message));
    }

    let kept: Vec<usize> = match &keep.animations {
        Some(kept) => kept.iter().map(|id| id.index()).collect(),
        None => (0..root.animations.len()).collect(),
    };
    let kept = kept.into_iter().filter_map(|index| root.animations.get(index));
    let animations = kept.enumerate().map(|(id, animation)| keys::animation(id, animation, &mut losses)).collect();
    let armature = json(&armature::root(&root, &normal, animations, &order))?;

    let names: Vec<&str> =
        container.names().into_iter().filter(|name| ![read::ARMATURE, read::EDITOR].contains(name)).collect();
    let copied: Vec<Packed> = names.iter().filter_map(|name| container.packed(name)).collect();
    let straight = if keep.is_premultiplied { straight(&root, &container, &mut budget)? } else { HashMap::new() };
    let mut entries = vec![Entry::whole(read::ARMATURE, &armature)?, Entry::whole(read::EDITOR, &editor)?];
    for (name, packed) in names.iter().zip(&copied) {
        entries.push(match straight.get(name) {
            Some(png) => Entry::whole(name, png)?,
            None => Entry::copied(name, packed),
        });
    }
    Ok(Upgraded { bytes: archive(&entries)?, losses })
}

/// By name every atlas that is a PNG, its colours divided by their alpha.
fn straight<'a>(
    root: &'a schema::Root<'_>,
    container: &Container,
    budget: &mut Budget<'_>,
) -> Result<HashMap<&'a str, Vec<u8>>> {
    let mut pictures = HashMap::new();
    for name in root.atlases.iter().map(|atlas| atlas.filename.as_str()) {
        let Some(png) = container.load(name, budget)? else { continue };
        if let (Some((width, height)), Slot::Vacant(picture)) = (png_size(&png), pictures.entry(name)) {
            let place = || Place { path: shown(name), ..Place::default() };
            budget.charge_pixels(width, height, place)?;
            picture.insert(straight_png(&png, (width, height), place)?);
        }
    }
    Ok(pictures)
}

/// Keys of objects that mean nothing.
fn unknown(found: &Diagnostics) -> Vec<Lost> {
    let count: usize = found.counts().filter(|(_, code, _)| *code == "unknown-key").map(|(.., count)| count).sum();
    let first = found.findings().iter().find(|finding| finding.fault.code == "unknown-key");
    let lost = |finding: &crate::diagnostics::Finding| {
        let message = format!(
            "{count} keys that mean nothing in any version are not written, the first at {}",
            finding.fault.place.path
        );
        Lost::character("unknown-dropped", message)
    };
    first.map(lost).into_iter().collect()
}

/// The styles in the order in which they are written.
fn style_order(count: usize, skins: &[SkinId]) -> Vec<usize> {
    let mut is_placed = vec![false; count];
    let mut order = Vec::with_capacity(count);
    let asked_for = skins.iter().rev().map(|skin| skin.index()).filter(|&style| style < count);
    for style in asked_for.chain(0..count) {
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
    fn what_is_asked_for_last_comes_first() {
        let order =
            |skins: &[usize]| style_order(4, &skins.iter().map(|&skin| SkinId::new(skin)).collect::<Vec<_>>());
        assert_eq!(order(&[]), [0, 1, 2, 3]);
        assert_eq!(order(&[1, 3]), [3, 1, 0, 2]);
        assert_eq!(order(&[2, 0, 2]), [2, 0, 1, 3]);
    }
}
