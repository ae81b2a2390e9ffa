//! Sprite sheets in every form, and Aseprite files.
#![no_main]

pchr_fuzz::target!(read_sheet);
