//! Buttons with a painted icon instead of text.

use egui::accesskit::Role;
use egui::epaint::CubicBezierShape;
use egui::{Color32, Painter, Pos2, Rect, Response, Sense, Shape, Stroke, Ui, Vec2, WidgetInfo, pos2, vec2};

use super::actions::Actions;
use super::command::Command;
use super::theme::Palette;

/// An icon.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Icon {
    /// A triangle pointing right.
    Play,
    /// Two bars.
    Pause,
    /// A triangle pointing left and a bar.
    StepBack,
    /// A triangle pointing right and a bar.
    StepForward,
    /// Two triangles pointing left and a bar.
    First,
    /// Two triangles pointing right and a bar.
    Last,
    /// Three lines.
    Menu,
    /// A minus sign.
    Minus,
    /// A plus sign.
    Plus,
    /// A cross.
    Close,
    /// A circular arrow.
    Loop,
    /// An arrow to a bar.
    Once,
    /// An arrow with two heads.
    PingPong,
    /// A smooth curve between two points.
    Interpolate,
    /// A swinging pendulum.
    Physics,
    /// A tick.
    Tick,
    /// A question mark.
    Help,
    /// Two sheets.
    Copy,
    /// A waste bin.
    Bin,
    /// An eye.
    Eye,
    /// A crossed-out eye.
    EyeOff,
}

/// Adds a button of `size` points with `icon`. Screen readers read `name`.
pub fn button(ui: &mut Ui, icon: Icon, name: &str, tooltip: &str, size: Vec2) -> Response {
    let (rect, response) = ui.allocate_exact_size(size, Sense::click());
    response.widget_info(|| WidgetInfo::labeled(Role::Button, ui.is_enabled(), name));
    if ui.is_rect_visible(rect) {
        let visuals = ui.style().interact(&response);
        let fill =
            if response.hovered() || response.has_focus() { visuals.weak_bg_fill } else { Color32::TRANSPARENT };
        ui.painter().rect_filled(rect, visuals.corner_radius, fill);
        paint(ui.painter(), icon, rect.center(), visuals.fg_stroke.color);
    }
    response.on_hover_text(tooltip)
}

/// Adds a button that runs `command`, which its tooltip names.
pub fn command(
    ui: &mut Ui,
    icon: Icon,
    name: &str,
    command: Command,
    size: Vec2,
    actions: &mut Actions,
) -> Response {
    let button = button(ui, icon, name, &command.tooltip(), size);
    if button.clicked() {
        actions.push(command);
    }
    button
}

/// Adds a button that switches something, and shows whether it is on. Screen readers read `name`.
pub fn toggle(ui: &mut Ui, icon: Icon, name: &str, tooltip: &str, is_on: bool, size: Vec2) -> Response {
    let (rect, response) = ui.allocate_exact_size(size, Sense::click());
    response.widget_info(|| WidgetInfo::selected(Role::CheckBox, ui.is_enabled(), is_on, name));
    if ui.is_rect_visible(rect) {
        paint_toggle(ui, icon, &response, is_on);
    }
    response.on_hover_text(tooltip)
}

/// Paints the button of something that is on or off.
pub fn paint_toggle(ui: &Ui, icon: Icon, response: &Response, is_on: bool) {
    let palette = Palette::of(ui.visuals());
    let visuals = ui.style().interact(response);
    let fill = match is_on {
        true => palette.accent_faint,
        false if response.hovered() || response.has_focus() => visuals.weak_bg_fill,
        false => Color32::TRANSPARENT,
    };
    ui.painter().rect_filled(response.rect, visuals.corner_radius, fill);
    let color = match (ui.is_enabled(), is_on) {
        (false, _) => palette.line,
        (true, true) => palette.accent,
        (true, false) => palette.text_weak,
    };
    paint(ui.painter(), icon, response.rect.center(), color);
}

/// Adds the round button that plays and pauses.
pub fn round_button(ui: &mut Ui, icon: Icon, name: &str, tooltip: &str, diameter: f32) -> Response {
    let (rect, response) = ui.allocate_exact_size(Vec2::splat(diameter), Sense::click());
    response.widget_info(|| WidgetInfo::labeled(Role::Button, ui.is_enabled(), name));
    if ui.is_rect_visible(rect) {
        let palette = Palette::of(ui.visuals());
        let hovered = response.hovered() && ui.is_enabled();
        let fill = if hovered { palette.accent.gamma_multiply(0.85) } else { palette.accent };
        let fill = if ui.is_enabled() { fill } else { palette.line };
        ui.painter().circle_filled(rect.center(), diameter * 0.5, fill);
        paint(ui.painter(), icon, rect.center(), palette.panel);
    }
    response.on_hover_text(tooltip)
}

/// Paints an icon centred at `center`.
pub fn paint(painter: &Painter, icon: Icon, center: Pos2, color: Color32) {
    let at = |x: f32, y: f32| center + vec2(x, y);
    let stroke = Stroke::new(1.8, color);
    let line = |from: Pos2, to: Pos2| {
        painter.line_segment([from, to], stroke);
    };
    let bar = |x: f32, width: f32, half: f32| {
        painter.rect_filled(Rect::from_center_size(at(x, 0.0), vec2(width, half * 2.0)), 1.0, color);
    };
    // Points right if `width` is positive, left if negative.
    let triangle = |x: f32, width: f32, half: f32| {
        let points = vec![at(x, -half), at(x + width, 0.0), at(x, half)];
        painter.add(Shape::convex_polygon(points, color, Stroke::NONE));
    };
    match icon {
        Icon::Play => triangle(-4.0, 10.5, 6.5),
        Icon::Pause => {
            bar(-3.4, 3.6, 6.0);
            bar(3.4, 3.6, 6.0);
        }
        Icon::StepBack => {
            bar(-5.0, 2.0, 5.0);
            triangle(5.0, -8.0, 5.0);
        }
        Icon::StepForward => {
            triangle(-5.0, 8.0, 5.0);
            bar(5.0, 2.0, 5.0);
        }
        Icon::First => {
            bar(-7.5, 2.0, 5.0);
            triangle(0.5, -6.5, 5.0);
            triangle(7.5, -6.5, 5.0);
        }
        Icon::Last => {
            triangle(-7.5, 6.5, 5.0);
            triangle(-0.5, 6.5, 5.0);
            bar(7.5, 2.0, 5.0);
        }
        Icon::Menu => [-4.5, 0.0, 4.5].into_iter().for_each(|y| line(at(-7.0, y), at(7.0, y))),
        Icon::Minus => line(at(-4.5, 0.0), at(4.5, 0.0)),
        Icon::Plus => {
            line(at(-4.5, 0.0), at(4.5, 0.0));
            line(at(0.0, -4.5), at(0.0, 4.5));
        }
        Icon::Close => {
            line(at(-4.0, -4.0), at(4.0, 4.0));
            line(at(-4.0, 4.0), at(4.0, -4.0));
        }
        Icon::Loop => circular_arrow(painter, center, color),
        Icon::Once => {
            line(at(-7.0, 0.0), at(2.0, 0.0));
            triangle(1.0, 5.0, 4.0);
            bar(7.0, 2.0, 5.0);
        }
        Icon::PingPong => {
            line(at(-4.0, 0.0), at(4.0, 0.0));
            triangle(-3.0, -5.0, 4.0);
            triangle(3.0, 5.0, 4.0);
        }
        Icon::Interpolate => {
            let points = [at(-6.0, 4.5), at(1.0, 4.5), at(-1.0, -4.5), at(6.0, -4.5)];
            painter.add(CubicBezierShape::from_points_stroke(points, false, Color32::TRANSPARENT, stroke));
            painter.circle_filled(points[0], 2.4, color);
            painter.circle_filled(points[3], 2.4, color);
        }
        Icon::Physics => {
            line(at(-6.0, -6.5), at(6.0, -6.5));
            line(at(0.0, -6.5), at(3.5, 2.5));
            painter.circle_filled(at(4.4, 4.6), 3.0, color);
            let trail = [at(-6.0, 3.5), at(-4.0, 6.0), at(-2.0, 6.8), at(-0.5, 6.9)];
            painter.add(CubicBezierShape::from_points_stroke(trail, false, Color32::TRANSPARENT, stroke));
        }
        Icon::Tick => {
            line(at(-4.5, 0.5), at(-1.5, 3.5));
            line(at(-1.5, 3.5), at(4.5, -3.5));
        }
        Icon::Eye | Icon::EyeOff => {
            let thin = Stroke::new(1.3, color);
            // Two arcs that meet at the corners.
            for side in [-1.0, 1.0] {
                let lid =
                    [at(-6.5, 0.0), at(-4.0, 3.0 * side), at(0.0, 4.2 * side), at(4.0, 3.0 * side), at(6.5, 0.0)];
                painter.add(Shape::line(lid.to_vec(), thin));
            }
            if icon == Icon::Eye {
                painter.circle_filled(center, 2.0, color);
            } else {
                painter.line_segment([at(-5.5, 5.0), at(5.5, -5.0)], Stroke::new(1.6, color));
            }
        }
        Icon::Copy => {
            let sheet = |x: f32, y: f32| Rect::from_center_size(at(x, y), vec2(8.0, 9.0));
            let thin = Stroke::new(1.4, color);
            let [left, top, right] =
                [sheet(-2.0, -2.0).left(), sheet(-2.0, -2.0).top(), sheet(-2.0, -2.0).right()];
            let back = [pos2(left, top + 9.0), pos2(left, top), pos2(right, top)];
            painter.add(Shape::line(back.to_vec(), thin));
            painter.rect_stroke(sheet(1.5, 1.5), 1.5, thin, egui::StrokeKind::Middle);
        }
        Icon::Bin => {
            let thin = Stroke::new(1.4, color);
            painter.hline(at(-6.0, 0.0).x..=at(6.0, 0.0).x, at(0.0, -4.0).y, thin);
            painter.add(Shape::line(vec![at(-2.0, -4.0), at(-2.0, -6.0), at(2.0, -6.0), at(2.0, -4.0)], thin));
            let can = vec![at(-4.5, -4.0), at(-3.8, 6.0), at(3.8, 6.0), at(4.5, -4.0)];
            painter.add(Shape::line(can, thin));
            for x in [-1.5, 1.5] {
                painter.line_segment([at(x, -1.5), at(x, 3.5)], Stroke::new(1.2, color));
            }
        }
        Icon::Help => {
            let font = egui::FontId::proportional(16.0);
            painter.text(center, egui::Align2::CENTER_CENTER, "?", font, color);
        }
    }
}

/// Paints an open circle that ends in an arrowhead.
fn circular_arrow(painter: &Painter, center: Pos2, color: Color32) {
    const RADIUS: f32 = 6.0;
    const FROM: f32 = -0.9;
    const STEPS: u8 = 24;
    // Clockwise on the screen, from the upper right almost all the way round.
    let angle = |step: u8| FROM + 5.1 * f32::from(step) / f32::from(STEPS);
    let points: Vec<Pos2> = (0..=STEPS).map(|step| center + RADIUS * Vec2::angled(angle(step))).collect();
    painter.add(Shape::line(points, Stroke::new(1.8, color)));
    let end = Vec2::angled(angle(STEPS));
    let (tip, along) = (center + RADIUS * end, end.rot90() * -1.0);
    let head = vec![tip + 4.5 * along, tip + 3.6 * end, tip - 3.6 * end];
    painter.add(Shape::convex_polygon(head, color, Stroke::NONE));
}

/// Paints a stick figure with joints, for the empty window.
pub fn puppet(painter: &Painter, center: Pos2, height: f32, color: Color32) {
    let unit = height / 10.0;
    let at = |x: f32, y: f32| pos2(center.x + x * unit, center.y + y * unit);
    let stroke = Stroke::new(unit * 0.35, color);
    let joints = [
        [at(0.0, -2.0), at(0.0, 1.2)],
        [at(0.0, -1.6), at(-2.0, -0.4)],
        [at(-2.0, -0.4), at(-3.4, -1.8)],
        [at(0.0, -1.6), at(2.0, -0.2)],
        [at(2.0, -0.2), at(2.6, 1.6)],
        [at(0.0, 1.2), at(-1.5, 3.0)],
        [at(-1.5, 3.0), at(-1.9, 5.0)],
        [at(0.0, 1.2), at(1.6, 2.8)],
        [at(1.6, 2.8), at(2.9, 4.6)],
    ];
    for joint in joints {
        painter.line_segment(joint, stroke);
        painter.circle_filled(joint[1], unit * 0.42, color);
    }
    painter.circle_stroke(at(0.0, -3.6), unit * 1.35, stroke);
}
