//! The picture behind the character, and its settings.

use std::sync::Arc;

use egui::{Color32, DragValue, Grid, Id, Label, Pos2, Rect, RichText, Slider, TextureHandle, TextureOptions, Ui};

use super::{OverlayPanel, on_canvas};
use crate::base::memo::ByAddress;
use crate::overlays::underlay::{Placement, Underlay, reduced};
use crate::widgets::command::Command;
use crate::widgets::in_percent;
use crate::widgets::kept::{forget, image, kept};
use pchr::draw::Picture;
use pchr::math::{Vec2, vec2};

/// Paints the picture on the canvas at `rect`.
pub fn paint(ui: &Ui, rect: Rect, state: &OverlayPanel<'_>) {
    let Some((picture, world, opacity)) =
        state.overlays.underlay.as_ref().map(|it| (Arc::clone(&it.picture), it.world(), it.opacity))
    else {
        return forget::<ByAddress<Picture>, TextureHandle>(ui, place_of_texture());
    };
    let Some(view) = state.view else { return };
    let at = |world: Vec2| on_canvas(&view, rect, ui.pixels_per_point(), world);
    let place = Rect::from_two_pos(at(world.min), at(world.max));
    // Only the visible part: far outside of the window, coordinates lose their precision.
    let visible = place.intersect(rect);
    if !visible.is_positive() || !place.is_finite() {
        return;
    }
    let part = |at: Pos2| ((at - place.min) / place.size()).to_pos2();
    let uv = Rect::from_min_max(part(visible.min), part(visible.max));
    let texture = texture(ui, &picture);
    ui.painter().image(texture.id(), visible, uv, Color32::WHITE.gamma_multiply(opacity));
}

fn place_of_texture() -> Id {
    Id::unique("texture of the picture behind")
}

/// Returns the texture of `picture`, created when it is first shown.
fn texture(ui: &Ui, picture: &Arc<Picture>) -> TextureHandle {
    kept(ui, place_of_texture(), ByAddress::of(picture), || {
        let side = ui.input(|input| input.max_texture_side) as u32;
        let image = match picture.width().max(picture.height()) > side {
            true => image(&reduced(Picture::clone(picture), side)),
            false => image(picture),
        };
        ui.ctx().load_texture("picture behind", image, TextureOptions::LINEAR)
    })
}

/// Shows the settings of the picture, if there is one.
pub fn settings(ui: &mut Ui, state: &mut OverlayPanel<'_>) {
    let home = Placement::amid(state.content);
    let Some(underlay) = &mut state.overlays.underlay else { return };
    let [width, height] = underlay.size;
    let name = RichText::new(&underlay.name).weak();
    ui.add(Label::new(name).truncate()).on_hover_text(format!("{}\n{width} × {height} pixels", underlay.name));
    Grid::new("picture behind").num_columns(2).spacing([8.0, 6.0]).show(ui, |ui| {
        let label = ui.label("Opacity");
        let mut percent = underlay.opacity * 100.0;
        let slider = Slider::new(&mut percent, 0.0..=100.0).suffix(" %").max_decimals(0);
        if ui.add(slider).labelled_by(label.id).changed() {
            underlay.opacity = percent / 100.0;
        }
        ui.end_row();
        let label = ui.label("Scale");
        let (least, most) = (*Underlay::SCALES.start() * 100.0, *Underlay::SCALES.end() * 100.0);
        let mut percent = in_percent(underlay.placement.scale);
        let value = DragValue::new(&mut percent).range(least..=most).speed(0.5).max_decimals(2).suffix(" %");
        if ui.add(value).labelled_by(label.id).changed() {
            underlay.placement.scale = percent / 100.0;
        }
        ui.end_row();
        let label = ui.label("Centre");
        let Vec2 { mut x, mut y } = underlay.placement.center;
        ui.horizontal(|ui| {
            for (axis, value) in [("x ", &mut x), ("y ", &mut y)] {
                let value = DragValue::new(value).range(-Underlay::FAR..=Underlay::FAR).prefix(axis);
                ui.add(value.speed(1.0).max_decimals(1)).labelled_by(label.id);
            }
        });
        underlay.placement.center = vec2(x, y);
        ui.end_row();
    });
    ui.horizontal(|ui| {
        let is_moved = underlay.placement != home;
        let reset = ui.add_enabled(is_moved, egui::Button::new("Reset"));
        if reset.on_hover_text("Actual size, centred behind the character").clicked() {
            underlay.placement = home;
        }
        let remove = Command::RemoveUnderlay;
        if ui.button("Remove").on_hover_text(remove.label()).clicked() {
            state.actions.push(remove);
        }
    });
}
