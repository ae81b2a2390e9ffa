//! The height of the dopesheet or the curves with the ruler: all rows, up to the height that the user wants.

/// Height in points until the user drags the edge: at least this much, a share of the room, and at most a larger share.
const DEFAULT: f32 = 250.0;
const SHARE: f32 = 0.5;
const LARGEST_SHARE: f32 = 0.75;
/// Minimum height in points, unless all rows are visible in less.
const MIN: f32 = 170.0;

/// The height, in points.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StripHeight {
    /// The height to which the user has dragged the edge.
    wanted: Option<f32>,
    /// Where all rows are visible.
    whole: f32,
    /// The height at which the user has begun to drag.
    from: Option<f32>,
    /// The height of the last frame, and the largest that was possible.
    shown: f32,
    room: f32,
}

impl Default for StripHeight {
    fn default() -> Self {
        Self { wanted: None, from: None, whole: f32::INFINITY, shown: DEFAULT, room: f32::INFINITY }
    }
}

impl StripHeight {
    /// Returns the height for a frame in which at most `room` points are free.
    pub fn within(&mut self, room: f32) -> f32 {
        self.room = room;
        self.shown = self.possible();
        self.shown
    }

    fn possible(&self) -> f32 {
        self.wanted.unwrap_or(self.usual()).min(self.whole).min(self.room)
    }

    fn usual(&self) -> f32 {
        let share = if self.room.is_finite() { SHARE * self.room } else { 0.0 };
        DEFAULT.max(share).min((LARGEST_SHARE * self.room).max(MIN))
    }

    /// Reports that the rows need `needed` points and got `given`. Returns true if the height changes.
    pub fn fit(&mut self, needed: f32, given: f32) -> bool {
        self.whole = self.shown + needed - given;
        (self.possible() - self.shown).abs() > 0.5
    }

    /// Makes the height `points` larger than when the drag began, as far as possible. More than all rows need is not
    /// kept.
    pub fn drag_by(&mut self, points: f32) {
        let height = *self.from.get_or_insert(self.shown) + points;
        if height >= self.whole {
            self.wanted = Some(self.whole).filter(|whole| *whole > self.usual());
        } else if height.is_finite() && height != self.shown {
            self.wanted = Some(height.min(self.room).max(MIN));
        }
    }

    /// Ends the drag.
    pub fn release(&mut self) {
        self.from = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_few_rows_need_little_and_many_keep_the_height_of_the_user() {
        let mut height = StripHeight::default();
        assert_eq!((height.within(400.0), height.within(600.0)), (DEFAULT, 300.0));
        assert!(height.fit(46.0, 146.0));
        assert_eq!(height.within(600.0), 200.0);
        assert!(!height.fit(46.0, 46.0));
        let drag = |height: &mut StripHeight, points: f32| {
            height.drag_by(points);
            height.release();
        };
        drag(&mut height, 150.0);
        assert!(height.fit(900.0, 46.0), "another animation");
        assert_eq!(height.within(600.0), 300.0, "there was nothing more to show");
        drag(&mut height, 150.0);
        assert_eq!((height.within(600.0), height.within(300.0)), (450.0, 300.0));
        drag(&mut height, f32::NAN);
        drag(&mut height, -500.0);
        assert_eq!(height.within(600.0), MIN);
        // A fast drag beyond all rows ends where all are visible.
        height.fit(400.0, 70.0);
        drag(&mut height, 4000.0);
        assert_eq!(height.within(600.0), 500.0);
    }
}
