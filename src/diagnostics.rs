//! Oddities that do not stop a file from playing, collected while it is read.
//!
//! The library prints nothing: the programs print these, the viewer lists them, and a caller who
//! wants them to be errors looks at [`Diagnostics::is_empty`].

use crate::error::{Fault, Place};

/// What a reader noticed, in the order it noticed it.
#[derive(Debug, Clone, Default)]
pub struct Diagnostics {
    warnings: Vec<Fault>,
    suppressed: usize,
}

/// Beyond this many a file is hopeless and the rest only counted, so that bad input cannot fill memory.
const MAX_KEPT: usize = 1000;

impl Diagnostics {
    /// Adds a warning. `code` is stable.
    pub fn warn(&mut self, code: &'static str, place: Place, message: impl Into<String>) {
        if self.warnings.len() < MAX_KEPT {
            self.warnings.push(Fault { code, place, message: message.into() });
        } else {
            self.suppressed += 1;
        }
    }

    /// The warnings kept.
    pub fn warnings(&self) -> &[Fault] {
        &self.warnings
    }

    /// How many more there were than [`Self::warnings`] holds.
    pub fn suppressed(&self) -> usize {
        self.suppressed
    }

    /// True when nothing odd was found.
    pub fn is_empty(&self) -> bool {
        self.warnings.is_empty()
    }
}
