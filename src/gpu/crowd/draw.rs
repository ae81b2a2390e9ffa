//! A crowd, and how it is drawn.

use super::chunk::Chunk;
use super::clock::Time;
use super::member::Place;
use super::model::CrowdModel;
use crate::draw::{Filter, Sampling};
use crate::gpu::batch::Camera;
use crate::gpu::error::GpuError;
use crate::gpu::pipeline::{Kind, Pipelines};
use crate::gpu::shaders::crowd_data::{CrowdGlobals, MemberRecord};
use crate::math::{Vec2, vec2};

/// A crowd of one character that poses itself on the GPU, in one view.
///
/// Members are drawn in the order of their [places](crate::gpu::MemberId::place), the first one farthest back. A new member
/// takes the place of one that was removed, or else the front. Adding, removing and changing a member takes the same
/// time however many there are.
///
/// ```no_run
/// # use pchr::{Character, draw::{Filter, View}, math::{Affine2, vec2}};
/// # use pchr::gpu::{Crowd, CrowdBake, CrowdMember, CrowdModel, CrowdOptions, GpuError, GpuModel, Pipelines};
/// # fn new(device: &wgpu::Device, queue: &wgpu::Queue, pipelines: &Pipelines, knight: &Character, view: &View,
/// #     mut encoder: wgpu::CommandEncoder, pass: &mut wgpu::RenderPass<'_>, time_secs: f64) -> Result<(), Box<dyn std::error::Error>> {
/// let bake = CrowdBake::new(knight, CrowdOptions::default())?;
/// let pages = GpuModel::new(device, queue, pipelines, knight.model())?;
/// let model = CrowdModel::new(device, &pages, &bake)?;
/// let mut crowd = Crowd::new(device, pipelines, &model)?;
/// let walk = knight.model().find_animation("walk").expect("knights walk");
/// for number in 0..10_000_u16 {
///     let place = vec2(f32::from(number % 100) * 90.0, f32::from(number / 100) * -40.0);
///     crowd.add(CrowdMember {
///         start_secs: f64::from(number) * 0.1,
///         world_from_character: Affine2::from_translation(place),
///         ..CrowdMember::new(walk)
///     });
/// }
/// // Every frame: before the pass, and in it.
/// crowd.prepare(device, queue, &mut encoder, view, Filter::Auto, time_secs)?;
/// crowd.draw(pass);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Crowd {
    pipelines: Pipelines,
    pub(super) model: CrowdModel,
    pub(super) places: Vec<Place>,
    /// What the GPU knows of each place.
    pub(super) records: Vec<MemberRecord>,
    /// Places without a member.
    pub(super) free: Vec<u32>,
    pub(super) chunks: Vec<Chunk>,
    /// The capacity of all chunks but the last.
    pub(super) chunk_capacity: u32,
    /// The number of chunks that the prepared picture draws.
    drawn_chunks: usize,
    uploaded_bytes: u64,
}

impl Crowd {
    /// Creates an empty crowd, and the pipelines that it needs and that do not exist yet.
    ///
    /// # Errors
    ///
    /// `buffer-too-large` if the device cannot hold a single member; `no-depth` if `pipelines` test
    /// a depth that the target does not have; `refused` if the device
    /// cannot blend into the target or lacks its sample count; `out-of-memory`.
    pub fn new(device: &wgpu::Device, pipelines: &Pipelines, model: &CrowdModel) -> Result<Self, GpuError> {
        pipelines.check_depth()?;
        pipelines.ensure(device, [Kind::Crowd])?;
        Ok(Self {
            pipelines: pipelines.clone(),
            model: model.clone(),
            places: Vec::new(),
            records: Vec::new(),
            free: Vec::new(),
            chunks: Vec::new(),
            chunk_capacity: Chunk::largest(device, model.uploaded())?,
            drawn_chunks: 0,
            uploaded_bytes: 0,
        })
    }

    /// The character.
    pub fn model(&self) -> &CrowdModel {
        &self.model
    }

    /// The number of members.
    pub fn len(&self) -> usize {
        self.places.len() - self.free.len()
    }

    /// Returns true if there are no members.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Records the passes that find, pose and cull the members at `time_secs`, and writes what changed. Time begins at
    /// 0; negative times count as 0.
    ///
    /// Writes go through the queue, so they take effect with the next submission: prepare a crowd once per submission,
    /// with the encoder that draws it afterwards. For a [`ClipMatrix`](crate::gpu::ClipMatrix), the choice of the filter
    /// depends on the scale at the origin of the world.
    ///
    /// # Errors
    ///
    /// `out-of-memory` or `refused` if a larger buffer cannot be created. Nothing is drawn then.
    pub fn prepare(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        encoder: &mut wgpu::CommandEncoder,
        camera: impl Into<Camera>,
        filter: Filter,
        time_secs: f64,
    ) -> Result<(), GpuError> {
        let camera = camera.into();
        (self.drawn_chunks, self.uploaded_bytes) = (0, 0);
        if !camera.shows_anything() || self.model.uploaded().vertex_count == 0 || self.is_empty() {
            return Ok(());
        }
        self.reserve(device)?;
        let globals = self.globals(&camera, filter, Time::from_secs(time_secs));
        let model = self.model.clone();
        let passes = model.uploaded().model.uploaded().shared.crowd(device);
        let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
            label: Some("pchr crowd"),
            timestamp_writes: None,
        });
        let of_chunks = self.records.chunks(self.chunk_capacity as usize);
        for (chunk, records) in self.chunks.iter_mut().zip(of_chunks) {
            let member_count = records.len() as u32;
            self.uploaded_bytes += chunk.write(queue, records, CrowdGlobals { member_count, ..globals });
            chunk.compute(passes, &mut pass, member_count);
            self.drawn_chunks += 1;
        }
        Ok(())
    }

    /// The number of draw calls that [`Self::draw`] makes: one for each chunk of members.
    pub fn draw_calls(&self) -> usize {
        self.drawn_chunks
    }

    /// The number of bytes that the last [`Self::prepare`] wrote.
    pub fn uploaded_bytes(&self) -> u64 {
        self.uploaded_bytes
    }

    /// The bytes of its buffers on the device. Those of the [`CrowdModel`] are not included.
    pub fn bytes(&self) -> u64 {
        self.chunks.iter().map(Chunk::bytes).sum()
    }

    /// Records what was prepared; nothing if nothing was.
    ///
    /// The view fills the viewport of the pass, and the pass has the target of the pipelines. Pipeline, bind groups 0
    /// and 1 and vertex buffer 0 are changed.
    pub fn draw(&self, pass: &mut wgpu::RenderPass<'_>) {
        let Some(pipeline) = self.pipelines.get(Kind::Crowd).filter(|_| self.drawn_chunks > 0) else { return };
        pass.set_pipeline(pipeline);
        pass.set_bind_group(1, &self.model.uploaded().textures, &[]);
        self.chunks[..self.drawn_chunks].iter().for_each(|chunk| chunk.draw(pass));
    }

    /// Makes room for all places.
    fn reserve(&mut self, device: &wgpu::Device) -> Result<(), GpuError> {
        let model = self.model.uploaded();
        let passes = model.model.uploaded().shared.crowd(device);
        for (number, records) in self.records.chunks(self.chunk_capacity as usize).enumerate() {
            let needed = records.len() as u32;
            let capacity = self.chunks.get(number).map_or(0, Chunk::capacity);
            if needed > capacity {
                let grown = needed.max(capacity.saturating_mul(2)).max(Chunk::SMALLEST).min(self.chunk_capacity);
                let mut chunk = Chunk::new(device, passes, model, grown)?;
                chunk.change_all(needed);
                match self.chunks.get_mut(number) {
                    Some(before) => *before = chunk,
                    None => self.chunks.push(chunk),
                }
            }
        }
        Ok(())
    }

    fn globals(&self, camera: &Camera, filter: Filter, now: Time) -> CrowdGlobals {
        let model = self.model.uploaded();
        let view = camera.view_near(Vec2::ZERO);
        let (width, height) = (view.width() as f32, view.height() as f32);
        let is_nearest = |is_pixel_art: bool| filter.sampling(is_pixel_art, &view) == Sampling::Nearest;
        let nearest = model.pixel_art.iter().enumerate().filter(|(_, is_pixel_art)| is_nearest(**is_pixel_art));
        let mut flags = 0;
        if model.options.interpolate {
            flags |= CrowdGlobals::INTERPOLATES;
        }
        if filter == Filter::Auto {
            flags |= CrowdGlobals::USES_LEVELS;
        }
        CrowdGlobals {
            camera: camera.into(),
            half_viewport: vec2(width, height) / 2.0,
            reach_center: model.reach.center,
            now: now.words(),
            reach_radius: model.reach.radius,
            member_count: 0,
            bone_count: model.bone_count,
            pose_stride: model.pose_stride,
            flags,
            nearest_pages: nearest.fold(0, |bits, (page, _)| bits | 1 << page),
            vertex_count: model.vertex_count,
            padding: [0; 3],
        }
    }
}
