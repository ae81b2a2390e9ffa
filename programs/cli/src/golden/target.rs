//! Where the reference of each picture is, and where new pictures are written.

use pchr::export::OutputPath;

/// The files of one picture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    /// Position of the picture in the run.
    pub index: usize,
    /// The reference. Several pictures of an animated picture or a sheet share it.
    pub reference: OutputPath,
    /// The new picture, if it differs.
    pub now: Place,
    /// The new picture, if there is no reference.
    pub missing: OutputPath,
    /// The picture that shows the difference.
    pub diff: Place,
}

/// A path to write to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The path.
    pub path: OutputPath,
    owner: Owner,
}

/// Who decided on a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Owner {
    /// The user: a file is only replaced with `--force`.
    User,
    /// The program, which named it after the reference next to it: a file is replaced, but never removed.
    Name,
    /// The program, in a folder of its own: a file is replaced, and removed once it is out of date.
    Folder,
}

impl Place {
    /// A path chosen by the user.
    pub fn given(path: OutputPath) -> Self {
        Self { path, owner: Owner::User }
    }

    /// A path next to the reference.
    pub fn beside(path: OutputPath) -> Self {
        Self { path, owner: Owner::Name }
    }

    /// A path in a folder of the program.
    pub fn own(path: OutputPath) -> Self {
        Self { path, owner: Owner::Folder }
    }

    /// Returns true if the program chose the path.
    pub fn is_ours(&self) -> bool {
        self.owner != Owner::User
    }

    /// Removes a file of an earlier run from a folder of the program. Failing to do so is harmless.
    pub fn remove_stale(&self) {
        if self.owner == Owner::Folder {
            let _ = self.path.remove();
        }
    }
}

/// Returns `path` with `word` before the extension, as in `walk.now.png`.
pub fn beside(path: &OutputPath, word: &str, extension: Option<&str>) -> OutputPath {
    let mut name = path.file_stem().unwrap_or_default().to_owned();
    name.push(".");
    name.push(word);
    if let Some(extension) = extension.map(AsRef::as_ref).or_else(|| path.extension()) {
        name.push(".");
        name.push(extension);
    }
    path.with_file_name(name)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn names_are_next_to_the_reference() {
        let beside = |path, word, extension| beside(&OutputPath::named(path), word, extension).to_path_buf();
        assert_eq!(beside("refs/walk-003.png", "now", None), Path::new("refs/walk-003.now.png"));
        assert_eq!(beside("walk.apng", "diff", Some("png")), Path::new("walk.diff.png"));
        assert_eq!(beside("a.b.json", "now", None), Path::new("a.b.now.json"));
    }
}
