//! Invariants that must hold for any input, used by the fuzz targets, the mutation tests and the regression tests.
//!
//! Input: the bytes of a file from any source. Every function panics if an invariant does not hold.

use bytes::Bytes;
use pchr::diagnostics::{Diagnostics, Finding, Severity};
use pchr::draw::{Antialias, Filter, Settings};
use pchr::formats::findings::rule;
use pchr::formats::{BindPose, Grid, Input, ReadOptions, Sidecars, examine, from_input, load_from};
use pchr::limits::{Budget, Limits};
use pchr::model::Blend;
use pchr::motion::{Cue, Dynamics, Position};
use pchr::pose::Pose;
use pchr::{Character, Error, Result};

#[cfg(feature = "convert")]
use super::converted::{cause, converted, main_file, options};
use super::packed::json_text;
use super::show::show_shots;

/// Pictures beside a file, by name.
pub struct Beside(pub Vec<(String, Bytes)>);

/// The picture of the fixtures.
const PNG: &[u8] = include_bytes!("../fixtures/pchr-json/description/atlas.png");

/// The picture of the sprite sheet fixtures, and the second page of one of them.
const SHEET: &[u8] = include_bytes!("../fixtures/sheet/plain/sheet.png");
const PAGE: &[u8] = include_bytes!("../fixtures/sheet/pages/other.json");

/// The spritemap of the fixtures of Adobe Animate.
const SPRITEMAP: &[u8] = include_bytes!("../fixtures/animate/plain/spritemap1.json");

impl Default for Beside {
    /// Returns the pictures named by the fixtures.
    fn default() -> Self {
        let beside = |name: &str, bytes| (name.to_owned(), Bytes::from_static(bytes));
        Self(vec![
            beside("atlas.png", PNG),
            beside("sheet.png", SHEET),
            beside("other.json", PAGE),
            beside("spritemap1.json", SPRITEMAP),
            beside("spritemap1.png", SHEET),
        ])
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
pub fn assert_says_where(error: &Error, bytes: &Bytes) {
    let place = error.place().unwrap_or_else(|| panic!("an error of the file, not a misuse: {error}"));
    let says_where = !place.path.is_empty() || place.offset.is_some();
    // Errors about the whole file have no place.
    let is_of_all = match error {
        Error::LimitExceeded(excess) => excess.limit == "file-bytes",
        _ => {
            const OF_ALL: [&str; 6] = [
                "unknown-format",
                "unread-dialect",
                "spine-binary",
                "spine-project",
                "dragonbones",
                "git-lfs-pointer",
            ];
            OF_ALL.contains(&error.code())
        }
    };
    assert!(says_where || is_of_all, "the error names no place: {error}");
    assert!(place.offset.is_none_or(|offset| offset <= bytes.len() as u64), "the offset is out of range: {error}");
    // The message follows the place.
    assert!(error.to_string().len() > place.to_string().len(), "the error has no message: {error}");
}

pub fn within(limits: &Limits) -> ReadOptions {
    ReadOptions { limits: limits.clone(), ..ReadOptions::default() }
}

/// Returns options with `limits`, for y up and y down.
pub fn both_ways(limits: &Limits) -> [ReadOptions; 2] {
    [false, true].map(|is_mirrored| {
        let mut options = within(limits);
        (options.flip_v, options.y_down) = (is_mirrored, is_mirrored);
        options
    })
}

/// Reads sprite sheets in each of their forms, and also cut by a grid.
pub fn read_sheet(bytes: &Bytes, limits: &Limits) {
    for grid in [None, Some(Grid { width: 2, height: 2, count: None, ..Grid::default() })] {
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
pub fn assert_can_be_located(bytes: &Bytes, options: &ReadOptions) {
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
    // Premultiplied: no channel exceeds alpha, unless light is added.
    let adds = model.slots().iter().any(|slot| slot.blend == Blend::Additive);
    let is_mixed = |pixel: &[u8; 4]| pixel[..3].iter().all(|&channel| channel <= pixel[3]);
    assert!(adds || picture.pixels().as_chunks::<4>().0.iter().all(is_mixed), "a channel exceeds its alpha");
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
        #[cfg(feature = "convert")]
        if matches!(character.motion(), pchr::motion::Motion::SkelForm(_)) {
            assert_upgrades(bytes, limits);
        }
    }
}

/// Asserts that a readable file can be upgraded and read again, unless a limit is exceeded.
#[cfg(feature = "convert")]
pub fn assert_upgrades(bytes: &Bytes, limits: &Limits) {
    let upgrade = |bytes: &Bytes| converted(bytes, &options("skelform", limits));
    let is_limit = |error: &Error| error.code() == "limit-exceeded";
    match upgrade(bytes) {
        Ok(once) => {
            let once = main_file(&once);
            match upgrade(&once) {
                Ok(twice) => assert!(main_file(&twice) == once, "upgrading twice changes the file"),
                Err(error) => assert!(is_limit(cause(&error)), "{error}"),
            }
            if let Err(error) = verdict(&once, &within(limits)).result {
                assert!(is_limit(&error), "{error}");
            }
        }
        Err(error) => assert!(is_limit(cause(&error)), "{error}"),
    }
}
