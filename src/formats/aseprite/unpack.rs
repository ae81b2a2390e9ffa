//! Packed pixels → unpacked ones, within the memory that the file may ask for. What several frames show is kept until
//! the last of them.

use std::collections::HashMap;
use std::io::Read;

use ::bytes::Bytes;
use flate2::read::ZlibDecoder;

use super::plan::{Plan, Step};
use super::schema::{Depth, File, Form, LayerKind};
use crate::bytes::Block;
use crate::error::{Error, Place, Result};
use crate::limits::Budget;

/// Deflate makes no more than this of a byte, and not quite.
const MAX_RATIO: u64 = 1033;

/// Something packed: the content of cels, or the tiles of a tileset.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Packed {
    Content(u32),
    Tileset(u32),
}

/// What is unpacked, and how much memory that takes.
pub struct Store {
    /// How often each is still drawn.
    uses: HashMap<Packed, usize>,
    kept: HashMap<Packed, Bytes>,
    /// Bytes that are held now, and the most that were charged.
    held: u64,
    charged: u64,
}

/// What a step draws from.
pub fn packed_of(file: &File, content: u32, layer: u16) -> impl Iterator<Item = Packed> {
    let tileset = match file.layers[usize::from(layer)].kind {
        LayerKind::Tilemap(id) => Some(Packed::Tileset(id)),
        LayerKind::Image | LayerKind::Group | LayerKind::Reference | LayerKind::Unknown => None,
    };
    [Packed::Content(content)].into_iter().chain(tileset)
}

impl Store {
    /// Counts what the plans draw.
    pub fn new<'p>(file: &File, plans: impl Iterator<Item = &'p Plan>) -> Self {
        let mut uses = HashMap::new();
        for step in plans.flat_map(|plan| &plan.steps) {
            if let Step::Draw { content, layer, .. } = *step {
                packed_of(file, content, layer).for_each(|packed| *uses.entry(packed).or_default() += 1);
            }
        }
        Self { uses, kept: HashMap::new(), held: 0, charged: 0 }
    }

    /// The bytes, unpacked. Each is to be given back.
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

    /// Says that one of the uses is over.
    pub fn give_back(&mut self, packed: Packed) {
        let Some(uses) = self.uses.get_mut(&packed) else { return };
        *uses = uses.saturating_sub(1);
        if *uses == 0
            && let Some(bytes) = self.kept.remove(&packed)
        {
            self.release(bytes.len() as u64);
        }
    }

    /// Takes memory, which is charged as far as there was never as much.
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

/// Refuses pixels that cannot become as many bytes as their size asks for.
pub fn check_len(data: &Block, form: Form, len: u64) -> Result<()> {
    let most = if form == Form::Raw { data.len } else { data.len.saturating_mul(MAX_RATIO) };
    if most >= len {
        return Ok(());
    }
    let message = format!("{} bytes cannot hold the {len} that the size asks for", data.len);
    Err(Error::malformed("bad-pixels", Place::at("pixels", data.offset), message))
}

fn unpack(data: &Block, len: usize, depth: Depth) -> Result<Vec<u8>> {
    let place = || Place::at("pixels", data.offset);
    let mut bytes = Vec::with_capacity(len);
    let mut stream = ZlibDecoder::new(&data.bytes[..]);
    // One more tells whether the stream ends as it should.
    let unpacked = stream.by_ref().take(len as u64).read_to_end(&mut bytes).and_then(|_| stream.read(&mut [0]));
    if let Err(error) = unpacked {
        let message = format!("the pixels cannot be unpacked: {error}");
        return Err(Error::malformed("bad-pixels", place(), message));
    }
    if bytes.len() < len {
        let message = format!(
            "{} bytes of pixels were unpacked, the size asks for {len} ({} each)",
            bytes.len(),
            depth.bytes()
        );
        return Err(Error::malformed("bad-pixels", place(), message));
    }
    Ok(bytes)
}
