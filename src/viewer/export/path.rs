//! What the files of an export are called: a suggestion, and what a name lacks for what is chosen.

use std::path::Path;

use crate::export::{Format, SheetKind, safe_name};

/// What a name has to tell apart.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Needs {
    /// There are files of several animations.
    pub animation: bool,
    /// There is a file for each of several frames.
    pub frame: bool,
}

/// A name beside the character `file`, for its animation `animation` where it is only one.
pub fn suggested(file: &Path, animation: Option<&str>, format: Format, needs: Needs) -> String {
    let is_piped = file == Path::new("-");
    let mut stem =
        if is_piped { "character".into() } else { file.file_stem().unwrap_or_default().to_string_lossy() };
    if let Some(animation) = animation {
        stem = format!("{stem}-{}", safe_name(animation)).into();
    }
    // A folder whose name is no text cannot be written down.
    let folder = file.parent().and_then(Path::to_str).unwrap_or_default();
    let path = Path::new(folder).join(&*stem);
    completed(&escaped(&path.to_string_lossy()), format, needs)
}

/// A path that was chosen as it is, as one with places to fill in.
pub fn escaped(path: &str) -> String {
    path.replace('{', "{{").replace('}', "}}")
}

/// `path` as a name of `format` that tells apart what has to be.
pub fn completed(path: &str, format: Format, needs: Needs) -> String {
    let (stem, extension) = split(path);
    let mut stem = stem.to_owned();
    if format.takes_all_frames() {
        stem = without_frame(&stem);
    }
    if needs.animation && place(&stem, "animation").is_none() {
        stem.push_str("-{animation}");
    }
    if needs.frame && place(&stem, "frame").is_none() {
        stem.push_str("-{frame:04}");
    }
    let usual = format.extensions().first().copied().unwrap_or_default();
    let extension = extension.filter(|extension| format.is_extension(extension)).unwrap_or(usual);
    format!("{stem}.{extension}")
}

/// `path` as the name of a sheet of this kind.
pub fn of_kind(path: &str, kind: SheetKind) -> String {
    if SheetKind::of_path(Path::new(path)) == Some(kind) {
        return path.to_owned();
    }
    let (stem, _) = split(path);
    format!("{stem}.{}", kind.extension())
}

/// Another name beside `path`, which is that of a file that is read.
pub fn renamed(path: &str) -> String {
    match split(path) {
        (stem, Some(extension)) => format!("{stem}-export.{extension}"),
        (stem, None) => format!("{stem}-export"),
    }
}

/// The path before an extension that some format has, and that extension.
fn split(path: &str) -> (&str, Option<&str>) {
    let known = |extension: &str| Format::ALL.into_iter().any(|format| format.is_extension(extension));
    match path.rsplit_once('.') {
        Some((stem, extension)) if known(extension) => (stem, Some(extension)),
        _ => (path, None),
    }
}

/// Where `name` is filled in: from its brace to behind the other one.
fn place(path: &str, name: &str) -> Option<std::ops::Range<usize>> {
    let mut from = 0;
    while let Some(at) = path.get(from..)?.find('{').map(|at| from + at) {
        if path[at..].starts_with("{{") {
            from = at + 2;
            continue;
        }
        let end = at + path[at..].find('}')? + 1;
        let inside = &path[at + 1..end - 1];
        if inside.split(':').next() == Some(name) {
            return Some(at..end);
        }
        from = end;
    }
    None
}

/// A file of every frame says nothing of one.
fn without_frame(stem: &str) -> String {
    let Some(place) = place(stem, "frame") else { return stem.to_owned() };
    let before = stem[..place.start].trim_end_matches(['-', '_', '.']);
    let mut after = &stem[place.end..];
    // A folder for each frame goes with its separator: the path would be another one, or an absolute one.
    if before.chars().next_back().is_none_or(std::path::is_separator) {
        after = after.trim_start_matches(std::path::is_separator);
    }
    without_frame(&format!("{before}{after}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const NONE: Needs = Needs { animation: false, frame: false };
    const FRAME: Needs = Needs { animation: false, frame: true };
    const BOTH: Needs = Needs { animation: true, frame: true };

    #[test]
    fn a_suggestion_lies_beside_the_character() {
        let of = |file: &str, animation, format, needs| suggested(Path::new(file), animation, format, needs);
        assert_eq!(of("a/knight.v2.pchr", Some("walk"), Format::Gif, NONE), "a/knight.v2-walk.gif");
        assert_eq!(of("knight.pchr", Some("a/b"), Format::Png, FRAME), "knight-a_b-{frame:04}.png");
        assert_eq!(of("{x}.pchr", None, Format::Png, BOTH), "{{x}}-{animation}-{frame:04}.png");
        assert_eq!(of("-", Some("walk"), Format::Y4m, NONE), "character-walk.y4m");
    }

    #[test]
    fn a_name_gets_what_it_lacks() {
        assert_eq!(completed("a.png", Format::Png, NONE), "a.png");
        assert_eq!(completed("a.PNG", Format::Png, FRAME), "a-{frame:04}.PNG");
        assert_eq!(completed("a.png", Format::Apng, NONE), "a.png");
        assert_eq!(completed("a-{frame:02}.png", Format::Gif, NONE), "a.gif");
        assert_eq!(completed("{frame}/{animation}.png", Format::Gif, BOTH).as_str(), "{animation}-{frame:04}.gif");
        assert_eq!(completed("out/{frame}/a.png", Format::Gif, NONE), "out/a.gif");
        assert_eq!(completed("{{frame}}.webp", Format::Webp, NONE), "{{frame}}.webp");
        assert_eq!(completed("a.b", Format::Raw, NONE), "a.b.raw");
        assert_eq!(completed("a{", Format::Gif, NONE), "a{.gif");
        assert_eq!(completed("a-{frame:04}.gif", Format::Sheet, NONE), "a.json");
        assert_eq!(of_kind("a.JSON", SheetKind::Json), "a.JSON");
        assert_eq!(of_kind("b/a.b.png", SheetKind::Packed), "b/a.b.sprsh");
        assert_eq!(of_kind("a.json", SheetKind::Png), "a.png");
    }
}
