//! A window painted by the processor: for machines without a driver, and when the driver is lost.

use std::num::NonZeroU32;
use std::sync::Arc;

use rayon::iter::{IndexedParallelIterator, ParallelIterator};
use rayon::slice::ParallelSliceMut;
use softbuffer::{Context, Surface};
use winit::event_loop::OwnedDisplayHandle;
use winit::window::Window;

use super::raster::{self, Canvas, Character};
use super::{Frame, Painted};
use crate::viewer::ViewerError;
use crate::viewer::scene::CpuStage;

/// Rows that one thread paints at a time.
const BAND: usize = 64;

/// The pixels of a window.
pub struct SoftScreen {
    surface: Surface<OwnedDisplayHandle, Arc<Window>>,
    stage: CpuStage,
}

impl SoftScreen {
    /// Takes over the pixels of `window`.
    pub fn new(display: OwnedDisplayHandle, window: Arc<Window>) -> Result<Self, ViewerError> {
        let refused = |error: softbuffer::SoftBufferError| ViewerError::Window(error.to_string().into());
        let context = Context::new(display).map_err(refused)?;
        let surface = Surface::new(&context, window).map_err(refused)?;
        Ok(Self { surface, stage: CpuStage::default() })
    }

    /// Whether nothing of the last scene was drawn, because it would have taken too long.
    pub fn is_too_heavy(&self) -> bool {
        self.stage.is_too_heavy()
    }

    /// Paints one frame.
    pub fn paint(&mut self, frame: &Frame<'_>) -> Painted {
        let [Some(width), Some(height)] = frame.size.map(NonZeroU32::new) else { return Painted::Later };
        if frame.scene.is_none() {
            self.stage.forget();
        }
        let character = frame.scene.map(|scene| {
            let (picture, _) = self.stage.render(scene);
            let size = [picture.width() as usize, picture.height() as usize];
            Character { pixels: picture.pixels(), size }
        });
        if let Err(error) = self.surface.resize(width, height) {
            return Painted::Lost(error.to_string());
        }
        let mut buffer = match self.surface.buffer_mut() {
            Ok(buffer) => buffer,
            Err(error) => return Painted::Lost(error.to_string()),
        };
        let width = frame.size[0] as usize;
        let [r, g, b, _] = frame.clear.to_array();
        buffer.par_chunks_mut(width * BAND).enumerate().for_each(|(band, pixels)| {
            pixels.fill(u32::from_be_bytes([0, r, g, b]));
            let mut canvas = Canvas { pixels, width, first_row: band * BAND };
            raster::paint(&mut canvas, frame.primitives, frame.pixels_per_point, frame.textures, character);
        });
        match buffer.present() {
            Ok(()) => Painted::Shown,
            Err(error) => Painted::Lost(error.to_string()),
        }
    }
}
