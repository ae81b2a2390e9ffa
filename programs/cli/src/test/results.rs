//! The folder of the new pictures of frames that differ.

use std::path::{Component, Path, PathBuf};

use pchr::export::OutputPath;

/// The folder.
pub struct Results {
    /// The part of its path that the user named.
    named: PathBuf,
    below: &'static str,
}

impl Results {
    /// `given`, or the folder `results` in the folder of the suite.
    pub fn new(dir: &Path, given: Option<&Path>) -> Self {
        let (named, below) = given.map_or((dir, "results"), |given| (given, ""));
        // `./art` and `art` are the same folder.
        let named = named.components().filter(|part| *part != Component::CurDir).collect();
        Self { named, below }
    }

    /// Returns its path.
    pub fn folder(&self) -> PathBuf {
        if self.below.is_empty() { self.named.clone() } else { self.named.join(self.below) }
    }

    /// Returns the path of a file or folder in it.
    pub fn path(&self, below: impl AsRef<Path>) -> OutputPath {
        OutputPath::below(&self.named, Path::new(self.below).join(below))
    }
}
