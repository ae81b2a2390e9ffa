//! Creates the state from the options of the command line.

use std::sync::Arc;

use egui::ThemePreference;

use super::State;
use crate::Animator;
use crate::draw::Overlays;
use crate::viewer::WindowOptions;
use crate::viewer::compare::Compare;
use crate::viewer::files::document::Document;
use crate::viewer::files::documents::Documents;
use crate::viewer::files::loading::{Loading, Waker};
use crate::viewer::files::recent::RecentFiles;
use crate::viewer::overlays::guides::Guides;
use crate::viewer::overlays::statistics::Statistics;
use crate::viewer::overlays::targets::Targets;
use crate::viewer::palette::help::Help;
use crate::viewer::parts::hidden::MeshPatterns;
use crate::viewer::parts::inspection::Inspector;
use crate::viewer::parts::picking::Picking;
use crate::viewer::parts::side::SidePanel;
use crate::viewer::scene::background::Background;
use crate::viewer::scene::camera::Camera;
use crate::viewer::scene::skinned::SkinnedBuffers;
use crate::viewer::settings::window_place::WindowPlace;
use crate::viewer::sheet::sheet_layout::SheetPanel;
use crate::viewer::timeline::TimelineView;
use crate::viewer::tracks::{FADE_SECS, Mixer};
use crate::viewer::widgets::interface::Interface;

/// The default custom colour behind the character.
const CUSTOM_COLOR: [u8; 3] = [196, 160, 112];

impl State {
    /// Opens the files of `options`, reads the first and shows it. Files are read at once: see [`Self::empty_in_background`].
    pub fn new(options: &WindowOptions) -> Self {
        let mut state = Self::empty(options);
        state.open_first(options);
        state
    }

    /// Prepares a state with these options and without files, to be opened by [`Self::open_first`].
    pub fn empty(options: &WindowOptions) -> Self {
        Self::with(options, Loading { is_first: true, ..Loading::default() })
    }

    /// Like [`Self::empty`]. Files are read on another thread, which calls `waker` when [`Self::take_loaded`] can show
    /// one.
    pub fn empty_in_background(options: &WindowOptions, waker: Waker) -> Self {
        Self::with(options, Loading { is_first: true, waker: Some(waker), ..Loading::default() })
    }

    fn with(options: &WindowOptions, loading: Loading) -> Self {
        let WindowOptions { subject, look, .. } = options;
        let mut animator = Animator::default();
        animator.set_playing(!options.paused);
        animator.set_speed(subject.speed.into());
        animator.set_interpolate(subject.interpolate);
        animator.set_fade_secs(FADE_SECS);
        let mut overlays = Overlays::default();
        look.show.iter().for_each(|overlay| overlay.add_without_bone_to(&mut overlays));
        Self {
            documents: Documents::default(),
            current: 0,
            read: options.read.clone(),
            wanted_animation: subject.animations.first().cloned(),
            wanted_skins: subject.skins.clone(),
            wanted_frames: subject.frames.clone(),
            wanted_time: subject.time,
            wanted_show: look.show.clone(),
            wanted_meshes: MeshPatterns { solo: subject.meshes.clone(), hidden: subject.hidden_meshes.clone() },
            animator,
            auto_skins: Vec::new(),
            mixer: Mixer::default(),
            marks: Vec::new(),
            fired: Vec::new(),
            physics: subject.physics,
            hidden: Arc::default(),
            mesh_patterns: MeshPatterns::default(),
            overlays,
            targets: Targets::default(),
            camera: Camera::Fit,
            selected: None,
            skinned: SkinnedBuffers::default(),
            picking: Picking::default(),
            side: SidePanel::default(),
            inspector: Inspector::default(),
            background: look.background.into(),
            custom_color: match look.background.into() {
                Background::Checker => CUSTOM_COLOR,
                Background::Color(color) => color,
            },
            guides: Guides::default(),
            underlay: None,
            statistics: Statistics::default(),
            filter: look.filter,
            antialias: look.antialias,
            is_slow: false,
            is_too_heavy: false,
            canvas: [1, 1],
            pixels_per_point: 1.0,
            timeline: TimelineView::default(),
            scrubbing: false,
            panels: true,
            lists: false,
            sheet: SheetPanel::default(),
            interface: Interface {
                theme: options.theme.unwrap_or(ThemePreference::System),
                scale: options.ui_scale.unwrap_or(1.0),
            },
            is_full_screen: options.fullscreen,
            compare: Compare::default(),
            recent: RecentFiles::default(),
            opening: None,
            place: WindowPlace::default(),
            help: Help::default(),
            palette: None,
            export: None,
            saved_export: None,
            notice: None,
            requests: Vec::new(),
            loading,
            has_read: false,
        }
    }

    /// Opens the files of `options` and shows the first. Call it once.
    pub fn open_first(&mut self, options: &WindowOptions) {
        self.list(options.subject.files.clone(), Document::named);
        if options.compare {
            self.compare_with(1);
        }
    }
}
