//! `armature.json` and `editor.json`, field for field and named as in their documentation, with all fields of
//! version 0.2 and later.
//!
//! Fields of the older form, in which a bone contains its visual, chain and physics, are marked. Angles are in
//! radians. A missing field is `None` if it falls back to another field; otherwise it has its default here.

mod values;

use serde::{Deserialize, Serialize};

pub use values::{Anything, Flag, Id, Number, Text, Word};

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Root<'a> {
    #[serde(borrow)]
    pub version: Text<'a>,
    pub baked_ik: Flag,
    pub img_format: Option<Named<'a>>,
    pub clear_color: Color,
    pub bones: Option<Vec<Bone<'a>>>,
    pub animations: Vec<Animation<'a>>,
    pub atlases: Vec<Atlas<'a>>,
    pub styles: Vec<Style<'a>>,
    /// Present in the newer form only, which is recognised by it.
    pub visuals: Option<Vec<Visual<'a>>>,
    pub inverse_kinematics: Vec<Family<'a>>,
    pub physics: Vec<Physics>,
    /// Older form: the bones with chains, in the order in which these are solved.
    pub ik_root_ids: Vec<Id>,
    /// Notes for programmers.
    #[serde(rename = "cached_bones_comment")]
    pub _comment: Option<Anything>,
    /// Size of the only picture, in files without a list of atlases.
    pub texture_size: Option<Vec2>,
    /// Contains everything else before version 0.2.
    pub armature: Option<Anything>,
    /// The same, in even older files.
    pub armatures: Option<Anything>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Bone<'a> {
    pub id: Option<Id>,
    #[serde(borrow)]
    pub name: Text<'a>,
    pub parent_id: Id,
    pub pos: Vec2,
    pub rot: Number,
    pub scale: Option<Vec2>,
    pub hidden: Option<Flag>,
    pub init_pos: Option<Vec2>,
    pub init_rot: Option<Number>,
    pub init_scale: Option<Vec2>,
    pub init_hidden: Option<Flag>,
    pub ik_family_id: Id,
    pub visuals_id: Id,
    pub physics_id: Id,
    pub ik_family_name: Option<Named<'a>>,

    // Older form; newer files may contain stale copies.
    pub is_hidden: Option<Flag>,
    pub init_is_hidden: Option<Flag>,
    pub tex: Text<'a>,
    pub init_tex: Option<Text<'a>>,
    pub zindex: Number,
    pub init_zindex: Option<Number>,
    pub tint: Option<Tint>,
    pub init_tint: Option<Tint>,
    pub pivot: Option<Vec2>,
    pub pivot_pos: Option<Vec2>,
    pub pivot_rot: Number,
    pub pivot_scale: Option<Vec2>,
    pub vertices: Vec<Vertex>,
    pub indices: Vec<Id>,
    pub binds: Vec<Bind>,
    pub ik_constraint: Word,
    pub ik_constraint_str: Word,
    pub init_ik_constraint: Word,
    pub ik_mode: Word,
    pub ik_mode_str: Word,
    pub init_ik_mode: Word,
    pub ik_target_id: Id,
    pub ik_bone_ids: Vec<Id>,
    #[serde(rename = "has_physics")]
    pub _has_physics: Option<Anything>,
    pub phys_global_pos: Option<Vec2>,
    pub phys_global_rot: Number,
    pub phys_global_scale: Option<Vec2>,
    pub phys_global_orbit: Number,
    pub phys_global_orbit_diff: Number,
    pub phys_global_orbit_vel: Number,
    pub phys_pos_damping: Number,
    pub phys_pos_ratio: Number,
    pub phys_rot_damping: Number,
    pub phys_rot_bounce: Number,
    pub phys_scale_damping: Number,
    pub phys_scale_ratio: Number,
    pub phys_sway: Number,
    /// Unused since 0.4.
    #[serde(rename = "phys_rot_resistance")]
    pub _phys_rot_resistance: Option<Anything>,
}

#[derive(Debug, Clone, Copy, Default, Deserialize, Serialize)]
#[serde(default)]
pub struct Vec2 {
    pub x: Number,
    pub y: Number,
}

/// Channels are 0 to 255.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(default)]
pub struct Color {
    pub r: u8,
    pub g: u8,
    pub b: u8,
    pub a: u8,
}

/// Channels are 0 to 1.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(default)]
pub struct Tint {
    pub r: Number,
    pub g: Number,
    pub b: Number,
    pub a: Number,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Visual<'a> {
    #[serde(borrow)]
    pub tex: Text<'a>,
    pub init_tex: Option<Text<'a>>,
    pub zindex: Number,
    pub init_zindex: Option<Number>,
    pub tint: Option<Tint>,
    pub init_tint: Option<Tint>,
    /// Only in some files of 0.5.3.
    pub pivot: Option<Vec2>,
    pub pivot_pos: Option<Vec2>,
    pub pivot_rot: Number,
    pub pivot_scale: Option<Vec2>,
    pub vertices: Vec<Vertex>,
    pub indices: Vec<Id>,
    pub binds: Vec<Bind>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Vertex {
    #[serde(rename = "id")]
    pub _id: Option<Anything>,
    pub pos: Vec2,
    pub uv: Vec2,
    pub init_pos: Option<Vec2>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Bind {
    #[serde(alias = "id")]
    pub bone_id: Id,
    pub is_path: Flag,
    pub verts: Vec<BindVert>,
}

#[derive(Debug, Deserialize)]
#[serde(default)]
pub struct BindVert {
    pub id: Id,
    pub weight: Number,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Family<'a> {
    #[serde(rename = "id")]
    pub _id: Option<Anything>,
    #[serde(rename = "family_id")]
    pub _family_id: Option<Anything>,
    #[serde(borrow)]
    pub name: Option<Text<'a>>,
    pub constraint: Word,
    pub init_constraint: Word,
    pub mode: Word,
    pub init_mode: Word,
    pub target_id: Id,
    pub bone_ids: Vec<Id>,
    pub mimic_target: Flag,
    pub init_mimic_target: Option<Flag>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Physics {
    pub global_pos: Vec2,
    pub global_rot: Number,
    pub global_scale: Vec2,
    pub global_orbit: Number,
    pub global_orbit_diff: Number,
    pub global_orbit_vel: Number,
    pub pos_damping: Number,
    pub pos_ratio: Number,
    pub rot_damping: Number,
    pub rot_bounce: Number,
    pub scale_damping: Number,
    pub scale_ratio: Number,
    pub sway: Number,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Animation<'a> {
    #[serde(rename = "id")]
    pub _id: Option<Anything>,
    #[serde(borrow)]
    pub name: Text<'a>,
    pub fps: Number,
    pub keyframes: Vec<Keyframe<'a>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Keyframe<'a> {
    pub frame: Number,
    pub bone_id: Id,
    /// A number up to 0.3 and in some files of 0.4, which then have `element_str`.
    #[serde(borrow)]
    pub element: Named<'a>,
    pub element_str: Option<Text<'a>>,
    pub value: Number,
    pub value_str: Text<'a>,
    pub start_handle: Option<Vec2>,
    pub end_handle: Option<Vec2>,
    /// Ignored; recomputed when written.
    #[serde(rename = "next_kf")]
    pub _next_kf: Option<Anything>,
    /// The editor's name for the handles. Only the handles count.
    pub handle_preset: Option<Named<'a>>,
    /// Easing from before handles; ignored.
    pub transition: Option<Named<'a>>,
    /// Easing from before handles; ignored.
    pub is_snap: Option<Flag>,
}

/// A name, or any other value.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub enum Named<'a> {
    #[serde(borrow)]
    Name(Text<'a>),
    Unnamed(Anything),
}

#[derive(Debug, Clone, Default, Deserialize, Serialize)]
#[serde(default)]
pub struct Atlas<'a> {
    #[serde(borrow)]
    pub filename: Text<'a>,
    pub size: Vec2,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Style<'a> {
    #[serde(rename = "id")]
    pub _id: Option<Anything>,
    #[serde(borrow)]
    pub name: Text<'a>,
    /// Only in some files; the editor stores it in `editor.json`.
    pub active: Option<Flag>,
    pub textures: Vec<Texture<'a>>,
}

#[derive(Debug, Clone, Default, Deserialize, Serialize)]
#[serde(default)]
pub struct Texture<'a> {
    #[serde(borrow)]
    pub name: Text<'a>,
    pub offset: Vec2,
    pub size: Vec2,
    pub atlas_idx: Id,
}

impl Texture<'_> {
    /// The index of its atlas; 0 if absent.
    pub fn atlas(&self) -> usize {
        self.atlas_idx.get().unwrap_or_default()
    }
}

/// The used subset of `editor.json`.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Editor {
    pub styles: Option<Vec<EditorStyle>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct EditorStyle {
    pub active: Flag,
}

impl Default for Tint {
    fn default() -> Self {
        let [r, g, b, a] = [Number(1.0); 4];
        Self { r, g, b, a }
    }
}

impl Default for BindVert {
    fn default() -> Self {
        Self { id: Id::default(), weight: Number(1.0) }
    }
}

impl Default for Named<'_> {
    fn default() -> Self {
        Self::Name(Text::default())
    }
}

impl Named<'_> {
    /// Returns the name, if the value is one.
    pub fn name(&self) -> Option<&str> {
        match self {
            Self::Name(name) => Some(name.as_str()),
            Self::Unnamed(_) => None,
        }
    }
}
