//! What becomes of a rendered picture before it is written: what lies under it, its alpha, and the light that has none.

use crate::draw::Picture;
use crate::math::color::premultiply;

/// What lies under the character.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Background {
    /// Nothing.
    #[default]
    Transparent,
    /// A colour with straight alpha.
    Color([u8; 4]),
    /// Light and dark squares of this many pixels.
    Checker(u32),
}

/// The two greys of [`Background::Checker`].
const CHECKER: [[u8; 4]; 2] = [[204, 204, 204, 255], [153, 153, 153, 255]];

/// How alpha is written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Alpha {
    /// As PNG wants it.
    #[default]
    Straight,
    /// As blending wants it.
    Premultiplied,
}

/// How light is written that additive slots add over a transparent background. Such a pixel is brighter than its
/// alpha, which premultiplied files can say and straight alpha cannot.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Additive {
    /// Alpha is raised to the brightest channel: exact over black, and a picture of the light over anything else.
    #[default]
    Keep,
    /// Alpha stays as it is: light is cut off where it is brighter.
    Pure,
}

/// What is done to every picture before it is written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Surface {
    /// What lies under the character.
    pub background: Background,
    /// How alpha is written.
    pub alpha: Alpha,
    /// How light is written that straight alpha cannot say.
    pub additive: Additive,
}

impl Surface {
    /// Finishes a freshly rendered picture. With [`Alpha::Straight`] its pixels are straight afterwards.
    pub fn finish(self, picture: &mut Picture) {
        match self.background {
            Background::Transparent => {}
            Background::Color(color) => {
                let color = premultiply(color);
                picture.lay_over(|_, _| color);
            }
            Background::Checker(size) => {
                let size = size.max(1);
                picture.lay_over(|x, y| CHECKER[((x / size + y / size) % 2) as usize]);
            }
        }
        match (self.alpha, self.additive) {
            (Alpha::Straight, Additive::Keep) => {
                picture.keep_light();
                picture.unpremultiply();
            }
            (Alpha::Straight, Additive::Pure) => picture.unpremultiply(),
            (Alpha::Premultiplied, Additive::Keep | Additive::Pure) => {}
        }
    }

    /// Makes of a picture that is premultiplied and on its background what programs show that read its file,
    /// premultiplied.
    pub fn read_back(self, picture: &mut Picture) {
        match (self.alpha, self.additive) {
            (Alpha::Straight, Additive::Keep) => picture.keep_light(),
            (Alpha::Straight, Additive::Pure) => picture.drop_light(),
            (Alpha::Premultiplied, Additive::Keep | Additive::Pure) => {}
        }
    }
}
