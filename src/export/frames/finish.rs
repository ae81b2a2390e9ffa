//! Post-processing of rendered pictures: background, alpha and additive light.

use crate::draw::Picture;
use crate::export::options::{Additive, Alpha, Background, Surface};
use crate::math::color::premultiply;

/// The two greys of [`Background::Checker`].
const CHECKER: [[u8; 4]; 2] = [[204, 204, 204, 255], [153, 153, 153, 255]];

impl Surface {
    /// Applies the background and alpha settings to a rendered picture. With [`Alpha::Straight`] its pixels are
    /// straight afterwards.
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

    /// Converts a premultiplied picture on its background to what programs show that read the written file,
    /// premultiplied.
    pub fn read_back(self, picture: &mut Picture) {
        match (self.alpha, self.additive) {
            (Alpha::Straight, Additive::Keep) => picture.keep_light(),
            (Alpha::Straight, Additive::Pure) => picture.drop_light(),
            (Alpha::Premultiplied, Additive::Keep | Additive::Pure) => {}
        }
    }
}
