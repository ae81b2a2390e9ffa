//! Pictures that are too large to draw, because of the file (exit code 3) or the command line (exit code 2).

use crate::shared::failure::Failure;
use pchr::draw::Antialias;
use pchr::export::{Fit, Look, Padding, RenderOptions, Size, TOO_LARGE_TO_DRAW};
use pchr::{Error, Result};

/// Error codes for pictures that are too large.
const CODES: [&str; 4] = ["no-bounds", "no-scale", "picture-too-large", TOO_LARGE_TO_DRAW];

/// Returns true if planning failed because the pictures are too large.
pub fn is_too_large(error: &Error) -> bool {
    match error {
        Error::LimitExceeded(excess) => excess.limit == "pixels",
        error => CODES.contains(&error.code()),
    }
}

/// Converts such an error to a failure. The file is at fault if its pictures would be too large even without
/// options that change their size, which `plan` determines.
pub fn failure<T>(
    error: Error,
    options: &RenderOptions,
    plan: impl FnOnce(&RenderOptions) -> Result<T>,
) -> Failure {
    let help = match error.code() {
        "no-bounds" => "use --fit X,Y,W,H to draw a rectangle of the world",
        TOO_LARGE_TO_DRAW => "use a smaller --size, another --antialias or --limit memory-bytes=VALUE",
        _ => "use a smaller --size or --scale, or --fit X,Y,W,H to draw only a part",
    };
    let names_rectangle = matches!(options.look.fit, Fit::Rect(_));
    let is_file_at_fault =
        !names_rectangle && plan(&native_size(options)).is_err_and(|error| is_too_large(&error));
    match error {
        Error::Misuse(fault) if is_file_at_fault => {
            Failure::Input(Error::Unsupported(fault).with_hint("; ").with_hint(help))
        }
        Error::Misuse(fault) => Failure::usage_with_help(fault.message, help),
        error if is_file_at_fault => Failure::Input(error),
        error => Failure::usage_with_help(error.to_string(), help),
    }
}

/// Returns the options without any that change the picture size.
fn native_size(options: &RenderOptions) -> RenderOptions {
    let look = Look {
        size: Size::Native,
        scale: 1.0,
        padding: Padding::default(),
        antialias: Some(Antialias::None),
        ..options.look.clone()
    };
    RenderOptions { look, ..options.clone() }
}
