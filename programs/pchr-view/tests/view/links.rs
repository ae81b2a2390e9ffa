//! Symbolic links below a folder that a command writes to: none is followed, and nothing is written.
//!
//! Each command runs once as it is. Then a link takes the place of every file and folder that it wrote, one at a time,
//! and the command must refuse it. So a command that writes another file is covered without a change here.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

use crate::common;

/// Exit code: an output could not be written.
const OUTPUT: i32 = 5;

/// A command line, the commands that prepare its folder, and the folders that it names.
struct Writes {
    prepare: &'static [&'static str],
    command: &'static str,
    named: &'static [&'static str],
}

const WRITES: &[Writes] = &[
    Writes { prepare: &[], command: "pchr unpack one.pchr -o out", named: &["out"] },
    Writes { prepare: &[], command: "pchr convert one.pchr -o out/one.json --to spine", named: &["out"] },
    Writes { prepare: &[], command: "pchr convert one.pchr -o out/one.json --to pachario", named: &["out"] },
    Writes { prepare: &[MORE], command: "pchr unpack art -o out/{path}", named: &["out"] },
    Writes { prepare: &[MORE], command: "pchr convert art -o out/{path}.json --to spine", named: &["out"] },
    Writes {
        prepare: &[MORE],
        command: "pchr convert art -o out/{path}.skf --loss-report lost/{path}.json",
        named: &["out", "lost"],
    },
    Writes { prepare: &[], command: "pchr test art", named: &["art"] },
    Writes { prepare: &[], command: "pchr test art --update", named: &["art"] },
    // A reference that differs, and results of an earlier run.
    Writes { prepare: &[UPDATE, CHANGE], command: "pchr test art", named: &["art"] },
    Writes { prepare: &[UPDATE, CHANGE], command: "pchr test art --update --force", named: &["art"] },
    Writes { prepare: &[UPDATE], command: "pchr test art --html-report report", named: &["report"] },
    Writes {
        prepare: &[UPDATE, "sh -c 'pchr test art --json >all.json'"],
        command: "pchr test --merge all.json --html-report report",
        named: &["report"],
    },
    Writes {
        prepare: &[],
        command: "pchr-view one.pchr -a all -f all -o out/{animation}/{frame}.png",
        named: &["out"],
    },
    Writes {
        prepare: &[],
        command: "pchr-view one.pchr -a all -f all -o out/{name}-{index}.png",
        named: &["out"],
    },
    Writes { prepare: &[], command: "pchr-view one.pchr -a all -f all -o out/{animation}.gif", named: &["out"] },
    Writes { prepare: &[], command: "pchr-view one.pchr -a all -f all -o out/sheet.json", named: &["out"] },
    Writes {
        prepare: &[],
        command: "pchr-view one.pchr -a all -f all -o out/{animation}.json --sheet-max-size 128",
        named: &["out"],
    },
    Writes {
        prepare: &[],
        command: "pchr-view one.pchr -a all --contact-sheet 2x2 -o out/{animation}.png",
        named: &["out"],
    },
    Writes {
        prepare: &[],
        command: "pchr-view one.pchr -a all -f all --reference out/ --update",
        named: &["out"],
    },
    Writes { prepare: &[], command: "pchr-view one.pchr -a all -f all --reference out/", named: &["out"] },
    Writes {
        prepare: &[REFERENCE, CHANGE],
        command: "pchr-view one.pchr -a all -f all --reference out/",
        named: &["out"],
    },
    Writes {
        prepare: &[REFERENCE, CHANGE],
        command: "pchr-view one.pchr -a all -f all --reference out/ -o now/{animation}/{frame}.png --diff diff/{frame}.png",
        named: &["now", "diff"],
    },
    Writes {
        prepare: &["pchr-view one.pchr -a all -f all --reference out/{animation}.webp --update", CHANGE],
        command: "pchr-view one.pchr -a all -f all --reference out/{animation}.webp",
        named: &["out"],
    },
    Writes {
        prepare: &[REFERENCE, CHANGE],
        command: "pchr-view one.pchr -a all -f all --reference out/ --html-report report",
        named: &["report", "out"],
    },
];

const UPDATE: &str = "pchr test art --update";
const REFERENCE: &str = "pchr-view one.pchr -a all -f all --reference out/ --update";
/// Moves the character of the folder into another one.
const MORE: &str = "sh -c 'mkdir art/sub; mv art/one.pchr art/sub/two.pchr'";
/// Replaces both characters by another one.
const CHANGE: &str = "change";

pub fn place() -> TempDir {
    let place = TempDir::new().expect("a temporary folder");
    fs::create_dir_all(place.path().join("work/art")).expect("a folder");
    put(&place.path().join("work"), &common::tiny());
    fs::create_dir(place.path().join("victim")).expect("a folder");
    fs::write(place.path().join("victim/file"), "precious").expect("a file");
    place
}

fn put(work: &Path, character: &crate::common::v1::File) {
    let bytes = crate::common::v1::write(character).expect("a valid file");
    ["one.pchr", "art/one.pchr"].iter().for_each(|name| fs::write(work.join(name), &bytes).expect("a file"));
}

pub fn run(work: &Path, line: &str) -> Option<Output> {
    if line == CHANGE {
        let mut file = common::tiny();
        let mut corners = common::triangle(1);
        corners[2].x -= 5.0;
        file.meshes[0] = crate::common::v1::Mesh::new("flag", 0, &corners, &[0, 1, 2]);
        put(work, &file);
        return None;
    }
    let bins = Path::new(crate::common::program::pchr_path()).parent().expect("a folder");
    let path = std::env::var("PATH").unwrap_or_default();
    let mut command = if let Some(script) = line.strip_prefix("sh -c ") {
        let mut command = Command::new("sh");
        command.args(["-c", script.trim_matches('\'')]);
        command
    } else {
        let mut words = line.split_whitespace();
        let mut command = Command::new(bins.join(words.next().expect("a program")));
        command.args(words);
        command
    };
    if line.starts_with("pchr-view") {
        command.args(["--backend", "cpu", "-s", "64"]);
    }
    command.current_dir(work).env_remove("CI").env("PATH", format!("{}:{path}", bins.display()));
    Some(command.stdin(Stdio::null()).output().expect("the program runs"))
}

/// All files with their contents, folders and links, by path.
fn listing(root: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder") {
            let entry = entry.expect("an entry");
            let (path, kind) = (entry.path(), entry.file_type().expect("a type"));
            let content = match () {
                () if kind.is_symlink() => {
                    fs::read_link(&path).expect("a link").into_os_string().into_encoded_bytes()
                }
                () if kind.is_dir() => b"folder".to_vec(),
                () => fs::read(&path).expect("a file"),
            };
            if kind.is_dir() {
                folders.push(path.clone());
            }
            found.insert(path.strip_prefix(root).expect("below").to_owned(), content);
        }
    }
    found
}

fn prepared(writes: &Writes) -> TempDir {
    let place = place();
    writes.prepare.iter().for_each(|line| {
        run(&place.path().join("work"), line);
    });
    place
}

/// Removes a file or a folder, if it exists.
fn remove(path: &Path) {
    let _ = fs::remove_file(path).or_else(|_| fs::remove_dir_all(path));
}

#[test]
fn no_command_writes_through_a_link_that_was_not_named() {
    let mut planted = 0;
    for writes in WRITES {
        let clean = prepared(writes);
        let work = clean.path().join("work");
        let before = listing(&work);
        let output = run(&work, writes.command).expect("a program");
        assert_ne!(output.status.code(), Some(OUTPUT), "{}: {}", writes.command, common::program::stderr(&output));
        let after = listing(&work);
        let is_below =
            |path: &Path| writes.named.iter().any(|named| path.starts_with(named) && path != Path::new(named));
        let written: Vec<_> =
            after.iter().filter(|(path, content)| before.get(*path) != Some(content) && is_below(path)).collect();
        assert!(!written.is_empty(), "{} writes nothing", writes.command);
        for (path, content) in written {
            // To a file, to nothing, and in place of a folder.
            let targets: &[&str] =
                if content == b"folder" { &["victim", "nothing"] } else { &["victim/file", "nothing"] };
            for target in targets {
                refuse(writes, path, target);
                planted += 1;
            }
        }
    }
    assert!(planted >= 100, "{planted} links");
}

/// Plants a link at `path` to `target`, and expects the command to refuse it.
fn refuse(writes: &Writes, path: &Path, target: &str) {
    let place = prepared(writes);
    let work = place.path().join("work");
    let link = work.join(path);
    remove(&link);
    fs::create_dir_all(link.parent().expect("a folder")).expect("a folder");
    symlink(place.path().join(target), &link).expect("a link");
    let before = listing(place.path());
    let output = run(&work, writes.command).expect("a program");
    let what =
        format!("{} with {} -> {target}: {}", writes.command, path.display(), common::program::stderr(&output));
    assert_eq!(output.status.code(), Some(OUTPUT), "{what}");
    assert!(listing(place.path()) == before, "{what}");
}

#[test]
fn links_that_were_named_are_followed() {
    for command in [
        "pchr unpack one.pchr -o link",
        "pchr-view one.pchr -a all -f all -o link/{animation}/{frame}.png",
        "pchr-view one.pchr -a all -f all --reference link/ --update",
        "pchr-view one.pchr -o link/one.json",
        "pchr convert one.pchr -o link/one.json --to spine",
        "pchr test link --update",
    ] {
        let place = place();
        let work = place.path().join("work");
        symlink(work.join("art"), work.join("link")).expect("a link");
        let output = run(&work, command).expect("a program");
        assert!(output.status.success(), "{command}: {}", common::program::stderr(&output));
        assert!(fs::read_dir(work.join("art")).expect("a folder").count() > 1, "{command}");
    }
    let place = place();
    let work = place.path().join("work");
    symlink("art/picture.png", work.join("named.png")).expect("a dangling link");
    assert!(run(&work, "pchr-view one.pchr -o named.png").expect("a program").status.success());
    assert!(work.join("art/picture.png").is_file() && work.join("named.png").is_symlink());
}
