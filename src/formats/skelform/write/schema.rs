//! What is written of SkelForm 0.7's `armature.json` and `editor.json`, field for field. Angles are radians.

use serde::Serialize;

use crate::formats::pchr::json::number::Number;

/// Two numbers.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Vec2 {
    pub x: Number,
    pub y: Number,
}

/// Two whole numbers.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Size {
    pub x: u32,
    pub y: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Tint {
    pub r: f32,
    pub g: f32,
    pub b: f32,
    pub a: f32,
}

#[derive(Debug, Serialize)]
pub struct Root {
    pub version: &'static str,
    pub baked_ik: bool,
    pub img_format: &'static str,
    pub bones: Vec<Bone>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub animations: Vec<Animation>,
    pub atlases: Vec<Atlas>,
    pub styles: Vec<Style>,
    pub visuals: Vec<Visual>,
    pub inverse_kinematics: [(); 0],
    pub physics: [(); 0],
}

#[derive(Debug, Serialize)]
pub struct Bone {
    pub id: usize,
    pub name: String,
    pub parent_id: i64,
    pub pos: Vec2,
    pub scale: Vec2,
    pub rot: Number,
    #[serde(skip_serializing_if = "is_false")]
    pub hidden: bool,
    pub init_pos: Vec2,
    pub init_rot: Number,
    pub init_scale: Vec2,
    #[serde(skip_serializing_if = "is_false")]
    pub init_hidden: bool,
    pub ik_family_id: i64,
    pub physics_id: i64,
    pub visuals_id: i64,
}

#[derive(Debug, Serialize)]
pub struct Visual {
    pub tex: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tint: Option<Tint>,
    pub zindex: i32,
    pub pivot_pos: Vec2,
    pub pivot_rot: Number,
    pub pivot_scale: Vec2,
    pub vertices: Vec<Vertex>,
    pub indices: Vec<u16>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub binds: Vec<Bind>,
    pub init_tex: String,
    pub init_zindex: i32,
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
    pub bone_id: usize,
    pub is_path: bool,
    pub verts: Vec<BoundVertex>,
}

#[derive(Debug, Serialize)]
pub struct BoundVertex {
    pub id: usize,
    pub weight: Number,
}

#[derive(Debug, Serialize)]
pub struct Animation {
    pub name: String,
    pub id: usize,
    pub fps: u32,
    pub keyframes: Vec<Keyframe>,
}

#[derive(Debug, Serialize)]
pub struct Keyframe {
    pub frame: usize,
    pub bone_id: usize,
    pub element: &'static str,
    pub value: Number,
    pub start_handle: Vec2,
    pub end_handle: Vec2,
    pub next_kf: i64,
    pub handle_preset: &'static str,
}

#[derive(Debug, Serialize)]
pub struct Atlas {
    pub filename: String,
    pub size: Size,
}

#[derive(Debug, Serialize)]
pub struct Style {
    pub id: usize,
    pub name: &'static str,
    pub textures: Vec<Texture>,
}

#[derive(Debug, Serialize)]
pub struct Texture {
    pub name: String,
    pub offset: Size,
    pub size: Size,
    pub atlas_idx: usize,
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

#[derive(Debug, Clone, Serialize)]
pub struct EditorBone {
    pub folded: bool,
    pub ik_folded: bool,
    pub meshdef_folded: bool,
    pub effects_folded: bool,
    pub ik_disabled: bool,
    pub locked: bool,
    pub blacklist: [(); 0],
    pub group_color: GroupColor,
}

#[derive(Debug, Clone, Copy, Serialize)]
pub struct GroupColor {
    pub r: u8,
    pub g: u8,
    pub b: u8,
    pub a: u8,
}

#[derive(Debug, Serialize)]
pub struct EditorStyle {
    pub active: bool,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks with a reference")]
fn is_false(flag: &bool) -> bool {
    !*flag
}
