//! Does what the user has asked for in the panels.

use super::State;
use crate::widgets::actions::{Action, Actions};

impl State {
    /// Does everything in order.
    pub fn perform(&mut self, actions: Actions) {
        for action in actions {
            match action {
                Action::Run(command) => self.run(command),
                Action::Notify(text) => self.notify(text),
                Action::Fail(text) => self.notify_error(text),
                Action::ShowAnimation(animation) => self.show_animation(animation),
                Action::PlaySymbol(symbol) => self.play_symbol(symbol),
                Action::ShowFrame(animation, frame) => self.show_frame(animation, Some(frame)),
                Action::SelectFile(index) => self.select(index),
                Action::CompareWith(index) => self.compare_with(index),
                Action::ToggleOnStage(index) => self.toggle_on_stage(index),
                Action::SwapSides => self.swap_sides(),
                Action::GoToFinding(index) => self.go_to_finding(index),
                Action::GoToProblem(index) => self.go_to_problem(index),
                Action::OpenRecent(path) => self.open_recent(path),
                Action::GivePath(dialog, text, has_agreed) => self.take_path(dialog, &text, has_agreed),
                Action::OpenTile(path) => self.open(vec![path]),
                Action::StageTiles(paths) => self.stage_tiles(paths),
                Action::ShowFindings(path) => self.show_findings(path),
                Action::CutInto(grid) => self.cut_into(grid),
                Action::UseAtlas(path) => self.use_atlas(path),
                Action::SetPageAlpha(page_alpha) => self.set_page_alpha(page_alpha),
                Action::CopyPointer(key) => self.copy_pointer(key),
                Action::Request(request) => self.requests.push(request),
            }
        }
        self.follow_animation();
    }
}
