//! Small files, one for each error and finding of the readers.
#![allow(dead_code, reason = "each test binary uses a part")]

pub mod animate;
pub mod aseprite;
pub mod json;
pub mod sheet;
pub mod skelform;
pub mod spine;

use std::path::PathBuf;

use crate::common::v1::write;
use crate::common::v1::{Animation, BoneTransform, File, Image, Mesh, Vertex};
use pchr::diagnostics::{Diagnostics, Severity};
use pchr::formats::{BindPose, Folder, Input, ReadOptions, examine, open};

use crate::common::{bone, tiny, triangle, vertex, white};

/// A quirk of any form, as stored in `tests/fixtures`.
pub struct Fixture {
    /// Its folder.
    pub folder: PathBuf,
    /// The main file.
    pub input: &'static str,
    /// All files but `expect.txt`, by name.
    pub files: Vec<(&'static str, Vec<u8>)>,
    /// The options for reading it.
    pub options: ReadOptions,
}

impl Fixture {
    /// Returns the path of the main file.
    pub fn path(&self) -> PathBuf {
        self.folder.join(self.input)
    }

    /// Returns the content of `expect.txt`.
    pub fn expected(&self) -> String {
        let path = self.folder.join("expect.txt");
        std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    /// Returns the outcome as text: warnings and result of reading, then all findings.
    pub fn report(&self) -> String {
        let mut diagnostics = Diagnostics::default();
        let result = open(&self.path(), &self.options, &mut diagnostics);
        let mut lines = vec!["# reading".to_owned()];
        lines.extend(diagnostics.warnings().map(|fault| format!("warning[{}]: {fault}", fault.code)));
        lines.push(match result {
            Ok(_) => "opens".to_owned(),
            // The folder differs between machines.
            Err(error) => {
                let folder = format!("{}{}", self.folder.display(), std::path::MAIN_SEPARATOR);
                format!("error[{}]: {error}", error.code()).replace(&folder, "")
            }
        });
        lines.push("# everything".to_owned());
        match self.examined() {
            Ok(found) if found.is_empty() => lines.push("nothing".to_owned()),
            Ok(found) => lines.extend(found.findings().iter().map(|finding| {
                let severity = match finding.severity {
                    Severity::Error => "error",
                    Severity::Warning => "warning",
                    Severity::Note => "note",
                };
                format!("{severity}[{}]: {}", finding.fault.code, finding.fault)
            })),
            Err(error) => lines.push(format!("fails[{}]: {error}", error.code())),
        }
        lines.join("\n") + "\n"
    }

    /// Returns all findings.
    pub fn examined(&self) -> pchr::Result<Diagnostics> {
        let bytes = std::fs::read(self.path()).expect("a fixture");
        examine(&Input { bytes: bytes.into(), sidecars: &Folder::of(&self.path()) }, &self.options)
    }
}

/// Returns the folder of the fixtures of a form.
pub fn folder(form: &str) -> PathBuf {
    crate::common::root().join("tests/fixtures").join(form)
}

/// Returns all fixtures of all formats.
pub fn all_fixtures() -> Vec<Fixture> {
    fixtures().into_iter().chain(skelform::fixtures()).collect()
}

/// Returns all fixtures but those of SkelForm.
pub fn fixtures() -> Vec<Fixture> {
    let v1 = QUIRKS.iter().map(|quirk| Fixture {
        folder: folder("pchr").join(quirk.name),
        input: "input.pchr",
        files: vec![("input.pchr", quirk.bytes())],
        options: quirk.options(),
    });
    v1.chain(json::fixtures())
        .chain(spine::fixtures())
        .chain(sheet::fixtures())
        .chain(aseprite::fixtures())
        .chain(animate::fixtures())
        .collect()
}

/// A quirk of a PCHR v1 file.
pub struct Quirk {
    /// The folder of the fixture.
    pub name: &'static str,
    make: Make,
    with: fn(&mut ReadOptions),
}

enum Make {
    /// Changes the tiny character.
    File(fn(&mut File)),
    /// Changes the corners of its only triangle.
    Vertices(fn(&mut [Vertex; 3])),
    /// Changes the second bone in the second frame of `wave`.
    Transform(fn(&mut BoneTransform)),
    /// Changes its bytes.
    Bytes(fn(&mut Vec<u8>)),
}

impl Quirk {
    /// Returns the bytes of the fixture.
    pub fn bytes(&self) -> Vec<u8> {
        let mut file = tiny();
        match self.make {
            Make::File(change) => change(&mut file),
            Make::Vertices(change) => {
                let mut corners = triangle(1);
                change(&mut corners);
                file.meshes[0] = Mesh::new("flag", 0, &corners, &[0, 1, 2]);
            }
            Make::Transform(change) => {
                let mut frames = vec![vec![BoneTransform::default(); 2]; 2];
                change(&mut frames[1][1]);
                file.animations[1] = Animation::new("wave", true, &frames);
            }
            Make::Bytes(_) => {}
        }
        let mut bytes = write(&file).expect("it fits the format");
        if let Make::Bytes(change) = self.make {
            change(&mut bytes);
        }
        bytes
    }

    /// Returns the options for reading it.
    pub fn options(&self) -> ReadOptions {
        let mut options = ReadOptions::default();
        (self.with)(&mut options);
        options
    }

    /// Returns the number of bytes after the last animation.
    pub fn trailing(&self) -> usize {
        if self.name == "trailing-bytes" { TRAILING.len() } else { 0 }
    }
}

const TRAILING: &[u8] = b"more";

/// A 1×1 PNG of one pixel, (255, 128, 64, 255).
const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0\x1f\x15\xc4\x89\
\0\0\0\rIDATx\xdac\xf8\xdf\xe0\xf0\x1f\0\x07\0\x02\xbf\xf4\x89\xd5\xf2\0\0\0\0IEND\xaeB`\x82";

const fn file(name: &'static str, change: fn(&mut File)) -> Quirk {
    Quirk { name, make: Make::File(change), with: |_| () }
}

const fn bytes(name: &'static str, change: fn(&mut Vec<u8>)) -> Quirk {
    Quirk { name, make: Make::Bytes(change), with: |_| () }
}

const fn vertices(name: &'static str, change: fn(&mut [Vertex; 3])) -> Quirk {
    Quirk { name, make: Make::Vertices(change), with: |_| () }
}

const fn transform(name: &'static str, change: fn(&mut BoneTransform)) -> Quirk {
    Quirk { name, make: Make::Transform(change), with: |_| () }
}

const fn read_with(name: &'static str, with: fn(&mut ReadOptions)) -> Quirk {
    Quirk { name, make: Make::File(|_| ()), with }
}

/// All quirks of PCHR v1.
pub const QUIRKS: &[Quirk] = &[
    file("plain", |_| ()),
    file("nothing-at-all", |file| *file = File::default()),
    // The file as a whole.
    bytes("file-empty", Vec::clear),
    bytes("file-of-another-kind", |bytes| *bytes = b"GIF89a, not a character".to_vec()),
    bytes("cut-in-magic", |bytes| bytes.truncate(3)),
    bytes("cut-in-header", |bytes| bytes.truncate(11)),
    bytes("cut-before-last-byte", |bytes| bytes.truncate(bytes.len() - 1)),
    bytes("version-2", |bytes| bytes[4] = 2),
    bytes("trailing-bytes", |bytes| bytes.extend_from_slice(TRAILING)),
    file("file-flags-reserved", |file| file.flags = 0x8001),
    file("fps-zero", |file| file.fps = 0),
    bytes("string-not-utf8", |bytes| replace(bytes, b"root", b"ro\xfft")),
    bytes("string-beyond-end", |bytes| replace(bytes, b"\x05\0atlas", b"\xff\xffatlas")),
    // Images.
    bytes("image-count-beyond-end", |bytes| bytes[12..14].fill(0xff)),
    bytes("image-data-beyond-end", |bytes| replace(bytes, &[1, 4, 0, 0, 0], &[1, 0xff, 0xff, 0xff, 0xff])),
    file("image-missing", |file| file.images.clear()),
    file("image-without-pixels", |file| file.images[0].height = 0),
    file("image-format-unknown", |file| file.images[0].format = 2),
    file("image-rgba-too-short", |file| file.images[0].height = 2),
    file("image-png", |file| file.images[0] = png(PNG)),
    file("image-png-is-no-png", |file| file.images[0].format = Image::PNG),
    file("image-png-of-another-size", |file| file.images[0] = Image { width: 3, height: 2, ..png(PNG) }),
    file("image-png-cut", |file| file.images[0] = png(&PNG[..45])),
    file("image-png-bomb", |file| {
        let mut header = PNG[..33].to_vec();
        header[16..24].copy_from_slice(&[0, 0, 0xea, 0x60, 0, 0, 0xea, 0x60]);
        file.images[0] = Image { width: 60_000, height: 60_000, ..png(&header) };
    }),
    // Bones.
    bytes("bone-count-beyond-end", |bytes| replace(bytes, b"\x02\0\x04\0root", b"\xff\xff\x04\0root")),
    file("bone-parent-of-first", |file| file.bones[0].parent = 0),
    file("bone-parent-itself", |file| file.bones[1].parent = 1),
    file("bone-parent-later", |file| {
        file.bones.insert(1, bone("early", 2));
        file.animations.clear();
    }),
    file("bone-parent-below-root", |file| file.bones[1].parent = -2),
    // Meshes.
    bytes("mesh-vertices-beyond-end", |bytes| replace(bytes, b"flag\0\0\x03\0", b"flag\0\0\xff\xff")),
    bytes("mesh-indices-beyond-end", |bytes| replace(bytes, &[3, 0, 3, 0, 0, 0], &[3, 0, 0xff, 0xff, 0xff, 0xff])),
    file("mesh-image-out-of-range", |file| file.meshes[0].image = 1),
    file("mesh-partial-triangle", |file| file.meshes[0] = Mesh::new("flag", 0, &triangle(1), &[0, 1, 2, 0])),
    file("mesh-index-out-of-range", |file| file.meshes[0] = Mesh::new("flag", 0, &triangle(1), &[0, 1, 3])),
    file("mesh-empty", |file| file.meshes[0] = Mesh::new("flag", 0, &[], &[])),
    file("mesh-empty-with-index", |file| file.meshes[0] = Mesh::new("flag", 0, &[], &[0, 0, 0])),
    vertices("vertex-position-nan", |corners| corners[2].y = f32::NAN),
    vertices("vertex-uv-infinite", |corners| corners[1].u = f32::INFINITY),
    vertices("vertex-weight-nan", |corners| corners[0].bone_weights[3] = f32::NAN),
    vertices("vertex-weight-infinite", |corners| corners[0].bone_weights[1] = f32::NEG_INFINITY),
    vertices("vertex-weight-negative", |corners| corners[1].bone_weights = [1.0, 0.0, -0.5, 0.0]),
    vertices("vertex-bone-out-of-range", |corners| {
        corners[1].bone_ids[2] = 57;
        corners[1].bone_weights[2] = 0.25;
    }),
    vertices("vertex-unused-bone-out-of-range", |corners| corners[1].bone_ids[2] = 57),
    vertices("vertex-without-weight", |corners| {
        corners.iter_mut().for_each(|corner| corner.bone_weights = [0.0; 4])
    }),
    // Animations.
    bytes("animation-frames-beyond-end", |bytes| replace(bytes, b"wave\x01\x02\0", b"wave\x01\x03\0")),
    bytes("animation-count-beyond-end", |bytes| replace(bytes, b"\x02\0\x04\0bind", b"\xff\xff\x04\0bind")),
    transform("transform-nan", |transform| transform.scale_x = f32::NAN),
    transform("transform-infinite", |transform| transform.rotation = f32::INFINITY),
    transform("transform-flags-reserved", |transform| transform.flags = 0x81),
    file("animation-flags-reserved", |file| file.animations[0].flags = 2),
    file("bind-pose-flat", |file| {
        let flat = BoneTransform { scale_x: 0.0, ..BoneTransform::default() };
        file.animations[0] = Animation::new("bind", false, &[vec![BoneTransform::default(), flat]]);
    }),
    // Oddities.
    vertices("vertex-weights-sum-to-half", |corners| corners[2].bone_weights = [0.5, 0.0, 0.0, 0.0]),
    vertices("vertex-weights-all-zero", |corners| corners[1].bone_weights = [0.0; 4]),
    vertices("vertex-uv-outside", |corners| corners[1].v = -0.25),
    file("mesh-triangle-with-one-corner-twice", |file| {
        file.meshes[0] = Mesh::new("flag", 0, &triangle(1), &[0, 1, 2, 0, 1, 1]);
    }),
    file("mesh-triangle-without-area", |file| {
        let corners = [&triangle(1)[..], &[vertex(5.0, 20.0, 1)]].concat();
        file.meshes[0] = Mesh::new("flag", 0, &corners, &[0, 1, 2, 1, 2, 3]);
    }),
    file("mesh-without-triangles", |file| file.meshes[0] = Mesh::new("flag", 0, &triangle(1), &[])),
    file("mesh-never-visible", |file| {
        let hidden = BoneTransform { y: 10.0, flags: 0, ..BoneTransform::default() };
        file.animations[1] = Animation::new("wave", true, &vec![vec![BoneTransform::default(), hidden]; 2]);
    }),
    file("mesh-of-equal-z-order", |file| file.meshes.push(Mesh::new("pole", 0, &triangle(1), &[0, 1, 2]))),
    file("mesh-upside-down", |file| {
        file.images[0] = white("atlas", 8, 8);
        // Rows 2 and 3 are opaque in the middle.
        let mut pixels = vec![0; 8 * 8 * 4];
        for pixel in [2, 3, 4, 5].into_iter().flat_map(|x| [2 * 8 + x, 3 * 8 + x]) {
            pixels[4 * pixel..][..4].fill(255);
        }
        file.images[0].data = pixels.into();
        let corner = |x: f32, y: f32| Vertex { u: x / 8.0, v: y / 8.0, ..vertex(x, y, 1) };
        let corners = [corner(1.0, 3.5), corner(7.0, 3.5), corner(7.0, 7.0), corner(1.0, 7.0)];
        file.meshes[0] = Mesh::new("flag", 0, &corners, &[0, 1, 2, 0, 2, 3]);
    }),
    file("animation-without-frames", |file| file.animations.push(Animation::new("nothing", false, &[]))),
    file("animation-bind-loops", |file| file.animations[0].flags = Animation::LOOP),
    file("animation-bind-moves", |file| {
        file.animations[0] = Animation::new("T-Pose", false, &vec![frame_at(0.0, 0.0); 3]);
    }),
    file("animation-jumps-away", |file| {
        let frames: Vec<_> = (0..5).map(|frame| frame_at(frame as f32, 0.0)).collect();
        file.animations[1] = Animation::new("wave", true, &frames);
    }),
    file("animation-jumps-round", |file| {
        let frames: Vec<_> = (0..6).map(|frame| frame_at(0.0, 350.0 + 5.0 * frame as f32)).collect();
        file.animations[1] = Animation::new("wave", true, &frames);
    }),
    file("bind-pose-doubtful", |file| {
        let bend = |x: f32, y: f32| Vertex {
            bone_ids: [0, 1, 0, 0],
            bone_weights: [0.5, 0.5, 0.0, 0.0],
            ..vertex(x, y, 0)
        };
        let corners = [bend(-2.0, 9.0), bend(2.0, 9.0), bend(0.0, 12.0)];
        file.meshes[0] = Mesh::new("flag", 0, &corners, &[0, 1, 2]);
        let far = BoneTransform { y: 30.0, ..BoneTransform::default() };
        file.animations[0] = Animation::new("bind", false, &[vec![BoneTransform::default(), far]]);
    }),
    file("name-twice", |file| file.bones[1].name = "root".to_owned()),
    file("name-empty", |file| file.meshes[0].name.clear()),
    file("name-leaves-the-folder", |file| file.images[0].name = "../atlas".to_owned()),
    file("name-of-a-device", |file| file.animations[1].name = "NUL.1".to_owned()),
    file("bone-unused", |file| {
        file.bones.push(bone("spare", 0));
        let frame = [frame_at(0.0, 0.0), vec![BoneTransform::default()]].concat();
        file.animations = vec![Animation::new("wave", true, &[frame])];
    }),
    file("image-unused", |file| file.images.push(white("spare", 1, 1))),
    file("fps-odd", |file| file.fps = 1000),
    // Options.
    read_with("bind-pose-without-animation", |options| {
        options.bind_pose = BindPose::Frame { animation: "T".to_owned(), frame: 0 };
    }),
    read_with("bind-pose-without-frame", |options| {
        options.bind_pose = BindPose::Frame { animation: "wave".to_owned(), frame: 2 };
    }),
    read_with("limit-of-file", |options| options.limits.file_bytes = 100),
    Quirk {
        name: "limit-of-pixels",
        make: Make::File(|file| file.images.push(white("second", 2, 2))),
        with: |options| options.limits.pixels = 4,
    },
    read_with("limit-of-memory", |options| options.limits.memory_bytes = 200),
];

/// Returns a frame of the tiny character: its root moved to the right, its tip rotated.
fn frame_at(x: f32, rotation: f32) -> Vec<BoneTransform> {
    let tip = BoneTransform { y: 10.0, rotation, ..BoneTransform::default() };
    vec![BoneTransform { x, ..BoneTransform::default() }, tip]
}

fn png(data: &[u8]) -> Image {
    Image { format: Image::PNG, data: data.to_vec().into(), ..white("atlas", 1, 1) }
}

/// Replaces the only occurrence of `from`.
fn replace(bytes: &mut [u8], from: &[u8], to: &[u8]) {
    let mut places = bytes.windows(from.len()).enumerate().filter(|(_, window)| *window == from);
    let at = places.next().expect("the bytes to replace").0;
    assert!(places.next().is_none(), "two occurrences");
    bytes[at..at + to.len()].copy_from_slice(to);
}
