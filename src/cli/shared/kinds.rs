//! The words of `--from` and `--to`, from the table of formats.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use crate::formats::table::{self, Source, Target};

/// Parses what `--from` names.
pub fn source() -> impl TypedValueParser<Value = &'static Source> {
    let word = |source: &Source| PossibleValue::new(source.name).help(source.about);
    let words = PossibleValuesParser::new(table::sources().into_iter().map(word));
    words.try_map(|name| table::source(&name).ok_or("no format is called so"))
}

/// Parses what `--to` names.
pub fn target() -> impl TypedValueParser<Value = &'static Target> {
    let word = |target: &Target| PossibleValue::new(target.name).help(target.about);
    let words = PossibleValuesParser::new(table::targets().map(word));
    words.try_map(|name| table::target(&name).ok_or("no format is called so"))
}
