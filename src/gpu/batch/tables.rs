//! Tables of sprites, one entry for each attachment of the model. Instances that look the same share a table.

use std::ops::Range;

use super::full::Full;
use crate::draw::SpriteColor;
use crate::gpu::gpu_data::Sprite;
use crate::gpu::kept::Kept;

/// The tables of a part of the crowd.
#[derive(Debug, Default)]
pub struct Tables {
    /// One table after the other.
    pub sprites: Kept<Sprite>,
    /// By sprite: true if an instance of this picture shows it.
    is_shown: Vec<bool>,
    /// The table that was used last, and the ones before; only these are compared.
    recent: [usize; Self::RECENT],
}

/// The sprite of an attachment.
#[derive(Debug, Clone, Copy)]
pub struct Look {
    /// The instance, from 0.
    pub instance: u32,
    pub attachment: usize,
    pub sprite: Sprite,
}

impl Tables {
    const RECENT: usize = 4;

    /// Begins another picture.
    pub fn restart(&mut self) {
        self.sprites.restart();
        self.is_shown.clear();
        self.recent = [0; _];
    }

    /// Returns the first sprite of a table with these looks. `attachments` is the number of sprites of a table, and
    /// `limit` the number of bytes that fit in a buffer.
    pub fn place(&mut self, looks: &[Look], attachments: usize, limit: u64) -> Result<u32, Full> {
        if looks.is_empty() {
            return Ok(0);
        }
        // Before the first table, this finds nothing.
        let found = self.recent.iter().position(|&first| self.fits(first..first + attachments, looks));
        let first = match found {
            Some(position) => {
                let first = self.recent[position];
                self.recent[..=position].rotate_right(1);
                first
            }
            None => {
                let first = self.sprites.len();
                Full::check::<Sprite>("the sprite buffer", first + attachments, limit)?;
                self.sprites.extend(attachments, Sprite::new(&SpriteColor::NONE));
                self.is_shown.resize(first + attachments, false);
                self.recent.rotate_right(1);
                self.recent[0] = first;
                first
            }
        };
        for look in looks {
            let is_shown = &mut self.is_shown[first + look.attachment];
            if !std::mem::replace(is_shown, true) {
                self.sprites.set(first + look.attachment, look.sprite);
            }
        }
        Ok(first as u32)
    }

    /// Returns true if no instance shows other sprites for these attachments.
    fn fits(&self, table: Range<usize>, looks: &[Look]) -> bool {
        let (Some(is_shown), Some(sprites)) = (self.is_shown.get(table.clone()), self.sprites.items().get(table))
        else {
            return false;
        };
        looks.iter().all(|look| !is_shown[look.attachment] || sprites[look.attachment] == look.sprite)
    }
}
