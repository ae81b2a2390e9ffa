//! The choices for sprite sheets, one per row.

use egui::{DragValue, Ui};

use super::choices::{checkbox, choice, row};
use crate::export::Export;
use pchr::export::{Alpha, SheetDurations, SheetKind, SheetLayout, SheetOptions, SheetProfile, SheetTrim};

const KINDS: [(SheetKind, &str); SheetKind::ALL.len()] = [
    (SheetKind::Json, "JSON and PNG"),
    (SheetKind::Packed, "Single file (.sprsh)"),
    (SheetKind::Png, "PNG with embedded JSON"),
];

const PROFILES: [(SheetProfile, &str); SheetProfile::ALL.len()] = [
    (SheetProfile::Index, "Any engine (index)"),
    (SheetProfile::Doc, "As documented (doc)"),
    (SheetProfile::Hash, "Like Aseprite (hash)"),
];

const LAYOUTS: [(SheetLayout, &str); SheetLayout::ALL.len()] = [
    (SheetLayout::Rows, "Row by row"),
    (SheetLayout::Columns, "Column by column"),
    (SheetLayout::Horizontal, "Single row"),
    (SheetLayout::Vertical, "Single column"),
    (SheetLayout::Packed, "Packed"),
];

const TRIMS: [(SheetTrim, &str); SheetTrim::ALL.len()] =
    [(SheetTrim::None, "Nothing"), (SheetTrim::All, "Shared margin"), (SheetTrim::Frame, "Margin of each frame")];

const DURATIONS: [(SheetDurations, &str); SheetDurations::ALL.len()] = [
    (SheetDurations::Round, "Whole milliseconds"),
    (SheetDurations::Spread, "Whole milliseconds, exact total"),
    (SheetDurations::Exact, "Exact"),
];

/// Shows the choices.
pub fn show(ui: &mut Ui, export: &mut Export) {
    choice(ui, "Files", &mut export.sheet_kind, &KINDS);
    let is_straight = export.options.look.alpha == Alpha::Straight;
    let sheet = &mut export.options.output.sheet;
    choice(ui, "Profile", &mut sheet.profile, &PROFILES);
    layout(ui, sheet);
    let few = |ui: &mut Ui, name: &str, tooltip: &str, value: &mut u32| {
        let field = DragValue::new(value).range(0..=SheetOptions::FEW_PIXELS).speed(0.1).suffix(" px");
        row(ui, name, |ui| ui.add(field).on_hover_text(tooltip));
    };
    few(ui, "Border", "Space between the frames and the edges of a page", &mut sheet.border);
    few(ui, "Spacing", "Space between frames", &mut sheet.padding);
    few(
        ui,
        "Extrude",
        "Repeats the edge pixels of frames around them, against seams in engines that filter textures",
        &mut sheet.extrude,
    );
    if is_straight {
        few(
            ui,
            "Bleed",
            "Extends colours into transparent pixels, against dark fringes in engines that filter textures",
            &mut sheet.bleed,
        );
    }
    choice(ui, "Trim", &mut sheet.trim, &TRIMS);
    checkbox(ui, "Merge identical frames", &mut sheet.merge);
    let largest = DragValue::new(&mut sheet.max_size).range(1..=SheetOptions::LARGEST).suffix(" px");
    let tooltip = "Longest side of a page; frames that do not fit go on further pages";
    row(ui, "Maximum page size", |ui| ui.add(largest).on_hover_text(tooltip));
    checkbox(ui, "Power-of-two sizes", &mut sheet.pot);
    choice(ui, "Durations", &mut sheet.durations, &DURATIONS);
}

fn layout(ui: &mut Ui, sheet: &mut SheetOptions) {
    choice(ui, "Layout", &mut sheet.layout, &LAYOUTS);
    if !sheet.layout.has_columns() {
        return;
    }
    let kinds = [(None, "As square as possible"), (Some(sheet.columns.unwrap_or(8)), "Fixed number of columns")];
    choice(ui, "Grid", &mut sheet.columns, &kinds);
    if let Some(columns) = &mut sheet.columns {
        row(ui, "Columns", |ui| ui.add(DragValue::new(columns).range(1..=SheetOptions::LARGEST).speed(0.1)));
    }
}
