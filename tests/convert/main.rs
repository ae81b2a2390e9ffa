//! Conversions to other formats: baked, or preserving the structure of the format.

#[path = "../common/mod.rs"]
mod common;

#[cfg(feature = "convert")]
mod animate;
#[cfg(all(feature = "formats-all", feature = "export"))]
mod bake;
#[cfg(feature = "convert")]
mod broken_pages;
#[cfg(feature = "convert")]
mod characters;
#[cfg(feature = "convert")]
mod json_form;
#[cfg(feature = "convert")]
mod limits;
#[cfg(feature = "convert")]
mod odd_curves;
#[cfg(feature = "convert")]
mod rewrite_spine;
#[cfg(feature = "convert")]
mod round_trip_spine;
#[cfg(feature = "convert")]
mod sheets;
