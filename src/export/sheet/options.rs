//! What of a sheet can be chosen, by the words of the command line.

use super::{SheetLayout, SheetName};
use crate::error::{Error, Result};

/// How frames become a sheet.
#[derive(Debug, Clone, PartialEq)]
pub struct SheetOptions {
    /// How its text is written.
    pub profile: SheetProfile,
    /// How frames are laid out.
    pub layout: SheetLayout,
    /// How many columns a grid has; `None`: as many as make it square.
    pub columns: Option<u32>,
    /// Pixels to the edges of a page.
    pub border: u32,
    /// Pixels between frames.
    pub padding: u32,
    /// How often the edge of a frame is repeated around it.
    pub extrude: u32,
    /// How far colours are brought into what is transparent.
    pub bleed: u32,
    /// What is cut off.
    pub trim: SheetTrim,
    /// Frames that look the same are there once.
    pub merge: bool,
    /// The longest side of a page.
    pub max_size: u32,
    /// Sides of pages are powers of two.
    pub pot: bool,
    /// How durations are written.
    pub durations: SheetDurations,
    /// What frames are called; `None`: as the profile has it.
    pub filename: Option<SheetName>,
    /// What animations are called; `None`: as they are.
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
