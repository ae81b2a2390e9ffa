//! The renderers and graphics adapters that a program offers. `pchr mcp` draws without a GPU, so `pchr` contains no graphics
//! library.

use super::adapter;
use crate::shared::failure::{Failure, note};
use pchr::cpu::Renderer;
use pchr::draw::View;
use pchr::export::{Drawing, RenderOptions};
use pchr::model::Model;

/// What a program can draw with.
#[derive(Debug, Clone, Copy)]
pub struct Graphics {
    /// Opens the renderer that the options select, for pictures of the size of the view. Prints notes about it unless
    /// `quiet`.
    pub open: fn(&RenderOptions, &Model, &View, quiet: bool) -> Result<Drawing<'static>, Failure>,
    /// Prints the graphics adapters, as JSON if asked.
    pub list: fn(json: bool) -> Result<(), Failure>,
}

impl Graphics {
    /// The CPU renderer alone.
    pub const CPU: Self = Self {
        // The plan has already checked the memory of the pictures.
        open: |_, model, _, _| Ok(Drawing::cpu(Renderer::new(model).with_max_bytes(u64::MAX))),
        list: adapter::list_none,
    };

    /// Every renderer of the build.
    pub const ALL: Self = Self {
        open: |options, model, view, quiet| {
            let note = move |message: &str| {
                if !quiet {
                    note(message);
                }
            };
            Drawing::open(options, model, view, note).map_err(|error| Failure::Adapter(error.into_inner()))
        },
        list: adapter::list,
    };
}
