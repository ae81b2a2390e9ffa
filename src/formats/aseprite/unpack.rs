//! Decompression of pixels within the memory limit. Pixels used by several frames are cached until the last use.

use std::collections::HashMap;
use std::io::Read;

use ::bytes::Bytes;
use flate2::read::ZlibDecoder;

use super::plan::{Drawn, Plan, Step};
use super::schema::{Depth, File, Form, LayerKind};
use crate::bytes::{Block, room};
use crate::error::{Error, Place, Result};
use crate::limits::Budget;

/// Upper bound on the compression ratio of deflate.
const MAX_RATIO: u64 = 1033;

/// Compressed data: the content of cels, or the tiles of a tileset.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Packed {
    Content(u32),
    Tileset(u32),
}

/// A cache of decompressed data, with its memory use.
pub struct Store {
    /// Number of remaining uses.
    uses: HashMap<Packed, usize>,
    kept: HashMap<Packed, Bytes>,
    /// Bytes in use at present, and the maximum charged so far.
    held: u64,
    charged: u64,
}

/// Returns the data that a step draws from.
pub fn packed_of(file: &File, cel: Drawn) -> impl Iterator<Item = Packed> {
    let tileset = match file.layers[usize::from(cel.layer)].kind {
        LayerKind::Tilemap(id) => Some(Packed::Tileset(id)),
        LayerKind::Image | LayerKind::Group | LayerKind::Reference | LayerKind::Unknown => None,
    };
    [Packed::Content(cel.content)].into_iter().chain(tileset)
}

impl Store {
    /// Creates a store and counts the uses in all plans.
    pub fn new<'p>(file: &File, plans: impl Iterator<Item = &'p Plan>) -> Self {
        let mut uses = HashMap::new();
        for step in plans.flat_map(|plan| &plan.steps) {
            if let Step::Draw(cel) = *step {
                packed_of(file, cel).for_each(|packed| *uses.entry(packed).or_default() += 1);
            }
        }
        Self { uses, kept: HashMap::new(), held: 0, charged: 0 }
    }

    /// Returns the decompressed bytes. Each call must be paired with [`Self::give_back`].
    pub fn take(&mut self, file: &File, packed: Packed, budget: &mut Budget<'_>) -> Result<Bytes> {
        if let Some(bytes) = self.kept.get(&packed) {
            return Ok(bytes.clone());
        }
        let depth = file.header.depth;
        let (data, form, len) = match packed {
            Packed::Content(index) => {
                let content = &file.contents[index as usize];
                (&content.data, content.form, content.unpacked_len(depth))
            }
            Packed::Tileset(id) => match file.tilesets.get(&id) {
                Some(tileset) => (&tileset.data, Form::Packed, tileset.unpacked_len(depth)),
                None => return Ok(Bytes::new()),
            },
        };
        if form == Form::Raw {
            return Ok(data.bytes.slice(..len as usize));
        }
        self.hold(len, budget, data.offset)?;
        let bytes: Bytes = unpack(data, len as usize, depth)?.into();
        self.kept.insert(packed, bytes.clone());
        Ok(bytes)
    }

    /// Ends one use.
    pub fn give_back(&mut self, packed: Packed) {
        let Some(uses) = self.uses.get_mut(&packed) else { return };
        *uses = uses.saturating_sub(1);
        if *uses == 0
            && let Some(bytes) = self.kept.remove(&packed)
        {
            self.release(bytes.len() as u64);
        }
    }

    /// Adds to the bytes in use and charges the budget for a new maximum.
    pub fn hold(&mut self, len: u64, budget: &mut Budget<'_>, offset: u64) -> Result<()> {
        self.held = self.held.saturating_add(len);
        if self.held > self.charged {
            budget.charge_memory(self.held - self.charged, 1, || Place::at("pixels", offset))?;
            self.charged = self.held;
        }
        Ok(())
    }

    pub fn release(&mut self, len: u64) {
        self.held = self.held.saturating_sub(len);
    }
}

/// Fails if the data is too short to contain `len` bytes of pixels.
pub fn check_len(data: &Block, form: Form, len: u64) -> Result<()> {
    let most = if form == Form::Raw { data.len } else { data.len.saturating_mul(MAX_RATIO) };
    if most >= len {
        return Ok(());
    }
    let message = format!("{} bytes cannot contain the {len} bytes that the size requires", data.len);
    Err(Error::malformed("bad-pixels", Place::at("pixels", data.offset), message))
}

fn unpack(data: &Block, len: usize, depth: Depth) -> Result<Vec<u8>> {
    let place = || Place::at("pixels", data.offset);
    let mut bytes = room(len)?;
    let mut stream = ZlibDecoder::new(&data.bytes[..]);
    // Reading one more byte checks that the stream ends correctly.
    let unpacked = stream.by_ref().take(len as u64).read_to_end(&mut bytes).and_then(|_| stream.read(&mut [0]));
    if let Err(error) = unpacked {
        let message = format!("the pixels cannot be decompressed: {error}");
        return Err(Error::malformed("bad-pixels", place(), message));
    }
    if bytes.len() < len {
        let message = format!(
            "the stream has {} bytes of pixels, the size requires {len} ({} per pixel)",
            bytes.len(),
            depth.bytes()
        );
        return Err(Error::malformed("bad-pixels", place(), message));
    }
    Ok(bytes)
}
