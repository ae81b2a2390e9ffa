//! The JSON of a sprite sheet, in its own words: Aseprite's, and what TexturePacker, Pixi and Phaser make of it.
//!
//! Keys that mean nothing here are passed over: every program adds its own. Lists of frames keep the order of the
//! text, with names that stand twice.

use std::fmt;
use std::marker::PhantomData;

use serde::Deserialize;
use serde::de::{Deserializer, Error as _, MapAccess, SeqAccess, Visitor};

/// A whole file.
#[derive(Debug, Deserialize)]
pub struct Root {
    pub frames: Option<Frames>,
    /// In place of `frames`: one entry a picture (Phaser).
    pub textures: Option<Vec<Texture>>,
    pub meta: Option<Meta>,
    /// Names of animations, each with the names of its frames (Pixi).
    pub animations: Option<Pairs<Vec<Name>>>,
}

/// One picture of several.
#[derive(Debug, Deserialize)]
pub struct Texture {
    pub image: Option<String>,
    pub size: Option<Size>,
    pub frames: Frames,
}

/// The frames, in the order of the text.
#[derive(Debug)]
pub struct Frames {
    pub list: Vec<Frame>,
    /// Whether they are an object with a name for each, not a list.
    pub is_hash: bool,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Frame {
    pub filename: Option<Name>,
    pub frame: Rect,
    pub rotated: Option<bool>,
    pub sprite_source_size: Option<Rect>,
    pub source_size: Option<Size>,
    pub duration: Option<Milliseconds>,
    pub pivot: Option<Point>,
    pub anchor: Option<Point>,
}

impl Frame {
    /// A rectangle of a page of which nothing else is said.
    pub fn of(frame: Rect) -> Self {
        Self {
            filename: None,
            frame,
            rotated: None,
            sprite_source_size: None,
            source_size: None,
            duration: None,
            pivot: None,
            anchor: None,
        }
    }
}

#[derive(Debug, Clone, Copy, Deserialize)]
pub struct Rect {
    pub x: Number,
    pub y: Number,
    pub w: Number,
    pub h: Number,
}

#[derive(Debug, Clone, Copy, Deserialize)]
pub struct Size {
    pub w: Number,
    pub h: Number,
}

#[derive(Debug, Clone, Copy, Deserialize)]
pub struct Point {
    pub x: Number,
    pub y: Number,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Meta {
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
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Number(pub f32);

/// Beyond this, single precision does not know every whole number.
const LARGEST: f64 = 16_777_216.0;

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
        if number.abs() <= LARGEST {
            return Ok(Self(number as f32));
        }
        Err(D::Error::custom(format_args!("{number} is out of bounds, coordinates go up to {LARGEST}")))
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
                let is_whole = (0.0..=LARGEST).contains(&number) && number.fract() == 0.0;
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
                let mut list = Vec::new();
                while let Some(frame) = access.next_element()? {
                    list.push(frame);
                }
                Ok(Frames { list, is_hash: false })
            }

            fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Frames, A::Error> {
                let mut list = Vec::new();
                while let Some((name, frame)) = access.next_entry::<String, Frame>()? {
                    list.push(Frame { filename: Some(Name(name)), ..frame });
                }
                Ok(Frames { list, is_hash: true })
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
