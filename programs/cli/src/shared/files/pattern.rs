//! Path patterns: `*`, `?`, `[abc]`, `[!abc]`, and `**` for any number of folders.

use std::path::{Component, Path, PathBuf};

use glob::MatchOptions;
use walkdir::WalkDir;

use crate::shared::failure::Failure;
use crate::shared::path_glob::PathGlob;
use crate::shared::stdio::is_stdio;
use pchr::find::{Links, is_hidden};

/// A path with wildcards.
#[derive(Debug)]
pub struct Pattern<'a> {
    /// The pattern as given.
    text: &'a Path,
    glob: PathGlob,
    /// Folder before the first wildcard.
    base: PathBuf,
    /// Number of path components after it; `None` for any number.
    depth: Option<usize>,
    /// Whether a component begins with a dot.
    names_hidden: bool,
}

/// As in a shell, names that begin with a dot are only matched by a literal dot.
const RULES: MatchOptions = MatchOptions {
    case_sensitive: !cfg!(windows),
    require_literal_separator: true,
    require_literal_leading_dot: true,
};

impl<'a> Pattern<'a> {
    /// Parses `path` as a pattern. Returns `None` if it exists literally or contains no wildcard.
    pub fn of(path: &'a Path) -> Result<Option<Self>, Failure> {
        let Some(text) = path.to_str().filter(|text| has_wildcard(text)) else { return Ok(None) };
        if is_stdio(path) || path.symlink_metadata().is_ok() {
            return Ok(None);
        }
        // Normalised like the paths it is compared with: without `./`, `//` and a trailing `/`.
        let names: Vec<Component<'_>> =
            Path::new(text).components().filter(|name| *name != Component::CurDir).collect();
        let plain_text = names.iter().collect::<PathBuf>();
        let glob = PathGlob::new(&plain_text.to_string_lossy(), RULES).map_err(|error| {
            let message = format!("`{}` is neither a file nor a pattern: {}", path.display(), error.msg);
            Failure::usage_with_help(
                message,
                "* and ? match within a name, ** any number of folders, [ab] one of the characters",
            )
        })?;
        let plain = names.iter().take_while(|name| !has_wildcard(&name.as_os_str().to_string_lossy())).count();
        let base: PathBuf = names[..plain].iter().collect();
        let rest = names[plain..].iter().map(|name| name.as_os_str().to_string_lossy());
        Ok(Some(Self {
            text: path,
            glob,
            base: if plain == 0 { ".".into() } else { base },
            depth: (!rest.clone().any(|name| name == "**")).then_some(names.len() - plain),
            names_hidden: rest.clone().any(|name| name.starts_with('.') && name != ".."),
        }))
    }

    /// Returns the folder before the first wildcard, as matching paths begin with it.
    pub fn base(&self) -> &Path {
        self.base.strip_prefix(".").unwrap_or(&self.base)
    }

    /// Returns all matching paths, sorted. Fails if none matches.
    pub fn paths(&self) -> Result<Vec<PathBuf>, Failure> {
        let mut links = Links::around(&self.base);
        let walk = WalkDir::new(&self.base).follow_links(true).sort_by_file_name();
        let walk = walk.min_depth(1).max_depth(self.depth.unwrap_or(usize::MAX)).into_iter();
        let is_visited = |entry: &walkdir::DirEntry| self.names_hidden || !is_hidden(entry);
        let walk = walk.filter_entry(|entry| is_visited(entry) && links.admit(entry));
        // An unreadable entry can still match; reading it will report the error.
        let path_of = |entry: walkdir::Result<walkdir::DirEntry>| match entry {
            Ok(entry) => Some(entry.into_path()),
            Err(error) if error.loop_ancestor().is_none() => error.path().map(Path::to_owned),
            Err(_) => None,
        };
        let path = |path: PathBuf| path.strip_prefix(".").map(Path::to_owned).unwrap_or(path);
        let is_match = |path: &PathBuf| self.glob.matches(&path.to_string_lossy());
        let found: Vec<PathBuf> = walk.filter_map(path_of).map(path).filter(is_match).collect();
        if found.is_empty() {
            let message = format!("no file matches `{}`", self.text.display());
            return Err(Failure::usage(message));
        }
        Ok(found)
    }
}

/// Returns true if a text contains a wildcard.
fn has_wildcard(text: &str) -> bool {
    let is_set = text.find('[').is_some_and(|open| text[open..].contains(']'));
    text.contains(['*', '?']) || is_set
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn folder(files: &[&str]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for file in files {
            let path = folder.path().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        folder
    }

    fn found(folder: &Path, pattern: &str) -> Vec<String> {
        let path = folder.join(pattern);
        let Ok(Some(pattern)) = Pattern::of(&path) else { return vec!["no pattern".to_owned()] };
        let paths = pattern.paths().unwrap_or_default();
        let name = |path: &PathBuf| {
            path.strip_prefix(folder).unwrap().to_string_lossy().replace(std::path::MAIN_SEPARATOR, "/")
        };
        paths.iter().map(name).collect()
    }

    #[test]
    fn wildcards_match_as_in_a_shell() {
        let files = ["b.json", "a.json", "a.png", "sub/c.json", "sub/deep/d.json", ".hidden.json", ".git/e.json"];
        let folder = folder(&files);
        let found = |pattern: &str| found(folder.path(), pattern);
        assert_eq!(found("*.json"), ["a.json", "b.json"]);
        assert_eq!(found("?.json"), ["a.json", "b.json"]);
        assert_eq!(found("[!a].json"), ["b.json"]);
        assert_eq!(found("*/*.json"), ["sub/c.json"]);
        assert_eq!(found("**/*.json"), ["a.json", "b.json", "sub/c.json", "sub/deep/d.json"]);
        assert_eq!(found("sub/**/d.*"), ["sub/deep/d.json"]);
        assert_eq!(found(".*.json"), [".hidden.json"]);
        assert_eq!(found(".g*/*.json"), [".git/e.json"]);
        assert_eq!(found("*"), ["a.json", "a.png", "b.json", "sub"]);
        assert_eq!(found("sub//*.json"), ["sub/c.json"]);
        assert_eq!(found("./sub/./*.json"), ["sub/c.json"]);
        assert_eq!(found("s*/"), ["sub"]);
        assert_eq!(found("*.gif"), [""; 0]);
        assert_eq!(found("**x/*.json"), ["no pattern"]);
        assert_eq!(found("a.json"), ["no pattern"]);
    }

    #[test]
    fn an_existing_file_takes_precedence_over_a_pattern() {
        let folder = folder(&["hero[1].json", "hero1.json"]);
        assert_eq!(found(folder.path(), "hero[1].json"), ["no pattern"]);
        fs::remove_file(folder.path().join("hero[1].json")).unwrap();
        assert_eq!(found(folder.path(), "hero[1].json"), ["hero1.json"]);
        assert_eq!(found(folder.path(), "hero[1.json"), ["no pattern"]);
    }
}
