//! State of the viewer: the features with their own states, and what concerns several of them. Independent of the window
//! and of egui.

pub mod animation;
pub mod canvas;
pub mod compare;
pub mod export;
pub mod files;
pub mod gallery;
pub mod go_to;
pub mod go_to_problem;
pub mod lineup;
pub mod load;
pub mod notice;
pub mod opening;
pub mod palette;
pub mod panels;
pub mod perform;
pub mod picture;
pub mod place;
pub mod pointers;
pub mod review;
pub mod scene_file;
pub mod stage;
pub mod start;

use std::collections::HashMap;
use std::path::PathBuf;

use crate::compare::Compare;
use crate::compare::lineup::Lineup;
use crate::export::{Export, SavedChoices};
use crate::files::Files;
use crate::files::document::Document;
use crate::overlays::OverlayState;
use crate::palette::CommandPalette;
use crate::palette::help::Help;
use crate::parts::Parts;
use crate::playback::Playback;
use crate::scene::canvas::Canvas;
use crate::scene::loaded::Loaded;
use crate::settings::FilePlaces;
use crate::settings::window::WindowPlace;
use crate::sheet::sheet_layout::SheetPanel;
use crate::timeline::TimelineView;
use crate::tracks::Mixer;
use crate::widgets::actions::Request;
use crate::widgets::interface::Interface;
pub use notice::Notice;
use pchr::model::Model;
use place::Place;

/// Everything that the window shows: the states of the features.
#[derive(Debug)]
pub struct State {
    /// The files.
    pub files: Files,
    /// The user's places in the files that were shown.
    pub places: HashMap<PathBuf, Place>,
    /// Those in recent files that are kept in the settings.
    pub kept_places: FilePlaces,
    /// The shown character with its playback state.
    pub playback: Playback,
    /// The strip of tracks.
    pub mixer: Mixer,
    /// The timeline, with keys and curves.
    pub timeline: TimelineView,
    /// The parts of the character.
    pub parts: Parts,
    /// The canvas.
    pub canvas: Canvas,
    /// What is drawn over, behind and beside the character.
    pub overlays: OverlayState,
    /// The panel with the pages of a sprite sheet.
    pub sheet: SheetPanel,
    /// The comparison with a second character.
    pub compare: Compare,
    /// Several characters on the stage.
    pub lineup: Lineup,
    /// The export dialog, while it is open.
    pub export: Option<Box<Export>>,
    /// The choices of the export dialog when it was last closed.
    pub saved_export: Option<SavedChoices>,
    /// The command palette, while it is open.
    pub palette: Option<CommandPalette>,
    /// The list of keys.
    pub help: Help,
    /// The lists and controls around the canvas are shown.
    pub panels: bool,
    /// Theme and size of the interface.
    pub interface: Interface,
    /// The window is in full screen.
    pub is_full_screen: bool,
    /// The place of the window on the desktop.
    pub place: WindowPlace,
    /// The folder of screenshots; `None`: the platform's folder of pictures.
    pub screenshots: Option<PathBuf>,
    /// The last message to the user.
    pub notice: Option<Notice>,
    /// Pending requests that only the window can fulfil.
    pub requests: Vec<Request>,
}

impl State {
    /// Returns the shown file.
    pub fn current(&self) -> Option<&Document> {
        self.files.current()
    }

    /// Returns the shown character and its metadata.
    pub fn loaded(&self) -> Option<&Loaded> {
        self.files.loaded()
    }

    /// Returns the shown model.
    pub fn model(&self) -> Option<&Model> {
        self.loaded().map(|loaded| loaded.character.model())
    }

    /// Returns true if the lists beside the canvas contain anything.
    pub fn has_lists(&self) -> bool {
        self.loaded().is_some() || self.files.documents.len() > 1
    }

    /// Returns the title of the window.
    pub fn title(&self) -> String {
        match self.current() {
            Some(document) if document.folder.is_empty() => format!("{} – pchr", document.name()),
            Some(document) => format!("{} ({}) – pchr", document.name(), document.folder),
            None if self.files.gallery.is_open() => format!("{} – pchr", self.files.gallery.title()),
            None => "pchr".to_owned(),
        }
    }
}
