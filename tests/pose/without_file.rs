//! Characters without a file.

use pchr::draw::{DrawList, Picture, Settings, View};
use pchr::math::{Affine2, Vec2, vec2};
use pchr::model::{
    Animation, Attachment, Bone, Indices, Influence, Mesh, Model, ModelBuilder, SkinNVertices, Slot, Timing,
};
use pchr::motion::{BoneOverride, Motion, Sampled};
use pchr::{Animator, Character};

/// Returns a chain of bones of 10 pixels, with a triangle on the last one, and an animation of 4 frames.
fn model() -> Model {
    let mut builder = ModelBuilder::default();
    let mut parent = None;
    for name in ["root", "middle", "tip"] {
        let bone = Bone { name: name.into(), parent, bone_from_bind: Some(Affine2::IDENTITY), ..Bone::default() };
        parent = Some(builder.bone(bone).expect("a bone"));
    }
    let tip = parent.expect("a bone");
    let mut vertices = SkinNVertices::default();
    for position in [vec2(0.0, -5.0), vec2(10.0, 0.0), vec2(0.0, 5.0)] {
        let influence = Influence { position, bone: tip.index() as u32, weight: 1.0 };
        vertices.push(Vec2::ZERO, position, &[influence]).expect("a vertex");
    }
    let indices = Indices::from_triangles(&[[0, 1, 2]]);
    let outline = indices.boundary().into();
    let mesh =
        Mesh { name: "tip".into(), page: None, vertices: vertices.into(), indices, tint: [1.0; 4], outline };
    let attachment = Some(builder.attachment(Attachment::Mesh(mesh)).expect("an attachment"));
    builder.slot(Slot { name: "tip".into(), bone: Some(tip), attachment, ..Slot::default() }).expect("a slot");
    for name in ["bend", "slide"] {
        let timing = Timing::Frames { count: 4, fps: 4.0 };
        builder.animation(Animation { name: name.into(), looping: true, timing, is_bind_pose: false });
    }
    builder.build()
}

fn rest() -> [Affine2; 3] {
    [Affine2::IDENTITY, Affine2::from_translation(vec2(10.0, 0.0)), Affine2::from_translation(vec2(10.0, 0.0))]
}

/// The middle bone turns by a tenth per frame.
fn bend() -> Vec<Affine2> {
    let frame = |index: u8| {
        let [root, middle, tip] = rest();
        [root, middle * Affine2::from_angle(f32::from(index) * 0.1), tip]
    };
    (0..4).flat_map(frame).collect()
}

/// The root moves by 5 pixels per frame.
fn slide() -> Vec<Affine2> {
    let frame = |index: u8| {
        let [_, middle, tip] = rest();
        [Affine2::from_translation(vec2(f32::from(index) * 5.0, 0.0)), middle, tip]
    };
    (0..4).flat_map(frame).collect()
}

#[test]
fn the_root_motion_of_stored_frames_is_known() {
    let model = model();
    let motion = Motion::Sampled(Sampled::from_frames(&model, &rest(), &[bend(), slide()]));
    let mut animator = Animator::new(Character::new(model, motion).expect("a character"));
    animator.set_root_motion(animator.model().skeleton().find("root"));
    animator.play("slide").expect("an animation");
    for (secs, x) in [(0.25, 5.0), (0.125, 2.5), (0.375, 7.5), (0.25, 0.0), (1.0, 15.0), (0.5, 10.0)] {
        animator.update(secs);
        assert!((animator.root_motion().x - x).abs() < 1e-4, "{} after {secs}", animator.root_motion());
        assert_eq!(animator.bone("root").expect("a bone").translation, Vec2::ZERO);
    }
    animator.play("bend").expect("an animation");
    animator.update(0.5);
    assert_eq!(animator.root_motion(), Vec2::ZERO);
}

#[test]
fn a_generated_character_plays_and_is_drawn() {
    let model = model();
    let motion = Motion::Sampled(Sampled::from_frames(&model, &rest(), &[bend(), slide()]));
    let mut animator = Animator::new(Character::new(model, motion).expect("a character"));
    let tip = |animator: &Animator| animator.bone("tip").expect("a bone");
    assert!(tip(&animator).abs_diff_eq(Affine2::from_translation(vec2(20.0, 0.0)), 1e-5));
    animator.play("bend").expect("an animation");
    animator.update(0.5);
    let expected = Affine2::from_translation(vec2(10.0, 0.0)) * Affine2::from_angle(0.2) * rest()[2];
    assert!(tip(&animator).abs_diff_eq(expected, 1e-4), "{:?} instead of {expected:?}", tip(&animator));
    // It is posed by the program as well.
    animator.stop();
    let middle = animator.model().skeleton().find("middle").expect("a bone");
    animator.override_bone(BoneOverride { rotation_radians: Some(1.0), ..BoneOverride::new(middle) });
    animator.refresh();
    let expected = Affine2::from_translation(vec2(10.0, 0.0)) * Affine2::from_angle(1.0) * rest()[2];
    assert!(tip(&animator).abs_diff_eq(expected, 1e-4));
    let (view, mut list, mut picture) =
        (View::fit(32, 32, animator.bounds()), DrawList::default(), Picture::default());
    animator.build_draw_list(&view, &mut list);
    let mut renderer = pchr::cpu::Renderer::new(animator.model());
    renderer.render(animator.model(), &list, &view, Settings::default(), &mut picture);
    assert!(picture.pixels().chunks_exact(4).any(|pixel| pixel[3] == 255));
}

#[test]
fn a_motion_of_another_model_is_an_error() {
    let failure = |rest: &[Affine2], animations: &[Vec<Affine2>]| {
        let model = model();
        let motion = Motion::Sampled(Sampled::from_frames(&model, rest, animations));
        Character::new(model, motion).map(|_| ()).map_err(|error| error.to_string())
    };
    assert_eq!(failure(&rest(), &[bend(), slide()]), Ok(()));
    let error = |message: &str| Err(message.to_owned());
    assert_eq!(failure(&rest()[..2], &[bend(), slide()]), error("the motion has 2 bones, the model has 3"));
    assert_eq!(
        failure(&[Affine2::IDENTITY; 4], &[bend(), slide()]),
        error("the motion has 4 bones, the model has 3")
    );
    assert_eq!(failure(&rest(), &[]), error("the motion has 0 animations, the model has 2"));
    let few = "the animation `bend` has 11 stored bones, 4 stored frames of 3 bones needed";
    assert_eq!(failure(&rest(), &[bend()[1..].to_vec(), slide()]), error(few));
    let mut odd = bend();
    odd[5] = Affine2::from_translation(vec2(f32::NAN, 0.0));
    assert_eq!(
        failure(&rest(), &[odd, slide()]),
        error("the animation `bend` has a number that is infinite or NaN")
    );
    let motions = [
        ("assets/paper-lamp.json", "the motion has 7 bones, the model has 3"),
        ("assets/paper-knight.pchr", "the model has 3"),
    ];
    for (asset, message) in motions {
        let path = format!("{}/{asset}", env!("CARGO_MANIFEST_DIR"));
        let character = Character::open(path).expect("an asset");
        let error = Character::new(model(), character.motion().clone()).expect_err("of another model").to_string();
        assert!(error.contains(message), "{error}");
        // With its own model it fits.
        let (model, motion) = (character.model().clone(), character.motion().clone());
        Character::new(model, motion).expect("the same character");
    }
}
