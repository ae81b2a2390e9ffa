//! The commands, and their texts and keys in display order: one row for each.

use egui::Key;

use super::binding::{ctrl, ctrl_shift, plain, shift};
use super::{Face, Group};
use pchr::draw::Overlay;

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

/// Declares the commands, and the list of their faces in display order. A row is either a command with its comment, or
/// in parentheses one with a parameter.
macro_rules! commands {
    ($(
        $($(#[$about:meta])* $name:ident)? $(($command:expr))?
            => ($group:ident, $label:literal, $keys:expr)$(.$change:ident($($words:literal)?))*;
    )*) => {
        /// A command of the viewer.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Command {
            /// Selects the animation at this index of the list, 0 to 8.
            Animation(u8),
            /// Shows or hides an overlay.
            Show(Overlay),
            $($($(#[$about])* $name,)?)*
        }

        /// Every command.
        pub const COMMANDS: [Face; [$($label),*].len()] = [$(
            Face::new($(Command::$name)? $($command)?, Group::$group, $label, $keys)$(.$change($($words)?))*,
        )*];
    };
}

commands! {
    /// Opens the file dialog.
    Open => (File, "Open…", &[ctrl(Key::O)]).words("history");
    /// Opens the dialog for choosing a folder.
    OpenFolder => (File, "Open folder…", &[ctrl_shift(Key::O)]).words("gallery thumbnails browse");
    /// Shows the gallery, or the file that was opened from it.
    Gallery => (File, "Gallery of the folder", &[ctrl(Key::G)]).words("thumbnails browse overview").apart();
    /// Selects the previous file.
    PreviousFile => (File, "Previous file", &[ctrl(Key::PageUp)]);
    /// Selects the next file.
    NextFile => (File, "Next file", &[ctrl(Key::PageDown)]);
    /// Reads the file again.
    Reload => (File, "Reload", &[plain(Key::F5)]).apart();
    /// Closes the file.
    Close => (File, "Close file", &[ctrl(Key::W)]);
    /// Empties the list of recent files.
    ClearRecent => (File, "Clear recent files", &[]).words("history");
    /// Opens or closes the export dialog.
    Export => (File, "Export…", &[ctrl(Key::E)]).words("render save gif png webp apng sprite sheet mp4 webm mov video raw psd photoshop layers").apart();
    /// Saves the canvas as a PNG.
    Screenshot => (File, "Save screenshot", &[plain(Key::S), plain(Key::F12)]);
    /// Chooses the folder of screenshots.
    ScreenshotFolder => (File, "Folder for screenshots…", &[]).words("pictures");
    /// Closes the window.
    Quit => (File, "Quit", &[ctrl(Key::Q)]).apart();
    /// Copies the canvas to the clipboard.
    CopyPicture => (Edit, "Copy picture", &[ctrl(Key::C)]);
    /// Copies where the file states the key of the selection at the playhead.
    CopyPointer => (Edit, "Copy pointer of the key", &[]).words("json place offset keyframe");
    /// Opens the paths in the clipboard.
    Paste => (Edit, "Open path from clipboard", &[ctrl(Key::V)]);
    /// Lets the user change the grid of a picture that was cut into frames.
    CutAgain => (Edit, "Change the frames of the picture…", &[]).words("grid cell size columns rows sheet");
    /// Hides or shows the selected part.
    HideSelected => (Edit, "Hide or show the selection", &[shift(Key::H)]).words("visibility invisible").apart();
    /// Shows only the selected part, or all again.
    SoloSelected => (Edit, "Show only the selection", &[shift(Key::S)]).words("solo isolate visibility");
    /// Shows everything hidden.
    ShowAll => (Edit, "Show all hidden parts", &[shift(Key::A)]).words("visibility invisible");
    /// Cancels loading, resets dragged IK targets, or clears the selection: the first that applies.
    PutBack => (Edit, "Cancel, reset IK targets, clear the selection, end the comparison, or return to the gallery", &[plain(Key::Escape)]).words("escape deselect");
    /// Lists only slots that show something, or all.
    ListVisible => (Edit, "List only visible slots", &[]).words("hide empty attachments").apart();
    /// Fits the whole character into the canvas.
    ZoomFit => (View, "Fit to window", &[ctrl(Key::Num0)]);
    /// Fits the view to the shown animation, or to all of them.
    FitAnimation => (View, "Fit to this animation only", &[ctrl(Key::Num9)]).words("stage camera zoom");
    /// Zooms to one screen pixel per world pixel.
    ZoomActual => (View, "Actual size (100 %)", &[ctrl(Key::Num1)]);
    /// Zooms to half a screen pixel per world pixel.
    ZoomHalf => (View, "Half size (50 %)", &[]);
    /// Zooms to two screen pixels per world pixel.
    ZoomDouble => (View, "Double size (200 %)", &[]);
    /// Zooms in one step.
    ZoomIn => (View, "Zoom in", &[ctrl(Key::Plus), ctrl(Key::Equals)]).repeating();
    /// Zooms out one step.
    ZoomOut => (View, "Zoom out", &[ctrl(Key::Minus)]).repeating();
    /// Samples pictures automatically, sharply, or smoothly.
    Sampling => (View, "Sampling: automatic, sharp, smooth", &[plain(Key::F)]).words("pixel art nearest linear filter").apart();
    /// Shows or hides the pages of a sprite sheet.
    Sheet => (View, "Show sprite sheet pages", &[plain(Key::A)]).apart();
    /// Shows or hides the event log.
    EventLog => (View, "Show event log", &[]);
    /// Shows the whole animation in the timeline.
    WholeTimeline => (View, "Show whole timeline", &[]);
    (Command::Show(Overlay::Bones)) => (Skeleton, "Show bones", &[plain(Key::B)]).words("skeleton rig");
    (Command::Show(Overlay::Names)) => (Skeleton, "Show bone names", &[plain(Key::N)]);
    (Command::Show(Overlay::Weights)) => (Skeleton, "Show weights of the selected bone", &[]).words("heat map influence");
    (Command::Show(Overlay::Ik)) => (Skeleton, "Show IK constraints", &[]);
    /// Shows the rings of IK targets always, or only near the pointer.
    Targets => (Skeleton, "Show IK rings", &[plain(Key::K)]).words("inverse kinematics handles targets").apart();
    /// Shows or hides how far the selected bone slides on the ground.
    FootSlide => (Skeleton, "Show foot slide of the selected bone", &[]).words("ground contact trace meter");
    (Command::Show(Overlay::Paths)) => (Skeleton, "Show paths", &[]).apart();
    (Command::Show(Overlay::Points)) => (Skeleton, "Show points", &[]);
    (Command::Show(Overlay::Boxes)) => (Skeleton, "Show bounding boxes", &[]).words("hitbox collision");
    (Command::Show(Overlay::Wire)) => (Overlays, "Show wireframe", &[plain(Key::W)]).words("mesh triangles topology");
    (Command::Show(Overlay::Hulls)) => (Overlays, "Show outlines", &[]);
    (Command::Show(Overlay::Bounds)) => (Overlays, "Show bounds", &[]);
    (Command::Show(Overlay::Clips)) => (Overlays, "Show clipping polygons", &[]);
    (Command::Show(Overlay::Order)) => (Overlays, "Show draw order", &[]).apart();
    (Command::Show(Overlay::Overdraw)) => (Overlays, "Show overdraw", &[]);
    (Command::Show(Overlay::Onion)) => (Overlays, "Show onion skin", &[plain(Key::U)]).words("ghosts");
    /// Shows or hides the grid.
    Grid => (Overlays, "Show grid", &[plain(Key::G)]).apart();
    /// Shows or hides the ground line.
    Ground => (Overlays, "Show ground line", &[shift(Key::G)]);
    /// Shows or hides the origin.
    Origin => (Overlays, "Show origin", &[]);
    /// Opens the dialog for choosing a picture behind the character.
    Underlay => (Overlays, "Picture behind the character…", &[]).words("reference image behind").apart();
    /// Removes the picture behind the character.
    RemoveUnderlay => (Overlays, "Remove the picture behind the character", &[]);
    /// Selects the previous animation.
    PreviousAnimation => (Timeline, "Previous animation", &[plain(Key::PageUp)]).repeating();
    /// Selects the next animation.
    NextAnimation => (Timeline, "Next animation", &[plain(Key::PageDown)]).repeating();
    (Command::Animation(0)) => (Timeline, "Animation 1 to 9", &[plain(Key::Num1)]);
    (Command::Animation(1)) => (Timeline, "Animation 1 to 9", &[plain(Key::Num2)]);
    (Command::Animation(2)) => (Timeline, "Animation 1 to 9", &[plain(Key::Num3)]);
    (Command::Animation(3)) => (Timeline, "Animation 1 to 9", &[plain(Key::Num4)]);
    (Command::Animation(4)) => (Timeline, "Animation 1 to 9", &[plain(Key::Num5)]);
    (Command::Animation(5)) => (Timeline, "Animation 1 to 9", &[plain(Key::Num6)]);
    (Command::Animation(6)) => (Timeline, "Animation 1 to 9", &[plain(Key::Num7)]);
    (Command::Animation(7)) => (Timeline, "Animation 1 to 9", &[plain(Key::Num8)]);
    (Command::Animation(8)) => (Timeline, "Animation 1 to 9", &[plain(Key::Num9)]);
    /// Moves the in point to the playhead.
    SetIn => (Timeline, "Set in point", &[plain(Key::I)]).words("range work area trim").apart();
    /// Moves the out point to the playhead.
    SetOut => (Timeline, "Set out point", &[plain(Key::O)]).words("range work area trim");
    /// Removes the in and out points.
    ClearRange => (Timeline, "Clear in and out points", &[shift(Key::I)]).words("range work area trim");
    /// Goes to the previous key.
    PreviousKey => (Timeline, "Previous key", &[ctrl(Key::ArrowLeft)]).repeating().apart();
    /// Goes to the next key.
    NextKey => (Timeline, "Next key", &[ctrl(Key::ArrowRight)]).repeating();
    /// Shows or hides the dopesheet.
    Dopesheet => (Timeline, "Show dopesheet", &[plain(Key::D)]).words("keys keyframes").apart();
    /// Shows or hides the curves of the selected bone.
    Curves => (Timeline, "Show curves of the selected bone", &[plain(Key::C)]).words("graph editor");
    /// Shows each curve on a scale of its own.
    Normalize => (Timeline, "Normalise curves", &[shift(Key::C)]).words("graph editor scale");
    /// Shows or hides the strip of tracks.
    Tracks => (Timeline, "Show tracks", &[plain(Key::M)]).apart();
    /// Adds a track.
    AddTrack => (Timeline, "Add a track", &[]);
    /// Plays or pauses.
    PlayPause => (Playback, "Play or pause", &[plain(Key::Space)]);
    /// Steps one frame back.
    StepBack => (Playback, "One frame back", &[plain(Key::ArrowLeft), plain(Key::Comma)]).repeating();
    /// Steps one frame forward.
    StepForward => (Playback, "One frame forward", &[plain(Key::ArrowRight), plain(Key::Period)]).repeating();
    /// Steps ten frames back.
    TenBack => (Playback, "Ten frames back", &[shift(Key::ArrowLeft)]).repeating();
    /// Steps ten frames forward.
    TenForward => (Playback, "Ten frames forward", &[shift(Key::ArrowRight)]).repeating();
    /// Goes to the first frame.
    First => (Playback, "First frame", &[plain(Key::Home)]).apart();
    /// Goes to the last frame.
    Last => (Playback, "Last frame", &[plain(Key::End)]);
    /// Steps to the next slower speed.
    Slower => (Playback, "Slower", &[plain(Key::OpenBracket)]).apart();
    /// Steps to the next faster speed.
    Faster => (Playback, "Faster", &[plain(Key::CloseBracket)]);
    /// Selects the next loop mode.
    LoopMode => (Playback, "Next loop mode", &[plain(Key::L)]);
    /// Toggles between blending and holding stored frames.
    Interpolate => (Playback, "Interpolate frames", &[plain(Key::T)]).words("smooth stepped").apart();
    /// Toggles physics.
    Physics => (Playback, "Physics", &[plain(Key::P)]);
    /// Starts or ends a comparison with a second file.
    Compare => (Compare, "Compare with…", &[ctrl(Key::D)]).words("diff versus");
    /// Starts or ends a comparison with the version before the last save.
    Review => (Compare, "Compare with the version before the last save", &[shift(Key::V)]).words("review diff old new changes");
    /// Shows the other one of two compared characters, alone.
    Blink => (Compare, "Blink: show the version before the save, or the other file", &[plain(Key::V)]).words("compare old new");
    /// Selects the next way to show two compared characters.
    Arrangement => (Compare, "Next arrangement of the comparison", &[]).words("swipe onion difference side by side");
    /// Shows or hides what `pchr validate` finds.
    Findings => (Compare, "Show findings", &[shift(Key::F)]).words("validate check warnings errors problems").apart();
    /// Shows all open files on one stage, or only the shown one.
    Lineup => (Stage, "Show all open files on one stage", &[plain(Key::J)]).words("several characters relative size lineup row together");
    /// Opens the dialog for choosing files to put on the stage.
    AddToStage => (Stage, "Add files to the stage…", &[shift(Key::J)]).words("several characters relative size companion");
    /// Puts the characters on the stage back in their row.
    Rearrange => (Stage, "Put the characters back in a row", &[]).words("stage lineup arrange reset");
    /// Enlarges the shown character on the stage.
    Enlarge => (Stage, "Larger character", &[plain(Key::Plus), plain(Key::Equals)]).words("scale size grow").repeating().apart();
    /// Shrinks the shown character on the stage.
    Shrink => (Stage, "Smaller character", &[plain(Key::Minus)]).words("scale size shrink").repeating();
    /// Swaps left and right of the shown character on the stage.
    Mirror => (Stage, "Mirror character", &[plain(Key::X)]).words("flip horizontally left right");
    /// Swaps top and bottom of the shown character on the stage.
    Upend => (Stage, "Upend character", &[plain(Key::Y)]).words("flip vertically upside down top bottom");
    /// Puts the shown character in front of the next one on the stage.
    BringForward => (Stage, "Bring character forward", &[shift(Key::PageUp)]).words("order front");
    /// Puts the shown character behind the next one on the stage.
    SendBackward => (Stage, "Send character backward", &[shift(Key::PageDown)]).words("order behind");
    /// Resets size, direction, order and tint of the shown character on the stage.
    ResetStaged => (Stage, "Reset size, direction, order and tint", &[]).words("character scale flip");
    /// Saves the stage as a scene.
    SaveScene => (Stage, "Save scene…", &[ctrl_shift(Key::S)]).words("stage toml document").apart();
    /// Opens or closes the command palette.
    Palette => (Window, "Command palette…", &[ctrl(Key::K)]);
    /// Moves the focus to the filter of the lists.
    Filter => (Window, "Filter the lists", &[ctrl(Key::F)]);
    /// Shows or hides everything around the canvas.
    Panels => (Window, "Show panels", &[plain(Key::H)]).apart();
    /// Shows or hides statistics.
    Statistics => (Window, "Show statistics", &[plain(Key::F2)]).words("fps performance profile");
    /// Toggles full screen.
    FullScreen => (Window, "Full screen", &[plain(Key::F11)]);
    /// Follows the system's dark or light theme.
    SystemTheme => (Window, "System theme", &[]).apart();
    /// Selects the light theme.
    LightTheme => (Window, "Light theme", &[]);
    /// Selects the dark theme.
    DarkTheme => (Window, "Dark theme", &[]);
    /// Enlarges text and buttons.
    LargerInterface => (Window, "Larger text and buttons", &[]).apart();
    /// Shrinks text and buttons.
    SmallerInterface => (Window, "Smaller text and buttons", &[]);
    /// Resets the size of text and buttons.
    ResetInterface => (Window, "Reset size of text and buttons", &[]);
    /// Shows or hides the list of keys.
    Help => (Window, "Keyboard and mouse", &[plain(Key::Questionmark), plain(Key::F1)]).apart();
}

/// Every overlay has its command.
const _: () = {
    let (mut row, mut count) = (0, 0);
    while row < COMMANDS.len() {
        count += matches!(COMMANDS[row].command, Command::Show(_)) as usize;
        row += 1;
    }
    assert!(count == Overlay::ALL.len());
};
