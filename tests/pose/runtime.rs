//! What a game changes in a character while it plays.

use std::collections::BTreeSet;
use std::f32::consts::FRAC_PI_2;

use pchr::Animator;
use pchr::cpu::Renderer;
use pchr::draw::{DrawList, Picture, Settings, View};
use pchr::math::{Affine2, Vec2, vec2};
use pchr::model::{AlphaSource, AtlasPage, Constraint, ConstraintId, ConstraintKind, ModelBuilder, SlotId, Tint};
use pchr::motion::{
    BoneOverride, ConstraintOverride, ConstraintSettings, DrawPlace, Forces, Lifetime, SlotOverride,
    constraint_settings,
};
use pchr::player::EventKind;
use pchr::pose::SlotPose;

use crate::common::doll::doll;
use crate::common::memory::allocations;

const FRAME: f64 = 1.0 / 60.0;
const RED: Tint = Tint { light: [1.0, 0.0, 0.0, 1.0], dark: None };
const LIFETIMES: [Lifetime; 3] = [Lifetime::UntilKeyed, Lifetime::Always, Lifetime::ThisFrame];

fn animator() -> Animator {
    Animator::new(doll())
}

fn slot(animator: &Animator, name: &str) -> SlotId {
    animator.model().find_slot(name).expect("a slot")
}

fn state(animator: &Animator, name: &str) -> SlotPose {
    animator.pose().slots[slot(animator, name).index()]
}

/// Returns the name of what a slot shows.
fn shown<'a>(animator: &'a Animator, name: &str) -> &'a str {
    state(animator, name).attachment.map_or("", |id| animator.model().attachment(id).name())
}

/// Returns the names of the drawn slots, back to front.
fn order(animator: &Animator) -> Vec<&str> {
    animator.pose().draw_order.iter().map(|id| &*animator.model().slot(*id).name).collect()
}

fn at(animator: &Animator, bone: &str) -> Vec2 {
    animator.bone(bone).expect("a bone").translation
}

/// Returns the id of a constraint of a character that has more of them than the characters here.
pub(crate) fn foreign_constraint() -> ConstraintId {
    let mut builder = ModelBuilder::default();
    for _ in 0..20 {
        let (name, kind, bones) = ("other".into(), ConstraintKind::Ik, Vec::new());
        builder
            .constraint(Constraint { name, kind, bones, target: None, needs_skin: false })
            .expect("a constraint");
    }
    builder.build().constraint_ids().last().expect("an id")
}

#[track_caller]
fn assert_near(found: Vec2, expected: Vec2) {
    assert!(found.distance(expected) < 2e-3, "found {found}, expected {expected}");
}

/// Draws lists over each other on the CPU.
fn picture(animator: &Animator, lists: &[&DrawList], view: &View) -> Picture {
    let mut renderer = Renderer::new(animator.model());
    let mut sum = Picture::default();
    for (index, list) in lists.iter().enumerate() {
        let mut layer = Picture::default();
        renderer.render(animator.model(), list, view, Settings::default(), &mut layer);
        if index == 0 {
            sum = layer;
        } else {
            let pairs = sum.pixels_mut().chunks_exact_mut(4).zip(layer.pixels().chunks_exact(4));
            pairs.filter(|(_, top)| top[3] != 0).for_each(|(below, top)| below.copy_from_slice(top));
        }
    }
    sum
}

fn view() -> View {
    View::new(200, 120, vec2(-60.0, 70.0), 1.0)
}

/// Draws the character on the CPU.
fn whole(animator: &Animator) -> Picture {
    let mut list = DrawList::default();
    animator.build_draw_list(&view(), &mut list);
    picture(animator, &[&list], &view())
}

#[test]
fn changes_of_slots_last_as_long_as_they_say() {
    for lifetime in LIFETIMES {
        let mut doll = animator();
        let axe = doll.attachment("weapon", "axe").expect("an axe");
        let [weapon, body] = ["weapon", "body"].map(|name| slot(&doll, name));
        doll.play("stand").expect("an animation");
        doll.update(FRAME);
        let before = order(&doll).join(" ");
        doll.override_slot(SlotOverride { lifetime, ..SlotOverride::showing(weapon, axe) });
        doll.override_slot(SlotOverride { lifetime, ..SlotOverride::tinted(weapon, RED) });
        let order_change =
            SlotOverride { order: Some(DrawPlace::Behind(body)), lifetime, ..SlotOverride::new(weapon) };
        doll.override_slot(order_change);
        doll.update(FRAME);
        assert_eq!((shown(&doll, "weapon"), state(&doll, "weapon").tint), ("axe", RED), "{lifetime:?}");
        assert_eq!(order(&doll)[..2], ["weapon", "body"]);
        doll.update(FRAME);
        let lasts = lifetime != Lifetime::ThisFrame;
        assert_eq!(shown(&doll, "weapon"), if lasts { "axe" } else { "sword" }, "{lifetime:?}");
        assert_eq!(state(&doll, "weapon").tint, if lasts { RED } else { Tint::NONE });
        assert_eq!(order(&doll).join(" ") == before, !lasts);
        // The animation keys the attachment and the tint of the weapon, and the draw order.
        doll.play("swing").expect("an animation");
        doll.update(0.5);
        doll.update(0.1);
        let is_always = lifetime == Lifetime::Always;
        assert_eq!(doll.slot_overrides().len(), usize::from(is_always), "{lifetime:?}");
        assert_eq!(order(&doll)[0], "weapon", "{lifetime:?}");
        assert_eq!(shown(&doll, "weapon"), "axe");
        doll.release_slots();
        doll.show(None);
        doll.refresh();
        assert_eq!(shown(&doll, "weapon"), "sword", "{lifetime:?}");
        assert_eq!(order(&doll).join(" "), before, "{lifetime:?}");
    }
}

#[test]
fn the_shorter_lifetime_wins() {
    let mut doll = animator();
    let weapon = slot(&doll, "weapon");
    let tinted = |alpha: f32, lifetime| {
        let tint = Tint { light: [1.0, 1.0, 1.0, alpha], dark: None };
        SlotOverride { lifetime, ..SlotOverride::tinted(weapon, tint) }
    };
    for (alpha, lifetime) in [(0.75, Lifetime::ThisFrame), (0.5, Lifetime::Always), (0.25, Lifetime::UntilKeyed)] {
        doll.override_slot(tinted(alpha, lifetime));
    }
    doll.refresh();
    assert_eq!(state(&doll, "weapon").tint.light[3], 0.75);
    // A pose that lasts for one frame is replaced even if the animator is paused.
    doll.set_playing(false);
    doll.update(FRAME);
    assert_eq!(state(&doll, "weapon").tint.light[3], 0.5);
    doll.release_slot("weapon").expect("a slot");
    doll.refresh();
    assert_eq!(state(&doll, "weapon").tint, Tint::NONE);
}

#[test]
fn bones_keep_changes_until_they_are_keyed() {
    let mut doll = animator();
    let find = |name: &str| doll.model().skeleton().find(name).expect("a bone");
    let [lower, other] = [find("lower"), find("other")];
    let until = |change: BoneOverride| BoneOverride { lifetime: Lifetime::UntilKeyed, ..change };
    doll.override_bone(until(BoneOverride {
        rotation_radians: Some(1.0),
        scale: Some(Vec2::ONE),
        ..BoneOverride::new(lower)
    }));
    doll.override_bone(until(BoneOverride::at(other, vec2(7.0, 8.0))));
    doll.play("stand").expect("an animation");
    doll.update(FRAME);
    assert_eq!(doll.bone_overrides().len(), 2);
    doll.play("swing").expect("an animation");
    doll.update(FRAME);
    assert_near(at(&doll, "other"), vec2(7.0, 8.0));
    let left: Vec<_> = doll.bone_overrides().iter().filter(|put| put.bone == lower).collect();
    assert_eq!((left[0].rotation_radians, left[0].scale), (None, Some(Vec2::ONE)), "only the rotation is keyed");
    // Stored frames key every bone.
    let knight = format!("{}/assets/paper-knight.pchr", env!("CARGO_MANIFEST_DIR"));
    let mut knight = Animator::open(knight).expect("a knight");
    let head = knight.model().skeleton().find("head").expect("a head");
    knight.override_bone(until(BoneOverride::at(head, vec2(7.0, 8.0))));
    knight.refresh();
    assert_near(at(&knight, "head"), vec2(7.0, 8.0));
    knight.play("walk").expect("an animation");
    knight.update(FRAME);
    assert!(knight.bone_overrides().is_empty() && at(&knight, "head").distance(vec2(7.0, 8.0)) > 1.0);
}

#[test]
fn a_placed_bone_stays_where_it_is_put_and_its_descendants_follow() {
    let mut doll = animator();
    doll.update(FRAME);
    let [upper, lower] = ["upper", "lower"].map(|name| doll.bone(name).expect("a bone"));
    let tip = doll.bone("tip").expect("a bone");
    // Inverse kinematics bends the arm; the ragdoll wins.
    let ragdoll = Affine2::from_angle_translation(FRAC_PI_2, vec2(-5.0, 33.0));
    let bone = doll.model().skeleton().find("lower").expect("a bone");
    doll.override_bone(BoneOverride::placed(bone, ragdoll));
    doll.update(FRAME);
    assert_eq!(doll.bone("lower").expect("a bone"), ragdoll);
    assert_eq!(doll.bone("upper").expect("a bone"), upper, "its parent does not move");
    assert_near(at(&doll, "tip"), ragdoll.transform_point2(lower.inverse().transform_point2(tip.translation)));
    // In the world, also if the character stands elsewhere.
    doll.set_placement(Affine2::from_scale_angle_translation(vec2(-2.0, 2.0), 0.3, vec2(500.0, 20.0)));
    doll.update(FRAME);
    assert_near(at(&doll, "lower"), ragdoll.translation);
    assert_near(doll.bone("lower").expect("a bone").matrix2.x_axis, ragdoll.matrix2.x_axis);
    doll.release_bone("lower").expect("a bone");
    doll.set_placement(Affine2::IDENTITY);
    doll.update(FRAME);
    assert_eq!(doll.bone("tip").expect("a bone"), tip);
}

#[test]
fn a_character_stands_anywhere_and_takes_everything_in_the_world() {
    let placement = Affine2::from_scale_angle_translation(vec2(-1.5, 1.5), 0.25, vec2(40.0, -30.0));
    let mut doll = animator();
    doll.update(FRAME);
    let plain = doll.clone();
    doll.set_placement(placement);
    doll.update(0.0);
    for bone in ["hip", "tip", "flag"] {
        assert_near(at(&doll, bone), placement.transform_point2(at(&plain, bone)));
    }
    let centre = placement.transform_point2(vec2(0.0, 10.0));
    assert_eq!(doll.hit(centre), Some(slot(&doll, "body")));
    assert_eq!(doll.hit_bounding_box(centre), Some(slot(&doll, "box")));
    let muzzle = doll.point("muzzle").expect("a slot").expect("a point");
    let expected = plain.point("muzzle").expect("a slot").expect("a point");
    assert_near(muzzle.position, placement.transform_point2(expected.position));
    // The arm reaches a target in the world.
    let target = placement.transform_point2(vec2(20.0, 60.0));
    doll.move_bone("goal", target).expect("a bone");
    doll.update(FRAME);
    assert_near(at(&doll, "tip"), target);
    // A flat or broken placement does no harm.
    doll.set_placement(Affine2::from_scale(vec2(0.0, 1.0)));
    doll.update(FRAME);
    assert!(doll.pose().world_from_bone.iter().all(|bone| bone.is_finite()));
    doll.set_placement(Affine2::from_translation(Vec2::NAN));
    assert_eq!(doll.placement(), Affine2::from_scale(vec2(0.0, 1.0)));
}

#[test]
fn extreme_numbers_do_no_harm() {
    let lower = animator().model().skeleton().find("lower").expect("a bone");
    for odd in [0.0, -0.0, 1e-38, 1e38, -1e38, f32::MAX, f32::INFINITY, f32::NAN] {
        let mut doll = animator();
        let places = [Affine2::from_scale(vec2(odd, 1.0)), Affine2::from_translation(vec2(1.0, odd))];
        for place in places {
            doll.set_placement(place);
            doll.move_bone("goal", vec2(odd, 3.0)).expect("a bone");
            doll.override_bone(BoneOverride::placed(lower, place));
            doll.move_physics(vec2(odd, 0.0), vec2(0.0, odd), odd);
            doll.set_forces(Forces { wind: vec2(odd, odd), gravity: vec2(odd, 1.0), mix: odd });
            doll.set_constraint("wave", "damping", odd).expect("a setting");
            doll.set_whole_tint(Tint { light: [odd; 4], dark: Some([odd; 3]) });
            for _ in 0..3 {
                doll.update(FRAME);
                whole(&doll);
            }
            doll.hit(vec2(1.0, 2.0));
            doll.teleport(Affine2::IDENTITY);
            doll.update(0.25);
        }
        // It recovers.
        doll.release_bones();
        doll.release_constraint("wave").expect("a constraint");
        doll.set_forces(Forces::default());
        doll.restart_physics();
        doll.update(FRAME);
        let (found, plain) = (doll, {
            let mut plain = animator();
            plain.update(FRAME);
            plain
        });
        assert_near(at(&found, "tip"), at(&plain, "tip"));
    }
}

#[test]
fn the_whole_is_tinted_after_its_slots() {
    let mut doll = animator();
    let body = slot(&doll, "body");
    doll.override_slot(SlotOverride::tinted(body, Tint { light: [0.5, 1.0, 1.0, 0.5], dark: None }));
    doll.set_whole_tint(Tint { light: [1.0, 0.5, 0.0, 0.5], dark: Some([0.25, 0.0, 0.0]) });
    doll.refresh();
    let mut list = DrawList::default();
    doll.build_draw_list(&view(), &mut list);
    let sprites = list.commands.iter().filter_map(|command| match command {
        pchr::draw::Command::Sprite(sprite) => Some(sprite.color),
        _ => None,
    });
    let colors: Vec<_> = sprites.collect();
    // Half red becomes 0.5 · 1 + 0.5 · 0.25; everything is multiplied by an alpha of a quarter.
    assert_eq!(colors[0].light, [0.625 * 0.25, 0.5 * 0.25, 0.0, 0.25]);
    assert_eq!(colors[0].dark, [0.25 * 0.25, 0.0, 0.0]);
    assert_eq!(colors[1].light, [0.5, 0.25, 0.0, 0.5]);
    let pixel = |doll: &Animator| {
        let picture = whole(doll);
        let at = (60 * 200 + 60) * 4;
        <[u8; 4]>::try_from(&picture.pixels()[at..at + 4]).expect("a pixel")
    };
    assert_eq!(pixel(&doll)[3], 64);
    doll.set_whole_tint(Tint { light: [1.0, 1.0, 1.0, 0.0], dark: None });
    assert_eq!(pixel(&doll), [0; 4], "it has faded out");
}

#[test]
fn a_picture_is_added_while_it_plays() {
    let mut doll = animator();
    doll.play("stand").expect("an animation");
    doll.update(0.25);
    let pose = doll.pose().clone();
    let page = |pixels: usize| AtlasPage {
        name: "club".into(),
        width: 10,
        height: 6,
        pixels: [0, 255, 0, 255].repeat(pixels).into(),
        is_premultiplied: false,
        alpha_source: AlphaSource::Stated,
    };
    let place = Affine2::from_translation(vec2(5.0, 0.0));
    assert!(doll.add_picture("weapon", "club", page(59), place).is_err());
    assert!(doll.add_picture("weapon", "axe", page(60), place).is_err(), "the name is taken");
    let club = doll.add_picture("weapon", "club", page(60), place).expect("a picture");
    doll.refresh();
    assert!(*doll.pose() == pose, "playback goes on");
    doll.set_attachment("weapon", Some("club")).expect("an attachment");
    doll.update(0.0);
    assert_eq!(state(&doll, "weapon").attachment, Some(club));
    let tip = doll.bone("tip").expect("a bone");
    let bounds = doll.slot_bounds("weapon").expect("a slot");
    let corners = [vec2(0.0, 3.0), vec2(10.0, 3.0), vec2(10.0, -3.0), vec2(0.0, -3.0)];
    for corner in corners.map(|corner| tip.transform_point2(corner)) {
        assert!(corner.distance(corner.clamp(bounds.min, bounds.max)) < 1e-3, "{corner} in {bounds:?}");
    }
    let green = whole(&doll).pixels().chunks_exact(4).filter(|pixel| **pixel == [0, 255, 0, 255]).count();
    assert!((50..70).contains(&green), "{green} pixels of the club");
    // All animations still play.
    for name in ["swing", "walk"] {
        doll.play(name).expect("an animation");
        (0..90).for_each(|_| _ = doll.update(FRAME).count());
        assert_eq!(state(&doll, "weapon").attachment, Some(club));
    }
}

#[test]
fn something_is_drawn_between_the_parts_of_a_character() {
    let mut doll = animator();
    doll.set_attachment("mask", Some("mask")).expect("a mask");
    let [mask, body] = ["mask", "body"].map(|name| slot(&doll, name));
    doll.override_slot(SlotOverride { order: Some(DrawPlace::Behind(body)), ..SlotOverride::new(mask) });
    doll.refresh();
    assert_eq!(order(&doll)[..2], ["mask", "body"]);
    let (view, whole) = (view(), whole(&doll));
    let (mut behind, mut front) = (DrawList::default(), DrawList::default());
    for name in ["mask", "body", "weapon", "flag", "muzzle"] {
        doll.build_draw_list_around(name, &view, &mut behind, &mut front).expect("a slot");
        let both = picture(&doll, &[&behind, &front], &view);
        assert!(both == whole, "the parts around {name} are the whole");
    }
    doll.build_draw_list_around("body", &view, &mut behind, &mut front).expect("a slot");
    assert!(front.commands.iter().any(|command| matches!(command, pchr::draw::Command::ClipBegin(_))));
    doll.build_draw_list_around("bodi", &view, &mut behind, &mut front).expect_err("a misspelt slot");
}

#[test]
fn constraints_change_while_it_plays() {
    let mut doll = animator();
    doll.refresh();
    let goal = at(&doll, "goal");
    assert_near(at(&doll, "tip"), goal);
    doll.set_constraint("reach", "mix", 0.0).expect("a setting");
    doll.refresh();
    assert_near(at(&doll, "tip"), vec2(100.0, 10.0));
    doll.release_constraint("reach").expect("a constraint");
    doll.set_constraint_target("reach", "other").expect("a bone");
    for _ in 0..3 {
        doll.update(FRAME);
        assert_near(at(&doll, "tip"), vec2(0.0, 90.0));
    }
    // Both at once, and the target can be moved.
    doll.move_bone("other", vec2(30.0, 60.0)).expect("a bone");
    doll.update(FRAME);
    assert_near(at(&doll, "tip"), vec2(30.0, 60.0));
    doll.release_constraint("reach").expect("a constraint");
    doll.update(FRAME);
    assert_near(at(&doll, "tip"), goal);
    // For one pose.
    let reach = doll.model().find_constraint("reach").expect("a constraint");
    let mut off = ConstraintOverride { lifetime: Lifetime::ThisFrame, ..ConstraintOverride::new(reach) };
    off.settings.mix = Some(0.0);
    doll.override_constraint(off);
    doll.update(FRAME);
    assert_near(at(&doll, "tip"), vec2(100.0, 10.0));
    doll.update(FRAME);
    assert_near(at(&doll, "tip"), goal);
    // Nonsense is ignored, in cues as well.
    let settings = ConstraintSettings { mix: Some(f32::NAN), softness: Some(f32::INFINITY), ..Default::default() };
    let odd = ConstraintOverride { settings, ..ConstraintOverride::new(reach) };
    let off = ConstraintSettings { mix: Some(0.0), ..Default::default() };
    let others = ConstraintOverride { constraint: foreign_constraint(), settings: off, ..odd };
    let of_others =
        ConstraintSettings { mix_rotate: Some(0.0), bend: Some(1.0), gravity: Some(9.0), ..Default::default() };
    for odd in [odd, others, ConstraintOverride { settings: of_others, ..odd }] {
        doll.override_constraint(odd);
        doll.update(FRAME);
        assert_near(at(&doll, "tip"), goal);
    }
    let message = |error: pchr::Error| error.to_string();
    let unknown = doll.set_constraint_target(foreign_constraint(), "other").map_err(message);
    assert_eq!(unknown, Err("the character has no constraint `#19`; available: `reach`, `wave`".to_owned()));
    let unknown = doll.set_constraint("reech", "mix", 1.0).map_err(message);
    assert_eq!(unknown, Err("the character has no constraint `reech`; did you mean `reach`?".to_owned()));
    let unknown = doll.set_constraint("reach", "mix x", 1.0).map_err(message);
    let expected = "the constraint `reach` has no setting `mix x`; available: `mix`, `softness`";
    assert_eq!(unknown, Err(expected.to_owned()));
}

#[test]
fn a_moved_target_that_nothing_follows_is_named() {
    let mut doll = animator();
    let [reach, goal] = ["reach", "goal"];
    let id = doll.model().find_constraint(reach).expect("a constraint");
    doll.set_constraint(id, "mix", 0.0).expect("a setting");
    let mut hints = |change: &dyn Fn(&mut Animator)| {
        change(&mut doll);
        doll.update(FRAME);
        doll.hints()
    };
    assert!(hints(&|_| ()).is_empty(), "nothing is moved");
    let hint = |bone| format!("the IK constraint `reach` does not follow the moved bone `{bone}`: its mix is 0");
    assert_eq!(hints(&|doll| doll.move_bone(goal, Vec2::ONE).expect("a bone")), [hint(goal)]);
    assert_eq!(hints(&|doll| doll.set_physics(false)), [hint(goal)]);
    assert!(hints(&|doll| doll.set_constraint(id, "mix", 0.1).expect("a setting")).is_empty(), "it follows");
    assert!(hints(&|doll| doll.set_constraint(id, "mix", 0.0).expect("a setting")).len() == 1);
    assert!(hints(&|doll| doll.set_constraint_target(id, "other").expect("a bone")).is_empty(), "it is no target");
    assert_eq!(hints(&|doll| doll.move_bone("other", Vec2::ONE).expect("a bone")), [hint("other")]);
    assert!(hints(&|doll| doll.release_constraint(id).expect("an id")).is_empty(), "its own mix is 1");
}

#[test]
fn the_fields_of_settings_have_their_names() {
    let mut kinds = BTreeSet::new();
    for path in ["tests/fixtures/spine-quirks/plain/input.json", "assets/paper-lamp-4.3.json"] {
        let mut animator = Animator::open(path).expect("our character");
        let all: Vec<_> = animator.model().constraint_ids().collect();
        for id in all {
            let settings = constraint_settings(animator.character(), id);
            kinds.insert(animator.model().constraint(id).kind);
            for (index, (name, _)) in settings.into_iter().enumerate() {
                let value = index as f32 + 0.5;
                animator.set_constraint(id, name, value).expect("a setting");
                let change = animator.constraint_overrides().iter().find(|put| put.constraint == id);
                let fields = format!("{:?}", change.expect("a change").settings);
                let field = name.replace(' ', "_");
                assert!(fields.contains(&format!(" {field}: Some({value:?})")), "{name}: {fields}");
            }
        }
    }
    assert_eq!(kinds.len(), 5, "{kinds:?}");
}

/// Returns the turn of the flag relative to the hip, in radians.
fn flag(doll: &Animator) -> f32 {
    let [hip, flag] = ["hip", "flag"].map(|name| doll.bone(name).expect("a bone"));
    let axis = hip.inverse().transform_vector2(flag.matrix2.x_axis);
    axis.to_angle()
}

/// Plays a second with an animator and notes how the flag turns.
fn waves(mut doll: Animator, mut frame: impl FnMut(&mut Animator, f32)) -> Vec<f32> {
    let mut wave = |index: u8| {
        frame(&mut doll, f32::from(index));
        doll.update(FRAME);
        flag(&doll)
    };
    (0..60).map(&mut wave).collect()
}

#[track_caller]
fn assert_same(found: &[f32], expected: &[f32], bound: f32) {
    let off = found.iter().zip(expected).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
    assert!(off < bound, "off by {off}");
}

#[test]
fn physics_follows_the_movement_of_the_character() {
    let settled = || {
        let mut doll = animator();
        (0..120).for_each(|_| _ = doll.update(FRAME).count());
        doll
    };
    let still = waves(settled(), |_, _| {});
    let root = settled().model().skeleton().find("root").expect("a bone");
    // Whether the animation moves the root or the game moves the character, the flag does the same.
    let x = |index: f32| if index < 30.0 { index * index / 5.0 } else { 180.0 };
    let animated = waves(settled(), |doll, index| doll.override_bone(BoneOverride::at(root, vec2(x(index), 0.0))));
    let placed =
        waves(settled(), |doll, index| doll.set_placement(Affine2::from_translation(vec2(x(index), 0.0))));
    let swing = still.iter().zip(&animated).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
    assert!(swing > 0.2, "the flag swings by {swing}");
    assert_same(&placed, &animated, 1e-3);
    let mut before = 0.0;
    let told = waves(settled(), |doll, index| {
        doll.move_physics(vec2(x(index) - before, 0.0), Vec2::ZERO, 0.0);
        before = x(index);
    });
    assert_same(&told, &animated, 1e-3);
    // Turns, about the root.
    let turn = |index: f32| (index / 10.0).min(1.5);
    let animated = waves(settled(), |doll, index| {
        let turned = BoneOverride { rotation_radians: Some(turn(index)), ..BoneOverride::new(root) };
        doll.override_bone(turned);
    });
    let placed = waves(settled(), |doll, index| doll.set_placement(Affine2::from_angle(turn(index))));
    assert_same(&placed, &animated, 2e-3);
    let mut before = 0.0;
    let told = waves(settled(), |doll, index| {
        doll.move_physics(Vec2::ZERO, Vec2::ZERO, turn(index) - before);
        before = turn(index);
    });
    assert_same(&told, &animated, 2e-3);
    // A flip, another size and a teleport are no movement.
    let flipped = waves(settled(), |doll, index| {
        let side = if index as u8 % 20 < 10 { 1.0 } else { -1.0 };
        doll.set_placement(Affine2::from_scale(vec2(side, 1.0 + index / 60.0)));
    });
    assert_same(&flipped, &still, 1e-3);
    let elsewhere = waves(settled(), |doll, index| doll.teleport(Affine2::from_translation(vec2(x(index), 0.0))));
    assert_same(&elsewhere, &still, 1e-3);
}

#[test]
fn a_movement_is_spread_over_the_steps_of_an_update() {
    let swing = |dt: f64| {
        let mut doll = animator();
        (0..120).for_each(|_| _ = doll.update(FRAME).count());
        for index in 1..=10_u8 {
            doll.set_placement(Affine2::from_translation(vec2(f32::from(index) * 600.0 * dt as f32, 0.0)));
            doll.update(dt);
        }
        flag(&doll)
    };
    // Ten times 30 ms are 18 steps; so are 18 times a 60th.
    let mut doll = animator();
    (0..120).for_each(|_| _ = doll.update(FRAME).count());
    for index in 1..=18_u8 {
        doll.set_placement(Affine2::from_translation(vec2(f32::from(index) * 10.0, 0.0)));
        doll.update(FRAME);
    }
    assert!((swing(0.03) - flag(&doll)).abs() < 0.02, "{} and {}", swing(0.03), flag(&doll));
}

#[test]
fn wind_and_gravity_are_directions_in_the_world() {
    let hanging = |placement: Affine2, forces: [Vec2; 2]| {
        let mut doll = animator();
        doll.set_constraint("wave", "gravity", 60.0).expect("a setting");
        doll.set_constraint("wave", "wind", 60.0).expect("a setting");
        doll.set_forces(Forces { wind: forces[0], gravity: forces[1], ..Forces::default() });
        doll.teleport(placement);
        (0..600).for_each(|_| _ = doll.update(FRAME).count());
        doll.bone("flag").expect("a bone").matrix2.x_axis.normalize()
    };
    let plain = hanging(Affine2::IDENTITY, [Vec2::X, Vec2::NEG_Y]);
    assert!(plain.x > 0.1, "the wind bends it to the right: {plain}");
    let windless = hanging(Affine2::IDENTITY, [Vec2::ZERO, Vec2::NEG_Y]);
    assert_near(windless, Vec2::Y);
    // The wind blows from the same side at a character that looks the other way.
    let flipped = hanging(Affine2::from_scale(vec2(-2.0, 2.0)), [Vec2::X, Vec2::NEG_Y]);
    assert!((flipped - plain).length() < 0.02, "{flipped} and {plain}");
    let against = hanging(Affine2::IDENTITY, [Vec2::NEG_X, Vec2::NEG_Y]);
    assert_near(against, vec2(-plain.x, plain.y));
    let lying = hanging(Affine2::from_angle(FRAC_PI_2), [Vec2::ZERO, Vec2::NEG_Y]);
    assert!(lying.y < -0.05, "gravity pulls at a flag that lies on its side: {lying}");
}

#[test]
fn clip_masks_and_bounding_boxes_are_known_in_the_world() {
    let mut doll = animator();
    let mut corners = Vec::new();
    assert!(!doll.clip_polygon("mask", &mut corners).expect("a slot") && corners.is_empty());
    doll.set_attachment("mask", Some("mask")).expect("a mask");
    doll.set_placement(Affine2::from_translation(vec2(100.0, 0.0)));
    doll.refresh();
    assert!(doll.clip_polygon("mask", &mut corners).expect("a slot"));
    assert_eq!(corners, [vec2(70.0, -10.0), vec2(100.0, -10.0), vec2(100.0, 30.0), vec2(70.0, 30.0)]);
    assert!(!doll.bounding_box("mask", &mut corners).expect("a slot"));
    assert!(doll.bounding_box("box", &mut corners).expect("a slot"));
    assert_eq!(corners[2], vec2(130.0, 30.0));
    assert!(!doll.clip_polygon("box", &mut corners).expect("a slot"));
}

#[test]
fn another_character_rides_on_a_bone() {
    let mut horse = animator();
    let mut rider = animator();
    horse.set_placement(Affine2::from_scale_angle_translation(vec2(-1.0, 1.0), 0.5, vec2(30.0, 40.0)));
    horse.play("stand").expect("an animation");
    let saddle = Affine2::from_translation(vec2(0.0, 20.0));
    for _ in 0..5 {
        horse.update(FRAME);
        rider.set_placement(horse.bone("hip").expect("a bone") * saddle);
        rider.update(FRAME);
        let expected = horse.bone("hip").expect("a bone").transform_point2(vec2(0.0, 20.0));
        assert_near(at(&rider, "root"), expected);
    }
}

#[test]
fn events_come_in_order_with_their_sounds() {
    let mut doll = animator();
    doll.set_fade_secs(0.25);
    doll.play("walk").expect("an animation");
    let list = |events: pchr::player::Events<'_>| -> Vec<String> {
        let line = |event: pchr::player::TrackEvent<'_>| match event.kind {
            EventKind::Fired(fired) => {
                let sound = (fired.audio, fired.volume, fired.balance);
                assert_eq!((fired.int, sound), (3, (Some("step.ogg"), 0.5, -0.25)));
                format!("{} {} {}", event.track, fired.name, fired.time)
            }
            EventKind::Start => format!("{} start", event.track),
            EventKind::Interrupt => format!("{} interrupt", event.track),
            EventKind::Complete => format!("{} complete", event.track),
            EventKind::End => format!("{} end", event.track),
        };
        events.map(line).collect()
    };
    doll.set_physics(false);
    assert_eq!(list(doll.update(0.0)), ["0 start", "0 step 0"]);
    assert_eq!(list(doll.update(0.75)), ["0 step 0.5"]);
    doll.play_on(1, "walk").expect("an animation");
    doll.play("stand").expect("an animation");
    assert_eq!(list(doll.update(0.25)), ["1 start", "0 interrupt", "0 start", "0 complete", "1 step 0"]);
    assert_eq!(list(doll.update(0.5)), ["0 end", "1 step 0.5"]);
    assert_eq!(list(doll.events()), ["0 end", "1 step 0.5"], "until the next update");
    assert!(list(doll.update(0.0)).is_empty());
}

#[test]
fn root_motion_is_taken_out_of_the_pose() {
    let walking = |speed: f64| {
        let mut doll = animator();
        doll.set_root_motion(doll.model().skeleton().find("hip"));
        doll.play("walk").expect("an animation").set_speed(speed);
        doll
    };
    let mut way = Vec2::ZERO;
    let mut doll = walking(1.0);
    for _ in 0..150 {
        doll.update(FRAME);
        assert_near(at(&doll, "hip"), vec2(0.0, 10.0));
        way += doll.root_motion();
    }
    assert!(way.distance(vec2(250.0, 0.0)) < 0.01, "{way}");
    // In one update, at any speed, in the direction in which the character looks.
    for (speed, x) in [(1.0, 250.0), (2.0, 500.0), (-1.0, -250.0)] {
        for physics in [true, false] {
            let mut doll = walking(speed);
            doll.set_physics(physics);
            doll.set_placement(Affine2::from_scale(vec2(-2.0, 2.0)));
            doll.update(2.5);
            assert!(doll.root_motion().distance(vec2(-2.0 * x, 0.0)) < 0.05, "{} at {speed}", doll.root_motion());
            doll.playback_mut(0).expect("it plays").seek(0.0);
            doll.update(0.0);
            assert_eq!(doll.root_motion(), Vec2::ZERO, "a seek is no way");
        }
    }
    // A fade to an animation that stands slows down, and never moves back.
    doll.set_fade_secs(0.5);
    doll.play("stand").expect("an animation");
    let mut fading = Vec::new();
    for _ in 0..60 {
        doll.update(FRAME);
        fading.push(doll.root_motion().x);
    }
    assert!(fading.iter().is_sorted_by(|a, b| *a + 1e-4 >= **b), "{fading:?}");
    assert!((-1e-4..1e-4).contains(&fading[50]) && fading[2] > 1.0, "{fading:?}");
    // Without it, the animation moves the character.
    doll.set_root_motion(None);
    doll.show(doll.model().find_animation("walk"));
    doll.update(0.5);
    assert_near(at(&doll, "hip"), vec2(50.0, 10.0));
}

#[test]
fn changes_allocate_nothing_after_the_first_frames() {
    let mut doll = animator();
    let [weapon, body] = ["weapon", "body"].map(|name| slot(&doll, name));
    let axe = doll.attachment("weapon", "axe").expect("an axe");
    let find = |name: &str| doll.model().skeleton().find(name).expect("a bone");
    let [lower, goal] = [find("lower"), find("goal")];
    let reach = doll.model().find_constraint("reach").expect("a constraint");
    doll.play("walk").expect("an animation");
    let (mut list, mut front, view) = (DrawList::default(), DrawList::default(), view());
    let mut frame = |doll: &mut Animator, index: usize| {
        let lifetime = LIFETIMES[index % 3];
        doll.override_slot(SlotOverride { lifetime, ..SlotOverride::showing(weapon, axe) });
        doll.override_slot(SlotOverride {
            order: Some(DrawPlace::Front),
            lifetime,
            ..SlotOverride::tinted(body, RED)
        });
        doll.override_bone(BoneOverride { lifetime, ..BoneOverride::at(goal, vec2(index as f32, 20.0)) });
        doll.override_bone(BoneOverride { lifetime, ..BoneOverride::placed(lower, Affine2::IDENTITY) });
        doll.set_placement(Affine2::from_translation(vec2(index as f32, 0.0)));
        doll.set_whole_tint(RED);
        let mut mixed = ConstraintOverride { lifetime, target: Some(goal), ..ConstraintOverride::new(reach) };
        mixed.settings.mix = Some(0.5);
        doll.override_constraint(mixed);
        doll.move_physics(Vec2::ONE, Vec2::ZERO, 0.1);
        doll.set_forces(Forces::default());
        if index == 0 {
            doll.set_root_motion(doll.model().skeleton().find("hip"));
        }
        doll.update(FRAME);
        doll.build_draw_list_around(weapon, &view, &mut list, &mut front).expect("a slot");
        if index % 10 == 9 {
            doll.release_slots();
            doll.release_bones();
        }
    };
    (0..120).for_each(|index| frame(&mut doll, index));
    assert_eq!(allocations(|| (120..360).for_each(|index| frame(&mut doll, index))), 0);
}
