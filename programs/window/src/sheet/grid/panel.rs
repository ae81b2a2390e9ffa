//! The choice of a grid on the canvas: the picture with the grid drawn over it, the numbers, and the frames as they will play.

use std::sync::Arc;

use egui::accesskit::Role;
use egui::{
    Align, Button, Color32, DragValue, Grid as Table, Id, Label, Layout, Rect, RichText, ScrollArea, Sense,
    Stroke, TextureId, TextureOptions, Ui, UiBuilder, WidgetInfo, vec2,
};

use super::{GridChoice, Sheet, Zoom};
use crate::base::memo::ByAddress;
use crate::files::Files;
use crate::widgets::WHOLE;
use crate::widgets::actions::{Action, Actions};
use crate::widgets::checkerboard::checkerboard;
use crate::widgets::command::Command;
use crate::widgets::icon::{self, Icon};
use crate::widgets::kept::{self, kept};
use crate::widgets::theme::Palette;
use crate::widgets::wheel_factor;
use pchr::draw::Picture;
use pchr::formats::Grid;

/// Width of the numbers beside the picture in points, and of a window in which they are above it.
const NUMBERS: f32 = 220.0;
const MIN_WIDTH: f32 = 520.0;
/// Height of the numbers above the picture in points.
const NUMBERS_ABOVE: f32 = 250.0;
const MARGIN: f32 = 16.0;
/// Lines closer than this many points are not drawn, nor are more than this many.
const LEAST_CELL: f32 = 3.0;
const MOST_LINES: u32 = 2000;

/// The rate of frames without a description, unless `--fps` states another.
const FPS: f64 = 10.0;
/// Largest side of the preview in points, the factor of a button, and its size.
const PREVIEW: f32 = 160.0;
const STEP: f32 = 1.5;
const BUTTON: egui::Vec2 = vec2(28.0, 26.0);

/// Shows the picture of the current file and its grid.
pub fn show(ui: &mut Ui, rect: Rect, files: &Files, choice: &mut GridChoice, actions: &mut Actions) {
    let Some(document) = files.current() else { return };
    let area = rect.shrink(MARGIN);
    let layout = Layout::top_down(Align::Min);
    let mut ui = ui.new_child(UiBuilder::new().id_salt("grid").max_rect(area).layout(layout));
    ui.set_clip_rect(rect);
    if !choice.follow(document.path(), &files.read.limits, files.loading.waker.as_ref()) {
        return;
    }
    let GridChoice { read, chosen, wants_focus, zoom, .. } = choice;
    let (Some(Some(sheet)), Some((_, grid))) = (read.answer(), chosen) else {
        ui.label(document.error().unwrap_or_default());
        return;
    };
    let is_wide = area.width() >= MIN_WIDTH;
    let (numbers, picture) = if is_wide {
        area.split_left_right_at_x(area.left() + NUMBERS)
    } else {
        area.split_top_bottom_at_y(area.top() + NUMBERS_ABOVE.min(area.height() * 0.6))
    };
    let room = if is_wide { picture.with_min_x(picture.left() + MARGIN) } else { picture };
    let is_dark = ui.visuals().dark_mode;
    let squares = sheet.tones.squares(is_dark).colors(is_dark).map(|[r, g, b]| Color32::from_rgb(r, g, b));
    let mut beside = ui.new_child(UiBuilder::new().id_salt("numbers").max_rect(numbers).layout(layout));
    ScrollArea::vertical().auto_shrink(false).show(&mut beside, |ui| {
        edit(ui, &document.name(), sheet, grid, wants_focus, actions);
        buttons(ui, room, zoom);
        if is_wide {
            let fps = files.read.fps.filter(|fps| *fps > 0.0).unwrap_or(FPS);
            preview(ui, sheet, *grid, fps, squares);
        }
    });
    enlarge(&ui, room, zoom);
    paint(&ui, room, sheet, *grid, *zoom, squares);
}

/// Shows buttons that enlarge the picture in `room`.
fn buttons(ui: &mut Ui, room: Rect, zoom: &mut Zoom) {
    ui.horizontal(|ui| {
        let middle = room.size() * 0.5;
        for (sign, name, factor) in [(Icon::Minus, "Zoom out", 1.0 / STEP), (Icon::Plus, "Zoom in", STEP)] {
            if icon::button(ui, sign, name, name, BUTTON).clicked() {
                zoom.by(factor, middle);
            }
        }
        if ui.add_enabled(zoom.factor > 1.0, Button::new("Whole picture")).clicked() {
            *zoom = Zoom::default();
        }
    });
}

/// Lets the user enlarge and move the picture in `room` with the mouse.
fn enlarge(ui: &Ui, room: Rect, zoom: &mut Zoom) {
    let picture = ui.interact(room, Id::unique("picture to cut"), Sense::drag());
    if zoom.factor > 1.0 {
        zoom.corner += picture.drag_delta();
    }
    if let Some(pointer) = picture.hover_pos() {
        let (wheel, pinch) = ui.input(|input| (input.smooth_scroll_delta().y, input.zoom_delta()));
        let factor = wheel_factor(wheel) * pinch;
        if factor != 1.0 {
            zoom.by(factor, pointer - room.min);
        }
    }
}

/// Shows the frames one after the other.
fn preview(ui: &mut Ui, sheet: &Sheet, grid: Grid, fps: f64, squares: [Color32; 2]) {
    let [columns, rows] = grid.cells(sheet.size[0], sheet.size[1]);
    let frames = count([columns, rows]).min(grid.count.unwrap_or(u32::MAX));
    if frames == 0 {
        return;
    }
    ui.add_space(8.0);
    ui.label(RichText::new(format!("{frames} frames at {fps} per second")).weak());
    let size = vec2(grid.width as f32, grid.height as f32);
    let (place, response) = ui.allocate_exact_size(size * (PREVIEW / size.max_elem()), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Image, true, "Preview"));
    if !ui.is_rect_visible(place) {
        return;
    }
    let frame = (ui.input(|input| input.time) * fps) as u64 % u64::from(frames);
    let [x, y] = grid.corner((frame % u64::from(columns)) as u32, (frame / u64::from(columns)) as u32);
    let whole = vec2(sheet.size[0] as f32, sheet.size[1] as f32);
    let part = Rect::from_min_size((vec2(x as f32, y as f32) / whole).to_pos2(), size / whole);
    ui.painter().rect_filled(place, 0.0, squares[0]);
    ui.painter()
        .with_clip_rect(place.intersect(ui.clip_rect()))
        .add(egui::Shape::mesh(checkerboard(place, squares[1])));
    ui.painter().image(texture(ui, &sheet.picture), place, part, Color32::WHITE);
    ui.ctx().request_repaint_after_secs((1.0 / fps) as f32);
}

fn edit(ui: &mut Ui, name: &str, sheet: &Sheet, grid: &mut Grid, wants_focus: &mut bool, actions: &mut Actions) {
    let [width, height] = sheet.size;
    ui.add(Label::new(RichText::new(name).heading()).truncate());
    ui.add(
        Label::new(RichText::new(format!("{width} × {height} pixels. How is it cut into frames?")).weak()).wrap(),
    );
    ui.add_space(8.0);
    let cells = grid.cells(width, height);
    let mut columns_and_rows = cells;
    Table::new("numbers of the grid").num_columns(2).show(ui, |ui| {
        let mut number = |ui: &mut Ui, name: &str, value: &mut u32, least: u32, most: u32| {
            let label = ui.label(name);
            let field = ui.add(DragValue::new(value).range(least..=most.max(least)).speed(0.1));
            *wants_focus |= field.labelled_by(label.id).lost_focus();
            ui.end_row();
        };
        number(ui, "Frame width", &mut grid.width, 1, width);
        number(ui, "Frame height", &mut grid.height, 1, height);
        number(ui, "Columns", &mut columns_and_rows[0], 1, width);
        number(ui, "Rows", &mut columns_and_rows[1], 1, height);
        number(ui, "Margin", &mut grid.margin, 0, width.min(height) - 1);
        number(ui, "Spacing", &mut grid.spacing, 0, width.min(height) - 1);
        let fitting = count(grid.cells(width, height));
        let mut frames = grid.count.unwrap_or(fitting).min(fitting);
        number(ui, "Frames", &mut frames, 1, fitting);
        grid.count = Some(frames).filter(|frames| *frames < fitting);
    });
    for axis in [0, 1] {
        if columns_and_rows[axis] != cells[axis] {
            let side = side_for(columns_and_rows[axis], sheet.size[axis], *grid);
            *(if axis == 0 { &mut grid.width } else { &mut grid.height }) = side;
            grid.count = None;
        }
    }
    ui.add_space(8.0);
    let fits = count(grid.cells(width, height)) > 0;
    ui.horizontal(|ui| {
        let play = ui.add_enabled(fits, Button::new("Play").min_size(vec2(96.0, 32.0)));
        if fits && *wants_focus && ui.memory(|memory| memory.focused().is_none()) {
            play.request_focus();
            *wants_focus = false;
        }
        if play.on_disabled_hover_text("No frame fits into the picture").clicked() {
            actions.push(Action::CutInto(*grid));
        }
        let other = Button::new("Open another…").min_size(vec2(108.0, 32.0));
        actions.on_click(ui.add(other), Command::Open);
    });
}

fn count([columns, rows]: [u32; 2]) -> u32 {
    columns.saturating_mul(rows)
}

/// Returns the side of a frame with which `count` of them fill `side`.
fn side_for(count: u32, side: u32, grid: Grid) -> u32 {
    let gaps = u64::from(grid.spacing) * u64::from(count.saturating_sub(1)) + u64::from(grid.margin);
    let room = u64::from(side).saturating_sub(gaps);
    u32::try_from(room / u64::from(count.max(1))).unwrap_or(u32::MAX).max(1)
}

/// Paints the picture with the frames outlined.
fn paint(ui: &Ui, room: Rect, sheet: &Sheet, grid: Grid, zoom: Zoom, squares: [Color32; 2]) {
    let size = vec2(sheet.size[0] as f32, sheet.size[1] as f32);
    let points = ui.pixels_per_point();
    let fitting = (room.width() / size.x).min(room.height() / size.y) * points;
    // Enlarged by whole factors, so that all pixels are equally large.
    let scale = if fitting > 1.0 { fitting.floor() } else { fitting.max(0.0) } / points * zoom.factor;
    let corner = ((room.min + zoom.corner) * points).round() / points;
    let place = Rect::from_min_size(corner, size * scale);
    let painter = ui.painter().with_clip_rect(room.expand(2.0).intersect(ui.clip_rect()));
    painter.rect_filled(place, 0.0, squares[0]);
    painter
        .with_clip_rect(place.intersect(painter.clip_rect()))
        .add(egui::Shape::mesh(checkerboard(place, squares[1])));
    painter.image(texture(ui, &sheet.picture), place, WHOLE, Color32::WHITE);
    let [columns, rows] = grid.cells(sheet.size[0], sheet.size[1]);
    if (grid.width.min(grid.height) as f32) * scale < LEAST_CELL || columns.saturating_add(rows) > MOST_LINES {
        return;
    }
    let palette = Palette::of(ui.visuals());
    let frames = grid.count.unwrap_or(u32::MAX);
    let cell = vec2(grid.width as f32, grid.height as f32) * scale;
    for row in 0..rows {
        for column in 0..columns {
            if row.saturating_mul(columns).saturating_add(column) >= frames {
                return;
            }
            let [x, y] = grid.corner(column, row);
            let frame = Rect::from_min_size(corner + vec2(x as f32, y as f32) * scale, cell);
            if ui.is_rect_visible(frame) {
                painter.rect_stroke(frame, 0.0, Stroke::new(1.0, palette.accent), egui::StrokeKind::Inside);
            }
        }
    }
}

/// Returns the texture of a picture, created on first use.
fn texture(ui: &Ui, picture: &Arc<Picture>) -> TextureId {
    let load = || ui.ctx().load_texture("sheet to cut", kept::image(picture), TextureOptions::NEAREST);
    kept(ui, Id::unique("sheet to cut"), ByAddress::of(picture), load).id()
}
