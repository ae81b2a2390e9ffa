//! What the shaders read, in their words: mirrors of the structs in `shaders/` and the vertex layouts.
//!
//! Every struct is plain bytes without padding; `tests/render/gpu_layout.rs` compares each with the shaders.

use bytemuck::{Pod, Zeroable};

use super::Camera;
use crate::draw::{OverlayVertex, SpriteColor};
use crate::math::{Affine2, Vec2, Vec4, vec2};
use crate::model::Skin4Vertices;

/// One element of the influences, and one vertex with a list of them.
pub use crate::model::{Influence, SkinNRecord};
/// One element of the palette.
pub use crate::pose::SkinMatrix as Bone;

const _: () = assert!(size_of::<Bone>() == 24);
const _: () = assert!(size_of::<Globals>() == 64);
const _: () = assert!(size_of::<Instance>() == 32);
const _: () = assert!(size_of::<Sprite>() == 64);
const _: () = assert!(size_of::<OverlayVertex>() == 12);
const _: () = assert!(Skin4Vertices::STRIDE == 40);
const _: () = assert!(size_of::<SkinNRecord>() == 16);
const _: () = assert!(size_of::<Influence>() == 16);

/// The camera: `clip = x_axis · d.x + y_axis · d.y + translation` with `d = world - origin`.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
pub struct Globals {
    /// Clip space per world pixel along the world's x axis.
    pub x_axis: Vec4,
    /// The same along the y axis.
    pub y_axis: Vec4,
    /// The clip position of `origin`.
    pub translation: Vec4,
    /// A world position: the upper-left corner of a view, 0 for a matrix.
    pub origin: Vec2,
    /// WGSL rounds the size of a struct up to the alignment of its members.
    pub padding: Vec2,
}

impl From<&Camera> for Globals {
    fn from(camera: &Camera) -> Self {
        let padding = Vec2::ZERO;
        match camera {
            Camera::View(view) => {
                // Clip space is 2 wide and 2 high, and its y is up.
                let size = vec2(view.width() as f32, view.height() as f32);
                let axis = |pixels: Vec2| (pixels * vec2(2.0, -2.0) / size).extend(0.0).extend(0.0);
                let linear = view.linear();
                let translation = Vec4::new(-1.0, 1.0, 0.0, 1.0);
                let (x_axis, y_axis) = (axis(linear.x_axis), axis(linear.y_axis));
                Self { x_axis, y_axis, translation, origin: view.top_left(), padding }
            }
            Camera::Clip(clip) => {
                let matrix = clip.clip_from_world;
                let (x_axis, y_axis, translation) = (matrix.x_axis, matrix.y_axis, matrix.w_axis);
                Self { x_axis, y_axis, translation, origin: Vec2::ZERO, padding }
            }
        }
    }
}

/// One character of a crowd.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
pub struct Instance {
    /// First column of `world_from_character`.
    pub x_axis: Vec2,
    /// Second column.
    pub y_axis: Vec2,
    /// Third column.
    pub translation: Vec2,
    /// Where its bones begin in the palette.
    pub palette_base: u32,
    /// Where its sprites begin.
    pub sprite_base: u32,
}

impl Instance {
    /// A character whose bones begin at `palette_base`, and whose sprites at `sprite_base`.
    pub fn new(world_from_character: Affine2, palette_base: u32, sprite_base: u32) -> Self {
        let Affine2 { matrix2, translation } = world_from_character;
        Self { x_axis: matrix2.x_axis, y_axis: matrix2.y_axis, translation, palette_base, sprite_base }
    }
}

/// How one attachment is drawn.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
pub struct Sprite {
    /// [`SpriteColor::light`].
    pub light: [f32; 4],
    /// [`SpriteColor::dark`].
    pub dark: [f32; 3],
    /// From the number of an influence to that of its deformation.
    pub deform_shift: i32,
    /// Where it is in the texture that is bound.
    pub uv: UvPlace,
}

/// Where a part of a page is in a texture: `uv · scale + offset`, kept between `min` and `max`.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
pub struct UvPlace {
    /// What texture coordinates of the page are multiplied with.
    pub scale: Vec2,
    /// What is added then.
    pub offset: Vec2,
    /// The middle of the first pixel, or 0 where that is at the edge of the texture.
    pub min: Vec2,
    /// The middle of the last pixel, or 1 where that is at the edge of the texture.
    pub max: Vec2,
}

impl UvPlace {
    /// The texture is the page.
    pub const PAGE: Self = Self { scale: Vec2::ONE, offset: Vec2::ZERO, min: Vec2::ZERO, max: Vec2::ONE };
}

impl Sprite {
    /// In place of a shift: it keeps its shape. Buffers end far before a shift could be this.
    pub const NO_DEFORM: i32 = i32::MIN;

    /// With these colours, in its own shape, from the page itself.
    pub fn new(color: &SpriteColor) -> Self {
        Self { light: color.light, dark: color.dark, deform_shift: Self::NO_DEFORM, uv: UvPlace::PAGE }
    }
}

/// Vertex buffer 0 of `skin4.wgsl`: a record of the file.
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

/// Vertex buffer 2 of sprites: the number of the attachment that a vertex is part of.
pub const SPRITE_INDEX: wgpu::VertexBufferLayout<'static> = wgpu::VertexBufferLayout {
    array_stride: size_of::<u32>() as u64,
    step_mode: wgpu::VertexStepMode::Vertex,
    attributes: &wgpu::vertex_attr_array![9 => Uint32],
};

/// Vertex buffer 1 of all: [`Instance`].
pub const INSTANCE: wgpu::VertexBufferLayout<'static> = wgpu::VertexBufferLayout {
    array_stride: size_of::<Instance>() as u64,
    step_mode: wgpu::VertexStepMode::Instance,
    attributes: &wgpu::vertex_attr_array![
        4 => Float32x2, 5 => Float32x2, 6 => Float32x2, 7 => Uint32, 8 => Uint32
    ],
};
