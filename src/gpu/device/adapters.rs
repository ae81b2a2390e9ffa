//! Lists and chooses graphics adapters.

use std::fmt;

use crate::gpu::backend::{Backend, RANKED, name_of};
use crate::gpu::error::{Cause, GpuError};

/// The choice of an adapter.
#[derive(Debug, Clone)]
pub enum AdapterChoice {
    /// The index in the result of [`list_adapters`].
    Number(usize),
    /// A part of the name, ignoring case. The first match is used.
    Name(String),
}

impl From<&str> for AdapterChoice {
    /// Parses `#2` as a number and anything else as a part of a name.
    fn from(text: &str) -> Self {
        match text.strip_prefix('#').and_then(|number| number.parse().ok()) {
            Some(number) => Self::Number(number),
            None => Self::Name(text.to_owned()),
        }
    }
}

impl fmt::Display for AdapterChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => write!(f, "#{number}"),
            Self::Name(name) => write!(f, "called `{name}`"),
        }
    }
}

/// A description of an adapter.
#[derive(Debug, Clone)]
pub struct AdapterSummary {
    /// The name that the driver reports.
    pub name: String,
    /// The driver interface, such as `Vulkan`.
    pub backend: &'static str,
    /// The driver and its version.
    pub driver: String,
    /// True if the driver draws on the CPU.
    pub is_software: bool,
    /// True if the adapter has everything that this crate needs.
    pub is_usable: bool,
}

impl AdapterSummary {
    pub(super) fn of(adapter: &wgpu::Adapter) -> Self {
        let info = adapter.get_info();
        Self {
            backend: name_of(info.backend),
            driver: [info.driver, info.driver_info].join(" ").trim().to_owned(),
            name: info.name,
            is_software: info.device_type == wgpu::DeviceType::Cpu,
            is_usable: has_vertex_storage(adapter),
        }
    }
}

impl fmt::Display for AdapterSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, backend, driver, is_software, is_usable } = self;
        write!(f, "{name} ({backend}")?;
        if !driver.is_empty() {
            write!(f, ", {driver}")?;
        }
        f.write_str(if *is_software { ", software" } else { "" })?;
        f.write_str(if *is_usable { ")" } else { ", not usable: no storage buffers for vertex shaders)" })
    }
}

/// Lists the adapters of all drivers, in the order of their numbers.
pub async fn list_adapters() -> Vec<AdapterSummary> {
    all(&instance(Backend::Auto)).await.iter().map(AdapterSummary::of).collect()
}

/// Loads the drivers of `backend`, which takes a moment.
pub fn instance(backend: Backend) -> wgpu::Instance {
    let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle();
    descriptor.backends = backend.backends();
    wgpu::Instance::new(descriptor)
}

async fn all(instance: &wgpu::Instance) -> Vec<wgpu::Adapter> {
    let mut adapters = instance.enumerate_adapters(Backend::Auto.backends()).await;
    adapters.sort_by_key(|adapter| RANKED.iter().position(|&backend| backend == adapter.get_info().backend));
    adapters
}

/// Finds the chosen adapter. `instance` has all drivers, so that numbers do not depend on the backend.
pub async fn choose(
    instance: &wgpu::Instance,
    backend: Backend,
    choice: &AdapterChoice,
) -> Result<wgpu::Adapter, GpuError> {
    let adapters = all(instance).await;
    let available = || adapters.iter().enumerate().map(|(n, one)| format!("#{n} {}", AdapterSummary::of(one)));
    let unknown = || Cause::UnknownAdapter { wanted: choice.to_string(), available: available().collect() }.into();
    let matches = |(number, adapter): &(usize, &wgpu::Adapter)| {
        let info = adapter.get_info();
        backend.backends().contains(info.backend.into())
            && match choice {
                AdapterChoice::Number(wanted) => number == wanted,
                AdapterChoice::Name(part) => info.name.to_lowercase().contains(&part.to_lowercase()),
            }
    };
    let found = adapters.iter().enumerate().find(matches).map(|(_, adapter)| adapter.clone());
    found.ok_or_else(unknown)
}

pub fn has_vertex_storage(adapter: &wgpu::Adapter) -> bool {
    let flags = adapter.get_downlevel_capabilities().flags;
    flags.contains(wgpu::DownlevelFlags::VERTEX_STORAGE)
        && adapter.limits().max_storage_buffers_per_shader_stage > 0
}
