//! What an export will look like: planned and drawn on a thread of its own, the last wish first.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use super::sheet::{self, SheetEstimate};

use crate::character::Character;
use crate::cpu;
use crate::draw::{Picture, View};
use crate::error::shown;
use crate::export::{
    Alpha, Drawing, Format, Plan, RenderOptions, Sequence, SheetPlan, Surface, lay_on_matte, reels,
};
use crate::model::{AnimationId, SkinId};

/// Larger pictures are shown smaller.
pub(super) const MAX_SIDE: u32 = 1024;

/// What to show.
#[derive(Debug, Clone)]
pub struct Wish {
    /// Who.
    pub character: Arc<Character>,
    /// How.
    pub options: RenderOptions,
    /// Which animations.
    pub animations: Vec<AnimationId>,
    /// In which skins.
    pub skins: Vec<SkinId>,
    /// Animations of a sheet have one each.
    pub by_animation: bool,
    /// Which picture.
    pub at: At,
}

/// Which picture of an export is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum At {
    /// That of this stored frame, and the first one where there is none.
    Frame(u32),
    /// This one, counted from 0 and round.
    Index(usize),
    /// This page of a sheet, or its last one.
    Page(usize),
}

impl Wish {
    /// True when the same is planned for both.
    fn has_same_plan(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.character, &other.character)
            && (&self.options, &self.animations, &self.skins) == (&other.options, &other.animations, &other.skins)
            && self.by_animation == other.by_animation
    }
}

impl PartialEq for Wish {
    fn eq(&self, other: &Self) -> bool {
        self.has_same_plan(other) && self.at == other.at
    }
}

/// What an export comes to.
#[derive(Debug, Clone, PartialEq)]
pub struct Estimate {
    /// Pictures of all files.
    pub pictures: usize,
    /// Files.
    pub files: usize,
    /// Width and height of every picture in pixels.
    pub size: [u32; 2],
    /// Pictures a second.
    pub rate: f64,
    /// Where they lie; for sheets.
    pub sheet: Option<SheetEstimate>,
}

/// An answer.
#[derive(Debug, Clone)]
pub struct Preview {
    /// What it comes to, or why it comes to nothing.
    pub estimate: Result<Estimate, String>,
    /// The picture, premultiplied; as large as the file's, or smaller.
    pub picture: Arc<Picture>,
    /// Another number for every answer.
    pub number: u64,
}

/// Shows what is wished for, as soon as it can.
#[derive(Debug)]
pub struct Previewer {
    shared: Arc<Shared>,
    wish: Option<Wish>,
}

#[derive(Debug, Default)]
struct Shared {
    desk: Mutex<Desk>,
    changed: Condvar,
    /// What is being drawn is not wished for any more.
    stale: AtomicBool,
}

#[derive(Debug, Default)]
struct Desk {
    wish: Option<Wish>,
    is_busy: bool,
    is_closed: bool,
    answer: Option<Preview>,
}

impl Previewer {
    /// Begins to wait for wishes.
    pub fn start() -> Self {
        let shared = Arc::new(Shared::default());
        let mine = Arc::clone(&shared);
        // Without a thread there is no preview, and everything else goes on.
        let _ = thread::Builder::new().name("preview".to_owned()).spawn(move || mine.work());
        Self { shared, wish: None }
    }

    /// Shows `wish` from now on. Does not wait.
    pub fn show(&mut self, wish: Wish) {
        if self.wish.as_ref() != Some(&wish) {
            let mut desk = self.shared.desk();
            desk.wish = Some(wish.clone());
            // A sheet is many pictures.
            self.shared.stale.store(true, Ordering::Relaxed);
            drop(desk);
            self.shared.changed.notify_one();
            self.wish = Some(wish);
        }
    }

    /// The newest answer.
    pub fn answer(&self) -> Option<Preview> {
        self.shared.desk().answer.clone()
    }

    /// True while a newer answer is on its way.
    pub fn is_busy(&self) -> bool {
        let desk = self.shared.desk();
        desk.is_busy || desk.wish.is_some()
    }
}

impl Drop for Previewer {
    fn drop(&mut self) {
        // It ends by itself; nobody waits for a picture that nobody wants.
        self.shared.desk().is_closed = true;
        self.shared.stale.store(true, Ordering::Relaxed);
        self.shared.changed.notify_one();
    }
}

impl Shared {
    fn desk(&self) -> MutexGuard<'_, Desk> {
        self.desk.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next wish; `None` when there will be no more.
    fn next(&self) -> Option<Wish> {
        let mut desk = self.desk();
        loop {
            if desk.is_closed {
                return None;
            }
            if let Some(wish) = desk.wish.take() {
                desk.is_busy = true;
                self.stale.store(false, Ordering::Relaxed);
                return Some(wish);
            }
            desk = self.changed.wait(desk).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn work(&self) {
        let mut planned: Option<(Wish, Result<Planned, String>)> = None;
        let mut drawn: Option<(Arc<Character>, cpu::Renderer)> = None;
        let mut number = 0;
        while let Some(wish) = self.next() {
            let plan = match planned.take() {
                Some((before, plan)) if before.has_same_plan(&wish) => plan,
                _ => {
                    let plan = wish.options.plan(&wish.character, &wish.animations, &wish.skins);
                    let plan = plan.map(|plan| Planned { plan, sheet: None });
                    plan.map_err(|error| shown(&error.to_string()))
                }
            };
            let renderer = match drawn.take() {
                Some((of, renderer)) if Arc::ptr_eq(&of, &wish.character) => renderer,
                _ => cpu::Renderer::new(wish.character.model()),
            };
            number += 1;
            let (picture, plan) = match plan {
                Ok(plan) if wish.options.format() == Format::Sheet => {
                    match sheet::draw(&wish, plan, &renderer, &self.stale) {
                        Ok((picture, plan)) => (picture, Ok(plan)),
                        Err(error) => (None, Err(error)),
                    }
                }
                plan => (plan.as_ref().ok().and_then(|planned| draw(&wish, &planned.plan, &renderer)), plan),
            };
            let estimate = match &plan {
                Ok(planned) => Ok(estimate(&wish, planned)),
                Err(error) => Err(error.clone()),
            };
            let mut desk = self.desk();
            if wish.options.format() == Format::Sheet && self.stale.load(Ordering::Relaxed) {
                // Half a sheet; the next wish is there already.
                desk.is_busy = false;
                drop(desk);
                drawn = Some((Arc::clone(&wish.character), renderer));
                continue;
            }
            // What could not be drawn looks as it did.
            let before = desk.answer.take().map(|answer| answer.picture);
            let picture = picture.map(Arc::new).or(before).unwrap_or_default();
            desk.answer = Some(Preview { estimate, picture, number });
            desk.is_busy = false;
            drop(desk);
            drawn = Some((Arc::clone(&wish.character), renderer));
            planned = Some((wish, plan));
        }
    }
}

/// What is known of a wish, whatever is shown of it.
pub(super) struct Planned {
    pub(super) plan: Plan,
    /// Of the first sheet, once it was drawn.
    pub(super) sheet: Option<Arc<SheetPlan>>,
}

fn estimate(wish: &Wish, Planned { plan, sheet }: &Planned) -> Estimate {
    let (options, model) = (&wish.options, wish.character.model());
    let pictures = plan.pictures.len();
    let files = if options.format().animated().is_some() { reels(&plan.pictures).len() } else { pictures };
    let animation = plan.pictures.first().and_then(|picture| picture.animation).map(|id| model.animation(id));
    let fps = animation.map_or(0.0, |animation| animation.fps()) * f64::from(options.subject.speed);
    // As stills are shown.
    let rate = if fps > 0.0 { fps } else { 10.0 };
    let sheet = sheet.as_deref().map(|sheet| SheetEstimate::new(wish, plan, sheet));
    Estimate { pictures, files, size: [plan.view.width(), plan.view.height()], rate, sheet }
}

fn draw(wish: &Wish, plan: &Plan, renderer: &cpu::Renderer) -> Option<Picture> {
    let options = &wish.options;
    let index = match wish.at {
        At::Frame(frame) => plan.pictures.iter().position(|picture| picture.frame == frame).unwrap_or(0),
        At::Index(index) => index % plan.pictures.len().max(1),
        At::Page(_) => 0,
    };
    let cue = &plan.pictures.get(index)?.cue;
    let view = shown_view(plan.view);
    let never = false.into();
    let sequence = Sequence {
        surface: Surface { alpha: Alpha::Premultiplied, ..options.surface() },
        jobs: 1,
        ..options.sequence(&wish.character, view, &never)
    };
    let mut picture = sequence.picture(&mut Drawing::cpu(renderer.clone()), cue).ok()??;
    match options.format().animated() {
        Some(format) => lay_on_matte(&mut picture, format, options.surface(), options.look.matte),
        None => options.surface().read_back(&mut picture),
    }
    Some(picture)
}

/// No larger than a preview can be.
fn shown_view(view: View) -> View {
    let (width, height) = (view.width(), view.height());
    let longest = width.max(height);
    if longest <= MAX_SIDE {
        return view;
    }
    let side = |side: u32| (u64::from(side) * u64::from(MAX_SIDE) / u64::from(longest)).max(1) as u32;
    View::fit(side(width), side(height), view.world())
}
