//! `pchr-view --config FILE`: the same result as on the command line, precedence, paths and errors.

use std::fs;
use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;

use crate::common::names_in;
use crate::common::program::{folder, stderr, view};

/// A folder with the knight and `conf/ci.toml`.
struct Bench(TempDir);

impl Bench {
    fn new(toml: &str) -> Self {
        let folder = folder();
        fs::copy(
            format!("{}/../../assets/paper-knight.pchr", env!("CARGO_MANIFEST_DIR")),
            folder.path().join("knight.pchr"),
        )
        .expect("the knight can be copied");
        fs::create_dir(folder.path().join("conf")).expect("a new folder");
        fs::write(folder.path().join("conf/ci.toml"), toml).expect("can be written");
        Self(folder)
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    /// Runs the viewer with the file and expects this exit code. Returns its stderr.
    #[track_caller]
    fn run(&self, code: i32, args: &[&str]) -> String {
        let output = view(self.path(), &[&["--config", "conf/ci.toml"], args].concat());
        assert_eq!(output.status.code(), Some(code), "{}", stderr(&output));
        stderr(&output)
    }

    fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// Renders what `args` say without a file, into one picture.
    fn expected(&self, args: &[&str]) -> Vec<u8> {
        let output = view(self.path(), &[args, &["knight.pchr", "-o", "expected.png", "--force"]].concat());
        assert!(output.status.success(), "{}", stderr(&output));
        self.read("expected.png")
    }
}

/// Returns the size of a PNG.
fn size(png: &[u8]) -> (u32, u32) {
    let number = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().expect("four bytes"));
    (number(16), number(20))
}

#[test]
fn every_type_of_value_gives_the_same_pictures_as_on_the_command_line() {
    let bench = Bench::new(
        "# Comment\nfiles = ['../knight.pchr']\noutput = 'out/{animation}-{frame:02}.png'\nsize = 64\nscale = 1.5\n\
         animation = [\"walk\", \"jump\"]\nframes = '0..=2'\nbackground = \"#336699\"\ninterpolate = true\n\
         force = false\nphysics = false\nlimit = ['pixels=100000000', 'records=0'] # too low\npadding = 0x4\n",
    );
    // Limits are read as well, so the last one counts.
    assert!(bench.run(3, &[]).contains("limit `records` exceeded"));
    let text = String::from_utf8(bench.read("conf/ci.toml")).expect("UTF-8").replace(", 'records=0'", "");
    fs::write(bench.path().join("conf/ci.toml"), text).expect("can be written");
    bench.run(0, &[]);
    let names = ["jump-00.png", "jump-01.png", "jump-02.png", "walk-00.png", "walk-01.png", "walk-02.png"];
    assert_eq!(names_in(&bench.path().join("conf/out")), names, "relative to the file");
    let same = "-a walk -a jump -f 0..=2 -s 64 --scale 1.5 -b #336699 --interpolate --physics=off --padding 4";
    let words: Vec<&str> = same.split(' ').collect();
    let output =
        view(bench.path(), &[&words[..], &["knight.pchr", "-o", "cli/{animation}-{frame:02}.png"]].concat());
    assert!(output.status.success(), "{}", stderr(&output));
    for name in names {
        assert_eq!(bench.read(&format!("conf/out/{name}")), bench.read(&format!("cli/{name}")), "{name}");
    }
    let plain = bench.expected(&["-a", "walk", "-f", "1", "-s", "64", "-b", "#336699", "--padding", "4"]);
    assert!(bench.read("conf/out/walk-01.png") != plain, "options have an effect");
}

#[test]
fn the_command_line_overrides_the_file() {
    let bench = Bench::new(
        "files = ['missing.pchr']\noutput = 'no.png'\nsize = '32x16'\nanimation = ['walk', 'jump']\n\
         time = 0.25\nforce = true\nkeep-going = true\nwatch = true\n",
    );
    let args = ["knight.pchr", "-o", "one.png", "-s", "48", "-a", "walk", "-f", "3", "--no-watch"];
    for _ in 0..2 {
        // The second time, `force` of the file applies.
        let message = bench.run(0, &args);
        assert!(
            message.starts_with("note: wrote one.png: 1 frame, ") && message.lines().count() == 1,
            "{message}"
        );
    }
    let png = bench.read("one.png");
    assert_eq!(size(&png), (48, 48));
    assert_eq!(png, bench.expected(&["-s", "48", "-a", "walk", "-f", "3"]), "no time, and one animation");
    assert!(!bench.path().join("conf/no.png").exists() && !bench.path().join("no.png").exists());
    // Files given after `--` are files of the command line too.
    bench.run(0, &["-o", "two.png", "-a", "walk", "--no-watch", "--", "knight.pchr"]);
    assert_eq!(size(&bench.read("two.png")), (32, 16));
    assert_eq!(bench.read("two.png"), bench.expected(&["-s", "32x16", "-a", "walk", "-t", "0.25"]));
}

#[test]
fn folders_with_braces_and_brackets_are_taken_literally() {
    let bench = Bench::new("");
    let place = bench.path().join("a{frame}[x]*");
    fs::create_dir(&place).expect("a new folder");
    fs::copy(bench.path().join("knight.pchr"), place.join("-k.pchr")).expect("can be copied");
    fs::write(place.join("ci.toml"), "files = '-*.pchr'\noutput = '{name}.png'\n").expect("can be written");
    let run = |folder: &Path, config: &str| {
        let output = view(folder, &["--config", config, "--force"]);
        assert!(output.status.success(), "{}", stderr(&output));
    };
    run(bench.path(), "a{frame}[x]*/ci.toml");
    assert!(place.join("-k.png").exists());
    fs::remove_file(place.join("-k.png")).expect("can be removed");
    run(&place, "ci.toml");
    assert!(place.join("-k.png").exists());
    // An existing file takes precedence over a pattern.
    fs::write(place.join("ci.toml"), "files = '-k.pchr'\noutput = '-{{x}}.png'\n").expect("can be written");
    run(&place, "ci.toml");
    assert!(place.join("-{x}.png").exists());
}

#[test]
fn mistakes_name_file_line_column_and_key() {
    for (toml, line, parts) in [
        ("size = 64\nsise = 32\n", "2, column 1", "unknown key `sise`; did you mean `size`"),
        ("zzz = 1", "1, column 1", "unknown key `zzz`; available: `files`, "),
        ("\r\n  'ä' = 1", "2, column 3", "unknown key `ä`"),
        (
            "size = '0x5'",
            "1, column 8",
            "`size`: invalid value `0x5`: expected 640x480, 640x, x480, 512 or native",
        ),
        ("size = [\n", "1, column 9", "invalid TOML: unclosed array"),
        ("size = 1\nsize = 2", "2, column 1", "invalid TOML: duplicate key"),
        ("filter = 'nearst'", "1, column 10", "`filter`: invalid value `nearst`; did you mean `nearest`"),
        ("force = 'yes'", "1, column 9", "`force`: expected true or false, found a string"),
        ("size = true", "1, column 8", "`size`: expected a string or a number, found true"),
        ("scale = nan", "1, column 9", "`scale`: the number is NaN or infinite"),
        ("scale = -inf", "1, column 9", "`scale`: the number is NaN or infinite"),
        ("scale = -1", "1, column 9", "`scale`: invalid value `-1`: expected a number above 0"),
        ("jobs = 99999999999999999999", "1, column 8", "`jobs`: the number is out of range"),
        ("frames = ['0', '1']", "1, column 10", "`frames`: expected a single value, found a list"),
        ("animation = ['a', ['b']]", "1, column 19", "`animation`: expected a string or a number, found a list"),
        ("animation = { a = 1 }", "1, column 13", "`animation`: expected a string or a number, found a table"),
        ("loops = 2026-01-01", "1, column 9", "`loops`: expected a string or a number, found a date"),
        ("[render]\nsize = 1", "1, column 2", "unknown key `render`"),
        ("[[size]]\na = 1", "1, column 1", "`size`: expected a single value, found a list"),
        ("sheet.columns = 4", "1, column 1", "unknown key `sheet`"),
        ("config = 'other.toml'", "1, column 1", "`config` cannot be set in this file"),
        ("man = true", "1, column 1", "`man` cannot be set in this file"),
        ("help = true", "1, column 1", "`help` cannot be set in this file"),
        ("frames = 'all'\ntime = 1", "2, column 1", "`time` cannot be combined with `frames`"),
        ("limit = ['pixel=1']", "1, column 9", "`limit`: invalid value `pixel=1`: unknown limit `pixel`"),
        ("output = '{fram}.png'", "1, column 10", "unknown placeholder `{fram}`"),
        ("\"a\\u0007b\" = 1", "1, column 1", "unknown key `a\\u{7}b`"),
    ] {
        let bench = Bench::new(toml);
        let message = bench.run(3, &["knight.pchr", "-o", "x.png"]);
        let place = format!("conf/ci.toml: line {line}: ");
        assert!(message.contains(&place) && message.contains(parts), "{toml}\n{message}");
        assert!(!bench.path().join("x.png").exists());
    }
}

#[test]
fn hostile_files_are_reported() {
    let nested = format!("animation = {}", "[".repeat(200_000));
    let tables = format!("{} = 1", vec!["a"; 100_000].join("."));
    for (bytes, expected) in [
        (b"size = '\xff'".to_vec(), "conf/ci.toml: byte 8: expected UTF-8 text"),
        (vec![b'#'; (1 << 20) + 1], "a configuration file has at most 1048576 bytes"),
        (nested.into_bytes(), "invalid TOML: "),
        (tables.into_bytes(), "conf/ci.toml: "),
        (vec![0; 100], "invalid TOML: "),
    ] {
        let bench = Bench::new("");
        fs::write(bench.path().join("conf/ci.toml"), &bytes).expect("can be written");
        let message = bench.run(3, &["knight.pchr", "-o", "x.png"]);
        assert!(message.contains("conf/ci.toml") && message.contains(expected), "{message}");
    }
    let bench = Bench::new("\u{feff}size = 8\n");
    bench.run(0, &["knight.pchr", "-o", "x.png"]);
    assert_eq!(size(&bench.read("x.png")), (8, 8), "a byte order mark is ignored");
    for (config, code, expected) in [
        ("conf", 3, "this is a folder, not a file"),
        ("none.toml", 3, "none.toml: "),
        ("-", 2, "--config cannot be read from standard input"),
    ] {
        let output = view(bench.path(), &["knight.pchr", "-o", "y.png", "--config", config]);
        assert_eq!(output.status.code(), Some(code));
        assert!(stderr(&output).contains(expected), "{}", stderr(&output));
    }
}

#[test]
fn a_file_is_refused_for_a_window_and_not_read_unless_it_is_needed() {
    let bench = Bench::new("size = 64");
    assert!(bench.run(2, &["knight.pchr"]).contains("--config has no effect on a window"));
    fs::write(bench.path().join("conf/ci.toml"), "nonsense").expect("can be written");
    bench.run(0, &["--man"]);
    // A file of the usual names is never read on its own.
    for name in ["pchr-view.toml", "pchr.toml", ".pchr-view.toml"] {
        fs::write(bench.path().join(name), "nonsense").expect("can be written");
    }
    assert!(view(bench.path(), &["knight.pchr", "-o", "x.png"]).status.success());
}

#[test]
fn json_can_be_requested_in_the_file_and_reports_its_mistakes() {
    let bench = Bench::new("files = '../knight.pchr'\njson = true\nquiet = true\n");
    let run = |args: &[&str]| view(bench.path(), &[&["--config", "conf/ci.toml"], args].concat());
    let document: Value = serde_json::from_slice(&run(&[]).stdout).expect("JSON");
    assert_eq!(document["renders"][0]["file"], "conf/../knight.pchr");
    let failed: Value = serde_json::from_slice(&run(&["-a", "none"]).stdout).expect("JSON");
    assert_eq!((&failed["schema"], &failed["code"]), (&"pchr.error/1".into(), &"usage".into()));
    fs::write(bench.path().join("conf/ci.toml"), "sise = 1").expect("can be written");
    let failed: Value = serde_json::from_slice(&run(&["--json"]).stdout).expect("JSON");
    assert_eq!((&failed["code"], &failed["exit_code"]), (&"bad-config".into(), &3.into()));
    assert_eq!((&failed["path"], &failed["place"]), (&"conf/ci.toml".into(), &"line 1, column 1".into()));
}

#[test]
fn every_option_is_a_key_or_refused() {
    let help = String::from_utf8(view(Path::new("."), &["--help"]).stdout).expect("UTF-8");
    let lines = help.lines().map(str::trim_start).filter(|line| line.starts_with('-'));
    let words = lines.flat_map(|line| line.split([' ', ',', '=', '['])).filter_map(|word| word.strip_prefix("--"));
    let keys: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    assert!(keys.len() > 50, "{keys:?}");
    for key in keys {
        let message = Bench::new(&format!("{key} = 2026-01-01")).run(3, &["knight.pchr", "--json"]);
        let is_known = message.contains("found a date") || message.contains("cannot be set in this file");
        assert!(is_known, "{key}: {message}");
    }
}
