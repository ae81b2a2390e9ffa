//! Builds and runs the example as the README says, with a C compiler, and under Valgrind if there is one.
#![cfg(unix)]

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the repository")
}

/// Returns the lines of the README's only block of commands.
fn commands() -> Vec<String> {
    let page = std::fs::read_to_string(root().join("bindings/c/README.md")).expect("a page");
    let block = page.split("```").nth(1).expect("a block").to_owned();
    block.lines().skip(1).map(str::to_owned).collect()
}

fn succeeded(command: &mut Command) -> String {
    let Output { status, stdout, stderr } = command.current_dir(root()).output().expect("a program");
    let [stdout, stderr] = [stdout, stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
    assert!(status.success(), "{command:?}: {status}\n{stdout}{stderr}");
    assert!(stderr.is_empty() || stderr.contains("ERROR SUMMARY: 0 errors"), "{stderr}");
    stdout
}

/// Compiles the example against the static library that was built for this test.
fn built(folder: &Path) -> PathBuf {
    let tests = std::env::current_exe().expect("this program");
    let is_library = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        name.starts_with("libpchr_c") && name.ends_with(".a")
    };
    let beside = std::fs::read_dir(tests.parent().expect("a folder")).expect("a folder");
    let library = beside.flatten().map(|entry| entry.path()).filter(is_library);
    let library = library.max_by_key(|path| path.metadata().and_then(|it| it.modified()).ok()).expect("a library");
    let program = folder.join("play");
    let line = commands().into_iter().find(|line| line.starts_with("cc ")).expect("a line for the compiler");
    let mut words = line.split(' ');
    let mut compiler = Command::new(words.next().expect("a compiler"));
    compiler.args(words.map(|word| match word {
        "target/release/libpchr_c.a" => library.clone().into_os_string(),
        "play" => program.clone().into_os_string(),
        word => word.into(),
    }));
    succeeded(compiler.arg("-Werror"));
    program
}

#[test]
fn the_example_of_the_readme_plays_our_characters() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let program = built(folder);
    let line = commands().into_iter().find_map(|line| line.strip_prefix("./play ").map(str::to_owned));
    let lamp: Vec<String> = line.expect("a line that runs it").split(' ').map(str::to_owned).collect();
    let robot = ["Animation.json", "spritemap1.json", "spritemap1.png"];
    let robot: Vec<String> = robot.iter().map(|name| format!("tests/fixtures/paper-robot/{name}")).collect();
    let has_valgrind = Command::new("valgrind").arg("--version").output().is_ok_and(|it| it.status.success());
    if !has_valgrind {
        // Cargo would hide it in the output of a test that passes.
        _ = writeln!(std::io::stderr(), "skipped: memory is not checked, because Valgrind is not installed");
    }
    for (files, expected) in [
        (
            &lamp,
            &["page 0: paper-lamp.png, ", "animation hop: ", "event 0 of ", "batch 0: page 0, blend 0, clip -1, "]
                [..],
        ),
        (&robot, &["page 0: spritemap1.png, ", "batch 0: page 0, "][..]),
    ] {
        let plain = succeeded(Command::new(&program).args(files));
        expected.iter().for_each(|part| assert!(plain.contains(part), "no `{part}` in\n{plain}"));
        if has_valgrind {
            let mut checked = Command::new("valgrind");
            checked.args(["--error-exitcode=9", "--leak-check=full", "--show-leak-kinds=definite"]);
            // Optimised code may read the bytes of a variant before it knows which one is active.
            checked.arg("--undef-value-errors=no");
            let checked = succeeded(checked.arg("--errors-for-leak-kinds=definite").arg(&program).args(files));
            assert_eq!(checked, plain);
        }
    }
    let missing = Command::new(&program).arg("README.md").current_dir(root()).output().expect("a program");
    let message = String::from_utf8_lossy(&missing.stderr).into_owned();
    assert!(missing.status.code() == Some(1) && message.contains("README.md"), "{message}");
}
