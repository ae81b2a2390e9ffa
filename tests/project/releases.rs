//! What a release is made of: names of archives, files for package managers, icons, types of files. The scripts are run with
//! empty programs.

#![cfg(unix)]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use pchr::formats::table::FORMATS;

use crate::common;
use crate::pages::root;

const VERSION: &str = env!("CARGO_PKG_VERSION");
const REPOSITORY: &str = env!("CARGO_PKG_REPOSITORY");
const PROGRAMS: [(&str, &str); 2] = [("pchr", "programs/cli"), ("pchr-view", "programs/pchr-view")];

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Returns the programs and targets that the workflow builds.
fn builds() -> BTreeSet<(String, String)> {
    let workflow = read(".github/workflows/release.yml");
    let rows = workflow.lines().filter_map(|line| line.trim().strip_prefix("- { program: "));
    let build = |row: &str| {
        let (program, rest) = row.split_once(", target: ").expect("a target");
        (program.to_owned(), rest.split(',').next().unwrap_or_default().to_owned())
    };
    let builds: BTreeSet<_> = rows.map(build).collect();
    assert!(builds.len() >= 10, "{builds:?}");
    builds
}

/// Returns the name of an archive without its extension, as scripts/pack-release writes it.
fn archive(program: &str, target: &str) -> String {
    assert!(read("scripts/pack-release").contains("name=$program-$version-$target\n"));
    format!("{program}-{VERSION}-{target}")
}

/// Runs a script in Python. Returns its output, or `None` without Python 3.11.
fn python(script: &str, args: &[&Path]) -> Option<String> {
    let has_python = Command::new("python3").args(["-c", "import tomllib"]).output();
    if !has_python.is_ok_and(|output| output.status.success()) {
        assert_ne!(std::env::var("PCHR_TEST_PYTHON").as_deref(), Ok("require"), "Python 3.11 is missing");
        common::say(&format!("SKIPPED: Python 3.11 is missing, required by {script}"));
        return None;
    }
    let output = Command::new("python3").arg(root().join(script)).args(args).output().expect("Python starts");
    assert!(output.status.success(), "{script}: {}", String::from_utf8_lossy(&output.stderr));
    Some(String::from_utf8(output.stdout).expect("UTF-8"))
}

#[test]
fn cargo_binstall_finds_every_archive() {
    for (program, target) in builds() {
        let (_, folder) = PROGRAMS.iter().find(|(name, _)| **name == program).expect("a program");
        let manifest: toml::Table = read(&format!("{folder}/Cargo.toml")).parse().expect("TOML");
        let binstall = &manifest["package"]["metadata"]["binstall"];
        let text = |key: &str| {
            let text = binstall[key].as_str().expect("text").to_owned();
            let text = text.replace("{ repo }", REPOSITORY).replace("{ version }", VERSION);
            text.replace("{ target }", &target).replace("{ bin }", &program).replace("{ binary-ext }", "")
        };
        let name = archive(&program, &target);
        assert_eq!(text("pkg-url"), format!("{REPOSITORY}/releases/download/v{VERSION}/{name}.tar.gz"));
        assert_eq!(text("bin-dir"), format!("{name}/{program}"));
    }
}

#[test]
fn package_managers_download_what_the_release_contains() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let out = folder.path().join("out");
    let mut names = BTreeSet::from([format!("pchr-{VERSION}-source.tar.gz")]);
    for (program, target) in builds() {
        let kind = if target.contains("windows") { "zip" } else { "tar.gz" };
        names.insert(format!("{}.{kind}", archive(&program, &target)));
    }
    for (index, name) in names.iter().enumerate() {
        fs::write(folder.path().join(format!("{name}.sha256")), format!("{index:064x}  {name}\n"))
            .expect("a file");
    }
    if python("scripts/fill-manifests", &[folder.path(), &out]).is_none() {
        return;
    }
    let mut used = BTreeSet::new();
    for manager in common::names_in(&out) {
        for file in common::files_in(&out.join(&manager), "") {
            let text = fs::read_to_string(&file).expect("a text");
            // Arch Linux and Scoop have variables.
            let text = text.replace("$url/", &format!("{REPOSITORY}/")).replace("$pkgver", VERSION);
            let (path, text) = (file.display(), text.replace("$version", VERSION));
            assert!(!text.contains("@SHA256") && !text.contains("@VERSION"), "{path}");
            for rest in text.split(&format!("{REPOSITORY}/releases/download/v{VERSION}/")).skip(1) {
                let name = rest.split(['"', '\n']).next().unwrap_or_default();
                let index = names.iter().position(|known| known == name);
                let index = index.unwrap_or_else(|| panic!("{path}: the release has no {name}"));
                assert!(text.contains(&format!("{index:064x}")), "{path}: no checksum of {name}");
                used.insert(name.to_owned());
            }
        }
    }
    assert_eq!(used, names, "each is downloaded by one of them");
    let json = |path: &str| -> serde_json::Value {
        serde_json::from_str(&fs::read_to_string(out.join(path)).expect(path)).expect(path)
    };
    assert_eq!(json("scoop/pchr.json")["version"], VERSION);
    let crates = read("Cargo.lock").matches("\nchecksum = ").count();
    assert_eq!(json("flatpak/crates.json").as_array().map(Vec::len), Some(1 + 2 * crates));
}

#[test]
fn every_archive_of_the_viewer_becomes_a_wheel() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut count = 0;
    for (program, target) in builds().into_iter().filter(|(program, _)| program == "pchr-view") {
        let name = archive(&program, &target);
        let file = if target.contains("windows") { "pchr-view.exe" } else { "pchr-view" };
        let unpacked = folder.path().join(&name);
        fs::create_dir(&unpacked).expect("a folder");
        fs::write(unpacked.join(file), "a program").expect("a file");
        fs::write(unpacked.join("LICENSE-MIT"), "a licence").expect("a file");
        let packed = folder.path().join(format!("{name}.tar.gz"));
        let tar = Command::new("tar").arg("-czf").arg(&packed).arg("-C").arg(folder.path()).arg(&name).status();
        assert!(tar.is_ok_and(|status| status.success()), "{name}");
        let Some(made) = python("scripts/build-view-wheel", &[folder.path(), &packed]) else { return };
        let bytes = fs::read(made.trim()).expect("a wheel");
        let has = |text: String| bytes.windows(text.len()).any(|part| part == text.as_bytes());
        assert!(has(format!("pchr_view-{VERSION}.data/scripts/{file}")), "{made}");
        assert!(has(format!("pchr_view-{VERSION}.dist-info/licenses/LICENSE-MIT")), "{made}");
        count += 1;
    }
    assert_eq!(common::files_in(folder.path(), ".whl").len(), count, "names differ");
}

#[test]
fn the_icon_of_windows_is_made_of_the_icons() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let [ico, icns] = ["icon.ico", "icon.icns"].map(|name| folder.path().join(name));
    if python("scripts/make-icons", &[&ico, &icns]).is_some() {
        let stored = fs::read(root().join("programs/pchr-view/icon.ico")).expect("the icon");
        assert!(stored == fs::read(ico).expect("an icon"), "run scripts/make-icons programs/pchr-view/icon.ico");
        let bytes = fs::read(icns).expect("an icon");
        let length = u32::from_be_bytes([bytes[4], bytes[5], bytes[6], bytes[7]]);
        assert_eq!((&bytes[..4], length as usize), (&b"icns"[..], bytes.len()));
    }
}

#[test]
fn a_double_click_on_windows_starts_the_program_without_a_console() {
    let manifest: toml::Table = read("programs/pchr-view/Cargo.toml").parse().expect("TOML");
    let programs = manifest["bin"].as_array().expect("programs");
    let without_console = |bin: &&toml::Value| {
        let path = bin["path"].as_str().expect("a path");
        read(&format!("programs/pchr-view/{path}")).contains("#![windows_subsystem = \"windows\"]")
    };
    let program = programs.iter().find(without_console).expect("a program without a console");
    let file = format!("{}.exe", program["name"].as_str().expect("a name"));
    assert!(program.get("required-features").is_some(), "other systems do not need it");
    for (path, line) in [
        ("scripts/pack-release", format!("/{file}\" \"$work/$name\"\n")),
        ("packaging/windows/associate.cmd", format!("set \"program=%~dp0{file}\"\n")),
        ("packaging/scoop/pchr.json", format!("\"shortcuts\": [[\"{file}\", \"pchr\"]]")),
    ] {
        assert!(read(path).contains(&line), "{path}: no {line:?}");
    }
    let script = read("packaging/windows/associate.cmd");
    assert_eq!(script.matches(".exe").count(), script.matches(&file).count(), "associate.cmd");
}

#[test]
fn the_archive_for_windows_contains_the_thumbnails() {
    let manifest: toml::Table = read("programs/thumbnails/Cargo.toml").parse().expect("TOML");
    let package = manifest["package"]["name"].as_str().expect("a name");
    let file = format!("{}.dll", package.replace('-', "_"));
    for (path, line) in [
        ("scripts/pack-release", format!(" -p {package} --target ")),
        ("scripts/pack-release", format!("/{file}\" \"$work/$name\"\n")),
        ("packaging/windows/associate.cmd", format!("set \"thumbnails=%~dp0{file}\"\n")),
    ] {
        assert!(read(path).contains(&line), "{path}: no {line:?}");
    }
}

#[test]
fn every_system_knows_the_same_types_of_files() {
    let own: BTreeSet<&str> = FORMATS.iter().flat_map(|format| format.extensions.own).copied().collect();
    let plist = read("packaging/macos/Info.plist");
    let lists = plist.split("<key>public.filename-extension</key><array>").skip(1);
    let items = lists.flat_map(|rest| rest.split("</array>").next().unwrap_or_default().split("<string>").skip(1));
    let listed: BTreeSet<&str> = items.filter_map(|item| item.split("</string>").next()).collect();
    assert_eq!(listed, own, "Info.plist");
    let types = plist.split("<key>UTTypeIdentifier</key><string>").skip(1);
    for name in types.filter_map(|rest| rest.split("</string>").next()) {
        assert!(plist.contains(&format!("        <string>{name}</string>\n")), "{name} opens nothing");
    }
    let script = read("packaging/windows/associate.cmd");
    let lists = script.split("for %%e in (").skip(1).filter_map(|rest| rest.split(')').next());
    let lists: Vec<BTreeSet<&str>> = lists.map(|list| list.split_whitespace().collect()).collect();
    let [all, opened, offered, closed, withdrawn] = &lists[..] else { panic!("five lists in associate.cmd") };
    assert_eq!((opened, offered), (closed, withdrawn), "what associate.cmd adds, it removes");
    assert_eq!(*all, opened | offered, "associate.cmd");
    assert_eq!(*all, &own | &BTreeSet::from(["json"]), "associate.cmd");
    let source = read("programs/thumbnails/src/register.rs");
    let list = source.split("] = [").nth(1).and_then(|rest| rest.split(']').next()).expect("the extensions");
    let shown: BTreeSet<&str> = list.split(", ").map(|extension| extension.trim_matches('"')).collect();
    // The images of a skeleton are beside it.
    assert_eq!(shown, opened - &BTreeSet::from(["skel"]), "register.rs");
}
