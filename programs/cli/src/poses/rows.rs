//! A pose → the rows that are printed about it.

use crate::shared::choose;
use crate::shared::failure::Failure;
use pchr::export::{NamePattern, SampledPose};
use pchr::model::{BoneId, Model, SlotId};
use pchr::outline::{BoneRow, BoxRow, SlotRow};

/// The bones that are printed.
pub struct Filter<'a> {
    model: &'a Model,
    /// One flag for each bone; `None`: all of them.
    bones: Option<Vec<bool>>,
}

impl<'a> Filter<'a> {
    /// Fails for a pattern that matches no bone.
    pub fn new(model: &'a Model, patterns: &[NamePattern]) -> Result<Self, Failure> {
        let names = || model.skeleton().authored_bones().iter().map(|bone| &*bone.name);
        if let Some(unmatched) = patterns.iter().find(|pattern| !names().any(|name| pattern.matches(name))) {
            return Err(choose::unmatched("bone", unmatched, names()));
        }
        let is_wanted = |name| patterns.iter().any(|pattern| pattern.matches(name));
        Ok(Self { model, bones: (!patterns.is_empty()).then(|| names().map(is_wanted).collect()) })
    }

    fn has(&self, bone: Option<BoneId>) -> bool {
        let Some(bones) = &self.bones else { return true };
        bone.is_some_and(|bone| bones.get(bone.index()).is_some_and(|is_wanted| *is_wanted))
    }

    /// Returns the bones that have a place, parents first.
    pub fn bones(&self, posed: &SampledPose<'_>) -> impl Iterator<Item = BoneRow<'a>> {
        let model = self.model;
        let authored = model.skeleton().authored_bones().len();
        let bones = model.skeleton().bone_ids().take(authored).filter(|id| self.has(Some(*id)));
        bones.filter_map(move |id| BoneRow::of(model, posed.pose, id))
    }

    /// Returns the slots, back to front.
    pub fn slots(&self, posed: &SampledPose<'_>) -> impl Iterator<Item = SlotRow<'a>> {
        let model = self.model;
        self.drawn(posed).filter_map(move |id| SlotRow::of(model, posed.pose, id))
    }

    /// Returns the hit boxes, back to front.
    pub fn boxes(&self, posed: &SampledPose<'_>) -> impl Iterator<Item = BoxRow<'a>> {
        let (model, mut corners) = (self.model, Vec::new());
        self.drawn(posed).filter_map(move |id| BoxRow::of(model, posed.pose, posed.palette, id, &mut corners))
    }

    /// Returns the active slots on wanted bones, back to front.
    fn drawn(&self, posed: &SampledPose<'_>) -> impl Iterator<Item = SlotId> {
        let is_wanted =
            |id: &SlotId| self.has(self.model.slot(*id).bone) && posed.pose.is_slot_active(self.model, *id);
        posed.pose.draw_order.iter().copied().filter(is_wanted)
    }

    /// Returns the names of everything that is printed, for the widths of columns.
    pub fn names(&self) -> impl Iterator<Item = &'a str> {
        let model = self.model;
        let bones = model.skeleton().authored_bones().iter().map(|bone| &*bone.name);
        let slots = model.slots().iter().map(|slot| &*slot.name);
        bones.chain(slots).chain(model.attachments().iter().map(|attachment| attachment.name()))
    }
}
