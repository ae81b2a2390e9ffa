//! Settings about what is shown: the interface, the canvas with its overlays, and playback. The speed is not kept.

use egui::ThemePreference;
use serde::{Deserialize, Serialize};

use crate::overlays::OverlayState;
use crate::overlays::guides::Guides;
use crate::scene::background::{Background, color, hex};
use crate::scene::canvas::Canvas;
use crate::settings::options::WindowOptions;
use crate::widgets::interface::Interface;
use pchr::Animator;
use pchr::draw::{Onion, Overlay};
use pchr::player::LoopMode;

/// Theme and size of the interface.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct InterfaceSettings {
    /// The theme.
    #[serde(with = "ThemeSetting")]
    pub theme: ThemePreference,
    /// Scale of text and buttons relative to the system's.
    pub scale: f64,
}

/// The names of the themes in the settings.
#[derive(Serialize, Deserialize)]
#[serde(remote = "ThemePreference", rename_all = "kebab-case")]
enum ThemeSetting {
    System,
    Light,
    Dark,
}

impl Default for InterfaceSettings {
    fn default() -> Self {
        Self { theme: ThemePreference::System, scale: 1.0 }
    }
}

impl InterfaceSettings {
    pub fn of(interface: Interface) -> Self {
        // Without the digits that single precision does not have.
        Self { theme: interface.theme, scale: (f64::from(interface.scale) * 1000.0).round() / 1000.0 }
    }

    pub fn apply(&self, interface: &mut Interface, options: &WindowOptions) {
        if options.theme.is_none() {
            interface.theme = self.theme;
        }
        if options.ui_scale.is_none() && self.scale.is_finite() {
            interface.scale = self.scale as f32;
        }
    }
}

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

/// Loop mode and interpolation.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct PlaybackSettings {
    /// The loop mode.
    #[serde(with = "LoopSetting")]
    pub loop_mode: LoopMode,
    /// Stored frames are interpolated.
    pub interpolate: bool,
}

/// The names of the loop modes in the settings.
#[derive(Serialize, Deserialize)]
#[serde(remote = "LoopMode", rename_all = "kebab-case")]
enum LoopSetting {
    Authored,
    Loop,
    Once,
    PingPong,
}

impl PlaybackSettings {
    pub fn of(animator: &Animator) -> Self {
        Self { loop_mode: animator.loop_mode(), interpolate: animator.interpolates() }
    }

    pub fn apply(&self, animator: &mut Animator, options: &WindowOptions) {
        animator.set_loop_mode(self.loop_mode);
        animator.set_interpolate(self.interpolate || options.subject.interpolate);
    }
}
