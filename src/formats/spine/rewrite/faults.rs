//! Removes the timelines of a document that a reader leaves out because of errors.

use std::collections::BTreeSet;

use super::built;
use crate::diagnostics::{Diagnostics, Severity};
use crate::error::Result;
use crate::formats::ReadOptions;
use crate::formats::spine::build::keys::Way;
use crate::formats::spine::schema::{Animation, BySkin, Root, Timelines};
use crate::limits::Limits;

/// Removes all timelines with errors.
///
/// # Errors
///
/// Fails if the document has errors elsewhere.
pub fn leave_out(root: &mut Root<'_>, limits: &Limits) -> Result<()> {
    let options = ReadOptions { keep_going: true, limits: limits.clone(), ..ReadOptions::default() };
    let mut found = Diagnostics::storing_all();
    built(root, &options, &mut found)?;
    let pointers = found.with_severity(Severity::Error).map(|fault| fault.place.path.clone()).collect();
    for (name, animation) in &mut root.animations.0 {
        Faults { animation: name.as_str(), pointers: &pointers }.remove_from(animation);
    }
    Ok(())
}

/// The errors of a document, for one of its animations.
#[derive(Clone, Copy)]
struct Faults<'f> {
    animation: &'f str,
    pointers: &'f BTreeSet<String>,
}

impl Faults<'_> {
    /// Returns true if the item itself is wrong.
    fn are_of(self, way: &[&str]) -> bool {
        self.pointers.contains(&Way(way).at(self.animation))
    }

    /// Returns true if the item or something in it is wrong.
    fn are_in(self, way: &[&str]) -> bool {
        let inside = Way(way).at(self.animation) + "/";
        self.are_of(way) || self.pointers.range(inside.clone()..).next().is_some_and(|it| it.starts_with(&inside))
    }

    fn remove_from(self, it: &mut Animation<'_>) {
        it.slots.0.retain_mut(|(name, timelines)| self.keeps(&["slots", name.as_str()], timelines));
        it.bones.0.retain_mut(|(name, timelines)| self.keeps(&["bones", name.as_str()], timelines));
        it.constraints.retain_mut(|it| self.keeps(&[it.kind.name(), it.name.as_str()], &mut it.timelines));
        self.remove_attachments("deform", &mut it.deform, |way, _| !self.are_in(way));
        self.remove_attachments("attachments", &mut it.attachments, |way, timelines| self.keeps(way, timelines));
        self.remove_items(&["drawOrder"], &mut it.draw_order);
        self.remove_items(&["events"], &mut it.events);
        let mut index = 0;
        it.folders.retain_mut(|folder| {
            let at = index.to_string();
            index += 1;
            self.remove_items(&["drawOrderFolder", &at, "keys"], &mut folder.keys);
            !self.are_in(&["drawOrderFolder", &at, "slots"])
        });
    }

    /// Removes wrong timelines. Returns false if none is left.
    fn keeps<K>(self, way: &[&str], timelines: &mut Timelines<'_, K>) -> bool {
        timelines.list.retain(|keys| match keys.row().name {
            "" => !self.are_in(way),
            name => !self.are_in(&[way, &[name]].concat()),
        });
        !self.are_of(way) && !timelines.is_empty()
    }

    fn remove_attachments<V>(
        self,
        group: &str,
        skins: &mut BySkin<'_, V>,
        keeps: impl Fn(&[&str], &mut V) -> bool,
    ) {
        skins.0.retain_mut(|(skin, slots)| {
            slots.0.retain_mut(|(slot, attachments)| {
                let way = [group, skin.as_str(), slot.as_str()];
                attachments.0.retain_mut(|(name, it)| keeps(&[way[0], way[1], way[2], name.as_str()], it));
                !self.are_of(&way)
            });
            !self.are_of(&[group, skin.as_str()])
        });
    }

    /// Removes wrong items of a list.
    fn remove_items<T>(self, way: &[&str], list: &mut Vec<T>) {
        let mut index = 0;
        list.retain(|_| {
            index += 1;
            !self.are_in(&[way, &[&(index - 1).to_string()]].concat())
        });
    }
}
