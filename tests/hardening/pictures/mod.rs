//! Images: decoding takes at most the memory that was charged before, whatever the header says.

mod files;

use std::fs;
use std::io::Write;
use std::path::Path;

use crate::common::checks::Beside;
use crate::common::memory::peak;
use pchr::Error;
use pchr::diagnostics::Diagnostics;
use pchr::draw::View;
use pchr::export::Format;
use pchr::formats::{Input, ReadOptions, from_input};
use pchr::golden::Frames;
use pchr::limits::Limits;
use pchr::math::vec2;

use files::{alpha, animated, apng, extended, gif, jpeg, lossless, lossy, png, png_chunk, png_of, webp};

/// Memory that is not charged: for the sheet, tables of the decoder, and the parts of a lossy WebP.
const SLACK: usize = 1 << 20;

/// Reads a sheet with this image, with a limit on the memory besides the pixels. Returns the message of its warning,
/// and the peak memory.
fn read(image: &[u8], memory_bytes: u64) -> (Result<Option<String>, Error>, usize) {
    let json = br#"{"frames": {"a": {"frame": {"x": 0, "y": 0, "w": 1, "h": 1}}}, "meta": {"image": "image"}}"#;
    let sidecars = Beside(vec![("image".to_owned(), image.to_vec().into())]);
    let input = Input { bytes: json[..].into(), sidecars: &sidecars };
    let mut options = ReadOptions::default();
    options.limits.set("memory-bytes", memory_bytes);
    peak(|| {
        let mut diagnostics = Diagnostics::default();
        let read = from_input(&input, &options, &mut diagnostics);
        read.map(|_| diagnostics.warnings().next().map(|warning| warning.message.clone()))
    })
}

/// Checks that reading an image of this size takes at most the memory that the lowest sufficient limit allows. Returns
/// the message of the warning.
#[track_caller]
fn check(name: &str, size: [u32; 2], image: &[u8]) -> Option<String> {
    check_with(name, size, image.len(), |limit| read(image, limit))
}

/// The same for any way of reading `length` bytes within a limit.
#[track_caller]
fn check_with<T>(
    name: &str,
    [width, height]: [u32; 2],
    length: usize,
    read: impl Fn(u64) -> (Result<T, Error>, usize),
) -> T {
    let mut limit = 0;
    loop {
        let (result, taken) = read(limit);
        match result {
            Err(Error::LimitExceeded(excess)) if excess.limit == "memory-bytes" => {
                assert!(taken < length + SLACK, "{name}: {taken} bytes before the limit is reported");
                limit = excess.asked;
            }
            Ok(found) => {
                // A decoder may copy the bytes of the file.
                let pixels = 4 * width as usize * height as usize;
                let besides = taken.saturating_sub(pixels + 3 * length + SLACK);
                assert!(besides as u64 <= limit, "{name}: {besides} bytes besides the pixels, {limit} charged");
                assert!(limit <= Limits::default().memory_bytes, "{name}: {limit}");
                return found;
            }
            Err(error) => panic!("{name}: {error}"),
        }
    }
}

#[track_caller]
fn check_whole(name: &str, size: [u32; 2], image: &[u8]) {
    assert_eq!(check(name, size, image), None, "{name} is not damaged");
    check(&format!("{name}, cut"), size, &image[..image.len() - image.len() / 3]);
}

#[test]
fn pngs_take_what_is_charged() {
    for size in [[1200, 1000], [100_000, 4], [100_000, 40], [4, 100_000]] {
        for (color, depth) in [(0, 1), (0, 16), (2, 8), (2, 16), (3, 1), (3, 8), (4, 16), (6, 8), (6, 16)] {
            for interlaced in [false, true] {
                let name = format!("PNG {size:?}, colour type {color}, {depth} bits, interlaced {interlaced}");
                check_whole(&name, size, &png(size, color, depth, interlaced));
            }
        }
    }
}

#[test]
fn jpegs_take_what_is_charged() {
    let colors: [&[[u8; 2]]; 8] = [
        &[[1, 1]],
        &[[2, 2]],
        &[[1, 1], [1, 1], [1, 1]],
        &[[2, 1], [1, 1], [1, 1]],
        &[[1, 2], [1, 1], [1, 1]],
        &[[2, 2], [1, 1], [1, 1]],
        &[[4, 1], [1, 1], [1, 1]],
        &[[1, 1], [1, 1], [1, 1], [1, 1]],
    ];
    for size in [[1200, 1000], [65_000, 16], [16, 65_000]] {
        for factors in colors {
            for (first, is_progressive) in [(factors.len(), false), (1, false), (factors.len(), true)] {
                let name =
                    format!("JPEG {size:?}, {factors:?}, {first} in the first scan, progressive {is_progressive}");
                let (size, image) = (size.map(u32::from), jpeg(size, factors, first, is_progressive));
                check(&name, size, &image);
                check(&format!("{name}, cut"), size, &image[..image.len() * 2 / 3]);
            }
        }
    }
}

#[test]
fn webps_take_what_is_charged() {
    for size in [[1200, 1000], [16_000, 16], [16, 16_000]] {
        let check = |name: &str, image: &[u8]| {
            check_whole(&format!("WebP {size:?}, {name}"), size.map(u32::from), image);
        };
        check("lossy", &webp(&[lossy(size, None)]));
        check("lossless", &webp(&[lossless(size, false)]));
        check("lossless with alpha", &webp(&[lossless(size, true)]));
        check("lossy with alpha", &webp(&[extended(16, size), alpha(size), lossy(size, None)]));
        check("animated, lossy", &animated(size, &[lossy(size, None)]));
        check("animated, lossless", &animated(size, &[lossless(size, true)]));
        check("animated, lossy with alpha", &animated(size, &[[alpha(size), lossy(size, None)].concat()]));
    }
}

#[test]
fn headers_of_huge_images_without_data_take_no_memory() {
    let huge = [16_000, 16_000];
    let files = [
        ("PNG", png_of([16_000, 16_000], 6, 8, false, &[0; 100])),
        ("JPEG", jpeg([16, 16], &[[1, 1], [1, 1], [1, 1]], 3, false)),
        ("progressive JPEG", jpeg([16, 16], &[[2, 2], [1, 1], [1, 1]], 3, true)),
        ("lossy WebP", webp(&[lossy(huge, Some(200))])),
        ("lossy WebP with alpha", webp(&[extended(16, huge), alpha([8, 8]), lossy(huge, Some(200))])),
        ("animated WebP", animated(huge, &[lossy(huge, Some(200))])),
    ];
    for (name, mut image) in files {
        // The size in the header of a JPEG, after the length and the depth.
        if let Some(at) = image.array_windows().position(|bytes| matches!(bytes, [0xff, 0xc0 | 0xc2, 0, _])) {
            image[at + 5..at + 9].copy_from_slice(&[62, 128, 62, 128]);
        }
        let (result, taken) = read(&image, Limits::default().memory_bytes);
        let message = result.expect("it counts as missing").expect("a warning");
        assert!(message.contains("cannot contain"), "{name}: {message}");
        assert!(taken < SLACK, "{name}: {taken} bytes for {} bytes", image.len());
    }
}

/// Reads the frames of an animated reference. Returns their number and the peak memory.
fn frames(path: &Path, format: Format, memory_bytes: u64) -> (Result<usize, Error>, usize) {
    let mut limits = Limits::default();
    limits.set("memory-bytes", memory_bytes);
    peak(|| {
        let mut count = 0;
        for frame in Frames::open(path, format, &View::new(1, 1, vec2(0.0, 1.0), 1.0), &limits)? {
            frame?;
            count += 1;
        }
        Ok(count)
    })
}

#[test]
fn animated_references_take_what_is_charged() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let size = [1200, 1000];
    let files = [
        ("APNG", Format::Apng, apng(size)),
        ("GIF", Format::Gif, gif(size, size)),
        ("GIF with smaller frames", Format::Gif, gif(size, [1000, 1000])),
        ("lossy WebP", Format::Webp, animated(size, &[lossy(size, None), lossy(size, None)])),
        ("lossless WebP", Format::Webp, animated(size, &[lossless(size, true), lossless(size, true)])),
        ("WebP with alpha", Format::Webp, animated(size, &vec![[alpha(size), lossy(size, None)].concat(); 2])),
    ];
    for (name, format, bytes) in files {
        let path = folder.path().join(name);
        fs::write(&path, &bytes).expect("a file");
        let count = check_with(name, size.map(u32::from), bytes.len(), |limit| frames(&path, format, limit));
        assert_eq!(count, 2, "{name}");
    }
}

#[test]
fn damaged_references_take_little_memory() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (small, huge) = ([16, 16], [16_000, 16_000]);
    // A colour profile of 200 MB, before the data.
    let mut profile = flate2::write::ZlibEncoder::new(b"p\0\0".to_vec(), flate2::Compression::best());
    (0..200).for_each(|_| profile.write_all(&[0; 1 << 20]).expect("memory"));
    let profile = png_chunk(b"iCCP", &profile.finish().expect("memory"));
    let mut bomb = apng(small);
    bomb.splice(33..33, profile);
    let files = [
        ("a WebP of a huge frame", Format::Webp, animated(huge, &[lossy(huge, Some(200))])),
        ("a WebP with a huge frame", Format::Webp, animated(small, &[lossy(huge, None)])),
        ("an APNG with a bomb", Format::Apng, bomb),
    ];
    for (name, format, bytes) in files {
        let path = folder.path().join(name);
        fs::write(&path, &bytes).expect("a file");
        let (result, taken) = frames(&path, format, Limits::default().memory_bytes);
        assert!(taken < 3 * bytes.len() + (32 << 20), "{name}: {taken} bytes, {result:?}");
    }
}
