//! Animations: timelines, keys and their curves.

use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, Error, SeqAccess, Visitor};

use super::{Color, Entries, Inherit, Number, Text, one};

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
    /// By constraint; the empty name is for all. Since 4.2.
    #[serde(borrow)]
    pub physics: Entries<'a, PhysicsTimelines>,
    /// By skin, slot and attachment. Since 4.1.
    #[serde(borrow)]
    pub attachments: Entries<'a, Entries<'a, Entries<'a, AttachmentTimelines>>>,
    /// By skin, slot and attachment. Before 4.1.
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
    pub translatex: Vec<BoneKey>,
    pub translatey: Vec<BoneKey>,
    pub scale: Vec<BoneKey>,
    pub scalex: Vec<BoneKey>,
    pub scaley: Vec<BoneKey>,
    pub shear: Vec<BoneKey>,
    pub shearx: Vec<BoneKey>,
    pub sheary: Vec<BoneKey>,
    /// Since 4.2.
    pub inherit: Vec<InheritKey>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct BoneKey {
    pub time: Number,
    /// Rotation before 4.0.
    pub angle: Option<Number>,
    /// Of a timeline of one number. Since 4.0.
    pub value: Option<Number>,
    pub x: Option<Number>,
    pub y: Option<Number>,
    pub curve: Option<Curve>,
    pub c2: Option<Number>,
    pub c3: Option<Number>,
    pub c4: Option<Number>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct InheritKey {
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

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct SlotTimelines<'a> {
    #[serde(borrow)]
    pub attachment: Vec<AttachmentKey<'a>>,
    #[serde(borrow)]
    pub color: Vec<ColorKey<'a>>,
    #[serde(borrow)]
    pub two_color: Vec<ColorKey<'a>>,
    /// The following since 4.0.
    #[serde(borrow)]
    pub rgba: Vec<ColorKey<'a>>,
    #[serde(borrow)]
    pub rgb: Vec<ColorKey<'a>>,
    pub alpha: Vec<ValueKey>,
    #[serde(borrow)]
    pub rgba2: Vec<ColorKey<'a>>,
    #[serde(borrow)]
    pub rgb2: Vec<ColorKey<'a>>,
}

/// A key with one number. Since 4.0.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct ValueKey {
    pub time: Number,
    /// The default depends on the timeline.
    pub value: Option<Number>,
    pub curve: Option<Curve>,
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
    pub color: Option<Color<'a>>,
    #[serde(borrow)]
    pub light: Option<Color<'a>>,
    #[serde(borrow)]
    pub dark: Option<Color<'a>>,
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

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TransformKey {
    #[serde(default)]
    pub time: Number,
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

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PathKey {
    #[serde(default)]
    pub time: Number,
    /// Before 4.0.
    #[serde(default)]
    pub position: Number,
    /// Before 4.0.
    #[serde(default)]
    pub spacing: Number,
    /// Position or spacing. Since 4.0.
    #[serde(default)]
    pub value: Option<Number>,
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
    pub curve: Option<Curve>,
    pub c2: Option<Number>,
    pub c3: Option<Number>,
    pub c4: Option<Number>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct PhysicsTimelines {
    pub inertia: Vec<ValueKey>,
    pub strength: Vec<ValueKey>,
    pub damping: Vec<ValueKey>,
    pub mass: Vec<ValueKey>,
    pub wind: Vec<ValueKey>,
    pub gravity: Vec<ValueKey>,
    pub mix: Vec<ValueKey>,
    pub reset: Vec<ResetKey>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct ResetKey {
    pub time: Number,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct AttachmentTimelines {
    pub deform: Vec<DeformKey>,
    pub sequence: Vec<SequenceKey>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct SequenceKey {
    pub time: Number,
    pub mode: SequenceMode,
    /// The first picture; negative: that at rest.
    pub index: i32,
    /// Seconds per picture; by default that of the previous key.
    pub delay: Option<Number>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
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

#[derive(Debug, Clone, Default, Deserialize)]
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
