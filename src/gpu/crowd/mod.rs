//! Crowds that pose themselves: the CPU writes what changes and the time, and the GPU does the rest.
//!
//! A character with stored frames is baked once ([`CrowdBake`]) and uploaded ([`CrowdModel`]). A member of a [`Crowd`]
//! is a small record: an animation, where it is at time 0, how fast it plays, a place and a tint. Compute passes find
//! the frames that each member shows, interpolate them, compose the bones, and leave out members outside the view. A
//! single draw call draws all of them, in the order of their places, each in the draw order of its own frame.
//!
//! ```text
//! place: time, members → draw order, visibility
//! pose: stored frames → bones
//! scan, compact: visible members → front
//! draw: one call for each chunk of members
//! ```
//!
//! Members that do not fit into the largest buffers of the device are split into chunks, with a draw call each.

mod bake;
mod chunk;
mod clock;
mod frames;
pub mod gpu_data;
mod layouts;
mod member;
mod model;
mod parts;
mod reach;

use super::pipelines::Kind;
use super::{Camera, GpuError, Pipelines};
use crate::draw::{Filter, Sampling};
use crate::math::{Affine2, Vec2, vec2};
use crate::model::AnimationId;

use chunk::Chunk;
use clock::Time;
use gpu_data::{CrowdGlobals, MemberRecord};
use member::Place;

pub use bake::{CrowdBake, CrowdObstacle, CrowdObstacles, CrowdOptions};
pub(super) use layouts::CrowdPasses;
pub use member::{CrowdMember, MemberId};
pub use model::CrowdModel;

/// A crowd of one character that poses itself on the GPU, in one view.
///
/// Members are drawn in the order of their [places](MemberId::place), the first one farthest back. A new member takes
/// the place of one that was removed, or else the front. Adding, removing and changing a member takes the same time
/// however many there are.
///
/// ```no_run
/// # use pchr::{Character, draw::{Filter, View}, math::{Affine2, vec2}};
/// # use pchr::gpu::{Crowd, CrowdBake, CrowdMember, CrowdModel, CrowdOptions, GpuError, GpuModel, Pipelines};
/// # fn new(device: &wgpu::Device, queue: &wgpu::Queue, pipelines: &Pipelines, knight: &Character, view: &View,
/// #     mut encoder: wgpu::CommandEncoder, time_secs: f64) -> Result<(), Box<dyn std::error::Error>> {
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
/// # let mut pass: wgpu::RenderPass<'_> = unimplemented!();
/// crowd.draw(&mut pass);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Crowd {
    pipelines: Pipelines,
    model: CrowdModel,
    places: Vec<Place>,
    /// What the GPU knows of each place.
    records: Vec<MemberRecord>,
    /// Places without a member.
    free: Vec<u32>,
    chunks: Vec<Chunk>,
    /// The capacity of all chunks but the last.
    chunk_capacity: u32,
    /// The number of chunks that the prepared picture draws.
    drawn_chunks: usize,
    uploaded_bytes: u64,
}

impl Crowd {
    /// Creates an empty crowd, and the pipelines that it needs and that do not exist yet.
    ///
    /// # Errors
    ///
    /// [`GpuError::BufferTooLarge`] if the device cannot hold a single member; [`GpuError::Refused`] if the device
    /// cannot blend into the target or lacks its sample count; [`GpuError::OutOfMemory`].
    pub fn new(device: &wgpu::Device, pipelines: &Pipelines, model: &CrowdModel) -> Result<Self, GpuError> {
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

    /// Adds a member.
    ///
    /// # Panics
    ///
    /// If its animation belongs to another character.
    #[track_caller]
    pub fn add(&mut self, member: CrowdMember) -> MemberId {
        let record = self.record(&member);
        let place = match self.free.pop() {
            Some(place) => place,
            None => {
                self.places.push(Place::default());
                self.records.push(MemberRecord::default());
                self.places.len() as u32 - 1
            }
        };
        let free = &mut self.places[place as usize];
        free.member = Some(member);
        let id = MemberId { place, generation: free.generation };
        self.write(place, record);
        id
    }

    /// Removes a member. Returns it, or `None` if it was removed before.
    pub fn remove(&mut self, id: MemberId) -> Option<CrowdMember> {
        let place = self.places.get_mut(id.place()).filter(|place| place.generation == id.generation)?;
        let member = place.member.take()?;
        place.generation = place.generation.wrapping_add(1);
        self.free.push(id.place);
        self.write(id.place, MemberRecord::default());
        Some(member)
    }

    /// Returns a member, or `None` if it was removed.
    pub fn get(&self, id: MemberId) -> Option<&CrowdMember> {
        self.places.get(id.place()).filter(|place| place.generation == id.generation)?.member.as_ref()
    }

    /// Replaces a member, without a fade. Does nothing if it was removed.
    ///
    /// # Panics
    ///
    /// If its animation belongs to another character.
    #[track_caller]
    pub fn set(&mut self, id: MemberId, member: CrowdMember) {
        let record = self.record(&member);
        if let Some(before) = self.get_mut(id) {
            *before = member;
            self.write(id.place, record);
        }
    }

    /// Moves a member. Does nothing if it was removed.
    pub fn set_place(&mut self, id: MemberId, world_from_character: Affine2) {
        if let Some(member) = self.get_mut(id) {
            member.world_from_character = world_from_character;
            let member = *member;
            let MemberRecord { x_axis, y_axis, translation, is_present, .. } = self.record(&member);
            let record = MemberRecord { x_axis, y_axis, translation, is_present, ..self.records[id.place()] };
            self.write(id.place, record);
        }
    }

    /// Tints a member: straight RGBA, which multiplies its colours. Does nothing if it was removed.
    pub fn set_tint(&mut self, id: MemberId, tint: [u8; 4]) {
        if let Some(member) = self.get_mut(id) {
            member.tint = tint;
            let record = MemberRecord { tint, ..self.records[id.place()] };
            self.write(id.place, record);
        }
    }

    /// Changes how fast a member plays from `now_secs` on. Does nothing if it was removed.
    pub fn set_speed(&mut self, id: MemberId, speed: f64, now_secs: f64) {
        let Some(member) = self.get_mut(id) else { return };
        // At that time it stays where it is.
        member.start_secs += (member.speed - speed) * now_secs;
        member.speed = speed;
        let member = *member;
        let shown = self.record(&member).shown;
        let record = MemberRecord { shown, ..self.records[id.place()] };
        self.write(id.place, record);
    }

    /// Lets a member begin another animation at `now_secs`, and blends from the one that it shows for `fade_secs`
    /// seconds. Its loop mode and speed stay. Does nothing if it was removed.
    ///
    /// If an earlier fade is not over, what it was fading from disappears. Draw order and visibility change at once.
    /// There is no fade if [`CrowdOptions::interpolate`] is off.
    ///
    /// # Panics
    ///
    /// If `animation` belongs to another character.
    #[track_caller]
    pub fn switch(&mut self, id: MemberId, animation: AnimationId, now_secs: f64, fade_secs: f32) {
        let before = match self.records.get(id.place()) {
            Some(record) => record.shown,
            None => return,
        };
        let Some(member) = self.get_mut(id) else { return };
        member.animation = animation;
        member.start_secs = -member.speed * now_secs;
        let member = *member;
        let mut record = self.record(&member);
        // An animation without frames cannot be faded from.
        if self.frame_count(before.animation) > 0 && fade_secs.is_finite() {
            record.faded = before;
            record.fade_start = Time::from_secs(now_secs).words();
            record.fade_secs = fade_secs.max(0.0);
        }
        self.write(id.place, record);
    }

    /// Records the passes that find, pose and cull the members at `time_secs`, and writes what changed. Time begins at
    /// 0; negative times count as 0.
    ///
    /// Writes go through the queue, so they take effect with the next submission: prepare a crowd once per submission,
    /// with the encoder that draws it afterwards. For a [`ClipMatrix`](super::ClipMatrix), the choice of the filter
    /// depends on the scale at the origin of the world.
    ///
    /// # Errors
    ///
    /// [`GpuError::OutOfMemory`] or [`GpuError::Refused`] if a larger buffer cannot be created. Nothing is drawn then.
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

    fn get_mut(&mut self, id: MemberId) -> Option<&mut CrowdMember> {
        self.places.get_mut(id.place()).filter(|place| place.generation == id.generation)?.member.as_mut()
    }

    fn frame_count(&self, animation: u32) -> u32 {
        self.model.uploaded().animations.get(animation as usize).map_or(0, |animation| animation.frame_count())
    }

    /// The record of a member, without a fade.
    #[track_caller]
    fn record(&self, member: &CrowdMember) -> MemberRecord {
        member.record(&self.model.uploaded().animations)
    }

    /// Changes the record of a place.
    fn write(&mut self, place: u32, record: MemberRecord) {
        self.records[place as usize] = record;
        // A place without a chunk is written with all others of its chunk.
        if let Some(chunk) = self.chunks.get_mut((place / self.chunk_capacity) as usize) {
            let member = place % self.chunk_capacity;
            if member < chunk.capacity() {
                chunk.change(member);
            }
        }
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
        let sampling = |side: &u32| filter.sampling_of(*side, &view) == Sampling::Nearest;
        let nearest = model.page_sides.iter().enumerate().filter(|(_, side)| sampling(side));
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
