//! Everything that says what is rendered, how it looks and where it goes, as data. The command line is parsed into these
//! structs, the window begins with them and its export dialog edits them. [`RenderOptions::to_args`] leads back, so that
//! none of them can do what the others cannot.

mod command_line;
mod look;
mod output;
mod subject;
pub mod values;
mod words;

pub use look::{Backend, Look};
pub use output::Output;
pub use subject::{Moments, NO_SKIN, Subject};

use super::{Alpha, Format, SheetOptions, Size, Surface};
use crate::draw::{Settings, View};
use crate::formats::ReadOptions;

/// What is rendered, how, and where it goes.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RenderOptions {
    /// What is rendered.
    pub subject: Subject,
    /// How the files are read.
    pub read: ReadOptions,
    /// How it looks.
    pub look: Look,
    /// Where it goes.
    pub output: Output,
}

impl RenderOptions {
    /// What is written: the format that is asked for, else the one that the path says, else PNG.
    pub fn format(&self) -> Format {
        self.output.format.or_else(|| self.output.told_format()).unwrap_or_default()
    }

    /// The same without what says nothing to the format or to the size, which the command line would refuse, and without
    /// what goes without saying.
    #[must_use]
    pub fn relevant(mut self) -> Self {
        let usual = Self::default();
        let format = self.format();
        if self.output.told_format() == Some(format) {
            self.output.format = None;
        }
        if !format.has_loops() {
            self.subject.loops = usual.subject.loops;
        }
        if !format.has_rate() {
            self.subject.speed = usual.subject.speed;
        }
        if format.has_alpha() {
            self.look.matte = usual.look.matte;
        } else {
            self.look.alpha = usual.look.alpha;
        }
        if !format.can_lose_light(self.look.alpha) {
            self.look.additive = usual.look.additive;
        }
        if self.look.size != Size::Native {
            self.look.scale = usual.look.scale;
        }
        let sheet = &mut self.output.sheet;
        if format != Format::Sheet {
            *sheet = SheetOptions::default();
        } else {
            sheet.columns = sheet.columns.filter(|_| sheet.layout.has_columns());
            if self.look.alpha == Alpha::Premultiplied {
                // What is transparent has no colour then.
                sheet.bleed = 0;
            }
        }
        self
    }

    /// How a picture with this view is drawn.
    pub fn settings(&self, view: &View) -> Settings {
        self.look.settings(view)
    }

    /// What becomes of every picture.
    pub fn surface(&self) -> Surface {
        self.look.surface()
    }
}
