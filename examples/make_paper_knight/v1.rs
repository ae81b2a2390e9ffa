//! A small writer of PCHR v1, independent of the one in the library: the records of the format → bytes.
//!
//! The fields are named as in the specification. Units and spaces are as in the file: pixels, y up, degrees
//! counter-clockwise, `v` down.
#![allow(dead_code, reason = "the tests use the rest")]

use std::num::TryFromIntError;

/// A whole file.
#[derive(Debug, Clone, Default)]
pub struct File {
    pub fps: u16,
    pub flags: u16,
    pub images: Vec<Image>,
    /// Parents before children.
    pub bones: Vec<Bone>,
    pub meshes: Vec<Mesh>,
    pub animations: Vec<Animation>,
}

/// The packed bytes of an image, of vertices, of indices or of frames.
#[derive(Debug, Clone, Default)]
pub struct Block {
    pub bytes: Vec<u8>,
    /// Byte offset in the file that it was read from.
    pub offset: u64,
}

impl From<Vec<u8>> for Block {
    fn from(bytes: Vec<u8>) -> Self {
        Self { bytes, offset: 0 }
    }
}

/// An atlas image.
#[derive(Debug, Clone, Default)]
pub struct Image {
    pub name: String,
    pub width: u16,
    pub height: u16,
    /// [`Image::PNG`] or [`Image::RGBA8888`].
    pub format: u8,
    pub data: Block,
    /// Byte offset in the file that it was read from, like those of the other records.
    pub offset: u64,
}

impl Image {
    /// `data` is a PNG file.
    pub const PNG: u8 = 0;
    /// `data` is straight RGBA, rows top to bottom.
    pub const RGBA8888: u8 = 1;
}

/// A bone.
#[derive(Debug, Clone, Default)]
pub struct Bone {
    pub name: String,
    /// Index of the parent; -1 for a root.
    pub parent: i16,
    pub offset: u64,
}

/// A skinned mesh.
#[derive(Debug, Clone, Default)]
pub struct Mesh {
    pub name: String,
    /// Index of the image.
    pub image: u16,
    /// Records of [`Vertex::SIZE`] bytes.
    pub vertices: Block,
    /// Three `u16` per triangle.
    pub indices: Block,
    pub offset: u64,
}

impl Mesh {
    /// Packs vertices and triangles.
    pub fn new(name: impl Into<String>, image: u16, vertices: &[Vertex], indices: &[u16]) -> Self {
        let vertices: Vec<u8> = vertices.iter().flat_map(Vertex::record).collect();
        let indices: Vec<u8> = indices.iter().flat_map(|index| index.to_le_bytes()).collect();
        Self { name: name.into(), image, vertices: vertices.into(), indices: indices.into(), offset: 0 }
    }

    pub fn vertex_count(&self) -> usize {
        self.vertices.bytes.len() / Vertex::SIZE
    }

    pub fn index_count(&self) -> usize {
        self.indices.bytes.len() / 2
    }
}

/// A vertex in the bind pose.
#[derive(Debug, Clone, Copy, Default)]
pub struct Vertex {
    pub x: f32,
    pub y: f32,
    pub u: f32,
    pub v: f32,
    pub bone_ids: [u16; 4],
    pub bone_weights: [f32; 4],
}

impl Vertex {
    /// Size of a record in bytes.
    pub const SIZE: usize = 40;

    /// Unpacks a record.
    pub fn read(record: &[u8]) -> Self {
        Self {
            x: f32_at(record, 0),
            y: f32_at(record, 4),
            u: f32_at(record, 8),
            v: f32_at(record, 12),
            bone_ids: std::array::from_fn(|i| u16_at(record, 16 + 2 * i)),
            bone_weights: std::array::from_fn(|i| f32_at(record, 24 + 4 * i)),
        }
    }

    fn record(&self) -> Vec<u8> {
        let mut record: Vec<u8> = [self.x, self.y, self.u, self.v].map(f32::to_le_bytes).concat();
        record.extend(self.bone_ids.map(u16::to_le_bytes).as_flattened());
        record.extend(self.bone_weights.map(f32::to_le_bytes).as_flattened());
        record
    }
}

/// Stored frames.
#[derive(Debug, Clone, Default)]
pub struct Animation {
    pub name: String,
    /// Bit 0: looping.
    pub flags: u8,
    pub frame_count: u16,
    /// For each frame and bone a record of [`BoneTransform::SIZE`] bytes.
    pub frames: Block,
    pub offset: u64,
}

impl Animation {
    /// Bit of `flags`.
    pub const LOOP: u8 = 1;

    /// Packs frames, each with one transform per bone.
    pub fn new(name: impl Into<String>, looping: bool, frames: &[Vec<BoneTransform>]) -> Self {
        let packed: Vec<u8> = frames.iter().flatten().flat_map(BoneTransform::record).collect();
        Self::packed(name, looping, frames.len(), packed)
    }

    /// Wraps frames that are packed already.
    pub fn packed(name: impl Into<String>, looping: bool, frame_count: usize, frames: Vec<u8>) -> Self {
        let flags = if looping { Self::LOOP } else { 0 };
        let frame_count = u16::try_from(frame_count).unwrap_or(u16::MAX);
        Self { name: name.into(), flags, frame_count, frames: frames.into(), offset: 0 }
    }
}

/// One bone in one frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BoneTransform {
    pub x: f32,
    pub y: f32,
    pub rotation: f32,
    pub scale_x: f32,
    pub scale_y: f32,
    /// Bit 0: visible.
    pub flags: u8,
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
    /// Bit of `flags`.
    pub const VISIBLE: u8 = 1;

    /// Unpacks a record.
    pub fn read(record: &[u8]) -> Self {
        let [x, y, rotation, scale_x, scale_y] = std::array::from_fn(|i| f32_at(record, 4 * i));
        Self { x, y, rotation, scale_x, scale_y, flags: record[20], z_order: u16_at(record, 21) as i16 }
    }

    fn record(&self) -> Vec<u8> {
        let numbers = [self.x, self.y, self.rotation, self.scale_x, self.scale_y];
        let mut record: Vec<u8> = numbers.map(f32::to_le_bytes).concat();
        record.push(self.flags);
        record.extend(self.z_order.to_le_bytes());
        record
    }
}

fn u16_at(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes([bytes[at], bytes[at + 1]])
}

fn f32_at(bytes: &[u8], at: usize) -> f32 {
    f32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}

/// Returns the bytes of `file`. Fails if a list or a name is too long for its count.
pub fn write(file: &File) -> Result<Vec<u8>, TryFromIntError> {
    let mut out = b"PCHR".to_vec();
    out.extend(1_u32.to_le_bytes());
    out.extend([file.fps, file.flags].map(u16::to_le_bytes).as_flattened());
    count(&mut out, file.images.len())?;
    for image in &file.images {
        text(&mut out, &image.name)?;
        out.extend([image.width, image.height].map(u16::to_le_bytes).as_flattened());
        out.push(image.format);
        out.extend(u32::try_from(image.data.bytes.len())?.to_le_bytes());
        out.extend(&image.data.bytes);
    }
    count(&mut out, file.bones.len())?;
    for bone in &file.bones {
        text(&mut out, &bone.name)?;
        out.extend(bone.parent.to_le_bytes());
    }
    count(&mut out, file.meshes.len())?;
    for mesh in &file.meshes {
        text(&mut out, &mesh.name)?;
        out.extend(mesh.image.to_le_bytes());
        count(&mut out, mesh.vertices.bytes.len() / Vertex::SIZE)?;
        out.extend(u32::try_from(mesh.indices.bytes.len() / 2)?.to_le_bytes());
        out.extend(&mesh.vertices.bytes);
        out.extend(&mesh.indices.bytes);
    }
    count(&mut out, file.animations.len())?;
    for animation in &file.animations {
        text(&mut out, &animation.name)?;
        out.push(animation.flags);
        out.extend(animation.frame_count.to_le_bytes());
        out.extend(&animation.frames.bytes);
    }
    Ok(out)
}

fn count(out: &mut Vec<u8>, count: usize) -> Result<(), TryFromIntError> {
    out.extend(u16::try_from(count)?.to_le_bytes());
    Ok(())
}

fn text(out: &mut Vec<u8>, text: &str) -> Result<(), TryFromIntError> {
    count(out, text.len())?;
    out.extend(text.as_bytes());
    Ok(())
}
