//! NaN, infinite and huge numbers, wherever a caller can pass them.

use std::time::{Duration, Instant};

use pchr::Animator;
use pchr::math::vec2;
use pchr::model::{
    AlphaSource, Animation, AtlasPage, Attachment, Bone, FrameTimes, ModelBuilder, Order, Path, SkinNVertices,
    Strip, Timing,
};
use pchr::motion::{
    BoneOverride, BonePlace, Cue, Dynamics, Fade, Layer, Mix, Position, Span, evaluate, for_each_event,
};
use pchr::player::LoopMode;
use pchr::pose::Pose;

use super::{large, of_every_motion, small};

const ODD: [f64; 12] = [
    f64::NAN,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::MAX,
    f64::MIN,
    1e300,
    -1e18,
    1e-300,
    -1e-300,
    f64::MIN_POSITIVE,
    0.0,
    -0.0,
];

/// Maximum time for all odd values together.
const PATIENCE: Duration = Duration::from_secs(if cfg!(debug_assertions) { 60 } else { 10 });

#[test]
fn arbitrary_positions_are_evaluated() {
    let start = Instant::now();
    for (name, character) in of_every_motion() {
        let model = character.model();
        let animation = model.default_animation();
        let (mut pose, mut dynamics) = (Pose::default(), Dynamics::default());
        let seconds = ODD.into_iter().map(Position::Seconds);
        let frames = ODD
            .into_iter()
            .flat_map(|odd| [0, 1, u32::MAX].map(|frame| Position::Frame { frame, fraction: odd as f32 }));
        for position in seconds.chain(frames) {
            for (interpolate, hold) in [(false, false), (true, false), (true, true)] {
                let cue = Cue { animation, position, interpolate, hold, ..Cue::default() };
                evaluate(&character, &cue, &mut pose);
                let is_finite = pose.world_from_bone.iter().all(|bone| bone.is_finite());
                assert!(is_finite, "{name} at {position:?}");
                dynamics.replay(&character, &cue, &mut pose);
            }
        }
        for odd in ODD {
            dynamics.set_smoothing(odd);
            dynamics.settle(&character, &Cue { animation, ..Cue::default() }, &mut pose);
            for to in ODD {
                let Some(animation) = animation else { continue };
                for looping in [false, true] {
                    for_each_event(&character, animation, Span { from: odd, to, looping }, |_| {});
                }
            }
        }
    }
    assert!(start.elapsed() < PATIENCE, "it took {:?}", start.elapsed());
}

#[test]
fn non_finite_weights_leave_no_trace() {
    for (name, character) in of_every_motion() {
        let Some(animation) = character.model().default_animation() else { continue };
        let mut dynamics = Dynamics::default();
        dynamics.set_smoothing(2.0);
        let mut pose = Pose::default();
        for odd in ODD {
            for mix in [Mix::Setup, Mix::First, Mix::Replace, Mix::Add, Mix::Fade] {
                let [share, attachments_until, draw_order_until] = [odd; 3];
                let fade = Fade { share, attachments_until, draw_order_until, ..Fade::default() };
                let layer = Layer { alpha: odd, mix, fade, ..Layer::new(animation, Position::Seconds(0.1)) };
                let cue = Cue { layers: vec![layer; 2], ..Cue::default() };
                evaluate(&character, &cue, &mut pose);
                dynamics.step(&character, &cue, &mut pose);
            }
        }
        // Values that are not finite leave no trace.
        let layer = Layer { alpha: f64::NAN, mix: Mix::Add, ..Layer::new(animation, Position::Seconds(0.1)) };
        let odd = Cue { layers: vec![layer], ..Cue::default() };
        let mut dynamics = Dynamics::default();
        dynamics.set_smoothing(2.0);
        (0..3).for_each(|_| dynamics.step(&character, &odd, &mut pose));
        assert!(pose.world_from_bone.iter().all(|bone| bone.is_finite()), "{name}");
    }
}

#[test]
fn arbitrary_overrides_are_evaluated() {
    for (_, character) in of_every_motion() {
        let count = character.model().skeleton().authored_bones().len();
        let bones: Vec<_> = (0..count).filter_map(super::ids_of_bones).collect();
        for odd in ODD.map(|odd| odd as f32) {
            let put = |position| {
                let of = |&bone: &_| BoneOverride {
                    position: Some(position),
                    rotation_radians: Some(odd),
                    scale: Some(vec2(odd, 1.0)),
                    ..BoneOverride::new(bone)
                };
                bones.iter().map(of).collect()
            };
            for overrides in [put(BonePlace::Local(vec2(odd, odd))), put(BonePlace::World(vec2(odd, 1.0)))] {
                evaluate(&character, &Cue { bones: overrides, ..Cue::default() }, &mut Pose::default());
            }
        }
    }
}

#[test]
fn an_animator_accepts_any_number_and_stays_in_range() {
    let start = Instant::now();
    for (name, character) in of_every_motion() {
        for mode in LoopMode::ALL {
            for speed in ODD {
                for physics in [false, true] {
                    let mut animator = Animator::new(character.clone());
                    animator.set_physics(physics);
                    animator.set_loop_mode(mode);
                    animator.show(character.model().default_animation());
                    animator.set_speed(speed);
                    for odd in ODD {
                        animator.advance(odd);
                        animator.advance(0.01);
                        animator.seek(odd);
                        if let Some(playback) = animator.playback_mut(0) {
                            playback.set_speed(odd).set_fade(odd).step(i64::MIN).step(i64::MAX).seek_secs(odd);
                        }
                        animator.seek(1.0);
                        animator.update(odd);
                        let (what, playback) =
                            (format!("{name}, {mode:?}, speed {speed}, {odd}"), animator.playback(0));
                        assert!(playback.position().is_finite() && playback.seconds().is_finite(), "{what}");
                        assert!(playback.frame() < playback.frame_count().max(1), "{what}");
                        assert!((0.0..=1.0).contains(&playback.mix()), "{what}");
                        _ = (animator.secs_to_next_change(), playback.position_at(odd));
                    }
                }
            }
        }
    }
    assert!(start.elapsed() < PATIENCE, "it took {:?}", start.elapsed());
}

#[test]
fn tracks_accept_any_number() {
    for fade in ODD {
        for odd in ODD {
            let mut animator = Animator::new(large());
            animator.set_fade_secs(fade);
            for (at, id) in animator.character().clone().model().animation_ids().take(6).enumerate() {
                animator.play_on(at % 2, id).expect("an animation").set_speed(odd);
                animator.queue_on(at % 2, id, odd).expect("an animation");
                animator.update(odd);
                animator.fade_out(at % 2, odd);
                animator.update(0.1);
            }
        }
    }
}

#[test]
fn arbitrary_timings_are_resolved() {
    let starts = [0.0, 10.0, 25.0].into();
    let times = FrameTimes::new(starts, Strip::new(0, 2, Order::PingPong)).expect("they are valid");
    for fps in ODD {
        let keys = ODD.map(|secs| Timing::Keys { secs, fps });
        for count in [0, 1, 3, u32::MAX] {
            let timed = Timing::TimedFrames { count, times: times.clone() };
            for timing in [Timing::Frames { count, fps }, timed].into_iter().chain(keys.clone()) {
                for looping in [true, false] {
                    let animation = Animation { timing: timing.clone(), looping, ..Animation::default() };
                    for seconds in ODD {
                        _ = Position::Seconds(seconds).resolve(&animation);
                        _ = (animation.seconds_at(seconds), animation.position_at(seconds));
                    }
                    _ = (animation.duration_secs(), animation.steps());
                }
            }
        }
    }
}

#[test]
fn empty_parts_of_a_model_have_no_length() {
    let mut vertices = SkinNVertices::default();
    for count in 0..7 {
        for closed in [false, true] {
            let lengths = Box::default();
            let path =
                Path { name: "".into(), vertices: vertices.clone(), closed, constant_speed: false, lengths };
            let knots: usize = count / 3;
            assert_eq!(path.curve_count(), if closed { knots } else { knots.saturating_sub(1) });
        }
        vertices.push(vec2(0.0, 0.0), vec2(1.0, 1.0), &[]).expect("it is finite");
    }
    for count in [0, 1, u32::MAX] {
        for first in [0, u32::MAX] {
            for order in [Order::Forward, Order::Reverse, Order::PingPong, Order::PingPongReverse] {
                let strip = Strip::new(first, count, order);
                _ = (strip.entry(0), strip.entry(u64::MAX), strip.period(), strip.steps_of_passes(u64::MAX));
            }
        }
    }
}

#[test]
fn a_model_refuses_parts_of_another() {
    let large = large();
    let mut builder = ModelBuilder::default();
    let bone = Bone::default();
    builder.bone(bone).expect("a root");
    let picture = large.model().pages()[0].clone();
    builder.page(picture).expect("it is complete");
    // Four-influence vertices cannot be made here, but can be taken from a character with a larger skeleton.
    let mesh = large.model().attachments()[39].clone();
    let refused = builder.attachment(mesh).expect_err("it hangs on bone 39");
    assert_eq!(refused.to_string(), "bone 39 does not exist, there are 1");
    let Attachment::Mesh(mesh) = small().model().attachments()[0].clone() else { panic!("a mesh") };
    let refused = builder.attachment(Attachment::Mesh(mesh)).expect_err("it hangs on bone 1");
    assert_eq!(refused.code(), "dangling-id");
}

#[test]
fn pages_with_the_wrong_number_of_pixels_are_refused() {
    for (width, height, bytes) in
        [(u32::MAX, u32::MAX, 4), (1 << 31, 1 << 31, 0), (0, 5, 0), (5, 0, 0), (2, 2, 15), (2, 2, 17)]
    {
        let page = AtlasPage {
            name: "page".into(),
            width,
            height,
            pixels: vec![0; bytes].into(),
            is_premultiplied: false,
            alpha_source: AlphaSource::Stated,
        };
        let refused = ModelBuilder::default().page(page).expect_err("it is incomplete");
        assert_eq!(refused.code(), "page-size", "{width}×{height} in {bytes} bytes");
    }
}
