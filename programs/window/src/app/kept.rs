//! Collects and applies the settings that are kept.

use std::path::{Path, PathBuf, absolute};

use super::state::State;
use crate::settings::options::WindowOptions;
use crate::settings::{
    CanvasSettings, FilePlace, FilePlaces, GallerySettings, InterfaceSettings, PanelSettings, PlaybackSettings,
    RecentSettings, ScreenshotSettings, Settings,
};
use crate::tracks::saved::SavedTracks;

impl State {
    /// Returns the settings to keep of the window.
    pub fn settings(&self) -> Settings {
        Settings {
            interface: InterfaceSettings::of(self.interface),
            window: self.place,
            canvas: CanvasSettings::of(&self.overlays, &self.canvas),
            playback: PlaybackSettings::of(&self.playback.animator),
            panels: PanelSettings::of(self.panels, &self.sheet, &self.timeline, &self.mixer, &self.parts.side),
            gallery: GallerySettings { sort: self.files.gallery.sort, large: self.files.gallery.is_large },
            recent: RecentSettings::of(&self.files.recent),
            screenshots: ScreenshotSettings::of(self.screenshots.as_deref()),
            places: self.file_places(),
        }
    }

    /// Returns the places in the recently opened files.
    fn file_places(&self) -> FilePlaces {
        let shown = self.file_place();
        let place = |path: &Path| match &shown {
            Some((shown, place)) if shown == path => Some(place.clone()),
            Some(_) | None => self.kept_places.get(path.to_str()?).cloned(),
        };
        let files = self.files.recent.files().iter().map(|file| &file.path);
        let kept = files.filter_map(|path| Some((path.to_str()?.to_owned(), place(path)?)));
        kept.filter(|(_, place)| *place != FilePlace::default()).collect()
    }

    /// Returns the absolute path of the shown file and the place in it.
    fn file_place(&self) -> Option<(PathBuf, FilePlace)> {
        self.loaded()?;
        let path = absolute(self.current()?.path()).ok()?;
        let animator = &self.playback.animator;
        let range = animator.playback(0).range().map(|range| [*range.start(), *range.end()]);
        let tracks = match self.mixer.has_several(animator) {
            true => SavedTracks::of(animator).rewound(),
            false => SavedTracks::default(),
        };
        let mut place = FilePlace { range, tracks, ..FilePlace::default() };
        place.set_camera(self.canvas.camera);
        Some((path, place))
    }

    /// Keeps the place in the shown file, which is left.
    pub fn keep_place(&mut self) {
        let Some((path, place)) = self.file_place() else { return };
        path.to_str().into_iter().for_each(|path| _ = self.kept_places.insert(path.to_owned(), place.clone()));
    }

    /// Goes to the place in the shown file that was kept. It shows the animation that was shown last.
    pub fn resume(&mut self) {
        let path = self.current().and_then(|document| absolute(document.path()).ok());
        let Some(place) = path.and_then(|path| self.kept_places.get(path.to_str()?).cloned()) else { return };
        self.canvas.camera = place.camera();
        let animator = &mut self.playback.animator;
        if place.tracks.are_in(animator.model()) && !place.tracks.is_empty() {
            place.tracks.restore(animator);
        }
        let frames = animator.playback(0).frame_count();
        let range = place.range.filter(|[first, last]| first <= last && *last < frames);
        if let Some([first, last]) = range {
            self.playback.set_range(Some(first..=last));
        }
    }

    /// Applies kept settings, except those that `options` specify.
    pub fn apply_settings(&mut self, settings: &Settings, options: &WindowOptions) {
        let Settings { interface, window, canvas, playback, panels, gallery, recent, screenshots, places } =
            settings;
        interface.apply(&mut self.interface, options);
        self.place = *window;
        canvas.apply(&mut self.overlays, &mut self.canvas, options);
        playback.apply(&mut self.playback.animator, options);
        self.panels = panels.shown;
        panels.apply(&mut self.sheet, &mut self.timeline, &mut self.mixer, &mut self.parts.side);
        self.files.gallery.sort = gallery.sort;
        self.files.gallery.is_large = gallery.large;
        recent.apply(&mut self.files.recent);
        self.screenshots = screenshots.folder();
        self.kept_places.clone_from(places);
    }
}
