//! The visible part of the timeline.

/// The visible part of an animation, as shares of its length.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Zoom {
    start: f64,
    span: f64,
}

impl Default for Zoom {
    /// Returns the whole animation.
    fn default() -> Self {
        Self { start: 0.0, span: 1.0 }
    }
}

/// At least this many frames are visible.
const MIN_FRAMES: f64 = 4.0;

impl Zoom {
    /// Returns the zoom at which `visible` is visible, from one position to another in frames, or as much of it as an
    /// animation of `length` frames has.
    pub fn of(visible: (f64, f64), length: f64) -> Self {
        let (start, end) = visible;
        let mut zoom = Self::default();
        if length > 0.0 && end > start {
            zoom.magnify(length / (end - start), 0.0, length);
            zoom.start = start / length;
            zoom.clamp();
        }
        zoom
    }

    /// Returns the start and the end of the visible part, in frames of an animation of `length` frames.
    pub fn visible(self, length: f64) -> (f64, f64) {
        (self.start * length, (self.start + self.span) * length)
    }

    /// Returns true if the whole animation is visible.
    pub fn is_whole(self) -> bool {
        self.span >= 1.0
    }

    /// Magnifies by `factor`, keeping what is at share `at` of the visible part in place.
    pub fn magnify(&mut self, factor: f64, at: f64, length: f64) {
        if !(factor.is_finite() && factor > 0.0 && at.is_finite()) {
            return;
        }
        let fixed = self.start + at * self.span;
        let least = if length > MIN_FRAMES { MIN_FRAMES / length } else { 1.0 };
        self.span = (self.span / factor).clamp(least, 1.0);
        self.start = fixed - at * self.span;
        self.clamp();
    }

    /// Moves the visible part by a share of itself.
    pub fn pan(&mut self, by: f64) {
        if by.is_finite() {
            self.start += by * self.span;
            self.clamp();
        }
    }

    /// Moves the visible part so that it contains `position`, in frames.
    pub fn reveal(&mut self, position: f64, length: f64) {
        let share = if length > 0.0 { position / length } else { 0.0 };
        if self.is_whole() || (self.start..=self.start + self.span).contains(&share) {
            return;
        }
        self.start = share - if share < self.start { self.span } else { 0.0 } * 0.9;
        self.clamp();
    }

    fn clamp(&mut self) {
        self.start = self.start.clamp(0.0, (1.0 - self.span).max(0.0));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn magnifying_keeps_the_place_under_the_pointer() {
        let mut zoom = Zoom::default();
        zoom.magnify(4.0, 0.25, 100.0);
        assert_eq!(zoom.visible(100.0), (18.75, 43.75));
        zoom.magnify(1e9, 0.0, 100.0);
        assert_eq!(zoom.visible(100.0), (18.75, 22.75));
        zoom.magnify(f64::NAN, 0.0, 100.0);
        zoom.magnify(1e-9, 0.7, 100.0);
        assert_eq!(zoom, Zoom::default());
    }

    #[test]
    fn the_same_frames_are_visible_in_an_animation_of_another_length() {
        assert_eq!(Zoom::of((25.0, 50.0), 100.0).visible(100.0), (25.0, 50.0));
        assert_eq!(Zoom::of((10.0, 30.0), 20.0).visible(20.0), (0.0, 20.0));
        assert_eq!(Zoom::of((70.0, 90.0), 80.0).visible(80.0), (60.0, 80.0));
        for length in [0.0, -1.0, f64::NAN] {
            assert!(Zoom::of((10.0, 30.0), length).is_whole(), "{length}");
        }
        assert!(Zoom::of((10.0, f64::NAN), 80.0).is_whole());
    }

    #[test]
    fn the_visible_part_stays_within_the_animation() {
        let mut zoom = Zoom::default();
        zoom.magnify(2.0, 0.0, 100.0);
        zoom.pan(9.0);
        assert_eq!(zoom.visible(100.0), (50.0, 100.0));
        zoom.pan(-9.0);
        zoom.reveal(70.0, 100.0);
        let (start, end) = zoom.visible(100.0);
        assert!(start <= 70.0 && 70.0 <= end, "{start} {end}");
        zoom.reveal(10.0, 100.0);
        let (start, end) = zoom.visible(100.0);
        assert!(start <= 10.0 && 10.0 <= end, "{start} {end}");
        let mut short = Zoom::default();
        short.magnify(8.0, 0.5, 2.0);
        assert!(short.is_whole());
    }
}
