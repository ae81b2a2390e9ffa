//! The four non-separable blend modes: hue, saturation, colour and luminosity.
//!
//! Computed in double precision and truncated to eight bits, as in Aseprite.

/// A colour with components from 0 to 1.
type Rgb = [f64; 3];

fn rgb(color: [u8; 3]) -> Rgb {
    color.map(|component| f64::from(component) / 255.0)
}

fn bytes(color: Rgb) -> [u8; 3] {
    color.map(|component| (255.0 * component) as u8)
}

/// Takes the hue of the source.
pub fn hue(backdrop: [u8; 3], source: [u8; 3]) -> [u8; 3] {
    let backdrop = rgb(backdrop);
    bytes(with_luminosity(with_saturation(rgb(source), saturation_of(backdrop)), luminosity_of(backdrop)))
}

/// Takes the saturation of the source.
pub fn saturation(backdrop: [u8; 3], source: [u8; 3]) -> [u8; 3] {
    let backdrop = rgb(backdrop);
    bytes(with_luminosity(with_saturation(backdrop, saturation_of(rgb(source))), luminosity_of(backdrop)))
}

/// Takes the hue and saturation of the source.
pub fn color(backdrop: [u8; 3], source: [u8; 3]) -> [u8; 3] {
    bytes(with_luminosity(rgb(source), luminosity_of(rgb(backdrop))))
}

/// Takes the luminosity of the source.
pub fn luminosity(backdrop: [u8; 3], source: [u8; 3]) -> [u8; 3] {
    bytes(with_luminosity(rgb(backdrop), luminosity_of(rgb(source))))
}

fn luminosity_of([r, g, b]: Rgb) -> f64 {
    0.3 * r + 0.59 * g + 0.11 * b
}

fn lowest([r, g, b]: Rgb) -> f64 {
    r.min(g.min(b))
}

fn highest([r, g, b]: Rgb) -> f64 {
    r.max(g.max(b))
}

fn saturation_of(color: Rgb) -> f64 {
    highest(color) - lowest(color)
}

/// Sets the luminosity of a colour, desaturated if a component would leave its range.
fn with_luminosity(color: Rgb, luminosity: f64) -> Rgb {
    let change = luminosity - luminosity_of(color);
    let mut color = color.map(|component| component + change);
    let grey = luminosity_of(color);
    let (low, high) = (lowest(color), highest(color));
    if low < 0.0 && grey > low {
        color = color.map(|component| grey + (component - grey) * grey / (grey - low));
    }
    if high > 1.0 && high > grey {
        color = color.map(|component| grey + (component - grey) * (1.0 - grey) / (high - grey));
    }
    color
}

/// Scales the components of a colour to the range 0 to `saturation`.
///
/// Aseprite determines the lowest, middle and highest component by independent comparisons. If the two lower ones
/// are equal, it may pick one component twice and leave the other unchanged. This is reproduced here.
fn with_saturation(mut color: Rgb, saturation: f64) -> Rgb {
    let (low, middle, high) = (lowest_of(color), middle_of(color), highest_of(color));
    if color[high] > color[low] {
        color[middle] = (color[middle] - color[low]) * saturation / (color[high] - color[low]);
        color[high] = saturation;
    } else {
        color[middle] = 0.0;
        color[high] = 0.0;
    }
    color[low] = 0.0;
    color
}

/// Returns the index of the lowest component, the last one if equal.
fn lowest_of(color: Rgb) -> usize {
    let later = if color[1] < color[2] { 1 } else { 2 };
    if color[0] < color[later] { 0 } else { later }
}

/// Returns the index of the highest component, the last one if equal.
fn highest_of(color: Rgb) -> usize {
    let later = if color[1] > color[2] { 1 } else { 2 };
    if color[0] > color[later] { 0 } else { later }
}

fn middle_of([r, g, b]: Rgb) -> usize {
    match (r > g, g > b) {
        (true, false) if r > b => 2,
        (false, true) if b > r => 2,
        (true, false) | (false, true) => 0,
        (true, true) | (false, false) => 1,
    }
}
