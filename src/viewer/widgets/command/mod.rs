//! The commands that a key, the menu or a button can issue. This is the only list: the menu, the palette, the tooltips,
//! the `?` overlay, the table in docs/window.md and `--list-bindings` are generated from it.

pub mod binding;
pub mod words;

use crate::draw::Overlay;

/// A command of the viewer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Command {
    /// Plays or pauses.
    PlayPause,
    /// Steps one frame back.
    StepBack,
    /// Steps one frame forward.
    StepForward,
    /// Steps ten frames back.
    TenBack,
    /// Steps ten frames forward.
    TenForward,
    /// Goes to the first frame.
    First,
    /// Goes to the last frame.
    Last,
    /// Steps to the next slower speed.
    Slower,
    /// Steps to the next faster speed.
    Faster,
    /// Selects the next loop mode.
    LoopMode,
    /// Toggles between blending and holding stored frames.
    Interpolate,
    /// Toggles physics.
    Physics,
    /// Moves the in point to the playhead.
    SetIn,
    /// Moves the out point to the playhead.
    SetOut,
    /// Removes the in and out points.
    ClearRange,
    /// Goes to the previous key.
    PreviousKey,
    /// Goes to the next key.
    NextKey,
    /// Shows or hides the dopesheet.
    Dopesheet,
    /// Shows or hides the curves of the selected bone.
    Curves,
    /// Shows the whole animation in the timeline.
    WholeTimeline,
    /// Selects the previous animation.
    PreviousAnimation,
    /// Selects the next animation.
    NextAnimation,
    /// Selects the animation at this index of the list, 0 to 8.
    Animation(u8),
    /// Fits the whole character into the canvas.
    ZoomFit,
    /// Zooms to one screen pixel per world pixel.
    ZoomActual,
    /// Zooms to half a screen pixel per world pixel.
    ZoomHalf,
    /// Zooms to two screen pixels per world pixel.
    ZoomDouble,
    /// Zooms in one step.
    ZoomIn,
    /// Zooms out one step.
    ZoomOut,
    /// Shows or hides an overlay.
    Show(Overlay),
    /// Shows or hides the handles of IK targets.
    Targets,
    /// Hides or shows the selected part.
    HideSelected,
    /// Shows only the selected part, or all again.
    SoloSelected,
    /// Shows everything hidden.
    ShowAll,
    /// Cancels loading, resets dragged IK targets, or clears the selection: the first that applies.
    PutBack,
    /// Shows or hides the grid.
    Grid,
    /// Shows or hides the ground line.
    Ground,
    /// Shows or hides the origin.
    Origin,
    /// Opens the dialog for choosing a picture behind the character.
    Underlay,
    /// Removes the picture behind the character.
    RemoveUnderlay,
    /// Shows or hides statistics.
    Statistics,
    /// Opens the file dialog.
    Open,
    /// Reads the file again.
    Reload,
    /// Closes the file.
    Close,
    /// Empties the list of recent files.
    ClearRecent,
    /// Selects the previous file.
    PreviousFile,
    /// Selects the next file.
    NextFile,
    /// Starts or ends a comparison with a second file.
    Compare,
    /// Opens or closes the export dialog.
    Export,
    /// Saves the canvas as a PNG.
    Screenshot,
    /// Copies the canvas to the clipboard.
    CopyPicture,
    /// Opens the paths in the clipboard.
    Paste,
    /// Toggles full screen.
    FullScreen,
    /// Shows or hides the strip of tracks.
    Tracks,
    /// Adds a track.
    AddTrack,
    /// Shows or hides the event log.
    EventLog,
    /// Shows or hides the pages of a sprite sheet.
    Sheet,
    /// Moves the focus to the filter of the lists.
    Filter,
    /// Shows or hides everything around the canvas.
    Panels,
    /// Follows the system's dark or light theme.
    SystemTheme,
    /// Selects the light theme.
    LightTheme,
    /// Selects the dark theme.
    DarkTheme,
    /// Enlarges text and buttons.
    LargerInterface,
    /// Shrinks text and buttons.
    SmallerInterface,
    /// Resets the size of text and buttons.
    ResetInterface,
    /// Opens or closes the command palette.
    Palette,
    /// Shows or hides the list of keys.
    Help,
    /// Closes the window.
    Quit,
}

/// A section of the menu and the overlay.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Group {
    /// Playback.
    Playback,
    /// Selection of the animation.
    Animations,
    /// Camera and overlays.
    View,
    /// Files.
    File,
    /// The window itself.
    Window,
}

impl Group {
    /// Every group, in display order.
    pub const ALL: [Self; 5] = [Self::Playback, Self::Animations, Self::View, Self::File, Self::Window];

    /// Returns the heading.
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
    /// Every command, in display order.
    pub const ALL: [Self; 89] = [
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
        Self::SetIn,
        Self::SetOut,
        Self::ClearRange,
        Self::PreviousKey,
        Self::NextKey,
        Self::Dopesheet,
        Self::Curves,
        Self::WholeTimeline,
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
        Self::ZoomHalf,
        Self::ZoomDouble,
        Self::ZoomIn,
        Self::ZoomOut,
        Self::Show(Overlay::Bones),
        Self::Show(Overlay::Names),
        Self::Show(Overlay::Wire),
        Self::Show(Overlay::Onion),
        Self::Show(Overlay::Weights),
        Self::Show(Overlay::Hulls),
        Self::Show(Overlay::Bounds),
        Self::Show(Overlay::Boxes),
        Self::Show(Overlay::Points),
        Self::Show(Overlay::Clips),
        Self::Show(Overlay::Paths),
        Self::Show(Overlay::Ik),
        Self::Show(Overlay::Order),
        Self::Show(Overlay::Overdraw),
        Self::Targets,
        Self::HideSelected,
        Self::SoloSelected,
        Self::ShowAll,
        Self::PutBack,
        Self::Grid,
        Self::Ground,
        Self::Origin,
        Self::Underlay,
        Self::RemoveUnderlay,
        Self::Statistics,
        Self::Open,
        Self::Reload,
        Self::Close,
        Self::ClearRecent,
        Self::PreviousFile,
        Self::NextFile,
        Self::Compare,
        Self::Export,
        Self::Screenshot,
        Self::CopyPicture,
        Self::Paste,
        Self::FullScreen,
        Self::Tracks,
        Self::AddTrack,
        Self::EventLog,
        Self::Sheet,
        Self::Filter,
        Self::Panels,
        Self::SystemTheme,
        Self::LightTheme,
        Self::DarkTheme,
        Self::LargerInterface,
        Self::SmallerInterface,
        Self::ResetInterface,
        Self::Palette,
        Self::Help,
        Self::Quit,
    ];

    /// Returns the name shown in the menu and read by screen readers.
    pub fn label(self) -> &'static str {
        match self {
            Self::PlayPause => "Play or pause",
            Self::StepBack => "One frame back",
            Self::StepForward => "One frame forward",
            Self::TenBack => "Ten frames back",
            Self::TenForward => "Ten frames forward",
            Self::First => "First frame",
            Self::Last => "Last frame",
            Self::Slower => "Slower",
            Self::Faster => "Faster",
            Self::LoopMode => "Next loop mode",
            Self::Interpolate => "Interpolate frames",
            Self::Physics => "Physics",
            Self::SetIn => "Set in point",
            Self::SetOut => "Set out point",
            Self::ClearRange => "Clear in and out points",
            Self::PreviousKey => "Previous key",
            Self::NextKey => "Next key",
            Self::Dopesheet => "Show dopesheet",
            Self::Curves => "Show curves of the selected bone",
            Self::WholeTimeline => "Show whole timeline",
            Self::PreviousAnimation => "Previous animation",
            Self::NextAnimation => "Next animation",
            Self::Animation(_) => "Animation 1 to 9",
            Self::ZoomFit => "Fit to window",
            Self::ZoomActual => "Actual size (100 %)",
            Self::ZoomHalf => "Half size (50 %)",
            Self::ZoomDouble => "Double size (200 %)",
            Self::ZoomIn => "Zoom in",
            Self::ZoomOut => "Zoom out",
            Self::Show(overlay) => show_label(overlay),
            Self::Targets => "Show IK targets",
            Self::HideSelected => "Hide or show the selection",
            Self::SoloSelected => "Show only the selection",
            Self::ShowAll => "Show all hidden parts",
            Self::PutBack => "Cancel, reset IK targets, clear the selection, or end the comparison",
            Self::Grid => "Show grid",
            Self::Ground => "Show ground line",
            Self::Origin => "Show origin",
            Self::Underlay => "Picture behind the character…",
            Self::RemoveUnderlay => "Remove the picture behind the character",
            Self::Statistics => "Show statistics",
            Self::Open => "Open…",
            Self::Reload => "Reload",
            Self::Close => "Close file",
            Self::ClearRecent => "Clear recent files",
            Self::PreviousFile => "Previous file",
            Self::NextFile => "Next file",
            Self::Compare => "Compare with…",
            Self::Export => "Export…",
            Self::Screenshot => "Save screenshot",
            Self::CopyPicture => "Copy picture",
            Self::Paste => "Open path from clipboard",
            Self::FullScreen => "Full screen",
            Self::Tracks => "Show tracks",
            Self::AddTrack => "Add a track",
            Self::EventLog => "Show event log",
            Self::Sheet => "Show sprite sheet pages",
            Self::Filter => "Filter the lists",
            Self::Panels => "Show panels",
            Self::SystemTheme => "System theme",
            Self::LightTheme => "Light theme",
            Self::DarkTheme => "Dark theme",
            Self::LargerInterface => "Larger text and buttons",
            Self::SmallerInterface => "Smaller text and buttons",
            Self::ResetInterface => "Reset size of text and buttons",
            Self::Palette => "Command palette…",
            Self::Help => "Keyboard and mouse",
            Self::Quit => "Quit",
        }
    }

    /// Returns the group that it belongs to.
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
            | Self::Physics
            | Self::SetIn
            | Self::SetOut
            | Self::ClearRange
            | Self::PreviousKey
            | Self::NextKey
            | Self::Dopesheet
            | Self::Curves
            | Self::WholeTimeline => Group::Playback,
            Self::PreviousAnimation | Self::NextAnimation | Self::Animation(_) => Group::Animations,
            Self::ZoomFit
            | Self::ZoomActual
            | Self::ZoomHalf
            | Self::ZoomDouble
            | Self::ZoomIn
            | Self::ZoomOut
            | Self::Show(_)
            | Self::Targets
            | Self::HideSelected
            | Self::SoloSelected
            | Self::ShowAll
            | Self::PutBack
            | Self::Grid
            | Self::Ground
            | Self::Origin
            | Self::Underlay
            | Self::RemoveUnderlay
            | Self::Statistics => Group::View,
            Self::Open
            | Self::Reload
            | Self::Close
            | Self::ClearRecent
            | Self::PreviousFile
            | Self::NextFile
            | Self::Compare
            | Self::Export
            | Self::Screenshot
            | Self::CopyPicture
            | Self::Paste => Group::File,
            Self::FullScreen
            | Self::Tracks
            | Self::AddTrack
            | Self::EventLog
            | Self::Sheet
            | Self::Filter
            | Self::Panels
            | Self::SystemTheme
            | Self::LightTheme
            | Self::DarkTheme
            | Self::LargerInterface
            | Self::SmallerInterface
            | Self::ResetInterface
            | Self::Palette
            | Self::Help
            | Self::Quit => Group::Window,
        }
    }

    /// Returns true if holding down the key repeats the command.
    pub fn repeats(self) -> bool {
        matches!(
            self,
            Self::StepBack
                | Self::StepForward
                | Self::TenBack
                | Self::TenForward
                | Self::PreviousKey
                | Self::NextKey
                | Self::PreviousAnimation
                | Self::NextAnimation
                | Self::ZoomIn
                | Self::ZoomOut
        )
    }
}

fn show_label(overlay: Overlay) -> &'static str {
    match overlay {
        Overlay::Overdraw => "Show overdraw",
        Overlay::Onion => "Show onion skin",
        Overlay::Weights => "Show weights of the selected bone",
        Overlay::Wire => "Show wireframe",
        Overlay::Hulls => "Show outlines",
        Overlay::Bounds => "Show bounds",
        Overlay::Boxes => "Show bounding boxes",
        Overlay::Clips => "Show clipping polygons",
        Overlay::Paths => "Show paths",
        Overlay::Ik => "Show IK constraints",
        Overlay::Bones => "Show bones",
        Overlay::Points => "Show points",
        Overlay::Names => "Show bone names",
        Overlay::Order => "Show draw order",
    }
}
