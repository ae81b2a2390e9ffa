//! [`schema::File`] → the bytes of a `.pchr` file.
//!
//! Refuses only what the format cannot represent: counts and strings that do not fit their fields.

use super::schema;
use crate::bytes::Writer;
use crate::error::{Error, Place, Result};

/// Returns the bytes of `file`. Reading and writing them again gives the same bytes.
pub fn write(file: &schema::File) -> Result<Vec<u8>> {
    written(file)?.into_bytes()
}

/// Returns the bytes of `file` in parts that follow each other: large blocks are shared with `file`.
#[cfg(feature = "convert")]
pub(crate) fn write_parts(file: &schema::File) -> Result<Vec<::bytes::Bytes>> {
    written(file)?.into_parts()
}

fn written(file: &schema::File) -> Result<Writer> {
    let mut out = Writer::default();
    out.bytes(&schema::MAGIC);
    out.u32(schema::VERSION);
    out.u16(file.fps);
    out.u16(file.flags);

    out.count_u16("imageCount", file.images.len())?;
    for image in &file.images {
        out.string("images[].name", &image.name)?;
        if image.data.is_skipped() {
            let message = format!("the data of image `{}` was not read", image.name);
            return Err(Error::misuse("skipped-data", message));
        }
        out.u16(image.width);
        out.u16(image.height);
        out.u8(image.format);
        out.count_u32("images[].dataLength", image.data.bytes.len())?;
        out.block(&image.data.bytes);
    }

    out.count_u16("boneCount", file.bones.len())?;
    for bone in &file.bones {
        out.string("bones[].name", &bone.name)?;
        out.i16(bone.parent);
    }

    out.count_u16("meshCount", file.meshes.len())?;
    for mesh in &file.meshes {
        if mesh.vertices.is_skipped() || mesh.indices.is_skipped() {
            let message = format!("vertices or indices of mesh `{}` were not read", mesh.name);
            return Err(Error::misuse("skipped-data", message));
        }
        whole_records("vertices", mesh.vertices.bytes.len(), schema::Vertex::SIZE)?;
        whole_records("indices", mesh.indices.bytes.len(), 2)?;
        out.string("meshes[].name", &mesh.name)?;
        out.u16(mesh.image);
        out.count_u16("meshes[].vertexCount", mesh.vertex_count())?;
        out.count_u32("meshes[].indexCount", mesh.index_count())?;
        out.block(&mesh.vertices.bytes);
        out.block(&mesh.indices.bytes);
    }

    out.count_u16("animationCount", file.animations.len())?;
    for animation in &file.animations {
        animation.check_frames(file.bones.len()).map_err(|message| {
            Error::misuse("frames-length", format!("animation `{}`: {message}", animation.name))
        })?;
        out.string("animations[].name", &animation.name)?;
        out.u8(animation.flags);
        out.u16(animation.frame_count);
        out.block(&animation.frames.bytes);
    }
    Ok(out)
}

fn whole_records(what: &str, len: usize, size: usize) -> Result<()> {
    if len.is_multiple_of(size) {
        return Ok(());
    }
    Err(Error::malformed(
        "partial-record",
        Place::inside(format!("meshes[].{what}")),
        format!("{len} bytes are not a whole number of {size}-byte records"),
    ))
}
