//! Modes and links of constraints.

use std::fmt;

use serde::de::{Deserializer, Error, Visitor};
use serde::{Deserialize, Serialize, Serializer};

use super::{Entries, Number, is_default, is_one, one};
use crate::motion::spine::BoneProperty;

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

/// What a change of a bone's x scale does to its y scale.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum ScaleYMode {
    #[default]
    None,
    /// The same.
    Uniform,
    /// The opposite: the area stays. Since 4.3.
    Volume,
}

impl ScaleYMode {
    /// The mode of IK before 4.3.
    pub fn of_uniform(is_uniform: bool) -> Self {
        if is_uniform { Self::Uniform } else { Self::None }
    }
}

/// The mode of IK before 4.3.
pub mod uniform {
    use super::{Deserialize, Deserializer, ScaleYMode, Serializer};

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<ScaleYMode, D::Error> {
        bool::deserialize(deserializer).map(ScaleYMode::of_uniform)
    }

    pub fn serialize<S: Serializer>(mode: &ScaleYMode, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bool(*mode == ScaleYMode::Uniform)
    }
}

/// A property of the source of a transform constraint, and the properties that it drives, by name.
#[derive(Debug, Clone, Default, Deserialize, Serialize)]
pub struct FromProperty<'a> {
    #[serde(default, skip_serializing_if = "is_default")]
    pub offset: Number,
    #[serde(borrow, default)]
    pub to: Entries<'a, ToProperty>,
}

/// How a property is driven.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize, Serialize)]
pub struct ToProperty {
    #[serde(default, skip_serializing_if = "is_default")]
    pub offset: Number,
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub max: Number,
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub scale: Number,
}

/// The properties that transform constraints and sliders read and change.
pub const PROPERTIES: [&str; 6] = BoneProperty::NAMES;

/// An offset of transform constraints, otherwise a mode.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ScaleY {
    Offset(Number),
    Mode(ScaleYMode),
}

impl ScaleY {
    /// Takes an offset; a mode is left.
    pub fn take_offset(it: &mut Option<Self>) -> Number {
        match it.take_if(|it| matches!(it, Self::Offset(_))) {
            Some(Self::Offset(offset)) => offset,
            Some(Self::Mode(_)) | None => Number(0.0),
        }
    }

    /// Takes a mode; an offset is left.
    pub fn take_mode(it: &mut Option<Self>) -> ScaleYMode {
        match it.take_if(|it| matches!(it, Self::Mode(_))) {
            Some(Self::Mode(mode)) => mode,
            Some(Self::Offset(_)) | None => ScaleYMode::None,
        }
    }
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
