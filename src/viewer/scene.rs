//! What the canvas shows at one instant, and the picture of it that needs no GPU.

use std::fmt;
use std::sync::Arc;

use super::Background;
use crate::character::Character;
use crate::cpu;
use crate::draw::{Command, DrawList, Overlays, Picture, PictureWork, Settings, View};
use crate::math::{Vec2, vec2};
use crate::model::Model;
use crate::motion::{Cue, Evaluator};
use crate::pose::{Pose, for_each_deformed_vertex};

/// Everything that a picture of the character depends on: two scenes that are equal look the same.
#[derive(Clone)]
pub struct Scene {
    /// Who.
    pub character: Arc<Character>,
    /// When.
    pub cue: Cue,
    /// What it looks like then, where that depends on what was before; else what [`Self::cue`] says.
    pub pose: Option<Arc<Pose>>,
    /// What lies over the character.
    pub overlays: Overlays,
    /// From where, and how large in physical pixels.
    pub view: View,
    /// How.
    pub settings: Settings,
    /// How much work it may take: more would keep the window from answering.
    pub work: u64,
    /// It is seen for a moment only, and drawing it takes long: [`CpuStage::render_part`] will do.
    pub is_brief: bool,
}

impl PartialEq for Scene {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.character, &other.character)
            && (&self.cue, &self.pose, self.overlays) == (&other.cue, &other.pose, other.overlays)
            && (self.view, self.settings, self.work) == (other.view, other.settings, other.work)
            && self.is_brief == other.is_brief
    }
}

impl fmt::Debug for Scene {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { character: _, cue, pose: _, overlays, view, settings, work, is_brief } = self;
        f.debug_struct("Scene")
            .field("cue", cue)
            .field("overlays", overlays)
            .field("view", view)
            .field("settings", settings)
            .field("work", work)
            .field("is_brief", is_brief)
            .finish()
    }
}

/// Poses characters. Keeps its memory.
#[derive(Debug, Default)]
pub struct Poser {
    evaluator: Evaluator,
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
                self.evaluator.evaluate(&scene.character, &scene.cue, &mut self.pose);
                &self.pose
            }
        };
        self.list.build(scene.character.model(), pose, &scene.view);
        self.list.add_overlays(scene.character.model(), pose, &scene.view, scene.overlays);
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
    /// The pixel of the scene that the picture begins with.
    corner: [u32; 2],
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

    /// The column and the row of the scene that [`Self::picture`] begins with.
    pub fn corner(&self) -> [u32; 2] {
        self.corner
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
        let is_new = self.draw(scene, false);
        (&self.picture, is_new)
    }

    /// The same, where the scene is brief only of the part in which something is drawn: what is around it is transparent.
    /// Corners of triangles may be 1/256 pixel from where [`Self::render`] has them.
    pub fn render_part(&mut self, scene: &Scene) -> (&Picture, bool) {
        let is_new = self.draw(scene, scene.is_brief);
        (&self.picture, is_new)
    }

    /// False where it is drawn already.
    fn draw(&mut self, scene: &Scene, in_part: bool) -> bool {
        if self.drawn.as_ref() == Some(scene) {
            return false;
        }
        let model = scene.character.model();
        let renderer = match &mut self.renderer {
            Some((of, renderer)) if Arc::ptr_eq(of, &scene.character) => renderer,
            slot => &mut slot.insert((Arc::clone(&scene.character), cpu::Renderer::new(model))).1,
        };
        let list = self.poser.draw_list(scene);
        let part = if in_part { drawn_part(list, model, &scene.view) } else { None };
        let (corner, view) = part.unwrap_or(([0, 0], scene.view));
        renderer.render(model, list, &view, scene.settings, &mut self.picture);
        self.corner = corner;
        self.drawn = Some(scene.clone());
        self.drawn_pictures += 1;
        true
    }
}

/// The part of `view` that `list` draws in, with some pixels around it, and the pixel that it begins with. `None` where
/// something goes far beyond the picture, or nobody knows where.
fn drawn_part(list: &DrawList, model: &Model, view: &View) -> Option<([u32; 2], View)> {
    /// Smooth edges, and rounding.
    const AROUND: f32 = 2.0;
    const FAR: f32 = 1e6;
    let (mut min, mut max) = (Vec2::MAX, Vec2::MIN);
    let mut is_near = true;
    let mut include = |world: Vec2| {
        let pixel = view.pixel_from_world(world);
        is_near &= pixel.is_finite() && pixel.abs().max_element() < FAR;
        (min, max) = (min.min(pixel), max.max(pixel));
    };
    for command in &list.commands {
        if let Command::Sprite(sprite) = command
            && let Some(mesh) = model.attachment(sprite.attachment).mesh()
        {
            let deform = list.deform_of(sprite.deform);
            for_each_deformed_vertex(&mesh.vertices, deform, &list.palette, |position, _| include(position));
        }
    }
    list.overlay.iter().for_each(|vertex| include(vertex.position));
    let size = vec2(view.width() as f32, view.height() as f32);
    let first = (min - AROUND).floor().clamp(Vec2::ZERO, size);
    let end = (max + AROUND).ceil().clamp(Vec2::ZERO, size);
    let (width, height) = ((end.x - first.x) as u32, (end.y - first.y) as u32);
    if !is_near || !view.scale().is_finite() || first.x > end.x || first.y > end.y {
        return None;
    }
    let part = view.part(first, width, height);
    Some(([first.x as u32, first.y as u32], part))
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
