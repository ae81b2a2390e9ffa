//! Tooltips wait for the mouse: none appears under a pointer that rests while a window or a dialog opens below it, and an
//! open one does not cover the dialog.

use egui::style::Interaction;
use egui::{Context, Event, Id, Pos2, RawInput};

/// Waits for a move of the pointer.
#[derive(Debug, Clone, Copy)]
struct Waiting {
    /// From this place, once it is known.
    from: Option<Pos2>,
    pointer: Pointer,
}

/// What egui knows of the resting pointer. An open tooltip only closes without it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Pointer {
    Seen,
    Gone,
    Back,
}

fn place() -> Id {
    Id::unique("tooltips wait for the pointer")
}

fn waiting(ctx: &Context) -> Option<Waiting> {
    ctx.data(|data| data.get_temp(place()))
}

fn set(ctx: &Context, waiting: Waiting) {
    ctx.data_mut(|data| {
        data.insert_temp(place(), waiting);
    });
}

/// Hides tooltips and shows none until the pointer moves.
pub fn wait_for_move(ctx: &Context) {
    const NEVER_SECS: f32 = 1e6;
    let from = ctx.input(|input| input.pointer.latest_pos());
    set(ctx, Waiting { from, pointer: if from.is_some() { Pointer::Seen } else { Pointer::Back } });
    ctx.all_styles_mut(|style| style.interaction.tooltip_delay = NEVER_SECS);
    ctx.request_repaint();
}

/// Returns true while a move of the pointer would let tooltips appear.
pub fn are_waiting(ctx: &Context) -> bool {
    waiting(ctx).is_some()
}

/// Takes the pointer away for one frame, in which an open tooltip closes. Call it with the input of each frame.
pub fn hide(ctx: &Context, input: &mut RawInput) {
    let Some(Waiting { from: Some(from), pointer }) = waiting(ctx) else { return };
    let (event, pointer) = match pointer {
        Pointer::Seen => (Event::PointerGone, Pointer::Gone),
        Pointer::Gone => (Event::PointerMoved(from), Pointer::Back),
        Pointer::Back => return,
    };
    // Before what has really happened.
    input.events.insert(0, event);
    set(ctx, Waiting { from: Some(from), pointer });
}

/// Shows tooltips as usual once the pointer has moved. Call it at the beginning of each frame.
pub fn follow(ctx: &Context) {
    let Some(Waiting { from, pointer }) = waiting(ctx) else { return };
    let Some(to) = ctx.input(|input| input.pointer.latest_pos()) else { return };
    match from {
        Some(from) if from != to => {
            let usual = Interaction::default().tooltip_delay;
            ctx.all_styles_mut(|style| style.interaction.tooltip_delay = usual);
            ctx.data_mut(|data| data.remove::<Waiting>(place()));
        }
        Some(_) => {}
        // The system reports the place of the pointer in a window that opens below it as a move.
        None => set(ctx, Waiting { from: Some(to), pointer }),
    }
}
