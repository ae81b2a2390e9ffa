//! Slots, the places on bones where something is drawn, and the attachments that they show.

use super::{BoneId, ClipMask, Id, Mesh, Path, Point, Polygon};
use crate::rows::named;

/// Id of a slot.
pub type SlotId = Id<Slot>;

/// A drawable place on a bone.
#[derive(Debug, Clone, Default)]
pub struct Slot {
    /// The name in the file; the attachment's name if the format has no slot names.
    pub name: Box<str>,
    /// The bone whose visibility and order the slot follows; `None`: always visible, order 0.
    pub bone: Option<BoneId>,
    /// The attachment in the rest pose.
    pub attachment: Option<AttachmentId>,
    /// The tint in the rest pose.
    pub tint: Tint,
    /// The blend mode.
    pub blend: Blend,
    /// Hidden in the editor. It does not affect the picture.
    pub is_hidden_in_editor: bool,
}

/// A two-colour tint, gamma-encoded with straight alpha, 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tint {
    /// The colour that replaces white, and alpha.
    pub light: [f32; 4],
    /// The colour that replaces black; `None` keeps it black.
    pub dark: Option<[f32; 3]>,
}

impl Tint {
    /// The neutral tint.
    pub const NONE: Self = Self { light: [1.0; 4], dark: None };

    /// Returns true if no number is NaN or infinite.
    pub(crate) fn has_only_numbers(&self) -> bool {
        self.light.iter().chain(self.dark.iter().flatten()).all(|part| part.is_finite())
    }

    /// Returns the tint that has the effect of `self` followed by `whole`: black becomes its dark colour, white its light
    /// one, and both are tinted again.
    pub(crate) fn followed_by(&self, whole: &Self) -> Self {
        let black = whole.dark.unwrap_or_default();
        let mixed = |share: f32, channel: usize| share * whole.light[channel] + (1.0 - share) * black[channel];
        let [r, g, b, a] = self.light;
        let light = [mixed(r, 0), mixed(g, 1), mixed(b, 2), a * whole.light[3]];
        let dark = (self.dark.is_some() || whole.dark.is_some()).then(|| {
            let [r, g, b] = self.dark.unwrap_or_default();
            [mixed(r, 0), mixed(g, 1), mixed(b, 2)]
        });
        Self { light, dark }
    }
}

impl Default for Tint {
    fn default() -> Self {
        Self::NONE
    }
}

named! {
    /// A blend mode.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
    pub enum Blend {
        /// Alpha blending.
        #[default]
        Normal => "normal",
        /// Adds the colour to the backdrop.
        Additive => "additive",
        /// Multiplies the backdrop, which darkens it.
        Multiply => "multiply",
        /// Lightens the backdrop; the inverse of multiply.
        Screen => "screen",
    }
    /// Returns the name: normal, additive, multiply or screen.
    fn name;
}

/// Id of an attachment.
pub type AttachmentId = Id<Attachment>;

/// The content of a slot.
#[derive(Debug, Clone)]
pub enum Attachment {
    /// A rectangle of a page: four vertices on one bone, two triangles.
    Region(Mesh),
    /// Skinned triangles.
    Mesh(Mesh),
    /// A polygon that clips other slots.
    ClipMask(ClipMask),
    /// A curve that bones may follow.
    Path(Path),
    /// A position with a direction.
    Point(Point),
    /// A polygon for hit testing.
    Bounds(Polygon),
}

impl Attachment {
    /// Returns the name in the file.
    pub fn name(&self) -> &str {
        match self {
            Self::Region(mesh) | Self::Mesh(mesh) => &mesh.name,
            Self::ClipMask(mask) => &mask.polygon.name,
            Self::Path(path) => &path.name,
            Self::Point(point) => &point.name,
            Self::Bounds(polygon) => &polygon.name,
        }
    }

    /// Returns the type as files write it: region, mesh, clipping, path, point or boundingbox.
    pub fn type_name(&self) -> &'static str {
        match self {
            Self::Region(_) => "region",
            Self::Mesh(_) => "mesh",
            Self::ClipMask(_) => "clipping",
            Self::Path(_) => "path",
            Self::Point(_) => "point",
            Self::Bounds(_) => "boundingbox",
        }
    }

    /// Returns the type in words, such as `Bounding box`.
    pub fn title(&self) -> &'static str {
        match self {
            Self::Region(_) => "Region",
            Self::Mesh(_) => "Mesh",
            Self::ClipMask(_) => "Clipping polygon",
            Self::Path(_) => "Path",
            Self::Point(_) => "Point",
            Self::Bounds(_) => "Bounding box",
        }
    }

    /// Returns the mesh of a region or mesh attachment.
    pub fn mesh(&self) -> Option<&Mesh> {
        match self {
            Self::Region(mesh) | Self::Mesh(mesh) => Some(mesh),
            Self::ClipMask(_) | Self::Path(_) | Self::Point(_) | Self::Bounds(_) => None,
        }
    }

    /// Returns vertices with any number of influences; `None` for a point, and a mesh with four influences per vertex.
    #[cfg(feature = "spine")]
    pub(crate) fn listed_vertices(&self) -> Option<&super::SkinNVertices> {
        match self {
            Self::Region(mesh) | Self::Mesh(mesh) => match &mesh.vertices {
                super::Vertices::SkinN(vertices) => Some(vertices),
                super::Vertices::Skin4(_) => None,
            },
            Self::ClipMask(mask) => Some(&mask.polygon.vertices),
            Self::Path(path) => Some(&path.vertices),
            Self::Bounds(polygon) => Some(&polygon.vertices),
            Self::Point(_) => None,
        }
    }

    /// Returns the clip mask, if it is one.
    pub(crate) fn clip_mask(&self) -> Option<&ClipMask> {
        match self {
            Self::ClipMask(mask) => Some(mask),
            Self::Region(_) | Self::Mesh(_) | Self::Path(_) | Self::Point(_) | Self::Bounds(_) => None,
        }
    }
}
