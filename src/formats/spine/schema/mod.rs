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
mod groups;
pub mod json;
mod keys;
mod modes;
mod table;
mod timelines;
mod values;
mod visit;
mod wire;

use serde::{Deserialize, Serialize, Serializer};

use super::version::Version;
pub use crate::formats::json::borrowed::Text;
pub use crate::formats::json::finite::Number;
use crate::formats::json::pull::pulled_by_serde;
use crate::model::ConstraintKind;
pub use attachments::{Attachment, AttachmentType, Attachments, Sequence, TypeName};
pub use color::Color;
pub use constraints::{Constraint, Driver, Ik, KINDS, Links, OfKind, Path, Physics, Slider, Transform};
pub use keys::{Key, Keys, Value};
pub use modes::{FromProperty, PROPERTIES, PositionMode, RotateMode, ScaleYMode, SpacingMode, ToProperty};
pub use table::{Encoding, Field, FieldKind, Group, MAX_FIELDS, MAX_WIDTH, Property, Row, SWITCHES};
pub use timelines::{
    Animation, AttachmentKey, AttachmentTimelines, BoneTimelines, BySkin, ConstraintTimelines, Curve, DeformKeys,
    DrawOrderFolder, DrawOrderKey, DrawOrderOffset, EventKey, InheritKey, ResetKey, SequenceKey, SequenceMode,
    SlotTimelines, Step, Timed, Timelines,
};
pub use values::Entries;
pub use visit::{attachments, for_each_keys, for_each_keys_mut};

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

use sparse;

/// A skeleton of any version.
#[derive(Debug, Clone, Default)]
pub struct Root<'a> {
    pub skeleton: Option<Skeleton<'a>>,
    pub bones: Vec<Bone<'a>>,
    pub slots: Vec<Slot<'a>>,
    /// In the order of the file. Since 4.3 they are applied in this order; before, a file lists each kind separately, in
    /// the order of [`KINDS`], and their own `order` counts.
    pub constraints: Vec<Constraint<'a>>,
    pub skins: Skins<'a>,
    pub events: Entries<'a, Event<'a>>,
    pub animations: Entries<'a, Animation<'a>>,
    /// The version by whose rules the skeleton is played.
    pub version: Version,
}

impl<'a> Root<'a> {
    /// All constraints of one kind.
    pub fn all<'r, T: OfKind<'a> + 'r>(&'r self) -> impl Iterator<Item = &'r T> + Clone {
        self.constraints.iter().filter_map(T::of)
    }

    /// Like [`Self::all`], to be changed.
    pub fn all_mut<'r, T: OfKind<'a> + 'r>(&'r mut self) -> impl Iterator<Item = &'r mut T> {
        self.constraints.iter_mut().filter_map(T::of_mut)
    }
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
        /// Mirrored along the world's x axis. In 2.1.
        #[serde(default, skip_serializing)]
        pub flip_x: bool,
        /// Mirrored along the world's y axis. In 2.1.
        #[serde(default, skip_serializing)]
        pub flip_y: bool,
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
        /// Blends additively. In 2.1, instead of `blend`.
        #[serde(default, skip_serializing)]
        pub additive: bool,
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

/// A list since 3.8; before, an object of attachments by name.
#[derive(Debug, Clone, Default)]
pub struct Skins<'a> {
    pub list: Vec<Skin<'a>>,
    /// True if it was an object.
    pub is_object: bool,
}

#[derive(Debug, Clone, Default)]
pub struct Skin<'a> {
    pub name: Text<'a>,
    pub bones: Vec<Text<'a>>,
    /// Kinds and names, in the order of [`KINDS`]. JSON has a list for each kind.
    pub constraints: Vec<(ConstraintKind, Text<'a>)>,
    pub attachments: Attachments<'a>,
    /// Since 4.2.
    pub color: Option<Color<'a>>,
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

fn yes() -> bool {
    true
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

fn is_one(number: &Number) -> bool {
    *number == one()
}

fn is_true(value: &bool) -> bool {
    *value
}

impl<'a> Bone<'a> {
    /// A bone with an identity transform and no parent.
    pub fn plain(name: Text<'a>) -> Self {
        Self {
            name,
            parent: None,
            length: Number(0.0),
            transform: None,
            inherit: None,
            inherit_rotation: None,
            inherit_scale: None,
            flip_x: false,
            flip_y: false,
            skin: false,
            x: Number(0.0),
            y: Number(0.0),
            rotation: Number(0.0),
            scale_x: one(),
            scale_y: one(),
            shear_x: Number(0.0),
            shear_y: Number(0.0),
            color: None,
            icon: None,
            icon_size: None,
            icon_rotation: None,
            visible: true,
        }
    }

    /// What the bone inherits, by either name.
    pub fn inherits(&self) -> Inherit {
        self.inherit.or(self.transform).unwrap_or_default()
    }
}

impl<'a> Skin<'a> {
    /// Its constraints: their kinds, places in the lists of JSON, and names.
    pub fn listed(&self) -> impl Iterator<Item = (ConstraintKind, usize, &Text<'a>)> {
        let lists = self.constraints.chunk_by(|(a, _), (b, _)| a == b);
        lists.flat_map(|list| list.iter().enumerate().map(|(at, (kind, name))| (*kind, at, name)))
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

pulled_by_serde! { Skeleton<'a>, Bone<'a>, Slot<'a>, Event<'a> }
