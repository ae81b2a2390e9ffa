//! A Spine skeleton of any supported version, field for field and named as in its JSON.
//!
//! JSON is parsed into it, binary skeletons are read into it. Fields have the documented defaults wherever files rely
//! on them; a value whose default depends on another, or on the version, is optional. Angles are in degrees. Fields
//! that only some versions have say so; all others exist in 3.8 to 4.3.

mod attachments;
mod color;
mod constraints;
#[cfg(feature = "convert")]
mod edit;
mod keys;
mod table;
mod timelines;
mod values;
mod visit;
mod wire;

use std::fmt;
use std::marker::PhantomData;

use serde::de::{Deserializer, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Serialize, Serializer};

use super::version::Version;
pub use crate::formats::json::borrowed::Text;
pub use crate::formats::json::finite::Number;
pub use attachments::{Attachment, AttachmentType, Attachments, Sequence};
pub use color::Color;
#[cfg(feature = "convert")]
pub use constraints::ToProperty;
pub use constraints::{Constraint, ConstraintType, FromProperty, PROPERTIES, ScaleY, ScaleYMode, Slider};
pub use keys::{Keys, Value};
pub use table::{Bytes, Field, FieldKind, Group, MAX_FIELDS, MAX_WIDTH, Property, Row, SWITCHES};
#[cfg(feature = "convert")]
pub use timelines::DrawOrderFolder;
pub use timelines::{
    Animation, AttachmentKey, AttachmentTimelines, BoneTimelines, BySkin, Curve, DrawOrderKey, DrawOrderOffset,
    EventKey, InheritKey, Lone, PathTimelines, PhysicsTimelines, ResetKey, SequenceKey, SequenceMode,
    SlotTimelines, Step, Timed, Timelines,
};
pub use values::{Entries, List, list};
pub use visit::{attachments, for_each_keys};

/// A struct some of whose fields are left out of files while they have their default: `= "is_default"`, or another
/// condition and the function that returns the default, `= "is_one" or "one"`.
macro_rules! sparse {
    ($(#[$of_struct:meta])* pub struct $name:ident<'a> {
        $($(#[$of_field:meta])* pub $field:ident: $type:ty $(= $is_default:literal $(or $default:literal)?)?,)*
    }) => {
        $(#[$of_struct])*
        pub struct $name<'a> {
            $(
                $(#[$of_field])*
                $(#[serde(default $(= $default)?, skip_serializing_if = $is_default)])?
                pub $field: $type,
            )*
        }
    };
}

#[derive(Debug, Clone, Default, Deserialize, Serialize)]
#[serde(default)]
pub struct Root<'a> {
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    pub skeleton: Option<Skeleton<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub bones: Vec<Bone<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub slots: Vec<Slot<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ik: Vec<Ik<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub transform: Vec<Transform<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub path: Vec<Path<'a>>,
    /// Since 4.2.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub physics: Vec<Physics<'a>>,
    /// Since 4.3.
    #[serde(skip)]
    pub sliders: Vec<Slider<'a>>,
    /// All of the above as JSON of 4.3 states them; empty except while that is read or written.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub constraints: Vec<Constraint<'a>>,
    #[serde(skip_serializing_if = "Skins::is_empty")]
    pub skins: Skins<'a>,
    #[serde(skip_serializing_if = "Entries::is_empty")]
    pub events: Entries<'a, Event<'a>>,
    #[serde(skip_serializing_if = "Entries::is_empty")]
    pub animations: Entries<'a, Animation<'a>>,
    /// The version by whose rules the skeleton is played.
    #[serde(skip)]
    pub version: Version,
}

#[derive(Debug, Clone, Default, Deserialize, Serialize)]
#[serde(default)]
pub struct Skeleton<'a> {
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    pub hash: Option<Text<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spine: Option<Text<'a>>,
    pub x: Number,
    pub y: Number,
    pub width: Number,
    pub height: Number,
    /// Pixels per unit of physics; 100 by default. Since 4.2.
    #[serde(rename = "referenceScale", skip_serializing_if = "Option::is_none")]
    pub reference_scale: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fps: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub images: Option<Text<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub audio: Option<Text<'a>>,
}

sparse! {
    #[derive(Debug, Clone, Deserialize, Serialize)]
    #[serde(rename_all = "camelCase")]
    pub struct Bone<'a> {
        #[serde(borrow)]
        pub name: Text<'a>,
        pub parent: Option<Text<'a>> = "Option::is_none",
        pub length: Number = "is_default",
        pub rotation: Number = "is_default",
        pub x: Number = "is_default",
        pub y: Number = "is_default",
        pub scale_x: Number = "is_one" or "one",
        pub scale_y: Number = "is_one" or "one",
        pub shear_x: Number = "is_default",
        pub shear_y: Number = "is_default",
        /// Called `transform` before 4.2.
        pub transform: Option<Inherit> = "Option::is_none",
        pub inherit: Option<Inherit> = "Option::is_none",
        /// Replaced by `transform` in 3.6, together with `inherit_scale`.
        #[serde(default, skip_serializing)]
        pub inherit_rotation: Option<bool>,
        #[serde(default, skip_serializing)]
        pub inherit_scale: Option<bool>,
        pub skin: bool = "is_default",
        pub color: Option<Color<'a>> = "Option::is_none",
        /// Since 4.2.
        pub icon: Option<Text<'a>> = "Option::is_none",
        /// Since 4.3.
        pub icon_size: Option<Number> = "Option::is_none",
        /// Since 4.3.
        pub icon_rotation: Option<Number> = "Option::is_none",
        /// False if the editor hides it. Since 4.2.
        pub visible: bool = "is_true" or "yes",
    }
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Inherit {
    #[serde(alias = "Normal")]
    #[default]
    Normal,
    #[serde(alias = "OnlyTranslation")]
    OnlyTranslation,
    #[serde(alias = "NoRotationOrReflection")]
    NoRotationOrReflection,
    #[serde(alias = "NoScale")]
    NoScale,
    #[serde(alias = "NoScaleOrReflection")]
    NoScaleOrReflection,
}

sparse! {
    #[derive(Debug, Clone, Deserialize, Serialize)]
    pub struct Slot<'a> {
        #[serde(borrow)]
        pub name: Text<'a>,
        pub bone: Text<'a>,
        pub color: Option<Color<'a>> = "Option::is_none",
        #[serde(default, skip_serializing_if = "Option::is_none", serialize_with = "color::without_alpha")]
        pub dark: Option<Color<'a>>,
        pub attachment: Option<Text<'a>> = "Option::is_none",
        pub blend: Blend = "is_default",
        /// False if the editor hides it. Since 4.2.
        pub visible: bool = "is_true" or "yes",
    }
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Blend {
    #[serde(alias = "Normal")]
    #[default]
    Normal,
    #[serde(alias = "Additive")]
    Additive,
    #[serde(alias = "Multiply")]
    Multiply,
    #[serde(alias = "Screen")]
    Screen,
}

sparse! {
    #[derive(Debug, Clone, Deserialize, Serialize)]
    #[serde(rename_all = "camelCase")]
    pub struct Ik<'a> {
        #[serde(borrow)]
        pub name: Text<'a>,
        pub order: i64 = "is_default",
        pub skin: bool = "is_default",
        pub bones: Vec<Text<'a>>,
        pub target: Text<'a>,
        pub mix: Number = "is_one" or "one",
        pub softness: Number = "is_default",
        pub bend_positive: bool = "is_true" or "yes",
        pub compress: bool = "is_default",
        pub stretch: bool = "is_default",
        pub uniform: bool = "is_default",
        /// Since 4.3.
        #[serde(skip)]
        pub keeps_volume: bool,
    }
}

sparse! {
    #[derive(Debug, Clone, Default, Deserialize, Serialize)]
    #[serde(rename_all = "camelCase")]
    pub struct Transform<'a> {
        #[serde(borrow)]
        pub name: Text<'a>,
        pub order: i64 = "is_default",
        pub skin: bool = "is_default",
        #[serde(default)]
        pub bones: Vec<Text<'a>>,
        /// Replaced by `bones` in 3.4.
        #[serde(default, skip_serializing)]
        pub bone: Option<Text<'a>>,
        pub target: Text<'a>,
        pub rotation: Number = "is_default",
        pub x: Number = "is_default",
        pub y: Number = "is_default",
        pub scale_x: Number = "is_default",
        pub scale_y: Number = "is_default",
        pub shear_y: Number = "is_default",
        /// Before 4.0.
        pub rotate_mix: Option<Number> = "Option::is_none",
        /// Before 4.0.
        pub translate_mix: Option<Number> = "Option::is_none",
        /// Before 4.0.
        pub scale_mix: Option<Number> = "Option::is_none",
        /// Before 4.0.
        pub shear_mix: Option<Number> = "Option::is_none",
        pub mix_rotate: Option<Number> = "Option::is_none",
        pub mix_x: Option<Number> = "Option::is_none",
        /// Defaults to `mix_x`.
        pub mix_y: Option<Number> = "Option::is_none",
        pub mix_scale_x: Option<Number> = "Option::is_none",
        /// Defaults to `mix_scale_x`.
        pub mix_scale_y: Option<Number> = "Option::is_none",
        pub mix_shear_y: Option<Number> = "Option::is_none",
        pub local: bool = "is_default",
        pub relative: bool = "is_default",
        /// Since 4.3.
        #[serde(skip)]
        pub links: Option<Links<'a>>,
    }
}

/// The part of a transform constraint that 4.3 has brought.
#[derive(Debug, Clone, Default)]
pub struct Links<'a> {
    pub properties: Entries<'a, FromProperty<'a>>,
    /// Changes local poses; `local` says which pose of the source is read.
    pub local_target: bool,
    /// Limits what drives a property to its range.
    pub clamp: bool,
}

sparse! {
    #[derive(Debug, Clone, Default, Deserialize, Serialize)]
    #[serde(rename_all = "camelCase")]
    pub struct Path<'a> {
        #[serde(borrow)]
        pub name: Text<'a>,
        pub order: i64 = "is_default",
        pub skin: bool = "is_default",
        pub bones: Vec<Text<'a>>,
        pub target: Text<'a>,
        pub position_mode: PositionMode = "is_default",
        pub spacing_mode: SpacingMode = "is_default",
        pub rotate_mode: RotateMode = "is_default",
        pub rotation: Number = "is_default",
        pub position: Number = "is_default",
        pub spacing: Number = "is_default",
        /// Before 4.0.
        pub rotate_mix: Option<Number> = "Option::is_none",
        /// Before 4.0.
        pub translate_mix: Option<Number> = "Option::is_none",
        pub mix_rotate: Option<Number> = "Option::is_none",
        pub mix_x: Option<Number> = "Option::is_none",
        /// Defaults to `mix_x`.
        pub mix_y: Option<Number> = "Option::is_none",
    }
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum PositionMode {
    Fixed,
    #[default]
    Percent,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum SpacingMode {
    #[default]
    Length,
    Fixed,
    Percent,
    /// Since 4.0.
    Proportional,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum RotateMode {
    #[default]
    Tangent,
    Chain,
    ChainScale,
}

sparse! {
    #[derive(Debug, Clone, Deserialize, Serialize)]
    #[serde(rename_all = "camelCase")]
    pub struct Physics<'a> {
        #[serde(borrow)]
        pub name: Text<'a>,
        pub order: i64 = "is_default",
        pub skin: bool = "is_default",
        pub bone: Text<'a>,
        pub x: Number = "is_default",
        pub y: Number = "is_default",
        pub rotate: Number = "is_default",
        pub scale_x: Number = "is_default",
        pub shear_x: Number = "is_default",
        pub limit: Number = "is_default_limit" or "default_limit",
        pub fps: Number = "is_default_physics_fps" or "default_physics_fps",
        pub inertia: Number = "is_one" or "one",
        pub strength: Number = "is_default_strength" or "default_strength",
        pub damping: Number = "is_one" or "one",
        pub mass: Number = "is_one" or "one",
        pub wind: Number = "is_default",
        pub gravity: Number = "is_default",
        pub mix: Number = "is_one" or "one",
        pub inertia_global: bool = "is_default",
        pub strength_global: bool = "is_default",
        pub damping_global: bool = "is_default",
        pub mass_global: bool = "is_default",
        pub wind_global: bool = "is_default",
        pub gravity_global: bool = "is_default",
        pub mix_global: bool = "is_default",
        /// Since 4.3.
        #[serde(skip)]
        pub scale_y: ScaleYMode,
    }
}

/// A list since 3.8; before, an object of attachments by name.
#[derive(Debug, Clone, Default)]
pub struct Skins<'a> {
    pub list: Vec<Skin<'a>>,
    /// True if it was an object.
    pub is_object: bool,
}

sparse! {
    #[derive(Debug, Clone, Default, Deserialize, Serialize)]
    pub struct Skin<'a> {
        #[serde(borrow)]
        pub name: Text<'a>,
        pub bones: Vec<Text<'a>> = "Vec::is_empty",
        pub ik: Vec<Text<'a>> = "Vec::is_empty",
        pub transform: Vec<Text<'a>> = "Vec::is_empty",
        pub path: Vec<Text<'a>> = "Vec::is_empty",
        /// Since 4.2.
        pub physics: Vec<Text<'a>> = "Vec::is_empty",
        /// Since 4.3.
        pub slider: Vec<Text<'a>> = "Vec::is_empty",
        /// Written even if it is empty: some of Spine's own players fail without it.
        #[serde(default)]
        pub attachments: Attachments<'a>,
        /// Since 4.2.
        pub color: Option<Color<'a>> = "Option::is_none",
    }
}

#[derive(Debug, Clone, Default, Deserialize, Serialize)]
#[serde(default)]
pub struct Event<'a> {
    #[serde(rename = "int", skip_serializing_if = "is_default")]
    pub integer: i32,
    #[serde(rename = "float", skip_serializing_if = "is_default")]
    pub number: Number,
    #[serde(borrow, rename = "string", skip_serializing_if = "Option::is_none")]
    pub text: Option<Text<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub audio: Option<Text<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub volume: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub balance: Option<Number>,
}

fn one() -> Number {
    Number(1.0)
}

impl Physics<'_> {
    pub const LIMIT: Number = Number(5000.0);
    pub const FPS: Number = Number(60.0);
    pub const STRENGTH: Number = Number(100.0);
}

fn default_limit() -> Number {
    Physics::LIMIT
}

fn default_physics_fps() -> Number {
    Physics::FPS
}

fn default_strength() -> Number {
    Physics::STRENGTH
}

fn yes() -> bool {
    true
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

fn is_one(number: &Number) -> bool {
    *number == one()
}

fn is_default_limit(number: &Number) -> bool {
    *number == default_limit()
}

fn is_default_physics_fps(number: &Number) -> bool {
    *number == default_physics_fps()
}

fn is_default_strength(number: &Number) -> bool {
    *number == default_strength()
}

fn is_true(value: &bool) -> bool {
    *value
}

impl Bone<'_> {
    /// What the bone inherits, by either name.
    pub fn inherits(&self) -> Inherit {
        self.inherit.or(self.transform).unwrap_or_default()
    }
}

impl Transform<'_> {
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

impl Path<'_> {
    /// The mixes of rotation, x and y, in the form of any version.
    pub fn mixes(&self) -> [Number; 3] {
        let x = self.mix_x.or(self.translate_mix).unwrap_or(one());
        [self.mix_rotate.or(self.rotate_mix).unwrap_or(one()), x, self.mix_y.unwrap_or(x)]
    }
}

impl Skins<'_> {
    fn is_empty(&self) -> bool {
        self.list.is_empty()
    }
}

impl Serialize for Skins<'_> {
    /// Writes a list.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.list.serialize(serializer)
    }
}

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
