//! Everything that a key, the menu or a button can ask for. This is the only list: the menu, the
//! tooltips, the `?` overlay, the table in the README and `--list-bindings` are made from it.

mod binding;
mod listing;

pub use binding::Binding;
pub use listing::{Row, list_bindings, markdown_table, rows};

/// Something that the viewer can be asked to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Command {
    /// Play or pause.
    PlayPause,
    /// One frame back.
    StepBack,
    /// One frame forwards.
    StepForward,
    /// Ten frames back.
    TenBack,
    /// Ten frames forwards.
    TenForward,
    /// The first frame.
    First,
    /// The last frame.
    Last,
    /// The next slower step.
    Slower,
    /// The next faster step.
    Faster,
    /// The next loop mode.
    LoopMode,
    /// Blend stored frames or hold them.
    Interpolate,
    /// Show what swings or not.
    Physics,
    /// The animation before this one.
    PreviousAnimation,
    /// The animation after this one.
    NextAnimation,
    /// The animation at this place in the list, 0 to 8.
    Animation(u8),
    /// The whole character.
    ZoomFit,
    /// One picture pixel to a world pixel.
    ZoomActual,
    /// The next larger step.
    ZoomIn,
    /// The next smaller step.
    ZoomOut,
    /// Show or hide bones.
    Bones,
    /// Show or hide their names.
    Names,
    /// Show or hide the handles of targets of inverse kinematics.
    Targets,
    /// Put dragged targets back.
    PutBack,
    /// Choose files to open.
    Open,
    /// Read the file again.
    Reload,
    /// Close the file.
    Close,
    /// The file before this one.
    PreviousFile,
    /// The file after this one.
    NextFile,
    /// Open or close the export dialog.
    Export,
    /// Write what the canvas shows to a PNG.
    Screenshot,
    /// Fill the screen or not.
    FullScreen,
    /// Show or hide the pages of a sprite sheet.
    Sheet,
    /// Show or hide everything around the canvas.
    Panels,
    /// Show or hide the list of keys.
    Help,
    /// Close the window.
    Quit,
}

/// Where a command stands in the menu and the overlay.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Group {
    /// Time.
    Playback,
    /// Which animation.
    Animations,
    /// Where the camera is.
    View,
    /// Files.
    File,
    /// The window itself.
    Window,
}

impl Group {
    /// Every group, in the order in which they are shown.
    pub const ALL: [Self; 5] = [Self::Playback, Self::Animations, Self::View, Self::File, Self::Window];

    /// The heading.
    pub fn label(self) -> &'static str {
        match self {
            Self::Playback => "Playback",
            Self::Animations => "Animations",
            Self::View => "View",
            Self::File => "File",
            Self::Window => "Window",
        }
    }
}

impl Command {
    /// Every command, in the order in which they are shown.
    pub const ALL: [Self; 43] = [
        Self::PlayPause,
        Self::StepBack,
        Self::StepForward,
        Self::TenBack,
        Self::TenForward,
        Self::First,
        Self::Last,
        Self::Slower,
        Self::Faster,
        Self::LoopMode,
        Self::Interpolate,
        Self::Physics,
        Self::PreviousAnimation,
        Self::NextAnimation,
        Self::Animation(0),
        Self::Animation(1),
        Self::Animation(2),
        Self::Animation(3),
        Self::Animation(4),
        Self::Animation(5),
        Self::Animation(6),
        Self::Animation(7),
        Self::Animation(8),
        Self::ZoomFit,
        Self::ZoomActual,
        Self::ZoomIn,
        Self::ZoomOut,
        Self::Bones,
        Self::Names,
        Self::Targets,
        Self::PutBack,
        Self::Open,
        Self::Reload,
        Self::Close,
        Self::PreviousFile,
        Self::NextFile,
        Self::Export,
        Self::Screenshot,
        Self::FullScreen,
        Self::Sheet,
        Self::Panels,
        Self::Help,
        Self::Quit,
    ];

    /// What it is called in the menu and by a screen reader.
    pub fn label(self) -> &'static str {
        match self {
            Self::PlayPause => "Play or pause",
            Self::StepBack => "One frame back",
            Self::StepForward => "One frame forwards",
            Self::TenBack => "Ten frames back",
            Self::TenForward => "Ten frames forwards",
            Self::First => "First frame",
            Self::Last => "Last frame",
            Self::Slower => "Slower",
            Self::Faster => "Faster",
            Self::LoopMode => "Next loop mode",
            Self::Interpolate => "Interpolate frames",
            Self::Physics => "Physics",
            Self::PreviousAnimation => "Previous animation",
            Self::NextAnimation => "Next animation",
            Self::Animation(_) => "Animation by its place in the list",
            Self::ZoomFit => "Fit the window",
            Self::ZoomActual => "Actual pixels (100 %)",
            Self::ZoomIn => "Zoom in",
            Self::ZoomOut => "Zoom out",
            Self::Bones => "Show or hide bones",
            Self::Names => "Show or hide names of bones",
            Self::Targets => "Show or hide IK targets",
            Self::PutBack => "Put dragged IK targets back",
            Self::Open => "Open…",
            Self::Reload => "Reload",
            Self::Close => "Close the file",
            Self::PreviousFile => "Previous file",
            Self::NextFile => "Next file",
            Self::Export => "Export…",
            Self::Screenshot => "Save a screenshot",
            Self::FullScreen => "Full screen",
            Self::Sheet => "Show or hide the sheet",
            Self::Panels => "Show or hide panels",
            Self::Help => "Keys and mouse",
            Self::Quit => "Quit",
        }
    }

    /// Where it stands.
    pub fn group(self) -> Group {
        match self {
            Self::PlayPause
            | Self::StepBack
            | Self::StepForward
            | Self::TenBack
            | Self::TenForward
            | Self::First
            | Self::Last
            | Self::Slower
            | Self::Faster
            | Self::LoopMode
            | Self::Interpolate
            | Self::Physics => Group::Playback,
            Self::PreviousAnimation | Self::NextAnimation | Self::Animation(_) => Group::Animations,
            Self::ZoomFit
            | Self::ZoomActual
            | Self::ZoomIn
            | Self::ZoomOut
            | Self::Bones
            | Self::Names
            | Self::Targets
            | Self::PutBack => Group::View,
            Self::Open
            | Self::Reload
            | Self::Close
            | Self::PreviousFile
            | Self::NextFile
            | Self::Export
            | Self::Screenshot => Group::File,
            Self::FullScreen | Self::Sheet | Self::Panels | Self::Help | Self::Quit => Group::Window,
        }
    }

    /// True when a key that is held down asks for it again and again.
    pub fn repeats(self) -> bool {
        matches!(
            self,
            Self::StepBack
                | Self::StepForward
                | Self::TenBack
                | Self::TenForward
                | Self::PreviousAnimation
                | Self::NextAnimation
                | Self::ZoomIn
                | Self::ZoomOut
        )
    }
}
