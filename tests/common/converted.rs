//! Conversions in memory, through the public API.

use bytes::Bytes;
use pchr::convert::{self, ConvertError, ConvertOptions, Converted};
use pchr::diagnostics::Diagnostics;
use pchr::formats::table::target;
use pchr::formats::{Input, NO_SIDECARS};
use pchr::limits::Limits;

/// Returns the options of a conversion without images.
pub fn options(to: &str, limits: &Limits) -> ConvertOptions {
    let to = target(to).expect("a target");
    let mut options = ConvertOptions::new(to, format!("it.{}", to.extension));
    options.allows_missing_images = true;
    options.read.limits = limits.clone();
    options
}

/// Converts a file without the files beside it.
pub fn converted(bytes: &Bytes, options: &ConvertOptions) -> Result<Converted, ConvertError> {
    let input = Input { bytes: bytes.clone(), sidecars: NO_SIDECARS };
    let opened = convert::open(input, &options.read, &mut Diagnostics::default()).map_err(ConvertError::Input)?;
    opened.convert(options)
}

/// Returns the main file.
pub fn main_file(converted: &Converted) -> Bytes {
    converted.files.files.last().and_then(|file| file.bytes()).expect("the main file").clone()
}

/// Returns the error of a file.
pub fn cause(error: &ConvertError) -> &pchr::Error {
    match error {
        ConvertError::Input(error) | ConvertError::Incomplete(error) | ConvertError::Output(error) => error,
        ConvertError::Unknown(name) => panic!("{name}"),
    }
}
