//! A laid-out frame → the window: with a GPU where there is one, on the processor where not.

pub mod damage;
mod gpu;
pub mod painter;
pub mod raster;
mod soft;
mod stage;
pub mod textures;

use egui::epaint::ClippedShape;
use egui::{Color32, Context, TexturesDelta};

use super::scene::Scene;
use textures::Textures;

pub use gpu::GpuScreen;
pub use soft::SoftScreen;

/// One frame, laid out.
pub struct Frame<'a> {
    /// What laid it out, and cuts it into triangles.
    pub ctx: &'a Context,
    /// The window in physical pixels, neither side 0.
    pub size: [u32; 2],
    /// Physical pixels to a point.
    pub pixels_per_point: f32,
    /// What to paint, from back to front.
    pub shapes: Vec<ClippedShape>,
    /// Every texture of egui's, with `changes` in it.
    pub textures: &'a Textures,
    /// What is new in `textures` since the last frame.
    pub changes: &'a TexturesDelta,
    /// The character.
    pub scene: Option<&'a Scene>,
    /// Behind everything.
    pub clear: Color32,
}

/// What became of a frame.
#[derive(Debug, PartialEq, Eq)]
pub enum Painted {
    /// It is on the screen.
    Shown,
    /// Nobody can see the window now, or the system has no room for a frame: try again when asked.
    Later,
    /// The screen is gone and has to be made again.
    Lost(String),
}

/// Where frames end.
pub enum Screen {
    /// Painted by a GPU.
    Gpu(Box<GpuScreen>),
    /// Painted by the processor.
    Soft(Box<SoftScreen>),
}

impl Screen {
    /// Paints one frame.
    pub fn paint(&mut self, frame: Frame<'_>) -> Painted {
        match self {
            Self::Gpu(screen) => screen.paint(frame),
            Self::Soft(screen) => screen.paint(frame),
        }
    }

    /// What is on the screen may be gone: the next frame is painted as a whole, whatever it shows.
    pub fn forget(&mut self) {
        match self {
            // Paints every frame as a whole.
            Self::Gpu(_) => {}
            Self::Soft(screen) => screen.forget(),
        }
    }

    /// The largest texture it takes, in pixels a side.
    pub fn max_texture_side(&self) -> usize {
        match self {
            Self::Gpu(screen) => screen.max_texture_side(),
            Self::Soft(_) => 16_384,
        }
    }

    /// True when painting waits for the screen's own pace.
    pub fn paces_itself(&self) -> bool {
        matches!(self, Self::Gpu(_))
    }

    /// Whether nothing of the last scene was drawn, because it would have taken too long.
    pub fn is_too_heavy(&self) -> bool {
        match self {
            Self::Gpu(screen) => screen.is_too_heavy(),
            Self::Soft(screen) => screen.is_too_heavy(),
        }
    }

    /// True when the processor draws, behind whatever interface.
    pub fn is_slow(&self) -> bool {
        match self {
            Self::Gpu(screen) => screen.is_software(),
            Self::Soft(_) => true,
        }
    }
}
