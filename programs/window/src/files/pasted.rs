//! Paths in pasted text: one per line, quoted or not, as `file://` URLs, or below the home folder.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use percent_encoding::percent_decode_str;

/// Maximum number of lines: a pasted text is not a list of files.
const MAX_LINES: usize = 1000;

/// Returns the paths in `text`, whether they exist or not. `~` is the folder `home`, if there is one.
pub fn paths(text: &str, home: Option<&Path>) -> Vec<PathBuf> {
    let lines = text.lines().map(|line| unquoted(line.trim())).filter(|line| !line.is_empty());
    lines.take(MAX_LINES).map(|line| path(line, home)).collect()
}

/// Removes the quotes around a line.
fn unquoted(line: &str) -> &str {
    let within = |quote: char| line.strip_prefix(quote)?.strip_suffix(quote);
    within('"').or_else(|| within('\'')).unwrap_or(line)
}

fn path(line: &str, home: Option<&Path>) -> PathBuf {
    if let Some(path) = from_url(line) {
        return path;
    }
    match (line.strip_prefix('~'), home) {
        (Some(""), Some(home)) => home.to_owned(),
        (Some(rest), Some(home)) if rest.starts_with(['/', '\\']) => home.join(&rest[1..]),
        (Some(_) | None, _) => PathBuf::from(line),
    }
}

/// Returns the path of a `file:` URL of this machine; `None` for anything else.
fn from_url(line: &str) -> Option<PathBuf> {
    let (scheme, rest) = line.split_once(':')?;
    if !scheme.eq_ignore_ascii_case("file") {
        return None;
    }
    let path = match rest.strip_prefix("//") {
        Some(rest) => rest.strip_prefix("localhost").unwrap_or(rest),
        None => rest,
    };
    // `file:///C:/hero.pchr`
    let path = if cfg!(windows) { path.strip_prefix('/')? } else { path };
    let is_absolute = cfg!(windows) || path.starts_with('/');
    is_absolute.then(|| decoded(path))
}

#[cfg(unix)]
fn decoded(path: &str) -> PathBuf {
    use std::os::unix::ffi::OsStringExt;
    // Names are bytes, which need not be UTF-8.
    OsString::from_vec(percent_decode_str(path).collect()).into()
}

#[cfg(not(unix))]
fn decoded(path: &str) -> PathBuf {
    OsString::from(percent_decode_str(path).decode_utf8_lossy().into_owned()).into()
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_found_in_every_notation() {
        let home = Path::new("/home/anna");
        for (text, expected) in [
            ("/a/hero.pchr", "/a/hero.pchr"),
            ("  /a/hero.pchr \r\n", "/a/hero.pchr"),
            ("\"/a/my hero.pchr\"", "/a/my hero.pchr"),
            ("'/a/my hero.pchr'", "/a/my hero.pchr"),
            ("file:///a/my%20h%C3%A9ro.pchr", "/a/my héro.pchr"),
            ("FILE://localhost/a/b", "/a/b"),
            ("file:/a/b", "/a/b"),
            ("~/hero.pchr", "/home/anna/hero.pchr"),
            ("~", "/home/anna"),
            ("~other/hero.pchr", "~other/hero.pchr"),
            ("hero.pchr", "hero.pchr"),
            ("file://server/share/hero.pchr", "file://server/share/hero.pchr"),
            ("https://example.org/hero.pchr", "https://example.org/hero.pchr"),
        ] {
            assert_eq!(paths(text, Some(home)), [Path::new(expected)], "{text}");
        }
        assert_eq!(paths("~/hero.pchr", None), [Path::new("~/hero.pchr")]);
    }

    #[test]
    fn every_line_is_a_path() {
        assert_eq!(paths("/a\n\n \"/b\"\n", None), [Path::new("/a"), Path::new("/b")]);
        assert_eq!(paths(" \n\n\"\"\n", None), Vec::<PathBuf>::new());
        assert_eq!(paths(&"/a\n".repeat(5000), None).len(), MAX_LINES);
    }

    #[test]
    fn names_need_not_be_text() {
        use std::os::unix::ffi::OsStrExt;
        assert_eq!(paths("file:///a%FFb", None)[0].as_os_str().as_bytes(), b"/a\xffb");
    }
}
