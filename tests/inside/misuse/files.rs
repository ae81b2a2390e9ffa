//! Readers and writers: hand-edited documents, sources that are shorter than stated, and arbitrary limits.

use std::io::Cursor;

use bytes::Bytes;
use pchr::bytes::{Block, Reader, Seekable, Source};
use pchr::diagnostics::{Diagnostics, Severity};
use pchr::formats::pchr::document::{At, LongInfluences, VertexField};
use pchr::formats::pchr::schema::{Animation, BoneTransform, File, Vertex};
use pchr::formats::pchr::{Bind, Document, Outline, build, read, read_file_outline, verify, write};
use pchr::formats::{NO_SIDECARS, ReadOptions, from_bytes, load_from};
use pchr::limits::{Budget, Limits};

use super::{large, panics};
use crate::common::memory::peak;
use crate::common::{self, v1};

#[test]
fn sources_refuse_more_than_they_have() {
    let bytes = || Bytes::from_static(b"abc");
    let file = |len| Seekable::new(Cursor::new(b"abc".to_vec()), len);
    assert!(bytes().fill(&mut [0; 4]).is_err());
    assert!(bytes().take(4).is_err() && bytes().take(usize::MAX).is_err());
    assert!(bytes().skip(4).is_err() && bytes().skip(u64::MAX).is_err());
    for len in [3, 100, u64::MAX] {
        let (refused, taken) = peak(|| {
            file(len).fill(&mut [0; 4]).is_err() && file(len).take(1 << 40).is_err() && file(len).take(4).is_err()
        });
        assert!(refused && taken < 1 << 25, "{len}: {taken} bytes");
        assert!(file(len).skip(u64::MAX).is_err());
        assert_eq!(file(len).take(3).expect("they are there"), bytes());
    }
    // The caller states less than there is.
    assert!(file(2).fill(&mut [0; 3]).is_err() && file(2).take(3).is_err() && file(2).skip(3).is_err());
}

#[test]
fn lists_of_any_length_are_checked_against_the_bytes() {
    for (count, min_size) in [(usize::MAX, usize::MAX), (usize::MAX, 1), (usize::MAX, 0), (4, 0), (2, 2)] {
        let mut reader = Reader::new(Bytes::from_static(b"abc"));
        let (list, taken) = peak(|| reader.list("list", count, min_size, |_| Ok(())));
        assert_eq!(list.expect_err("they do not fit").code(), "truncated", "{count} of {min_size}");
        assert!(taken < 1 << 16, "{taken} bytes");
    }
    let mut reader = Reader::new(Bytes::from_static(b"abc"));
    assert_eq!(reader.block("x", u64::MAX).expect_err("it is too long").code(), "truncated");
    assert_eq!(reader.skip("x", u64::MAX).expect_err("it is too long").code(), "truncated");
    assert_eq!(reader.list("list", 3, 0, |reader| reader.u8("x")).expect("they fit"), *b"abc");
}

#[test]
fn a_wrong_file_length_takes_no_memory() {
    let bytes = write(&tiny()).expect("it fits");
    // A mesh of a billion indices.
    let mut long = bytes.clone();
    let at = long.windows(6).position(|part| part == [3, 0, 3, 0, 0, 0]).expect("three vertices, three indices");
    long[at + 2..at + 6].copy_from_slice(&0x3fff_fffcu32.to_le_bytes());
    for len in [bytes.len() as u64, 1 << 31, 4 << 30, u64::MAX] {
        for bytes in [&bytes, &long] {
            let options = ReadOptions::default();
            let read = || {
                let file = Cursor::new(bytes.clone());
                read_file_outline(file, len, NO_SIDECARS, &options, &mut Diagnostics::default()).is_ok()
            };
            let (_, taken) = peak(read);
            assert!(taken < 1 << 26, "{len}: {taken} bytes");
        }
    }
    let limits = Limits { file_bytes: u64::MAX, ..Limits::default() };
    assert!(load_from(&bytes[..], u64::MAX, &limits).is_err(), "it exceeds any memory");
    assert!(load_from(&bytes[..], 0, &Limits::default()).is_ok(), "more than expected is read, too");
}

/// The small character of the tests, as the reader sees it.
fn tiny() -> File {
    let (bytes, limits) = (v1::write(&common::tiny()).expect("it fits"), Limits::default());
    read(bytes.into(), &mut Budget::new(&limits), &mut Diagnostics::default()).expect("it is valid")
}

fn with(change: impl FnOnce(&mut Document)) -> Document {
    let mut document = Document::v1(tiny());
    change(&mut document);
    document
}

fn long(mesh: usize, vertex: usize) -> LongInfluences {
    LongInfluences { mesh, vertex, influences: vec![(0, 0.5); 6] }
}

/// Documents that no reader produces.
fn documents() -> Vec<Document> {
    let block = |len: usize| Block::from(vec![0; len]);
    let lying = Block { bytes: Bytes::from_static(&[0; 120]), offset: u64::MAX, len: u64::MAX };
    vec![
        with(|document| document.file.animations[0].frames = Block::default()),
        with(|document| document.file.animations[1].frames = block(1)),
        with(|document| document.file.animations[1].frame_count = u16::MAX),
        with(|document| document.file.bones.truncate(1)),
        with(|document| document.file.bones.clear()),
        with(|document| document.file.meshes[0].vertices = block(41)),
        with(|document| document.file.meshes[0].vertices = lying.clone()),
        with(|document| document.file.meshes[0].indices = block(2)),
        with(|document| document.file.meshes[0].indices = lying),
        with(|document| document.long_influences = vec![long(0, 0), long(0, 0)]),
        with(|document| document.long_influences = vec![long(0, 2), long(0, 1)]),
        with(|document| document.long_influences = vec![long(0, 3)]),
        with(|document| document.long_influences = vec![long(7, 0)]),
        with(|document| document.long_influences = (0..9).map(|vertex| long(0, vertex)).collect()),
        with(|document| {
            document.file.bones.clear();
            document.file.animations[0].frames = block(23);
            document.cut_animations = vec![0];
        }),
    ]
}

#[test]
fn hand_edited_documents_are_refused() {
    for (number, document) in documents().iter().enumerate() {
        let options = ReadOptions::default();
        let built = |mut diagnostics: Diagnostics| {
            let mut budget = Budget::new(&options.limits);
            let built = build(document, &options, &mut budget, &mut diagnostics).map(|_| ());
            built.expect_err("it is inconsistent").code()
        };
        assert_eq!(built(Diagnostics::default()), "inconsistent-document", "{number}");
        assert_eq!(built(Diagnostics::collecting()), "inconsistent-document", "{number}");
        let mut budget = Budget::new(&options.limits);
        assert!(verify(document, &options, &mut budget, &mut Diagnostics::collecting()).is_err(), "{number}");
        // Functions that only use parts of the document do not panic.
        _ = Outline::of(document.clone(), 0, &options, &mut Diagnostics::collecting());
        _ = (write(&document.file), document.to_v1(None), document.losses_to_v1(), document.require_images());
        let mut mirrored = ReadOptions::default();
        (mirrored.y_down, mirrored.flip_v) = (true, true);
        document.clone().flip_to_y_up(&mirrored);
        #[cfg(feature = "formats-all")]
        {
            use pchr::formats::pchr::json::{description::Description, pachario::Pachario};
            _ = Description::new(document, &[]).write(std::io::sink());
            _ = Pachario::new(document, &["a.png".to_owned(), String::new()]).write(std::io::sink());
        }
    }
}

#[test]
fn arbitrary_field_values_are_built_or_refused() {
    for change in [
        (|document| document.file.images.clear()) as fn(&mut Document),
        |document| document.file.images[0].width = 0,
        |document| document.file.images[0].width = u16::MAX,
        |document| document.file.images[0].format = 77,
        |document| document.file.images[0].format = 0,
        |document| document.file.images[0].data = Block::default(),
        |document| document.file.images[0].data.len = u64::MAX,
        |document| document.file.bones[1].parent = i16::MAX,
        |document| document.file.bones[0].parent = i16::MIN,
        |document| document.file.meshes[0].image = u16::MAX,
        |document| document.file.meshes[0].vertices = Block::default(),
        |document| document.file.meshes[0].indices = Block::default(),
        |document| document.file.animations.clear(),
        |document| document.cut_animations = vec![usize::MAX, 0],
        |document| document.sidecars.clear(),
    ] {
        let document = with(change);
        let options = ReadOptions::default();
        let mut budget = Budget::new(&options.limits);
        if let Ok(character) = build(&document, &options, &mut budget, &mut Diagnostics::default()) {
            crate::common::show::show(&character);
        }
        _ = (write(&document.file), document.to_v1(None), document.png(0), document.is_png(0));
    }
}

#[test]
fn missing_places_and_pictures_are_reported() {
    let document = with(|_| ());
    for at in [
        At::Image(usize::MAX, "data"),
        At::Bone(7, "parent"),
        At::Mesh(7, "image"),
        At::Vertex(7, 0, VertexField::BoneWeight(usize::MAX >> 4)),
        At::Index(7, 0),
        At::Animation(7, "flags"),
        At::Frame(7, 0),
        At::Transform(7, usize::MAX, usize::MAX, "y"),
    ] {
        let place = document.place(at);
        assert!(place.offset.is_none() && !place.path.is_empty(), "{place:?}");
    }
    let huge = document.place(At::Vertex(0, usize::MAX, VertexField::X));
    assert_eq!(huge.offset, Some(u64::MAX));
    assert_eq!(
        document.png(1).expect_err("there is one").to_string(),
        "image 1 does not exist, the document has 1"
    );
    assert!(!document.is_png(usize::MAX) && document.long_influences_of(usize::MAX).is_empty());
    panics("expected a record of 40 bytes, found 39", || Vertex::read(&[0; 39]));
    panics("expected a record of 23 bytes, found 0", || BoneTransform::read(&[]));
    let options = ReadOptions::default();
    let mut budget = Budget::new(&options.limits);
    let bind = verify(&document, &options, &mut budget, &mut Diagnostics::default()).expect("it is valid");
    for frame in [(2, 0), (0, 1), (usize::MAX, 0), (0, usize::MAX)] {
        let foreign = Bind { frame: Some(frame), ..bind.clone() };
        panics("the bind pose belongs to another document", || document.clone().prepend_bind_pose(&foreign, None));
    }
    document.clone().prepend_bind_pose(&bind, Some(&[usize::MAX, 0, 0]));
    let many = Animation::new("x", true, &vec![Vec::new(); 70_000]);
    assert_eq!(many.frame_count, u16::MAX);
}

#[cfg(feature = "formats-all")]
#[test]
fn texts_at_any_offset_have_places() {
    use pchr::formats::pchr::json::{self, JsonText};
    use pchr::formats::sheet::picture_names;
    let limits = Limits::default();
    for text in [&b"{"[..], b"{\"version\": 7}", b"\xef\xbb\xbf{\"a\": \x01}", b"[[[", b"\xff"] {
        let json = JsonText { text, offset: u64::MAX };
        let read = json::read(json, &mut Budget::new(&limits), &mut Diagnostics::default());
        assert!(read.is_err());
        // Only that it does not panic.
        _ = picture_names(json, None);
    }
}

#[test]
fn counts_saturate() {
    let mut diagnostics = Diagnostics::default();
    for _ in 0..3 {
        diagnostics.add_more(Severity::Note, "x", usize::MAX);
    }
    assert_eq!(diagnostics.suppressed(), usize::MAX);
    let limits = Limits::default();
    let mut budget = Budget::new(&limits);
    for _ in 0..3 {
        assert!(budget.charge_memory(u64::MAX, usize::MAX, Default::default).is_err());
        assert!(budget.charge_pixels(u32::MAX, u32::MAX, Default::default).is_err());
        assert!(budget.charge_records(u64::MAX, Default::default).is_err());
        assert!(budget.charge_work(u64::MAX, u64::MAX, Default::default).is_err());
    }
}

/// Options with all limits set to `value`.
fn all_limits(value: u64) -> ReadOptions {
    let mut options = ReadOptions::default();
    for name in Limits::NAMES {
        assert!(options.limits.set(name, value));
    }
    options
}

#[test]
fn nothing_is_read_if_the_limits_are_zero() {
    for (name, bytes) in inputs() {
        let refused = from_bytes(bytes, &all_limits(0), &mut Diagnostics::default()).err();
        assert_eq!(refused.as_ref().map(pchr::Error::code), Some("limit-exceeded"), "{name}: {refused:?}");
    }
}

/// Small files of each kind that need no other files.
fn inputs() -> Vec<(&'static str, Bytes)> {
    let mut inputs = vec![("pchr", write(&tiny()).expect("it fits").into())];
    #[cfg(feature = "formats-all")]
    {
        let spine = br#"{"skeleton":{"spine":"3.8.99"},"bones":[{"name":"root"}]}"#;
        inputs.push(("spine", Bytes::from_static(spine)));
        inputs.push((
            "description",
            Bytes::from_static(br#"{"version":1,"fps":1,"images":[],"bones":[],"meshes":[],"animations":[]}"#),
        ));
    }
    inputs
}

#[cfg(feature = "formats-all")]
#[test]
fn deep_json_does_not_overflow_the_stack_without_limits() {
    const DEEP: usize = 200_000;
    let nested = |before: &str, open: &str, close: &str, after: &str| {
        Bytes::from(format!("{before}{}{}{after}", open.repeat(DEEP), close.repeat(DEEP)))
    };
    let befores = [
        (r#"{"skeleton":{"spine":"3.8.99"},"bones":"#, "}"),
        (r#"{"skeleton":{"spine":"3.8.99"},"bones":[{"name":"root"}],"unknown":"#, "}"),
        (r#"{"skeleton":{"spine":"3.8.99"},"bones":[{"name":"root"}],"animations":{"a":{"bones":"#, "}}}"),
        (r#"{"version":1,"fps":1,"images":[],"bones":[],"meshes":[],"animations":"#, "}"),
        (r#"{"version":1,"fps":1,"images":[],"bones":[],"meshes":[],"animations":[],"unknown":"#, "}"),
        (r#"{"frames":"#, r#","meta":{"app":"x","image":"a.png","size":{"w":1,"h":1}}}"#),
        (r#"{"frames":[],"meta":{"image":"a.png","size":{"w":1,"h":1},"unknown":"#, "}}"),
        (r#"{"frames":{"a":"#, r#"},"meta":{"image":"a.png"}}"#),
        (r#"{"file":"a.png","frames":{"a":"#, "}}"),
        ("", ""),
    ];
    let options = all_limits(u64::MAX);
    for (before, after) in befores {
        for (open, close) in [("[", "]"), (r#"{"a":"#, "}"), (r#"[{"bones":["#, "]}]")] {
            let text = nested(before, open, close, after);
            // With a stack of the default size; an overflow aborts the process.
            let options = options.clone();
            let read = move || drop(from_bytes(text, &options, &mut Diagnostics::default()));
            let thread = std::thread::Builder::new().stack_size(2 << 20).spawn(read).expect("a thread");
            thread.join().unwrap_or_else(|_| panic!("it panicked: {before}{open}"));
        }
    }
}

#[cfg(feature = "formats-all")]
#[test]
fn a_picture_larger_than_memory_is_an_error_without_limits() {
    use pchr::formats::image::{decode_png, encode_png};
    let png = encode_png(2, 2, &[255; 16]).expect("it fits");
    for (width, height) in [(0x7fff_ffffu32, 0x7fff_ffffu32), (1 << 24, 1 << 24), (1 << 31, 1 << 31)] {
        let mut bomb = png.clone();
        bomb[16..20].copy_from_slice(&width.to_be_bytes());
        bomb[20..24].copy_from_slice(&height.to_be_bytes());
        let crc = crate::common::zip::crc32(&bomb[12..29]);
        bomb[29..33].copy_from_slice(&crc.to_be_bytes());
        assert!(decode_png(&bomb, Default::default).is_err(), "{width}×{height}");
        let mut options = all_limits(u64::MAX);
        options.grid = Some(pchr::formats::Grid { width, height, count: None, ..pchr::formats::Grid::default() });
        assert!(from_bytes(bomb, &options, &mut Diagnostics::default()).is_err());
    }
    for (width, height) in [(0, 0), (0, 1), (1, 0), (u32::MAX, u32::MAX)] {
        let mut options = ReadOptions::default();
        for count in [None, Some(0), Some(1), Some(u32::MAX)] {
            options.grid = Some(pchr::formats::Grid { width, height, count, ..pchr::formats::Grid::default() });
            _ = from_bytes(png.clone(), &options, &mut Diagnostics::default());
        }
        assert!(encode_png(width, height, &[0; 15]).is_err());
    }
}

#[test]
fn writers_of_other_formats_accept_any_number_of_pages() {
    let character = large();
    #[cfg(feature = "formats-all")]
    for pages in [0, 1, 5] {
        let names = vec!["page.png".to_owned(); pages];
        let form = pchr::formats::spine::rewrite::Form::of_target("skel42").expect("a target");
        pchr::formats::spine::write::write(&character, &names, form, &mut Budget::new(&Limits::default()))
            .expect("it is written");
        let pictures = vec![Vec::new(); pages];
        pchr::formats::skelform::write::write(&character, &pictures, &mut Budget::new(&Limits::default()))
            .expect("it is written");
    }
    assert_eq!(character.model().pages().len(), 1);
}
