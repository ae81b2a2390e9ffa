//! Marks that tools for extracting files from games add to names, because several files have the same name there.

/// Returns `name` without a number at its end: `hero` for `hero #125`, `hero (2)` and `hero-sharedassets0.assets-125`.
pub fn without_mark(name: &str) -> &str {
    let without_digits = |text: &'_ str| text.trim_end_matches(|end: char| end.is_ascii_digit()).len();
    let cut = |end: &str, open: &str| {
        let inside = name.strip_suffix(end)?;
        let at = without_digits(inside);
        if at == inside.len() { None } else { inside[..at].strip_suffix(open) }
    };
    let of_assets = || {
        let (stem, _) = cut("", ".assets-")?.rsplit_once('-')?;
        Some(stem)
    };
    let found = cut("", " #").or_else(|| cut(")", " (")).or_else(of_assets);
    found.filter(|stem| !stem.is_empty()).unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_marks_are_removed() {
        for name in ["hero #125", "hero (2)", "hero-sharedassets0.assets-125", "hero-resources.assets-7", "hero"] {
            assert_eq!(without_mark(name), "hero", "{name}");
        }
        for name in ["hero2", "hero 2", "hero#2", "hero #", "hero ()", "hero-2", " #3", "", ".assets-3", "héro-é3"]
        {
            assert_eq!(without_mark(name), name);
        }
    }
}
