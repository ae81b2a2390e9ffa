//! Paints keys as they look on a keyboard: rounded caps.

use std::sync::Arc;

use egui::{FontId, Galley, Pos2, Rect, Stroke, StrokeKind, Ui, Vec2, pos2, vec2};

use super::theme::Palette;

/// Height of a cap, space beside its text, and gaps between caps, in points.
const HEIGHT: f32 = 20.0;
const MARGIN: f32 = 6.0;
const GAP: f32 = 3.0;
/// Font sizes of the caps and of the word between two bindings.
const CAP_TEXT: f32 = 12.0;
const WORD_TEXT: f32 = 11.5;

/// The laid-out caps of a command.
#[derive(Debug)]
pub struct Caps {
    parts: Vec<Part>,
    /// The size of all caps in points.
    pub size: Vec2,
}

#[derive(Debug)]
enum Part {
    Cap(Arc<Galley>),
    Word(Arc<Galley>),
}

impl Part {
    fn width(&self) -> f32 {
        match self {
            Self::Cap(text) => (text.size().x + 2.0 * MARGIN).max(HEIGHT),
            Self::Word(text) => text.size().x + 2.0 * GAP,
        }
    }
}

/// Lays out the keys of each binding.
pub fn layout(ui: &Ui, bindings: &[Vec<&str>]) -> Caps {
    let palette = Palette::of(ui.visuals());
    let text = |text: &str, size: f32, color| {
        ui.painter().layout_no_wrap(text.to_owned(), FontId::proportional(size), color)
    };
    let mut parts = Vec::new();
    for keys in bindings {
        if !parts.is_empty() {
            parts.push(Part::Word(text("or", WORD_TEXT, palette.text_weak)));
        }
        parts.extend(keys.iter().map(|key| Part::Cap(text(key, CAP_TEXT, palette.text))));
    }
    let gaps = parts.len().saturating_sub(1) as f32 * GAP;
    let size = vec2(parts.iter().map(Part::width).sum::<f32>() + gaps, HEIGHT);
    Caps { parts, size }
}

impl Caps {
    /// Paints the caps with the middle of their left edge at `left`.
    pub fn paint(self, ui: &Ui, left: Pos2) {
        self.paint_with(ui, left, 1.0);
    }

    /// Paints the caps with the middle of their right edge at `right`.
    pub fn paint_ending(self, ui: &Ui, right: Pos2) {
        let left = right - vec2(self.size.x, 0.0);
        self.paint(ui, left);
    }

    /// Like [`Self::paint`], with this opacity.
    pub fn paint_with(self, ui: &Ui, left: Pos2, opacity: f32) {
        let mut painter = ui.painter().clone();
        painter.multiply_opacity(opacity);
        let palette = Palette::of(ui.visuals());
        let mut x = left.x;
        for part in self.parts {
            let rect = Rect::from_min_size(pos2(x, left.y - 0.5 * HEIGHT), vec2(part.width(), HEIGHT));
            x = rect.right() + GAP;
            let text = match part {
                Part::Cap(text) => {
                    // The lower edge is the side of the key.
                    painter.rect_filled(rect.translate(vec2(0.0, 1.0)), 4.0, palette.line);
                    let stroke = Stroke::new(1.0, palette.line);
                    painter.rect(rect, 4.0, palette.sunken, stroke, StrokeKind::Inside);
                    text
                }
                Part::Word(text) => text,
            };
            painter.galley(rect.center() - 0.5 * text.size(), text, palette.text);
        }
    }
}
