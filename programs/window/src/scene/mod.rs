//! The contents of the canvas at one instant, and their CPU rendering.

pub mod background;
pub mod camera;
pub mod canvas;
pub mod checkerboard;
pub mod cost;
pub mod events;
pub mod fitted;
pub mod id_map;
pub mod loaded;
pub mod names;
pub mod on_page;
pub mod placing;
pub mod preparation;
pub mod selection;
pub mod skinned;

use std::sync::Arc;
use std::task::Poll;
use std::time::{Duration, Instant};

use crate::base::memo::Shared;
use cost::PictureCost;
use pchr::Character;
use pchr::cpu;
use pchr::draw::{Command, DrawList, Hidden, Overlays, Picture, PictureWork, Settings, View};
use pchr::export::GhostPoser;
use pchr::math::{Vec2, vec2};
use pchr::model::Model;
use pchr::motion::{Cue, Evaluator};
use pchr::pose::{Pose, for_each_deformed_vertex};
use placing::Placing;
use preparation::{Computation, Preparation};

/// Everything that a picture of the character depends on: equal scenes look the same.
#[derive(Debug, Clone, PartialEq)]
pub struct Scene {
    /// The character.
    pub character: Shared<Character>,
    /// The instant and skins to show.
    pub cue: Cue,
    /// The pose, if it depends on earlier instants; otherwise [`Self::cue`] determines it.
    pub pose: Option<Arc<Pose>>,
    /// What is not drawn.
    pub hidden: Arc<Hidden>,
    /// How it stands on the stage.
    pub placing: Placing,
    /// The overlays over the character.
    pub overlays: Overlays,
    /// The view; its size is in physical pixels.
    pub view: View,
    /// The render settings.
    pub settings: Settings,
    /// The colour that multiplied and screened slots blend with; `None`: nothing.
    pub behind: Option<[u8; 3]>,
    /// Maximum work: more would make the window unresponsive.
    pub work: u64,
    /// The scene is shown only briefly, and drawing it is slow: [`CpuSceneRenderer::render_part`] is sufficient.
    pub is_brief: bool,
}

/// Evaluates poses and builds draw lists. Reuses its memory.
#[derive(Debug, Default)]
pub struct Poser {
    evaluator: Evaluator,
    pose: Pose,
    list: DrawList,
    ghosts: GhostPoser,
    work: PictureWork,
    is_too_heavy: bool,
    evaluating: Duration,
    listing: Duration,
}

impl Poser {
    /// Returns true if the last scene exceeded its work limit, so that nothing is drawn.
    pub fn is_too_heavy(&self) -> bool {
        self.is_too_heavy
    }

    /// Returns the cost of the last scene as far as it is known here: times, and what the list draws. `character` is
    /// the scene's.
    pub fn cost(&self, character: &Character) -> PictureCost {
        let counts = self.list.counts(character.model());
        PictureCost {
            draws: counts.sprites + counts.masks + counts.overlays,
            vertices: counts.vertices,
            triangles: counts.triangles,
            evaluating: self.evaluating,
            listing: self.listing,
            ..PictureCost::default()
        }
    }

    /// Returns the draw list of `scene`, which is empty if drawing it would be too much work.
    pub fn draw_list(&mut self, scene: &Scene) -> &DrawList {
        let model = scene.character.model();
        let begin = Instant::now();
        let pose = match &scene.pose {
            Some(pose) if scene.hidden.is_empty() && scene.placing.is_plain() => pose,
            other => {
                match other {
                    Some(pose) => self.pose.clone_from(pose),
                    None => self.evaluator.evaluate(&scene.character, &scene.cue, &mut self.pose),
                }
                scene.hidden.apply(model, &mut self.pose);
                scene.placing.apply(&mut self.pose);
                &self.pose
            }
        };
        let evaluated = Instant::now();
        self.evaluating = evaluated - begin;
        self.list.build(model, pose, &scene.view);
        let (hidden, overlays) = (Some(&*scene.hidden), scene.overlays);
        let have_physics = ghosts_have_physics(scene);
        if self.ghosts.has_physics() != have_physics {
            self.ghosts = GhostPoser::new(have_physics);
        }
        // Ghosts know no stage.
        if scene.placing.is_plain() {
            self.ghosts.add(&scene.character, &scene.cue, hidden, overlays, &scene.view, &mut self.list);
        }
        // The canvas shows labels in the font of the window.
        self.list.add_overlay_marks(model, pose, &scene.view, overlays);
        self.listing = evaluated.elapsed();
        let looks = scene.settings.antialias.samples() * scene.settings.antialias.supersampling().pow(2);
        let allowed = scene.work / u64::from(looks);
        self.is_too_heavy = self.work.of(&self.list, scene.character.model(), &scene.view, allowed) > allowed;
        if self.is_too_heavy {
            self.list = DrawList::default();
        }
        &self.list
    }
}

/// Returns true if ghosts include physics: if the character does, nothing is mixed, as mixed animations have no common
/// first frame to play from, and a jump to another frame does not take too long.
fn ghosts_have_physics(scene: &Scene) -> bool {
    /// Seconds played again from the first frame, for all ghosts together.
    const MOST_SECS: f64 = 30.0;
    let shows_physics = scene.pose.is_some() && scene.cue.layers.is_empty();
    let animation = scene.cue.animation.filter(|_| shows_physics);
    let secs = animation.map_or(0.0, |animation| scene.character.model().animation(animation).duration_secs());
    shows_physics && secs * scene.overlays.ghosts().steps().count() as f64 <= MOST_SECS
}

/// The renderer of a character that is not drawn yet.
#[derive(Debug, Default)]
enum Next {
    #[default]
    Nothing,
    Computing(Computation<cpu::Renderer>),
    /// `None` if it could not be computed.
    Ready(Arc<Character>, Option<cpu::Renderer>),
}

/// Draws scenes on the CPU, each only once.
#[derive(Debug, Default)]
pub struct CpuSceneRenderer {
    poser: Poser,
    renderer: Option<(Arc<Character>, cpu::Renderer)>,
    /// The renderer of the next character.
    next: Next,
    drawn: Option<Scene>,
    picture: Picture,
    /// The picture of one colour that the last blended slots were drawn over.
    behind: Option<([u8; 3], Picture)>,
    /// The pixel of the scene at the upper-left corner of the picture.
    corner: [u32; 2],
    drawn_pictures: u64,
}

impl CpuSceneRenderer {
    /// Prepares for drawing `character` on another thread. Call it once per frame until it is ready.
    pub fn prepare(&mut self, character: &Arc<Character>) -> Preparation {
        match &self.next {
            Next::Ready(of, _) if Arc::ptr_eq(of, character) => return Preparation::Ready,
            Next::Computing(computation) if computation.is_of(character) => {}
            Next::Nothing | Next::Computing(_) | Next::Ready(..) => {
                let compute = |character: &Character| {
                    let model = character.model();
                    cpu::Renderer::new(model).with_mipmaps(model)
                };
                self.next = Next::Computing(Computation::start(character, compute));
            }
        }
        let Next::Computing(computation) = &self.next else { return Preparation::Computing };
        let Poll::Ready(renderer) = computation.take() else { return Preparation::Computing };
        self.next = Next::Ready(Arc::clone(character), renderer);
        Preparation::Ready
    }

    /// Returns true if the last scene was skipped because drawing it would take too long.
    pub fn is_too_heavy(&self) -> bool {
        self.poser.is_too_heavy()
    }

    /// Returns the last picture drawn.
    pub fn picture(&self) -> &Picture {
        &self.picture
    }

    /// Returns the column and row of the scene at the upper-left corner of [`Self::picture`].
    pub fn corner(&self) -> [u32; 2] {
        self.corner
    }

    /// Returns the number of pictures drawn so far.
    #[cfg(test)]
    pub fn drawn_pictures(&self) -> u64 {
        self.drawn_pictures
    }

    /// Returns the cost of the last picture; `None` if none was drawn.
    pub fn cost(&self) -> Option<PictureCost> {
        let character = &self.drawn.as_ref()?.character;
        let pages = character.model().pages().iter();
        let texture_bytes = pages.map(|page| u64::from(page.width) * u64::from(page.height) * 4).sum();
        Some(PictureCost { number: self.drawn_pictures, texture_bytes, ..self.poser.cost(character) })
    }

    /// Releases everything about the character, once there is no scene.
    pub fn forget(&mut self) {
        if self.renderer.is_some() {
            *self = Self { next: std::mem::take(&mut self.next), ..Self::default() };
        }
    }

    /// Returns the picture of `scene`, and whether it differs from the previous one.
    pub fn render(&mut self, scene: &Scene) -> (&Picture, bool) {
        let is_new = self.draw(scene, false);
        (&self.picture, is_new)
    }

    /// Like [`Self::render`], but a brief scene is cropped to the part in which something is drawn; the rest is
    /// transparent. Vertices may then deviate by 1/256 pixel.
    pub fn render_part(&mut self, scene: &Scene) -> (&Picture, bool) {
        let is_new = self.draw(scene, scene.is_brief);
        (&self.picture, is_new)
    }

    /// Returns false if the scene was already drawn.
    fn draw(&mut self, scene: &Scene, in_part: bool) -> bool {
        if self.drawn.as_ref() == Some(scene) {
            return false;
        }
        let model = scene.character.model();
        let renderer = match &mut self.renderer {
            Some((of, renderer)) if Arc::ptr_eq(of, &scene.character) => renderer,
            slot => {
                let prepared = match std::mem::take(&mut self.next) {
                    Next::Ready(of, renderer) if Arc::ptr_eq(&of, &scene.character) => renderer,
                    next @ (Next::Nothing | Next::Computing(_) | Next::Ready(..)) => {
                        self.next = next;
                        None
                    }
                };
                let renderer = prepared.unwrap_or_else(|| cpu::Renderer::new(model));
                &mut slot.insert((Arc::clone(&scene.character), renderer)).1
            }
        };
        let list = self.poser.draw_list(scene);
        let part = if in_part { drawn_part(list, model, &scene.view) } else { None };
        let (corner, view) = part.unwrap_or(([0, 0], scene.view));
        match scene.behind.filter(|_| list.blends_with_background()) {
            None => renderer.render(model, list, &view, scene.settings, &mut self.picture),
            Some(color) => {
                let size = [view.width(), view.height()];
                let is_same = |(of, it): &([u8; 3], Picture)| *of == color && [it.width(), it.height()] == size;
                let behind = self.behind.take().filter(is_same);
                let (_, behind) =
                    self.behind.insert(behind.unwrap_or_else(|| (color, plain(size[0], size[1], color))));
                renderer.render_over(model, list, &view, scene.settings, behind, &mut self.picture);
            }
        }
        self.corner = corner;
        self.drawn = Some(scene.clone());
        self.drawn_pictures += 1;
        true
    }
}

/// Returns the part of `view` that `list` covers, with a margin of some pixels, and the pixel at its upper-left
/// corner. Returns `None` if something extends far beyond the picture or has no finite position.
fn drawn_part(list: &DrawList, model: &Model, view: &View) -> Option<([u32; 2], View)> {
    /// Margin for antialiasing and rounding, in pixels.
    const AROUND: f32 = 2.0;
    const FAR: f32 = 1e6;
    let (mut min, mut max) = (Vec2::MAX, Vec2::MIN);
    let mut is_near = true;
    let mut include = |world: Vec2| {
        let pixel = view.pixel_from_world(world);
        is_near &= pixel.is_finite() && pixel.abs().max_element() < FAR;
        (min, max) = (min.min(pixel), max.max(pixel));
    };
    for list in list.ghosts.lists().iter().chain([list]) {
        for command in &list.commands {
            if let Command::Sprite(sprite) = command
                && let Some(mesh) = model.attachment(sprite.attachment).mesh()
            {
                let deform = list.deform_of(sprite.deform);
                for_each_deformed_vertex(&mesh.vertices, deform, &list.palette, |position, _| include(position));
            }
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

/// Renders `scene` for a file: on the colour behind it, or else transparent.
pub fn picture(scene: &Scene) -> Picture {
    let mut renderer = CpuSceneRenderer::default();
    renderer.render(scene);
    let mut picture = renderer.picture;
    if let Some([r, g, b]) = scene.behind {
        picture.lay_over(|_, _| [r, g, b, 255]);
    }
    picture
}

/// Returns a picture of one colour.
pub fn plain(width: u32, height: u32, [r, g, b]: [u8; 3]) -> Picture {
    let mut picture = Picture::default();
    picture.reset(width, height);
    picture.lay_over(|_, _| [r, g, b, 255]);
    picture
}

#[cfg(test)]
pub mod tests;
