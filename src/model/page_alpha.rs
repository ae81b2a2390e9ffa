//! Detection of premultiplied pages, and the caller's override.
//!
//! Premultiplied colours are never brighter than their alpha. That alone proves little, since dark images have
//! dark edges. But the colours of a straight page do not depend on their alpha: combined at random, they exceed it
//! about as often as they do on the page. So a page is premultiplied if none of its colours exceeds its alpha
//! although many would if they were combined with other pixels' alpha.

/// How the pages of a character are read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum PageAlpha {
    /// As declared by the file; otherwise detected from the pixels of all pages; otherwise straight.
    #[default]
    Auto,
    /// Colours are independent of alpha.
    Straight,
    /// Colours are multiplied with alpha.
    Premultiplied,
}

impl PageAlpha {
    /// Returns true for premultiplied, false for straight, `None` for automatic.
    pub fn forced(self) -> Option<bool> {
        match self {
            Self::Auto => None,
            Self::Straight => Some(false),
            Self::Premultiplied => Some(true),
        }
    }
}

/// How it was determined that a page is straight or premultiplied.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum AlphaSource {
    /// Assumed straight, for lack of evidence.
    #[default]
    Assumed,
    /// Declared by the file or defined by its format.
    Stated,
    /// Detected from the pixels of the pages.
    Pixels,
    /// Requested by the caller.
    Forced,
}

/// Minimum number of pixels for evidence; fewer may be noise.
const ENOUGH: u64 = 64;

/// Minimum number of distinct alpha levels of partly transparent pixels to compare colours with other pixels'
/// alpha. Soft edges have all 254 levels, those of a page with four bits per channel 14, shadows and glass in
/// pixel art one or two.
const LEVELS: usize = 8;

/// How much colours may exceed their alpha if they were rounded after multiplication. Dithering to four bits moves
/// a colour and its alpha by one step of 17 each.
const DITHER: usize = 34;

/// Minimum number of pixels whose brightest channel equals their alpha (premultiplied white and pure colours) for
/// evidence without [`LEVELS`].
const SATURATED: u64 = 4 * ENOUGH;

/// Statistics of pixels, from which the alpha of their pages is detected.
#[derive(Debug, Clone)]
pub struct Evidence {
    /// Number of pixels by `alpha · 256 + brightest`, where `brightest` is the brightest channel. Black and opaque
    /// pixels are not counted: they are the same either way.
    counts: Vec<u32>,
    /// Number of partly transparent pixels whose colour exceeds their alpha by more than [`DITHER`].
    clearly_straight: u64,
}

impl Default for Evidence {
    fn default() -> Self {
        Self { counts: vec![0; 256 * 256], clearly_straight: 0 }
    }
}

impl Evidence {
    /// Counts the RGBA `pixels` of a page. Stops once there is enough evidence that they are straight.
    pub fn add(&mut self, pixels: &[u8]) {
        if self.clearly_straight >= ENOUGH {
            return;
        }
        for &[r, g, b, alpha] in pixels.as_chunks::<4>().0 {
            let brightest = r.max(g).max(b);
            if alpha == 255 || brightest == 0 {
                continue;
            }
            let (alpha, brightest) = (usize::from(alpha), usize::from(brightest));
            let count = &mut self.counts[alpha * 256 + brightest];
            *count = count.saturating_add(1);
            if brightest > alpha + DITHER && alpha > 0 {
                self.clearly_straight += 1;
                if self.clearly_straight >= ENOUGH {
                    return;
                }
            }
        }
    }

    /// Returns whether the pages are premultiplied, or `None` without enough evidence.
    pub fn is_premultiplied(&self) -> Option<bool> {
        if self.exceeding(0) >= ENOUGH && !self.depends_on_alpha(DITHER) {
            return Some(false);
        }
        (self.depends_on_alpha(0) || self.depends_on_alpha(DITHER) || self.is_saturated()).then_some(true)
    }

    /// Returns alpha, brightest channel and number of partly transparent pixels.
    fn partly(&self) -> impl Iterator<Item = (usize, usize, u64)> {
        let partly = self.counts.iter().enumerate().skip(256).filter(|(_, count)| **count > 0);
        partly.map(|(at, &count)| (at / 256, at % 256, u64::from(count)))
    }

    /// Returns the number of partly transparent pixels that are brighter than their alpha by more than `slack`.
    fn exceeding(&self, slack: usize) -> u64 {
        self.partly().filter(|&(alpha, brightest, _)| brightest > alpha + slack).map(|(.., count)| count).sum()
    }

    /// Returns true if no colour exceeds its alpha by more than `slack` although many would exceed that of other
    /// pixels.
    fn depends_on_alpha(&self, slack: usize) -> bool {
        if self.has_bleed(slack) || self.exceeding(slack) > 0 {
            return false;
        }
        let (mut of_alpha, mut of_brightest, mut total) = ([0; 256], [0; 257], 0);
        for (alpha, brightest, count) in self.partly().filter(|&(_, brightest, _)| brightest > slack) {
            of_alpha[alpha] += count;
            of_brightest[brightest] += count;
            total += count;
        }
        // Accumulate: the number of pixels that are at least this bright.
        for brightest in (0..256).rev() {
            of_brightest[brightest] += of_brightest[brightest + 1];
        }
        let exceeding = |(alpha, count): (usize, &u64)| {
            let brighter = of_brightest.get(alpha + slack + 1).copied().unwrap_or_default();
            u128::from(*count) * u128::from(brighter)
        };
        let expected: u128 = of_alpha.iter().enumerate().map(exceeding).sum();
        let levels = of_alpha.iter().filter(|count| **count > 0).count();
        levels >= LEVELS && expected >= u128::from(ENOUGH) * u128::from(total.max(1))
    }

    /// Returns true if no colour exceeds its alpha and most are exactly as bright.
    fn is_saturated(&self) -> bool {
        let equal: u64 =
            self.partly().filter(|(alpha, brightest, _)| alpha == brightest).map(|(.., count)| count).sum();
        let total: u64 = self.partly().map(|(.., count)| count).sum();
        equal >= SATURATED && 2 * equal >= total && !self.has_bleed(0) && self.exceeding(0) == 0
    }

    /// Returns true if many fully transparent pixels have a colour. In a straight page it is invisible, and many
    /// programs keep it for better filtering. In a premultiplied page it is additive light, which no program that
    /// premultiplies produces.
    fn has_bleed(&self, slack: usize) -> bool {
        let bleed = self.counts[..256].iter().skip(slack + 1);
        bleed.map(|count| u64::from(*count)).sum::<u64>() >= ENOUGH
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::color::premultiply;

    fn verdict(pixels: impl IntoIterator<Item = [u8; 4]>) -> Option<bool> {
        let mut evidence = Evidence::default();
        evidence.add(pixels.into_iter().collect::<Vec<_>>().as_flattened());
        evidence.is_premultiplied()
    }

    /// An image with independent colours and alphas: soft edges of every level, and opaque parts.
    fn picture(colors: &[[u8; 3]]) -> Vec<[u8; 4]> {
        let pixel = |(&[r, g, b], alpha): (&[u8; 3], u16)| [r, g, b, alpha as u8];
        let edges = |color| (0..1024).map(move |at| (color, at % 256));
        colors.iter().flat_map(edges).map(pixel).collect()
    }

    fn multiplied(pixels: &[[u8; 4]]) -> Vec<[u8; 4]> {
        pixels.iter().map(|&pixel| premultiply(pixel)).collect()
    }

    /// Quantises to four bits per channel; with `noise`, some values move a step up or down.
    fn coarse(pixels: &[[u8; 4]], noise: bool) -> Vec<[u8; 4]> {
        let mut state = 1_u32;
        let mut channel = |value: u8| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let shift = if noise { f64::from(state >> 16) / 65536.0 - 0.5 } else { 0.0 };
            ((f64::from(value) / 17.0 + shift + 0.5).floor().clamp(0.0, 15.0) * 17.0) as u8
        };
        pixels.iter().map(|pixel| pixel.map(&mut channel)).collect()
    }

    /// Bright and dark, warm and cold.
    const COLORS: [[u8; 3]; 4] = [[250, 240, 230], [180, 60, 40], [90, 120, 200], [40, 44, 30]];

    #[test]
    fn pictures_with_soft_edges_are_recognised() {
        let straight = picture(&COLORS);
        assert_eq!(verdict(straight.iter().copied()), Some(false));
        let kept = straight.iter().map(|&[r, g, b, alpha]| if alpha == 0 { [0; 4] } else { [r, g, b, alpha] });
        assert_eq!(verdict(kept), Some(false));
        assert_eq!(verdict(multiplied(&straight)), Some(true));
        // White lettering.
        assert_eq!(verdict(picture(&[[255; 3]])), Some(false));
        assert_eq!(verdict(multiplied(&picture(&[[255; 3]]))), Some(true));
    }

    #[test]
    fn dark_pictures_are_distinguished_from_premultiplied_ones() {
        let dark = picture(&[[20, 12, 8], [28, 30, 40]]);
        assert_eq!(verdict(dark.iter().copied()), Some(false));
        assert_eq!(verdict(multiplied(&dark)), Some(true));
        // Black is the same either way, regardless of its soft edges and of the opaque parts.
        let outlines = picture(&[[0; 3]]).into_iter().chain([[255; 4]; 1000]);
        assert_eq!(verdict(outlines), None);
        // Pixel art: uniform dark shadows and bright opaque parts.
        let shadows = [[10, 12, 40, 96]; 1000].into_iter().chain([[255, 220, 200, 255]; 1000]);
        assert_eq!(verdict(shadows.clone()), None);
        // With dim glass on top.
        assert_eq!(verdict(shadows.chain([[120, 140, 150, 180]; 1000])), None);
    }

    #[test]
    fn pictures_without_partial_alpha_are_no_evidence() {
        assert_eq!(verdict([]), None);
        let opaque = (0..4096).map(|at| [at as u8, (at >> 4) as u8, 200, 255]);
        assert_eq!(verdict(opaque.clone()), None);
        assert_eq!(verdict(opaque.chain([[0; 4]; 1000])), None);
        // A few soft pixels are not enough, either way.
        let few = picture(&COLORS).into_iter().step_by(101);
        assert_eq!(verdict(few.clone().filter(|pixel| pixel[3] > 0)), None);
        assert_eq!(verdict(multiplied(&few.collect::<Vec<_>>())), None);
    }

    #[test]
    fn colour_of_transparent_pixels_counts_as_bleed() {
        let clean = multiplied(&picture(&COLORS));
        let light = |count| clean.iter().copied().chain([[255, 200, 90, 0]; 200].into_iter().take(count));
        assert_eq!(verdict(light(20)), Some(true), "a few stray pixels");
        // It may be bleed, and bleed read as light would draw boxes around everything.
        assert_eq!(verdict(light(200)), None);
        // On its own it is no evidence: in a straight page it is invisible.
        assert_eq!(verdict([[255, 200, 90, 0]; 1000]), None);
        assert_eq!(verdict(picture(&COLORS).into_iter().chain([[255, 255, 255, 0]; 1000])), Some(false));
        // Partly additive light is brighter than its alpha; so are straight soft edges.
        let glow = clean.iter().copied().chain([[200, 160, 60, 80]; 200]);
        assert_eq!(verdict(glow), Some(false));
    }

    #[test]
    fn four_bits_and_dithering_do_not_matter() {
        let straight = picture(&COLORS);
        let multiplied = multiplied(&straight);
        for noise in [false, true] {
            assert_eq!(verdict(coarse(&straight, noise)), Some(false), "noise {noise}");
            assert_eq!(verdict(coarse(&multiplied, noise)), Some(true), "noise {noise}");
        }
        // Dark and straight: never premultiplied.
        for noise in [false, true] {
            let dark = coarse(&picture(&[[30, 26, 24], [16, 16, 34]]), noise);
            assert_ne!(verdict(dark), Some(true), "noise {noise}");
        }
    }

    #[test]
    fn colours_as_bright_as_their_alpha_are_premultiplied() {
        let white = [[128; 4]; 512];
        assert_eq!(verdict(white), Some(true));
        assert_eq!(verdict(white.into_iter().take(200)), None);
        assert_eq!(verdict(white.into_iter().chain([[90, 20, 10, 128]; 600])), None, "most are not");
        assert_eq!(verdict(white.into_iter().chain([[200, 20, 10, 128]])), None, "one is brighter");
    }

    #[test]
    fn pages_are_judged_together() {
        let (bright, dark) = (multiplied(&picture(&COLORS)), [[9, 9, 9, 200]; 500]);
        assert_eq!(verdict(dark), None);
        assert_eq!(verdict(bright.iter().copied().chain(dark)), Some(true));
        assert_eq!(verdict(bright.into_iter().chain(picture(&COLORS))), Some(false));
    }

    #[test]
    fn saturated_counts_do_not_overflow() {
        let mut evidence = Evidence::default();
        evidence.counts.iter_mut().for_each(|count| *count = u32::MAX);
        assert_eq!(evidence.is_premultiplied(), Some(false));
        let mut evidence = Evidence::default();
        (0..256).for_each(|alpha| evidence.counts[alpha * 256 + alpha / 2] = u32::MAX);
        assert_eq!(evidence.is_premultiplied(), Some(true));
    }
}
