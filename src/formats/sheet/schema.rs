//! Sprite sheet JSON in its own terms: Aseprite's, with the variants of TexturePacker, Pixi and Phaser, and Egret's.
//! The readers of the other dialects fill the same types.
//!
//! Unknown keys are ignored: every program adds its own. Frames keep the order of the text, including duplicate
//! names.

use std::fmt;
use std::marker::PhantomData;

use serde::Deserialize;
use serde::de::{Deserializer, Error as _, MapAccess, SeqAccess, Visitor};

pub use super::frame::{Frame, Turn};
use super::loose::Scalar;
use crate::formats::json::deserialize_any;
use crate::model::Order;

/// A file.
#[derive(Debug, Default, Deserialize)]
pub struct Root {
    pub frames: Option<Frames>,
    /// One entry per image, instead of `frames` (Phaser).
    pub textures: Option<Vec<Texture>>,
    pub meta: Option<Meta>,
    /// The image (Egret).
    pub file: Option<String>,
    /// Animation names with the names of their frames (Pixi).
    pub animations: Option<Pairs<Vec<Name>>>,
    /// True if Adobe Animate wrote the sheet, or if its frames are named as there.
    #[serde(skip)]
    pub is_of_animate: bool,
}

/// One of several images.
#[derive(Debug, Deserialize)]
pub struct Texture {
    pub image: Option<String>,
    pub size: Option<Size>,
    /// Godot calls them sprites.
    #[serde(alias = "sprites")]
    pub frames: Frames,
    /// Whether its colours are multiplied with alpha, if an atlas declares it.
    #[serde(skip)]
    pub is_premultiplied: Option<bool>,
}

/// The frames, in the order of the text.
#[derive(Debug, Default)]
pub struct Frames {
    pub list: Vec<Frame>,
    /// True for an object with a name for each frame, false for an array.
    pub is_hash: bool,
    /// Number of frames that cannot be shown.
    lost: usize,
}

/// If more frames than this cannot be shown, they must be a minority: they take less space in a file than in
/// memory.
const MAX_LOST: usize = 1000;

impl Frames {
    /// Creates an empty object of frames.
    pub fn hash() -> Self {
        Self { is_hash: true, ..Self::default() }
    }

    /// Adds a frame. Fails if too many cannot be shown.
    pub fn push(&mut self, frame: Frame) -> Result<(), &'static str> {
        self.lost += usize::from(frame.is_lost);
        self.list.push(frame);
        if self.lost > MAX_LOST && self.lost > self.list.len() / 2 {
            return Err("most entries are not valid frames");
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
    pub layers: Option<Vec<Layer>>,
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

/// The orders in which tags are played, by their numbers in Aseprite files.
pub const ORDERS: [Order; 4] = [Order::Forward, Order::Reverse, Order::PingPong, Order::PingPongReverse];

/// Returns the word for an order, as in [`Tag::direction`].
pub fn direction(order: Order) -> &'static str {
    match order {
        Order::Forward => "forward",
        Order::Reverse => "reverse",
        Order::PingPong => "pingpong",
        Order::PingPongReverse => "pingpong_reverse",
    }
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Layer {
    pub name: Option<Name>,
    /// The name of its group.
    pub group: Option<Name>,
    pub blend_mode: Option<String>,
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
    /// Returns true if the file is from Aseprite or does not state its program.
    pub fn may_be_asepritic(&self) -> bool {
        Self::may_be_of_aseprite(self.app.as_ref())
    }

    /// Returns true if `app` is Aseprite or unknown.
    pub fn may_be_of_aseprite(app: Option<&Scalar>) -> bool {
        match app {
            None => true,
            Some(Scalar::Text(app)) => app.to_ascii_lowercase().contains("aseprite"),
            Some(_) => false,
        }
    }

    /// Returns true if the file is from Adobe Animate.
    pub fn is_of_animate(&self) -> bool {
        matches!(&self.app, Some(Scalar::Text(app)) if app.contains("Adobe Animate") || app.contains("Adobe Flash"))
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
    /// Maximum magnitude of coordinates: beyond it, single precision cannot represent all integers.
    pub const LARGEST: f64 = 16_777_216.0;

    /// Returns `None` if `number` is not finite or out of range.
    pub fn new(number: f64) -> Option<Self> {
        (number.abs() <= Self::LARGEST).then_some(Self(number as f32))
    }
}

/// Duration of a frame, as stored.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(transparent)]
pub struct Milliseconds(pub f64);

/// Number of times a tag is played, which Aseprite writes as a string. `None` if it is not a valid number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Repeat(pub Option<u32>);

/// A name, which some programs write as a number.
#[derive(Debug, Clone, PartialEq)]
pub struct Name(pub String);

/// The entries of an object in the order of the text.
#[derive(Debug)]
pub struct Pairs<T>(pub Vec<(String, T)>);

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let number = f64::deserialize(deserializer)?;
        Self::new(number).ok_or_else(|| {
            D::Error::custom(format_args!(
                "{number} is out of range, coordinates are limited to ±{}",
                Self::LARGEST
            ))
        })
    }
}

deserialize_any! { Repeat, "a number, or a string with a number", {
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
} }

deserialize_any! { Name, "a name", {
    fn visit_u64<E>(self, number: u64) -> Result<Name, E> {
        Ok(Name(number.to_string()))
    }

    fn visit_str<E>(self, text: &str) -> Result<Name, E> {
        Ok(Name(text.to_owned()))
    }
} }

deserialize_any! { Frames, "an array or an object of frames", {
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
} }

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
