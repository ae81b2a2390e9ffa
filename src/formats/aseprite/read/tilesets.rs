//! Tileset chunks → tilesets with tiles in the file. Other files are never opened.

use ::bytes::Bytes;

use super::Reading;
use crate::bytes::Reader;
use crate::error::Result;
use crate::formats::aseprite::schema::{Form, Tileset};
use crate::formats::aseprite::unpack::check_len;

const IS_ELSEWHERE: u32 = 1;
const IS_INSIDE: u32 = 2;
const ZERO_IS_EMPTY: u32 = 4;

/// Reads a tileset chunk.
pub fn read(reading: &mut Reading<'_, '_>, reader: &mut Reader<Bytes>) -> Result<()> {
    let place = reader.place("tileset");
    let id = reader.u32("tileset.id")?;
    let flags = reader.u32("tileset.flags")?;
    let count = reader.u32("tileset.tileCount")?;
    let tile = [reader.u16("tileset.tileWidth")?, reader.u16("tileset.tileHeight")?];
    reader.array::<16>("tileset.reserved")?;
    let name_len = reader.u16("tileset.name")?;
    reader.skip("tileset.name", name_len.into())?;
    if flags & IS_ELSEWHERE != 0 {
        reader.array::<8>("tileset.external")?;
    }
    if flags & IS_INSIDE == 0 {
        return Ok(());
    }
    let len = reader.u32("tileset.dataLength")?;
    let data = reader.block("tileset.data", len.into())?;
    if tile.contains(&0) || count == 0 {
        return Ok(());
    }
    reading.budget.charge_records(1, || place.clone())?;
    reading.budget.charge_memory(1, size_of::<Tileset>(), || place)?;
    let tileset = Tileset { zero_is_empty: flags & ZERO_IS_EMPTY != 0, count, tile, data };
    check_len(&tileset.data, Form::Packed, tileset.unpacked_len(reading.file.header.depth))?;
    reading.file.tilesets.entry(id).or_insert(tileset);
    Ok(())
}
