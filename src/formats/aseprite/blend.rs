//! Aseprite's blend modes.
//!
//! Computed in eight-bit integers with Aseprite's rounding, so that a flattened frame matches what its author saw.
//! The mode applies to the extent that the backdrop is opaque; elsewhere the source is blended normally.

use super::hsl;
use super::schema::Pixel;

/// The blend mode of a layer.
#[derive(Debug, Clone, Copy)]
pub enum Blend {
    /// The source covers the backdrop.
    Normal,
    /// Mixes each channel of opaque colours, the backdrop first.
    Channels(fn(u8, u8) -> u8),
    /// Mixes opaque colours, the backdrop first.
    Colors(fn([u8; 3], [u8; 3]) -> [u8; 3]),
}

impl Blend {
    /// All modes, by their number in files.
    const ALL: [Self; 19] = [
        Self::Normal,
        Self::Channels(multiply),
        Self::Channels(screen),
        Self::Channels(overlay),
        Self::Channels(u8::min),
        Self::Channels(u8::max),
        Self::Channels(color_dodge),
        Self::Channels(color_burn),
        Self::Channels(hard_light),
        Self::Channels(soft_light),
        Self::Channels(u8::abs_diff),
        Self::Channels(exclusion),
        Self::Colors(hsl::hue),
        Self::Colors(hsl::saturation),
        Self::Colors(hsl::color),
        Self::Colors(hsl::luminosity),
        Self::Channels(u8::saturating_add),
        Self::Channels(u8::saturating_sub),
        Self::Channels(divide),
    ];
    /// The number of modes.
    pub const COUNT: usize = Self::ALL.len();

    /// Returns the mode with this number in files.
    pub fn from_number(number: u16) -> Option<Self> {
        Self::ALL.get(usize::from(number)).copied()
    }

    /// Blends `source` over `backdrop`.
    pub fn apply(self, backdrop: Pixel, source: Pixel, opacity: u8) -> Pixel {
        let normal = over(backdrop, source, opacity);
        let ([b0, b1, b2, below], [s0, s1, s2, alpha]) = (backdrop, source);
        let [r, g, b] = match self {
            Self::Normal => return normal,
            Self::Channels(_) | Self::Colors(_) if below == 0 => return normal,
            Self::Channels(mix) => [mix(b0, s0), mix(b1, s1), mix(b2, s2)],
            Self::Colors(mix) => mix([b0, b1, b2], [s0, s1, s2]),
        };
        let mixed = over(backdrop, [r, g, b, alpha], opacity);
        let towards = between(normal, mixed, below);
        between(towards, mixed, multiply(below, multiply(alpha, opacity)))
    }
}

/// Blends `source` over `backdrop` normally, both with straight alpha.
fn over(backdrop: Pixel, source: Pixel, opacity: u8) -> Pixel {
    let [r, g, b, alpha] = source;
    if backdrop[3] == 0 {
        return [r, g, b, multiply(alpha, opacity)];
    }
    if alpha == 0 {
        return backdrop;
    }
    let below = i32::from(backdrop[3]);
    let above = i32::from(multiply(alpha, opacity));
    let together = above + below - scaled(below, above);
    let channel = |at: usize| {
        let (from, to) = (i32::from(backdrop[at]), i32::from(source[at]));
        (from + (to - from) * above / together) as u8
    };
    [channel(0), channel(1), channel(2), together as u8]
}

/// Interpolates between two pixels by `amount` of 255.
fn between(from: Pixel, to: Pixel, amount: u8) -> Pixel {
    let channel = |at: usize| {
        let (from, to) = (i32::from(from[at]), i32::from(to[at]));
        (from + scaled(to - from, i32::from(amount))) as u8
    };
    let alpha = channel(3);
    match (from[3], to[3]) {
        _ if alpha == 0 => [0; 4],
        (0, _) => [to[0], to[1], to[2], alpha],
        (_, 0) => [from[0], from[1], from[2], alpha],
        _ => [channel(0), channel(1), channel(2), alpha],
    }
}

/// Returns a · b / 255, rounded.
fn scaled(a: i32, b: i32) -> i32 {
    let product = a * b + 128;
    ((product >> 8) + product) >> 8
}

/// Returns a · b / 255, rounded.
pub fn multiply(a: u8, b: u8) -> u8 {
    scaled(a.into(), b.into()) as u8
}

/// Returns 255 · a / b, rounded; `a` must be less than `b`.
fn ratio(a: u8, b: u8) -> u8 {
    let (a, b) = (u32::from(a), u32::from(b));
    ((a * 255 + b / 2) / b) as u8
}

fn screen(b: u8, s: u8) -> u8 {
    (i32::from(b) + i32::from(s) - i32::from(multiply(b, s))) as u8
}

fn overlay(b: u8, s: u8) -> u8 {
    hard_light(s, b)
}

fn hard_light(b: u8, s: u8) -> u8 {
    let twice = 2 * i32::from(s);
    if s < 128 { multiply(b, twice as u8) } else { screen(b, (twice - 255) as u8) }
}

fn color_dodge(b: u8, s: u8) -> u8 {
    let dark = 255 - s;
    match b {
        0 => 0,
        _ if b >= dark => 255,
        _ => ratio(b, dark),
    }
}

fn color_burn(b: u8, s: u8) -> u8 {
    let dark = 255 - b;
    match dark {
        0 => 255,
        _ if dark >= s => 0,
        _ => 255 - ratio(dark, s),
    }
}

fn soft_light(b: u8, s: u8) -> u8 {
    let (b, s) = (f64::from(b) / 255.0, f64::from(s) / 255.0);
    let lit = if s <= 0.5 {
        b - (1.0 - 2.0 * s) * b * (1.0 - b)
    } else {
        let full = if b <= 0.25 { ((16.0 * b - 12.0) * b + 4.0) * b } else { b.sqrt() };
        b + (2.0 * s - 1.0) * (full - b)
    };
    (lit * 255.0 + 0.5) as u8
}

fn exclusion(b: u8, s: u8) -> u8 {
    (i32::from(b) + i32::from(s) - 2 * i32::from(multiply(b, s))) as u8
}

fn divide(b: u8, s: u8) -> u8 {
    match b {
        0 => 0,
        _ if b >= s => 255,
        _ => ratio(b, s),
    }
}
