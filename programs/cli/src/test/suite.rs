//! The characters of a folder, how each is rendered, and where its references are.

use std::collections::{HashMap, HashSet};
use std::io;
use std::path::{Component, Path, PathBuf};

use walkdir::WalkDir;

use super::pattern::{Pattern, cover, name, useless};
use super::select::Selection;
use super::settings::{self, Entry, Given, Settings};
use crate::shared::failure::Failure;
use crate::shared::files::{self, Found, Target, no_character};
use crate::shared::stdio::portable;
use pchr::Error;
use pchr::error::Place;
use pchr::export::{OutputPath, safe_name};

/// Folder of the references.
pub const REFERENCES: &str = "references";

/// Everything that a run renders.
pub struct Suite {
    /// The folder.
    pub dir: PathBuf,
    /// Where references are, and where new pictures are written.
    pub folders: Folders,
    /// How characters are rendered. The last entry is for those that no other suits.
    pub entries: Vec<Entry>,
    /// All characters, sorted by path.
    pub characters: Vec<Tested>,
    /// Whether all of them are tested.
    pub is_whole: bool,
    /// Paths of characters that are excluded.
    pub skipped: Vec<String>,
}

/// Folders of pictures.
pub struct Folders {
    /// The references.
    pub references: OutputPath,
    /// The new pictures of frames that differ.
    pub results: OutputPath,
}

impl Folders {
    /// The folders of the suite in `dir`. New pictures are in `results`, or else in a folder of that name in `dir`.
    pub fn new(dir: &Path, results: Option<&Path>) -> Self {
        let dir = &without_dots(dir);
        let references = OutputPath::below(dir, REFERENCES);
        let own = || OutputPath::below(dir, "results");
        Self { references, results: results.map_or_else(own, |given| OutputPath::named(without_dots(given))) }
    }
}

/// Fails if the folder is a link or contains one: in a folder that somebody else made, it could lead anywhere.
pub fn check_links(folder: &OutputPath) -> pchr::Result<()> {
    folder.join("").check()?;
    let entries = WalkDir::new(folder).into_iter().filter_map(Result::ok);
    let mut links = entries.filter(|entry| entry.path_is_symlink());
    links.try_for_each(|link| folder.join(link.path().strip_prefix(folder).unwrap_or(link.path())).check())
}

/// `./art` and `art` are the same folder; paths of references begin alike.
fn without_dots(path: &Path) -> PathBuf {
    path.components().filter(|part| *part != Component::CurDir).collect()
}

/// A character in the folder.
pub struct Tested {
    /// Its file.
    pub target: Target,
    /// One per entry that selects it.
    pub cases: Vec<Case>,
    /// How it is rendered if none of the cases suits it.
    pub fallback: Case,
    /// Whether it is tested.
    pub is_covered: bool,
}

/// A character that is rendered under one entry.
pub struct Case {
    /// Index of the entry.
    pub entry: usize,
    /// Path of its references below the folder of references.
    pub base: PathBuf,
    /// The character that already has these references.
    pub taken_by: Option<String>,
}

impl Suite {
    /// Finds the characters of the suite and reads its settings.
    pub fn find(
        selection: &Selection,
        given: &Given,
        jobs: usize,
        results: Option<&Path>,
    ) -> Result<Self, Failure> {
        let dir = selection.root.as_path();
        check_folder(dir)?;
        let Settings { mut entries, fallback, exclude } = settings::read(dir, given, jobs)?;
        entries.push(fallback);
        let Found { mut characters, foreign } = files::at(dir, &given.limits())?;
        // A file that was a character is one that is broken, or replaced by something else.
        let is_expected = |target: &Target| {
            let path = below(&target.path, dir);
            let references = |entry: &Entry| dir.join(REFERENCES).join(base_of(&path, entry.name.as_deref()));
            let is_known = |entry: &Entry| name(&entry.patterns, &path) || has_picture(&references(entry));
            entries.iter().any(is_known) || selection.names(&path)
        };
        let expected: Vec<Target> = foreign.into_iter().filter(is_expected).collect();
        let broken: HashSet<PathBuf> = expected.iter().map(|target| target.path.clone()).collect();
        characters.extend(expected);
        characters.sort_by(|a, b| a.name.cmp(&b.name));
        let mut targets = characters;
        let folders = Folders::new(dir, results);
        let ours = [dir.join(REFERENCES), folders.results.to_path_buf()];
        targets.retain(|target| !ours.iter().any(|folder| target.path.starts_with(folder)));
        if targets.is_empty() {
            let source = io::Error::new(io::ErrorKind::NotFound, no_character());
            return Err(Failure::Input(Error::io(dir.display(), source)));
        }
        let paths: Vec<String> = targets.iter().map(|target| below(&target.path, dir)).collect();
        let fail = |message| {
            let place = Place::file(dir.join(settings::FILE).display());
            Err(Failure::Input(Error::malformed("no-such-character", place, message)))
        };
        let unmatched = entries.iter().find_map(|entry| useless(&entry.patterns, &paths, Pattern::matches));
        if let Some(pattern) = unmatched.or_else(|| useless(&exclude, &paths, Pattern::covers)) {
            return fail(format!("no character matches `{pattern}`; patterns are relative to the folder"));
        }
        selection.check(&paths)?;
        let is_covered = |path: &String| selection.covers(path) && !cover(&exclude, path);
        if !paths.iter().any(is_covered) {
            return fail("`exclude` leaves no character to test".to_owned());
        }
        let mut taken = HashMap::new();
        let tested = |(target, path): (Target, &String)| {
            let (last, tables) = entries.split_last().unzip();
            let tables: &[Entry] = tables.unwrap_or_default();
            let chosen = tables.iter().enumerate().filter(|(_, entry)| entry.selects(path));
            let mut nothing = HashMap::new();
            let taken = if broken.contains(&target.path) { &mut nothing } else { &mut taken };
            let cases = chosen.map(|(index, entry)| Case::new(index, entry, path, taken)).collect();
            let base = base_of(path, last.and_then(|entry| entry.name.as_deref()));
            let fallback = Case { entry: tables.len(), base, taken_by: None };
            Tested { is_covered: is_covered(path), target, cases, fallback }
        };
        let characters: Vec<Tested> = targets.into_iter().zip(&paths).map(tested).collect();
        let is_skipped = |(_, path): &(&Tested, &String)| selection.excludes(path) || cover(&exclude, path);
        let skipped = characters.iter().zip(&paths).filter(is_skipped);
        let skipped = skipped.map(|(character, _)| character.target.name.clone()).collect();
        let (dir, is_whole) = (without_dots(dir), selection.is_all());
        Ok(Self { dir, folders, entries, characters, is_whole, skipped })
    }

    /// Returns the tested characters, with their positions in the run.
    pub fn covered(&self) -> impl Iterator<Item = (usize, &Tested)> {
        self.characters.iter().filter(|character| character.is_covered).enumerate()
    }
}

impl Case {
    /// `taken` contains the references of earlier cases, and their characters.
    fn new(index: usize, entry: &Entry, path: &str, taken: &mut HashMap<String, String>) -> Self {
        let base = base_of(path, entry.name.as_deref());
        // Some file systems ignore case.
        let key = portable(&base).to_lowercase();
        let taken_by = taken.get(&key).cloned();
        taken.entry(key).or_insert_with(|| path.to_owned());
        Self { entry: index, base, taken_by }
    }
}

/// Returns true if the folder itself contains a PNG.
fn has_picture(folder: &Path) -> bool {
    let mut entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries.any(|entry| Path::new(&entry.file_name()).extension().is_some_and(|extension| extension == "png"))
}

/// Fails if the folder cannot be searched.
fn check_folder(dir: &Path) -> Result<(), Failure> {
    let fail = |error| Failure::Input(Error::io(dir.display(), error));
    let found = std::fs::metadata(dir).map_err(fail)?;
    if found.is_dir() {
        return Ok(());
    }
    Err(fail(io::Error::new(
        io::ErrorKind::NotADirectory,
        "this is not a folder; give the folder of the characters",
    )))
}

/// Returns a path relative to the folder, with `/`.
pub fn below(path: &Path, dir: &Path) -> String {
    portable(path.strip_prefix(dir).unwrap_or(path))
}

/// Returns the path of the references of a character at `path`, relative to the folder of references.
pub fn base_of(path: &str, name: Option<&str>) -> PathBuf {
    let (folder, file) = path.rsplit_once('/').unwrap_or(("", path));
    let stem = Path::new(file).file_stem().unwrap_or_default().to_string_lossy();
    let folders = folder.split('/').filter(|part| !part.is_empty()).map(safe_name);
    let last = safe_name(&stem) + &name.map(|name| format!("@{name}")).unwrap_or_default();
    folders.chain([last]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_are_named_after_the_character() {
        assert_eq!(base_of("hero.json", None), Path::new("hero"));
        assert_eq!(base_of("a/b/hero.v2.pchr", Some("small")), Path::new("a/b/hero.v2@small"));
        assert_eq!(base_of("a:b/c?.skel", None), Path::new("a_b/c_"));
        assert_eq!(base_of("con.json", None), Path::new("_con"));
    }
}
