//! Sprite sheet options, with the names of the command line.

use std::path::Path;

use super::sheet_name::SheetName;
use super::table::options;
use super::{values, words};
use crate::{Error, Result, rows};

options! {
    /// Sprite sheet options. The doc comments of the fields are the `--help` texts.
    #[command(next_help_heading = "Sprite sheets")]
    pub struct SheetOptions {
        /// Layout of the JSON: index, compatible with all tested engines (default); doc, as documented by Aseprite;
        /// hash, as written by Aseprite by default
        #[arg(
            id = "sheet-profile",
            long = "sheet-profile",
            value_name = "PROFILE",
            value_parser = words::choice::<SheetProfile>(),
            default_value = "index",
            hide_default_value = true
        )]
        pub profile: SheetProfile,
        /// Arrangement of frames [default: rows]
        #[arg(
            id = "sheet-layout",
            long = "sheet-layout",
            value_name = "LAYOUT",
            value_parser = words::choice::<SheetLayout>(),
            default_value = "rows",
            hide_default_value = true
        )]
        pub layout: SheetLayout,
        /// Number of columns of a grid [default: the number that makes it as square as possible]
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
        /// Repeat the edge pixels of each frame this many times around it; prevents seams with linear filtering
        #[arg(
            id = "sheet-extrude", long = "sheet-extrude", value_name = "N", default_value = "0",
            value_parser = values::few_pixels, allow_negative_numbers = true, hide_default_value = true
        )]
        pub extrude: u32,
        /// Extend colours this many pixels into transparent areas; prevents dark fringes with linear filtering
        #[arg(
            id = "sheet-bleed", long = "sheet-bleed", value_name = "N", default_value = "0",
            value_parser = values::few_pixels, allow_negative_numbers = true, hide_default_value = true
        )]
        pub bleed: u32,
        /// Crop transparent borders: not at all, by the same amount in all frames, or in each frame separately
        #[arg(
            id = "sheet-trim",
            long = "sheet-trim",
            value_name = "TRIM",
            value_parser = words::choice::<SheetTrim>(),
            default_value = "none",
            hide_default_value = true
        )]
        pub trim: SheetTrim,
        /// Store identical frames once
        #[arg(id = "sheet-merge", long = "sheet-merge")]
        pub merge: bool,
        /// Maximum width and height of a page in pixels; frames that do not fit go on additional pages
        #[arg(
            id = "sheet-max-size", long = "sheet-max-size", value_name = "N", default_value = "4096",
            value_parser = values::sheet_size, allow_negative_numbers = true, hide_default_value = true
        )]
        // Supported by practically all phones.
        pub max_size: u32 = 4096,
        /// Make the width and height of pages powers of two
        #[arg(id = "sheet-pot", long = "sheet-pot")]
        pub pot: bool,
        /// How to store durations: each rounded to milliseconds, rounded so that the total stays correct, or exact
        #[arg(
            id = "sheet-durations",
            long = "sheet-durations",
            value_name = "DURATIONS",
            value_parser = words::choice::<SheetDurations>(),
            default_value = "round",
            hide_default_value = true
        )]
        pub durations: SheetDurations,
        /// Name of a frame, with {title} (the name of the output), {tag} (the animation), {frame}, {tagframe} and
        /// {extension}
        #[arg(id = "sheet-filename", long = "sheet-filename", value_name = "TEMPLATE")]
        pub filename: Option<SheetName>,
        /// Name of an animation, with {title} and {tag}
        #[arg(id = "sheet-tagname", long = "sheet-tagname", value_name = "TEMPLATE")]
        pub tagname: Option<SheetName>,
    }
}

impl SheetOptions {
    /// Maximum of border, padding, extrusion and bleed, in pixels.
    pub const FEW_PIXELS: u32 = 256;
    /// Largest allowed maximum side of a page.
    pub const LARGEST: u32 = 32_768;

    /// Maximum number of frames of a sheet, since readers hold all of them in memory.
    pub(crate) const MOST_FRAMES: usize = 1 << 16;

    /// Fails for values out of range.
    pub(crate) fn check(&self, frames: usize) -> Result<()> {
        let few = [self.border, self.padding, self.extrude, self.bleed];
        let wrong = if frames > Self::MOST_FRAMES {
            format!("{frames} frames are too many for a sheet, which can hold at most {}", Self::MOST_FRAMES)
        } else if few.into_iter().any(|pixels| pixels > Self::FEW_PIXELS) {
            format!("border, padding, extrusion and bleed can be at most {} pixels", Self::FEW_PIXELS)
        } else if self.max_size > Self::LARGEST || self.max_size == 0 {
            format!(
                "the maximum side of a page must be from 1 to {} pixels, found {}",
                Self::LARGEST,
                self.max_size
            )
        } else if self.columns == Some(0) {
            "a sheet needs at least one column".to_owned()
        } else {
            return Ok(());
        };
        Err(Error::misuse("sheet-size", wrong))
    }

    /// Returns true if frames must be rendered to compute their positions.
    pub(crate) fn needs_analysis(&self) -> bool {
        self.trim != SheetTrim::None || self.merge
    }

    /// Returns the maximum number of times that each frame is rendered.
    pub(crate) fn passes(&self) -> usize {
        if self.needs_analysis() { 2 } else { 1 }
    }
}

rows::words! {
    /// JSON profile of a sheet.
    #[derive(Debug, Clone, Copy, Default, PartialEq)]
    pub enum SheetProfile {
        /// A list of frames named by their number; compatible with all tested engines.
        #[default]
        Index => ("index", "A list of frames named by their number"),
        /// A list of frames named by animation and by number within it, as documented by Aseprite.
        Doc => ("doc", "A list of frames named by animation and by number within the animation"),
        /// An object of frames named by title and number, as written by Aseprite by default.
        Hash => ("hash", "An object of frames named by title and number"),
    }
}

rows::words! {
    /// Cropping of transparent borders.
    #[derive(Debug, Clone, Copy, Default, PartialEq)]
    pub enum SheetTrim {
        /// No cropping.
        #[default]
        None => ("none", "Do not crop"),
        /// Crops the borders that are transparent in all frames.
        All => ("all", "Crop borders that are transparent in all frames"),
        /// Crops each frame separately.
        Frame => ("frame", "Crop each frame separately"),
    }
}

rows::words! {
    /// How durations are stored.
    #[derive(Debug, Clone, Copy, Default, PartialEq)]
    pub enum SheetDurations {
        /// Each rounded to whole milliseconds.
        #[default]
        Round => ("round", "Each rounded to whole milliseconds"),
        /// Rounded to whole milliseconds so that the total stays correct.
        Spread => ("spread", "Rounded to whole milliseconds so that the total stays correct"),
        /// Exact.
        Exact => ("exact", "Exact, unrounded"),
    }
}

rows::words! {
    /// Layout of frames.
    #[derive(Debug, Clone, Copy, Default, PartialEq)]
    pub enum SheetLayout {
        /// In a grid, row by row.
        #[default]
        Rows => ("rows", "A grid, row by row"),
        /// In a grid, column by column.
        Columns => ("columns", "A grid, column by column"),
        /// In a row.
        Horizontal => ("horizontal", "A single row"),
        /// In a column.
        Vertical => ("vertical", "A single column"),
        /// Packed tightly.
        Packed => ("packed", "Packed tightly"),
    }
}

impl SheetLayout {
    /// Returns true if the number of columns can be chosen.
    pub fn has_columns(self) -> bool {
        match self {
            Self::Rows | Self::Columns => true,
            Self::Horizontal | Self::Vertical | Self::Packed => false,
        }
    }
}

crate::rows::rows! {
    /// Kind of file that a sheet is written to.
    #[derive(Debug, Clone, Copy, Default, PartialEq)]
    pub enum SheetKind: &'static str {
        /// A JSON file with separate PNGs.
        #[default]
        Json => "json",
        /// JSON and PNG in one file.
        Packed => "sprsh",
        /// A PNG with embedded JSON.
        Png => "png",
    }
}

impl SheetKind {
    /// Returns the file extension.
    pub fn extension(self) -> &'static str {
        self.row()
    }

    /// Detects the kind from the extension of `path`, ignoring case.
    pub fn of_path(path: &Path) -> Option<Self> {
        let extension = path.extension()?;
        Self::ALL.into_iter().find(|kind| extension.eq_ignore_ascii_case(kind.extension()))
    }
}
