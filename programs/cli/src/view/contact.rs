//! `--contact-sheet`: whether characters share a sheet, and errors with options that work.

use std::path::Path;

use crate::shared::failure::Failure;
use crate::shared::files::Target;
use pchr::Error;
use pchr::export::{
    CONTACT_SHEET_FULL, CONTACT_SHEET_SHARED, CONTACT_SHEET_TOO_LARGE, ContactGrid, RenderOptions,
};

/// Converts an error to a failure, with a hint if it is about the contact sheet of `animations` animations. `whole` is the
/// grid of the whole sheet; `options` may be for the share of one character.
pub fn failure(error: Error, options: &RenderOptions, whole: Option<ContactGrid>, animations: usize) -> Failure {
    let grid = options.output.contact_sheet;
    let help = match error.code() {
        CONTACT_SHEET_FULL | CONTACT_SHEET_SHARED if grid != whole => {
            let help =
                "each character has its share of the cells: use more rows, or select fewer animations with -a";
            help.to_owned()
        }
        CONTACT_SHEET_FULL => {
            let grid = grid.map(|grid| grid.with_any_rows().to_string()).unwrap_or_default();
            or_several(options, format!("use --contact-sheet {grid} for as many rows as needed"), "-{index}")
        }
        CONTACT_SHEET_SHARED => {
            let grid = grid.map(|grid| grid.with_cells(animations).to_string()).unwrap_or_default();
            or_several(options, format!("use --contact-sheet {grid}, select fewer with -a"), "-{animation}")
        }
        CONTACT_SHEET_TOO_LARGE => "use a smaller --size, or select fewer frames".to_owned(),
        _ => return Failure::reading(error),
    };
    Failure::usage_with_help(error.to_string(), help)
}

fn or_several(options: &RenderOptions, help: String, place: &str) -> String {
    match options.output.files() {
        Some(path) => format!("{help}, or -o '{}' for several sheets", with_place(Path::new(path), place)),
        None => help,
    }
}

/// Converts an error about the contact sheet of `characters` characters to a failure.
pub fn failure_of_characters(error: Error, options: &RenderOptions, characters: usize) -> Failure {
    let grid = options.output.contact_sheet.filter(|_| error.code() == CONTACT_SHEET_SHARED);
    let Some(grid) = grid else { return failure(error, options, options.output.contact_sheet, 1) };
    let help = format!("use --contact-sheet {}", grid.with_cells(characters));
    Failure::usage_with_help(error.to_string(), or_several(options, help, "-{name}"))
}

/// Returns true if all characters share one sheet.
pub fn is_shared(options: &RenderOptions, targets: &[Target]) -> bool {
    targets.len() > 1 && options.output.path.is_some() && options.shares_contact_sheet()
}

/// Returns the options for the share of each character.
pub fn shares(options: &RenderOptions, targets: &[Target]) -> Result<Vec<RenderOptions>, Failure> {
    let count = targets.len();
    options.sharing_contact_sheet(count).map_err(|error| failure_of_characters(error, options, count))
}

/// Inserts a placeholder before the extension of a path.
pub fn with_place(path: &Path, place: &str) -> String {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let extension = path.extension().map_or("png".into(), |extension| extension.to_string_lossy());
    path.with_file_name(format!("{stem}{place}.{extension}")).display().to_string()
}
