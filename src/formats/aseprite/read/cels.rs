//! Cel chunks → pixels on a layer in a frame.

use ::bytes::Bytes;

use super::Reading;
use crate::bytes::Reader;
use crate::error::Result;
use crate::formats::aseprite::schema::{Cel, Content, Depth, Form, LayerKind, TileBits};
use crate::formats::aseprite::unpack::check_len;

/// Memory per cel in bytes, not counting its own and its content's fields.
const KNOWN_BYTES: usize = 32;

/// Reads a cel chunk of a frame.
pub fn read(reading: &mut Reading<'_, '_>, reader: &mut Reader<Bytes>, frame: u16) -> Result<()> {
    let place = reader.place("cel");
    let layer = reader.u16("cel.layer")?;
    let at = [reader.i16("cel.x")?, reader.i16("cel.y")?];
    let opacity = reader.u8("cel.opacity")?;
    let (type_place, kind) = reader.placed("cel.type", Reader::u16)?;
    let z = reader.i16("cel.zIndex")?;
    reader.array::<5>("cel.reserved")?;
    reading.budget.charge_memory(1, size_of::<Cel>() + size_of::<Content>() + KNOWN_BYTES, || place.clone())?;
    if let Err(why) = check(reading, layer, frame, kind) {
        reading.diagnostics.warn("bad-cel", place, format!("{why}; the cel is ignored"));
        return Ok(());
    }
    let content = match kind {
        0 => pixels(reading, reader, Form::Raw)?,
        1 => linked(reading, reader, layer)?,
        2 => pixels(reading, reader, Form::Packed)?,
        3 => tiles(reading, reader)?,
        unknown => {
            let message = format!("unknown cel type {unknown}, expected 0 to 3; the cel is ignored");
            reading.diagnostics.warn("bad-cel", type_place, message);
            None
        }
    };
    let Some(content) = content else { return Ok(()) };
    reading.known.insert((layer, frame), content);
    if let Some(frame) = reading.file.frames.last_mut() {
        frame.cels.push(Cel { layer, at, opacity, z, content });
    }
    Ok(())
}

/// Returns an error if the cel is invalid.
fn check(reading: &Reading<'_, '_>, layer: u16, frame: u16, kind: u16) -> Result<(), String> {
    let Some(found) = reading.file.layers.get(usize::from(layer)) else {
        return Err(format!("layer {layer} does not exist, there are {} so far", reading.file.layers.len()));
    };
    let fits = match found.kind {
        LayerKind::Image | LayerKind::Reference => kind != 3,
        LayerKind::Tilemap(_) => kind == 1 || kind == 3,
        LayerKind::Group => false,
        // The layer already has a warning.
        LayerKind::Unknown => true,
    };
    if !fits {
        return Err(format!("layer {layer} cannot contain cels of type {kind}"));
    }
    if reading.known.contains_key(&(layer, frame)) {
        return Err(format!("layer {layer} already has a cel in this frame"));
    }
    Ok(())
}

/// Reads the following content. Returns `None` if it is empty.
fn add(
    reading: &mut Reading<'_, '_>,
    reader: &mut Reader<Bytes>,
    size: [u16; 2],
    form: Form,
) -> Result<Option<u32>> {
    let data = reader.block("cel.data", reader.remaining())?;
    if size.contains(&0) {
        return Ok(None);
    }
    let content = Content { size, form, data };
    check_len(&content.data, form, content.unpacked_len(reading.file.header.depth))?;
    reading.file.contents.push(content);
    Ok(Some(reading.file.contents.len() as u32 - 1))
}

fn pixels(reading: &mut Reading<'_, '_>, reader: &mut Reader<Bytes>, form: Form) -> Result<Option<u32>> {
    let size = [reader.u16("cel.width")?, reader.u16("cel.height")?];
    add(reading, reader, size, form)
}

fn tiles(reading: &mut Reading<'_, '_>, reader: &mut Reader<Bytes>) -> Result<Option<u32>> {
    let size = [reader.u16("cel.width")?, reader.u16("cel.height")?];
    let (place, bits) = reader.placed("cel.bitsPerTile", Reader::u16)?;
    if bits != 32 {
        let message = format!("unsupported tiles of {bits} bits, expected 32; the cel is ignored");
        reading.diagnostics.warn("bad-cel", place, message);
        return Ok(None);
    }
    let form = Form::Tiles(TileBits {
        id: reader.u32("cel.tileIdMask")?,
        flip_x: reader.u32("cel.flipXMask")?,
        flip_y: reader.u32("cel.flipYMask")?,
        flip_diagonal: reader.u32("cel.flipDiagonalMask")?,
    });
    reader.array::<10>("cel.reserved")?;
    add(reading, reader, size, form)
}

/// Returns the content of the same layer in an earlier frame.
fn linked(reading: &mut Reading<'_, '_>, reader: &mut Reader<Bytes>, layer: u16) -> Result<Option<u32>> {
    let (place, frame) = reader.placed("cel.link", Reader::u16)?;
    let content = reading.known.get(&(layer, frame)).copied();
    if content.is_none() {
        let message =
            format!("frame {frame} is not an earlier frame with a cel on layer {layer}; the cel is ignored");
        reading.diagnostics.warn("bad-cel", place, message);
    }
    Ok(content)
}

impl Content {
    /// Returns the decompressed size in bytes.
    pub fn unpacked_len(&self, depth: Depth) -> u64 {
        let each = match self.form {
            Form::Raw | Form::Packed => depth.bytes(),
            Form::Tiles(_) => 4,
        };
        u64::from(self.size[0]) * u64::from(self.size[1]) * each as u64
    }
}
