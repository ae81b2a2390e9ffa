//! Which versions have a key or a form.

use std::fmt;

use crate::formats::spine::binary::Layout;

/// The versions that have a key, and what the others do with it.
#[derive(Debug, Clone, Copy)]
pub struct Owners {
    pub since: Layout,
    pub until: Layout,
    pub elsewhere: Elsewhere,
}

/// What the program of a version does with a key that only others have.
#[derive(Debug, Clone, Copy)]
pub enum Elsewhere {
    /// It does not read it.
    Ignored,
    /// It cannot play the file, so it is read as it was meant. Words for that.
    Fatal(&'static str),
    /// That depends on the numbers.
    Unknown,
    /// Later versions read it or contain it, too. It only decides in files that state a version before 3.6, or none.
    Common,
}

impl Owners {
    pub const fn since(since: Layout) -> Self {
        Self { since, until: Layout::NEWEST, elsewhere: Elsewhere::Ignored }
    }

    pub const fn until(until: Layout) -> Self {
        Self { since: Layout::OLDEST, until, elsewhere: Elsewhere::Ignored }
    }

    pub const fn or(self, elsewhere: Elsewhere) -> Self {
        Self { elsewhere, ..self }
    }

    pub fn has(self, layout: Layout) -> bool {
        (self.since..=self.until).contains(&layout)
    }
}

impl fmt::Display for Owners {
    /// Which versions have it, as words before `have` or `has`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.since, self.until) {
            (since, until) if since == until => write!(f, "version {since} has"),
            (since, until) if since > Layout::OLDEST && until < Layout::NEWEST => {
                write!(f, "versions {since} to {until} have")
            }
            (since, Layout::NEWEST) => write!(f, "versions from {since} on have"),
            (_, until) => {
                let next = Layout::ALL.into_iter().find(|layout| *layout > until).unwrap_or(until);
                write!(f, "versions before {next} have")
            }
        }
    }
}
