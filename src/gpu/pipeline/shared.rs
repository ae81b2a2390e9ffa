//! What every pipeline and every model on a device shares: layouts, samplers and shader modules.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::crowd_passes::CrowdPasses;
use super::layouts::Layouts;
use super::pipelines::{Table, TargetUse};
use crate::gpu::shaders::wgsl;

/// The objects of a device that depend on neither a model nor a target.
#[derive(Debug)]
pub struct Shared {
    pub layouts: Layouts,
    pub nearest: wgpu::Sampler,
    pub linear: wgpu::Sampler,
    /// By [`ShaderFile`], made when a pipeline needs it.
    modules: [OnceLock<wgpu::ShaderModule>; wgsl::ALL.len()],
    /// The passes of crowds, made when a crowd needs them.
    crowd: OnceLock<CrowdPasses>,
    /// The pipelines, by target.
    tables: Mutex<Vec<Arc<Table>>>,
    created: AtomicUsize,
}

/// A shader, by its number in [`wgsl::ALL`].
#[derive(Debug, Clone, Copy)]
pub enum ShaderFile {
    Skin4,
    SkinN,
    SpriteFs,
    ClipMask,
    Overlay,
    CrowdDraw,
}

impl Shared {
    pub fn new(device: &wgpu::Device) -> Self {
        let sampler = |label, filter| {
            device.create_sampler(&wgpu::SamplerDescriptor {
                label: Some(label),
                mag_filter: filter,
                min_filter: filter,
                // The shader stays on the page, where mirroring repeats the last pixel just as clamping does.
                // Mesa's software driver mixes texels with more than eight bits only for a mode like this one.
                address_mode_u: wgpu::AddressMode::MirrorRepeat,
                address_mode_v: wgpu::AddressMode::MirrorRepeat,
                ..wgpu::SamplerDescriptor::default()
            })
        };
        Self {
            layouts: Layouts::new(device),
            nearest: sampler("pchr nearest", wgpu::FilterMode::Nearest),
            linear: sampler("pchr linear", wgpu::FilterMode::Linear),
            modules: [const { OnceLock::new() }; _],
            crowd: OnceLock::new(),
            tables: Mutex::default(),
            created: AtomicUsize::new(0),
        }
    }

    /// The shader module of a file, which is compiled by the first call.
    pub fn module(&self, device: &wgpu::Device, file: ShaderFile) -> &wgpu::ShaderModule {
        self.modules[file as usize].get_or_init(|| {
            let (name, source) = wgsl::ALL[file as usize];
            device.create_shader_module(wgpu::ShaderModuleDescriptor {
                label: Some(name),
                source: wgpu::ShaderSource::Wgsl(source.into()),
            })
        })
    }

    /// The passes of crowds, which are created by the first call. Errors go to the error scope of the caller.
    pub fn crowd(&self, device: &wgpu::Device) -> &CrowdPasses {
        self.crowd.get_or_init(|| CrowdPasses::new(device))
    }

    /// The pipelines for a target: the same table for the same target.
    pub fn table(&self, use_of_target: TargetUse) -> Arc<Table> {
        let mut tables = self.tables.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(table) = tables.iter().find(|table| table.use_of_target == use_of_target) {
            return Arc::clone(table);
        }
        let table = Arc::new(Table::new(use_of_target));
        tables.push(Arc::clone(&table));
        table
    }

    /// Counts a pipeline that was created.
    pub fn count_created(&self) {
        self.created.fetch_add(1, Ordering::Relaxed);
    }

    /// The number of pipelines that were created, for all targets.
    pub fn created(&self) -> usize {
        self.created.load(Ordering::Relaxed)
    }
}
