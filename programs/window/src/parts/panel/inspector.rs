//! The inspector: what is known about the selection, in a corner of the canvas. The canvas keeps its size, so that the
//! picture does not move under the pointer.

use std::sync::Arc;

use egui::{
    Align, Color32, ComboBox, Frame, Id, Label, Layout, Link as LinkButton, Margin, Rect, RichText, ScrollArea,
    Sense, Stroke, TextureHandle, TextureOptions, Ui, UiBuilder, pos2, vec2,
};

use super::PartsPanel;
use crate::base::memo::ByAddress;
use crate::base::name::shown as shown_name;
use crate::parts::inspection::{Inspection, Inspector, Line, PickedPoint, number, picked_point, transform};
use crate::scene::on_page::on_page;
use crate::scene::selection::Selected;
use crate::widgets::actions::{Action, Actions};
use crate::widgets::command::Command;
use crate::widgets::icon::{self, Icon};
use crate::widgets::kept::{self, kept};
use crate::widgets::theme::Palette;
use crate::widgets::{WHOLE, heading, name, page_image};
use pchr::Character;
use pchr::error::and_more;
use pchr::model::{AttachmentId, SlotId};
use pchr::outline::Link;

/// Width in points beside the character, and margin to the canvas.
const WIDTH: f32 = 264.0;
const MARGIN: f32 = 10.0;
/// Canvas width in points below which the inspector is below the character.
const MIN_WIDTH_BESIDE: f32 = 600.0;
/// Width in points from which the facts and the transform are side by side.
const MIN_WIDTH_OF_TWO: f32 = 420.0;
/// Share of the canvas' height that it takes below the character, and its least height in points.
const SHARE_BELOW: f32 = 0.45;
const MIN_BELOW: f32 = 120.0;
/// Canvas height in points below which only its title is below the character, until the user unfolds it.
const LOW: f32 = 320.0;
/// Height in points of its title.
const FOLDED: f32 = 48.0;
/// Width in points of the names of facts, height of a line, and font size.
const NAMES: f32 = 72.0;
const LINE: f32 = 18.0;
const TEXT: f32 = 12.5;
/// A longer list of bones or attachments is cut off.
const MAX_LINKS: usize = 60;
/// Maximum size of the picture of a region, in points and in pixels.
const PICTURE: f32 = 96.0;
const PICTURE_PIXELS: usize = 256;

/// The attachment whose picture is shown.
type Known = (ByAddress<Character>, AttachmentId);

fn known_at() -> Id {
    Id::unique("picture of the selection")
}

/// The lines of the inspector about the point, the pose and the file.
struct Shown<'a> {
    inspection: &'a Inspection,
    transform: Option<[(&'static str, [String; 2]); 6]>,
    point: Option<(PickedPoint, Vec<Link>)>,
}

/// Shows the inspector over the canvas at `rect` while something is selected. Returns the part of the canvas that it
/// leaves free.
pub fn show(ui: &mut Ui, rect: Rect, state: &mut PartsPanel<'_>) -> Rect {
    let Some(selected) = state.parts.selected else {
        kept::forget::<Known, TextureHandle>(ui, known_at());
        return rect;
    };
    let Some(character) = state.playback.character().map(Arc::clone) else { return rect };
    let model = character.model();
    let inspection = state.parts.inspector.inspect(&character, selected);
    let point = picked_point(model, &state.parts.picking, selected);
    let point = point.map(|point| {
        let links = point.weights.iter().map(|(bone, _)| Link::to(Selected::Bone(*bone), model)).collect();
        (point, links)
    });
    let transform = inspection.bone.and_then(|bone| {
        let (model, pose) = state.playback.posed()?;
        transform(model, pose, bone)
    });
    let shown = Shown { inspection: &inspection, transform, point };

    let is_folded = is_folded(state, rect);
    let (place, free) = places(rect, is_folded);
    let mut inner = ui.new_child(UiBuilder::new().id_salt("inspector").max_rect(place));
    inner.set_clip_rect(rect);
    let palette = Palette::of(ui.visuals());
    let frame = Frame::new().fill(palette.panel).stroke(Stroke::new(1.0, palette.line)).corner_radius(8);
    let mut picked = None;
    frame.inner_margin(Margin::same(10)).show(&mut inner, |ui| {
        ui.set_width((place.width() - 20.0).max(1.0));
        // Clicks and drags between the lines are not for the canvas below.
        ui.interact(ui.max_rect().expand(10.0), Id::unique("inspector"), Sense::CLICK | Sense::DRAG);
        title(ui, state, &shown, rect);
        if is_folded {
            return;
        }
        let room = (place.bottom() - ui.cursor().top() - 10.0).max(1.0);
        let area =
            ScrollArea::vertical().id_salt(("inspector", selected)).max_height(room).auto_shrink([false, true]);
        area.min_scrolled_height(room).show(ui, |ui| {
            ui.spacing_mut().item_spacing.y = 3.0;
            ui.spacing_mut().interact_size.y = LINE;
            // Beside the scroll bar.
            ui.set_max_width((ui.available_width() - 8.0).max(1.0));
            if let Some((slot, names)) = &shown.inspection.slot {
                choice(ui, state, *slot, names);
            }
            if ui.available_width() < MIN_WIDTH_OF_TWO {
                table(ui, &shown);
                ui.add_space(4.0);
                picked = facts(ui, &shown, state.actions);
                return picture(ui, &shown, &character);
            }
            ui.columns(2, |columns| {
                picked = facts(&mut columns[0], &shown, state.actions);
                table(&mut columns[1], &shown);
                picture(&mut columns[1], &shown, &character);
            });
        });
    });
    if let Some(picked) = picked {
        state.parts.selected = Some(picked);
    }
    free
}

/// Shows the facts of the file and the picked point.
fn facts(ui: &mut Ui, shown: &Shown<'_>, actions: &mut Actions) -> Option<Selected> {
    let picked = lines(ui, &shown.inspection.lines);
    if shown.inspection.has_keys {
        line(ui, "Key", |ui| {
            let link = ui.add(LinkButton::new(RichText::new("Copy pointer").size(TEXT)));
            actions.on_click(link, Command::CopyPointer);
        });
    }
    let Some((point, links)) = &shown.point else { return picked };
    picked.or(weights(ui, point, links))
}

/// Returns whether the inspector shows its title only.
fn is_folded(state: &PartsPanel<'_>, rect: Rect) -> bool {
    let Inspector { is_folded, covers_low_canvas, .. } = state.parts.inspector;
    if is_low(rect) { !covers_low_canvas } else { is_folded }
}

/// Shows or hides the details.
fn toggle(state: &mut PartsPanel<'_>, rect: Rect) {
    let flag = match is_low(rect) {
        true => &mut state.parts.inspector.covers_low_canvas,
        false => &mut state.parts.inspector.is_folded,
    };
    *flag = !*flag;
}

/// Returns true if the details would cover most of the canvas.
fn is_low(rect: Rect) -> bool {
    rect.width() < MIN_WIDTH_BESIDE && rect.height() < LOW
}

/// Returns the place of the inspector on the canvas, and the rest of the canvas.
fn places(rect: Rect, is_folded: bool) -> (Rect, Rect) {
    let inside = rect.shrink(MARGIN.min(rect.width() * 0.1).min(rect.height() * 0.1));
    if rect.width() >= MIN_WIDTH_BESIDE {
        let left = inside.right() - WIDTH;
        let place = Rect::from_min_max(pos2(left, inside.top()), inside.max);
        return (place, Rect::from_min_max(rect.min, pos2(left, rect.bottom())));
    }
    let height = if is_folded { FOLDED } else { (rect.height() * SHARE_BELOW).max(MIN_BELOW) };
    let top = (inside.bottom() - height).max(inside.top());
    let place = Rect::from_min_max(pos2(inside.left(), top), inside.max);
    (place, Rect::from_min_max(rect.min, pos2(rect.right(), top)))
}

fn title(ui: &mut Ui, state: &mut PartsPanel<'_>, shown: &Shown<'_>, rect: Rect) {
    let Inspection { kind, name, symbol, .. } = shown.inspection;
    ui.horizontal(|ui| {
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.spacing_mut().item_spacing.x = 2.0;
            let size = vec2(22.0, 22.0);
            if icon::button(ui, Icon::Close, "Clear the selection", "Clear the selection  (Esc)", size).clicked() {
                state.parts.selected = None;
            }
            let (fold, label) = match is_folded(state, rect) {
                true => (Icon::Plus, "Show the details"),
                false => (Icon::Minus, "Hide the details"),
            };
            if icon::button(ui, fold, label, label, size).clicked() {
                toggle(state, rect);
            }
            if icon::button(ui, Icon::Copy, "Copy the details", "Copy the details as text", size).clicked() {
                ui.copy_text(as_text(shown));
                state.actions.notify("Copied the details");
            }
            let mut play =
                || icon::button(ui, Icon::Play, "Play the symbol", "Play the symbol by itself", size).clicked();
            if let Some(symbol) = symbol.as_ref().filter(|_| play()) {
                state.actions.push(Action::PlaySymbol(symbol.clone()));
            }
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                ui.spacing_mut().item_spacing.x = 6.0;
                ui.label(RichText::new(*kind).small().weak());
                ui.add(Label::new(RichText::new(name).strong()).truncate().selectable(true));
            });
        });
    });
}

/// Shows what a slot shows: as animated, or what the user chooses among `names`.
fn choice(ui: &mut Ui, state: &mut PartsPanel<'_>, slot: SlotId, names: &[String]) {
    const AS_ANIMATED: &str = "as animated";
    const NOTHING: &str = "nothing";
    let animator = &mut state.playback.animator;
    let chosen = animator.slot_overrides().iter().find(|put| put.slot == slot).and_then(|put| put.attachment);
    // By its key in a skin, which may differ from its own name.
    let keys = animator.model().skins().iter().flat_map(|skin| &skin.entries).filter(|entry| entry.slot == slot);
    let key =
        |id: AttachmentId| keys.clone().find(|entry| entry.attachment == id).map(|entry| entry.key.to_string());
    let chosen = chosen.map(|shown| shown.map(|id| key(id).unwrap_or_default()));
    let mut wanted = chosen.clone();
    line(ui, "Shows", |ui| {
        let text = match &chosen {
            None => AS_ANIMATED.to_owned(),
            Some(None) => NOTHING.to_owned(),
            Some(Some(name)) => shown_name(name),
        };
        let choice =
            ComboBox::from_id_salt("attachment of the slot").selected_text(text).width(ui.available_width());
        let choice = choice.truncate().show_ui(ui, |ui| {
            ui.selectable_value(&mut wanted, None, AS_ANIMATED);
            ui.selectable_value(&mut wanted, Some(None), NOTHING);
            for name in names {
                ui.selectable_value(&mut wanted, Some(Some(name.clone())), shown_name(name));
            }
        });
        name(ui, &choice.response, "Attachment");
    });
    if wanted == chosen {
        return;
    }
    let done = match wanted {
        None => animator.release_slot(slot),
        Some(name) => animator.set_attachment(slot, name.as_deref()),
    };
    if let Err(error) = done {
        state.actions.fail(error.to_string());
    }
}

/// Adds the name of a line.
fn name_of_line(ui: &mut Ui, name: &str) {
    let (rect, _) = ui.allocate_exact_size(vec2(NAMES, LINE), Sense::hover());
    let mut names = ui.new_child(UiBuilder::new().max_rect(rect));
    names.add(Label::new(RichText::new(name).weak().size(TEXT)).truncate());
}

/// Adds a line with a name and contents to the right of it.
fn line<T>(ui: &mut Ui, name: &str, contents: impl FnOnce(&mut Ui) -> T) -> T {
    ui.horizontal_top(|ui| {
        name_of_line(ui, name);
        let width = ui.available_width().max(1.0);
        ui.allocate_ui_with_layout(
            vec2(width, 0.0),
            Layout::left_to_right(Align::Min).with_main_wrap(true),
            contents,
        )
        .inner
    })
    .inner
}

fn lines(ui: &mut Ui, lines: &[Line]) -> Option<Selected> {
    let mut picked = None;
    for entry in lines {
        match entry {
            Line::Value(name, text) => line(ui, name, |ui| {
                ui.add(Label::new(RichText::new(text).size(TEXT)).wrap().selectable(true));
            }),
            Line::Links { name, links, is_chain } => line(ui, name, |ui| {
                ui.spacing_mut().item_spacing = vec2(if *is_chain { 4.0 } else { 8.0 }, 2.0);
                for (index, link) in links.iter().take(MAX_LINKS).enumerate() {
                    if *is_chain && index > 0 {
                        ui.label(RichText::new("›").size(TEXT).weak());
                    }
                    picked = picked.or(link_button(ui, link));
                }
                if links.len() > MAX_LINKS {
                    let more = format!("and {} more", links.len() - MAX_LINKS);
                    ui.label(RichText::new(more).size(TEXT).weak());
                }
            }),
        }
    }
    picked
}

/// A number, which can be selected. The digits of the font are of equal width.
fn digits(text: String) -> Label {
    Label::new(RichText::new(text).size(TEXT)).selectable(true)
}

fn link_button(ui: &mut Ui, link: &Link) -> Option<Selected> {
    let text = shown_name(&link.text);
    // A name as long as the file allows would not wrap.
    let short: String = text.chars().take(40).collect();
    let response = ui.add(LinkButton::new(RichText::new(short).size(TEXT)));
    response.on_hover_text(text).clicked().then_some(link.part)
}

/// Shows the bones that move the picked point as bars.
fn weights(ui: &mut Ui, point: &PickedPoint, links: &[Link]) -> Option<Selected> {
    let mut picked = None;
    ui.add_space(4.0);
    heading(ui, "Picked point");
    ui.add_space(3.0);
    line(ui, "UV", |ui| ui.add(digits(format!("{:.4} {:.4}", point.uv.x, point.uv.y))));
    line(ui, "Alpha", |ui| ui.add(digits(format!("{:.0} %", point.alpha * 100.0))));
    for ((_, weight), link) in point.weights.iter().zip(links) {
        ui.horizontal(|ui| {
            let (bar, _) = ui.allocate_exact_size(vec2(NAMES, 8.0), Sense::hover());
            let palette = Palette::of(ui.visuals());
            ui.painter().rect_filled(bar, 2.0, palette.line);
            let share = weight.abs().clamp(0.0, 1.0);
            let color = if *weight < 0.0 { palette.error } else { palette.accent };
            ui.painter().rect_filled(bar.with_max_x(bar.left() + bar.width() * share), 2.0, color);
            ui.add(digits(format!("{weight:>6.3}")));
            picked = picked.or(link_button(ui, link));
        });
    }
    picked
}

/// Shows the transform in columns of digits of equal width, so that nothing moves during playback.
fn table(ui: &mut Ui, shown: &Shown<'_>) {
    let Some(rows) = &shown.transform else { return };
    ui.horizontal_top(|ui| {
        ui.allocate_exact_size(vec2(NAMES, LINE), Sense::hover());
        let width = ((ui.available_width() - 8.0) * 0.5).max(1.0);
        for text in ["Local", "World"] {
            let layout = Layout::right_to_left(Align::Min);
            ui.allocate_ui_with_layout(vec2(width, LINE), layout, |ui| {
                ui.label(RichText::new(text).size(TEXT).weak())
            });
        }
    });
    for (name, values) in rows {
        ui.horizontal_top(|ui| {
            name_of_line(ui, name);
            let width = ((ui.available_width() - 8.0) * 0.5).max(1.0);
            for value in values {
                ui.allocate_ui_with_layout(vec2(width, LINE), Layout::right_to_left(Align::Min), |ui| {
                    ui.set_min_width(width);
                    ui.add(digits(value.clone()).truncate());
                });
            }
        });
    }
}

/// Shows the part of the page that the attachment shows.
fn picture(ui: &mut Ui, shown: &Shown<'_>, character: &Arc<Character>) {
    let Some(attachment) = shown.inspection.attachment else { return };
    let model = character.model();
    let Some(place) = on_page(model, model.attachment(attachment)) else { return };
    let texture = kept(ui, known_at(), (ByAddress::of(character), attachment), || {
        let image = page_image::part(&model.pages()[place.page.index()], place.rect, PICTURE_PIXELS);
        ui.ctx().load_texture("picture of the selection", image, TextureOptions::LINEAR)
    });
    let size = place.rect.size();
    let scale = (PICTURE / size.x.max(size.y)).min(1.0);
    let size = vec2(size.x, size.y) * scale;
    if !(size.x > 0.0 && size.y > 0.0) {
        return;
    }
    ui.add_space(4.0);
    ui.horizontal(|ui| {
        ui.allocate_exact_size(vec2(NAMES, 1.0), Sense::hover());
        let (rect, _) = ui.allocate_exact_size(size + vec2(8.0, 8.0), Sense::hover());
        let palette = Palette::of(ui.visuals());
        ui.painter().rect_filled(rect, 4.0, palette.sunken);
        ui.painter().image(texture.id(), rect.shrink(4.0), WHOLE, Color32::WHITE);
    });
}

/// Returns everything that is shown as lines of text with tabs.
fn as_text(shown: &Shown<'_>) -> String {
    let Inspection { kind, name, lines, .. } = shown.inspection;
    let mut text = format!("{kind}\t{name}\n");
    for line in lines {
        let (name, value) = match line {
            Line::Value(name, value) => (name, value.clone()),
            Line::Links { name, links, is_chain } => {
                let names: Vec<String> = links.iter().map(|link| shown_name(&link.text)).collect();
                (name, if *is_chain { names.join(" › ") } else { and_more(&names, MAX_LINKS) })
            }
        };
        text.push_str(&format!("{name}\t{value}\n"));
    }
    if let Some((point, links)) = &shown.point {
        text.push_str(&format!("UV\t{}\t{}\nAlpha\t{}\n", point.uv.x, point.uv.y, number(point.alpha)));
        for ((_, weight), link) in point.weights.iter().zip(links) {
            text.push_str(&format!("Weight\t{}\t{weight}\n", shown_name(&link.text)));
        }
    }
    for (name, [local, world]) in shown.transform.iter().flatten() {
        text.push_str(&format!("{name}\t{local}\t{world}\n"));
    }
    text
}
