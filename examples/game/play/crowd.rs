//! Knights behind the hero: animators of one character.

use std::sync::Arc;

use pchr::draw::{DrawList, View};
use pchr::math::{Affine2, vec2};
use pchr::model::Tint;
use pchr::{Animator, Character};

const COUNT: u8 = 8;
/// Far away, everything is paler.
const DISTANT: Tint = Tint { light: [0.8, 0.84, 0.95, 1.0], dark: Some([0.3, 0.34, 0.45]) };

pub struct Crowd {
    pub knights: Vec<Animator>,
    pub lists: Vec<DrawList>,
}

impl Crowd {
    pub fn new(character: Character) -> pchr::Result<Self> {
        let character = Arc::new(character);
        let knight = |index: u8| {
            let mut knight = Animator::new(Arc::clone(&character));
            knight.set_interpolate(true);
            knight.play(if index % 3 == 1 { "wave" } else { "idle" })?.seek(f64::from(index) * 5.0);
            let side = if index.is_multiple_of(2) { 0.3 } else { -0.3 };
            let place = vec2(f32::from(index) * 84.0 - 290.0, 34.0);
            knight.set_placement(Affine2::from_scale_angle_translation(vec2(side, 0.3), 0.0, place));
            knight.set_whole_tint(DISTANT);
            Ok(knight)
        };
        let knights: Vec<Animator> = (0..COUNT).map(knight).collect::<pchr::Result<_>>()?;
        let lists = knights.iter().map(|_| DrawList::default()).collect();
        Ok(Self { knights, lists })
    }

    pub fn update(&mut self, secs: f64) {
        for knight in &mut self.knights {
            knight.update(secs);
        }
    }

    pub fn build(&mut self, view: &View) {
        for (knight, list) in self.knights.iter().zip(&mut self.lists) {
            knight.build_draw_list(view, list);
        }
    }
}
