//! Pictures that are too large to draw, and who made them so: the file (exit code 3) or the command line (2).

use crate::cli::shared::failure::Failure;
use crate::draw::Antialias;
use crate::error::{Error, Result};
use crate::export::{Fit, Look, Padding, RenderOptions, Size, TOO_LARGE_TO_DRAW};

/// Codes of errors that say so.
const CODES: [&str; 4] = ["no-bounds", "no-scale", "picture-too-large", TOO_LARGE_TO_DRAW];

/// Whether a plan failed because its pictures are too large.
pub fn is_too_large(error: &Error) -> bool {
    match error {
        Error::LimitExceeded(excess) => excess.limit == "pixels",
        error => CODES.contains(&error.code()),
    }
}

/// What such an error means for the user. The file is to blame if its pictures would be too large without any option
/// that changes their size; `plan` tries.
pub fn failure<T>(
    error: Error,
    options: &RenderOptions,
    plan: impl FnOnce(&RenderOptions) -> Result<T>,
) -> Failure {
    let help = match error.code() {
        "no-bounds" => "--fit X,Y,W,H draws a rectangle of it",
        TOO_LARGE_TO_DRAW => "a smaller --size, another --antialias or --limit memory-bytes=VALUE makes it fit",
        _ => "a smaller --size or --scale makes it smaller, --fit X,Y,W,H draws a part of it",
    };
    let names_rectangle = matches!(options.look.fit, Fit::Rect(_));
    let is_file_to_blame = !names_rectangle && plan(&as_it_is(options)).is_err_and(|error| is_too_large(&error));
    match error {
        Error::Misuse(fault) if is_file_to_blame => {
            Failure::Input(Error::Unsupported(fault).with_hint("; ").with_hint(help))
        }
        Error::Misuse(fault) => Failure::usage_with_help(fault.message, help),
        error if is_file_to_blame => Failure::Input(error),
        error => Failure::usage_with_help(error.to_string(), help),
    }
}

/// The same run with pictures as large as the file makes them.
fn as_it_is(options: &RenderOptions) -> RenderOptions {
    let look = Look {
        size: Size::Native,
        scale: 1.0,
        padding: Padding::default(),
        antialias: Some(Antialias::None),
        ..options.look.clone()
    };
    RenderOptions { look, ..options.clone() }
}
