//! Words for a shell.

/// One word for a POSIX shell. It cannot hold a NUL, and neither can an argument.
pub fn quoted(word: &str) -> String {
    shlex::Quoter::new().allow_nul(true).quote(word).map_or_else(|_| word.to_owned(), |quoted| quoted.into_owned())
}
