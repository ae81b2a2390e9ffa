//! Paints a laid-out frame into the window, on the GPU if possible, otherwise on the CPU.

pub mod damage;
pub mod gpu;
pub mod painter;
pub mod raster;
pub mod scene_renderer;
pub mod soft;
pub mod textures;

use std::sync::Arc;

use egui::epaint::ClippedShape;
use egui::{Color32, Context, TextureId, TexturesDelta};

use crate::scene::Scene;
use crate::scene::cost::PictureCost;
use pchr::Character;
use textures::Textures;

pub use crate::scene::preparation::Preparation;
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

/// Paints frames into a window.
pub trait Screen {
    /// Prepares for drawing `character` as the first one: computes on another thread what takes long, then uploads a slice
    /// of its textures. Call it once per frame until it is ready; what was drawn before can still be drawn.
    fn prepare(&mut self, character: &Arc<Character>) -> Preparation;

    /// Paints one frame.
    fn paint(&mut self, frame: Frame<'_>) -> Painted;

    /// Discards what is known of the screen's contents: the next frame is painted as a whole.
    fn forget(&mut self);

    /// Returns the maximum texture size in pixels per side.
    fn max_texture_side(&self) -> usize;

    /// Returns true if painting waits for vertical sync.
    fn paces_itself(&self) -> bool;

    /// Returns true if one of the last scenes was skipped because drawing it would take too long.
    fn is_too_heavy(&self) -> bool;

    /// Returns the cost of the character's last picture; `None` if none was drawn.
    fn cost(&self) -> Option<PictureCost>;

    /// Returns what draws, for display: the graphics API and its adapter, or the CPU.
    fn name(&self) -> String;

    /// Returns true if the CPU draws, be it through a software driver.
    fn is_slow(&self) -> bool;
}
