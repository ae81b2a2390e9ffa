//! Any file that opens → every target → opens again and looks the same.
#![no_main]

pchr_fuzz::target!(convert_everything);
