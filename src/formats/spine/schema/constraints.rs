//! Constraints of 4.3: one list of all kinds, in the order in which they are applied.
//!
//! Documents of all versions keep their constraints in a list for each kind; JSON of 4.3 is converted when it is read
//! and written, see [`constraint_list`](crate::formats::spine::constraint_list).

use std::fmt;

use serde::de::{Deserializer, Error, Visitor};
use serde::{Deserialize, Serialize, Serializer};

use crate::motion::spine::BoneProperty;

use super::{Entries, Number, PositionMode, RotateMode, SpacingMode, Text};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum ConstraintType {
    Ik,
    Transform,
    Path,
    Physics,
    Slider,
}

macro_rules! constraint {
    ($($field:ident: $type:ty = $name:literal,)*) => {
        /// A constraint of any kind: the fields of all of them.
        #[derive(Debug, Clone, Deserialize, Serialize)]
        pub struct Constraint<'a> {
            #[serde(rename = "type")]
            pub kind: ConstraintType,
            #[serde(borrow)]
            pub name: Text<'a>,
            $(
                #[serde(rename = $name, default, skip_serializing_if = "Option::is_none")]
                pub $field: Option<$type>,
            )*
        }

        impl<'a> Constraint<'a> {
            /// Creates a constraint without any optional field.
            #[cfg(feature = "convert")]
            pub fn new(kind: ConstraintType, name: Text<'a>) -> Self {
                Self { kind, name, $($field: None,)* }
            }

            /// The names of the optional fields that it has.
            pub fn given(&self) -> impl Iterator<Item = &'static str> {
                [$(self.$field.is_some().then_some($name),)*].into_iter().flatten()
            }
        }
    };
}

constraint! {
    skin: bool = "skin",
    bones: Vec<Text<'a>> = "bones",
    bone: Text<'a> = "bone",
    target: Text<'a> = "target",
    source: Text<'a> = "source",
    slot: Text<'a> = "slot",
    animation: Text<'a> = "animation",
    property: Text<'a> = "property",
    from: Number = "from",
    to: Number = "to",
    max: Number = "max",
    scale: Number = "scale",
    local: bool = "local",
    local_source: bool = "localSource",
    local_target: bool = "localTarget",
    additive: bool = "additive",
    looping: bool = "loop",
    clamp: bool = "clamp",
    properties: Entries<'a, FromProperty<'a>> = "properties",
    position_mode: PositionMode = "positionMode",
    spacing_mode: SpacingMode = "spacingMode",
    rotate_mode: RotateMode = "rotateMode",
    rotation: Number = "rotation",
    x: Number = "x",
    y: Number = "y",
    rotate: Number = "rotate",
    scale_x: Number = "scaleX",
    scale_y: ScaleY = "scaleY",
    shear_x: Number = "shearX",
    shear_y: Number = "shearY",
    limit: Number = "limit",
    fps: Number = "fps",
    inertia: Number = "inertia",
    strength: Number = "strength",
    damping: Number = "damping",
    mass: Number = "mass",
    wind: Number = "wind",
    gravity: Number = "gravity",
    time: Number = "time",
    position: Number = "position",
    spacing: Number = "spacing",
    mix: Number = "mix",
    mix_rotate: Number = "mixRotate",
    mix_x: Number = "mixX",
    mix_y: Number = "mixY",
    mix_scale_x: Number = "mixScaleX",
    mix_scale_y: Number = "mixScaleY",
    mix_shear_y: Number = "mixShearY",
    softness: Number = "softness",
    bend_positive: bool = "bendPositive",
    compress: bool = "compress",
    stretch: bool = "stretch",
    inertia_global: bool = "inertiaGlobal",
    strength_global: bool = "strengthGlobal",
    damping_global: bool = "dampingGlobal",
    mass_global: bool = "massGlobal",
    wind_global: bool = "windGlobal",
    gravity_global: bool = "gravityGlobal",
    mix_global: bool = "mixGlobal",
}

/// A property of the source of a transform constraint, and the properties that it drives, by name.
#[derive(Debug, Clone, Default, Deserialize, Serialize)]
pub struct FromProperty<'a> {
    #[serde(default, skip_serializing_if = "super::is_default")]
    pub offset: Number,
    #[serde(borrow, default)]
    pub to: Entries<'a, ToProperty>,
}

/// How a property is driven.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize, Serialize)]
pub struct ToProperty {
    #[serde(default, skip_serializing_if = "super::is_default")]
    pub offset: Number,
    #[serde(default = "super::one", skip_serializing_if = "super::is_one")]
    pub max: Number,
    #[serde(default = "super::one", skip_serializing_if = "super::is_one")]
    pub scale: Number,
}

/// An offset of transform constraints, otherwise a mode.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ScaleY {
    Offset(Number),
    Mode(ScaleYMode),
}

/// What a change of a bone's x scale does to its y scale.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum ScaleYMode {
    #[default]
    None,
    /// The same.
    Uniform,
    /// The opposite: the area stays.
    Volume,
}

impl Serialize for ScaleY {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Offset(number) => number.serialize(serializer),
            Self::Mode(mode) => mode.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for ScaleY {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Reader;
        impl Visitor<'_> for Reader {
            type Value = ScaleY;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number, `none`, `uniform` or `volume`")
            }

            fn visit_f64<E: Error>(self, number: f64) -> Result<ScaleY, E> {
                let number = number as f32;
                if number.is_finite() {
                    Ok(ScaleY::Offset(Number(number)))
                } else {
                    Err(E::custom("this number is too large"))
                }
            }

            fn visit_i64<E: Error>(self, number: i64) -> Result<ScaleY, E> {
                Ok(ScaleY::Offset(Number(number as f32)))
            }

            fn visit_u64<E: Error>(self, number: u64) -> Result<ScaleY, E> {
                Ok(ScaleY::Offset(Number(number as f32)))
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<ScaleY, E> {
                match text {
                    "none" => Ok(ScaleY::Mode(ScaleYMode::None)),
                    "uniform" => Ok(ScaleY::Mode(ScaleYMode::Uniform)),
                    "volume" => Ok(ScaleY::Mode(ScaleYMode::Volume)),
                    _ => Err(E::invalid_value(serde::de::Unexpected::Str(text), &self)),
                }
            }
        }
        deserializer.deserialize_any(Reader)
    }
}

/// Applies an animation at a time of its own, or at one given by a property of a bone.
#[derive(Debug, Clone)]
pub struct Slider<'a> {
    pub name: Text<'a>,
    pub order: i64,
    pub skin: bool,
    pub animation: Text<'a>,
    pub additive: bool,
    pub looping: bool,
    pub time: Number,
    pub mix: Number,
    /// The bone, and the name of its property.
    pub driver: Option<(Text<'a>, Text<'a>)>,
    pub local: bool,
    pub from: Number,
    pub to: Number,
    pub scale: Number,
    #[cfg_attr(not(feature = "convert"), expect(dead_code, reason = "only written"))]
    pub max: Option<Number>,
}

/// The properties that transform constraints and sliders read and change.
pub const PROPERTIES: [&str; 6] = BoneProperty::NAMES;
