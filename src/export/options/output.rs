//! Output path and format.

use super::contact_grid::ContactGrid;
use super::format::Format;
use super::psd::PsdGroups;
use super::sheet::SheetOptions;
use super::table::options;
use super::{values, words};

options! {
    /// Where pictures are written. The doc comments of the fields are the `--help` texts.
    #[command(next_help_heading = "Output")]
    pub struct Output {
        /// Write to this file instead of opening a window; `-` is stdout. Placeholders: {name}, {path}, {animation}, {index},
        /// {frame:04}
        #[arg(
            id = "output", short, long = "output", value_name = "PATH", value_parser = values::output_path,
            allow_hyphen_values = true
        )]
        pub path: Option<String>,
        /// Output format [default: from the extension of the output path; png on stdout]
        #[arg(long, value_name = "FORMAT", value_parser = words::choice::<Format>())]
        pub format: Option<Format>,
        /// Compress PNGs and pages of sprite sheets as far as possible: the same pixels, but much slower
        #[arg(long)]
        pub optimize: bool,
        /// Number of pictures rendered in parallel; 0 means one per core
        #[arg(long, value_name = "N", default_value = "0", value_parser = values::jobs, allow_negative_numbers = true)]
        pub jobs: usize,
        /// Overwrite existing files
        #[arg(long)]
        pub force: bool,
        /// Arrange the frames in a grid with captions, in one PNG; with COLSx or xROWS, the other number follows from the
        /// frames. Without -f, COLSxROWS selects evenly spaced frames of each animation. With {animation} or {index} in
        /// the path, several sheets are written. Several characters share a sheet, in cells of 160x160 without --size and
        /// --scale, unless the path has a placeholder
        #[arg(long, value_name = "COLSxROWS", value_parser = values::contact_grid, allow_hyphen_values = true)]
        pub contact_sheet: Option<ContactGrid>,
        /// How to group the layers of a PSD
        #[arg(
            long, value_name = "GROUPS", value_parser = words::choice::<PsdGroups>(), default_value = "none",
            hide_default_value = true
        )]
        pub psd_groups: PsdGroups,
        /// Sprite sheet options.
        #[command(flatten)]
        pub sheet: SheetOptions,
    }
}

impl Output {
    /// Returns true if the output is stdout.
    pub fn is_stdout(&self) -> bool {
        self.path.as_deref() == Some("-")
    }

    /// Returns the output path, unless it is stdout.
    pub fn files(&self) -> Option<&str> {
        self.path.as_deref().filter(|path| *path != "-")
    }

    /// Returns the format used if none is requested explicitly.
    pub(in crate::export) fn implied_format(&self) -> Option<Format> {
        match self.files() {
            None => Some(Format::Png),
            Some(path) => Format::of_path(path, None).ok(),
        }
    }
}
