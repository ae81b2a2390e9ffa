//! The bytes of a `.pchr` file → [`schema::File`].
//!
//! Checks only what is needed to find the fields: the magic, the version, that every count fits the remaining
//! bytes, and UTF-8. [`build`](super::build) validates the fields.

use std::io::{Read, Seek};

use bytes::Bytes;

use super::schema;
use crate::bytes::{Block, Reader, Seekable, Source};
use crate::diagnostics::Diagnostics;
use crate::error::{Error, Place, Result};
use crate::limits::Budget;

/// Size of the shortest record of each list in bytes: empty names, no data.
const MIN_IMAGE: usize = 2 + 2 + 2 + 1 + 4;
const MIN_BONE: usize = 2 + 2;
const MIN_MESH: usize = 2 + 2 + 2 + 4;
const MIN_ANIMATION: usize = 2 + 1 + 2;

/// Which parts of a file to read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Depth {
    /// Everything.
    Whole,
    /// Skips images, vertices, indices and frames; the rest is small.
    Outline,
}

/// Reads a whole file, without decoding images or validating vertices and frames.
pub fn read(data: Bytes, budget: &mut Budget<'_>, diagnostics: &mut Diagnostics) -> Result<schema::File> {
    budget.check_file(data.len() as u64)?;
    fields(Reader::new(data), Depth::Whole, budget, diagnostics)
}

/// Reads a file of `len` bytes, but skips the data of images, vertices, indices and frames: their blocks are empty
/// and only store their place.
pub fn read_outline(
    file: impl Read + Seek,
    len: u64,
    budget: &mut Budget<'_>,
    diagnostics: &mut Diagnostics,
) -> Result<schema::File> {
    budget.check_file(len)?;
    fields(Reader::new(Seekable::new(file, len)), Depth::Outline, budget, diagnostics)
}

fn fields<S: Source>(
    mut reader: Reader<S>,
    depth: Depth,
    budget: &mut Budget<'_>,
    diagnostics: &mut Diagnostics,
) -> Result<schema::File> {
    let (fps, flags) = header(&mut reader, diagnostics)?;

    let images = list(&mut reader, ["imageCount", "images"], MIN_IMAGE, budget, |reader, _| image(reader, depth))?;
    let bones = list(&mut reader, ["boneCount", "bones"], MIN_BONE, budget, |reader, _| {
        let offset = reader.offset();
        Ok(schema::Bone { name: reader.string("name")?, parent: reader.i16("parent")?, offset })
    })?;
    let meshes = list(&mut reader, ["meshCount", "meshes"], MIN_MESH, budget, |reader, _| mesh(reader, depth))?;
    let bone_count = bones.len() as u64;
    let names = ["animationCount", "animations"];
    let animations = list(&mut reader, names, MIN_ANIMATION, budget, |reader, budget| {
        let animation = animation(reader, depth, bone_count)?;
        if bone_count == 0 {
            // Frames without bones take no bytes here, but other formats write each of them.
            budget.charge_records(animation.frame_count.into(), || reader.place("frames"))?;
        }
        Ok(animation)
    })?;
    if reader.remaining() > 0 {
        // They may not even have been read.
        let message = "the bytes after the last animation are ignored";
        diagnostics.warn("trailing-bytes", Place::at("", reader.offset()), message);
    }
    Ok(schema::File { fps, flags, images, bones, meshes, animations })
}

/// Charges and reads a list after its count; `names` are those of the count and of the list.
fn list<S: Source, T>(
    reader: &mut Reader<S>,
    [count, name]: [&'static str; 2],
    min_size: usize,
    budget: &mut Budget<'_>,
    mut read: impl FnMut(&mut Reader<S>, &mut Budget<'_>) -> Result<T>,
) -> Result<Vec<T>> {
    let place = reader.place(count);
    let count = reader.u16(count)?;
    budget.charge_records(count.into(), || place.clone())?;
    budget.charge_memory(count.into(), size_of::<T>(), || place.clone())?;
    reader.list(name, count.into(), min_size, |reader| read(reader, budget))
}

impl Depth {
    /// Reads or skips a block that an outline does not need.
    fn block<S: Source>(self, reader: &mut Reader<S>, field: &'static str, len: u64) -> Result<Block> {
        match self {
            Self::Whole => reader.block(field, len),
            Self::Outline => reader.skip(field, len),
        }
    }
}

/// Reads the header that both binary forms share.
pub(super) fn magic_and_version<S: Source>(reader: &mut Reader<S>) -> Result<()> {
    let magic = reader.array::<4>("magic")?;
    if magic != schema::MAGIC {
        let found = magic.escape_ascii();
        let message = format!("found `{found}`, but a PCHR file begins with `PCHR`");
        return Err(Error::malformed("bad-magic", Place::at("magic", 0), message));
    }
    let (place, version) = reader.placed("version", Reader::u32)?;
    if version != schema::VERSION {
        let message = format!("this is PCHR version {version}; only version {} is supported", schema::VERSION);
        return Err(Error::unsupported("unknown-version", place, message));
    }
    Ok(())
}

fn header<S: Source>(reader: &mut Reader<S>, diagnostics: &mut Diagnostics) -> Result<(u16, u16)> {
    magic_and_version(reader)?;
    let fps = reader.u16("fps")?;
    let (place, flags) = reader.placed("flags", Reader::u16)?;
    if flags != 0 {
        diagnostics.warn("reserved-bits", place, format!("reserved bits are set ({flags:#06x}); v1 requires 0"));
    }
    Ok((fps, flags))
}

fn image<S: Source>(reader: &mut Reader<S>, depth: Depth) -> Result<schema::Image> {
    let offset = reader.offset();
    let name = reader.string("name")?;
    let width = reader.u16("width")?;
    let height = reader.u16("height")?;
    let format = reader.u8("format")?;
    let len = reader.u32("dataLength")?;
    let data = depth.block(reader, "data", len.into())?;
    Ok(schema::Image { name, width, height, format, data, offset })
}

fn mesh<S: Source>(reader: &mut Reader<S>, depth: Depth) -> Result<schema::Mesh> {
    let offset = reader.offset();
    let name = reader.string("name")?;
    let image = reader.u16("image")?;
    let vertex_count = reader.u16("vertexCount")?;
    let (place, index_count) = reader.placed("indexCount", Reader::u32)?;
    if !index_count.is_multiple_of(3) {
        let message = format!("{index_count} is not a multiple of 3; a triangle has three indices");
        return Err(Error::malformed("partial-triangle", place, message));
    }
    let vertices = depth.block(reader, "vertices", u64::from(vertex_count) * schema::Vertex::SIZE as u64)?;
    let indices = depth.block(reader, "indices", u64::from(index_count) * 2)?;
    Ok(schema::Mesh { name, image, vertices, indices, offset })
}

fn animation<S: Source>(reader: &mut Reader<S>, depth: Depth, bone_count: u64) -> Result<schema::Animation> {
    let offset = reader.offset();
    let name = reader.string("name")?;
    let flags = reader.u8("flags")?;
    let frame_count = reader.u16("frameCount")?;
    let len = u64::from(frame_count) * bone_count * schema::BoneTransform::SIZE as u64;
    let frames = depth.block(reader, "frames", len)?;
    Ok(schema::Animation { name, flags, frame_count, frames, offset })
}
