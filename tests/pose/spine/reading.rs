//! Files that are rejected, findings, limits, and where pictures are.

use std::path::Path;

use super::{read, with, with_attachment};
use pchr::Character;
use pchr::diagnostics::{Diagnostics, Finding, Severity};
use pchr::formats::image::encode_png;
use pchr::formats::{Folder, Input, NO_SIDECARS, ReadOptions};
use pchr::limits::Limits;
use pchr::model::{Attachment, Vertices};

#[test]
fn errors_name_their_json_pointer() {
    let mesh = |rest: &str| with_attachment(&format!(r#"{{"type":"mesh","uvs":[0,0,1,0,1,1],{rest}}}"#));
    let triangle = r#""triangles":[0,1,2]"#;
    let mut faults = Vec::new();
    let animation = |rest: &str| with(&format!(r#","animations":{{"walk":{rest}}}"#));
    for (json, expected) in [
        ("".to_owned(), "byte 0: the file ends where a value should be (line 1, column 1)"),
        ("{\"bones\": [{}]}".into(), "/bones/0 (byte 11): missing field `name` (line 1, column 12)"),
        (
            r#"{"skeleton":{"spine":"4.4.24"},"bones":7}"#.into(),
            "/skeleton/spine: this is Spine 4.4.24; only Spine JSON 2.1 to 4.3 is supported: open the project in Spine \
             and export it as JSON, with `Version` set to 4.3 or 3.8",
        ),
        (
            r#"{"skeleton":{"spine":"1.9.18"}}"#.into(),
            "/skeleton/spine: this is Spine 1.9.18; only Spine JSON 2.1 to 4.3 is supported: open the project in Spine \
             and export it as JSON, with `Version` set to 4.3 or 3.8",
        ),
        (
            "\u{1}\u{7}3.8.75 and more".into(),
            "/skeleton/width (byte 16): the file ends too early: 4 bytes expected here, 1 left",
        ),
        (
            r#"{"bones":[{"name":"a","parent":"b"},{"name":"b","parent":"a"}]}"#.into(),
            "/bones/0/parent: bone `b` cannot be the parent of `a`: a parent must come before its children",
        ),
        (r#"{"bones":[{"name":"a","parent":"z"}]}"#.into(), "/bones/0/parent: no bone named `z`"),
        (r#"{"bones":[],"slots":[{"name":"s","bone":"z"}]}"#.into(), "/slots/0/bone: no bone named `z`"),
        (
            with(r#","ik":[{"name":"i","bones":["arm","root"],"target":"root"}]"#),
            "/ik/0/bones/1: the second bone, `root`, is not a child of the first, `arm`",
        ),
        (
            with(r#","transform":[{"name":"i","bones":["arm"],"target":"leg"}]"#),
            "/transform/0/target: no bone named `leg`",
        ),
        (
            with(r#","path":[{"name":"i","bones":[],"target":"s"}]"#),
            "/path/0/bones: a constraint must have at least one bone",
        ),
        (
            mesh(&format!(r#"{triangle},"vertices":[2,0,1,1,0.5]"#)),
            "/skins/0/attachments/s/a/vertices/0: vertex 0 has 2 bones, but the list has room for 1 to 1",
        ),
        (
            mesh(&format!(r#"{triangle},"vertices":[1,9,1,1,1, 1,0,1,1,1, 1,0,1,1,1]"#)),
            "/skins/0/attachments/s/a/vertices/1: bone 9 does not exist, the skeleton has 2",
        ),
        (
            mesh(r#""triangles":[0,1,3],"vertices":[0,0,1,0,1,1]"#),
            "/skins/0/attachments/s/a/triangles/2: vertex 3 does not exist, the mesh has 3",
        ),
        (
            with_attachment(r#"{"type":"linkedmesh","parent":"a"}"#),
            "/skins/0/attachments/s/a: the chain of linked meshes is longer than 64",
        ),
        (
            with_attachment(r#"{"type":"path","vertexCount":4,"vertices":[0,0,0,0,0,0,0,0],"lengths":[1]}"#),
            "/skins/0/attachments/s/a/vertexCount: 4 vertices; this type must have 6 to 65535",
        ),
        (
            with_attachment(r#"{"type":"clipping","end":"z","vertexCount":3,"vertices":[0,0,0,0,0,0]}"#),
            "/skins/0/attachments/s/a/end: no slot named `z`",
        ),
        (
            with_attachment(r#"{"width":1,"height":1,"color":"red"}"#),
            "/skins/0/attachments/s/a/color: `red` is not a colour; expected 6 or 8 hexadecimal digits",
        ),
        (
            animation(r#"{"bones":{"leg":{}}}"#),
            "/animations/walk/bones/leg: no bone named `leg`; available: `root`, `arm`",
        ),
        (
            animation(r#"{"drawOrder":[{"offsets":[{"slot":"s","offset":1}]}]}"#),
            "/animations/walk/drawOrder/0/offsets/0/offset: slot 0 cannot move by 1 places: that place is \
             taken or outside the 1 slots",
        ),
        (animation(r#"{"events":[{"name":"e"}]}"#), "/animations/walk/events/0/name: no event named `e`"),
        (
            animation(r#"{"bones":{"arm":{"rotate":[{"curve":"bouncy"}]}}}"#),
            "/animations/walk/bones/arm/rotate/0/curve (byte 210): invalid value: string \"bouncy\", expected a \
             number, a list of numbers, or `stepped` (line 1, column 211)",
        ),
    ] {
        let error = read(&json).expect_err(&json).to_string();
        if error != expected {
            faults.push(format!("{error}\n  expected {expected}"));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn oddities_are_reported_and_the_file_plays() {
    let json = with(
        r#","extra":1,"skins":[{"name":"default","attachments":{"s":{"a":{"type":"point","glow":2}}}}],"animations":{
            "walk":{"slots":{"s":{"attachment":[{"name":"hat"}]}},"bones":{"arm":{"rotate":[{"time":1},{"time":0}]}}}}"#,
    );
    let (character, diagnostics) = read(&json).unwrap();
    let found: Vec<String> = diagnostics.findings().iter().map(|finding| finding.fault.to_string()).collect();
    assert_eq!(
        found,
        [
            "/extra: unknown key; it is ignored",
            "/skins/0/attachments/s/a/glow: unknown key; it is ignored",
            "/animations/walk/slots/s/attachment/0/name: no skin has an attachment `hat` in this slot; nothing is drawn",
            "/animations/walk/bones/arm/rotate: the keys are not ordered by time; they are sorted",
        ]
    );
    assert!(matches!(character.model().attachments()[..], [Attachment::Point(_)]));
}

#[test]
fn keys_that_change_nothing_are_one_note() {
    let empty: String =
        (0..20).map(|at| format!(r#","k{at}":{}"#, ["{}", "[]", "\"\"", "null"][at % 4])).collect();
    let json = with(&empty).replace(r#""spine":"3.8.99""#, r#""author":"somebody","spine":"3.8.99""#);
    let (_, diagnostics) = read(&json).expect("it is valid");
    let is_about_keys = |found: &&Finding| found.fault.code != "unknown-attachment";
    let found: Vec<&Finding> = diagnostics.findings().iter().filter(is_about_keys).collect();
    assert!(found.len() == 1 && found[0].severity == Severity::Note, "{found:?}");
    let message = found[0].fault.to_string();
    assert!(message.starts_with("/skeleton/author: ") && message.ends_with(" and 13 more"), "{message}");
    // Content may have been meant to change something, and numbers beside the marks of an author.
    for (from, to, place) in [
        (r#""skins""#, r#""skinz":{"a":1},"skins""#, "/skinz"),
        (r#""skins""#, r#""skinz":"a","skins""#, "/skinz"),
        (r#""spine":"3.8.99""#, r#""spine":"3.8.99","referenceScal":50"#, "/skeleton/referenceScal"),
        (r#""name":"arm","#, r#""name":"arm","inheritScale":false,"#, "/bones/1/inheritScale"),
    ] {
        let json = with(r#","skins":[]"#).replacen(from, to, 1);
        let (_, diagnostics) = read(&json).expect("it is valid");
        let unknown = diagnostics.warnings().filter(|fault| fault.code == "unknown-key");
        assert_eq!(unknown.map(|fault| &*fault.place.path).collect::<Vec<_>>(), [place], "{to}");
    }
    let json = with("").replace(r#""name":"arm","#, r#""name":"arm","inheritScale":true,"#);
    let (_, diagnostics) = read(&json).expect("it is valid");
    assert!(diagnostics.warnings().all(|fault| fault.code != "unknown-key"), "{diagnostics:?}");
}

#[test]
fn limits_are_enforced() {
    let json = with_attachment(r#"{"width":1,"height":1}"#);
    let read_within = |name: &str, value| {
        let mut limits = Limits::default();
        assert!(limits.set(name, value));
        let options = ReadOptions { limits, ..ReadOptions::default() };
        let input = Input { bytes: json.as_bytes().to_vec().into(), sidecars: NO_SIDECARS };
        pchr::formats::spine::read_character(&input, &options, &mut Diagnostics::default()).map(|_| ())
    };
    for (name, enough) in
        [("records", 5), ("json-depth", 6), ("file-bytes", json.len() as u64), ("memory-bytes", 10_000)]
    {
        read_within(name, enough).unwrap_or_else(|error| panic!("{name}: {error}"));
        let little = if name == "memory-bytes" { 1_000 } else { enough - 1 };
        let error = read_within(name, little).expect_err(name);
        assert_eq!(error.code(), "limit-exceeded", "{name}: {error}");
    }
    let bones: Vec<String> = (0..3000).map(|bone| format!(r#"{{"name":"{bone}"}}"#)).collect();
    let ik: Vec<String> = (0..6000).map(|ik| format!(r#"{{"name":"{ik}","bones":["1"],"target":"2"}}"#)).collect();
    let error = read(&format!(r#"{{"bones":[{}],"ik":[{}]}}"#, bones.join(","), ik.join(","))).unwrap_err();
    assert_eq!(error.code(), "too-many", "{error}");
}

/// A page of 64 × 32 pixels with a rotated picture of 20 × 10, trimmed by 4 pixels on the left and 2 below.
const ATLAS: &str =
    "page.png\nsize: 64, 32\npma: true\nhat\nbounds: 2, 4, 16, 8\noffsets: 4, 2, 20, 10\nrotate: 90\n";

/// Returns the character at `path`, and the findings.
fn first_mesh(path: &Path, options: &ReadOptions) -> (Character, Vec<String>) {
    let mut diagnostics = Diagnostics::default();
    let bytes = std::fs::read(path).expect("a readable file").into();
    let input = Input { bytes, sidecars: &Folder::of(path) };
    let character = pchr::formats::spine::read_character(&input, options, &mut diagnostics).expect("a valid file");
    let found = diagnostics.findings().iter().map(|finding| finding.fault.to_string()).collect();
    (character, found)
}

fn corners(character: &Character) -> Vec<([f32; 2], [f32; 2])> {
    let mesh = character.model().attachments()[0].mesh().expect("a mesh");
    let Vertices::SkinN(vertices) = &mesh.vertices else { panic!("lists") };
    vertices.iter().map(|vertex| (vertex.influences[0].position.to_array(), vertex.uv.to_array())).collect()
}

#[test]
fn pictures_are_in_an_atlas_or_loose() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name);
    let json = with_attachment(r#"{"path":"hat","width":40,"height":20,"x":100}"#);
    let json = json.replace(r#""spine":"3.8.99""#, r#""spine":"3.8.99","images":"./images/""#);
    std::fs::write(file("hero-pro.json"), json).unwrap();
    let png =
        |width: u32, height: u32| encode_png(width, height, &vec![255; (width * height * 4) as usize]).unwrap();
    let plain = ReadOptions::default();

    let (character, found) = first_mesh(&file("hero-pro.json"), &plain);
    let missing = "/skins/0/attachments/s/a: `images/hat.png` does not exist; it is drawn in a neutral colour";
    assert_eq!((found, character.model().pages().len()), (vec![missing.to_owned()], 0));

    std::fs::create_dir(file("images")).unwrap();
    std::fs::write(file("images/hat.png"), png(20, 10)).unwrap();
    let (character, found) = first_mesh(&file("hero-pro.json"), &plain);
    assert!(found.is_empty(), "{found:?}");
    assert_eq!((character.model().pages()[0].width, character.model().pages()[0].is_premultiplied), (20, false));
    assert_eq!(corners(&character)[0], ([80.0, -10.0], [0.0, 1.0]));

    // Found by the file name without its suffix. Regions are in pixels of the actual picture, whatever size the
    // atlas states.
    std::fs::write(file("hero.atlas"), ATLAS).unwrap();
    std::fs::write(file("other.atlas"), "other.png\n").unwrap();
    let (character, found) = first_mesh(&file("hero-pro.json"), &plain);
    let missing = "hero.atlas: line 1: `page.png` does not exist; its attachments have no image";
    assert_eq!((found, character.model().pages().len()), (vec![missing.to_owned()], 0));
    std::fs::write(file("page.png"), png(128, 64)).unwrap();
    let (character, found) = first_mesh(&file("hero-pro.json"), &plain);
    let other_size =
        "hero.atlas: line 1: the atlas states 64×32 for `page.png`, but it is 128×64; regions use the actual size";
    assert_eq!(found, [other_size]);
    assert!(character.model().pages()[0].is_premultiplied);
    // Twice as large as in the atlas, 8 and 4 pixels of the whole trimmed; lower left is lower right on the page.
    let at = |x: f32, y: f32| [x / 128.0, y / 64.0];
    let expected = [
        ([88.0, -6.0], at(10.0, 20.0)),
        ([88.0, 10.0], at(2.0, 20.0)),
        ([120.0, 10.0], at(2.0, 4.0)),
        ([120.0, -6.0], at(10.0, 4.0)),
    ];
    assert_eq!(corners(&character), expected);

    let elsewhere = tempfile::tempdir().unwrap();
    let options = ReadOptions { atlases: vec![elsewhere.path().join("any.atlas")], ..ReadOptions::default() };
    std::fs::write(elsewhere.path().join("any.atlas"), "far.png\ncap\nbounds: 0, 0, 2, 2\n").unwrap();
    std::fs::write(elsewhere.path().join("far.png"), png(2, 2)).unwrap();
    let (character, found) = first_mesh(&file("hero-pro.json"), &options);
    let missing = "/skins/0/attachments/s/a: the atlas has no region `hat`; it is drawn in a neutral colour";
    assert_eq!((found, &*character.model().pages()[0].name), (vec![missing.to_owned()], "far.png"));
}

/// What a linked mesh copies is charged for each copy.
#[test]
fn linked_meshes_are_charged_for_their_triangles() {
    let triangles = vec!["0"; 90_000].join(",");
    let mesh = format!(
        r#""a":{{"type":"mesh","uvs":[0,0,1,0,0,1],"vertices":[0,0,1,0,0,1],"triangles":[{triangles}],"hull":3}}"#
    );
    let with_links = |count: usize| {
        let link = |index| format!(r#","l{index}":{{"type":"linkedmesh","parent":"a"}}"#);
        let links: String = (0..count).map(link).collect();
        with(&format!(r#","skins":[{{"name":"default","attachments":{{"s":{{{mesh}{links}}}}}}}]"#))
    };
    let read = |json: String| {
        let mut options = ReadOptions::default();
        options.limits.memory_bytes = 4 << 20;
        let input = Input { bytes: json.into_bytes().into(), sidecars: NO_SIDECARS };
        pchr::formats::spine::read_character(&input, &options, &mut Diagnostics::default())
    };
    assert!(read(with_links(2)).is_ok());
    let error = read(with_links(100)).expect_err("it is beyond the limit");
    assert_eq!(error.code(), "limit-exceeded", "{error}");
}

#[test]
fn names_of_modes_may_begin_with_a_capital_letter() {
    let json = with("").replace(r#""3.8.99""#, r#""4.2.43""#);
    let inherits = |mode: &str| {
        let json = json.replace(r#""name":"arm","#, &format!(r#""name":"arm","inherit":"{mode}","#));
        let character = read(&json).unwrap_or_else(|error| panic!("{mode}: {error}")).0;
        let arm = character.model().skeleton().find("arm").expect("a bone");
        pchr::motion::inheritance(&character, arm)
    };
    for mode in ["normal", "onlyTranslation", "noRotationOrReflection", "noScale", "noScaleOrReflection"] {
        let capital = mode[..1].to_uppercase() + &mode[1..];
        assert_eq!(inherits(mode), inherits(&capital), "{mode}");
    }
}
