//! Damaged files in `pchr validate`: it reports what the library finds.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use tempfile::TempDir;

use crate::damages::{Form, Subject, all};

fn validate(file: &Path, options: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pchr"));
    command.arg("validate").arg(file).args(options).output().expect("the program runs")
}

#[test]
fn the_program_reports_the_same() {
    let knight = crate::common::root().join("assets/paper-knight.pchr");
    for options in [&["--style", "json"][..], &["--style", "json", "--deny", "warnings"]] {
        let ran = validate(&knight, options);
        assert_eq!(ran.status.code(), Some(0), "{}", String::from_utf8_lossy(&ran.stdout));
    }
    let folder = TempDir::new().expect("a temporary folder");
    let damage = all().find(|damage| damage.code == "bone-out-of-range").expect("it is in the table");
    for (&form, name) in damage.forms.iter().zip(["v1.pchr", "description.json", "pachario.json", "packed.pchr"]) {
        let mut subject = Subject::new(damage, form, 7);
        let written = subject.write(&damage.how);
        let path = folder.path().join(name);
        fs::write(&path, &written.bytes).expect("a file that can be written");
        for (name, bytes) in &written.beside {
            fs::write(folder.path().join(name), bytes).expect("a file that can be written");
        }
        let ran = validate(&path, &["--style", "json"]);
        assert_eq!(ran.status.code(), Some(1), "{form:?}: {}", String::from_utf8_lossy(&ran.stderr));
        let output: serde_json::Value = serde_json::from_slice(&ran.stdout).expect("JSON");
        let findings = output["files"][0]["findings"].as_array().expect("a list");
        assert_eq!(findings.len(), 1, "{form:?}: {output}");
        let (path, offset) = subject.place(&subject.expected[0]);
        let key = if form == Form::V1 { "path" } else { "pointer" };
        assert_eq!(findings[0]["code"], damage.code);
        assert_eq!(findings[0]["severity"], "error");
        assert_eq!(findings[0][key], path, "{form:?}");
        assert!(findings[0]["offset"].is_u64() && offset.is_none_or(|offset| findings[0]["offset"] == offset));
    }
}
