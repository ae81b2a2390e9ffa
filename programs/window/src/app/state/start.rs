//! Creates the state from the options of the command line.

use std::path::Path;

use egui::ThemePreference;

use super::State;
use crate::base::waker::Waker;
use crate::compare::Compare;
use crate::compare::lineup::Lineup;
use crate::files::document::Origin;
use crate::files::loading::Loading;
use crate::files::{Files, Wanted};
use crate::overlays::OverlayState;
use crate::palette::help::Help;
use crate::parts::Parts;
use crate::playback::Playback;
use crate::scene::canvas::Canvas;
use crate::settings::options::WindowOptions;
use crate::settings::window::WindowPlace;
use crate::sheet::sheet_layout::SheetPanel;
use crate::timeline::TimelineView;
use crate::tracks::{FADE_SECS, Mixer};
use crate::widgets::interface::Interface;
use pchr::draw::Overlays;

impl State {
    /// Opens the files of `options`, reads the first at once and shows it.
    pub fn new(options: &WindowOptions) -> Self {
        let mut state = Self::empty(options, None);
        state.open_first(options);
        state
    }

    /// Prepares a state with these options and without files, to be opened by [`Self::open_first`]. They are read on
    /// another thread, which calls `waker` when [`Self::take_loaded`] can show one; without a waker, they are read at once.
    pub fn empty(options: &WindowOptions, waker: Option<Waker>) -> Self {
        let loading = Loading { is_first: true, waker, ..Loading::default() };
        let WindowOptions { subject, look, .. } = options;
        let mut playback = Playback { physics: subject.physics, ..Playback::default() };
        playback.animator.set_playing(!options.paused);
        playback.animator.set_speed(subject.speed.into());
        playback.animator.set_interpolate(subject.interpolate);
        playback.animator.set_fade_secs(FADE_SECS);
        let mut overlays = Overlays::default();
        look.show.iter().for_each(|overlay| overlay.add_without_bone_to(&mut overlays));
        let wanted = Wanted {
            subject: subject.clone(),
            show: look.show.clone(),
            background: look.background.file().map(Path::to_owned),
        };
        Self {
            files: Files {
                read: options.read.clone(),
                wanted,
                read_scene: options.read_scene,
                loading,
                ..Files::default()
            },
            places: Default::default(),
            kept_places: Default::default(),
            playback,
            mixer: Mixer::default(),
            timeline: TimelineView::default(),
            parts: Parts::default(),
            canvas: Canvas::new(look.filter, look.antialias),
            overlays: OverlayState::new(overlays, (&look.background).into()),
            sheet: SheetPanel::default(),
            compare: Compare::default(),
            lineup: Lineup::default(),
            export: None,
            saved_export: None,
            palette: None,
            help: Help::default(),
            panels: true,
            interface: Interface {
                theme: options.theme.unwrap_or(ThemePreference::System),
                scale: options.ui_scale.unwrap_or(1.0),
            },
            is_full_screen: options.fullscreen,
            place: WindowPlace::default(),
            screenshots: None,
            notice: None,
            requests: Vec::new(),
        }
    }

    /// Opens the files of `options` and shows the first. Call it once.
    pub fn open_first(&mut self, options: &WindowOptions) {
        let files = options.subject.files.clone();
        if files.iter().any(|file| file.as_os_str() != "-" && file.is_dir()) && !options.compare {
            return self.open_gallery(files);
        }
        self.lineup.hide(&options.subject);
        self.list(files, Origin::CommandLine);
        if options.compare {
            self.compare_with(1);
        }
        if options.lineup {
            self.toggle_lineup();
        }
        self.stage(&options.subject.stage);
    }
}
