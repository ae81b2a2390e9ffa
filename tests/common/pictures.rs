//! Renders the same pictures with the GPU and the CPU renderer and compares them.

use pchr::draw::{Antialias, Command, DrawList, Filter, Picture, Settings, View};
use pchr::gpu::{Context, Headless};
use pchr::math::{Rect, vec2};
use pchr::model::{Attachment, Model};
use pchr::pose::{Pose, bounds, for_each_deformed_vertex, palette};

use super::compare::{Difference, Scene, difference};
use super::look::look;

/// Longer side in pixels.
pub const SIZE: u32 = 640;
/// Tolerance of 255 per channel: one for each renderer.
pub const TOLERANCE: u8 = 2;

pub struct Pair {
    gpu: Headless,
    cpu: pchr::cpu::Renderer,
    pictures: [Picture; 2],
}

impl Pair {
    pub fn new(context: Context, model: &Model) -> Self {
        let gpu = Headless::new(context, model).expect("it fits");
        Self { gpu, cpu: pchr::cpu::Renderer::new(model), pictures: Default::default() }
    }

    /// Returns the CPU's and the GPU's last pictures, premultiplied.
    pub fn pictures(&self) -> &[Picture; 2] {
        &self.pictures
    }

    pub fn compare(
        &mut self,
        name: &str,
        model: &Model,
        list: &DrawList,
        view: View,
        settings: Settings,
    ) -> Difference {
        let [expected, found] = &mut self.pictures;
        self.cpu.render(model, list, &view, settings, expected);
        self.gpu.render(model, list, &view, settings, found).expect("it is drawn");
        look(name, [("cpu", expected), ("gpu", found)]);
        difference(&Scene { model, list, view }, found, expected, TOLERANCE)
    }
}

pub fn around(model: &Model, pose: &Pose, list: &DrawList) -> Rect {
    let mut rect = Rect::NOTHING;
    let mut clip: Option<Rect> = None;
    for command in &list.commands {
        let mut corners = Rect::NOTHING;
        match command {
            Command::ClipBegin(mask) => {
                let Attachment::ClipMask(shape) = model.attachment(mask.attachment) else { panic!("a mask") };
                list.for_each_corner(model, mask, |at| corners = corners.include(at));
                clip = (!shape.is_inverse).then_some(corners);
            }
            Command::ClipEnd => clip = None,
            Command::Sprite(sprite) => {
                let mesh = model.attachment(sprite.attachment).mesh().expect("a mesh");
                let deform = list.deform_of(sprite.deform);
                for_each_deformed_vertex(&mesh.vertices, deform, &list.palette, |at, _| {
                    corners = corners.include(at)
                });
                if let Some(clip) = clip {
                    corners = Rect { min: corners.min.max(clip.min), max: corners.max.min(clip.max) };
                }
                if !corners.is_empty() {
                    rect = rect.union(corners);
                }
            }
            Command::Overlay(_) => {}
        }
    }
    if rect.is_empty() {
        let mut matrices = Vec::new();
        palette(model, pose, &mut matrices);
        rect = bounds(model, pose, &matrices);
    }
    if rect.is_empty() { Rect::from_min_size(vec2(0.0, 0.0), vec2(1.0, 1.0)) } else { rect.expand(2.0) }
}

/// Returns settings in rotation, so that each is used with many characters.
pub fn settings_of(round: usize) -> Settings {
    let antialias = [Antialias::None, Antialias::Msaa4, Antialias::None, Antialias::Ssaa2, Antialias::None];
    let filter = if round % 5 == 4 { Filter::Nearest } else { Filter::Linear };
    Settings { filter, antialias: antialias[round % 5] }
}

/// Returns the fraction of interior pixels that may exceed the tolerance.
pub fn limit_of(settings: Settings) -> f64 {
    match (settings.filter, settings.antialias) {
        // A pixel whose centre is on the border of two texels may show either.
        (Filter::Nearest, _) => 0.005,
        // One for each renderer and layer: few pixels have several translucent layers.
        (Filter::Linear | Filter::Auto, Antialias::None) => 0.0001,
        // Edges are detected at pixel centres, and snapping may move an edge across another sample of the pixel.
        (Filter::Linear | Filter::Auto, _) => 0.0001,
    }
}

/// Returns true if two pictures rendered with `settings` differ no more than two renderers may.
pub fn agrees(difference: &Difference, settings: Settings) -> bool {
    let off = difference.off as f64 / difference.inside.max(1) as f64;
    let is_smooth = settings.antialias != Antialias::None;
    let is_exact = settings.filter == Filter::Linear && !is_smooth;
    off <= limit_of(settings)
        && (!is_exact || difference.worst.0 <= 2 * TOLERANCE)
        && difference.stray.is_empty()
        && (is_smooth || difference.spill.is_empty())
        && difference.excluded() <= 0.25
}
