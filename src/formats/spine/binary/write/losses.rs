//! What a binary skeleton cannot store, counted while it is written.

use crate::formats::Loss;

/// Values of one kind that were changed or dropped.
#[derive(Debug, Default)]
pub struct Tally {
    count: usize,
    /// The JSON pointer to the first one.
    first: String,
}

impl Tally {
    pub fn add(&mut self, pointer: impl FnOnce() -> String) {
        if self.count == 0 {
            self.first = pointer();
        }
        self.count += 1;
    }

    fn lost(&self, code: &'static str, message: impl FnOnce(usize, &str) -> String) -> Option<Loss> {
        (self.count > 0).then(|| Loss::new(code, "", message(self.count, &self.first)))
    }
}

/// All losses, by kind.
#[derive(Debug, Default)]
pub struct Losses {
    pub hulls: Tally,
    /// Vertices that were added to meshes.
    pub vertices: usize,
    pub alphas: Tally,
    /// The largest change of an alpha key.
    pub alpha: f32,
    pub rates: Tally,
    pub masses: Tally,
    /// Physics of the x and y scale.
    pub scales: Tally,
    /// Sliders with a bone and a time.
    pub times: Tally,
    pub audio: Tally,
    pub sizes: Tally,
    pub default_skin: Tally,
}

/// Smallest change of alpha that is reported; JSON of the editor has about as many digits.
const ALPHA_STEP: f32 = 1e-3;

impl Losses {
    /// The losses to report.
    pub fn list(&self) -> Vec<Loss> {
        let alphas = Some(&self.alphas).filter(|_| self.alpha > ALPHA_STEP);
        let lists = [
            self.hulls.lost("hull-changed", |count, first| {
                format!(
                    "since 4.2, the hull states the number of triangles, which does not fit in {count} meshes (first: \
                     {first}); their hull is changed, which is only drawn by the editor, and {} unused vertices are \
                     added",
                    self.vertices
                )
            }),
            alphas.and_then(|alphas| {
                alphas.lost("alpha-rounded", |count, first| {
                    format!(
                        "{count} keys of alpha (first: {first}) are rounded to a byte; the largest difference is {:.4}",
                        self.alpha
                    )
                })
            }),
            self.rates.lost("physics-rate", |count, first| {
                format!("the rates of {count} physics constraints (first: {first}) are rounded to 0 to 255 steps per second")
            }),
            self.masses.lost("physics-mass", |count, first| {
                format!("the masses of {count} physics constraints (first: {first}) are too small; the smallest mass that can be stored is used")
            }),
            self.scales.lost("physics-scale", |count, first| {
                format!("{count} physics constraints (first: {first}) have a mode of the y scale with a share of the x scale that it cannot be stored with; the nearest share is used")
            }),
            self.times.lost("slider-time", |count, first| {
                format!("{count} sliders that follow a bone (first: {first}) lose their time, which has no effect")
            }),
            self.audio.lost("audio-dropped", |count, first| {
                format!("{count} events or event keys without audio (first: {first}) lose their volume and balance")
            }),
            self.sizes.lost("size-dropped", |count, first| {
                format!("{count} regions (first: {first}) do not state their size, which must be stored; it becomes 0")
            }),
            self.default_skin.lost("default-skin", |count, first| {
                format!("the default skin cannot list bones and constraints; {count} are dropped (first: {first})")
            }),
        ];
        lists.into_iter().flatten().collect()
    }
}
