//! A picture without a description of its frames: the window guesses a grid, shows it, and lets the user change it.

pub mod guess;
pub mod panel;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::base::answer::Deferred;
use crate::base::waker::Waker;
use crate::overlays::underlay::reduced;
use crate::scene::checkerboard::Tones;
use egui::Vec2;
use pchr::draw::Picture;
use pchr::formats::Grid;
use pchr::golden::read_picture;
use pchr::limits::Limits;
use pchr::math::color::premultiply;

/// Longer side in pixels above which the shown picture is reduced.
const MAX_SIDE: u32 = 2048;

/// The choice of a grid.
#[derive(Debug, Default)]
pub struct GridChoice {
    read: Deferred<Asked, Option<Sheet>>,
    /// The grid as chosen so far, of the picture at this path.
    chosen: Option<(PathBuf, Grid)>,
    /// The grid of a picture that is cut in another way.
    before: Option<(PathBuf, Grid)>,
    /// How the picture is enlarged.
    zoom: Zoom,
    /// *Play* is to have the focus when nothing else has it: once, as Escape takes it away, and after a number.
    wants_focus: bool,
}

/// How far the picture is enlarged, 1 for all of it, and where its corner is in the room for it, in points.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Zoom {
    factor: f32,
    corner: Vec2,
}

impl Default for Zoom {
    fn default() -> Self {
        Self { factor: 1.0, corner: Vec2::ZERO }
    }
}

impl Zoom {
    const LARGEST: f32 = 64.0;

    /// Zooms by `factor`; the point of the picture at `at` stays in place.
    fn by(&mut self, factor: f32, at: Vec2) {
        let after = (self.factor * factor).clamp(1.0, Self::LARGEST);
        self.corner = if after == 1.0 { Vec2::ZERO } else { at - (at - self.corner) * (after / self.factor) };
        self.factor = after;
    }
}

/// A picture to read.
#[derive(Debug, Clone, PartialEq)]
struct Asked {
    path: PathBuf,
    limits: Limits,
}

/// A picture that was read, with the guessed grid.
#[derive(Debug)]
struct Sheet {
    size: [u32; 2],
    /// Premultiplied, and reduced if it is large.
    picture: Arc<Picture>,
    grid: Grid,
    /// How bright it is.
    tones: Tones,
}

impl GridChoice {
    /// Begins with a grid that was chosen before instead of guessing one.
    pub fn begin_with(&mut self, path: &Path, grid: Grid) {
        self.before = Some((path.to_owned(), grid));
        self.chosen = None;
    }

    /// Reads the picture at `path`, and guesses its grid. Returns true once that is done.
    fn follow(&mut self, path: &Path, limits: &Limits, waker: Option<&Waker>) -> bool {
        let asked = Asked { path: path.to_owned(), limits: limits.clone() };
        let read = self.read.follow(asked, waker, Sheet::read);
        let Some(sheet) = read else { return false };
        let of =
            |known: &Option<(PathBuf, Grid)>| known.as_ref().filter(|(of, _)| of == path).map(|(_, grid)| *grid);
        if of(&self.chosen).is_none() {
            let guessed = sheet.as_ref().map(|sheet| sheet.grid).unwrap_or_default();
            self.chosen = Some((path.to_owned(), of(&self.before).unwrap_or(guessed)));
            self.wants_focus = true;
            self.zoom = Zoom::default();
        }
        true
    }
}

impl Sheet {
    fn read(Asked { path, limits }: &Asked) -> Option<Self> {
        let mut picture = read_picture(path, limits).ok()?;
        let size = [picture.width(), picture.height()];
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let grid = guess::grid(&picture, &name);
        for pixel in picture.pixels_mut().as_chunks_mut::<4>().0 {
            *pixel = premultiply(*pixel);
        }
        let picture = reduced(picture, MAX_SIDE);
        Some(Self { size, tones: Tones::of_picture(&picture), picture: Arc::new(picture), grid })
    }
}
