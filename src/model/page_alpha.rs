//! Detection of premultiplied pages, and the caller's override.
//!
//! The soft edges of drawn parts distinguish the two kinds. Along such an edge, alpha falls; the colour of a straight
//! page stays the same, and the colour of a premultiplied page falls with alpha. So each soft pixel is compared with
//! its more opaque neighbours: their colours predict its own, as it is or scaled by the ratio of their alphas. Neither
//! noise of lossy compression nor dark outlines change which prediction is nearer, for most of the pixels.
//!
//! In addition, premultiplied colours are never brighter than their alpha, except for noise.

crate::rows::words! {
    /// How the pages of a character are read.
    #[derive(Debug, Clone, Copy, Default, PartialEq)]
    pub enum PageAlpha {
        /// As declared by the file; otherwise detected from the pixels of all pages; otherwise straight.
        #[default]
        Auto => ("auto", "As stated in the file; if a sheet or atlas does not state it, detected from its pixels"),
        /// Colours are independent of alpha.
        Straight => ("straight", "Not premultiplied"),
        /// Colours are multiplied with alpha.
        Premultiplied => ("premultiplied", "Premultiplied"),
    }
}

impl PageAlpha {
    /// Returns true for premultiplied, false for straight, `None` for automatic.
    pub(crate) fn forced(self) -> Option<bool> {
        match self {
            Self::Auto => None,
            Self::Straight => Some(false),
            Self::Premultiplied => Some(true),
        }
    }
}

/// How it was determined that a page is straight or premultiplied.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
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

/// Alpha of the pixels that are examined. Below, rounding hides the colour; above, both kinds look alike.
const SOFT: std::ops::RangeInclusive<u8> = 17..=239;

/// Minimum number of pixels, or pairs of pixels, for evidence; fewer may be noise.
const ENOUGH: u64 = 64;

/// How much a neighbour must be more opaque.
const STEP: i32 = 12;

/// Distance of the neighbours that tell the kind of a glow, whose alpha falls slowly.
const FAR: usize = 5;

/// How far the two predictions for a pixel must be apart, as the sum of the channels.
const APART: i32 = 12;

/// How much premultiplied colours may exceed their alpha: by noise of lossy compression, or by dithering to four bits,
/// which moves a colour and its alpha by one step of 17 each.
const NOISE: u8 = 34;

/// Rows are examined in this order, modulo 16, until there are many pairs: a sixteenth of a large page gives the same
/// verdict in a sixteenth of the time.
const ROWS: [usize; 16] = [8, 0, 4, 12, 2, 6, 10, 14, 1, 3, 5, 7, 9, 11, 13, 15];
const MANY: u64 = 16 * ENOUGH;

/// Number of pixels that are skipped together if all are opaque, or if nothing of them is visible.
const SKIPPED: usize = 16;

/// Share of the pairs in which colour follows alpha. Of the official examples, straight ones reach 0.55, with drawn
/// outlines that look like soft edges; premultiplied ones are above 0.92, above 0.70 with four bits per channel.
const FOLLOWS: f64 = 0.65;
const FOLLOWS_SURELY: f64 = 0.85;
const IS_STRAIGHT_SURELY: f64 = 0.4;

/// Share of the soft pixels that are brighter than their alpha by more than [`NOISE`]. None of a premultiplied page is,
/// apart from a few additive ones.
const BRIGHTER: f64 = 0.01;

/// Statistics of pixels, from which the alpha of their pages is detected.
#[derive(Debug, Clone, Copy, Default)]
pub struct Evidence {
    /// Number of partly transparent pixels that are not black.
    soft: u64,
    /// Number of these that are brighter than their alpha by more than [`NOISE`].
    brighter: u64,
    /// Number of these whose brightest channel equals their alpha: premultiplied white and pure colours.
    saturated: u64,
    /// Number of these that are brighter than their alpha.
    exceeding: u64,
    /// Number of fully transparent pixels with a colour. In a straight page it is invisible, and many programs keep it
    /// for better filtering. In a premultiplied page it is additive light, which no program that premultiplies produces.
    bleed: u64,
    /// Number of pairs of neighbours whose predictions differ.
    pairs: u64,
    /// Sum of the distances between their predictions, and the part of it that favours premultiplication.
    weight: u64,
    follows: u64,
}

impl Evidence {
    /// Counts the RGBA `pixels` of a page of this width. Incomplete rows are ignored.
    pub fn add(&mut self, width: u32, pixels: &[u8]) {
        let (pixels, width) = (pixels.as_chunks::<4>().0, width as usize);
        let width = width.max(1);
        let enough = self.pairs + MANY;
        for first in ROWS {
            for (y, row) in pixels.chunks_exact(width).enumerate().skip(first).step_by(ROWS.len()) {
                for (part, pixels_of_part) in row.chunks(SKIPPED).enumerate() {
                    let is_opaque = pixels_of_part.iter().fold(255, |all, pixel| all & pixel[3]) == 255;
                    let is_nothing = pixels_of_part.as_flattened().iter().fold(0, |any, byte| any | byte) == 0;
                    if !is_opaque && !is_nothing {
                        self.add_part(pixels, width, [part * SKIPPED, y], pixels_of_part);
                    }
                }
            }
            if self.pairs >= enough {
                break;
            }
        }
    }

    /// Counts the pixels `part` of a row, which begin at a position.
    fn add_part(&mut self, pixels: &[[u8; 4]], width: usize, [left, y]: [usize; 2], part: &[[u8; 4]]) {
        for (x, pixel) in (left..).zip(part) {
            let &[r, g, b, alpha] = pixel;
            if alpha == 255 {
                continue;
            }
            let brightest = r.max(g).max(b);
            if alpha == 0 {
                self.bleed += u64::from(brightest > NOISE);
                continue;
            }
            if brightest == 0 || !SOFT.contains(&alpha) {
                continue;
            }
            self.soft += 1;
            self.brighter += u64::from(brightest > alpha.saturating_add(NOISE));
            self.exceeding += u64::from(brightest > alpha);
            self.saturated += u64::from(brightest == alpha);
            self.compare_around(pixels, width, [x, y], *pixel);
        }
    }

    /// Compares a pixel with its neighbours, and with soft pixels farther away.
    fn compare_around(&mut self, pixels: &[[u8; 4]], width: usize, [x, y]: [usize; 2], pixel: [u8; 4]) {
        for distance in [1, FAR] {
            let at = |x: Option<usize>, y: Option<usize>| {
                let x = x.filter(|x| *x < width)?;
                pixels.get(y?.checked_mul(width)? + x)
            };
            let around = [
                at(x.checked_sub(distance), Some(y)),
                at(x.checked_add(distance), Some(y)),
                at(Some(x), y.checked_sub(distance)),
                at(Some(x), y.checked_add(distance)),
            ];
            for neighbour in around.into_iter().flatten() {
                // Farther inside, an opaque pixel may be beyond the outline.
                if distance == 1 || SOFT.contains(&neighbour[3]) {
                    self.compare(pixel, *neighbour);
                }
            }
        }
    }

    /// Compares a pixel with what a more opaque neighbour predicts.
    fn compare(&mut self, pixel: [u8; 4], neighbour: [u8; 4]) {
        let (alpha, opaque) = (i32::from(pixel[3]), i32::from(neighbour[3]));
        if opaque < alpha + STEP {
            return;
        }
        let (mut apart, mut to_straight, mut to_multiplied) = (0, 0, 0);
        for (found, straight) in pixel.iter().zip(neighbour).take(3) {
            let (found, straight) = (i32::from(*found), i32::from(straight));
            let multiplied = (2 * straight * alpha + opaque) / (2 * opaque);
            apart += straight - multiplied;
            to_straight += (found - straight).abs();
            to_multiplied += (found - multiplied).abs();
        }
        // A pixel that is far from both predictions belongs to another part.
        if apart < APART || 2 * to_straight.min(to_multiplied) > apart {
            return;
        }
        self.pairs += 1;
        self.weight += apart as u64;
        if to_multiplied < to_straight {
            self.follows += apart as u64;
        }
    }

    /// Returns the share of the pixels whose colour follows alpha, 0 to 1, weighed by how much they tell; `None` if too
    /// few pixels tell anything.
    pub fn follows_alpha(&self) -> Option<f64> {
        (self.pairs >= ENOUGH).then(|| self.follows as f64 / self.weight as f64)
    }

    /// Returns the share of the partly transparent pixels that are clearly brighter than their alpha, 0 to 1.
    pub fn brighter_than_alpha(&self) -> f64 {
        self.brighter as f64 / self.soft.max(1) as f64
    }

    /// Returns whether the pages are premultiplied, or `None` without enough evidence.
    pub fn is_premultiplied(&self) -> Option<bool> {
        let is_brighter = self.brighter >= ENOUGH && self.brighter_than_alpha() >= BRIGHTER;
        let bleeds = self.bleed >= ENOUGH;
        match self.follows_alpha() {
            // Straight colours would have to become darker along each edge, and stay below alpha.
            Some(share) if share >= FOLLOWS && !is_brighter => (!bleeds).then_some(true),
            Some(_) => Some(false),
            None if is_brighter => Some(false),
            None => (self.is_saturated() && !bleeds).then_some(true),
        }
    }

    /// Returns true if the verdict is certain, or if both kinds look the same, as without soft edges.
    pub fn is_sure(&self) -> bool {
        match (self.is_premultiplied(), self.follows_alpha()) {
            (None, _) => self.soft < ENOUGH,
            (Some(true), share) => share.is_some_and(|share| share >= FOLLOWS_SURELY),
            (Some(false), share) => {
                self.brighter_than_alpha() >= BRIGHTER || share.is_some_and(|share| share <= IS_STRAIGHT_SURELY)
            }
        }
    }

    /// Returns true if no colour exceeds its alpha and most are exactly as bright.
    fn is_saturated(&self) -> bool {
        self.saturated >= 4 * ENOUGH && 2 * self.saturated >= self.soft && self.exceeding == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::color::premultiply;

    const SIDE: i32 = 48;

    fn evidence(pixels: &[[u8; 4]]) -> Evidence {
        let mut evidence = Evidence::default();
        evidence.add(SIDE as u32, pixels.as_flattened());
        evidence
    }

    fn verdict(pixels: &[[u8; 4]]) -> Option<bool> {
        evidence(pixels).is_premultiplied()
    }

    /// A disc of each color, one below the other, with an edge that is `soft` pixels wide; `outline` is the color of
    /// its outer three pixels.
    fn discs(colors: &[[u8; 3]], soft: f64, outline: Option<[u8; 3]>) -> Vec<[u8; 4]> {
        let mut pixels = Vec::new();
        for &color in colors {
            for y in 0..SIDE {
                for x in 0..SIDE {
                    let [dx, dy] = [x, y].map(|at| f64::from(at - SIDE / 2) + 0.3);
                    let inside = f64::from(SIDE) * 0.45 - (dx * dx + dy * dy).sqrt();
                    let alpha = ((inside / soft + 0.5).clamp(0.0, 1.0) * 255.0) as u8;
                    let [r, g, b] = outline.filter(|_| inside < 3.0).unwrap_or(color);
                    pixels.push(if alpha == 0 { [0; 4] } else { [r, g, b, alpha] });
                }
            }
        }
        pixels
    }

    fn multiplied(pixels: &[[u8; 4]]) -> Vec<[u8; 4]> {
        pixels.iter().map(|&pixel| premultiply(pixel)).collect()
    }

    /// Moves channels of visible pixels up or down by at most `most`, as lossy compression does.
    fn noisy(pixels: &[[u8; 4]], most: i32) -> Vec<[u8; 4]> {
        let mut state = 1_u32;
        let mut noise = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 16) as i32 % (2 * most + 1) - most
        };
        let mut moved = |value: u8| (i32::from(value) + noise()).clamp(0, 255) as u8;
        let mut pixel = |&[r, g, b, alpha]: &[u8; 4]| match alpha {
            0 => [0; 4],
            _ => [moved(r), moved(g), moved(b), alpha],
        };
        pixels.iter().map(&mut pixel).collect()
    }

    /// Quantises to four bits per channel.
    fn coarse(pixels: &[[u8; 4]]) -> Vec<[u8; 4]> {
        pixels.iter().map(|pixel| pixel.map(|value| ((u16::from(value) + 8) / 17 * 17) as u8)).collect()
    }

    /// Bright and dark, warm and cold.
    const COLORS: [[u8; 3]; 4] = [[250, 240, 230], [180, 60, 40], [90, 120, 200], [40, 44, 30]];
    const DARK: [[u8; 3]; 2] = [[60, 36, 24], [28, 50, 60]];
    /// The outline of a comic.
    const INK: [u8; 3] = [26, 20, 34];

    #[test]
    fn drawn_parts_are_recognised() {
        // Crisp and blurred edges, glows, with and without outlines.
        for soft in [1.5, 3.0, 9.0, 40.0] {
            for (colors, outline) in [(&COLORS[..], None), (&DARK, None), (&COLORS, Some(INK))] {
                let straight = discs(colors, soft, outline);
                for noise in [0, 3, 8] {
                    let about = format!("soft {soft}, outline {outline:?}, noise {noise}, {colors:?}");
                    let found = evidence(&noisy(&straight, noise));
                    assert_eq!(found.is_premultiplied(), Some(false), "{about}: {found:?}");
                    let found = evidence(&noisy(&multiplied(&straight), noise));
                    assert_eq!(found.is_premultiplied(), Some(true), "{about}: {found:?}");
                }
            }
        }
    }

    #[test]
    fn four_bits_per_channel_do_not_matter() {
        for soft in [3.0, 9.0, 40.0] {
            let straight = discs(&COLORS, soft, None);
            assert_eq!(verdict(&coarse(&straight)), Some(false), "soft {soft}");
            assert_eq!(verdict(&coarse(&multiplied(&straight))), Some(true), "soft {soft}");
        }
    }

    #[test]
    fn black_and_opaque_pictures_look_the_same_either_way() {
        for pixels in [vec![], discs(&[[0; 3]], 9.0, None), vec![[90, 60, 200, 255]; 4096]] {
            let found = evidence(&pixels);
            assert_eq!((found.is_premultiplied(), found.is_sure()), (None, true));
        }
    }

    #[test]
    fn uniform_translucency_is_no_evidence() {
        // Pixel art: dark shadows and dim glass.
        let shadows: Vec<_> = [[10, 12, 40, 96]; 1000].into_iter().chain([[120, 140, 150, 180]; 1000]).collect();
        let found = evidence(&shadows);
        assert_eq!((found.is_premultiplied(), found.is_sure()), (None, false));
        // A few soft pixels.
        assert_eq!(verdict(&multiplied(&discs(&COLORS, 3.0, None)[..SIDE as usize * 3])), None);
    }

    #[test]
    fn colour_of_transparent_pixels_counts_as_bleed() {
        let clean = multiplied(&discs(&COLORS, 3.0, None));
        let light = |count| [&clean[..], &vec![[255, 200, 90, 0]; count]].concat();
        assert_eq!(verdict(&light(SIDE as usize)), Some(true), "a few stray pixels");
        // It may be bleed, and bleed read as light would draw boxes around everything.
        assert_eq!(verdict(&light(4 * SIDE as usize)), None);
        // On its own it is no evidence: in a straight page it is invisible.
        assert_eq!(verdict(&[[255, 200, 90, 0]; 4096]), None);
    }

    #[test]
    fn colours_as_bright_as_their_alpha_are_premultiplied() {
        let white = [[128; 4]; 528];
        assert_eq!(verdict(&white), Some(true));
        assert_eq!(verdict(&white[..192]), None);
        assert_eq!(verdict(&[&white[..], &[[90, 20, 10, 128]; 672]].concat()), None, "most are not");
        assert_eq!(verdict(&[&white[..], &[[200, 20, 10, 128]; 48]].concat()), None, "some are brighter");
    }

    #[test]
    fn pages_are_judged_together() {
        let bright = multiplied(&discs(&COLORS, 3.0, None));
        let shadows = [[9, 9, 9, 200]; 480];
        assert_eq!(verdict(&shadows), None);
        let mut evidence = evidence(&shadows);
        evidence.add(SIDE as u32, bright.as_flattened());
        assert_eq!(evidence.is_premultiplied(), Some(true));
        let half = discs(&COLORS, 3.0, None);
        evidence.add(SIDE as u32, half.as_flattened());
        assert_eq!((evidence.is_premultiplied(), evidence.is_sure()), (Some(false), true), "half is straight");
    }

    #[test]
    fn a_sixteenth_of_a_large_page_suffices() {
        let colors: Vec<[u8; 3]> = (0..48).map(|at| COLORS[at % COLORS.len()]).collect();
        let straight = discs(&colors, 9.0, None);
        let soft = straight.iter().filter(|pixel| SOFT.contains(&pixel[3])).count() as u64;
        for (pixels, expected) in [(multiplied(&straight), true), (straight, false)] {
            let found = evidence(&pixels);
            assert_eq!((found.is_premultiplied(), found.is_sure()), (Some(expected), true), "{found:?}");
            assert!(found.soft > 0 && found.soft < soft / 8, "{} of {soft} soft pixels", found.soft);
        }
    }

    #[test]
    fn sizes_that_contradict_each_other_do_not_panic() {
        for width in [0, 1, 7, u32::MAX] {
            Evidence::default().add(width, &[200; 4 * 64]);
        }
    }
}
