//! Drawable places and what they show.

use super::{AttachmentId, BoneId, ClipMask, Mesh, Path, Point, Polygon};

/// A drawable place on a bone.
#[derive(Debug, Clone, Default)]
pub struct Slot {
    /// The name in the file; that of what it shows where slots have none.
    pub name: Box<str>,
    /// The bone whose visibility and order the slot follows; `None`: always visible, order 0.
    pub bone: Option<BoneId>,
    /// What it shows when nothing animates that.
    pub attachment: Option<AttachmentId>,
    /// Its colour when nothing animates that.
    pub tint: Tint,
    /// How it is drawn over what is below.
    pub blend: Blend,
}

/// What a picture is multiplied with, gamma-encoded and straight, 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tint {
    /// What white becomes, and alpha.
    pub light: [f32; 4],
    /// What black becomes; `None`: it stays black.
    pub dark: Option<[f32; 3]>,
}

impl Tint {
    /// Changes nothing.
    pub const NONE: Self = Self { light: [1.0; 4], dark: None };
}

impl Default for Tint {
    fn default() -> Self {
        Self::NONE
    }
}

/// How something is drawn over what is below.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Blend {
    /// By its alpha.
    #[default]
    Normal,
    /// Its light is added.
    Additive,
    /// What is below is darkened by it.
    Multiply,
    /// What is below is lightened by it.
    Screen,
}

/// What a slot shows.
#[derive(Debug, Clone)]
pub enum Attachment {
    /// A rectangle of a picture: four vertices on one bone, two triangles.
    Region(Mesh),
    /// Skinned triangles.
    Mesh(Mesh),
    /// What cuts off what other slots show.
    ClipMask(ClipMask),
    /// A curve that bones may follow.
    Path(Path),
    /// A place with a direction.
    Point(Point),
    /// An area that can be hit.
    Bounds(Polygon),
}

impl Attachment {
    /// The name in the file.
    pub fn name(&self) -> &str {
        match self {
            Self::Region(mesh) | Self::Mesh(mesh) => &mesh.name,
            Self::ClipMask(mask) => &mask.polygon.name,
            Self::Path(path) => &path.name,
            Self::Point(point) => &point.name,
            Self::Bounds(polygon) => &polygon.name,
        }
    }

    /// The triangles, where it has any.
    pub fn mesh(&self) -> Option<&Mesh> {
        match self {
            Self::Region(mesh) | Self::Mesh(mesh) => Some(mesh),
            Self::ClipMask(_) | Self::Path(_) | Self::Point(_) | Self::Bounds(_) => None,
        }
    }
}
