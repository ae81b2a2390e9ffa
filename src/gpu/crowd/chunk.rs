//! The buffers of as many members as fit into one binding. A crowd has as many chunks as it needs, and each is drawn
//! with one call.

use wgpu::BufferUsages as Usage;

use super::model::Uploaded;
use crate::gpu::device::{BufferLimits, catch};
use crate::gpu::error::{Cause, GpuError};
use crate::gpu::pipeline::{CrowdBuffer, CrowdPasses, Pass, bind};
use crate::gpu::shaders::crowd_data::{CrowdGlobals, DRAWN, MemberRecord};

/// Buffers for up to [`Self::capacity`] members.
#[derive(Debug)]
pub struct Chunk {
    capacity: u32,
    globals: wgpu::Buffer,
    written: Option<CrowdGlobals>,
    members: wgpu::Buffer,
    drawn: wgpu::Buffer,
    /// The visible members and their draw call; `None` if the adapter has no indirect draw calls.
    culled: Option<Culled>,
    place: wgpu::BindGroup,
    /// `None` if members share the poses of stored frames.
    pose: Option<wgpu::BindGroup>,
    draw: wgpu::BindGroup,
    bytes: u64,
    /// The members that changed since they were written, in any order.
    changed: Vec<u32>,
    /// By member, true if it is in `changed`.
    is_changed: Vec<bool>,
}

/// What is drawn of a chunk whose members outside the view are left out.
#[derive(Debug)]
struct Culled {
    compacted: wgpu::Buffer,
    call: wgpu::Buffer,
    scan: wgpu::BindGroup,
    compact: wgpu::BindGroup,
}

fn create(device: &wgpu::Device, label: &str, size: u64, usage: Usage) -> wgpu::Buffer {
    device.create_buffer(&wgpu::BufferDescriptor { label: Some(label), size, usage, mapped_at_creation: false })
}

impl Culled {
    /// The bytes of the arguments of an indirect draw call.
    const CALL_BYTES: u64 = 16;

    fn new(device: &wgpu::Device, passes: &CrowdPasses, chunk: &Chunk, counts: &wgpu::Buffer) -> Self {
        let call = create(device, "pchr crowd call", Self::CALL_BYTES, Usage::STORAGE | Usage::INDIRECT);
        let size = u64::from(chunk.capacity) * Chunk::DRAWN_BYTES;
        let compacted = create(device, "pchr crowd compacted", size, Usage::STORAGE | Usage::VERTEX);
        let scan =
            [(CrowdBuffer::Globals, &chunk.globals), (CrowdBuffer::Counts, counts), (CrowdBuffer::Call, &call)];
        let compact = [
            (CrowdBuffer::Globals, &chunk.globals),
            (CrowdBuffer::Drawn, &chunk.drawn),
            (CrowdBuffer::Counts, counts),
            (CrowdBuffer::Compacted, &compacted),
        ];
        Self {
            scan: bind(device, "pchr crowd scan", &passes.scan.layout, &scan),
            compact: bind(device, "pchr crowd compact", &passes.compact.layout, &compact),
            compacted,
            call,
        }
    }

    fn bytes(&self) -> u64 {
        self.compacted.size() + self.call.size()
    }
}

impl Chunk {
    /// The bytes of a member that is drawn.
    pub const DRAWN_BYTES: u64 = DRAWN.array_stride;
    /// The capacity of a new chunk.
    pub const SMALLEST: u32 = 256;
    /// Members that did not change are written too if that joins two writes.
    const GAP: u32 = 16;

    /// The number of members that fit into the largest buffers of a device.
    ///
    /// # Errors
    ///
    /// If it is none.
    pub fn largest(device: &wgpu::Device, model: &Uploaded) -> Result<u32, GpuError> {
        let limit = BufferLimits::of(device).storage;
        let most = limit / model.pose_bytes().max(size_of::<MemberRecord>() as u64);
        if most == 0 {
            let (what, bytes) = ("the pose of a member of the crowd".to_owned(), model.pose_bytes());
            return Err(Cause::BufferTooLarge { what, bytes, limit }.into());
        }
        let workgroups = u64::from(device.limits().max_compute_workgroups_per_dimension);
        Ok(most.min(workgroups * u64::from(CrowdPasses::POSE_WORKGROUP)).min(u64::from(u32::MAX)) as u32)
    }

    /// Creates the buffers. Everything has to be written.
    pub fn new(
        device: &wgpu::Device,
        passes: &CrowdPasses,
        model: &Uploaded,
        capacity: u32,
    ) -> Result<Self, GpuError> {
        let (mut chunk, counts) = catch(device, || Ok(Self::create(device, passes, model, capacity)))?;
        chunk.culled = match catch(device, || Ok(Culled::new(device, passes, &chunk, &counts))) {
            Ok(culled) => Some(culled),
            // The adapter has no indirect draw calls.
            Err(error) if error.code() == "refused" => None,
            Err(error) => return Err(error),
        };
        chunk.bytes += counts.size() + chunk.culled.as_ref().map_or(0, Culled::bytes);
        Ok(chunk)
    }

    /// Creates everything that is needed without culling, and the buffer for the numbers of visible members.
    fn create(
        device: &wgpu::Device,
        passes: &CrowdPasses,
        model: &Uploaded,
        capacity: u32,
    ) -> (Self, wgpu::Buffer) {
        let (tables, count) = (&model.tables, u64::from(capacity));
        let record = size_of::<MemberRecord>() as u64;
        let globals_size = size_of::<CrowdGlobals>() as u64;
        let globals = create(device, "pchr crowd globals", globals_size, Usage::UNIFORM | Usage::COPY_DST);
        let members = create(device, "pchr crowd members", count * record, Usage::STORAGE | Usage::COPY_DST);
        let drawn = create(device, "pchr crowd drawn", count * Self::DRAWN_BYTES, Usage::STORAGE | Usage::VERTEX);
        let workgroups = u64::from(capacity.div_ceil(CrowdPasses::WORKGROUP));
        let counts = create(device, "pchr crowd counts", workgroups * size_of::<u32>() as u64, Usage::STORAGE);
        let own_poses = (model.pose_bytes() > 0)
            .then(|| create(device, "pchr crowd poses", count * model.pose_bytes(), Usage::STORAGE));
        let place = [
            (CrowdBuffer::Globals, &globals),
            (CrowdBuffer::Members, &members),
            (CrowdBuffer::Animations, &tables.animations),
            (CrowdBuffer::Orders, &tables.orders),
            (CrowdBuffer::Drawn, &drawn),
            (CrowdBuffer::Counts, &counts),
        ];
        let pose = own_poses.as_ref().map(|poses| {
            let buffers = [
                (CrowdBuffer::Globals, &globals),
                (CrowdBuffer::Members, &members),
                (CrowdBuffer::Animations, &tables.animations),
                (CrowdBuffer::Drawn, &drawn),
                (CrowdBuffer::Samples, &tables.frames),
                (CrowdBuffer::Bones, &tables.bones),
                (CrowdBuffer::Shares, &tables.shares),
                (CrowdBuffer::Poses, poses),
            ];
            bind(device, "pchr crowd pose", &passes.pose.layout, &buffers)
        });
        let draw = [
            (CrowdBuffer::Globals, &globals),
            (CrowdBuffer::Poses, own_poses.as_ref().unwrap_or(&tables.frames)),
            (CrowdBuffer::Indices, &tables.indices),
            (CrowdBuffer::Vertices, &tables.vertices),
            (CrowdBuffer::Influences, &tables.influences),
            (CrowdBuffer::Parts, &tables.parts),
            (CrowdBuffer::Places, &tables.places),
        ];
        let place = bind(device, "pchr crowd place", &passes.place.layout, &place);
        let draw = bind(device, "pchr crowd draw", &passes.draw, &draw);
        let own_bytes = own_poses.as_ref().map_or(0, wgpu::Buffer::size);
        let bytes = own_bytes + [&globals, &members, &drawn].map(wgpu::Buffer::size).iter().sum::<u64>();
        let (changed, is_changed) = (Vec::new(), Vec::new());
        let (written, culled) = (None, None);
        let chunk = Self {
            capacity,
            globals,
            written,
            members,
            drawn,
            culled,
            place,
            pose,
            draw,
            bytes,
            changed,
            is_changed,
        };
        (chunk, counts)
    }

    pub fn capacity(&self) -> u32 {
        self.capacity
    }

    /// The bytes of its buffers.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Writes a member before the next picture.
    pub fn change(&mut self, member: u32) {
        let number = member as usize;
        if self.is_changed.len() <= number {
            self.is_changed.resize(number + 1, false);
        }
        if !self.is_changed[number] {
            self.is_changed[number] = true;
            self.changed.push(member);
        }
    }

    /// Writes every member before the next picture.
    pub fn change_all(&mut self, count: u32) {
        self.changed.clear();
        self.changed.extend(0..count);
        self.is_changed.clear();
        self.is_changed.resize(count as usize, true);
    }

    /// Writes what changed. `records` are all members of the chunk. Returns the number of bytes.
    pub fn write(&mut self, queue: &wgpu::Queue, records: &[MemberRecord], globals: CrowdGlobals) -> u64 {
        let mut bytes = 0;
        let mut write = |buffer: &wgpu::Buffer, offset: u64, data: &[u8]| {
            queue.write_buffer(buffer, offset, data);
            bytes += data.len() as u64;
        };
        if self.written != Some(globals) {
            write(&self.globals, 0, bytemuck::bytes_of(&globals));
            self.written = Some(globals);
        }
        // Members that change together are usually next to each other.
        self.changed.sort_unstable();
        let mut rest = &self.changed[..];
        while let Some((&first, _)) = rest.split_first() {
            let mut count = 1;
            while count < rest.len() && rest[count] - rest[count - 1] <= Self::GAP {
                count += 1;
            }
            let range = first as usize..rest[count - 1] as usize + 1;
            let offset = range.start as u64 * size_of::<MemberRecord>() as u64;
            write(&self.members, offset, bytemuck::cast_slice(&records[range]));
            rest = &rest[count..];
        }
        for member in self.changed.drain(..) {
            self.is_changed[member as usize] = false;
        }
        bytes
    }

    /// Records the passes that find and pose the visible members.
    pub fn compute(&self, passes: &CrowdPasses, pass: &mut wgpu::ComputePass<'_>, count: u32) {
        let mut run = |of: &Pass, group: &wgpu::BindGroup, workgroups: u32| {
            pass.set_pipeline(&of.pipeline);
            pass.set_bind_group(0, group, &[]);
            pass.dispatch_workgroups(workgroups, 1, 1);
        };
        let workgroups = count.div_ceil(CrowdPasses::WORKGROUP);
        run(&passes.place, &self.place, workgroups);
        if let Some(pose) = &self.pose {
            run(&passes.pose, pose, count.div_ceil(CrowdPasses::POSE_WORKGROUP));
        }
        if let Some(culled) = &self.culled {
            run(&passes.scan, &culled.scan, 1);
            run(&passes.compact, &culled.compact, workgroups);
        }
    }

    /// Records the draw call.
    pub fn draw(&self, pass: &mut wgpu::RenderPass<'_>) {
        let Some(globals) = &self.written else { return };
        pass.set_bind_group(0, &self.draw, &[]);
        match &self.culled {
            Some(culled) => {
                pass.set_vertex_buffer(0, culled.compacted.slice(..));
                pass.draw_indirect(&culled.call, 0);
            }
            None => {
                pass.set_vertex_buffer(0, self.drawn.slice(..));
                pass.draw(0..globals.vertex_count, 0..globals.member_count);
            }
        }
    }
}
