//! Curves whose handles lie before their key, after the next one or in reverse order: the value jumps, and the
//! conversion to a version with one curve for all values plays the same jumps.

use crate::common::converted::{converted, main_file, options};
use bytes::Bytes;
use pchr::Character;
use pchr::diagnostics::Diagnostics;
use pchr::formats::{Input, NO_SIDECARS, ReadOptions};
use pchr::limits::Limits;
use pchr::motion::{Cue, Position, evaluate};
use pchr::pose::Pose;

/// Times of the handles of a curve from 0.5 s to 1.5 s.
const HANDLES: [[f32; 2]; 8] =
    [[0.75, 1.25], [-0.9, 1.2], [-3.0, -2.0], [0.6, 4.0], [3.0, 4.0], [3.0, -2.0], [-2.0, 3.0], [2.2, 0.1]];

/// Poses per second, at which no jump lies exactly.
const RATE: f64 = 1013.0;

/// How far a bone may be off, in units.
const CLOSE: f32 = 0.01;

fn read(bytes: Bytes) -> Character {
    let input = Input { bytes, sidecars: NO_SIDECARS };
    pchr::formats::from_input(&input, &ReadOptions::default(), &mut Diagnostics::default()).expect("a skeleton")
}

/// A skeleton whose bones follow curves with these handles on different axes.
fn rig([first, second]: [f32; 2]) -> Bytes {
    let curve = |y1: f32, y2: f32| format!("[{first}, {y1}, {second}, {y2}]");
    let keys = |values: [f32; 3], curve: String| {
        let [a, b, c] = values;
        format!(
            r#"[{{"value": {a}}}, {{"time": 0.5, "value": {b}, "curve": {curve}}}, {{"time": 1.5, "value": {c}}}, {{"time": 2}}]"#
        )
    };
    let x = keys([10.0, 40.0, -30.0], curve(60.0, -90.0));
    let y = keys([5.0, 0.0, 25.0], "[0.7, 3, 1.1, 20]".to_owned());
    let small = keys([10.0, 20.0, 100.0], curve(50.0, 0.0));
    let large = keys([0.0, 0.0, 900.0], curve(100.0, 800.0));
    format!(
        r#"{{"skeleton": {{"spine": "4.2.43"}},
        "bones": [{{"name": "root"}}, {{"name": "axes", "parent": "root"}}, {{"name": "small", "parent": "axes"}},
        {{"name": "large", "parent": "root"}}, {{"name": "both", "parent": "large", "x": 30}}],
        "animations": {{"move": {{"bones": {{"axes": {{"translatex": {x}, "translatey": {y}}},
        "small": {{"rotate": {small}}}, "large": {{"rotate": {large}}},
        "both": {{"translate": [{{"x": 7}}, {{"time": 0.5, "x": 3, "y": 9,
        "curve": [{first}, 8, {second}, -4, 0.8, 9, 1.3, 1]}}, {{"time": 1.5, "x": -8, "y": 1}}]}}}}}}}}}}"#
    )
    .into()
}

/// The largest distance of a bone from its place in `source`, in any pose of the animation.
fn deviation(source: &Character, back: &Character) -> (f32, String) {
    let [mut expected, mut found] = [source, back].map(|it| Pose::for_model(it.model()));
    let animation = source.model().animation_ids().next();
    let bones = source.model().skeleton().bones();
    let mut worst = (0.0, String::new());
    for frame in 0..(2.0 * RATE) as u32 {
        let position = Position::Seconds(f64::from(frame) / RATE);
        let cue = Cue { animation, position, hold: true, ..Cue::default() };
        evaluate(source, &cue, &mut expected);
        evaluate(back, &cue, &mut found);
        for (index, bone) in bones.iter().enumerate() {
            let [a, b] = [&expected, &found].map(|pose| pose.world_from_bone[index]);
            let tip = |matrix: pchr::math::Affine2| matrix.translation + matrix.matrix2.x_axis * 10.0;
            let off = a.translation.distance(b.translation).max(tip(a).distance(tip(b)));
            if off > worst.0 {
                worst = (off, format!("bone `{}` at {:.4} s", bone.name, f64::from(frame) / RATE));
            }
        }
    }
    worst
}

#[test]
fn handles_outside_of_their_keys_are_played_as_before() {
    let limits = Limits::default();
    for handles in HANDLES {
        let bytes = rig(handles);
        let source = read(bytes.clone());
        for target in ["spine38", "skel38", "spine40", "spine41"] {
            let written = converted(&bytes, &options(target, &limits)).expect("a form for all");
            assert!(written.losses.is_empty(), "{handles:?} to {target}: {:?}", written.losses);
            let back = read(main_file(&written));
            let (off, place) = deviation(&source, &back);
            assert!(off <= CLOSE, "{handles:?} to {target}: {place} is off by {off} units");
        }
    }
}
