//! The driver interfaces that can be chosen: Vulkan, Metal, Direct3D 12 and OpenGL.

use std::fmt;

use crate::rows::rows;

/// Best first. The list of adapters has this order on every machine.
pub(super) const RANKED: [wgpu::Backend; 5] = [
    wgpu::Backend::BrowserWebGpu,
    wgpu::Backend::Vulkan,
    wgpu::Backend::Metal,
    wgpu::Backend::Dx12,
    wgpu::Backend::Gl,
];

rows! {
    /// Which driver interface to use.
    #[derive(Debug, Clone, Copy, Default, PartialEq)]
    pub enum Backend: Row {
        /// The best one available.
        #[default]
        Auto => Row { title: "any driver", backends: wgpu::Backends::PRIMARY.union(wgpu::Backends::SECONDARY) },
        /// Vulkan.
        Vulkan => Row { title: name_of(wgpu::Backend::Vulkan), backends: wgpu::Backends::VULKAN },
        /// Metal.
        Metal => Row { title: name_of(wgpu::Backend::Metal), backends: wgpu::Backends::METAL },
        /// Direct3D 12.
        Dx12 => Row { title: name_of(wgpu::Backend::Dx12), backends: wgpu::Backends::DX12 },
        /// OpenGL, through EGL or WGL.
        Gl => Row { title: name_of(wgpu::Backend::Gl), backends: wgpu::Backends::GL },
    }
}

/// The properties of a driver interface.
struct Row {
    title: &'static str,
    /// The interfaces of wgpu.
    backends: wgpu::Backends,
}

impl Backend {
    /// Returns the interfaces of wgpu.
    pub const fn backends(self) -> wgpu::Backends {
        self.row().backends
    }

    /// The drivers that are tried on this system.
    pub(super) fn drivers(self) -> String {
        let enabled = self.backends() & wgpu::Instance::enabled_backend_features();
        let names: Vec<String> = RANKED
            .into_iter()
            .filter(|&backend| enabled.contains(backend.into()))
            .map(|backend| name_of(backend).to_owned())
            .collect();
        match names.as_slice() {
            [] => format!("{self} driver, which this build does not support"),
            _ => format!("{} driver", names.join(" or ")),
        }
    }

    /// The advice if none is found.
    pub(super) fn remedy(self) -> &'static str {
        if !cfg!(target_os = "linux") {
            return "install the graphics driver of this machine, or use the CPU renderer";
        }
        match self {
            Self::Gl => "on Debian install `libegl1` and `libgl1-mesa-dri`, or use the CPU renderer",
            Self::Auto | Self::Vulkan | Self::Metal | Self::Dx12 => {
                "on Debian install `mesa-vulkan-drivers`, which also draws without a graphics card, \
                 or use the CPU renderer"
            }
        }
    }
}

impl fmt::Display for Backend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.row().title)
    }
}

pub(super) const fn name_of(backend: wgpu::Backend) -> &'static str {
    match backend {
        wgpu::Backend::Noop => "no-op",
        wgpu::Backend::Vulkan => "Vulkan",
        wgpu::Backend::Metal => "Metal",
        wgpu::Backend::Dx12 => "Direct3D 12",
        wgpu::Backend::Gl => "OpenGL",
        wgpu::Backend::BrowserWebGpu => "WebGPU",
    }
}
