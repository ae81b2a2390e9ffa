//! Several characters in one picture: `[[character]]` tables of `--scene FILE`, and `--lineup -o`.

use std::fs;
use std::path::Path;

use tempfile::TempDir;

use crate::common::program::{folder, stderr, view};

/// Two characters; the second has its own clock, size and tint, and is behind.
const SCENE: &str = "background = \"#336699\"\nsize = \"x96\"\n\n\
    [[character]]\nfile = \"art/paper-knight.pchr\"\nanimation = \"walk\"\n\n\
    [[character]]\nfile = \"art/paper-lamp.json\"\nanimation = \"idle\"\ntrack = [\"1=hop@0.1,weight=0.5\"]\n\
    skin = \"blue\"\nbone = \"mouse=90,260\"\nstart = 0.25\nposition = \"150,-10\"\nscale = 1.5\nflip-x = true\n\
    order = -1\ntint = \"#ffcc88c0\"\n";

/// A folder with the knight and the lamp in `art`.
fn bench() -> TempDir {
    let folder = folder();
    fs::create_dir(folder.path().join("art")).expect("a folder");
    for name in ["paper-knight.pchr", "paper-lamp.json", "paper-lamp.atlas", "paper-lamp.png"] {
        let asset = format!("{}/../../assets/{name}", env!("CARGO_MANIFEST_DIR"));
        fs::copy(asset, folder.path().join("art").join(name)).expect("a copy");
    }
    folder
}

#[track_caller]
fn run(folder: &Path, args: &str) {
    let output = view(folder, &args.split(' ').collect::<Vec<_>>());
    assert!(output.status.success(), "{args}: {}", stderr(&output));
}

#[track_caller]
fn read(folder: &Path, name: &str) -> Vec<u8> {
    fs::read(folder.join(name)).expect("a written file")
}

#[test]
fn every_format_shows_the_whole_stage() {
    let bench = bench();
    let folder = bench.path();
    fs::write(folder.join("stage.toml"), SCENE).expect("a scene");
    for (name, magic) in [
        ("a.png", &b"\x89PNG"[..]),
        ("a.gif", b"GIF89a"),
        ("a.webp", b"RIFF"),
        ("a.apng", b"\x89PNG"),
        ("a.y4m", b"YUV4MPEG2"),
    ] {
        run(folder, &format!("--scene stage.toml -f 0..3 -o {name}").replace("-f 0..3 -o a.png", "-f 2 -o a.png"));
        assert!(read(folder, name).starts_with(magic), "{name}");
    }
    run(folder, "--scene stage.toml -f 0..4 -o sheet.json");
    assert!(String::from_utf8_lossy(&read(folder, "sheet.json")).contains("frames"));
    run(folder, "--scene stage.toml --contact-sheet 3x2 -o contact.png");
    // The same bytes again, wherever it is run.
    run(folder, "--scene stage.toml -f 2 --jobs 1 -o b.png");
    assert_eq!(read(folder, "a.png"), read(folder, "b.png"));
    let other = folder.join("art");
    run(&other, "--scene ../stage.toml -f 2 -o ../c.png");
    assert_eq!(read(folder, "a.png"), read(folder, "c.png"));
}

#[test]
fn each_table_changes_its_character() {
    let bench = bench();
    let folder = bench.path();
    let mut pictures = Vec::new();
    let mut draw = |text: &str| {
        fs::write(folder.join("stage.toml"), text).expect("a scene");
        run(folder, "--scene stage.toml -f 2 --fit=-300,-100,900,600 --force -o a.png");
        let picture = read(folder, "a.png");
        assert!(!pictures.contains(&picture), "{text}");
        pictures.push(picture);
    };
    draw(SCENE);
    // `idle` is the default.
    let changes = |line: &&str| {
        line.contains(" = ") && !["file", "size", "background"].iter().any(|key| line.starts_with(key))
    };
    let lines: Vec<&str> = SCENE.lines().filter(changes).filter(|line| !line.contains("idle")).collect();
    assert_eq!(lines.len(), 10);
    lines.into_iter().for_each(|line| draw(&SCENE.replacen(line, "", 1)));
}

#[test]
fn a_lineup_is_written_and_is_a_row() {
    let bench = bench();
    let folder = bench.path();
    run(folder, "art/paper-knight.pchr art/paper-lamp.json --lineup -s x96 -o row.png");
    let tables =
        "[[character]]\nfile = \"art/paper-knight.pchr\"\n[[character]]\nfile = \"art/paper-lamp.json\"\n";
    fs::write(folder.join("row.toml"), tables).expect("a scene");
    run(folder, "--scene row.toml -s x96 -o same.png");
    assert_eq!(read(folder, "row.png"), read(folder, "same.png"));
    let alone = "art/paper-knight.pchr -s x96 -o alone.png";
    run(folder, alone);
    assert_ne!(read(folder, "row.png"), read(folder, "alone.png"));
    run(folder, "art/paper-knight.pchr art/paper-lamp.json --lineup -a idle -s x96 -o row.gif");
}

#[test]
fn in_a_lineup_a_character_without_the_animation_shows_its_own_with_a_warning() {
    let bench = bench();
    let folder = bench.path();
    let draw = |args: &str| view(folder, &args.split(' ').collect::<Vec<_>>());
    let output = draw("art/paper-knight.pchr art/paper-lamp.json --lineup -a hop -s x96 -f 2 -o row.png");
    let error = stderr(&output);
    assert!(output.status.success(), "{error}");
    let expected =
        ["warning[animation-missing]", "art/paper-knight.pchr", "no animation named `hop`; `idle` is shown"];
    assert!(expected.iter().all(|part| error.contains(part)) && !error.contains("paper-lamp"), "{error}");
    let tables = "[[character]]\nfile = \"art/paper-knight.pchr\"\nanimation = \"idle\"\n\
        [[character]]\nfile = \"art/paper-lamp.json\"\nanimation = \"hop\"\n";
    fs::write(folder.join("row.toml"), tables).expect("a scene");
    run(folder, "--scene row.toml -s x96 -f 2 -o same.png");
    assert_eq!(read(folder, "row.png"), read(folder, "same.png"));
    // What none has is an error, and so it is in a table.
    let output = draw("art/paper-knight.pchr art/paper-lamp.json --lineup -a hopp -o none.png");
    assert!(
        output.status.code() == Some(3) && stderr(&output).contains("no animation `hopp`"),
        "{}",
        stderr(&output)
    );
    assert!(!folder.join("none.png").exists());
}

#[test]
fn errors_name_the_file_the_table_and_what_would_be_right() {
    let bench = bench();
    let folder = bench.path();
    let lamp = "[[character]]\nfile = \"art/paper-knight.pchr\"\n[[character]]\nfile = \"art/paper-lamp.json\"\n";
    for (text, code, expected) in [
        (
            format!("{lamp}scale = 0"),
            3,
            &["line 5", "[[character]] 2", "`scale`", "expected a number above 0"][..],
        ),
        (format!("{lamp}scal = 2"), 3, &["line 5", "[[character]] 2", "unknown key `scal`; did you mean `scale`"]),
        (format!("{lamp}position = \"left\""), 3, &["line 5", "`position`", "expected X,Y"]),
        (format!("{lamp}position = [1, 2]"), 3, &["`position`", "expected a single value, found a list"]),
        (format!("{lamp}tint = \"reddish\""), 3, &["`tint`", "expected a colour"]),
        (format!("{lamp}order = 1.5"), 3, &["`order`", "expected a whole number"]),
        (format!("{lamp}flip-x = \"yes\""), 3, &["`flip-x`", "expected true or false, found a string"]),
        (
            format!("{lamp}animation = \"hopp\""),
            3,
            &["[[character]] 2", "art/paper-lamp.json", "animation", "did you mean `hop`"],
        ),
        (format!("{lamp}skin = [\"bleu\"]"), 3, &["[[character]] 2", "skin", "no skin `bleu`"]),
        (format!("{lamp}track = [\"1=hopp\"]"), 3, &["[[character]] 2", "track", "no animation `hopp`"]),
        (
            format!("animation = \"hop\"\n{lamp}"),
            3,
            &["line 1", "`animation` cannot be combined with [[character]]"],
        ),
        ("[[character]]\nscale = 2".to_owned(), 3, &["line 1", "[[character]] 1", "`file` is missing"]),
        ("[[character]]\nfile = \"none.pchr\"".to_owned(), 3, &["none.pchr"]),
        ("character = 3".to_owned(), 3, &["line 1", "expected tables [[character]]"]),
        ("character = [\"art/paper-lamp.json\"]".to_owned(), 3, &["expected tables [[character]]"]),
        ("[[character]]\nfile = \"art/paper-lamp.json\"\n".repeat(65), 2, &["room for 64 characters, found 65"]),
    ] {
        fs::write(folder.join("stage.toml"), &text).expect("a scene");
        let output = view(folder, &["--scene", "stage.toml", "-o", "a.png"]);
        let error = stderr(&output);
        assert_eq!(output.status.code(), Some(code), "{text}: {error}");
        for part in expected {
            assert!(error.contains(part), "{text}: {part} is not in {error}");
        }
        assert!(!folder.join("a.png").exists());
    }
    fs::write(folder.join("stage.toml"), lamp).expect("a scene");
    let fail = |args: &str, expected: &str| {
        let output = view(folder, &args.split(' ').collect::<Vec<_>>());
        assert!(
            output.status.code() == Some(2) && stderr(&output).contains(expected),
            "{args}: {}",
            stderr(&output)
        );
    };
    fail("art/paper-lamp.json --scene stage.toml -o a.png", "the scene has its own characters");
    fail("art/paper-lamp.json --lineup -o a.png", "--lineup needs several characters, not 1");
    fail(
        "art/paper-lamp.json art/paper-knight.pchr --lineup --skin blue -o a.png",
        "--skin has no effect with --lineup",
    );
}
