//! The values of `--from` and `--to`, from the table of formats.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use crate::formats::table::{self, Source, Target};

/// Returns the parser of `--from`.
pub fn source() -> impl TypedValueParser<Value = &'static Source> {
    let word = |source: &Source| PossibleValue::new(source.name).help(source.about);
    let words = PossibleValuesParser::new(table::sources().into_iter().map(word));
    words.try_map(|name| table::source(&name).ok_or("unknown format"))
}

/// Returns the help text of `--to`, with the targets that are implied by an extension.
pub fn target_help() -> String {
    let usual = table::targets().filter(|target| table::usual_target(target.extension) == Some(*target));
    let usual: Vec<String> = usual.map(|target| format!("{} for .{}", target.name, target.extension)).collect();
    format!(
        "Output format [default: from the extension: {}]. SkelForm input is written as SkelForm 0.7 without loss. \
        Sheets can only be converted to sheets, from a .sprsh to .json by default",
        usual.join(", ")
    )
}

/// Returns the parser of `--to`.
pub fn target() -> impl TypedValueParser<Value = &'static Target> {
    let word = |target: &Target| PossibleValue::new(target.name).help(target.about);
    let words = PossibleValuesParser::new(table::targets().map(word));
    words.try_map(|name| table::target(&name).ok_or("unknown format"))
}
