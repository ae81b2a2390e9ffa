//! Detects pointer moves that do not change the window.
//!
//! A mouse reports hundreds of moves per second. Over the canvas none of them matters until a button is pressed or
//! the wheel is turned, so they are not worth laying out a frame.

use egui::{Context, Event, Id, LayerId, Pos2, RawInput, ViewportId, WidgetRect};

/// Returns true if a frame with the pointer at `to` would equal the last one: no button is down, no menu, dialog
/// or tooltip is open, and the pointer stays on the bare `canvas`, away from everything else that can be clicked.
pub fn is_idle_move(ctx: &Context, canvas: Id, to: Pos2) -> bool {
    let near = ctx.global_style().interaction.interact_radius;
    ctx.viewport_for(ViewportId::ROOT, |viewport| {
        let pointer = &viewport.input.pointer;
        let Some(from) = pointer.latest_pos().filter(|_| !pointer.any_down()) else { return false };
        let widgets = &viewport.prev_pass.widgets;
        if widgets.layer_ids().any(|layer| layer != LayerId::background()) {
            return false;
        }
        let Some(canvas) = widgets.get(canvas).filter(|canvas| canvas.layer_id == LayerId::background()) else {
            return false;
        };
        let in_the_way = |widget: &&WidgetRect| {
            let is_behind =
                !widget.sense.interactive() && widget.interact_rect.contains_rect(canvas.interact_rect);
            widget.id != canvas.id && widget.interact_rect.is_positive() && !is_behind
        };
        let is_bare = |at: Pos2| {
            let mut others = widgets.get_layer(LayerId::background()).filter(in_the_way);
            canvas.interact_rect.contains(at)
                && others.all(|widget| !widget.interact_rect.expand(near).contains(at))
        };
        is_bare(from) && is_bare(to)
    })
}

/// Returns where the pointer will be once egui has processed `input`.
pub fn pending(input: &RawInput) -> Option<Pos2> {
    input.events.iter().rev().find_map(|event| match event {
        Event::PointerMoved(to) => Some(*to),
        _ => None,
    })
}

/// Drops all but the last of consecutive moves, so that unprocessed moves do not pile up.
pub fn join_moves(input: &mut RawInput) {
    input.events.dedup_by(|later, earlier| match (later, earlier) {
        (Event::PointerMoved(to), Event::PointerMoved(from)) => {
            *from = *to;
            true
        }
        _ => false,
    });
}
