//! A draw list → commands in a render pass.

use super::batch::{Alike, Batch, Step, Subject};
use super::faults::catch;
use super::frame::Frame;
use super::layouts::Layouts;
use super::pages::{Binding, Pages};
use super::pipelines::{Needs, Pipelines};
use super::upload::{Geometry, VertexPlace};
use super::{GpuError, TargetFormat};
use crate::draw::{BlendClass, DrawList, Filter, View};
use crate::math::Affine2;
use crate::misuse;
use crate::model::Model;

/// Draws one model, on any device, into any pass whose target it was made for.
///
/// ```no_run
/// # use pchr::{draw::{DrawList, Filter, View}, gpu::{GpuError, Renderer, TargetFormat}, model::Model};
/// # fn draw(device: &wgpu::Device, queue: &wgpu::Queue, model: &Model, list: &DrawList, view: &View,
/// #     color: wgpu::TextureFormat, pass: &mut wgpu::RenderPass<'_>) -> Result<(), GpuError> {
/// let mut renderer = Renderer::new(device, queue, model, TargetFormat { color, samples: 1, depth_stencil: None })?;
/// renderer.prepare(device, queue, model, list, view, Filter::Auto)?; // once a frame, before the pass
/// renderer.draw(pass);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Renderer {
    layouts: Layouts,
    needs: Needs,
    pipelines: Pipelines,
    geometry: Geometry,
    pages: Pages,
    frame: Frame,
    batch: Batch,
    is_prepared: bool,
}

/// One character of a crowd: the same model, in its own pose and place.
#[derive(Debug, Clone, Copy)]
pub struct Member<'a> {
    /// What is drawn of it.
    pub list: &'a DrawList,
    /// Where it stands.
    pub world_from_character: Affine2,
}

impl Renderer {
    /// Uploads `model` and makes the pipelines for `target`.
    ///
    /// Refuses a model with a page or a mesh that the device cannot hold, a device with too few storage buffers for
    /// vertex shaders, a target that cannot be blended into, and one without a stencil for a model with clip masks.
    pub fn new(
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        model: &Model,
        target: TargetFormat,
    ) -> Result<Self, GpuError> {
        let needs = Needs::of(model);
        if device.limits().max_storage_buffers_per_shader_stage < needs.storage_buffers() {
            return Err(GpuError::NoVertexStorage { adapter: device.adapter_info().name });
        }
        check_stencil(needs, target)?;
        catch(device, || {
            let layouts = Layouts::new(device);
            let geometry = Geometry::upload(device, model)?;
            let pipelines = Pipelines::new(device, &layouts, target, needs);
            let pages = Pages::upload(device, queue, &layouts, model)?;
            let frame = Frame::new(device, &layouts, &geometry);
            let batch = Batch::default();
            Ok(Self { layouts, needs, pipelines, geometry, pages, frame, batch, is_prepared: false })
        })
    }

    /// What it draws into.
    pub fn target(&self) -> TargetFormat {
        self.pipelines.target
    }

    /// Draws into another kind of target from now on. What was uploaded stays.
    pub fn set_target(&mut self, device: &wgpu::Device, target: TargetFormat) -> Result<(), GpuError> {
        if target != self.pipelines.target {
            check_stencil(self.needs, target)?;
            self.pipelines = catch(device, || Ok(Pipelines::new(device, &self.layouts, target, self.needs)))?;
        }
        Ok(())
    }

    /// Writes what [`Self::draw`] draws: one character where it is.
    ///
    /// `model` is the one that was uploaded. Goes through the queue, so it takes effect with the next submission
    /// and holds until the next call: what is to be drawn in one submission is prepared once.
    ///
    /// # Panics
    ///
    /// If `model` is not the one that was uploaded, or `list` is of another model. wgpu panics where `device` or `queue`
    /// are not those that the renderer was made with.
    #[track_caller]
    pub fn prepare(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        model: &Model,
        list: &DrawList,
        view: &View,
        filter: Filter,
    ) -> Result<(), GpuError> {
        let alone = Member { list, world_from_character: Affine2::IDENTITY };
        self.prepare_crowd(device, queue, model, &[alone], view, filter)
    }

    /// Writes what [`Self::draw`] draws: a crowd, the first member farthest back.
    ///
    /// # Panics
    ///
    /// As [`Self::prepare`].
    #[track_caller]
    pub fn prepare_crowd(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        model: &Model,
        members: &[Member<'_>],
        view: &View,
        filter: Filter,
    ) -> Result<(), GpuError> {
        self.is_prepared = false;
        let found = [model.attachments().len(), model.pages().len()];
        let uploaded = [self.geometry.attachment_count(), self.pages.count()];
        misuse::expect(found == uploaded, || {
            format!(
                "the model is not the one that was uploaded: it has {} attachments and {} pages, not {} and {}",
                found[0], found[1], uploaded[0], uploaded[1]
            )
        });
        let members = if view.shows_anything() { members } else { &[] };
        let subject = Subject { model, geometry: &self.geometry, pages: &self.pages, view, filter };
        self.batch.build(subject, members, &device.limits())?;
        self.frame.reserve(device, &self.layouts, &self.geometry, members, &self.batch)?;
        self.frame.write(queue, members, view, &self.batch);
        self.batch.uploaded();
        self.is_prepared = true;
        Ok(())
    }

    /// How many draw calls [`Self::draw`] makes: one, one more wherever page, sampling, class of blending or clip span
    /// are another than before, and two for every clip mask, which is drawn to begin and again to end.
    pub fn draw_calls(&self) -> usize {
        if !self.is_prepared {
            return 0;
        }
        let draws = |step: &&Step| !matches!(step, Step::Mask { indices, .. } if indices.is_empty());
        self.batch.steps.iter().filter(draws).count()
    }

    /// Records what was prepared.
    ///
    /// The view fills the pass's viewport. The pass has the target that the renderer was made for. Pipeline, bind
    /// groups 0 to 2, vertex buffers 0 to 2 and the index buffer are different afterwards, and with clip masks the
    /// reference value of the stencil is 0, as the stencil's lowest bit was before and is again.
    ///
    /// wgpu reports a validation error for a pass with another target or of another device, which panics unless the
    /// program handles the errors of the device.
    pub fn draw(&self, pass: &mut wgpu::RenderPass<'_>) {
        if !self.is_prepared || self.batch.steps.is_empty() {
            return;
        }
        pass.set_bind_group(0, self.frame.bind_group(), &[]);
        pass.set_vertex_buffer(1, self.frame.instances());
        pass.set_index_buffer(self.frame.indices(), wgpu::IndexFormat::Uint32);
        if self.needs.masks {
            pass.set_stencil_reference(0);
        }
        let mut bound = Bound::default();
        for step in &self.batch.steps {
            match step {
                Step::Sprites { alike, indices } => {
                    if self.bind_sprites(pass, &mut bound, alike).is_some() {
                        pass.draw_indexed(indices.clone(), 0, alike.instance..alike.instance + 1);
                    }
                }
                Step::Mask { vertices, indices, instance, begins } => {
                    if let (Some(mask), false) = (&self.pipelines.mask, indices.is_empty()) {
                        bound.set_pipeline(pass, mask, Kind::Mask);
                        self.bind_vertices(pass, &mut bound, *vertices);
                        pass.draw_indexed(indices.clone(), 0, *instance..*instance + 1);
                    }
                    pass.set_stencil_reference(u32::from(*begins));
                }
                Step::Overlay { vertices, instance } => {
                    bound.set_pipeline(pass, &self.pipelines.overlay, Kind::Overlay);
                    if bound.vertices.replace(Bind::Overlay) != Some(Bind::Overlay) {
                        pass.set_vertex_buffer(0, self.frame.overlay());
                    }
                    pass.draw(vertices.clone(), *instance..*instance + 1);
                }
            }
        }
    }

    /// Sets what is not set already. `None` where it cannot be drawn, which no model leads to.
    fn bind_sprites(&self, pass: &mut wgpu::RenderPass<'_>, bound: &mut Bound, alike: &Alike) -> Option<()> {
        let page = self.pages.group(alike.binding)?;
        let (pipelines, kind) = match alike.vertices {
            VertexPlace::Skin4 { .. } => (&self.pipelines.skin4, Kind::Skin4(alike.blend)),
            VertexPlace::SkinN { .. } => (&self.pipelines.skin_n, Kind::SkinN(alike.blend)),
        };
        bound.set_pipeline(pass, pipelines[alike.blend as usize].as_ref()?, kind);
        self.bind_vertices(pass, bound, alike.vertices);
        if bound.page.replace(alike.binding) != Some(alike.binding) {
            pass.set_bind_group(1, page, &[]);
        }
        Some(())
    }

    fn bind_vertices(&self, pass: &mut wgpu::RenderPass<'_>, bound: &mut Bound, place: VertexPlace) {
        if bound.vertices.replace(Bind::Place(place)) == Some(Bind::Place(place)) {
            return;
        }
        let buffers = match place {
            VertexPlace::Skin4 { buffer } => &self.geometry.skin4[buffer],
            VertexPlace::SkinN { buffer, influences } => {
                if bound.influences.replace(influences) != Some(influences) {
                    pass.set_bind_group(2, self.frame.influence_group(influences), &[]);
                }
                &self.geometry.skin_n[buffer]
            }
        };
        pass.set_vertex_buffer(0, buffers.vertices.slice(..));
        pass.set_vertex_buffer(2, buffers.sprites.slice(..));
    }
}

/// A clip mask needs a stencil.
fn check_stencil(needs: Needs, target: TargetFormat) -> Result<(), GpuError> {
    let has_stencil = target.depth_stencil.is_some_and(|format| format.has_stencil_aspect());
    if needs.masks && !has_stencil { Err(GpuError::NoStencil) } else { Ok(()) }
}

/// What the pass has already, so that nothing is set twice.
#[derive(Default)]
struct Bound {
    pipeline: Option<Kind>,
    /// Vertex buffers 0 and 2.
    vertices: Option<Bind>,
    page: Option<Binding>,
    influences: Option<usize>,
}

/// Which pipeline.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Skin4(BlendClass),
    SkinN(BlendClass),
    Mask,
    Overlay,
}

#[derive(Clone, Copy, PartialEq)]
enum Bind {
    Place(VertexPlace),
    Overlay,
}

impl Bound {
    fn set_pipeline(&mut self, pass: &mut wgpu::RenderPass<'_>, pipeline: &wgpu::RenderPipeline, kind: Kind) {
        if self.pipeline.replace(kind) != Some(kind) {
            pass.set_pipeline(pipeline);
        }
    }
}
