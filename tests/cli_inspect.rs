//! `pchr` through its binary.

use std::path::Path;
use std::process::Command;

#[test]
fn inspect_tells_what_is_in_the_knight() {
    let knight = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/paper-knight.pchr");
    let output = Command::new(env!("CARGO_BIN_EXE_pchr")).arg("inspect").arg(knight).output().expect("it runs");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success());
    for part in ["1024×1024", "bones", "walk", "loops", "bind pose"] {
        assert!(text.contains(part), "{part} in\n{text}");
    }
}

#[test]
fn inspect_of_nothing_is_an_input_error() {
    let output = Command::new(env!("CARGO_BIN_EXE_pchr")).args(["inspect", "nothing.pchr"]).output();
    let output = output.expect("it runs");
    assert_eq!(output.status.code(), Some(3));
    assert!(String::from_utf8_lossy(&output.stderr).contains("nothing.pchr"));
}
