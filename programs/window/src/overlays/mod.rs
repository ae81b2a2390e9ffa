//! What is drawn over, behind and beside the character: overlays, guides, a picture, handles of IK targets, and the
//! statistics.

pub mod guides;
pub mod panel;
pub mod slide;
pub mod statistics;
pub mod targets;
pub mod underlay;

use crate::scene::background::Background;
use crate::scene::selection::Selected;
use guides::Guides;
use pchr::draw::Overlays;
use pchr::model::Model;
use slide::SlideMeter;
use statistics::Statistics;
use targets::Targets;
use underlay::Underlay;

/// What is drawn over, behind and beside the character.
#[derive(Debug)]
pub struct OverlayState {
    /// Overlays over the character.
    pub shown: Overlays,
    /// The targets of inverse kinematics, and the positions to which the user has moved them.
    pub targets: Targets,
    /// The background of the character.
    pub background: Background,
    /// The colour picked by the user or on the command line, even if another background is shown.
    pub custom_color: [u8; 3],
    /// The grid, the ground line and the origin behind the character.
    pub guides: Guides,
    /// The picture behind the character.
    pub underlay: Option<Underlay>,
    /// How far the selected bone slides on the ground.
    pub slide: SlideMeter,
    /// What drawing costs.
    pub statistics: Statistics,
}

/// The default custom colour behind the character.
const CUSTOM_COLOR: [u8; 3] = [196, 160, 112];

impl OverlayState {
    /// Returns the state with these overlays and this background.
    pub fn new(shown: Overlays, background: Background) -> Self {
        Self {
            shown,
            targets: Targets::default(),
            background,
            custom_color: match background {
                Background::Checker => CUSTOM_COLOR,
                Background::Color(color) => color,
            },
            guides: Guides::default(),
            underlay: None,
            slide: SlideMeter::default(),
            statistics: Statistics::default(),
        }
    }

    /// Returns the overlays with the bone whose weights they show, which is the selected one.
    pub fn of_selection(&self, model: Option<&Model>, selected: Option<Selected>, scale: f32) -> Overlays {
        let mut overlays = self.shown;
        overlays.bone = model.and_then(|model| selected?.bone(model));
        overlays.scale = scale;
        overlays
    }
}

#[cfg(test)]
pub mod tests;
