//! Mirrors of the structs in `shaders/crowd*.wgsl`, under the names that they have there.

use bytemuck::{Pod, Zeroable};

use super::gpu_data::Globals;
use crate::math::Vec2;

const _: () = assert!(size_of::<CrowdGlobals>() == 144);
const _: () = assert!(size_of::<Play>() == 24);
const _: () = assert!(size_of::<MemberRecord>() == 96);
const _: () = assert!(size_of::<CrowdAnimation>() == 8);
const _: () = assert!(size_of::<CrowdOrder>() == 8);
const _: () = assert!(size_of::<CrowdShare>() == 12);
const _: () = assert!(size_of::<CrowdVertex>() == 24);
const _: () = assert!(size_of::<CrowdPart>() == 48);

/// The uniform of a chunk.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
pub struct CrowdGlobals {
    /// The camera.
    pub camera: Globals,
    /// Half the viewport, in pixels.
    pub half_viewport: Vec2,
    /// The centre of a circle around everything that a member can show, in its own space.
    pub reach_center: Vec2,
    /// Seconds: the fraction in units of 2⁻³², then the whole seconds.
    pub now: [u32; 2],
    /// The radius of the circle.
    pub reach_radius: f32,
    /// The number of places in the chunk.
    pub member_count: u32,
    /// The number of bones.
    pub bone_count: u32,
    /// The number of pairs of numbers in a pose.
    pub pose_stride: u32,
    /// [`Self::INTERPOLATES`] and [`Self::USES_LEVELS`].
    pub flags: u32,
    /// A bit for each page that is sampled without filtering.
    pub nearest_pages: u32,
    /// The number of vertices of the largest draw order.
    pub vertex_count: u32,
    /// WGSL rounds the size of a struct up to the alignment of its members.
    pub padding: [u32; 3],
}

impl CrowdGlobals {
    /// Stored frames are blended.
    pub const INTERPOLATES: u32 = 1;
    /// Minified parts are sampled from mipmap levels.
    pub const USES_LEVELS: u32 = 2;
}

/// An animation and how its time passes.
#[repr(C)]
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Pod, Zeroable)]
pub struct Play {
    /// Cycles at time 0: a signed number in units of 2⁻³², low word first.
    pub start: [u32; 2],
    /// Cycles per second: a signed number in units of 2⁻⁴⁸, low word first.
    pub rate: [u32; 2],
    /// The index of the animation.
    pub animation: u32,
    /// What happens at its end: [`Self::LOOP`] and so on.
    pub loop_mode: u32,
}

impl Play {
    /// Starts again after the last frame, which is held.
    pub const LOOP: u32 = 0;
    /// Starts again, and the last frame is blended with the first.
    pub const LOOP_TO_FIRST: u32 = 1;
    /// Stops at the last frame.
    pub const ONCE: u32 = 2;
    /// Plays backwards to the first frame, then forwards again.
    pub const PING_PONG: u32 = 3;
}

/// A member of a crowd, or a place without one.
#[repr(C)]
#[derive(Debug, Clone, Copy, Default, PartialEq, Pod, Zeroable)]
pub struct MemberRecord {
    /// The first column of `world_from_character`.
    pub x_axis: Vec2,
    /// The second column.
    pub y_axis: Vec2,
    /// The third column.
    pub translation: Vec2,
    /// Straight RGBA.
    pub tint: [u8; 4],
    /// 0 for a place without a member.
    pub is_present: u32,
    /// What it shows.
    pub shown: Play,
    /// What `shown` replaces while it fades in.
    pub faded: Play,
    /// The time at which the fade begins: the fraction in units of 2⁻³², then the whole seconds.
    pub fade_start: [u32; 2],
    /// The seconds that the fade takes; 0 if there is none.
    pub fade_secs: f32,
    /// Its z in the world.
    pub z: f32,
}

/// The stored frames of an animation.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Pod, Zeroable)]
pub struct CrowdAnimation {
    /// The index of its first frame among the frames of all animations.
    pub first_frame: u32,
    /// 0 for an animation that no member shows, because it has no frames.
    pub frame_count: u32,
}

/// The draw order of a stored frame: a range of the indices.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Pod, Zeroable)]
pub struct CrowdOrder {
    /// The first index.
    pub first_index: u32,
    /// The number of indices, three per triangle.
    pub index_count: u32,
}

/// The area of a part in the space of one of its bones.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
pub struct CrowdShare {
    /// The index of the part.
    pub part: u32,
    /// The index of the bone, or [`Influence::NO_BONE`](crate::model::Influence::NO_BONE).
    pub bone: u32,
    /// The area, relative to that on the page.
    pub area: f32,
}

/// A vertex of a part.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
pub struct CrowdVertex {
    /// 0-1, v down.
    pub uv: Vec2,
    /// The index of the part.
    pub part: u32,
    /// The index of its first influence.
    pub first_influence: u32,
    /// The number of its influences.
    pub influence_count: u32,
    /// As in [`CrowdGlobals`].
    pub padding: u32,
}

/// A slot that can be visible.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
pub struct CrowdPart {
    /// [`SpriteColor::light`](crate::draw::SpriteColor::light).
    pub light: [f32; 4],
    /// [`SpriteColor::dark`](crate::draw::SpriteColor::dark).
    pub dark: [f32; 3],
    /// The index of the page.
    pub page: u32,
    /// The index of its place on the page; the places of its mipmap levels follow.
    pub first_place: u32,
    /// The number of mipmap levels.
    pub level_count: u32,
    /// The texture of the mipmap levels; the texture of the page is 2 · page.
    pub level_texture: u32,
    /// As in [`CrowdGlobals`].
    pub padding: u32,
}

/// Vertex buffer 0 of `crowd_draw.wgsl`: what `crowd_place.wgsl` writes for each member.
pub const DRAWN: wgpu::VertexBufferLayout<'static> = wgpu::VertexBufferLayout {
    array_stride: 48,
    step_mode: wgpu::VertexStepMode::Instance,
    attributes: &wgpu::vertex_attr_array![
        0 => Float32x2, 1 => Float32x2, 2 => Float32x2, 3 => Uint32, 4 => Uint32, 5 => Uint32, 6 => Uint32, 7 => Float32,
        8 => Float32
    ],
};
