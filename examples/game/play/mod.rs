//! The game without a window: what happens in a frame, and what is drawn.

mod crowd;
mod hero;
mod picture;
mod ragdoll;
mod script;
mod stone;

use std::path::Path;

use pchr::Animator;
use pchr::draw::{DrawList, View};
use pchr::math::{Affine2, Vec2, vec2};

pub use crowd::Crowd;
pub use hero::Hero;
pub use picture::Painter;
pub use script::scripted;
use stone::Stone;

/// What the player does in a frame.
#[derive(Debug, Clone, Copy, Default)]
pub struct Input {
    /// -1 to the left, 1 to the right.
    pub walk: f32,
    pub jump: bool,
    pub attack: bool,
    pub change_weapon: bool,
    /// The pointer in the world; `None`: the hero does not aim.
    pub aim: Option<Vec2>,
    /// Someone throws a stone at the hero.
    pub throw: bool,
}

/// What has happened so far.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Counts {
    pub steps: u32,
    pub strikes: u32,
    pub hits: u32,
}

/// The whole game.
pub struct Game {
    pub hero: Hero,
    /// A lamp that the hero carries on the back.
    pub lamp: Animator,
    pub crowd: Crowd,
    pub counts: Counts,
    stone: Option<Stone>,
}

/// What is drawn, back to front: the crowd, and the hero around the lamp.
#[derive(Default)]
pub struct Lists {
    pub behind: DrawList,
    pub lamp: DrawList,
    pub front: DrawList,
}

impl Game {
    /// Reads the characters. `root` is the folder of the repository.
    pub fn new(root: &Path) -> pchr::Result<Self> {
        let hero = Hero::new(Animator::open(root.join("examples/game/ranger.json"))?)?;
        let mut lamp = Animator::open(root.join("assets/paper-lamp-4.2.json"))?;
        lamp.play("idle")?;
        let crowd = Crowd::new(pchr::Character::open(root.join("assets/paper-knight.pchr"))?)?;
        Ok(Self { hero, lamp, crowd, counts: Counts::default(), stone: None })
    }

    /// Starts again.
    pub fn restart(&mut self) -> pchr::Result<()> {
        self.hero.restart()?;
        (self.counts, self.stone) = (Counts::default(), None);
        Ok(())
    }

    /// Lets a frame pass.
    pub fn update(&mut self, input: &Input, secs: f64) -> pchr::Result<()> {
        self.hero.update(input, secs, &mut self.counts)?;
        self.carry_lamp(secs)?;
        self.crowd.update(secs);
        if input.throw {
            self.stone = Some(Stone::thrown_at(self.hero.position()));
        }
        if let Some(stone) = &mut self.stone {
            stone.fly(secs as f32);
            // The boxes of the hero, wherever animations have moved them.
            if self.hero.animator.hit_bounding_box(stone.position).is_some() {
                self.counts.hits += 1;
                self.hero.be_hit(stone.velocity)?;
                self.stone = None;
            } else if stone.position.y < 0.0 {
                self.stone = None;
            }
        }
        Ok(())
    }

    /// Another character follows a bone, in the space of the world.
    fn carry_lamp(&mut self, secs: f64) -> pchr::Result<()> {
        let on_back = Affine2::from_scale_angle_translation(vec2(0.3, 0.3), -1.2, vec2(20.0, 18.0));
        self.lamp.set_placement(self.hero.animator.bone(self.hero.torso)? * on_back);
        self.lamp.update(secs);
        Ok(())
    }

    /// Builds what is drawn.
    pub fn build(&mut self, view: &View, lists: &mut Lists) -> pchr::Result<()> {
        self.crowd.build(view);
        self.lamp.build_draw_list(view, &mut lists.lamp);
        let Lists { behind, front, .. } = lists;
        self.hero.animator.build_draw_list_around(self.hero.back, view, behind, front)?;
        if let Some(stone) = &self.stone {
            stone.draw(view, front);
        }
        Ok(())
    }
}

/// The part of the world that is shown: at least 640 by 360 pixels, 50 of them below the ground.
pub fn view(width: u32, height: u32) -> View {
    let size = vec2(width as f32, height as f32);
    let scale = (size / vec2(640.0, 360.0)).min_element();
    View::new(width, height, vec2(-0.5 * size.x / scale, size.y / scale - 50.0), scale)
}
