//! Palette chunks of three types → the palettes of an indexed sprite. Each applies from its frame on.

use ::bytes::Bytes;

use super::Reading;
use crate::bytes::Reader;
use crate::error::Result;
use crate::formats::aseprite::schema::{Depth, Palette};

/// Size of an entry of the newer type: flags and a colour.
const ENTRY: usize = 6;
/// Flag: an entry of the newer type has a name.
const HAS_NAME: u16 = 1;

/// Reads a chunk of the older types, with components of six or eight bits.
pub fn old(reading: &mut Reading<'_, '_>, reader: &mut Reader<Bytes>, is_six_bits: bool) -> Result<()> {
    if reading.has_new_palette || reading.file.header.depth != Depth::Indexed {
        return Ok(());
    }
    let mut palette = reading.palette();
    let mut index = 0;
    for _ in 0..reader.u16("palette.packets")? {
        let [skip, count] = reader.array::<2>("palette.packet")?;
        index += usize::from(skip);
        for _ in 0..if count == 0 { 256 } else { count.into() } {
            let mut color = reader.array::<3>("palette.color")?;
            if is_six_bits {
                color = color.map(|component| (component << 2) | ((component & 63) >> 4));
            }
            palette.set(index, [color[0], color[1], color[2], 255]);
            index += 1;
        }
    }
    reading.set_palette(palette, reader)
}

/// Reads a chunk of the newer type.
pub fn new(reading: &mut Reading<'_, '_>, reader: &mut Reader<Bytes>) -> Result<()> {
    reading.has_new_palette = true;
    if reading.file.header.depth != Depth::Indexed {
        return Ok(());
    }
    let mut palette = reading.palette();
    let size = reader.u32("palette.size")? as usize;
    let (first, last) = (reader.u32("palette.first")?, reader.u32("palette.last")?);
    reader.array::<8>("palette.reserved")?;
    if size > 0 {
        palette.resize(size);
    }
    let count = (u64::from(last) + 1).saturating_sub(first.into());
    let mut index = first as usize;
    reader.list("colors", usize::try_from(count).unwrap_or(usize::MAX), ENTRY, |reader| {
        let flags = reader.u16("flags")?;
        palette.set(index, reader.array("color")?);
        index += 1;
        if flags & HAS_NAME != 0 {
            let len = reader.u16("name")?;
            reader.skip("name", len.into())?;
        }
        Ok(())
    })?;
    reading.set_palette(palette, reader)
}

impl Reading<'_, '_> {
    /// Returns a copy of the active palette.
    fn palette(&self) -> Palette {
        self.file.palettes.last().cloned().unwrap_or_else(|| Palette::new(0))
    }

    fn set_palette(&mut self, palette: Palette, reader: &Reader<Bytes>) -> Result<()> {
        self.has_palette = true;
        let last = self.file.palettes.len() - 1;
        let before = self.file.frames.len().checked_sub(2).and_then(|frame| self.file.frames.get(frame));
        if before.is_none_or(|frame| frame.palette < last) {
            // No earlier frame uses the palette that this one replaces.
            self.file.palettes[last] = palette;
        } else if self.file.palettes[last] != palette {
            self.budget.charge_memory(1, size_of::<[u8; 1024]>(), || reader.place("palette"))?;
            self.file.palettes.push(palette);
        }
        Ok(())
    }
}
