//! All JSON documents with a published schema. The files in `schema/` are generated from this list.

use schemars::Schema;

use super::convert::LossReport;
use super::diff::FolderDiff;
use super::golden::record::Comparison;
use super::inspect::Inspection;
use super::keys::Keys;
use super::poses::Poses;
use super::schema::{Published, named};
use super::shared::json_error::JsonError;
use super::shared::writing::Written;
use super::test::structure::Structure;
use super::validate::Report;
use super::view::{Adapters, Summary};
use pchr::convert;
use pchr::diff::Diff;

/// Every schema, sorted by name. A new one takes a line here and a file in `schema/`, which
/// `PCHR_UPDATE=1 cargo test --release --test project schemas` writes.
pub static PUBLISHED: &[Published] = &[
    Published::of::<Adapters>("pchr-view --list-adapters --json"),
    Published::of::<Comparison>("pchr test --json, pchr-view --reference --json"),
    Published::of_file(DESCRIPTION, "pchr unpack", || of_target("pchr-json", DESCRIPTION)),
    Published::of::<FolderDiff>("pchr diff --json with folders"),
    Published::of::<Diff>("pchr diff --json"),
    Published::of::<JsonError>("any failing command with --json, failures in other documents"),
    Published::of::<Inspection>("pchr inspect --json"),
    Published::of::<Keys<'static>>("pchr keys --json"),
    Published::of::<LossReport>("pchr convert --loss-report"),
    Published::of_file(PACHARIO, "pchr convert --to pachario", || of_target("pachario", PACHARIO)),
    Published::of::<Poses<'static>>("pchr poses --json"),
    Published::of::<Summary>("pchr-view --json"),
    Published::of::<Structure>("pchr test --update, beside the references"),
    Published::of::<Report>("pchr validate --json"),
    Published::of::<Written>("pchr convert, pack and unpack --json"),
];

/// Returns the schema of this name.
#[cfg(feature = "mcp")]
pub fn schema_named(name: &str) -> Option<serde_json::Map<String, serde_json::Value>> {
    let published = PUBLISHED.iter().find(|published| published.name == name)?;
    published.schema().as_object().cloned()
}

// File formats whose documents do not name their schema.
const DESCRIPTION: &str = "pchr.description/1";
const PACHARIO: &str = "pchr.pachario/1";

/// The schema of the files that a conversion to `target` writes.
fn of_target(target: &str, name: &str) -> Schema {
    named(name, |generator| convert::schema(target, generator).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_sorted_and_every_name_has_a_version() {
        assert!(PUBLISHED.is_sorted_by_key(|published| published.name));
        for published in PUBLISHED {
            let (name, version) = published.name.split_once('/').unwrap();
            assert!(name.starts_with("pchr.") && version.parse::<u32>().is_ok(), "{name}");
        }
    }
}
