//! Quotes words for POSIX shells, so that a shown command line can be copied.

/// Quotes one word for a POSIX shell. NUL is passed through; arguments cannot contain it.
pub fn quoted(word: &str) -> String {
    shlex::Quoter::new().allow_nul(true).quote(word).map_or_else(|_| word.to_owned(), |quoted| quoted.into_owned())
}
