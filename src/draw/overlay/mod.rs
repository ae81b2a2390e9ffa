//! The overlays that can be drawn over a character. An overlay is one file of this folder and one line in each
//! table here.
//!
//! Widths are in pixels of the picture, so that marks look the same at every zoom. A slot that is empty, inactive or
//! hidden has no marks; regions and meshes that are fully transparent have none either.

mod bones;
mod bounds;
mod boxes;
mod clips;
mod heat;
mod hulls;
mod ik;
mod label;
mod marker;
mod names;
mod onion;
mod order;
mod overdraw;
mod paths;
mod pen;
mod points;
mod scratch;
mod set;
mod shown;
mod weights;
mod wire;

use super::OverlayVertex;
use scratch::LabelScratch;

pub use label::{OverlayLabel, append_labels, overlay_labels};
pub use onion::ghost_color;
pub use overdraw::LAYER_COLOR;
pub use scratch::OverlayScratch;
pub use set::{Onion, Overlays};
pub use shown::Shown;

/// An overlay over a character.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Overlay {
    /// How often each pixel is drawn, instead of the picture.
    Overdraw,
    /// Earlier and later frames.
    Onion,
    /// The weights of one bone.
    Weights,
    /// Triangle edges.
    Wire,
    /// Outlines of regions and meshes.
    Hulls,
    /// Bounds of the character and of its slots.
    Bounds,
    /// Bounding boxes.
    Boxes,
    /// Clipping polygons.
    Clips,
    /// Paths.
    Paths,
    /// Chains and targets of IK constraints.
    Ik,
    /// Bones and their hierarchy.
    Bones,
    /// Points and their directions.
    Points,
    /// Bone names.
    Names,
    /// Numbers in draw order.
    Order,
}

impl Overlay {
    /// Every overlay, bottom to top.
    pub const ALL: [Self; 14] = [
        Self::Overdraw,
        Self::Onion,
        Self::Weights,
        Self::Wire,
        Self::Hulls,
        Self::Bounds,
        Self::Boxes,
        Self::Clips,
        Self::Paths,
        Self::Ik,
        Self::Bones,
        Self::Points,
        Self::Names,
        Self::Order,
    ];

    /// Returns the name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Overdraw => "overdraw",
            Self::Onion => "onion",
            Self::Weights => "weights",
            Self::Wire => "wire",
            Self::Hulls => "hulls",
            Self::Bounds => "bounds",
            Self::Boxes => "boxes",
            Self::Clips => "clips",
            Self::Paths => "paths",
            Self::Ik => "ik",
            Self::Bones => "bones",
            Self::Points => "points",
            Self::Names => "names",
            Self::Order => "order",
        }
    }

    /// Returns the form on the command line, with a placeholder for the parameter.
    pub fn form(self) -> &'static str {
        match self {
            Self::Weights => "weights=BONE",
            Self::Onion => "onion=N/M",
            overlay => overlay.name(),
        }
    }

    /// Returns a short description.
    pub fn about(self) -> &'static str {
        match self {
            Self::Overdraw => "Number of layers on each pixel, instead of the picture",
            Self::Onion => "N earlier and M later frames, as tinted ghosts below the character",
            Self::Weights => "Weights of one bone, by name or #index",
            Self::Wire => "Triangle edges of meshes",
            Self::Hulls => "Outlines of regions and meshes",
            Self::Bounds => "Bounds of the character and of each slot",
            Self::Boxes => "Bounding boxes",
            Self::Clips => "Clipping polygons, with the slots that they clip",
            Self::Paths => "Paths",
            Self::Ik => "Chains and targets of IK constraints",
            Self::Bones => "Bones and their hierarchy",
            Self::Points => "Points and their directions",
            Self::Names => "Bone names",
            Self::Order => "Number of each slot in draw order, 1 at the back",
        }
    }

    /// Appends the triangles of the overlay, without text. Ghosts and overdraw are parts of the draw list instead.
    pub(super) fn draw(self, shown: &Shown<'_>, scratch: &mut OverlayScratch, out: &mut Vec<OverlayVertex>) {
        let marks = &mut scratch.marks;
        match self {
            Self::Overdraw => overdraw::append_legend(shown, out),
            Self::Onion | Self::Names | Self::Order => {}
            Self::Weights => weights::append(shown, marks, out),
            Self::Wire => wire::append(shown, marks, out),
            Self::Hulls => hulls::append(shown, marks, out),
            Self::Bounds => bounds::append(shown, marks, out),
            Self::Boxes => boxes::append(shown, marks, out),
            Self::Clips => clips::append(shown, marks, out),
            Self::Paths => paths::append(shown, marks, out),
            Self::Ik => ik::append(shown, marks, out),
            Self::Bones => bones::append(shown, out),
            Self::Points => points::append(shown, out),
        }
    }

    /// Calls `visit` with each label of the overlay, the most important first.
    fn label(self, shown: &Shown<'_>, scratch: &mut LabelScratch, visit: &mut dyn FnMut(OverlayLabel<'_>)) {
        match self {
            Self::Overdraw => overdraw::label(shown, visit),
            Self::Weights => weights::label(shown, scratch, visit),
            Self::Clips => clips::label(shown, scratch, visit),
            Self::Names => names::label(shown, visit),
            Self::Order => order::label(shown, scratch, visit),
            Self::Onion
            | Self::Wire
            | Self::Hulls
            | Self::Bounds
            | Self::Boxes
            | Self::Paths
            | Self::Ik
            | Self::Bones
            | Self::Points => {}
        }
    }

    /// Returns true if it has marks other than labels.
    pub(super) fn has_marks(self) -> bool {
        !matches!(self, Self::Onion | Self::Names | Self::Order)
    }

    /// Returns true if it shows skinned vertices, for which it needs matrices.
    fn is_skinned(self) -> bool {
        !matches!(self, Self::Overdraw | Self::Onion | Self::Ik | Self::Bones | Self::Names)
    }

    /// Returns true if it has labels, which a window may prefer to draw in its own font.
    pub fn has_labels(self) -> bool {
        matches!(self, Self::Overdraw | Self::Weights | Self::Clips | Self::Names | Self::Order)
    }
}
