//! State of the viewer: files, animator, camera and settings. Independent of the window and of egui.

pub mod canvas;
pub mod notice;
pub mod start;

use std::sync::Arc;

pub use notice::Notice;

use crate::Animator;
use crate::draw::{Antialias, Filter, Hidden, Overlays};
use crate::export::{FrameSpec, OverlayChoice};
use crate::formats::ReadOptions;
use crate::model::{Model, SkinId};
use crate::viewer::compare::Compare;
use crate::viewer::export::{Export, SavedChoices};
use crate::viewer::files::document::{Document, Loaded};
use crate::viewer::files::documents::Documents;
use crate::viewer::files::loading::Loading;
use crate::viewer::files::opening::Opening;
use crate::viewer::files::recent::RecentFiles;
use crate::viewer::overlays::guides::Guides;
use crate::viewer::overlays::statistics::Statistics;
use crate::viewer::overlays::targets::Targets;
use crate::viewer::overlays::underlay::Underlay;
use crate::viewer::palette::CommandPalette;
use crate::viewer::palette::help::Help;
use crate::viewer::parts::hidden::MeshPatterns;
use crate::viewer::parts::inspection::Inspector;
use crate::viewer::parts::picking::Picking;
use crate::viewer::parts::side::SidePanel;
use crate::viewer::playback::events::{Fired, Mark};
use crate::viewer::scene::background::Background;
use crate::viewer::scene::camera::Camera;
use crate::viewer::scene::selection::Selected;
use crate::viewer::scene::skinned::SkinnedBuffers;
use crate::viewer::settings::window_place::WindowPlace;
use crate::viewer::sheet::sheet_layout::SheetPanel;
use crate::viewer::timeline::TimelineView;
use crate::viewer::tracks::Mixer;
use crate::viewer::widgets::interface::Interface;

/// The work limit of a written picture divided by this is that of a frame in the window, which has to stay
/// responsive.
pub const FRAMES_A_LIMIT: u64 = 4;

/// Everything that the window shows.
#[derive(Debug)]
pub struct State {
    pub documents: Documents,
    pub current: usize,
    pub read: ReadOptions,
    /// The animation requested on the command line, until a file has it.
    pub wanted_animation: Option<String>,
    /// The skins requested on the command line, until a file is shown.
    pub wanted_skins: Vec<String>,
    /// The frames or the time requested on the command line, until a file is shown.
    pub wanted_frames: Option<FrameSpec>,
    pub wanted_time: Option<f64>,
    /// The patterns of `--mesh` and `--hide-mesh`, until a file is shown.
    pub wanted_meshes: MeshPatterns,
    /// The overlays of `--show`, until a file is shown that has their bones.
    pub wanted_show: Vec<OverlayChoice>,
    /// The shown character with its playback state.
    pub animator: Animator,
    /// The skins that were put on because most slots are empty without them, until skins are changed.
    pub auto_skins: Vec<SkinId>,
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
    /// The patterns that have hidden a part of it.
    pub mesh_patterns: MeshPatterns,
    /// Overlays over the character.
    pub overlays: Overlays,
    /// The targets of inverse kinematics, and the positions to which the user has moved them.
    pub targets: Targets,
    /// The visible part of the world.
    pub camera: Camera,
    /// The selected part of the character.
    pub selected: Option<Selected>,
    /// Buffers for what is painted over the character.
    pub skinned: SkinnedBuffers,
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
    /// Pixels of the canvas per point.
    pub pixels_per_point: f32,
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
    /// Files that are opened if they exist.
    pub opening: Option<Opening>,
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

    /// Returns the title of the window.
    pub fn title(&self) -> String {
        match self.current() {
            Some(document) if document.folder.is_empty() => format!("{} – pchr", document.name()),
            Some(document) => format!("{} ({}) – pchr", document.name(), document.folder),
            None => "pchr".to_owned(),
        }
    }
}
