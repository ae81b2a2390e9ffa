//! Appearance of pictures: size, visible area, background, overlays and renderer.

use super::area::{Fit, Padding, Size};
use super::background::{Background, BackgroundFit};
use super::overlay_choice::{OverlayChoice, OverlayChoiceParser};
use super::surface::{Additive, Alpha, Surface};
use super::table::options;
use super::{values, words};
use crate::draw::{Antialias, Filter, Overlays, Settings, View};
use crate::model::{Model, UnknownName};
use crate::rows;

options! {
    /// Appearance of pictures. The doc comments of the fields are the `--help` texts.
    #[command(next_help_heading = "Output")]
    pub struct Look {
        /// Picture size: WxH, Wx, xH, N or native; a different aspect ratio is letterboxed
        #[arg(
            short, long, value_name = "SIZE", default_value = "native", value_parser = values::size,
            allow_negative_numbers = true
        )]
        pub size: Size,
        /// Picture pixels per world pixel, at native size
        #[arg(long, value_name = "X", default_value = "1", value_parser = values::factor, allow_negative_numbers = true)]
        pub scale: f32 = 1.0,
        /// Padding around the character, in pixels or as a percentage of its longer side
        #[arg(
            long, value_name = "N|N%", default_value = "0", value_parser = values::padding,
            allow_negative_numbers = true
        )]
        pub padding: Padding,
        /// Visible area: animation, frame, all, or X,Y,W,H in world pixels, y up
        #[arg(
            long, value_name = "FIT", default_value = "animation", value_parser = values::fit, allow_hyphen_values = true
        )]
        pub fit: Fit,
        /// Include small parts that are far away, which the visible area leaves out
        #[arg(long)]
        pub fit_whole: bool,
        /// Background: transparent, checker, checker:N, a colour, or a PNG, JPEG or WebP file
        #[arg(
            short, long, value_name = "BACKGROUND", default_value = "transparent", value_parser = values::background
        )]
        pub background: Background,
        /// How a background picture is placed: cover (cropped to fill), contain, tile (in its own size), or
        /// X,Y,W,H in world pixels, y up
        #[arg(
            long, value_name = "FIT", default_value = "cover", value_parser = values::background_fit,
            allow_hyphen_values = true
        )]
        pub background_fit: BackgroundFit,
        /// Opacity of a background picture, from 0 to 1
        #[arg(
            long, value_name = "X", default_value = "1", value_parser = values::opacity, allow_negative_numbers = true
        )]
        pub background_opacity: f32 = 1.0,
        /// How alpha is stored
        #[arg(long, value_name = "ALPHA", default_value = "straight", value_parser = words::choice::<Alpha>())]
        pub alpha: Alpha,
        /// How to store the light of additive slots on a transparent background; for straight alpha and GIF only
        #[arg(long, value_name = "MODE", default_value = "keep", value_parser = words::choice::<Additive>())]
        pub additive: Additive,
        /// Background colour for partly transparent pixels in GIF, MP4 and y4m [default: none in GIF, where pixels with
        /// at least 50 % alpha become opaque; white in MP4 and y4m]
        #[arg(long, value_name = "COLOUR", value_parser = values::matte)]
        pub matte: Option<[u8; 3]>,
        /// Mix the 255 colours of a GIF in patterns: smoother gradients in a larger file
        #[arg(long)]
        pub dither: bool,
        /// Texture filter
        #[arg(
            long, value_name = "FILTER", default_value = "auto", value_parser = words::choice::<Filter>(), help_heading = "Rendering"
        )]
        pub filter: Filter,
        /// Antialiasing mode
        // `None` is `auto`. The full path of the type keeps clap from treating it as an option without a default.
        #[arg(
            long, value_name = "MODE", default_value = "auto", value_parser = words::antialias(),
            help_heading = "Rendering"
        )]
        pub antialias: std::option::Option<Antialias>,
        /// Overlays to draw
        #[arg(
            long, value_name = "MARKS", value_delimiter = ',', value_parser = OverlayChoiceParser, help_heading = "Rendering"
        )]
        pub show: Vec<OverlayChoice>,
        /// Renderer
        #[arg(
            long, value_name = "BACKEND", default_value = "auto", value_parser = words::choice::<Backend>(), help_heading = "Rendering"
        )]
        pub backend: Backend,
        /// Graphics adapter, by part of its name or by #number
        #[arg(long, value_name = "NAME|#N", help_heading = "Rendering")]
        pub adapter: Option<String>,
    }
}

rows::words! {
    /// The renderer to use.
    #[derive(Debug, Clone, Copy, Default, PartialEq)]
    pub enum Backend {
        /// The best GPU; falls back to the CPU renderer if there is none or only a software driver.
        #[default]
        Auto => (
            "auto",
            "The best GPU, or the built-in CPU renderer if there is no GPU or only a software driver"
        ),
        /// The CPU renderer, whose output is identical on every machine.
        Cpu => ("cpu", "The built-in CPU renderer, with identical output on every machine"),
        /// Vulkan.
        Vulkan => ("vulkan", "Vulkan"),
        /// Metal.
        Metal => ("metal", "Metal"),
        /// Direct3D 12.
        Dx12 => ("dx12", "Direct3D 12"),
        /// OpenGL.
        Gl => ("gl", "OpenGL"),
    }
}

impl Look {
    /// Returns the renderer settings for a picture with this view.
    pub(crate) fn settings(&self, view: &View) -> Settings {
        let antialias = self.antialias.unwrap_or_else(|| Antialias::for_scale(view.scale()));
        Settings { filter: self.filter, antialias }
    }

    /// Returns the processing applied to every rendered picture.
    pub(crate) fn surface(&self) -> Surface {
        Surface { alpha: self.alpha, additive: self.additive }
    }

    /// Returns the overlays drawn over the character.
    ///
    /// # Errors
    ///
    /// If `model` has no bone of the given name.
    pub(crate) fn overlays(&self, model: &Model) -> Result<Overlays, UnknownName> {
        let mut overlays = Overlays::default();
        self.show.iter().try_for_each(|mark| mark.add_to(&mut overlays, model))?;
        Ok(overlays)
    }

    /// Returns true if the CPU renderer may be used instead of a GPU: if neither a backend nor an adapter was
    /// requested.
    pub fn may_fall_back(&self) -> bool {
        self.backend == Backend::Auto && self.adapter.is_none()
    }
}
