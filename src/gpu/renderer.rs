//! A draw list → commands in a render pass.

use std::ops::Range;

use super::faults::catch;
use super::frame::Frame;
use super::pages::Pages;
use super::pipelines::{Layouts, Pipelines};
use super::upload::{Geometry, GpuMesh};
use super::{GpuError, TargetFormat};
use crate::draw::{Command, DrawList, Filter, Sampling, View};
use crate::math::Affine2;
use crate::model::{Mesh, Model};

/// Draws one model, on any device, into any pass whose target it was made for.
///
/// ```no_run
/// # use pchr::{draw::{DrawList, Filter, View}, gpu::{GpuError, Renderer, TargetFormat}, model::Model};
/// # fn draw(device: &wgpu::Device, queue: &wgpu::Queue, model: &Model, list: &DrawList, view: &View,
/// #     color: wgpu::TextureFormat, pass: &mut wgpu::RenderPass<'_>) -> Result<(), GpuError> {
/// let mut renderer = Renderer::new(device, queue, model, TargetFormat { color, samples: 1 })?;
/// renderer.prepare(device, queue, model, list, view, Filter::Auto)?; // once a frame, before the pass
/// renderer.draw(pass);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Renderer {
    layouts: Layouts,
    pipelines: Pipelines,
    geometry: Geometry,
    pages: Pages,
    frame: Frame,
    steps: Vec<Step>,
}

/// One character of a crowd: the same model, in its own pose and place.
#[derive(Debug, Clone, Copy)]
pub struct Member<'a> {
    /// What is drawn of it.
    pub list: &'a DrawList,
    /// Where it stands.
    pub world_from_character: Affine2,
}

/// One draw call.
#[derive(Debug)]
enum Step {
    Mesh { attachment: usize, sampling: Sampling, member: u32 },
    Overlay { vertices: Range<u32>, member: u32 },
}

impl Renderer {
    /// Uploads `model` and makes the pipelines for `target`.
    ///
    /// Refuses a model with a page or a mesh that the device cannot hold, a device without storage buffers for
    /// vertex shaders, and a target that cannot be blended into.
    pub fn new(
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        model: &Model,
        target: TargetFormat,
    ) -> Result<Self, GpuError> {
        if device.limits().max_storage_buffers_per_shader_stage == 0 {
            return Err(GpuError::NoVertexStorage { adapter: device.adapter_info().name });
        }
        catch(device, || {
            let layouts = Layouts::new(device);
            let geometry = Geometry::upload(device, &layouts, model)?;
            let pipelines = Pipelines::new(device, &layouts, target, geometry.has_lists());
            let pages = Pages::upload(device, queue, &layouts, model)?;
            let frame = Frame::new(device, &layouts);
            Ok(Self { layouts, pipelines, geometry, pages, frame, steps: Vec::new() })
        })
    }

    /// What it draws into.
    pub fn target(&self) -> TargetFormat {
        self.pipelines.target
    }

    /// Draws into another kind of target from now on. What was uploaded stays.
    pub fn set_target(&mut self, device: &wgpu::Device, target: TargetFormat) -> Result<(), GpuError> {
        if target != self.pipelines.target {
            let has_lists = self.geometry.has_lists();
            self.pipelines = catch(device, || Ok(Pipelines::new(device, &self.layouts, target, has_lists)))?;
        }
        Ok(())
    }

    /// Writes what [`Self::draw`] draws: one character where it is.
    ///
    /// `model` is the one that was uploaded. Goes through the queue, so it takes effect with the next submission
    /// and holds until the next call: what is to be drawn in one submission is prepared once.
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
    pub fn prepare_crowd(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        model: &Model,
        members: &[Member<'_>],
        view: &View,
        filter: Filter,
    ) -> Result<(), GpuError> {
        self.steps.clear();
        self.frame.write(device, queue, &self.layouts, members, view)?;
        let mut overlay_base = 0;
        for (number, member) in (0..).zip(members) {
            let corners = member.list.overlay.len() as u32;
            let steps = member.list.commands.iter().filter_map(|command| match command {
                Command::Attachment(id) => {
                    let mesh = model.attachments().get(id.index())?.mesh()?;
                    let sampling = sampling_of(mesh, model, view, filter);
                    Some(Step::Mesh { attachment: id.index(), sampling, member: number })
                }
                Command::Overlay(range) if range.start < range.end && range.end <= corners => {
                    let vertices = overlay_base + range.start..overlay_base + range.end;
                    Some(Step::Overlay { vertices, member: number })
                }
                Command::Overlay(_) => None,
            });
            self.steps.extend(steps);
            overlay_base += corners;
        }
        Ok(())
    }

    /// Records what was prepared.
    ///
    /// The view fills the pass's viewport. The pass has the target that the renderer was made for, and no depth
    /// or stencil attachment. Pipeline, bind groups 0 to 2, vertex buffers 0 and 1 and the index buffer are
    /// different afterwards.
    pub fn draw(&self, pass: &mut wgpu::RenderPass<'_>) {
        if self.steps.is_empty() {
            return;
        }
        pass.set_bind_group(0, self.frame.bind_group(), &[]);
        pass.set_vertex_buffer(1, self.frame.instances());
        let mut bound = Bound::default();
        for step in &self.steps {
            match step {
                Step::Mesh { attachment, sampling, member } => {
                    if let Some(Some(mesh)) = self.geometry.meshes.get(*attachment) {
                        self.draw_mesh(pass, &mut bound, *attachment, mesh, *sampling, *member);
                    }
                }
                Step::Overlay { vertices, member } => {
                    bound.set_pipeline(pass, &self.pipelines.overlay, Kind::Overlay);
                    if bound.vertices.replace(Vertices::Overlay) != Some(Vertices::Overlay) {
                        pass.set_vertex_buffer(0, self.frame.overlay());
                    }
                    pass.draw(vertices.clone(), *member..*member + 1);
                }
            }
        }
    }

    /// Sets what is not set already, and draws.
    fn draw_mesh(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        bound: &mut Bound,
        attachment: usize,
        mesh: &GpuMesh,
        sampling: Sampling,
        member: u32,
    ) {
        let Some(page) = self.pages.group(mesh.page, sampling) else { return };
        match mesh.influences {
            None => bound.set_pipeline(pass, &self.pipelines.skin4, Kind::Skin4),
            Some(group) => {
                // There, for the geometry has lists.
                let Some(skin_n) = &self.pipelines.skin_n else { return };
                bound.set_pipeline(pass, skin_n, Kind::SkinN);
                if bound.influences.replace(group) != Some(group) {
                    pass.set_bind_group(2, &self.geometry.influence_groups[group], &[]);
                }
            }
        }
        let vertices = Vertices::Mesh(attachment);
        if bound.vertices.replace(vertices) != Some(vertices) {
            let buffer = &self.geometry.vertex_buffers[mesh.vertex_buffer];
            pass.set_vertex_buffer(0, buffer.slice(mesh.vertex_bytes.clone()));
        }
        if bound.page.replace((mesh.page, sampling)) != Some((mesh.page, sampling)) {
            pass.set_bind_group(1, page, &[]);
        }
        if bound.index_buffer.replace(mesh.index_buffer) != Some(mesh.index_buffer) {
            let buffer = &self.geometry.index_buffers[mesh.index_buffer];
            pass.set_index_buffer(buffer.slice(..), wgpu::IndexFormat::Uint16);
        }
        pass.draw_indexed(mesh.indices.clone(), 0, member..member + 1);
    }
}

/// What the pass has already, so that nothing is set twice.
#[derive(Default)]
struct Bound {
    pipeline: Option<Kind>,
    /// Vertex buffer 0.
    vertices: Option<Vertices>,
    page: Option<(usize, Sampling)>,
    influences: Option<usize>,
    index_buffer: Option<usize>,
}

/// Which pipeline.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Skin4,
    SkinN,
    Overlay,
}

#[derive(Clone, Copy, PartialEq)]
enum Vertices {
    Mesh(usize),
    Overlay,
}

impl Bound {
    fn set_pipeline(&mut self, pass: &mut wgpu::RenderPass<'_>, pipeline: &wgpu::RenderPipeline, kind: Kind) {
        if self.pipeline.replace(kind) != Some(kind) {
            pass.set_pipeline(pipeline);
        }
    }
}

fn sampling_of(mesh: &Mesh, model: &Model, view: &View, filter: Filter) -> Sampling {
    match mesh.page.and_then(|page| model.pages().get(page.index())) {
        Some(page) => filter.sampling(page, view.scale()),
        // One colour, so any will do.
        None => Sampling::Nearest,
    }
}
