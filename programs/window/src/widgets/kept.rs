//! Textures and other values that a panel makes once and keeps in egui's memory.

use egui::{ColorImage, Id, Ui};

use pchr::draw::Picture;

/// Returns the value at `place`, which `make` makes unless the last one was for the same key.
pub fn kept<K, V>(ui: &Ui, place: Id, key: K, make: impl FnOnce() -> V) -> V
where
    K: Clone + PartialEq + Send + Sync + 'static,
    V: Clone + Send + Sync + 'static,
{
    if let Some((of, value)) = ui.data(|data| data.get_temp::<(K, V)>(place))
        && of == key
    {
        return value;
    }
    let value = make();
    ui.data_mut(|data| data.insert_temp(place, (key, value.clone())));
    value
}

/// Returns a length that was measured in the last frame.
pub fn measured(ui: &Ui, place: Id) -> f32 {
    ui.data(|data| data.get_temp(place)).unwrap_or_default()
}

/// Keeps a measured length. If it is not the one that [`measured`] has returned, the frame is laid out again.
pub fn measure(ui: &Ui, place: Id, length: f32, reason: &'static str) {
    if (length - measured(ui, place)).abs() > 0.5 {
        ui.data_mut(|data| data.insert_temp(place, length));
        ui.ctx().request_discard(reason);
    }
}

/// Releases the value at `place`, which has these types.
pub fn forget<K, V>(ui: &Ui, place: Id)
where
    K: Clone + Send + Sync + 'static,
    V: Clone + Send + Sync + 'static,
{
    ui.data_mut(|data| data.remove::<(K, V)>(place));
}

/// Returns a premultiplied picture as egui takes it.
pub fn image(picture: &Picture) -> ColorImage {
    let size = [picture.width() as usize, picture.height() as usize];
    ColorImage::from_rgba_premultiplied(size, picture.pixels())
}
