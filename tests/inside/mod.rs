//! Tests of internals: they are compiled into the library, so that they reach what its users do not.
//!
//! Everything that the public API can show is tested from outside, in the folders beside this one.

#[cfg(feature = "export")]
mod export_sequence;
#[cfg(feature = "gpu")]
mod gpu_layout;
mod mipmaps;
mod misuse;
#[cfg(feature = "convert")]
mod outline;
mod page_alpha;
#[cfg(feature = "convert")]
mod pchr_writer;
#[cfg(feature = "convert")]
mod reference;
#[cfg(all(feature = "export", feature = "formats-all"))]
mod sheet_properties;
#[cfg(feature = "convert")]
mod skelform_writer;
#[cfg(feature = "gpu")]
mod skin_pass;
#[cfg(all(feature = "formats-all", feature = "gpu"))]
mod spine_drawing;
#[cfg(feature = "convert")]
mod spine_writer;
