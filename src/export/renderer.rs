//! Selects the renderer of a run: the CPU renderer or a GPU.

use super::drawing::{Drawing, renderer};
use super::{Backend, RenderOptions};
use crate::draw::View;
use crate::error::with_sources;
use crate::model::Model;

#[cfg(feature = "gpu")]
mod card;
#[cfg(not(feature = "gpu"))]
#[path = "renderer/no_card.rs"]
mod card;

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
            return Ok(Self::cpu(renderer(model)));
        }
        match card::open(look, model, view) {
            Ok(card) => {
                let drawing = Self::pipeline(card);
                Ok(if look.may_fall_back() {
                    drawing.or_cpu_with(move |error| {
                        note(&format!("continuing with the CPU renderer: {}", with_sources(error)));
                    })
                } else {
                    drawing
                })
            }
            // An explicitly requested backend must not be replaced.
            Err(unavailable) if look.may_fall_back() => {
                unavailable.reason.iter().for_each(|reason| note(&format!("using the CPU renderer: {reason}")));
                Ok(Self::cpu(renderer(model)))
            }
            Err(unavailable) => Err(RendererUnavailable(unavailable.error)),
        }
    }
}

/// No GPU renderer is available.
struct Absent {
    error: Box<dyn std::error::Error + Send + Sync>,
    /// The reason to report if the CPU renderer is used instead.
    reason: Option<String>,
}
