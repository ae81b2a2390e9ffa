//! What becomes of a rendered picture before it is written: what lies under it, and its alpha.

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

/// What is done to every picture before it is written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Surface {
    /// What lies under the character.
    pub background: Background,
    /// How alpha is written.
    pub alpha: Alpha,
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
        match self.alpha {
            Alpha::Straight => picture.unpremultiply(),
            Alpha::Premultiplied => {}
        }
    }
}
