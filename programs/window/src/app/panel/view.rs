//! The menu of a narrow window for what a wide one has in its top bar: zoom, overlays and background.

use egui::{Id, Popup, PopupCloseBehavior, Ui};

use super::zoom;
use crate::app::state::State;
use crate::overlays::panel::{background, show};
use crate::widgets::actions::Actions;
use crate::widgets::drop_down::{self, DropDown};
use crate::widgets::icon::{self, Icon};

/// Width of the menu in points.
const WIDTH: f32 = 250.0;
/// Space beside the menu, and height of its pages' names, in points.
const MARGIN: f32 = 44.0;
const PAGES: f32 = 30.0;
/// Width in points that the button with text needs.
const TEXT: f32 = 78.0;
const ICON: egui::Vec2 = egui::vec2(30.0, 28.0);
const NAME: &str = "View";
const TOOLTIP: &str = "Zoom, overlays and background";

/// A page of the menu.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Page {
    #[default]
    Zoom,
    Show,
    Background,
}

impl Page {
    const ALL: [(Self, &str); 3] = [(Self::Zoom, "Zoom"), (Self::Show, "Show"), (Self::Background, "Background")];
}

/// Shows the button that opens the menu, if it fits.
pub fn show(ui: &mut Ui, state: &mut State, actions: &mut Actions) {
    let is_on = state.overlays.shown.iter().next().is_some();
    let button = match ui.available_width() {
        room if room >= TEXT => {
            DropDown { text: NAME, is_on, ..DropDown::default() }.show(ui).0.on_hover_text(TOOLTIP)
        }
        room if room >= ICON.x => icon::button(ui, Icon::Eye, NAME, TOOLTIP, ICON),
        _ => return,
    };
    let is_dark = ui.visuals().dark_mode;
    let page_id = Id::unique("page of the view menu");
    Popup::menu(&button).close_behavior(PopupCloseBehavior::CloseOnClickOutside).show(|ui| {
        let width = WIDTH.min(ui.ctx().content_rect().width() - MARGIN);
        ui.set_width(width);
        let mut page: Page = ui.data(|data| data.get_temp(page_id)).unwrap_or_default();
        ui.horizontal(|ui| {
            for (of, name) in Page::ALL {
                ui.selectable_value(&mut page, of, name);
            }
        });
        ui.data_mut(|data| data.insert_temp(page_id, page));
        ui.separator();
        drop_down::contents(ui, width, drop_down::BESIDE_MENU + PAGES, |ui| match page {
            Page::Zoom => zoom::entries(ui, state, actions),
            Page::Show => show::menu(ui, &mut state.overlay_panel(is_dark, actions)),
            Page::Background => background::menu(ui, &mut state.overlay_panel(is_dark, actions)),
        });
    });
}
