//! The panels around the canvas.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::parts::side::{Section, SidePanel};
use crate::sheet::sheet_layout::SheetPanel;
use crate::timeline::{Lower, TimelineView};
use crate::tracks::Mixer;

/// Which panels are shown.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct PanelSettings {
    /// The lists and controls around the canvas are shown.
    pub shown: bool,
    /// The pages of sprite sheets are shown.
    pub sheet: bool,
    /// `dopesheet` or `curves` if they are shown below the timeline, otherwise empty. Unknown names are ignored.
    pub below_timeline: String,
    /// The strip of tracks is shown.
    pub tracks: bool,
    /// The event log is part of the strip of tracks.
    pub event_log: bool,
    /// The sections of the side panel that the user has folded (false) or unfolded (true), by name. Unknown names are
    /// ignored.
    pub sections: BTreeMap<String, bool>,
    /// Only slots that show something are listed.
    pub only_visible_slots: bool,
    /// Each curve has a scale of its own.
    pub normalised_curves: bool,
    /// The width of the lists in points.
    pub lists_width: f32,
    /// The same in a wide window.
    pub wide_lists_width: f32,
    /// The width of the pages of sprite sheets in points.
    pub sheet_width: f32,
}

const LOWER: [(Lower, &str); 2] = [(Lower::Dopesheet, "dopesheet"), (Lower::Curves, "curves")];

impl Default for PanelSettings {
    fn default() -> Self {
        Self::of(true, &Default::default(), &Default::default(), &Default::default(), &Default::default())
    }
}

impl PanelSettings {
    pub fn of(shown: bool, sheet: &SheetPanel, timeline: &TimelineView, mixer: &Mixer, side: &SidePanel) -> Self {
        let lower = LOWER.into_iter().find(|(lower, _)| Some(*lower) == timeline.lower);
        let sections = side.sections.iter().map(|(section, is_open)| (section.name().to_owned(), *is_open));
        Self {
            shown,
            sheet: sheet.is_shown,
            below_timeline: lower.map_or("", |(_, name)| name).to_owned(),
            tracks: mixer.is_shown,
            event_log: mixer.log.is_shown,
            sections: sections.collect(),
            only_visible_slots: side.only_visible,
            normalised_curves: timeline.normalizes,
            lists_width: side.width,
            wide_lists_width: side.wide_width,
            sheet_width: sheet.width,
        }
    }

    pub fn apply(
        &self,
        sheet: &mut SheetPanel,
        timeline: &mut TimelineView,
        mixer: &mut Mixer,
        side: &mut SidePanel,
    ) {
        sheet.is_shown = self.sheet;
        timeline.lower = LOWER.into_iter().find(|(_, name)| *name == self.below_timeline).map(|(lower, _)| lower);
        mixer.is_shown = self.tracks;
        mixer.log.is_shown = self.event_log;
        side.only_visible = self.only_visible_slots;
        timeline.normalizes = self.normalised_curves;
        let width = |kept: f32, usual: f32| if kept.is_finite() { kept } else { usual };
        side.width = width(self.lists_width, SidePanel::WIDTH);
        side.wide_width = width(self.wide_lists_width, SidePanel::WIDE);
        sheet.width = width(self.sheet_width, SheetPanel::WIDTH);
        let section = |name: &String| Section::ALL.into_iter().find(|section| section.name() == name);
        side.sections =
            self.sections.iter().filter_map(|(name, is_open)| Some((section(name)?, *is_open))).collect();
    }
}
