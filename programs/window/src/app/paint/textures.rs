//! A copy of egui's textures. The CPU paints with it, and a new GPU device is initialized from it, since egui
//! reports every change only once.

use std::collections::HashMap;

use egui::epaint::{ImageData, ImageDelta};
use egui::{ColorImage, TextureFilter, TextureId, TextureOptions, TexturesDelta};

/// The textures that egui has set and not freed.
#[derive(Default)]
pub struct Textures {
    textures: HashMap<TextureId, Texture>,
}

/// A texture, premultiplied.
pub struct Texture {
    /// The pixels.
    pub image: ColorImage,
    options: TextureOptions,
}

impl Texture {
    /// Returns true if it is sampled with the nearest filter.
    pub fn is_nearest(&self) -> bool {
        self.options.magnification == TextureFilter::Nearest
    }
}

impl Textures {
    /// Returns a texture.
    pub fn get(&self, id: TextureId) -> Option<&Texture> {
        self.textures.get(&id)
    }

    /// Applies the textures set by `changes`. Changes outside of their texture are ignored.
    pub fn apply(&mut self, changes: &TexturesDelta) {
        for (&id, deltas) in &changes.set {
            for ImageDelta { image: ImageData::Color(image), options, pos } in deltas {
                match (pos, self.textures.get_mut(&id)) {
                    (None, _) => {
                        let texture = Texture { image: image.as_ref().clone(), options: *options };
                        self.textures.insert(id, texture);
                    }
                    (Some(at), Some(texture)) => patch(&mut texture.image, image, *at),
                    (Some(_), None) => {}
                }
            }
        }
    }

    /// Frees the textures freed by `changes`. Call it after painting.
    pub fn free(&mut self, changes: &TexturesDelta) {
        for id in &changes.free {
            self.textures.remove(id);
        }
    }

    /// Returns all textures as if they were new.
    pub fn all(&self) -> impl Iterator<Item = (TextureId, ImageDelta)> {
        self.textures.iter().map(|(&id, texture)| (id, ImageDelta::full(texture.image.clone(), texture.options)))
    }
}

fn patch(image: &mut ColorImage, with: &ColorImage, at: [usize; 2]) {
    let [width, height] = with.size;
    if at[0] + width > image.size[0] || at[1] + height > image.size[1] || width == 0 {
        return;
    }
    for (row, pixels) in with.pixels.chunks_exact(width).enumerate() {
        let start = (at[1] + row) * image.size[0] + at[0];
        image.pixels[start..start + width].copy_from_slice(pixels);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::Color32;

    #[test]
    fn partial_updates_are_applied_and_everything_is_reported_again() {
        let id = TextureId::Managed(0);
        let mut changes = TexturesDelta::default();
        let options = TextureOptions::LINEAR;
        changes.push(id, ImageDelta::full(ColorImage::filled([3, 3], Color32::BLACK), options));
        changes.push(id, ImageDelta::partial([1, 2], ColorImage::filled([2, 1], Color32::WHITE), options));
        let mut textures = Textures::default();
        textures.apply(&changes);
        let white = |textures: &Textures| {
            let pixels = &textures.get(id).unwrap().image.pixels;
            pixels.iter().map(|&pixel| u8::from(pixel == Color32::WHITE)).collect::<Vec<_>>()
        };
        assert_eq!(white(&textures), [0, 0, 0, 0, 0, 0, 0, 1, 1]);
        assert!(textures.all().all(|(_, delta)| delta.is_whole()));
        changes.clear();
        changes.free(id);
        textures.free(&changes);
        assert_eq!(textures.all().count(), 0);
        changes.clear();
    }
}
