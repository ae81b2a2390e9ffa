//! The overlays that can be drawn over a character. An overlay is one file of this folder and one row of the table here.
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
use crate::rows::rows;
use scratch::{LabelScratch, MarkScratch};

pub use label::{OverlayLabel, append_labels, overlay_labels};
pub use onion::ghost_color;
pub use overdraw::LAYER_COLOR;
pub use scratch::OverlayScratch;
pub use set::{Onion, Overlays};
pub use shown::Shown;

rows! {
    /// An overlay over a character, listed from bottom to top.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub enum Overlay: Row {
        /// How often each pixel is drawn, instead of the picture.
        Overdraw => Row {
            form: "overdraw",
            about: "Number of layers on each pixel, instead of the picture",
            is_skinned: false,
            marks: Some(overdraw::append_legend),
            labels: Some(overdraw::label),
        },
        /// Earlier and later frames.
        Onion => Row {
            form: "onion=N/M",
            about: "N earlier and M later frames, as tinted ghosts below the character",
            is_skinned: false,
            marks: None,
            labels: None,
        },
        /// The weights of one bone.
        Weights => Row {
            form: "weights=BONE",
            about: "Weights of one bone, by name or #index",
            is_skinned: true,
            marks: Some(weights::append),
            labels: Some(weights::label),
        },
        /// Triangle edges.
        Wire => of_vertices("wire", "Triangle edges of meshes", wire::append),
        /// Outlines of regions and meshes.
        Hulls => of_vertices("hulls", "Outlines of regions and meshes", hulls::append),
        /// Bounds of the character and of its slots.
        Bounds => of_vertices("bounds", "Bounds of the character and of each slot", bounds::append),
        /// Bounding boxes.
        Boxes => of_vertices("boxes", "Bounding boxes", boxes::append),
        /// Clipping polygons.
        Clips => Row {
            form: "clips",
            about: "Clipping polygons, with the slots that they clip",
            is_skinned: true,
            marks: Some(clips::append),
            labels: Some(clips::label),
        },
        /// Paths.
        Paths => of_vertices("paths", "Paths", paths::append),
        /// Chains and targets of IK constraints.
        Ik => of_bones("ik", "Chains and targets of IK constraints", ik::append),
        /// Bones and their hierarchy.
        Bones => of_bones("bones", "Bones and their hierarchy", bones::append),
        /// Points and their directions.
        Points => of_vertices("points", "Points and their directions", points::append),
        /// Bone names.
        Names => Row {
            form: "names",
            about: "Bone names",
            is_skinned: false,
            marks: None,
            labels: Some(names::label),
        },
        /// Numbers in draw order.
        Order => Row {
            form: "order",
            about: "Number of each slot in draw order, 1 at the back",
            is_skinned: true,
            marks: None,
            labels: Some(order::label),
        },
    }
}

/// The properties of an overlay.
struct Row {
    /// Form on the command line: its name, and a placeholder for its parameter.
    form: &'static str,
    /// Short description.
    about: &'static str,
    /// Whether it shows skinned vertices, for which it needs matrices.
    is_skinned: bool,
    /// Appends its triangles. Ghosts and overdraw are parts of the draw list instead.
    marks: Option<AppendMarks>,
    /// Calls a function with each of its labels, the most important first.
    labels: Option<VisitLabels>,
}

/// An overlay of marks on skinned vertices.
const fn of_vertices(form: &'static str, about: &'static str, marks: AppendMarks) -> Row {
    Row { form, about, is_skinned: true, marks: Some(marks), labels: None }
}

/// An overlay of marks on bones.
const fn of_bones(form: &'static str, about: &'static str, marks: AppendMarks) -> Row {
    Row { is_skinned: false, ..of_vertices(form, about, marks) }
}

type AppendMarks = fn(&Shown<'_>, &mut MarkScratch, &mut Vec<OverlayVertex>);
type VisitLabels = fn(&Shown<'_>, &mut LabelScratch, &mut dyn FnMut(OverlayLabel<'_>));

impl Overlay {
    /// Returns the name on the command line.
    pub fn name(self) -> &'static str {
        self.form().split_once('=').map_or(self.form(), |(name, _)| name)
    }

    /// Returns the form on the command line, with a placeholder for the parameter.
    pub fn form(self) -> &'static str {
        self.row().form
    }

    /// Returns a short description.
    pub fn about(self) -> &'static str {
        self.row().about
    }

    /// Returns true if it has marks other than labels.
    pub(super) fn has_marks(self) -> bool {
        self.row().marks.is_some()
    }

    /// Appends the triangles of the overlay, without text.
    pub(super) fn draw(self, shown: &Shown<'_>, scratch: &mut OverlayScratch, out: &mut Vec<OverlayVertex>) {
        if let Some(append) = self.row().marks {
            append(shown, &mut scratch.marks, out);
        }
    }

    /// Returns true if it has labels, which a window may prefer to draw in its own font.
    pub fn has_labels(self) -> bool {
        self.row().labels.is_some()
    }
}
