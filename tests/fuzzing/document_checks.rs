//! Invariants of the PCHR family, whose files are stored frames: reading, converting between the forms, and packing and
//! unpacking, which restores the bytes.

use bytes::Bytes;
use pchr::convert::{self, ConvertError, ConvertOptions, Files, Packable, PackedImages, open_document};
use pchr::diagnostics::Diagnostics;
use pchr::formats::table::target;
use pchr::formats::{Input, ReadOptions, examine, from_input};
use pchr::limits::Limits;
use pchr::model::{AtlasPage, Attachment, Model};
use pchr::motion::{Cue, Position, evaluate};
use pchr::pose::{Pose, for_each_deformed_vertex, palette};
use pchr::{Character, Error};

use crate::common::checks::{
    Beside, Verdict, assert_agree, assert_can_be_located, assert_says_where, both_ways, verdict, within,
};
use crate::common::packed::{json_text, write as write_packed};

/// Reads PCHR v1, for y up and y down.
pub fn read_pchr(bytes: &Bytes, limits: &Limits) {
    if !bytes.starts_with(b"PCHR") {
        return;
    }
    for options in both_ways(limits) {
        if let Err(error) = verdict(bytes, &options).result {
            assert_says_where(&error, bytes);
        }
    }
}

/// Runs only the reader of documents on JSON, whatever its keys, and locates its findings in the text.
pub fn read_json(bytes: &Bytes, limits: &Limits) {
    if json_text(bytes).is_none() {
        return;
    }
    match opened(bytes, &Beside::default(), &within(limits)) {
        Ok(document) => assert_same_text(document, limits),
        Err(ConvertError::Input(error)) => assert_says_where(&error, bytes),
        // A character in another format.
        Err(_) => {}
    }
    assert_can_be_located(bytes, &within(limits));
}

/// Reads packed files and checks that detection and repacking agree with the bytes.
pub fn read_packed(bytes: &Bytes, limits: &Limits) {
    let Some((16, json)) = json_text(bytes) else { return };
    let result = opened(bytes, &Beside::default(), &within(limits));
    let is_read = result.is_ok();
    match result {
        Ok(document) => {
            assert_eq!(document.source(), "pachario-packed");
            assert_same_text(document, limits);
        }
        Err(error) => assert!(!error.to_string().contains("begins with `PCHR`"), "{error}"),
    }
    let again = write_packed(json, &bytes[16 + json.len()..]);
    // Other versions are recognized as packed, but not read.
    let from = if is_read { 0 } else { 8 };
    assert_same_bytes(&bytes[from..], &again[from..], "the same bytes after repacking");
    assert_can_be_located(bytes, &within(limits));
}

/// Asserts that unpacking and packing restores PCHR v1, without trailing bytes, and that the text of the description is
/// the same when written again.
pub fn round_trip(bytes: &Bytes, limits: &Limits) {
    let (beside, mut diagnostics) = (Beside::default(), Diagnostics::default());
    let input = Input { bytes: bytes.clone(), sidecars: &beside };
    let Ok(document) = open_document(&input, &within(limits), &mut diagnostics) else { return };
    if document.source() != "pchr" {
        return assert_same_text(document, limits);
    }
    let Some(unpacked) = unpacked(document) else { return };
    let document = opened(&unpacked.0, &unpacked.1, &unlimited(limits));
    let document = document.unwrap_or_else(|error| panic!("the unpacked file cannot be read: {error}"));
    // Meshes may have no images at all.
    let images = if unpacked.1.0.is_empty() { PackedImages::None } else { PackedImages::AsDescribed };
    let packed = document.pack(images, "it.pchr", &mut Vec::new());
    let packed = packed.unwrap_or_else(|error| panic!("the unpacked file cannot be packed: {error}"));
    let packed = main_file(&packed);
    let trailing = diagnostics.warnings().find(|fault| fault.code == "trailing-bytes");
    let end = trailing.and_then(|fault| fault.place.offset).map_or(bytes.len(), |offset| offset as usize);
    assert_same_bytes(&bytes[..end], &packed, "the same bytes after packing");
}

/// Asserts that a readable document can be converted to every form and read again with the same poses and pictures.
pub fn convert(bytes: &Bytes, limits: &Limits) {
    round_trip(bytes, limits);
    for options in both_ways(limits) {
        let Ok(document) = opened(bytes, &Beside::default(), &options) else { return };
        drop(document);
        let character = match verdict(bytes, &options) {
            Verdict { result: Ok(character), .. } => character,
            // The document and the character share a budget.
            Verdict { result: Err(Error::LimitExceeded(_)), .. } => return,
            Verdict { result: Err(error), .. } => panic!("verified, but not readable: {error}"),
        };
        for form in ["pchr", "pchr-json", "pachario", "pachario-packed"] {
            convert_to(bytes, &character, form, &options);
        }
    }
}

fn convert_to(bytes: &Bytes, character: &Character, form: &str, options: &ReadOptions) {
    let beside = Beside::default();
    let input = Input { bytes: bytes.clone(), sidecars: &beside };
    let opened = convert::open(input, options, &mut Diagnostics::default());
    let opened = opened.unwrap_or_else(|error| panic!("it opens, but not to be converted: {error}"));
    let target = target(form).expect("a target");
    let mut to = ConvertOptions::new(target, format!("it.{}", target.extension));
    (to.read, to.allows_missing_images) = (options.clone(), true);
    // What the form cannot contain, and limits.
    let Ok(converted) = opened.convert(&to) else { return };
    let (written, pictures) = (main_file(&converted.files), beside_of(&converted.files));
    let mut diagnostics = Diagnostics::default();
    let input = Input { bytes: written, sidecars: &pictures };
    let again = from_input(&input, &ReadOptions::default(), &mut diagnostics);
    let again = again.unwrap_or_else(|error| panic!("written as {form}: {error}"));
    if converted.losses.is_empty() {
        assert_same_character(character, &again, form);
    }
    let read = Verdict { result: Ok(again), diagnostics };
    assert_agree(&read, &examine(&input, &ReadOptions::default()));
}

/// Asserts that the text of the description is the same after reading and writing it again.
fn assert_same_text(document: Packable, limits: &Limits) {
    let Some(once) = unpacked(document) else { return };
    let again = opened(&once.0, &once.1, &unlimited(limits));
    let again = again.unwrap_or_else(|error| panic!("what was written cannot be read: {error}"));
    let again = unpacked(again).expect("it was unpacked before");
    assert_same_bytes(&once.0, &again.0, "the same text when written again");
}

fn opened(bytes: &Bytes, beside: &Beside, options: &ReadOptions) -> Result<Packable, ConvertError> {
    let input = Input { bytes: bytes.clone(), sidecars: beside };
    open_document(&input, options, &mut Diagnostics::default())
}

/// Returns the description and its images; `None` if a limit was exceeded.
fn unpacked(document: Packable) -> Option<(Bytes, Beside)> {
    match document.unpack("it.json", &ReadOptions::default(), &mut Vec::new()) {
        Ok(files) => Some((main_file(&files), beside_of(&files))),
        Err(ConvertError::Input(Error::LimitExceeded(_))) => None,
        Err(error) => panic!("it cannot be unpacked: {error}"),
    }
}

/// The output may be larger than the input.
fn unlimited(limits: &Limits) -> ReadOptions {
    let mut options = within(limits);
    options.limits.file_bytes = u64::MAX;
    options
}

fn main_file(files: &Files) -> Bytes {
    let mut bytes = Vec::new();
    files.files.last().expect("a file").write_to(&mut bytes).expect("memory");
    bytes.into()
}

fn beside_of(files: &Files) -> Beside {
    let picture = |file: &convert::OutFile| (file.name.clone(), file.bytes().expect("a whole image").clone());
    Beside(files.pictures.iter().map(picture).collect())
}

/// Like [`assert_eq`], for data too long to print.
#[track_caller]
fn assert_same_bytes(a: &[u8], b: &[u8], what: &str) {
    let first = a.iter().zip(b).position(|(a, b)| a != b).unwrap_or(a.len().min(b.len()));
    let around =
        |bytes: &[u8]| bytes[first.saturating_sub(60)..bytes.len().min(first + 60)].escape_ascii().to_string();
    assert!(a == b, "not {what}, from byte {first} on: {} and {}", around(a), around(b));
}

/// Asserts that both characters look the same at any time. The second one begins with the bind pose.
fn assert_same_character(a: &Character, b: &Character, name: &str) {
    let (of_a, of_b) = (a.model(), b.model());
    let (before, after) = (of_a.animations(), of_b.animations());
    // The bind pose may have been there already, possibly elsewhere, or is new.
    let moved =
        if before.len() == after.len() { before.iter().position(|old| old.name == after[0].name) } else { None };
    let place_of = |index: usize| match moved {
        Some(moved) if index == moved => 0,
        Some(moved) if index > moved => index,
        _ => index + 1,
    };
    assert_same_shape(a, b, &Cue::default(), &Cue::default(), name);
    for index in 0..before.len().min(6) {
        let (old, new) = (&before[index], &after[place_of(index)]);
        let facts =
            |animation: &pchr::model::Animation| (animation.frame_count(), animation.fps(), animation.looping);
        assert_eq!((&old.name, facts(old)), (&new.name, facts(new)), "{name}");
        let last = old.frame_count().saturating_sub(1);
        for (frame, fraction) in [(0, 0.0), (last / 2, 0.5), (last, 0.25)] {
            let cue = |model: &Model, index| {
                let animation = model.animation_ids().nth(index);
                Cue {
                    animation,
                    position: Position::Frame { frame, fraction },
                    interpolate: true,
                    ..Cue::default()
                }
            };
            assert_same_shape(a, b, &cue(of_a, index), &cue(of_b, place_of(index)), name);
        }
    }
    let pixels = |page: &AtlasPage| (page.width, page.height, page.pixels.clone());
    if !of_b.pages().is_empty() {
        assert!(
            of_a.pages().iter().map(pixels).eq(of_b.pages().iter().map(pixels)),
            "{name}: the pictures differ"
        );
    }
}

/// Asserts that both show the same meshes in the same order, with every vertex at the same position.
fn assert_same_shape(a: &Character, b: &Character, at_a: &Cue, at_b: &Cue, name: &str) {
    let shape = |character: &Character, cue: &Cue| {
        let (mut pose, mut matrices, mut corners) = (Pose::default(), Vec::new(), Vec::new());
        evaluate(character, cue, &mut pose);
        palette(character.model(), &pose, &mut matrices);
        for id in pose.visible_attachments(character.model()) {
            let Attachment::Mesh(mesh) = character.model().attachment(id) else { continue };
            for_each_deformed_vertex(&mesh.vertices, &[], &matrices, |position, uv| {
                corners.push((id, [position.x, position.y, uv.x, uv.y]));
            });
        }
        corners
    };
    let (a, b) = (shape(a, at_a), shape(b, at_b));
    let is_same = |(a, b): (&f32, &f32)| a == b || (a.is_nan() && b.is_nan());
    let differs = |(a, b): &(&(_, [f32; 4]), &(_, [f32; 4]))| a.0 != b.0 || !a.1.iter().zip(&b.1).all(is_same);
    assert_eq!(a.len(), b.len(), "{name}: {at_a:?}");
    if let Some((a, b)) = a.iter().zip(&b).find(differs) {
        panic!("{name}: a vertex at {:?} has moved to {:?} at {at_a:?}", a.1, b.1);
    }
}
