//! The words of `--from` and `--to`, from the table of formats.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use crate::formats::table::{self, Source, Target};

/// Parses what `--from` names.
pub fn source() -> impl TypedValueParser<Value = &'static Source> {
    let word = |source: &Source| PossibleValue::new(source.name).help(source.about);
    let words = PossibleValuesParser::new(table::sources().into_iter().map(word));
    words.try_map(|name| table::source(&name).ok_or("no format is called so"))
}

/// The help of `--to`, with the targets that follow from an extension.
pub fn target_help() -> String {
    let usual = table::targets().filter(|target| table::usual_target(target.extension) == Some(*target));
    let usual: Vec<String> = usual.map(|target| format!("{} for .{}", target.name, target.extension)).collect();
    format!(
        "What to write; unless told by the extension: {}. A file of SkelForm becomes one of 0.7 with all that it has. \
         Sheets are made of sheets, and .json of a .sprsh is its own",
        usual.join(", ")
    )
}

/// Parses what `--to` names.
pub fn target() -> impl TypedValueParser<Value = &'static Target> {
    let word = |target: &Target| PossibleValue::new(target.name).help(target.about);
    let words = PossibleValuesParser::new(table::targets().map(word));
    words.try_map(|name| table::target(&name).ok_or("no format is called so"))
}
