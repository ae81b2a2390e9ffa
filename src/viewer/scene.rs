//! What the canvas shows at one instant, and the picture of it that needs no GPU.

use std::fmt;
use std::sync::Arc;

use super::Background;
use crate::character::Character;
use crate::cpu;
use crate::draw::{DrawList, Picture, PictureWork, Settings, View};
use crate::motion::{self, Cue};
use crate::pose::Pose;

/// Everything that a picture of the character depends on: two scenes that are equal look the same.
#[derive(Clone)]
pub struct Scene {
    /// Who.
    pub character: Arc<Character>,
    /// When.
    pub cue: Cue,
    /// What it looks like then, where that depends on what was before; else what [`Self::cue`] says.
    pub pose: Option<Arc<Pose>>,
    /// Marks for the bones lie over the character.
    pub bones: bool,
    /// From where, and how large in physical pixels.
    pub view: View,
    /// How.
    pub settings: Settings,
    /// How much work it may take: more would keep the window from answering.
    pub work: u64,
}

impl PartialEq for Scene {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.character, &other.character)
            && (&self.cue, &self.pose, self.bones) == (&other.cue, &other.pose, other.bones)
            && (self.view, self.settings, self.work) == (other.view, other.settings, other.work)
    }
}

impl fmt::Debug for Scene {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { character: _, cue, pose: _, bones, view, settings, work } = self;
        f.debug_struct("Scene")
            .field("cue", cue)
            .field("bones", bones)
            .field("view", view)
            .field("settings", settings)
            .field("work", work)
            .finish()
    }
}

/// Poses characters. Keeps its memory.
#[derive(Debug, Default)]
pub struct Poser {
    pose: Pose,
    list: DrawList,
    work: PictureWork,
    is_too_heavy: bool,
}

impl Poser {
    /// Whether the last scene would have taken more work than it may, so that nothing of it is drawn.
    pub fn is_too_heavy(&self) -> bool {
        self.is_too_heavy
    }

    /// What is drawn in `scene`; nothing where that is too much.
    pub fn draw_list(&mut self, scene: &Scene) -> &DrawList {
        let pose = match &scene.pose {
            Some(pose) => pose,
            None => {
                motion::evaluate(&scene.character, &scene.cue, &mut self.pose);
                &self.pose
            }
        };
        self.list.build(scene.character.model(), pose, &scene.view);
        if scene.bones {
            self.list.add_bones(scene.character.model(), pose, &scene.view);
        }
        let looks = scene.settings.antialias.samples() * scene.settings.antialias.supersampling().pow(2);
        let allowed = scene.work / u64::from(looks);
        self.is_too_heavy = self.work.of(&self.list, scene.character.model(), &scene.view, allowed) > allowed;
        if self.is_too_heavy {
            self.list.commands.clear();
        }
        &self.list
    }
}

/// Draws scenes on the processor. Draws nothing twice.
#[derive(Debug, Default)]
pub struct CpuStage {
    poser: Poser,
    renderer: Option<(Arc<Character>, cpu::Renderer)>,
    drawn: Option<Scene>,
    picture: Picture,
    drawn_pictures: u64,
}

impl CpuStage {
    /// Whether nothing of the last scene was drawn, because it would have taken too long.
    pub fn is_too_heavy(&self) -> bool {
        self.poser.is_too_heavy()
    }

    /// The last picture that was drawn.
    pub fn picture(&self) -> &Picture {
        &self.picture
    }

    /// How many pictures were drawn so far.
    pub fn drawn_pictures(&self) -> u64 {
        self.drawn_pictures
    }

    /// There is no scene any more: everything about the character goes.
    pub fn forget(&mut self) {
        if self.renderer.is_some() {
            *self = Self::default();
        }
    }

    /// The picture of `scene`, and whether it is another one than the last time.
    pub fn render(&mut self, scene: &Scene) -> (&Picture, bool) {
        if self.drawn.as_ref() == Some(scene) {
            return (&self.picture, false);
        }
        let model = scene.character.model();
        let renderer = match &mut self.renderer {
            Some((of, renderer)) if Arc::ptr_eq(of, &scene.character) => renderer,
            slot => &mut slot.insert((Arc::clone(&scene.character), cpu::Renderer::new(model))).1,
        };
        let list = self.poser.draw_list(scene);
        renderer.render(model, list, &scene.view, scene.settings, &mut self.picture);
        self.drawn = Some(scene.clone());
        self.drawn_pictures += 1;
        (&self.picture, true)
    }
}

/// `scene` as it is written to a file: transparent where the canvas shows squares.
pub fn picture(scene: &Scene, background: Background) -> Picture {
    let mut stage = CpuStage::default();
    stage.render(scene);
    let mut picture = stage.picture;
    match background {
        Background::Checker => {}
        Background::Color([r, g, b]) => picture.lay_over(|_, _| [r, g, b, 255]),
    }
    picture
}
