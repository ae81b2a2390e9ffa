//! Draws, rigs and animates our own character, and draws the icon of `pchr-view`: `make_paper_knight [FOLDER]`.
//!
//! FOLDER defaults to the current one. It receives `assets/paper-knight.pchr` and `packaging/icons`. The output is
//! deterministic.

mod knight;
mod v1;

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

fn main() -> ExitCode {
    let folder = std::env::args_os().nth(1).map(PathBuf::from).unwrap_or_default();
    match make(&folder) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn make(folder: &Path) -> Result<(), Box<dyn Error>> {
    let file = knight::file();
    let bytes = v1::write(&file)?;
    let character = folder.join("assets/paper-knight.pchr");
    write(&character, &bytes)?;
    println!(
        "{}: {} bones, {} meshes, {} animations, {} KiB",
        character.display(),
        file.bones.len(),
        file.meshes.len(),
        file.animations.len(),
        bytes.len() / 1024
    );
    for (name, bytes) in knight::icon::files() {
        let icon = folder.join("packaging/icons").join(name);
        write(&icon, &bytes)?;
        println!("{}: {} bytes", icon.display(), bytes.len());
    }
    Ok(())
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), String> {
    let folder = path.parent().map_or(Ok(()), std::fs::create_dir_all);
    folder.and_then(|()| std::fs::write(path, bytes)).map_err(|error| format!("{}: {error}", path.display()))
}
