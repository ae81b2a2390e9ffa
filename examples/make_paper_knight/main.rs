//! Draws, rigs and animates our own character: `make_paper_knight [OUT]`.
//!
//! OUT defaults to `assets/paper-knight.pchr`. The output is deterministic.

mod knight;

use std::path::PathBuf;
use std::process::ExitCode;

fn main() -> ExitCode {
    let out = std::env::args_os().nth(1).map_or_else(|| PathBuf::from("assets/paper-knight.pchr"), PathBuf::from);
    match make(&out) {
        Ok(line) => {
            println!("{line}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{}: {error}", out.display());
            ExitCode::FAILURE
        }
    }
}

fn make(out: &std::path::Path) -> Result<String, Box<dyn std::error::Error>> {
    let file = knight::file();
    let bytes = pchr::formats::pchr::write(&file)?;
    if let Some(folder) = out.parent() {
        std::fs::create_dir_all(folder)?;
    }
    std::fs::write(out, &bytes)?;
    Ok(format!(
        "{}: {} bones, {} meshes, {} animations, {} KiB",
        out.display(),
        file.bones.len(),
        file.meshes.len(),
        file.animations.len(),
        bytes.len() / 1024
    ))
}
