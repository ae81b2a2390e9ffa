//! Everything that says what is rendered and how, as data: the command line is parsed into it, and the window's
//! export dialog edits it. [`RenderOptions::to_args`] leads back, so that neither can do what the other cannot.

use std::path::PathBuf;

#[cfg(feature = "formats-all")]
use super::SheetOptions;
use super::{Additive, Alpha, Background, Fit, Format, FrameSpec, Padding, Size, Surface};
use crate::draw::{Antialias, Filter, Settings, View};
use crate::formats::ReadOptions;

/// The name by which no skin is chosen, unless one has that name.
pub const NO_SKIN: &str = "none";

/// What is rendered, how, and where it goes.
#[derive(Debug, Clone, PartialEq)]
pub struct RenderOptions {
    /// The characters; `-` is standard input.
    pub files: Vec<PathBuf>,
    /// How they are read.
    pub read: ReadOptions,
    /// Animations by name or as `#index`, or `all`; empty: the default one.
    pub animations: Vec<String>,
    /// Skins by name or as `#index`; later ones cover earlier ones. Empty: [`sole_skin`](crate::motion::sole_skin), which
    /// [`NO_SKIN`] takes off.
    pub skins: Vec<String>,
    /// Which instants of them.
    pub moments: Moments,
    /// Stored frames are blended.
    pub interpolate: bool,
    /// What the file says swings does.
    pub physics: bool,
    /// Marks for the bones lie over the character.
    pub bones: bool,
    /// How many times faster than authored a file plays. Positive and finite.
    pub speed: f32,
    /// How often a file is played, 0 for ever; `None`: as the animation says.
    pub loops: Option<u16>,
    /// Where it goes: a path with places to fill in, or `-` for stdout. `None`: nothing is written.
    pub output: Option<String>,
    /// What is written.
    pub format: Format,
    /// How a sprite sheet is made.
    #[cfg(feature = "formats-all")]
    pub sheet: SheetOptions,
    /// How large a picture is.
    pub size: Size,
    /// Picture pixels to a world pixel at native size. Positive and finite.
    pub scale: f32,
    /// Space around what is shown.
    pub padding: Padding,
    /// Which part of the world.
    pub fit: Fit,
    /// What lies under the character.
    pub background: Background,
    /// How alpha is written.
    pub alpha: Alpha,
    /// How light is written that straight alpha cannot say.
    pub additive: Additive,
    /// The colour under what is partly transparent, for formats that cannot say so.
    pub matte: Option<[u8; 3]>,
    /// Pictures worked on at once; 0 is one a core.
    pub jobs: usize,
    /// Files that exist are written over.
    pub force: bool,
    /// How pictures are sampled.
    pub filter: Filter,
    /// How edges are smoothed; `None` is [`Antialias::for_scale`].
    pub antialias: Option<Antialias>,
    /// What draws.
    pub backend: Backend,
    /// Which adapter draws, by part of its name or as `#number`.
    pub adapter: Option<String>,
}

/// Which instants of an animation are rendered.
#[derive(Debug, Clone, Default, PartialEq)]
pub enum Moments {
    /// Every stored frame in a file that plays, the first one elsewhere.
    #[default]
    Usual,
    /// These stored frames.
    Frames(FrameSpec),
    /// One pose, so many seconds after the first frame and blended. A time outside of the animation is its first frame or
    /// its end; only with [`RenderOptions::physics`], where something swings, does a loop play on.
    Seconds(f64),
}

/// What draws the pictures.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Backend {
    /// The best graphics card, and the CPU renderer where there is none or only a software driver.
    #[default]
    Auto,
    /// The CPU renderer, the same bytes on every machine.
    Cpu,
    /// Vulkan.
    Vulkan,
    /// Metal.
    Metal,
    /// Direct3D 12.
    Dx12,
    /// OpenGL.
    Gl,
}

impl Backend {
    /// Every backend.
    pub const ALL: [Self; 6] = [Self::Auto, Self::Cpu, Self::Vulkan, Self::Metal, Self::Dx12, Self::Gl];

    /// What it is called on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Cpu => "cpu",
            Self::Vulkan => "vulkan",
            Self::Metal => "metal",
            Self::Dx12 => "dx12",
            Self::Gl => "gl",
        }
    }
}

impl Default for RenderOptions {
    fn default() -> Self {
        Self {
            files: Vec::new(),
            read: ReadOptions::default(),
            animations: Vec::new(),
            skins: Vec::new(),
            moments: Moments::default(),
            interpolate: false,
            physics: false,
            bones: false,
            speed: 1.0,
            loops: None,
            output: None,
            format: Format::default(),
            #[cfg(feature = "formats-all")]
            sheet: SheetOptions::default(),
            size: Size::default(),
            scale: 1.0,
            padding: Padding::default(),
            fit: Fit::default(),
            background: Background::default(),
            alpha: Alpha::default(),
            additive: Additive::default(),
            matte: None,
            jobs: 0,
            force: false,
            filter: Filter::default(),
            antialias: None,
            backend: Backend::default(),
            adapter: None,
        }
    }
}

impl RenderOptions {
    /// The same without what says nothing to the format or to the size, which the command line would refuse.
    #[must_use]
    pub fn relevant(mut self) -> Self {
        let usual = Self::default();
        if !self.format.has_loops() {
            self.loops = usual.loops;
        }
        if !self.format.has_rate() {
            self.speed = usual.speed;
        }
        if self.format.has_alpha() {
            self.matte = usual.matte;
        } else {
            self.alpha = usual.alpha;
        }
        if !self.format.can_lose_light(self.alpha) {
            self.additive = usual.additive;
        }
        if self.size != Size::Native {
            self.scale = usual.scale;
        }
        #[cfg(feature = "formats-all")]
        if self.format != Format::Sheet {
            self.sheet = usual.sheet;
        } else {
            self.sheet.columns = self.sheet.columns.filter(|_| self.sheet.layout.has_columns());
            if self.alpha == Alpha::Premultiplied {
                // What is transparent has no colour then.
                self.sheet.bleed = 0;
            }
        }
        self
    }

    /// How a picture with this view is drawn.
    pub fn settings(&self, view: &View) -> Settings {
        let antialias = self.antialias.unwrap_or_else(|| Antialias::for_scale(view.scale()));
        Settings { filter: self.filter, antialias }
    }

    /// What becomes of every picture.
    pub fn surface(&self) -> Surface {
        Surface { background: self.background, alpha: self.alpha, additive: self.additive }
    }
}
