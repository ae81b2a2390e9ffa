//! Offsets of the fields of a file, computed from the specification without the library.

use crate::common::v1::{BoneTransform, File, Vertex};

/// Bytes that a reader requests at once.
pub struct Need {
    /// The field, with its v1 name.
    pub path: String,
    /// Offset of the first byte.
    pub at: usize,
    /// Number of bytes.
    pub len: usize,
}

/// Appends consecutive needs.
#[derive(Default)]
struct Walk {
    needs: Vec<Need>,
    at: usize,
}

impl Walk {
    fn take(&mut self, path: impl Into<String>, len: usize) {
        self.needs.push(Need { path: path.into(), at: self.at, len });
        self.at += len;
    }

    /// A length and a text.
    fn string(&mut self, path: &str, text: &str) {
        self.take(path, 2);
        self.take(path, text.len());
    }

    /// A count, and the minimum size of that many records, which is checked before any is read.
    fn count(&mut self, count: &str, list: &str, records: usize, shortest: usize) {
        self.take(count, 2);
        self.needs.push(Need { path: list.to_owned(), at: self.at, len: records * shortest });
    }
}

/// Everything that the reader of a v1 file requests, in order.
pub fn needs(file: &File) -> Vec<Need> {
    let mut walk = Walk::default();
    for (path, len) in [("magic", 4), ("version", 4), ("fps", 2), ("flags", 2)] {
        walk.take(path, len);
    }
    walk.count("imageCount", "images", file.images.len(), 11);
    for (index, image) in file.images.iter().enumerate() {
        let path = |field: &str| format!("images[{index}].{field}");
        walk.string(&path("name"), &image.name);
        for (field, len) in [("width", 2), ("height", 2), ("format", 1), ("dataLength", 4)] {
            walk.take(path(field), len);
        }
        walk.take(path("data"), image.data.bytes.len());
    }
    walk.count("boneCount", "bones", file.bones.len(), 4);
    for (index, bone) in file.bones.iter().enumerate() {
        walk.string(&format!("bones[{index}].name"), &bone.name);
        walk.take(format!("bones[{index}].parent"), 2);
    }
    walk.count("meshCount", "meshes", file.meshes.len(), 10);
    for (index, mesh) in file.meshes.iter().enumerate() {
        let path = |field: &str| format!("meshes[{index}].{field}");
        walk.string(&path("name"), &mesh.name);
        for (field, len) in [("image", 2), ("vertexCount", 2), ("indexCount", 4)] {
            walk.take(path(field), len);
        }
        walk.take(path("vertices"), mesh.vertices.bytes.len());
        walk.take(path("indices"), mesh.indices.bytes.len());
    }
    walk.count("animationCount", "animations", file.animations.len(), 5);
    for (index, animation) in file.animations.iter().enumerate() {
        let path = |field: &str| format!("animations[{index}].{field}");
        walk.string(&path("name"), &animation.name);
        walk.take(path("flags"), 1);
        walk.take(path("frameCount"), 2);
        walk.take(path("frames"), animation.frames.bytes.len());
    }
    walk.needs
}

/// Offset of the field at `path` in the v1 bytes of `file`.
pub fn offset(file: &File, path: &str) -> usize {
    let needs = needs(file);
    let is_of_record = |need: &&Need| need.path.strip_prefix(path).is_some_and(|rest| rest.starts_with('.'));
    let field = |path: &str| needs.iter().find(|need| need.path == path);
    if let Some(need) = field(path).or_else(|| needs.iter().find(is_of_record)) {
        return need.at;
    }
    let numbers: Vec<usize> =
        path.split(|c: char| !c.is_ascii_digit()).filter_map(|part| part.parse().ok()).collect();
    let name = path.rsplit('.').next().expect("a field");
    let block = |list: &str, name: &str| field(&format!("{list}[{}].{name}", numbers[0])).expect("a block").at;
    if path.contains(".vertices[") {
        let at = match name.split('[').next().expect("a name") {
            "y" => 4,
            "u" => 8,
            "v" => 12,
            "boneIds" => 16 + 2 * numbers[2],
            "boneWeights" => 24 + 4 * numbers[2],
            _ => 0,
        };
        return block("meshes", "vertices") + Vertex::SIZE * numbers[1] + at;
    }
    if path.contains(".indices[") {
        return block("meshes", "indices") + 2 * numbers[1];
    }
    assert!(path.contains(".frames["), "no such field: {path}");
    let at = match name {
        "y" => 4,
        "rotation" => 8,
        "scaleX" => 12,
        "scaleY" => 16,
        "flags" => 20,
        "zOrder" => 21,
        _ => 0,
    };
    let record = numbers[1] * file.bones.len() + numbers.get(2).copied().unwrap_or(0);
    block("animations", "frames") + BoneTransform::SIZE * record + at
}

/// Converts a path with v1 names to a JSON pointer.
pub fn pointer(path: &str, is_pachario: bool) -> String {
    let words: Vec<&str> = path.split(['.', '[', ']']).filter(|word| !word.is_empty()).collect();
    let mut pointer = String::new();
    let mut words = words.into_iter();
    while let Some(word) = words.next() {
        pointer.push('/');
        match word {
            // Counts are implied by the length of a JSON list.
            "imageCount" => pointer += "images",
            "boneCount" => pointer += "bones",
            "meshCount" => pointer += "meshes",
            "animationCount" => pointer += "animations",
            "frameCount" => pointer += "frames",
            "data" | "dataLength" => pointer += "path",
            "indices" | "indexCount" => pointer += if is_pachario { "triangles" } else { "indices" },
            "parent" if is_pachario => pointer += "parentIdx",
            "image" if is_pachario => pointer += "imageIdx",
            "boneIds" | "boneWeights" if is_pachario => {
                let influence = words.next().expect("an influence");
                pointer += &format!("bones/{influence}/{}", if word == "boneIds" { "idx" } else { "weight" });
            }
            _ => pointer += word,
        }
    }
    pointer
}
