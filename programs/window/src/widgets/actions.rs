//! What the user has asked for in a panel, beyond what the panel changes itself. The window does it after the layout.

use std::path::PathBuf;

use egui::Response;

use super::command::Command;
use pchr::formats::{Grid, PageAlpha};
use pchr::model::AnimationId;
use pchr::motion::{KeyChannel, KeyTarget};

/// Something that concerns more than the feature whose panel the user has used.
#[derive(Debug, Clone, PartialEq)]
pub enum Action {
    /// Run a command.
    Run(Command),
    /// Show a message.
    Notify(String),
    /// Show an error.
    Fail(String),
    /// Show an animation from its beginning.
    ShowAnimation(AnimationId),
    /// Play a symbol from its beginning.
    PlaySymbol(String),
    /// Show a frame of an animation, paused.
    ShowFrame(AnimationId, u32),
    /// Show the file at this index of the list.
    SelectFile(usize),
    /// Compare the shown file with the one at this index of the list.
    CompareWith(usize),
    /// Put the file at this index of the list on the stage beside the shown one, or take it off.
    ToggleOnStage(usize),
    /// Exchange the two files of the comparison.
    SwapSides,
    /// Go to what this line of the differences is about.
    GoToFinding(usize),
    /// Go to what this finding about the file is about.
    GoToProblem(usize),
    /// Open a recent file.
    OpenRecent(PathBuf),
    /// Use a typed path instead of a dialog; true: the user agreed to replace the file.
    GivePath(Dialog, String, bool),
    /// Open a file of the gallery.
    OpenTile(PathBuf),
    /// Put files of the gallery on the stage.
    StageTiles(Vec<PathBuf>),
    /// Show a file, and the findings about it.
    ShowFindings(PathBuf),
    /// Cut the shown picture into frames.
    CutInto(Grid),
    /// Read the shown character with this atlas.
    UseAtlas(PathBuf),
    /// Read images as straight or premultiplied.
    SetPageAlpha(PageAlpha),
    /// Copy where the file states a key.
    CopyPointer(KeyAt),
    /// Ask the window for something.
    Request(Request),
}

/// Keys at an instant of the shown animation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct KeyAt {
    /// What they animate.
    pub target: KeyTarget,
    /// Only keys of this channel.
    pub channel: Option<KeyChannel>,
    /// The position in frames.
    pub position: f64,
}

/// A request that only the window can fulfil.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Request {
    /// Show one of the system's dialogs.
    Dialog(Dialog),
    /// Read a picture to show behind the character: opaque as a background, translucent as a model to animate after.
    ReadUnderlay {
        /// The file.
        file: PathBuf,
        /// It is a background.
        is_background: bool,
    },
    /// Show a folder in the file manager.
    OpenFolder(PathBuf),
    /// Copy the picture of the canvas to the clipboard.
    CopyPicture,
    /// Open the paths in the clipboard.
    Paste,
    /// Toggle full screen.
    FullScreen,
    /// Quit the program.
    Quit,
}

/// A dialog of the system, named by what is chosen in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialog {
    /// Files to open.
    Open,
    /// A folder to open.
    Folder,
    /// The atlas of the shown character.
    Atlas,
    /// A file to compare with.
    Compare,
    /// Files to put on the stage.
    Stage,
    /// The picture behind the character.
    Underlay,
    /// The name of an exported file.
    Save,
    /// The name of a scene.
    Scene,
    /// The folder of screenshots.
    Screenshots,
}

impl Dialog {
    /// Returns the title.
    pub fn title(self) -> &'static str {
        match self {
            Self::Open => "Open characters",
            Self::Folder => "Open a folder of characters",
            Self::Atlas => "Choose the atlas",
            Self::Compare => "Compare with",
            Self::Stage => "Add to the stage",
            Self::Underlay => "Picture behind the character",
            Self::Save => "Export",
            Self::Scene => "Save the scene",
            Self::Screenshots => "Folder for screenshots",
        }
    }
}

impl From<Command> for Action {
    fn from(command: Command) -> Self {
        Self::Run(command)
    }
}

impl From<Request> for Action {
    fn from(request: Request) -> Self {
        Self::Request(request)
    }
}

/// The actions of a frame, in order.
#[derive(Debug, Default)]
pub struct Actions(Vec<Action>);

impl Actions {
    /// Adds an action.
    pub fn push(&mut self, action: impl Into<Action>) {
        self.0.push(action.into());
    }

    /// Runs `command` if `button` was clicked. The tooltip of the button names the command and its key.
    pub fn on_click(&mut self, button: Response, command: Command) -> Response {
        let button = button.on_hover_text(command.tooltip());
        if button.clicked() {
            self.push(command);
        }
        button
    }

    /// Adds a message to the user.
    pub fn notify(&mut self, text: impl Into<String>) {
        self.push(Action::Notify(text.into()));
    }

    /// Adds an error for the user.
    pub fn fail(&mut self, text: impl Into<String>) {
        self.push(Action::Fail(text.into()));
    }
}

impl IntoIterator for Actions {
    type Item = Action;
    type IntoIter = std::vec::IntoIter<Action>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}
