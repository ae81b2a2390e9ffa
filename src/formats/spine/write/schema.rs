//! The written subset of Spine 3.8 JSON, field for field. Defaults are left out, as Spine does.

use serde::{Serialize, Serializer};

use crate::formats::json::number::Number;

/// The entries of an object, in order.
#[derive(Debug)]
pub struct Entries<T>(pub Vec<(String, T)>);

#[derive(Debug, Serialize)]
pub struct Root {
    pub skeleton: Skeleton,
    pub bones: Vec<Bone>,
    pub slots: Vec<Slot>,
    pub skins: Vec<Skin>,
    pub animations: Entries<Animation>,
}

#[derive(Debug, Serialize)]
pub struct Skeleton {
    pub spine: &'static str,
    pub x: Number,
    pub y: Number,
    pub width: Number,
    pub height: Number,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fps: Option<Number>,
    pub images: &'static str,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Bone {
    pub name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parent: Option<String>,
    #[serde(skip_serializing_if = "is_zero")]
    pub length: Number,
    #[serde(skip_serializing_if = "is_zero")]
    pub x: Number,
    #[serde(skip_serializing_if = "is_zero")]
    pub y: Number,
    #[serde(skip_serializing_if = "is_zero")]
    pub rotation: Number,
    #[serde(skip_serializing_if = "is_one")]
    pub scale_x: Number,
    #[serde(skip_serializing_if = "is_one")]
    pub scale_y: Number,
}

#[derive(Debug, Serialize)]
pub struct Slot {
    pub name: String,
    pub bone: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub color: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dark: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attachment: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub blend: Option<&'static str>,
}

#[derive(Debug, Serialize)]
pub struct Skin {
    pub name: &'static str,
    /// By slot and name.
    pub attachments: Entries<Entries<Mesh>>,
}

#[derive(Debug, Serialize)]
pub struct Mesh {
    #[serde(rename = "type")]
    pub kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub color: Option<String>,
    pub uvs: Vec<Number>,
    pub triangles: Vec<u16>,
    pub vertices: Vec<Item>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hull: Option<usize>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub edges: Vec<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub width: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub height: Option<u32>,
}

/// An entry of `vertices`, which mixes counts and bone indices with coordinates and weights.
#[derive(Debug, Clone, Copy)]
pub enum Item {
    Count(usize),
    Number(Number),
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Animation {
    #[serde(skip_serializing_if = "Entries::is_empty")]
    pub slots: Entries<SlotTimelines>,
    #[serde(skip_serializing_if = "Entries::is_empty")]
    pub bones: Entries<BoneTimelines>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub draw_order: Vec<DrawOrderKey>,
}

#[derive(Debug, Serialize)]
pub struct SlotTimelines {
    pub attachment: Vec<AttachmentKey>,
}

#[derive(Debug, Serialize)]
pub struct AttachmentKey {
    pub time: Number,
    pub name: Option<String>,
}

#[derive(Debug, Default, Serialize)]
pub struct BoneTimelines {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rotate: Vec<RotateKey>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub translate: Vec<BoneKey>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub scale: Vec<BoneKey>,
}

#[derive(Debug, Serialize)]
pub struct RotateKey {
    pub time: Number,
    pub angle: Number,
}

#[derive(Debug, Serialize)]
pub struct BoneKey {
    pub time: Number,
    pub x: Number,
    pub y: Number,
}

#[derive(Debug, Serialize)]
pub struct DrawOrderKey {
    pub time: Number,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub offsets: Vec<DrawOrderOffset>,
}

#[derive(Debug, Serialize)]
pub struct DrawOrderOffset {
    pub slot: String,
    pub offset: i64,
}

impl<T> Entries<T> {
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl<T: Serialize> Serialize for Entries<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, entry)| (name, entry)))
    }
}

impl Serialize for Item {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Count(count) => count.serialize(serializer),
            Self::Number(number) => number.serialize(serializer),
        }
    }
}

fn is_zero(number: &Number) -> bool {
    number.0 == 0.0
}

fn is_one(number: &Number) -> bool {
    number.0 == 1.0
}
