//! The commands, and their texts and keys in display order: one row for each.

use egui::Key;

use super::binding::{ctrl, ctrl_shift, plain, shift};
use super::{Face, Group};
use pchr::draw::Overlay;

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
    /// Shows each curve on a scale of its own.
    Normalize,
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
    /// Samples pictures automatically, sharply, or smoothly.
    Sampling,
    /// Fits the view to the shown animation, or to all of them.
    FitAnimation,
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
    /// Shows the rings of IK targets always, or only near the pointer.
    Targets,
    /// Shows or hides how far the selected bone slides on the ground.
    FootSlide,
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
    /// Opens the dialog for choosing a folder.
    OpenFolder,
    /// Shows the gallery, or the file that was opened from it.
    Gallery,
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
    /// Shows or hides what `pchr validate` finds.
    Findings,
    /// Starts or ends a comparison with the version before the last save.
    Review,
    /// Shows the other one of two compared characters, alone.
    Blink,
    /// Selects the next way to show two compared characters.
    Arrangement,
    /// Shows all open files on one stage, or only the shown one.
    Lineup,
    /// Opens the dialog for choosing files to put on the stage.
    AddToStage,
    /// Puts the characters on the stage back in their row.
    Rearrange,
    /// Enlarges the shown character on the stage.
    Enlarge,
    /// Shrinks the shown character on the stage.
    Shrink,
    /// Swaps left and right of the shown character on the stage.
    Mirror,
    /// Swaps top and bottom of the shown character on the stage.
    Upend,
    /// Puts the shown character in front of the next one on the stage.
    BringForward,
    /// Puts the shown character behind the next one on the stage.
    SendBackward,
    /// Resets size, direction, order and tint of the shown character on the stage.
    ResetStaged,
    /// Saves the stage as a scene.
    SaveScene,
    /// Opens or closes the export dialog.
    Export,
    /// Saves the canvas as a PNG.
    Screenshot,
    /// Chooses the folder of screenshots.
    ScreenshotFolder,
    /// Copies the canvas to the clipboard.
    CopyPicture,
    /// Copies where the file states the key of the selection at the playhead.
    CopyPointer,
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
    /// Lists only slots that show something, or all.
    ListVisible,
    /// Lets the user change the grid of a picture that was cut into frames.
    CutAgain,
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

impl Face {
    const fn new(
        command: Command,
        group: Group,
        label: &'static str,
        keys: &'static [super::binding::Binding],
    ) -> Self {
        Self { command, group, label, keys, words: "", repeats: false, is_apart: false }
    }

    const fn words(self, words: &'static str) -> Self {
        Self { words, ..self }
    }

    const fn apart(self) -> Self {
        Self { is_apart: true, ..self }
    }

    const fn repeating(self) -> Self {
        Self { repeats: true, ..self }
    }
}

/// Every command.
#[rustfmt::skip]
pub const COMMANDS: [Face; 114] = [
    Face::new(Command::Open, Group::File, "Open…", &[ctrl(Key::O)]).words("history"),
    Face::new(Command::OpenFolder, Group::File, "Open folder…", &[ctrl_shift(Key::O)]).words("gallery thumbnails browse"),
    Face::new(Command::Gallery, Group::File, "Gallery of the folder", &[ctrl(Key::G)]).words("thumbnails browse overview").apart(),
    Face::new(Command::PreviousFile, Group::File, "Previous file", &[ctrl(Key::PageUp)]),
    Face::new(Command::NextFile, Group::File, "Next file", &[ctrl(Key::PageDown)]),
    Face::new(Command::Reload, Group::File, "Reload", &[plain(Key::F5)]).apart(),
    Face::new(Command::Close, Group::File, "Close file", &[ctrl(Key::W)]),
    Face::new(Command::ClearRecent, Group::File, "Clear recent files", &[]).words("history"),
    Face::new(Command::Export, Group::File, "Export…", &[ctrl(Key::E)]).words("render save gif png webp apng sprite sheet mp4 webm mov video raw psd photoshop layers").apart(),
    Face::new(Command::Screenshot, Group::File, "Save screenshot", &[plain(Key::S), plain(Key::F12)]),
    Face::new(Command::ScreenshotFolder, Group::File, "Folder for screenshots…", &[]).words("pictures"),
    Face::new(Command::Quit, Group::File, "Quit", &[ctrl(Key::Q)]).apart(),
    Face::new(Command::CopyPicture, Group::Edit, "Copy picture", &[ctrl(Key::C)]),
    Face::new(Command::CopyPointer, Group::Edit, "Copy pointer of the key", &[]).words("json place offset keyframe"),
    Face::new(Command::Paste, Group::Edit, "Open path from clipboard", &[ctrl(Key::V)]),
    Face::new(Command::CutAgain, Group::Edit, "Change the frames of the picture…", &[]).words("grid cell size columns rows sheet"),
    Face::new(Command::HideSelected, Group::Edit, "Hide or show the selection", &[shift(Key::H)]).words("visibility invisible").apart(),
    Face::new(Command::SoloSelected, Group::Edit, "Show only the selection", &[shift(Key::S)]).words("solo isolate visibility"),
    Face::new(Command::ShowAll, Group::Edit, "Show all hidden parts", &[shift(Key::A)]).words("visibility invisible"),
    Face::new(Command::PutBack, Group::Edit, "Cancel, reset IK targets, clear the selection, end the comparison, or return to the gallery", &[plain(Key::Escape)]).words("escape deselect"),
    Face::new(Command::ListVisible, Group::Edit, "List only visible slots", &[]).words("hide empty attachments").apart(),
    Face::new(Command::ZoomFit, Group::View, "Fit to window", &[ctrl(Key::Num0)]),
    Face::new(Command::FitAnimation, Group::View, "Fit to this animation only", &[ctrl(Key::Num9)]).words("stage camera zoom"),
    Face::new(Command::ZoomActual, Group::View, "Actual size (100 %)", &[ctrl(Key::Num1)]),
    Face::new(Command::ZoomHalf, Group::View, "Half size (50 %)", &[]),
    Face::new(Command::ZoomDouble, Group::View, "Double size (200 %)", &[]),
    Face::new(Command::ZoomIn, Group::View, "Zoom in", &[ctrl(Key::Plus), ctrl(Key::Equals)]).repeating(),
    Face::new(Command::ZoomOut, Group::View, "Zoom out", &[ctrl(Key::Minus)]).repeating(),
    Face::new(Command::Sampling, Group::View, "Sampling: automatic, sharp, smooth", &[plain(Key::F)]).words("pixel art nearest linear filter").apart(),
    Face::new(Command::Sheet, Group::View, "Show sprite sheet pages", &[plain(Key::A)]).apart(),
    Face::new(Command::EventLog, Group::View, "Show event log", &[]),
    Face::new(Command::WholeTimeline, Group::View, "Show whole timeline", &[]),
    Face::new(Command::Show(Overlay::Bones), Group::Skeleton, "Show bones", &[plain(Key::B)]).words("skeleton rig"),
    Face::new(Command::Show(Overlay::Names), Group::Skeleton, "Show bone names", &[plain(Key::N)]),
    Face::new(Command::Show(Overlay::Weights), Group::Skeleton, "Show weights of the selected bone", &[]).words("heat map influence"),
    Face::new(Command::Show(Overlay::Ik), Group::Skeleton, "Show IK constraints", &[]),
    Face::new(Command::Targets, Group::Skeleton, "Show IK rings", &[plain(Key::K)]).words("inverse kinematics handles targets").apart(),
    Face::new(Command::FootSlide, Group::Skeleton, "Show foot slide of the selected bone", &[]).words("ground contact trace meter"),
    Face::new(Command::Show(Overlay::Paths), Group::Skeleton, "Show paths", &[]).apart(),
    Face::new(Command::Show(Overlay::Points), Group::Skeleton, "Show points", &[]),
    Face::new(Command::Show(Overlay::Boxes), Group::Skeleton, "Show bounding boxes", &[]).words("hitbox collision"),
    Face::new(Command::Show(Overlay::Wire), Group::Overlays, "Show wireframe", &[plain(Key::W)]).words("mesh triangles topology"),
    Face::new(Command::Show(Overlay::Hulls), Group::Overlays, "Show outlines", &[]),
    Face::new(Command::Show(Overlay::Bounds), Group::Overlays, "Show bounds", &[]),
    Face::new(Command::Show(Overlay::Clips), Group::Overlays, "Show clipping polygons", &[]),
    Face::new(Command::Show(Overlay::Order), Group::Overlays, "Show draw order", &[]).apart(),
    Face::new(Command::Show(Overlay::Overdraw), Group::Overlays, "Show overdraw", &[]),
    Face::new(Command::Show(Overlay::Onion), Group::Overlays, "Show onion skin", &[plain(Key::U)]).words("ghosts"),
    Face::new(Command::Grid, Group::Overlays, "Show grid", &[plain(Key::G)]).apart(),
    Face::new(Command::Ground, Group::Overlays, "Show ground line", &[shift(Key::G)]),
    Face::new(Command::Origin, Group::Overlays, "Show origin", &[]),
    Face::new(Command::Underlay, Group::Overlays, "Picture behind the character…", &[]).words("reference image behind").apart(),
    Face::new(Command::RemoveUnderlay, Group::Overlays, "Remove the picture behind the character", &[]),
    Face::new(Command::PreviousAnimation, Group::Timeline, "Previous animation", &[plain(Key::PageUp)]).repeating(),
    Face::new(Command::NextAnimation, Group::Timeline, "Next animation", &[plain(Key::PageDown)]).repeating(),
    Face::new(Command::Animation(0), Group::Timeline, "Animation 1 to 9", &[plain(Key::Num1)]),
    Face::new(Command::Animation(1), Group::Timeline, "Animation 1 to 9", &[plain(Key::Num2)]),
    Face::new(Command::Animation(2), Group::Timeline, "Animation 1 to 9", &[plain(Key::Num3)]),
    Face::new(Command::Animation(3), Group::Timeline, "Animation 1 to 9", &[plain(Key::Num4)]),
    Face::new(Command::Animation(4), Group::Timeline, "Animation 1 to 9", &[plain(Key::Num5)]),
    Face::new(Command::Animation(5), Group::Timeline, "Animation 1 to 9", &[plain(Key::Num6)]),
    Face::new(Command::Animation(6), Group::Timeline, "Animation 1 to 9", &[plain(Key::Num7)]),
    Face::new(Command::Animation(7), Group::Timeline, "Animation 1 to 9", &[plain(Key::Num8)]),
    Face::new(Command::Animation(8), Group::Timeline, "Animation 1 to 9", &[plain(Key::Num9)]),
    Face::new(Command::SetIn, Group::Timeline, "Set in point", &[plain(Key::I)]).words("range work area trim").apart(),
    Face::new(Command::SetOut, Group::Timeline, "Set out point", &[plain(Key::O)]).words("range work area trim"),
    Face::new(Command::ClearRange, Group::Timeline, "Clear in and out points", &[shift(Key::I)]).words("range work area trim"),
    Face::new(Command::PreviousKey, Group::Timeline, "Previous key", &[ctrl(Key::ArrowLeft)]).repeating().apart(),
    Face::new(Command::NextKey, Group::Timeline, "Next key", &[ctrl(Key::ArrowRight)]).repeating(),
    Face::new(Command::Dopesheet, Group::Timeline, "Show dopesheet", &[plain(Key::D)]).words("keys keyframes").apart(),
    Face::new(Command::Curves, Group::Timeline, "Show curves of the selected bone", &[plain(Key::C)]).words("graph editor"),
    Face::new(Command::Normalize, Group::Timeline, "Normalise curves", &[shift(Key::C)]).words("graph editor scale"),
    Face::new(Command::Tracks, Group::Timeline, "Show tracks", &[plain(Key::M)]).apart(),
    Face::new(Command::AddTrack, Group::Timeline, "Add a track", &[]),
    Face::new(Command::PlayPause, Group::Playback, "Play or pause", &[plain(Key::Space)]),
    Face::new(Command::StepBack, Group::Playback, "One frame back", &[plain(Key::ArrowLeft), plain(Key::Comma)]).repeating(),
    Face::new(Command::StepForward, Group::Playback, "One frame forward", &[plain(Key::ArrowRight), plain(Key::Period)]).repeating(),
    Face::new(Command::TenBack, Group::Playback, "Ten frames back", &[shift(Key::ArrowLeft)]).repeating(),
    Face::new(Command::TenForward, Group::Playback, "Ten frames forward", &[shift(Key::ArrowRight)]).repeating(),
    Face::new(Command::First, Group::Playback, "First frame", &[plain(Key::Home)]).apart(),
    Face::new(Command::Last, Group::Playback, "Last frame", &[plain(Key::End)]),
    Face::new(Command::Slower, Group::Playback, "Slower", &[plain(Key::OpenBracket)]).apart(),
    Face::new(Command::Faster, Group::Playback, "Faster", &[plain(Key::CloseBracket)]),
    Face::new(Command::LoopMode, Group::Playback, "Next loop mode", &[plain(Key::L)]),
    Face::new(Command::Interpolate, Group::Playback, "Interpolate frames", &[plain(Key::T)]).words("smooth stepped").apart(),
    Face::new(Command::Physics, Group::Playback, "Physics", &[plain(Key::P)]),
    Face::new(Command::Compare, Group::Compare, "Compare with…", &[ctrl(Key::D)]).words("diff versus"),
    Face::new(Command::Review, Group::Compare, "Compare with the version before the last save", &[shift(Key::V)]).words("review diff old new changes"),
    Face::new(Command::Blink, Group::Compare, "Blink: show the version before the save, or the other file", &[plain(Key::V)]).words("compare old new"),
    Face::new(Command::Arrangement, Group::Compare, "Next arrangement of the comparison", &[]).words("swipe onion difference side by side"),
    Face::new(Command::Findings, Group::Compare, "Show findings", &[shift(Key::F)]).words("validate check warnings errors problems").apart(),
    Face::new(Command::Lineup, Group::Stage, "Show all open files on one stage", &[plain(Key::J)]).words("several characters relative size lineup row together"),
    Face::new(Command::AddToStage, Group::Stage, "Add files to the stage…", &[shift(Key::J)]).words("several characters relative size companion"),
    Face::new(Command::Rearrange, Group::Stage, "Put the characters back in a row", &[]).words("stage lineup arrange reset"),
    Face::new(Command::Enlarge, Group::Stage, "Larger character", &[plain(Key::Plus), plain(Key::Equals)]).words("scale size grow").repeating().apart(),
    Face::new(Command::Shrink, Group::Stage, "Smaller character", &[plain(Key::Minus)]).words("scale size shrink").repeating(),
    Face::new(Command::Mirror, Group::Stage, "Mirror character", &[plain(Key::X)]).words("flip horizontally left right"),
    Face::new(Command::Upend, Group::Stage, "Upend character", &[plain(Key::Y)]).words("flip vertically upside down top bottom"),
    Face::new(Command::BringForward, Group::Stage, "Bring character forward", &[shift(Key::PageUp)]).words("order front"),
    Face::new(Command::SendBackward, Group::Stage, "Send character backward", &[shift(Key::PageDown)]).words("order behind"),
    Face::new(Command::ResetStaged, Group::Stage, "Reset size, direction, order and tint", &[]).words("character scale flip"),
    Face::new(Command::SaveScene, Group::Stage, "Save scene…", &[ctrl_shift(Key::S)]).words("stage toml document").apart(),
    Face::new(Command::Palette, Group::Window, "Command palette…", &[ctrl(Key::K)]),
    Face::new(Command::Filter, Group::Window, "Filter the lists", &[ctrl(Key::F)]),
    Face::new(Command::Panels, Group::Window, "Show panels", &[plain(Key::H)]).apart(),
    Face::new(Command::Statistics, Group::Window, "Show statistics", &[plain(Key::F2)]).words("fps performance profile"),
    Face::new(Command::FullScreen, Group::Window, "Full screen", &[plain(Key::F11)]),
    Face::new(Command::SystemTheme, Group::Window, "System theme", &[]).apart(),
    Face::new(Command::LightTheme, Group::Window, "Light theme", &[]),
    Face::new(Command::DarkTheme, Group::Window, "Dark theme", &[]),
    Face::new(Command::LargerInterface, Group::Window, "Larger text and buttons", &[]).apart(),
    Face::new(Command::SmallerInterface, Group::Window, "Smaller text and buttons", &[]),
    Face::new(Command::ResetInterface, Group::Window, "Reset size of text and buttons", &[]),
    Face::new(Command::Help, Group::Window, "Keyboard and mouse", &[plain(Key::Questionmark), plain(Key::F1)]).apart(),
];

/// Every overlay has its command.
const _: () = {
    let (mut row, mut count) = (0, 0);
    while row < COMMANDS.len() {
        count += matches!(COMMANDS[row].command, Command::Show(_)) as usize;
        row += 1;
    }
    assert!(count == Overlay::ALL.len());
};
