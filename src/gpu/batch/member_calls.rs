//! What one member draws: its draw calls, attachments and sprites, independent of the members before it.

use std::ops::Range;

use super::draw_call::{DrawCall, DrawState};
use super::index_lists::DrawOrder;
use super::inputs::Inputs;
use super::member::Member;
use super::sprite_tables::InstanceSprite;
use crate::draw::mipmaps::{Choice, Source};
use crate::draw::{self, Command, DrawList, Mask, SpriteColor, View};
use crate::gpu::error::{Cause, GpuError};
use crate::gpu::shaders::gpu_data::Sprite;
use crate::gpu::upload::{Shape, VertexPlace};
use crate::model::{Attachment, AttachmentId};
use crate::pose::{DeformSpan, SkinMatrix};

/// The draw calls of a member, and what they refer to. Its memory is reused.
#[derive(Debug, Default)]
pub struct MemberCalls {
    /// Relative to the member's first instance, index and overlay vertex.
    pub calls: Vec<DrawCall>,
    /// The attachments that are drawn.
    pub order: DrawOrder,
    /// The number of indices of their triangles.
    pub index_count: u64,
    /// The sprites of all instances, one instance after the other.
    pub instance_sprites: Vec<InstanceSprite>,
    /// One, and another one each time that the member shows the same attachment again.
    pub instances: u32,
    /// The sprites that are sampled from a level which depends on their scale.
    levels: Vec<SpriteLevel>,
    /// Whether pixel art is magnified in whole steps, on which its sampling depends.
    whole_steps: bool,
    /// How often the member shows each attachment.
    counts: Vec<u32>,
    /// By bone: how much it scales areas.
    areas: Vec<f32>,
}

/// The mipmap level of a sprite.
#[derive(Debug, Clone, Copy)]
struct SpriteLevel {
    attachment: AttachmentId,
    level: u32,
    most: u32,
}

/// Where a member is seen.
#[derive(Clone, Copy)]
struct Place<'a> {
    view: &'a View,
    /// Picture pixels per pixel of the character's own space, by area.
    magnification: f32,
}

/// The clip mask that is in effect.
#[derive(Clone)]
struct Clip {
    vertices: VertexPlace,
    indices: Range<u32>,
    instance: u32,
}

impl MemberCalls {
    /// Replaces everything by what `member` draws. `previous` is the member that was collected before with the same
    /// inputs. Returns true if both draw the same, and fails if the list of `member` belongs to another model.
    pub fn collect(
        &mut self,
        inputs: Inputs<'_>,
        member: &Member<'_>,
        previous: Option<&Member<'_>>,
    ) -> Result<bool, GpuError> {
        let list = member.list;
        self.areas.clear();
        // Once for each bone rather than for each sprite.
        self.areas.extend(list.palette.iter().map(SkinMatrix::area_scale));
        // The scale at the member's place decides on its mipmap levels.
        let view = inputs.camera.view_at(member.world_from_character.translation.extend(member.z));
        let growth = member.world_from_character.matrix2.determinant().abs();
        let place = Place { view: &view, magnification: view.scale() * view.scale() * growth };
        if previous.is_some_and(|previous| self.is_same(inputs, list, previous.list, place)) {
            return Ok(true);
        }
        if let Some(what) = list.mismatch(inputs.model) {
            return Err(Cause::WrongModel { what }.into());
        }
        self.calls.clear();
        self.order.clear();
        self.instance_sprites.clear();
        self.levels.clear();
        self.whole_steps = view.magnifies_in_whole_steps();
        (self.index_count, self.instances) = (0, 1);
        self.counts.clear();
        self.counts.resize(inputs.model.attachments().len(), 0);
        let mut clip = None;
        for command in &list.commands {
            match command {
                Command::Sprite(sprite) => self.sprite(inputs, sprite, member, place),
                Command::ClipBegin(mask) if clip.is_none() => {
                    let begun = self.clip(inputs, mask, member);
                    self.invert_stencil(&begun, true);
                    clip = Some(begun);
                }
                Command::ClipBegin(_) => {}
                Command::ClipEnd => clip.take().iter().for_each(|clip| self.invert_stencil(clip, false)),
                Command::Overlay(range) if range.start < range.end && range.end as usize <= list.overlay.len() => {
                    self.calls.push(DrawCall::Overlay { vertices: range.clone(), instance: 0 });
                }
                Command::Overlay(_) => {}
            }
        }
        clip.iter().for_each(|clip| self.invert_stencil(clip, false));
        if self.instances > 1 {
            self.instance_sprites.sort_unstable_by_key(|sprite| sprite.instance);
        }
        Ok(false)
    }

    /// Returns true if `list` draws the same as `previous`, which was collected: the same commands, sampled from the
    /// same mipmap levels.
    fn is_same(&self, inputs: Inputs<'_>, list: &DrawList, previous: &DrawList, place: Place<'_>) -> bool {
        let lengths = |list: &DrawList| [list.palette.len(), list.deform.len(), list.overlay.len()];
        lengths(list) == lengths(previous)
            && list.commands == previous.commands
            && list.hulls.have_corners_of(&previous.hulls)
            && place.view.magnifies_in_whole_steps() == self.whole_steps
            && self
                .levels
                .iter()
                .all(|sprite| self.level(inputs, sprite.attachment, sprite.most, place) == sprite.level)
    }

    fn level(&self, inputs: Inputs<'_>, attachment: AttachmentId, most: u32, place: Place<'_>) -> u32 {
        let area_scale = |bone: usize| self.areas.get(bone).copied();
        inputs.pages.mipmaps().level(attachment, most, place.magnification, area_scale)
    }

    /// What a sprite is sampled from.
    fn source(&mut self, inputs: Inputs<'_>, attachment: AttachmentId, place: Place<'_>) -> Source {
        match inputs.pages.mipmaps().choice(inputs.model, attachment, inputs.filter, place.view) {
            Choice::Page(sampling) => Source::Page(sampling),
            Choice::Level { region, most } => {
                let level = self.level(inputs, attachment, most, place);
                self.levels.push(SpriteLevel { attachment, level, most });
                Source::of_level(region, level)
            }
        }
    }

    fn sprite(&mut self, inputs: Inputs<'_>, sprite: &draw::Sprite, member: &Member<'_>, place: Place<'_>) {
        let Some(shape) = inputs.geometry.shape(sprite.attachment) else {
            // The attachment has no triangles; panics if the model does not have it.
            inputs.model.attachment(sprite.attachment);
            return;
        };
        let source = self.source(inputs, sprite.attachment, place);
        let (binding, uv) = inputs.pages.source(shape.page, source);
        let colored = Sprite { uv, ..Sprite::new(&sprite.color) };
        let instance = self.add_sprite(sprite.attachment, shape, colored, sprite.deform, member);
        let indices = self.take_indices(sprite.attachment, shape.index_count);
        let state = DrawState { vertices: shape.vertices, binding, blend: sprite.blend };
        self.draw(state, indices, instance);
    }

    /// Adds the sprite of an attachment. Returns its instance, which differs each time that the member shows the
    /// attachment again.
    fn add_sprite(
        &mut self,
        id: AttachmentId,
        shape: &Shape,
        sprite: Sprite,
        deform: DeformSpan,
        member: &Member<'_>,
    ) -> u32 {
        let attachment = id.index();
        let instance = self.counts[attachment];
        self.counts[attachment] += 1;
        self.instances = self.instances.max(instance + 1);
        let has_all = deform.count == shape.influence_count && deform.range().end <= member.list.deform.len();
        let deform_shift = if has_all && deform.count > 0 {
            // Fits: bindings are smaller than 2³² bytes.
            (i64::from(deform.first) - i64::from(shape.first_influence)) as i32
        } else {
            Sprite::NO_DEFORM
        };
        self.instance_sprites.push(InstanceSprite {
            instance,
            attachment,
            sprite: Sprite { deform_shift, ..sprite },
        });
        instance
    }

    /// Adds the triangles of an attachment. Returns their range of indices.
    fn take_indices(&mut self, id: AttachmentId, count: u32) -> Range<u32> {
        let first = self.index_count;
        self.index_count += u64::from(count);
        self.order.attachments.push(id);
        // If they do not fit in 32 bits, the member is refused and nothing is drawn.
        first as u32..self.index_count as u32
    }

    /// Adds triangles to the last draw call if that is possible.
    fn draw(&mut self, state: DrawState, indices: Range<u32>, instance: u32) {
        let instances = instance..instance + 1;
        match self.calls.last_mut() {
            Some(DrawCall::Sprites { state: before, indices: drawn, instances: of })
                if *before == state && *of == instances =>
            {
                drawn.end = indices.end;
            }
            _ => self.calls.push(DrawCall::Sprites { state, indices, instances }),
        }
    }

    /// Begins a clip mask. One without corners has no triangles, so it hides everything, and so does an attachment
    /// that is not a clip mask.
    fn clip(&mut self, inputs: Inputs<'_>, mask: &Mask, member: &Member<'_>) -> Clip {
        let clip = inputs.model.attachment(mask.attachment);
        let (Some(shape), Attachment::ClipMask(clip)) = (inputs.geometry.shape(mask.attachment), clip) else {
            let vertices = VertexPlace::SkinN { buffer: 0, influences: 0 };
            return Clip { vertices, indices: 0..0, instance: 0 };
        };
        let colorless = Sprite::new(&SpriteColor::NONE);
        let instance = self.add_sprite(mask.attachment, shape, colorless, mask.deform, member);
        let mut count = shape.index_count;
        if clip.is_convex {
            let hull = member.list.hulls.of(mask.hull);
            count -= 3 * clip.polygon.vertices.len().saturating_sub(hull.len().max(2)) as u32;
            self.order.add_hull(hull);
        }
        let indices = self.take_indices(mask.attachment, count);
        Clip { vertices: shape.vertices, indices, instance }
    }

    fn invert_stencil(&mut self, clip: &Clip, begins: bool) {
        let Clip { vertices, indices, instance } = clip.clone();
        self.calls.push(DrawCall::Mask { vertices, indices, instance, begins });
    }
}
