//! Tables of sprites (colours, deform offset and texture area), one entry for each attachment of the model. Instances
//! that look the same share a table.

use std::ops::Range;

use super::buffer_full::BufferFull;
use crate::draw::SpriteColor;
use crate::gpu::device::TrackedList;
use crate::gpu::shaders::gpu_data::Sprite;

/// The tables of a chunk of the crowd.
#[derive(Debug, Default)]
pub struct SpriteTables {
    /// One table after the other.
    pub sprites: TrackedList<Sprite>,
    /// By sprite: true if an instance of this picture shows it.
    is_shown: Vec<bool>,
    /// The table that was used last, and the ones before; only these are compared.
    recent: [usize; Self::RECENT],
}

/// The sprite of an attachment in an instance.
#[derive(Debug, Clone, Copy)]
pub struct InstanceSprite {
    /// The instance, from 0.
    pub instance: u32,
    pub attachment: usize,
    pub sprite: Sprite,
}

impl SpriteTables {
    const RECENT: usize = 4;

    /// Begins another picture.
    pub fn restart(&mut self) {
        self.sprites.restart();
        self.is_shown.clear();
        self.recent = [0; _];
    }

    /// Returns the first sprite of a table with these sprites, which is added if no recent table has them. A table has
    /// `attachments` sprites, and `limit` bytes fit in a buffer.
    pub fn first_sprite_of(
        &mut self,
        shown: &[InstanceSprite],
        attachments: usize,
        limit: u64,
    ) -> Result<u32, BufferFull> {
        if shown.is_empty() {
            return Ok(0);
        }
        // Before the first table, this finds nothing.
        let found = self.recent.iter().position(|&first| self.fits(first..first + attachments, shown));
        let first = match found {
            Some(position) => {
                let first = self.recent[position];
                self.recent[..=position].rotate_right(1);
                first
            }
            None => {
                let first = self.sprites.len();
                BufferFull::check::<Sprite>("the sprite buffer", first + attachments, limit)?;
                self.sprites.extend(attachments, Sprite::new(&SpriteColor::NONE));
                self.is_shown.resize(first + attachments, false);
                self.recent.rotate_right(1);
                self.recent[0] = first;
                first
            }
        };
        for sprite in shown {
            let is_shown = &mut self.is_shown[first + sprite.attachment];
            if !std::mem::replace(is_shown, true) {
                self.sprites.set(first + sprite.attachment, sprite.sprite);
            }
        }
        Ok(first as u32)
    }

    /// Returns true if no instance shows other sprites for these attachments.
    fn fits(&self, table: Range<usize>, shown: &[InstanceSprite]) -> bool {
        let (Some(is_shown), Some(sprites)) = (self.is_shown.get(table.clone()), self.sprites.items().get(table))
        else {
            return false;
        };
        shown.iter().all(|sprite| !is_shown[sprite.attachment] || sprites[sprite.attachment] == sprite.sprite)
    }
}
