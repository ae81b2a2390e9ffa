//! The JSON of Spine 3.8 field for field, in the words of its description, with the older forms of 3.6 and 3.7.
//!
//! What is left out has its default here where the description gives one that files keep to. Angles are degrees.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use serde::Deserialize;
use serde::de::{Deserializer, Error, MapAccess, SeqAccess, Visitor};

/// A finite number.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Number(pub f32);

/// A string, borrowed where it is written as it is.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Text<'a>(pub Cow<'a, str>);

/// The entries of an object in their order.
#[derive(Debug, Clone)]
pub struct Entries<'a, T>(pub Vec<(Text<'a>, T)>);

/// A list of attachments by slot and name: an object of objects.
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
    #[serde(borrow)]
    pub skins: Skins<'a>,
    #[serde(borrow)]
    pub events: Entries<'a, Event<'a>>,
    #[serde(borrow)]
    pub animations: Entries<'a, Animation<'a>>,
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
    #[serde(default)]
    pub transform: Inherit,
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
    #[serde(borrow, default, rename = "color")]
    pub _color: Option<Text<'a>>,
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
    pub color: Option<Text<'a>>,
    #[serde(borrow, default)]
    pub dark: Option<Text<'a>>,
    #[serde(borrow, default)]
    pub attachment: Option<Text<'a>>,
    #[serde(default)]
    pub blend: Blend,
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

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Transform<'a> {
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
    #[serde(default = "one")]
    pub rotate_mix: Number,
    #[serde(default = "one")]
    pub translate_mix: Number,
    #[serde(default = "one")]
    pub scale_mix: Number,
    #[serde(default = "one")]
    pub shear_mix: Number,
    #[serde(default)]
    pub local: bool,
    #[serde(default)]
    pub relative: bool,
}

#[derive(Debug, Deserialize)]
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
    #[serde(default = "one")]
    pub rotate_mix: Number,
    #[serde(default = "one")]
    pub translate_mix: Number,
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
}

#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum RotateMode {
    #[default]
    Tangent,
    Chain,
    ChainScale,
}

/// A list in 3.8; before it an object of attachments by name.
#[derive(Debug, Default)]
pub struct Skins<'a> {
    pub list: Vec<Skin<'a>>,
    /// It was an object.
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
}

/// What attachments of every type have.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Attachment<'a> {
    #[serde(rename = "type")]
    pub kind: AttachmentType,
    #[serde(borrow)]
    pub name: Option<Text<'a>>,
    #[serde(borrow)]
    pub path: Option<Text<'a>>,
    #[serde(borrow)]
    pub color: Option<Text<'a>>,
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
    #[serde(borrow)]
    pub skin: Option<Text<'a>>,
    #[serde(borrow)]
    pub parent: Option<Text<'a>>,
    pub deform: Option<bool>,
    pub closed: bool,
    pub constant_speed: Option<bool>,
    pub lengths: Vec<Number>,
    #[serde(borrow)]
    pub end: Option<Text<'a>>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum AttachmentType {
    #[default]
    Region,
    Mesh,
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

/// How a key leads to the next.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Curve {
    /// Nothing between, as if it were left out.
    Linear,
    /// Holds.
    Stepped,
    /// The first of four numbers, the others are `c2` to `c4`.
    First(f32),
    /// All four numbers, as up to 3.7.
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
    /// Counts numbers, not vertices.
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

fn one() -> Number {
    Number(1.0)
}

fn yes() -> bool {
    true
}

impl<T> Default for Entries<'_, T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl Text<'_> {
    /// As it is.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let number = f32::deserialize(deserializer)?;
        if number.is_finite() { Ok(Self(number)) } else { Err(D::Error::custom("this number is too large")) }
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Text<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Reader;
        impl<'de> Visitor<'de> for Reader {
            type Value = Text<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string")
            }

            fn visit_borrowed_str<E: Error>(self, text: &'de str) -> Result<Self::Value, E> {
                Ok(Text(Cow::Borrowed(text)))
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
                Ok(Text(Cow::Owned(text.to_owned())))
            }

            fn visit_string<E: Error>(self, text: String) -> Result<Self::Value, E> {
                Ok(Text(Cow::Owned(text)))
            }
        }
        deserializer.deserialize_str(Reader)
    }
}

impl<'de: 'a, 'a, T: Deserialize<'de>> Deserialize<'de> for Entries<'a, T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Reader<'a, T>(PhantomData<(&'a (), T)>);
        impl<'de: 'a, 'a, T: Deserialize<'de>> Visitor<'de> for Reader<'a, T> {
            type Value = Entries<'a, T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut entries = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    entries.push(entry);
                }
                Ok(Entries(entries))
            }
        }
        deserializer.deserialize_map(Reader(PhantomData))
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Skins<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Reader<'a>(PhantomData<&'a ()>);
        impl<'de: 'a, 'a> Visitor<'de> for Reader<'a> {
            type Value = Skins<'a>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list of skins, or an object of them")
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
                    Some(_) => Err(A::Error::custom("more than four numbers; a curve has four")),
                }
            }
        }
        deserializer.deserialize_any(Reader)
    }
}
