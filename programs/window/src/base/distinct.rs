//! Tells files of the same name apart by their folders.

use std::collections::HashMap;
use std::path::{Component, Path};

use pchr::error::escaped;

/// Returns for each path the shortest end of its folder that no other path with the same file name has, such as
/// `4.2/hero`; empty if no other file has the name, and the whole folder if nothing shorter tells them apart.
pub fn folders(paths: &[&Path]) -> Vec<String> {
    let mut found = vec![String::new(); paths.len()];
    let mut by_name: HashMap<_, Vec<usize>> = HashMap::new();
    for (index, path) in paths.iter().enumerate() {
        by_name.entry(path.file_name()).or_default().push(index);
    }
    for mut alike in by_name.into_values().filter(|alike| alike.len() > 1) {
        let deepest = alike.iter().map(|index| folder(paths[*index]).len()).max().unwrap_or_default();
        for count in 1..=deepest {
            let mut ends: HashMap<_, usize> = HashMap::new();
            alike.iter().for_each(|index| *ends.entry(end(paths[*index], count)).or_default() += 1);
            let is_last = count == deepest;
            alike.retain(|index| {
                let end = end(paths[*index], count);
                let is_unique = ends.get(&end) == Some(&1);
                if is_unique || is_last {
                    found[*index] = escaped(&end.join("/"));
                }
                !is_unique
            });
        }
    }
    found
}

/// Returns the last `count` components of the folder of `path`.
fn end(path: &Path, count: usize) -> Vec<String> {
    let all = folder(path);
    all.get(all.len().saturating_sub(count)..).unwrap_or_default().to_vec()
}

fn folder(path: &Path) -> Vec<String> {
    let components = path.parent().into_iter().flat_map(Path::components);
    let named = components.filter(|component| !matches!(component, Component::RootDir | Component::CurDir));
    named.map(|component| component.as_os_str().to_string_lossy().into_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(paths: &[&str]) -> Vec<String> {
        folders(&paths.iter().map(Path::new).collect::<Vec<_>>())
    }

    #[test]
    fn only_files_of_the_same_name_get_a_folder() {
        assert_eq!(of(&["a/hero.json", "b/girl.json"]), ["", ""]);
        assert_eq!(of(&["a/hero.json", "b/hero.json", "b/girl.json"]), ["a", "b", ""]);
    }

    #[test]
    fn the_shortest_end_that_differs_is_named() {
        let paths = ["/rigs/4.2/hero/export/hero.json", "/rigs/4.0/hero/export/hero.json", "/old/hero.json"];
        assert_eq!(of(&paths), ["4.2/hero/export", "4.0/hero/export", "old"]);
        assert_eq!(of(&["hero.json", "export/hero.json"]), ["", "export"]);
        assert_eq!(of(&["a/export/hero.json", "export/hero.json"]), ["a/export", "export"]);
    }

    #[test]
    fn equal_folders_are_named_whole() {
        assert_eq!(of(&["a/b/hero.json", "a/b/hero.json"]), ["a/b", "a/b"]);
    }
}
