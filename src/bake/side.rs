//! One of two characters being compared: evaluated, and skinned mesh by mesh.

use crate::character::Character;
use crate::math::Vec2;
use crate::model::Mesh;
use crate::motion::{Cue, Dynamics, Evaluator};
use crate::pose::{Pose, SkinMatrix, for_each_deformed_vertex, palette};

/// A character with its current pose and the vertices of the last skinned mesh.
pub(super) struct Side<'a> {
    pub character: &'a Character,
    evaluator: Evaluator,
    pub pose: Pose,
    palette: Vec<SkinMatrix>,
    /// Vertex positions in world pixels.
    pub points: Vec<Vec2>,
}

impl<'a> Side<'a> {
    pub fn new(character: &'a Character) -> Self {
        Self::with_physics(character, false)
    }

    pub fn with_physics(character: &'a Character, physics: bool) -> Self {
        let pose = Pose::for_model(character.model());
        let evaluator = Evaluator::with_dynamics(physics.then(Dynamics::default));
        Self { character, evaluator, pose, palette: Vec::new(), points: Vec::new() }
    }

    /// Evaluates the pose for `cue`.
    pub fn show(&mut self, cue: &Cue) {
        self.evaluator.evaluate(self.character, cue, &mut self.pose);
        palette(self.character.model(), &self.pose, &mut self.palette);
    }

    /// Computes the vertex positions of a mesh shown by a slot.
    pub fn skin(&mut self, mesh: &Mesh, slot: usize) {
        self.points.clear();
        let points = &mut self.points;
        let deform = self.pose.slots.get(slot).map_or(&[][..], |slot| self.pose.deform_of(slot));
        for_each_deformed_vertex(&mesh.vertices, deform, &self.palette, |point, _uv| points.push(point));
    }
}

/// Returns the largest distance between corresponding points, ignoring NaN.
pub(super) fn farthest(a: &[Vec2], b: &[Vec2]) -> f32 {
    let pairs = a.iter().zip(b);
    pairs.map(|(a, b)| a.distance(*b)).filter(|px| !px.is_nan()).fold(0.0, f32::max)
}
