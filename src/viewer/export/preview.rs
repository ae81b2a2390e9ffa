//! The preview of an export, planned and drawn on its own thread. Only the latest request is served.

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

/// Longer side of a preview in pixels; larger pictures are scaled down.
pub(super) const MAX_SIDE: u32 = 1024;

/// A request for a preview.
#[derive(Debug, Clone)]
pub struct Wish {
    /// The character.
    pub character: Arc<Character>,
    /// The chosen options.
    pub options: RenderOptions,
    /// The animations.
    pub animations: Vec<AnimationId>,
    /// The skins.
    pub skins: Vec<SkinId>,
    /// True if a sheet is written for each animation.
    pub by_animation: bool,
    /// The picture to show.
    pub at: At,
}

/// A picture of an export.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum At {
    /// The picture of this stored frame, or the first picture if the frame is not exported.
    Frame(u32),
    /// The picture at this index, modulo the number of pictures.
    Index(usize),
    /// This page of a sheet, or its last page.
    Page(usize),
}

impl Wish {
    /// Returns true if both requests lead to the same plan.
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

/// The extent of an export.
#[derive(Debug, Clone, PartialEq)]
pub struct Estimate {
    /// Number of pictures in all files.
    pub pictures: usize,
    /// Number of files.
    pub files: usize,
    /// Width and height of every picture in pixels.
    pub size: [u32; 2],
    /// Pictures per second.
    pub rate: f64,
    /// Layout of the sheet, if a sheet is written.
    pub sheet: Option<SheetEstimate>,
}

/// A finished preview.
#[derive(Debug, Clone)]
pub struct Preview {
    /// The extent of the export, or an error message.
    pub estimate: Result<Estimate, String>,
    /// The picture, premultiplied, at most as large as in the file.
    pub picture: Arc<Picture>,
    /// A number that differs for every preview.
    pub number: u64,
}

/// Renders previews in the background.
#[derive(Debug)]
pub struct Previewer {
    shared: Arc<Shared>,
    wish: Option<Wish>,
}

#[derive(Debug, Default)]
struct Shared {
    desk: Mutex<Desk>,
    changed: Condvar,
    /// Set when the request being drawn is superseded.
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
    /// Starts the background thread.
    pub fn start() -> Self {
        let shared = Arc::new(Shared::default());
        let mine = Arc::clone(&shared);
        // If the thread cannot be started, there is no preview, but everything else works.
        let _ = thread::Builder::new().name("preview".to_owned()).spawn(move || mine.work());
        Self { shared, wish: None }
    }

    /// Requests a preview. Does not block.
    pub fn show(&mut self, wish: Wish) {
        if self.wish.as_ref() != Some(&wish) {
            let mut desk = self.shared.desk();
            desk.wish = Some(wish.clone());
            // Cancel drawing a sheet, which may be many pictures.
            self.shared.stale.store(true, Ordering::Relaxed);
            drop(desk);
            self.shared.changed.notify_one();
            self.wish = Some(wish);
        }
    }

    /// Returns the latest preview.
    pub fn answer(&self) -> Option<Preview> {
        self.shared.desk().answer.clone()
    }

    /// Returns true while a newer preview is pending.
    pub fn is_busy(&self) -> bool {
        let desk = self.shared.desk();
        desk.is_busy || desk.wish.is_some()
    }
}

impl Drop for Previewer {
    fn drop(&mut self) {
        // The thread ends by itself; there is no need to wait for it.
        self.shared.desk().is_closed = true;
        self.shared.stale.store(true, Ordering::Relaxed);
        self.shared.changed.notify_one();
    }
}

impl Shared {
    fn desk(&self) -> MutexGuard<'_, Desk> {
        self.desk.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for the next request. Returns `None` once the previewer was dropped.
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
                // The sheet is incomplete, and the next request is already there.
                desk.is_busy = false;
                drop(desk);
                drawn = Some((Arc::clone(&wish.character), renderer));
                continue;
            }
            // Keep the last picture if this one could not be drawn.
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

/// The part of a preview that does not depend on which picture is shown.
pub(super) struct Planned {
    pub(super) plan: Plan,
    /// Layout of the first sheet, once drawn.
    pub(super) sheet: Option<Arc<SheetPlan>>,
}

fn estimate(wish: &Wish, Planned { plan, sheet }: &Planned) -> Estimate {
    let (options, model) = (&wish.options, wish.character.model());
    let pictures = plan.pictures.len();
    let files = if options.format().animated().is_some() { reels(&plan.pictures).len() } else { pictures };
    let animation = plan.pictures.first().and_then(|picture| picture.animation).map(|id| model.animation(id));
    let fps = animation.map_or(0.0, |animation| animation.fps()) * f64::from(options.subject.speed);
    // The rate used for stills.
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

/// Limits a view to the size of a preview.
fn shown_view(view: View) -> View {
    let (width, height) = (view.width(), view.height());
    let longest = width.max(height);
    if longest <= MAX_SIDE {
        return view;
    }
    let side = |side: u32| (u64::from(side) * u64::from(MAX_SIDE) / u64::from(longest)).max(1) as u32;
    View::fit(side(width), side(height), view.world())
}
