//! `pchr convert` of sprite sheets.

pub mod convert;
