//! Animations: timelines, keys and their curves.

use std::fmt;

use serde::de::{Deserializer, Error, SeqAccess, Visitor};
use serde::{Deserialize, Serialize, Serializer};

use super::{Color, Entries, Inherit, Number, Text, color, is_default, is_one, is_true, one};

#[derive(Debug, Clone, Default, Deserialize, Serialize)]
#[serde(default)]
pub struct Animation<'a> {
    #[serde(borrow, skip_serializing_if = "Entries::is_empty")]
    pub bones: Entries<'a, BoneTimelines>,
    #[serde(borrow, skip_serializing_if = "Entries::is_empty")]
    pub slots: Entries<'a, SlotTimelines<'a>>,
    #[serde(borrow, skip_serializing_if = "Entries::is_empty")]
    pub ik: Entries<'a, Vec<IkKey>>,
    #[serde(borrow, skip_serializing_if = "Entries::is_empty")]
    pub transform: Entries<'a, Vec<TransformKey>>,
    #[serde(borrow, alias = "paths", skip_serializing_if = "Entries::is_empty")]
    pub path: Entries<'a, PathTimelines>,
    /// By constraint; the empty name is for all. Since 4.2.
    #[serde(borrow, skip_serializing_if = "Entries::is_empty")]
    pub physics: Entries<'a, PhysicsTimelines>,
    /// By skin, slot and attachment. Since 4.1.
    #[serde(borrow, skip_serializing_if = "Entries::is_empty")]
    pub attachments: Entries<'a, Entries<'a, Entries<'a, AttachmentTimelines>>>,
    /// By skin, slot and attachment. Before 4.1.
    #[serde(borrow, skip_serializing_if = "Entries::is_empty")]
    pub deform: Entries<'a, Entries<'a, Entries<'a, Vec<DeformKey>>>>,
    /// The name of `deform` before 3.3.
    #[serde(borrow, skip_serializing)]
    pub ffd: Option<Entries<'a, Entries<'a, Entries<'a, Vec<DeformKey>>>>>,
    #[serde(borrow, skip_serializing_if = "Vec::is_empty")]
    pub events: Vec<EventKey<'a>>,
    #[serde(borrow, rename = "drawOrder", alias = "draworder", skip_serializing_if = "Vec::is_empty")]
    pub draw_order: Vec<DrawOrderKey<'a>>,
}

#[derive(Debug, Clone, Default, Deserialize, Serialize)]
#[serde(default)]
pub struct BoneTimelines {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rotate: Vec<BoneKey>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub translate: Vec<BoneKey>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub translatex: Vec<BoneKey>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub translatey: Vec<BoneKey>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub scale: Vec<BoneKey>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub scalex: Vec<BoneKey>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub scaley: Vec<BoneKey>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub shear: Vec<BoneKey>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub shearx: Vec<BoneKey>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sheary: Vec<BoneKey>,
    /// Since 4.2.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub inherit: Vec<InheritKey>,
}

#[derive(Debug, Clone, Default, Deserialize, Serialize)]
#[serde(default)]
pub struct BoneKey {
    #[serde(skip_serializing_if = "is_default")]
    pub time: Number,
    /// Rotation before 4.0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub angle: Option<Number>,
    /// Of a timeline of one number. Since 4.0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub x: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub y: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub curve: Option<Curve>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub c2: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub c3: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub c4: Option<Number>,
}

#[derive(Debug, Clone, Default, Deserialize, Serialize)]
#[serde(default)]
pub struct InheritKey {
    #[serde(skip_serializing_if = "is_default")]
    pub time: Number,
    pub inherit: Inherit,
}

/// Interpolation from a key to the next.
#[derive(Debug, Clone, PartialEq)]
pub enum Curve {
    /// Linear, as if absent.
    Linear,
    /// Constant until the next key.
    Stepped,
    /// The first of four numbers; the others are `c2` to `c4`. Before 4.0.
    First(f32),
    /// Two handles: up to 3.7, and those of one value since 4.0.
    Four([f32; 4]),
    /// The handles of two values. Since 4.0.
    Eight([f32; 8]),
    /// The handles of more values. Since 4.0.
    More(Box<[f32]>),
}

impl Curve {
    /// The maximum number of handles: those of seven values.
    pub const MAX_NUMBERS: usize = 28;

    /// Creates the curve with these handles: time and value of two for each value.
    pub fn of_handles(numbers: &[f32]) -> Self {
        if let Ok(numbers) = <[f32; 4]>::try_from(numbers) {
            Self::Four(numbers)
        } else if let Ok(numbers) = <[f32; 8]>::try_from(numbers) {
            Self::Eight(numbers)
        } else {
            Self::More(numbers.into())
        }
    }

    /// The handles; empty without any.
    pub fn handles(&self) -> &[f32] {
        match self {
            Self::Linear | Self::Stepped | Self::First(_) => &[],
            Self::Four(numbers) => numbers,
            Self::Eight(numbers) => numbers,
            Self::More(numbers) => numbers,
        }
    }
}

#[derive(Debug, Clone, Default, Deserialize, Serialize)]
#[serde(default, rename_all = "camelCase")]
pub struct SlotTimelines<'a> {
    #[serde(borrow, skip_serializing_if = "Vec::is_empty")]
    pub attachment: Vec<AttachmentKey<'a>>,
    #[serde(borrow, skip_serializing_if = "Vec::is_empty")]
    pub color: Vec<ColorKey<'a>>,
    #[serde(borrow, skip_serializing_if = "Vec::is_empty")]
    pub two_color: Vec<ColorKey<'a>>,
    /// The following since 4.0.
    #[serde(borrow, skip_serializing_if = "Vec::is_empty")]
    pub rgba: Vec<ColorKey<'a>>,
    #[serde(borrow, skip_serializing_if = "Vec::is_empty", serialize_with = "without_alpha")]
    pub rgb: Vec<ColorKey<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub alpha: Vec<ValueKey>,
    #[serde(borrow, skip_serializing_if = "Vec::is_empty")]
    pub rgba2: Vec<ColorKey<'a>>,
    #[serde(borrow, skip_serializing_if = "Vec::is_empty", serialize_with = "without_alpha")]
    pub rgb2: Vec<ColorKey<'a>>,
}

/// A key with one number. Since 4.0.
#[derive(Debug, Clone, Default, Deserialize, Serialize)]
#[serde(default)]
pub struct ValueKey {
    #[serde(skip_serializing_if = "is_default")]
    pub time: Number,
    /// The default depends on the timeline.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub curve: Option<Curve>,
}

#[derive(Debug, Clone, Default, Deserialize, Serialize)]
#[serde(default)]
pub struct AttachmentKey<'a> {
    #[serde(skip_serializing_if = "is_default")]
    pub time: Number,
    #[serde(borrow)]
    pub name: Option<Text<'a>>,
}

#[derive(Debug, Clone, Default, Deserialize, Serialize)]
#[serde(default)]
pub struct ColorKey<'a> {
    #[serde(skip_serializing_if = "is_default")]
    pub time: Number,
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    pub color: Option<Color<'a>>,
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    pub light: Option<Color<'a>>,
    #[serde(borrow, skip_serializing_if = "Option::is_none", serialize_with = "color::without_alpha")]
    pub dark: Option<Color<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub curve: Option<Curve>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub c2: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub c3: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub c4: Option<Number>,
}

#[derive(Debug, Clone, Deserialize, Serialize)]
#[serde(default, rename_all = "camelCase")]
pub struct IkKey {
    #[serde(skip_serializing_if = "is_default")]
    pub time: Number,
    #[serde(skip_serializing_if = "is_one")]
    pub mix: Number,
    #[serde(skip_serializing_if = "is_default")]
    pub softness: Number,
    #[serde(skip_serializing_if = "is_true")]
    pub bend_positive: bool,
    #[serde(skip_serializing_if = "is_default")]
    pub compress: bool,
    #[serde(skip_serializing_if = "is_default")]
    pub stretch: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub curve: Option<Curve>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub c2: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub c3: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
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

#[derive(Debug, Clone, Default, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TransformKey {
    #[serde(default, skip_serializing_if = "is_default")]
    pub time: Number,
    /// Before 4.0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rotate_mix: Option<Number>,
    /// Before 4.0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub translate_mix: Option<Number>,
    /// Before 4.0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scale_mix: Option<Number>,
    /// Before 4.0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shear_mix: Option<Number>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mix_rotate: Option<Number>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mix_x: Option<Number>,
    /// Defaults to `mix_x`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mix_y: Option<Number>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mix_scale_x: Option<Number>,
    /// Defaults to `mix_scale_x`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mix_scale_y: Option<Number>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mix_shear_y: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub curve: Option<Curve>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub c2: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub c3: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub c4: Option<Number>,
}

#[derive(Debug, Clone, Default, Deserialize, Serialize)]
#[serde(default)]
pub struct PathTimelines {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub position: Vec<PathKey>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub spacing: Vec<PathKey>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub mix: Vec<PathKey>,
}

#[derive(Debug, Clone, Default, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PathKey {
    #[serde(default, skip_serializing_if = "is_default")]
    pub time: Number,
    /// Before 4.0.
    #[serde(default, skip_serializing_if = "is_default")]
    pub position: Number,
    /// Before 4.0.
    #[serde(default, skip_serializing_if = "is_default")]
    pub spacing: Number,
    /// Position or spacing. Since 4.0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<Number>,
    /// Before 4.0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rotate_mix: Option<Number>,
    /// Before 4.0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub translate_mix: Option<Number>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mix_rotate: Option<Number>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mix_x: Option<Number>,
    /// Defaults to `mix_x`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mix_y: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub curve: Option<Curve>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub c2: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub c3: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub c4: Option<Number>,
}

#[derive(Debug, Clone, Default, Deserialize, Serialize)]
#[serde(default)]
pub struct PhysicsTimelines {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub inertia: Vec<ValueKey>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub strength: Vec<ValueKey>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub damping: Vec<ValueKey>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub mass: Vec<ValueKey>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub wind: Vec<ValueKey>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub gravity: Vec<ValueKey>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub mix: Vec<ValueKey>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub reset: Vec<ResetKey>,
}

#[derive(Debug, Clone, Default, Deserialize, Serialize)]
#[serde(default)]
pub struct ResetKey {
    #[serde(skip_serializing_if = "is_default")]
    pub time: Number,
}

#[derive(Debug, Clone, Default, Deserialize, Serialize)]
#[serde(default)]
pub struct AttachmentTimelines {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub deform: Vec<DeformKey>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sequence: Vec<SequenceKey>,
}

#[derive(Debug, Clone, Default, Deserialize, Serialize)]
#[serde(default)]
pub struct SequenceKey {
    #[serde(skip_serializing_if = "is_default")]
    pub time: Number,
    #[serde(skip_serializing_if = "is_default")]
    pub mode: SequenceMode,
    /// The first picture; negative: that at rest.
    pub index: i32,
    /// Seconds per picture; by default that of the previous key.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub delay: Option<Number>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum SequenceMode {
    #[default]
    Hold,
    Once,
    Loop,
    Pingpong,
    OnceReverse,
    LoopReverse,
    PingpongReverse,
}

#[derive(Debug, Clone, Default, Deserialize, Serialize)]
#[serde(default)]
pub struct DeformKey {
    #[serde(skip_serializing_if = "is_default")]
    pub time: Number,
    /// First number (not vertex) that `vertices` applies to.
    #[serde(skip_serializing_if = "is_default")]
    pub offset: u32,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub vertices: Vec<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub curve: Option<Curve>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub c2: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub c3: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub c4: Option<Number>,
}

#[derive(Debug, Clone, Deserialize, Serialize)]
pub struct EventKey<'a> {
    #[serde(default, skip_serializing_if = "is_default")]
    pub time: Number,
    #[serde(borrow)]
    pub name: Text<'a>,
    #[serde(rename = "int", default, skip_serializing_if = "Option::is_none")]
    pub integer: Option<i32>,
    #[serde(rename = "float", default, skip_serializing_if = "Option::is_none")]
    pub number: Option<Number>,
    #[serde(borrow, rename = "string", default, skip_serializing_if = "Option::is_none")]
    pub text: Option<Text<'a>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub volume: Option<Number>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub balance: Option<Number>,
}

#[derive(Debug, Clone, Default, Deserialize, Serialize)]
#[serde(default)]
pub struct DrawOrderKey<'a> {
    #[serde(skip_serializing_if = "is_default")]
    pub time: Number,
    #[serde(borrow, skip_serializing_if = "Vec::is_empty")]
    pub offsets: Vec<DrawOrderOffset<'a>>,
}

#[derive(Debug, Clone, Deserialize, Serialize)]
pub struct DrawOrderOffset<'a> {
    #[serde(borrow)]
    pub slot: Text<'a>,
    /// Written even if it is 0: Spine's own players have no default for it.
    #[serde(default)]
    pub offset: i64,
}

/// Writes keys whose colours have 6 digits.
fn without_alpha<S: Serializer>(keys: &[ColorKey<'_>], serializer: S) -> Result<S::Ok, S::Error> {
    #[derive(Serialize)]
    struct Opaque<'k, 'a> {
        #[serde(skip_serializing_if = "is_default")]
        time: Number,
        #[serde(skip_serializing_if = "Option::is_none", serialize_with = "color::without_alpha")]
        color: &'k Option<Color<'a>>,
        #[serde(skip_serializing_if = "Option::is_none", serialize_with = "color::without_alpha")]
        light: &'k Option<Color<'a>>,
        #[serde(skip_serializing_if = "Option::is_none", serialize_with = "color::without_alpha")]
        dark: &'k Option<Color<'a>>,
        #[serde(skip_serializing_if = "Option::is_none")]
        curve: Option<&'k Curve>,
    }
    serializer.collect_seq(keys.iter().map(|ColorKey { time, color, light, dark, curve, .. }| Opaque {
        time: *time,
        color,
        light,
        dark,
        curve: curve.as_ref(),
    }))
}

impl Serialize for Curve {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Linear => serializer.serialize_str("linear"),
            Self::Stepped => serializer.serialize_str("stepped"),
            Self::First(number) => Number(*number).serialize(serializer),
            curve => serializer.collect_seq(curve.handles().iter().map(|number| Number(*number))),
        }
    }
}

impl<'de> Deserialize<'de> for Curve {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        const EXPECTED: &str = "four numbers for each value, of which there are at most seven";
        struct Reader;
        impl<'de> Visitor<'de> for Reader {
            type Value = Curve;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number, a list of numbers, or `stepped`")
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
                let mut numbers = [0.0; Curve::MAX_NUMBERS];
                let mut len = 0;
                while let Some(number) = list.next_element::<Number>()? {
                    *numbers.get_mut(len).ok_or_else(|| A::Error::invalid_length(len + 1, &EXPECTED))? = number.0;
                    len += 1;
                }
                if len == 0 || !len.is_multiple_of(4) {
                    return Err(A::Error::invalid_length(len, &EXPECTED));
                }
                Ok(Curve::of_handles(&numbers[..len]))
            }
        }
        deserializer.deserialize_any(Reader)
    }
}
