//! What is behind the character: background and matte → the pixels under a picture.

use std::sync::Arc;

use super::fitted::fitted;
use super::sequence::Sequence;
use crate::draw::Picture;
use crate::export::options::Background;
use crate::math::color::premultiply;
use crate::model::{Blend, Model};

/// The two greys of [`Background::Checker`].
const CHECKER: [[u8; 4]; 2] = [[204, 204, 204, 255], [153, 153, 153, 255]];

/// What is behind the character in the pictures of a sequence.
pub struct Ground {
    under: Under,
    /// What multiplied and screened slots blend with: the background on the matte.
    behind: Option<Arc<Picture>>,
}

/// What pictures are laid over.
enum Under {
    Nothing,
    Color([u8; 4]),
    Checker(u32),
    Picture(Picture),
}

impl Ground {
    /// Fits the background to the pictures of `sequence`.
    pub fn new(sequence: &Sequence<'_>) -> Self {
        let view = &sequence.view;
        let under = match sequence.background {
            Background::Transparent => Under::Nothing,
            Background::Color(color) => Under::Color(premultiply(*color)),
            Background::Checker(size) => Under::Checker((*size).max(1)),
            // A plan has read it.
            Background::Picture(picture) => picture.picture().map_or(Under::Nothing, |picture| {
                let mut picture = fitted(picture, sequence.background_fit, view);
                fade(&mut picture, sequence.background_opacity);
                Under::Picture(picture)
            }),
        };
        let mut ground = Self { under, behind: None };
        if has_blending(sequence.character.model()) && (ground.is_there() || sequence.matte.is_some()) {
            let mut behind = Picture::default();
            behind.reset(view.width(), view.height());
            ground.lay_under(&mut behind);
            if let Some([r, g, b]) = sequence.matte {
                behind.lay_over(|_, _| [r, g, b, 255]);
            }
            ground.behind = Some(Arc::new(behind));
        }
        ground
    }

    pub fn is_there(&self) -> bool {
        !matches!(self.under, Under::Nothing)
    }

    /// Returns what multiplied and screened slots blend with; `None` if there are none, or there is nothing behind.
    pub fn behind(&self) -> Option<&Arc<Picture>> {
        self.behind.as_ref()
    }

    /// Lays a picture over the background.
    pub fn lay_under(&self, picture: &mut Picture) {
        match &self.under {
            Under::Nothing => {}
            Under::Color(color) => picture.lay_over(|_, _| *color),
            Under::Checker(size) => picture.lay_over(|x, y| CHECKER[((x / size + y / size) % 2) as usize]),
            Under::Picture(under) => {
                let (width, pixels) = (under.width() as usize, under.pixels().as_chunks::<4>().0);
                picture.lay_over(|x, y| pixels[y as usize * width + x as usize]);
            }
        }
    }
}

/// Multiplies a picture by an opacity.
fn fade(picture: &mut Picture, opacity: f32) {
    if opacity < 1.0 {
        let fade = |byte: &mut u8| *byte = (f32::from(*byte) * opacity + 0.5) as u8;
        picture.pixels_mut().iter_mut().for_each(fade);
    }
}

fn has_blending(model: &Model) -> bool {
    model.slots().iter().any(|slot| matches!(slot.blend, Blend::Multiply | Blend::Screen))
}
