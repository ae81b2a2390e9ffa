//! A plot of curves with the same unit, with its value axis.

use egui::{Align2, Color32, FontId, Painter, Pos2, Rect, Shape, Stroke, StrokeKind, Ui, pos2};

use super::TimelinePanel;
use super::axis::Axis;
use crate::base::ticks;
use crate::timeline::{CURVES, Curve, Zoom};
use crate::widgets::theme::Palette;
use pchr::model::BoneId;
use pchr::motion::{BonePoint, KeyTarget};

/// Space above and below the curves of a plot, as a share of their extent.
const HEADROOM: f32 = 0.2;
/// Height in points of a label of a value.
const LABEL: f32 = 13.0;
/// Smaller changes are none.
const STILL: f32 = 1e-3;
/// Keys closer than this, in points, have no dots.
const MIN_DOTS: f32 = 5.0;
/// Minimum distance between ticks in points.
const TICKS: f32 = 22.0;

/// Returns the colour of a curve. They differ for people with any kind of colour blindness, and pairs also in their
/// dashes.
pub fn color(ui: &Ui, curve: Curve) -> Color32 {
    let [dark, light] = match curve {
        Curve::Rotation => [0xe69f00, 0x9a6a00],
        Curve::X | Curve::ScaleX => [0x56b4e9, 0x0072b2],
        Curve::Y | Curve::ScaleY => [0xe07b39, 0xb04a00],
    };
    let [_, r, g, b] = u32::to_be_bytes(if ui.visuals().dark_mode { dark } else { light });
    Color32::from_rgb(r, g, b)
}

fn is_dashed(curve: Curve) -> bool {
    matches!(curve, Curve::Y | Curve::ScaleY)
}

/// Paints a curve.
pub fn paint_line(painter: &Painter, points: Vec<Pos2>, curve: Curve, color: Color32) {
    let stroke = Stroke::new(1.6, color);
    if is_dashed(curve) {
        painter.extend(Shape::dashed_line(&points, stroke, 6.0, 3.0));
    } else {
        painter.add(Shape::line(points, stroke));
    }
}

/// The values along the height of a plot.
#[derive(Debug, Clone, Copy)]
struct Scale {
    /// The values at the bottom and at the top.
    low: f32,
    high: f32,
    /// The smallest and the largest value.
    extremes: [f32; 2],
}

impl Scale {
    /// Returns the scale on which `values` are visible as far as `visible` says.
    fn of(values: impl Iterator<Item = f32>, visible: Zoom) -> Self {
        let (low, high) = values
            .fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)));
        // A constant is shown in the middle.
        let least = 0.02 * low.abs().max(high.abs()).max(0.5);
        let room = (HEADROOM * (high - low)).max(least);
        let (from, to) = visible.visible(f64::from(high - low + 2.0 * room));
        Self { low: low - room + from as f32, high: low - room + to as f32, extremes: [low, high] }
    }

    /// Returns true if all values are the same.
    fn is_constant(&self) -> bool {
        let [low, high] = self.extremes;
        // Also if there are none.
        high - low <= STILL
    }
}

/// A plot of curves with the same unit.
pub struct Plot<'a> {
    rect: Rect,
    axis: Axis,
    curves: &'a [Curve],
    points: &'a [BonePoint],
    /// The scale of each curve, or the one of all of them.
    scales: [Scale; CURVES],
    is_normalized: bool,
}

impl<'a> Plot<'a> {
    /// Lays out `curves` through `points` within `rect`, each on its own scale if `is_normalized`. `visible` is the
    /// visible part of the values.
    pub fn new(
        rect: Rect,
        axis: Axis,
        curves: &'a [Curve],
        points: &'a [BonePoint],
        is_normalized: bool,
        visible: Zoom,
    ) -> Self {
        let scale = |curves: &[Curve]| {
            Scale::of(points.iter().flat_map(|point| curves.iter().map(|curve| curve.of(point))), visible)
        };
        let common = scale(curves);
        let mut scales = [common; CURVES];
        if is_normalized {
            curves.iter().for_each(|curve| scales[*curve as usize] = scale(&[*curve]));
        }
        Self { rect, axis, curves, points, scales, is_normalized }
    }

    /// Returns the height of a value of a curve.
    fn y_of(&self, curve: Curve, value: f32) -> f32 {
        let Scale { low, high, .. } = self.scales[curve as usize];
        self.rect.bottom() - self.rect.height() * (value - low) / (high - low)
    }

    /// Paints the curves, and the keys of `bone`.
    pub fn paint(&self, ui: &Ui, state: &TimelinePanel<'_>, bone: BoneId) {
        let palette = Palette::of(ui.visuals());
        let line = Stroke::new(1.0, palette.line);
        ui.painter().rect(self.rect, 4.0, palette.sunken, line, StrokeKind::Inside);
        if !self.is_normalized {
            self.curves.iter().take(1).for_each(|curve| self.paint_ticks(ui, palette, *curve));
        }
        let painter = ui.painter_at(self.rect);
        for &curve in self.curves {
            let color = color(ui, curve);
            paint_line(&painter, self.line_of(curve), curve, color);
            let row = state.timeline.keys.shown().and_then(|keyed| keyed.target(KeyTarget::Bone(bone)));
            let channels = row.into_iter().flat_map(|row| &row.channels);
            for (_, _, times) in channels.filter(|(channel, ..)| curve.is_keyed_by(*channel)) {
                let mut last = f32::NEG_INFINITY;
                let (start, end) = self.axis.visible();
                let visible = times
                    .runs_in(start..end)
                    .iter()
                    .flat_map(|run| (0..run.count).map(|index| run.first + f64::from(index)));
                for key in visible.filter(|key| (start..=end).contains(key)) {
                    let x = self.axis.x_of(key);
                    if x - last < MIN_DOTS {
                        continue;
                    }
                    last = x;
                    if let Some(point) = state.timeline.curve.point_at(key) {
                        painter.circle(
                            pos2(x, self.y_of(curve, curve.of(point))),
                            3.0,
                            color,
                            Stroke::new(1.0, palette.sunken),
                        );
                    }
                }
            }
        }
    }

    /// Returns the visible part of a curve. Dashing the rest would cost as much as the timeline is magnified.
    fn line_of(&self, curve: Curve) -> Vec<Pos2> {
        let (start, end) = self.axis.visible();
        let from = self.points.partition_point(|point| point.position < start);
        let to = self.points.partition_point(|point| point.position <= end).max(from);
        let at = |position: f64, value: f32| pos2(self.axis.x_of(position), self.y_of(curve, value));
        // Where the segment that ends with a point crosses a border.
        let crossing = |index: usize, position: f64| {
            let [before, after] = [self.points.get(index.checked_sub(1)?)?, self.points.get(index)?];
            let share = (position - before.position) / (after.position - before.position);
            let [low, high] = [before, after].map(|point| curve.of(point));
            Some(at(position, low + (high - low) * share as f32))
        };
        let inside = self.points[from..to].iter().map(|point| at(point.position, curve.of(point)));
        crossing(from, start).into_iter().chain(inside).chain(crossing(to, end)).collect()
    }

    /// Returns where the labels of the smallest and the largest value are: at these values, but not on each other.
    fn label_places(&self, curve: Curve) -> [f32; 2] {
        let [low, high] = self.scales[curve as usize].extremes.map(|value| self.y_of(curve, value));
        let apart = (0.5 * (LABEL - (low - high))).max(0.0);
        [low + apart, high - apart]
    }

    /// Paints the name of the plot, and the smallest and the largest value, to the left of it.
    pub fn paint_labels(&self, ui: &Ui, name: &str, left: f32) {
        let palette = Palette::of(ui.visuals());
        let middle = self.rect.center().y;
        let font = FontId::proportional(12.0);
        ui.painter().text(pos2(left + 2.0, middle), Align2::LEFT_CENTER, name, font, palette.text);
        let font = FontId::proportional(10.5);
        let label = |curve: Curve, value: f32, y: f32, color: Color32| {
            let [low, high] = self.scales[curve as usize].extremes;
            let text = format!("{}{}", rounded(value, high - low), curve.unit());
            // Values that are not visible have no label.
            if self.rect.expand(1.0).y_range().contains(y) {
                ui.painter().text(
                    pos2(self.rect.left() - 5.0, y),
                    Align2::RIGHT_CENTER,
                    text,
                    font.clone(),
                    color,
                );
            }
        };
        // Curves on scales of their own each have a label, one below the other, as far as there is room.
        let own = self.curves.len().min((self.rect.height() / (2.0 * LABEL)) as usize);
        for (row, &curve) in self.curves.iter().take(if self.is_normalized { own } else { 1 }).enumerate() {
            let scale = &self.scales[curve as usize];
            let [low, high] = scale.extremes;
            let color = if self.is_normalized { color(ui, curve) } else { palette.text_weak };
            let [bottom, top] = self.label_places(curve);
            let below = row as f32 * LABEL;
            if scale.is_constant() {
                label(curve, high, self.y_of(curve, high) + below, color);
            } else {
                label(curve, low, bottom - below, color);
                label(curve, high, top + below, color);
            }
        }
    }

    /// Paints the value axis of `curve` and all others: round numbers, at most one every [`TICKS`] points.
    fn paint_ticks(&self, ui: &Ui, palette: &Palette, curve: Curve) {
        let unit = curve.unit();
        let Scale { low, high, .. } = self.scales[curve as usize];
        let step = ticks::step(((high - low) * TICKS / self.rect.height().max(1.0)).into()) as f32;
        let decimals = [1.0, 0.1, 0.01, 0.001].into_iter().take_while(|unit| step < unit * 0.999).count();
        let first = (low / step).ceil() as i64;
        let count = ((high / step).floor() as i64).saturating_sub(first).clamp(0, 50);
        for tick in first..=first + count {
            let value = tick as f32 * step;
            let y = self.y_of(curve, value);
            if !self.rect.shrink(5.0).y_range().contains(y) {
                continue;
            }
            let line = palette.line.gamma_multiply(if tick == 0 { 1.0 } else { 0.6 });
            ui.painter().hline(self.rect.x_range(), y, Stroke::new(1.0, line));
            if self.label_places(curve).iter().any(|label| (label - y).abs() < LABEL) {
                continue;
            }
            let at = pos2(self.rect.left() - 5.0, y);
            let text = format!("{value:.decimals$}{unit}").replace('-', "−");
            ui.painter().text(at, Align2::RIGHT_CENTER, text, FontId::proportional(10.5), palette.text_weak);
        }
    }
}

/// Returns `value` with as many decimals as matter where values differ by `extent`.
fn rounded(value: f32, extent: f32) -> String {
    let decimals = match if extent > STILL { extent } else { value.abs() } {
        large if large >= 100.0 => 0,
        medium if medium >= 10.0 => 1,
        _ => 2,
    };
    let text = format!("{value:.decimals$}");
    let is_zero = text.bytes().all(|byte| matches!(byte, b'-' | b'.' | b'0'));
    if is_zero { text.replace('-', "") } else { text.replace('-', "−") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_have_the_decimals_that_matter() {
        let labels = [(-123.45, 200.0), (56.0, 56.0), (1.0, 0.0), (-0.001, 0.5), (512.4, 0.0)];
        let labels = labels.map(|(value, extent)| rounded(value, extent));
        assert_eq!(labels, ["−123", "56.0", "1.00", "0.00", "512"]);
    }
}
