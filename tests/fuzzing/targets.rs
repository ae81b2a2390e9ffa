//! The list of fuzz targets with their checks and mutators, used by the fuzzer and by the short run of the normal
//! tests.

use bytes::Bytes;
use pchr::limits::Limits;

use super::bake_checks::bake;
use super::convert_checks::convert_everything;
use super::document_checks;
use super::export_checks::export;
#[cfg(feature = "cli")]
use super::finding_checks::print_findings;
use super::keyed_checks::write_keyed;
use super::mutators::Mutator;
use super::opened::opens;
use super::picture_checks::decode_picture;
use super::rewrite_checks::rewrite_spine;
#[cfg(feature = "cli")]
use super::suite_checks::{merge_results, merges, read_settings, suits};
use crate::common::checks;
use crate::common::spine_checks::{parse_skel, parse_spine, read_skel, read_spine};

/// A check of any bytes. Panics if an invariant is violated.
pub type Check = fn(&Bytes, &Limits);

/// A fuzz target.
#[derive(Debug)]
pub struct Target {
    /// The name of its file in `fuzz/fuzz_targets`.
    pub name: &'static str,
    pub check: Check,
    /// Returns true for a valid input. `None` if that is not known.
    pub is_valid: Option<fn(&Bytes, &Limits) -> bool>,
    pub mutator: Mutator,
    /// Folders of `tests/fixtures` with its seeds.
    pub seeds: &'static [&'static str],
    /// Maximum memory use of its check, in bytes.
    pub memory: usize,
    /// How many times as long as others its check takes. The short run uses fewer inputs.
    pub cost: usize,
}

/// The forms of PCHR, sheets, and Aseprite.
const FRAMES: &[&str] = &["pchr", "pchr-json", "pchr-packed", "sheet", "aseprite"];

/// Parts of the conformance data.
const SHEETS: &str = "conformance/sheets/own";
const RIGS: &str = "conformance/spine/own";
const RIGS_OF_4: &str = "conformance/spine4";
const SLIDERS: &str = "conformance/spine-next/4.3/sliders";
const INVERSE: &str = "conformance/spine-next/4.3/clipping-inverse";
const FOLDERS: &str = "conformance/spine-next/4.3/draw-order-folders";
const SCALES: &str = "conformance/spine-next/4.3/scale-y-modes";
const SAMPLES: &str = "conformance/skelform/samples";

/// Skeletons as JSON, of 4.3 small ones.
const SKELETONS: &[&str] = &[RIGS, RIGS_OF_4, SLIDERS, INVERSE, FOLDERS, SCALES, "spine-quirks"];

/// Everything that opens as a character.
const CHARACTERS: &[&str] = &[
    "pchr",
    "pchr-json",
    "pchr-packed",
    "sheet",
    SHEETS,
    "aseprite",
    RIGS,
    "spine-quirks",
    "skel",
    RIGS_OF_4,
    "spine-quirks",
    "skelform",
    SAMPLES,
];

const fn target(name: &'static str, check: Check, mutator: Mutator, seeds: &'static [&'static str]) -> Target {
    // The limits allow 16 MiB per reader; most checks read, write and draw several times.
    Target { name, check, is_valid: Some(opens), mutator, seeds, memory: 64 << 20, cost: 1 }
}

/// All targets, sorted by name.
pub const TARGETS: &[Target] = &[
    target("bake", bake, Mutator::Any, CHARACTERS),
    target("convert", document_checks::convert, Mutator::Json, FRAMES),
    // It converts each input to all targets.
    Target { cost: 8, ..target("convert_everything", convert_everything, Mutator::Any, CHARACTERS) },
    // An image has at most 256 KiB. The WebP decoder allocates up to 16 MiB before it notices that the data is
    // missing.
    Target {
        is_valid: None,
        memory: 24 << 20,
        ..target("decode_picture", decode_picture, Mutator::Picture, &["pictures"])
    },
    target("evaluate_and_draw", checks::evaluate_and_draw, Mutator::Json, FRAMES),
    target("export", export, Mutator::Any, CHARACTERS),
    #[cfg(feature = "cli")]
    Target {
        is_valid: Some(merges),
        ..target("merge_results", merge_results, Mutator::Results, &["suite-results"])
    },
    target("parse_skel", parse_skel, Mutator::Skel, &["skel"]),
    target("parse_spine", parse_spine, Mutator::Spine, SKELETONS),
    #[cfg(feature = "cli")]
    target("print_findings", print_findings, Mutator::Named, CHARACTERS),
    target("read_json", document_checks::read_json, Mutator::Json, FRAMES),
    target("read_packed", document_checks::read_packed, Mutator::Json, FRAMES),
    target("read_pchr", document_checks::read_pchr, Mutator::Bytes, FRAMES),
    #[cfg(feature = "cli")]
    Target {
        is_valid: Some(suits),
        ..target("read_settings", read_settings, Mutator::Settings, &["suite-settings"])
    },
    target("read_sheet", checks::read_sheet, Mutator::Json, FRAMES),
    target("read_skel", read_skel, Mutator::Skel, &["skel"]),
    target("read_skelform", checks::read_skelform, Mutator::Skelform, &["skelform", SAMPLES]),
    target("read_spine", read_spine, Mutator::Spine, SKELETONS),
    target(
        "rewrite_spine",
        rewrite_spine,
        Mutator::Any,
        &[RIGS, RIGS_OF_4, SLIDERS, INVERSE, FOLDERS, SCALES, "spine-quirks", "skel"],
    ),
    target("round_trip", document_checks::round_trip, Mutator::Json, FRAMES),
    target("validate", checks::validate, Mutator::Json, FRAMES),
    target("write_keyed", write_keyed, Mutator::Any, CHARACTERS),
];

/// Returns the target with the given name.
pub fn named(name: &str) -> &'static Target {
    TARGETS.iter().find(|target| target.name == name).unwrap_or_else(|| panic!("there is no target `{name}`"))
}

/// Returns limits low enough to be reached by inputs, so that each is quick.
pub fn limits() -> Limits {
    let mut limits = Limits::default();
    limits.file_bytes = 1 << 20;
    limits.pixels = 1 << 16;
    limits.memory_bytes = 16 << 20;
    // About 0.1 s. An unknown name is ignored.
    limits.set("work", 1 << 28);
    limits
}
