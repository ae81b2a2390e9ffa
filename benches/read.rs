//! Speed of turning a PCHR file in memory into a character, relative to copying the same bytes.
//!
//! `cargo bench --bench read`. The goal is 0.3 of the speed of a copy, with full validation. JSON is compared with
//! serde_json skipping the same text.

#[path = "../tests/common/mod.rs"]
mod common;

use std::hint::black_box;
use std::time::{Duration, Instant};

use bytes::Bytes;
use common::random::Random;
use common::v1::{Animation, BoneTransform, File, Mesh, Vertex, write};
use common::v1_read::read;
use common::{bone, vertex, white};
use divan::Bencher;
use divan::counter::BytesCount;
use pchr::Character;
use pchr::convert::open_document;
use pchr::diagnostics::Diagnostics;
use pchr::formats::{Input, NO_SIDECARS, ReadOptions};
use serde::de::IgnoredAny;

const BONES: usize = 100;
/// Half of the file: 20 meshes of 62,500 vertices.
const MESHES: usize = 20;
const VERTICES: usize = 62_500;
/// The other half.
const FRAMES: usize = 50_000_000 / (BONES * BoneTransform::SIZE);

/// 100 MB: half vertices with one to four bones each, half frames.
fn file() -> Bytes {
    let mut random = Random(1);
    let bones = (0..BONES as i16).map(|index| bone("bone", (index + 1) / 2 - 1)).collect();
    let mut corner = || {
        let used = 1 + random.below(4);
        Vertex {
            bone_ids: std::array::from_fn(|_| random.below(BONES) as u16),
            bone_weights: std::array::from_fn(|slot| if slot < used { 1.0 / used as f32 } else { 0.0 }),
            ..vertex(random.between(-500.0, 500.0), random.between(-500.0, 500.0), 0)
        }
    };
    let mut mesh = || Mesh::new("mesh", 0, &(0..VERTICES).map(|_| corner()).collect::<Vec<_>>(), &[0, 1, 2]);
    let meshes = (0..MESHES).map(|_| mesh()).collect();
    let mut transform = || BoneTransform { rotation: random.between(-180.0, 180.0), ..BoneTransform::default() };
    let frames: Vec<Vec<_>> = (0..FRAMES).map(|_| (0..BONES).map(|_| transform()).collect()).collect();
    let animations = vec![Animation::new("move", true, &frames)];
    let images = vec![white("atlas", 1, 1)];
    let file = File { fps: 24, images, bones, meshes, animations, ..File::default() };
    write(&file).expect("it fits").into()
}

#[divan::bench]
fn from_bytes(bencher: Bencher<'_, '_>) {
    let file = file();
    bencher.counter(BytesCount::new(file.len())).bench_local(|| Character::from_bytes(file.clone()));
}

#[divan::bench]
fn memcpy(bencher: Bencher<'_, '_>) {
    let file = file();
    let mut copy = file.to_vec();
    bencher.counter(BytesCount::new(file.len())).bench_local(|| black_box(&mut copy).copy_from_slice(&file));
}

/// Returns a tenth of the file as its JSON description, about 40 MB.
fn description() -> Bytes {
    let mut file = read(&file());
    file.meshes.truncate(MESHES / 10);
    let frames = &mut file.animations[0];
    frames.frame_count /= 10;
    let len = usize::from(frames.frame_count) * BONES * BoneTransform::SIZE;
    frames.frames.bytes.truncate(len);
    let input = Input { bytes: write(&file).expect("it fits").into(), sidecars: NO_SIDECARS };
    let options = ReadOptions::default();
    let document = open_document(&input, &options, &mut Diagnostics::default()).expect("it is valid");
    let files = document.unpack("it.json", &options, &mut Vec::new()).expect("it can be unpacked");
    let mut text = Vec::new();
    files.files[0].write_to(&mut text).expect("memory takes it");
    text.into()
}

/// Same as [`print_ratio`], for JSON.
fn print_json_ratio() {
    let text = description();
    let (mut reading, mut passing) = (Vec::new(), Vec::new());
    for _ in 0..7 {
        reading.push(time(|| drop(black_box(Character::from_bytes(text.clone()).expect("it is valid")))));
        passing.push(time(|| {
            black_box(serde_json::from_slice::<IgnoredAny>(&text).expect("it is JSON"));
        }));
    }
    let ratio =
        speed(&mut reading, "from_bytes of JSON", text.len()) / speed(&mut passing, "IgnoredAny", text.len());
    println!("from_bytes of JSON / IgnoredAny: {ratio:.2}, {} bytes", text.len());
}

/// Prints the slowest, fastest and median speed in GB/s, and returns the median.
fn speed(times: &mut [Duration], name: &str, len: usize) -> f64 {
    times.sort();
    let [slow, median, fast] =
        [times.len() - 1, times.len() / 2, 0].map(|at| len as f64 / times[at].as_secs_f64() / 1e9);
    println!("{name}: {slow:.2} to {fast:.2} GB/s, median {median:.2}");
    median
}

/// Alternates both, so that a noisy machine affects them equally.
fn print_ratio() {
    let file = file();
    let mut copy = file.to_vec();
    let (mut reading, mut copying) = (Vec::new(), Vec::new());
    for _ in 0..15 {
        reading.push(time(|| drop(black_box(Character::from_bytes(file.clone()).expect("it is valid")))));
        copying.push(time(|| black_box(&mut copy).copy_from_slice(&file)));
    }
    let ratio = speed(&mut reading, "from_bytes", file.len()) / speed(&mut copying, "memcpy", file.len());
    println!("from_bytes / memcpy: {ratio:.2} (goal: at least 0.3), {} bytes", file.len());
}

fn time(work: impl FnOnce()) -> Duration {
    let start = Instant::now();
    work();
    start.elapsed()
}

fn main() {
    print_ratio();
    print_json_ratio();
    divan::main();
}
