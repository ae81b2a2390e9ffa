//! Helpers shared by the tests: tiny characters, the conformance data, and uncaptured messages.
#![allow(dead_code, reason = "every test binary uses its own part")]
#![allow(clippy::new_without_default, clippy::should_implement_trait, reason = "not the interface of a library")]

pub mod area;
#[cfg(feature = "formats-all")]
pub mod aseprite;
#[cfg(all(feature = "formats-all", feature = "export"))]
pub mod baking;
pub mod byte_damage;
pub mod characters;
pub mod checks;
pub mod compare;
#[cfg(feature = "convert")]
pub mod converted;
pub mod corpus;
#[cfg(feature = "formats-all")]
pub mod doll;
#[cfg(all(target_os = "linux", target_env = "gnu"))]
pub mod exchange;
#[cfg(feature = "gpu")]
pub mod gpu;
pub mod influences;
pub mod json_damage;
pub mod look;
pub mod memory;
pub mod outcome;
pub mod packed;
#[cfg(feature = "gpu")]
pub mod pictures;
pub mod program;
pub mod random;
pub mod rig;
pub mod schema;
pub mod sheet_painter;
pub mod sheet_reference;
pub mod show;
#[cfg(feature = "formats-all")]
pub mod skelform_golden;
#[cfg(feature = "formats-all")]
pub mod skelform_pose;
#[cfg(feature = "formats-all")]
pub mod spine_checks;
#[cfg(feature = "formats-all")]
pub mod spine_golden;
pub mod suite_folder;
#[cfg(feature = "formats-all")]
pub mod text_part;
#[path = "../../examples/make_paper_knight/v1.rs"]
pub mod v1;
pub mod v1_read;
pub mod viewer_bench;
pub mod zip;

use std::io::Write;
use std::path::{Path, PathBuf};

use pchr::Character;
use pchr::diagnostics::Diagnostics;
use pchr::formats::{ReadOptions, from_bytes};
use v1::write;
use v1::{Animation, Bone, BoneTransform, File, Image, Mesh, Vertex};

#[allow(unused_imports, reason = "every test binary uses its own part")]
pub use corpus::{conformance, conformance_files, ours};

/// Returns the text of `assets/paper-lamp.json` with the name of a bone that does not exist, `basis` instead of `base`, in
/// its animation `hop`.
pub fn torn_lamp() -> String {
    let text = std::fs::read_to_string(root().join("assets/paper-lamp.json")).expect("the lamp");
    let (head, animations) = text.split_once("\"hop\"").expect("it hops");
    assert!(animations.contains("\"base\""), "a bone");
    format!("{head}\"hop\"{}", animations.replacen("\"base\"", "\"basis\"", 1))
}

/// Returns two bones one above the other, a white pixel, a triangle on the child, and the animations `bind` and
/// `wave` (looping).
pub fn tiny() -> File {
    let at = |x, y| BoneTransform { x, y, ..BoneTransform::default() };
    let turned = BoneTransform { rotation: 90.0, ..at(0.0, 10.0) };
    File {
        fps: 24,
        images: vec![white("atlas", 1, 1)],
        bones: vec![bone("root", -1), bone("tip", 0)],
        meshes: vec![Mesh::new("flag", 0, &triangle(1), &[0, 1, 2])],
        animations: vec![
            Animation::new("bind", false, &[vec![at(0.0, 0.0), at(0.0, 10.0)]]),
            Animation::new("wave", true, &[vec![at(0.0, 0.0), at(0.0, 10.0)], vec![at(1.0, 2.0), turned]]),
        ],
        ..File::default()
    }
}

/// Returns a character with a picture of 4,096 pixels and a triangle that is drawn `times` times in each of `frames` frames.
pub fn repeated_triangle(times: usize, frames: usize) -> File {
    let moved = |x| BoneTransform { x, ..BoneTransform::default() };
    let frame = |index: usize| vec![moved(index as f32 / 1000.0), moved(0.0)];
    File {
        images: vec![white("atlas", 64, 64)],
        meshes: vec![Mesh::new("flag", 0, &triangle(1), &[0, 1, 2].repeat(times))],
        animations: vec![
            Animation::new("bind", false, &[frame(0)]),
            Animation::new("slide", true, &(0..frames).map(frame).collect::<Vec<_>>()),
        ],
        ..tiny()
    }
}

/// Returns a bone; the parent of a root is -1.
pub fn bone(name: &str, parent: i16) -> Bone {
    Bone { name: name.to_owned(), parent, offset: 0 }
}

/// Returns a vertex that follows one bone.
pub fn vertex(x: f32, y: f32, bone: u16) -> Vertex {
    Vertex { x, y, bone_ids: [bone, 0, 0, 0], bone_weights: [1.0, 0.0, 0.0, 0.0], ..Vertex::default() }
}

/// Returns a triangle on one bone that shows the upper left half of a picture.
pub fn triangle(bone: u16) -> [Vertex; 3] {
    let corner = |x, y, u, v| Vertex { u, v, ..vertex(x, y, bone) };
    [corner(0.0, 10.0, 0.0, 1.0), corner(0.0, 20.0, 0.0, 0.0), corner(10.0, 20.0, 1.0, 0.0)]
}

/// Returns a white opaque picture, stored uncompressed.
pub fn white(name: &str, width: u16, height: u16) -> Image {
    let data = vec![255; usize::from(width) * usize::from(height) * 4].into();
    Image { name: name.to_owned(), width, height, format: Image::RGBA8888, data, offset: 0 }
}

/// Returns the character stored in `file`. Panics if it cannot be written or read.
pub fn read(file: &File) -> Character {
    read_with(file, &ReadOptions::default())
}

/// Like [`read`], with options.
pub fn read_with(file: &File, options: &ReadOptions) -> Character {
    let bytes = write(file).expect("a file of the test fits the format");
    from_bytes(bytes, options, &mut Diagnostics::default()).expect("a file of the test is valid")
}

/// Returns the folder of the repository.
pub fn root() -> PathBuf {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    package.ancestors().find(|folder| folder.join("Cargo.lock").is_file()).expect("part of a workspace").to_owned()
}

/// Returns the folder of our own characters.
pub fn assets() -> PathBuf {
    root().join("assets")
}

/// Prints to stderr without being captured by the test harness.
pub fn say(line: &str) {
    // Ignore a closed pipe.
    let _ = writeln!(std::io::stderr(), "{line}");
}

/// Returns the names in a folder, sorted.
pub fn names_in(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).expect("a folder");
    let mut names: Vec<String> =
        entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// Returns the files of a folder whose names end in `suffix`, sorted.
pub fn files_in(folder: &Path, suffix: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("a readable folder").path()).collect();
    files.retain(|file| file.to_string_lossy().ends_with(suffix));
    files.sort();
    files
}
