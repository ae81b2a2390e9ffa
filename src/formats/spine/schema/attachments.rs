//! Attachments: the fields of all types, and the order in which the editor writes them.

use serde::ser::{SerializeMap, Serializer};
use serde::{Deserialize, Serialize};

use super::color::Color;
use super::{Entries, Number, Text, is_default, is_one, one};
use crate::formats::json::parser::{self, Parser};
use crate::formats::json::pull::{Pull, numbers, pull_object, pulled_by_serde};

/// Attachments by slot and name: an object of objects.
pub type Attachments<'a> = Entries<'a, Entries<'a, Attachment<'a>>>;

/// The fields of all types of attachments.
#[derive(Debug, Clone, Default)]
pub struct Attachment<'a> {
    pub kind: AttachmentType,
    /// What JSON calls the type.
    pub called: TypeName,
    pub name: Option<Text<'a>>,
    pub path: Option<Text<'a>>,
    pub color: Option<Color<'a>>,
    pub x: Number,
    pub y: Number,
    pub rotation: Number,
    pub scale_x: Number,
    pub scale_y: Number,
    pub width: Option<Number>,
    pub height: Option<Number>,
    pub uvs: Vec<Number>,
    pub triangles: Vec<u32>,
    pub vertices: Vec<Number>,
    pub vertex_count: Option<u32>,
    pub hull: u32,
    pub edges: Vec<u32>,
    /// Since 4.1.
    pub sequence: Option<Sequence>,
    pub skin: Option<Text<'a>>,
    pub parent: Option<Text<'a>>,
    /// The name of `parent` since 4.3.
    pub source: Option<Text<'a>>,
    /// The slot of the mesh that a linked mesh is linked to, if it is another one. Since 4.3.
    pub slot: Option<Text<'a>>,
    /// Called `timelines` since 4.1.
    pub deform: Option<bool>,
    pub timelines: Option<bool>,
    pub closed: bool,
    pub constant_speed: Option<bool>,
    pub lengths: Vec<Number>,
    pub end: Option<Text<'a>>,
    /// Keeps what is outside. Since 4.3.
    pub inverse: bool,
    /// States that the polygon of a clip is convex. Since 4.3.
    pub convex: bool,
}

/// Numbered pictures of an attachment. Since 4.1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
pub struct Sequence {
    #[serde(default)]
    pub count: u32,
    /// The number of the first picture.
    #[serde(default = "default_start", skip_serializing_if = "is_default_start")]
    pub start: u32,
    /// Minimum number of digits.
    #[serde(default, skip_serializing_if = "is_default")]
    pub digits: u32,
    /// Index of the picture at rest.
    #[serde(default, skip_serializing_if = "is_default")]
    pub setup: u32,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
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

/// The name of a type in JSON. Meshes with weights have other names before 3.3, which later versions read, too.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename = "AttachmentType", rename_all = "lowercase")]
pub enum TypeName {
    #[default]
    Region,
    Mesh,
    LinkedMesh,
    BoundingBox,
    Path,
    Point,
    Clipping,
    /// In 2.1.
    SkinnedMesh,
    /// In 3.0 to 3.2.
    WeightedMesh,
    /// In 3.0 to 3.2.
    WeightedLinkedMesh,
}

pulled_by_serde! { TypeName, Sequence }

fn default_start() -> u32 {
    1
}

fn is_default_start(start: &u32) -> bool {
    *start == default_start()
}

impl TypeName {
    fn kind(self) -> AttachmentType {
        match self {
            Self::Region => AttachmentType::Region,
            Self::Mesh | Self::SkinnedMesh | Self::WeightedMesh => AttachmentType::Mesh,
            Self::LinkedMesh | Self::WeightedLinkedMesh => AttachmentType::LinkedMesh,
            Self::BoundingBox => AttachmentType::BoundingBox,
            Self::Path => AttachmentType::Path,
            Self::Point => AttachmentType::Point,
            Self::Clipping => AttachmentType::Clipping,
        }
    }
}

impl AttachmentType {
    /// Returns true for the types that consist of vertices alone.
    fn is_outline(self) -> bool {
        match self {
            Self::BoundingBox | Self::Path | Self::Clipping => true,
            Self::Region | Self::Mesh | Self::LinkedMesh | Self::Point => false,
        }
    }

    /// Returns true if the attachment is drawn, so that its colour is not for the editor alone.
    pub fn is_drawn(self) -> bool {
        match self {
            Self::Region | Self::Mesh | Self::LinkedMesh => true,
            Self::BoundingBox | Self::Path | Self::Point | Self::Clipping => false,
        }
    }
}

impl<'a> Pull<'a> for Attachment<'a> {
    fn pull(json: &mut Parser<'a>) -> parser::Result<Self> {
        let mut it = Self { scale_x: one(), scale_y: one(), ..Self::default() };
        pull_object!(json, key, "struct Attachment", it {
            "type" => called,
            "name" => name,
            "path" => path,
            "color" => color,
            "x" => x,
            "y" => y,
            "rotation" => rotation,
            "scaleX" => scale_x,
            "scaleY" => scale_y,
            "width" => width,
            "height" => height,
            "uvs" => uvs by numbers,
            "triangles" => triangles by numbers,
            "vertices" => vertices by numbers,
            "vertexCount" => vertex_count,
            "hull" => hull,
            "edges" => edges by numbers,
            "sequence" => sequence,
            "skin" => skin,
            "parent" => parent,
            "source" => source,
            "slot" => slot,
            "deform" | "ffd" => deform,
            "timelines" => timelines,
            "closed" => closed,
            "constantSpeed" => constant_speed,
            "lengths" => lengths by numbers,
            "end" => end,
            "inverse" => inverse,
            "convex" => convex,
        } else json.ignore());
        it.kind = it.called.kind();
        Ok(it)
    }
}

impl Serialize for Attachment<'_> {
    /// Writes keys in the order of the editor. Spine's own players have no defaults for some keys of a type, so these
    /// are written whatever their value.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { kind, color, .. } = self;
        let (is_mesh, is_outline, is_drawn) = (*kind == AttachmentType::Mesh, kind.is_outline(), kind.is_drawn());
        let mut map = serializer.serialize_map(None)?;
        macro_rules! write {
            ($($name:literal: $value:expr, if $is_written:expr;)*) => {
                $(if $is_written {
                    map.serialize_entry($name, $value)?;
                })*
            };
        }
        write! {
            "name": &self.name, if self.name.is_some();
            "type": kind, if !is_default(kind);
            "skin": &self.skin, if self.skin.is_some();
            "parent": &self.parent, if self.parent.is_some();
            "source": &self.source, if self.source.is_some();
            "slot": &self.slot, if self.slot.is_some();
            "deform": &self.deform, if self.deform.is_some();
            "timelines": &self.timelines, if self.timelines.is_some();
            "path": &self.path, if self.path.is_some();
            "color": color, if color.is_some() && is_drawn;
            "end": &self.end, if self.end.is_some();
            "inverse": &self.inverse, if self.inverse;
            "convex": &self.convex, if self.convex;
            "closed": &self.closed, if self.closed;
            "constantSpeed": &self.constant_speed, if self.constant_speed.is_some();
            "lengths": &self.lengths, if !self.lengths.is_empty() || *kind == AttachmentType::Path;
            "vertexCount": &self.vertex_count.unwrap_or_default(), if self.vertex_count.is_some() || is_outline;
            "uvs": &self.uvs, if !self.uvs.is_empty() || is_mesh;
            "triangles": &self.triangles, if !self.triangles.is_empty() || is_mesh;
            "vertices": &self.vertices, if !self.vertices.is_empty() || is_mesh || is_outline;
            "hull": &self.hull, if self.hull != 0 || is_mesh;
            "edges": &self.edges, if !self.edges.is_empty();
            "x": &self.x, if !is_default(&self.x);
            "y": &self.y, if !is_default(&self.y);
            "scaleX": &self.scale_x, if !is_one(&self.scale_x);
            "scaleY": &self.scale_y, if !is_one(&self.scale_y);
            "rotation": &self.rotation, if !is_default(&self.rotation);
            "width": &self.width, if self.width.is_some();
            "height": &self.height, if self.height.is_some();
            "sequence": &self.sequence, if self.sequence.is_some();
            "color": color, if color.is_some() && !is_drawn;
        }
        map.end()
    }
}
