//! Code shared by the commands: finding, reading and writing files, and reporting. Nothing here depends on a
//! command.

pub mod annotation;
pub mod call;
pub mod choose;
pub mod config;
pub mod counted;
pub mod failure;
pub mod files;
pub mod interrupt;
pub mod json_error;
pub mod json_output;
pub mod keep_going;
pub mod kinds;
pub mod load;
pub mod parse;
pub mod path_glob;
pub mod program;
pub mod progress;
pub mod read_args;
pub mod stdio;
pub mod target;
pub mod warnings;
pub mod writing;
pub mod written;
