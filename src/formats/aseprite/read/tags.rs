//! Tag chunks → tags.

use ::bytes::Bytes;

use super::Reading;
use crate::bytes::Reader;
use crate::error::Result;
use crate::formats::aseprite::schema::Tag;

/// Size of a tag with an empty name, in bytes.
const SIZE: usize = 19;

/// Reads a tags chunk.
pub fn read(reading: &mut Reading<'_, '_>, reader: &mut Reader<Bytes>) -> Result<()> {
    let place = reader.place("tags");
    let count = reader.u16("tagCount")?;
    reader.array::<8>("reserved")?;
    reading.budget.charge_memory(count.into(), size_of::<Tag>(), || place.clone())?;
    let tags = reader.list("tags", count.into(), SIZE, tag)?;
    reading.file.tags.extend(tags);
    Ok(())
}

fn tag(reader: &mut Reader<Bytes>) -> Result<Tag> {
    let offset = reader.offset();
    let (from, to) = (reader.u16("from")?, reader.u16("to")?);
    let direction = reader.u8("direction")?;
    let repeat = reader.u16("repeat")?;
    reader.array::<6>("reserved")?;
    reader.array::<4>("color")?;
    let len = reader.u16("name")?;
    let name = reader.block("name", len.into())?;
    let name = String::from_utf8_lossy(&name.bytes).into_owned();
    Ok(Tag { from, to, direction, repeat, name, offset })
}
