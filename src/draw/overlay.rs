//! What can be drawn over a character. An overlay is one file of this folder, and one line in each table here.

use super::{OverlayVertex, View, bones};
use crate::model::Model;
use crate::pose::Pose;

/// Something that is drawn over a character.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Overlay {
    /// Where the bones are, and on which each hangs.
    Bones,
    /// What the bones are called.
    Names,
}

impl Overlay {
    /// Every overlay, from the lowest to the topmost.
    pub const ALL: [Self; 2] = [Self::Bones, Self::Names];

    /// What it is called on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Bones => "bones",
            Self::Names => "names",
        }
    }

    /// What it shows, in a few words.
    pub fn about(self) -> &'static str {
        match self {
            Self::Bones => "Where bones are and on which each hangs",
            Self::Names => "What they are called, in the window",
        }
    }

    /// Whether it is text, which only a window shows.
    pub fn is_text(self) -> bool {
        match self {
            Self::Bones => false,
            Self::Names => true,
        }
    }

    /// Appends its triangles.
    pub(super) fn draw(self, model: &Model, pose: &Pose, view: &View, out: &mut Vec<OverlayVertex>) {
        match self {
            Self::Bones => bones::append(model, pose, view, out),
            Self::Names => {}
        }
    }
}

/// A set of overlays.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Overlays(u32);

impl Overlays {
    /// Whether `overlay` is one of them.
    pub fn contains(self, overlay: Overlay) -> bool {
        self.0 & Self::bit(overlay) != 0
    }

    /// All of them, from the lowest to the topmost.
    pub fn iter(self) -> impl Iterator<Item = Overlay> {
        Overlay::ALL.into_iter().filter(move |overlay| self.contains(*overlay))
    }

    /// Adds it, or takes it away.
    pub fn set(&mut self, overlay: Overlay, is_shown: bool) {
        self.0 = if is_shown { self.0 | Self::bit(overlay) } else { self.0 & !Self::bit(overlay) };
    }

    /// Adds it where it is not shown, and takes it away where it is.
    pub fn toggle(&mut self, overlay: Overlay) {
        self.set(overlay, !self.contains(overlay));
    }

    fn bit(overlay: Overlay) -> u32 {
        1 << overlay as u32
    }
}

impl FromIterator<Overlay> for Overlays {
    fn from_iter<I: IntoIterator<Item = Overlay>>(overlays: I) -> Self {
        let mut set = Self::default();
        overlays.into_iter().for_each(|overlay| set.set(overlay, true));
        set
    }
}

impl From<Overlay> for Overlays {
    fn from(overlay: Overlay) -> Self {
        Self::from_iter([overlay])
    }
}
