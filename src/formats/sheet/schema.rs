//! The JSON of a sprite sheet, in its own words: Aseprite's, what TexturePacker, Pixi and Phaser make of it, and
//! Egret's. The readers of the other dialects fill the same types.
//!
//! Keys that mean nothing here are passed over: every program adds its own. Lists of frames keep the order of the
//! text, with names that stand twice.

use std::fmt;
use std::marker::PhantomData;

use serde::Deserialize;
use serde::de::{Deserializer, Error as _, MapAccess, SeqAccess, Visitor};

pub use super::frame::{Frame, Turn};
use super::loose::Scalar;

/// A whole file.
#[derive(Debug, Default, Deserialize)]
pub struct Root {
    pub frames: Option<Frames>,
    /// In place of `frames`: one entry a picture (Phaser).
    pub textures: Option<Vec<Texture>>,
    pub meta: Option<Meta>,
    /// The picture (Egret).
    pub file: Option<String>,
    /// Names of animations, each with the names of its frames (Pixi).
    pub animations: Option<Pairs<Vec<Name>>>,
}

/// One picture of several.
#[derive(Debug, Deserialize)]
pub struct Texture {
    pub image: Option<String>,
    pub size: Option<Size>,
    pub frames: Frames,
    /// Its colours are multiplied with alpha, as an atlas says.
    #[serde(skip)]
    pub is_premultiplied: Option<bool>,
}

/// The frames, in the order of the text.
#[derive(Debug, Default)]
pub struct Frames {
    pub list: Vec<Frame>,
    /// Whether they are an object with a name for each, not a list.
    pub is_hash: bool,
    /// How many of them cannot be shown.
    lost: usize,
}

/// More frames than this that cannot be shown have to be the lesser part: they take less space in a file than in
/// memory.
const MAX_LOST: usize = 1000;

impl Frames {
    /// None yet, by their names.
    pub fn hash() -> Self {
        Self { is_hash: true, ..Self::default() }
    }

    /// Adds a frame. Fails where so many cannot be shown that this is no sheet.
    pub fn push(&mut self, frame: Frame) -> Result<(), &'static str> {
        self.lost += usize::from(frame.is_lost);
        self.list.push(frame);
        if self.lost > MAX_LOST && self.lost > self.list.len() / 2 {
            return Err("most of these are not frames of a sheet");
        }
        Ok(())
    }
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Deserialize)]
pub struct Rect {
    pub x: Number,
    pub y: Number,
    pub w: Number,
    pub h: Number,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Deserialize)]
pub struct Size {
    pub w: Number,
    pub h: Number,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Deserialize)]
pub struct Point {
    pub x: Number,
    pub y: Number,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Meta {
    /// The program that wrote the file.
    pub app: Option<Scalar>,
    pub image: Option<String>,
    pub size: Option<Size>,
    pub frame_tags: Option<Vec<Tag>>,
    pub slices: Option<Vec<Slice>>,
    #[serde(rename = "related_multi_packs")]
    pub related_multi_packs: Option<Vec<String>>,
}

#[derive(Debug, Deserialize)]
pub struct Tag {
    pub name: Option<Name>,
    pub from: Number,
    pub to: Number,
    pub direction: Option<String>,
    pub repeat: Option<Repeat>,
}

#[derive(Debug, Deserialize)]
pub struct Slice {
    pub name: Option<String>,
    pub keys: Option<Vec<SliceKey>>,
}

#[derive(Debug, Clone, Copy, Deserialize)]
pub struct SliceKey {
    pub frame: Number,
    pub bounds: Option<Rect>,
    pub pivot: Option<Point>,
}

/// A number of pixels, whole or not.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Number(pub f32);

impl Meta {
    /// Whether Aseprite may have written it: it says so, or does not say who did.
    pub fn may_be_asepritic(&self) -> bool {
        match &self.app {
            None => true,
            Some(Scalar::Text(app)) => app.to_ascii_lowercase().contains("aseprite"),
            Some(_) => false,
        }
    }
}

impl From<[Number; 4]> for Rect {
    fn from([x, y, w, h]: [Number; 4]) -> Self {
        Self { x, y, w, h }
    }
}

impl From<[Number; 2]> for Size {
    fn from([w, h]: [Number; 2]) -> Self {
        Self { w, h }
    }
}

impl Number {
    /// Coordinates further out are refused: single precision does not know every whole number there.
    pub const LARGEST: f64 = 16_777_216.0;

    /// `None` where `number` is not finite or out of bounds.
    pub fn new(number: f64) -> Option<Self> {
        (number.abs() <= Self::LARGEST).then_some(Self(number as f32))
    }
}

/// How long a frame is shown, as it is written.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(transparent)]
pub struct Milliseconds(pub f64);

/// How often a tag is played: a number, which Aseprite writes as a string. `None` where it is no such number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Repeat(pub Option<u32>);

/// A name, which some programs write as a number.
#[derive(Debug, Clone, PartialEq)]
pub struct Name(pub String);

/// An object in the order of the text.
#[derive(Debug)]
pub struct Pairs<T>(pub Vec<(String, T)>);

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let number = f64::deserialize(deserializer)?;
        Self::new(number).ok_or_else(|| {
            D::Error::custom(format_args!("{number} is out of bounds, coordinates go up to {}", Self::LARGEST))
        })
    }
}

impl<'de> Deserialize<'de> for Repeat {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Any;
        impl Visitor<'_> for Any {
            type Value = Repeat;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number, or one in a string")
            }

            fn visit_u64<E>(self, number: u64) -> Result<Repeat, E> {
                Ok(Repeat(u32::try_from(number).ok()))
            }

            fn visit_i64<E>(self, number: i64) -> Result<Repeat, E> {
                Ok(Repeat(u32::try_from(number).ok()))
            }

            fn visit_f64<E>(self, number: f64) -> Result<Repeat, E> {
                let is_whole = (0.0..=Number::LARGEST).contains(&number) && number.fract() == 0.0;
                Ok(Repeat(is_whole.then_some(number as u32)))
            }

            fn visit_str<E>(self, text: &str) -> Result<Repeat, E> {
                Ok(Repeat(text.trim().parse().ok()))
            }
        }
        deserializer.deserialize_any(Any)
    }
}

impl<'de> Deserialize<'de> for Name {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Any;
        impl Visitor<'_> for Any {
            type Value = Name;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a name")
            }

            fn visit_u64<E>(self, number: u64) -> Result<Name, E> {
                Ok(Name(number.to_string()))
            }

            fn visit_str<E>(self, text: &str) -> Result<Name, E> {
                Ok(Name(text.to_owned()))
            }

            fn visit_string<E>(self, text: String) -> Result<Name, E> {
                Ok(Name(text))
            }
        }
        deserializer.deserialize_any(Any)
    }
}

impl<'de> Deserialize<'de> for Frames {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Any;
        impl<'de> Visitor<'de> for Any {
            type Value = Frames;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list of frames, or an object of them")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Frames, A::Error> {
                let mut frames = Frames::default();
                while let Some(frame) = access.next_element()? {
                    frames.push(frame).map_err(A::Error::custom)?;
                }
                Ok(frames)
            }

            fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Frames, A::Error> {
                let mut frames = Frames::hash();
                while let Some((name, frame)) = access.next_entry::<String, Frame>()? {
                    let frame = Frame { filename: Some(Name(name)), ..frame };
                    frames.push(frame).map_err(A::Error::custom)?;
                }
                Ok(frames)
            }
        }
        deserializer.deserialize_any(Any)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Pairs<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Any<T>(PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for Any<T> {
            type Value = Pairs<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Pairs<T>, A::Error> {
                let mut pairs = Vec::new();
                while let Some(pair) = access.next_entry()? {
                    pairs.push(pair);
                }
                Ok(Pairs(pairs))
            }
        }
        deserializer.deserialize_map(Any(PhantomData))
    }
}
