//! The atlases that may belong to a skeleton, for the user to choose from.

use std::path::{Path, PathBuf};

use pchr::formats::{Folder, Sidecars};

/// Maximum number of atlases.
const MOST: usize = 12;

/// Returns the atlases next to a file, and then those in the folders where the reader looks too: below its folder and
/// beside it. In each, those that begin like the name of the file come first.
pub fn near(file: &Path) -> Vec<PathBuf> {
    let folder = Folder::of(file);
    let root = file.parent().unwrap_or(Path::new(""));
    let name = file.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
    let alike = |atlas: &str| name.chars().zip(atlas.to_lowercase().chars()).take_while(|(a, b)| a == b).count();
    let mut found = Vec::new();
    let mut add = |way: &str, sidecars: &dyn Sidecars| {
        let listing = sidecars.listing("");
        let mut names: Vec<&String> = listing.names().iter().filter(|name| is_atlas(name)).collect();
        names.sort_by_key(|name| std::cmp::Reverse(alike(name)));
        found.extend(names.into_iter().map(|name| root.join(way).join(name)));
    };
    add("", &folder);
    folder.nearby().iter().for_each(|nearby| add(&nearby.path, &*nearby.sidecars));
    found.truncate(MOST);
    found
}

fn is_atlas(name: &str) -> bool {
    let name = name.to_lowercase();
    [".atlas", ".atlas.txt"].iter().any(|ending| name.ends_with(ending))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn atlases_next_to_the_file_come_first() {
        let folder = tempfile::tempdir().unwrap();
        for name in
            ["art/hero.json", "art/a.atlas", "art/hero-2.atlas.txt", "art/pages/p.atlas", "old/o.ATLAS", "x.atlas"]
        {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        let art = folder.path().join("art");
        let found: Vec<_> =
            near(&art.join("hero.json")).iter().map(|path| path.to_string_lossy().replace('\\', "/")).collect();
        let ends = ["art/hero-2.atlas.txt", "art/a.atlas", "pages/p.atlas", "old/o.ATLAS"];
        assert_eq!(found.len(), ends.len(), "{found:?}");
        assert!(found.iter().zip(ends).all(|(path, end)| path.ends_with(end)), "{found:?}");
        assert!(near(&folder.path().join("none/hero.json")).is_empty());
    }
}
