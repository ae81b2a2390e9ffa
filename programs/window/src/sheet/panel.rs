//! The pages of a sprite sheet, with the current frame highlighted. A click goes to another frame.

use std::sync::Arc;

use egui::accesskit::Role;
use egui::{
    Align, Color32, ComboBox, CursorIcon, Id, Layout, Pos2, Rect, Response, RichText, Sense, Stroke, StrokeKind,
    TextureHandle, TextureOptions, Ui, Vec2, WidgetInfo, pos2, vec2,
};

use super::sheet_layout::{SheetLayout, SheetPanel};
use crate::playback::Playback;
use crate::scene::on_page::OnPage;
use crate::widgets::actions::{Action, Actions};
use crate::widgets::checkerboard::checkerboard;
use crate::widgets::command::Command;
use crate::widgets::icon::{self, Icon};
use crate::widgets::theme::Palette;
use crate::widgets::{WHOLE, focus, heading, page_image};
use pchr::error::escaped;
use pchr::math;
use pchr::model::{AtlasPage, AttachmentId, PageId};

/// Height in points below the page, for a line about the frame.
const FOOTER: f32 = 24.0;

/// Longest side of a page's texture in pixels: no panel is larger, and larger textures would take long to upload.
const MAX_SIDE: usize = 2048;

/// The page textures of one character.
#[derive(Clone)]
struct PageTextures {
    layout: Arc<SheetLayout>,
    pages: Vec<Option<TextureHandle>>,
}

fn place() -> Id {
    Id::unique("sheet pages")
}

/// Releases the textures while the panel is hidden.
pub fn forget(ui: &Ui) {
    ui.data_mut(|data| data.remove::<PageTextures>(place()));
}

/// Shows the page with the current frame, or the page that the user has chosen.
///
/// `squares` are the colours behind it.
pub fn show(
    ui: &mut Ui,
    sheet: &mut SheetPanel,
    playback: &mut Playback,
    layout: &Arc<SheetLayout>,
    squares: [Color32; 2],
    actions: &mut Actions,
) {
    let frame = playback.posed().and_then(|(_, pose)| pose.slots.first()?.attachment);
    let marked = frame.and_then(|frame| layout.place(frame));
    let page = marked.map(|marked| marked.page);
    if page.is_some() && page != sheet.followed {
        sheet.followed = page;
        sheet.page = page.map_or(sheet.page, PageId::index);
    }
    ui.horizontal(|ui| {
        heading(ui, "Sheet");
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            icon::command(ui, Icon::Close, "Hide the sheet", Command::Sheet, vec2(22.0, 22.0), actions);
        });
    });
    let model = layout.character().model();
    if model.pages().len() > 1 {
        choose_page(ui, model.pages(), &mut sheet.page);
    }
    let number = sheet.page;
    let Some(page) = model.pages().get(number) else { return };
    let room = vec2(ui.available_width(), (ui.available_height() - FOOTER).max(20.0));
    let height = Drawn::new(Rect::from_min_size(ui.cursor().min, room), page, ui.pixels_per_point()).rect.height();
    let (rect, response) = ui.allocate_exact_size(vec2(room.x, height), Sense::click());
    let name = format!("Sheet, page {} of {}", number + 1, model.pages().len());
    response.widget_info(|| WidgetInfo::labeled(Role::Image, true, &name));
    let drawn = Drawn::new(rect, page, ui.pixels_per_point());
    // Leave room for the marker at the edges.
    let painter = ui.painter().with_clip_rect(rect.expand(4.0));
    let palette = Palette::of(ui.visuals());
    painter.rect_filled(drawn.rect, 0.0, squares[0]);
    painter
        .with_clip_rect(drawn.rect.intersect(rect))
        .add(egui::Shape::mesh(checkerboard(drawn.rect, squares[1])));
    painter.image(texture(ui, layout, number, page).id(), drawn.rect, WHOLE, Color32::WHITE);
    let mark = |place: OnPage, color: Color32| {
        let rect = drawn.on_screen(place.rect);
        // The outline is visible on any picture.
        painter.rect_stroke(rect, 0.0, Stroke::new(4.0, palette.sunken), StrokeKind::Outside);
        painter.rect_stroke(rect, 0.0, Stroke::new(2.0, color), StrokeKind::Outside);
    };
    let hovered = hovered(&response, &drawn, layout, sheet.page);
    if let Some(place) = hovered.and_then(|frame| layout.place(frame)).filter(|place| Some(*place) != marked) {
        mark(place, palette.text_weak);
    }
    if let Some(place) = marked.filter(|place| place.page.index() == sheet.page) {
        mark(place, palette.accent);
    }
    footer(ui, layout, frame);
    if let Some(frame) = hovered {
        ui.set_cursor_icon(CursorIcon::PointingHand);
        response.clone().on_hover_text(describe(layout, frame));
    }
    let arrows = focus::arrows(ui, &response);
    if arrows != Vec2::ZERO
        && let Some(next) = layout.neighbour(number, frame, arrows.x + arrows.y > 0.0)
    {
        go_to(sheet, playback, layout, next, actions);
    }
    if response.clicked()
        && let Some(pointer) = response.interact_pointer_pos()
    {
        go_to(sheet, playback, layout, drawn.on_page(pointer), actions);
    }
}

/// Goes to the frame at `point` of the page.
fn go_to(sheet: &SheetPanel, playback: &Playback, layout: &SheetLayout, point: math::Vec2, actions: &mut Actions) {
    let current = playback.animator.playback(0).animation();
    match layout.shown_at(sheet.page, point, current) {
        Some((animation, frame)) => actions.push(Action::ShowFrame(animation, frame)),
        None if layout.frame_at(sheet.page, point).is_some() => actions.notify("No animation shows this frame"),
        None => {}
    }
}

fn choose_page(ui: &mut Ui, pages: &[AtlasPage], shown_page: &mut usize) {
    let name = |number: usize| {
        let file = pages.get(number).map_or("", |page| &page.name);
        format!("{} of {}: {}", number + 1, pages.len(), escaped(file))
    };
    ui.horizontal(|ui| {
        let label = ui.label("Page");
        let combo = ComboBox::from_id_salt("sheet page").selected_text(name(*shown_page));
        let combo = combo.width((ui.available_width() - 8.0).max(40.0)).truncate().show_ui(ui, |ui| {
            for number in 0..pages.len() {
                ui.selectable_value(shown_page, number, name(number));
            }
        });
        combo.response.labelled_by(label.id);
    });
}

/// A page placed on the screen.
struct Drawn {
    rect: Rect,
    /// Points per page pixel.
    scale: f32,
}

impl Drawn {
    /// Fits the page below the upper edge. Enlarges it by whole factors only, so that all pixels are equally
    /// large.
    fn new(room: Rect, page: &AtlasPage, points: f32) -> Self {
        let size = vec2(page.width as f32, page.height as f32);
        let fitting = (room.width() / size.x).min(room.height() / size.y) * points;
        let scale = if fitting > 1.0 { fitting.floor() } else { fitting } / points;
        let left = ((room.center().x - size.x * scale * 0.5) * points).round() / points;
        let top = (room.top() * points).round() / points;
        Self { rect: Rect::from_min_size(pos2(left, top), size * scale), scale }
    }

    fn on_screen(&self, rect: math::Rect) -> Rect {
        let at = |point: math::Vec2| self.rect.min + vec2(point.x, point.y) * self.scale;
        Rect::from_min_max(at(rect.min), at(rect.max))
    }

    fn on_page(&self, point: Pos2) -> math::Vec2 {
        let Vec2 { x, y } = (point - self.rect.min) / self.scale;
        math::vec2(x, y)
    }
}

fn hovered(response: &Response, drawn: &Drawn, layout: &SheetLayout, page: usize) -> Option<AttachmentId> {
    let pointer = response.hover_pos()?;
    layout.frame_at(page, drawn.on_page(pointer))
}

fn describe(layout: &SheetLayout, frame: AttachmentId) -> String {
    let name = escaped(layout.character().model().attachment(frame).name());
    let mut text = format!("Frame {} of {} on the sheet", frame.index() + 1, layout.len());
    if !name.is_empty() {
        text.push_str(&format!("\n{name}"));
    }
    text
}

/// Shows the number and position of the current frame.
fn footer(ui: &mut Ui, layout: &SheetLayout, frame: Option<AttachmentId>) {
    let text = match frame.map(|frame| (frame, layout.place(frame))) {
        Some((frame, Some(OnPage { rect, .. }))) => {
            let (number, size) = (frame.index() + 1, rect.size());
            format!("{number} of {}: {} × {} px at {}, {}", layout.len(), size.x, size.y, rect.min.x, rect.min.y)
        }
        Some((frame, None)) => format!("{} of {}: not on any page", frame.index() + 1, layout.len()),
        None => String::new(),
    };
    ui.add(egui::Label::new(RichText::new(text).small().weak()).truncate());
}

/// Returns the texture of a page, created on first use.
fn texture(ui: &Ui, layout: &Arc<SheetLayout>, number: usize, page: &AtlasPage) -> TextureHandle {
    let known =
        ui.data(|data| data.get_temp::<PageTextures>(place())).filter(|known| Arc::ptr_eq(&known.layout, layout));
    if let Some(texture) = known.as_ref().and_then(|known| known.pages.get(number)?.clone()) {
        return texture;
    }
    let whole = math::Rect::from_min_size(math::Vec2::ZERO, math::vec2(page.width as f32, page.height as f32));
    let image = page_image::part(page, whole, ui.input(|input| input.max_texture_side).min(MAX_SIDE));
    let texture = ui.ctx().load_texture(format!("sheet page {number}"), image, TextureOptions::NEAREST);
    let mut known = known.unwrap_or_else(|| PageTextures { layout: Arc::clone(layout), pages: Vec::new() });
    known.pages.resize(known.pages.len().max(number + 1), None);
    known.pages[number] = Some(texture.clone());
    ui.data_mut(|data| data.insert_temp(place(), known));
    texture
}
