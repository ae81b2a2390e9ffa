//! The choices of the export dialog, one per row.

use egui::{Align, ComboBox, DragValue, Label, Layout, Response, Ui, vec2};

use super::sheet;
use crate::base::name::shown;
use crate::export::{Cast, Export, Frames, Which, targets};
use crate::overlays::panel::color;
use crate::widgets::{check_box, heading, percent};
use pchr::draw::{Antialias, Filter};
use pchr::export::{Additive, Alpha, Background, ContactGrid, Fit, Format, Padding, PsdGroups, Size};
use pchr::model::{AnimationId, Model};

/// Width of the columns of labels and of numbers, and the gap between the columns, in points.
const LABELS: f32 = 136.0;
const NUMBER: f32 = 96.0;
const GAP: f32 = 10.0;
/// Height at which the list of formats needs no scrolling, in points.
const LIST_HEIGHT: f32 = 400.0;

/// Shows the choices that apply to the format.
pub fn show(ui: &mut Ui, export: &mut Export) {
    let before = (export.wanted(), export.target, export.which, export.frames, export.sheet_kind);
    ui.add_enabled_ui(!export.is_running(), |ui| {
        ui.spacing_mut().item_spacing = vec2(GAP, 5.0);
        group(ui, "File", |ui| format(ui, export));
        if export.target.is_some() {
            return;
        }
        group(ui, "Content", |ui| what(ui, export));
        if export.options.format() == Format::Sheet {
            group(ui, "Sprite sheet", |ui| sheet::show(ui, export));
        }
        if export.options.applies("psd-groups") {
            let groups = PsdGroups::ALL.map(|groups| (groups, groups.about()));
            group(ui, "Layers", |ui| choice(ui, "Groups", &mut export.options.output.psd_groups, &groups));
        }
        group(ui, "Dimensions", |ui| size(ui, export));
        group(ui, "Look", |ui| look(ui, export));
        if export.options.applies("loops") || export.options.applies("speed") {
            group(ui, "Playback", |ui| play(ui, export));
        }
    });
    if before != (export.wanted(), export.target, export.which, export.frames, export.sheet_kind) {
        export.changed();
    }
}

/// Adds rows below a heading.
fn group(ui: &mut Ui, name: &str, rows: impl FnOnce(&mut Ui)) {
    heading(ui, name);
    rows(ui);
    ui.add_space(8.0);
}

/// Adds a row with a label and a widget, each in its column.
pub fn row(ui: &mut Ui, name: &str, add: impl FnOnce(&mut Ui) -> Response) {
    ui.horizontal(|ui| {
        let label = label(ui, name, label_width(ui));
        // Numbers are as wide as their field, so that nothing moves while one is typed.
        ui.spacing_mut().interact_size.x = NUMBER.min(ui.available_width());
        add(ui).labelled_by(label.id)
    });
}

/// Adds a row with a label and a box to check.
pub fn checkbox(ui: &mut Ui, name: &str, value: &mut bool) {
    row(ui, name, |ui| check_box::show(ui, value, ""));
}

fn label_width(ui: &Ui) -> f32 {
    LABELS.min(0.42 * ui.available_width())
}

/// Adds a label in a column of this width.
pub fn label(ui: &mut Ui, name: &str, width: f32) -> Response {
    let size = vec2(width, ui.spacing().interact_size.y);
    let layout = Layout::left_to_right(Align::Center);
    ui.allocate_ui_with_layout(size, layout, |ui| {
        ui.set_min_size(size);
        ui.add(Label::new(name).truncate())
    })
    .inner
}

/// Adds a row with a combo box.
pub fn choice<T: Clone + PartialEq>(ui: &mut Ui, name: &str, value: &mut T, choices: &[(T, &str)]) {
    row(ui, name, |ui| {
        let text = choices.iter().find(|(choice, _)| choice == value).map_or("", |(_, text)| text);
        let combo = ComboBox::from_id_salt(name)
            .selected_text(text)
            .width(ui.available_width())
            .height(LIST_HEIGHT)
            .truncate();
        combo
            .show_ui(ui, |ui| {
                for (choice, text) in choices {
                    ui.selectable_value(value, choice.clone(), *text);
                }
            })
            .response
    });
}

/// Chooses between pictures and conversions, and the format. Separate lists, because a long one would have to scroll.
fn format(ui: &mut Ui, export: &mut Export) {
    let mut is_conversion = export.target.is_some();
    if export.can_convert() {
        choice(ui, "Kind", &mut is_conversion, &[(false, "Pictures"), (true, "Character in another format")]);
    }
    if is_conversion {
        export.target = export.target.or_else(|| export.usual_target());
        let titles: Vec<_> = targets().map(|target| (Some(target), target.about)).collect();
        choice(ui, "Format", &mut export.target, &titles);
    } else {
        let mut chosen = (export.options.format(), export.options.contact_sheet().is_some());
        let mut formats = Format::ALL.map(|format| ((format, false), format.title())).to_vec();
        formats.insert(1, ((Format::Png, true), "Contact sheet (PNG)"));
        // A gallery shows no character that could be written otherwise.
        formats.retain(|((_, is_contact_sheet), _)| *is_contact_sheet || !export.is_of_gallery());
        choice(ui, "Format", &mut chosen, &formats);
        export.target = None;
        match chosen {
            (_, true) => {
                export.choose_contact_sheet();
                export.options.output.contact_sheet.iter_mut().for_each(|grid| contact_sheet(ui, grid));
            }
            (format, false) => {
                export.options.output.format = Some(format);
                export.options.output.contact_sheet.take_if(|_| format == Format::Png);
            }
        }
    }
}

/// Chooses the columns and rows of a contact sheet.
fn contact_sheet(ui: &mut Ui, grid: &mut ContactGrid) {
    /// The usual number of rows.
    const ROWS: u32 = 4;
    let (mut columns, mut rows) = (grid.columns().unwrap_or(1), grid.rows());
    row(ui, "Columns", |ui| ui.add(DragValue::new(&mut columns).range(1..=1000).speed(0.1)));
    let fixed = Some(rows.unwrap_or(ROWS));
    choice(ui, "Rows", &mut rows, &[(None, "As many as needed"), (fixed, "Fixed number")]);
    if let Some(rows) = &mut rows {
        row(ui, "Number of rows", |ui| ui.add(DragValue::new(rows).range(1..=1000).speed(0.1)));
    }
    *grid = ContactGrid::new(columns, rows);
}

/// Chooses between the shown character and several, and what of several. Returns true if several are chosen.
fn cast(ui: &mut Ui, export: &mut Export) -> bool {
    let is_sheet = export.options.contact_sheet().is_some();
    let is_of_gallery = export.is_of_gallery();
    let Some(Cast { label, choices, .. }) = export.cast.as_mut().filter(|_| is_sheet) else { return false };
    let kinds = [(false, "The shown one"), (true, label.as_str())];
    choice(ui, "Characters", &mut choices.is_chosen, if is_of_gallery { &kinds[1..] } else { &kinds });
    if choices.is_chosen {
        choice(
            ui,
            "Animation",
            &mut choices.all_animations,
            &[(false, "First of each"), (true, "All animations")],
        );
        choice(ui, "Frames", &mut choices.one_frame, &[(false, "All, or as many as fit"), (true, "First")]);
    }
    choices.is_chosen
}

fn what(ui: &mut Ui, export: &mut Export) {
    if cast(ui, export) {
        return;
    }
    let names = animations(export.model());
    let names: Vec<(Which, &str)> = names.iter().map(|(which, name)| (*which, name.as_str())).collect();
    choice(ui, "Animation", &mut export.which, &names);
    let shown = &mut export.shown;
    if !shown.tracks.is_empty() {
        row(ui, "Tracks", |ui| check_box::show(ui, &mut shown.with_tracks, "As in the window"));
    }
    if !shown.bones.is_empty() {
        row(ui, "Moved bones", |ui| check_box::show(ui, &mut shown.with_bones, "As in the window"));
    }
    let last = export.frame_count().saturating_sub(1);
    let range = match export.frames {
        range @ Frames::Range { .. } => range,
        Frames::All | Frames::Shown => Frames::Range { first: 0, last, step: 1 },
    };
    let kinds = [(Frames::All, "All"), (Frames::Shown, "Current frame"), (range, "Range")];
    choice(ui, "Frames", &mut export.frames, &kinds);
    if let Frames::Range { first, last: to, step } = &mut export.frames {
        *to = (*to).min(last);
        *first = (*first).min(*to);
        row(ui, "First frame", |ui| ui.add(DragValue::new(first).range(0..=*to).speed(0.1)));
        row(ui, "Last frame", |ui| ui.add(DragValue::new(to).range(*first..=last).speed(0.1)));
        row(ui, "Step", |ui| ui.add(DragValue::new(step).range(1..=1000).speed(0.1)));
    }
}

fn animations(model: &Model) -> Vec<(Which, String)> {
    let named = |id: AnimationId| {
        let name = &model.animation(id).name;
        (Which::One(Some(id)), shown(name))
    };
    let mut choices: Vec<(Which, String)> = model.animation_ids().map(named).collect();
    match choices.len() {
        0 => choices.push((Which::One(None), "None (bind pose)".to_owned())),
        1 => {}
        _ => choices.insert(0, (Which::All, "All animations".to_owned())),
    }
    choices
}

fn size(ui: &mut Ui, export: &mut Export) {
    let is_cast = export.chosen_cast().is_some();
    let options = &mut export.options;
    // Start from the previous values when another kind of size is chosen.
    let [width, height] = match options.look.size {
        Size::Native => [512, 512],
        Size::Exact(width, height) => [width, height],
        Size::Width(side) | Size::Height(side) => [side, side],
    };
    let kinds = [
        (Size::Native, if is_cast { "Equal for all" } else { "As authored" }),
        (Size::Exact(width, height), "Width and height"),
        (Size::Width(width), "Width"),
        (Size::Height(height), "Height"),
    ];
    choice(ui, "Size", &mut options.look.size, &kinds);
    let side = |ui: &mut Ui, side: &mut u32| ui.add(DragValue::new(side).range(1..=32_768).suffix(" px"));
    match &mut options.look.size {
        Size::Native => {
            row(ui, "Scale", |ui| {
                ui.add(DragValue::new(&mut options.look.scale).range(0.01_f32..=64.0).speed(0.01))
            });
        }
        Size::Exact(width, height) => {
            row(ui, "Width", |ui| side(ui, width));
            row(ui, "Height", |ui| side(ui, height));
        }
        Size::Width(width) => row(ui, "Width", |ui| side(ui, width)),
        Size::Height(height) => row(ui, "Height", |ui| side(ui, height)),
    }
    let mut fits =
        vec![(Fit::Animation, "Whole animation"), (Fit::Frame, "Exported frames"), (Fit::All, "Every animation")];
    let before = options.look.fit;
    let view = export.shown.view.filter(|_| !is_cast).map(|(rect, size)| (Fit::Rect(rect), size));
    fits.extend(view.map(|(fit, _)| (fit, "As in the window")));
    choice(ui, "Area", &mut options.look.fit, &fits);
    if let Some((fit, [width, height])) = view.filter(|(fit, _)| *fit == options.look.fit && *fit != before) {
        options.look.fit = fit;
        options.look.size = Size::Exact(width, height);
    }
    let mut padding = match options.look.padding {
        Padding::Pixels(pixels) => pixels,
        Padding::Percent(_) => 0,
    };
    row(ui, "Padding", |ui| ui.add(DragValue::new(&mut padding).range(0..=4096).speed(0.2).suffix(" px")));
    options.look.padding = Padding::Pixels(padding);
}

fn background(ui: &mut Ui, export: &mut Export) {
    let picture = export.background_picture();
    let background = &mut export.options.look.background;
    let color = match background {
        Background::Color(color) => *color,
        Background::Transparent | Background::Checker(_) | Background::Picture(_) => [255; 4],
    };
    let mut backgrounds = vec![
        (Background::Transparent, "Transparent"),
        (Background::Checker(8), "Checkerboard"),
        (Background::Color(color), "Colour"),
    ];
    backgrounds.extend(picture.map(|picture| (picture, "Picture in the window")));
    choice(ui, "Background", background, &backgrounds);
    if let Background::Color(color) = background {
        let [r, g, b, _] = color;
        let mut rgb = [*r, *g, *b];
        row(ui, "Background colour", |ui| color::button(ui, &mut rgb));
        [*r, *g, *b] = rgb;
    }
    export.place_background();
}

fn look(ui: &mut Ui, export: &mut Export) {
    if export.has_physics() {
        let mut is_on = export.plays_physics();
        row(ui, "Physics", |ui| check_box::show(ui, &mut is_on, "Simulate"));
        if is_on != export.plays_physics() {
            export.set_physics(is_on);
        }
    }
    background(ui, export);
    let is_lit = export.has_additive_slots();
    let options = &mut export.options;
    if options.applies("alpha") {
        let kinds = [(Alpha::Straight, "Straight"), (Alpha::Premultiplied, "Premultiplied")];
        choice(ui, "Alpha", &mut options.look.alpha, &kinds);
    } else {
        let kinds = [(None, "None"), (Some(options.look.matte.unwrap_or([255; 3])), "Colour")];
        choice(ui, "Matte", &mut options.look.matte, &kinds);
        if let Some(matte) = &mut options.look.matte {
            row(ui, "Matte colour", |ui| color::button(ui, matte));
        }
    }
    if options.applies("dither") {
        checkbox(ui, "Dithering", &mut options.look.dither);
    }
    if options.applies("optimize") {
        checkbox(ui, "Smallest file (slow)", &mut options.output.optimize);
    }
    if is_lit && options.applies("additive") {
        let kinds = [(Additive::Keep, "Keep as alpha"), (Additive::Pure, "Clip to alpha")];
        choice(ui, "Additive light", &mut options.look.additive, &kinds);
    }
    let filters = [(Filter::Auto, "Automatic"), (Filter::Nearest, "Nearest"), (Filter::Linear, "Linear")];
    choice(ui, "Sampling", &mut options.look.filter, &filters);
    let modes = [
        (None, "Automatic"),
        (Some(Antialias::None), "None"),
        (Some(Antialias::Msaa4), "4× multisampling (msaa4)"),
        (Some(Antialias::Ssaa2), "2× supersampling (ssaa2)"),
        (Some(Antialias::Ssaa4), "4× supersampling (ssaa4)"),
    ];
    choice(ui, "Antialiasing", &mut options.look.antialias, &modes);
}

fn play(ui: &mut Ui, export: &mut Export) {
    let options = &mut export.options;
    let is_video = options.format().is_compressed_video();
    if is_video {
        // It cannot play forever.
        options.subject.loops = options.subject.loops.filter(|&loops| loops > 0);
    }
    if options.applies("loops") {
        let times = options.subject.loops.filter(|&loops| loops > 0).unwrap_or(1);
        let kinds = [(None, "As authored"), (Some(0), "Forever"), (Some(times), "Fixed number")];
        let of_video = [(None, "Once"), (Some(times), "Fixed number")];
        let kinds = if is_video { &of_video[..] } else { &kinds };
        choice(ui, "Loops", &mut options.subject.loops, kinds);
        if let Some(times @ 1..) = &mut options.subject.loops {
            row(ui, "Times", |ui| ui.add(DragValue::new(times).range(1..=u16::MAX).speed(0.1)));
        }
    }
    if options.applies("speed") {
        let mut speed = options.subject.speed * 100.0;
        let field = percent(&mut speed, 1.0..=10_000.0, "").clamp_existing_to_range(false);
        row(ui, "Speed", |ui| ui.add(field));
        if speed != options.subject.speed * 100.0 {
            options.subject.speed = speed / 100.0;
        }
    }
}
