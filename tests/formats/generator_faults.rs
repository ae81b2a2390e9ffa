//! What programs that generate Spine skeletons get wrong: each fault is made in the paper lamp and has its finding.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::common::{conformance_files, say};
use bytes::Bytes;
use pchr::diagnostics::{Finding, Severity};
use pchr::formats::{Folder, Input, Listing, NO_SIDECARS, Nearby, ReadOptions, Sidecars, examine};
use pchr::limits::Limits;
use serde_json::Value;

/// The lamp as a file of 3.8, of 4.2, or of 4.3.
#[derive(Clone, Copy)]
enum Lamp {
    Of3_8,
    Of4_2,
    Of4_3,
}

use Lamp::{Of3_8, Of4_2, Of4_3};

impl Lamp {
    fn path(self) -> PathBuf {
        let name = match self {
            Of3_8 => "paper-lamp.json",
            Of4_2 => "paper-lamp-4.2.json",
            Of4_3 => "paper-lamp-4.3.json",
        };
        Path::new(env!("CARGO_MANIFEST_DIR")).join("assets").join(name)
    }
}

/// The lamp, the changes, and the severity, code and path of a finding.
///
/// Each change is a line: `/pointer = JSON` sets or adds a value, `/list/- = JSON` appends to a list, `/pointer` alone
/// removes the value, and `atlas: this => that` replaces text of the atlas.
type Fault = (Lamp, &'static str, &'static str);

const FAULTS: &[Fault] = &[
    // Names and references.
    (Of4_2, r#"/bones/3/parent = "torso""#, "error missing-name /bones/3/parent"),
    (Of4_2, r#"/bones/1/parent = "mouse""#, "error bad-parent /bones/1/parent"),
    (Of4_2, "/bones/2/name", "error json-value /bones/2"),
    (Of4_2, r#"/bones/3/name = "lower""#, "error bad-parent /bones/3/parent"),
    (Of4_2, r#"/slots/0/bone = "Lower""#, "error missing-name /slots/0/bone"),
    (Of4_2, r#"/slots/1/name = "lower""#, "error missing-name /skins/0/attachments/base"),
    (Of4_2, r#"/slots/0/attachment = "lower""#, "warning unknown-attachment /slots/0/attachment"),
    (
        Of4_2,
        r#"/skins/0/attachments/lamp = {"bar": {"width": 66, "height": 10}}"#,
        "error missing-name /skins/0/attachments/lamp",
    ),
    (
        Of4_2,
        r#"/skins/0/attachments/lower/bar/path = "lower-arm""#,
        "error missing-region /skins/0/attachments/lower/bar",
    ),
    (Of4_2, r#"/ik/0/target = "wrist""#, "error missing-name /ik/0/target"),
    (Of4_2, r#"/ik/0/bones = ["lower", "upper", "head"]"#, "error constraint-bones /ik/0/bones"),
    (Of4_2, r#"/ik/0/bones = ["lower", "mouse"]"#, "error constraint-bones /ik/0/bones/1"),
    (Of4_2, r#"/ik/1/order = 0"#, "warning constraint-order /ik/1/order"),
    (Of4_2, r#"/physics/0/order = 7"#, "warning constraint-order /physics/0/order"),
    (Of4_2, r#"/physics/0/bone = "tail""#, "error missing-name /physics/0/bone"),
    (
        Of4_2,
        r#"/animations/hop/bones/torso = {"rotate": [{"value": 5}]}"#,
        "error missing-name /animations/hop/bones/torso",
    ),
    (
        Of4_2,
        r#"/animations/hop/slots/lampshade = {"rgba": [{"color": "ffffffff"}]}"#,
        "error missing-name /animations/hop/slots/lampshade",
    ),
    (Of4_2, r#"/animations/hop/events/0/name = "leap""#, "error missing-name /animations/hop/events/0/name"),
    (
        Of4_2,
        r#"/animations/hop/slots/shade = {"attachment": [{"name": "shade-green"}]}"#,
        "warning unknown-attachment /animations/hop/slots/shade/attachment/0/name",
    ),
    (
        Of4_2,
        r#"/animations/idle/attachments/default/moth/moths = {"sequence": [{"mode": "loop"}]}"#,
        "error missing-name /animations/idle/attachments/default/moth/moths",
    ),
    // Forms of the wrong type, or of no version.
    (Of4_2, r#"/skeleton/spine = 4.2"#, "error json-value /skeleton/spine"),
    (Of4_2, r#"/skeleton/spine"#, "note no-version /skeleton/spine"),
    (Of4_2, r#"/bones/2/rotation = "120""#, "error json-value /bones/2/rotation"),
    (Of4_2, r#"/bones/2/rotation = null"#, "error json-value /bones/2/rotation"),
    (Of4_2, r#"/bones/2/inherit = "none""#, "error json-value /bones/2/inherit"),
    (Of4_2, r#"/slots/0/blend = "add""#, "error json-value /slots/0/blend"),
    (Of4_2, r#"/slots/0/color = "white""#, "error bad-color /slots/0/color"),
    (Of4_2, r##"/slots/0/color = "#ffffff""##, "error bad-color /slots/0/color"),
    // Without alpha.
    (Of4_2, r#"/slots/0/color = "ff8000""#, "warning short-color /slots/0/color"),
    (
        Of4_2,
        r#"/skins/0/attachments/base/base/color = "ff8000""#,
        "warning short-color /skins/0/attachments/base/base/color",
    ),
    (
        Of4_2,
        r#"/animations/hop/slots/bulb = {"rgba": [{"color": "ffffffff"}, {"time": 1, "color": "ff8000"}]}"#,
        "warning short-color /animations/hop/slots/bulb/rgba/1/color",
    ),
    (
        Of4_2,
        r#"/animations/hop/slots/bulb = {"rgba2": [{"light": "ffffff", "dark": "000000"}]}"#,
        "warning short-color /animations/hop/slots/bulb/rgba2/0/light",
    ),
    (Of4_2, r#"/slots/0/color = [1, 1, 1, 1]"#, "error json-value /slots/0/color"),
    (
        Of4_2,
        r#"/skins/0/attachments/lower/bar/type = "image""#,
        "error json-value /skins/0/attachments/lower/bar/type",
    ),
    (Of4_2, r#"/skins/0/attachments/lower/bar/width"#, "warning region-size /skins/0/attachments/lower/bar"),
    (Of4_2, r#"/skins/0/name"#, "error json-value /skins/0"),
    (
        Of4_2,
        r#"/animations/hop/bones/base/translation = [{"x": 5}]"#,
        "warning unknown-key /animations/hop/bones/base/translation",
    ),
    (
        Of4_2,
        r#"/animations/hop/bones/base/rotate = {"time": 0, "value": 5}"#,
        "error json-value /animations/hop/bones/base/rotate",
    ),
    (
        Of4_2,
        r#"/animations/hop/bones/base/translate/0/curve = "easeIn""#,
        "error json-value /animations/hop/bones/base/translate/0/curve",
    ),
    (
        Of4_2,
        r#"/animations/hop/bones/base/translate/0/curve = "bezier""#,
        "error json-value /animations/hop/bones/base/translate/0/curve",
    ),
    // Keys of another version.
    (Of3_8, r#"/skeleton/spine = "4.2.43""#, "error version-mismatch /animations/hop/bones/base/translate"),
    (Of4_2, r#"/skeleton/spine = "3.8.99""#, "error version-mismatch /physics"),
    (Of4_2, r#"/skeleton/spine = "4.4.05""#, "error spine-version /skeleton/spine"),
    (
        Of4_2,
        r#"/animations/hop/bones/head = {"rotate": [{"angle": 10}]}"#,
        "error other-version /animations/hop/bones/head/rotate",
    ),
    (
        Of4_2,
        r#"/animations/hop/bones/base/scale/0/curve = 0.25"#,
        "error other-version /animations/hop/bones/base/scale",
    ),
    (
        Of3_8,
        r#"/animations/idle/bones/hold/translate/0/curve = [0.5, 0, 1, 0, 0.5, 0, 1, 0]"#,
        "error other-version /animations/idle/bones/hold/translate",
    ),
    (
        Of4_2,
        r#"/skins = {"default": {"base": {"base": {"width": 64, "height": 20}}}}"#,
        "error other-version /skins",
    ),
    (
        Of4_2,
        r#"/animations/hop/slots/bulb = {"color": [{"color": "ffffffff"}]}"#,
        "error other-version /animations/hop/slots/bulb/color",
    ),
    (Of4_2, r#"/bones/7/transform = "noScale""#, "error other-version /bones/7/transform"),
    (
        Of4_2,
        r#"/animations/hop/deform = {"default": {"base": {"base": [{"vertices": [1]}]}}}"#,
        "error other-version /animations/hop/deform",
    ),
    // Curves and times.
    (
        Of4_2,
        r#"/animations/hop/bones/base/translate/0/curve = [0.25, 0, 0.75, 1]"#,
        "error curve-length /animations/hop/bones/base/translate/0/curve",
    ),
    (
        Of4_2,
        r#"/animations/hop/bones/base/translate/0/curve = [0, 0, 0.1, 0, 0, 20, 0.1, 34]"#,
        "warning curve-handles /animations/hop/bones/base/translate/0/curve",
    ),
    (
        Of4_2,
        r#"/animations/hop/bones/base/translate/1/curve = [90, 0, 95, 0, 90, 1, 95, 1]"#,
        "warning curve-handles /animations/hop/bones/base/translate/1/curve",
    ),
    // The handles of CSS, in keys from 0 to 4 and to 12 s.
    (
        Of4_2,
        r#"/animations/hop/bones/head = {"rotate": [{"curve": [0.42, 0, 0.58, 1]}, {"time": 4, "value": 90}]}"#,
        "warning curve-handles /animations/hop/bones/head/rotate/0/curve",
    ),
    (
        Of4_2,
        r#"/animations/hop/bones/head = {"translate": [{"x": 20, "curve": [0.25, 0.1, 0.25, 1, 0.25, 0.1, 0.25, 1]}, {"time": 4}]}"#,
        "warning curve-handles /animations/hop/bones/head/translate/0/curve",
    ),
    (
        Of4_2,
        r#"/animations/hop/bones/head = {"scalex": [{"curve": [0.25, 0.1, 0.25, 1]}, {"time": 12, "value": 2}]}"#,
        "warning curve-handles /animations/hop/bones/head/scalex/0/curve",
    ),
    (
        Of4_2,
        r#"/animations/hop/bones/base/scale/1/curve = [0.15, 1.08, 0.3, 0.96, 0.15, 0.9, 0.3, 1.06]"#,
        "warning curve-handles /animations/hop/bones/base/scale/1/curve",
    ),
    (
        Of3_8,
        r#"/animations/idle/bones/hold/translate/0/curve = 250"#,
        "warning curve-handles /animations/idle/bones/hold/translate/0/curve",
    ),
    (
        Of4_2,
        r#"/animations/hop/bones/base/scale/0/time = -0.5"#,
        "warning key-time /animations/hop/bones/base/scale/0/time",
    ),
    (
        Of4_2,
        r#"/animations/hop/bones/base/scale/5/time = 9000"#,
        "warning key-time /animations/hop/bones/base/scale/5/time",
    ),
    (
        Of4_2,
        r#"/animations/hop/bones/base/scale/0/time = 0.5"#,
        "warning key-order /animations/hop/bones/base/scale",
    ),
    (
        Of4_2,
        r#"/animations/hop/bones/base/scale/5/time = "0.9""#,
        "error json-value /animations/hop/bones/base/scale/5/time",
    ),
    (
        Of4_2,
        r#"/animations/wait = {"bones": {"hold": {"translate": [{"time": 0.2, "y": -26}, {"time": 0.4}]}, "moth": {"translatex": [{"time": 0.5}]}}}"#,
        "warning late-start /animations/wait/bones/moth/translatex",
    ),
    (Of4_2, r#"/animations/wait = {}"#, "note no-timelines /animations/wait"),
    (Of4_2, r#"/animations/wait = {"bones": {"base": {"rotate": []}}}"#, "note no-timelines /animations/wait"),
    // Sizes.
    (Of4_2, r#"/bones/4/scaleX = 100"#, "warning implausible-setup /bones/4/scaleX"),
    (Of4_2, r#"/bones/4/scaleX = 1e300"#, "error json-value /bones/4/scaleX"),
    (Of4_2, r#"/bones/4/x = 1500000"#, "warning implausible-setup /bones/4/x"),
    (Of4_2, r#"/skins/0/attachments/base/base/width = 640"#, "warning region-size /skins/0/attachments/base/base"),
    (Of4_2, r#"/physics/0/mass = 0"#, "warning bad-physics /physics/0/mass"),
    (
        Of4_2,
        r#"/skins/0/attachments/moth/moth/sequence/count = 0"#,
        "warning bad-sequence /skins/0/attachments/moth/moth/sequence/count",
    ),
    (
        Of4_2,
        r#"/skins/0/attachments/moth/moth/sequence/digits = 3"#,
        "error missing-region /skins/0/attachments/moth/moth",
    ),
    // Meshes.
    (
        Of4_2,
        r#"/skins/0/attachments/base/base = {"type": "mesh", "uvs": [0, 0, 1, 0, 1, 1], "triangles": [0, 1, 3], "vertices": [0, 0, 9, 0, 9, 9]}"#,
        "error index-out-of-range /skins/0/attachments/base/base/triangles/2",
    ),
    (
        Of4_2,
        r#"/skins/0/attachments/base/base = {"type": "mesh", "uvs": [0, 0, 1, 0, 1, 1], "triangles": [0, 1], "vertices": [0, 0, 9, 0, 9, 9]}"#,
        "error partial-triangle /skins/0/attachments/base/base/triangles",
    ),
    (
        Of4_2,
        r#"/skins/0/attachments/base/base = {"type": "mesh", "uvs": [0, 0, 1, 0, 1], "triangles": [0, 1, 2], "vertices": [0, 0, 9, 0, 9, 9]}"#,
        "error vertex-count /skins/0/attachments/base/base/uvs",
    ),
    (
        Of4_2,
        r#"/skins/0/attachments/base/base = {"type": "mesh", "uvs": [0, 0, 64, 0, 64, 20], "triangles": [0, 1, 2], "vertices": [0, 0, 9, 0, 9, 9]}"#,
        "warning uv-out-of-range /skins/0/attachments/base/base/uvs/2",
    ),
    (
        Of4_2,
        r#"/skins/0/attachments/base/base = {"type": "mesh", "uvs": [0, 0, 1, 0, 1, 1], "triangles": [0, 1, 2], "vertices": [1, 40, 0, 0, 1, 1, 1, 9, 0, 1, 1, 1, 9, 9, 1]}"#,
        "error weights /skins/0/attachments/base/base/vertices/1",
    ),
    (
        Of4_2,
        r#"/skins/0/attachments/base/base = {"type": "mesh", "uvs": [0, 0, 1, 0, 1, 1], "triangles": [0, 1, 2], "vertices": [1, 1, 0, 0, 0.5, 1, 1, 9, 0, 0.5, 1, 1, 9, 9, 0.5]}"#,
        "warning weight-sum /skins/0/attachments/base/base",
    ),
    (
        Of4_2,
        r#"/skins/0/attachments/base/base = {"type": "mesh", "uvs": [0, 0, 1, 0, 1, 1], "triangles": [0, 1, 2], "vertices": [0, 0, 9, 0, 9, 9], "hull": 3, "edges": [0, 2, 2, 8]}"#,
        "warning mesh-edges /skins/0/attachments/base/base/edges/3",
    ),
    (
        Of4_2,
        r#"/skins/0/attachments/base/base = {"type": "linkedmesh", "parent": "bar", "width": 64, "height": 20}"#,
        "error missing-name /skins/0/attachments/base/base/parent",
    ),
    (
        Of4_2,
        r#"/skins/0/attachments/touch/touch/vertexCount = 8"#,
        "error weights /skins/0/attachments/touch/touch/vertices/0",
    ),
    // Sliders, properties that drive others, and the list of constraints.
    (Of4_3, r#"/constraints/4/animation"#, "error missing-name /constraints/4/animation"),
    (Of4_3, r#"/constraints/4/animation = "glow""#, "error missing-name /constraints/4/animation"),
    (Of4_3, r#"/constraints/4/bone = "holder""#, "error missing-name /constraints/4/bone"),
    (Of4_3, r#"/constraints/4/bone"#, "warning unknown-key /constraints/4/property"),
    (Of4_3, r#"/constraints/4/property = "rotation""#, "error missing-name /constraints/4/property"),
    (Of4_3, r#"/constraints/4/scale = 0"#, "warning drives-nothing /constraints/4/scale"),
    (
        Of4_3,
        r#"/animations/dim/slider = {"dim": {"mix": [{"value": 0.5}]}}"#,
        "warning slider-keys-itself /animations/dim/slider/dim",
    ),
    (
        Of4_3,
        r#"/animations/idle/slider = {"glow": {"mix": [{"value": 0.5}]}}"#,
        "error missing-name /animations/idle/slider/glow",
    ),
    (Of4_3, r#"/constraints/3/properties"#, "warning drives-nothing /constraints/3/properties"),
    (
        Of4_3,
        r#"/constraints/3/properties/y/to/rotate/max = 0"#,
        "warning drives-nothing /constraints/3/properties/y/to/rotate/max",
    ),
    (
        Of4_3,
        r#"/constraints/3/properties/y/to = {"rotation": {}}"#,
        "warning unknown-key /constraints/3/properties/y/to/rotation",
    ),
    (
        Of4_3,
        r#"/constraints/3/properties = {"height": {"to": {"rotate": {}}}}"#,
        "warning unknown-key /constraints/3/properties/height",
    ),
    (Of4_3, r#"/constraints/3/source = "holder""#, "error missing-name /constraints/3/source"),
    (Of4_3, r#"/constraints/3/target = "hold""#, "warning unknown-key /constraints/3/target"),
    (Of4_3, r#"/constraints/0/type = "spring""#, "error json-value /constraints/0/type"),
    (Of4_3, r#"/constraints/1/name = "arm""#, "warning duplicate-name /constraints/1/name"),
    (
        Of4_3,
        r#"/constraints/- = {"type": "slider", "name": "dim", "animation": "lure"}"#,
        "warning duplicate-name /constraints/6/name",
    ),
    (
        Of4_3,
        r#"/constraints/- = {"type": "path", "name": "way", "bones": ["moth"], "slot": "way"}"#,
        "error missing-name /constraints/6/slot",
    ),
    (Of4_3, r#"/constraints/2/damping = -1"#, "warning bad-physics /constraints/2/damping"),
    (Of4_3, r#"/constraints/2/scaleY = "square""#, "error json-value /constraints/2/scaleY"),
    (Of4_3, r#"/ik = [{"name": "point", "bones": ["head"], "target": "mouse"}]"#, "error other-version /ik"),
    (
        Of4_3,
        r#"/animations/idle/drawOrderFolder = [{"slots": ["bulb", "lamp"], "keys": [{"time": 1}]}]"#,
        "error missing-name /animations/idle/drawOrderFolder/0/slots/1",
    ),
    (
        Of4_3,
        r#"/animations/idle/drawOrderFolder = [{"slots": ["bulb", "cord", "bulb"], "keys": [{"time": 1}]}]"#,
        "error draw-order /animations/idle/drawOrderFolder/0/slots/2",
    ),
    (
        Of4_3,
        r#"/animations/idle/drawOrderFolder = [{"slots": ["bulb", "cord"], "keys": [{"offsets": [{"slot": "base", "offset": 1}]}]}]"#,
        "error draw-order /animations/idle/drawOrderFolder/0/keys/0/offsets/0/slot",
    ),
    (
        Of4_3,
        r#"/skins/0/attachments/touch/touch = {"type": "clipping", "inverse": true, "end": "base", "vertexCount": 3, "vertices": [0, 0, 9, 0, 9, 9]}"#,
        "note endless-clip /skins/0/attachments/touch/touch",
    ),
    (Of4_3, r#"/bones/- = {"name": "dial"}"#, "note unused-bone /bones/9"),
    // The atlas.
    (Of4_2, "atlas: bounds: 101, 1, 22, 22 => bounds: 120, 1, 22, 22", "warning frame-outside line 13"),
    (Of4_2, "atlas: bulb => lightbulb", "error missing-region /skins/0/attachments/bulb/bulb"),
    (Of4_2, "atlas: paper-lamp.png => lamp.png", "error missing-image line 1"),
    (Of4_2, "atlas: size: 128, 128 => size: 128 x 128", "error atlas-value line 2"),
];

/// The files beside the lamp, with another atlas.
struct Beside {
    folder: Folder,
    atlas: String,
}

impl Sidecars for Beside {
    fn load(&self, path: &str, limits: &Limits) -> pchr::Result<Result<Bytes, String>> {
        if path.ends_with(".atlas") { Ok(Ok(self.atlas.clone().into())) } else { self.folder.load(path, limits) }
    }

    fn own_name(&self) -> Option<&str> {
        self.folder.own_name()
    }

    fn listing(&self, folder: &str) -> Arc<Listing> {
        self.folder.listing(folder)
    }

    fn nearby(&self) -> Vec<Nearby<'_>> {
        Vec::new()
    }

    fn size(&self, path: &str) -> Result<u64, String> {
        self.folder.size(path)
    }
}

fn change(skeleton: &mut Value, line: &str) {
    let (pointer, value) = match line.split_once(" = ") {
        Some((pointer, json)) => (pointer, Some(serde_json::from_str(json).expect(json))),
        None => (line, None),
    };
    let (parent, key) = pointer.rsplit_once('/').expect("a pointer");
    match (skeleton.pointer_mut(parent).expect(parent), value) {
        (Value::Object(fields), Some(value)) => _ = fields.insert(key.to_owned(), value),
        (Value::Object(fields), None) => _ = fields.remove(key).expect(pointer),
        (Value::Array(items), Some(value)) if key == "-" => items.push(value),
        (Value::Array(items), Some(value)) => items[key.parse::<usize>().expect(key)] = value,
        (Value::Array(items), None) => _ = items.remove(key.parse().expect(key)),
        (other, _) => panic!("{parent} is {other}"),
    }
}

fn findings(lamp: Lamp, changes: &str) -> Vec<Finding> {
    let path = lamp.path();
    let mut skeleton: Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
    let mut atlas = std::fs::read_to_string(path.with_extension("atlas")).unwrap();
    for line in changes.lines() {
        match line.strip_prefix("atlas: ").and_then(|line| line.split_once(" => ")) {
            Some((from, to)) => {
                assert!(atlas.contains(from), "{from}");
                atlas = atlas.replace(from, to);
            }
            None => change(&mut skeleton, line),
        }
    }
    let beside = Beside { folder: Folder::of(&path), atlas };
    let input = Input { bytes: serde_json::to_vec(&skeleton).unwrap().into(), sidecars: &beside };
    let found = examine(&input, &ReadOptions::default()).unwrap_or_else(|error| panic!("{changes}: {error}"));
    found.findings().to_vec()
}

fn described(findings: &[Finding]) -> Vec<String> {
    let describe = |found: &Finding| {
        let severity = format!("{:?}", found.severity).to_lowercase();
        format!("{severity} {} {}", found.fault.code, found.fault.place.path)
    };
    findings.iter().map(describe).collect()
}

#[test]
fn every_fault_of_a_generator_has_its_finding() {
    let mut wrong = Vec::new();
    for &(lamp, changes, expected) in FAULTS {
        let found = described(&findings(lamp, changes));
        if !found.iter().any(|found| found == expected) {
            wrong.push(format!("{changes}: expected {expected}, found {found:#?}"));
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), FAULTS.len(), wrong.join("\n"));
    assert!(FAULTS.len() >= 60);
}

/// What looks like a fault, but is none: a lamp and its changes.
const RIGHT: &[(Lamp, &str)] = &[
    // Before 4.0, all players take a colour of 6 digits for opaque.
    (Of3_8, r#"/slots/0/color = "ff8000""#),
    (Of4_2, r#"/slots/0/dark = "ff8000""#),
    (Of4_2, r#"/animations/hop/slots/bulb = {"rgb": [{"color": "ff8000"}]}"#),
    (Of4_2, r#"/animations/hop/slots/bulb = {"rgb2": [{"light": "ff8000", "dark": "000000"}]}"#),
    // Properties that drive a slider, and defaults of physics.
    (Of4_3, "/constraints/2 = {\"type\": \"physics\", \"name\": \"swing\", \"bone\": \"cord\", \"rotate\": 1}"),
    (Of4_3, r#"/constraints/3/properties/y/to = {"rotate": {"offset": 0.5}, "x": {"offset": 2, "max": -2}}"#),
    (
        Of4_3,
        r#"/skins/0/attachments/touch/touch = {"type": "clipping", "inverse": true, "end": "moth", "vertexCount": 3, "vertices": [0, 0, 9, 0, 9, 9]}"#,
    ),
    // A curve with handles that cross, as in the official examples.
    (
        Of4_2,
        r#"/animations/hop/bones/head = {"rotate": [{"time": 1, "curve": [1.5, 10, 0.2, 5]}, {"time": 1.4, "value": 15}]}"#,
    ),
    // Some bones have a key at 0, and no other animation moves those that have none.
    (
        Of4_2,
        r#"/animations/wait = {"bones": {"base": {"rotate": [{}]}, "moth": {"translatex": [{"time": 0.5}]}}}"#,
    ),
    (Of4_2, r#"/animations/wait = {"bones": {"head": {"rotate": [{"time": 0.5, "value": 9}]}}}"#),
    // Seconds and values that happen to be numbers from 0 to 1.
    (
        Of4_2,
        r#"/animations/hop/bones/head = {"scalex": [{"curve": [0.3, 1, 0.7, 0.5]}, {"time": 1, "value": 0.5}]}"#,
    ),
    (
        Of4_2,
        r#"/animations/hop/bones/head = {"rotate": [{"curve": [0.1, 0, 0.2, 0.5]}, {"time": 0.3, "value": 15}]}"#,
    ),
    (
        Of4_2,
        r#"/animations/hop/bones/head = {"rotate": [{"curve": [0.3, 0, 0.9, 0]}, {"time": 1.1, "value": 90}]}"#,
    ),
];

#[test]
fn what_looks_like_a_fault_but_is_none_has_no_finding() {
    for &(lamp, changes) in RIGHT {
        let found = findings(lamp, changes);
        assert!(found.iter().all(|found| found.severity == Severity::Note), "{changes}: {:?}", described(&found));
    }
}

#[test]
fn conformance_no_rig_has_curves_of_css_or_colours_without_alpha() {
    let parts = ["spine", "spine4", "spine-next"].into_iter();
    let (mut count, mut wrong) = (0, Vec::new());
    for path in parts.flat_map(|part| conformance_files(part, ".json")) {
        let input = Input { bytes: std::fs::read(&path).unwrap().into(), sidecars: NO_SIDECARS };
        let Ok(found) = examine(&input, &ReadOptions::default()) else { continue };
        count += 1;
        let is_wrong = |found: &&Finding| {
            found.fault.code == "short-color" || found.fault.to_string().contains("they look like shares")
        };
        wrong.extend(found.findings().iter().find(is_wrong).map(|found| format!("{}: {found:?}", path.display())));
    }
    say(&format!("{count} rigs have neither curves of CSS nor colours without alpha"));
    assert!(count > 100, "only {count}");
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n"));
}

/// A bone that gives a slider its time has an effect.
#[test]
fn the_bone_of_a_slider_is_used() {
    let dial = "/bones/- = {\"name\": \"dial\", \"x\": 70}\n/constraints/4/bone = \"dial\"";
    let found = described(&findings(Of4_3, dial));
    assert!(found.iter().all(|found| !found.contains("unused-bone")), "{found:?}");
}

#[test]
fn conformance_no_rig_of_4_3_has_constraints_without_an_effect() {
    let codes =
        ["drives-nothing", "slider-keys-itself", "unknown-key", "other-version", "duplicate-name", "bad-physics"];
    let (mut count, mut wrong) = (0, Vec::new());
    for path in conformance_files("spine-next/4.3", ".json") {
        let input = Input { bytes: std::fs::read(&path).unwrap().into(), sidecars: NO_SIDECARS };
        let found = examine(&input, &ReadOptions::default()).expect("can be examined");
        let is_wrong = |found: &&Finding| codes.contains(&found.fault.code);
        wrong.extend(
            found.findings().iter().filter(is_wrong).map(|found| format!("{}: {found:?}", path.display())),
        );
        count += 1;
    }
    assert!(count >= 40, "only {count}");
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn the_lamp_itself_has_none() {
    for lamp in [Of3_8, Of4_2, Of4_3] {
        let found = findings(lamp, "");
        assert!(found.iter().all(|found| found.severity == Severity::Note), "{:?}", described(&found));
    }
}
