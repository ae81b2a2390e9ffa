//! Keeps only some animations and skins of a document.

use std::collections::{HashMap, HashSet};

use super::RewriteOptions;
use crate::formats::spine::schema::{Root, Skin, Slider, Text};

/// The skin that is always active.
const DEFAULT: &str = "default";

/// Removes the animations and skins that are not to be written. Skins whose meshes others are linked to are kept.
pub fn keep(root: &mut Root<'_>, options: &RewriteOptions<'_>) {
    if let Some(animations) = options.animations {
        let mut kept: HashSet<usize> = animations.iter().copied().collect();
        // Sliders apply theirs whatever is played.
        let of_sliders = root
            .all::<Slider<'_>>()
            .filter_map(|slider| root.animations.0.iter().rposition(|(name, _)| *name == slider.animation));
        kept.extend(of_sliders);
        let mut index = 0;
        root.animations.0.retain(|_| {
            index += 1;
            kept.contains(&(index - 1))
        });
    }
    if options.skins.is_empty() {
        return;
    }
    let mut by_name: HashMap<&str, Vec<&Skin<'_>>> = HashMap::new();
    root.skins.list.iter().for_each(|skin| by_name.entry(skin.name.as_str()).or_default().push(skin));
    let mut open: Vec<String> = options.skins.iter().chain([&DEFAULT]).map(|name| (*name).to_owned()).collect();
    let mut kept: HashSet<String> = open.iter().cloned().collect();
    while let Some(name) = open.pop() {
        for parent in by_name.get(name.as_str()).into_iter().flatten().flat_map(|skin| parents(skin)) {
            if kept.insert(parent.clone()) {
                open.push(parent);
            }
        }
    }
    let before = names(root);
    root.skins.list.retain(|skin| kept.contains(skin.name.as_str()));
    let after = names(root);
    forget(root, |name| before.contains(name) && !after.contains(name));
    for (_, animation) in &mut root.animations.0 {
        animation.deform.0.retain(|(skin, _)| kept.contains(skin.as_str()));
        animation.attachments.0.retain(|(skin, _)| kept.contains(skin.as_str()));
    }
}

/// Slots with the names of their attachments.
fn names(root: &Root<'_>) -> HashSet<(String, String)> {
    root.skins.attachments().map(|(slot, key, _)| (slot.to_string(), key.to_string())).collect()
}

/// Shows nothing where an attachment was shown that is gone.
fn forget(root: &mut Root<'_>, is_gone: impl Fn(&(String, String)) -> bool) {
    let clear = |slot: &Text<'_>, name: &mut Option<Text<'_>>| {
        if name.as_ref().is_some_and(|name| is_gone(&(slot.to_string(), name.to_string()))) {
            *name = None;
        }
    };
    root.slots.iter_mut().for_each(|slot| clear(&slot.name, &mut slot.attachment));
    let animations = root.animations.0.iter_mut().flat_map(|(_, animation)| &mut animation.slots.0);
    for (slot, timelines) in animations {
        timelines.steps.iter_mut().for_each(|key| clear(slot, &mut key.name));
    }
}

/// The skins of the meshes that meshes of a skin are linked to.
fn parents(skin: &Skin<'_>) -> impl Iterator<Item = String> {
    let attachments = skin.attachments.0.iter().flat_map(|(_, attachments)| &attachments.0);
    attachments.filter_map(|(_, attachment)| attachment.skin.as_ref().map(ToString::to_string))
}
