//! Meshes: checks that all numbers are finite and that all used bones and indexed vertices exist, and finds the
//! owners.
//!
//! A mesh is first scanned in one pass without data-dependent branches. Only if that finds anything, a slower pass
//! determines what and where.

use ::bytes::Bytes;

use super::MAX_FAULTS;
use crate::bytes::{f32_at, u16_at};
use crate::diagnostics::Diagnostics;
use crate::error::{Error, Result};
use crate::formats::ReadOptions;
use crate::formats::pchr::document::{At, Document, LongInfluences, VertexField};
use crate::formats::pchr::schema::{Mesh, Vertex};
use crate::limits::Budget;
use crate::math::vec2;
use crate::model::{BoneId, Indices, Influence, Skin4Vertices, SkinNRecord, SkinNVertices, Vertices};

/// The parts of a checked mesh.
pub struct CheckedMesh {
    pub vertices: Vertices,
    pub indices: Indices,
    pub owner: Option<BoneId>,
    pub outline: Box<[[u16; 2]]>,
}

/// Checks meshes one at a time.
pub struct Checker<'a> {
    document: &'a Document,
    /// By image: true if it has a picture.
    has_picture: &'a [bool],
    bone_count: usize,
    options: &'a ReadOptions,
    weights: &'a mut Weights,
}

/// Total bone weights of the current mesh. Reused for all meshes.
#[derive(Default)]
pub struct Weights {
    /// Total weight of each bone; all 0 between meshes.
    of_bone: Vec<f64>,
    /// The bones with a nonzero total.
    weighted: Vec<u16>,
}

/// The findings of the first pass over the vertices of a mesh.
#[derive(Default)]
struct Findings {
    not_finite: bool,
    /// A used influence refers to a bone that does not exist.
    bad_bone: bool,
    /// An unused influence does; the GPU would read beyond the palette.
    stray_bone: bool,
    negative_weight: bool,
}

impl<'a> Checker<'a> {
    pub fn new(
        document: &'a Document,
        has_picture: &'a [bool],
        options: &'a ReadOptions,
        weights: &'a mut Weights,
    ) -> Self {
        let bone_count = document.file.bones.len();
        weights.of_bone.resize(bone_count, 0.0);
        Self { document, has_picture, bone_count, options, weights }
    }

    /// Checks a mesh; returns `None` if it has errors.
    pub fn check(
        &mut self,
        index: usize,
        budget: &mut Budget<'_>,
        diagnostics: &mut Diagnostics,
    ) -> Result<Option<CheckedMesh>> {
        let (document, mesh) = (self.document, &self.document.file.meshes[index]);
        let mut is_fine = self.check_image(index, diagnostics)?;
        let long = document.long_influences_of(index);
        let findings = self.scan(mesh, long);
        if findings.not_finite || findings.bad_bone {
            for fault in self.faults(index, long).take(MAX_FAULTS) {
                is_fine = false;
                diagnostics.reject(fault)?;
            }
        }
        if findings.negative_weight {
            self.report_negative_weights(index, long, diagnostics);
        }
        for fault in index_faults(document, index).take(MAX_FAULTS) {
            is_fine = false;
            diagnostics.reject(fault)?;
        }
        let owner = self.take_owner();
        if !is_fine {
            return Ok(None);
        }
        let has_picture = self.has_picture.get(usize::from(mesh.image)).is_some_and(|has| *has);
        let vertices = if long.is_empty() {
            let rewrite = findings.stray_bone || self.options.flip_v || self.options.y_down;
            let bytes = if rewrite {
                let place = || document.place(At::Mesh(index, "vertices"));
                budget.charge_memory(mesh.vertices.len, 1, place)?;
                self.rewrite(mesh)
            } else {
                mesh.vertices.bytes.clone()
            };
            Skin4Vertices::new(bytes, self.bone_count).into()
        } else {
            self.influence_lists(index, long, budget)?.into()
        };
        let outline = if has_picture {
            Box::default()
        } else {
            budget.charge_memory(mesh.index_count() as u64, 16, || document.place(At::Mesh(index, "indices")))?;
            outline(mesh)
        };
        Ok(Some(CheckedMesh { vertices, indices: Indices::new(mesh.indices.bytes.clone()), owner, outline }))
    }

    /// Pachario meshes without an existing image can be played without a picture.
    fn check_image(&self, index: usize, diagnostics: &mut Diagnostics) -> Result<bool> {
        let (image, count) = (self.document.file.meshes[index].image, self.has_picture.len());
        if count == 0 || usize::from(image) < count {
            return Ok(true);
        }
        let place = self.document.place(At::Mesh(index, "image"));
        let message = match image {
            // Stands for numbers that no image can have, such as negative ones.
            u16::MAX => format!("this image does not exist, the file has {count}"),
            _ => format!("image {image} does not exist, the file has {count}"),
        };
        if self.document.kind.is_pachario() {
            diagnostics.incomplete("no-image", place, format!("{message}; the mesh is drawn in a neutral colour"));
            return Ok(true);
        }
        diagnostics.reject(Error::malformed("image-out-of-range", place, message))?;
        Ok(false)
    }

    /// Scans all vertices, and adds up the weights for [`Self::take_owner`].
    fn scan(&mut self, mesh: &Mesh, long: &[LongInfluences]) -> Findings {
        let mut findings = Findings::default();
        // Meshes of v1 skip the check for long influence lists at every vertex.
        if long.is_empty() {
            records(mesh).for_each(|record| self.scan_packed(record, &mut findings));
            return findings;
        }
        let mut long = long.iter().peekable();
        for (vertex, record) in records(mesh).enumerate() {
            match long.next_if(|long| long.vertex == vertex) {
                None => self.scan_packed(record, &mut findings),
                Some(long) => {
                    findings.not_finite |= has_odd_number(record, [0, 4, 8, 12]);
                    for &(bone, weight) in &long.influences {
                        findings.not_finite |= !weight.is_finite();
                        self.weigh(bone, weight, &mut findings);
                    }
                }
            }
        }
        findings
    }

    /// Scans a vertex with at most four influences.
    #[inline]
    fn scan_packed(&mut self, record: &[u8], findings: &mut Findings) {
        findings.not_finite |= has_odd_number(record, [0, 4, 8, 12, 24, 28, 32, 36]);
        for influence in 0..4 {
            let bone = u16_at(record, 16 + 2 * influence);
            self.weigh(bone, f32_at(record, 24 + 4 * influence), findings);
        }
    }

    #[inline]
    fn weigh(&mut self, bone: u16, weight: f32, findings: &mut Findings) {
        if weight > 0.0 {
            match self.weights.of_bone.get_mut(usize::from(bone)) {
                Some(total) => {
                    if *total == 0.0 {
                        self.weights.weighted.push(bone);
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

    /// Returns the bone with the largest total weight (the lowest index if equal), and resets the totals.
    fn take_owner(&mut self) -> Option<BoneId> {
        let mut owner: Option<(u16, f64)> = None;
        let Weights { of_bone, weighted } = &mut *self.weights;
        for bone in weighted.drain(..) {
            let total = std::mem::take(&mut of_bone[usize::from(bone)]);
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

    /// Locates what [`Self::scan`] found.
    fn faults(&self, index: usize, long: &[LongInfluences]) -> impl Iterator<Item = Error> {
        const NUMBERS: [(VertexField, usize); 4] =
            [(VertexField::X, 0), (VertexField::Y, 4), (VertexField::U, 8), (VertexField::V, 12)];
        let (document, bone_count) = (self.document, self.bone_count);
        let mut long = long.iter().peekable();
        records(&document.file.meshes[index]).enumerate().flat_map(move |(vertex, record)| {
            let place = |field| document.place(At::Vertex(index, vertex, field));
            let mut faults = Vec::new();
            let mut check_number = |value: f32, field| {
                if !value.is_finite() {
                    let message = format!("{value} is not a finite number");
                    faults.push(Error::malformed("not-finite", place(field), message));
                }
            };
            NUMBERS.into_iter().for_each(|(field, at)| check_number(f32_at(record, at), field));
            let influences = influences(record, long.next_if(|long| long.vertex == vertex));
            for (number, &(_, weight)) in influences.iter().enumerate() {
                check_number(weight, VertexField::BoneWeight(number));
            }
            for (number, &(bone, weight)) in influences.iter().enumerate() {
                if weight > 0.0 && usize::from(bone) >= bone_count {
                    let message = format!("bone {bone} does not exist, the skeleton has {bone_count}");
                    let place = place(VertexField::BoneId(number));
                    faults.push(Error::malformed("bone-out-of-range", place, message));
                }
            }
            faults
        })
    }

    fn report_negative_weights(&self, index: usize, long: &[LongInfluences], diagnostics: &mut Diagnostics) {
        let mut long = long.iter().peekable();
        let mut found = records(&self.document.file.meshes[index]).enumerate().filter_map(|(vertex, record)| {
            let influences = influences(record, long.next_if(|long| long.vertex == vertex));
            // Weights that are not finite have been reported already.
            let is_negative = |weight: f32| weight < 0.0 && weight.is_finite();
            let negative = influences.iter().position(|&(_, weight)| is_negative(weight))?;
            Some((vertex, negative))
        });
        if let Some((vertex, influence)) = found.next() {
            let count = 1 + found.count();
            let place = self.document.place(At::Vertex(index, vertex, VertexField::BoneWeight(influence)));
            let message = format!("negative weights count as 0; affected vertices of this mesh: {count}");
            diagnostics.warn("negative-weight", place, message);
        }
    }

    /// Returns all vertices of a mesh with all their influences.
    fn influence_lists(
        &self,
        index: usize,
        long: &[LongInfluences],
        budget: &mut Budget<'_>,
    ) -> Result<SkinNVertices> {
        let mesh = &self.document.file.meshes[index];
        let place = || self.document.place(At::Mesh(index, "vertices"));
        let short = mesh.vertex_count() - long.len();
        let count = 4 * short + long.iter().map(|long| long.influences.len()).sum::<usize>();
        budget.charge_memory(mesh.vertex_count() as u64, size_of::<SkinNRecord>(), place)?;
        budget.charge_memory(count as u64, size_of::<Influence>(), place)?;
        let mut lists = SkinNVertices::with_capacity(mesh.vertex_count(), count);
        let mut list = Vec::new();
        let mut long = long.iter().peekable();
        for (number, record) in records(mesh).enumerate() {
            let vertex = Vertex::read(record);
            let position = vec2(vertex.x, if self.options.y_down { -vertex.y } else { vertex.y });
            let uv = vec2(vertex.u, if self.options.flip_v { 1.0 - vertex.v } else { vertex.v });
            let long = long.next_if(|long| long.vertex == number);
            list.clear();
            list.extend(influences(record, long).into_iter().map(|(bone, weight)| Influence {
                position,
                bone: bone.into(),
                // Negative weights count as 0 in this format, but not in influence lists.
                weight: weight.max(0.0),
            }));
            lists.push(uv, position, &list)?;
        }
        Ok(lists)
    }

    /// Returns a copy without references to missing bones, mirrored as the options require.
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

/// Returns true if a number at one of these offsets is not finite.
#[inline]
fn has_odd_number<const N: usize>(record: &[u8], places: [usize; N]) -> bool {
    places.into_iter().fold(false, |is_odd, at| is_odd | !f32_at(record, at).is_finite())
}

/// Bones and weights of a vertex as stored, long or packed.
fn influences(record: &[u8], long: Option<&LongInfluences>) -> Vec<(u16, f32)> {
    match long {
        Some(long) => long.influences.clone(),
        None => (0..4).map(|i| (u16_at(record, 16 + 2 * i), f32_at(record, 24 + 4 * i))).collect(),
    }
}

/// The indices of vertices that do not exist.
fn index_faults(document: &Document, index: usize) -> impl Iterator<Item = Error> {
    let mesh = &document.file.meshes[index];
    let vertex_count = mesh.vertex_count();
    let indices = || mesh.indices.bytes.chunks_exact(2).map(|bytes| u16_at(bytes, 0));
    // Finding the maximum needs no branch per index.
    let largest = indices().max();
    let has_faults = largest.is_some_and(|largest| usize::from(largest) >= vertex_count);
    let suspects = has_faults.then(|| indices().enumerate()).into_iter().flatten();
    suspects.filter(move |&(_, vertex)| usize::from(vertex) >= vertex_count).map(move |(at, vertex)| {
        let message = format!("vertex {vertex} does not exist, the mesh has {vertex_count}");
        Error::malformed("index-out-of-range", document.place(At::Index(index, at)), message)
    })
}

/// The edges that belong to only one triangle, in ascending order.
pub fn outline(mesh: &Mesh) -> Box<[[u16; 2]]> {
    Indices::new(mesh.indices.bytes.clone()).boundary().into()
}

fn records(mesh: &Mesh) -> impl Iterator<Item = &[u8]> {
    mesh.vertices.bytes.chunks_exact(Vertex::SIZE)
}
