//! The animator: clocks, tracks, events and everything else that games use.

use crate::common::memory::allocations;
use pchr::diagnostics::Diagnostics;
use pchr::draw::{DrawList, View};
use pchr::formats::{Input, NO_SIDECARS, ReadOptions};
use pchr::math::{Rect, vec2};
use pchr::motion::{Cue, Position, evaluate};
use pchr::player::{EventKind, LoopMode};
use pchr::pose::Pose;
use pchr::{Animator, Character};

/// A bone that `up` keeps 10 pixels up, `turned` rotates by 90 degrees, and `wide` moves 10 pixels sideways.
fn character() -> Character {
    let json = r#"{"skeleton":{"spine":"3.8.99"},"bones":[{"name":"root"},{"name":"arm","parent":"root"}],
        "events":{"beep":{}},"animations":{
        "up":{"bones":{"arm":{"translate":[{"y":10},{"time":1,"y":10}]}},"events":[{"time":0.5,"name":"beep"}]},
        "wide":{"bones":{"arm":{"translate":[{"x":10},{"time":1,"x":10}]}}},
        "turned":{"bones":{"arm":{"rotate":[{"angle":90},{"time":1,"angle":90}]}}}}}"#;
    let input = Input { bytes: json.as_bytes().into(), sidecars: NO_SIDECARS };
    pchr::formats::from_input(&input, &ReadOptions::default(), &mut Diagnostics::default()).expect("it is valid")
}

/// Creates an animator of that character with cross-fades of `fade` seconds.
fn animator(fade: f64) -> Animator {
    let mut animator = Animator::new(character());
    animator.set_fade_secs(fade);
    animator
}

fn mode(looping: bool) -> LoopMode {
    if looping { LoopMode::Loop } else { LoopMode::Once }
}

fn play(animator: &mut Animator, track: usize, name: &str, looping: bool) {
    animator.play_on(track, name).expect("the animation").set_loop_mode(mode(looping));
}

fn queue(animator: &mut Animator, name: &str, looping: bool, delay: f64) {
    animator.queue_on(0, name, delay).expect("the animation").set_loop_mode(mode(looping));
}

/// Returns the position and the angle of the arm.
fn arm(animator: &mut Animator) -> [f32; 3] {
    animator.refresh();
    let world = animator.bone("arm").expect("a bone");
    let degrees = world.matrix2.x_axis.to_angle().to_degrees();
    [world.translation.x, world.translation.y, degrees].map(|number| (number * 1e3).round() / 1e3 + 0.0)
}

/// Lets time pass and returns the events as text.
fn advance(animator: &mut Animator, dt: f64) -> String {
    let character = animator.character().clone();
    let words = animator.update(dt).map(|event| {
        let name = event.animation.map_or("nothing", |id| &character.model().animation(id).name);
        let what = match event.kind {
            EventKind::Start => "starts".to_owned(),
            EventKind::Interrupt => "is interrupted".to_owned(),
            EventKind::Complete => "is complete".to_owned(),
            EventKind::End => "ends".to_owned(),
            EventKind::Fired(fired) => format!("fires {}", fired.name),
        };
        format!("{} {name} {what}", event.track)
    });
    words.collect::<Vec<_>>().join(", ")
}

/// Returns a Spine rig, stored frames, SkelForm with physics, and a sprite sheet.
fn of_every_format() -> [Animator; 4] {
    let sheet = r#"{"frames": [{"frame": {"x": 0, "y": 0, "w": 2, "h": 2}, "duration": 100},
        {"frame": {"x": 2, "y": 0, "w": 2, "h": 2}, "duration": 20}], "meta": {"frameTags": [
        {"name": "blink", "from": 0, "to": 1}, {"name": "stare", "from": 0, "to": 0}]}}"#;
    let open = |path: &str| Animator::open(path).expect("it opens");
    let physics = crate::common::corpus::ours("skelform/samples/synth-physics.skf");
    [
        open("assets/paper-lamp.json"),
        open("assets/paper-knight.pchr"),
        Animator::open(physics).expect("it opens"),
        Animator::new(Character::from_bytes(sheet).expect("it opens")),
    ]
}

#[test]
fn every_method_works_with_every_format() {
    for mut animator in of_every_format() {
        let model = animator.character().clone();
        let model = model.model();
        let names: Vec<&str> = model.motions().map(|id| model.animation(id).name.as_str()).collect();
        let (first, last) = (names[0], names[names.len() - 1]);
        animator.set_fade_secs(0.1);
        assert_eq!(animator.fade_secs(), 0.1);
        assert_eq!(animator.playback(0).animation(), None);
        let id = animator.play(first).expect("the animation").set_speed(2.0).animation().expect("one");
        assert_eq!((animator.playback(0).animation(), model.find_animation(first)), (Some(id), Some(id)));
        animator.queue(last).expect("the animation").set_fade(0.05);
        animator.play_on(3, last).expect("the animation").seek_secs(0.01);
        animator.play_on(3, id).expect("by its id");
        assert_eq!(animator.update(0.0).filter(|event| event.kind == EventKind::Start).count(), 3);
        assert_eq!(animator.playbacks().map(|(track, _)| track).collect::<Vec<_>>(), [0, 3]);
        assert!(animator.playback(0).duration_secs() > 0.0 && animator.is_moving(), "{first}");
        (0..20).for_each(|_| _ = animator.update(1.0 / 60.0));
        assert!(
            (animator.playback(3).seconds() - 20.0 / 60.0).rem_euclid(animator.playback(3).duration_secs()) < 1e-6
        );
        animator.fade_out(3, 0.1);
        (0..20).for_each(|_| _ = animator.update(1.0 / 60.0));
        assert_eq!(animator.playback(3).animation(), None);

        animator.set_interpolate(true);
        animator.show(Some(id));
        animator.seek(0.5);
        animator.refresh();
        let mut pose = Pose::default();
        evaluate(animator.character(), &Cue { bones: vec![], ..animator.cue().clone() }, &mut pose);
        assert!(animator.shows_physics() || *animator.pose() == pose, "{first}");
        let playback = animator.playback_mut(0).expect("it plays");
        assert_eq!(playback.step(1).frame(), 1.min(playback.frame_count() - 1));
        assert_eq!(playback.seek_last().frame(), playback.frame_count() - 1);
        assert!(playback.position() <= playback.length());

        for skin in model.skin_ids() {
            animator.add_skin(skin).expect("a skin");
        }
        assert_eq!(animator.skins().len(), model.skins().len());
        let worn: Vec<_> = animator.skins().to_vec();
        animator.set_skins(worn).expect("skins");
        for skin in model.skin_ids() {
            animator.remove_skin(&*model.skin(skin).name).expect("a skin");
        }
        assert!(animator.skins().is_empty());
        animator.refresh();

        let bones = model.skeleton().authored_bones();
        if let Some(bone) = bones.last() {
            animator.move_bone(&*bone.name, vec2(3.0, 4.0)).expect("a bone");
            animator.refresh();
            assert_eq!(animator.bone_overrides().len(), 1);
            assert!(animator.bone(&*bone.name).expect("a bone").is_finite());
            animator.release_bone(&*bone.name).expect("a bone");
            animator.release_bones();
            animator.refresh();
            assert!(*animator.pose() != Pose::default());
        }
        let bounds = animator.bounds();
        if !bounds.is_empty() {
            let hits = (0..400).filter(|at| {
                let share = vec2((at % 20) as f32 + 0.5, (at / 20) as f32 + 0.5) / 20.0;
                animator.hit(bounds.min + share * bounds.size()).is_some()
            });
            assert!(hits.count() > 10);
        }
        for slot in model.slot_ids().take(3) {
            let name = &*model.slot(slot).name;
            let within = animator.slot_bounds(slot).expect("a slot");
            assert!(within.is_empty() || within.union(bounds) == bounds, "{name}");
            let mut corners = Vec::new();
            _ = (
                animator.point(slot).expect("a slot"),
                animator.bounding_box(slot, &mut corners).expect("a slot"),
            );
        }
        assert_eq!(animator.hit(vec2(1e6, 1e6)).or(animator.hit_bounding_box(vec2(1e6, 1e6))), None);
        let (view, mut list) =
            (View::fit(64, 64, Rect { min: vec2(-9.0, -9.0), max: vec2(9.0, 9.0) }), DrawList::default());
        animator.build_draw_list(&view, &mut list);
        assert_eq!(list.palette.as_slice(), animator.palette());
        animator.stop();
        assert_eq!((animator.playbacks().count(), animator.is_moving()), (0, false));
        assert_eq!(animator.secs_to_next_change(), None);
    }
}

#[test]
fn unknown_names_are_errors_with_similar_names_and_change_nothing() {
    let mut lamp = Animator::open("assets/paper-lamp.json").expect("the lamp");
    lamp.play("hop").expect("the animation");
    let message = |error: pchr::Error| {
        assert_eq!(error.code(), "unknown-name");
        error.to_string()
    };
    let expected = "the character has no animation `hpo`; did you mean `hop`?";
    assert_eq!(message(lamp.play("hpo").map(|_| ()).unwrap_err()), expected);
    assert!(message(lamp.queue_on(7, "idel", 0.0).map(|_| ()).unwrap_err()).contains("`idle`"));
    assert!(message(lamp.set_skins(["blue", "bleu"]).unwrap_err()).contains("skin `bleu`; did you mean `blue`"));
    assert!(
        message(lamp.move_bone("zzz", vec2(0.0, 0.0)).unwrap_err()).contains("has no bone `zzz`; available: `")
    );
    assert!(message(lamp.point("").unwrap_err()).contains("no slot ``"));
    assert!(lamp.skins().is_empty() && lamp.bone_overrides().is_empty());
    assert_eq!(lamp.playbacks().count(), 1);
}

#[test]
fn nothing_is_allocated_after_the_first_frames() {
    for mut animator in of_every_format() {
        let names: Vec<String> =
            animator.model().motions().map(|id| animator.model().animation(id).name.clone()).collect();
        animator.play(&names[0]).expect("the animation");
        animator.play_on(1, &names[names.len() - 1]).expect("the animation");
        let mut fired = 0;
        let mut frame = || {
            fired += animator.update(1.0 / 60.0).count();
            animator.bounds()
        };
        (0..300).for_each(|_| _ = frame());
        assert_eq!(allocations(|| (0..300).for_each(|_| _ = frame())), 0, "{names:?}");
        assert!(fired > 0);
    }
    // Also while animations fade into each other.
    let mut animator = animator(0.5);
    for _ in 0..2 {
        play(&mut animator, 0, "up", true);
        (0..9).for_each(|_| _ = animator.update(0.01));
        play(&mut animator, 0, "wide", true);
        (0..9).for_each(|_| _ = animator.update(0.01));
    }
    assert_eq!(allocations(|| (0..9).for_each(|_| _ = animator.update(0.01))), 0);
}

#[test]
fn a_replaced_character_continues_at_the_same_position() {
    let mut lamp = Animator::open("assets/paper-lamp.json").expect("the lamp");
    lamp.set_speed(0.5);
    lamp.set_skins(["blue"]).expect("a skin");
    lamp.play("hop").expect("the animation");
    lamp.update(0.5);
    let before = lamp.pose().clone();
    lamp.set_character(Character::open("assets/paper-lamp.json").expect("the lamp"));
    lamp.refresh();
    assert!(*lamp.pose() == before);
    assert_eq!((lamp.speed(), lamp.playback(0).seconds(), lamp.skins().len()), (0.5, 0.25, 1));
    lamp.set_character(Character::default());
    lamp.refresh();
    assert_eq!((lamp.playbacks().count(), lamp.skins().len(), lamp.bounds()), (0, 0, Rect::NOTHING));
}

#[test]
fn a_paused_animator_does_nothing_and_its_events_are_not_lost() {
    let mut animator = animator(0.0);
    play(&mut animator, 0, "up", true);
    animator.set_playing(false);
    assert_eq!(advance(&mut animator, 1.0), "");
    assert!(!animator.is_playing() && !animator.is_moving());
    animator.set_playing(true);
    assert_eq!(advance(&mut animator, 0.5), "0 up starts, 0 up fires beep");
    // The speeds of the animator and of the animation are multiplied.
    animator.set_speed(0.5);
    animator.playback_mut(0).expect("it plays").set_speed(0.5);
    advance(&mut animator, 1.0);
    assert_eq!(animator.playback(0).seconds(), 0.75);
    animator.set_speed(f64::NAN);
    assert_eq!(animator.speed(), 0.5);
}

#[test]
fn ping_pong_fires_events_on_the_way_there_only() {
    let mut animator = animator(0.0);
    animator.play("up").expect("the animation").set_loop_mode(LoopMode::PingPong);
    assert_eq!(advance(&mut animator, 0.75), "0 up starts, 0 up fires beep");
    assert_eq!(advance(&mut animator, 1.0), "", "back at a quarter");
    assert_eq!(advance(&mut animator, 0.5), "0 up is complete");
    assert_eq!(advance(&mut animator, 0.5), "0 up fires beep");
    animator.set_speed(-1.0);
    assert_eq!(advance(&mut animator, 0.5), "", "no events when playing backwards");
}

/// Stored frames cannot be mixed: the topmost track is shown.
#[test]
fn animations_that_cannot_be_mixed_show_the_topmost_track() {
    let mut knight = Animator::open("assets/paper-knight.pchr").expect("the knight");
    knight.set_fade_secs(0.2);
    play(&mut knight, 0, "idle", true);
    play(&mut knight, 1, "walk", true);
    let posed = |position: Position, knight: &Animator| {
        let mut pose = Pose::default();
        let animation = knight.model().find_animation("walk");
        evaluate(knight.character(), &Cue { animation, position, ..Cue::default() }, &mut pose);
        pose
    };
    knight.update(0.25);
    let frames = knight.model().animation(knight.playback(1).animation().expect("walk")).clone();
    let held = Position::frame(frames.position_at(0.25) as u32);
    assert!(*knight.pose() == posed(held, &knight));
    // Played once, it holds its end, even if the animation loops as authored.
    play(&mut knight, 1, "walk", false);
    knight.update(0.0);
    knight.update(100.0);
    assert!(*knight.pose() == posed(Position::frame(frames.frame_count() - 1), &knight));
}

#[test]
fn a_cross_fade_does_not_sag_if_both_animations_move_a_bone() {
    let mut animator = animator(1.0);
    assert_eq!(arm(&mut animator), [0.0; 3], "nothing is played");
    play(&mut animator, 0, "up", false);
    assert_eq!(advance(&mut animator, 0.0), "0 up starts");
    assert_eq!(arm(&mut animator), [0.0, 10.0, 0.0]);
    play(&mut animator, 0, "wide", false);
    assert_eq!(advance(&mut animator, 0.25), "0 up is interrupted, 0 wide starts");
    assert_eq!(arm(&mut animator), [2.5, 7.5, 0.0], "on the straight line");
    advance(&mut animator, 0.5);
    assert_eq!(arm(&mut animator), [7.5, 2.5, 0.0]);
    advance(&mut animator, 0.25);
    assert_eq!(arm(&mut animator), [10.0, 0.0, 0.0]);
    assert_eq!(advance(&mut animator, 0.25), "0 up ends");
}

#[test]
fn bones_that_the_next_animation_does_not_move_return_to_rest() {
    let mut animator = animator(1.0);
    play(&mut animator, 0, "turned", true);
    advance(&mut animator, 0.0);
    play(&mut animator, 0, "up", true);
    advance(&mut animator, 0.25);
    assert_eq!(arm(&mut animator), [0.0, 2.5, 67.5]);
}

#[test]
fn tracks_override_each_other_and_fade_out() {
    let mut animator = animator(0.0);
    play(&mut animator, 0, "up", true);
    play(&mut animator, 3, "wide", true);
    assert_eq!(advance(&mut animator, 0.0), "0 up starts, 3 wide starts");
    assert_eq!(arm(&mut animator), [10.0, 0.0, 0.0]);
    animator.fade_out(3, 1.0);
    assert_eq!(advance(&mut animator, 0.25), "3 wide is interrupted, 3 nothing starts, 3 nothing is complete");
    assert_eq!(arm(&mut animator), [7.5, 2.5, 0.0], "the track below appears");
    assert_eq!(advance(&mut animator, 0.75), "0 up fires beep, 0 up is complete, 3 wide is complete");
    assert_eq!(advance(&mut animator, 0.25), "3 wide ends");
    assert_eq!(advance(&mut animator, 0.0), "3 nothing ends");
    animator.fade_out(3, 1.0);
    animator.fade_out(7, f64::NAN);
    let starts = "3 nothing starts, 7 nothing starts, 3 nothing is complete, 7 nothing is complete";
    assert_eq!(advance(&mut animator, f64::NAN), starts, "the next animation would fade in");
    assert_eq!(arm(&mut animator), [0.0, 10.0, 0.0]);
}

#[test]
fn queued_animations_start_in_time() {
    let mut animator = animator(0.25);
    queue(&mut animator, "up", true, 0.0);
    queue(&mut animator, "wide", false, 0.0);
    queue(&mut animator, "turned", false, 0.5);
    assert_eq!(advance(&mut animator, 0.5), "0 up starts, 0 up fires beep");
    assert_eq!(advance(&mut animator, 0.25), "");
    // The current loop ends at 0.75 s plus the fade.
    assert_eq!(advance(&mut animator, 0.125), "0 up is interrupted, 0 wide starts");
    assert_eq!(arm(&mut animator), [5.0, 5.0, 0.0]);
    advance(&mut animator, 0.375);
    assert_eq!(advance(&mut animator, 0.125), "0 wide is interrupted, 0 turned starts");
    // Playing another animation replaces the queue at once.
    play(&mut animator, 0, "up", true);
    play(&mut animator, 0, "wide", true);
    let events = advance(&mut animator, 0.0);
    assert!(
        events.starts_with("0 turned is interrupted, 0 up starts, 0 up is interrupted, 0 up ends, 0 wide starts"),
        "{events}"
    );
}

#[test]
fn without_a_fade_the_previous_animation_leaves_no_trace() {
    let mut animator = animator(0.0);
    play(&mut animator, 0, "up", true);
    advance(&mut animator, 0.1);
    assert_eq!(arm(&mut animator), [0.0, 10.0, 0.0]);
    play(&mut animator, 0, "turned", true);
    advance(&mut animator, 0.1);
    assert_eq!(arm(&mut animator), [0.0, 0.0, 90.0]);
    advance(&mut animator, 0.1);
    assert_eq!(arm(&mut animator), [0.0, 0.0, 90.0]);
    play(&mut animator, 1, "wide", true);
    advance(&mut animator, 0.1);
    animator.fade_out(1, 0.0);
    (0..3).for_each(|_| _ = advance(&mut animator, 0.1));
    assert_eq!(arm(&mut animator), [0.0, 0.0, 90.0]);
    // Without any pose in between, too.
    play(&mut animator, 0, "up", true);
    (0..5).for_each(|_| animator.advance(0.1));
    assert_eq!(arm(&mut animator), [0.0, 10.0, 0.0]);
    play(&mut animator, 0, "wide", true);
    (0..5).for_each(|_| animator.advance(0.1));
    assert_eq!(arm(&mut animator), [10.0, 0.0, 0.0]);
}

#[test]
fn backwards_fades_progress_and_no_events_fire() {
    let mut animator = animator(0.2);
    animator.set_speed(-1.0);
    play(&mut animator, 0, "up", true);
    assert_eq!(advance(&mut animator, 0.1), "0 up starts");
    play(&mut animator, 0, "wide", true);
    for _ in 0..20 {
        let events = advance(&mut animator, 0.05);
        assert!(!events.contains("fires"), "{events}");
        assert!((0.0..=1.0).contains(&animator.playback(0).mix()));
    }
    assert_eq!((arm(&mut animator), animator.playbacks().count()), ([10.0, 0.0, 0.0], 1));
    // Forwards again, each loop fires its event once.
    animator.stop();
    play(&mut animator, 0, "up", true);
    (0..30).for_each(|_| _ = advance(&mut animator, 0.1));
    animator.set_speed(1.0);
    let fired = (0..40).filter(|_| advance(&mut animator, 0.05).contains("fires")).count();
    assert_eq!(fired, 2);
}

#[test]
fn seeking_fires_no_events() {
    let mut animator = animator(0.5);
    animator.play("up").expect("the animation").seek_secs(0.7);
    assert_eq!(advance(&mut animator, 0.1), "0 up starts");
    animator.seek(0.0);
    assert_eq!(advance(&mut animator, 0.4), "");
    assert_eq!(advance(&mut animator, 0.2), "0 up fires beep");
    // An animation that was moved to its start still fades out.
    animator.seek(0.0);
    play(&mut animator, 0, "wide", true);
    advance(&mut animator, 0.25);
    assert_eq!(arm(&mut animator), [5.0, 5.0, 0.0]);
}

#[test]
fn an_animation_that_has_ended_turns_round_at_once() {
    let mut animator = animator(0.0);
    play(&mut animator, 0, "up", false);
    advance(&mut animator, 10.0);
    assert!(animator.is_finished(0) && !animator.is_moving());
    animator.set_speed(-1.0);
    assert!(!animator.is_finished(0) && animator.is_moving());
    advance(&mut animator, 0.25);
    assert_eq!(animator.playback(0).seconds(), 0.75);
    assert_eq!(advance(&mut animator, 1.0), "0 up is complete");
    assert!(animator.is_finished(0));
}

#[test]
fn a_queue_starts_after_jumps_and_backwards() {
    let mut looped = animator(0.0);
    play(&mut looped, 0, "up", true);
    advance(&mut looped, 10.25);
    queue(&mut looped, "turned", true, 0.0);
    looped.seek(0.0);
    assert_eq!(advance(&mut looped, 0.9), "0 up fires beep");
    advance(&mut looped, 0.2);
    assert!(advance(&mut looped, 0.1).contains("0 turned starts"));
    let mut door = animator(0.0);
    door.play("up").expect("the animation").set_loop_mode(LoopMode::Once).set_speed(-1.0).seek_last();
    queue(&mut door, "wide", true, 0.0);
    advance(&mut door, 1.5);
    assert!(advance(&mut door, 0.1).contains("0 wide starts"));
}

#[test]
fn a_queue_keeps_an_animator_moving() {
    let mut animator = animator(0.0);
    play(&mut animator, 0, "up", false);
    queue(&mut animator, "wide", true, 5.0);
    animator.update(2.0);
    assert!(animator.is_finished(0) && animator.is_moving());
    assert_eq!(animator.secs_to_next_change(), Some(3.0), "nothing else moves");
    animator.set_loop_mode(LoopMode::Once);
    animator.update(3.5);
    animator.update(0.1);
    assert_eq!(animator.playback(0).loop_mode(), LoopMode::Once, "queued animations follow");
}

#[test]
fn stopping_ends_what_is_played() {
    let mut animator = animator(0.0);
    play(&mut animator, 0, "up", true);
    play(&mut animator, 2, "wide", true);
    advance(&mut animator, 0.1);
    animator.stop();
    assert_eq!(arm(&mut animator), [0.0; 3]);
    assert_eq!(advance(&mut animator, 0.1), "0 up ends, 2 wide ends");
}

#[test]
fn another_character_can_be_asked_at_once() {
    let mut animator = Animator::open("assets/paper-lamp.json").expect("the lamp");
    let lamp = animator.character().clone();
    animator.play("hop").expect("the animation");
    animator.update(0.3);
    animator.set_character(Character::open("assets/paper-knight.pchr").expect("the knight"));
    assert_eq!((animator.events().count(), animator.bounds().is_empty()), (0, false));
    animator.set_character(lamp.clone());
    let (view, mut list) = (View::new(64, 64, vec2(-9.0, 9.0), 1.0), DrawList::default());
    animator.build_draw_list(&view, &mut list);
    assert_eq!(*animator.pose(), *Animator::new(lamp).pose(), "nothing is left of the knight");
}

/// What the caller sets follows, and leaves no trace.
#[test]
fn moved_bones_are_where_they_were_put_and_return() {
    let mut animator = animator(0.0);
    play(&mut animator, 0, "turned", true);
    advance(&mut animator, 0.1);
    let before = animator.pose().clone();
    animator.move_bone("arm", vec2(3.0, 4.0)).expect("a bone");
    advance(&mut animator, 0.1);
    assert_eq!(arm(&mut animator), [3.0, 4.0, 90.0]);
    animator.release_bone("arm").expect("a bone");
    animator.refresh();
    assert_eq!(*animator.pose(), before);
    // Half-way through a fade, copies go on alike, and another skin or a seek resets what was kept.
    animator.set_fade_secs(1.0);
    play(&mut animator, 0, "up", true);
    advance(&mut animator, 0.5);
    let mut copy = animator.clone();
    advance(&mut animator, 0.25);
    advance(&mut copy, 0.25);
    assert_eq!(*copy.pose(), *animator.pose());
    copy.clear_skins();
    copy.refresh();
    assert_eq!(*copy.pose(), *animator.pose());
}
