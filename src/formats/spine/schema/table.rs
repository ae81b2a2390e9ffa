//! All timelines of numbers, colours and deformations, a row for each: their names and fields in JSON, which versions
//! have them, their defaults, and how binaries store them.

use crate::formats::spine::binary::Layout;
use crate::model::ConstraintKind;
use crate::rows::rows;

/// What has timelines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Group {
    Slot,
    Bone,
    Constraint(ConstraintKind),
    Attachment,
}

impl Group {
    /// The name of its timeline of steps, if it has one.
    pub fn steps(self) -> Option<&'static str> {
        match self {
            Self::Slot => Some("attachment"),
            Self::Bone => Some("inherit"),
            Self::Attachment => Some("sequence"),
            Self::Constraint(kind) => (kind == ConstraintKind::Physics).then_some("reset"),
        }
    }

    /// Its only timeline, which has no name.
    pub fn only(self) -> Option<Property> {
        Property::of(self).find(|property| property.row().name.is_empty())
    }
}

/// A timeline.
#[derive(Debug)]
pub struct Row {
    pub group: Group,
    /// Empty for the only timeline of its group.
    pub name: &'static str,
    pub form: &'static Form,
    /// The values of a key.
    pub channels: &'static [Channel],
    /// The types in binaries before 4.0 and since, `None` if there was no such timeline.
    pub codes: [Option<u8>; 2],
    /// True if it is a part of another timeline of its group, and is applied after that.
    pub is_part: bool,
}

/// The keys of several timelines in JSON.
#[derive(Debug)]
pub struct Form {
    /// How errors call a key.
    pub what: &'static str,
    pub fields: &'static [Field],
    /// True if curves before 4.0 consist of single numbers.
    pub has_shares: bool,
}

/// A field of a key.
#[derive(Debug)]
pub struct Field {
    pub name: &'static str,
    pub kind: FieldKind,
    pub since: Layout,
    pub until: Layout,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum FieldKind {
    /// A number that may be null.
    Optional,
    /// A number with this default.
    Number(f32),
    /// Yes or no, with this default.
    Switch(bool),
    Color,
    /// A colour without alpha.
    Dark,
    /// A whole number, by default 0.
    Count,
    /// A list of numbers, by default empty.
    List,
}

/// A number or a colour of a key, in one field.
#[derive(Debug)]
pub struct Channel {
    /// Its field since 4.0.
    pub field: usize,
    /// Its field before 4.0, if it had one.
    pub old: Option<usize>,
    pub rest: Rest,
    pub encoding: Encoding,
}

/// The default of a number.
#[derive(Debug, Clone, Copy)]
pub enum Rest {
    Is(f32),
    /// The same as for an earlier value of the key.
    SameAs(usize),
}

/// How binaries store a channel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Encoding {
    Float,
    /// A share as a byte.
    Byte,
    Rgba,
    /// Without alpha; four bytes before 4.0.
    Rgb,
}

/// The maximum number of values of a key.
pub const MAX_WIDTH: usize = 7;

/// The maximum number of fields of a key.
pub const MAX_FIELDS: usize = 10;

impl Property {
    /// The timelines of a group.
    pub fn of(group: Group) -> impl Iterator<Item = Self> {
        Self::ALL.into_iter().filter(move |property| property.row().group == group)
    }

    /// The timeline with this type in binaries.
    pub fn with_code(group: Group, code: u8, layout: Layout) -> Option<Self> {
        Self::of(group).find(|property| property.code(layout) == Some(code))
    }

    /// Its type in binaries.
    pub fn code(self, layout: Layout) -> Option<u8> {
        let codes = if layout < Layout::V3_6 { &OLD_CODES[..] } else { &[] };
        let old = codes.iter().find(|(property, _)| *property == self);
        let old = old.and_then(|(_, codes)| codes.get(layout as usize));
        old.copied().unwrap_or_else(|| self.row().codes[usize::from(layout.is_four())])
    }
}

impl Row {
    /// The type of timelines of attachments of a slot.
    pub fn attachment_code(layout: Layout) -> u8 {
        [3, 3, 4].get(layout as usize).copied().unwrap_or(0)
    }

    /// The number of values; a colour has three or four.
    pub fn width(&self) -> usize {
        self.channels.iter().map(|channel| channel.encoding.width()).sum()
    }

    /// The number of values whose curves a key of 4.0 states.
    pub fn curves(&self) -> usize {
        // The value of a deformation is the share of the next key.
        self.width().max(1)
    }

    /// The channels that a version has, with their fields and the places of their values.
    pub fn stored(
        &self,
        layout: Layout,
    ) -> impl Iterator<Item = (&'static Field, usize, usize, Encoding)> + Clone {
        let Self { channels, form, .. } = *self;
        let mut at = 0;
        channels.iter().filter_map(move |channel| {
            let first = at;
            at += channel.encoding.width();
            let place = if layout.is_four() { Some(channel.field) } else { channel.old };
            let place = place.filter(|place| form.fields[*place].since <= layout)?;
            Some((&form.fields[place], place, first, channel.encoding))
        })
    }

    /// True if none of its colours has alpha.
    pub fn is_opaque(&self) -> bool {
        matches!(self.channels, [Channel { encoding: Encoding::Rgb, .. }, ..])
    }
}

impl Channel {
    pub fn is_color(&self) -> bool {
        matches!(self.encoding, Encoding::Rgba | Encoding::Rgb)
    }
}

impl Encoding {
    pub fn width(self) -> usize {
        match self {
            Self::Float | Self::Byte => 1,
            Self::Rgba => 4,
            Self::Rgb => 3,
        }
    }

    /// The number of bytes.
    pub fn size(self, layout: Layout) -> usize {
        match self {
            Self::Float => size_of::<f32>(),
            Self::Rgb if !layout.is_four() => 4,
            encoding => encoding.width(),
        }
    }
}

const fn field(name: &'static str, kind: FieldKind) -> Field {
    Field { name, kind, since: Layout::OLDEST, until: Layout::NEWEST }
}

const fn number(name: &'static str) -> Field {
    field(name, FieldKind::Optional)
}

impl Field {
    const fn since(self, since: Layout) -> Self {
        Self { since, ..self }
    }

    /// A number before 4.0.
    const fn old(name: &'static str) -> Self {
        Self { until: Layout::V3_8, ..number(name) }
    }

    /// A number since 4.0.
    const fn new(name: &'static str) -> Self {
        number(name).since(Layout::V4_0)
    }
}

static BONE: Form = Form {
    what: "struct BoneKey",
    fields: &[Field::old("angle"), Field::new("value"), number("x"), number("y")],
    has_shares: true,
};
/// In 2.1.
static FLIP_X: Form =
    Form { what: "struct FlipKey", fields: &[field("x", FieldKind::Switch(false))], has_shares: false };
/// In 2.1.
static FLIP_Y: Form =
    Form { what: "struct FlipKey", fields: &[field("y", FieldKind::Switch(false))], has_shares: false };
static COLOR: Form = Form {
    what: "struct ColorKey",
    fields: &[field("color", FieldKind::Color), field("light", FieldKind::Color), field("dark", FieldKind::Dark)],
    has_shares: true,
};
/// Since 4.0.
static VALUE: Form = Form { what: "struct ValueKey", fields: &[number("value")], has_shares: false };
static IK: Form = Form {
    what: "struct IkKey",
    fields: &[
        field("mix", FieldKind::Number(1.0)),
        field("softness", FieldKind::Number(0.0)).since(Layout::V3_8),
        field("bendPositive", FieldKind::Switch(true)),
        field("compress", FieldKind::Switch(false)).since(Layout::V3_7),
        field("stretch", FieldKind::Switch(false)).since(Layout::V3_7),
    ],
    has_shares: true,
};
static TRANSFORM: Form = Form {
    what: "struct TransformKey",
    fields: &[
        Field::old("rotateMix"),
        Field::old("translateMix"),
        Field::old("scaleMix"),
        Field::old("shearMix"),
        Field::new("mixRotate"),
        Field::new("mixX"),
        Field::new("mixY"),
        Field::new("mixScaleX"),
        Field::new("mixScaleY"),
        Field::new("mixShearY"),
    ],
    has_shares: true,
};
static PATH: Form = Form {
    what: "struct PathKey",
    fields: &[
        Field { kind: FieldKind::Number(0.0), ..Field::old("position") },
        Field { kind: FieldKind::Number(0.0), ..Field::old("spacing") },
        Field::new("value"),
        Field::old("rotateMix"),
        Field::old("translateMix"),
        Field::new("mixRotate"),
        Field::new("mixX"),
        Field::new("mixY"),
    ],
    has_shares: true,
};
static DEFORM: Form = Form {
    what: "struct DeformKey",
    // The offset is the first number (not vertex) that `vertices` applies to.
    fields: &[field("offset", FieldKind::Count), field("vertices", FieldKind::List)],
    has_shares: true,
};

/// The fields of IK keys that are no values.
pub const SWITCHES: std::ops::Range<usize> = 2..5;
/// The fields of keys of deformations.
pub const OFFSET: usize = 0;
pub const VERTICES: usize = 1;

const fn renamed(old: usize, field: usize, rest: f32) -> Channel {
    Channel { field, old: Some(old), rest: Rest::Is(rest), encoding: Encoding::Float }
}

const fn value(field: usize, rest: f32) -> Channel {
    renamed(field, field, rest)
}

/// A number since 4.0, by default the number of another channel.
const fn split(field: usize, from: usize) -> Channel {
    Channel { field, old: None, rest: Rest::SameAs(from), encoding: Encoding::Float }
}

const fn color(field: usize, encoding: Encoding) -> Channel {
    Channel { field, old: Some(field), rest: Rest::Is(1.0), encoding }
}

/// The types of a timeline in binaries before 4.0 and since.
type Codes = [Option<u8>; 2];

const fn both(old: u8, new: u8) -> Codes {
    [Some(old), Some(new)]
}

const fn until_3_8(code: u8) -> Codes {
    [Some(code), None]
}

const fn since_4_0(code: u8) -> Codes {
    [None, Some(code)]
}

/// The types in binaries before 3.6, by [`Layout`], of timelines that do not always have the same type.
const OLD_CODES: [(Property, [Option<u8>; 5]); 8] = [
    (Property::Color, [Some(4), Some(4), Some(5), Some(1), Some(1)]),
    (Property::TwoColor, [None; 5]),
    (Property::Rotate, [Some(1), Some(1), Some(0), Some(0), Some(0)]),
    (Property::Translate, [Some(2), Some(2), Some(1), Some(1), Some(1)]),
    (Property::Scale, [Some(0), Some(0), Some(2), Some(2), Some(2)]),
    (Property::Shear, [None, None, Some(3), Some(3), Some(3)]),
    (Property::FlipX, [Some(5), None, None, None, None]),
    (Property::FlipY, [Some(6), None, None, None, None]),
];

type Channels = &'static [Channel];

const fn row(group: Group, name: &'static str, form: &'static Form, channels: Channels, codes: Codes) -> Row {
    Row { group, name, form, channels, codes, is_part: false }
}

const fn slot(name: &'static str, channels: Channels, codes: Codes) -> Row {
    row(Group::Slot, name, &COLOR, channels, codes)
}

const fn bone(name: &'static str, channels: Channels, codes: Codes) -> Row {
    row(Group::Bone, name, &BONE, channels, codes)
}

/// One component of another timeline of the bone.
const fn axis(name: &'static str, channels: Channels, code: u8) -> Row {
    Row { is_part: true, ..bone(name, channels, since_4_0(code)) }
}

const fn path(name: &'static str, channels: Channels, code: u8) -> Row {
    row(Group::Constraint(ConstraintKind::Path), name, &PATH, channels, both(code, code))
}

const fn physics(name: &'static str, channels: Channels, code: u8) -> Row {
    row(Group::Constraint(ConstraintKind::Physics), name, &VALUE, channels, since_4_0(code))
}

const X_AND_Y: Channels = &[value(2, 0.0), value(3, 0.0)];
const FACTORS: Channels = &[value(2, 1.0), value(3, 1.0)];
const SINGLE: Channels = &[value(1, 0.0)];
const FACTOR: Channels = &[value(1, 1.0)];
const FROM_0: Channels = &[value(0, 0.0)];
const FROM_1: Channels = &[value(0, 1.0)];
const ALPHA: Channels = &[Channel { encoding: Encoding::Byte, ..value(0, 0.0) }];
const IK_MIXES: Channels = &[value(0, 1.0), value(1, 0.0)];
const MIXES: Channels =
    &[renamed(0, 4, 1.0), renamed(1, 5, 1.0), split(6, 1), renamed(2, 7, 1.0), split(8, 3), renamed(3, 9, 1.0)];
const PATH_MIXES: Channels = &[renamed(3, 5, 1.0), renamed(4, 6, 1.0), split(7, 1)];

rows! {
    /// What a timeline changes, in the order in which the editor writes the timelines of a bone, slot, constraint or
    /// attachment.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum Property: pub Row {
        Color => slot("color", &[color(0, Encoding::Rgba)], until_3_8(1)),
        TwoColor => slot("twoColor", &[color(1, Encoding::Rgba), color(2, Encoding::Rgb)], until_3_8(2)),
        Rgba => slot("rgba", &[color(0, Encoding::Rgba)], since_4_0(1)),
        Rgb => slot("rgb", &[color(0, Encoding::Rgb)], since_4_0(2)),
        Alpha => Row { is_part: true, ..row(Group::Slot, "alpha", &VALUE, ALPHA, since_4_0(5)) },
        Rgba2 => slot("rgba2", &[color(1, Encoding::Rgba), color(2, Encoding::Rgb)], since_4_0(3)),
        Rgb2 => slot("rgb2", &[color(1, Encoding::Rgb), color(2, Encoding::Rgb)], since_4_0(4)),
        Rotate => bone("rotate", &[renamed(0, 1, 0.0)], both(0, 0)),
        Translate => bone("translate", X_AND_Y, both(1, 1)),
        TranslateX => axis("translatex", SINGLE, 2),
        TranslateY => axis("translatey", SINGLE, 3),
        Scale => bone("scale", FACTORS, both(2, 4)),
        ScaleX => axis("scalex", FACTOR, 5),
        ScaleY => axis("scaley", FACTOR, 6),
        Shear => bone("shear", X_AND_Y, both(3, 7)),
        ShearX => axis("shearx", SINGLE, 8),
        ShearY => axis("sheary", SINGLE, 9),
        FlipX => row(Group::Bone, "flipX", &FLIP_X, &[], [None, None]),
        FlipY => row(Group::Bone, "flipY", &FLIP_Y, &[], [None, None]),
        Ik => row(Group::Constraint(ConstraintKind::Ik), "", &IK, IK_MIXES, both(0, 0)),
        Transform => row(Group::Constraint(ConstraintKind::Transform), "", &TRANSFORM, MIXES, both(0, 0)),
        PathPosition => path("position", &[renamed(0, 2, 0.0)], 0),
        PathSpacing => path("spacing", &[renamed(1, 2, 0.0)], 1),
        PathMix => path("mix", PATH_MIXES, 2),
        Inertia => physics("inertia", FROM_0, 0),
        Strength => physics("strength", FROM_0, 1),
        Damping => physics("damping", FROM_0, 2),
        Mass => physics("mass", FROM_0, 4),
        Wind => physics("wind", FROM_0, 5),
        Gravity => physics("gravity", FROM_0, 6),
        PhysicsMix => physics("mix", FROM_1, 7),
        SliderTime => row(Group::Constraint(ConstraintKind::Slider), "time", &VALUE, FROM_1, since_4_0(0)),
        SliderMix => row(Group::Constraint(ConstraintKind::Slider), "mix", &VALUE, FROM_1, since_4_0(1)),
        Deform => row(Group::Attachment, "deform", &DEFORM, &[], both(0, 0)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_have_room_for_all_rows() {
        for row in Property::ALL.map(Property::row) {
            assert!(row.width() <= MAX_WIDTH && row.form.fields.len() <= MAX_FIELDS, "{row:?}");
        }
    }
}
