//! The list of crates and licences that releases carry.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

fn read(path: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).expect(path)
}

/// The names and versions in the lock file.
fn locked() -> BTreeSet<(String, String)> {
    let lock = read("Cargo.lock");
    let quoted = |line: &str, key: &str| Some(line.strip_prefix(key)?.trim_matches('"').to_owned());
    let names = lock.lines().filter_map(|line| quoted(line, "name = "));
    let versions = lock.lines().filter_map(|line| quoted(line, "version = "));
    // The first version is that of the format.
    names.zip(versions.filter(|version| version.contains('.'))).collect()
}

/// The dependencies that a manifest states, except for packages of the workspace.
fn dependencies(manifest: &str) -> BTreeSet<String> {
    let manifest: toml::Table = read(manifest).parse().expect("TOML");
    let dependencies = manifest["dependencies"].as_table().expect("a table");
    dependencies.keys().filter(|name| !name.starts_with("pchr")).cloned().collect()
}

#[test]
fn the_list_of_crates_is_that_of_the_lock_file() {
    const UPDATE: &str = "run scripts/third-party --update";
    let locked = locked();
    let list = read("scripts/licenses/crates.txt");
    let mut listed = BTreeSet::new();
    for line in list.lines() {
        let mut words = line.splitn(3, ' ');
        let (name, version) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
        let version = version.strip_prefix('v').unwrap_or_default();
        assert!(locked.contains(&(name.to_owned(), version.to_owned())), "{line} is not in Cargo.lock: {UPDATE}");
        assert!(words.next().is_some_and(|licence| !licence.trim().is_empty()), "{line} has no licence");
        listed.insert(name.to_owned());
    }
    for package in ["", "programs/cli/", "programs/window/", "programs/pchr-view/"] {
        let dependencies = dependencies(&format!("{package}Cargo.toml"));
        let missing: Vec<&String> = dependencies.difference(&listed).collect();
        assert!(missing.is_empty(), "{missing:?} are not listed: {UPDATE}");
    }
}

#[test]
fn both_tools_allow_the_same_licences() {
    let toml = |path: &str| read(path).parse::<toml::Table>().expect("TOML");
    let texts = |list: &toml::Value| -> Vec<String> {
        list.as_array().expect("a list").iter().map(|text| text.as_str().expect("text").to_owned()).collect()
    };
    let deny = toml("deny.toml")["licenses"].clone();
    let exceptions = deny["exceptions"].as_array().expect("a list").iter().flat_map(|it| texts(&it["allow"]));
    let allowed: BTreeSet<String> = texts(&deny["allow"]).into_iter().chain(exceptions).collect();
    let accepted: BTreeSet<String> = texts(&toml("scripts/licenses/about.toml")["accepted"]).into_iter().collect();
    assert_eq!(accepted, allowed);
}
