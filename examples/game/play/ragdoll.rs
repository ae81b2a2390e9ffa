//! A ragdoll: points that fall, held together by sticks, and the bones that follow them.

use pchr::Animator;
use pchr::math::{Affine2, Mat2, Vec2, vec2};
use pchr::model::{BoneId, Model, Select};
use pchr::motion::BoneOverride;

const GRAVITY: Vec2 = Vec2::new(0.0, -900.0);
const ROUNDS: usize = 12;
const POINTS: usize = 9;

/// Bones, and the points at their beginnings and ends.
const STICKS: [(&str, usize, usize); 8] = [
    ("torso", 0, 1),
    ("head", 1, 2),
    ("arm", 1, 3),
    ("forearm", 3, 4),
    ("thigh1", 0, 5),
    ("shin1", 5, 6),
    ("thigh2", 0, 7),
    ("shin2", 7, 8),
];
/// The lengths of these bones.
const LENGTHS: [f32; 8] = [48.0, 40.0, 26.0, 28.0, 32.0, 34.0, 32.0, 34.0];
/// Pairs of points that keep a distance, so that the body does not fold up.
const BRACES: [(usize, usize, f32); 4] = [(0, 2, 70.0), (1, 5, 56.0), (1, 7, 56.0), (2, 4, 30.0)];

pub struct Ragdoll {
    bones: [BoneId; STICKS.len()],
    points: [Vec2; POINTS],
    before: [Vec2; POINTS],
    is_fallen: bool,
}

impl Ragdoll {
    pub fn new(model: &Model) -> pchr::Result<Self> {
        let [a, b, c, d, e, f, g, h] = STICKS.map(|(name, ..)| Select::<BoneId>::select(name, model));
        let bones = [a?, b?, c?, d?, e?, f?, g?, h?];
        Ok(Self { bones, points: [Vec2::ZERO; POINTS], before: [Vec2::ZERO; POINTS], is_fallen: false })
    }

    pub fn lie_down(&mut self, is_fallen: bool) {
        self.is_fallen = is_fallen;
    }

    /// Begins where the bones are, pushed by what has hit the hero.
    pub fn take_over(&mut self, animator: &Animator, velocity: Vec2) -> pchr::Result<()> {
        for ((bone, (_, from, to)), length) in self.bones.iter().zip(STICKS).zip(LENGTHS) {
            let world = animator.bone(*bone)?;
            self.points[from] = world.translation;
            self.points[to] = world.translation + world.matrix2.x_axis.normalize_or(Vec2::X) * length;
        }
        self.before = self.points;
        // The upper part of the body is hit.
        for point in &mut self.before[1..5] {
            *point -= velocity / 60.0 * 0.4;
        }
        self.is_fallen = true;
        Ok(())
    }

    pub fn fall(&mut self, secs: f32) {
        if !self.is_fallen {
            return;
        }
        for (point, before) in self.points.iter_mut().zip(&mut self.before) {
            let way = (*point - *before) * 0.995;
            *before = *point;
            *point += way + GRAVITY * secs * secs;
        }
        for _ in 0..ROUNDS {
            for ((_, from, to), length) in STICKS.into_iter().zip(LENGTHS) {
                self.keep(from, to, length, true);
            }
            for (from, to, least) in BRACES {
                self.keep(from, to, least, false);
            }
            for (point, before) in self.points.iter_mut().zip(&mut self.before) {
                if point.y < 4.0 {
                    point.y = 4.0;
                    // The ground slows it down.
                    before.x += (point.x - before.x) * 0.3;
                }
            }
        }
    }

    /// Keeps two points at a distance, or at least at it.
    fn keep(&mut self, from: usize, to: usize, length: f32, is_fixed: bool) {
        let way = self.points[to] - self.points[from];
        let now = way.length();
        if now > 1e-3 && (is_fixed || now < length) {
            let by = way * ((now - length) / now / 2.0);
            self.points[from] += by;
            self.points[to] -= by;
        }
    }

    /// Places the bones in the world, after everything else that would move them. `side` is that of the hero.
    pub fn place(&self, side: f32, animator: &mut Animator) {
        if !self.is_fallen {
            return;
        }
        for (bone, (_, from, to)) in self.bones.iter().zip(STICKS) {
            let x_axis = (self.points[to] - self.points[from]).normalize_or(Vec2::X);
            let y_axis = vec2(-x_axis.y, x_axis.x) * side;
            let world = Affine2 { matrix2: Mat2::from_cols(x_axis, y_axis), translation: self.points[from] };
            animator.override_bone(BoneOverride::placed(*bone, world));
        }
    }
}
