//! The hero: what the player's input does to the animator.

use pchr::Animator;
use pchr::math::{Affine2, Vec2, vec2};
use pchr::model::{AnimationId, AttachmentId, BoneId, Select, SlotId, Tint};
use pchr::motion::{Lifetime, SlotOverride};
use pchr::player::{EventKind, LoopMode};

use super::ragdoll::Ragdoll;
use super::{Counts, Input};

/// Pixels per second and per second squared.
const JUMP: f32 = 380.0;
const GRAVITY: f32 = -1000.0;
const HEALTH: u32 = 3;
/// For a moment, a hit shows the hero in white.
const FLASH: Tint = Tint { light: [1.0; 4], dark: Some([0.9; 3]) };
const FLASH_FRAMES: u32 = 5;

/// Animations of the file.
struct Animations {
    idle: AnimationId,
    walk: AnimationId,
    fall: AnimationId,
    attack: AnimationId,
    hurt: AnimationId,
}

pub struct Hero {
    pub animator: Animator,
    /// The bone that carries the lamp, and the slot in front of which the lamp is drawn.
    pub torso: BoneId,
    pub back: SlotId,
    animations: Animations,
    weapon: SlotId,
    muzzle: SlotId,
    weapons: [AttachmentId; 2],
    aim: BoneId,
    ragdoll: Ragdoll,
    position: Vec2,
    /// 1: to the right; -1: to the left.
    side: f32,
    rise: f32,
    health: u32,
    flash_frames: u32,
    is_armed_with: usize,
    /// Where the last blow has struck.
    pub struck: Option<Vec2>,
}

impl Hero {
    pub fn new(mut animator: Animator) -> pchr::Result<Self> {
        let model = animator.model();
        let animations = Animations {
            idle: "idle".select(model)?,
            walk: "walk".select(model)?,
            fall: "fall".select(model)?,
            attack: "attack".select(model)?,
            hurt: "hurt".select(model)?,
        };
        let (root, torso, aim): (BoneId, _, _) =
            ("root".select(model)?, "torso".select(model)?, "aim".select(model)?);
        let (weapon, muzzle, back) = ("weapon".select(model)?, "muzzle".select(model)?, "cape".select(model)?);
        let weapons = [animator.attachment(weapon, "sword")?, animator.attachment(weapon, "axe")?];
        let ragdoll = Ragdoll::new(model)?;
        animator.set_fade_secs(0.15);
        animator.set_fade_between(animations.walk, animations.idle, 0.25)?;
        // The walk moves the root; the game moves the hero instead.
        animator.set_root_motion(Some(root));
        let mut hero = Self {
            animator,
            torso,
            back,
            animations,
            weapon,
            muzzle,
            weapons,
            aim,
            ragdoll,
            position: Vec2::ZERO,
            side: 1.0,
            rise: 0.0,
            health: HEALTH,
            flash_frames: 0,
            is_armed_with: 0,
            struck: None,
        };
        hero.restart()?;
        Ok(hero)
    }

    /// Stands at the left again.
    pub fn restart(&mut self) -> pchr::Result<()> {
        (self.position, self.side, self.rise) = (vec2(-200.0, 0.0), 1.0, 0.0);
        (self.health, self.flash_frames, self.is_armed_with, self.struck) = (HEALTH, 0, 0, None);
        self.ragdoll.lie_down(false);
        self.animator.stop();
        self.animator.release_bones();
        self.animator.release_slots();
        self.animator.play(self.animations.idle)?;
        self.animator.teleport(self.placement());
        Ok(())
    }

    pub fn position(&self) -> Vec2 {
        self.position
    }

    pub fn is_alive(&self) -> bool {
        self.health > 0
    }

    fn placement(&self) -> Affine2 {
        Affine2::from_scale_angle_translation(vec2(self.side, 1.0), 0.0, self.position)
    }

    pub fn update(&mut self, input: &Input, secs: f64, counts: &mut Counts) -> pchr::Result<()> {
        if self.is_alive() {
            self.aim(input.aim)?;
            self.change_weapon(input.change_weapon);
            self.walk_and_jump(input, secs as f32)?;
            if input.attack {
                self.animator.play_on(1, self.animations.attack)?.set_loop_mode(LoopMode::Once);
            }
        } else {
            self.ragdoll.fall(secs as f32);
            self.ragdoll.place(self.side, &mut self.animator);
        }
        if self.flash_frames > 0 {
            self.flash_frames -= 1;
            self.flash();
        }
        let mut has_struck = false;
        for event in self.animator.update(secs) {
            if let EventKind::Fired(fired) = event.kind {
                match fired.name {
                    "step" => counts.steps += 1,
                    "strike" => has_struck = true,
                    _ => {}
                }
            }
        }
        if has_struck {
            counts.strikes += 1;
            self.struck = self.animator.point(self.muzzle)?.map(|point| point.position);
        }
        self.position += self.animator.root_motion();
        Ok(())
    }

    /// Reaches for the pointer with the arm, and looks at it.
    fn aim(&mut self, pointer: Option<Vec2>) -> pchr::Result<()> {
        let mix = if pointer.is_some() { 1.0 } else { 0.0 };
        self.animator.set_constraint("aim", "mix", mix)?;
        self.animator.set_constraint("look", "mix", 0.5 * mix)?;
        match pointer {
            Some(pointer) => self.animator.move_bone(self.aim, pointer),
            None => self.animator.release_bone(self.aim),
        }
    }

    fn change_weapon(&mut self, changes: bool) {
        if changes {
            self.is_armed_with = 1 - self.is_armed_with;
            self.animator.override_slot(SlotOverride::showing(self.weapon, self.weapons[self.is_armed_with]));
        }
    }

    fn walk_and_jump(&mut self, input: &Input, secs: f32) -> pchr::Result<()> {
        let stands = self.position.y <= 0.0;
        if stands && input.jump {
            self.rise = JUMP;
        }
        self.rise += GRAVITY * secs;
        self.position.y += self.rise * secs;
        if self.position.y <= 0.0 {
            (self.position.y, self.rise) = (0.0, 0.0);
        }
        if input.walk != 0.0 {
            self.side = input.walk.signum();
            if !stands {
                self.position.x += 120.0 * input.walk * secs;
            }
        }
        let wanted = match (self.position.y > 0.0, input.walk != 0.0) {
            (true, _) => self.animations.fall,
            (false, true) => self.animations.walk,
            (false, false) => self.animations.idle,
        };
        if self.animator.playback(0).animation() != Some(wanted) {
            let mode = if wanted == self.animations.fall { LoopMode::Once } else { LoopMode::Loop };
            self.animator.play(wanted)?.set_loop_mode(mode);
        }
        // Physics follows: the cape swings when the hero moves.
        self.animator.set_placement(self.placement());
        Ok(())
    }

    /// Shows every slot in another colour, for one frame.
    fn flash(&mut self) {
        for slot in self.animator.model().slot_ids() {
            let flash = SlotOverride::tinted(slot, FLASH);
            self.animator.override_slot(SlotOverride { lifetime: Lifetime::ThisFrame, ..flash });
        }
    }

    pub fn be_hit(&mut self, velocity: Vec2) -> pchr::Result<()> {
        self.flash_frames = FLASH_FRAMES;
        self.health = self.health.saturating_sub(1);
        if self.is_alive() {
            self.animator.play_on(2, self.animations.hurt)?.set_loop_mode(LoopMode::Once);
            return Ok(());
        }
        // From now on, the bones are those of a ragdoll.
        self.aim(None)?;
        self.ragdoll.take_over(&self.animator, velocity)?;
        self.animator.fade_out(1, 0.1);
        self.animator.fade_out(2, 0.1);
        Ok(())
    }
}
