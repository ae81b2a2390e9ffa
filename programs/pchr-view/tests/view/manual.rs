//! Help, manual pages and completions of both programs: they contain every option and require no display.

use std::io::Write as _;
use std::process::{Command, Stdio};

fn programs() -> [(&'static str, &'static str); 2] {
    [("pchr", crate::common::program::pchr_path()), ("pchr-view", env!("CARGO_BIN_EXE_pchr-view"))]
}

/// Runs a program without display, driver and home folder, and returns its stdout.
#[track_caller]
fn run(program: &str, args: &[&str]) -> String {
    let output = Command::new(program)
        .args(args)
        .env_clear()
        .env("VK_ICD_FILENAMES", "/nothing")
        .stdin(Stdio::null())
        .output()
        .expect("the program runs");
    assert!(output.status.success(), "{program} {args:?}\n{}", String::from_utf8_lossy(&output.stderr));
    assert!(output.stderr.is_empty());
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// Returns every `--option` of a help text.
fn options_of(help: &str) -> Vec<String> {
    let lines = help.lines().map(str::trim_start).filter(|line| line.starts_with('-'));
    let words = lines.flat_map(|line| line.split([' ', ',', '=', '[']).filter(|word| word.starts_with("--")));
    words.map(str::to_owned).filter(|word| word.len() > 2).collect()
}

/// Returns all commands of `pchr`.
fn commands() -> Vec<String> {
    let help = run(programs()[0].1, &["--help"]);
    let list = help.split("Commands:\n").nth(1).and_then(|rest| rest.split("\n\n").next()).expect("a list");
    let names = list.lines().filter_map(|line| Some(line.split_whitespace().next()?.to_owned()));
    let names: Vec<String> = names.filter(|name| name != "help").collect();
    assert!(names.len() >= 5, "{names:?}");
    names
}

/// Returns name, `--help` text and manual page of each program and command.
fn pages() -> Vec<(String, String, String)> {
    let [(_, pchr), (_, view)] = programs();
    let mut pages = vec![
        ("pchr".to_owned(), run(pchr, &["--help"]), run(pchr, &["man"])),
        ("pchr-view".to_owned(), run(view, &["--help"]), run(view, &["--man"])),
    ];
    for command in commands() {
        let (help, page) = (run(pchr, &[&command, "--help"]), run(pchr, &["man", &command]));
        pages.push((format!("pchr-{command}"), help, page));
    }
    pages
}

#[test]
fn every_page_has_the_options_and_sections_of_help() {
    for (name, help, page) in pages() {
        let plain = page.replace("\\-", "-");
        assert!(plain.contains(&format!(".TH {name} 1 ")), "{name}\n{plain}");
        let options = options_of(&help);
        assert!(options.len() >= 2, "{name}: {options:?}");
        for option in options {
            assert!(plain.contains(&option), "{name} does not contain {option}");
        }
        assert_eq!(help.contains("\nExamples:\n"), plain.contains(".SH EXAMPLES"), "{name}");
        assert_eq!(help.contains("\nExit codes: "), plain.contains(".SH \"EXIT CODES\""), "{name}");
    }
}

#[test]
fn every_listed_page_exists() {
    let page = run(programs()[0].1, &["man"]).replace("\\-", "-");
    let named: Vec<&str> =
        page.lines().filter(|line| line.starts_with("pchr-") && line.ends_with("(1)")).collect();
    let expected: Vec<String> = commands().iter().map(|command| format!("pchr-{command}(1)")).collect();
    assert_eq!(named, expected);
    let output = Command::new(programs()[0].1).args(["man", "dif"]).output().expect("the program runs");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("did you mean `diff`"));
}

#[test]
fn completions_name_every_option_in_every_shell() {
    let [(_, pchr), (_, view)] = programs();
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        for (name, text, help) in [
            ("pchr", run(pchr, &["completions", shell]), run(pchr, &["diff", "--help"])),
            ("pchr-view", run(view, &["--completions", shell]), run(view, &["--help"])),
        ] {
            assert!(text.contains(name), "{shell}");
            for option in options_of(&help) {
                // fish omits the dashes.
                let option = if shell == "fish" { format!("-l {}", &option[2..]) } else { option };
                assert!(text.contains(&option), "{name} in {shell} does not complete {option}");
            }
        }
    }
}

#[test]
fn bash_accepts_its_completions() {
    let [(_, pchr), (_, view)] = programs();
    for text in [run(pchr, &["completions", "bash"]), run(view, &["--completions", "bash"])] {
        let mut bash = Command::new("bash").arg("-n").stdin(Stdio::piped()).spawn().expect("bash");
        bash.stdin.take().expect("a pipe").write_all(text.as_bytes()).expect("it reads");
        assert!(bash.wait().expect("it ends").success());
    }
}
