//! PCHR v1, field for field and named as in its specification. Only sizes are checked.
//!
//! Units and spaces are as in the file: pixels, y up, degrees counter-clockwise, `v` down. Large arrays stay packed
//! bytes; [`Vertex`] and [`BoneTransform`] define their records.

use crate::bytes::{f32_at, u16_at};
use crate::misuse;

pub use crate::bytes::Block;

/// The first four bytes of a file.
pub(crate) const MAGIC: [u8; 4] = *b"PCHR";
/// The only version.
pub const VERSION: u32 = 1;

/// A whole file.
#[derive(Debug, Clone, Default)]
pub struct File {
    /// Playback frame rate.
    pub fps: u16,
    /// Reserved, 0 in v1.
    #[cfg_attr(not(feature = "bake"), expect(dead_code, reason = "only written"))]
    pub flags: u16,
    /// Packed images.
    pub images: Vec<Image>,
    /// Parents before children.
    pub bones: Vec<Bone>,
    /// Skinned meshes.
    pub meshes: Vec<Mesh>,
    /// Sampled animations.
    pub animations: Vec<Animation>,
}

/// An atlas image.
#[derive(Debug, Clone, Default)]
pub struct Image {
    /// Image name.
    pub name: String,
    /// Width in pixels.
    pub width: u16,
    /// Height in pixels.
    pub height: u16,
    /// [`Image::PNG`] or [`Image::RGBA8888`].
    pub format: u8,
    /// The picture, encoded according to `format`.
    pub data: Block,
    /// Offset of the record in the file.
    pub offset: u64,
}

impl Image {
    /// `data` is a PNG file.
    pub const PNG: u8 = 0;
    /// `data` is `width · height · 4` bytes of straight RGBA, rows top to bottom.
    pub const RGBA8888: u8 = 1;
}

/// How pixels are stored in the binary file.
#[cfg(feature = "pachario")]
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub enum ImageFormat {
    /// A PNG file.
    #[default]
    Png,
    /// Raw pixels: red, green, blue, straight alpha, 8 bits each.
    Rgba8888,
}

#[cfg(feature = "pachario")]
impl ImageFormat {
    /// Returns the value of [`Image::format`].
    pub(crate) fn code(self) -> u8 {
        match self {
            Self::Png => Image::PNG,
            Self::Rgba8888 => Image::RGBA8888,
        }
    }
}

/// A bone.
#[derive(Debug, Clone, Default)]
#[cfg_attr(feature = "pachario", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct Bone {
    /// Bone name.
    pub name: String,
    /// Index of the parent bone, which comes before this one; -1 for a root.
    #[cfg_attr(feature = "pachario", serde(alias = "parentIdx"))]
    #[cfg_attr(feature = "schemas", schemars(range(min = -1)))]
    pub parent: i16,
    /// Offset of the record in the file.
    #[cfg_attr(feature = "pachario", serde(skip))]
    pub offset: u64,
}

/// A skinned mesh drawn from one image.
#[derive(Debug, Clone, Default)]
pub struct Mesh {
    /// Mesh name.
    pub name: String,
    /// Index into [`File::images`].
    pub image: u16,
    /// `vertexCount` records of [`Vertex::SIZE`] bytes.
    pub vertices: Block,
    /// `indexCount` little-endian `u16`, three per triangle.
    pub indices: Block,
    /// Offset of the record in the file.
    pub offset: u64,
}

impl Mesh {
    /// Packs vertices and triangles.
    #[cfg(feature = "bake")]
    pub fn new(name: impl Into<String>, image: u16, vertices: &[Vertex], indices: &[u16]) -> Self {
        let mut packed_vertices = Vec::with_capacity(vertices.len() * Vertex::SIZE);
        vertices.iter().for_each(|vertex| packed_vertices.extend_from_slice(&vertex.record()));
        let packed_indices: Vec<u8> = indices.iter().flat_map(|index| index.to_le_bytes()).collect();
        Self {
            name: name.into(),
            image,
            vertices: packed_vertices.into(),
            indices: packed_indices.into(),
            offset: 0,
        }
    }

    /// Returns the number of vertices.
    pub fn vertex_count(&self) -> usize {
        (self.vertices.len / Vertex::SIZE as u64) as usize
    }

    /// Returns the number of indices.
    pub fn index_count(&self) -> usize {
        (self.indices.len / 2) as usize
    }
}

/// A vertex: 40 bytes in the file and in the GPU's vertex buffer.
#[derive(Debug, Clone, Copy, Default)]
pub struct Vertex {
    /// X in pixels: bind pose, world space.
    pub x: f32,
    /// Y in pixels, up: bind pose, world space.
    pub y: f32,
    /// 0–1 from the left of the image.
    pub u: f32,
    /// 0–1 from the top of the image.
    pub v: f32,
    /// The influencing bones.
    pub bone_ids: [u16; 4],
    /// The weight of each bone, used as authored; 0 marks an unused slot.
    pub bone_weights: [f32; 4],
}

impl Vertex {
    /// Size of a record in bytes.
    pub const SIZE: usize = 40;

    /// Reads a record of [`Self::SIZE`] bytes.
    ///
    /// # Panics
    ///
    /// If `record` is shorter.
    #[track_caller]
    pub fn read(record: &[u8]) -> Self {
        expect_record(record, Self::SIZE);
        Self {
            x: f32_at(record, 0),
            y: f32_at(record, 4),
            u: f32_at(record, 8),
            v: f32_at(record, 12),
            bone_ids: std::array::from_fn(|i| u16_at(record, 16 + 2 * i)),
            bone_weights: std::array::from_fn(|i| f32_at(record, 24 + 4 * i)),
        }
    }
}

/// Panics if a record is shorter than `size`.
#[inline]
#[track_caller]
fn expect_record(record: &[u8], size: usize) {
    misuse::expect(record.len() >= size, || format!("expected a record of {size} bytes, found {}", record.len()));
}

/// A sampled animation.
#[derive(Debug, Clone, Default)]
pub struct Animation {
    /// Animation name.
    pub name: String,
    /// Bit 0: looping.
    pub flags: u8,
    /// Number of frames in `frames`, which does not follow from its size if there are no bones.
    pub frame_count: u16,
    /// `frameCount · boneCount` records of [`BoneTransform::SIZE`] bytes.
    pub frames: Block,
    /// Offset of the record in the file.
    pub offset: u64,
}

impl Animation {
    /// Bit of `flags`: the last frame is followed by the first.
    pub const LOOP: u8 = 1;

    /// Fails with the reason if the frames do not have one transform for each of `bones` bones.
    pub(crate) fn check_frames(&self, bones: usize) -> Result<(), String> {
        let (found, count) = (self.frames.bytes.len(), self.frame_count);
        let expected = bones.saturating_mul(BoneTransform::SIZE).saturating_mul(count.into());
        if found == expected {
            return Ok(());
        }
        Err(format!("{found} bytes of frames, but {count} frames of {bones} bones need {expected}"))
    }
}

#[cfg(feature = "bake")]
impl Animation {
    /// Packs frames, each with one transform per bone.
    #[cfg(feature = "convert")]
    pub fn new(name: impl Into<String>, looping: bool, frames: &[Vec<BoneTransform>]) -> Self {
        let count = frames.iter().map(Vec::len).sum::<usize>();
        let mut packed = Vec::with_capacity(count * BoneTransform::SIZE);
        frames.iter().flatten().for_each(|transform| packed.extend_from_slice(&transform.record()));
        Self::packed(name, looping, frames.len(), packed)
    }

    /// Wraps `frame_count` frames of packed transforms.
    pub fn packed(name: impl Into<String>, looping: bool, frame_count: usize, frames: Vec<u8>) -> Self {
        Self {
            name: name.into(),
            flags: if looping { Self::LOOP } else { 0 },
            // `write` refuses a count that does not fit, because the bytes are too long.
            frame_count: frame_count.min(u16::MAX.into()) as u16,
            frames: frames.into(),
            offset: 0,
        }
    }
}

/// One bone in one frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BoneTransform {
    /// Offset from the parent in pixels.
    pub x: f32,
    /// Offset from the parent in pixels.
    pub y: f32,
    /// Degrees, counter-clockwise.
    pub rotation: f32,
    /// Scale across the bone.
    pub scale_x: f32,
    /// Scale along the bone.
    pub scale_y: f32,
    /// Bit 0: visible.
    pub flags: u8,
    /// Higher draws on top.
    pub z_order: i16,
}

impl Default for BoneTransform {
    fn default() -> Self {
        Self { x: 0.0, y: 0.0, rotation: 0.0, scale_x: 1.0, scale_y: 1.0, flags: Self::VISIBLE, z_order: 0 }
    }
}

impl BoneTransform {
    /// Size of a record in bytes.
    pub const SIZE: usize = 23;
    /// Bit of `flags`: the bone's meshes are drawn.
    pub const VISIBLE: u8 = 1;

    /// Reads a record of [`Self::SIZE`] bytes.
    ///
    /// # Panics
    ///
    /// If `record` is shorter.
    #[track_caller]
    pub fn read(record: &[u8]) -> Self {
        expect_record(record, Self::SIZE);
        Self {
            x: f32_at(record, 0),
            y: f32_at(record, 4),
            rotation: f32_at(record, 8),
            scale_x: f32_at(record, 12),
            scale_y: f32_at(record, 16),
            flags: record[20],
            z_order: u16_at(record, 21) as i16,
        }
    }
}
