//! The menu of physics: wind, gravity and mix.

use egui::{DragValue, Popup, PopupCloseBehavior, Response, Ui};

use crate::widgets;
use crate::widgets::drop_down::DropDown;
use pchr::Animator;
use pchr::motion::{Forces, Motion};

/// Steps of a dragged value per point.
const SPEED: f32 = 0.02;
/// Width of the text in points.
const WIDTH: f32 = 250.0;

/// Shows the button that opens the menu, beside the switch. It is highlighted while something differs from the file.
pub fn show(ui: &mut Ui, animator: &mut Animator) -> Response {
    let is_on = animator.forces() != Forces::default();
    let button = DropDown { name: Some("Physics settings"), is_on, ..DropDown::default() };
    let button = button.show(ui).0.on_hover_text("Wind, gravity and mix of physics");
    // Not a menu: its fields would look like text.
    let popup = Popup::from_toggle_button_response(&button);
    popup.close_behavior(PopupCloseBehavior::CloseOnClickOutside).show(|ui| menu(ui, animator));
    button
}

fn menu(ui: &mut Ui, animator: &mut Animator) {
    ui.set_max_width(WIDTH);
    let before = animator.forces();
    let mut forces = before;
    let is_spine = matches!(animator.character().motion(), Motion::Spine(_));
    let number = |ui: &mut Ui, name: &str, value: &mut f32| {
        let field = ui.add(DragValue::new(value).speed(SPEED).max_decimals(2));
        widgets::name(ui, &field, name);
    };
    ui.add_enabled_ui(is_spine, |ui| {
        ui.horizontal(|ui| {
            ui.label("Wind").on_hover_text("Direction by which the wind of each constraint is multiplied");
            number(ui, "Wind to the right", &mut forces.wind.x);
            number(ui, "Wind upwards", &mut forces.wind.y);
            ui.label("Gravity").on_hover_text("Factor of the gravity of each constraint: -1 pulls down");
            number(ui, "Gravity upwards", &mut forces.gravity.y);
        });
    });
    ui.horizontal(|ui| {
        let label = ui.label("Mix");
        ui.add(egui::Slider::new(&mut forces.mix, 0.0..=1.0).max_decimals(2)).labelled_by(label.id);
        if ui.add_enabled(forces != Forces::default(), egui::Button::new("Reset")).clicked() {
            forces = Forces::default();
        }
    });
    if !is_spine {
        ui.weak("SkelForm has neither wind nor gravity.");
    }
    ui.weak("Drag the character while it plays: it swings.");
    if forces != before {
        animator.set_forces(forces);
    }
}
