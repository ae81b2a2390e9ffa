//! The preview and the extent of the export.

use egui::accesskit::Role;
use egui::{
    CollapsingHeader, Color32, DragValue, Id, Rect, RichText, Sense, TextureFilter, TextureHandle, TextureOptions,
    Ui, WidgetInfo, vec2,
};

use crate::base::name::many;
use crate::export::{Estimate, Export, Preview, SheetEstimate};
use crate::widgets::WHOLE;
use crate::widgets::check_box;
use crate::widgets::checkerboard::checkerboard;
use crate::widgets::kept::{self, kept};
use crate::widgets::theme::Palette;
use pchr::draw::Picture;

/// Height in points below the picture, for a check box and a line.
const FOOTER: f32 = 60.0;
/// Seconds between two checks for a new preview.
const POLL_SECS: f32 = 0.03;

fn place() -> Id {
    Id::unique("export preview")
}

/// Releases the texture after the dialog was closed.
pub fn forget(ui: &Ui) {
    kept::forget::<u64, TextureHandle>(ui, place());
}

/// Shows the preview below a heading, folded until the user opens it, and its extent while it is folded: in a low window
/// the choices come first.
pub fn show_folded(ui: &mut Ui, export: &mut Export, checker: [Color32; 2], height: f32) {
    let answer = update(ui, export).filter(|_| export.target.is_none());
    let fold = CollapsingHeader::new("Preview").id_salt("folded preview").default_open(false);
    if !fold.show(ui, |ui| show(ui, export, checker, height)).fully_closed() {
        return;
    }
    let text = match answer.map(|answer| answer.estimate) {
        Some(Ok(Estimate { sheet: Some(sheet), rate, .. })) => sheet_summary(&sheet, rate),
        Some(Ok(estimate)) => summary(&estimate),
        Some(Err(error)) => error,
        None => return,
    };
    ui.label(RichText::new(text).weak());
}

/// Asks for the preview of the current choices, and returns the last one.
fn update(ui: &Ui, export: &mut Export) -> Option<Preview> {
    let seconds = ui.input(|input| input.time);
    let request = export.preview_request(seconds);
    export.previewer.show(request);
    let answer = export.previewer.answer();
    if export.previewer.is_busy() {
        ui.request_repaint_after_secs(POLL_SECS);
    }
    answer
}

/// Shows the preview, at most `height` points high, over squares of the colours `checker`.
pub fn show(ui: &mut Ui, export: &mut Export, checker: [Color32; 2], height: f32) {
    let answer = update(ui, export);
    let size = vec2(ui.available_width(), (height - FOOTER).max(40.0));
    let (rect, response) = ui.allocate_exact_size(size, Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Image, true, "Preview"));
    let palette = Palette::of(ui.visuals());
    let painter = ui.painter().with_clip_rect(rect);
    painter.rect_filled(rect, 6.0, checker[0]);
    painter.add(egui::Shape::mesh(checkerboard(rect, checker[1])));
    let Some(answer) = answer else { return };
    if answer.estimate.is_ok() && answer.picture.width() > 0 {
        let texture = texture(ui, answer.number, &answer.picture);
        painter.image(texture.id(), placed(rect, &answer.picture, ui.pixels_per_point()), WHOLE, Color32::WHITE);
    }
    if export.target.is_some() {
        ui.label(RichText::new("The whole character is written, with all animations").weak());
        return;
    }
    match &answer.estimate {
        Ok(Estimate { sheet: Some(sheet), rate, .. }) => {
            ui.horizontal(|ui| page(ui, sheet, &mut export.page));
            ui.label(RichText::new(sheet_summary(sheet, *rate)).weak());
        }
        Ok(estimate) => {
            ui.horizontal(|ui| {
                let can_play = estimate.pictures > 1 && !export.is_sheet();
                ui.add_enabled_ui(can_play, |ui| check_box::show(ui, &mut export.plays, "Play preview"));
            });
            ui.label(RichText::new(summary(estimate)).weak());
            if export.plays && estimate.pictures > 1 && !export.is_sheet() {
                ui.request_repaint_after_secs((1.0 / estimate.rate).clamp(0.016, 1.0) as f32);
            }
        }
        Err(error) => {
            ui.add(egui::Label::new(RichText::new(error).color(palette.error)).selectable(true));
        }
    }
}

/// Returns the texture of a preview, uploading it once.
fn texture(ui: &Ui, number: u64, picture: &Picture) -> TextureHandle {
    kept(ui, place(), number, || {
        let options = TextureOptions { magnification: TextureFilter::Nearest, ..TextureOptions::LINEAR };
        ui.ctx().load_texture("export preview", kept::image(picture), options)
    })
}

/// Centres the picture in `rect`: as large as a whole number of screen pixels per pixel allows, or scaled down if it
/// does not fit.
fn placed(rect: Rect, picture: &Picture, pixels_per_point: f32) -> Rect {
    let size = vec2(picture.width() as f32, picture.height() as f32) / pixels_per_point;
    let fitting = (rect.width() / size.x).min(rect.height() / size.y);
    let scale = if fitting >= 1.0 { fitting.floor() } else { fitting };
    let corner = (rect.center() - 0.5 * scale * size) * pixels_per_point;
    Rect::from_min_size(corner.round() / pixels_per_point, size * scale)
}

/// Shows the page number of a sheet that has several pages.
fn page(ui: &mut Ui, sheet: &SheetEstimate, page: &mut usize) {
    let count = sheet.pages.len();
    if count < 2 {
        *page = 0;
        ui.label("");
        return;
    }
    let label = ui.label("Page");
    // Page numbers start at 1.
    let mut number = sheet.page.max(*page).min(count - 1) + 1;
    ui.add(DragValue::new(&mut number).range(1..=count).speed(0.05)).labelled_by(label.id);
    *page = number - 1;
    ui.label(RichText::new(format!("of {count}")).weak());
}

fn sheet_summary(SheetEstimate { sheets, frames, pages, page }: &SheetEstimate, rate: f64) -> String {
    let [width, height] = pages.get(*page).copied().unwrap_or_default();
    let where_to = match pages.len() {
        1 => format!("a page of {width} × {height} px"),
        count => format!("{count} pages, this one {width} × {height} px"),
    };
    let mut text = format!("{} on {where_to}, {:.2} s", many(*frames, "frame"), *frames as f64 / rate);
    if *sheets > 1 {
        text.push_str(&format!("; first of {sheets} sheets"));
    }
    text
}

fn summary(estimate: &Estimate) -> String {
    let Estimate { pictures, files, size: [width, height], rate, sheet: _ } = estimate;
    let mut text = format!("{} · {width} × {height} px", many(*pictures, "frame"));
    if *pictures > 1 && *rate > 0.0 {
        text.push_str(&format!(" · {:.2} s", *pictures as f64 / rate));
    }
    text.push_str(&format!(" · {}", many(*files, "file")));
    text
}
