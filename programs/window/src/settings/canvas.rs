//! Background of the canvas, guides, and what is drawn over the character.

use serde::{Deserialize, Serialize};

use crate::overlays::OverlayState;
use crate::overlays::guides::Guides;
use crate::scene::background::{Background, color, hex};
use crate::scene::canvas::Canvas;
use crate::settings::options::WindowOptions;
use pchr::draw::{Onion, Overlay};

/// Background, guides and overlays.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct CanvasSettings {
    /// `checker`, or a colour as `#rrggbb`.
    pub background: String,
    /// The custom colour, as `#rrggbb`.
    pub custom_color: Option<String>,
    /// The overlays that are shown, by their names on the command line. Unknown names are ignored.
    pub overlays: Vec<String>,
    /// The numbers of earlier and later frames of the onion skin.
    pub onion: [u8; 2],
    /// The guides.
    #[serde(flatten)]
    pub guides: Guides,
    /// The rings of IK targets are always shown.
    pub ik_targets: bool,
    /// The view is fitted to the shown animation, not to all of them.
    pub fit_animation: bool,
}

const CHECKER: &str = "checker";

impl Default for CanvasSettings {
    fn default() -> Self {
        let Onion { before, after } = Onion::default();
        Self {
            background: CHECKER.to_owned(),
            custom_color: None,
            overlays: Vec::new(),
            onion: [before, after],
            guides: Guides::default(),
            ik_targets: false,
            fit_animation: false,
        }
    }
}

impl CanvasSettings {
    pub fn of(overlays: &OverlayState, canvas: &Canvas) -> Self {
        let Onion { before, after } = overlays.shown.onion;
        Self {
            background: match overlays.background {
                Background::Checker => CHECKER.to_owned(),
                Background::Color(color) => hex(color),
            },
            custom_color: Some(hex(overlays.custom_color)),
            overlays: overlays.shown.iter().map(|overlay| overlay.name().to_owned()).collect(),
            onion: [before, after],
            guides: overlays.guides,
            ik_targets: overlays.targets.are_shown,
            fit_animation: canvas.fits_animation,
        }
    }

    pub fn apply(&self, overlays: &mut OverlayState, canvas: &mut Canvas, options: &WindowOptions) {
        if !options.background_given && overlays.background == Background::Checker {
            if let Some(color) = self.custom_color.as_deref().and_then(color) {
                overlays.custom_color = color;
            }
            if let Some(color) = color(&self.background) {
                overlays.background = Background::Color(color);
            }
        }
        if options.look.show.is_empty() {
            let is_kept = |overlay: &Overlay| self.overlays.iter().any(|name| name == overlay.name());
            overlays.shown = Overlay::ALL.into_iter().filter(is_kept).collect();
            let [before, after] = self.onion.map(|count| count.min(Onion::MOST));
            overlays.shown.onion = Onion { before, after };
        }
        overlays.guides = self.guides;
        overlays.targets.are_shown = self.ik_targets;
        canvas.fits_animation = self.fit_animation;
    }
}
