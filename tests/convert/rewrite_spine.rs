//! Spine files converted to every version and form: poses stay, nothing is lost unreported, pictures are copied.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::thread;

pub use crate::common::converted::main_file;
use crate::common::converted::{converted, options};
use crate::common::{assets, conformance_files, files_in, say};
use bytes::Bytes;
use pchr::Character;
use pchr::convert::{ConvertError, ConvertOptions, Converted, open};
use pchr::diagnostics::{Diagnostics, Severity};
use pchr::formats::table::{self, Target};
use pchr::formats::{Folder, Input, NO_SIDECARS, ReadOptions, Sidecars, examine, format_name};
use pchr::limits::Limits;
use pchr::math::Vec2;
use pchr::motion::{Cue, Dynamics, Evaluator, Position};
use pchr::pose::Pose;
use serde_json::Value;

/// Tolerance in world pixels of conversions that report nothing as baked or merged.
const EXACT: f32 = 0.01;

/// Losses after which poses between keys may differ.
const INEXACT: [&str; 7] = [
    "bone-baked",
    "constraint-baked",
    "constraint-dropped",
    "inherit-baked",
    "sequence-merged",
    "sequence-cut",
    "physics-rate",
];

/// All of our own skeletons.
pub fn sources() -> Vec<PathBuf> {
    let mut found = Vec::new();
    for suffix in [".json", ".skel"] {
        found.extend(conformance_files("spine/own", suffix));
        found.extend(conformance_files("spine4", suffix));
        found.extend(files_in(&assets(), suffix));
    }
    found.retain(|path| !path.to_string_lossy().ends_with(".golden.json"));
    found
}

/// Skeletons of versions that are not written.
fn old_sources() -> Vec<PathBuf> {
    [".json", ".skel"].iter().flat_map(|suffix| conformance_files("spine-old", suffix)).collect()
}

fn is_spine(target: &Target) -> bool {
    target.name.starts_with("spine") || target.name.starts_with("skel") && target.name != "skelform"
}

fn targets() -> impl Iterator<Item = &'static Target> {
    table::targets().filter(|target| is_spine(target))
}

fn convert_with(
    bytes: &Bytes,
    sidecars: &dyn Sidecars,
    options: &ConvertOptions,
) -> Result<Converted, ConvertError> {
    let input = Input { bytes: bytes.clone(), sidecars };
    let opened = open(input, &options.read, &mut Diagnostics::default()).map_err(ConvertError::Input)?;
    opened.convert(options)
}

/// Converts a skeleton without its pictures. Returns `None` if the form cannot be written.
pub fn convert(bytes: &Bytes, to: &'static Target) -> Option<Result<Converted, ConvertError>> {
    match converted(bytes, &options(to.name, &Limits::default())) {
        Err(ConvertError::Output(error)) if error.code() == "no-writer" => None,
        converted => Some(converted),
    }
}

/// Counts the warnings and errors of a skeleton without pictures.
fn findings(bytes: &Bytes) -> BTreeMap<String, usize> {
    let input = Input { bytes: bytes.clone(), sidecars: NO_SIDECARS };
    let found = examine(&input, &ReadOptions::default()).expect("can be examined");
    let counts = found.counts().filter(|(severity, ..)| *severity >= Severity::Warning);
    counts.map(|(severity, code, count)| (format!("{severity:?} {code}"), count)).collect()
}

/// Returns the target that keeps version and form of a skeleton.
pub fn own_target(bytes: &Bytes) -> &'static Target {
    let input = Input { bytes: bytes.clone(), sidecars: NO_SIDECARS };
    let opened = open(input, &ReadOptions::default(), &mut Diagnostics::default()).expect("can be read");
    let any = table::target("skel38").expect("a target");
    let name = opened.usual_target(any, &Limits::default()).expect("can be read").name;
    let is_binary = format_name(bytes) == Some("Spine skeleton (binary)");
    let name = if is_binary { name.to_owned() } else { name.replace("skel", "spine") };
    table::target(&name).expect("a target of the table")
}

/// Returns what is wrong with a conversion. `known` are the findings of the source.
fn faults(known: &BTreeMap<String, usize>, converted: &Converted) -> Vec<String> {
    let mut faults = Vec::new();
    for (finding, count) in findings(&main_file(converted)) {
        let before = known.get(&finding).copied().unwrap_or(0);
        if count > before {
            faults.push(format!("{finding} is found {count} times, not {before}"));
        }
    }
    let is_exact = !converted.losses.iter().any(|loss| INEXACT.contains(&loss.code));
    if is_exact && converted.worst_error_px.is_some_and(|px| px > EXACT) {
        let moved = converted.losses.iter().filter(|loss| loss.code == "vertices-moved");
        let worst = moved.max_by(|a, b| a.error_px.partial_cmp(&b.error_px).expect("numbers"));
        let worst = worst.map_or("", |loss| &loss.message);
        faults.push(format!("off by {:?} px: {worst}", converted.worst_error_px));
    }
    faults
}

/// By default every skeleton is converted to a third of the versions, and every version is written from a third of the
/// skeletons; with `PCHR_EVERY_CONVERSION`, all are.
#[test]
fn every_skeleton_is_converted_to_every_version() {
    let share = if std::env::var_os("PCHR_EVERY_CONVERSION").is_some() { 1 } else { 3 };
    let totals = Mutex::new((0, 0, 0.0_f32, Vec::new()));
    let convert_one = |(number, file): (usize, PathBuf)| {
        let bytes = Bytes::from(fs::read(&file).expect("a file"));
        let known = findings(&bytes);
        for to in targets().skip(number % share).step_by(share) {
            let name = format!("{} to {}", file.display(), to.name);
            let converted = convert(&bytes, to);
            let faults = converted.as_ref().map(|converted| match converted {
                Ok(converted) => faults(&known, converted),
                Err(error) => vec![error.to_string()],
            });
            let (conversions, skipped, worst, faulty) = &mut *totals.lock().expect("no panic");
            match converted {
                None => *skipped += 1,
                Some(converted) => {
                    *conversions += 1;
                    *worst = worst.max(converted.ok().and_then(|it| it.worst_error_px).unwrap_or(0.0));
                }
            }
            faulty.extend(faults.into_iter().flatten().map(|fault| format!("{name}: {fault}")));
        }
    };
    // On all cores, since this takes longer than all other tests of this binary together.
    let files = Mutex::new(sources().into_iter().chain(old_sources()).enumerate());
    let next = || files.lock().expect("no panic").next();
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| std::iter::from_fn(next).for_each(convert_one));
        }
    });
    let (conversions, skipped, worst, faulty) = totals.into_inner().expect("no panic");
    say(&format!("{conversions} conversions, {skipped} without a writer, worst {worst} px"));
    assert!(conversions > 100, "only {conversions}");
    assert!(faulty.is_empty(), "{} faults:\n{}", faulty.len(), faulty.join("\n"));
}

#[test]
fn a_rewritten_file_is_rewritten_to_the_same_bytes() {
    let mut count = 0;
    for file in sources() {
        let bytes = Bytes::from(fs::read(&file).expect("a file"));
        let to = own_target(&bytes);
        let Some(once) = convert(&bytes, to) else { continue };
        let once = once.unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        let losses: Vec<_> = once.losses.iter().filter(|loss| loss.code != "images-dropped").collect();
        assert!(losses.is_empty(), "{}: {losses:?}", file.display());
        let twice = convert(&main_file(&once), to).expect("a writer").expect("can be converted");
        assert!(main_file(&once) == main_file(&twice), "{}", file.display());
        count += 1;
    }
    assert!(count > 30, "only {count}");
}

/// JSON of a version becomes a binary skeleton of it, and JSON again.
#[test]
fn json_survives_a_binary_skeleton() {
    let (mut count, mut missing) = (0, Vec::new());
    for file in sources() {
        let bytes = Bytes::from(fs::read(&file).expect("a file"));
        let json = own_target(&bytes);
        let binary = json.name.replace("spine", "skel");
        let Some(direct) = convert(&bytes, json).filter(|_| json.extension == "json") else { continue };
        let Some(there) = table::target(&binary).and_then(|binary| convert(&bytes, binary)) else { continue };
        let back = convert(&main_file(&there.expect("can be written")), json).expect("a writer");
        let [direct, back] = [direct, back].map(|it| main_file(&it.expect("can be written")));
        let [direct, back] = [direct, back].map(|it| serde_json::from_slice::<Value>(&it).expect("JSON"));
        let mut found = Vec::new();
        cover(&direct, &back, &file.display().to_string(), &mut found);
        missing.extend(found.into_iter().filter(|fault| !is_coarser(fault)));
        count += 1;
    }
    say(&format!("{count} files became a binary skeleton and JSON again"));
    assert_none(&missing);
}

/// A binary skeleton has a byte for the alpha of a key, and eight bytes for the hash. Without attachments it has no
/// default skin.
fn is_coarser(fault: &str) -> bool {
    let numbers = fault.split(": ").last().and_then(|numbers| numbers.split_once(" became "));
    let numbers = numbers.and_then(|(before, after)| Some([before.parse().ok()?, after.parse().ok()?]));
    let is_near = |[before, after]: [f32; 2]| (before - after).abs() <= 0.5 / 255.0 + 1e-6;
    match fault {
        fault if fault.contains("/alpha/") && fault.contains("/value: ") => numbers.is_some_and(is_near),
        fault if fault.ends_with("/skins: [{\"attachments\":{},\"name\":\"default\"}] is not written") => true,
        fault => fault.contains("/skeleton/hash: ") && fault.ends_with(" is not written"),
    }
}

#[test]
fn nothing_in_a_file_of_the_same_version_is_lost() {
    let (mut count, mut missing) = (0, Vec::new());
    for file in sources() {
        let bytes = Bytes::from(fs::read(&file).expect("a file"));
        let to = own_target(&bytes);
        if to.extension != "json" {
            continue;
        }
        let written = convert(&bytes, to).expect("a writer").expect("can be converted");
        let source: Value = serde_json::from_slice(&bytes).expect("JSON");
        let written: Value = serde_json::from_slice(&main_file(&written)).expect("JSON");
        cover(&source, &written, &file.display().to_string(), &mut missing);
        count += 1;
    }
    assert!(count > 20, "only {count}");
    assert_none(&missing);
}

#[track_caller]
pub fn assert_none(missing: &[String]) {
    let listed = &missing[..missing.len().min(100)];
    assert!(missing.is_empty(), "{} values:\n{}", missing.len(), listed.join("\n"));
}

/// Lists the values of `source` that `written` does not have and that are no defaults.
pub fn cover(source: &Value, written: &Value, at: &str, missing: &mut Vec<String>) {
    match (source, written) {
        (Value::Object(source), Value::Object(written)) => {
            for (key, value) in source {
                let at = format!("{at}/{key}");
                // Both spellings are read.
                let key = if key == "draworder" { "drawOrder" } else { key };
                match written.get(key) {
                    Some(found) => cover(value, found, &at, missing),
                    None if is_default(&at, key, value, source) => {}
                    None => missing.push(format!("{at}: {value} is not written")),
                }
            }
        }
        (Value::Array(source), Value::Array(written)) if source.len() == written.len() => {
            for (index, (value, found)) in source.iter().zip(written).enumerate() {
                cover(value, found, &format!("{at}/{index}"), missing);
            }
        }
        (Value::Number(source), Value::Number(written)) => {
            // Readers of all versions have single precision.
            let single = |number: &serde_json::Number| number.as_f64().expect("a number") as f32;
            if single(source) != single(written) {
                missing.push(format!("{at}: {source} became {written}"));
            }
        }
        // Colours: the alpha may be absent.
        (Value::String(source), Value::String(written))
            if source.eq_ignore_ascii_case(written) || format!("{source}ff").eq_ignore_ascii_case(written) => {}
        (source, written) if source == written => {}
        (source, written) => missing.push(format!("{at}: {source} became {written}")),
    }
}

/// Returns true for the value that a reader assumes if `key` is absent, as documented in Spine's description of its
/// JSON.
fn is_default(at: &str, key: &str, value: &Value, object: &serde_json::Map<String, Value>) -> bool {
    let number = value.as_f64();
    let in_bones = at.contains("/bones/");
    match key {
        // An offset of a transform constraint.
        "scaleX" | "scaleY" if at.contains("/transform/") => number == Some(0.0),
        "inertia" | "damping" | "mass" if at.contains("/physics/") => number == Some(1.0),
        "strength" => number == Some(100.0),
        "limit" => number == Some(5000.0),
        "mode" => value == "hold",
        "scaleX" | "scaleY" | "mix" | "mixRotate" | "mixX" | "mixScaleX" | "mixShearY" | "rotateMix"
        | "translateMix" | "scaleMix" | "shearMix" | "volume" | "c3" | "c4" => number == Some(1.0),
        "mixY" => value == object.get("mixX").unwrap_or(&Value::from(1)),
        "mixScaleY" => value == object.get("mixScaleX").unwrap_or(&Value::from(1)),
        // Keys of scale.
        "x" | "y" | "value" => number == Some(0.0) || number == Some(1.0),
        "bendPositive" | "deform" | "timelines" | "constantSpeed" | "visible" => value == &Value::Bool(true),
        "color" if in_bones => matches!(value.as_str(), Some("989898ff" | "9b9b9bff")),
        "color" => match object.get("type").and_then(Value::as_str) {
            Some("boundingbox") => value == "60f000ff",
            Some("path") => value == "ff7f00ff",
            Some("point") => value == "f1f100ff",
            Some("clipping") => value == "ce3a3aff",
            _ => value == "ffffffff",
        },
        "fps" => number == Some(30.0),
        "type" => value == "region",
        "blend" | "transform" | "inherit" => value == "normal",
        "skin" => value == "default" || value == &Value::Bool(false),
        "positionMode" | "spacingMode" | "rotateMode" => {
            matches!(value.as_str(), Some("percent" | "length" | "tangent"))
        }
        _ => {
            let is_empty = value.as_object().is_some_and(|it| it.is_empty())
                || value.as_array().is_some_and(|it| it.is_empty());
            number == Some(0.0) || is_empty || matches!(value, Value::Null | Value::Bool(false)) || value == ""
        }
    }
}

#[test]
fn atlas_and_pages_are_copied() {
    for name in ["paper-lamp.json", "paper-lamp-4.2.json", "paper-lamp-4.2.skel"] {
        let path = assets().join(name);
        let bytes = Bytes::from(fs::read(&path).expect("the lamp"));
        let to = table::target("spine41").expect("a target");
        let converted = convert_with(&bytes, &Folder::of(&path), &ConvertOptions::new(to, "lamp.json"))
            .unwrap_or_else(|error| panic!("{error}"));
        let stem = path.file_stem().expect("a name").to_string_lossy();
        let copied: Vec<(&str, &Bytes)> =
            converted.files.pictures.iter().map(|it| (it.name.as_str(), it.bytes().expect("bytes"))).collect();
        let names: Vec<&str> = copied.iter().map(|(name, _)| *name).collect();
        let pages = if stem == "paper-lamp" { 1 } else { 2 };
        assert_eq!(names, [&["paper-lamp.png", "paper-lamp-4.2.png"][..pages], &["lamp.atlas"]].concat());
        for (name, png) in &copied[..pages] {
            assert!(**png == fs::read(assets().join(name)).expect("the page"), "{name}");
        }
        let atlas = copied[pages].1;
        assert!(*atlas == fs::read(assets().join(format!("{stem}.atlas"))).expect("the atlas"));
    }
}

/// A skeleton with one region per picture name.
fn skeleton(images: &str, pictures: &[&str]) -> Bytes {
    let attachments = pictures.iter().map(|name| (name.to_string(), serde_json::json!({"width": 8, "height": 8})));
    let attachments: serde_json::Map<String, Value> = attachments.collect();
    let root = serde_json::json!({
        "skeleton": {"spine": "3.8.99", "images": images},
        "bones": [{"name": "root"}],
        "slots": [{"name": "slot", "bone": "root"}],
        "skins": [{"name": "default", "attachments": {"slot": attachments}}],
    });
    serde_json::to_vec(&root).expect("JSON").into()
}

/// Files in a folder, with a skeleton.
fn folder_with(files: &[&str]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let png = fs::read(assets().join("paper-lamp.png")).expect("a picture");
    for name in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, &png).expect("can be written");
    }
    folder
}

fn copied_names(bytes: &Bytes, folder: &Path, options: &ConvertOptions) -> Result<Vec<String>, ConvertError> {
    let converted = convert_with(bytes, &Folder::of(&folder.join("it.json")), options)?;
    Ok(converted.files.pictures.iter().map(|file| file.name.clone()).collect())
}

#[test]
fn loose_pictures_are_copied_to_the_same_place() {
    let bytes = skeleton("./images/", &["head", "arm/left"]);
    let folder = folder_with(&["images/head.png", "images/arm/left.png", "images/other.png"]);
    let options = ConvertOptions::new(table::target("spine42").expect("a target"), "it.json");
    let converted =
        convert_with(&bytes, &Folder::of(&folder.path().join("it.json")), &options).expect("converted");
    let names: Vec<&str> = converted.files.pictures.iter().map(|file| file.name.as_str()).collect();
    assert_eq!(names, ["images/arm/left.png", "images/head.png"]);
    assert_eq!(converted.files.must_not_exist, ["it.atlas"], "it would hide the pictures");
    fs::remove_file(folder.path().join("images/head.png")).expect("it exists");
    let error = copied_names(&bytes, folder.path(), &options).unwrap_err();
    assert!(
        matches!(&error, ConvertError::Incomplete(error) if error.to_string().contains("head.png")),
        "{error}"
    );
    let options = ConvertOptions { allows_missing_images: true, ..options };
    assert_eq!(copied_names(&bytes, folder.path(), &options).expect("allowed"), ["images/arm/left.png"]);
}

#[test]
fn pages_stay_in_the_folder() {
    let region = "\nsize: 64, 64\nfilter: Linear, Linear\nrepeat: none\nhead\n  rotate: false\n  xy: 0, 0\n  \
                  size: 8, 8\n  orig: 8, 8\n  offset: 0, 0\n  index: -1\n";
    let bytes = skeleton("", &["head"]);
    let options = ConvertOptions::new(table::target("spine42").expect("a target"), "new.json");
    let copied = |page: &str, files: &[&str]| {
        let folder = folder_with(files);
        fs::write(folder.path().join("it.atlas"), format!("{page}{region}")).expect("can be written");
        copied_names(&bytes, folder.path(), &options)
    };
    // As the reader finds it in the folder, so does the reader of the copy.
    assert_eq!(copied("../page.png", &["page.png"]).expect("found"), ["page.png", "new.atlas"]);
    assert_eq!(copied("sub/page.png", &["sub/page.png"]).expect("found"), ["sub/page.png", "new.atlas"]);
    assert_eq!(copied("Page.png", &["page.png"]).expect("found"), ["Page.png", "new.atlas"]);
    assert!(matches!(copied("../page.png", &[]), Err(ConvertError::Incomplete(_))));
    for name in [".git/page.png", "new.atlas", "NEW.json"] {
        let error = copied(name, &[name]).unwrap_err();
        assert!(matches!(&error, ConvertError::Output(error) if error.code() == "bad-name"), "{name}: {error}");
    }
}

#[test]
fn baking_can_be_refused() {
    let path = assets().join("paper-lamp.json");
    let bytes = Bytes::from(fs::read(&path).expect("the lamp"));
    for target in table::targets().filter(|target| !target.is_sheet) {
        let name = format!("it.{}", target.extension);
        let options = ConvertOptions { bakes: false, ..ConvertOptions::new(target, name) };
        match convert_with(&bytes, &Folder::of(&path), &options) {
            Ok(_) => assert!(is_spine(target), "{}", target.name),
            Err(ConvertError::Output(error)) if is_spine(target) => {
                assert_eq!(error.code(), "no-writer", "{error}");
            }
            Err(error) => {
                let message = error.to_string();
                assert!(message.contains("Spine") && message.contains(target.name), "{message}");
            }
        }
    }
}

#[test]
fn a_binary_skeleton_has_the_version_of_its_source() {
    let usual = table::usual_target("skel").expect("a target");
    assert_eq!(usual.name, "skel42");
    for (name, expected) in [
        ("paper-lamp.json", "skel38"),
        ("paper-lamp-4.2.json", "skel42"),
        ("paper-lamp-4.3.json", "skel43"),
        ("paper-knight.pchr", "skel42"),
    ] {
        let path = assets().join(name);
        let input = Input { bytes: fs::read(&path).expect("a file").into(), sidecars: &Folder::of(&path) };
        let opened = open(input, &ReadOptions::default(), &mut Diagnostics::default()).expect("can be read");
        assert_eq!(opened.usual_target(usual, &Limits::default()).expect("can be read").name, expected);
        let json = table::target("pchr-json").expect("a target");
        assert_eq!(opened.usual_target(json, &Limits::default()).expect("can be read"), json);
    }
}

#[test]
fn animations_and_skins_are_selected() {
    let path = assets().join("paper-lamp.json");
    let bytes = Bytes::from(fs::read(&path).expect("the lamp"));
    let written = |animations: &[&str], skins: &[&str]| {
        let to = table::target("spine42").expect("a target");
        let list = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
        let options = ConvertOptions {
            animations: list(animations),
            skins: list(skins),
            ..ConvertOptions::new(to, "it.json")
        };
        let converted = convert_with(&bytes, &Folder::of(&path), &options)?;
        let json: Value = serde_json::from_slice(&main_file(&converted)).expect("JSON");
        let names = json["animations"].as_object().expect("an object").keys().cloned().collect::<Vec<_>>();
        let skins = json["skins"].as_array().expect("a list").iter();
        Ok::<_, ConvertError>((
            names,
            skins.map(|skin| skin["name"].as_str().unwrap().to_owned()).collect::<Vec<_>>(),
        ))
    };
    let (all_animations, all_skins) = written(&[], &[]).expect("converted");
    assert_eq!(all_animations.len(), 2);
    assert_eq!(all_skins, ["default", "blue"]);
    let (animations, skins) = written(&["hop"], &["blue"]).expect("converted");
    assert_eq!((animations, skins), (vec!["hop".to_owned()], all_skins));
    assert_eq!(written(&[], &["none"]).expect("converted").1, ["default"]);
    assert!(matches!(written(&["hopp"], &[]), Err(ConvertError::Unknown(_))));
    assert!(matches!(written(&[], &["blu"]), Err(ConvertError::Unknown(_))));
}

/// Physics swings in over the first passes of a loop. What is baked is what one sees after them.
#[test]
fn baked_loops_look_like_later_passes() {
    let bytes = Bytes::from(fs::read(assets().join("paper-lamp-4.2.json")).expect("the lamp"));
    let read = |bytes: &Bytes| {
        let input = Input { bytes: bytes.clone(), sidecars: NO_SIDECARS };
        pchr::formats::from_input(&input, &ReadOptions::default(), &mut Diagnostics::default())
            .expect("a skeleton")
    };
    let source = read(&bytes);
    let duration = |name: &str| {
        let id = source.model().find_animation(name).expect("an animation");
        (id, source.model().animation(id).duration_secs())
    };
    // The cord's tip in world pixels.
    let tip = |pose: &Pose, character: &Character| {
        let mut bones = character.model().skeleton().bones().iter();
        let bone = bones.position(|bone| *bone.name == *"cord").expect("the cord");
        pose.world_from_bone[bone].transform_point2(Vec2::new(34.0, 0.0))
    };
    for target in ["spine41", "spine38", "pchr"] {
        let converted =
            convert(&bytes, table::target(target).expect("a target")).expect("a writer").expect("it bakes");
        let told = converted.losses.iter().filter(|loss| loss.code == "physics-loop").count();
        assert_eq!(told, 2, "{target}: {:?}", converted.losses);
        if target == "pchr" {
            continue;
        }
        let written = read(&main_file(&converted));
        for name in ["idle", "hop"] {
            let (id, secs) = duration(name);
            let at = |pass: f64, frame: u32| Cue {
                animation: Some(id),
                position: Position::Seconds(pass * secs + f64::from(frame) / 24.0 + 1e-6),
                ..Cue::default()
            };
            let worst = |pass: f64| {
                let mut evaluators = [Evaluator::with_dynamics(Some(Dynamics::default())), Evaluator::default()];
                let mut poses = [Pose::default(), Pose::default()];
                let distance = |frame| {
                    evaluators[0].evaluate(&source, &at(pass, frame), &mut poses[0]);
                    evaluators[1].evaluate(&written, &at(pass, frame), &mut poses[1]);
                    tip(&poses[0], &source).distance(tip(&poses[1], &written))
                };
                (0..(secs * 24.0) as u32).map(distance).fold(0.0, f32::max)
            };
            assert!(worst(0.0) > 0.4, "{target} {name}: {} units", worst(0.0));
            assert!(worst(9.0) < 0.02, "{target} {name}: {} units", worst(9.0));
        }
    }
}
