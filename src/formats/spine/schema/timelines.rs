//! Animations: timelines, keys and their curves.

use serde::{Deserialize, Serialize, Serializer};

use super::keys::{Key, Keys};
use super::table::{Group, Property};
use super::{Color, Entries, Inherit, Number, Text, is_default};
use crate::formats::json::parser::{self, Parser};
use crate::formats::json::pull::{Pull, pulled_by_serde, pulled_objects};
use crate::model::ConstraintKind;

#[derive(Debug, Clone, Default)]
pub struct Animation<'a> {
    pub slots: Entries<'a, SlotTimelines<'a>>,
    pub bones: Entries<'a, BoneTimelines<'a>>,
    /// In the order of [`KINDS`](super::KINDS). JSON has an object for each kind.
    pub constraints: Vec<ConstraintTimelines<'a>>,
    /// By skin, slot and attachment. Since 4.1.
    pub attachments: BySkin<'a, AttachmentTimelines<'a>>,
    /// By skin, slot and attachment. Before 4.1.
    pub deform: BySkin<'a, DeformKeys<'a>>,
    /// The name of `deform` before 3.3.
    pub ffd: Option<BySkin<'a, DeformKeys<'a>>>,
    pub draw_order: Vec<DrawOrderKey<'a>>,
    /// Since 4.3.
    pub folders: Vec<DrawOrderFolder<'a>>,
    pub events: Vec<EventKey<'a>>,
    /// Since 4.3.
    pub color: Option<Color<'a>>,
}

/// The timelines of a constraint.
#[derive(Debug, Clone)]
pub struct ConstraintTimelines<'a> {
    pub kind: ConstraintKind,
    /// An empty name means all constraints of the kind, which only physics supports.
    pub name: Text<'a>,
    pub timelines: Timelines<'a, ResetKey>,
}

impl<'a> Animation<'a> {
    /// The keys of a property of all constraints.
    pub fn keys_mut(&mut self, property: Property) -> impl Iterator<Item = &mut Keys<'a>> {
        let all = self.constraints.iter_mut().flat_map(|it| &mut it.timelines.list);
        all.filter(move |keys| keys.property == property)
    }
}

/// Timelines by skin, slot and attachment.
pub type BySkin<'a, V> = Entries<'a, Entries<'a, Entries<'a, V>>>;

/// The timelines of a bone, slot, constraint or attachment: the ones whose keys apply until the next key, and others.
#[derive(Debug, Clone)]
pub struct Timelines<'a, K> {
    pub steps: Vec<K>,
    /// In the order of their properties.
    pub list: Vec<Keys<'a>>,
}

pub type BoneTimelines<'a> = Timelines<'a, InheritKey>;
pub type SlotTimelines<'a> = Timelines<'a, AttachmentKey<'a>>;
pub type AttachmentTimelines<'a> = Timelines<'a, SequenceKey>;

/// Deformations before 4.1.
#[derive(Debug, Clone)]
pub struct DeformKeys<'a>(pub Keys<'a>);

impl Default for DeformKeys<'_> {
    fn default() -> Self {
        Self(Keys::new(Property::Deform))
    }
}

/// A key of a timeline of steps that all timelines of a group have.
pub trait Step: Timed {
    const GROUP: Group;
}

/// A key that has only a time and values.
pub trait Timed {
    fn time(&self) -> f32;
}

macro_rules! timed {
    ($($name:ty),*) => {$(
        impl Timed for $name {
            fn time(&self) -> f32 {
                self.time.0
            }
        }
    )*};
}

timed!(AttachmentKey<'_>, DrawOrderKey<'_>, EventKey<'_>, InheritKey, ResetKey, SequenceKey);

impl Timed for Key {
    fn time(&self) -> f32 {
        self.time
    }
}

impl Step for InheritKey {
    const GROUP: Group = Group::Bone;
}

impl Step for AttachmentKey<'_> {
    const GROUP: Group = Group::Slot;
}

impl Step for SequenceKey {
    const GROUP: Group = Group::Attachment;
}

impl<K> Default for Timelines<'_, K> {
    fn default() -> Self {
        Self { steps: Vec::new(), list: Vec::new() }
    }
}

impl<'a, K> Timelines<'a, K> {
    /// Sets the keys of a property.
    pub fn put(&mut self, keys: Keys<'a>) {
        let property = keys.property;
        self.list.retain(|other| other.property != property);
        if !keys.is_empty() {
            self.list.insert(self.list.partition_point(|other| other.property < property), keys);
        }
    }
}

#[derive(Debug, Clone, Default, Deserialize, Serialize)]
#[serde(default)]
pub struct InheritKey {
    #[serde(skip_serializing_if = "is_default")]
    pub time: Number,
    pub inherit: Inherit,
}

/// Interpolation from a key to the next.
#[derive(Debug, Clone, Default, PartialEq)]
pub enum Curve {
    #[default]
    Linear,
    /// Constant until the next key.
    Stepped,
    /// Two handles that are stated as four single numbers, `curve` and `c2` to `c4`. Before 4.0.
    Shares([f32; 4]),
    /// Two handles: up to 3.7, and for one value since 4.0.
    Four([f32; 4]),
    /// The handles of two values. Since 4.0.
    Eight([f32; 8]),
    /// The handles of more values. Since 4.0.
    More(Box<[f32]>),
}

impl Curve {
    /// The maximum number of handle coordinates: four for each of seven values.
    pub const MAX_NUMBERS: usize = 28;

    /// The defaults of `c2` to `c4`.
    pub const DEFAULT_SHARES: [f32; 3] = [0.0, 1.0, 1.0];

    fn of_first(c1: f32) -> Self {
        let [c2, c3, c4] = Self::DEFAULT_SHARES;
        Self::Shares([c1, c2, c3, c4])
    }

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
            Self::Linear | Self::Stepped => &[],
            Self::Shares(numbers) | Self::Four(numbers) => numbers,
            Self::Eight(numbers) => numbers,
            Self::More(numbers) => numbers,
        }
    }
}

#[derive(Debug, Clone, Default, Serialize)]
pub struct AttachmentKey<'a> {
    #[serde(skip_serializing_if = "is_default")]
    pub time: Number,
    pub name: Option<Text<'a>>,
}

#[derive(Debug, Clone, Default, Deserialize, Serialize)]
#[serde(default)]
pub struct ResetKey {
    #[serde(skip_serializing_if = "is_default")]
    pub time: Number,
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
    /// Seconds per picture; by default the delay of the previous key.
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
    #[serde(rename = "string", default, skip_serializing_if = "Option::is_none")]
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

/// Slots that keep their places in the draw order among each other. Offsets are places among them.
#[derive(Debug, Clone, Deserialize, Serialize)]
pub struct DrawOrderFolder<'a> {
    #[serde(borrow)]
    pub slots: Vec<Text<'a>>,
    pub keys: Vec<DrawOrderKey<'a>>,
}

#[derive(Debug, Clone, Deserialize, Serialize)]
pub struct DrawOrderOffset<'a> {
    #[serde(borrow)]
    pub slot: Text<'a>,
    /// Written even if it is 0: Spine's own players have no default for it.
    #[serde(default)]
    pub offset: i64,
}

impl Serialize for Curve {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Stepped => serializer.serialize_str("stepped"),
            curve => serializer.collect_seq(curve.handles().iter().map(|number| Number(*number))),
        }
    }
}

pulled_objects! { AttachmentKey<'a>, "struct AttachmentKey" { "time" => time, "name" => name, } }

pulled_by_serde! { InheritKey, ResetKey, SequenceKey, EventKey<'a>, DrawOrderKey<'a>, DrawOrderFolder<'a> }

impl Pull<'_> for Curve {
    fn pull(json: &mut Parser<'_>) -> parser::Result<Self> {
        const ANY: &str = "a number, a list of numbers, or `stepped`";
        const HANDLES: &str = "four numbers for each value, of which there are at most seven";
        let start = json.start();
        match json.peek() {
            Some(b'-' | b'0'..=b'9') => json.number().map(Self::of_first),
            Some(b'"') => match &*json.text()? {
                "stepped" => Ok(Self::Stepped),
                "linear" => Ok(Self::Linear),
                text => Err(json.refused(start, format!("invalid value: string {text:?}, expected {ANY}"))),
            },
            Some(b'[') => {
                let (mut numbers, mut len) = ([0.0; Self::MAX_NUMBERS], 0);
                json.numbers(|number| {
                    if let Some(place) = numbers.get_mut(len) {
                        *place = number;
                    }
                    len += 1;
                })?;
                match numbers.get(..len).filter(|_| len > 0 && len.is_multiple_of(4)) {
                    Some(handles) => Ok(Self::of_handles(handles)),
                    None => Err(json.refused(start, format!("invalid length {len}, expected {HANDLES}"))),
                }
            }
            _ => Err(json.unexpected(&ANY)),
        }
    }
}
