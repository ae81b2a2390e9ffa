//! The crowd on its field. What it costs the CPU does not depend on the number of members: only those who leave the
//! march are written, and the time.

use std::time::{Duration, Instant};

use pchr::draw::{DrawList, Filter, View};
use pchr::gpu::{
    Crowd, CrowdMember, CrowdModel, GpuError, GpuModel, Member, MemberId, Pipelines, TargetFormat, ViewBuffers,
};
use pchr::math::{Affine2, Vec2};
use pchr::player::LoopMode;

use super::Result;
use super::actors::{self, Act, Actor};
use super::figure::Figure;
use super::formation::{Formation, Place, STRIDE};
use super::ground;

/// Seconds from one act of an actor to the next, unless the scene is a loop.
const PERIOD: f64 = 16.0;
/// How much the speeds of members differ.
const UNEVEN: f32 = 0.03;
/// Different coats, and what is left of the light at the far end of the field.
const TINTS: [[f32; 3]; 5] = [[1.0; 3], [1.0; 3], [1.0, 0.9, 0.76], [0.82, 0.92, 1.0], [0.9, 1.0, 0.84]];
const HAZE: [f32; 3] = [0.6, 0.68, 0.72];

/// A device and its queue.
#[derive(Clone)]
pub struct Gpu {
    pub device: wgpu::Device,
    pub queue: wgpu::Queue,
}

/// The crowd and its field.
pub struct Scene {
    gpu: Gpu,
    figure: Figure,
    pipelines: Pipelines,
    model: CrowdModel,
    crowd: Crowd,
    formation: Formation,
    actors: Vec<Actor>,
    field: Layer,
    text: Layer,
    prepare_time: Duration,
}

/// Triangles in front of the crowd or behind it.
struct Layer {
    list: DrawList,
    buffers: ViewBuffers,
}

impl Scene {
    /// Uploads a character. Nobody is there yet.
    pub fn new(gpu: Gpu, target: TargetFormat, figure: Figure) -> Result<Self> {
        let Gpu { device, queue } = &gpu;
        let pipelines = Pipelines::new(device, target)?;
        let pages = GpuModel::new(device, queue, &pipelines, figure.model())?;
        let model = CrowdModel::new(device, &pages, &figure.bake)?;
        let crowd = Crowd::new(device, &pipelines, &model)?;
        let layer = || ViewBuffers::new(device, &pipelines, &pages);
        let [field, text] = [layer()?, layer()?].map(|buffers| Layer { list: DrawList::default(), buffers });
        let (formation, actors) = (Formation::new(1, 1.0), Vec::new());
        let prepare_time = Duration::ZERO;
        Ok(Self { gpu, figure, pipelines, model, crowd, formation, actors, field, text, prepare_time })
    }

    /// Replaces the crowd by one of `count` members, which fills a picture of `aspect`. With `loop_secs`, the scene
    /// repeats after that time; it should contain whole cycles of the march.
    pub fn muster(&mut self, count: usize, aspect: f32, loop_secs: Option<f64>) -> Result<()> {
        let mut crowd = Crowd::new(&self.gpu.device, &self.pipelines, &self.model)?;
        let formation = Formation::new(count, aspect);
        let mut random = random();
        let mut standing = Vec::with_capacity(count);
        for place in formation.places(self::random()) {
            let mut member = CrowdMember::new(self.figure.march);
            member.loop_mode = LoopMode::Loop;
            member.start_secs = f64::from(random()) * self.figure.cycle_secs(self.figure.march);
            if loop_secs.is_none() {
                member.speed = f64::from(1.0 + (2.0 * random() - 1.0) * UNEVEN);
            }
            member.tint = tint(random(), formation.distance(place));
            member.world_from_character = self.figure.stand(place, &formation);
            standing.push((crowd.add(member), place));
        }
        self.actors = self.actors_among(&standing, loop_secs);
        for actor in &self.actors {
            // Then everyone who falls behind and hurries back arrives at the right time.
            crowd.set_speed(actor.member, 1.0, 0.0);
        }
        (self.crowd, self.formation) = (crowd, formation);
        Ok(())
    }

    /// Chooses actors in the front half, and what they do and when.
    fn actors_among(&self, standing: &[(MemberId, Place)], loop_secs: Option<f64>) -> Vec<Actor> {
        let period = loop_secs.unwrap_or(PERIOD);
        let acts =
            self.figure.acts.iter().map(|&animation| Act { animation, secs: self.figure.cycle_secs(animation) });
        let acts: Vec<Act> = acts.filter(|act| act.total_secs() <= period).collect();
        let front = &standing[standing.len() / 2..];
        let count = if acts.is_empty() { 0 } else { actors::count(standing.len()) };
        let mut random = random();
        (0..count)
            .map(|number| {
                // One in each part of the front half, so that nobody is chosen twice.
                let at = (number as f32 + random()) / count as f32 * front.len() as f32;
                let (member, home) = front[(at as usize).min(front.len() - 1)];
                // Neighbours do not act at the same time.
                let begin = (number as f64 * 0.382).fract() * period;
                Actor::new(member, home, acts[number % acts.len()], self.figure.march, begin, period)
            })
            .collect()
    }

    /// Lets time pass until `now`. Time never goes back.
    pub fn advance(&mut self, now: f64) {
        let speed = self.ground_speed();
        for actor in &mut self.actors {
            if let Some(place) = actor.advance(&mut self.crowd, now, speed) {
                self.crowd.set_place(actor.member, self.figure.stand(place, &self.formation));
            }
        }
    }

    /// Writes and records everything that comes before the pass. `text` is drawn in the upper-left corner.
    pub fn prepare(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        view: View,
        now: f64,
        write_text: impl FnOnce(&mut DrawList, &View),
    ) -> std::result::Result<(), GpuError> {
        let Gpu { device, queue } = &self.gpu;
        let model = self.figure.model();
        let moved = now * self.ground_speed();
        ground::draw(&mut self.field.list, &view, self.formation.perspective, moved);
        let members = [Member::from(&self.field.list)];
        self.field.buffers.prepare(device, queue, model, &members, view, Filter::Auto)?;

        let pixels = View::new(view.width(), view.height(), Vec2::ZERO, 1.0);
        self.text.list.commands.clear();
        self.text.list.overlay.clear();
        write_text(&mut self.text.list, &pixels);
        let members = [Member::from(&self.text.list)];
        self.text.buffers.prepare(device, queue, model, &members, pixels, Filter::Auto)?;

        let start = Instant::now();
        self.crowd.prepare(device, queue, encoder, view, Filter::Auto, now)?;
        self.prepare_time = start.elapsed();
        Ok(())
    }

    pub fn draw(&self, pass: &mut wgpu::RenderPass<'_>) {
        self.field.buffers.draw(pass);
        self.crowd.draw(pass);
        self.text.buffers.draw(pass);
    }

    pub fn figure(&self) -> &Figure {
        &self.figure
    }

    pub fn formation(&self) -> &Formation {
        &self.formation
    }

    pub fn crowd(&self) -> &Crowd {
        &self.crowd
    }

    /// How long the CPU took for the crowd in the last [`Self::prepare`].
    pub fn prepare_time(&self) -> Duration {
        self.prepare_time
    }

    /// In heights of the character per second.
    fn ground_speed(&self) -> f64 {
        let secs = self.figure.cycle_secs(self.figure.march);
        if secs > 0.0 { f64::from(STRIDE) / secs } else { 0.0 }
    }
}

impl Figure {
    /// Puts its feet on a place of the field.
    fn stand(&self, place: Place, formation: &Formation) -> Affine2 {
        let scale = formation.perspective.scale(place.depth) / self.area.size().y;
        let feet = Vec2::new(self.area.center().x, self.area.min.y);
        let translation = formation.perspective.project(place) - feet * scale;
        Affine2::from_scale_angle_translation(Vec2::splat(scale), 0.0, translation)
    }
}

fn tint(choice: f32, distance: f32) -> [u8; 4] {
    let coat = TINTS[((choice * TINTS.len() as f32) as usize).min(TINTS.len() - 1)];
    let [r, g, b] = std::array::from_fn(|at| {
        let light = 1.0 + (HAZE[at] - 1.0) * distance;
        (coat[at] * light * 255.0) as u8
    });
    [r, g, b, 255]
}

/// Returns the same numbers from 0 to 1 every time.
fn random() -> impl FnMut() -> f32 {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 40) as f32 / (1_u64 << 24) as f32
    }
}
