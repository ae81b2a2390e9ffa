//! Programs without a window never touch the settings of the window.

use std::fs::{self, File, FileTimes};
use std::process::{Command, Stdio};
use std::time::{Duration, SystemTime};

/// Every mode that opens no window.
fn headless() -> [(&'static str, &'static [&'static str]); 8] {
    [
        (env!("CARGO_BIN_EXE_pchr-view"), &["knight.pchr", "-o", "a.png", "--backend", "cpu"]),
        (
            env!("CARGO_BIN_EXE_pchr-view"),
            &["knight.pchr", "-o", "a.png", "--force", "--no-settings", "--backend", "cpu"],
        ),
        (env!("CARGO_BIN_EXE_pchr-view"), &["knight.pchr", "--reference", "a.png"]),
        (env!("CARGO_BIN_EXE_pchr-view"), &["knight.pchr", "--json"]),
        (env!("CARGO_BIN_EXE_pchr-view"), &["--list-bindings"]),
        (env!("CARGO_BIN_EXE_pchr-view"), &["--list-adapters"]),
        (crate::common::program::pchr_path(), &["inspect", "knight.pchr"]),
        (crate::common::program::pchr_path(), &["validate", "knight.pchr"]),
    ]
}

#[test]
fn settings_are_neither_read_nor_written_without_a_window() {
    let folder = tempfile::tempdir().unwrap();
    let knight = crate::common::root().join("assets/paper-knight.pchr");
    fs::copy(knight, folder.path().join("knight.pchr")).unwrap();
    let file = folder.path().join("config").join("pchr").join("settings.toml");
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    // Would be reported if it were read.
    fs::write(&file, "[interface]\ntheme = 7\n").unwrap();
    // Reading a file updates a time of access that is older than the last change.
    let old = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000);
    let times = FileTimes::new().set_accessed(old).set_modified(old + Duration::from_secs(60));
    File::options().write(true).open(&file).unwrap().set_times(times).unwrap();
    for (program, args) in headless() {
        let output = Command::new(program)
            .args(args)
            .current_dir(folder.path())
            .env("HOME", folder.path())
            .env("XDG_CONFIG_HOME", folder.path().join("config"))
            .env("APPDATA", folder.path().join("config"))
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned() + &String::from_utf8_lossy(&output.stdout);
        assert!(!said.contains("settings.toml"), "{args:?}: {said}");
        let metadata = fs::metadata(&file).unwrap();
        assert_eq!(metadata.accessed().unwrap(), old, "{args:?} has read the settings");
        assert_eq!(fs::read_dir(file.parent().unwrap()).unwrap().count(), 1, "{args:?}");
    }
    assert_eq!(fs::read_to_string(&file).unwrap(), "[interface]\ntheme = 7\n");
}
