//! Every public function that takes bytes or a path, called with every hostile file.
//!
//! Each function runs in a process of its own. It must end within a minute without a panic, and its memory must stay
//! within the limits that it was given. The list is compared with the listing of the public API, so that a new function
//! cannot be forgotten.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use bytes::Bytes;
use pchr::convert::{self, ConvertOptions};
use pchr::cpu::{Still, render_file};
use pchr::diagnostics::Diagnostics;
use pchr::draw::View;
use pchr::error::Place;
use pchr::export::Format;
use pchr::formats::{self, Folder, Grid, Input, ReadOptions, RecordedSidecars, table};
use pchr::formats::{image, sheet, spine, zip};
use pchr::limits::{Budget, Limits};
use pchr::math::Vec2;
use pchr::{Animator, Character, diff, find, golden, inspect, validate};

use crate::common::conformance_files;
use crate::common::memory::peak;

/// A hostile file, and limits.
struct Case {
    path: PathBuf,
    bytes: Bytes,
    limits: Limits,
}

impl Case {
    fn options(&self) -> ReadOptions {
        // A picture is opened as a sheet of one frame.
        let grid = image::png_size(&self.bytes).map(|(width, height)| Grid {
            width,
            height,
            count: None,
            ..Grid::default()
        });
        ReadOptions { limits: self.limits.clone(), grid, ..ReadOptions::default() }
    }

    fn with_input<T>(&self, call: impl FnOnce(&Input<'_>) -> T) -> T {
        call(&Input { bytes: self.bytes.clone(), sidecars: &Folder::of(&self.path) })
    }

    fn budget(&self) -> Budget<'_> {
        Budget::new(&self.limits)
    }
}

/// Limits that every hostile file exceeds quickly.
fn low_limits() -> Limits {
    let mut limits = Limits::default();
    limits.pixels = 1 << 22;
    limits.memory_bytes = 64 << 20;
    limits.work = 1 << 26;
    limits
}

/// Peak memory in bytes, beside the file, of a function with [`low_limits`], and of one that cannot be given limits,
/// which uses the default ones: these allow 1 GiB of decoded pixels.
const LOW_MEMORY: usize = 192 << 20;
const DEFAULT_MEMORY: usize = 2 << 30;

type Call = fn(&Case);

/// Functions that take limits, or need no memory to speak of.
#[rustfmt::skip]
const LIMITED: &[(&str, Call)] = &[
    ("convert::open", |case| case.with_input(|input| {
        for target in table::targets() {
            let input = Input { bytes: input.bytes.clone(), sidecars: input.sidecars };
            let options = ConvertOptions { read: case.options(), ..ConvertOptions::new(target, "out") };
            let Ok(opened) = convert::open(input, &options.read, &mut Diagnostics::default()) else { return };
            _ = opened.convert(&options);
        }
    })),
    ("convert::open_document", |case| case.with_input(|input| {
        let Ok(document) = convert::open_document(input, &case.options(), &mut Diagnostics::default()) else { return };
        _ = document.unpack("out.json", &case.options(), &mut Vec::new());
    })),
    ("cpu::render_file", |case| {
        _ = render_file(&case.path, &Still { limits: case.limits.clone(), ..Still::default() });
    }),
    ("diff::Diff::with_keys", |case| case.with_input(|input| {
        let options = case.options();
        let Ok(character) = formats::from_input(input, &options, &mut Diagnostics::default()) else { return };
        // Keys are only read if the characters differ.
        let other = Character::open(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/paper-lamp.json")).expect("a character");
        let [a, b] = [&character, &other].map(|character| diff::Side { character, file: "it" });
        let limits = diff::Options { limits: case.limits.clone(), ..diff::Options::default() };
        let Ok(found) = diff::compare(a, b, &limits) else { return };
        _ = found.with_keys([(input, &options), (input, &options)]);
    })),
    ("find::Search::of", |case| { find::Search::of(&case.path).for_each(drop); }),
    ("find::is_foreign", |case| { find::is_foreign(&case.path, &case.bytes); }),
    ("find::may_be_character", |case| { find::may_be_character(&case.path); }),
    ("find::parts", |case| { find::parts(&case.path, &case.limits); }),
    ("formats::Files::from_zip", |case| { _ = formats::Files::from_zip(case.bytes.clone(), &case.limits); }),
    ("formats::RecordedSidecars::files", |case| {
        RecordedSidecars::of(&case.path).files(&case.path, &case.options());
    }),
    ("formats::check_json_depth", |case| { _ = formats::check_json_depth(&case.bytes, &case.limits); }),
    ("formats::examine", |case| case.with_input(|input| { _ = formats::examine(input, &case.options()); })),
    ("formats::format_name", |case| { formats::format_name(&case.bytes); }),
    ("formats::from_bytes", |case| {
        _ = formats::from_bytes(case.bytes.clone(), &case.options(), &mut Diagnostics::default());
    }),
    ("formats::from_input", |case| case.with_input(|input| {
        _ = formats::from_input(input, &case.options(), &mut Diagnostics::default());
    })),
    ("formats::image::picture_size", |case| { _ = image::picture_size(&case.bytes, Place::default); }),
    ("formats::image::png_size", |case| { image::png_size(&case.bytes); }),
    ("formats::image::to_png", |case| {
        _ = image::to_png(case.bytes.clone(), &mut case.budget(), Place::default);
    }),
    ("formats::Folder::load_chosen", |case| {
        _ = formats::Sidecars::load_chosen(&formats::Folder::of(&case.path), &case.path, &case.limits);
    }),
    ("formats::RecordedSidecars::load_chosen", |case| {
        _ = formats::Sidecars::load_chosen(&RecordedSidecars::of(&case.path), &case.path, &case.limits);
    }),
    ("formats::Sidecars::load_chosen", |case| { _ = formats::NO_SIDECARS.load_chosen(&case.path, &case.limits); }),
    ("formats::is_inside", |case| { formats::is_inside(&case.path, [&PathBuf::new()]); }),
    ("formats::is_pipe_or_device", |case| { formats::is_pipe_or_device(&case.path); }),
    ("formats::may_be_character", |case| { formats::may_be_character(&case.bytes, true); }),
    ("formats::load", |case| { _ = formats::load(&case.path, &case.limits); }),
    ("formats::load_from", |case| { _ = formats::load_from(&*case.bytes, u64::MAX, &case.limits); }),
    ("formats::load_named", |case| { _ = formats::load_named(&case.path, &*case.bytes, 0, &case.limits); }),
    ("formats::load_opened", |case| {
        let opened = (std::io::Cursor::new(&case.bytes), case.bytes.len() as u64);
        _ = formats::load_opened(&case.path, opened, None, &case.limits);
    }),
    ("formats::load_regular", |case| { _ = formats::load_regular(&case.path, &case.limits); }),
    ("formats::open", |case| { _ = formats::open(&case.path, &case.options(), &mut Diagnostics::default()); }),
    ("formats::open_file", |case| { _ = formats::open_file(&case.path); }),
    ("formats::open_regular_file", |case| { _ = formats::open_regular_file(&case.path); }),
    ("formats::read_file", |case| { _ = formats::read_file(&case.path, &case.limits); }),
    ("formats::read_limited", |case| { _ = formats::read_limited(&*case.bytes, 0, &case.limits); }),
    ("formats::sheet::header", |case| { _ = sheet::header(&case.bytes, case.bytes.len() as u64); }),
    ("formats::sheet::is_text", |case| { sheet::is_text(&case.bytes); }),
    ("formats::sheet::parts_of_sheet", |case| { sheet::parts_of_sheet(&case.bytes); }),
    ("formats::sheet::read_packed", |case| { _ = sheet::read_packed(&case.bytes, &mut Diagnostics::default()); }),
    ("formats::spine::kind", |case| { spine::kind(&case.bytes); }),
    ("formats::spine::read_character", |case| case.with_input(|input| {
        _ = spine::read_character(input, &case.options(), &mut Diagnostics::default());
    })),
    ("formats::stated_keys", |case| case.with_input(|input| {
        let keys = formats::stated_keys(input, &case.options(), &mut Diagnostics::default());
        _ = keys.map(|keys| keys.for_each(|_| Ok::<(), ()>(())));
    })),
    ("formats::table::Format::kind", |case| table::FORMATS.iter().for_each(|format| { format.kind(&case.bytes); })),
    ("formats::table::Format::score", |case| table::FORMATS.iter().for_each(|format| { format.score(&case.bytes); })),
    ("formats::zip::unpack", |case| { _ = zip::unpack(&case.bytes, &case.limits); }),
    ("inspect::bytes", |case| {
        _ = inspect::bytes(case.bytes.clone(), "it", &[], &case.options(), &mut Diagnostics::default());
    }),
    ("inspect::file", |case| {
        _ = inspect::file(&case.path, "it", &[], &case.options(), &mut Diagnostics::default());
    }),
    ("golden::Frames::open", |case| {
        let view = View::new(64, 64, Vec2::ZERO, 1.0);
        for format in [Format::Png, Format::Apng, Format::Gif, Format::Webp, Format::Sheet] {
            let Ok(frames) = golden::Frames::open(&case.path, format, &view, &case.limits) else { continue };
            frames.take(100).for_each(drop);
        }
    }),
    ("golden::decode_reference", |case| { _ = golden::decode_reference(&case.bytes, &case.limits); }),
    ("golden::read_picture", |case| { _ = golden::read_picture(&case.path, &case.limits); }),
    ("validate::check", |case| case.with_input(|input| {
        let options = validate::Options { read: case.options(), ..validate::Options::default() };
        _ = validate::check(input, &options);
    })),
    ("validate::check_file", |case| {
        let options = validate::Options { read: case.options(), ..validate::Options::default() };
        _ = validate::check_file(&case.path, &options);
    }),
];

/// Functions with the default limits, or that decode a picture whose size the caller has checked.
#[rustfmt::skip]
const UNLIMITED: &[(&str, Call)] = &[
    ("Animator::open", |case| { _ = Animator::open(&case.path); }),
    ("Character::from_bytes", |case| { _ = Character::from_bytes(case.bytes.clone()); }),
    ("Character::open", |case| { _ = Character::open(&case.path); }),
    ("formats::image::decode_picture", |case| { _ = image::decode_picture(&case.bytes, Place::default); }),
    ("formats::image::decode_png", |case| { _ = image::decode_png(&case.bytes, Place::default); }),
    ("formats::image::straight_png", |case| {
        let size = image::png_size(&case.bytes).unwrap_or((1, 1));
        _ = image::straight_png(&case.bytes, size, Place::default);
    }),
];

/// Functions that do not read what they are given, with what they do.
const OTHERS: &[(&str, &str)] = &[
    ("export::Observer::written", "is implemented by the caller"),
    ("formats::RecordedSidecars::folder_of", "handles a name"),
    ("export::OutputFile::write", "writes"),
    ("find::Links::around", "handles a name"),
    ("find::begins_foreign", "handles a name"),
    ("export::BackgroundPicture::new", "handles a name; planning reads the file as `golden::read_picture` does"),
    ("export::OutputPath::below", "handles a name"),
    ("export::OutputPath::holds", "compares bytes with a file of the same length"),
    ("export::OutputPath::join", "handles a name"),
    ("export::OutputPath::named", "handles a name"),
    ("export::RenderOptions::command_line_with_scene", "handles a name"),
    ("export::SheetKind::of_path", "handles a name"),
    ("export::check_not_existing", "asks for the type of a file"),
    ("export::confine_writing", "handles names"),
    ("export::check_outputs", "asks for the types of files"),
    ("export::first_duplicate", "compares names"),
    ("export::input_name", "handles a name"),
    ("export::source_among", "compares names"),
    ("export::write_new", "writes"),
    ("formats::Files::insert", "keeps bytes of the caller"),
    ("formats::Folder::folder_of", "handles a name"),
    ("formats::Folder::of", "handles a name"),
    ("formats::RecordedSidecars::of", "handles a name"),
    ("formats::Sidecars::folder_of", "handles a name"),
    ("formats::table::implied_target", "compares names"),
    ("formats::confine_reading", "handles names"),
    ("formats::image::encode_png", "writes pixels of the caller"),
    ("formats::image::write_png", "writes pixels of the caller"),
    ("formats::zip::pack", "writes"),
    ("watch::Watcher::follow", "handles a name"),
    ("watch::Watcher::has_changed", "handles a name"),
    ("watch::Watcher::retain", "handles names"),
];

/// The name of the function that a child process calls.
const CHILD: &str = "PCHR_TEST_PUBLIC_FUNCTION";

/// The body of the child processes.
#[test]
fn child() {
    let Ok(name) = std::env::var(CHILD) else { return };
    let named =
        |functions: &[(&str, Call)]| functions.iter().find(|(other, _)| *other == name).map(|(_, call)| *call);
    let (call, limits, allowed) = match named(LIMITED) {
        Some(call) => (call, low_limits(), LOW_MEMORY),
        None => (named(UNLIMITED).expect("a function"), Limits::default(), DEFAULT_MEMORY),
    };
    let mut faults = Vec::new();
    for path in conformance_files("hostile", "") {
        let bytes = Bytes::from(fs::read(&path).expect("a readable file"));
        let case = Case { path, bytes, limits: limits.clone() };
        let ((), taken) = peak(|| call(&case));
        if taken > allowed + 32 * case.bytes.len() {
            faults.push(format!("{}: {taken} bytes, {allowed} are allowed", case.path.display()));
        }
    }
    assert!(faults.is_empty(), "{name}:\n{}", faults.join("\n"));
}

fn start(name: &str) -> Child {
    let mut command = Command::new(std::env::current_exe().expect("this program"));
    command.args(["--exact", "public_functions::child", "--nocapture"]).env(CHILD, name);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("it starts")
}

/// Waits for a child, for a minute at most. Returns what was wrong.
fn fault_of(name: &str, mut child: Child) -> Option<String> {
    let begin = Instant::now();
    while child.try_wait().expect("a child").is_none() {
        if begin.elapsed() > Duration::from_secs(60) {
            child.kill().expect("it is running");
            child.wait().expect("it was ended");
            return Some(format!("{name} was still running after a minute"));
        }
        sleep(Duration::from_millis(10));
    }
    let output = child.wait_with_output().expect("it has ended");
    (!output.status.success()).then(|| format!("{name}: {}", String::from_utf8_lossy(&output.stderr)))
}

#[test]
fn conformance_every_public_function_withstands_every_hostile_file() {
    assert!(conformance_files("hostile", "").len() >= 12);
    let names: Vec<&str> = LIMITED.iter().chain(UNLIMITED).map(|(name, _)| *name).collect();
    let faults: Vec<String> = names
        .chunks(2)
        .flat_map(|pair| {
            let children: Vec<Child> = pair.iter().map(|name| start(name)).collect();
            pair.iter().zip(children).filter_map(|(name, child)| fault_of(name, child)).collect::<Vec<_>>()
        })
        .collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Returns the public functions with a parameter that is bytes, a path or a file.
fn listed() -> BTreeSet<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/public-api/all-features.txt");
    let listing = fs::read_to_string(path).expect("a listing");
    let takes_bytes = |parameters: &str| {
        ["[u8]", "std::path::Path", "bytes::bytes::Bytes", "Vec<u8>", "formats::Input", "std::io::Read"]
            .iter()
            .any(|kind| parameters.contains(kind))
    };
    let functions = listing.lines().filter_map(|line| {
        let (name, rest) = line.strip_prefix("pub fn pchr::")?.split_once('(')?;
        let parameters = rest.split(") -> ").next()?;
        takes_bytes(parameters).then(|| without_generics(name))
    });
    functions.collect()
}

/// Returns `a::B::c` for `a::B<'_>::c<T>`.
fn without_generics(name: &str) -> String {
    let mut depth = 0;
    let is_kept = |character: &char| {
        depth += i32::from(*character == '<') - i32::from(*character == '>');
        depth == 0 && *character != '>'
    };
    name.chars().filter(is_kept).collect()
}

#[test]
fn no_public_function_is_missing() {
    let names =
        |functions: &[(&str, Call)]| functions.iter().map(|(name, _)| (*name).to_owned()).collect::<Vec<_>>();
    let others = OTHERS.iter().map(|(name, _)| (*name).to_owned());
    let known: BTreeSet<String> = names(LIMITED).into_iter().chain(names(UNLIMITED)).chain(others).collect();
    let listed = listed();
    assert!(listed.len() > 60, "{listed:?}");
    let missing: Vec<_> = listed.difference(&known).collect();
    let gone: Vec<_> = known.difference(&listed).collect();
    assert!(missing.is_empty() && gone.is_empty(), "missing here: {missing:?}; no longer public: {gone:?}");
}
