//! Makes the hero of the example `game`, a ranger of paper in Spine 4.2: `make_paper_ranger [FOLDER]`.
//!
//! FOLDER defaults to `examples/game`: `ranger.json`, `ranger.atlas` and `ranger.png` are written there. The output is
//! deterministic.

mod art;
#[path = "../make_paper_lamp/paint.rs"]
mod paint;
mod skeleton;

use std::error::Error;
use std::path::PathBuf;

/// The name of a file, and its contents.
type File = (&'static str, Vec<u8>);

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args_os().nth(1).map_or_else(|| PathBuf::from("examples/game"), PathBuf::from);
    std::fs::create_dir_all(&folder)?;
    for (name, bytes) in files()? {
        std::fs::write(folder.join(name), bytes)?;
    }
    Ok(())
}

/// Returns all files.
pub fn files() -> Result<Vec<File>, Box<dyn Error>> {
    let skeleton = serde_json::to_string_pretty(&skeleton::skeleton())? + "\n";
    Ok(vec![
        ("ranger.json", skeleton.into_bytes()),
        ("ranger.atlas", art::atlas().into_bytes()),
        ("ranger.png", art::picture()?),
    ])
}
