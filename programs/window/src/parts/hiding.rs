//! Hiding and showing parts of the character.

use std::sync::Arc;

use super::Parts;
use super::hidden::MeshPatterns;
use crate::scene::selection::Selected;
use crate::widgets::actions::Actions;
use pchr::Character;
use pchr::draw::{Hidden, Hideable};

/// Why a part cannot be hidden or shown alone. A bone needs slots below it.
pub const NOT_HIDEABLE: &str = "Select a slot, an attachment or a bone with slots first";

impl Parts {
    /// Returns whether a part is shown as far as the user's choices go; `None` for parts that cannot be hidden.
    pub fn is_part_shown(&mut self, part: Selected) -> Option<bool> {
        let hidden = &self.hidden;
        match part {
            Selected::Bone(bone) => self.side.tree.is_bone_hidden(bone, hidden).map(|is_hidden| !is_hidden),
            Selected::Slot(slot) => self.side.tree.shown_slots(hidden).get(slot.index()).copied(),
            Selected::Attachment(slot, attachment) => {
                let has_solo = hidden.solo().next().is_some();
                let is_solo = hidden.is_solo(attachment) || hidden.is_solo(slot);
                let is_hidden = hidden.is_hidden(attachment) || hidden.is_hidden(slot);
                Some(!is_hidden && (!has_solo || is_solo))
            }
            Selected::Skin(_) | Selected::Constraint(_) | Selected::Event(_) => None,
        }
    }

    /// Hides a part, or shows it if it is hidden. For a bone, these are all slots below it.
    pub fn toggle_shown(&mut self, character: &Arc<Character>, part: Selected, actions: &mut Actions) {
        let items = self.hideable(character, part);
        let Some(is_shown) = self.is_part_shown(part).filter(|_| !items.is_empty()) else {
            return actions.notify(NOT_HIDEABLE);
        };
        let hidden = Arc::make_mut(&mut self.hidden);
        if let (false, Selected::Attachment(slot, _)) = (is_shown, part) {
            hidden.set_hidden(slot, false);
        }
        items.iter().for_each(|item| hidden.set_hidden(*item, is_shown));
        // All that a slot can show may be hidden too.
        if !is_shown && self.is_part_shown(part) == Some(false) {
            let hidden = Arc::make_mut(&mut self.hidden);
            for item in &items {
                let Hideable::Slot(slot) = *item else { continue };
                let attachments = self.side.tree.attachments_of(slot);
                attachments.into_iter().for_each(|attachment| hidden.set_hidden(attachment, false));
            }
        }
        // It can still be hidden because something else is solo.
        if !is_shown && self.is_part_shown(part) == Some(false) {
            let hidden = Arc::make_mut(&mut self.hidden);
            items.into_iter().for_each(|item| hidden.set_solo(item, true));
        }
    }

    /// Returns whether each slot of the character is shown as far as the user's choices go; empty if nothing is hidden.
    pub fn shown_slots(&mut self, character: &Arc<Character>) -> Arc<[bool]> {
        if self.hidden.is_empty() {
            return Arc::default();
        }
        self.side.tree.update(character, &self.side.filter);
        self.side.tree.shown_slots(&self.hidden)
    }

    /// Toggles showing only the regions and meshes of a part.
    fn toggle_solo(&mut self, character: &Arc<Character>, part: Selected, actions: &mut Actions) {
        let items = self.hideable(character, part);
        if items.is_empty() {
            return actions.notify(NOT_HIDEABLE);
        }
        self.mesh_patterns.solo.clear();
        let hidden = Arc::make_mut(&mut self.hidden);
        let before: Vec<Hideable> = hidden.solo().collect();
        before.iter().for_each(|item| hidden.set_solo(*item, false));
        let is_same = before.len() == items.len() && items.iter().all(|item| before.contains(item));
        if !is_same {
            for item in items {
                hidden.set_hidden(item, false);
                hidden.set_solo(item, true);
            }
        }
    }

    /// Shows everything.
    pub fn show_all(&mut self) {
        self.hidden = Arc::new(Hidden::default());
        self.mesh_patterns = MeshPatterns::default();
    }

    /// Toggles showing only a part if `alone`, otherwise hides or shows it.
    pub fn toggle(&mut self, character: &Arc<Character>, part: Selected, alone: bool, actions: &mut Actions) {
        match alone {
            true => self.toggle_solo(character, part, actions),
            false => self.toggle_shown(character, part, actions),
        }
    }

    /// Returns what is hidden with a part.
    fn hideable(&mut self, character: &Arc<Character>, part: Selected) -> Vec<Hideable> {
        self.side.tree.update(character, &self.side.filter);
        match part {
            Selected::Bone(bone) => self.side.tree.slots_below(bone).into_iter().map(Hideable::from).collect(),
            Selected::Slot(slot) => vec![slot.into()],
            Selected::Attachment(_, attachment) => vec![attachment.into()],
            Selected::Skin(_) | Selected::Constraint(_) | Selected::Event(_) => Vec::new(),
        }
    }
}
