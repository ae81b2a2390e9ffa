//! Which renderer draws a run: the CPU renderer, or a graphics card.

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

/// Why no graphics card draws.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct NoRenderer(Box<dyn std::error::Error + Send + Sync>);

impl NoRenderer {
    /// The reason itself.
    pub fn into_inner(self) -> Box<dyn std::error::Error + Send + Sync> {
        self.0
    }
}

impl<'a> Drawing<'a> {
    /// Draws `model` with what `options` ask for, in pictures such as `view`. [`Backend::Auto`] is the best graphics card.
    /// If there is none, the CPU renderer draws. `note` is called with a message if the reason is worth knowing, and if a
    /// device is lost later.
    pub fn open(
        options: &RenderOptions,
        model: &Model,
        view: &View,
        note: impl Fn(&str) + 'a,
    ) -> Result<Self, NoRenderer> {
        let look = &options.look;
        if look.backend == Backend::Cpu {
            return Ok(Self::cpu(renderer(model)));
        }
        match card::open(look, model, view) {
            Ok(card) => {
                let drawing = Self::pipeline(card);
                Ok(if look.may_fall_back() {
                    drawing.or_cpu_with(move |error| {
                        note(&format!("the rest is drawn by the CPU renderer: {}", with_sources(error)));
                    })
                } else {
                    drawing
                })
            }
            // Whoever asked for a driver by name wants its pictures or an error.
            Err(absent) if look.may_fall_back() => {
                absent.reason.iter().for_each(|reason| note(&format!("drawn by the CPU renderer: {reason}")));
                Ok(Self::cpu(renderer(model)))
            }
            Err(absent) => Err(NoRenderer(absent.error)),
        }
    }
}

/// Why there is no card.
struct Absent {
    error: Box<dyn std::error::Error + Send + Sync>,
    /// What is worth knowing about it where the CPU renderer draws instead.
    reason: Option<String>,
}
