//! Layer chunks → layers and their groups.

use ::bytes::Bytes;

use super::Reading;
use crate::bytes::Reader;
use crate::error::{Error, Result};
use crate::formats::aseprite::blend::Blend;
use crate::formats::aseprite::schema::{Header, Layer, LayerKind};

const VISIBLE: u16 = 1;
const BACKGROUND: u16 = 8;
const REFERENCE: u16 = 64;

/// Maximum nesting depth of groups; real files need far less.
const MAX_DEPTH: usize = 64;

/// The open groups, outermost first.
#[derive(Debug, Default)]
pub struct Groups {
    open: Vec<Open>,
    /// Number of layers outside any group.
    outside: u32,
}

#[derive(Debug)]
struct Open {
    layer: u16,
    level: u16,
    /// Number of layers in it.
    count: u32,
}

/// Reads a layer chunk.
pub fn read(reading: &mut Reading<'_, '_>, reader: &mut Reader<Bytes>) -> Result<()> {
    let place = reader.place("layer");
    let flags = reader.u16("layer.flags")?;
    let (kind_place, kind) = reader.placed("layer.type", Reader::u16)?;
    let (level_place, level) = reader.placed("layer.childLevel", Reader::u16)?;
    reader.array::<4>("layer.defaultSize")?;
    let (blend_place, mode) = reader.placed("layer.blendMode", Reader::u16)?;
    let opacity = reader.u8("layer.opacity")?;
    reader.array::<3>("layer.reserved")?;
    let name_len = reader.u16("layer.name")?;
    let name = reader.block("layer.name", name_len.into())?;
    let kind = match kind {
        _ if flags & REFERENCE != 0 => LayerKind::Reference,
        0 => LayerKind::Image,
        1 => LayerKind::Group,
        2 => LayerKind::Tilemap(reader.u32("layer.tileset")?),
        unknown => {
            let message = format!("unknown layer type {unknown}; the layer is not drawn");
            reading.diagnostics.warn("bad-layer", kind_place, message);
            LayerKind::Unknown
        }
    };
    let Ok(index) = u16::try_from(reading.file.layers.len()) else {
        let message = format!("the sprite has more than {} layers, the maximum of the format", 1 << 16);
        return Err(Error::unsupported("too-many", place, message));
    };
    reading.budget.charge_records(1, || place.clone())?;
    reading.budget.charge_memory(1, size_of::<Layer>() + 3 * usize::from(name_len), || place.clone())?;
    let header = reading.file.header;
    let is_background = flags & BACKGROUND != 0;
    let is_blended = !is_background && (kind != LayerKind::Group || header.composes_groups());
    let blend = Blend::from_number(mode).unwrap_or_else(|| {
        if is_blended {
            let message = format!(
                "unknown blend mode {mode}, expected 0 to {}; the layer is blended normally",
                Blend::COUNT - 1
            );
            reading.diagnostics.warn("bad-layer", blend_place, message);
        }
        Blend::Normal
    });
    let (parent, order) = reading.groups.enter(level);
    if kind == LayerKind::Group {
        if reading.groups.open.len() >= MAX_DEPTH {
            let message = format!("groups are nested more than {MAX_DEPTH} levels deep");
            return Err(Error::unsupported("too-many", level_place, message));
        }
        reading.groups.open.push(Open { layer: index, level, count: 0 });
    }
    reading.file.layers.push(Layer {
        offset: place.offset.unwrap_or_default(),
        name: String::from_utf8_lossy(&name.bytes).into_owned(),
        is_visible: flags & VISIBLE != 0,
        is_background,
        kind,
        blend: if is_blended { blend } else { Blend::Normal },
        opacity: if is_blended && header.flags & Header::LAYER_OPACITY != 0 { opacity } else { 255 },
        parent,
        order,
    });
    Ok(())
}

impl Groups {
    /// Returns the group of the next layer, which has the given level, and its index in the group.
    fn enter(&mut self, level: u16) -> (Option<u16>, u32) {
        while self.open.last().is_some_and(|group| group.level >= level) {
            self.open.pop();
        }
        let (parent, count) = match self.open.last_mut() {
            Some(group) => (Some(group.layer), &mut group.count),
            None => (None, &mut self.outside),
        };
        *count += 1;
        (parent, *count - 1)
    }
}
