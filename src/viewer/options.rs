//! What the window is opened with.

use std::path::PathBuf;

use crate::draw::{Antialias, Filter};
use crate::export::FrameSpec;
use crate::formats::ReadOptions;

/// What the window is opened with. The default is an empty window.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct WindowOptions {
    /// The files, in the order of the list; the first is shown. `-` is standard input.
    pub files: Vec<PathBuf>,
    /// How to read them.
    pub read: ReadOptions,
    /// The animation to show first, by name or as `#index`.
    pub animation: Option<String>,
    /// The skins to wear first, by name or as `#index`; a later one goes before an earlier one.
    pub skins: Vec<String>,
    /// Begin at the first of these frames, paused.
    pub frames: Option<FrameSpec>,
    /// Begin this many seconds into the animation, paused, between frames.
    pub time: Option<f64>,
    /// Do not play.
    pub paused: bool,
    /// Fill the screen.
    pub fullscreen: bool,
    /// Read a file again when it changes.
    pub watch: bool,
    /// Blend stored frames.
    pub interpolate: bool,
    /// Show what swings.
    pub physics: bool,
    /// How many times faster than authored.
    pub speed: f64,
    /// Marks for the bones lie over the character.
    pub bones: bool,
    /// Bones have their names beside them.
    pub names: bool,
    /// How pictures are sampled.
    pub filter: Filter,
    /// How edges are smoothed; `None`: as much as the zoom asks for.
    pub antialias: Option<Antialias>,
    /// What is behind the character.
    pub background: Background,
    /// What draws.
    pub backend: Backend,
    /// Dark or light.
    pub theme: Theme,
    /// How much larger than the system's size text and buttons are.
    pub ui_scale: f32,
}

impl Default for WindowOptions {
    fn default() -> Self {
        Self {
            files: Vec::new(),
            read: ReadOptions::default(),
            animation: None,
            skins: Vec::new(),
            frames: None,
            time: None,
            paused: false,
            fullscreen: false,
            watch: true,
            interpolate: false,
            physics: false,
            speed: 1.0,
            bones: false,
            names: false,
            filter: Filter::Auto,
            antialias: None,
            background: Background::Checker,
            backend: Backend::Auto,
            theme: Theme::System,
            ui_scale: 1.0,
        }
    }
}

/// What is behind the character.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Background {
    /// Nothing: squares show where nothing is, and screenshots are transparent there.
    #[default]
    Checker,
    /// A colour, red, green, blue.
    Color([u8; 3]),
}

/// What draws the window.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Backend {
    /// The best adapter there is, and without one the processor.
    #[default]
    Auto,
    /// The processor.
    Cpu,
    /// Vulkan only.
    Vulkan,
    /// Metal only.
    Metal,
    /// Direct3D 12 only.
    Dx12,
    /// OpenGL only.
    Gl,
}

/// Dark or light.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Theme {
    /// What the system says, dark when it says nothing.
    #[default]
    System,
    /// Light.
    Light,
    /// Dark.
    Dark,
}
