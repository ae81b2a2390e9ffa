//! Broken and hostile files: each gives a clear error or a picture, in bounded time and memory.
//!
//! A panic anywhere fails the test, with the offset that was changed.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::common;
use crate::common::memory::{allowed_bytes, peak};
use crate::common::random::Random;
use crate::common::show::{is_blank, show};
use crate::common::v1::write;
use crate::common::v1::{Animation, Bone, BoneTransform, File, Image, Mesh};
use crate::common::v1_read::read;
use crate::common::{bone, conformance, files_in, say, tiny, triangle};
use bytes::Bytes;
use pchr::diagnostics::Diagnostics;
use pchr::formats::{ReadOptions, from_bytes};
use pchr::{Character, Result};

/// Fifteen times the slowest time; anything quadratic in 65,535 takes longer.
const PATIENCE: Duration = Duration::from_millis(if cfg!(debug_assertions) { 60_000 } else { 1500 });

/// Reads within the allowed time and memory, and draws the character if it opens.
#[track_caller]
fn open_and_show(file: &Bytes) -> Result<()> {
    let start = Instant::now();
    let (result, peak) = peak(|| Character::from_bytes(file.clone()));
    let allowed = allowed_bytes(file);
    assert!(peak <= allowed, "reading {} bytes took {peak} bytes of memory, the limit is {allowed}", file.len());
    result.map(|character| drop(show(&character)))?;
    assert!(start.elapsed() < PATIENCE, "it took {:?}", start.elapsed());
    Ok(())
}

/// Like [`open_and_show`], but reports which change of which file caused a panic.
fn survive(file: &Bytes, change: impl Fn() -> String) -> Result<()> {
    catch_unwind(AssertUnwindSafe(|| open_and_show(file))).unwrap_or_else(|_| panic!("it panicked: {}", change()))
}

/// Our own character, or small ones as long as it does not exist, with the range of their image data.
fn victims() -> Vec<(PathBuf, Bytes, std::ops::Range<usize>)> {
    let knight = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/paper-knight.pchr");
    let mut paths = vec![knight];
    if !paths[0].exists() {
        paths = files_in(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/pchr/plain"), ".pchr");
        paths.extend(conformance("pchr/random-2.pchr"));
    }
    let victim = |path: PathBuf| {
        let bytes =
            Bytes::from(std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display())));
        let file = read(&bytes);
        let data = &file.images[0].data;
        let image = data.offset as usize..data.offset as usize + data.bytes.len();
        (path, bytes, image)
    };
    paths.into_iter().map(victim).collect()
}

#[test]
fn a_file_cut_anywhere_is_reported_as_truncated() {
    let mut cuts = 0;
    for (path, bytes, image) in victims() {
        // Inside the image, consecutive cuts behave alike.
        let is_tried = |at: &usize| {
            !image.contains(at) || at - image.start < 1000 || image.end - at <= 1000 || at.is_multiple_of(97)
        };
        for at in (0..bytes.len()).filter(is_tried) {
            let cut = || format!("{} cut at byte {at}", path.display());
            let error = survive(&bytes.slice(..at), cut).expect_err(&cut());
            let expected = if at == 0 { "unknown-format" } else { "truncated" };
            assert_eq!(error.code(), expected, "{}: {error}", cut());
            assert!(at == 0 || error.place().is_some_and(|place| place.offset.is_some()), "{}: {error}", cut());
            cuts += 1;
        }
    }
    assert!(cuts >= 300, "only {cuts} cuts");
}

#[test]
fn a_changed_byte_gives_an_error_or_a_picture() {
    let (mut opened, mut refused) = (0, 0);
    for (path, bytes, _) in victims() {
        let mut random = Random(2026);
        for _ in 0..1000 {
            let (at, flip) = (random.below(bytes.len()), 1 + random.below(255) as u8);
            let mut changed = bytes.to_vec();
            changed[at] ^= flip;
            match survive(&changed.into(), || format!("{} byte {at} ^ {flip}", path.display())) {
                Ok(()) => opened += 1,
                Err(error) => {
                    assert!(!error.to_string().is_empty());
                    refused += 1;
                }
            }
        }
    }
    say(&format!("changed bytes: {opened} files open, {refused} are refused"));
    assert!(opened > 0 && refused > 0);
}

#[test]
fn many_changed_bytes_give_an_error_or_a_picture() {
    // Sixteen changes, mostly small ones, so that numbers stay plausible.
    for (path, bytes, image) in victims() {
        let mut random = Random(7);
        for round in 0..200 {
            let mut changed = bytes.to_vec();
            for _ in 0..16 {
                let at = random.below(bytes.len());
                // A broken image would hide all other errors.
                if !image.contains(&at) {
                    changed[at] ^= 1 << random.below(8);
                }
            }
            let _ = survive(&changed.into(), || format!("{} round {round}", path.display()));
        }
    }
}

fn to_bytes(file: &File) -> Bytes {
    write(file).expect("it fits").into()
}

/// The tiny character with this image.
fn with_png(width: u16, height: u16, png: Vec<u8>) -> Bytes {
    let image = Image { name: "atlas".to_owned(), width, height, format: Image::PNG, data: png.into(), offset: 0 };
    to_bytes(&File { images: vec![image], ..tiny() })
}

/// A black picture with one bit per pixel, thousands of times smaller than its pixels.
fn black_png(width: u32, height: u32) -> Vec<u8> {
    let mut out = Vec::new();
    let mut encoder = png::Encoder::new(&mut out, width, height);
    encoder.set_color(png::ColorType::Grayscale);
    encoder.set_depth(png::BitDepth::One);
    let mut writer = encoder.write_header().expect("a header");
    writer.write_image_data(&vec![0; width.div_ceil(8) as usize * height as usize]).expect("a picture");
    writer.finish().expect("an end");
    out
}

#[test]
fn a_picture_beyond_the_limit_is_refused_before_it_is_decoded() {
    let mut bomb = black_png(1, 1);
    bomb[16..24].copy_from_slice(&[0, 0, 0xea, 0x60, 0, 0, 0xea, 0x60]);
    let mut options = ReadOptions::default();
    let small = with_png(2000, 2000, black_png(2000, 2000));
    options.limits.pixels = 2000 * 2000 - 1;
    for (file, options) in [(with_png(60_000, 60_000, bomb), ReadOptions::default()), (small, options)] {
        let (result, peak) = peak(|| from_bytes(file, &options, &mut Diagnostics::default()));
        assert_eq!(result.unwrap_err().code(), "limit-exceeded");
        assert!(peak < 1 << 20, "{peak} bytes were allocated");
    }
}

#[test]
fn a_large_picture_takes_little_more_memory_than_its_pixels() {
    let file = with_png(8000, 8000, black_png(8000, 8000));
    assert!(file.len() < 100_000, "{} bytes are not a bomb", file.len());
    let (result, peak) = peak(|| Character::from_bytes(file.clone()));
    result.expect("it is valid");
    assert!(peak >= 8000 * 8000 * 4, "the pixels are not counted");
    assert!(peak <= allowed_bytes(&file), "{peak} bytes were allocated");
}

#[test]
fn compressed_text_and_profiles_in_a_picture_stay_compressed() {
    let mut with_text = Vec::new();
    let mut encoder = png::Encoder::new(&mut with_text, 1, 1);
    encoder.add_ztxt_chunk("Comment".to_owned(), "a".repeat(200 << 20)).expect("a text");
    let mut writer = encoder.write_header().expect("a header");
    writer.write_image_data(&[0]).expect("a picture");
    writer.finish().expect("an end");
    // A profile is stored like a text.
    let at = with_text.windows(4).position(|name| name == b"zTXt").expect("the text");
    let len = u32::from_be_bytes(with_text[at - 4..at].try_into().expect("four bytes")) as usize;
    let mut with_profile = Vec::new();
    let mut writer = png::Encoder::new(&mut with_profile, 1, 1).write_header().expect("a header");
    writer.write_chunk(png::chunk::iCCP, &with_text[at + 4..at + 4 + len]).expect("a profile");
    writer.write_image_data(&[0]).expect("a picture");
    writer.finish().expect("an end");
    for png in [with_text, with_profile] {
        assert!(png.len() > 100_000, "{} bytes are not a bomb", png.len());
        open_and_show(&with_png(1, 1, png)).expect("it is valid");
    }
}

#[test]
fn the_maximum_number_of_meshes_and_bones() {
    let bones = vec![Bone { parent: -1, ..Bone::default() }; 65_535];
    let file = File { bones, meshes: vec![Mesh::default(); 65_535], animations: Vec::new(), ..tiny() };
    open_and_show(&to_bytes(&file)).expect("it is valid");
    let no_image = File { images: Vec::new(), ..file };
    open_and_show(&to_bytes(&no_image)).expect("it is valid");
}

#[test]
fn the_maximum_number_of_animations_and_images() {
    let pixel = Image { width: 1, height: 1, ..common::white("", 1, 1) };
    let file = File { animations: vec![Animation::default(); 65_535], images: vec![pixel; 65_535], ..tiny() };
    open_and_show(&to_bytes(&file)).expect("it is valid");
}

/// A chain of bones with the maximum depth, all posed by `transform`, with a triangle on the last.
fn chain(transform: BoneTransform) -> File {
    let bones: Vec<_> = (0..32_769).map(|index| bone("", (index - 1) as i16)).collect();
    let animations = vec![
        Animation::new("bind", false, &[vec![BoneTransform::default(); bones.len()]]),
        Animation::new("move", true, &[vec![transform; bones.len()], vec![BoneTransform::default(); bones.len()]]),
    ];
    File { bones, meshes: vec![Mesh::new("last", 0, &triangle(32_768), &[0, 1, 2])], animations, ..tiny() }
}

#[test]
fn a_chain_of_the_maximum_depth() {
    let file = to_bytes(&chain(BoneTransform { x: 0.25, ..BoneTransform::default() }));
    open_and_show(&file).expect("it is valid");
    assert!(!is_blank(&show(&Character::from_bytes(file).expect("it is valid"))));
}

#[test]
fn overflowing_numbers_give_a_picture_without_infinite_parts() {
    let huge = f32::MAX;
    for value in [huge, -huge, 1e38, 1e20, f32::MIN_POSITIVE, 1e-45, -0.0] {
        for transform in [
            BoneTransform { scale_x: value, scale_y: value, ..BoneTransform::default() },
            BoneTransform { scale_x: value, rotation: 45.0, ..BoneTransform::default() },
            BoneTransform { x: value, y: -value, ..BoneTransform::default() },
            BoneTransform { rotation: value, ..BoneTransform::default() },
        ] {
            let mut file = chain(transform);
            open_and_show(&to_bytes(&file)).expect("it is valid");
            // In the bind pose, too.
            file.animations.remove(0);
            open_and_show(&to_bytes(&file)).expect("it is valid");
        }
        let mut corners = triangle(1);
        (corners[0].x, corners[1].y, corners[2].u, corners[2].v) = (value, value, value, value);
        corners[1].bone_weights = [value, value, 0.0, 0.0];
        for corners in [corners, corners.map(|corner| crate::common::v1::Vertex { u: value, ..corner })] {
            let file = File { meshes: vec![Mesh::new("m", 0, &corners, &[0, 1, 2])], ..tiny() };
            open_and_show(&to_bytes(&file)).expect("it is valid");
            open_and_show(&to_bytes(&File { images: Vec::new(), ..file })).expect("it is valid");
        }
    }
}
