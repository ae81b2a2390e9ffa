//! Draw lists → draw calls. Consecutive sprites with the same texture, sampling, blend class and clip span become
//! one call.
//!
//! A call draws the triangles of many attachments, so their indices are in a buffer in draw order, which is only
//! written again when that order changes. What differs from attachment to attachment, such as colours and deform
//! offsets, is looked up by an index that every vertex has.

use std::ops::Range;

use super::gpu_data::{Instance, Sprite, UvPlace};
use super::pages::{Binding, Pages};
use super::pipelines::Kind;
use super::upload::{Geometry, Shape, VertexPlace};
use super::{Camera, GpuError, Member};
use crate::draw::mipmaps::{SampleContext, Source};
use crate::draw::{self, BlendClass, Command, Filter, Mask, Sampling, SpriteColor, View};
use crate::misuse;
use crate::model::{Attachment, AttachmentId, Model};
use crate::pose::DeformSpan;

/// Everything that a view draws. Its memory is reused.
#[derive(Debug, Default)]
pub struct Batch {
    pub steps: Vec<Step>,
    /// One per member, and another one each time that a member shows the same attachment again.
    pub instances: Vec<Instance>,
    /// One per instance and attachment. Those of attachments that are not shown are unused.
    pub sprites: Vec<Sprite>,
    /// True if `sprites` changed since they were uploaded.
    pub sprites_changed: bool,
    /// The triangles of sprites and masks.
    pub indices: Vec<u32>,
    /// True if `indices` changed since they were uploaded.
    pub indices_changed: bool,
    /// The attachments whose triangles `indices` contains, in order.
    order: Vec<AttachmentId>,
    /// The same for the view that is being built.
    next_order: Vec<AttachmentId>,
    /// How often the current member has shown each attachment.
    shown: Vec<u32>,
    /// The number of `sprites` that fit in a buffer.
    sprite_limit: usize,
}

/// One draw call.
#[derive(Debug, PartialEq)]
pub enum Step {
    /// Consecutive sprites that one call can draw.
    Sprites { state: DrawState, indices: Range<u32> },
    /// Inverts the stencil inside a polygon. Later steps are drawn inside the stencil if `begins`, else
    /// everywhere. Inverted twice, the stencil is as it was before.
    Mask { vertices: VertexPlace, indices: Range<u32>, instance: u32, begins: bool },
    /// Triangles of the overlay.
    Overlay { vertices: Range<u32>, instance: u32 },
}

impl Step {
    /// The pipeline that draws the step; `None` if it draws nothing.
    pub fn kind(&self) -> Option<Kind> {
        match self {
            Self::Sprites { state, .. } => Some(match state.vertices {
                VertexPlace::Skin4 { .. } => Kind::Skin4(state.blend),
                VertexPlace::SkinN { .. } => Kind::SkinN(state.blend),
            }),
            Self::Mask { indices, .. } => (!indices.is_empty()).then_some(Kind::Mask),
            Self::Overlay { .. } => Some(Kind::Overlay),
        }
    }
}

/// What all sprites of a draw call have in common.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DrawState {
    pub vertices: VertexPlace,
    pub binding: Binding,
    pub blend: BlendClass,
    pub instance: u32,
}

/// The inputs of [`Batch::build`].
#[derive(Clone, Copy)]
pub struct Inputs<'a> {
    pub model: &'a Model,
    pub geometry: &'a Geometry,
    pub pages: &'a Pages,
    pub camera: Camera,
    pub filter: Filter,
}

/// Positions in the buffers while members are added.
#[derive(Default)]
struct Bases {
    /// The first instance of the current member.
    instance: u32,
    bones: u32,
    deform: usize,
    overlay: u32,
    /// The number of indices so far.
    indices: u64,
    /// The start in [`Batch::next_order`] of the last member with indices of its own, and its first index.
    last: (usize, u64),
}

/// The clip mask that is in effect.
#[derive(Clone)]
struct Clip {
    vertices: VertexPlace,
    indices: Range<u32>,
    instance: u32,
}

impl Inputs<'_> {
    /// Returns the texture of a sprite and its place in there.
    fn source(&self, sprite: &draw::Sprite, page: usize, member: &Member<'_>, view: &View) -> (Binding, UvPlace) {
        let growth = member.world_from_character.matrix2.determinant().abs();
        let context = SampleContext { palette: &member.list.palette, filter: self.filter, view, growth };
        let source = self.pages.mipmaps().source(self.model, sprite, context);
        let (sampling, place) = match source {
            Source::Page(sampling) => (sampling, None),
            Source::Level { region, level } => (Sampling::Linear, self.pages.place(page, region, level)),
        };
        (Binding { page, is_level: place.is_some(), sampling }, place.unwrap_or(UvPlace::PAGE))
    }
}

impl Batch {
    /// Builds the draw calls. Refuses more triangles or sprites than fit in buffers of these limits.
    ///
    /// # Panics
    ///
    /// If a list belongs to another model, or the model is not the one that was uploaded.
    pub fn build(
        &mut self,
        inputs: Inputs<'_>,
        members: &[Member<'_>],
        limits: &wgpu::Limits,
    ) -> Result<(), GpuError> {
        // Indices are counted in 32 bits, however large buffers may be.
        let limit = limits.max_buffer_size.min(u64::from(u32::MAX) * size_of::<u32>() as u64);
        let storage_limit = limit.min(limits.max_storage_buffer_binding_size);
        self.sprite_limit = usize::try_from(storage_limit).unwrap_or(usize::MAX) / size_of::<Sprite>();
        self.steps.clear();
        self.instances.clear();
        self.next_order.clear();
        self.shown.resize(inputs.model.attachments().len(), 0);
        let mut bases = Bases::default();
        for member in members {
            self.member(inputs, member, &mut bases);
        }
        let bytes = bases.indices * size_of::<u32>() as u64;
        if bytes > limit {
            return Err(GpuError::BufferTooLarge { what: "the index buffer".to_owned(), bytes, limit });
        }
        let sprites = self.instances.len().saturating_mul(self.shown.len());
        if sprites > self.sprite_limit {
            let (what, limit) = ("the sprite buffer".to_owned(), storage_limit);
            let bytes = (sprites as u64).saturating_mul(size_of::<Sprite>() as u64);
            return Err(GpuError::BufferTooLarge { what, bytes, limit });
        }
        if self.next_order != self.order {
            std::mem::swap(&mut self.next_order, &mut self.order);
            self.indices_changed = true;
            self.indices.clear();
            for &id in &self.order {
                if let Some(shape) = inputs.geometry.shape(id) {
                    let first = self.indices.len();
                    append_indices(inputs.model.attachment(id), shape, &mut self.indices);
                    let (found, expected) = (self.indices.len() - first, shape.index_count as usize);
                    misuse::expect(found == expected, || {
                        let number = id.index();
                        format!(
                            "the model is not the one that was uploaded: attachment {number} has {found} indices, not \
                             {expected}"
                        )
                    });
                }
            }
        }
        Ok(())
    }

    /// Marks everything as uploaded.
    pub fn uploaded(&mut self) {
        (self.sprites_changed, self.indices_changed) = (false, false);
    }

    fn member(&mut self, inputs: Inputs<'_>, member: &Member<'_>, bases: &mut Bases) {
        let list = member.list;
        list.expect_of(inputs.model);
        let (first_step, first_place, first_index) = (self.steps.len(), self.next_order.len(), bases.indices);
        self.shown.fill(0);
        bases.instance = self.instance(member, bases.bones);
        // The scale at the member's place decides on its mipmap levels.
        let view = inputs.camera.view_near(member.world_from_character.translation);
        let mut clip = None;
        for command in &list.commands {
            match command {
                Command::Sprite(sprite) => {
                    let Some(shape) = inputs.geometry.shape(sprite.attachment) else {
                        // The attachment has no triangles; panics if the model does not have it.
                        inputs.model.attachment(sprite.attachment);
                        continue;
                    };
                    let (binding, uv) = inputs.source(sprite, shape.page, member, &view);
                    let looks = Sprite { uv, ..Sprite::new(&sprite.color) };
                    let instance =
                        self.place_sprite(sprite.attachment, shape, looks, sprite.deform, member, bases);
                    let state = DrawState { vertices: shape.vertices, binding, blend: sprite.blend, instance };
                    let indices = self.take_indices(sprite.attachment, shape, bases);
                    self.draw(state, indices);
                }
                Command::ClipBegin(mask) if clip.is_none() => {
                    let begun = self.clip(inputs, mask, member, bases);
                    self.invert_stencil(&begun, true);
                    clip = Some(begun);
                }
                Command::ClipBegin(_) => {}
                Command::ClipEnd => clip.take().iter().for_each(|clip| self.invert_stencil(clip, false)),
                Command::Overlay(range) if range.start < range.end && range.end as usize <= list.overlay.len() => {
                    let vertices = bases.overlay + range.start..bases.overlay + range.end;
                    self.steps.push(Step::Overlay { vertices, instance: bases.instance });
                }
                Command::Overlay(_) => {}
            }
        }
        clip.iter().for_each(|clip| self.invert_stencil(clip, false));
        bases.bones += list.palette.len() as u32;
        bases.deform += list.deform.len();
        bases.overlay += list.overlay.len() as u32;
        self.share(first_step, first_place, first_index, bases);
    }

    /// Adds an instance of `member`, with sprites of its own.
    fn instance(&mut self, member: &Member<'_>, palette_base: u32) -> u32 {
        let (number, sprites) = (self.instances.len(), self.shown.len());
        let sprite_base = number.wrapping_mul(sprites) as u32;
        self.instances.push(Instance::new(member.world_from_character, palette_base, sprite_base));
        let room = (number + 1).saturating_mul(sprites);
        // More are only counted, and refused at the end.
        if self.sprites.len() < room && room <= self.sprite_limit {
            self.sprites.resize(room, Sprite::new(&SpriteColor::NONE));
            self.sprites_changed = true;
        }
        number as u32
    }

    /// Writes the sprite of an attachment. Returns its instance, which differs each time that a member shows the
    /// attachment again.
    fn place_sprite(
        &mut self,
        id: AttachmentId,
        shape: &Shape,
        looks: Sprite,
        deform: DeformSpan,
        member: &Member<'_>,
        bases: &Bases,
    ) -> u32 {
        let (number, sprites) = (id.index(), self.shown.len());
        let instance = bases.instance + self.shown[number];
        self.shown[number] += 1;
        if instance as usize == self.instances.len() {
            self.instance(member, bases.bones);
        }
        let has_all = deform.count == shape.influence_count && deform.range().end <= member.list.deform.len();
        let deform_shift = if has_all && deform.count > 0 {
            // Fits: bindings are smaller than 2³² bytes.
            ((bases.deform + deform.first as usize) as i64 - i64::from(shape.first_influence)) as i32
        } else {
            Sprite::NO_DEFORM
        };
        let sprite = Sprite { deform_shift, ..looks };
        let place = (instance as usize).saturating_mul(sprites).saturating_add(number);
        if let Some(place) = self.sprites.get_mut(place)
            && *place != sprite
        {
            *place = sprite;
            self.sprites_changed = true;
        }
        instance
    }

    /// Adds the triangles of an attachment. Returns their range of indices.
    fn take_indices(&mut self, id: AttachmentId, shape: &Shape, bases: &mut Bases) -> Range<u32> {
        let first = bases.indices;
        bases.indices += u64::from(shape.index_count);
        self.next_order.push(id);
        // If they do not fit in 32 bits, the batch is refused and nothing is drawn.
        first as u32..bases.indices as u32
    }

    /// Adds triangles to the last draw call if that is possible.
    fn draw(&mut self, state: DrawState, indices: Range<u32>) {
        match self.steps.last_mut() {
            Some(Step::Sprites { state: before, indices: drawn }) if *before == state => drawn.end = indices.end,
            _ => self.steps.push(Step::Sprites { state, indices }),
        }
    }

    /// Begins a clip mask. One without corners has no triangles, so it hides everything, and so does an attachment
    /// that is not a clip mask.
    fn clip(&mut self, inputs: Inputs<'_>, mask: &Mask, member: &Member<'_>, bases: &mut Bases) -> Clip {
        let is_mask = matches!(inputs.model.attachment(mask.attachment), Attachment::ClipMask(_));
        let Some(shape) = inputs.geometry.shape(mask.attachment).filter(|_| is_mask) else {
            let vertices = VertexPlace::SkinN { buffer: 0, influences: 0 };
            return Clip { vertices, indices: 0..0, instance: bases.instance };
        };
        let looks = Sprite::new(&SpriteColor::NONE);
        let instance = self.place_sprite(mask.attachment, shape, looks, mask.deform, member, bases);
        let indices = self.take_indices(mask.attachment, shape, bases);
        Clip { vertices: shape.vertices, indices, instance }
    }

    fn invert_stencil(&mut self, clip: &Clip, begins: bool) {
        let Clip { vertices, indices, instance } = clip.clone();
        self.steps.push(Step::Mask { vertices, indices, instance, begins });
    }

    /// Lets a member that shows the same attachments in the same order as the one before share its indices.
    fn share(&mut self, first_step: usize, first_place: usize, first_index: u64, bases: &mut Bases) {
        let (shared_place, shared_index) = bases.last;
        let is_same = self.next_order[shared_place..first_place] == self.next_order[first_place..];
        if first_place == 0 || !is_same {
            bases.last = (first_place, first_index);
            return;
        }
        self.next_order.truncate(first_place);
        bases.indices = first_index;
        let back = (first_index - shared_index) as u32;
        for step in &mut self.steps[first_step..] {
            if let Step::Sprites { indices, .. } | Step::Mask { indices, .. } = step
                && indices.start < indices.end
            {
                *indices = indices.start.wrapping_sub(back)..indices.end.wrapping_sub(back);
            }
        }
    }
}

/// Appends the triangles of a mesh, or of a polygon as a fan, offset by its first vertex.
fn append_indices(attachment: &Attachment, shape: &Shape, indices: &mut Vec<u32>) {
    let base = shape.base_vertex;
    match attachment {
        Attachment::Region(mesh) | Attachment::Mesh(mesh) => {
            let own = mesh.indices.bytes().as_chunks().0.iter();
            indices.extend(own.map(|&index| base + u32::from(u16::from_le_bytes(index))));
        }
        Attachment::ClipMask(_) => {
            let triangles = shape.index_count / 3;
            indices.extend((0..triangles).flat_map(|number| [base, base + number + 1, base + number + 2]));
        }
        Attachment::Path(_) | Attachment::Point(_) | Attachment::Bounds(_) => {}
    }
}
