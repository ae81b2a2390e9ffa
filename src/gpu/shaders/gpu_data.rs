//! Mirrors of the structs in `shaders/`, under the names that they have there, and the vertex layouts.
//!
//! The structs have no implicit padding. `tests/inside/gpu_layout.rs` compares each of them with the shaders.

use bytemuck::{Pod, Zeroable};

use crate::draw::{OverlayVertex, SpriteColor};
use crate::math::{Affine2, Vec2, Vec4};
use crate::model::Skin4Vertices;

/// One element of the influence buffer, and one vertex with a list of influences.
pub use crate::model::{Influence, SkinNRecord};
/// One element of the palette.
pub use crate::pose::SkinMatrix as Bone;

const _: () = assert!(size_of::<Bone>() == 24);
const _: () = assert!(size_of::<Globals>() == 80);
const _: () = assert!(size_of::<Instance>() == 40);
const _: () = assert!(size_of::<Sprite>() == 64);
const _: () = assert!(size_of::<OverlayVertex>() == 12);
const _: () = assert!(Skin4Vertices::STRIDE == 40);
const _: () = assert!(size_of::<SkinNRecord>() == 16);
const _: () = assert!(size_of::<Influence>() == 16);

/// The camera: `clip = x_axis · d.x + y_axis · d.y + z_axis · z + translation` with `d = world - origin`.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
pub struct Globals {
    /// Clip space per world pixel along the world's x axis.
    pub x_axis: Vec4,
    /// The same along the y axis.
    pub y_axis: Vec4,
    /// The same along the z axis.
    pub z_axis: Vec4,
    /// The clip position of `origin`.
    pub translation: Vec4,
    /// A world position: the upper-left corner of a view, 0 for a matrix.
    pub origin: Vec2,
    /// WGSL rounds the size of a struct up to the alignment of its members.
    pub padding: Vec2,
}

/// One instance: a character of a crowd.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
pub struct Instance {
    /// The first column of `world_from_character`.
    pub x_axis: Vec2,
    /// The second column.
    pub y_axis: Vec2,
    /// The third column.
    pub translation: Vec2,
    /// The index of its first bone in the palette.
    pub palette_base: u32,
    /// The index of its first sprite.
    pub sprite_base: u32,
    /// The index of its first deform offset.
    pub deform_base: u32,
    /// Its z in the world.
    pub z: f32,
}

impl Instance {
    /// A character with its first bone at `palette_base` and its first sprite at `sprite_base`. Its deform offsets
    /// begin at 0, and its z is 0.
    pub fn new(world_from_character: Affine2, palette_base: u32, sprite_base: u32) -> Self {
        let Affine2 { matrix2, translation } = world_from_character;
        let (x_axis, y_axis) = (matrix2.x_axis, matrix2.y_axis);
        Self { x_axis, y_axis, translation, palette_base, sprite_base, deform_base: 0, z: 0.0 }
    }
}

/// The colours, the deform offsets and the texture area of one attachment.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
pub struct Sprite {
    /// [`SpriteColor::light`].
    pub light: [f32; 4],
    /// [`SpriteColor::dark`].
    pub dark: [f32; 3],
    /// The index of an influence's deform offset among all offsets of its character, relative to the index of the
    /// influence.
    pub deform_shift: i32,
    /// Its place in the bound texture.
    pub uv: UvPlace,
}

/// The place of a part of a page in a texture: `uv · scale + offset`, clamped between `min` and `max`.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
pub struct UvPlace {
    /// The factor for texture coordinates of the page.
    pub scale: Vec2,
    /// The offset that is added afterwards.
    pub offset: Vec2,
    /// The middle of the first texel, or 0 if that is at the edge of the texture.
    pub min: Vec2,
    /// The middle of the last texel, or 1 if that is at the edge of the texture.
    pub max: Vec2,
}

impl UvPlace {
    /// The whole texture, which is the page itself.
    pub const PAGE: Self = Self { scale: Vec2::ONE, offset: Vec2::ZERO, min: Vec2::ZERO, max: Vec2::ONE };
}

impl Sprite {
    /// The `deform_shift` of an attachment that is not deformed. Buffers are far too small for a shift of this
    /// size.
    pub const NO_DEFORM: i32 = i32::MIN;

    /// A sprite with these colours, not deformed, sampled from the page itself.
    pub fn new(color: &SpriteColor) -> Self {
        Self { light: color.light, dark: color.dark, deform_shift: Self::NO_DEFORM, uv: UvPlace::PAGE }
    }
}

/// Vertex buffer 0 of `skin4.wgsl`: a vertex as it is stored in a file.
pub const SKIN4_VERTEX: wgpu::VertexBufferLayout<'static> = wgpu::VertexBufferLayout {
    array_stride: Skin4Vertices::STRIDE as u64,
    step_mode: wgpu::VertexStepMode::Vertex,
    attributes: &wgpu::vertex_attr_array![0 => Float32x2, 1 => Float32x2, 2 => Uint16x4, 3 => Float32x4],
};

/// Vertex buffer 0 of `skin_n.wgsl`: [`SkinNRecord`].
pub const SKIN_N_VERTEX: wgpu::VertexBufferLayout<'static> = wgpu::VertexBufferLayout {
    array_stride: size_of::<SkinNRecord>() as u64,
    step_mode: wgpu::VertexStepMode::Vertex,
    attributes: &wgpu::vertex_attr_array![0 => Float32x2, 1 => Uint32, 2 => Uint32],
};

/// Vertex buffer 0 of `overlay.wgsl`: [`OverlayVertex`].
pub const OVERLAY_VERTEX: wgpu::VertexBufferLayout<'static> = wgpu::VertexBufferLayout {
    array_stride: size_of::<OverlayVertex>() as u64,
    step_mode: wgpu::VertexStepMode::Vertex,
    attributes: &wgpu::vertex_attr_array![0 => Float32x2, 1 => Unorm8x4],
};

/// Vertex buffer 2 of sprites: the index of the attachment that a vertex belongs to.
pub const SPRITE_INDEX: wgpu::VertexBufferLayout<'static> = wgpu::VertexBufferLayout {
    array_stride: size_of::<u32>() as u64,
    step_mode: wgpu::VertexStepMode::Vertex,
    attributes: &wgpu::vertex_attr_array![9 => Uint32],
};

/// Vertex buffer 1 of all shaders: [`Instance`].
pub const INSTANCE: wgpu::VertexBufferLayout<'static> = wgpu::VertexBufferLayout {
    array_stride: size_of::<Instance>() as u64,
    step_mode: wgpu::VertexStepMode::Instance,
    attributes: &wgpu::vertex_attr_array![
        4 => Float32x2, 5 => Float32x2, 6 => Float32x2, 7 => Uint32, 8 => Uint32, 10 => Uint32, 11 => Float32
    ],
};
