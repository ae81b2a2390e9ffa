//! Reads as little of a file as possible: v1 files without their pixels and frames, and one mesh at a time.

use std::io::{ErrorKind, Read, Seek, SeekFrom};

use ::bytes::Bytes;

use super::build::{Checker, Weights};
use super::document::{Document, Kind};
use super::schema::Vertex;
use super::used_bytes::{head_of, io};
use super::{Input, json, read_document, read_outline};
use crate::bytes::Block;
use crate::diagnostics::Diagnostics;
use crate::error::Result;
use crate::formats::detect::json::JsonText;
use crate::formats::detect::pchr::{score, with_hint};
use crate::formats::{ReadOptions, Sidecars, load_from};
use crate::limits::Budget;
use crate::math::{Rect, vec2};

/// A document that may have been read in part, and facts about its meshes.
#[derive(Debug)]
pub struct Outline {
    /// The document; blocks that were skipped are marked as such.
    pub document: Document,
    /// Size of the file in bytes.
    pub file_bytes: u64,
    /// One entry per mesh.
    pub meshes: Vec<MeshOutline>,
}

/// Facts about the vertices of a mesh.
#[derive(Debug, Clone, Copy)]
pub struct MeshOutline {
    /// Index of the bone that owns it; `None` if it has no owner or has errors.
    pub owner: Option<usize>,
    /// Bounding box of the finite vertices in bind-pose pixels, y up; empty if the mesh has no triangles.
    pub bounds: Rect,
    /// The largest number of influences of a vertex.
    pub influences: usize,
}

/// Reads the outline of a file of `len` bytes. Only v1 has parts that can be skipped, and its meshes are loaded
/// one at a time; other forms are read whole.
///
/// # Errors
///
/// Fails at the first mesh with an error, unless `diagnostics` collects errors.
pub fn read_file_outline(
    mut file: impl Read + Seek,
    len: u64,
    sidecars: &dyn Sidecars,
    options: &ReadOptions,
    diagnostics: &mut Diagnostics,
) -> Result<Outline> {
    let head = head_of(&mut file)?;
    let mut budget = Budget::new(&options.limits);
    if Kind::of(&head, len) == Kind::V1 && score(&head) > 0 {
        let outline = read_outline(&mut file, len, &mut budget, diagnostics);
        let outline = outline.map_err(|error| with_hint(error, &head, len));
        let mut load = |block: &Block| {
            file.seek(SeekFrom::Start(block.offset)).map_err(io)?;
            let mut bytes = Vec::new();
            file.by_ref().take(block.len).read_to_end(&mut bytes).map_err(io)?;
            if bytes.len() as u64 != block.len {
                // The file was truncated meanwhile, or was never as long as the caller stated.
                return Err(io(ErrorKind::UnexpectedEof.into()));
            }
            Ok(Block::new(bytes.into(), block.offset))
        };
        return Outline::load(Document::v1(outline?), len, options, diagnostics, &mut load);
    }
    let document = read_whole(load_from(file, len, &options.limits)?, sidecars, &mut budget, diagnostics)?;
    Outline::of(document, len, options, diagnostics)
}

impl Outline {
    /// Returns the outline of a document of `file_bytes` bytes that was read whole.
    pub fn of(
        document: Document,
        file_bytes: u64,
        options: &ReadOptions,
        diagnostics: &mut Diagnostics,
    ) -> Result<Self> {
        document.check_meshes()?;
        Self::load(document, file_bytes, options, diagnostics, &mut |block| Ok(block.clone()))
    }

    /// `load` returns the bytes of vertices and indices, which are dropped after each mesh.
    fn load(
        mut document: Document,
        file_bytes: u64,
        options: &ReadOptions,
        diagnostics: &mut Diagnostics,
        load: &mut dyn FnMut(&Block) -> Result<Block>,
    ) -> Result<Self> {
        // As if every image had a picture.
        let has_picture = vec![true; document.file.images.len()];
        let mut weights = Weights::default();
        let mut meshes = Vec::with_capacity(document.file.meshes.len());
        for index in 0..document.file.meshes.len() {
            let mesh = &mut document.file.meshes[index];
            let blocks = (mesh.vertices.clone(), mesh.indices.clone());
            (mesh.vertices, mesh.indices) = (load(&blocks.0)?, load(&blocks.1)?);
            let mut budget = Budget::new(&options.limits);
            let mut checker = Checker::new(&document, &has_picture, options, &mut weights);
            let checked = checker.check(index, &mut budget, diagnostics)?;
            let owner = checked.and_then(|mesh| mesh.owner).map(|owner| owner.index());
            let (bounds, influences) = (bounds(&document, index, options), influences(&document, index));
            meshes.push(MeshOutline { owner, bounds, influences });
            let mesh = &mut document.file.meshes[index];
            (mesh.vertices, mesh.indices) = blocks;
        }
        Ok(Self { document, file_bytes, meshes })
    }
}

fn bounds(document: &Document, mesh: usize, options: &ReadOptions) -> Rect {
    let (mesh, mut bounds) = (&document.file.meshes[mesh], Rect::NOTHING);
    if mesh.index_count() == 0 {
        return bounds;
    }
    for record in mesh.vertices.bytes.chunks_exact(Vertex::SIZE) {
        let vertex = Vertex::read(record);
        let point = vec2(vertex.x, if options.y_down { -vertex.y } else { vertex.y });
        if point.is_finite() {
            bounds = bounds.include(point);
        }
    }
    bounds
}

fn influences(document: &Document, mesh: usize) -> usize {
    let records = document.file.meshes[mesh].vertices.bytes.chunks_exact(Vertex::SIZE);
    let used = |weights: &mut dyn Iterator<Item = f32>| weights.filter(|weight| *weight > 0.0).count();
    let four = records.map(|record| used(&mut Vertex::read(record).bone_weights.into_iter())).max();
    let long = document.long_influences_of(mesh).iter();
    let long = long.map(|long| used(&mut long.influences.iter().map(|&(_, weight)| weight))).max();
    four.max(long).unwrap_or_default()
}

/// Reads a file whose parts cannot be skipped. Only the sizes of pictures next to it are looked up.
fn read_whole(
    bytes: Bytes,
    sidecars: &dyn Sidecars,
    budget: &mut Budget<'_>,
    diagnostics: &mut Diagnostics,
) -> Result<Document> {
    match Kind::of(&bytes, bytes.len() as u64) {
        Kind::V1 | Kind::PackedPachario => read_document(&Input { bytes, sidecars }, budget, diagnostics),
        Kind::Description | Kind::PacharioJson => {
            budget.check_file(bytes.len() as u64)?;
            let mut document = json::read(JsonText::of(&bytes), budget, diagnostics)?;
            find_images(&mut document, sidecars);
            Ok(document)
        }
    }
}

/// Checks which referenced pictures exist, and how large their files are.
fn find_images(document: &mut Document, sidecars: &dyn Sidecars) {
    for (image, sidecar) in document.file.images.iter_mut().zip(&mut document.sidecars) {
        match sidecars.size(&sidecar.path) {
            Ok(len) => {
                image.data = crate::bytes::Block { len, ..Default::default() };
                sidecar.missing = None;
            }
            Err(why) => sidecar.missing = Some(why),
        }
    }
}
