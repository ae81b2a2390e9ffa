//! The slots in the order in which they are drawn, what is in front first, and what each shows now.

use egui::{CollapsingHeader, RichText, ScrollArea, Ui};

use crate::error::shown;
use crate::model::{Attachment, Model};
use crate::pose::Pose;
use crate::viewer::state::State;

const ROW: f32 = 18.0;
const MAX_HEIGHT: f32 = 320.0;

/// Shows the list, where the file has slots of its own.
pub fn show(ui: &mut Ui, state: &mut State) {
    let Some(model) = state.model().filter(|model| !model.skins().is_empty()) else { return };
    ui.add_space(12.0);
    let title = RichText::new(format!("Slots ({})", model.slots().len()).to_uppercase()).small().weak().strong();
    CollapsingHeader::new(title).id_salt("slots").show(ui, |ui| {
        let Some((model, pose)) = state.posed() else { return };
        let count = pose.draw_order.len();
        let area = ScrollArea::vertical().id_salt("slots").max_height(MAX_HEIGHT).auto_shrink([false, true]);
        area.show_rows(ui, ROW, count, |ui, rows| {
            for row in rows {
                show_row(ui, model, pose, count - 1 - row);
            }
        });
    });
}

/// The slot that is drawn as number `place`.
fn show_row(ui: &mut Ui, model: &Model, pose: &Pose, place: usize) {
    let slot = pose.draw_order[place];
    let attachment = pose.slots[slot.index()].attachment.map(|id| model.attachment(id));
    let name = shown(&model.slot(slot).name);
    let bone = model.slot(slot).bone.and_then(|bone| model.skeleton().bones().get(bone.index()));
    let is_there = pose.is_there(model, slot);
    let (what, tooltip) = match attachment {
        Some(attachment) if is_there => {
            (shown(attachment.name()), format!("{}: {} `{}`", name, kind(attachment), shown(attachment.name())))
        }
        _ => ("–".to_owned(), format!("{name}: shows nothing")),
    };
    let mut name = RichText::new(name);
    if attachment.is_none() || !is_there {
        name = name.weak();
    }
    ui.horizontal(|ui| {
        let tooltip = match bone {
            Some(bone) => format!("{tooltip}\nOn bone {}", shown(&bone.name)),
            None => tooltip,
        };
        ui.add(egui::Label::new(name).truncate()).on_hover_text(tooltip);
        ui.add(egui::Label::new(RichText::new(what).small().weak()).truncate());
    });
}

/// What people call it.
fn kind(attachment: &Attachment) -> &'static str {
    match attachment {
        Attachment::Region(_) => "region",
        Attachment::Mesh(_) => "mesh",
        Attachment::ClipMask(_) => "clipping polygon",
        Attachment::Path(_) => "path",
        Attachment::Point(_) => "point",
        Attachment::Bounds(_) => "bounding box",
    }
}
