//! Skins vertices on the GPU, with a compute pass that calls the function of the vertex shader.

use pchr::gpu::Context;
use pchr::gpu::shaders::gpu_data::{Influence, Sprite};
use pchr::gpu::shaders::wgsl;
use pchr::math::{Vec2, vec2};
use pchr::pose::SkinMatrix;

/// The compute shader. The shaders' own declarations, including the function, are prepended.
const PASS: &str = "
@group(1) @binding(0) var<storage, read_write> jobs: array<vec4u>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
    if id.x < arrayLength(&jobs) {
        let job = jobs[id.x];
        let position = skin_n(job.x, job.y, job.z, bitcast<i32>(job.w));
        jobs[id.x] = vec4u(bitcast<u32>(position.x), bitcast<u32>(position.y), 0u, 0u);
    }
}
";

/// Vertices to skin.
#[derive(Default)]
pub struct Work {
    pub palette: Vec<SkinMatrix>,
    pub influences: Vec<Influence>,
    pub deform: Vec<Vec2>,
    /// First influence, number of influences, first matrix, offset to the deforms.
    jobs: Vec<[u32; 4]>,
}

impl Work {
    /// Adds a vertex with these influences. If `deform` is given, they are moved by the offsets in
    /// [`Self::deform`] from that index.
    pub fn push(&mut self, (first, count): (u32, u32), palette_base: usize, deform: Option<usize>) {
        let shift = deform.map_or(Sprite::NO_DEFORM, |deform| deform as i32 - first as i32);
        self.jobs.push([first, count, palette_base as u32, shift as u32]);
    }

    /// Returns the world positions.
    pub fn run(&self, context: &Context) -> Vec<Vec2> {
        use wgpu::util::DeviceExt;
        let (device, queue) = (context.device(), context.queue());
        let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: None,
            source: wgpu::ShaderSource::Wgsl(format!("{}{PASS}", wgsl::COMMON).into()),
        });
        let pipeline = device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: None,
            layout: None,
            module: &module,
            entry_point: Some("main"),
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            cache: None,
        });
        let buffer = |bytes: &[u8], usage: wgpu::BufferUsages| {
            // A binding must not be empty.
            let contents = if bytes.is_empty() { &[0; 24] } else { bytes };
            let usage = usage | wgpu::BufferUsages::STORAGE;
            device.create_buffer_init(&wgpu::util::BufferInitDescriptor { label: None, contents, usage })
        };
        let none = wgpu::BufferUsages::empty();
        let palette = buffer(bytemuck::cast_slice(&self.palette), none);
        let influences = buffer(bytemuck::cast_slice(&self.influences), none);
        let deform = buffer(bytemuck::cast_slice(&self.deform), none);
        let jobs = buffer(bytemuck::cast_slice(&self.jobs), wgpu::BufferUsages::COPY_SRC);
        let read = device.create_buffer(&wgpu::BufferDescriptor {
            label: None,
            size: jobs.size(),
            usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
            mapped_at_creation: false,
        });
        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
        pass.set_pipeline(&pipeline);
        let groups: [(u32, &[(u32, &wgpu::Buffer)]); 3] =
            [(0, &[(1, &palette)]), (1, &[(0, &jobs)]), (2, &[(0, &influences), (1, &deform)])];
        for (group, buffers) in groups {
            let mut entries = Vec::new();
            for &(binding, buffer) in buffers {
                entries.push(wgpu::BindGroupEntry { binding, resource: buffer.as_entire_binding() });
            }
            let layout = &pipeline.get_bind_group_layout(group);
            let descriptor = wgpu::BindGroupDescriptor { label: None, layout, entries: &entries };
            pass.set_bind_group(group, &device.create_bind_group(&descriptor), &[]);
        }
        pass.dispatch_workgroups((self.jobs.len() as u32).div_ceil(64), 1, 1);
        drop(pass);
        encoder.copy_buffer_to_buffer(&jobs, 0, &read, 0, jobs.size());
        queue.submit([encoder.finish()]);
        read.slice(..).map_async(wgpu::MapMode::Read, |mapped| mapped.expect("it can be read"));
        device.poll(wgpu::PollType::wait_indefinitely()).expect("the device finishes");
        context.check().expect("nothing went wrong");
        let bytes = read.slice(..).get_mapped_range().expect("it is mapped").to_vec();
        let found = bytes.chunks_exact(16).map(|job| {
            let number = |at: usize| f32::from_le_bytes([job[at], job[at + 1], job[at + 2], job[at + 3]]);
            vec2(number(0), number(4))
        });
        found.take(self.jobs.len()).collect()
    }
}
