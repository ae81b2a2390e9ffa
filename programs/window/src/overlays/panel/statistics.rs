//! The statistics in the upper-right corner of the canvas.

use egui::accesskit::Role;
use egui::{Align2, Color32, FontId, Rect, Sense, Stroke, Ui, WidgetInfo, pos2, vec2};

use crate::overlays::statistics::{FRAMES, Statistics};

/// Light on dark, whatever the background and the theme.
const BACKGROUND: Color32 = Color32::from_rgba_premultiplied(8, 9, 11, 214);
const NAME: Color32 = Color32::from_gray(165);
const VALUE: Color32 = Color32::from_gray(240);
const BAR: Color32 = Color32::from_rgb(0x6c, 0xb6, 0xff);
const LONG: Color32 = Color32::from_rgb(0xf2, 0xc0, 0x6b);

/// Sizes in points.
const WIDTH: f32 = 200.0;
const ROW: f32 = 15.0;
const GRAPH: f32 = 36.0;
const PADDING: f32 = 10.0;
const FONT: f32 = 11.0;

/// The time of a frame at 60 Hz in milliseconds. The graph shows at least twice as much.
const SIXTIETH: f32 = 1000.0 / 60.0;

/// Shows the statistics on the canvas at `rect` while they are on.
pub fn show(ui: &Ui, rect: Rect, statistics: &Statistics) {
    if !statistics.is_shown() {
        return;
    }
    let lines = statistics.lines();
    let font = FontId::monospace(FONT);
    let painter = ui.painter().with_clip_rect(rect);
    let width = WIDTH.min(rect.width() - 20.0).max(1.0);
    let screen = painter.layout(statistics.screen.clone(), font.clone(), NAME, width - 2.0 * PADDING);
    let screen_height = if statistics.screen.is_empty() { 0.0 } else { screen.size().y + 4.0 };
    let height = 2.0 * PADDING + GRAPH + 6.0 + lines.len() as f32 * ROW + screen_height;
    let place = Align2::RIGHT_TOP.anchor_size(rect.right_top() + vec2(-10.0, 10.0), vec2(width, height));
    painter.rect_filled(place, 6.0, BACKGROUND);
    let inner = place.shrink(PADDING);
    let graph = Rect::from_min_size(inner.min, vec2(inner.width(), GRAPH));
    paint_graph(&painter, graph, statistics.frames());
    let mut y = graph.bottom() + 6.0 + ROW * 0.5;
    for (name, value) in &lines {
        painter.text(pos2(inner.left(), y), Align2::LEFT_CENTER, name, font.clone(), NAME);
        painter.text(pos2(inner.right(), y), Align2::RIGHT_CENTER, value, font.clone(), VALUE);
        y += ROW;
    }
    painter.galley(pos2(inner.left(), y - ROW * 0.5 + 4.0), screen, NAME);
    // Not on every frame of a running animation: screen readers would read the numbers all the time.
    let response = ui.interact(place.intersect(rect), ui.scope_id().with("statistics"), Sense::hover());
    response.widget_info(|| {
        let lines: Vec<String> = lines.iter().map(|(name, value)| format!("{name} {}", value.trim())).collect();
        WidgetInfo::labeled(Role::Label, true, format!("Statistics: {}; {}", lines.join(", "), statistics.screen))
    });
}

/// Paints a bar for each frame, the newest at the right, and a line at 60 Hz.
fn paint_graph(painter: &egui::Painter, rect: Rect, frames: impl ExactSizeIterator<Item = f32> + Clone) {
    let most = frames.clone().fold(2.0 * SIXTIETH, f32::max);
    let at = |millis: f32| rect.bottom() - rect.height() * (millis / most).clamp(0.0, 1.0);
    let step = rect.width() / FRAMES as f32;
    let mut x = rect.right() - step * frames.len() as f32;
    for millis in frames {
        let color = if millis > SIXTIETH * 1.05 { LONG } else { BAR };
        let bar = Rect::from_min_max(pos2(x, at(millis).min(rect.bottom() - 1.0)), pos2(x + step, rect.bottom()));
        painter.rect_filled(bar, 0.0, color);
        x += step;
    }
    painter.hline(rect.x_range(), at(SIXTIETH), Stroke::new(1.0, Color32::from_white_alpha(70)));
}
