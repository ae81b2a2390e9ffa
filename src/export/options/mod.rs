//! Render options as plain data: what to render, how it looks and where it is written. The command line is
//! parsed into these structs; the window starts from them and its export dialog edits them.
//! [`RenderOptions::to_args`] converts them back, so the three never differ in what they can do.

mod command_line;
mod effects;
mod look;
mod output;
mod overlay_choice;
mod parts;
mod reading;
mod subject;
pub(super) mod table;
mod track;
pub mod values;
pub(super) mod words;

pub use effects::{LIMITED, Limited, NoEffect};
pub use look::{Backend, Look};
pub use output::Output;
pub use overlay_choice::OverlayChoice;
pub use parts::{AttachmentSpec, BoneChange, BoneSpec};
pub use reading::reading_args;
pub use subject::{NO_SKIN, Subject, Times};
pub use track::TrackSpec;

use super::{ContactGrid, Format, Surface};
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

    /// Returns the renderer settings for a picture with this view.
    pub fn settings(&self, view: &View) -> Settings {
        self.look.settings(view)
    }

    /// Returns the processing applied to every rendered picture.
    pub fn surface(&self) -> Surface {
        self.look.surface()
    }
}
