//! Output paths of an export: suggestions, and placeholders that a path is missing.

use std::path::{Path, PathBuf};

use super::{Export, Frames, Which, targets};
use pchr::export::{Format, SheetKind, safe_name};

/// The placeholders that a path needs to keep its files apart.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Needs {
    /// Files of several animations are written.
    pub animation: bool,
    /// One file per frame is written, for several frames.
    pub frame: bool,
}

/// Returns a path beside the character `file`, named after `animation` if there is only one.
pub fn suggested(file: &Path, animation: Option<&str>, format: Format, needs: Needs) -> String {
    let is_piped = file == Path::new("-");
    let mut stem =
        if is_piped { "character".into() } else { file.file_stem().unwrap_or_default().to_string_lossy() };
    if let Some(animation) = animation {
        stem = format!("{stem}-{}", safe_name(animation)).into();
    }
    // A folder that is not valid Unicode cannot be shown in the text field.
    let folder = file.parent().and_then(Path::to_str).unwrap_or_default();
    let path = Path::new(folder).join(&*stem);
    completed(&escaped_braces(&path.to_string_lossy()), format, needs)
}

/// Escapes a literal path for use as a template.
pub fn escaped_braces(path: &str) -> String {
    path.replace('{', "{{").replace('}', "}}")
}

/// Returns `path` with the extension of `format` and the placeholders that it needs.
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

/// Returns `path` with the extension of a sheet of this kind.
pub fn of_kind(path: &str, kind: SheetKind) -> String {
    if SheetKind::of_path(Path::new(path)) == Some(kind) {
        return path.to_owned();
    }
    let (stem, _) = split(path);
    format!("{stem}.{}", kind.extension())
}

/// Returns the path of `file` with `extension`, for a conversion.
pub fn converted(file: &Path, extension: &str) -> String {
    let path = file.to_string_lossy();
    let (stem, _) = split(&path);
    format!("{stem}.{extension}")
}

/// Returns another name beside `path`, which is an input file.
pub fn renamed(path: &str) -> String {
    match split(path) {
        (stem, Some(extension)) => format!("{stem}-export.{extension}"),
        (stem, None) => format!("{stem}-export"),
    }
}

/// Splits `path` before a known output extension.
fn split(path: &str) -> (&str, Option<&str>) {
    let known = |extension: &str| {
        let is_target = targets().any(|target| target.extension.eq_ignore_ascii_case(extension));
        is_target || Format::ALL.into_iter().any(|format| format.is_extension(extension))
    };
    match path.rsplit_once('.') {
        Some((stem, extension)) if known(extension) => (stem, Some(extension)),
        _ => (path, None),
    }
}

/// Returns the byte range of the placeholder `name`, including its braces.
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

/// Removes the placeholder for frames: a file of all frames has no single number.
fn without_frame(stem: &str) -> String {
    let Some(place) = place(stem, "frame") else { return stem.to_owned() };
    let before = stem[..place.start].trim_end_matches(['-', '_', '.']);
    let mut after = &stem[place.end..];
    // Remove the separator together with an empty folder name; otherwise the path could become absolute.
    if before.chars().next_back().is_none_or(std::path::is_separator) {
        after = after.trim_start_matches(std::path::is_separator);
    }
    without_frame(&format!("{before}{after}"))
}

impl Export {
    /// Completes the path after a choice has changed.
    pub fn complete_path(&mut self) {
        match self.target {
            Some(to) => {
                // A template of pictures is no name for a character.
                let is_own = self.has_own_path && !self.path.contains('{');
                let file = if is_own { PathBuf::from(&self.path) } else { self.file().to_owned() };
                self.path = converted(&file, to.extension);
            }
            None => self.complete_picture_path(),
        }
        // Input files are never overwritten.
        let is_suggested = !self.has_own_path || self.target.is_some();
        if is_suggested && self.sources.iter().any(|source| source.as_path() == Path::new(&self.path)) {
            self.path = renamed(&self.path);
        }
    }

    fn complete_picture_path(&mut self) {
        self.complete_name();
        if self.options.format() == Format::Sheet {
            self.path = of_kind(&self.path, self.sheet_kind);
        }
    }

    fn complete_name(&mut self) {
        if let Some(cast) = self.chosen_cast() {
            let file = cast.folder.join("cast");
            let needs = Needs { animation: false, frame: false };
            self.path = match self.has_own_path && !self.path.contains('{') {
                true => completed(&self.path, Format::Png, needs),
                false => suggested(&file, None, Format::Png, needs),
            };
            return;
        }
        let is_several = match self.frames {
            Frames::All => self.animations().iter().any(|&id| self.model().animation(id).frame_count() > 1),
            Frames::Shown => false,
            Frames::Range { first, last, step } => last.saturating_sub(first) >= step.max(1),
        };
        let format = self.options.format();
        let needs = Needs {
            // A sheet contains all animations.
            animation: self.animations().len() > 1 && !self.is_sheet(),
            frame: !self.options.takes_all_frames() && is_several,
        };
        if self.has_own_path {
            self.path = completed(&self.path, format, needs);
            return;
        }
        let name = match self.which {
            Which::One(Some(id)) => Some(self.model().animation(id).name.as_str()),
            Which::One(None) | Which::All => None,
        };
        let file = self.options.subject.files.first().map(|file| file.as_path()).unwrap_or(Path::new(""));
        self.path = suggested(file, name, format, needs);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NONE: Needs = Needs { animation: false, frame: false };
    const FRAME: Needs = Needs { animation: false, frame: true };
    const BOTH: Needs = Needs { animation: true, frame: true };

    #[test]
    fn a_suggestion_is_beside_the_character() {
        let of = |file: &str, animation, format, needs| suggested(Path::new(file), animation, format, needs);
        assert_eq!(of("a/knight.v2.pchr", Some("walk"), Format::Gif, NONE), "a/knight.v2-walk.gif");
        assert_eq!(of("knight.pchr", Some("a/b"), Format::Png, FRAME), "knight-a_b-{frame:04}.png");
        assert_eq!(of("{x}.pchr", None, Format::Png, BOTH), "{{x}}-{animation}-{frame:04}.png");
        assert_eq!(of("-", Some("walk"), Format::Y4m, NONE), "character-walk.y4m");
    }

    #[test]
    fn missing_placeholders_and_extensions_are_added() {
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
        assert_eq!(completed("hero.skel", Format::Gif, NONE), "hero.gif");
        assert_eq!(converted(Path::new("a/hero.v2.json"), "skel"), "a/hero.v2.skel");
        assert_eq!(converted(Path::new("hero.atlas"), "json"), "hero.atlas.json");
    }
}
