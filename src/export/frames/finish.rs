//! Post-processing of rendered pictures: alpha and additive light.

use crate::draw::Picture;
use crate::export::options::{Additive, Alpha, Surface};

impl Surface {
    /// Applies the alpha settings to a picture on its background. With [`Alpha::Straight`] its pixels are straight
    /// afterwards.
    pub fn finish(self, picture: &mut Picture) {
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
