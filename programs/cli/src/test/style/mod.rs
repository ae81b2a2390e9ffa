//! How the result of `pchr test` is printed. Every style is a function of the result, so that merged shards print the
//! same bytes as a single run, except for the times in JUnit XML, which merged results lack.

mod github;
mod human;
mod junit;

use super::args::StyleArg;
use super::run::Times;
use crate::golden::record::Comparison;
use crate::shared::failure::Failure;
use crate::shared::json_output::{JsonOutput, unwritten};

/// Returns the text for stdout. `quiet` omits what is not an error.
pub fn print(style: StyleArg, comparison: &Comparison, times: &Times, quiet: bool) -> Result<String, Failure> {
    match style {
        StyleArg::Human => Ok(human::text(comparison, quiet)),
        StyleArg::Json => comparison.to_text().map(|text| text + "\n").map_err(unwritten),
        StyleArg::Github => Ok(github::text(comparison)),
        StyleArg::Junit => junit::text(comparison, times),
    }
}
