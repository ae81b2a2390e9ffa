//! The checkerboard behind the character: dark, grey or light, whichever gives enough contrast.
//!
//! It is chosen once after a file was read: a checkerboard that follows the animation would flicker.

use pchr::Character;
use pchr::cpu::{Renderer, Threads};
use pchr::draw::{Antialias, DrawList, Filter, Picture, PictureWork, Settings, View};
use pchr::math::Vec2;
use pchr::model::{AnimationId, SkinId};
use pchr::motion::{Cue, Evaluator, PoseWork};
use pchr::pose::{Pose, bounds};

/// Longer side of the sampled pictures, in pixels.
const SIDE: u32 = 96;
/// Number of instants of the animation that are sampled.
const SAMPLES: u32 = 4;
/// Largest total number of texels: larger pages are not worth a second copy for this.
const MAX_TEXELS: u64 = 16 << 20;
/// The default checkerboard is kept if most of the character has at least this contrast against it.
const MIN_CONTRAST: f32 = 1.5;
/// The fraction `1 / USUAL_LOW` of the character may have less contrast than that against the default checkerboard, and
/// `1 / LOW` of it against others.
pub const USUAL_LOW: u64 = 2;
const LOW: u64 = 5;

/// A checkerboard behind the character.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Squares {
    /// Slightly lighter than black.
    Dark,
    /// Medium grey.
    Grey,
    /// Slightly darker than white.
    Light,
}

impl Squares {
    /// Returns the default checkerboard of a dark or light window.
    pub fn default_for(is_dark: bool) -> Self {
        if is_dark { Self::Dark } else { Self::Light }
    }

    /// Returns the RGB colours of both squares. Light squares are dimmed in a dark window so that they do not
    /// glare.
    pub fn colors(self, is_dark: bool) -> [[u8; 3]; 2] {
        match self {
            Self::Dark => [[0x2a, 0x2d, 0x34], [0x30, 0x34, 0x3c]],
            Self::Grey => [[0x80, 0x84, 0x8a], [0x8a, 0x8e, 0x95]],
            Self::Light if is_dark => [[0xce, 0xd1, 0xd6], [0xc2, 0xc6, 0xcc]],
            Self::Light => [[0xff, 0xff, 0xff], [0xeb, 0xed, 0xf0]],
        }
    }
}

/// The brightness distribution of a character.
#[derive(Debug, Clone)]
pub struct Tones {
    /// Histogram of the luminance. The bin index is the square root of the luminance, scaled to 255.
    shares: [u64; 256],
}

impl Tones {
    /// Renders `character` in `skins` at icon size, in the rest pose and at a few instants of `animation`. Stops
    /// before exceeding `work`.
    pub fn of(character: &Character, animation: Option<AnimationId>, skins: &[SkinId], work: u64) -> Self {
        let model = character.model();
        let mut tones = Self { shares: [0; 256] };
        let texels: u64 = model.pages().iter().map(|page| u64::from(page.width) * u64::from(page.height)).sum();
        if texels > MAX_TEXELS {
            return tones;
        }
        let mut renderer = Renderer::new(model).with_threads(Threads::One);
        let mut evaluator = Evaluator::default();
        let (mut pose, mut list, mut picture) = (Pose::for_model(model), DrawList::default(), Picture::default());
        let mut spent = 0u64;
        let posing = PoseWork::new(character, skins);
        for cue in Cue::samples(model, animation, skins, SAMPLES) {
            spent = spent.saturating_add(posing.of(character, cue.animation));
            if spent > work {
                break;
            }
            evaluator.evaluate(character, &cue, &mut pose);
            list.build(model, &pose, &View::new(SIDE, SIDE, Vec2::ZERO, 1.0));
            let view = View::fit(SIDE, SIDE, bounds(model, &pose, &list.palette));
            spent = spent.saturating_add(PictureWork::default().of(&list, model, &view, work));
            if spent > work {
                break;
            }
            let settings = Settings { filter: Filter::Linear, antialias: Antialias::None };
            renderer.render(model, &list, &view, settings, &mut picture);
            tones.add(&picture);
        }
        tones
    }

    /// Returns those of a premultiplied picture.
    pub fn of_picture(picture: &Picture) -> Self {
        let mut tones = Self { shares: [0; 256] };
        tones.add(picture);
        tones
    }

    fn add(&mut self, picture: &Picture) {
        for &[r, g, b, alpha] in picture.pixels().as_chunks::<4>().0 {
            // Nearly transparent pixels have no reliable colour.
            if alpha >= 32 {
                let straight = |channel: u8| f32::from(channel.min(alpha)) / f32::from(alpha);
                let luminance = luminance([straight(r), straight(g), straight(b)]);
                self.shares[((luminance.sqrt() * 255.0) as usize).min(255)] += u64::from(alpha);
            }
        }
    }

    /// Returns the contrast that the character has at least against `squares`, 1 to 21, except for `1 / low` of it; 1 if
    /// nothing is visible.
    pub fn contrast(&self, squares: [[u8; 3]; 2], low: u64) -> f32 {
        let behind = squares.map(|color| luminance(color.map(|channel| f32::from(channel) / 255.0)));
        let mut tones: Vec<(f32, u64)> = (0..256u16)
            .zip(self.shares)
            .filter(|(_, share)| *share > 0)
            .map(|(place, share)| {
                let luminance = (f32::from(place) / 255.0) * (f32::from(place) / 255.0);
                (behind.map(|behind| contrast(luminance, behind)).into_iter().fold(f32::MAX, f32::min), share)
            })
            .collect();
        tones.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut left = self.shares.iter().sum::<u64>() / low;
        for (contrast, share) in tones {
            if share > left {
                return contrast;
            }
            left -= share;
        }
        1.0
    }

    /// Returns the default checkerboard if the character has enough contrast against it, otherwise the one with
    /// the most contrast.
    pub fn squares(&self, is_dark: bool) -> Squares {
        let usual = Squares::default_for(is_dark);
        if self.shares == [0; 256] || self.contrast(usual.colors(is_dark), USUAL_LOW) >= MIN_CONTRAST {
            return usual;
        }
        let contrast = |squares: Squares| self.contrast(squares.colors(is_dark), LOW);
        let others = [Squares::Grey, Squares::Light, Squares::Dark];
        others
            .into_iter()
            .fold(usual, |best, squares| if contrast(squares) > contrast(best) { squares } else { best })
    }
}

/// Returns true if black is easier to see on `color` than white.
pub fn is_light(color: [u8; 3]) -> bool {
    let luminance = luminance(color.map(|channel| f32::from(channel) / 255.0));
    contrast(luminance, 0.0) > contrast(luminance, 1.0)
}

/// Returns the relative luminance of an sRGB colour.
fn luminance(color: [f32; 3]) -> f32 {
    // Approximates the sRGB curve to within a thousandth, with the same result on every machine.
    let [r, g, b] = color.map(|c| c * (c * (c * 0.305_306_01 + 0.682_171_1) + 0.012_522_878));
    0.2126 * r + 0.7152 * g + 0.0722 * b
}

/// Returns the WCAG contrast ratio, 1 to 21.
fn contrast(a: f32, b: f32) -> f32 {
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tones(colors: &[([u8; 3], u64)]) -> Tones {
        let mut tones = Tones { shares: [0; 256] };
        for &(color, share) in colors {
            let luminance = luminance(color.map(|channel| f32::from(channel) / 255.0));
            tones.shares[(luminance.sqrt() * 255.0) as usize] += share;
        }
        tones
    }

    #[test]
    fn luminance_and_contrast_match_wcag() {
        for (color, expected) in [([0.0; 3], 0.0), ([1.0; 3], 1.0), ([0.5; 3], 0.214), ([1.0, 0.0, 0.0], 0.2126)] {
            assert!((luminance(color) - expected).abs() < 2e-3, "{color:?}: {}", luminance(color));
        }
        assert!((contrast(0.0, 1.0) - 21.0).abs() < 1e-4);
    }

    #[test]
    fn a_visible_character_keeps_the_default_squares() {
        let colorful = tones(&[([220, 120, 60], 80), ([240, 230, 220], 20)]);
        assert_eq!(colorful.squares(true), Squares::Dark);
        let dark = tones(&[([30, 32, 40], 100)]);
        assert_eq!(dark.squares(false), Squares::Light);
    }

    #[test]
    fn a_low_contrast_character_gets_other_squares() {
        let dark = tones(&[([38, 40, 48], 60), ([220, 120, 60], 40)]);
        assert!(dark.contrast(Squares::Dark.colors(true), USUAL_LOW) < 1.1);
        assert_ne!(dark.squares(true), Squares::Dark);
        assert!(dark.contrast(dark.squares(true).colors(true), LOW) > MIN_CONTRAST);
        let white = tones(&[([250, 250, 252], 100)]);
        assert_eq!((white.squares(false), white.squares(true)), (Squares::Dark, Squares::Dark));
        // Black and white: only grey differs from both.
        let black = tones(&[([36, 38, 44], 60), ([250, 250, 250], 40)]);
        assert_eq!((black.squares(true), black.squares(false)), (Squares::Grey, Squares::Light));
        let white = tones(&[([36, 38, 44], 40), ([250, 250, 250], 60)]);
        assert_eq!((white.squares(true), white.squares(false)), (Squares::Dark, Squares::Grey));
    }

    #[test]
    fn an_empty_character_keeps_the_default_squares() {
        assert_eq!((tones(&[]).squares(true), tones(&[]).squares(false)), (Squares::Dark, Squares::Light));
    }
}
