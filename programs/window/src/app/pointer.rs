//! Detects pointer moves that do not change the window.
//!
//! A mouse reports hundreds of moves per second. Most of them stay on the bare canvas or on the same control, and are not
//! worth laying out a frame.

use egui::{Context, Event, Id, LayerId, Pos2, RawInput, Rect, ViewportId, WidgetRect};

use crate::widgets::tooltips;

/// Returns true if a frame with the pointer at `to` would equal the last one: no button is down, no menu, dialog
/// or tooltip is open or waits for a move, and the pointer stays on the bare `canvas`, away from everything else that can be clicked, or on
/// the same control of one of the `panels`, whose look does not depend on where in a control the pointer is.
pub fn is_idle_move(ctx: &Context, canvas: Id, panels: &[Rect], to: Pos2) -> bool {
    if tooltips::are_waiting(ctx) {
        return false;
    }
    let near = ctx.global_style().interaction.interact_radius;
    ctx.viewport_for(ViewportId::ROOT, |viewport| {
        let pointer = &viewport.input.pointer;
        let Some(from) = pointer.latest_pos().filter(|_| !pointer.any_down()) else { return false };
        let widgets = &viewport.prev_pass.widgets;
        if widgets.layer_ids().any(|layer| layer != LayerId::background()) {
            return false;
        }
        if panels.iter().any(|panel| panel.contains(from) && panel.contains(to)) {
            let widgets: Vec<&WidgetRect> = widgets.get_layer(LayerId::background()).collect();
            return is_same_control(&widgets, from, to, near);
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

/// Returns true if egui finds the same widgets at both places, as far as that can be told without its own search: it
/// takes the nearest ones within `near` points where there is none at the pointer itself.
fn is_same_control(widgets: &[&WidgetRect], from: Pos2, to: Pos2, near: f32) -> bool {
    let at = |place: Pos2, radius: f32| {
        widgets.iter().filter(move |widget| {
            widget.interact_rect.is_positive() && widget.interact_rect.expand(radius).contains(place)
        })
    };
    let is_same = |radius: f32, counts: &dyn Fn(&WidgetRect) -> bool| {
        let ids = |place| at(place, radius).filter(|widget| counts(widget)).map(|widget| widget.id);
        ids(from).eq(ids(to))
    };
    let is_click = at(from, 0.0).any(|widget| widget.sense.senses_click());
    let might_be_found =
        |widget: &WidgetRect| widget.sense.senses_drag() || !is_click && widget.sense.interactive();
    // With several of them nearby, the nearest may be another one at each place.
    let others = at(from, near).filter(|it| might_be_found(it) && !it.interact_rect.contains(from)).count();
    is_same(0.0, &|_| true) && is_same(near, &might_be_found) && others <= 1
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
