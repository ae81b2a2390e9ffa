//! Names from a file → file names that are distinct on every platform.

use std::collections::HashSet;

use crate::export::options::safe_name;

/// Returns a portable file name with `extension` (including the dot) for each of `names`. The names also differ on
/// file systems that ignore case or normalize accents: a later duplicate gets a number.
pub fn distinct_names<'a>(names: impl IntoIterator<Item = &'a str>, extension: &str) -> Vec<String> {
    let mut taken = HashSet::new();
    let mut next = std::collections::HashMap::new();
    let name_one = |name: &str| {
        let has_extension = name.len() >= extension.len()
            && name.is_char_boundary(name.len() - extension.len())
            && name[name.len() - extension.len()..].eq_ignore_ascii_case(extension);
        let stem = if has_extension { &name[..name.len() - extension.len()] } else { name };
        let stem = safe_name(stem);
        if taken.insert(key(&stem)) {
            return stem + extension;
        }
        // Continues with the last number used for this name, so that many equal names stay linear.
        let number = next.entry(key(&stem)).or_insert(2u32);
        loop {
            let numbered = format!("{stem}-{number}");
            *number += 1;
            if taken.insert(key(&numbered)) {
                return numbered + extension;
            }
        }
    };
    names.into_iter().map(name_one).collect()
}

/// Returns a key that is equal for all names that some file system may treat as the same. It ignores case, and
/// only records whether there are non-ASCII characters, since an accented letter can be one character or two.
fn key(name: &str) -> String {
    let mut key = String::with_capacity(name.len());
    for letter in name.to_lowercase().chars() {
        if letter.is_ascii() {
            key.push(letter);
        }
    }
    key.push(if name.is_ascii() { 'a' } else { 'u' });
    key
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(names: &[&str]) -> Vec<String> {
        distinct_names(names.iter().copied(), ".png")
    }

    #[test]
    fn every_name_is_distinct() {
        assert_eq!(
            names(&["atlas", "Atlas", "atlas.png", "atlas-2"]),
            ["atlas.png", "Atlas-2.png", "atlas-3.png", "atlas-2-2.png"]
        );
        // The same accented letter, precomposed and decomposed.
        let folded: HashSet<_> = names(&["\u{e9}", "e\u{301}", "e"]).into_iter().collect();
        assert_eq!(folded.len(), 3);
        let many = vec!["x"; 65_535];
        assert_eq!(names(&many).into_iter().collect::<HashSet<_>>().len(), 65_535);
    }

    #[test]
    fn every_name_is_safe() {
        assert_eq!(
            names(&["../../etc/passwd", "C:\\x", "nul", "", "a.PNG"]),
            [
                "_.._.._etc_passwd.png".to_owned(),
                "C__x.png".to_owned(),
                "_nul.png".to_owned(),
                "_.png".to_owned(),
                "a.png".to_owned()
            ]
        );
    }
}
