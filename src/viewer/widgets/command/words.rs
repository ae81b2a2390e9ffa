//! Other words under which commands are found.

use super::Command;
use crate::draw::Overlay;

impl Command {
    /// Returns words of other programs for what it does, apart from those of its label; empty for most commands.
    pub fn words(self) -> &'static str {
        match self {
            Self::HideSelected | Self::ShowAll => "visibility invisible",
            Self::SoloSelected => "solo isolate visibility",
            Self::Show(Overlay::Bones) => "skeleton rig",
            Self::Show(Overlay::Wire) => "mesh triangles topology",
            Self::Show(Overlay::Weights) => "heat map influence",
            Self::Show(Overlay::Boxes) => "hitbox collision",
            Self::Show(Overlay::Onion) => "ghosts",
            Self::Dopesheet => "keys keyframes",
            Self::Curves => "graph editor",
            Self::Targets => "inverse kinematics handles",
            Self::Compare => "diff versus",
            Self::Underlay => "reference image behind",
            Self::Statistics => "fps performance profile",
            Self::SetIn | Self::SetOut | Self::ClearRange => "range work area trim",
            Self::Interpolate => "smooth stepped",
            Self::PutBack => "escape deselect",
            Self::Open | Self::ClearRecent => "history",
            _ => "",
        }
    }
}
