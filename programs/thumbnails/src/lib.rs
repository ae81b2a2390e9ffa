//! Shows thumbnails of characters in Explorer: a COM server in a library, `pchr_thumbnails.dll`, empty on other systems.
//!
//! `regsvr32` calls [`register`] for the current user. For a file of a registered type, Explorer starts a process of its
//! own, which loads the library and passes the file as a stream to [`provider`], which has it drawn by [`draw`] and returns
//! a bitmap. Files beside it cannot be read.

#![cfg(windows)]

mod draw;
mod provider;
mod register;
