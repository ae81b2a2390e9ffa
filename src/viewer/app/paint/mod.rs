//! Paints a laid-out frame into the window, on the GPU if possible, otherwise on the CPU.

pub mod damage;
pub mod gpu;
pub mod painter;
pub mod raster;
pub mod soft;
pub mod stage;
pub mod textures;

use std::sync::Arc;

use egui::epaint::ClippedShape;
use egui::{Color32, Context, TextureId, TexturesDelta};

use crate::Character;
use crate::viewer::scene::Scene;
use crate::viewer::scene::cost::PictureCost;
use textures::Textures;

pub use crate::viewer::scene::preparation::Preparation;
pub use gpu::GpuScreen;
pub use soft::SoftScreen;

/// A laid-out frame.
pub struct Frame<'a> {
    /// The context that laid it out and tessellates it.
    pub ctx: &'a Context,
    /// Window size in physical pixels, both sides at least 1.
    pub size: [u32; 2],
    /// Physical pixels per point.
    pub pixels_per_point: f32,
    /// The shapes to paint, back to front.
    pub shapes: Vec<ClippedShape>,
    /// All of egui's textures, including `changes`.
    pub textures: &'a Textures,
    /// The textures that changed since the last frame.
    pub changes: &'a TexturesDelta,
    /// The character, the one that it is compared with, and the others on the stage. The picture of each is in
    /// [`texture_of`] its place.
    pub scenes: &'a [Option<Scene>],
    /// Background colour.
    pub clear: Color32,
}

/// Returns the texture that holds the picture of the character at `place`.
pub fn texture_of(place: usize) -> TextureId {
    TextureId::User(place as u64)
}

/// The result of painting a frame.
#[derive(Debug, PartialEq, Eq)]
pub enum Painted {
    /// The frame is on the screen.
    Shown,
    /// The window is hidden, or the system has no buffer available: try again later.
    Later,
    /// The screen was lost and has to be recreated.
    Lost(String),
}

/// The target of frames.
pub enum Screen {
    /// Paints on the GPU.
    Gpu(Box<GpuScreen>),
    /// Paints on the CPU.
    Soft(Box<SoftScreen>),
}

impl Screen {
    /// Prepares for drawing `character`: computes on another thread what takes long, then uploads a slice of its
    /// textures. Call it once per frame until it is ready; what was drawn before can still be drawn.
    pub fn prepare(&mut self, character: &Arc<Character>) -> Preparation {
        match self {
            Self::Gpu(screen) => screen.prepare(character),
            Self::Soft(screen) => screen.prepare(character),
        }
    }

    /// Paints one frame.
    pub fn paint(&mut self, frame: Frame<'_>) -> Painted {
        match self {
            Self::Gpu(screen) => screen.paint(frame),
            Self::Soft(screen) => screen.paint(frame),
        }
    }

    /// Discards what is known of the screen's contents: the next frame is painted as a whole.
    pub fn forget(&mut self) {
        match self {
            // The GPU always paints the whole frame.
            Self::Gpu(_) => {}
            Self::Soft(screen) => screen.forget(),
        }
    }

    /// Returns the maximum texture size in pixels per side.
    pub fn max_texture_side(&self) -> usize {
        match self {
            Self::Gpu(screen) => screen.max_texture_side(),
            Self::Soft(_) => 16_384,
        }
    }

    /// Returns true if painting waits for vertical sync.
    pub fn paces_itself(&self) -> bool {
        matches!(self, Self::Gpu(_))
    }

    /// Returns true if one of the last scenes was skipped because drawing it would take too long.
    pub fn is_too_heavy(&self) -> bool {
        match self {
            Self::Gpu(screen) => screen.is_too_heavy(),
            Self::Soft(screen) => screen.is_too_heavy(),
        }
    }

    /// Returns the cost of the character's last picture; `None` if none was drawn.
    pub fn cost(&self) -> Option<PictureCost> {
        match self {
            Self::Gpu(screen) => screen.cost(),
            Self::Soft(screen) => screen.cost(),
        }
    }

    /// Returns what draws, for display: the graphics API and its adapter, or the CPU.
    pub fn name(&self) -> String {
        match self {
            Self::Gpu(screen) => screen.name(),
            Self::Soft(_) => "CPU".to_owned(),
        }
    }

    /// Returns true if the CPU draws, be it through a software driver.
    pub fn is_slow(&self) -> bool {
        match self {
            Self::Gpu(screen) => screen.is_software(),
            Self::Soft(_) => true,
        }
    }
}
