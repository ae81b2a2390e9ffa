//! The layers of the modules, and which of them may use external crates and system modules.
//!
//! Reads the sources of the library and of the window as text, without comments and tests. Every module of the library is in
//! [`LAYERS`], every one of the window in [`WINDOW`]. What the programs may use of the library, the compiler checks.

mod table;

use std::fs;
use std::path::{Path, PathBuf};

/// Every module of `src` and the modules that it may import, except itself.
const LAYERS: &[(&str, &[&str])] = &[
    ("error", &[]),
    ("misuse", &[]),
    ("rows", &[]),
    ("held", &[]),
    ("bytes", &["error"]),
    ("math", &[]),
    ("names", &["error"]),
    ("diagnostics", &["error"]),
    ("progress", &["error"]),
    ("limits", &["error", "progress"]),
    ("model", &["error", "misuse", "rows", "bytes", "math"]),
    ("pose", &["misuse", "bytes", "math", "model"]),
    ("draw", &["misuse", "rows", "math", "model", "pose"]),
    // A motion is evaluated for a character, which is a model and its motion.
    ("motion", &["error", "rows", "bytes", "math", "model", "pose", "character"]),
    ("character", &["error", "model", "motion"]),
    ("player", &["error", "math", "model", "pose", "draw", "motion", "character"]),
    (
        "formats",
        &[
            "error",
            "misuse",
            "rows",
            "bytes",
            "math",
            "diagnostics",
            "limits",
            "progress",
            "names",
            "held",
            "model",
            "pose",
            "motion",
            "character",
        ],
    ),
    ("outline", &["error", "math", "model", "pose", "motion", "character"]),
    (
        "diff",
        &["error", "diagnostics", "limits", "math", "model", "pose", "motion", "character", "formats", "outline"],
    ),
    ("find", &["error", "limits", "held", "formats"]),
    ("cpu", &["error", "misuse", "math", "limits", "progress", "model", "pose", "draw", "motion", "character"]),
    ("gpu", &["error", "misuse", "rows", "math", "model", "pose", "draw", "motion", "character", "player"]),
    ("watch", &[]),
    ("export", EVERYTHING_ABOVE),
    ("validate", EVERYTHING_ABOVE),
    ("inspect", EVERYTHING_ABOVE),
    ("bake", EVERYTHING_ABOVE),
    ("golden", EVERYTHING_ABOVE),
    ("convert", EVERYTHING_ABOVE),
];

/// Modules of the library that are divided into folders, in order. A folder imports only those before it, and a file nothing
/// from the `mod.rs` above it.
const ROOMS: &[(&str, &[&str])] = &[
    (
        "gpu",
        &["backend", "error", "device", "shaders", "pipeline", "upload", "batch", "pass", "crowd", "offscreen"],
    ),
    ("export", &["error", "files", "options", "plan", "frames", "encode", "commit"]),
];

/// The features of the window in `programs/window/src`. Each may import those before it, `app` puts them together.
const WINDOW: &[&str] = &[
    "base", "widgets", "scene", "files", "playback", "parts", "tracks", "timeline", "overlays", "sheet",
    "compare", "export", "palette", "settings", "app",
];

/// All earlier modules in [`LAYERS`].
const EVERYTHING_ABOVE: &[&str] = &["*"];

/// External crates and system modules, and the files or folders that may use them.
const OUTSIDE: &[(&str, &[&str])] = &[
    (
        "serde",
        &[
            "formats",
            "diff/differences.rs",
            "golden/difference.rs",
            "diagnostics.rs",
            "inspect/report.rs",
            "outline",
            "validate/mod.rs",
            "validate/text.rs",
            "export",
        ],
    ),
    ("wgpu", &["gpu"]),
    ("std::fs", &["held", "formats/folder.rs", "formats/source.rs", "find", "export"]),
    ("fs::", &["held", "formats/folder.rs", "formats/source.rs", "find", "export"]),
    ("pollster", &["gpu"]),
    ("rayon", &["formats", "cpu", "export"]),
    ("std::thread", &["export"]),
    ("std::time", &["formats/folder.rs", "watch", "export", "gpu"]),
    ("std::env", &["export", "gpu"]),
    // The options of an export are those of the command line.
    ("clap", &["export/options"]),
    ("super::super", &[]),
];

/// Modules that process untrusted bytes: they return errors. The lints in `lib.rs` find other panics.
const MUST_NOT_PANIC: &[&str] = &["bytes", "formats", "model", "motion", "pose", "draw", "cpu"];

/// The folder of the window's sources.
const OF_THE_WINDOW: &str = "programs/window/src";

/// A source file: its path in its folder, its text, and its code without comments and tests.
struct Source {
    path: String,
    text: String,
    code: String,
}

/// Returns the sources in a folder of the repository.
fn sources(folder: &str) -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let mut files = Vec::new();
    collect(&root, &mut files);
    files.sort();
    let source = |file: PathBuf| {
        let path = file.strip_prefix(&root).expect("below it").to_string_lossy().replace('\\', "/");
        let text = fs::read_to_string(&file).expect("a readable source");
        // Unit tests can have files of their own.
        let is_test = path.ends_with("/tests.rs") || path.contains("/tests/");
        Source { code: if is_test { String::new() } else { code_of(&text) }, path, text }
    };
    files.into_iter().map(source).collect()
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a readable folder") {
        let path = entry.expect("a readable entry").path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}

/// Returns the lines before the unit tests without comments.
fn code_of(text: &str) -> String {
    let lines = text.lines().take_while(|line| *line != "#[cfg(test)]");
    lines.map(|line| line.split("//").next().unwrap_or("")).collect::<Vec<_>>().join("\n")
}

/// Returns the module of a file.
fn module_of(path: &str) -> &str {
    path.split('/').next().unwrap_or(path).trim_end_matches(".rs")
}

/// Returns true if `path` is one of `places` or in one of them.
fn is_in(path: &str, places: &[&str]) -> bool {
    let lies_in =
        |place: &str| path.strip_prefix(place).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    places.iter().any(|place| lies_in(place) || module_of(path) == *place)
}

/// Returns the lines that contain `needle` as a whole word.
fn lines_with<'a>(code: &'a str, needle: &'a str) -> impl Iterator<Item = usize> + 'a {
    let is_word = |letter: Option<char>| letter.is_some_and(|letter| letter.is_alphanumeric() || letter == '_');
    let opens = is_word(needle.chars().next());
    let closes = is_word(needle.chars().next_back());
    code.lines().enumerate().filter_map(move |(number, line)| {
        let mut found = line.match_indices(needle).filter(|&(at, _)| {
            let (before, after) = (line[..at].chars().next_back(), line[at + needle.len()..].chars().next());
            let is_longer = (opens && is_word(before)) || (closes && is_word(after));
            !is_longer
        });
        found.next().map(|_| number + 1)
    })
}

/// Returns the modules after each `prefix` (`crate::` or `pchr::`): one name, or several in braces.
fn imports(code: &str, prefix: &str) -> Vec<String> {
    let mut names = Vec::new();
    for (at, _) in code.match_indices(prefix) {
        let rest = &code[at + prefix.len()..];
        let mut depth = 0;
        let mut name = String::new();
        let mut is_path_start = true;
        for letter in rest.chars() {
            match letter {
                '{' => depth += 1,
                '}' => depth -= 1,
                ',' if depth == 1 => is_path_start = true,
                letter if letter.is_alphanumeric() || letter == '_' => {
                    if is_path_start {
                        name.push(letter);
                    }
                    continue;
                }
                letter if letter.is_whitespace() && depth > 0 && name.is_empty() => continue,
                _ => {}
            }
            if !name.is_empty() {
                names.push(std::mem::take(&mut name));
                is_path_start = false;
            }
            if letter == ',' && depth == 1 {
                is_path_start = true;
            }
            if depth <= 0 {
                break;
            }
        }
        names.extend((!name.is_empty()).then_some(name));
    }
    names
}

#[test]
fn modules_only_import_lower_layers() {
    let mut faults = Vec::new();
    let mut count = 0;
    for Source { path, code, .. } in sources("src") {
        let module = module_of(&path);
        if module == "lib" {
            continue;
        }
        let layer = LAYERS.iter().position(|(name, _)| *name == module);
        let Some(layer) = layer else { panic!("src/{path} has no layer: add its module to LAYERS") };
        for import in imports(&code, "crate::") {
            count += 1;
            if import != module && !may_import(layer, &import) {
                faults.push(format!("src/{path} imports `crate::{import}`"));
            }
        }
    }
    assert!(count >= 100, "only {count} imports found");
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Types at the root of the crate, with their modules.
const AT_THE_ROOT: &[(&str, &str)] =
    &[("Animator", "player"), ("Character", "character"), ("Error", "error"), ("Result", "error")];

/// Returns true if the module at `layer` may import `name`.
fn may_import(layer: usize, name: &str) -> bool {
    let name = AT_THE_ROOT.iter().find(|(root, _)| *root == name).map_or(name, |(_, module)| module);
    let (_, allowed) = LAYERS[layer];
    let is_above = LAYERS[..layer].iter().any(|(above, _)| *above == name);
    allowed.contains(&name) || (allowed == EVERYTHING_ABOVE && is_above)
}

#[test]
fn layers_have_no_cycles() {
    for (index, (name, allowed)) in LAYERS.iter().enumerate() {
        for import in allowed.iter().filter(|import| **import != "*") {
            let at = LAYERS.iter().position(|(name, _)| name == import).expect("a layer");
            // The only pair that depends on each other.
            assert!(at < index || (*name, *import) == ("motion", "character"), "{name} imports {import}");
        }
    }
}

#[test]
fn features_of_the_window_only_import_earlier_ones() {
    assert_order(OF_THE_WINDOW, "crate::", WINDOW, 300);
}

/// Checks that everything in a folder only imports, after `prefix`, itself and what is before it in `order`, and that
/// there are at least `min_count` imports.
fn assert_order(folder: &str, prefix: &str, order: &[&str], min_count: usize) {
    let mut faults = Vec::new();
    let mut count = 0;
    for Source { path, code, .. } in sources(folder) {
        if ["lib.rs", "mod.rs"].contains(&&*path) {
            continue;
        }
        let place = order.iter().position(|name| *name == module_of(&path));
        let Some(place) = place else { panic!("{folder}/{path} has no place in the order of {folder}") };
        for import in imports(&code, prefix) {
            count += 1;
            if !order[..=place].contains(&&*import) {
                faults.push(format!("{folder}/{path} imports `{prefix}{import}`"));
            }
        }
        let is_top = !path.contains('/') || path.split('/').skip(1).eq(["mod.rs"]);
        if is_top && code.contains("super::") {
            faults.push(format!("{folder}/{path} imports another one by `super`"));
        }
    }
    assert!(count >= min_count, "only {count} imports found");
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn folders_of_a_module_only_import_earlier_ones() {
    let mut faults = Vec::new();
    let mut count = 0;
    for (module, rooms) in ROOMS {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(module);
        for Source { path, code, .. } in sources(&format!("src/{module}")) {
            if path == "mod.rs" {
                continue;
            }
            let room = module_of(&path);
            let place = rooms.iter().position(|name| *name == room);
            let Some(place) = place else { panic!("src/{module}/{path} belongs to no folder of ROOMS") };
            for import in imports(&code, &format!("crate::{module}::")) {
                count += 1;
                if !rooms[..=place].contains(&&*import) {
                    faults.push(format!("src/{module}/{path} imports `{import}`"));
                }
            }
            let beside = folder.join(&path).parent().expect("a folder").to_owned();
            let is_beside =
                |name: &String| beside.join(name).is_dir() || beside.join(name).with_extension("rs").exists();
            let above = imports(&code, "super::").into_iter().filter(|name| !is_beside(name));
            faults.extend(
                above.map(|name| format!("src/{module}/{path} imports `{name}` from the mod.rs above it")),
            );
        }
    }
    assert!(count >= 100, "only {count} imports found");
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn programs_are_thin() {
    for path in ["programs/cli/src/main.rs", "programs/pchr-view/src/main.rs"] {
        let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).expect("a program");
        let code = code_of(&text);
        assert_eq!(imports(&code, "pchr::"), [""; 0], "{path}");
        // Enough to convert the arguments to window options.
        assert!(code.lines().count() <= 70, "{path} is not thin");
    }
}

#[test]
fn external_crates_are_used_only_where_allowed() {
    let mut faults = Vec::new();
    for Source { path, code, .. } in sources("src") {
        for (name, places) in OUTSIDE {
            if is_in(&path, places) {
                continue;
            }
            faults.extend(lines_with(&code, name).map(|line| format!("src/{path}:{line} uses `{name}`")));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn modules_with_untrusted_bytes_do_not_assert() {
    let mut faults = Vec::new();
    for Source { path, code, .. } in
        sources("src").into_iter().filter(|source| is_in(&source.path, MUST_NOT_PANIC))
    {
        for name in ["assert!", "assert_eq!", "assert_ne!"] {
            faults.extend(lines_with(&code, name).map(|line| format!("src/{path}:{line} has `{name}`")));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn panics_are_documented() {
    let mut count = 0;
    for Source { path, text, code } in sources("src") {
        let calls = ["misuse::expect(", "misuse::fail(", "misuse::no_such("];
        let panics = calls.iter().any(|call| lines_with(&code, call).next().is_some());
        if panics {
            assert!(
                ["# Panics", "Panics if", "Panics where"].iter().any(|words| text.contains(words)),
                "src/{path} can panic, but does not document it"
            );
            count += 1;
        }
    }
    assert!(count >= 8, "only {count} files");
}

#[test]
fn imports_are_found_in_every_form() {
    let code =
        "use crate::math::Vec2;\nuse crate::{draw::{View, list}, error, pose as p};\nlet x = crate::cpu::f();";
    assert_eq!(imports(code, "crate::"), ["math", "draw", "error", "pose", "cpu"]);
    assert_eq!(lines_with("fs::read\nmy_fs::read\nstd::fs::read\nprefs::x", "fs::").collect::<Vec<_>>(), [1, 3]);
    assert_eq!(code_of("a // crate::b\n//! crate::c\n#[cfg(test)]\nd"), "a \n");
}
