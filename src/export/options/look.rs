//! How pictures look: their size, what they show of the world, what lies under and over the character, and what draws.

use clap::Args;

use super::{values, words};
use crate::draw::{Antialias, Filter, Overlay, Overlays, Settings, View};
use crate::export::{Additive, Alpha, Background, Fit, Padding, Size, Surface};

/// How pictures look. The texts of its fields are those of `--help`.
#[derive(Debug, Clone, PartialEq, Args)]
#[command(next_help_heading = "Output")]
pub struct Look {
    /// WxH, Wx, xH, N or native; another shape is letterboxed
    #[arg(
        short, long, value_name = "SIZE", default_value = "native", value_parser = values::size,
        allow_negative_numbers = true
    )]
    pub size: Size,
    /// Picture pixels to a world pixel, at native size
    #[arg(long, value_name = "X", default_value = "1", value_parser = values::factor, allow_negative_numbers = true)]
    pub scale: f32,
    /// Space around the character in pixels, or in percent of its longer side
    #[arg(
        long, value_name = "N|N%", default_value = "0", value_parser = values::padding,
        allow_negative_numbers = true
    )]
    pub padding: Padding,
    /// What is in the picture: animation, frame, all, or X,Y,W,H in world pixels, y up
    #[arg(
        long, value_name = "FIT", default_value = "animation", value_parser = values::fit, allow_hyphen_values = true
    )]
    pub fit: Fit,
    /// transparent, checker, checker:N or a colour
    #[arg(
        short, long, value_name = "BACKGROUND", default_value = "transparent", value_parser = values::background
    )]
    pub background: Background,
    /// How alpha is written
    #[arg(long, value_name = "ALPHA", default_value = "straight")]
    pub alpha: Alpha,
    /// How light is written that additive slots add over a transparent background, with straight alpha and in GIFs
    #[arg(long, value_name = "MODE", default_value = "keep")]
    pub additive: Additive,
    /// The colour under what is partly transparent, in GIF and y4m; unless told a GIF shows what is at least half
    /// there, and y4m is on white
    #[arg(long, value_name = "COLOUR", value_parser = values::matte)]
    pub matte: Option<[u8; 3]>,
    /// How pictures are sampled
    #[arg(long, value_name = "FILTER", default_value = "auto", help_heading = "Rendering")]
    pub filter: Filter,
    /// How edges are smoothed
    // `None` is `auto`. The long name of the type keeps clap from taking it for an option without a default.
    #[arg(
        long, value_name = "MODE", default_value = "auto", value_parser = words::antialias(),
        help_heading = "Rendering"
    )]
    pub antialias: std::option::Option<Antialias>,
    /// Marks over the character: bones; in the window their names too
    #[arg(long, value_name = "MARKS", value_delimiter = ',', help_heading = "Rendering")]
    pub show: Vec<Overlay>,
    /// What draws
    #[arg(long, value_name = "BACKEND", default_value = "auto", help_heading = "Rendering")]
    pub backend: Backend,
    /// Which graphics adapter, by part of its name or by #number
    #[arg(long, value_name = "NAME|#N", help_heading = "Rendering")]
    pub adapter: Option<String>,
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

impl Look {
    /// How a picture with this view is drawn.
    pub fn settings(&self, view: &View) -> Settings {
        let antialias = self.antialias.unwrap_or_else(|| Antialias::for_scale(view.scale()));
        Settings { filter: self.filter, antialias }
    }

    /// What becomes of every picture.
    pub fn surface(&self) -> Surface {
        Surface { background: self.background, alpha: self.alpha, additive: self.additive }
    }

    /// What is drawn over the character.
    pub fn overlays(&self) -> Overlays {
        self.show.iter().copied().collect()
    }

    /// Whether the CPU renderer may take the place of a graphics card: nobody asked for one by name.
    pub fn may_fall_back(&self) -> bool {
        self.backend == Backend::Auto && self.adapter.is_none()
    }
}

impl Default for Look {
    fn default() -> Self {
        Self {
            size: Size::default(),
            scale: 1.0,
            padding: Padding::default(),
            fit: Fit::default(),
            background: Background::default(),
            alpha: Alpha::default(),
            additive: Additive::default(),
            matte: None,
            filter: Filter::default(),
            antialias: None,
            show: Vec::new(),
            backend: Backend::default(),
            adapter: None,
        }
    }
}
