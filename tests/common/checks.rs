//! Invariants that must hold for any input, used by the fuzz targets, the mutation tests and the regression tests.
//!
//! Input: the bytes of a file from any source. Every function panics if an invariant does not hold.

use bytes::Bytes;
use pchr::diagnostics::{Diagnostics, Finding, Severity};
use pchr::draw::{Antialias, Filter, Settings};
use pchr::formats::findings::rule;
use pchr::formats::pchr::json::description::Description;
use pchr::formats::pchr::json::pachario::Pachario;
use pchr::formats::pchr::{self as v1, Document, Kind, read_document};
use pchr::formats::{
    BindPose, Grid, Input, ReadOptions, Sidecars, examine, from_input, is_document, load_from, skelform,
};
use pchr::limits::{Budget, Limits};
use pchr::model::{AtlasPage, Attachment, Model};
use pchr::motion::{Cue, Dynamics, Motion, Position, evaluate};
use pchr::pose::{Pose, for_each_deformed_vertex, palette};
use pchr::{Character, Error, Result};

use super::packed::{json_text, write as write_packed};
use super::show::show_shots;

/// Pictures beside a file, by name.
pub struct Beside(pub Vec<(String, Bytes)>);

/// The picture of the fixtures.
const PNG: &[u8] = include_bytes!("../fixtures/pchr-json/description/atlas.png");

/// The picture of the sprite sheet fixtures, and the second page of one of them.
const SHEET: &[u8] = include_bytes!("../fixtures/sheet/plain/sheet.png");
const PAGE: &[u8] = include_bytes!("../fixtures/sheet/pages/other.json");

impl Default for Beside {
    /// Returns the pictures named by the fixtures.
    fn default() -> Self {
        let beside = |name: &str, bytes| (name.to_owned(), Bytes::from_static(bytes));
        Self(vec![beside("atlas.png", PNG), beside("sheet.png", SHEET), beside("other.json", PAGE)])
    }
}

impl Sidecars for Beside {
    fn load(&self, path: &str, limits: &Limits) -> Result<Result<Bytes, String>> {
        let Some((_, picture)) = self.0.iter().find(|(name, _)| name == path) else {
            return Ok(Err(format!("`{path}` does not exist")));
        };
        Budget::new(limits).check_file(picture.len() as u64).map_err(|error| error.in_file(path))?;
        Ok(Ok(picture.clone()))
    }

    fn size(&self, path: &str) -> Result<u64, String> {
        let picture = self.0.iter().find(|(name, _)| name == path);
        picture.map(|(_, picture)| picture.len() as u64).ok_or_else(|| format!("`{path}` does not exist"))
    }
}

/// The result of reading a file, with its warnings.
pub struct Verdict {
    /// The character, or the error.
    pub result: Result<Character>,
    /// The warnings.
    pub diagnostics: Diagnostics,
}

/// Reads `bytes` as every program does.
pub fn verdict(bytes: &Bytes, options: &ReadOptions) -> Verdict {
    let mut diagnostics = Diagnostics::default();
    let input = Input { bytes: bytes.clone(), sidecars: &Beside::default() };
    let result = from_input(&input, options, &mut diagnostics);
    Verdict { result, diagnostics }
}

/// Collects all findings, as `pchr validate` does.
pub fn examined(bytes: &Bytes, options: &ReadOptions) -> Result<Diagnostics> {
    examine(&Input { bytes: bytes.clone(), sidecars: &Beside::default() }, options)
}

/// Asserts that all other readers of the same bytes come to the same verdict, and that errors name a place.
///
/// Every function that judges files is compared here.
pub fn assert_same_verdict(bytes: &Bytes, options: &ReadOptions, verdict: &Verdict, found: &Result<Diagnostics>) {
    let loaded = load_from(&bytes[..], bytes.len() as u64, &options.limits);
    match &loaded {
        Ok(loaded) => assert_eq!(loaded, bytes, "reading from a stream and from memory"),
        Err(_) => assert_eq!(
            code_and_message(&loaded),
            code_and_message(&verdict.result),
            "reading from a stream and from memory"
        ),
    }
    assert_agree(verdict, found);
    match &verdict.result {
        // The requested bind pose does not exist, which is not an error in the bytes.
        Err(Error::Misuse(_)) => assert_ne!(options.bind_pose, BindPose::Auto),
        Err(error) => assert_says_where(error, bytes),
        Ok(_) => {}
    }
}

/// Returns the code and message of an error, including its place.
fn code_and_message<T>(result: &Result<T>) -> Option<(&'static str, String)> {
    result.as_ref().err().map(|error| (error.code(), error.to_string()))
}

/// Findings of characters that can be opened: missing pictures, and keys of another version. They are warnings for a
/// reader and errors for validation.
pub const FLAWS: [&str; 7] = [
    "no-atlas",
    "missing-image",
    "no-image",
    "missing-atlas",
    "missing-region",
    "version-mismatch",
    "other-version",
];

/// Maximum number of findings kept per severity.
const MAX_KEPT: usize = 1000;

/// Returns true if reading warned about a flaw.
pub fn has_flaw(read: &Verdict) -> bool {
    // Not all findings are kept.
    read.diagnostics.counts().any(|(_, code, _)| FLAWS.contains(&code))
}

/// Asserts that the findings agree with reading: the file is rejected exactly if there is an error other than
/// flaws, the first such error is the reader's, and the reader's warnings are among the findings.
pub fn assert_agree(read: &Verdict, found: &Result<Diagnostics>) {
    let error = code_and_message(&read.result);
    let found = match found {
        Ok(found) => found,
        // Mistakes of the caller are reported before those of the file.
        Err(Error::Misuse(_)) => return assert!(error.is_some(), "only {found:?}"),
        // Nothing was examined.
        Err(_) => return assert_eq!(code_and_message(found), error),
    };
    let errors: Vec<&Finding> =
        found.findings().iter().filter(|finding| finding.severity == Severity::Error).collect();
    assert_eq!(found.errors().min(MAX_KEPT), errors.len());
    assert_eq!(found.errors() > 0, error.is_some() || has_flaw(read));
    let first = errors.iter().find(|finding| !FLAWS.contains(&finding.fault.code));
    let first = first.map(|first| (first.fault.code, first.fault.to_string()));
    // A thousand flaws leave no room for another error.
    if first.is_some() || errors.len() < MAX_KEPT {
        assert_eq!(first, error, "the first error found, and the reader's error");
    }
    // The reader's warnings are found as well, in the same order.
    let code_and_message = |fault: &pchr::error::Fault| (fault.code, fault.to_string());
    let mut all = found.findings().iter().map(|finding| code_and_message(&finding.fault));
    for warning in read.diagnostics.warnings() {
        assert!(all.any(|found| found == code_and_message(warning)), "not among the findings: {warning}");
    }
}

/// Asserts that an error names a place in the bytes, unless it concerns the whole file.
fn assert_says_where(error: &Error, bytes: &Bytes) {
    let place = error.place().unwrap_or_else(|| panic!("an error of the file, not a misuse: {error}"));
    let says_where = !place.path.is_empty() || place.offset.is_some();
    // Errors about the whole file have no place.
    let is_of_all = match error {
        Error::LimitExceeded(excess) => excess.limit == "file-bytes",
        _ => {
            const OF_ALL: [&str; 5] =
                ["unknown-format", "spine-binary", "spine-project", "dragonbones", "git-lfs-pointer"];
            OF_ALL.contains(&error.code())
        }
    };
    assert!(says_where || is_of_all, "the error names no place: {error}");
    assert!(place.offset.is_none_or(|offset| offset <= bytes.len() as u64), "the offset is out of range: {error}");
    // The message follows the place.
    assert!(error.to_string().len() > place.to_string().len(), "the error has no message: {error}");
}

fn within(limits: &Limits) -> ReadOptions {
    ReadOptions { limits: limits.clone(), ..ReadOptions::default() }
}

/// Returns options with `limits`, for y up and y down.
fn both_ways(limits: &Limits) -> [ReadOptions; 2] {
    [false, true].map(|is_mirrored| {
        let mut options = within(limits);
        (options.flip_v, options.y_down) = (is_mirrored, is_mirrored);
        options
    })
}

/// Runs only the PCHR v1 reader, for y up and y down.
pub fn read_pchr(bytes: &Bytes, limits: &Limits) {
    for options in both_ways(limits) {
        let (mut budget, mut diagnostics) = (Budget::new(limits), Diagnostics::default());
        let result = v1::read(bytes.clone(), &mut budget, &mut diagnostics)
            .and_then(|file| v1::build(&Document::v1(file), &options, &mut budget, &mut diagnostics));
        if let Err(error) = result {
            assert_says_where(&error, bytes);
        }
    }
}

/// Runs only the reader of documents on JSON, whatever its keys, and locates its findings in the text.
pub fn read_json(bytes: &Bytes, limits: &Limits) {
    if json_text(bytes).is_none() {
        return;
    }
    match read_any(bytes, limits) {
        Ok(document) => {
            assert_eq!(document.sidecars.len(), document.file.images.len(), "every image has its path");
            assert_same_text(&document, limits);
        }
        Err(error) => assert_says_where(&error, bytes),
    }
    assert_can_be_located(bytes, &within(limits));
}

/// Reads any form of a document, with the pictures of the fixtures.
fn read_any(bytes: &Bytes, limits: &Limits) -> Result<Document> {
    let input = Input { bytes: bytes.clone(), sidecars: &Beside::default() };
    read_document(&input, &mut Budget::new(limits), &mut Diagnostics::collecting())
}

/// Reads sprite sheets in each of their forms, and also cut by a grid.
pub fn read_sheet(bytes: &Bytes, limits: &Limits) {
    for grid in [None, Some(Grid { width: 2, height: 2, count: None })] {
        let mut options = within(limits);
        options.grid = grid;
        let read = verdict(bytes, &options);
        assert_same_verdict(bytes, &options, &read, &examined(bytes, &options));
        let Ok(character) = &read.result else { continue };
        draw(character);
        // Seconds and frames convert into each other where frames have durations.
        for animation in character.model().animations().iter().filter(|animation| animation.fps() > 0.0) {
            let last = f64::from(animation.frame_count().saturating_sub(1));
            for frame in [0.0, (last / 2.0).floor(), last] {
                let again = animation.position_at(animation.seconds_at(frame));
                assert!((again - frame).abs() < 1e-3, "frame {frame} of {animation:?} becomes {again}");
            }
        }
    }
}

/// Reads packed files and checks that detection and repacking agree with the bytes.
pub fn read_packed(bytes: &Bytes, limits: &Limits) {
    let Some((16, json)) = json_text(bytes) else { return };
    let result = read_any(bytes, limits);
    match &result {
        Ok(document) => {
            assert_eq!(document.kind, Kind::PackedPachario);
            assert_same_text(document, limits);
        }
        Err(error) => assert_ne!(error.code(), "bad-magic", "{error}"),
    }
    let again = write_packed(json, &bytes[16 + json.len()..]);
    // Other versions are recognized as packed, but not read.
    let from = if result.is_ok() { 0 } else { 8 };
    assert_same_bytes(&bytes[from..], &again[from..], "the same bytes after repacking");
    assert_can_be_located(bytes, &within(limits));
}

/// Checks all findings: each is listed in the table with its severity and has a message, and the verdict matches
/// reading.
pub fn validate(bytes: &Bytes, limits: &Limits) {
    for options in both_ways(limits) {
        let found = examined(bytes, &options);
        assert_same_verdict(bytes, &options, &verdict(bytes, &options), &found);
        let Ok(found) = found else { continue };
        for Finding { severity, fault } in found.findings() {
            let listed = rule(fault.code).unwrap_or_else(|| panic!("`{}` is not listed", fault.code));
            assert_eq!(listed.severity, *severity, "{fault}");
            assert!(!fault.message.is_empty(), "{fault:?}");
        }
        let counted: usize = found.counts().map(|(.., count)| count).sum();
        assert_eq!(counted, found.findings().len() + found.suppressed(), "kept and counted");
        assert_can_be_located(bytes, &options);
    }
}

/// Asserts that findings about JSON have a line of the text, where they can be located.
fn assert_can_be_located(bytes: &Bytes, options: &ReadOptions) {
    let Some((_, json)) = json_text(bytes) else { return };
    let options = pchr::validate::Options { read: options.clone(), ..pchr::validate::Options::default() };
    let input = Input { bytes: bytes.clone(), sidecars: &Beside::default() };
    let Ok(checked) = pchr::validate::check(&input, &options) else { return };
    let lines = json.iter().filter(|byte| [b'\n', b'\r'].contains(byte)).count() as u64 + 1;
    for finding in &checked.findings {
        let Some(position) = &finding.position else { continue };
        assert!(position.line as u64 <= lines, "{finding:?} is in line {} of {lines}", position.line);
    }
}

/// Asserts that writing what was read restores it: for PCHR v1 the bytes, without trailing ones; for the JSON
/// forms the text, from the second time on, as people format JSON in many ways.
pub fn round_trip(bytes: &Bytes, limits: &Limits) {
    let (mut budget, mut diagnostics) = (Budget::new(limits), Diagnostics::default());
    let input = Input { bytes: bytes.clone(), sidecars: &Beside::default() };
    let Ok(document) = read_document(&input, &mut budget, &mut diagnostics) else { return };
    if document.kind != Kind::V1 {
        return assert_same_text(&document, limits);
    }
    let written =
        v1::write(&document.file).unwrap_or_else(|error| panic!("what was read cannot be written: {error}"));
    assert!(bytes.starts_with(&written), "the {} bytes written differ from those read", written.len());
    let trailing = diagnostics.warnings().find(|fault| fault.code == "trailing-bytes");
    let end = trailing.map_or(Some(bytes.len() as u64), |fault| fault.place.offset);
    assert_eq!(end, Some(written.len() as u64), "the end of the file without trailing bytes");
}

/// Asserts that the text of a JSON form is the same after reading and writing it again.
fn assert_same_text(document: &Document, limits: &Limits) {
    let paths: Vec<String> = document.sidecars.iter().map(|sidecar| sidecar.path.clone()).collect();
    let write = |document: &Document, is_pachario| {
        if is_pachario { pachario(document, &paths) } else { description(document, &paths) }
    };
    // The written text may be longer than the original.
    let mut limits = limits.clone();
    limits.file_bytes = u64::MAX;
    let is_pachario = is_pachario(document.kind);
    let once = write(document, is_pachario);
    let again = read_any(&once.clone().into(), &limits);
    let again = again.unwrap_or_else(|error| panic!("what was written cannot be read: {error}"));
    assert_same_bytes(&once, &write(&again, is_pachario), "the same text when written again");
    // A description stores only the four largest weights.
    if is_pachario {
        assert_eq!(again.long_influences, document.long_influences);
    }
}

/// Returns true for the forms with Pachario's field names.
fn is_pachario(kind: Kind) -> bool {
    matches!(kind, Kind::PacharioJson | Kind::PackedPachario)
}

fn description(document: &Document, paths: &[String]) -> Vec<u8> {
    let mut text = Vec::new();
    Description::new(document, paths).write(&mut text).expect("memory");
    text
}

fn pachario(document: &Document, paths: &[String]) -> Vec<u8> {
    let mut text = Vec::new();
    Pachario::new(document, paths).write(&mut text).expect("memory");
    text
}

/// Like [`assert_eq`], for data too long to print.
#[track_caller]
fn assert_same_bytes(a: &[u8], b: &[u8], what: &str) {
    let first = a.iter().zip(b).position(|(a, b)| a != b).unwrap_or(a.len().min(b.len()));
    let around =
        |bytes: &[u8]| bytes[first.saturating_sub(60)..bytes.len().min(first + 60)].escape_ascii().to_string();
    assert!(a == b, "not {what}, from byte {first} on: {} and {}", around(a), around(b));
}

/// Every kind of file.
const KINDS: [Kind; 4] = [Kind::V1, Kind::Description, Kind::PacharioJson, Kind::PackedPachario];

/// Asserts that a readable document can be converted to every kind and read again with the same poses and
/// pictures, and that unpacking and packing restores the bytes.
pub fn convert(bytes: &Bytes, limits: &Limits) {
    // A sheet may contain the lists of a character as well.
    if !is_document(bytes) {
        return;
    }
    for options in both_ways(limits) {
        let (mut budget, mut diagnostics) = (Budget::new(limits), Diagnostics::default());
        let input = Input { bytes: bytes.clone(), sidecars: &Beside::default() };
        let Ok(document) = read_document(&input, &mut budget, &mut diagnostics) else { return };
        let Ok(bind) = v1::verify(&document, &options, &mut budget, &mut diagnostics) else { return };
        let character = match verdict(bytes, &options) {
            Verdict { result: Ok(character), .. } => character,
            // The document and the character share a budget.
            Verdict { result: Err(Error::LimitExceeded(_)), .. } => return,
            Verdict { result: Err(error), .. } => panic!("verified, but not readable: {error}"),
        };
        if !options.flip_v {
            unpack_and_pack(&document);
        }
        let mut upright = document.clone();
        upright.flip_to_y_up(&options);
        upright.prepend_bind_pose(&bind, None);
        for kind in KINDS {
            let Some((written, pictures)) = written_as(&upright, kind) else { continue };
            let mut diagnostics = Diagnostics::default();
            let input = Input { bytes: written.into(), sidecars: &pictures };
            let again = from_input(&input, &ReadOptions::default(), &mut diagnostics);
            let again = again.unwrap_or_else(|error| panic!("written as {}: {error}", kind.name()));
            if is_pachario(kind) || document.losses_to_v1().is_empty() {
                assert_same_character(&character, &again, kind);
            }
            let read = Verdict { result: Ok(again), diagnostics };
            assert_agree(&read, &examine(&input, &ReadOptions::default()));
        }
    }
}

/// Writes a document as a file of `kind` with its pictures, as `pchr convert` does. Returns `None` if that kind
/// cannot store it.
fn written_as(document: &Document, kind: Kind) -> Option<(Vec<u8>, Beside)> {
    let mut document = document.clone();
    if !is_pachario(kind) && document.require_images().is_err() {
        document.drop_images();
    }
    let document = &document;
    let count = document.file.images.len();
    let paths: Vec<String> = (0..count).map(|index| format!("{index}.png")).collect();
    let has_picture = |index: &usize| document.missing(*index).is_none();
    let picture =
        |index| document.png(index).unwrap_or_else(|error| panic!("the picture was decoded before: {error}"));
    let pictures = || Beside((0..count).filter(has_picture).map(|at| (paths[at].clone(), picture(at))).collect());
    if document.file.animations.len() > usize::from(u16::MAX) {
        return None;
    }
    match kind {
        Kind::V1 => {
            let file = document.to_v1(None);
            let file = file.unwrap_or_else(|error| panic!("the pictures were decoded before: {error}"));
            Some((
                v1::write(&file).unwrap_or_else(|error| panic!("the file cannot be written: {error}")),
                Beside(Vec::new()),
            ))
        }
        Kind::Description => Some((description(document, &paths), pictures())),
        Kind::PacharioJson => Some((pachario(document, &paths), pictures())),
        Kind::PackedPachario if count > 1 => None,
        Kind::PackedPachario => {
            let picture = if count == 1 && has_picture(&0) { picture(0) } else { Bytes::new() };
            Some((write_packed(&pachario(document, &paths), &picture), Beside(Vec::new())))
        }
    }
}

/// Asserts that unpacking and packing restores a PCHR v1 file, and that packing and unpacking restores JSON.
fn unpack_and_pack(document: &Document) {
    let again = |document: &Document| {
        let (json, pictures) = written_as(document, Kind::Description)?;
        let (limits, mut diagnostics) = (Limits::default(), Diagnostics::default());
        let input = Input { bytes: json.into(), sidecars: &pictures };
        let again = read_document(&input, &mut Budget::new(&limits), &mut diagnostics);
        Some(again.unwrap_or_else(|error| panic!("the unpacked file cannot be read: {error}")))
    };
    let packed = |document: &Document| {
        let file =
            document.to_v1(None).unwrap_or_else(|error| panic!("the pictures were decoded before: {error}"));
        v1::write(&file).unwrap_or_else(|error| panic!("the file cannot be written: {error}"))
    };
    if document.kind == Kind::V1 {
        let file =
            v1::write(&document.file).unwrap_or_else(|error| panic!("what was read cannot be written: {error}"));
        let unpacked = again(document).expect("a v1 file can be described");
        assert_same_bytes(&file, &packed(&unpacked), "the same bytes after unpacking and packing");
    } else if document.require_images().is_ok() {
        let text = |document: &Document| Some(written_as(document, Kind::Description)?.0);
        let limits = Limits::default();
        let file = v1::read(packed(document).into(), &mut Budget::new(&limits), &mut Diagnostics::default());
        let file = file.unwrap_or_else(|error| panic!("the packed file cannot be read: {error}"));
        let (before, after) = (text(document), text(&Document::v1(file)));
        assert_same_bytes(
            &before.unwrap_or_default(),
            &after.unwrap_or_default(),
            "the same text after packing and unpacking",
        );
    }
}

/// Asserts that both characters look the same at any time. The second one begins with the bind pose.
fn assert_same_character(a: &Character, b: &Character, kind: Kind) {
    let (name, of_a, of_b) = (kind.name(), a.model(), b.model());
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

/// Asserts that a readable character can be posed and drawn at any time.
pub fn evaluate_and_draw(bytes: &Bytes, limits: &Limits) {
    if let Ok(character) = verdict(bytes, &within(limits)).result {
        draw(&character);
    }
}

/// Draws the bind pose and a few instants of every animation, some far out of range, with all settings.
pub fn draw(character: &Character) {
    const SIZE: u32 = 24;
    let model = character.model();
    let mut cues = vec![Cue::default()];
    for animation in model.animation_ids().take(8) {
        let at =
            |position, interpolate| Cue { animation: Some(animation), position, interpolate, ..Cue::default() };
        let last = model.animation(animation).frame_count().saturating_sub(1);
        cues.extend([
            at(Position::frame(0), false),
            at(Position::Frame { frame: last, fraction: 0.5 }, true),
            at(Position::frame(u32::MAX), true),
            at(Position::Seconds(0.37), true),
            at(Position::Seconds(-1e300), true),
        ]);
    }
    let ways = [
        Settings::default(),
        Settings { filter: Filter::Linear, antialias: Antialias::Msaa4 },
        Settings { filter: Filter::Nearest, antialias: Antialias::Ssaa2 },
    ];
    let shots = cues.into_iter().enumerate().map(|(index, cue)| (cue, ways[index % ways.len()]));
    let picture = show_shots(character, SIZE, shots);
    assert_eq!(picture.pixels().len(), (SIZE * SIZE * 4) as usize);
    // Premultiplied: no channel exceeds alpha.
    let is_mixed = |pixel: &[u8; 4]| pixel[..3].iter().all(|&channel| channel <= pixel[3]);
    assert!(picture.pixels().as_chunks::<4>().0.iter().all(is_mixed), "a channel exceeds its alpha");
}

/// Reads a SkelForm file or something close to one: asserts that reading and validating agree, and poses the
/// character with and without dynamics.
pub fn read_skelform(bytes: &Bytes, limits: &Limits) {
    let options = within(limits);
    let read = verdict(bytes, &options);
    assert_same_verdict(bytes, &options, &read, &examined(bytes, &options));
    if let Ok(character) = &read.result {
        draw(character);
        let (mut dynamics, mut pose) = (Dynamics::default(), Pose::default());
        let model = character.model();
        for animation in model.animation_ids().take(3) {
            for frame in [0, 1, 7] {
                let position = Position::frame(frame);
                let cue = Cue { animation: Some(animation), position, ..Cue::default() };
                dynamics.set_smoothing(frame.into());
                dynamics.step(character, &cue, &mut pose);
            }
        }
        // The seeds contain files of any format.
        if matches!(character.motion(), Motion::SkelForm(_)) {
            assert_upgrades(bytes, limits);
        }
    }
}

/// Asserts that a readable file can be upgraded and read again, unless a limit is exceeded.
pub fn assert_upgrades(bytes: &Bytes, limits: &Limits) {
    let upgrade = |bytes: &Bytes| skelform::upgrade::upgrade(bytes, &Default::default(), limits);
    let is_limit = |error: &Error| error.code() == "limit-exceeded";
    match upgrade(bytes) {
        Ok(once) => {
            let once = Bytes::from(once.bytes);
            match upgrade(&once) {
                Ok(twice) => assert!(twice.bytes == *once, "upgrading twice changes the file"),
                Err(error) => assert!(is_limit(&error), "{error}"),
            }
            if let Err(error) = verdict(&once, &within(limits)).result {
                assert!(is_limit(&error), "{error}");
            }
        }
        Err(error) => assert!(is_limit(&error), "{error}"),
    }
}
