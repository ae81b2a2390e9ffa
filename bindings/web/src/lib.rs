//! Two modules of WebAssembly: plain functions over handles, without imports, which `js/wasm.js` calls. The player (feature
//! `player`) plays and draws; the tools (feature `tools`) write files, and a page loads them only when it asks for some.
//!
//! A call takes its text and bytes from a buffer for which [`abi::pchr_input`] makes room, and leaves its answer, JSON unless
//! it says otherwise, in another: [`abi::pchr_output`], [`abi::pchr_output_len`]. A negative result means that the answer is
//! an error: `{code, path, file, offset, message}`. Handles of characters and players are never reused for another kind.
//!
//! A character is what a file contains; any number of players show it. Times are seconds, world units are pixels with y up,
//! picture units are pixels with y down.

mod abi;
mod failure;
#[cfg_attr(not(feature = "player"), allow(dead_code, reason = "the tools get all files at once"))]
mod files;
#[cfg(feature = "player")]
mod playing;
#[cfg(feature = "tools")]
mod tools;
