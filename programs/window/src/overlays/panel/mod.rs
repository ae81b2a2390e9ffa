//! The menus of overlays and of the background, and what is painted on the canvas beside the character.

pub mod background;
pub mod color;
pub mod guides;
pub mod labels;
pub mod show;
pub mod slide;
pub mod statistics;
pub mod targets;
pub mod underlay;

use egui::{Color32, Pos2, Rect, pos2};

use super::OverlayState;
use crate::base::waker::Waker;
use crate::parts::Parts;
use crate::playback::Playback;
use crate::scene::canvas::Canvas;
use crate::widgets::actions::Actions;
use pchr::draw::View;
use pchr::math::{self, Vec2};

/// What the menus of overlays and background, and what is painted on the canvas, show and change.
#[derive(Debug)]
pub struct OverlayPanel<'a> {
    /// The shown character.
    pub playback: &'a mut Playback,
    /// Its parts.
    pub parts: &'a mut Parts,
    /// The canvas, and its view if there is a character.
    pub canvas: &'a mut Canvas,
    pub view: Option<View>,
    /// What the view is fitted to, in world pixels.
    pub content: Option<math::Rect>,
    /// The colours of the checkerboard behind the character.
    pub squares: [[u8; 3]; 2],
    /// What is drawn over, behind and beside the character.
    pub overlays: &'a mut OverlayState,
    /// Wakes the window when something was computed.
    pub waker: Option<&'a Waker>,
    /// What the user asks for.
    pub actions: &'a mut Actions,
}

/// Returns where a point of the world is on the canvas at `rect`. `points` is the number of pixels per point.
pub fn on_canvas(view: &View, rect: Rect, points: f32, world: Vec2) -> Pos2 {
    let pixel = view.pixel_from_world(world);
    pos2(rect.min.x + pixel.x / points, rect.min.y + pixel.y / points)
}

/// Returns the colours of both squares of the checkerboard.
pub fn checker(squares: [[u8; 3]; 2], has_grid: bool) -> [Color32; 2] {
    let [one, other] = squares.map(|[r, g, b]| Color32::from_rgb(r, g, b));
    // Squares and grid lines would be a plaid.
    [one, if has_grid { one.lerp_to_gamma(other, 0.4) } else { other }]
}
