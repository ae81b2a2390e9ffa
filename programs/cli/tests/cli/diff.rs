//! `pchr diff` through the binary: every kind of difference is found and located, and nothing else is reported.

use std::fs;
use std::io::Write as _;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use crate::common;
use crate::common::v1::write;
use crate::common::v1::{Animation, BoneTransform, File, Mesh, Vertex};
use crate::common::{bone, triangle, white};
use pchr::formats::image::encode_png;
use serde_json::{Value, json};
use tempfile::TempDir;

/// A root, two bones on it, a triangle on each, a still `bind` and a `wave` of three frames.
struct Parts {
    file: File,
    corners: [[Vertex; 3]; 2],
    triangles: [Vec<u16>; 2],
    wave: Vec<Vec<BoneTransform>>,
}

impl Parts {
    fn new() -> Self {
        let at = |x, y| BoneTransform { x, y, ..BoneTransform::default() };
        let rest = vec![at(0.0, 0.0), at(0.0, 10.0), at(5.0, 10.0)];
        let mut image = white("atlas", 4, 4);
        let mut pixels = vec![255; 64];
        pixels[3] = 0;
        image.data = pixels.into();
        Self {
            file: File {
                fps: 24,
                images: vec![image],
                bones: vec![bone("root", -1), bone("left", 0), bone("right", 0)],
                meshes: vec![Mesh::default(), Mesh::default()],
                animations: vec![Animation::new("bind", false, std::slice::from_ref(&rest)), Animation::default()],
                ..File::default()
            },
            corners: [triangle(1), triangle(2)],
            triangles: [vec![0, 1, 2], vec![0, 1, 2]],
            wave: vec![rest; 3],
        }
    }

    fn bytes(mut self) -> Vec<u8> {
        for (index, name) in ["flag", "banner"].into_iter().enumerate() {
            let name = if self.file.meshes[index].name.is_empty() { name } else { &*self.file.meshes[index].name };
            self.file.meshes[index] = Mesh::new(name, 0, &self.corners[index], &self.triangles[index]);
        }
        let last = self.file.animations.len() - 1;
        let looping = self.file.animations[last].flags != 0;
        self.file.animations[last] = Animation::new("wave", looping, &self.wave);
        write(&self.file).expect("a valid file")
    }
}

struct Bench(TempDir);

impl Bench {
    fn new() -> Self {
        let bench = Self(TempDir::new().expect("a temporary folder"));
        bench.put("a.pchr", &Parts::new().bytes());
        bench
    }

    fn put(&self, name: &str, bytes: &[u8]) {
        fs::write(self.0.path().join(name), bytes).expect("can be written");
    }

    fn command(&self, args: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_pchr"));
        command.current_dir(self.0.path()).arg("diff").args(args.split_whitespace()).stdin(Stdio::null());
        command
    }

    #[track_caller]
    fn run(&self, args: &str, code: i32) -> Output {
        let output = self.command(args).output().expect("the program runs");
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "pchr diff {args}\n{}{message}", stdout(&output));
        output
    }

    #[track_caller]
    fn json(&self, args: &str, code: i32) -> Value {
        serde_json::from_slice(&self.run(&format!("{args} --json"), code).stdout).expect("JSON on stdout")
    }
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

impl Bench {
    /// `pchr` with some arguments, in the folder of the bench.
    #[track_caller]
    fn pchr(&self, args: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_pchr"));
        let output = command.current_dir(self.0.path()).args(args).output().expect("the program runs");
        assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
        output
    }
}

/// Writes a sheet of two frames of four pixels whose image is named after the file.
fn put_sheet(bench: &Bench, name: &str) {
    let frame = |index: u32| {
        let rect = json!({"x": 2 * index, "y": 0, "w": 2, "h": 2});
        json!({"filename": format!("walk {index}"), "frame": rect, "rotated": false, "trimmed": false,
            "spriteSourceSize": {"x": 0, "y": 0, "w": 2, "h": 2}, "sourceSize": {"w": 2, "h": 2}, "duration": 100})
    };
    let sheet = json!({"frames": [frame(0), frame(1)], "meta": {"image": format!("{name}.png"), "size": {"w": 4, "h": 2},
        "frameTags": [{"name": "walk", "from": 0, "to": 1, "direction": "forward"}]}});
    let pixels: Vec<u8> = (0..4 * 2 * 4).map(|byte| if byte % 4 == 3 { 255 } else { byte as u8 * 8 }).collect();
    bench.put(&format!("{name}.json"), sheet.to_string().as_bytes());
    bench.put(&format!("{name}.png"), &encode_png(4, 2, &pixels).expect("pixels"));
}

#[test]
fn image_names_derived_from_the_file_name_are_equal() {
    let bench = Bench::new();
    put_sheet(&bench, "walk");
    // Every conversion to a format without image names, and conversions of each result.
    let mut sources = vec!["walk.json".to_owned()];
    for (index, (to, ends)) in
        [("sheet", "json"), ("sheet-hash", "json"), ("sheet-multiatlas", "json"), ("sheet-packed", "sprsh")]
            .into_iter()
            .enumerate()
    {
        for (number, source) in sources.clone().iter().enumerate() {
            let output = format!("to-{index}-{number}.{ends}");
            bench.pchr(&["convert", source, "-o", &output, "--to", to]);
            for other in ["walk.json", source] {
                let same = stdout(&bench.run(&format!("{other} {output}"), 0));
                assert!(same.starts_with("same: "), "{same}");
            }
            sources.push(output);
        }
    }
    assert_eq!(sources.len(), 16);
    // Pixels are compared, whatever the name of the image.
    let mut other = fs::read(bench.0.path().join("walk.png")).expect("a picture");
    other = encode_png(4, 2, &vec![255; other.len().max(32)][..32]).expect("pixels");
    put_sheet(&bench, "run");
    bench.put("run.png", &other);
    let found = bench.json("walk.json run.json", 1);
    assert_eq!(found["images"][0]["found_in"], "both", "{found}");
    assert_eq!(found["images"][0]["pixels"]["count"], 8);
    for list in ["meshes", "bones", "poses", "animations"] {
        assert_eq!(found[list], json!([]), "{list}");
    }
}

#[test]
fn lossless_conversions_are_the_same() {
    let bench = Bench::new();
    bench.put(
        "knight.pchr",
        &fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/paper-knight.pchr")).expect("it"),
    );
    let forms = [("pchr", "pchr"), ("pchr-json", "json"), ("pachario", "json"), ("pachario-packed", "pchr")];
    let mut sources = vec!["knight.pchr".to_owned()];
    for (index, (to, ends)) in forms.into_iter().enumerate() {
        let output = format!("{index}/zebra.{ends}");
        let message = bench.pchr(&["convert", "knight.pchr", "-o", &output, "--to", to]);
        let message = String::from_utf8_lossy(&message.stderr).into_owned();
        assert!(message.starts_with("note: wrote") && message.lines().count() == 1, "{message}");
        bench.run(&format!("knight.pchr {output}"), 0);
        sources.push(output);
    }
    for (index, (to, ends)) in forms.into_iter().enumerate() {
        for (number, source) in sources.iter().enumerate() {
            let output = format!("again-{index}-{number}/lion.{ends}");
            bench.pchr(&["convert", source, "-o", &output, "--to", to]);
            bench.run(&format!("{source} {output}"), 0);
        }
    }
}

#[test]
fn json_has_paths_as_they_were_given() {
    let bench = Bench::new();
    fs::create_dir(bench.0.path().join("deep")).expect("a folder");
    bench.put("deep/b.pchr", &Parts::new().bytes());
    let whole = bench.0.path().join("deep/b.pchr").to_string_lossy().replace(std::path::MAIN_SEPARATOR, "/");
    for given in ["deep/b.pchr", &whole] {
        let found = bench.json(&format!("a.pchr {given}"), 0);
        assert_eq!((&found["a"]["file"], &found["b"]["file"]), (&json!("a.pchr"), &json!(given)));
        let printed =
            |args: &[&str]| -> Value { serde_json::from_slice(&bench.pchr(args).stdout).expect("JSON on stdout") };
        assert_eq!(printed(&["inspect", "--json", given])["files"][0]["file"], given);
        assert_eq!(printed(&["validate", "--style", "json", given])["files"][0]["file"], given);
        bench.pchr(&[
            "convert",
            given,
            "-o",
            "c.json",
            "--to",
            "pchr-json",
            "--loss-report",
            "lost.json",
            "--force",
        ]);
        let lost: Value =
            serde_json::from_slice(&fs::read(bench.0.path().join("lost.json")).expect("a report")).expect("JSON");
        assert_eq!(lost["input"], given);
        // Annotations must be valid on other machines: relative to the working folder.
        bench.put("deep/c.pchr", b"PCHR");
        let broken = given.replace("b.pchr", "c.pchr");
        let mut command = Command::new(env!("CARGO_BIN_EXE_pchr"));
        let output = command.current_dir(bench.0.path()).args(["validate", "--style", "github", &broken]).output();
        assert!(stdout(&output.expect("the program runs")).starts_with("::error file=deep/c.pchr,"));
    }
    let folder = bench.0.path().join("deep").to_string_lossy().replace(std::path::MAIN_SEPARATOR, "/");
    fs::remove_file(bench.0.path().join("deep/c.pchr")).expect("an existing file");
    for (given, expected) in [("deep", "deep/b.pchr".to_owned()), (&folder, whole.clone())] {
        let printed = bench.pchr(&["validate", "--style", "json", given]);
        let found: Value = serde_json::from_slice(&printed.stdout).expect("JSON on stdout");
        assert_eq!(found["files"][0]["file"], *expected);
    }
}

/// A change, the JSON pointer of the difference, and the expected value.
type Change = (fn(&mut Parts), &'static [(&'static str, &'static str)]);

/// Changes with all differences that they cause: lists that are not mentioned must be empty.
const CHANGES: &[Change] = &[
    // Images.
    (
        |parts| parts.file.images[0].name = "page".to_owned(),
        &[
            (
                "images",
                r#"[{"found_in":"a","name":"atlas","occurrence":0},{"found_in":"b","name":"page","occurrence":0}]"#,
            ),
            ("meshes/0/image", r#"{"a":{"name":"atlas","occurrence":0},"b":{"name":"page","occurrence":0}}"#),
            ("meshes/1/name", r#""banner""#),
        ],
    ),
    (|parts| parts.file.images[0] = white("atlas", 8, 4), &[("images/0/size", r#"{"a":[4,4],"b":[8,4]}"#)]),
    (
        |parts| {
            let mut pixels = vec![255; 64];
            // The colour of the first pixel is invisible, that of the second is not.
            pixels[0..8].copy_from_slice(&[9, 9, 9, 0, 250, 255, 245, 255]);
            parts.file.images[0].data = pixels.into();
        },
        &[("images", r#"[{"found_in":"both","name":"atlas","occurrence":0,"pixels":{"count":1,"largest":10}}]"#)],
    ),
    // Bones.
    (
        |parts| parts.file.bones.push(bone("left", 1)),
        &[("bones", r#"[{"found_in":"b","name":"left","occurrence":1}]"#)],
    ),
    (
        |parts| parts.file.bones[2].parent = 1,
        &[
            ("bones/0/name", r#""right""#),
            ("bones/0/parent", r#"{"a":{"name":"root","occurrence":0},"b":{"name":"left","occurrence":0}}"#),
            // It is 10 units higher in every pose, including the bind pose, so no vertex moves.
            ("poses/0/animation", "null"),
            ("poses/0/bones/distance", "10.0"),
            ("poses/1/animation/name", r#""bind""#),
            ("poses/2/animation/name", r#""wave""#),
            (
                "poses/2/bones",
                r#"{"bone":{"name":"right","occurrence":0},"distance":10.0,"frame":0,"frames":3,"part":"origin"}"#,
            ),
        ],
    ),
    // Meshes.
    (
        |parts| parts.file.meshes[1].name = "flag".to_owned(),
        &[(
            "meshes",
            r#"[{"found_in":"a","name":"banner","occurrence":0},{"found_in":"b","name":"flag","occurrence":1}]"#,
        )],
    ),
    (
        |parts| {
            parts.file.meshes[0].name = "banner".to_owned();
            parts.file.meshes[1].name = "flag".to_owned();
            parts.corners.swap(0, 1);
        },
        &[
            ("meshes", r#"[{"found_in":"both","name":"flag","occurrence":0,"order":{"a":0,"b":1}}]"#),
            ("poses/0/draw_order/a", r#"{"name":"flag","occurrence":0}"#),
            ("poses/1/draw_order/b", r#"{"name":"banner","occurrence":0}"#),
            ("poses/2/draw_order/frames", "3"),
        ],
    ),
    (
        |parts| {
            parts.corners[0][1].x += 3.0;
            parts.corners[0][2].y += 4.0;
        },
        &[
            ("meshes/0/positions", r#"{"count":2,"largest":4.0,"vertex":2}"#),
            ("poses/0/vertices/distance", "4.0"),
            ("poses/1/vertices/vertex", "2"),
            (
                "poses/2/vertices",
                r#"{"distance":4.0,"frame":0,"frames":3,"mesh":{"name":"flag","occurrence":0},"vertex":2}"#,
            ),
        ],
    ),
    (|parts| parts.corners[1][1].v = 0.5, &[("meshes/0/uv", r#"{"count":1,"largest":2.0,"vertex":1}"#)]),
    (
        |parts| {
            parts.corners[1][0].bone_ids = [2, 1, 0, 0];
            parts.corners[1][0].bone_weights = [0.75, 0.25, 0.0, 0.0];
        },
        &[("meshes/0/weights", r#"{"count":1,"largest":0.25,"vertex":0}"#)],
    ),
    (
        |parts| parts.corners[1].iter_mut().for_each(|corner| corner.bone_ids[0] = 1),
        &[
            ("meshes/0/bone", r#"{"a":{"name":"right","occurrence":0},"b":{"name":"left","occurrence":0}}"#),
            ("meshes/0/weights", r#"{"count":3,"largest":1.0,"vertex":0}"#),
        ],
    ),
    (|parts| parts.triangles[0] = vec![0, 2, 1], &[("meshes/0/triangles", r#"{"a":1,"b":1,"different":1}"#)]),
    (|parts| parts.triangles[0].extend([0, 2, 1]), &[("meshes/0/triangles", r#"{"a":1,"b":2,"different":0}"#)]),
    // Animations.
    (
        |parts| parts.file.fps = 30,
        &[("animations/0/fps", r#"{"a":24.0,"b":30.0}"#), ("animations/1/name", r#""wave""#)],
    ),
    (
        |parts| parts.file.animations[1].flags = Animation::LOOP,
        &[("animations", r#"[{"found_in":"both","looping":{"a":false,"b":true},"name":"wave","occurrence":0}]"#)],
    ),
    (|parts| drop(parts.wave.pop()), &[("animations/0/frames", r#"{"a":3,"b":2}"#)]),
    (
        |parts| parts.file.animations.insert(1, parts.file.animations[0].clone()),
        &[("animations", r#"[{"found_in":"b","name":"bind","occurrence":1}]"#)],
    ),
    // Poses.
    (
        |parts| {
            parts.wave[1][1].x = 1.0;
            parts.wave[2][1].x = 2.0;
        },
        &[
            ("poses/0/animation", r#"{"name":"wave","occurrence":0}"#),
            (
                "poses/0/bones",
                r#"{"bone":{"name":"left","occurrence":0},"distance":2.0,"frame":2,"frames":2,"part":"origin"}"#,
            ),
            ("poses/0/vertices/frame", "2"),
        ],
    ),
    (
        |parts| parts.wave[1][2].scale_y = 1.5,
        &[
            ("poses/0/bones/part", r#""y-axis""#),
            ("poses/0/bones/distance", "0.5"),
            ("poses/0/vertices/distance", "5.0"),
        ],
    ),
    (
        |parts| parts.wave[1][1].flags = 0,
        &[(
            "poses/0/visibility",
            r#"{"frame":1,"frames":1,"mesh":{"name":"flag","occurrence":0},"shown_in":"a"}"#,
        )],
    ),
    (
        |parts| parts.wave[2][1].z_order = 1,
        &[(
            "poses/0/draw_order",
            r#"{"a":{"name":"flag","occurrence":0},"b":{"name":"banner","occurrence":0},"frame":2,"frames":1}"#,
        )],
    ),
];

#[test]
fn every_change_is_reported_at_its_place_only() {
    let bench = Bench::new();
    for (number, (change, expected)) in CHANGES.iter().enumerate() {
        let mut parts = Parts::new();
        change(&mut parts);
        if parts.file.bones.len() > 3 {
            parts.wave.iter_mut().for_each(|frame| frame.push(BoneTransform::default()));
            parts.file.animations[0] = Animation::new("bind", false, &parts.wave[..1]);
        }
        bench.put("b.pchr", &parts.bytes());
        let found = bench.json("a.pchr b.pchr", 1);
        assert_eq!(found["same"], json!(false), "change {number}");
        for (place, message) in *expected {
            let message: Value = serde_json::from_str(message).expect("JSON in the table");
            assert_eq!(
                found.pointer(&format!("/{place}")),
                Some(&message),
                "change {number}: {place} in\n{found:#}"
            );
        }
        // Every list has as many entries as in the table.
        for list in ["animations", "bones", "images", "meshes", "poses"] {
            let of_list =
                expected.iter().filter_map(|(place, message)| Some((place.strip_prefix(list)?, message)));
            let count = of_list.map(|(place, message)| match place.split('/').nth(1) {
                Some(index) => index.parse::<usize>().expect("an index") + 1,
                None => serde_json::from_str::<Vec<Value>>(message).expect("a list").len(),
            });
            let count = count.max().unwrap_or(0);
            assert_eq!(found[list].as_array().map(Vec::len), Some(count), "change {number}: {list} in\n{found:#}");
        }
        // The reverse comparison finds it too.
        assert_eq!(bench.json("b.pchr a.pchr", 1)["same"], json!(false));
    }
}

#[test]
fn different_bytes_with_the_same_meaning_are_equal() {
    let bench = Bench::new();
    let mut parts = Parts::new();
    // The same triangle beginning at another corner, a weight that is split and in another place, an invisible
    // colour.
    parts.triangles[0] = vec![1, 2, 0];
    for corner in &mut parts.corners[0] {
        corner.bone_ids = [0, 1, 1, 0];
        corner.bone_weights = [0.0, 0.5, 0.5, -1.0];
    }
    let mut pixels = vec![255; 64];
    pixels[..4].copy_from_slice(&[1, 2, 3, 0]);
    parts.file.images[0].data = pixels.into();
    bench.put("b.pchr", &parts.bytes());
    assert_eq!(bench.json("a.pchr b.pchr --epsilon 0", 0)["same"], json!(true));
}

#[test]
fn duplicate_names_are_matched_in_order() {
    let bench = Bench::new();
    let twins = |names: [&str; 2]| {
        let mut parts = Parts::new();
        parts.file.bones[1].name = names[0].to_owned();
        parts.file.bones[2].name = names[1].to_owned();
        parts.wave[1][2].y += if names[0] == names[1] { 1.0 } else { 0.0 };
        parts.bytes()
    };
    bench.put("b.pchr", &twins(["arm", "arm"]));
    bench.run("b.pchr b.pchr", 0);
    bench.put("c.pchr", &{
        let mut parts = Parts::new();
        parts.file.bones[1].name = "arm".to_owned();
        parts.file.bones[2].name = "arm".to_owned();
        parts.bytes()
    });
    let found = bench.json("b.pchr c.pchr", 1);
    assert_eq!(found["poses"][0]["bones"]["bone"], json!({"name": "arm", "occurrence": 1}));
    assert!(stdout(&bench.run("b.pchr c.pchr", 1)).contains("origin of arm (no. 2), frame 1"));
    // The order of bones does not matter.
    bench.put("b.pchr", &twins(["right", "left"]));
    let found = bench.json("a.pchr b.pchr", 1);
    assert_eq!(found["bones"], json!([]));
}

#[test]
fn epsilon_ignores_noise_but_not_changes() {
    let bench = Bench::new();
    for (shift, epsilon, code) in [
        (0.000_5, "", 0),
        (0.000_5, "--epsilon 0", 1),
        (0.000_5, "--epsilon 0.0001", 1),
        (0.01, "", 1),
        (0.01, "--epsilon 0.1", 0),
    ] {
        let mut parts = Parts::new();
        parts.wave[1][1].x += shift;
        parts.corners[1][0].x += shift;
        parts.corners[1][0].u += shift / 4.0;
        bench.put("b.pchr", &parts.bytes());
        bench.run(&format!("a.pchr b.pchr {epsilon}"), code);
    }
    // Weights are compared by how far they move a vertex in a mesh of ten units.
    for (off, code) in [(0.000_05, 0), (0.000_5, 1)] {
        let mut parts = Parts::new();
        parts.corners[1][0].bone_weights = [1.0 - off, 0.0, 0.0, 0.0];
        bench.put("b.pchr", &parts.bytes());
        let found = bench.json("a.pchr b.pchr", code);
        assert_eq!(found["meshes"][0].get("weights").is_some(), code == 1);
    }
}

#[test]
fn reading_options_apply_to_both_files() {
    let bench = Bench::new();
    assert_eq!(bench.json("a.pchr a.pchr --y-down --flip-v --bind-pose wave:1", 0)["same"], json!(true));
    bench.run("a.pchr a.pchr --bind-pose dance", 2);
    bench.run("a.pchr a.pchr --limit pixels=3", 3);
}

#[test]
fn the_first_line_lists_what_differs() {
    let bench = Bench::new();
    let same = stdout(&bench.run("a.pchr a.pchr", 0));
    assert_eq!(same, "same: a.pchr and a.pchr, 5 poses within 0.001 world units\n");
    let mut parts = Parts::new();
    parts.wave[1][1].x = 1.0;
    parts.file.bones[2].name = "horn".to_owned();
    bench.put("b.pchr", &parts.bytes());
    let text = stdout(&bench.run("a.pchr b.pchr", 1));
    let first = "differs: a.pchr → b.pchr in bones, meshes and poses, within 0.001 world units\n";
    assert!(text.starts_with(first), "{text}");
    let bones = "\nbones: 3\n  - right\n  + horn\n";
    let wave = "  ~ wave  bones: up to 1 units, origin of left, frame 1; in 1 of 3 frames\n          vertices: up to 1 units";
    assert!(text.contains(bones) && text.contains(wave), "{text}");
    // Names cannot contain terminal control sequences.
    let mut parts = Parts::new();
    parts.file.bones[2].name = "\u{1b}[2J".to_owned();
    bench.put("b.pchr", &parts.bytes());
    let text = stdout(&bench.run("a.pchr b.pchr", 1));
    assert!(text.contains("+ \\u{1b}[2J") && !text.contains('\u{1b}'), "{text}");
}

#[test]
fn exit_codes_and_quiet_mode() {
    let bench = Bench::new();
    bench.put("b.pchr", b"no character");
    bench.run("a.pchr", 2);
    bench.run("- -", 2);
    bench.run("a.pchr a.pchr --epsilon -1", 2);
    bench.run("a.pchr b.pchr", 3);
    bench.run("nothing.pchr a.pchr", 3);
    let mut parts = Parts::new();
    parts.file.fps = 25;
    parts.corners[0][0].bone_weights[3] = -1.0;
    bench.put("c.pchr", &parts.bytes());
    for (args, code) in [("a.pchr c.pchr -q", 1), ("-q c.pchr c.pchr", 0)] {
        let output = bench.run(args, code);
        assert!(output.stdout.is_empty() && output.stderr.is_empty(), "{args}");
    }
    assert!(String::from_utf8_lossy(&bench.run("c.pchr c.pchr", 0).stderr).contains("negative-weight"));
}

#[test]
fn one_file_may_be_standard_input() {
    let bench = Bench::new();
    for args in ["- a.pchr --json", "a.pchr - --json"] {
        let mut child =
            bench.command(args).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the program runs");
        child.stdin.take().expect("a pipe").write_all(&Parts::new().bytes()).expect("it reads");
        let output = child.wait_with_output().expect("it ends");
        assert_eq!(output.status.code(), Some(0));
        let found: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        assert!([&found["a"]["file"], &found["b"]["file"]].contains(&&json!("-")));
    }
}

#[test]
fn json_is_the_same_on_every_machine() {
    let bench = Bench::new();
    let output = bench.run("a.pchr ./a.pchr --json", 0);
    let text = stdout(&output);
    assert!(!text.contains(&*bench.0.path().to_string_lossy()), "{text}");
    let found: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!((&found["schema"], &found["epsilon"]), (&json!("pchr.diff/1"), &json!(0.001)));
    let keys: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("  \"")?.split('"').next()).collect();
    assert!(keys.is_sorted() && keys.len() == 15, "{keys:?}");
}

/// NaN and infinity in poses result in finite numbers in JSON.
#[test]
fn infinite_distances_are_finite_in_json() {
    let bench = Bench::new();
    let mut parts = Parts::new();
    for transform in &mut parts.wave[1] {
        (transform.x, transform.scale_x) = (f32::MAX, f32::MAX);
    }
    bench.put("b.pchr", &parts.bytes());
    bench.run("b.pchr b.pchr", 0);
    let found = bench.json("a.pchr b.pchr", 1);
    for what in ["bones", "vertices"] {
        let distance = found["poses"][0][what]["distance"].as_f64().expect("a number");
        assert_eq!(distance as f32, f32::MAX, "{what}");
    }
}

/// This takes a second or two, and would take a minute with quadratic work.
#[test]
fn as_many_bones_and_meshes_as_a_file_can_have() {
    let bench = Bench::new();
    let mut file = common::rig::rig(65_535, 1);
    bench.put("b.pchr", &write(&file).expect("a valid file"));
    // In reverse order nearly everything has moved.
    file.meshes.reverse();
    file.meshes.iter_mut().enumerate().for_each(|(index, mesh)| mesh.name = format!("{}", 65_534 - index));
    bench.put("c.pchr", &write(&file).expect("a valid file"));
    file.meshes.reverse();
    bench.put("d.pchr", &write(&file).expect("a valid file"));
    let begin = Instant::now();
    assert_eq!(bench.json("b.pchr b.pchr", 0)["a"]["bones"], json!(65_535));
    let found = bench.json("c.pchr d.pchr", 1);
    assert_eq!(found["meshes"].as_array().map(Vec::len), Some(65_534));
    let message = stdout(&bench.run("b.pchr c.pchr", 1));
    assert!(message.lines().count() < 60 && message.contains("  … and 131"), "{message}");
    assert!(begin.elapsed() < Duration::from_secs(12), "{:?}", begin.elapsed());
}

/// Frames without bones take no bytes, so a tiny file can have as many as the records limit allows.
#[test]
fn empty_frames_take_no_time() {
    let bench = Bench::new();
    let still =
        |name: usize| Animation { name: name.to_string(), frame_count: u16::MAX, ..Animation::new("", true, &[]) };
    let file = File { fps: 24, animations: (0..15).map(still).collect(), ..File::default() };
    bench.put("b.pchr", &write(&file).expect("a valid file"));
    assert_eq!(bench.json("b.pchr b.pchr", 0)["frames"], json!(16));
}

/// Spine numbers the names of constraints for each kind.
#[test]
fn constraints_of_different_kinds_may_have_the_same_name() {
    let bench = Bench::new();
    let mut spine = json!({
        "skeleton": { "spine": "4.2.00" },
        "bones": [{ "name": "root" }, { "name": "face", "parent": "root" }],
        "transform": [{ "name": "control", "order": 1, "bones": ["face"], "target": "root" }],
        "physics": [{ "name": "control", "bone": "face", "rotate": 1 }],
        "animations": { "idle": {} }
    });
    bench.put("a.json", spine.to_string().as_bytes());
    spine.as_object_mut().expect("an object").remove("physics");
    bench.put("b.json", spine.to_string().as_bytes());
    let diff = |a: &str, b: &str| -> Value {
        serde_json::from_slice(&bench.run(&format!("{a} {b} --json"), 1).stdout).expect("JSON")
    };
    for (document, side) in [(diff("a.json", "b.json"), "a"), (diff("b.json", "a.json"), "b")] {
        let constraints = &document["constraints"];
        assert_eq!((constraints.as_array().map(Vec::len), &constraints[0]["found_in"]), (Some(1), &json!(side)));
        assert_eq!((&constraints[0]["name"], &constraints[0]["changes"]), (&json!("control"), &json!([])));
    }
}

/// Physics shows in poses, and different frame rates do not.
#[test]
fn keyed_animations_are_compared_as_they_play() {
    let bench = Bench::new();
    let character = |strength: u32, fps: u32| {
        format!(
            r#"{{"skeleton": {{"spine": "4.2.43", "fps": {fps}}},
            "bones": [{{"name": "root"}}, {{"name": "tail", "parent": "root", "length": 20}}],
            "physics": [{{"name": "swing", "bone": "tail", "rotate": 1, "inertia": 0.5, "strength": {strength}}}],
            "animations": {{"move": {{"bones": {{"root": {{"translatey": [{{}}, {{"time": 1, "value": 90}}]}}}}}}}}}}"#
        )
    };
    bench.put("a.json", character(100, 30).as_bytes());
    bench.put("soft.json", character(30, 30).as_bytes());
    bench.put("fast.json", character(100, 24).as_bytes());
    let soft = bench.json("a.json soft.json", 1);
    assert_eq!(soft["poses"][0]["bones"]["bone"]["name"], "tail", "{soft}");
    let fast = bench.json("a.json fast.json", 1);
    assert_eq!(fast["poses"], json!([]), "{fast}");
    assert_eq!(fast["animations"][0]["fps"], json!({"a": 30.0, "b": 24.0}), "{fast}");
}
