//! Meshes: every number finite, every used bone and every indexed vertex there; then who owns them.
//!
//! The first look at a mesh is one pass over its bytes without a branch that depends on them.
//! Only where it finds something does a second, slower one find out what and where.

use ::bytes::Bytes;

use crate::bytes::{f32_at, u16_at};
use crate::diagnostics::Diagnostics;
use crate::error::{Error, Place, Result};
use crate::formats::ReadOptions;
use crate::formats::pchr::schema::{File, Mesh, Vertex};
use crate::limits::Budget;
use crate::model::{BoneId, Indices, Skin4Vertices};

/// What is left of a mesh after checking.
pub struct CheckedMesh {
    pub vertices: Skin4Vertices,
    pub indices: Indices,
    pub owner: Option<BoneId>,
    pub outline: Box<[[u16; 2]]>,
}

/// Checks one mesh after the other.
pub struct Checker<'a> {
    image_count: usize,
    bone_count: usize,
    options: &'a ReadOptions,
    diagnostics: &'a mut Diagnostics,
    /// Total weight of each bone in the mesh at hand; all 0 between meshes.
    weight_of_bone: Vec<f64>,
    /// The bones whose total is not 0.
    weighted: Vec<u16>,
}

/// What one pass over the vertices of a mesh found.
#[derive(Default)]
struct Findings {
    not_finite: bool,
    /// A used influence names a bone that does not exist.
    bad_bone: bool,
    /// An unused influence does; the GPU would read beyond the palette.
    stray_bone: bool,
    negative_weight: bool,
}

impl<'a> Checker<'a> {
    pub fn new(file: &File, options: &'a ReadOptions, diagnostics: &'a mut Diagnostics) -> Self {
        if file.images.is_empty() && !file.meshes.is_empty() {
            let message = "the file has no image; its meshes are drawn in a neutral colour";
            diagnostics.warn("no-atlas", Place::at("imageCount", 12), message);
        }
        Self {
            image_count: file.images.len(),
            bone_count: file.bones.len(),
            options,
            diagnostics,
            weight_of_bone: vec![0.0; file.bones.len()],
            weighted: Vec::new(),
        }
    }

    pub fn check(&mut self, index: usize, mesh: &Mesh, budget: &mut Budget<'_>) -> Result<CheckedMesh> {
        if self.image_count > 0 && usize::from(mesh.image) >= self.image_count {
            let place = Place::at(format!("meshes[{index}].image"), mesh.offset + 2 + mesh.name.len() as u64);
            let message = format!("image {} does not exist, the file has {}", mesh.image, self.image_count);
            return Err(Error::malformed("image-out-of-range", place, message));
        }
        let findings = self.scan(mesh);
        if (findings.not_finite || findings.bad_bone)
            && let Some(fault) = self.first_fault(index, mesh)
        {
            return Err(fault);
        }
        if findings.negative_weight {
            self.report_negative_weights(index, mesh);
        }
        check_indices(index, mesh)?;
        let rewrite = findings.stray_bone || self.options.flip_v || self.options.y_down;
        let vertices = if rewrite {
            budget.charge_memory(mesh.vertices.bytes.len() as u64, 1, || place_of(index, mesh, 0, "x", 0))?;
            self.rewrite(mesh)
        } else {
            mesh.vertices.bytes.clone()
        };
        let outline = if self.image_count == 0 {
            budget.charge_memory(mesh.index_count() as u64, 16, || indices_place(index, mesh))?;
            outline(mesh)
        } else {
            Box::default()
        };
        Ok(CheckedMesh {
            vertices: Skin4Vertices::new(vertices),
            indices: Indices::new(mesh.indices.bytes.clone()),
            owner: self.take_owner(),
            outline,
        })
    }

    /// One pass over all vertices, which also sums the weights for [`Self::take_owner`].
    fn scan(&mut self, mesh: &Mesh) -> Findings {
        let mut findings = Findings::default();
        for record in records(mesh) {
            let mut not_finite = false;
            for at in [0, 4, 8, 12, 24, 28, 32, 36] {
                not_finite |= !f32_at(record, at).is_finite();
            }
            findings.not_finite |= not_finite;
            for influence in 0..4 {
                let bone = u16_at(record, 16 + 2 * influence);
                let weight = f32_at(record, 24 + 4 * influence);
                if weight > 0.0 {
                    match self.weight_of_bone.get_mut(usize::from(bone)) {
                        Some(total) => {
                            if *total == 0.0 {
                                self.weighted.push(bone);
                            }
                            *total += f64::from(weight);
                        }
                        None => findings.bad_bone = true,
                    }
                } else {
                    findings.negative_weight |= weight < 0.0;
                    findings.stray_bone |= usize::from(bone) >= self.bone_count;
                }
            }
        }
        findings
    }

    /// The bone with the largest total weight, the lowest of equals; resets the totals.
    fn take_owner(&mut self) -> Option<BoneId> {
        let mut owner: Option<(u16, f64)> = None;
        for bone in self.weighted.drain(..) {
            let total = std::mem::take(&mut self.weight_of_bone[usize::from(bone)]);
            let better = match owner {
                Some((best, most)) => total > most || (total == most && bone < best),
                None => true,
            };
            if better {
                owner = Some((bone, total));
            }
        }
        owner.map(|(bone, _)| BoneId::new(bone.into()))
    }

    /// What [`Self::scan`] found, with its place.
    fn first_fault(&self, index: usize, mesh: &Mesh) -> Option<Error> {
        const NUMBERS: [(&str, usize); 8] = [
            ("x", 0),
            ("y", 4),
            ("u", 8),
            ("v", 12),
            ("boneWeights[0]", 24),
            ("boneWeights[1]", 28),
            ("boneWeights[2]", 32),
            ("boneWeights[3]", 36),
        ];
        for (number, record) in records(mesh).enumerate() {
            for (field, at) in NUMBERS {
                let value = f32_at(record, at);
                if !value.is_finite() {
                    let place = place_of(index, mesh, number, field, at);
                    return Some(Error::malformed("not-finite", place, format!("{value} is not a finite number")));
                }
            }
            for influence in 0..4 {
                let bone = u16_at(record, 16 + 2 * influence);
                if f32_at(record, 24 + 4 * influence) > 0.0 && usize::from(bone) >= self.bone_count {
                    let field = format!("boneIds[{influence}]");
                    let place = place_of(index, mesh, number, &field, 16 + 2 * influence);
                    let message = format!("bone {bone} does not exist, the skeleton has {}", self.bone_count);
                    return Some(Error::malformed("bone-out-of-range", place, message));
                }
            }
        }
        None
    }

    fn report_negative_weights(&mut self, index: usize, mesh: &Mesh) {
        let negative = |record: &[u8]| (0..4).find(|i| f32_at(record, 24 + 4 * i) < 0.0);
        let mut found = records(mesh).enumerate().filter_map(|(vertex, record)| Some((vertex, negative(record)?)));
        if let Some((vertex, influence)) = found.next() {
            let count = 1 + found.count();
            let field = format!("boneWeights[{influence}]");
            let place = place_of(index, mesh, vertex, &field, 24 + 4 * influence);
            let message = format!("negative weights count as 0; vertices of this mesh with one: {count}");
            self.diagnostics.warn("negative-weight", place, message);
        }
    }

    /// A copy that no longer names bones that do not exist, mirrored as the options say.
    fn rewrite(&self, mesh: &Mesh) -> Bytes {
        let mut copy = mesh.vertices.bytes.to_vec();
        for record in copy.chunks_exact_mut(Vertex::SIZE) {
            for influence in 0..4 {
                let at = 16 + 2 * influence;
                if usize::from(u16_at(record, at)) >= self.bone_count {
                    record[at..at + 2].fill(0);
                }
            }
            if self.options.y_down {
                let y = -f32_at(record, 4);
                record[4..8].copy_from_slice(&y.to_le_bytes());
            }
            if self.options.flip_v {
                let v = 1.0 - f32_at(record, 12);
                record[12..16].copy_from_slice(&v.to_le_bytes());
            }
        }
        copy.into()
    }
}

/// Every index names a vertex.
fn check_indices(index: usize, mesh: &Mesh) -> Result<()> {
    let vertex_count = mesh.vertex_count();
    let largest = mesh.indices.bytes.chunks_exact(2).map(|bytes| u16_at(bytes, 0)).max();
    if largest.is_none_or(|largest| usize::from(largest) < vertex_count) {
        return Ok(());
    }
    let indices = mesh.indices.bytes.chunks_exact(2).map(|bytes| u16_at(bytes, 0));
    let (at, vertex) =
        indices.enumerate().find(|&(_, vertex)| usize::from(vertex) >= vertex_count).unwrap_or_default();
    let place = Place::at(format!("meshes[{index}].indices[{at}]"), mesh.indices.offset + 2 * at as u64);
    let message = format!("vertex {vertex} does not exist, the mesh has {vertex_count}");
    Err(Error::malformed("index-out-of-range", place, message))
}

/// The edges that only one triangle has, in ascending order.
fn outline(mesh: &Mesh) -> Box<[[u16; 2]]> {
    let indices = Indices::new(mesh.indices.bytes.clone());
    let mut edges: Vec<[u16; 2]> = indices
        .triangles()
        .flat_map(|[a, b, c]| [[a.min(b), a.max(b)], [b.min(c), b.max(c)], [a.min(c), a.max(c)]])
        .collect();
    edges.sort_unstable();
    edges.chunk_by(|a, b| a == b).filter(|same| same.len() == 1).map(|same| same[0]).collect()
}

fn records(mesh: &Mesh) -> impl Iterator<Item = &[u8]> {
    mesh.vertices.bytes.chunks_exact(Vertex::SIZE)
}

fn place_of(mesh_index: usize, mesh: &Mesh, vertex: usize, field: &str, at: usize) -> Place {
    let offset = mesh.vertices.offset + (vertex * Vertex::SIZE + at) as u64;
    Place::at(format!("meshes[{mesh_index}].vertices[{vertex}].{field}"), offset)
}

fn indices_place(index: usize, mesh: &Mesh) -> Place {
    Place::at(format!("meshes[{index}].indices"), mesh.indices.offset)
}
