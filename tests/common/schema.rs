//! Checks JSON documents against a JSON Schema with an independent validator, that of Python.
//!
//! Needs `python3` with `jsonschema`; without it the tests print that nothing was checked, or fail with
//! `PCHR_TEST_PYTHON=require`.

use std::cell::RefCell;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::Value;

use super::say;

/// A running validator of one schema.
pub struct Validator {
    /// `None` without Python.
    running: Option<RefCell<Running>>,
}

struct Running {
    child: Child,
    stdin: Option<ChildStdin>,
    stdout: BufReader<ChildStdout>,
}

impl Validator {
    pub fn new(schema: &Value) -> Self {
        let script = super::root().join("tests/reference/check_schema.py");
        let has_module = Command::new("python3").args(["-c", "import jsonschema"]).stderr(Stdio::null()).status();
        if !has_module.is_ok_and(|status| status.success()) {
            let need = "python3 with jsonschema is missing (Debian: apt-get install python3-jsonschema)";
            assert_ne!(std::env::var("PCHR_TEST_PYTHON").as_deref(), Ok("require"), "{need}");
            say(&format!("SKIPPED: a document was not checked against its schema: {need}"));
            return Self { running: None };
        }
        let mut command = Command::new("python3");
        let mut child =
            command.arg(script).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("python3 starts");
        let mut stdin = child.stdin.take().expect("a pipe");
        writeln!(stdin, "{schema}").expect("the validator reads");
        let stdout = BufReader::new(child.stdout.take().expect("a pipe"));
        Self { running: Some(RefCell::new(Running { child, stdin: Some(stdin), stdout })) }
    }

    /// Returns what is wrong with a document, or `None` without Python.
    fn faults(&self, document: &Value) -> Option<Vec<String>> {
        let mut running = self.running.as_ref()?.borrow_mut();
        writeln!(running.stdin.as_mut().expect("open until the end"), "{document}").expect("the validator reads");
        let mut line = String::new();
        running.stdout.read_line(&mut line).expect("the validator answers");
        Some(serde_json::from_str(&line).expect("the schema is valid, and the answer is a list"))
    }

    #[track_caller]
    pub fn assert_valid(&self, document: &Value) {
        let faults = self.faults(document).unwrap_or_default();
        assert!(faults.is_empty(), "{}\n{document:#}", faults.join("\n"));
    }

    #[track_caller]
    pub fn assert_invalid(&self, document: &Value, what: &str) {
        assert_ne!(self.faults(document), Some(Vec::new()), "{what}");
    }
}

impl Drop for Validator {
    fn drop(&mut self) {
        let Some(running) = &mut self.running else { return };
        let running = running.get_mut();
        running.stdin = None;
        let _ = running.child.wait();
    }
}
