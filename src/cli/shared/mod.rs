//! What the commands share: how files are named, found, read and written, and how things are told. Nothing here knows a
//! command.

pub mod choose;
pub mod failure;
pub mod files;
pub mod interrupt;
pub mod json_error;
pub mod json_output;
pub mod keep_going;
pub mod kinds;
pub mod load;
pub mod parse;
pub mod program;
pub mod read_args;
pub mod stdio;
pub mod target;
pub mod written;
