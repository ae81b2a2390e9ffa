//! The list of fuzz targets of the library with their checks and mutators, used by the fuzzer and by the short run of
//! the normal tests.

use bytes::Bytes;
use pchr::limits::Limits;

use super::bake_checks::bake;
use super::convert_checks::convert_everything;
use super::document_checks;
use super::export_checks::export;
use super::keyed_checks::write_keyed;
use super::mutators::{self, Mutator};
use super::opened::opens;
use super::picture_checks::decode_picture;
use super::rewrite_checks::rewrite_spine;
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
const ATLASES: &str = "conformance/animate/rigs";
const SAMPLES: &str = "conformance/skelform/samples";

/// Skeletons as JSON, of 4.3 small ones.
const SKELETONS: &[&str] = &[RIGS, RIGS_OF_4, SLIDERS, INVERSE, FOLDERS, SCALES, "spine-quirks"];

/// Everything that opens as a character.
pub const CHARACTERS: &[&str] = &[
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
    "animate",
    ATLASES,
];

/// Returns a target that takes characters.
pub const fn target(name: &'static str, check: Check, mutator: Mutator, seeds: &'static [&'static str]) -> Target {
    // The limits allow 16 MiB per reader; most checks read, write and draw several times.
    Target { name, check, is_valid: Some(opens), mutator, seeds, memory: 64 << 20, cost: 1 }
}

/// All targets, sorted by name.
pub const TARGETS: &[Target] = &[
    target("bake", bake, mutators::any, CHARACTERS),
    target("convert", document_checks::convert, mutators::json, FRAMES),
    // It converts each input to all targets.
    Target { cost: 8, ..target("convert_everything", convert_everything, mutators::any, CHARACTERS) },
    // An image has at most 256 KiB. The WebP decoder allocates up to 16 MiB before it notices that the data is
    // missing.
    Target {
        is_valid: None,
        memory: 24 << 20,
        ..target("decode_picture", decode_picture, mutators::picture, &["pictures"])
    },
    target("evaluate_and_draw", checks::evaluate_and_draw, mutators::json, FRAMES),
    target("export", export, mutators::any, CHARACTERS),
    target("parse_skel", parse_skel, mutators::skel, &["skel"]),
    target("parse_spine", parse_spine, mutators::spine, SKELETONS),
    target("read_animate", checks::evaluate_and_draw, mutators::animate, &["animate", ATLASES]),
    target("read_json", document_checks::read_json, mutators::json, FRAMES),
    target("read_packed", document_checks::read_packed, mutators::json, FRAMES),
    target("read_pchr", document_checks::read_pchr, mutators::bytes, FRAMES),
    target("read_sheet", checks::read_sheet, mutators::json, FRAMES),
    target("read_skel", read_skel, mutators::skel, &["skel"]),
    target("read_skelform", checks::read_skelform, mutators::skelform, &["skelform", SAMPLES]),
    target("read_spine", read_spine, mutators::spine, SKELETONS),
    target(
        "rewrite_spine",
        rewrite_spine,
        mutators::any,
        &[RIGS, RIGS_OF_4, SLIDERS, INVERSE, FOLDERS, SCALES, "spine-quirks", "skel"],
    ),
    target("round_trip", document_checks::round_trip, mutators::json, FRAMES),
    target("validate", checks::validate, mutators::json, FRAMES),
    target("write_keyed", write_keyed, mutators::any, CHARACTERS),
];

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
