//! A file → one picture, in one call.

use std::path::Path;

use super::Renderer;
use crate::draw::{DrawList, Picture, Settings, View};
use crate::error::{Error, Result};
use crate::player::Animator;

/// The content of one picture. The default is the first frame of the default animation, one pixel per world pixel.
#[derive(Debug, Clone, Copy, Default)]
pub struct Still<'a> {
    /// The name of the animation; `None`: the default one, or the rest pose if there is none.
    pub animation: Option<&'a str>,
    /// Seconds from the first frame. Stored frames are blended.
    pub time_secs: f64,
    /// The names of the skins to activate in addition to the default one; if empty, the one that
    /// [`sole_skin`](crate::motion::sole_skin) suggests.
    pub skins: &'a [&'a str],
    /// The longer side in pixels; `None`: one pixel per world pixel.
    pub longer_side: Option<u32>,
    /// Sampling and antialiasing.
    pub settings: Settings,
}

/// Renders one picture of the character file at `path`, fitted to what is visible at that instant. The result is
/// premultiplied RGBA with a transparent background.
///
/// This reads the file each time: use an [`Animator`] and a [`Renderer`] for several pictures.
///
/// ```
/// use pchr::cpu::{Still, render_file};
///
/// let picture = render_file("assets/paper-knight.pchr", &Still { animation: Some("walk"), ..Still::default() })?;
/// assert_eq!(picture.pixels().len(), (picture.width() * picture.height() * 4) as usize);
/// # Ok::<(), pchr::Error>(())
/// ```
///
/// # Errors
///
/// Fails if the file cannot be read, lacks the animation or a skin, shows nothing at that instant, or if the
/// picture would be larger than a [`Renderer`] supports.
pub fn render_file(path: impl AsRef<Path>, still: &Still<'_>) -> Result<Picture> {
    let mut animator = Animator::open(path)?;
    animator.set_interpolate(true);
    if !still.skins.is_empty() {
        animator.set_skins(still.skins.iter().copied())?;
    }
    match still.animation {
        Some(name) => _ = animator.play(name)?,
        None => animator.show(animator.model().default_animation()),
    }
    if let Some(playback) = animator.playback_mut(0) {
        playback.seek_secs(still.time_secs);
    }
    animator.refresh();
    let world = animator.bounds().round_out();
    if world.is_empty() {
        return Err(Error::misuse("nothing-visible", "nothing is visible at this instant"));
    }
    let size = world.size();
    let scale = still.longer_side.map_or(1.0, |side| side as f32 / size.max_element());
    let [width, height] = (size * scale).to_array().map(|side| side.round().max(1.0) as u32);
    let view = View::fit(width, height, world);
    let mut renderer = Renderer::new(animator.model());
    renderer.check_size(&view, still.settings.antialias)?;
    let (mut list, mut picture) = (DrawList::default(), Picture::default());
    animator.build_draw_list(&view, &mut list);
    renderer.render(animator.model(), &list, &view, still.settings, &mut picture);
    Ok(picture)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_becomes_a_picture_of_the_requested_size() {
        let still = Still { animation: Some("walk"), time_secs: 0.2, longer_side: Some(120), ..Still::default() };
        let picture = render_file("assets/paper-knight.pchr", &still).unwrap();
        assert_eq!(picture.width().max(picture.height()), 120);
        assert!(picture.pixels().chunks(4).filter(|pixel| pixel[3] == 255).count() > 1000);
        let other = render_file("assets/paper-knight.pchr", &Still { time_secs: 0.4, ..still }).unwrap();
        assert!(picture != other);
    }

    #[test]
    fn what_cannot_be_rendered_is_an_error() {
        let error = |still: &Still<'_>| render_file("assets/paper-knight.pchr", still).unwrap_err().to_string();
        assert!(error(&Still { animation: Some("wlak"), ..Still::default() }).contains("did you mean `walk`?"));
        assert!(error(&Still { skins: &["x"], ..Still::default() }).contains("no skin `x`"));
        assert!(error(&Still { longer_side: Some(u32::MAX), ..Still::default() }).contains("a side"));
        assert_eq!(render_file("missing.pchr", &Still::default()).unwrap_err().code(), "io");
    }
}
