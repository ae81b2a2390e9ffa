//! Broken and hostile files are refused, or read without the broken parts.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use crate::common::aseprite::{
    COMPOSES_GROUPS, Cel, Chunk, LAYER, LAYER_OPACITY, Layer, Sprite, Tag, on, plain, zlib,
};
use crate::common::checks::{assert_same_verdict, examined, verdict};
use crate::common::memory::peak;
use crate::common::random::Random;
use bytes::Bytes;
use pchr::diagnostics::{Diagnostics, Severity};
use pchr::formats::{ReadOptions, from_bytes};
use pchr::limits::Limits;

use super::{BLUE, GREEN, RED, error, everything, one, only_pixel, read, read_with_codes};

/// Checks everything that must hold for any bytes; returns true if they can be read.
fn check(bytes: &Bytes) -> bool {
    let mut options = ReadOptions::default();
    // Two distant pixels make a large picture.
    options.limits.pixels = 1 << 20;
    let start = Instant::now();
    let (is_read, peak) = peak(|| {
        let read = verdict(bytes, &options);
        assert_same_verdict(bytes, &options, &read, &examined(bytes, &options));
        read.result.is_ok()
    });
    let allowed = 64 * bytes.len() + (16 << 20);
    assert!(peak <= allowed, "{peak} bytes of memory, the limit is {allowed}");
    assert!(start.elapsed() < Duration::from_secs(20), "it took {:?}", start.elapsed());
    is_read
}

#[test]
fn a_file_cut_anywhere_is_refused() {
    let bytes = everything().bytes();
    assert!(check(&bytes.clone().into()));
    read(&everything());
    for len in 0..bytes.len() {
        let cut = Bytes::copy_from_slice(&bytes[..len]);
        let error = error(cut.to_vec());
        assert!(["unknown-format", "truncated"].contains(&error.code()), "{len} bytes: {error}");
        assert!(len < 6 || error.place().is_some_and(|place| place.offset.is_some()), "{len} bytes: {error}");
        assert!(!check(&cut));
    }
    let error = error(bytes[..600].to_vec()).to_string();
    assert!(error.starts_with("frames[0].") && error.contains("ends too early"), "{error}");
}

#[test]
fn damaged_files_do_no_harm() {
    let whole = everything().bytes();
    let (mut read, ways) = (0, if cfg!(debug_assertions) { 200 } else { 4000 });
    for seed in 0..ways {
        let mut random = Random(seed);
        let mut bytes = whole.clone();
        for _ in 0..1 + random.below(3) {
            let at = random.below(bytes.len());
            match random.below(6) {
                0 => bytes[at] = 0xff,
                1 => bytes[at] = 0,
                2 => drop(bytes.splice(at..at, [random.next() as u8])),
                3 => drop(bytes.drain(at..(at + 1 + random.below(8)).min(bytes.len()))),
                _ => bytes[at] ^= 1 << random.below(8),
            }
        }
        let bytes: Bytes = bytes.into();
        match catch_unwind(AssertUnwindSafe(|| check(&bytes))) {
            Ok(is_read) => read += u64::from(is_read),
            Err(_) => panic!("seed {seed}"),
        }
    }
    assert!((ways / 10..ways).contains(&read), "{read} of {ways} can be read");
}

/// Checks that a sprite is refused for requesting too much, before anything is allocated.
#[track_caller]
fn assert_refused_early(sprite: &Sprite, code: &str) {
    let bytes = sprite.bytes();
    let len = bytes.len();
    let (error, peak) = peak(|| error(bytes));
    assert_eq!(error.code(), code, "{error}");
    assert!(peak < 32 * len + (8 << 20), "{peak} bytes for a file of {len}");
}

#[test]
fn headers_alone_cause_no_allocation() {
    let mut huge = everything();
    huge.size = [u16::MAX; 2];
    // Only the drawn part is composed.
    assert!(check(&huge.bytes().into()));
    let mut bytes = huge.bytes();
    bytes[6..8].fill(0xff);
    assert_eq!(error(bytes).code(), "truncated");

    let cel = |size: [u16; 2], data: &[u8]| {
        let mut sprite = Sprite::new(u16::MAX, u16::MAX);
        sprite = sprite.frame(100, [Chunk::layer("a", LAYER), Chunk::broken_cel(on(0), size, data)]);
        sprite
    };
    assert_refused_early(&cel([u16::MAX; 2], &[0; 100]), "bad-pixels");
    assert_refused_early(&cel([16_000, 16_000], &[0; 100]), "bad-pixels");
    // Of a longer stream, only as much is unpacked as the size requires.
    let bomb = zlib(&vec![0; 64 << 20]);
    assert_refused_early(&cel([u16::MAX, 20_000], &bomb), "bad-pixels");
    assert!(check(&cel([1, 1], &bomb).bytes().into()));
    let tiles = Sprite::new(1000, 1000).frame(
        100,
        [
            Chunk::tileset(0, 6, [u16::MAX; 2], u32::MAX, &[0; 64]),
            Chunk::layer("a", Layer { kind: 2, ..LAYER }),
            Chunk::tiles(on(0), [1, 1], &[1]),
        ],
    );
    assert_refused_early(&tiles, "bad-pixels");
}

#[test]
fn a_picture_linked_at_many_places_is_limited() {
    let mut sprite = Sprite::new(4000, 4000)
        .frame(100, [Chunk::layer("a", LAYER), Chunk::cel(on(0), [4000, 4000], &vec![0; 64_000_000])]);
    for x in 1..2000 {
        sprite = sprite.frame(100, [Chunk::link(Cel { at: [x, 0], ..on(0) }, 0)]);
    }
    let bytes = sprite.bytes();
    let start = Instant::now();
    let (error, peak) = peak(|| error(bytes));
    assert_eq!(error.code(), "limit-exceeded");
    // The picture, unpacked and composed.
    assert!(peak < 160 << 20, "{peak} bytes");
    assert!(start.elapsed() < Duration::from_secs(60), "{:?}", start.elapsed());
}

#[test]
fn limits_hold() {
    let with = |set: fn(&mut Limits)| {
        let mut options = ReadOptions::default();
        set(&mut options.limits);
        let read = from_bytes(everything().bytes(), &options, &mut Diagnostics::default());
        read.err().map(|error| error.code())
    };
    assert_eq!(with(|_| ()), None);
    assert_eq!(with(|limits| limits.pixels = 20), Some("limit-exceeded"));
    assert_eq!(with(|limits| limits.memory_bytes = 2000), Some("limit-exceeded"));
    assert_eq!(with(|limits| limits.records = 3), Some("limit-exceeded"));
    assert_eq!(with(|limits| limits.file_bytes = 200), Some("limit-exceeded"));
}

#[test]
fn the_nesting_of_groups_is_limited() {
    let nested = |count: u16| {
        let mut chunks: Vec<Chunk> = (0..count)
            .map(|level| Chunk::layer("group", Layer { kind: 1, level, opacity: 128, ..LAYER }))
            .collect();
        chunks.push(Chunk::layer("a", Layer { level: count, ..LAYER }));
        chunks.push(one(on(count), [10, 20, 30, 255]));
        let mut sprite = Sprite::new(1, 1).frame(100, chunks);
        sprite.flags = LAYER_OPACITY | COMPOSES_GROUPS;
        sprite
    };
    assert_eq!(only_pixel(&read(&nested(2))), [10, 20, 30, 64]);
    read(&nested(64));
    assert_eq!(error(nested(65).bytes()).code(), "too-many");
}

#[test]
fn nonsensical_parts_are_left_out_with_a_warning() {
    let layer = || Chunk::layer("a", LAYER);
    let cases: [(&str, Vec<Chunk>); 12] = [
        ("bad-cel", vec![layer(), one(on(0), RED), one(on(7), GREEN)]),
        ("bad-cel", vec![layer(), one(on(0), RED), one(on(0), GREEN)]),
        ("bad-cel", vec![layer(), one(on(0), RED), layer(), Chunk::link(on(1), 0)]),
        ("bad-cel", vec![layer(), one(on(0), RED), layer(), Chunk::odd_cel(on(1), 9)]),
        ("bad-cel", vec![layer(), one(on(0), RED), layer(), Chunk::tiles(on(1), [1, 1], &[1])]),
        (
            "bad-cel",
            vec![layer(), one(on(0), RED), Chunk::layer("g", Layer { kind: 1, ..LAYER }), one(on(1), GREEN)],
        ),
        (
            "bad-layer",
            vec![layer(), one(on(0), RED), Chunk::layer("x", Layer { kind: 3, ..LAYER }), one(on(1), BLUE)],
        ),
        ("bad-layer", vec![Chunk::layer("a", Layer { blend: 19, ..LAYER }), one(on(0), RED)]),
        ("bad-layer", vec![layer(), one(on(0), RED), Chunk::layer("t", Layer { kind: 2, ..LAYER })]),
        ("unknown-chunk", vec![layer(), one(on(0), RED), Chunk::other(0x2024, &[1, 2]), Chunk::other(0x99, &[])]),
        (
            "bad-tag",
            vec![
                layer(),
                one(on(0), RED),
                Chunk::tags(&[Tag { name: "a", from: 3, to: 4, direction: 0, repeat: 0 }]),
            ],
        ),
        (
            "bad-tag",
            vec![
                layer(),
                one(on(0), RED),
                Chunk::tags(&[Tag { name: "a", from: 0, to: 0, direction: 4, repeat: 0 }]),
            ],
        ),
    ];
    for (index, (code, chunks)) in cases.into_iter().enumerate() {
        let sprite = Sprite::new(1, 1).frame(100, chunks);
        let (character, codes) = read_with_codes(&sprite);
        assert_eq!(codes, [code], "case {index}");
        assert_eq!(only_pixel(&character), RED, "case {index}");
        let bytes: Bytes = sprite.bytes().into();
        assert!(check(&bytes));
        let found = examined(&bytes, &ReadOptions::default()).expect("it can be examined");
        let place = &found.findings()[0].fault.place;
        assert!(place.offset.is_some_and(|offset| offset >= 128), "case {index}: {place:?}");
        assert!(!place.path.starts_with('/') && !place.path.is_empty(), "case {index}: {place:?}");
        assert!(found.findings().iter().all(|finding| finding.severity < Severity::Error));
    }
}

#[test]
fn structural_errors_are_refused_with_their_place() {
    let sprite =
        || Sprite::new(2, 2).frame(100, [Chunk::layer("a", LAYER), Chunk::cel(on(0), [2, 2], &plain(RED, 4))]);
    let cel = |data: &[u8]| {
        let cel = Chunk::broken_cel(on(0), [2, 2], data);
        Sprite::new(2, 2).frame(100, [Chunk::layer("a", LAYER), cel]).bytes()
    };
    let with = |at: usize, to: &[u8]| {
        let mut bytes = sprite().bytes();
        bytes[at..at + to.len()].copy_from_slice(to);
        bytes
    };
    let packed = zlib(&plain(RED, 4));
    let wrong_sum = [&packed[..packed.len() - 1], &[packed[packed.len() - 1] ^ 1]].concat();
    // The layer chunk begins at 144 and has 25 bytes, the cel chunk begins at 169; its pixels begin at 195.
    let cases = [
        ("no-frames", with(6, &[0, 0]), 6),
        ("empty-image", with(10, &[0, 0]), 8),
        ("color-depth", with(12, &[24, 0]), 12),
        ("bad-chunk", with(128, &[15, 0, 0, 0]), 128),
        ("bad-chunk", with(132, &[0, 0]), 132),
        ("truncated", with(128, &[255, 255, 0, 0]), 144),
        ("truncated", with(140, &[3, 0, 0, 0]), 169 + 26 + packed.len() as u64),
        ("bad-chunk", with(144, &[5, 0, 0, 0]), 144),
        ("truncated", with(144, &[8, 0, 0, 0]), 152),
        ("truncated", with(169, &[20, 0, 0, 0]), 186),
        ("bad-pixels", cel(&[1, 2, 3, 4]), 195),
        ("bad-pixels", cel(&zlib(&plain(RED, 3))), 195),
        ("bad-pixels", cel(&wrong_sum), 195),
        ("bad-pixels", cel(&packed[..packed.len() - 6]), 195),
        ("bad-pixels", cel(&[]), 195),
    ];
    for (index, (code, bytes, offset)) in cases.into_iter().enumerate() {
        let error = error(bytes.clone());
        let place = error.place().expect("it has a place").clone();
        assert_eq!((error.code(), place.offset), (code, Some(offset)), "case {index}: {error}");
        assert!(!place.path.is_empty(), "case {index}: {error}");
        assert!(!check(&bytes.into()));
    }
    let raw = Chunk::raw_cel(on(0), [2, 2], &plain(RED, 3));
    let raw = Sprite::new(2, 2).frame(100, [Chunk::layer("a", LAYER), raw]);
    assert_eq!(error(raw.bytes()).code(), "bad-pixels");
    // Additional data do no harm.
    let mut longer = sprite().bytes();
    longer.extend([0; 3]);
    let mut diagnostics = Diagnostics::default();
    from_bytes(longer, &ReadOptions::default(), &mut diagnostics).expect("it opens");
    assert_eq!(diagnostics.findings()[0].fault.code, "trailing-bytes");
    let more = cel(&zlib(&plain(RED, 5)));
    from_bytes(more, &ReadOptions::default(), &mut Diagnostics::default()).expect("it opens");
}
