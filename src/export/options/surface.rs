//! How pictures are processed after rendering: alpha and additive light.

use crate::rows::words;

words! {
    /// How alpha is stored.
    #[derive(Debug, Clone, Copy, Default, PartialEq)]
    pub enum Alpha {
        /// Straight alpha, as in PNG.
        #[default]
        Straight => ("straight", "Colour is not multiplied by alpha, as in PNG"),
        /// Premultiplied alpha.
        Premultiplied => ("premultiplied", "Colour is multiplied by alpha, ready for blending"),
    }
}

words! {
    /// How the light of additive slots over a transparent background is stored. Such a pixel is brighter than its
    /// alpha, which premultiplied alpha can represent and straight alpha cannot.
    #[derive(Debug, Clone, Copy, Default, PartialEq)]
    pub enum Additive {
        /// Alpha is raised to the brightest channel: exact over black, approximate over other colours.
        #[default]
        Keep => (
            "keep",
            "Raise alpha to the brightness of the light: exact on black, approximate on other colours"
        ),
        /// Alpha is unchanged; light that exceeds it is clipped.
        Pure => ("pure", "Keep alpha unchanged: light that exceeds it is clipped"),
    }
}

/// Post-processing of rendered pictures.
#[derive(Debug, Clone, Copy, Default)]
pub struct Surface {
    /// How alpha is stored.
    pub alpha: Alpha,
    /// How light is stored that straight alpha cannot represent.
    pub additive: Additive,
}
