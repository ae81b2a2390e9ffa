//! The written subset of SkelForm 0.7's `armature.json` and `editor.json`, field for field. Angles are in radians.

use serde::Serialize;

use crate::formats::json::number::Number;
pub use crate::formats::skelform::schema::{Atlas, Color, Id, Number as Whole, Text, Texture, Vec2 as Size};

/// A vector.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Vec2 {
    pub x: Number,
    pub y: Number,
}

#[derive(Debug, Clone, Copy, Serialize)]
pub struct Tint {
    pub r: f32,
    pub g: f32,
    pub b: f32,
    pub a: f32,
}

#[derive(Debug, Serialize)]
pub struct Root<'a> {
    pub version: &'static str,
    pub baked_ik: bool,
    pub img_format: &'a str,
    #[serde(skip_serializing_if = "is_nothing")]
    pub clear_color: Color,
    pub bones: Vec<Bone<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub animations: Vec<Animation<'a>>,
    pub atlases: Vec<Atlas<'a>>,
    pub styles: Vec<Style<'a>>,
    pub visuals: Vec<Visual<'a>>,
    pub inverse_kinematics: Vec<Family<'a>>,
    pub physics: Vec<Physics>,
}

#[derive(Debug, Serialize)]
pub struct Bone<'a> {
    pub id: usize,
    pub name: &'a str,
    pub parent_id: i64,
    pub pos: Vec2,
    pub scale: Vec2,
    pub rot: Number,
    #[serde(skip_serializing_if = "is_false")]
    pub hidden: bool,
    pub init_pos: Vec2,
    pub init_rot: Number,
    pub init_scale: Vec2,
    /// Present if either `hidden` or this is true.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub init_hidden: Option<bool>,
    pub ik_family_id: i64,
    #[serde(skip_serializing_if = "str::is_empty")]
    pub ik_family_name: &'a str,
    pub physics_id: i64,
    pub visuals_id: i64,
}

#[derive(Debug, Serialize)]
pub struct Visual<'a> {
    pub tex: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tint: Option<Tint>,
    pub zindex: i32,
    pub pivot_pos: Vec2,
    pub pivot_rot: Number,
    pub pivot_scale: Vec2,
    pub vertices: Vec<Vertex>,
    pub indices: Vec<i64>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub binds: Vec<Bind>,
    pub init_tex: &'a str,
    pub init_zindex: i32,
    /// Present if either tint is not white.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub init_tint: Option<Tint>,
}

#[derive(Debug, Serialize)]
pub struct Vertex {
    pub id: usize,
    pub pos: Vec2,
    pub uv: Vec2,
    pub init_pos: Vec2,
}

#[derive(Debug, Serialize)]
pub struct Bind {
    pub bone_id: i64,
    pub is_path: bool,
    pub verts: Vec<BoundVertex>,
}

#[derive(Debug, Serialize)]
pub struct BoundVertex {
    pub id: i64,
    pub weight: Number,
}

/// Groups whose values are all 0 are left out.
#[derive(Debug, Serialize)]
pub struct Physics {
    #[serde(flatten)]
    pub position: Option<PhysicsPosition>,
    #[serde(flatten)]
    pub rotation: Option<PhysicsRotation>,
    #[serde(flatten)]
    pub scale: Option<PhysicsScale>,
}

#[derive(Debug, Serialize)]
pub struct PhysicsPosition {
    pub global_pos: Vec2,
    pub pos_damping: Number,
    pub pos_ratio: Number,
}

#[derive(Debug, Serialize)]
pub struct PhysicsRotation {
    pub global_rot: Number,
    pub rot_damping: Number,
    pub global_orbit: Number,
    pub global_orbit_diff: Number,
    pub global_orbit_vel: Number,
    pub sway: Number,
    pub rot_bounce: Number,
}

#[derive(Debug, Serialize)]
pub struct PhysicsScale {
    pub global_scale: Vec2,
    pub scale_damping: Number,
    pub scale_ratio: Number,
}

#[derive(Debug, Serialize)]
pub struct Family<'a> {
    pub id: usize,
    #[serde(skip_serializing_if = "str::is_empty")]
    pub name: &'a str,
    pub constraint: &'static str,
    pub mode: &'static str,
    pub target_id: i64,
    pub bone_ids: Vec<i64>,
    #[serde(skip_serializing_if = "is_false")]
    pub mimic_target: bool,
    pub init_constraint: &'static str,
    pub init_mode: &'static str,
    /// Present if either `mimic_target` or this is true.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub init_mimic_target: Option<bool>,
}

#[derive(Debug, Serialize)]
pub struct Animation<'a> {
    pub name: String,
    pub id: usize,
    pub fps: Whole,
    pub keyframes: Vec<Keyframe<'a>>,
}

#[derive(Debug, Clone, Serialize)]
pub struct Keyframe<'a> {
    pub frame: usize,
    pub bone_id: i64,
    pub element: &'a str,
    pub value: Number,
    #[serde(skip_serializing_if = "str::is_empty")]
    pub value_str: &'a str,
    pub start_handle: Vec2,
    pub end_handle: Vec2,
    pub next_kf: i64,
    pub handle_preset: &'a str,
}

#[derive(Debug, Serialize)]
pub struct Style<'a> {
    pub id: usize,
    pub name: &'a str,
    pub textures: Vec<Texture<'a>>,
}

#[derive(Debug, Serialize)]
pub struct Editor {
    pub camera: Camera,
    pub bones: Vec<EditorBone>,
    pub styles: Vec<EditorStyle>,
}

#[derive(Debug, Serialize)]
pub struct Camera {
    pub pos: Vec2,
    pub zoom: Number,
}

#[derive(Debug, Clone, Default, Serialize)]
pub struct EditorBone {
    pub folded: bool,
    pub ik_folded: bool,
    pub meshdef_folded: bool,
    pub effects_folded: bool,
    pub ik_disabled: bool,
    pub locked: bool,
    pub blacklist: [(); 0],
    pub group_color: Color,
}

#[derive(Debug, Serialize)]
pub struct EditorStyle {
    pub active: bool,
}

/// Returns the size of a picture in pixels, or a position in it. The editor only writes integers.
pub fn size(x: u32, y: u32) -> Size {
    Size { x: Whole(x as f32), y: Whole(y as f32) }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_nothing(color: &Color) -> bool {
    *color == Color::default()
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_false(flag: &bool) -> bool {
    !*flag
}
