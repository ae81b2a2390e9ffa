//! Compares our files with `reference/read_pchr.py`, an independent reader written from the published field
//! tables. Every number is compared, floats bit by bit.
//!
//! Needs `python3`; without it the tests print that they are skipped, or fail with `PCHR_TEST_PYTHON=require`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::common::random::Random;
use crate::common::{conformance_files, say};
use pchr::diagnostics::Diagnostics;
use pchr::formats::pchr::schema::{Animation, Bone, BoneTransform, File, Image, Mesh, Vertex};
use pchr::formats::pchr::{read, write};
use pchr::limits::{Budget, Limits};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

/// Number of random files.
const RANDOM_FILES: u64 = 100;

fn project(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// What Python reads from `files`, one value each; `None`, with a message, if there is no Python.
fn read_by_python(files: &[PathBuf]) -> Option<Vec<Value>> {
    let output = Command::new("python3").arg(project("tests/reference/read_pchr.py")).args(files).output();
    let output = match output {
        Ok(output) => output,
        Err(error) => {
            assert_ne!(std::env::var("PCHR_TEST_PYTHON").as_deref(), Ok("require"), "python3: {error}");
            say(&format!("SKIPPED: no independent reader has checked our files: python3: {error}"));
            return None;
        }
    };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let seen: Vec<Value> = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(seen.len(), files.len());
    Some(seen)
}

/// Writes `bytes` into `folder`.
fn put(folder: &Path, name: &str, bytes: &[u8]) -> PathBuf {
    let path = folder.join(name);
    fs::write(&path, bytes).expect("space");
    path
}

/// The fields of a file; `None` if they cannot be read.
fn fields(bytes: Vec<u8>) -> Option<File> {
    let limits = Limits::default();
    read(bytes.into(), &mut Budget::new(&limits), &mut Diagnostics::default()).ok()
}

/// Every number that our reader finds in a file, in the form that Python prints.
fn read_by_us(file: &File) -> Value {
    let vertices = |mesh: &Mesh| -> Vec<Value> {
        mesh.vertices.bytes.chunks_exact(Vertex::SIZE).map(|record| vertex_json(&Vertex::read(record))).collect()
    };
    let indices = |mesh: &Mesh| -> Vec<u16> {
        mesh.indices.bytes.chunks_exact(2).map(|index| u16::from_le_bytes([index[0], index[1]])).collect()
    };
    let frames = |animation: &Animation| -> Vec<Value> {
        let records = animation.frames.bytes.chunks_exact(BoneTransform::SIZE);
        records.map(|record| transform_json(&BoneTransform::read(record))).collect()
    };
    file_json(
        file,
        file.images.iter().map(|image| image_json(image, &image.data.bytes)).collect(),
        file.meshes.iter().map(|mesh| mesh_json(mesh, vertices(mesh), indices(mesh))).collect(),
        file.animations.iter().map(|animation| animation_json(animation, frames(animation))).collect(),
    )
}

fn file_json(file: &File, images: Vec<Value>, meshes: Vec<Value>, animations: Vec<Value>) -> Value {
    let bones: Vec<_> =
        file.bones.iter().map(|bone| json!({ "name": bone.name, "parent": bone.parent })).collect();
    json!({
        "magic": b"PCHR", "version": 1, "fps": file.fps, "flags": file.flags,
        "imageCount": images.len(), "images": images,
        "boneCount": bones.len(), "bones": bones,
        "meshCount": meshes.len(), "meshes": meshes,
        "animationCount": animations.len(), "animations": animations,
        "trailing": 0,
    })
}

fn image_json(image: &Image, data: &[u8]) -> Value {
    let sha256: String = Sha256::digest(data).iter().map(|byte| format!("{byte:02x}")).collect();
    let data = json!({ "dataLength": data.len(), "sha256": sha256 });
    json!({ "name": image.name, "width": image.width, "height": image.height, "format": image.format, "data": data })
}

fn mesh_json(mesh: &Mesh, vertices: Vec<Value>, indices: Vec<u16>) -> Value {
    json!({
        "name": mesh.name, "image": mesh.image, "vertexCount": vertices.len(), "indexCount": indices.len(),
        "vertices": vertices, "indices": indices,
    })
}

fn vertex_json(vertex: &Vertex) -> Value {
    let Vertex { x, y, u, v, bone_ids, bone_weights } = *vertex;
    json!({
        "x": bits(x), "y": bits(y), "u": bits(u), "v": bits(v),
        "boneIds": bone_ids, "boneWeights": bone_weights.map(bits),
    })
}

fn animation_json(animation: &Animation, frames: Vec<Value>) -> Value {
    let Animation { name, flags, frame_count, .. } = animation;
    json!({ "name": name, "flags": flags, "frameCount": frame_count, "frames": frames })
}

fn transform_json(transform: &BoneTransform) -> Value {
    let BoneTransform { x, y, rotation, scale_x, scale_y, flags, z_order } = *transform;
    json!({
        "x": bits(x), "y": bits(y), "rotation": bits(rotation), "scaleX": bits(scale_x), "scaleY": bits(scale_y),
        "flags": flags, "zOrder": z_order,
    })
}

fn bits(number: f32) -> String {
    format!("{:08x}", number.to_bits())
}

/// The first difference between `found` and `expected`: a path and both values.
fn first_difference(path: &str, found: &Value, expected: &Value) -> Option<String> {
    match (found, expected) {
        (Value::Array(found), Value::Array(expected)) if found.len() == expected.len() => {
            let mut pairs = found.iter().zip(expected).enumerate();
            pairs.find_map(|(index, (found, expected))| {
                first_difference(&format!("{path}[{index}]"), found, expected)
            })
        }
        (Value::Object(found), Value::Object(expected)) if found.keys().eq(expected.keys()) => {
            let mut pairs = found.iter().zip(expected.values());
            pairs
                .find_map(|((name, found), expected)| first_difference(&format!("{path}.{name}"), found, expected))
        }
        (Value::Array(found), Value::Array(expected)) => {
            Some(format!("{path}: Python finds {}, we find {}", found.len(), expected.len()))
        }
        _ => (found != expected).then(|| format!("{path}: Python finds {found}, we find {expected}")),
    }
}

/// Compares what Python reads from every file with `expected`, and with what our reader finds.
fn compare(files: Vec<(String, Vec<u8>, Option<Value>)>) -> bool {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let paths: Vec<PathBuf> = files
        .iter()
        .enumerate()
        .map(|(index, (_, bytes, _))| put(folder.path(), &format!("{index}.pchr"), bytes))
        .collect();
    let Some(seen) = read_by_python(&paths) else { return false };
    let mut faults = Vec::new();
    for ((name, bytes, expected), seen) in files.into_iter().zip(seen) {
        let ours = read_by_us(&fields(bytes).expect("we wrote it"));
        faults.extend(expected.and_then(|expected| first_difference(&format!("{name} (made)"), &seen, &expected)));
        faults.extend(first_difference(&name, &seen, &ours));
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    true
}

#[test]
fn rewritten_files_contain_the_same_numbers() {
    let mut paths = vec![project("assets/paper-knight.pchr")];
    for folder in fs::read_dir(project("tests/fixtures/pchr")).expect("the fixtures") {
        paths.push(folder.expect("a folder").path().join("input.pchr"));
    }
    paths.extend(conformance_files("pchr", ".pchr"));
    paths.sort();
    let rewritten = |path: PathBuf| {
        let file = fields(fs::read(&path).expect("a readable file"))?;
        Some((path.display().to_string(), write(&file).expect("it fitted before"), None))
    };
    let files: Vec<_> = paths.into_iter().filter_map(rewritten).collect();
    let count = files.len();
    assert!(count >= 31, "only {count} files have all their fields");
    if compare(files) {
        say(&format!("python finds the same numbers in {count} rewritten files"));
    }
}

#[test]
fn random_files_contain_the_numbers_they_were_made_of() {
    let made = |seed: u64| {
        let (file, expected) = Maker(Random(seed)).file();
        (format!("random file {seed}"), write(&file).expect("it fits"), Some(expected))
    };
    if compare((0..RANDOM_FILES).map(made).collect()) {
        say(&format!("python finds the same numbers in {RANDOM_FILES} random files"));
    }
}

#[test]
fn the_stored_knight_contains_the_numbers_that_we_read() {
    let path = project("assets/paper-knight.pchr");
    let ours = read_by_us(&fields(fs::read(&path).expect("the knight")).expect("it is valid"));
    let Some(seen) = read_by_python(&[path]) else { return };
    let difference = first_difference("knight", &seen[0], &ours);
    assert!(difference.is_none(), "{difference:?}");
}

/// Makes files with arbitrary field values, valid or not.
struct Maker(Random);

impl Maker {
    /// A file, and every number in it.
    fn file(&mut self) -> (File, Value) {
        let bones: Vec<_> = (0..self.count(6))
            .map(|_| Bone { name: self.text(), parent: self.0.next() as i16, offset: 0 })
            .collect();
        let (images, images_json) = (0..self.count(3)).map(|_| self.image()).unzip();
        let (meshes, meshes_json) = (0..self.count(4)).map(|_| self.mesh()).unzip();
        let (animations, animations_json) = (0..self.count(4)).map(|_| self.animation(bones.len())).unzip();
        let (fps, flags) = (self.0.next() as u16, self.0.next() as u16);
        let file = File { fps, flags, images, bones, meshes, animations };
        let json = file_json(&file, images_json, meshes_json, animations_json);
        (file, json)
    }

    fn image(&mut self) -> (Image, Value) {
        let data: Vec<u8> = (0..self.count(100)).map(|_| self.0.next() as u8).collect();
        let [width, height] = [(); 2].map(|()| self.0.next() as u16);
        let format = self.0.next() as u8;
        let image = Image { name: self.text(), width, height, format, data: data.clone().into(), offset: 0 };
        let json = image_json(&image, &data);
        (image, json)
    }

    fn mesh(&mut self) -> (Mesh, Value) {
        let vertices: Vec<_> = (0..self.count(8)).map(|_| self.vertex()).collect();
        let indices: Vec<_> = (0..3 * self.count(8)).map(|_| self.0.next() as u16).collect();
        let mesh = Mesh::new(self.text(), self.0.next() as u16, &vertices, &indices);
        let json = mesh_json(&mesh, vertices.iter().map(vertex_json).collect(), indices);
        (mesh, json)
    }

    fn vertex(&mut self) -> Vertex {
        let [x, y, u, v] = [(); 4].map(|()| self.number());
        let bone_ids = [(); 4].map(|()| self.0.next() as u16);
        Vertex { x, y, u, v, bone_ids, bone_weights: [(); 4].map(|()| self.number()) }
    }

    fn animation(&mut self, bones: usize) -> (Animation, Value) {
        let frames: Vec<Vec<_>> =
            (0..self.count(4)).map(|_| (0..bones).map(|_| self.transform()).collect()).collect();
        let mut animation = Animation::new(self.text(), false, &frames);
        animation.flags = self.0.next() as u8;
        let json = animation_json(&animation, frames.iter().flatten().map(transform_json).collect());
        (animation, json)
    }

    fn transform(&mut self) -> BoneTransform {
        let [x, y, rotation, scale_x, scale_y] = [(); 5].map(|()| self.number());
        let (flags, z_order) = (self.0.next() as u8, self.0.next() as i16);
        BoneTransform { x, y, rotation, scale_x, scale_y, flags, z_order }
    }

    /// A random number from 0 to `most`.
    fn count(&mut self, most: usize) -> usize {
        self.0.below(most + 1)
    }

    /// A finite number with random bits.
    fn number(&mut self) -> f32 {
        loop {
            let number = f32::from_bits(self.0.next() as u32);
            if number.is_finite() {
                return number;
            }
        }
    }

    /// Random letters of one to four bytes, including ones that JSON escapes; sometimes empty, sometimes long.
    fn text(&mut self) -> String {
        let letters =
            ['a', 'Z', ' ', '"', '\\', '/', '\0', '\n', 'ß', '\u{7ff}', '鎧', '\u{feff}', '🗡', '\u{10ffff}'];
        let most = if self.0.below(20) == 0 { 10_000 } else { 12 };
        (0..self.count(most)).map(|_| letters[self.0.below(letters.len())]).collect()
    }
}
