//! How a sprite sheet is made: one row a choice.

use egui::{Checkbox, DragValue, Ui};

use super::choices::{choice, row};
use crate::export::{Alpha, SheetDurations, SheetKind, SheetLayout, SheetOptions, SheetProfile, SheetTrim};
use crate::viewer::export::Export;

/// Shows them.
pub fn show(ui: &mut Ui, export: &mut Export) {
    let kinds = SheetKind::ALL.map(|kind| (kind, label(kind)));
    choice(ui, "Files", &mut export.sheet_kind, &kinds);
    let is_straight = export.options.look.alpha == Alpha::Straight;
    let sheet = &mut export.options.output.sheet;
    choice(
        ui,
        "Read by",
        &mut sheet.profile,
        &SheetProfile::ALL.map(|profile| {
            let text = match profile {
                SheetProfile::Index => "Any engine (index)",
                SheetProfile::Doc => "As it is documented (doc)",
                SheetProfile::Hash => "As Aseprite writes it (hash)",
            };
            (profile, text)
        }),
    );
    layout(ui, sheet);
    let few = |ui: &mut Ui, name: &str, tooltip: &str, value: &mut u32| {
        let field = DragValue::new(value).range(0..=SheetOptions::FEW_PIXELS).speed(0.1).suffix(" px");
        row(ui, name, |ui| ui.add(field).on_hover_text(tooltip));
    };
    few(ui, "Border", "Between frames and the edges of a page", &mut sheet.border);
    few(ui, "Between frames", "Between two frames", &mut sheet.padding);
    few(
        ui,
        "Extrude",
        "Edges of frames repeated around them, against seams in engines that filter",
        &mut sheet.extrude,
    );
    if is_straight {
        few(
            ui,
            "Bleed",
            "Colours brought into what is transparent, against dark rims in engines that filter",
            &mut sheet.bleed,
        );
    }
    let trims = SheetTrim::ALL.map(|trim| {
        let text = match trim {
            SheetTrim::None => "Nothing",
            SheetTrim::All => "What no frame shows",
            SheetTrim::Frame => "What each does not show",
        };
        (trim, text)
    });
    choice(ui, "Cut off", &mut sheet.trim, &trims);
    tick(ui, "Merge equal frames", &mut sheet.merge);
    let largest = DragValue::new(&mut sheet.max_size).range(1..=SheetOptions::LARGEST).suffix(" px");
    let tooltip = "The longest side of a page; what does not fit goes on another";
    row(ui, "Largest page", |ui| ui.add(largest).on_hover_text(tooltip));
    tick(ui, "Powers of two", &mut sheet.pot);
    let durations = SheetDurations::ALL.map(|durations| {
        let text = match durations {
            SheetDurations::Round => "Each as milliseconds",
            SheetDurations::Spread => "Milliseconds with a right sum",
            SheetDurations::Exact => "As they are",
        };
        (durations, text)
    });
    choice(ui, "Durations", &mut sheet.durations, &durations);
}

fn layout(ui: &mut Ui, sheet: &mut SheetOptions) {
    let layouts = SheetLayout::ALL.map(|layout| {
        let text = match layout {
            SheetLayout::Rows => "Row after row",
            SheetLayout::Columns => "Column after column",
            SheetLayout::Horizontal => "Side by side",
            SheetLayout::Vertical => "One below the other",
            SheetLayout::Packed => "As close as they fit",
        };
        (layout, text)
    });
    choice(ui, "Layout", &mut sheet.layout, &layouts);
    if !sheet.layout.has_columns() {
        return;
    }
    let kinds = [(None, "As square as it gets"), (Some(sheet.columns.unwrap_or(8)), "So many columns")];
    choice(ui, "Grid", &mut sheet.columns, &kinds);
    if let Some(columns) = &mut sheet.columns {
        row(ui, "Columns", |ui| ui.add(DragValue::new(columns).range(1..=SheetOptions::LARGEST).speed(0.1)));
    }
}

fn tick(ui: &mut Ui, name: &str, value: &mut bool) {
    row(ui, name, |ui| ui.add(Checkbox::without_text(value)));
}

fn label(kind: SheetKind) -> &'static str {
    match kind {
        SheetKind::Json => "JSON and PNG",
        SheetKind::Packed => "Both in one (.sprsh)",
        SheetKind::Png => "PNG with the JSON inside",
    }
}
