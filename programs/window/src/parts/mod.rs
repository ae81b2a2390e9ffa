//! The parts of the character: lists, tree, selection, inspector, and hiding.

pub mod hidden;
pub mod hiding;
pub mod inspection;
pub mod listed;
pub mod lists;
pub mod panel;
pub mod picking;
pub mod side;
pub mod tree;

use std::sync::Arc;

use crate::scene::selection::Selected;
use hidden::MeshPatterns;
use inspection::Inspector;
use pchr::draw::Hidden;
use picking::Picking;
use side::SidePanel;

/// The parts of the shown character: which one is selected, which are hidden, and how they are listed.
#[derive(Debug, Default)]
pub struct Parts {
    /// The selected part of the character.
    pub selected: Option<Selected>,
    /// What is not drawn.
    pub hidden: Arc<Hidden>,
    /// The patterns that have hidden a part of it.
    pub mesh_patterns: MeshPatterns,
    /// The last point picked on the canvas.
    pub picking: Picking,
    /// The side panel.
    pub side: SidePanel,
    /// The panel about the selection.
    pub inspector: Inspector,
    /// The lists are shown even if the window is narrow.
    pub lists: bool,
}

#[cfg(test)]
pub mod tests;
