//! Animations: timelines, keys and their curves.

use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, Error, SeqAccess, Visitor};

use super::{Entries, Number, Text, one};

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Animation<'a> {
    #[serde(borrow)]
    pub bones: Entries<'a, BoneTimelines>,
    #[serde(borrow)]
    pub slots: Entries<'a, SlotTimelines<'a>>,
    #[serde(borrow)]
    pub ik: Entries<'a, Vec<IkKey>>,
    #[serde(borrow)]
    pub transform: Entries<'a, Vec<TransformKey>>,
    #[serde(borrow, alias = "paths")]
    pub path: Entries<'a, PathTimelines>,
    /// By skin, slot and attachment.
    #[serde(borrow)]
    pub deform: Entries<'a, Entries<'a, Entries<'a, Vec<DeformKey>>>>,
    /// The name of `deform` before 3.3.
    #[serde(borrow)]
    pub ffd: Option<Entries<'a, Entries<'a, Entries<'a, Vec<DeformKey>>>>>,
    #[serde(borrow)]
    pub events: Vec<EventKey<'a>>,
    #[serde(borrow, rename = "drawOrder", alias = "draworder")]
    pub draw_order: Vec<DrawOrderKey<'a>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct BoneTimelines {
    pub rotate: Vec<BoneKey>,
    pub translate: Vec<BoneKey>,
    pub scale: Vec<BoneKey>,
    pub shear: Vec<BoneKey>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct BoneKey {
    pub time: Number,
    pub angle: Number,
    pub x: Option<Number>,
    pub y: Option<Number>,
    pub curve: Option<Curve>,
    pub c2: Option<Number>,
    pub c3: Option<Number>,
    pub c4: Option<Number>,
}

/// Interpolation from a key to the next.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Curve {
    /// Linear, as if absent.
    Linear,
    /// Constant until the next key.
    Stepped,
    /// The first of four numbers; the others are `c2` to `c4`.
    First(f32),
    /// All four numbers, as written up to 3.7.
    Four([f32; 4]),
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct SlotTimelines<'a> {
    #[serde(borrow)]
    pub attachment: Vec<AttachmentKey<'a>>,
    #[serde(borrow)]
    pub color: Vec<ColorKey<'a>>,
    #[serde(borrow)]
    pub two_color: Vec<ColorKey<'a>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct AttachmentKey<'a> {
    pub time: Number,
    #[serde(borrow)]
    pub name: Option<Text<'a>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct ColorKey<'a> {
    pub time: Number,
    #[serde(borrow)]
    pub color: Option<Text<'a>>,
    #[serde(borrow)]
    pub light: Option<Text<'a>>,
    #[serde(borrow)]
    pub dark: Option<Text<'a>>,
    pub curve: Option<Curve>,
    pub c2: Option<Number>,
    pub c3: Option<Number>,
    pub c4: Option<Number>,
}

#[derive(Debug, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct IkKey {
    pub time: Number,
    pub mix: Number,
    pub softness: Number,
    pub bend_positive: bool,
    pub compress: bool,
    pub stretch: bool,
    pub curve: Option<Curve>,
    pub c2: Option<Number>,
    pub c3: Option<Number>,
    pub c4: Option<Number>,
}

impl Default for IkKey {
    fn default() -> Self {
        Self {
            time: Number(0.0),
            mix: one(),
            softness: Number(0.0),
            bend_positive: true,
            compress: false,
            stretch: false,
            curve: None,
            c2: None,
            c3: None,
            c4: None,
        }
    }
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TransformKey {
    #[serde(default)]
    pub time: Number,
    #[serde(default = "one")]
    pub rotate_mix: Number,
    #[serde(default = "one")]
    pub translate_mix: Number,
    #[serde(default = "one")]
    pub scale_mix: Number,
    #[serde(default = "one")]
    pub shear_mix: Number,
    pub curve: Option<Curve>,
    pub c2: Option<Number>,
    pub c3: Option<Number>,
    pub c4: Option<Number>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct PathTimelines {
    pub position: Vec<PathKey>,
    pub spacing: Vec<PathKey>,
    pub mix: Vec<PathKey>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PathKey {
    #[serde(default)]
    pub time: Number,
    #[serde(default)]
    pub position: Number,
    #[serde(default)]
    pub spacing: Number,
    #[serde(default = "one")]
    pub rotate_mix: Number,
    #[serde(default = "one")]
    pub translate_mix: Number,
    pub curve: Option<Curve>,
    pub c2: Option<Number>,
    pub c3: Option<Number>,
    pub c4: Option<Number>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct DeformKey {
    pub time: Number,
    /// First number (not vertex) that `vertices` applies to.
    pub offset: u32,
    pub vertices: Vec<Number>,
    pub curve: Option<Curve>,
    pub c2: Option<Number>,
    pub c3: Option<Number>,
    pub c4: Option<Number>,
}

#[derive(Debug, Deserialize)]
pub struct EventKey<'a> {
    #[serde(default)]
    pub time: Number,
    #[serde(borrow)]
    pub name: Text<'a>,
    #[serde(rename = "int", default)]
    pub integer: Option<i32>,
    #[serde(rename = "float", default)]
    pub number: Option<Number>,
    #[serde(borrow, rename = "string", default)]
    pub text: Option<Text<'a>>,
    #[serde(default)]
    pub volume: Option<Number>,
    #[serde(default)]
    pub balance: Option<Number>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct DrawOrderKey<'a> {
    pub time: Number,
    #[serde(borrow)]
    pub offsets: Vec<DrawOrderOffset<'a>>,
}

#[derive(Debug, Deserialize)]
pub struct DrawOrderOffset<'a> {
    #[serde(borrow)]
    pub slot: Text<'a>,
    #[serde(default)]
    pub offset: i64,
}

impl<'de> Deserialize<'de> for Curve {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Reader;
        impl<'de> Visitor<'de> for Reader {
            type Value = Curve;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number, a list of four, or `stepped`")
            }

            fn visit_f64<E: Error>(self, number: f64) -> Result<Curve, E> {
                let number = number as f32;
                if number.is_finite() {
                    Ok(Curve::First(number))
                } else {
                    Err(E::custom("this number is too large"))
                }
            }

            fn visit_i64<E: Error>(self, number: i64) -> Result<Curve, E> {
                Ok(Curve::First(number as f32))
            }

            fn visit_u64<E: Error>(self, number: u64) -> Result<Curve, E> {
                Ok(Curve::First(number as f32))
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Curve, E> {
                match text {
                    "stepped" => Ok(Curve::Stepped),
                    "linear" => Ok(Curve::Linear),
                    _ => Err(E::invalid_value(serde::de::Unexpected::Str(text), &self)),
                }
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Curve, A::Error> {
                let mut numbers = [0.0; 4];
                for (index, number) in numbers.iter_mut().enumerate() {
                    let next = list.next_element::<Number>()?;
                    *number = next.ok_or_else(|| A::Error::invalid_length(index, &"four numbers"))?.0;
                }
                match list.next_element::<serde::de::IgnoredAny>()? {
                    None => Ok(Curve::Four(numbers)),
                    Some(_) => Err(A::Error::custom("a curve has four numbers; only version 4 writes more")),
                }
            }
        }
        deserializer.deserialize_any(Reader)
    }
}
