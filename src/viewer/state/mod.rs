//! State of the viewer: files, animator, camera and settings. Independent of the window and of egui.

mod compare;
mod desk;
mod findings;
mod loading;
mod picking;
mod sheet;
mod skins;
pub mod targets;
mod time;
mod tracks;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::backdrop::Squares;
use super::book::SheetPanel;
use super::compare::Compare;
use super::document::{Document, Loaded, Place};
use super::export::{Export, SavedChoices};
use super::guides::Guides;
use super::help::Help;
use super::hidden::HiddenNames;
use super::inspection::Inspector;
use super::interface::Interface;
use super::loading::{Loading, Waker};
use super::marks::{self, Fired, Mark};
use super::mixer::saved::{SavedTracks, missing_message};
use super::mixer::{FADE_SECS, Mixer};
use super::palette::CommandPalette;
use super::picking::Picking;
use super::place::WindowPlace;
use super::playhead;
use super::recent::RecentFiles;
use super::scene::Scene;
use super::selection::{ByName, Selected};
use super::side::SidePanel;
use super::statistics::Statistics;
use super::timeline::{TimelineView, Zoom};
use super::tree::Tree;
use super::underlay::Underlay;
use super::view::Camera;
use super::{Background, WindowOptions};
use crate::character::Character;
use crate::draw::{Antialias, Filter, Hidden, Overlays, Settings, View};
use crate::error::escaped;
use crate::export::{FrameSpec, NO_SKIN, NamePattern, OverlayChoice, hidden_meshes};
use crate::formats::{PageAlpha, ReadOptions};
use crate::math::Rect;
use crate::model::{AnimationId, Model, SkinId};
use crate::motion::sole_skin;
use crate::player::{Animator, EventKind};
use crate::pose::Pose;
use skins::find_skin;
use targets::Targets;

/// The work limit of a written picture divided by this is that of a frame in the window, which has to stay
/// responsive.
pub const FRAMES_A_LIMIT: u64 = 4;

/// The default custom colour behind the character.
const CUSTOM_COLOR: [u8; 3] = [196, 160, 112];

/// Everything that the window shows.
#[derive(Debug)]
pub struct State {
    documents: Vec<Document>,
    current: usize,
    read: ReadOptions,
    /// The animation requested on the command line, until a file has it.
    wanted_animation: Option<String>,
    /// The skins requested on the command line, until a file is shown.
    wanted_skins: Vec<String>,
    /// The frames or the time requested on the command line, until a file is shown.
    wanted_frames: Option<FrameSpec>,
    wanted_time: Option<f64>,
    /// The patterns of `--mesh` and `--hide-mesh`, until a file is shown.
    wanted_meshes: [Vec<NamePattern>; 2],
    /// The overlays of `--show`, until a file is shown that has their bones.
    wanted_show: Vec<OverlayChoice>,
    /// The shown character with its playback state.
    pub animator: Animator,
    /// The skin that was activated because the character shows nothing without it, until skins are changed.
    pub auto_skin: Option<SkinId>,
    /// The strip of tracks.
    pub mixer: Mixer,
    /// The events of the shown animation.
    pub marks: Vec<Mark>,
    /// The events that were fired recently.
    pub fired: Vec<Fired>,
    /// Whether physics is simulated if the file has it; `None`: by default for its format.
    pub physics: Option<bool>,
    /// What is not drawn.
    pub hidden: Arc<Hidden>,
    /// Overlays over the character.
    pub overlays: Overlays,
    /// The targets of inverse kinematics, and the positions to which the user has moved them.
    pub targets: Targets,
    /// The visible part of the world.
    pub camera: Camera,
    /// The selected part of the character.
    pub selected: Option<Selected>,
    /// The last point picked on the canvas.
    pub picking: Picking,
    /// The side panel.
    pub side: SidePanel,
    /// The panel about the selection.
    pub inspector: Inspector,
    /// The background of the character.
    pub background: Background,
    /// The colour picked by the user or on the command line, even if another background is shown.
    pub custom_color: [u8; 3],
    /// The grid, the ground line and the origin behind the character.
    pub guides: Guides,
    /// The picture behind the character.
    pub underlay: Option<Underlay>,
    /// What drawing costs.
    pub statistics: Statistics,
    /// Sampling of textures.
    pub filter: Filter,
    /// Antialiasing; `None`: chosen by the zoom.
    pub antialias: Option<Antialias>,
    /// Drawing is slow on this machine: do no more than necessary during motion.
    pub is_slow: bool,
    /// The character is not drawn because that would take too long.
    pub is_too_heavy: bool,
    /// Size of the canvas in physical pixels, as last laid out.
    pub canvas: [u32; 2],
    /// The timeline, with keys and curves.
    pub timeline: TimelineView,
    /// The user is dragging the playhead: time stands still.
    pub scrubbing: bool,
    /// The lists and controls around the canvas are shown.
    pub panels: bool,
    /// The lists are shown even if the window is narrow.
    pub lists: bool,
    /// The panel with the pages of a sprite sheet.
    pub sheet: SheetPanel,
    /// Theme and size of the interface.
    pub interface: Interface,
    /// The window is in full screen.
    pub is_full_screen: bool,
    /// The comparison with a second character.
    pub compare: Compare,
    /// Recently opened files.
    pub recent: RecentFiles,
    /// The place of the window on the desktop.
    pub place: WindowPlace,
    /// The list of keys.
    pub help: Help,
    /// The command palette, while it is open.
    pub palette: Option<CommandPalette>,
    /// The export dialog, while it is open.
    pub export: Option<Box<Export>>,
    /// The choices of the export dialog when it was last closed.
    pub saved_export: Option<SavedChoices>,
    /// The last message to the user.
    pub notice: Option<Notice>,
    /// Pending requests that only the window can fulfil.
    pub requests: Vec<Request>,
    /// The file that is being loaded.
    pub loading: Loading,
    /// Files were opened, read or closed since the window last checked: the set of watched files has changed.
    pub has_read: bool,
}

/// A temporary message to the user.
#[derive(Debug, Clone, PartialEq)]
pub struct Notice {
    /// The message.
    pub text: String,
    /// True for an error.
    pub is_error: bool,
    /// When it disappears, in egui's seconds; set when it is first shown.
    pub until: Option<f64>,
}

/// A request that only the window can fulfil.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Request {
    /// Show the system's dialog for choosing files.
    OpenDialog,
    /// Show the system's dialog for choosing a file to compare with.
    CompareDialog,
    /// Show the system's dialog for choosing the picture behind the character.
    UnderlayDialog,
    /// Show the system's dialog for naming the file of an export.
    SaveDialog,
    /// Show the folder of the exported files in the file manager.
    OpenFolder,
    /// Copy the picture of the canvas to the clipboard.
    CopyPicture,
    /// Open the paths in the clipboard.
    Paste,
    /// Toggle full screen.
    FullScreen,
    /// Quit the program.
    Quit,
}

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
            documents: Vec::new(),
            current: 0,
            read: options.read.clone(),
            wanted_animation: subject.animations.first().cloned(),
            wanted_skins: subject.skins.clone(),
            wanted_frames: subject.frames.clone(),
            wanted_time: subject.time,
            wanted_show: look.show.clone(),
            wanted_meshes: [subject.meshes.clone(), subject.hidden_meshes.clone()],
            animator,
            auto_skin: None,
            mixer: Mixer::default(),
            marks: Vec::new(),
            fired: Vec::new(),
            physics: subject.physics,
            hidden: Arc::default(),
            overlays,
            targets: Targets::default(),
            camera: Camera::Fit,
            selected: None,
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
            timeline: TimelineView::default(),
            scrubbing: false,
            panels: true,
            lists: false,
            sheet: SheetPanel::default(),
            interface: Interface { theme: options.theme, scale: options.ui_scale },
            is_full_screen: options.fullscreen,
            compare: Compare::default(),
            recent: RecentFiles::default(),
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

    /// Adds files to the list and shows the first of them. Files that are already in the list are read again.
    pub fn open(&mut self, paths: Vec<PathBuf>) {
        self.list(paths, Document::new);
    }

    fn list(&mut self, paths: Vec<PathBuf>, document: fn(PathBuf) -> Document) {
        let mut first = None;
        for path in &paths {
            self.recent.add(path);
        }
        for path in paths {
            let index = match self.documents.iter().position(|document| document.path() == path) {
                Some(index) => index,
                None => {
                    self.documents.push(document(path));
                    self.documents.len() - 1
                }
            };
            first.get_or_insert(index);
        }
        let Some(index) = first else { return };
        self.has_read = true;
        if let Some(document) = self.documents.get_mut(index) {
            document.expire();
        }
        self.select(index);
    }

    /// Returns the options for reading files.
    pub fn read_options(&self) -> &ReadOptions {
        &self.read
    }

    /// Returns the files of the list.
    pub fn documents(&self) -> &[Document] {
        &self.documents
    }

    /// Returns the index of the shown file.
    pub fn current_index(&self) -> usize {
        self.current
    }

    /// Returns the shown file.
    pub fn current(&self) -> Option<&Document> {
        self.documents.get(self.current)
    }

    /// Returns the shown character and its metadata.
    pub fn loaded(&self) -> Option<&Loaded> {
        self.current()?.loaded()
    }

    /// Returns the shown model.
    pub fn model(&self) -> Option<&Model> {
        self.loaded().map(|loaded| loaded.character.model())
    }

    /// Shows the file at `index` as the user left it.
    pub fn select(&mut self, index: usize) {
        self.leave();
        self.enter(index);
    }

    /// Closes the shown file. The file that is being loaded is shown next, or else the next one of the list, or the
    /// last one; if there is none, the window is empty.
    pub fn close(&mut self) {
        if self.current >= self.documents.len() {
            return;
        }
        if self.loading_index() == Some(self.current) {
            self.loading.cancel();
        }
        self.compare.second = None;
        self.documents.remove(self.current);
        self.has_read = true;
        match (self.loading_index(), self.documents.len()) {
            (Some(next), _) => {
                self.current = next;
                self.arrive();
            }
            (None, 0) => {
                self.current = 0;
                self.arrive();
            }
            (None, count) => {
                self.current = self.current.min(count - 1);
                // Show nothing of the closed file while the next one is read.
                self.arrive();
                self.enter(self.current);
            }
        }
    }

    fn enter(&mut self, index: usize) {
        let Some(document) = self.documents.get_mut(index) else { return };
        if document.is_expired() {
            return self.load(index);
        }
        self.loading.cancel();
        self.set_current(index);
        self.read_second();
        self.arrive();
    }

    /// Shows the file `steps` further in the list, wrapping around.
    pub fn select_by(&mut self, steps: isize) {
        let count = self.documents.len() as isize;
        if count > 1 {
            // From the one that the user has asked for, though it may not be there yet.
            let from = self.loading_index().unwrap_or(self.current);
            self.select((from as isize + steps).rem_euclid(count) as usize);
        }
    }

    /// Reads the shown file again, keeping animation, frame and view, or that which is being loaded.
    pub fn reload(&mut self) {
        let index = self.loading_index().unwrap_or(self.current);
        if let Some(document) = self.documents.get_mut(index) {
            document.expire();
            self.select(index);
        }
    }

    /// Changes whether images are read as straight or premultiplied. All files are read again, keeping animation,
    /// frame, skins and view.
    pub fn set_page_alpha(&mut self, page_alpha: PageAlpha) {
        if self.read.page_alpha != page_alpha {
            self.read.page_alpha = page_alpha;
            self.documents.iter_mut().for_each(Document::expire);
            self.select(self.loading_index().unwrap_or(self.current));
        }
    }

    /// Handles changed files. The shown one, or that which is being loaded, is read again now, the others when they
    /// are shown.
    pub fn files_changed(&mut self, changed: &dyn Fn(&Path) -> bool) {
        let wanted = self.loading_index().unwrap_or(self.current);
        let mut is_due = false;
        for (index, document) in self.documents.iter_mut().enumerate() {
            if !document.is_piped() && document.files().any(changed) {
                document.expire();
                is_due |= index == wanted;
            }
        }
        if is_due {
            self.select(wanted);
        }
        self.read_second();
    }

    /// Shows another animation from its beginning, on track 0. Playback continues if it was running.
    ///
    /// With the strip of tracks, other tracks go on, and the animation fades in unless playback is paused.
    pub fn show_animation(&mut self, animation: AnimationId) {
        if self.loaded().is_none() {
            return;
        }
        self.fired.clear();
        self.timeline.zoom = Zoom::default();
        if self.mixer.is_shown || self.is_mixing() {
            self.play_on_track(0, animation);
            if !self.animator.is_playing()
                && let Some(playback) = self.animator.playback_mut(0)
            {
                playback.set_fade(0.0);
            }
        } else {
            self.animator.show(Some(animation));
        }
        self.mark();
    }

    /// Lets `dt_secs` seconds pass, and records the events fired meanwhile.
    pub fn advance(&mut self, dt_secs: f64) {
        self.animator.advance(dt_secs);
        for event in self.animator.events() {
            if let EventKind::Fired(fired) = event.kind {
                marks::report(self.animator.model(), &fired, &mut self.fired);
                if let Some(animation) = event.animation {
                    self.mixer.log.push(event.track, animation, &fired);
                }
            }
        }
        self.follow_animation();
        playhead::pause_at_end(&mut self.animator);
    }

    /// Returns the model and its current pose; `None` if there is no character.
    pub fn posed(&mut self) -> Option<(&Model, &Pose)> {
        self.documents.get(self.current)?.loaded()?;
        self.animator.refresh();
        Some((self.animator.model(), self.animator.pose()))
    }

    /// Looks up the events of the shown animation if another one is shown now.
    pub(super) fn follow_animation(&mut self) {
        if self.animator.playback(0).animation() != self.mixer.marked {
            self.mark();
        }
    }

    /// Looks up the events of the shown animation.
    fn mark(&mut self) {
        let animation = self.animator.playback(0).animation();
        self.mixer.marked = animation;
        let loaded = self.documents.get_mut(self.current).and_then(Document::loaded_mut);
        self.marks = loaded.map(|loaded| loaded.marks(animation).to_vec()).unwrap_or_default();
    }

    /// Shows the animation `steps` further in the list, wrapping around.
    pub fn show_animation_by(&mut self, steps: isize) {
        let Some(model) = self.model() else { return };
        let ids: Vec<AnimationId> = model.animation_ids().collect();
        let at = ids.iter().position(|&id| Some(id) == self.animator.playback(0).animation());
        let next = match at {
            Some(at) => (at as isize + steps).rem_euclid(ids.len() as isize) as usize,
            None => 0,
        };
        if let Some(&id) = ids.get(next) {
            self.show_animation(id);
        }
    }

    /// Returns what to draw on the canvas; `None` if there is no character.
    pub fn scene(&mut self) -> Option<Scene> {
        let view = self.view()?;
        let character = Arc::clone(&self.loaded()?.character);
        self.animator.refresh();
        // Physics depends on earlier instants, and so do rotations while animations are mixed.
        let is_evaluated = self.animator.shows_physics() || !self.animator.cue().layers.is_empty();
        let pose = is_evaluated.then(|| Arc::new(self.animator.pose().clone()));
        let is_brief = self.is_slow && (self.animator.is_moving() || self.scrubbing);
        let antialias = self.antialias.unwrap_or_else(|| automatic_antialias(view.scale(), is_brief));
        let settings = Settings { filter: self.filter, antialias };
        let work = self.read.limits.work / FRAMES_A_LIMIT;
        let cue = self.animator.cue().clone();
        let (hidden, overlays) = (Arc::clone(&self.hidden), self.shown_overlays());
        Some(Scene { character, cue, pose, hidden, overlays, view, settings, work, is_brief })
    }

    /// Returns the overlays with the bone whose weights they show, which is the selected one.
    pub fn shown_overlays(&self) -> Overlays {
        let mut overlays = self.overlays;
        overlays.bone = self.model().and_then(|model| self.selected?.bone(model));
        overlays
    }

    /// Returns the view of the canvas; `None` if there is no character.
    pub fn view(&mut self) -> Option<View> {
        let content = self.content()?;
        let pixel_art = self.loaded()?.is_pixel_art();
        Some(self.camera.view(self.canvas, content, pixel_art))
    }

    /// Returns the bounding rectangle of the shown animation and those of the other tracks, in world pixels. What is
    /// being replaced does not count: the view would change at the beginning and at the end of a fade.
    pub fn content(&mut self) -> Option<Rect> {
        let work = self.read.limits.work / FRAMES_A_LIMIT;
        let loaded = self.documents.get_mut(self.current)?.loaded_mut()?;
        let animator = &self.animator;
        let mut content_of = |track: usize| {
            let animation = animator.playback(track).animation();
            loaded.content(animation, animator.skins(), animator.shows_physics(), work)
        };
        let others = animator.playbacks().map(|(track, _)| track);
        let others = others.filter(|track| *track != 0 && animator.playback(*track).animation().is_some());
        let others: Vec<usize> = others.collect();
        let content = others.into_iter().fold(content_of(0), |content, track| content.union(content_of(track)));
        Some(self.second_content(work).map_or(content, |second| content.union(second)))
    }

    /// Measures the brightness of the shown character, once after it was read.
    fn measure_tones(&mut self) {
        let (animation, work) = (self.animator.playback(0).animation(), self.read.limits.work / FRAMES_A_LIMIT);
        if let Some(loaded) = self.documents.get_mut(self.current).and_then(Document::loaded_mut) {
            loaded.measure_tones(animation, self.animator.skins(), work);
        }
    }

    /// Returns the squares behind the character in a dark or a light window, chosen for contrast.
    pub fn squares(&self, is_dark: bool) -> Squares {
        let tones = self.loaded().and_then(Loaded::tones);
        tones.map_or(Squares::default_for(is_dark), |tones| tones.squares(is_dark))
    }

    /// Changes the camera, if there is a character.
    pub fn look(&mut self, change: impl FnOnce(Camera, &View) -> Camera) {
        if let Some(view) = self.view() {
            self.camera = change(self.camera, &view);
        }
    }

    /// Shows a message to the user.
    pub fn notify(&mut self, text: impl Into<String>) {
        self.notice = Some(Notice { text: escaped(&text.into()), is_error: false, until: None });
    }

    /// Shows an error to the user.
    pub fn notify_error(&mut self, text: impl Into<String>) {
        self.notice = Some(Notice { text: escaped(&text.into()), is_error: true, until: None });
    }

    /// Returns the title of the window.
    pub fn title(&self) -> String {
        match self.current() {
            Some(document) => format!("{} – pchr", document.name()),
            None => "pchr".to_owned(),
        }
    }

    /// Saves the user's place in the shown file.
    fn leave(&mut self) {
        let Some(document) = self.documents.get_mut(self.current) else { return };
        let Some(loaded) = document.loaded() else { return };
        let model = loaded.character.model();
        let skins = self.animator.skins().iter().map(|&id| model.skin(id).name.to_string()).collect();
        let selected = self.selected.and_then(|selected| ByName::of(model, selected));
        let hidden = HiddenNames::of(&self.hidden, model);
        let range = self.animator.playback(0).range();
        let (tracks, added_tracks) = (SavedTracks::of(&self.animator), self.mixer.added.clone());
        let camera = self.camera;
        document.place = Some(Place { tracks, added_tracks, range, skins, camera, selected, hidden });
    }

    /// Restores the user's place in the file that is now shown, or starts at its beginning.
    fn arrive(&mut self) {
        self.auto_skin = None;
        self.selected = None;
        self.hidden = Arc::default();
        self.picking.forget();
        self.mixer.added.clear();
        self.mixer.log.clear();
        self.fired.clear();
        self.side.tree = Tree::default();
        self.inspector.forget();
        self.timeline.forget();
        self.go_to_place();
        self.measure_tones();
        self.targets = Targets::of(self.loaded().map(|loaded| &*loaded.character), self.targets.are_shown);
        self.apply_physics();
        self.mark();
    }

    fn go_to_place(&mut self) {
        let shown = self.documents.get(self.current);
        let Some((document, loaded)) = shown.and_then(|document| Some((document, document.loaded()?))) else {
            return self.animator.set_character(Character::default());
        };
        let (character, name) = (Arc::clone(&loaded.character), document.name());
        let place = document.place.clone();
        self.animator.set_character(Arc::clone(&character));
        match place {
            Some(place) => self.return_to(&character, &place),
            None => self.begin(&character, &name),
        }
    }

    /// Shows a file for the first time. The first file is shown as requested on the command line.
    fn begin(&mut self, character: &Character, name: &str) {
        let model = character.model();
        let mut error = None;
        self.camera = Camera::Fit;
        let mut named = self.overlays;
        for overlay in std::mem::take(&mut self.wanted_show) {
            if let Err(unknown) = overlay.add_to(&mut named, model) {
                error = Some(unknown.to_string());
            }
        }
        self.selected = named.bone.map(Selected::Bone);
        let [solo, hidden] = std::mem::take(&mut self.wanted_meshes);
        match hidden_meshes(model, &solo, &hidden) {
            Ok(hidden) => self.hidden = hidden.into(),
            Err(unmatched) => error = Some(unmatched.to_string()),
        }
        let wanted = self.wanted_animation.take();
        let found = wanted.as_deref().and_then(|wanted| find_animation(model, wanted));
        let animation = found.or_else(|| model.default_animation());
        self.animator.show(animation);
        if let (Some(wanted), None) = (wanted, found) {
            error = Some(format!("{name} has no animation “{wanted}”"));
        }
        let wanted_skins = std::mem::take(&mut self.wanted_skins);
        if wanted_skins.is_empty() {
            self.wear_default_skins(character, animation);
        } else {
            let mut skins = Vec::new();
            for wanted in wanted_skins {
                match find_skin(model, &wanted) {
                    Some(skin) => skins.push(skin),
                    None if wanted == NO_SKIN => {}
                    None => error = Some(format!("{name} has no skin “{wanted}”")),
                }
            }
            self.wear_only(skins);
        }
        if let Some(animation) = animation.map(|id| model.animation(id)) {
            let time = self.wanted_time.take();
            let mut position = time.map(|seconds| animation.position_at(seconds));
            match self.wanted_frames.take().map(|spec| spec.resolve(animation.frame_count())) {
                Some(Ok(frames)) => position = frames.first().copied().map(f64::from),
                Some(Err(frame)) => error = Some(format!("{} has no frame {frame}", animation.name)),
                None => {}
            }
            if let Some(position) = position {
                self.animator.set_playing(false);
                self.animator.set_interpolate(self.animator.interpolates() || time.is_some());
                self.animator.seek(position);
            }
        }
        if let Some(error) = error {
            self.notify_error(error);
        }
    }

    /// Shows a file as the user left it.
    fn return_to(&mut self, character: &Character, place: &Place) {
        let model = character.model();
        self.camera = place.camera;
        self.selected = place.selected.as_ref().and_then(|selected| selected.find(model));
        self.hidden = place.hidden.find(model).into();
        let skins: Vec<SkinId> = place.skins.iter().filter_map(|name| model.find_skin(name)).collect();
        if skins.is_empty() && !place.skins.is_empty() {
            // The file was saved without any of the skins.
            self.wear_default_skins(character, model.default_animation());
        } else {
            self.wear_only(skins);
        }
        self.mixer.added.clone_from(&place.added_tracks);
        let missing = place.tracks.restore(&mut self.animator);
        // If the animation no longer exists, show the default one from the beginning.
        if self.animator.playback(0).animation().is_some() {
            self.set_range(place.range.clone());
        } else if place.tracks.needs_first()
            && let Some(animation) = model.default_animation()
        {
            self.play_on_track(0, animation);
        }
        if !missing.is_empty() {
            self.notify(missing_message(&missing));
        }
    }

    /// Activates skins for a character for which the user has not chosen any. If one is activated because nothing
    /// is visible without it, a notice is shown.
    fn wear_default_skins(&mut self, character: &Character, animation: Option<AnimationId>) {
        let sole = sole_skin(character);
        let work = self.read.limits.work / FRAMES_A_LIMIT;
        let loaded = self.documents.get_mut(self.current).and_then(Document::loaded_mut);
        let found = loaded.and_then(|loaded| loaded.opening_skin(animation, work));
        self.auto_skin = found.filter(|_| sole.is_none());
        self.wear_only(sole.or(self.auto_skin).into_iter().collect());
    }
}

/// Chooses the antialiasing. Below three quarters of the native size, `ssaa2` shows more detail. Files use it
/// below the full size, but for moving pictures it is not worth four times the cost there, and never for pictures
/// that are only visible for a moment.
fn automatic_antialias(scale: f32, is_brief: bool) -> Antialias {
    if scale < 0.75 && !is_brief { Antialias::Ssaa2 } else { Antialias::Msaa4 }
}

/// Finds an animation by name, or by `#index`.
fn find_animation(model: &Model, wanted: &str) -> Option<AnimationId> {
    model.find_animation(wanted).or_else(|| {
        let index: usize = wanted.strip_prefix('#')?.parse().ok()?;
        model.animation_ids().nth(index)
    })
}
