//! `scripts/install`: what it installs is valid and works as a desktop would use it, and it can be removed.
//!
//! Needs the tools of desktops and shells. If one is missing, the test that needs it prints a message and is skipped,
//! or fails with `PCHR_TEST_DESKTOP=require`.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::common::v1::Image;
use pchr::formats::image::encode_png;
use pchr::formats::table::FORMATS;
use pchr::limits::Limits;
use tempfile::TempDir;

use crate::common;
use crate::pages::root;

const ID: &str = "io.github.pchr.View";

/// Returns true if all of `commands` are installed.
fn has(commands: &[&str]) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let is_there = |command: &str| std::env::split_paths(&path).any(|folder| folder.join(command).is_file());
    let missing: Vec<_> = commands.iter().filter(|command| !is_there(command)).collect();
    if !missing.is_empty() {
        assert_ne!(std::env::var("PCHR_TEST_DESKTOP").as_deref(), Ok("require"), "{missing:?} are missing");
        common::say(&format!("SKIPPED: {missing:?} are missing, required by a test of the installation"));
    }
    missing.is_empty()
}

const SCRIPT: &str = "scripts/install";

/// A folder that contains an installation in a folder whose name has a space.
struct Bench {
    folder: TempDir,
}

impl Bench {
    fn new() -> Self {
        let bench = Self { folder: TempDir::new().expect("a temporary folder") };
        fs::create_dir(bench.folder.path().join("files")).expect("a folder");
        bench
    }

    fn installed() -> Self {
        let bench = Self::new();
        assert_success(&bench.install(&["--programs", &programs()]));
        bench
    }

    fn prefix(&self) -> PathBuf {
        self.folder.path().join("a prefix")
    }

    fn share(&self) -> PathBuf {
        self.prefix().join("share")
    }

    /// Runs the script in a folder of its own.
    fn install(&self, args: &[&str]) -> Output {
        let mut command = Command::new(root().join(SCRIPT));
        command.args(["--prefix", "a prefix"]).args(args).current_dir(self.folder.path());
        command.output().expect("the script runs")
    }

    /// Runs a command in the folder of files, as in a session that uses the prefix.
    fn run(&self, program: impl AsRef<Path>, args: &[&str]) -> Output {
        let mut command = Command::new(program.as_ref());
        command
            .args(args)
            .current_dir(self.folder.path().join("files"))
            .env("XDG_DATA_HOME", self.share())
            .env("XDG_DATA_DIRS", "/usr/local/share:/usr/share")
            .env("XDG_CURRENT_DESKTOP", "GNOME")
            .env("LC_ALL", "C.UTF-8");
        command.output().unwrap_or_else(|error| panic!("{}: {error}", program.as_ref().display()))
    }

    /// Runs a command line that must succeed, and returns its output.
    fn shell(&self, line: &str) -> String {
        assert_success(&self.run("sh", &["-ec", line]))
    }

    fn read(&self, path: &str) -> String {
        fs::read_to_string(self.share().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    /// Returns every file and folder below the prefix.
    fn tree(&self) -> BTreeSet<PathBuf> {
        let mut found = BTreeSet::new();
        let mut folders = vec![self.prefix()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).into_iter().flatten() {
                let path = entry.expect("an entry").path();
                if path.is_dir() {
                    folders.push(path.clone());
                }
                found.insert(path);
            }
        }
        found
    }
}

/// Returns the folder of the programs of this build.
fn programs() -> String {
    let folder = Path::new(crate::common::program::pchr_path()).parent().expect("a folder");
    folder.display().to_string()
}

#[track_caller]
fn assert_success(output: &Output) -> String {
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{out}\n{err}");
    out.into_owned()
}

/// Returns the part of every line between `before` and `after`.
fn between<'a>(text: &'a str, before: &str, after: &str) -> Vec<&'a str> {
    text.lines().filter_map(|line| Some(line.split_once(before)?.1.split_once(after)?.0)).collect()
}

#[test]
fn desktop_files_are_valid_and_agree() {
    if !has(&["desktop-file-validate", "appstreamcli", "update-desktop-database"]) {
        return;
    }
    let bench = Bench::installed();
    let (entry, metainfo) = (format!("applications/{ID}.desktop"), format!("metainfo/{ID}.metainfo.xml"));
    let path = |name: &str| bench.share().join(name).display().to_string();
    let validated = assert_success(&bench.run("desktop-file-validate", &[&path(&entry)]));
    assert_eq!(validated, "", "not even a hint");
    assert_success(&bench.run("appstreamcli", &["validate", "--no-net", &path(&metainfo)]));

    let (entry, metainfo) = (bench.read(&entry), bench.read(&metainfo));
    let thumbnailer = bench.read(&format!("thumbnailers/{ID}.thumbnailer"));
    let definitions = bench.read(&format!("mime/packages/{ID}.xml"));
    let types = between(&definitions, "<mime-type type=\"", "\"");
    let globs: BTreeSet<_> = between(&definitions, "<glob pattern=\"*.", "\"").into_iter().collect();
    let extensions: BTreeSet<_> = FORMATS.iter().flat_map(|format| format.extensions.own).copied().collect();
    assert_eq!(globs, extensions, "the extensions of no other programs");
    let list = |text: &str| -> Vec<String> {
        let line = text.lines().find_map(|line| line.strip_prefix("MimeType=")).expect("the types");
        line.split_terminator(';').map(str::to_owned).collect()
    };
    assert_eq!(list(&entry), types);
    assert_eq!(between(&metainfo, "<mediatype>", "</mediatype>"), types);
    // Aseprite installs a thumbnailer of its own.
    let own: Vec<_> = types.iter().filter(|name| !name.contains("aseprite")).collect();
    assert_eq!(list(&thumbnailer).iter().collect::<Vec<_>>(), own);

    assert!(entry.contains(&format!("\nStartupWMClass={ID}\n")) && entry.contains(&format!("\nIcon={ID}\n")));
    let changelog = fs::read_to_string(root().join("CHANGELOG.md")).expect("the changelog");
    let mut released = between(&changelog, "## [", "]");
    released.retain(|name| *name != "Unreleased");
    // The next release is listed before it has a date.
    let is_coming = !released.contains(&env!("CARGO_PKG_VERSION"));
    if is_coming {
        released.insert(0, env!("CARGO_PKG_VERSION"));
    }
    let development = between(&metainfo, "<release version=\"", "\" type=\"development\"").len();
    assert_eq!(between(&metainfo, "<release version=\"", "\""), released, "the releases of CHANGELOG.md");
    assert_eq!(development, usize::from(is_coming));
}

#[test]
fn files_have_their_types() {
    if !has(&["update-mime-database", "update-desktop-database", "xdg-mime", "gio"]) {
        return;
    }
    let bench = Bench::installed();
    let assets = root().join("assets").display().to_string();
    let bin = bench.prefix().join("bin").display().to_string();
    bench.shell(&format!(
        "PATH='{bin}':$PATH
        cp '{assets}/paper-knight.pchr' knight.pchr
        pchr convert knight.pchr -o packed.pchr --to pachario-packed
        pchr convert knight.pchr -o knight.skf
        pchr convert '{assets}/paper-lamp.json' -o old.skel --to skel38
        cp '{assets}/paper-lamp-4.2.skel' new.skel
        pchr-view knight.pchr --backend cpu -a idle -s 16 -o knight.sprsh
        cp '{assets}/paper-lamp.json' '{assets}/paper-lamp.atlas' .
        cp '{}/tests/fixtures/aseprite/plain/input.aseprite' .",
        root().display()
    ));
    let type_of =
        |name: &str| assert_success(&bench.run("xdg-mime", &["query", "filetype", name])).trim().to_owned();
    for (name, expected) in [
        ("knight.pchr", "application/x-pchr"),
        ("packed.pchr", "application/x-pachario"),
        ("knight.skf", "application/x-skelform"),
        ("old.skel", "application/x-spine-skeleton"),
        ("new.skel", "application/x-spine-skeleton"),
        ("knight.sprsh", "application/x-sprsh"),
        ("input.aseprite", "image/x-aseprite"),
    ] {
        assert_eq!(type_of(name), expected, "{name}");
        // By its magic number, which is stronger than a wrong extension only if that is unknown.
        for misnamed in ["misnamed", "misnamed.unknown"] {
            bench.shell(&format!("cp {name} {misnamed}"));
            assert_eq!(type_of(misnamed), expected, "{name} as {misnamed}");
        }
        let handlers = assert_success(&bench.run("gio", &["mime", expected]));
        assert!(handlers.contains(&format!("{ID}.desktop")), "{handlers}");
    }
    // Others keep their types.
    bench.shell("printf 'PK\\003\\004%026dother.txt' 0 > other; printf 'PCH' > short");
    for (name, expected) in [
        ("paper-lamp.json", "application/json"),
        ("paper-lamp.atlas", "text/plain"),
        ("other", "application/zip"),
        ("short", "text/plain"),
    ] {
        assert_eq!(type_of(name), expected, "{name}");
    }
    let handlers = assert_success(&bench.run("gio", &["mime", "application/json"]));
    assert!(!handlers.contains(ID), "{handlers}");
}

/// Runs the command of the thumbnailer as a desktop does: a size, a file, and an output name without extension.
fn thumbnail(bench: &Bench, file: &str, out: &str) -> Output {
    let entry = bench.read(&format!("thumbnailers/{ID}.thumbnailer"));
    let command = entry.lines().find_map(|line| line.strip_prefix("Exec=")).expect("a command");
    let line = command.replace("%s", "128").replace("%o", &format!("'{out}'")).replace("%i", &format!("'{file}'"));
    assert!(!line.contains('%'), "{line}");
    bench.run("sh", &["-c", &line])
}

#[test]
fn thumbnails_are_made_by_the_entry() {
    let bench = Bench::installed();
    let files = bench.folder.path().join("files");
    for name in ["paper-knight.pchr", "paper-lamp-4.2.skel"] {
        fs::copy(root().join("assets").join(name), files.join(name)).expect("a copy");
    }
    for out in ["a thumbnail", "a thumbnail", "thumbnail.png"] {
        assert_success(&thumbnail(&bench, "paper-knight.pchr", out));
        let bytes = fs::read(files.join(out)).expect("a thumbnail");
        let mut reader = png::Decoder::new(std::io::Cursor::new(&bytes)).read_info().expect("a PNG");
        let mut rgba = vec![0; reader.output_buffer_size().expect("a size")];
        let info = reader.next_frame(&mut rgba).expect("a PNG");
        assert_eq!(info.width.max(info.height), 128);
        let covered = rgba.chunks_exact(4).filter(|pixel| pixel[3] > 0).count();
        assert!(covered * 4 > rgba.len() / 4, "{covered} pixels are covered");
    }
    // A timeline with an error is left out.
    let torn = files.join("torn");
    fs::create_dir(&torn).expect("a folder");
    fs::write(torn.join("paper-lamp.json"), common::torn_lamp()).expect("a file");
    for name in ["paper-lamp.atlas", "paper-lamp.png"] {
        fs::copy(root().join("assets").join(name), torn.join(name)).expect("a copy");
    }
    assert_success(&thumbnail(&bench, "torn/paper-lamp.json", "torn.png"));
    // The desktop shows its icon instead: the atlas is missing, or the file is broken.
    fs::write(files.join("broken.pchr"), "PCHR").expect("a file");
    for name in ["paper-lamp-4.2.skel", "broken.pchr", "none.pchr"] {
        assert!(!thumbnail(&bench, name, "none").status.success(), "{name}");
        assert!(!files.join("none").exists(), "{name}");
    }
}

/// Explorer has the same limits, in `programs/thumbnails`.
#[test]
fn the_entry_states_the_limits_for_thumbnails() {
    let entry = fs::read_to_string(root().join(format!("packaging/{ID}.thumbnailer"))).expect("the entry");
    let mut limits = Limits::default();
    for limit in entry.split("--limit ").skip(1).filter_map(|rest| rest.split(' ').next()) {
        let (name, value) = limit.split_once('=').expect("a limit");
        let (digits, shift) = value.strip_suffix('M').map_or((value, 0), |digits| (digits, 20));
        assert!(limits.set(name, digits.parse::<u64>().expect("a number") << shift), "{limit}");
    }
    assert_eq!(limits, Limits::for_thumbnails());
}

/// A file manager makes thumbnails of whatever lies in a folder, also of what nobody would open.
#[test]
fn a_thumbnail_takes_little_memory_and_work() {
    let bench = Bench::installed();
    let files = bench.folder.path().join("files");
    let mut large = common::tiny();
    let [width, height] = [8192, 4097];
    let png = encode_png(width.into(), height.into(), &vec![255; usize::from(width) * usize::from(height) * 4]);
    let data = png.expect("a PNG").into();
    large.images[0] = Image { width, height, format: Image::PNG, data, ..large.images[0].clone() };
    let bytes = crate::common::v1::write(&large).expect("a valid file");
    fs::write(files.join("large.pchr"), bytes).expect("a file");
    let hostile = root().join("tests/fixtures/conformance/hostile");
    fs::copy(hostile.join("window-freeze/f.pchr"), files.join("heavy.pchr")).expect("a copy");
    for (name, limit) in [("large", "pixels"), ("heavy", "work")] {
        let output = thumbnail(&bench, &format!("{name}.pchr"), "none");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(stderr.contains(&format!("limit `{limit}` exceeded")), "{name}: {stderr}");
        assert_eq!((output.status.code(), files.join("none").exists()), (Some(3), false), "{name}");
    }
}

#[test]
fn manual_pages_have_no_warnings() {
    if !has(&["man", "groff"]) {
        return;
    }
    let bench = Bench::installed();
    let pages = common::names_in(&bench.share().join("man/man1"));
    assert!(pages.len() > 10 && pages.contains(&"pchr-view.1".to_owned()), "{pages:?}");
    for page in pages {
        let path = bench.share().join("man/man1").join(&page).display().to_string();
        let output = bench.run("man", &["--warnings", "-l", &path]);
        assert_eq!(
            (String::from_utf8_lossy(&output.stderr).trim(), output.status.success()),
            ("", true),
            "{page}"
        );
    }
}

#[test]
fn completions_load_in_their_shells() {
    let bench = Bench::installed();
    let share = bench.share().display().to_string();
    let scripts = [
        ("bash", format!("source '{share}/bash-completion/completions/NAME' && complete -p NAME")),
        (
            "zsh",
            format!(
                "fpath=('{share}/zsh/site-functions' $fpath); autoload -Uz compinit; compinit -D -u; \
                [[ $_comps[NAME] = _NAME ]] && autoload +X _NAME"
            ),
        ),
        (
            "fish",
            format!(
                "source '{share}/fish/vendor_completions.d/NAME.fish'; complete -C 'NAME --h' | grep -- --help"
            ),
        ),
    ];
    for (shell, script) in scripts {
        if !has(&[shell]) {
            continue;
        }
        for name in ["pchr", "pchr-view"] {
            let output = bench.run(shell, &["-c", &script.replace("NAME", name)]);
            assert!(output.stderr.is_empty(), "{shell}: {}", String::from_utf8_lossy(&output.stderr));
            assert_success(&output);
        }
    }
    // Not executed: Debian 12 has no PowerShell, and elvish only loads completions interactively.
    for name in ["elvish/lib/completions/pchr.elv", "pchr/completions/pchr-view.ps1"] {
        assert!(bench.read(name).contains("--help"), "{name}");
    }
}

#[test]
fn uninstalling_removes_exactly_what_was_installed() {
    let bench = Bench::new();
    // A file of another program in a folder that is used as well.
    fs::create_dir_all(bench.share().join("man/man1")).expect("folders");
    fs::write(bench.share().join("man/man1/other.1"), "").expect("a file");
    let before = bench.tree();
    assert_success(&bench.install(&["--programs", &programs()]));
    let first = bench.tree();
    assert!(first.len() > before.len() + 50);
    assert!(!first.iter().any(|path| path.to_string_lossy().contains(".new.")), "no temporary files");
    // Over an installation with a file that this version does not have.
    let list = bench.share().join("pchr/installed");
    fs::write(bench.prefix().join("bin/old"), "").expect("a file");
    fs::write(&list, fs::read_to_string(&list).expect("a list") + "bin/old\n").expect("a list");
    assert_success(&bench.install(&["--programs", &programs()]));
    assert_eq!(bench.tree(), first);
    // Our own files that are already gone are no reason to fail, and files of others stay.
    fs::remove_file(bench.prefix().join("bin/pchr")).expect("ours");
    fs::write(bench.share().join("doc/pchr/notes"), "").expect("a file");
    assert_success(&bench.install(&["--uninstall"]));
    let doc = bench.share().join("doc");
    let mut expected = before;
    expected.extend([doc.clone(), doc.join("pchr"), doc.join("pchr/notes")]);
    assert_eq!(bench.tree(), expected);
    let again = bench.install(&["--uninstall"]);
    assert_eq!(again.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&again.stderr).contains("nothing to remove"));
    // A damaged list removes nothing outside of the prefix.
    fs::create_dir_all(bench.share().join("pchr")).expect("a folder");
    fs::write(bench.folder.path().join("precious"), "").expect("a file");
    fs::write(&list, "../precious\n").expect("a list");
    assert_eq!(bench.install(&["--uninstall"]).status.code(), Some(1));
    assert!(bench.folder.path().join("precious").exists());
}

#[test]
fn files_of_others_are_kept() {
    let bench = Bench::new();
    let program = bench.prefix().join("bin/pchr");
    for is_folder in [false, true] {
        fs::create_dir_all(bench.prefix().join("bin")).expect("a folder");
        let made = if is_folder { fs::create_dir(&program) } else { fs::write(&program, "") };
        made.expect("something in the way");
        let before = bench.tree();
        let output = bench.install(&["--programs", &programs()]);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(1) && stderr.contains("bin/pchr already exists"), "{stderr}");
        assert_eq!(bench.tree(), before);
        fs::remove_dir_all(bench.prefix()).expect("ours");
    }
}

#[test]
fn everyone_can_read_an_installation() {
    let bench = Bench::new();
    let script = root().join(SCRIPT);
    let prefix = bench.prefix();
    let install = format!("'{}' --prefix '{}' --programs '{}'", script.display(), prefix.display(), programs());
    bench.shell(&format!("umask 077; {install}"));
    assert_eq!(bench.shell(&format!("find '{}' ! -perm -444", prefix.display())), "");
}

#[test]
fn packages_are_installed_below_destdir() {
    let bench = Bench::new();
    let output = Command::new(root().join(SCRIPT))
        .args(["--prefix=/usr", "--destdir", "image", "--programs", &programs()])
        .current_dir(bench.folder.path())
        .output();
    assert_success(&output.expect("the script runs"));
    let share = bench.folder.path().join("image/usr/share");
    let entry = fs::read_to_string(share.join(format!("applications/{ID}.desktop"))).expect("an entry");
    assert!(entry.contains("\nExec=pchr-view %F\n") && entry.contains("\nTryExec=pchr-view\n"), "{entry}");
    assert!(!share.join("mime/mime.cache").exists(), "caches belong to the system");
}

#[test]
fn the_debian_package_contains_the_installation() {
    if !has(&["dpkg-deb", "dpkg-shlibdeps", "strip"]) {
        return;
    }
    let bench = Bench::new();
    let output = Command::new(root().join("scripts/package-deb"))
        .args(["--output", "packages", "--programs", &programs()])
        .env("DPKG_DEB_COMPRESSOR_LEVEL", "1")
        .current_dir(bench.folder.path())
        .output();
    let package = assert_success(&output.expect("the script runs")).trim().to_owned();
    assert!(package.ends_with(".deb") && package.contains(env!("CARGO_PKG_VERSION")), "{package}");
    let contents = bench.shell(&format!("dpkg-deb -c '{package}'"));
    for path in ["bin/pchr", "bin/pchr-view", "share/man/man1/pchr-diff.1.gz", "share/doc/pchr/copyright"] {
        assert!(contents.contains(&format!(" ./usr/{path}\n")), "{path}\n{contents}");
    }
    assert!(!contents.contains("share/pchr/installed"), "dpkg has its own list");
    let depends = bench.shell(&format!("dpkg-deb -f '{package}' Depends"));
    assert!(depends.contains("libc6") && !depends.contains("x11"), "{depends}");
}

#[test]
fn wrong_arguments_are_refused() {
    let bench = Bench::new();
    for (args, code, message) in [
        (&["--prefx", "x"][..], 2, "unknown argument: --prefx"),
        (&["--destdir"], 2, "--destdir needs a path"),
        (&["--prefix", "100%"], 2, "must not contain"),
        (&["--uninstall", "--programs", "x"], 2, "has no effect with --uninstall"),
        (&["--programs", "files"], 1, "files/pchr is missing"),
    ] {
        let output = bench.install(args);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(code) && stderr.contains(message), "{args:?}: {stderr}");
        assert!(bench.tree().is_empty(), "{args:?}");
    }
    assert!(assert_success(&bench.install(&["--help"])).contains("--uninstall"));
}
