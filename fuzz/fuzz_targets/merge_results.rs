//! Merging the results of `pchr test`: the report and the output of every style.
#![no_main]

pchr_fuzz::target!(merge_results);
