//! The helpers of the normal tests that the fuzz targets need.
#![allow(dead_code, reason = "each program uses a part")]

#[path = "../../tests/common/baking.rs"]
pub mod baking;
#[path = "../../tests/common/byte_damage.rs"]
pub mod byte_damage;
#[path = "../../tests/common/checks.rs"]
pub mod checks;
#[path = "../../tests/common/converted.rs"]
pub mod converted;
#[path = "../../tests/common/json_damage.rs"]
pub mod json_damage;
#[path = "../../tests/common/packed.rs"]
pub mod packed;
#[path = "../../tests/common/random.rs"]
pub mod random;
#[path = "../../tests/common/show.rs"]
pub mod show;
#[path = "../../tests/common/spine_checks.rs"]
pub mod spine_checks;
#[path = "../../tests/common/text_part.rs"]
pub mod text_part;
#[path = "../../examples/make_paper_knight/v1.rs"]
pub mod v1;
#[path = "../../tests/common/zip.rs"]
pub mod zip;
