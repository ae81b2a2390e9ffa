//! Files found by fuzzing: the checks of the command lines hold for every file in `fixtures/regressions`, in bounded
//! memory.

use crate::runner::{check_all, for_each_regression};
use crate::targets::TARGETS;

#[test]
fn regressions_stay_fixed() {
    for_each_regression(|bytes| check_all(TARGETS, bytes));
}
