//! Changes of a [`Document`] before it is written in another form, and what that form cannot represent.
//!
//! Nothing is lost silently: whatever a form cannot represent is reported as a [`Loss`].

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use ::bytes::Bytes;

use super::build::{Bind, PageDecoder, PictureKey, check, decode_page, is_bind_name, picture_key};
use super::document::{At, Document, LongInfluences, VertexField};
use super::schema::{Animation, BoneTransform, Vertex};
use crate::bytes::{Block, f32_at, room};
use crate::diagnostics::Diagnostics;
use crate::error::{Error, Result};
use crate::formats::image::encode_png;
use crate::formats::{Loss, PageAlpha, ReadOptions};
use crate::limits::Budget;
use crate::math::color::unpremultiply_all;
use crate::misuse;

/// Checks everything that [`build`](build()) checks, including pictures, and returns the bind pose.
pub fn verify(
    document: &Document,
    options: &ReadOptions,
    budget: &mut Budget<'_>,
    diagnostics: &mut Diagnostics,
) -> Result<Bind> {
    let checked = check(document, options, budget, diagnostics)?;
    let mut decoder = PageDecoder::new(document);
    for (index, has_picture) in checked.has_picture.iter().enumerate() {
        if *has_picture {
            decoder.page(index)?;
        }
    }
    checked.bind.ok_or_else(|| Error::misuse("has-errors", "a document with errors has no bind pose"))
}

impl Document {
    /// Returns what a v1 file cannot represent.
    pub fn losses_to_v1(&self) -> Vec<Loss> {
        let mut losses = Vec::new();
        let weighing = |long: &LongInfluences| long.influences.iter().filter(|(_, weight)| *weight > 0.0).count();
        for of_mesh in self.long_influences.chunk_by(|a, b| a.mesh == b.mesh) {
            // Zero weights are no loss.
            let cut = || of_mesh.iter().filter(|long| weighing(long) > 4);
            let (Some(first), count) = (cut().next(), cut().count()) else { continue };
            let most = cut().map(weighing).max().unwrap_or_default();
            let name = self.file.meshes.get(first.mesh).map_or("", |mesh| &mesh.name);
            let message = format!(
                "mesh `{name}`: {count} vertices have more than four influences (up to {most}); the four largest are \
                 kept"
            );
            let place = self.place(At::Vertex(first.mesh, first.vertex, VertexField::Whole));
            losses.push(Loss::new("influences-cut", place.path, message));
        }
        losses
    }

    /// Returns what Pachario JSON cannot represent.
    pub(crate) fn losses_to_pachario(&self) -> Vec<Loss> {
        let mut losses = Vec::new();
        if self.file.flags != 0 {
            let message = format!("the file's reserved bits ({:#06x}) are not kept", self.file.flags);
            losses.push(Loss::new("flags-dropped", self.place(At::File("flags")).path, message));
        }
        losses
    }

    /// Applies the mirroring of `options` to the document, so that the result can be read without them.
    pub fn flip_to_y_up(&mut self, options: &ReadOptions) {
        let mirror = |bytes: &mut [u8], at: usize, from: f32| {
            let value = from - f32_at(bytes, at);
            bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
        };
        if options.y_down || options.flip_v {
            for mesh in &mut self.file.meshes {
                let mut records = mesh.vertices.bytes.to_vec();
                for record in records.chunks_exact_mut(Vertex::SIZE) {
                    if options.y_down {
                        mirror(record, 4, 0.0);
                    }
                    if options.flip_v {
                        mirror(record, 12, 1.0);
                    }
                }
                mesh.vertices = records.into();
            }
        }
        if options.y_down {
            for animation in &mut self.file.animations {
                let mut records = animation.frames.bytes.to_vec();
                for record in records.chunks_exact_mut(BoneTransform::SIZE) {
                    // y and rotation.
                    mirror(record, 4, 0.0);
                    mirror(record, 8, 0.0);
                }
                animation.frames = records.into();
            }
        }
    }

    /// Converts all images to straight alpha, as the format requires, if `options` state that they are
    /// premultiplied.
    pub(crate) fn straighten(&mut self, options: &ReadOptions, budget: &mut Budget<'_>) -> Result<()> {
        if options.page_alpha != PageAlpha::Premultiplied {
            return Ok(());
        }
        let mut straight: HashMap<PictureKey, Bytes> = HashMap::new();
        let mut data = Vec::with_capacity(self.file.images.len());
        for index in (0..self.file.images.len()).filter(|&index| self.missing(index).is_none()) {
            let bytes = match straight.entry(picture_key(self, index)) {
                Entry::Occupied(known) => known.get().clone(),
                Entry::Vacant(new) => new.insert(self.straight_picture(index, budget)?).clone(),
            };
            data.push((index, bytes));
        }
        for (index, bytes) in data {
            self.file.images[index].data = Block::new(bytes, 0);
        }
        Ok(())
    }

    /// Returns the picture of an image with straight alpha, in its original encoding.
    fn straight_picture(&self, index: usize, budget: &mut Budget<'_>) -> Result<Bytes> {
        let (image, place) = (&self.file.images[index], || self.place(At::Image(index, "data")));
        budget.charge_pixels(image.width.into(), image.height.into(), place)?;
        budget.charge_encoding(image.width.into(), image.height.into(), place)?;
        let page = decode_page(self, index)?;
        let mut pixels = room(page.pixels.len())?;
        pixels.extend_from_slice(&page.pixels);
        unpremultiply_all(&mut pixels);
        Ok(if self.is_png(index) { encode_png(page.width, page.height, &pixels)?.into() } else { pixels.into() })
    }

    /// Moves or copies the bind pose to the front as an animation of one frame, so that programs find it both by
    /// position and by name. The animations in `keep`, or all, follow.
    ///
    /// # Panics
    ///
    /// If `bind` belongs to another document and its frame does not exist in this one.
    #[track_caller]
    pub fn prepend_bind_pose(&mut self, bind: &Bind, keep: Option<&[usize]>) {
        if let Some((at, frame)) = bind.frame {
            let size = self.file.bones.len() * BoneTransform::SIZE;
            let has_frame = |animation: &Animation| {
                let end = frame.checked_add(1).and_then(|end| end.checked_mul(size));
                end.is_some_and(|end| end <= animation.frames.bytes.len())
            };
            let exists = self.file.animations.get(at).is_some_and(has_frame);
            misuse::expect(exists, || {
                format!("the bind pose belongs to another document: animation {at} here has no frame {frame}")
            });
        }
        let animations = std::mem::take(&mut self.file.animations);
        let (lead, from) = self.lead(bind, &animations);
        let is_kept = |at: usize| Some(at) != from && keep.is_none_or(|keep| keep.contains(&at));
        let others = animations.into_iter().enumerate().filter(|(at, _)| is_kept(*at));
        self.file.animations = std::iter::once(lead).chain(others.map(|(_, animation)| animation)).collect();
    }

    /// Returns the animation with the bind pose, and its previous index if it existed.
    fn lead(&self, bind: &Bind, animations: &[Animation]) -> (Animation, Option<usize>) {
        let is_lead = |animation: &Animation| {
            is_bind_name(animation) && animation.frame_count == 1 && animation.flags & Animation::LOOP == 0
        };
        let bone_count = self.file.bones.len();
        let is_taken = |name: &str| animations.iter().any(|animation| animation.name.eq_ignore_ascii_case(name));
        let free = ["bind", "bind_pose", "bindpose", "rest_pose"].into_iter().find(|name| !is_taken(name));
        let name = free.unwrap_or("bind");
        match bind.frame {
            // Moved rather than duplicated.
            Some((at, 0)) if is_lead(&animations[at]) => (animations[at].clone(), Some(at)),
            Some((at, frame)) => {
                let size = bone_count * BoneTransform::SIZE;
                let bytes = animations[at].frames.bytes.slice(frame * size..(frame + 1) * size);
                let frames = Block::new(bytes, 0);
                (Animation { name: name.to_owned(), frame_count: 1, frames, ..Animation::default() }, None)
            }
            None => (Animation::new(name, false, &[vec![BoneTransform::default(); bone_count]]), None),
        }
    }
}
