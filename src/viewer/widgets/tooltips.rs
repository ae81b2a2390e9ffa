//! Tooltips wait for the mouse: none appears under a pointer that rests while a window or a dialog opens below it.

use egui::style::Interaction;
use egui::{Context, Id, Pos2};

/// Waits for a move of the pointer from this place, which may not be known yet.
#[derive(Debug, Clone, Copy)]
struct Waiting(Option<Pos2>);

fn place() -> Id {
    Id::unique("tooltips wait for the pointer")
}

/// Hides tooltips and shows none until the pointer moves.
pub fn wait_for_move(ctx: &Context) {
    const NEVER_SECS: f32 = 1e6;
    let from = ctx.input(|input| input.pointer.latest_pos());
    ctx.data_mut(|data| data.insert_temp(place(), Waiting(from)));
    ctx.all_styles_mut(|style| style.interaction.tooltip_delay = NEVER_SECS);
}

/// Returns true while a move of the pointer would let tooltips appear.
pub fn are_waiting(ctx: &Context) -> bool {
    ctx.data(|data| data.get_temp::<Waiting>(place())).is_some()
}

/// Shows tooltips as usual once the pointer has moved. Call it at the beginning of each frame.
pub fn follow(ctx: &Context) {
    let Some(Waiting(from)) = ctx.data(|data| data.get_temp(place())) else { return };
    let Some(to) = ctx.input(|input| input.pointer.latest_pos()) else { return };
    match from {
        Some(from) if from != to => {
            let usual = Interaction::default().tooltip_delay;
            ctx.all_styles_mut(|style| style.interaction.tooltip_delay = usual);
            ctx.data_mut(|data| data.remove::<Waiting>(place()));
        }
        Some(_) => {}
        // The system reports the place of the pointer in a window that opens below it as a move.
        None => {
            ctx.data_mut(|data| data.insert_temp(place(), Waiting(Some(to))));
        }
    }
}
