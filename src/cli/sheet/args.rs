//! `--sheet-…`: what of a sheet can be chosen.

use clap::ValueEnum;
use clap::builder::PossibleValue;

use crate::cli::parse;
use crate::export::{SheetDurations, SheetLayout, SheetName, SheetOptions, SheetProfile, SheetTrim};

/// How a sprite sheet is written.
#[derive(Debug, Default, clap::Args)]
#[command(next_help_heading = "Sprite sheets")]
pub struct SheetArgs {
    /// Who reads the JSON: index for every engine that was tried (default), doc as it is documented, hash
    /// as Aseprite writes it by itself
    #[arg(long, value_name = "PROFILE")]
    sheet_profile: Option<SheetProfile>,
    /// How frames are laid out; unless told in rows
    #[arg(long, value_name = "LAYOUT")]
    sheet_layout: Option<SheetLayout>,
    /// How many columns a grid has; unless told as many as make it square
    #[arg(long, value_name = "N", value_parser = parse::count, allow_negative_numbers = true)]
    sheet_columns: Option<u32>,
    /// Pixels between frames and the edges of the sheet
    #[arg(long, value_name = "N", value_parser = parse::few_pixels, allow_negative_numbers = true)]
    sheet_border: Option<u32>,
    /// Pixels between frames
    #[arg(long, value_name = "N", value_parser = parse::few_pixels, allow_negative_numbers = true)]
    sheet_padding: Option<u32>,
    /// How many times the edges of each frame are repeated around it, against seams in engines that filter
    #[arg(long, value_name = "N", value_parser = parse::few_pixels, allow_negative_numbers = true)]
    sheet_extrude: Option<u32>,
    /// How many pixels far colours are brought into what is transparent, against dark rims in engines that filter
    #[arg(long, value_name = "N", value_parser = parse::few_pixels, allow_negative_numbers = true)]
    sheet_bleed: Option<u32>,
    /// What is cut off: nothing, what is transparent in all frames, or in each
    #[arg(long, value_name = "TRIM")]
    sheet_trim: Option<SheetTrim>,
    /// Write frames that look the same once
    #[arg(long)]
    sheet_merge: bool,
    /// The longest side of a picture; more frames go on further ones. Unless told 4096
    #[arg(long, value_name = "N", value_parser = parse::sheet_size, allow_negative_numbers = true)]
    sheet_max_size: Option<u32>,
    /// Sides of pictures are powers of two
    #[arg(long)]
    sheet_pot: bool,
    /// How durations are written: each rounded to milliseconds, rounded so that their sum is right, or as they are
    #[arg(long, value_name = "DURATIONS")]
    sheet_durations: Option<SheetDurations>,
    /// What frames are called, with {title}, which is the name of the output, {tag}, the animation, {frame}, {tagframe}
    /// and {extension}
    #[arg(long, value_name = "TEMPLATE")]
    sheet_filename: Option<SheetName>,
    /// What animations are called, with {title} and {tag}
    #[arg(long, value_name = "TEMPLATE")]
    sheet_tagname: Option<SheetName>,
}

impl SheetArgs {
    /// The first option that was given, as it is written.
    pub fn given(&self) -> Option<&'static str> {
        let options = [
            ("sheet-profile", self.sheet_profile.is_some()),
            ("sheet-layout", self.sheet_layout.is_some()),
            ("sheet-columns", self.sheet_columns.is_some()),
            ("sheet-border", self.sheet_border.is_some()),
            ("sheet-padding", self.sheet_padding.is_some()),
            ("sheet-extrude", self.sheet_extrude.is_some()),
            ("sheet-bleed", self.sheet_bleed.is_some()),
            ("sheet-trim", self.sheet_trim.is_some()),
            ("sheet-merge", self.sheet_merge),
            ("sheet-max-size", self.sheet_max_size.is_some()),
            ("sheet-pot", self.sheet_pot),
            ("sheet-durations", self.sheet_durations.is_some()),
            ("sheet-filename", self.sheet_filename.is_some()),
            ("sheet-tagname", self.sheet_tagname.is_some()),
        ];
        options.into_iter().find(|(_, is_given)| *is_given).map(|(option, _)| option)
    }

    /// Whether colours are brought into what is transparent.
    pub fn bleeds(&self) -> bool {
        self.sheet_bleed.is_some_and(|bleed| bleed > 0)
    }

    /// Whether columns are asked for in a layout that has none of its own.
    pub fn has_idle_columns(&self) -> bool {
        self.sheet_columns.is_some() && !self.options().layout.has_columns()
    }

    /// The same for the exporter.
    pub fn options(&self) -> SheetOptions {
        let usual = SheetOptions::default();
        SheetOptions {
            profile: self.sheet_profile.unwrap_or_default(),
            layout: self.sheet_layout.unwrap_or_default(),
            columns: self.sheet_columns,
            border: self.sheet_border.unwrap_or(usual.border),
            padding: self.sheet_padding.unwrap_or(usual.padding),
            extrude: self.sheet_extrude.unwrap_or(usual.extrude),
            bleed: self.sheet_bleed.unwrap_or(usual.bleed),
            trim: self.sheet_trim.unwrap_or_default(),
            merge: self.sheet_merge,
            max_size: self.sheet_max_size.unwrap_or(usual.max_size),
            pot: self.sheet_pot,
            durations: self.sheet_durations.unwrap_or_default(),
            filename: self.sheet_filename.clone(),
            tagname: self.sheet_tagname.clone(),
        }
    }
}

/// The words of the command line are those that the exporter has.
macro_rules! value_enum {
    ($($kind:ty),*) => {$(
        impl ValueEnum for $kind {
            fn value_variants<'a>() -> &'a [Self] {
                &Self::ALL
            }

            fn to_possible_value(&self) -> Option<PossibleValue> {
                Some(PossibleValue::new(self.name()).help(self.about()))
            }
        }
    )*};
}

value_enum!(SheetProfile, SheetLayout, SheetTrim, SheetDurations);
