//! What of a sheet can be chosen, by the words of the command line.

use clap::Args;

use super::{SheetLayout, SheetName};
use crate::error::{Error, Result};
use crate::export::values;

/// How frames become a sheet. The texts of its fields are those of `--help`.
#[derive(Debug, Clone, PartialEq, Args)]
#[command(next_help_heading = "Sprite sheets")]
pub struct SheetOptions {
    /// Who reads the JSON: index for every engine that was tried (default), doc as it is documented, hash
    /// as Aseprite writes it by itself
    #[arg(
        id = "sheet-profile",
        long = "sheet-profile",
        value_name = "PROFILE",
        default_value = "index",
        hide_default_value = true
    )]
    pub profile: SheetProfile,
    /// How frames are laid out; unless told in rows
    #[arg(
        id = "sheet-layout",
        long = "sheet-layout",
        value_name = "LAYOUT",
        default_value = "rows",
        hide_default_value = true
    )]
    pub layout: SheetLayout,
    /// How many columns a grid has; unless told as many as make it square
    #[arg(
        id = "sheet-columns", long = "sheet-columns", value_name = "N", value_parser = values::count,
        allow_negative_numbers = true
    )]
    pub columns: Option<u32>,
    /// Pixels between frames and the edges of the sheet
    #[arg(
        id = "sheet-border", long = "sheet-border", value_name = "N", default_value = "0",
        value_parser = values::few_pixels, allow_negative_numbers = true, hide_default_value = true
    )]
    pub border: u32,
    /// Pixels between frames
    #[arg(
        id = "sheet-padding", long = "sheet-padding", value_name = "N", default_value = "0",
        value_parser = values::few_pixels, allow_negative_numbers = true, hide_default_value = true
    )]
    pub padding: u32,
    /// How many times the edges of each frame are repeated around it, against seams in engines that filter
    #[arg(
        id = "sheet-extrude", long = "sheet-extrude", value_name = "N", default_value = "0",
        value_parser = values::few_pixels, allow_negative_numbers = true, hide_default_value = true
    )]
    pub extrude: u32,
    /// How many pixels far colours are brought into what is transparent, against dark rims in engines that filter
    #[arg(
        id = "sheet-bleed", long = "sheet-bleed", value_name = "N", default_value = "0",
        value_parser = values::few_pixels, allow_negative_numbers = true, hide_default_value = true
    )]
    pub bleed: u32,
    /// What is cut off: nothing, what is transparent in all frames, or in each
    #[arg(
        id = "sheet-trim",
        long = "sheet-trim",
        value_name = "TRIM",
        default_value = "none",
        hide_default_value = true
    )]
    pub trim: SheetTrim,
    /// Write frames that look the same once
    #[arg(id = "sheet-merge", long = "sheet-merge")]
    pub merge: bool,
    /// The longest side of a picture; more frames go on further ones. Unless told 4096
    #[arg(
        id = "sheet-max-size", long = "sheet-max-size", value_name = "N", default_value = "4096",
        value_parser = values::sheet_size, allow_negative_numbers = true, hide_default_value = true
    )]
    pub max_size: u32,
    /// Sides of pictures are powers of two
    #[arg(id = "sheet-pot", long = "sheet-pot")]
    pub pot: bool,
    /// How durations are written: each rounded to milliseconds, rounded so that their sum is right, or as they are
    #[arg(
        id = "sheet-durations",
        long = "sheet-durations",
        value_name = "DURATIONS",
        default_value = "round",
        hide_default_value = true
    )]
    pub durations: SheetDurations,
    /// What frames are called, with {title}, which is the name of the output, {tag}, the animation, {frame}, {tagframe}
    /// and {extension}
    #[arg(id = "sheet-filename", long = "sheet-filename", value_name = "TEMPLATE")]
    pub filename: Option<SheetName>,
    /// What animations are called, with {title} and {tag}
    #[arg(id = "sheet-tagname", long = "sheet-tagname", value_name = "TEMPLATE")]
    pub tagname: Option<SheetName>,
}

impl Default for SheetOptions {
    fn default() -> Self {
        Self {
            profile: SheetProfile::default(),
            layout: SheetLayout::default(),
            columns: None,
            border: 0,
            padding: 0,
            extrude: 0,
            bleed: 0,
            trim: SheetTrim::default(),
            merge: false,
            // What phones show at least.
            max_size: 4096,
            pot: false,
            durations: SheetDurations::default(),
            filename: None,
            tagname: None,
        }
    }
}

impl SheetOptions {
    /// The most pixels of border, padding, extruded edges and bleeding.
    pub const FEW_PIXELS: u32 = 256;
    /// The longest side that a page may be allowed to have.
    pub const LARGEST: u32 = 32_768;

    /// The most frames of a sheet: what reads them has them all in memory.
    pub const MOST_FRAMES: usize = 1 << 16;

    /// Refuses numbers beyond these, and no columns at all.
    pub(super) fn check(&self, frames: usize) -> Result<()> {
        let few = [self.border, self.padding, self.extrude, self.bleed];
        let wrong = if frames > Self::MOST_FRAMES {
            format!("{frames} frames are too many for a sheet, at most {} go into one", Self::MOST_FRAMES)
        } else if few.into_iter().any(|pixels| pixels > Self::FEW_PIXELS) {
            format!("border, padding, extruded edges and bleeding are at most {} pixels", Self::FEW_PIXELS)
        } else if self.max_size > Self::LARGEST || self.max_size == 0 {
            format!("a page is 1 to {} pixels long, not {}", Self::LARGEST, self.max_size)
        } else if self.columns == Some(0) {
            "a sheet has at least one column".to_owned()
        } else {
            return Ok(());
        };
        Err(Error::misuse("sheet-size", wrong))
    }

    /// Whether the frames must be seen before it is known where they go.
    pub fn looks_first(&self) -> bool {
        self.trim != SheetTrim::None || self.merge
    }

    /// How often every frame is drawn at most.
    pub fn passes(&self) -> usize {
        if self.looks_first() { 2 } else { 1 }
    }
}

/// How the text of a sheet is written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum SheetProfile {
    /// A list, with the numbers of frames for names: what every engine that was tried reads.
    #[default]
    Index,
    /// A list, with the animation and a number in it for names: as the format is documented.
    Doc,
    /// An object, with the title and a number for names: as Aseprite writes it by itself.
    Hash,
}

impl SheetProfile {
    /// Every profile.
    pub const ALL: [Self; 3] = [Self::Index, Self::Doc, Self::Hash];

    /// What it is called on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Index => "index",
            Self::Doc => "doc",
            Self::Hash => "hash",
        }
    }

    /// What it is, in a few words.
    pub fn about(self) -> &'static str {
        match self {
            Self::Index => "A list, frames are called by their number",
            Self::Doc => "A list, frames are called by their animation and their number in it",
            Self::Hash => "An object, frames are called by the title and their number",
        }
    }
}

impl SheetLayout {
    /// Every layout.
    pub const ALL: [Self; 5] = [Self::Rows, Self::Columns, Self::Horizontal, Self::Vertical, Self::Packed];

    /// What it is called on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Rows => "rows",
            Self::Columns => "columns",
            Self::Horizontal => "horizontal",
            Self::Vertical => "vertical",
            Self::Packed => "packed",
        }
    }

    /// What it is, in a few words.
    pub fn about(self) -> &'static str {
        match self {
            Self::Rows => "A grid, row after row",
            Self::Columns => "A grid, column after column",
            Self::Horizontal => "Side by side",
            Self::Vertical => "One below the other",
            Self::Packed => "As close as they fit",
        }
    }

    /// Whether the number of its columns can be chosen.
    pub fn has_columns(self) -> bool {
        match self {
            Self::Rows | Self::Columns => true,
            Self::Horizontal | Self::Vertical | Self::Packed => false,
        }
    }
}

/// What is cut off around frames.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum SheetTrim {
    /// Nothing.
    #[default]
    None,
    /// What is transparent in all of them.
    All,
    /// What is transparent in each.
    Frame,
}

impl SheetTrim {
    /// Every way to trim.
    pub const ALL: [Self; 3] = [Self::None, Self::All, Self::Frame];

    /// What it is called on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::All => "all",
            Self::Frame => "frame",
        }
    }

    /// What it is, in a few words.
    pub fn about(self) -> &'static str {
        match self {
            Self::None => "Nothing",
            Self::All => "What is transparent in all frames",
            Self::Frame => "What is transparent in each frame",
        }
    }
}

/// How durations are written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum SheetDurations {
    /// Each as whole milliseconds.
    #[default]
    Round,
    /// As whole milliseconds whose sum is right.
    Spread,
    /// As they are.
    Exact,
}

impl SheetDurations {
    /// Every way to write them.
    pub const ALL: [Self; 3] = [Self::Round, Self::Spread, Self::Exact];

    /// What it is called on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Round => "round",
            Self::Spread => "spread",
            Self::Exact => "exact",
        }
    }

    /// What it is, in a few words.
    pub fn about(self) -> &'static str {
        match self {
            Self::Round => "Each as whole milliseconds",
            Self::Spread => "As whole milliseconds whose sum is right",
            Self::Exact => "As they are",
        }
    }
}
