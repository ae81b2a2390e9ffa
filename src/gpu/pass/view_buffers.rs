//! One view of a model: the buffers that change from picture to picture, and the draw calls.

use std::borrow::Cow;

use super::buffers::{Buffers, ChunkBuffers};
use crate::draw::Filter;
use crate::gpu::batch::{Batch, Camera, DrawCall, DrawState, Inputs, Member};
use crate::gpu::device::{BufferLimits, catch};
use crate::gpu::error::GpuError;
use crate::gpu::pipeline::{Kind, Pipelines};
use crate::gpu::upload::{Binding, GpuModel, VertexPlace};
use crate::model::Model;

/// The buffers of one view of a model: camera, bone matrices, colours, instances, triangles and overlays.
///
/// [`Self::prepare`] fills them and [`Self::draw`] records the draw calls. Writes take effect with the next
/// submission, so each view of a submission needs buffers of its own: one `ViewBuffers` for the main view,
/// one for the minimap. All members of a crowd are sent together and, where possible, drawn together. After a few pictures of the same kind the buffers have grown to their size and are reused.
///
/// ```no_run
/// # use pchr::{draw::{DrawList, Filter, View}, model::Model};
/// # use pchr::gpu::{ClipMatrix, GpuError, GpuModel, Member, Pipelines, TargetFormat, ViewBuffers};
/// # struct Game { main: ViewBuffers, minimap: ViewBuffers }
/// # impl Game {
/// // On the loading screen.
/// fn new(device: &wgpu::Device, pipelines: &Pipelines, model: &GpuModel) -> Result<Self, GpuError> {
///     let small = pipelines.for_target(TargetFormat { samples: 1, ..pipelines.target() });
///     Ok(Self {
///         main: ViewBuffers::new(device, pipelines, model)?,
///         minimap: ViewBuffers::new(device, &small, model)?,
///     })
/// }
///
/// // Before the passes of a picture; then `self.main.draw(&mut pass)` and `self.minimap.draw(&mut pass)` in theirs.
/// fn prepare(&mut self, device: &wgpu::Device, queue: &wgpu::Queue, model: &Model, list: &DrawList,
///     camera: ClipMatrix, overview: View) -> Result<(), GpuError>
/// {
///     let members = [Member::from(list)];
///     self.main.prepare(device, queue, model, &members, camera, Filter::Auto)?;
///     self.minimap.prepare(device, queue, model, &members, overview, Filter::Linear)
/// }
/// # }
/// ```
#[derive(Debug)]
pub struct ViewBuffers {
    pipelines: Pipelines,
    model: GpuModel,
    buffers: Buffers,
    batch: Batch,
    limits: BufferLimits,
    uploaded_bytes: u64,
    is_prepared: bool,
}

impl ViewBuffers {
    /// Creates small buffers for drawing `model` into the target of `pipelines`, and those pipelines that the
    /// model needs and that do not exist yet.
    ///
    /// # Errors
    ///
    /// `no-stencil` if the model has clip masks and the target has no stencil; `no-depth` if
    /// `pipelines` test a depth that the target does not have; `refused` if
    /// the device cannot blend into the target or lacks its sample count, or if `pipelines` or `model` are of
    /// another device; `out-of-memory`.
    pub fn new(device: &wgpu::Device, pipelines: &Pipelines, model: &GpuModel) -> Result<Self, GpuError> {
        let uploaded = model.uploaded();
        uploaded.needs.check_stencil(pipelines.target())?;
        pipelines.check_depth()?;
        pipelines.ensure(device, uploaded.needs.kinds())?;
        let buffers = catch(device, || Ok(Buffers::new(device, &uploaded.shared.layouts, &uploaded.geometry)))?;
        let (pipelines, model) = (pipelines.clone(), model.clone());
        let (batch, limits) = (Batch::default(), BufferLimits::of(device));
        Ok(Self { pipelines, model, buffers, batch, limits, uploaded_bytes: 0, is_prepared: false })
    }

    /// The model that is drawn.
    pub(crate) fn model(&self) -> &GpuModel {
        &self.model
    }

    /// The pipelines that draw it.
    pub fn pipelines(&self) -> &Pipelines {
        &self.pipelines
    }

    /// Switches to other pipelines of the same device, and so to their target. What was prepared can still be
    /// drawn.
    ///
    /// # Errors
    ///
    /// As [`Self::new`]. The pipelines stay as they were.
    pub fn set_pipelines(&mut self, device: &wgpu::Device, pipelines: &Pipelines) -> Result<(), GpuError> {
        let needs = self.model.uploaded().needs;
        needs.check_stencil(pipelines.target())?;
        pipelines.check_depth()?;
        pipelines.ensure(device, needs.kinds().chain(self.batch.calls.iter().filter_map(DrawCall::kind)))?;
        self.pipelines = pipelines.clone();
        Ok(())
    }

    /// Fills the buffers with what [`Self::draw`] draws: a crowd, the first member farthest back. `model` is the
    /// one that was uploaded, and `filter` how its pages are sampled.
    ///
    /// Goes through the queue, so it takes effect with the next submission and holds until the next call: prepare
    /// each `ViewBuffers` once per submission.
    ///
    /// # Errors
    ///
    /// `wrong-model` if `model` is not the one that was uploaded, or a list that is drawn belongs to another model.
    /// `buffer-too-large` if a single member does not fit in the device's buffers, and
    /// `crowd-too-large` if the members draw their triangles in too many different orders. A crowd of any
    /// other size is divided between buffers. `refused` or `out-of-memory` if a pipeline that is
    /// needed for the first time or a larger buffer cannot be created. Nothing is drawn then.
    ///
    /// # Panics
    ///
    /// wgpu panics if `device` or `queue` are not those that the model was uploaded with.
    pub fn prepare(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        model: &Model,
        members: &[Member<'_>],
        camera: impl Into<Camera>,
        filter: Filter,
    ) -> Result<(), GpuError> {
        (self.is_prepared, self.uploaded_bytes) = (false, 0);
        self.model.check(model)?;
        let (camera, uploaded, limits) = (camera.into(), self.model.uploaded(), self.limits);
        let members = if camera.shows_anything() { members } else { &[] };
        let members = &*with_ghosts(members);
        let inputs =
            Inputs { model, geometry: &uploaded.geometry, pages: &uploaded.pages, camera, filter, limits };
        self.batch.build(inputs, members)?;
        // A list may have an overlay, or a blend class that no slot of the model has.
        self.pipelines.ensure(device, self.batch.calls.iter().filter_map(DrawCall::kind))?;
        self.buffers.reserve(device, &uploaded.shared.layouts, &uploaded.geometry, &self.batch, limits)?;
        self.uploaded_bytes = self.buffers.write(queue, members, &camera, &mut self.batch);
        self.is_prepared = true;
        Ok(())
    }

    /// The number of draw calls that [`Self::draw`] makes: one, one more wherever page, sampling, blend class or
    /// clip span change, and two for every clip mask, which is drawn to begin and again to end.
    ///
    /// Consecutive members that need one call each share it if they show the same attachments in the same order,
    /// whatever their poses, places and colours. A crowd whose matrices, colours or deform offsets exceed the largest
    /// buffer of the device needs a call more for each further buffer.
    pub fn draw_calls(&self) -> usize {
        if !self.is_prepared {
            return 0;
        }
        let draws = |call: &&DrawCall| !matches!(call, DrawCall::Mask { indices, .. } if indices.is_empty());
        self.batch.calls.iter().filter(draws).count()
    }

    /// The number of bytes that the last [`Self::prepare`] sent to the GPU: matrices, deform offsets and overlays of
    /// all members that draw anything, and what changed of everything else.
    pub fn uploaded_bytes(&self) -> u64 {
        self.uploaded_bytes
    }

    /// The sizes of the buffers on the GPU in bytes. The model's own geometry and pages are not included.
    pub fn buffer_bytes(&self) -> u64 {
        self.buffers.bytes()
    }

    /// Records what was prepared; nothing if nothing was.
    ///
    /// The view fills the viewport of the pass, and the pass has the target of the pipelines. Pipeline, bind
    /// groups 0 to 2, vertex buffers 0 to 2 and the index buffer are changed. For a model with clip masks the
    /// stencil reference is 0 afterwards, and the lowest bit of the stencil, which has to be 0 before, is 0 again.
    ///
    /// wgpu reports a validation error for a pass with another target or of another device, which panics unless
    /// the program handles the errors of the device.
    pub fn draw(&self, pass: &mut wgpu::RenderPass<'_>) {
        if !self.is_prepared || self.batch.calls.is_empty() {
            return;
        }
        pass.set_index_buffer(self.buffers.indices(), wgpu::IndexFormat::Uint32);
        if self.model.uploaded().needs.masks {
            pass.set_stencil_reference(0);
        }
        let mut bound = Bound::default();
        for (chunk, buffers) in self.batch.chunks().iter().zip(self.buffers.chunks()) {
            pass.set_bind_group(0, buffers.bind_group(), &[]);
            pass.set_vertex_buffer(1, buffers.instances());
            bound.leave_chunk();
            for call in &self.batch.calls[chunk.calls.clone()] {
                self.call(pass, &mut bound, buffers, call);
            }
        }
    }

    fn call(&self, pass: &mut wgpu::RenderPass<'_>, bound: &mut Bound, buffers: &ChunkBuffers, call: &DrawCall) {
        let pipeline = call.kind().and_then(|kind| Some((kind, self.pipelines.get(kind)?)));
        match (call, pipeline) {
            (DrawCall::Sprites { state, indices, instances }, Some(pipeline)) => {
                if self.bind_sprites(pass, bound, buffers, state, pipeline).is_some() {
                    pass.draw_indexed(indices.clone(), 0, instances.clone());
                }
            }
            (DrawCall::Mask { vertices, indices, instance, begins }, pipeline) => {
                if let Some(pipeline) = pipeline {
                    bound.set_pipeline(pass, pipeline);
                    self.bind_vertices(pass, bound, buffers, *vertices);
                    pass.draw_indexed(indices.clone(), 0, *instance..*instance + 1);
                }
                pass.set_stencil_reference(u32::from(*begins));
            }
            (DrawCall::Overlay { vertices, instance }, Some(pipeline)) => {
                bound.set_pipeline(pass, pipeline);
                if bound.vertices.replace(Bind::Overlay) != Some(Bind::Overlay) {
                    pass.set_vertex_buffer(0, buffers.overlay());
                }
                pass.draw(vertices.clone(), *instance..*instance + 1);
            }
            // Every pipeline was created when the call was prepared.
            (DrawCall::Sprites { .. } | DrawCall::Overlay { .. }, None) => {}
        }
    }

    /// Binds everything that is not bound yet. `None` if the page was not uploaded, which cannot happen for pages
    /// that meshes use.
    fn bind_sprites(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        bound: &mut Bound,
        buffers: &ChunkBuffers,
        state: &DrawState,
        pipeline: (Kind, &wgpu::RenderPipeline),
    ) -> Option<()> {
        let page = self.model.uploaded().pages.group(state.binding)?;
        bound.set_pipeline(pass, pipeline);
        self.bind_vertices(pass, bound, buffers, state.vertices);
        if bound.page.replace(state.binding) != Some(state.binding) {
            pass.set_bind_group(1, page, &[]);
        }
        Some(())
    }

    fn bind_vertices(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        bound: &mut Bound,
        buffers: &ChunkBuffers,
        place: VertexPlace,
    ) {
        if bound.vertices.replace(Bind::Place(place)) == Some(Bind::Place(place)) {
            return;
        }
        let geometry = &self.model.uploaded().geometry;
        let vertices = match place {
            VertexPlace::Skin4 { buffer } => &geometry.skin4[buffer],
            VertexPlace::SkinN { buffer, influences } => {
                if bound.influences.replace(influences) != Some(influences) {
                    pass.set_bind_group(2, buffers.influence_group(influences), &[]);
                }
                &geometry.skin_n[buffer]
            }
        };
        pass.set_vertex_buffer(0, vertices.vertices.slice(..));
        pass.set_vertex_buffer(2, vertices.sprites.slice(..));
    }
}

/// Returns the members, each behind its ghosts.
fn with_ghosts<'m, 'a>(members: &'m [Member<'a>]) -> Cow<'m, [Member<'a>]> {
    if members.iter().all(|member| member.list.ghosts.lists().is_empty()) {
        return Cow::Borrowed(members);
    }
    let of = |member: &Member<'a>| {
        let member = *member;
        member.list.with_ghosts().map(move |list| Member { list, ..member })
    };
    members.iter().flat_map(of).collect()
}

/// The bindings of the pass, so that nothing is bound twice.
#[derive(Default)]
struct Bound {
    pipeline: Option<Kind>,
    /// Vertex buffers 0 and 2.
    vertices: Option<Bind>,
    page: Option<Binding>,
    influences: Option<usize>,
}

#[derive(Clone, Copy, PartialEq)]
enum Bind {
    Place(VertexPlace),
    Overlay,
}

impl Bound {
    /// Forgets the buffers of a chunk of the crowd: deform offsets are bound with vertices, like overlays.
    fn leave_chunk(&mut self) {
        (self.vertices, self.influences) = (None, None);
    }

    fn set_pipeline(&mut self, pass: &mut wgpu::RenderPass<'_>, (kind, pipeline): (Kind, &wgpu::RenderPipeline)) {
        if self.pipeline.replace(kind) != Some(kind) {
            pass.set_pipeline(pipeline);
        }
    }
}
