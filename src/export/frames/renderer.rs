//! Selects the renderer of a run: the CPU renderer or a GPU.

use super::drawing::{self, Drawing};
use crate::draw::View;
use crate::error::with_sources;
use crate::export::options::{Backend, RenderOptions};
use crate::model::Model;

mod absent;
#[cfg(feature = "gpu")]
mod adapter;
#[cfg(not(feature = "gpu"))]
#[path = "renderer/no_adapter.rs"]
mod adapter;

/// The reason why no GPU renderer is available.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct RendererUnavailable(Box<dyn std::error::Error + Send + Sync>);

impl RendererUnavailable {
    /// Returns the underlying error.
    pub fn into_inner(self) -> Box<dyn std::error::Error + Send + Sync> {
        self.0
    }
}

impl<'a> Drawing<'a> {
    /// Creates a renderer for `model` as requested by `options`, for pictures such as `view`. [`Backend::Auto`]
    /// selects the best GPU and falls back to the CPU renderer if there is none. `note` is called with a message
    /// if the reason is worth reporting, and if the device is lost later.
    pub fn open(
        options: &RenderOptions,
        model: &Model,
        view: &View,
        note: impl Fn(&str) + 'a,
    ) -> Result<Self, RendererUnavailable> {
        let look = &options.look;
        if look.backend == Backend::Cpu {
            return Ok(Self::cpu(drawing::renderer(model)));
        }
        match adapter::open(look, model, view) {
            Ok(renderer) => {
                let opened = Self::pipeline(renderer);
                Ok(if look.may_fall_back() {
                    opened.or_cpu_with(move |error| {
                        note(&format!("continuing with the CPU renderer: {}", with_sources(error)));
                    })
                } else {
                    opened
                })
            }
            // An explicitly requested backend must not be replaced.
            Err(unavailable) if look.may_fall_back() => {
                unavailable.reason.iter().for_each(|reason| note(&format!("using the CPU renderer: {reason}")));
                Ok(Self::cpu(drawing::renderer(model)))
            }
            Err(unavailable) => Err(RendererUnavailable(unavailable.error)),
        }
    }
}
