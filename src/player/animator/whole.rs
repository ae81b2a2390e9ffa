//! What the caller changes of the whole character: its place, its tint, and what physics knows of the world.

use super::Animator;
use crate::math::angle::sin_cos_radians;
use crate::math::{Affine2, Mat2, Vec2, vec2};
use crate::model::Tint;
use crate::motion::Forces;

impl Animator {
    /// Returns where the character stands: `world_from_character`, initially the identity.
    pub fn placement(&self) -> Affine2 {
        self.placement
    }

    /// Places the character in the world: position, rotation, scale, and flips by negative scales. Everything else that
    /// the animator takes or returns in the world includes it, except [`Self::cue`]. Non-finite placements are ignored.
    ///
    /// ```
    /// # use pchr::math::{Affine2, vec2};
    /// # let mut lamp = pchr::Animator::open("assets/paper-lamp.json")?;
    /// let before = lamp.bone("head")?.translation;
    /// // At 300, 0, looking to the other side.
    /// lamp.set_placement(Affine2::from_scale_angle_translation(vec2(-1.0, 1.0), 0.0, vec2(300.0, 0.0)));
    /// lamp.refresh();
    /// assert_eq!(lamp.bone("head")?.translation, vec2(300.0 - before.x, before.y));
    /// # Ok::<(), pchr::Error>(())
    /// ```
    ///
    /// Physics follows: what changes until the next update is a movement of the character in the time of that update. A
    /// change of scale and a flip are none.
    pub fn set_placement(&mut self, world_from_character: Affine2) {
        if world_from_character.is_finite() && world_from_character != self.placement {
            self.placement = world_from_character;
            self.is_stale = true;
        }
    }

    /// Places the character in the world like [`Self::set_placement`], without a movement that physics would follow.
    pub fn teleport(&mut self, world_from_character: Affine2) {
        self.set_placement(world_from_character);
        if let Some(steps) = &mut self.steps {
            steps.forget_place();
        }
    }

    /// Lets physics follow a movement of the character that is not in its placement, for programs that move it in other
    /// ways: by `by` pixels in the world, and by a turn of `radians` about the point `around`, counter-clockwise.
    pub fn move_physics(&mut self, by: Vec2, around: Vec2, radians: f32) {
        let (sin, cos) = sin_cos_radians(radians.into());
        let back = Mat2::from_cols(vec2(cos as f32, -sin as f32), vec2(sin as f32, cos as f32));
        let turn = Affine2 { matrix2: back, translation: around - back * around };
        let world = turn * Affine2::from_translation(-by);
        let carried = self.placement.inverse() * world * self.placement;
        if let Some(steps) = self.steps.as_mut().filter(|_| carried.is_finite()) {
            steps.carry(carried);
        }
    }

    /// Returns the forces in the world.
    pub fn forces(&self) -> Forces {
        self.forces
    }

    /// Sets wind, gravity and mix of physics, with directions in the world.
    pub fn set_forces(&mut self, forces: Forces) {
        self.is_stale |= self.forces != forces;
        self.forces = forces;
    }

    /// Returns the tint of the whole character.
    pub fn whole_tint(&self) -> Tint {
        self.whole_tint
    }

    /// Tints the whole character in [`Self::build_draw_list`], after the tints of its slots: `light` replaces white and
    /// `dark` black, and the alpha of `light` fades it out. Non-finite tints are ignored.
    pub fn set_whole_tint(&mut self, tint: Tint) {
        if tint.has_only_numbers() {
            self.whole_tint = tint;
        }
    }
}
