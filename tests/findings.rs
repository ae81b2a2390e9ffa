//! What is found in whole characters.

mod common;

use std::path::Path;

use common::{conformance, files_in};
use pchr::diagnostics::Severity;
use pchr::formats::{Folder, Input, ReadOptions, examine};

#[test]
fn dump() {
    let mut files = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/paper-knight.pchr")];
    files.extend(conformance("pchr").map(|folder| files_in(&folder, ".pchr")).into_iter().flatten());
    for file in files {
        let input = Input { bytes: std::fs::read(&file).unwrap().into(), sidecars: &Folder::of(&file) };
        let t = std::time::Instant::now();
        let found = examine(&input, &ReadOptions::default()).unwrap();
        println!("{} {:?}", file.display(), t.elapsed());
        for f in found.findings() {
            if f.severity > Severity::Note || std::env::var_os("ALL").is_some() {
                println!("   {:?}[{}] {}", f.severity, f.fault.code, f.fault);
            }
        }
    }
}

#[test]
fn knight_wrong() {
    use pchr::formats::BindPose;
    let mut files = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/paper-knight.pchr")];
    files.extend(conformance("pchr").map(|folder| files_in(&folder, ".pchr")).into_iter().flatten());
    for file in files {
        let input = Input { bytes: std::fs::read(&file).unwrap().into(), sidecars: &Folder::of(&file) };
        for (a, f) in [("idle", 0), ("walk", 3), ("jump", 20), ("wave", 20), ("move", 0), ("move", 5), ("Walk", 0), ("Sitting", 50)] {
            let mut options = ReadOptions::default();
            options.bind_pose = BindPose::Frame { animation: a.into(), frame: f };
            options.flip_v = true;
            let Ok(found) = examine(&input, &options) else { continue };
            println!("{} {a}:{f}", file.file_name().unwrap().display());
            for f in found.findings() {
                if f.severity > Severity::Note {
                    println!("   {:?}[{}] {}", f.severity, f.fault.code, f.fault);
                }
            }
        }
    }
}
