//! A scrolling list of rows of equal height. Only the visible rows are laid out, plus one at each end, so that the
//! keyboard focus can reach them.

use egui::{Align, Id, Rect, Response, ScrollArea, Ui, UiBuilder, vec2};

/// Space between two rows in points.
const GAP: f32 = 2.0;
/// Space for the scroll bar in points.
pub const SCROLL_BAR: f32 = 10.0;

/// The dimensions of a list.
#[derive(Debug, Clone, Copy)]
pub struct Rows {
    /// Number of rows.
    pub count: usize,
    /// Row height in points.
    pub height: f32,
}

impl Rows {
    /// Returns the height of `count` rows.
    pub fn height_of(self, count: usize) -> f32 {
        (count as f32 * (self.height + GAP) - GAP).max(0.0)
    }

    /// Returns the height of all rows.
    pub fn total(self) -> f32 {
        self.height_of(self.count)
    }

    /// Shows the rows in a list that is `room` points high. `row` adds one row. `reveal` contains an id and a row
    /// to scroll to whenever that id changes, unless it is visible.
    pub fn show(
        self,
        ui: &mut Ui,
        salt: &str,
        room: f32,
        reveal: Option<(Id, usize)>,
        mut row: impl FnMut(&mut Ui, usize) -> Option<Response>,
    ) {
        let scrolls = self.total() > room + 0.5;
        let reveal = reveal.filter(|(of, _)| has_changed(ui, salt, *of)).map(|(_, place)| place);
        let area = ScrollArea::vertical().id_salt(salt).max_height(room).min_scrolled_height(room);
        let area = area.auto_shrink([false, true]).animated(false);
        let focus = ui.make_persistent_id(salt).with("focus");
        let before: Option<usize> = ui.data(|data| data.get_temp(focus)).flatten();
        let mut focused = None;
        let shown = area.show_viewport(ui, |ui, viewport| {
            let width = ui.available_width() - if scrolls { SCROLL_BAR } else { 0.0 };
            let size = vec2(width.max(1.0), self.total());
            let corner = ui.max_rect().min;
            ui.expand_to_include_rect(Rect::from_min_size(corner, size));
            let step = self.height + GAP;
            let rect_of = |place: usize| {
                Rect::from_min_size(corner + vec2(0.0, place as f32 * step), vec2(size.x, self.height))
            };
            let is_visible = |place: usize| {
                let top = place as f32 * step;
                viewport.min.y <= top && top + self.height <= viewport.max.y
            };
            if let Some(place) = reveal.filter(|place| !is_visible(*place)) {
                ui.scroll_to_rect(rect_of(place), Some(Align::Center));
            }
            let first = ((viewport.min.y / step).floor() as usize).saturating_sub(1);
            let end = ((viewport.max.y / step).ceil() as usize + 1).min(self.count);
            // Keep widget ids independent of the scroll position.
            ui.skip_ahead_auto_ids(first);
            for place in first..end {
                let builder = UiBuilder::new().id_salt((salt, place)).max_rect(rect_of(place));
                let response = ui.scope_builder(builder, |ui| row(ui, place)).inner;
                if response.is_some_and(|response| response.has_focus()) {
                    focused = Some(place);
                }
            }
            if let Some(place) = focused.filter(|_| focused != before) {
                // Include the neighbours as far as they fit: arrow keys only reach visible rows.
                let beside = step.min(((room - self.height) * 0.5).max(0.0));
                ui.scroll_to_rect(rect_of(place).expand2(vec2(0.0, beside)), None);
            }
        });
        // The list itself may have to be scrolled into view.
        if focused.is_some() && focused != before {
            ui.scroll_to_rect(shown.inner_rect, None);
        }
        ui.data_mut(|data| data.insert_temp(focus, focused));
    }
}

/// Returns true if `of` differs from the previous frame. Also returns true in further passes of the same frame, as
/// the height of the list may have changed.
fn has_changed(ui: &Ui, salt: &str, of: Id) -> bool {
    let known = ui.make_persistent_id(salt).with("of");
    let frame = ui.ctx().cumulative_frame_nr();
    let before: Option<(Id, u64)> = ui.data(|data| data.get_temp(known));
    let has_changed = before.is_none_or(|(shown, in_frame)| shown != of || in_frame == frame);
    if has_changed {
        ui.data_mut(|data| data.insert_temp(known, (of, frame)));
    }
    has_changed
}

/// Distributes `room` among lists. If there is enough, each gets what it `wants`; otherwise, lists that want more
/// than an equal share split what the others leave. No list gets less than its `least`, even if that exceeds the
/// room.
pub fn share(room: f32, lists: &[Share]) -> Vec<f32> {
    let mut heights: Vec<f32> = lists.iter().map(|list| list.least.min(list.wants)).collect();
    let mut left = room - heights.iter().sum::<f32>();
    // All lists grow together until the room is used up or each has what it wants.
    while left > 0.5 {
        let growing: Vec<usize> =
            (0..lists.len()).filter(|&list| lists[list].wants - heights[list] > 0.01).collect();
        // The lowest lists grow first, up to the next higher one.
        let Some(lowest) = growing.iter().map(|&list| heights[list]).reduce(f32::min) else { break };
        let lowest_lists: Vec<usize> = growing.into_iter().filter(|&list| heights[list] < lowest + 0.01).collect();
        let wants = lowest_lists.iter().map(|&list| lists[list].wants);
        let others = (0..lists.len()).map(|list| heights[list]).filter(|&height| height > lowest + 0.01);
        let next = wants.chain(others).fold(f32::INFINITY, f32::min);
        let step = (next - lowest).min(left / lowest_lists.len() as f32);
        for &list in &lowest_lists {
            heights[list] = lowest + step;
        }
        left -= step * lowest_lists.len() as f32;
    }
    heights
}

/// The height that a list asks for.
#[derive(Debug, Clone, Copy)]
pub struct Share {
    /// Height of all rows.
    pub wants: f32,
    /// Minimum height, if all rows are not lower.
    pub least: f32,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shared(room: f32, wants: &[f32]) -> Vec<f32> {
        let lists: Vec<Share> = wants.iter().map(|&wants| Share { wants, least: 50.0 }).collect();
        share(room, &lists)
    }

    #[test]
    fn every_list_gets_what_it_wants_if_there_is_room() {
        assert_eq!(shared(1000.0, &[100.0, 20.0, 300.0]), [100.0, 20.0, 300.0]);
    }

    #[test]
    fn long_lists_share_the_rest() {
        assert_eq!(shared(600.0, &[100.0, 2000.0, 1000.0]), [100.0, 250.0, 250.0]);
        assert_eq!(shared(600.0, &[2000.0, 1000.0, 500.0]), [200.0, 200.0, 200.0]);
    }

    #[test]
    fn no_list_gets_less_than_its_minimum() {
        assert_eq!(shared(60.0, &[100.0, 2000.0, 20.0]), [50.0, 50.0, 20.0]);
        assert_eq!(shared(-400.0, &[100.0, 0.0]), [50.0, 0.0]);
        assert_eq!(shared(f32::NAN, &[100.0]), [50.0]);
        assert!(shared(100.0, &[]).is_empty());
    }
}
