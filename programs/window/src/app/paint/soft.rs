//! The CPU backend of a window, for machines without a graphics driver and for drivers that were lost.

use std::num::NonZeroU32;
use std::sync::Arc;

use softbuffer::{Context, Rect, Surface};
use winit::event_loop::OwnedDisplayHandle;
use winit::window::Window;

use super::damage::Area;
use super::painter::Painter;
use super::{Frame, Painted, Screen};
use crate::app::error::ViewerError;
use crate::scene::CpuSceneRenderer;
use crate::scene::cost::PictureCost;
use crate::scene::preparation::Preparation;
use pchr::Character;

/// The pixels of a window.
pub struct SoftScreen {
    surface: Surface<OwnedDisplayHandle, Arc<Window>>,
    painter: Painter,
}

impl SoftScreen {
    /// Takes control of the pixels of `window`.
    pub fn new(display: OwnedDisplayHandle, window: Arc<Window>) -> Result<Self, ViewerError> {
        let refused = |error: softbuffer::SoftBufferError| ViewerError::Window(error.to_string().into());
        let context = Context::new(display).map_err(refused)?;
        let surface = Surface::new(&context, window).map_err(refused)?;
        Ok(Self { surface, painter: Painter::default() })
    }
}

impl Screen for SoftScreen {
    fn prepare(&mut self, character: &Arc<Character>) -> Preparation {
        self.painter.prepare(character)
    }

    fn forget(&mut self) {
        self.painter.forget();
    }

    fn max_texture_side(&self) -> usize {
        16_384
    }

    fn paces_itself(&self) -> bool {
        false
    }

    fn is_too_heavy(&self) -> bool {
        self.painter.renderers().iter().any(CpuSceneRenderer::is_too_heavy)
    }

    fn cost(&self) -> Option<PictureCost> {
        self.painter.renderers().first()?.cost()
    }

    fn name(&self) -> String {
        "CPU".to_owned()
    }

    fn is_slow(&self) -> bool {
        true
    }

    /// Only paints what differs from the previous frame.
    fn paint(&mut self, mut frame: Frame<'_>) -> Painted {
        let [Some(width), Some(height)] = frame.size.map(NonZeroU32::new) else { return Painted::Later };
        if self.painter.take(&mut frame).areas().is_empty() {
            return Painted::Shown;
        }
        if let Err(error) = self.surface.resize(width, height) {
            return Painted::Lost(error.to_string());
        }
        let mut buffer = match self.surface.buffer_mut() {
            Ok(buffer) => buffer,
            Err(error) => return Painted::Lost(error.to_string()),
        };
        let damage = self.painter.since(buffer.age());
        self.painter.paint(&frame, &damage, &mut buffer);
        let areas: Vec<Rect> = damage.areas().iter().copied().filter_map(rect).collect();
        match buffer.present_with_damage(&areas) {
            Ok(()) => Painted::Shown,
            Err(error) => Painted::Lost(error.to_string()),
        }
    }
}

/// Converts a non-empty area of the window.
fn rect(area: Area) -> Option<Rect> {
    let side = |from: i64, to: i64| u32::try_from(to - from).ok().and_then(NonZeroU32::new);
    Some(Rect {
        x: area.left.try_into().ok()?,
        y: area.top.try_into().ok()?,
        width: side(area.left, area.right)?,
        height: side(area.top, area.bottom)?,
    })
}
