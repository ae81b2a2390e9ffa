//! The reader of both JSON forms, and the positions of its findings in the text.
#![no_main]

pchr_fuzz::target!(read_json);
