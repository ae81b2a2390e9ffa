//! A Spine skeleton of any supported version, field for field and named as in its JSON.
//!
//! JSON is parsed into it, binary skeletons are read into it. Fields have the documented defaults wherever files
//! rely on them; a value whose default depends on another, or on the version, is optional. Angles are in degrees.
//! What only some versions have says so; the rest is common to 3.8 to 4.2.

mod color;
mod timelines;

use std::fmt;
use std::marker::PhantomData;

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, SeqAccess, Visitor};

use super::version::Version;
pub use crate::formats::json::values::{Entries, Number, Text};
pub use color::Color;
pub use timelines::{
    Animation, AttachmentKey, AttachmentTimelines, BoneKey, BoneTimelines, ColorKey, Curve, DeformKey,
    DrawOrderKey, DrawOrderOffset, EventKey, IkKey, InheritKey, PathKey, PathTimelines, PhysicsTimelines,
    ResetKey, SequenceKey, SequenceMode, SlotTimelines, TransformKey, ValueKey,
};

/// Attachments by slot and name: an object of objects.
pub type Attachments<'a> = Entries<'a, Entries<'a, Attachment<'a>>>;

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Root<'a> {
    #[serde(borrow)]
    pub skeleton: Option<Skeleton<'a>>,
    #[serde(borrow)]
    pub bones: Vec<Bone<'a>>,
    #[serde(borrow)]
    pub slots: Vec<Slot<'a>>,
    #[serde(borrow)]
    pub ik: Vec<Ik<'a>>,
    #[serde(borrow)]
    pub transform: Vec<Transform<'a>>,
    #[serde(borrow)]
    pub path: Vec<Path<'a>>,
    /// Since 4.2.
    #[serde(borrow)]
    pub physics: Vec<Physics<'a>>,
    #[serde(borrow)]
    pub skins: Skins<'a>,
    #[serde(borrow)]
    pub events: Entries<'a, Event<'a>>,
    #[serde(borrow)]
    pub animations: Entries<'a, Animation<'a>>,
    /// The version by whose rules the skeleton is played.
    #[serde(skip)]
    pub version: Version,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Skeleton<'a> {
    #[serde(borrow)]
    pub hash: Option<Text<'a>>,
    #[serde(borrow)]
    pub spine: Option<Text<'a>>,
    pub x: Number,
    pub y: Number,
    pub width: Number,
    pub height: Number,
    /// Pixels per unit of physics; 100 by default. Since 4.2.
    #[serde(rename = "referenceScale")]
    pub reference_scale: Option<Number>,
    pub fps: Option<Number>,
    #[serde(borrow)]
    pub images: Option<Text<'a>>,
    #[serde(borrow)]
    pub audio: Option<Text<'a>>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Bone<'a> {
    #[serde(borrow)]
    pub name: Text<'a>,
    #[serde(borrow, default)]
    pub parent: Option<Text<'a>>,
    #[serde(default)]
    pub length: Number,
    /// Called `transform` before 4.2.
    #[serde(default)]
    pub transform: Option<Inherit>,
    #[serde(default)]
    pub inherit: Option<Inherit>,
    /// Replaced by `transform` in 3.6, together with `inherit_scale`.
    #[serde(default)]
    pub inherit_rotation: Option<bool>,
    #[serde(default)]
    pub inherit_scale: Option<bool>,
    #[serde(default)]
    pub skin: bool,
    #[serde(default)]
    pub x: Number,
    #[serde(default)]
    pub y: Number,
    #[serde(default)]
    pub rotation: Number,
    #[serde(default = "one")]
    pub scale_x: Number,
    #[serde(default = "one")]
    pub scale_y: Number,
    #[serde(default)]
    pub shear_x: Number,
    #[serde(default)]
    pub shear_y: Number,
    #[serde(borrow, default)]
    pub color: Option<Color<'a>>,
    /// Since 4.2.
    #[serde(borrow, default)]
    pub icon: Option<Text<'a>>,
    /// False if the editor hides it. Since 4.2.
    #[serde(default = "yes")]
    pub visible: bool,
}

#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Inherit {
    #[default]
    Normal,
    OnlyTranslation,
    NoRotationOrReflection,
    NoScale,
    NoScaleOrReflection,
}

#[derive(Debug, Deserialize)]
pub struct Slot<'a> {
    #[serde(borrow)]
    pub name: Text<'a>,
    #[serde(borrow)]
    pub bone: Text<'a>,
    #[serde(borrow, default)]
    pub color: Option<Color<'a>>,
    #[serde(borrow, default)]
    pub dark: Option<Color<'a>>,
    #[serde(borrow, default)]
    pub attachment: Option<Text<'a>>,
    #[serde(default)]
    pub blend: Blend,
    /// False if the editor hides it. Since 4.2.
    #[serde(default = "yes")]
    pub visible: bool,
}

#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Blend {
    #[default]
    Normal,
    Additive,
    Multiply,
    Screen,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Ik<'a> {
    #[serde(borrow)]
    pub name: Text<'a>,
    #[serde(default)]
    pub order: i64,
    #[serde(default)]
    pub skin: bool,
    #[serde(borrow)]
    pub bones: Vec<Text<'a>>,
    #[serde(borrow)]
    pub target: Text<'a>,
    #[serde(default = "one")]
    pub mix: Number,
    #[serde(default)]
    pub softness: Number,
    #[serde(default = "yes")]
    pub bend_positive: bool,
    #[serde(default)]
    pub compress: bool,
    #[serde(default)]
    pub stretch: bool,
    #[serde(default)]
    pub uniform: bool,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Transform<'a> {
    #[serde(borrow)]
    pub name: Text<'a>,
    #[serde(default)]
    pub order: i64,
    #[serde(default)]
    pub skin: bool,
    #[serde(borrow, default)]
    pub bones: Vec<Text<'a>>,
    /// Replaced by `bones` in 3.4.
    #[serde(borrow, default)]
    pub bone: Option<Text<'a>>,
    #[serde(borrow)]
    pub target: Text<'a>,
    #[serde(default)]
    pub rotation: Number,
    #[serde(default)]
    pub x: Number,
    #[serde(default)]
    pub y: Number,
    #[serde(default)]
    pub scale_x: Number,
    #[serde(default)]
    pub scale_y: Number,
    #[serde(default)]
    pub shear_y: Number,
    /// Before 4.0.
    #[serde(default)]
    pub rotate_mix: Option<Number>,
    /// Before 4.0.
    #[serde(default)]
    pub translate_mix: Option<Number>,
    /// Before 4.0.
    #[serde(default)]
    pub scale_mix: Option<Number>,
    /// Before 4.0.
    #[serde(default)]
    pub shear_mix: Option<Number>,
    #[serde(default)]
    pub mix_rotate: Option<Number>,
    #[serde(default)]
    pub mix_x: Option<Number>,
    /// Defaults to `mix_x`.
    #[serde(default)]
    pub mix_y: Option<Number>,
    #[serde(default)]
    pub mix_scale_x: Option<Number>,
    /// Defaults to `mix_scale_x`.
    #[serde(default)]
    pub mix_scale_y: Option<Number>,
    #[serde(default)]
    pub mix_shear_y: Option<Number>,
    #[serde(default)]
    pub local: bool,
    #[serde(default)]
    pub relative: bool,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Path<'a> {
    #[serde(borrow)]
    pub name: Text<'a>,
    #[serde(default)]
    pub order: i64,
    #[serde(default)]
    pub skin: bool,
    #[serde(borrow)]
    pub bones: Vec<Text<'a>>,
    #[serde(borrow)]
    pub target: Text<'a>,
    #[serde(default)]
    pub position_mode: PositionMode,
    #[serde(default)]
    pub spacing_mode: SpacingMode,
    #[serde(default)]
    pub rotate_mode: RotateMode,
    #[serde(default)]
    pub rotation: Number,
    #[serde(default)]
    pub position: Number,
    #[serde(default)]
    pub spacing: Number,
    /// Before 4.0.
    #[serde(default)]
    pub rotate_mix: Option<Number>,
    /// Before 4.0.
    #[serde(default)]
    pub translate_mix: Option<Number>,
    #[serde(default)]
    pub mix_rotate: Option<Number>,
    #[serde(default)]
    pub mix_x: Option<Number>,
    /// Defaults to `mix_x`.
    #[serde(default)]
    pub mix_y: Option<Number>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum PositionMode {
    Fixed,
    #[default]
    Percent,
}

#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum SpacingMode {
    #[default]
    Length,
    Fixed,
    Percent,
    /// Since 4.0.
    Proportional,
}

#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum RotateMode {
    #[default]
    Tangent,
    Chain,
    ChainScale,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Physics<'a> {
    #[serde(borrow)]
    pub name: Text<'a>,
    #[serde(default)]
    pub order: i64,
    #[serde(default)]
    pub skin: bool,
    #[serde(borrow)]
    pub bone: Text<'a>,
    #[serde(default)]
    pub x: Number,
    #[serde(default)]
    pub y: Number,
    #[serde(default)]
    pub rotate: Number,
    #[serde(default)]
    pub scale_x: Number,
    #[serde(default)]
    pub shear_x: Number,
    #[serde(default = "default_limit")]
    pub limit: Number,
    #[serde(default = "default_physics_fps")]
    pub fps: Number,
    #[serde(default = "one")]
    pub inertia: Number,
    #[serde(default = "default_strength")]
    pub strength: Number,
    #[serde(default = "one")]
    pub damping: Number,
    #[serde(default = "one")]
    pub mass: Number,
    #[serde(default)]
    pub wind: Number,
    #[serde(default)]
    pub gravity: Number,
    #[serde(default = "one")]
    pub mix: Number,
    #[serde(default)]
    pub inertia_global: bool,
    #[serde(default)]
    pub strength_global: bool,
    #[serde(default)]
    pub damping_global: bool,
    #[serde(default)]
    pub mass_global: bool,
    #[serde(default)]
    pub wind_global: bool,
    #[serde(default)]
    pub gravity_global: bool,
    #[serde(default)]
    pub mix_global: bool,
}

/// A list since 3.8; before, an object of attachments by name.
#[derive(Debug, Default)]
pub struct Skins<'a> {
    pub list: Vec<Skin<'a>>,
    /// True if it was an object.
    pub is_object: bool,
}

#[derive(Debug, Default, Deserialize)]
pub struct Skin<'a> {
    #[serde(borrow)]
    pub name: Text<'a>,
    #[serde(borrow, default)]
    pub attachments: Attachments<'a>,
    #[serde(borrow, default)]
    pub bones: Vec<Text<'a>>,
    #[serde(borrow, default)]
    pub ik: Vec<Text<'a>>,
    #[serde(borrow, default)]
    pub transform: Vec<Text<'a>>,
    #[serde(borrow, default)]
    pub path: Vec<Text<'a>>,
    /// Since 4.2.
    #[serde(borrow, default)]
    pub physics: Vec<Text<'a>>,
    /// Since 4.2.
    #[serde(borrow, default)]
    pub color: Option<Color<'a>>,
}

/// The fields of all types of attachments.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Attachment<'a> {
    #[serde(rename = "type")]
    pub kind: AttachmentType,
    #[serde(borrow)]
    pub name: Option<Text<'a>>,
    #[serde(borrow)]
    pub path: Option<Text<'a>>,
    #[serde(borrow)]
    pub color: Option<Color<'a>>,
    pub x: Number,
    pub y: Number,
    pub rotation: Number,
    #[serde(default = "one")]
    pub scale_x: Number,
    #[serde(default = "one")]
    pub scale_y: Number,
    pub width: Option<Number>,
    pub height: Option<Number>,
    pub uvs: Vec<Number>,
    pub triangles: Vec<u32>,
    pub vertices: Vec<Number>,
    pub vertex_count: Option<u32>,
    pub hull: u32,
    pub edges: Vec<u32>,
    /// Since 4.1.
    pub sequence: Option<Sequence>,
    #[serde(borrow)]
    pub skin: Option<Text<'a>>,
    #[serde(borrow)]
    pub parent: Option<Text<'a>>,
    /// Called `timelines` since 4.1.
    #[serde(alias = "ffd")]
    pub deform: Option<bool>,
    pub timelines: Option<bool>,
    pub closed: bool,
    pub constant_speed: Option<bool>,
    pub lengths: Vec<Number>,
    #[serde(borrow)]
    pub end: Option<Text<'a>>,
}

/// Numbered pictures of an attachment. Since 4.1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub struct Sequence {
    #[serde(default)]
    pub count: u32,
    /// The number of the first picture.
    #[serde(default = "default_start")]
    pub start: u32,
    /// Minimum number of digits.
    #[serde(default)]
    pub digits: u32,
    /// Index of the picture at rest.
    #[serde(default)]
    pub setup: u32,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum AttachmentType {
    #[default]
    Region,
    #[serde(alias = "weightedmesh", alias = "skinnedmesh")]
    Mesh,
    #[serde(alias = "weightedlinkedmesh")]
    LinkedMesh,
    BoundingBox,
    Path,
    Point,
    Clipping,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Event<'a> {
    #[serde(rename = "int")]
    pub integer: i32,
    #[serde(rename = "float")]
    pub number: Number,
    #[serde(borrow, rename = "string")]
    pub text: Option<Text<'a>>,
    #[serde(borrow)]
    pub audio: Option<Text<'a>>,
    pub volume: Option<Number>,
    pub balance: Option<Number>,
}

fn one() -> Number {
    Number(1.0)
}

fn default_limit() -> Number {
    Number(5000.0)
}

fn default_physics_fps() -> Number {
    Number(60.0)
}

fn default_strength() -> Number {
    Number(100.0)
}

fn default_start() -> u32 {
    1
}

fn yes() -> bool {
    true
}

impl Bone<'_> {
    /// What the bone inherits, by either name.
    pub fn inherits(&self) -> Inherit {
        self.inherit.or(self.transform).unwrap_or_default()
    }
}

macro_rules! transform_mixes {
    ($($name:ty),*) => {$(
        impl $name {
            /// The mixes of rotation, x, y, scale x, scale y and shear y, in the form of any version.
            pub fn mixes(&self) -> [Number; 6] {
                let x = self.mix_x.or(self.translate_mix).unwrap_or(one());
                let scale_x = self.mix_scale_x.or(self.scale_mix).unwrap_or(one());
                [
                    self.mix_rotate.or(self.rotate_mix).unwrap_or(one()),
                    x,
                    self.mix_y.unwrap_or(x),
                    scale_x,
                    self.mix_scale_y.unwrap_or(scale_x),
                    self.mix_shear_y.or(self.shear_mix).unwrap_or(one()),
                ]
            }
        }
    )*};
}

macro_rules! path_mixes {
    ($($name:ty),*) => {$(
        impl $name {
            /// The mixes of rotation, x and y, in the form of any version.
            pub fn mixes(&self) -> [Number; 3] {
                let x = self.mix_x.or(self.translate_mix).unwrap_or(one());
                [self.mix_rotate.or(self.rotate_mix).unwrap_or(one()), x, self.mix_y.unwrap_or(x)]
            }
        }
    )*};
}

transform_mixes!(Transform<'_>, TransformKey);
path_mixes!(Path<'_>, PathKey);

impl<'de: 'a, 'a> Deserialize<'de> for Skins<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Reader<'a>(PhantomData<&'a ()>);
        impl<'de: 'a, 'a> Visitor<'de> for Reader<'a> {
            type Value = Skins<'a>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list or an object of skins")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
                let mut skins = Skins::default();
                while let Some(skin) = list.next_element()? {
                    skins.list.push(skin);
                }
                Ok(skins)
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut skins = Skins { is_object: true, ..Skins::default() };
                while let Some((name, attachments)) = map.next_entry()? {
                    skins.list.push(Skin { name, attachments, ..Skin::default() });
                }
                Ok(skins)
            }
        }
        deserializer.deserialize_any(Reader(PhantomData))
    }
}
