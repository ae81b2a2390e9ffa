//! The picture of the differences on the canvas.

use std::sync::Arc;

use egui::accesskit::Role;
use egui::{Color32, ColorImage, Id, Rect, Sense, TextureHandle, TextureOptions, Ui, WidgetInfo};

use super::ComparePanel;
use crate::compare::Arrangement;
use crate::compare::difference::Differences;
use crate::widgets::WHOLE;
use crate::widgets::theme::Palette;
use pchr::draw::Picture;

/// Seconds between two checks for a new picture.
const POLL_SECS: f32 = 0.016;

/// The texture of a picture, and whether it is for a dark window.
type Shown = (Arc<Picture>, bool, TextureHandle);

fn place() -> Id {
    Id::unique("differences")
}

/// Shows where the characters differ, on the whole canvas `rect`. Releases the texture while something else is
/// shown.
pub fn show(ui: &mut Ui, state: &mut ComparePanel<'_>, rect: Rect) {
    if state.compare.shown() != Some(Arrangement::Difference) {
        ui.data_mut(|data| data.remove::<Shown>(place()));
        return;
    }
    if state.compare.are_differences_pending() {
        ui.request_repaint_after_secs(POLL_SECS);
    }
    let Some(map) = state.compare.differences().and_then(|differences| differences.map.clone()) else { return };
    let response = ui.interact(rect, place().with("picture"), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Image, true, "Differences"));
    ui.painter().image(texture(ui, &map).id(), rect, WHOLE, Color32::WHITE);
}

/// Describes the differences, if they are shown: in a few words, and in full.
pub fn summary(state: &mut ComparePanel<'_>) -> Option<[String; 2]> {
    if state.compare.shown() != Some(Arrangement::Difference) {
        return None;
    }
    state.compare.second_file(state.files)?.loaded()?;
    let texts = state.compare.differences().map(texts);
    // While playing, the numbers lag behind the frames.
    let is_current = state.playback.animator.is_moving() || !state.compare.are_differences_pending();
    Some(texts.filter(|_| is_current).unwrap_or_else(|| both("Comparing…")))
}

fn both(text: &str) -> [String; 2] {
    [text.to_owned(), text.to_owned()]
}

fn texts(Differences { map, found, scenes }: &Differences) -> [String; 2] {
    /// Percentage below which pixels are counted.
    const FEW: f64 = 0.1;
    let view = &scenes[0].view;
    let pixels = u64::from(view.width()) * u64::from(view.height());
    let percent = found.pixels as f64 / pixels.max(1) as f64 * 100.0;
    let worst = found.worst;
    match (map, found.pixels) {
        (None, _) => both("Drawing this frame would take too long"),
        (Some(_), 0) => both("No difference"),
        (Some(_), 1) => {
            [format!("1 pixel differs (max {worst})"), format!("1 of {pixels} pixels differs by {worst} of 255")]
        }
        (Some(_), count) => {
            let short = match percent {
                FEW.. => format!("{percent:.1} % differ (max {worst})"),
                _ => format!("{count} pixels differ (max {worst})"),
            };
            [short, format!("{count} of {pixels} pixels differ, by up to {worst} of 255")]
        }
    }
}

/// Returns the texture of `picture`, uploading it once.
fn texture(ui: &Ui, picture: &Arc<Picture>) -> TextureHandle {
    let is_dark = ui.visuals().dark_mode;
    let known = ui.data(|data| data.get_temp::<Shown>(place()));
    if let Some((of, was_dark, texture)) = &known
        && Arc::ptr_eq(of, picture)
        && *was_dark == is_dark
    {
        return texture.clone();
    }
    let size = [picture.width(), picture.height()].map(|side| side as usize);
    let mut image = ColorImage::from_rgba_unmultiplied(size, picture.pixels());
    if is_dark {
        let ground = Palette::of(ui.visuals()).sunken;
        image.pixels.iter_mut().for_each(|pixel| *pixel = darkened(*pixel, ground));
    }
    let texture = match known {
        Some((_, _, mut texture)) => {
            texture.set(image, TextureOptions::NEAREST);
            texture
        }
        None => ui.ctx().load_texture("differences", image, TextureOptions::NEAREST),
    };
    ui.data_mut(|data| data.insert_temp::<Shown>(place(), (Arc::clone(picture), is_dark, texture.clone())));
    texture
}

/// Puts an equal pixel, which is a pale grey on white, on a dark ground. Differences keep their colours.
fn darkened(pixel: Color32, ground: Color32) -> Color32 {
    let [r, g, b, _] = pixel.to_array();
    if r != g || g != b {
        return pixel;
    }
    let lifted = |channel: u8| channel.saturating_add(255 - r);
    Color32::from_rgb(lifted(ground.r()), lifted(ground.g()), lifted(ground.b()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_pixels_are_dark_in_a_dark_window_and_differences_keep_their_colours() {
        let ground = Color32::from_rgb(0x15, 0x17, 0x1c);
        assert_eq!(darkened(Color32::WHITE, ground), ground);
        assert_eq!(darkened(Color32::from_gray(200), ground), Color32::from_rgb(76, 78, 83));
        let red = Color32::from_rgb(0xdc, 0x26, 0x26);
        assert_eq!(darkened(red, ground), red);
    }
}
