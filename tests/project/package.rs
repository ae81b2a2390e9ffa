//! The files of the published packages.

use std::collections::BTreeSet;
use std::fs;
use std::process::Command;

use crate::pages::root;

/// Returns the paths of all files in a package.
fn files(package: &str) -> BTreeSet<String> {
    let output = Command::new(env!("CARGO"))
        .args(["package", "--package", package, "--list", "--allow-dirty", "--offline", "--quiet"])
        .current_dir(root())
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8").lines().map(|line| line.replace('\\', "/")).collect()
}

#[test]
fn every_local_link_of_the_readme_leads_into_the_package() {
    let files = files("pchr");
    let readme = fs::read_to_string(root().join("README.md")).expect("README.md");
    let targets = readme.split("](").skip(1).filter_map(|rest| rest.split([')', '#']).next());
    let local: Vec<&str> = targets.filter(|target| !target.is_empty() && !target.contains("://")).collect();
    assert!(local.len() > 5, "{local:?}");
    for target in local {
        let is_packed = files.contains(target) || files.iter().any(|file| file.starts_with(&format!("{target}/")));
        assert!(is_packed, "{target} is not in the package: see `include` in Cargo.toml");
    }
}

#[test]
fn the_packages_of_the_programs_contain_sources_and_licences() {
    for package in ["pchr-cli", "pchr-view", "pchr-window"] {
        let files = files(package);
        let own = match package {
            "pchr-cli" => &["build.rs"][..],
            "pchr-view" => &["build.rs", "icon.ico", "windows.manifest"],
            _ => &[],
        };
        for needed in ["Cargo.lock", "LICENSE-APACHE", "LICENSE-MIT", "README.md"].iter().chain(own) {
            assert!(files.contains(*needed), "{package}: {needed} is missing");
        }
        let others = files.iter().filter(|file| file.contains('/') && !file.starts_with("src/"));
        assert_eq!(others.count(), 0, "{package}: {files:?}");
    }
}

#[test]
fn the_library_contains_what_users_need_and_nothing_else() {
    const FOLDERS: [&str; 6] = ["assets", "docs", "examples", "schema", "shaders", "src"];
    const KINDS: [&str; 14] =
        ["atlas", "css", "html", "js", "json", "lock", "md", "pchr", "png", "rs", "skel", "svg", "toml", "wgsl"];
    const OTHERS: [&str; 4] = [".cargo_vcs_info.json", "Cargo.toml.orig", "LICENSE-APACHE", "LICENSE-MIT"];
    let files = files("pchr");
    for needed in ["CHANGELOG.md", "Cargo.lock", "LICENSE-APACHE", "LICENSE-MIT", "README.md"] {
        assert!(files.contains(needed), "{needed} is missing");
    }
    let mut size = 0;
    for file in files.iter().filter(|file| !OTHERS.contains(&file.as_str())) {
        let is_wanted = match file.split_once('/') {
            Some((folder, _)) => FOLDERS.contains(&folder),
            None => true,
        };
        let kind = file.rsplit_once('.').map_or("", |(_, kind)| kind);
        assert!(is_wanted && KINDS.contains(&kind), "{file} does not belong in the package");
        size += fs::metadata(root().join(file)).expect("a file").len();
    }
    // The limit of crates.io, which counts the compressed package.
    assert!(size < 10 << 20, "the files have {size} bytes");
}
