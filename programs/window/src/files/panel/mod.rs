//! The list of files, what is shown while a file is loaded, its problems, and the window without a file.

pub mod banner;
pub mod findings;
pub mod list;
pub mod loading;
pub mod path_prompt;
pub mod problems;
pub mod welcome;
