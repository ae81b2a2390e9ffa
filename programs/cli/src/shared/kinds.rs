//! The values of `--from` and `--to`, from the table of formats.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use pchr::formats::table::{self, Source, Target};

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
        "Output format [default: from the extension: {}; sheet for .sprsh to .json; a Spine file that becomes .skel keeps \
        its version]. Spine files keep their keys in every version of Spine. SkelForm files are upgraded to 0.7 and keep \
        their keys. Sheet formats require a sheet as input",
        usual.join(", ")
    )
}

/// Returns the parser of `--to`.
pub fn target() -> impl TypedValueParser<Value = &'static Target> {
    let word = |target: &Target| PossibleValue::new(target.name).help(target.about);
    let words = PossibleValuesParser::new(table::targets().map(word));
    words.try_map(|name| table::target(&name).ok_or("unknown format"))
}
