//! All options of a rendering.

use super::contact_grid::ContactGrid;
use super::format::Format;
use super::look::Look;
use super::output::Output;
use super::subject::Subject;
use super::surface::Surface;
use crate::draw::{Settings, View};
use crate::formats::ReadOptions;

/// Render options: input, reading, appearance and output.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RenderOptions {
    /// What to render.
    pub subject: Subject,
    /// How input files are read.
    pub read: ReadOptions,
    /// How pictures look.
    pub look: Look,
    /// Where pictures are written.
    pub output: Output,
}

impl RenderOptions {
    /// Returns the output format: the requested one, or the one implied by the path, or PNG.
    pub fn format(&self) -> Format {
        self.output.format.or_else(|| self.output.implied_format()).unwrap_or_default()
    }

    /// Returns the grid of the contact sheets to write, or `None` if none are.
    pub fn contact_sheet(&self) -> Option<ContactGrid> {
        self.output.contact_sheet.filter(|_| self.format() == Format::Png)
    }

    /// Returns true if one file may contain all frames of an animation.
    pub fn takes_all_frames(&self) -> bool {
        self.contact_sheet().is_some() || self.format().takes_all_frames()
    }

    /// Returns true if all frames are written unless some are selected.
    pub fn defaults_to_all_frames(&self) -> bool {
        self.takes_all_frames() && self.format() != Format::Psd
    }

    /// Returns the renderer settings for a picture with this view.
    pub fn settings(&self, view: &View) -> Settings {
        self.look.settings(view)
    }

    /// Returns true if multiplied and screened slots blend with something opaque everywhere: an opaque background, or a
    /// matte.
    pub fn blends_exactly(&self) -> bool {
        self.look.has_opaque_background() || self.format().matte(self.look.matte).is_some()
    }

    /// Returns the processing applied to every rendered picture.
    pub fn surface(&self) -> Surface {
        self.look.surface()
    }
}
