//! One file of the gallery: its picture, which plays under the pointer and while it has the focus, its name, its format
//! and its findings.

use egui::accesskit::Role;
use egui::{
    Align2, Color32, Id, Rect, Response, RichText, Sense, Stroke, StrokeKind, TextStyle, TextWrapMode, TextureId,
    Ui, Vec2, WidgetInfo, WidgetText, pos2, vec2,
};

use crate::files::gallery::entry::{Entry, Facts, Texture, Thumbnail};
use crate::files::gallery::thumbnail::COLUMNS;
use crate::files::gallery::{Gallery, Strip};
use crate::widgets::WHOLE;
use crate::widgets::theme::Palette;

/// Space around a picture in points.
const PADDING: f32 = 8.0;
/// Height of the name, and of each line below it.
const NAME: f32 = 20.0;
const LINE: f32 = 16.0;

/// Returns the size of a tile in points, whose picture has this side, and which may have a line for the folder.
pub fn size(picture: f32, has_folder: bool) -> Vec2 {
    let lines = if has_folder { 2.0 } else { 1.0 };
    vec2(picture + 2.0 * PADDING, picture + NAME + lines * LINE + 3.0 * PADDING)
}

/// A tile that was laid out.
pub struct Tile {
    pub response: Response,
    pub is_visible: bool,
    /// The pointer is on it, or it has the focus.
    pub is_pointed: bool,
    /// The user has asked for its findings.
    pub wants_findings: bool,
}

impl Tile {
    /// Shows the file at `index`, and moves the focus to it if `takes_focus`.
    pub fn show(ui: &Ui, rect: Rect, gallery: &mut Gallery, index: usize, takes_focus: bool) -> Self {
        let id = Id::unique(("tile", gallery.entries.get(index).map(|entry| &entry.path)));
        let response = ui.interact(rect, id, Sense::click());
        if takes_focus {
            response.request_focus();
        }
        response.widget_info(|| {
            let entry = gallery.entries.get(index);
            let is_selected = entry.is_some_and(|entry| gallery.selection.has(&entry.path));
            WidgetInfo::selected(Role::Button, true, is_selected, entry.map(Entry::describe).unwrap_or_default())
        });
        let is_visible = ui.is_rect_visible(rect);
        let is_pointed = response.hovered() || response.has_focus();
        let mut wants_findings = false;
        if is_visible {
            let still = gallery.texture(ui, index);
            wants_findings = paint(ui, rect, gallery, index, still, is_pointed);
        }
        let response = match gallery.entries.get(index) {
            Some(entry) if response.hovered() => {
                let mut text = entry.path.display().to_string();
                if let Some(error) = entry.facts.as_ref().and_then(|facts| facts.error.as_ref()) {
                    text.push_str(&format!("\n{error}"));
                }
                response.on_hover_text(pchr::error::escaped(&text))
            }
            _ => response,
        };
        Self { response, is_visible, is_pointed, wants_findings }
    }
}

/// Paints a tile. Returns true if the user clicks its findings.
fn paint(
    ui: &Ui,
    rect: Rect,
    gallery: &mut Gallery,
    index: usize,
    still: Option<TextureId>,
    is_pointed: bool,
) -> bool {
    let palette = Palette::of(ui.visuals());
    let painter = ui.painter();
    if is_pointed {
        painter.rect_filled(rect, 8.0, ui.visuals().widgets.hovered.weak_bg_fill);
    }
    let side = rect.width() - 2.0 * PADDING;
    let picture = Rect::from_min_size(rect.min + Vec2::splat(PADDING), Vec2::splat(side));
    painter.rect_filled(picture, 6.0, palette.panel);
    let Some(entry) = gallery.entries.get(index) else { return false };
    if gallery.selection.has(&entry.path) {
        painter.rect_stroke(rect, 8.0, Stroke::new(2.0, palette.accent), StrokeKind::Inside);
    }
    let playing = gallery.strips.iter_mut().find(|strip| is_pointed && strip.path == entry.path);
    match (playing.and_then(|strip| strip.at(ui)), still) {
        (Some((texture, part)), _) => _ = painter.image(texture, picture, part, Color32::WHITE),
        (None, Some(texture)) => _ = painter.image(texture, picture, WHOLE, Color32::WHITE),
        (None, None) => instead(ui, picture, entry),
    }
    let facts = entry.facts.as_ref();
    let color = if facts.is_some_and(|facts| facts.error.is_some()) { palette.error } else { palette.text };
    let mut top = picture.bottom() + PADDING * 0.5;
    let line = |text: RichText, style, color, top: f32, right: f32| {
        let room = (right - picture.left()).max(0.0);
        let galley = WidgetText::from(text).into_galley(ui, Some(TextWrapMode::Truncate), room, style);
        painter.galley_with_override_text_color(pos2(picture.left(), top), galley, color);
    };
    line(RichText::new(&entry.name), TextStyle::Body, color, top, picture.right());
    top += NAME;
    let badge = facts.and_then(|facts| badge(ui, pos2(picture.right(), top), entry, facts));
    let right = badge.as_ref().map_or(picture.right(), |badge| badge.rect.left() - 6.0);
    let format = facts.map_or("", |facts| &facts.format);
    line(RichText::new(format).small(), TextStyle::Small, palette.text_weak, top, right);
    top += LINE;
    line(RichText::new(&entry.folder).small(), TextStyle::Small, palette.text_weak, top, picture.right());
    badge.is_some_and(|badge| badge.clicked())
}

/// Shows how much is wrong to the left of a point: a button, which only the pointer reaches, for the list of findings.
fn badge(ui: &Ui, right_top: egui::Pos2, entry: &Entry, facts: &Facts) -> Option<Response> {
    let palette = Palette::of(ui.visuals());
    let text = facts.found()?;
    let is_error = facts.error.is_some() || facts.errors > 0;
    let color = if is_error { palette.error } else { palette.warning };
    let galley = ui.painter().layout_no_wrap(text, TextStyle::Small.resolve(ui.style()), color);
    let place = Align2::RIGHT_TOP.anchor_size(right_top, galley.size());
    let response = ui.interact(place, Id::unique(("findings", &entry.path)), Sense::CLICK);
    if response.hovered() {
        ui.painter().hline(place.x_range(), place.bottom(), Stroke::new(1.0, color));
    }
    ui.painter().galley(place.min, galley, color);
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("Show findings of {}", entry.name)));
    Some(response.on_hover_text("Open the file, and list what is wrong with it"))
}

/// Paints why there is no picture.
fn instead(ui: &Ui, picture: Rect, entry: &Entry) {
    let palette = Palette::of(ui.visuals());
    let error = entry.facts.as_ref().and_then(|facts| facts.error.as_deref());
    let (text, color) = match (&entry.thumbnail, error) {
        (_, Some(error)) => (error, palette.error),
        (Thumbnail::Unavailable, None) => ("Nothing is visible", palette.text_weak),
        (Thumbnail::Wanted | Thumbnail::Decoded(_) | Thumbnail::Uploaded(..), None) => ("…", palette.text_weak),
    };
    let inside = picture.shrink(PADDING);
    let text: String = text.chars().take(200).collect();
    let font = TextStyle::Small.resolve(ui.style());
    let galley = ui.painter().layout(text, font, color, inside.width());
    let place = Align2::CENTER_CENTER.anchor_size(inside.center(), galley.size());
    ui.painter().with_clip_rect(inside.intersect(ui.clip_rect())).galley(inside.clamp(place.min), galley, color);
}

impl Strip {
    /// Returns the texture and the part of it to show now, and asks for a frame when it changes.
    fn at(&mut self, ui: &Ui) -> Option<(TextureId, Rect)> {
        if let Some(picture) = self.picture.take() {
            let name = "thumbnails that play";
            self.texture = Some(Texture(ui.ctx().load_texture(name, picture, egui::TextureOptions::LINEAR)));
        }
        let (texture, count) = (self.texture.as_ref()?, self.count.max(1) as usize);
        let now = ui.input(|input| input.time);
        let at = if count > 1 && self.picture_secs > 0.0 {
            let position = now / self.picture_secs;
            let left = (1.0 - position.fract()) * self.picture_secs;
            ui.ctx().request_repaint_after_secs(left.max(0.01) as f32);
            position as usize % count
        } else {
            0
        };
        let (columns, rows) = (count.min(COLUMNS), count.div_ceil(COLUMNS));
        let size = vec2(1.0 / columns as f32, 1.0 / rows as f32);
        let corner = vec2((at % COLUMNS) as f32, (at / COLUMNS) as f32) * size;
        Some((texture.0.id(), Rect::from_min_size(corner.to_pos2(), size)))
    }
}
