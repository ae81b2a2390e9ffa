//! The list of everything that is printed as JSON and has a schema. The files below `schema/` are made from it.

use super::convert::LossReport;
use super::diff::Diff;
use super::inspect::Inspection;
use super::schema::{Published, named};
use super::shared::json_error::JsonError;
use super::validate::Report;
use super::view::{Adapters, Summary};
use crate::formats::pchr::json::description::Description;
use crate::formats::pchr::json::pachario::Pachario;

/// Every schema, by name. A new one is one line here and one file more in `schema/`, which
/// `PCHR_UPDATE=1 cargo test --release --test project schemas` writes.
pub static PUBLISHED: &[Published] = &[
    Published::of::<Adapters>("pchr-view --list-adapters --json"),
    Published::of_file(DESCRIPTION, "pchr unpack", || named::<Description<'_>>(DESCRIPTION)),
    Published::of::<Diff>("pchr diff --json"),
    Published::of::<JsonError>("any command with --json that fails"),
    Published::of::<Inspection>("pchr inspect --json"),
    Published::of::<LossReport>("pchr convert --loss-report"),
    Published::of_file(PACHARIO, "pchr convert --to pachario", || named::<Pachario<'_>>(PACHARIO)),
    Published::of::<Summary>("pchr-view --json"),
    Published::of::<Report>("pchr validate --json"),
];

/// Files of their own kind, which do not name their schema.
const DESCRIPTION: &str = "pchr.description/1";
const PACHARIO: &str = "pchr.pachario/1";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_sorted_and_every_name_has_a_version() {
        assert!(PUBLISHED.is_sorted_by_key(|published| published.name()));
        for published in PUBLISHED {
            let (name, version) = published.name().split_once('/').unwrap();
            assert!(name.starts_with("pchr.") && version.parse::<u32>().is_ok(), "{name}");
        }
    }
}
