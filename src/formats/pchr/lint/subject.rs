//! Facts about a file that several checks need.

use std::ops::Range;

use crate::formats::ReadOptions;
use crate::formats::pchr::build::{Checked, CheckedMesh, is_bind_name};
use crate::formats::pchr::document::Document;
use crate::formats::pchr::schema::{Animation, File, Mesh, Vertex};
use crate::model::AtlasPage;

/// A file and the facts about it.
pub struct Subject<'a> {
    pub document: &'a Document,
    pub file: &'a File,
    pub checked: &'a Checked,
    /// Pixels, by image.
    pub pages: &'a [Option<AtlasPage>],
    pub options: &'a ReadOptions,
    /// By bone: true if it or a descendant moves a vertex.
    pub is_used: Vec<bool>,
    /// The longer side of the bounding box of all vertices, in pixels.
    pub size: f64,
}

impl<'a> Subject<'a> {
    pub fn new(
        document: &'a Document,
        checked: &'a Checked,
        pages: &'a [Option<AtlasPage>],
        options: &'a ReadOptions,
    ) -> Self {
        let file = &document.file;
        let mut subject = Self { document, file, checked, pages, options, is_used: Vec::new(), size: 0.0 };
        let mut is_used = vec![false; file.bones.len()];
        let (mut min, mut max) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
        for index in 0..file.meshes.len() {
            subject.each_vertex(index, |_, vertex, influences| {
                for &(bone, weight) in influences {
                    if let (true, Some(is_used)) = (weight > 0.0, is_used.get_mut(usize::from(bone))) {
                        *is_used = true;
                    }
                }
                for (axis, value) in [vertex.x, vertex.y].into_iter().enumerate() {
                    min[axis] = min[axis].min(value.into());
                    max[axis] = max[axis].max(value.into());
                }
            });
        }
        for (index, bone) in file.bones.iter().enumerate().rev() {
            let is_child_used = is_used[index];
            let parent = usize::try_from(bone.parent).ok().filter(|parent| *parent < index);
            if let (true, Some(parent)) = (is_child_used, parent) {
                is_used[parent] = true;
            }
        }
        subject.is_used = is_used;
        subject.size = (max[0] - min[0]).max(max[1] - min[1]).max(0.0);
        subject
    }

    /// The meshes without errors.
    pub fn meshes(&self) -> impl Iterator<Item = (usize, &'a Mesh, &'a CheckedMesh)> {
        let meshes = self.file.meshes.iter().zip(&self.checked.meshes).enumerate();
        meshes.filter_map(|(index, (mesh, checked))| Some((index, mesh, checked.as_ref()?)))
    }

    /// Calls `visit` for each vertex of a mesh, with all its influences.
    pub fn each_vertex(&self, mesh: usize, mut visit: impl FnMut(usize, &Vertex, &[(u16, f32)])) {
        let Some(records) = self.file.meshes.get(mesh).map(|mesh| &mesh.vertices.bytes) else { return };
        let mut long = self.document.long_influences_of(mesh).iter().peekable();
        for (index, record) in records.chunks_exact(Vertex::SIZE).enumerate() {
            let vertex = Vertex::read(record);
            match long.next_if(|long| long.vertex == index) {
                Some(long) => visit(index, &vertex, &long.influences),
                None => {
                    let packed: [(u16, f32); 4] =
                        std::array::from_fn(|i| (vertex.bone_ids[i], vertex.bone_weights[i]));
                    visit(index, &vertex, &packed);
                }
            }
        }
    }

    /// The animations without errors that have frames.
    pub fn stored(&self) -> impl Iterator<Item = (usize, &'a Animation)> {
        let animations = self.file.animations.iter().zip(&self.checked.is_playable).enumerate();
        animations
            .filter(|(_, (stored, is_playable))| **is_playable && stored.frame_count > 0)
            .map(|(index, (animation, _))| (index, animation))
    }

    /// The animations except bind poses, unless there are no others.
    pub fn motions(&self) -> impl Iterator<Item = (usize, &'a Animation)> {
        let only_bind = self.stored().all(|(_, animation)| is_bind_name(animation));
        self.stored().filter(move |(_, animation)| only_bind || !is_bind_name(animation))
    }

    /// The name of an animation.
    pub fn animation_name(&self, index: usize) -> &'a str {
        self.file.animations.get(index).map_or("", |animation| &animation.name)
    }

    /// The name of a bone.
    pub fn bone_name(&self, index: usize) -> &'a str {
        self.file.bones.get(index).map_or("", |bone| &bone.name)
    }
}

/// Reads one vertex, with at most four influences.
pub fn vertex(mesh: &Mesh, index: u16) -> Option<Vertex> {
    let at = usize::from(index) * Vertex::SIZE;
    mesh.vertices.bytes.get(at..at + Vertex::SIZE).map(Vertex::read)
}

/// Returns all frames of these animations, or `most` of them, spaced evenly.
pub fn frames<'a>(animations: impl Iterator<Item = (usize, &'a Animation)>, most: usize) -> Vec<(usize, usize)> {
    let spans: Vec<(usize, Range<usize>)> = animations
        .scan(0, |end, (index, animation)| {
            let begin = *end;
            *end += usize::from(animation.frame_count);
            Some((index, begin..*end))
        })
        .collect();
    let total = spans.last().map_or(0, |(_, span)| span.end);
    let chosen = total.min(most.max(1));
    let mut spans = spans.into_iter().peekable();
    let mut frames = Vec::with_capacity(chosen);
    for number in 0..chosen {
        let frame = (number as u64 * total as u64 / chosen as u64) as usize;
        while spans.next_if(|(_, span)| span.end <= frame).is_some() {}
        if let Some((index, span)) = spans.peek() {
            frames.push((*index, frame - span.start));
        }
    }
    frames
}
