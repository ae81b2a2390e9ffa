//! A stone that is thrown at the hero.

use pchr::draw::{DrawList, View};
use pchr::math::{Vec2, vec2};

/// Pixels per second squared.
const GRAVITY: f32 = -600.0;

pub struct Stone {
    pub position: Vec2,
    pub velocity: Vec2,
}

impl Stone {
    /// Throws one from the right, so that it comes down at a place on the ground 90 pixels above it.
    pub fn thrown_at(place: Vec2) -> Self {
        const SECS: f32 = 0.5;
        let start = place + vec2(260.0, 120.0);
        let way = place + vec2(0.0, 90.0) - start;
        Self { position: start, velocity: way / SECS - vec2(0.0, GRAVITY * SECS / 2.0) }
    }

    pub fn fly(&mut self, secs: f32) {
        self.velocity.y += GRAVITY * secs;
        self.position += self.velocity * secs;
    }

    /// Draws it over everything: a sprite of the game itself.
    pub fn draw(&self, view: &View, list: &mut DrawList) {
        let size = (8.0 * view.scale()) as i32;
        let [x, y] = view.pixel_from_world(self.position).to_array().map(|at| at as i32 - size / 2);
        list.add_rectangle([x, y, size, size], [70, 66, 78, 255], view);
    }
}
