//! Tooltips wait for the mouse: none appears under a pointer that rests while a window or a dialog opens below it, and an
//! open one does not cover the dialog.

use egui::style::Interaction;
use egui::{Context, Event, Id, Pos2, RawInput};

/// Waits for a move of the pointer.
#[derive(Debug, Clone, Copy)]
struct Waiting {
    /// From this place, once it is known.
    from: Option<Pos2>,
    /// egui still takes the pointer to be there.
    is_seen: bool,
}

fn place() -> Id {
    Id::unique("tooltips wait for the pointer")
}

fn waiting(ctx: &Context) -> Option<Waiting> {
    ctx.data(|data| data.get_temp(place()))
}

/// Hides tooltips and shows none until the pointer moves.
pub fn wait_for_move(ctx: &Context) {
    const NEVER_SECS: f32 = 1e6;
    let from = ctx.input(|input| input.pointer.latest_pos());
    ctx.data_mut(|data| data.insert_temp(place(), Waiting { from, is_seen: from.is_some() }));
    ctx.all_styles_mut(|style| style.interaction.tooltip_delay = NEVER_SECS);
    ctx.request_repaint();
}

/// Returns true while a move of the pointer would let tooltips appear.
pub fn are_waiting(ctx: &Context) -> bool {
    waiting(ctx).is_some()
}

/// Takes the pointer away from an open tooltip, which would stay open under it. Call it with the input of each frame.
pub fn hide(ctx: &Context, input: &mut RawInput) {
    if let Some(it) = waiting(ctx).filter(|it| it.is_seen) {
        input.events.insert(0, Event::PointerGone);
        ctx.data_mut(|data| data.insert_temp(place(), Waiting { is_seen: false, ..it }));
    }
}

/// Shows tooltips as usual once the pointer has moved. Call it at the beginning of each frame.
pub fn follow(ctx: &Context) {
    let Some(it) = waiting(ctx) else { return };
    let Some(to) = ctx.input(|input| input.pointer.latest_pos()) else { return };
    match it.from {
        Some(from) if from != to => {
            let usual = Interaction::default().tooltip_delay;
            ctx.all_styles_mut(|style| style.interaction.tooltip_delay = usual);
            ctx.data_mut(|data| data.remove::<Waiting>(place()));
        }
        Some(_) => {}
        // The system reports the place of the pointer in a window that opens below it as a move.
        None => {
            ctx.data_mut(|data| data.insert_temp(place(), Waiting { from: Some(to), ..it }));
        }
    }
}
