//! Ten seconds of somebody who plays.

use pchr::math::vec2;

use super::Input;

/// Returns what is done in a frame, of 600.
pub fn scripted(frame: u32) -> Input {
    let walk = match frame {
        20..=160 | 200..=259 => 1.0,
        290..=330 => -1.0,
        _ => 0.0,
    };
    let along = frame as f32 / 60.0;
    let aims = matches!(frame, 120..=279 | 350..=420);
    Input {
        walk,
        jump: frame == 90 || frame == 230,
        attack: matches!(frame, 140 | 300 | 440),
        change_weapon: matches!(frame, 180 | 340),
        aim: aims.then(|| vec2(along * 60.0 - 100.0, 60.0 + (frame % 60) as f32 * 2.0)),
        throw: matches!(frame, 260 | 370 | 465),
    }
}
