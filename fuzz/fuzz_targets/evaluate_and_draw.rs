//! Reading, posing at many times, drawing.
#![no_main]

pchr_fuzz::target!(evaluate_and_draw);
