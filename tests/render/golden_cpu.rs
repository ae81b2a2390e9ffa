//! Compares pictures of the CPU renderer with golden files, byte for byte: with any number of threads, and as
//! WebAssembly under Node.
//!
//! `PCHR_UPDATE=1 cargo test --release --test render golden_cpu` rewrites the pictures and `SHA256SUMS`.
//! Look at them before you commit.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::common;
use crate::scenes;
use pchr::cpu::Threads;
use pchr::draw::Picture;
use sha2::{Digest, Sha256};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/golden")
}

/// The hash of the premultiplied pixels, as `sha256sum` prints it.
fn hash(pixels: &[u8]) -> String {
    Sha256::digest(pixels).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// One line per scene.
fn expected_hashes() -> String {
    fs::read_to_string(folder().join("SHA256SUMS")).expect("SHA256SUMS exists")
}

#[test]
fn pictures_equal_their_golden_files() {
    let mut sums = String::new();
    let update = std::env::var_os("PCHR_UPDATE").is_some();
    for scene in scenes::scenes() {
        let mut picture = scene.render(|renderer| renderer);
        assert!(picture.pixels().iter().any(|&byte| byte != 0), "{} is empty", scene.name);
        sums.push_str(&format!("{}  {}\n", hash(picture.pixels()), scene.name));
        picture.unpremultiply();
        let path = folder().join(scene.name).with_extension("png");
        if update {
            let file = fs::File::create(&path).expect("the golden file can be written");
            pchr::export::write_png(&picture, file).expect("the golden file can be written");
        }
        assert_same_pixels(&picture, &path);
    }
    if update {
        fs::write(folder().join("SHA256SUMS"), &sums).expect("SHA256SUMS can be written");
    }
    assert_eq!(sums, expected_hashes());
}

/// Compares a picture with straight alpha with a file.
pub fn assert_same_pixels(picture: &Picture, path: &Path) {
    let file = fs::File::open(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut reader = png::Decoder::new(std::io::BufReader::new(file)).read_info().expect("a PNG");
    let mut golden = vec![0; reader.output_buffer_size().expect("a small picture")];
    reader.next_frame(&mut golden).expect("a whole PNG");
    assert_eq!(
        (reader.info().width, reader.info().height),
        (picture.width(), picture.height()),
        "{}",
        path.display()
    );
    let differ = golden.chunks(4).zip(picture.pixels().chunks(4)).filter(|(a, b)| a != b).count();
    assert_eq!(differ, 0, "{}: {differ} pixels differ", path.display());
}

#[test]
fn any_number_of_threads_gives_the_same_bytes() {
    for scene in scenes::scenes() {
        let alone = scene.render(|renderer| renderer.with_threads(Threads::One));
        for threads in [1, 2, 8] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a thread pool");
            let together = pool.install(|| scene.render(|renderer| renderer));
            assert!(alone == together, "{} with {threads} threads", scene.name);
        }
    }
}

#[test]
fn webassembly_gives_the_same_bytes() {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/wasm-scenes");
    let output = Command::new("bash").arg(script).output().expect("bash is installed");
    let (found, talk) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    // The script's exit code for a missing toolchain.
    if output.status.code() == Some(77) {
        assert_ne!(std::env::var("PCHR_TEST_WASM").as_deref(), Ok("require"), "{talk}");
        common::say(&format!("SKIPPED: the golden scenes were not run as WebAssembly: {talk}"));
        return;
    }
    assert!(output.status.success(), "{talk}");
    assert_eq!(found, expected_hashes());
}
