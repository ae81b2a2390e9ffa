//! The character as a tree: bones with their slots and attachments, then skins, constraints and events.
//!
//! The visible rows are a flat list, rebuilt when something is folded, when the filter changes, or when another
//! character is shown.

use std::collections::HashSet;
use std::sync::Arc;

use crate::base::filter::Filter;
use crate::base::memo::{ByAddress, Cached};
use crate::scene::id_map::IdMap;
use crate::scene::selection::Selected;
use pchr::Character;
use pchr::draw::Hidden;
use pchr::model::{AttachmentId, BoneId, Model, SlotId};
use pchr::motion::Motion;

/// A heading of the tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Group {
    /// Bones, and what is on them.
    Bones,
    /// Slots without a bone.
    Slots,
    /// Skins.
    Skins,
    /// Constraints.
    Constraints,
    /// Events.
    Events,
}

impl Group {
    /// Returns the name in the tree of a character with this motion.
    pub fn label(self, motion: &Motion) -> &'static str {
        match self {
            Self::Bones if matches!(motion, Motion::Animate(_)) => "Symbols",
            Self::Bones => "Bones",
            Self::Slots => "Slots without a bone",
            Self::Skins => "Skins",
            Self::Constraints => "Constraints",
            Self::Events => "Events",
        }
    }
}

/// The content of a row of the tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Item {
    /// A heading.
    Group(Group),
    /// A part of the character.
    Part(Selected),
}

/// A visible row.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TreeRow {
    /// The heading or part in the row.
    pub item: Item,
    /// Number of ancestors.
    pub depth: usize,
    /// Whether it is unfolded; `None` if there is nothing below it.
    pub is_open: Option<bool>,
    /// Index of the row of its parent.
    pub parent: Option<usize>,
}

/// The tree of the shown character, and what is folded.
#[derive(Debug, Default)]
pub struct Tree {
    branches: Option<Branches>,
    /// Items that are open although they are folded by default, or the other way round.
    toggled: HashSet<Item>,
    filter: Filter,
    rows: Vec<TreeRow>,
    match_count: usize,
    is_stale: bool,
    eyes: Cached<ByAddress<Hidden>, Eyes>,
}

/// The visibility of slots that follows from the hidden parts.
#[derive(Debug)]
struct Eyes {
    /// Whether each slot is shown, at least with one of its attachments.
    shown: Arc<[bool]>,
    /// Number of slots below each bone that are not shown.
    hidden_below: Vec<u32>,
}

/// Everything below every part, in order.
#[derive(Debug)]
struct Branches {
    character: Arc<Character>,
    bones: Vec<Vec<BoneId>>,
    slots: Vec<Vec<SlotId>>,
    loose_slots: Vec<SlotId>,
    attachments: Vec<Vec<AttachmentId>>,
    /// Number of slots below each bone.
    slots_below: Vec<u32>,
}

impl Tree {
    /// Returns the tree of another character in which the same items are open although they are folded by default, or
    /// the other way round.
    pub fn carry(&self, map: &IdMap) -> Self {
        let carry = |item: &Item| match *item {
            Item::Group(group) => Some(Item::Group(group)),
            Item::Part(part) => map.part(part).map(Item::Part),
        };
        Self { toggled: self.toggled.iter().filter_map(carry).collect(), ..Self::default() }
    }

    /// Returns a tree of the same character in which the same items are open.
    pub fn clone_folding(&self) -> Self {
        Self { toggled: self.toggled.clone(), ..Self::default() }
    }

    /// Updates the rows for `character` and `filter`.
    pub fn update(&mut self, character: &Arc<Character>, filter: &Filter) {
        if !self.branches.as_ref().is_some_and(|branches| Arc::ptr_eq(&branches.character, character)) {
            self.branches = Some(Branches::of(character));
            self.eyes = Cached::default();
            self.is_stale = true;
        }
        if self.filter != *filter {
            self.filter = filter.clone();
            self.is_stale = true;
        }
        if std::mem::take(&mut self.is_stale) {
            self.flatten();
        }
    }

    /// Returns the visible rows.
    pub fn rows(&self) -> &[TreeRow] {
        &self.rows
    }

    /// Returns the number of parts whose name matches the filter, folded ones included.
    pub fn match_count(&self) -> usize {
        self.match_count
    }

    /// Folds or unfolds an item.
    pub fn set_open(&mut self, item: Item, is_open: bool) {
        if self.is_open(item) != is_open {
            if !self.toggled.remove(&item) {
                self.toggled.insert(item);
            }
            self.is_stale = true;
        }
    }

    /// Unfolds everything above a part.
    pub fn reveal(&mut self, part: Selected) {
        let Some(branches) = &self.branches else { return };
        let model = branches.character.model();
        let mut above = Vec::new();
        if let Selected::Attachment(slot, _) = part {
            above.push(Item::Part(Selected::Slot(slot)));
        }
        let bone = if let Selected::Bone(bone) = part {
            model.skeleton().bones().get(bone.index()).and_then(|bone| bone.parent)
        } else {
            part.bone(model)
        };
        let bones = model.skeleton().bones();
        let ancestors = std::iter::successors(bone, |bone| bones.get(bone.index()).and_then(|bone| bone.parent));
        above.extend(ancestors.map(|bone| Item::Part(Selected::Bone(bone))));
        above.push(Item::Group(match part {
            Selected::Slot(_) | Selected::Attachment(..) if bone.is_none() => Group::Slots,
            Selected::Bone(_) | Selected::Slot(_) | Selected::Attachment(..) => Group::Bones,
            Selected::Skin(_) => Group::Skins,
            Selected::Constraint(_) => Group::Constraints,
            Selected::Event(_) => Group::Events,
        }));
        above.into_iter().for_each(|item| self.set_open(item, true));
        if std::mem::take(&mut self.is_stale) {
            self.flatten();
        }
    }

    /// Returns the row of an item.
    pub fn place(&self, item: Item) -> Option<usize> {
        self.rows.iter().position(|row| row.item == item)
    }

    /// Returns the slots of a bone and of its descendants.
    pub fn slots_below(&self, bone: BoneId) -> Vec<SlotId> {
        let Some(branches) = &self.branches else { return Vec::new() };
        let (mut bones, mut slots) = (vec![bone], Vec::new());
        while let Some(bone) = bones.pop() {
            slots.extend(branches.slots.get(bone.index()).into_iter().flatten());
            bones.extend(branches.bones.get(bone.index()).into_iter().flatten());
        }
        slots
    }

    /// Returns whether all slots below a bone are hidden; `None` if there are no slots.
    pub fn is_bone_hidden(&mut self, bone: BoneId, hidden: &Arc<Hidden>) -> Option<bool> {
        let count = *self.branches.as_ref()?.slots_below.get(bone.index()).filter(|count| **count > 0)?;
        Some(self.eyes(hidden)?.hidden_below.get(bone.index()) == Some(&count))
    }

    /// Returns whether each slot is shown as far as the user's choices go. A slot is shown if one of its attachments is.
    pub fn shown_slots(&mut self, hidden: &Arc<Hidden>) -> Arc<[bool]> {
        self.eyes(hidden).map(|eyes| Arc::clone(&eyes.shown)).unwrap_or_default()
    }

    /// Returns what a slot can show.
    pub fn attachments_of(&self, slot: SlotId) -> Vec<AttachmentId> {
        self.branches.iter().flat_map(|branches| branches.attachments_of(slot)).collect()
    }

    fn eyes(&mut self, hidden: &Arc<Hidden>) -> Option<&Eyes> {
        let branches = self.branches.as_ref()?;
        Some(self.eyes.get(ByAddress::of(hidden), || {
            let slots = branches.character.model().slot_ids();
            let shown: Arc<[bool]> = slots.map(|slot| branches.is_slot_shown(slot, hidden)).collect();
            let hidden_below = branches.count_below(|slot| !shown[slot.index()]);
            Eyes { shown, hidden_below }
        }))
    }

    fn is_open(&self, item: Item) -> bool {
        let by_default = match item {
            Item::Group(group) => group == Group::Bones,
            Item::Part(part) => matches!(part, Selected::Bone(_)),
        };
        by_default != self.toggled.contains(&item)
    }

    /// Rebuilds the rows. A filter unfolds everything and keeps what matches, with its ancestors.
    fn flatten(&mut self) {
        let Some(branches) = &self.branches else { return };
        let model = branches.character.model();
        let mut rows: Vec<TreeRow> = Vec::new();
        let mut pending: Vec<(Item, usize, Option<usize>)> = Vec::new();
        for group in [Group::Events, Group::Constraints, Group::Skins, Group::Slots, Group::Bones] {
            if !branches.below(Item::Group(group)).is_empty() {
                pending.push((Item::Group(group), 0, None));
            }
        }
        while let Some((item, depth, parent)) = pending.pop() {
            let below = branches.below(item);
            let is_open = self.filter.is_on() || self.is_open(item);
            let place = rows.len();
            rows.push(TreeRow { item, depth, is_open: (!below.is_empty()).then_some(is_open), parent });
            if is_open {
                let parts = below.into_iter().rev();
                pending.extend(parts.map(|part| (Item::Part(part), depth + 1, Some(place))));
            }
        }
        self.match_count = 0;
        if self.filter.is_on() {
            let is_match = |row: &TreeRow| match row.item {
                Item::Group(_) => false,
                Item::Part(part) => self.filter.matches(part.name(model)),
            };
            let mut kept: Vec<bool> = rows.iter().map(is_match).collect();
            self.match_count = kept.iter().filter(|is_kept| **is_kept).count();
            for place in (0..rows.len()).rev() {
                if let (true, Some(parent)) = (kept[place], rows[place].parent) {
                    kept[parent] = true;
                }
            }
            let mut places: Vec<usize> = Vec::with_capacity(rows.len());
            let mut count = 0;
            for is_kept in &kept {
                places.push(count);
                count += usize::from(*is_kept);
            }
            rows.iter_mut().for_each(|row| row.parent = row.parent.map(|parent| places[parent]));
            let mut is_kept = kept.into_iter();
            rows.retain(|_| is_kept.next().unwrap_or_default());
        }
        self.rows = rows;
    }
}

impl Branches {
    fn of(character: &Arc<Character>) -> Self {
        let model = character.model();
        let authored = model.skeleton().authored_bones();
        let mut bones = vec![Vec::new(); authored.len()];
        for (id, bone) in model.skeleton().bone_ids().zip(authored) {
            if let Some(children) = bone.parent.and_then(|parent| bones.get_mut(parent.index())) {
                children.push(id);
            }
        }
        let (mut slots, mut loose_slots) = (vec![Vec::new(); authored.len()], Vec::new());
        for (id, slot) in model.slot_ids().zip(model.slots()) {
            match slot.bone.and_then(|bone| slots.get_mut(bone.index())) {
                Some(slots) => slots.push(id),
                None => loose_slots.push(id),
            }
        }
        let mut attachments = vec![Vec::new(); model.slots().len()];
        for entry in model.skins().iter().flat_map(|skin| &skin.entries) {
            if let Some(of_slot) = attachments.get_mut(entry.slot.index()) {
                of_slot.push(entry.attachment);
            }
        }
        for of_slot in &mut attachments {
            let mut seen = HashSet::new();
            of_slot.retain(|attachment| seen.insert(*attachment));
        }
        let character = Arc::clone(character);
        let mut branches = Self { character, bones, slots, loose_slots, attachments, slots_below: Vec::new() };
        branches.slots_below = branches.count_below(|_| true);
        branches
    }

    /// Returns whether a slot or one of its attachments is shown.
    fn is_slot_shown(&self, slot: SlotId, hidden: &Hidden) -> bool {
        let is_all_solo = hidden.is_solo(slot) || hidden.solo().next().is_none();
        let is_shown = |attachment: AttachmentId| {
            !hidden.is_hidden(attachment) && (is_all_solo || hidden.is_solo(attachment))
        };
        let mut attachments = self.attachments_of(slot).peekable();
        let is_empty = attachments.peek().is_none();
        !hidden.is_hidden(slot) && (is_empty && is_all_solo || attachments.any(is_shown))
    }

    /// Returns what a slot can show. The attachment of the setup pose may be there twice.
    fn attachments_of(&self, slot: SlotId) -> impl Iterator<Item = AttachmentId> {
        let default = self.character.model().slot(slot).attachment;
        self.attachments[slot.index()].iter().copied().chain(default)
    }

    /// Counts the slots below each bone that `counts`.
    fn count_below(&self, counts: impl Fn(SlotId) -> bool) -> Vec<u32> {
        let of_bone = |slots: &Vec<SlotId>| slots.iter().filter(|slot| counts(**slot)).count() as u32;
        let mut below: Vec<u32> = self.slots.iter().map(of_bone).collect();
        let bones = self.character.model().skeleton().authored_bones();
        // Parents come first.
        for (index, bone) in bones.iter().enumerate().rev() {
            if let Some(parent) = bone.parent {
                below[parent.index()] += below[index];
            }
        }
        below
    }

    fn below(&self, item: Item) -> Vec<Selected> {
        let model: &Model = self.character.model();
        match item {
            Item::Group(Group::Bones) => {
                let bones = model.skeleton().bone_ids().zip(model.skeleton().authored_bones());
                bones.filter(|(_, bone)| bone.parent.is_none()).map(|(id, _)| Selected::Bone(id)).collect()
            }
            Item::Group(Group::Slots) => self.loose_slots.iter().copied().map(Selected::Slot).collect(),
            Item::Group(Group::Skins) => model.skin_ids().map(Selected::Skin).collect(),
            Item::Group(Group::Constraints) => model.constraint_ids().map(Selected::Constraint).collect(),
            Item::Group(Group::Events) => model.event_ids().map(Selected::Event).collect(),
            Item::Part(Selected::Bone(bone)) => {
                let slots = self.slots[bone.index()].iter().copied().map(Selected::Slot);
                slots.chain(self.bones[bone.index()].iter().copied().map(Selected::Bone)).collect()
            }
            Item::Part(Selected::Slot(slot)) => {
                let attachments = self.attachments[slot.index()].iter();
                attachments.map(|attachment| Selected::Attachment(slot, *attachment)).collect()
            }
            Item::Part(
                Selected::Attachment(..) | Selected::Skin(_) | Selected::Constraint(_) | Selected::Event(_),
            ) => Vec::new(),
        }
    }
}
