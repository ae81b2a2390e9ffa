//! A chunk of a crowd: members whose data fits in one buffer of each kind. Their instances and sprite tables.

use std::ops::Range;

use super::buffer_full::BufferFull;
use super::draw_call::BufferOffsets;
use super::member::Member;
use super::member_calls::MemberCalls;
use super::sprite_tables::SpriteTables;
use crate::draw::OverlayVertex;
use crate::gpu::device::{BufferLimits, TrackedList};
use crate::gpu::shaders::gpu_data::{Bone, Instance};
use crate::math::Vec2;

/// Consecutive members.
#[derive(Debug, Default)]
pub struct Chunk {
    /// The draw calls, in [`Batch::calls`](super::Batch::calls).
    pub calls: Range<usize>,
    /// The members whose lists are uploaded, in [`Batch::lists`](super::Batch::lists).
    pub lists: Range<usize>,
    pub instances: TrackedList<Instance>,
    pub tables: SpriteTables,
    pub bones: usize,
    pub deform: usize,
    pub overlay: usize,
}

impl Chunk {
    /// Begins with the next draw call and list.
    pub fn restart(&mut self, call: usize, list: usize) {
        (self.calls, self.lists) = (call..call, list..list);
        (self.bones, self.deform, self.overlay) = (0, 0, 0);
        self.instances.restart();
        self.tables.restart();
    }

    /// Adds the instances of a member with these calls, which are those of the member before if `is_same`. If it does
    /// not fit, nothing is added but tables.
    pub fn add(
        &mut self,
        member: &Member<'_>,
        calls: &MemberCalls,
        is_same: bool,
        attachments: usize,
        limits: BufferLimits,
    ) -> Result<BufferOffsets, BufferFull> {
        let (list, first) = (member.list, self.instances.len());
        let (bones, deform) = (self.bones + list.palette.len(), self.deform + list.deform.len());
        let overlay = self.overlay + list.overlay.len();
        let instances = first.saturating_add(calls.instances as usize);
        BufferFull::check::<Bone>("the bone matrix buffer", bones, limits.storage)?;
        BufferFull::check::<Vec2>("the deform buffer", deform, limits.storage)?;
        BufferFull::check::<OverlayVertex>("the overlay buffer", overlay, limits.buffer)?;
        BufferFull::check::<Instance>("the instance buffer", instances, limits.buffer)?;
        // In another chunk, the one before has other tables.
        let before = first.checked_sub(calls.instances as usize).filter(|_| is_same);
        let mut sprites = &calls.instance_sprites[..];
        for number in 0..calls.instances {
            let sprite_base = match before {
                Some(before) => Ok(self.instances.items()[before + number as usize].sprite_base),
                None => {
                    let end = sprites.partition_point(|sprite| sprite.instance == number);
                    let of_instance = sprites.split_off(..end).unwrap_or_default();
                    self.tables.first_sprite_of(of_instance, attachments, limits.storage)
                }
            };
            let sprite_base = sprite_base.inspect_err(|_| self.instances.shorten(first))?;
            // Both fit: bindings have far fewer than 2³² elements.
            let (palette_base, deform_base) = (self.bones as u32, self.deform as u32);
            let instance = Instance::new(member.world_from_character, palette_base, sprite_base);
            self.instances.push(Instance { deform_base, z: member.z, ..instance });
        }
        let offsets = BufferOffsets { index: 0, instance: first as u32, overlay: self.overlay as u32 };
        (self.bones, self.deform, self.overlay) = (bones, deform, overlay);
        Ok(offsets)
    }
}
