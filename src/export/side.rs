//! One of two characters that are compared: posed, and skinned mesh by mesh.

use crate::character::Character;
use crate::math::Vec2;
use crate::model::Mesh;
use crate::motion::{Cue, Evaluator};
use crate::pose::{Pose, SkinMatrix, for_each_deformed_vertex, palette};

/// A character and where the vertices are that were looked at last.
pub(super) struct Side<'a> {
    pub character: &'a Character,
    evaluator: Evaluator,
    pub pose: Pose,
    palette: Vec<SkinMatrix>,
    /// World pixels, a point each vertex.
    pub points: Vec<Vec2>,
}

impl<'a> Side<'a> {
    pub fn new(character: &'a Character) -> Self {
        let pose = Pose::for_model(character.model());
        Self { character, evaluator: Evaluator::default(), pose, palette: Vec::new(), points: Vec::new() }
    }

    /// Poses it.
    pub fn show(&mut self, cue: &Cue) {
        self.evaluator.evaluate(self.character, cue, &mut self.pose);
        palette(self.character.model(), &self.pose, &mut self.palette);
    }

    /// Finds where the vertices are of a mesh that a slot shows.
    pub fn skin(&mut self, mesh: &Mesh, slot: usize) {
        self.points.clear();
        let points = &mut self.points;
        let deform = self.pose.slots.get(slot).map_or(&[][..], |slot| self.pose.deform_of(slot));
        for_each_deformed_vertex(&mesh.vertices, deform, &self.palette, |point, _uv| points.push(point));
    }
}

/// The longest way between points of the two, of those for which it is a number.
pub(super) fn farthest(a: &[Vec2], b: &[Vec2]) -> f32 {
    let pairs = a.iter().zip(b);
    pairs.map(|(a, b)| a.distance(*b)).filter(|px| !px.is_nan()).fold(0.0, f32::max)
}
