//! Tests of internals: they are compiled into the library, so that they reach what its users do not.
//!
//! Everything that the public API can show is tested from outside, in the folders beside this one.

#[cfg(feature = "gpu")]
mod gpu_layout;
mod mipmaps;
mod misuse;
#[cfg(feature = "gpu")]
mod skin_pass;
#[cfg(all(feature = "formats-all", feature = "gpu"))]
mod spine_drawing;
