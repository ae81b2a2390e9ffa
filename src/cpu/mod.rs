//! Draw list → pixels, without a GPU, the same bytes on every machine and thread count.
//!
//! This is the fallback where there is no driver, and the oracle of `gpu`. How it comes to the
//! same bytes: matrices use only `+ - * /`, corners are snapped to 1/256 pixel, everything after
//! that is integers, and every row is drawn by one thread from back to front.

mod blend;
mod clip;
mod raster;
mod sample;
mod setup;
mod texture;

use std::sync::Arc;

use crate::draw::{Antialias, DrawList, Picture, Settings, View};
use crate::model::Model;

use raster::Rows;
use setup::Setup;
use texture::Texture;

/// Where a pixel is sampled for coverage, in 1/256 pixel: the middle.
const CENTER: [(i64, i64); 1] = [(128, 128)];
/// The four places that every GPU's standard 4× pattern has.
const MSAA4: [(i64, i64); 4] = [(96, 32), (224, 96), (32, 160), (160, 224)];

/// Renders one character. Reuse it: after the first picture nothing is allocated.
#[derive(Debug, Clone)]
pub struct Renderer {
    /// Shared between clones.
    textures: Arc<[Texture]>,
    setup: Setup,
    /// One picture per coverage sample, row by row, where there are several.
    samples: Vec<u8>,
    threads: Threads,
}

/// How many threads one picture is drawn by. It changes nothing but the time.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Threads {
    /// All of the current thread pool, where the feature `threads` is on.
    #[default]
    All,
    /// The calling one, for callers who draw several pictures at once.
    One,
}

impl Renderer {
    /// Takes in the pictures of `model`, premultiplied.
    pub fn new(model: &Model) -> Self {
        Self {
            textures: model.pages().iter().map(Texture::new).collect(),
            setup: Setup::default(),
            samples: Vec::new(),
            threads: Threads::All,
        }
    }

    /// Sets how many threads draw.
    #[must_use]
    pub fn with_threads(mut self, threads: Threads) -> Self {
        self.threads = threads;
        self
    }

    /// Draws `list`, which was built from the model this renderer was made for, into `picture`,
    /// which becomes as large as `view` says: premultiplied, transparent where nothing is.
    pub fn render(
        &mut self,
        model: &Model,
        list: &DrawList,
        view: &View,
        settings: Settings,
        picture: &mut Picture,
    ) {
        let enlarged = view.enlarged(settings.antialias.supersampling());
        picture.reset(enlarged.width(), enlarged.height());
        self.setup.fill(model, list, &enlarged, settings.filter);
        match settings.antialias {
            Antialias::Msaa4 => self.fill_multisampled(&enlarged, picture),
            Antialias::None | Antialias::Ssaa2 | Antialias::Ssaa4 => self.fill(&enlarged, picture),
        }
        picture.shrink(settings.antialias.supersampling());
    }

    fn fill(&self, view: &View, picture: &mut Picture) {
        let width = view.width() as usize;
        let band = self.band_height(view);
        for_each_band(
            self.threads,
            picture.pixels_mut().chunks_mut((band * width * 4).max(1)),
            |index, pixels| {
                let mut rows = Rows::new(pixels, width, index * band);
                rows.draw(&self.setup.triangles, &self.textures, CENTER[0]);
            },
        );
    }

    fn fill_multisampled(&mut self, view: &View, picture: &mut Picture) {
        let width = view.width() as usize;
        let band = self.band_height(view);
        let mut samples = std::mem::take(&mut self.samples);
        samples.clear();
        samples.resize(picture.pixels().len() * MSAA4.len(), 0);
        let bytes = (band * width * 4).max(1);
        let bands = picture.pixels_mut().chunks_mut(bytes).zip(samples.chunks_mut(bytes * MSAA4.len()));
        for_each_band(self.threads, bands, |index, (pixels, samples)| {
            for (plane, offset) in samples.chunks_mut(pixels.len()).zip(MSAA4) {
                let mut rows = Rows::new(plane, width, index * band);
                rows.draw(&self.setup.triangles, &self.textures, offset);
            }
            blend::average(samples, pixels);
        });
        self.samples = samples;
    }

    /// Rows a band: enough bands that threads which finish early find another one.
    fn band_height(&self, view: &View) -> usize {
        let height = view.height() as usize;
        match self.threads {
            Threads::All => height.div_ceil(thread_count() * 4).max(16),
            Threads::One => height.max(1),
        }
    }
}

#[cfg(feature = "threads")]
fn thread_count() -> usize {
    rayon::current_num_threads()
}

#[cfg(not(feature = "threads"))]
fn thread_count() -> usize {
    1
}

/// Calls `draw` with every band and its number, on as many threads as allowed.
#[cfg(feature = "threads")]
fn for_each_band<T: Send>(
    threads: Threads,
    bands: impl Iterator<Item = T> + Send,
    draw: impl Fn(usize, T) + Sync + Send,
) {
    use rayon::iter::{ParallelBridge, ParallelIterator};
    let bands = bands.enumerate();
    match threads {
        Threads::All if thread_count() > 1 => bands.par_bridge().for_each(|(index, band)| draw(index, band)),
        Threads::All | Threads::One => bands.for_each(|(index, band)| draw(index, band)),
    }
}

#[cfg(not(feature = "threads"))]
fn for_each_band<T>(_: Threads, bands: impl Iterator<Item = T>, draw: impl Fn(usize, T)) {
    bands.enumerate().for_each(|(index, band)| draw(index, band));
}
