//! The part of a crowd whose data fits in one buffer of each kind.

use std::ops::Range;

use super::full::Full;
use super::shown::Shown;
use super::step::Origin;
use super::tables::Tables;
use crate::draw::OverlayVertex;
use crate::gpu::Member;
use crate::gpu::gpu_data::{Bone, Instance};
use crate::gpu::kept::Kept;
use crate::gpu::room::Room;
use crate::math::Vec2;

/// Consecutive members.
#[derive(Debug, Default)]
pub struct Part {
    /// The draw calls, in [`Batch::steps`](super::Batch::steps).
    pub steps: Range<usize>,
    /// The members whose lists are uploaded, in [`Batch::lists`](super::Batch::lists).
    pub lists: Range<usize>,
    pub instances: Kept<Instance>,
    pub tables: Tables,
    pub bones: usize,
    pub deform: usize,
    pub overlay: usize,
}

impl Part {
    /// Begins with the next draw call and list.
    pub fn restart(&mut self, step: usize, list: usize) {
        (self.steps, self.lists) = (step..step, list..list);
        (self.bones, self.deform, self.overlay) = (0, 0, 0);
        self.instances.restart();
        self.tables.restart();
    }

    /// Adds the instances of a member that draws `shown`, as the one before if `is_same`. If it does not fit, nothing
    /// is added but tables.
    pub fn add(
        &mut self,
        member: &Member<'_>,
        shown: &Shown,
        is_same: bool,
        attachments: usize,
        room: Room,
    ) -> Result<Origin, Full> {
        let (list, first) = (member.list, self.instances.len());
        let (bones, deform) = (self.bones + list.palette.len(), self.deform + list.deform.len());
        let overlay = self.overlay + list.overlay.len();
        let instances = first.saturating_add(shown.instances as usize);
        Full::check::<Bone>("the bone matrix buffer", bones, room.storage)?;
        Full::check::<Vec2>("the deform buffer", deform, room.storage)?;
        Full::check::<OverlayVertex>("the overlay buffer", overlay, room.buffer)?;
        Full::check::<Instance>("the instance buffer", instances, room.buffer)?;
        // In another part, the one before has other tables.
        let before = first.checked_sub(shown.instances as usize).filter(|_| is_same);
        let mut looks = &shown.looks[..];
        for number in 0..shown.instances {
            let of_instance = looks.split_off(..looks.partition_point(|look| look.instance == number));
            let sprite_base = match before {
                Some(before) => Ok(self.instances.items()[before + number as usize].sprite_base),
                None => self.tables.place(of_instance.unwrap_or_default(), attachments, room.storage),
            };
            let sprite_base = sprite_base.inspect_err(|_| self.instances.shorten(first))?;
            // Both fit: bindings have far fewer than 2³² elements.
            let (palette_base, deform_base) = (self.bones as u32, self.deform as u32);
            let instance = Instance::new(member.world_from_character, palette_base, sprite_base);
            self.instances.push(Instance { deform_base, z: member.z, ..instance });
        }
        let origin = Origin { index: 0, instance: first as u32, overlay: self.overlay as u32 };
        (self.bones, self.deform, self.overlay) = (bones, deform, overlay);
        Ok(origin)
    }
}
