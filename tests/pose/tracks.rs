//! Tracks: poses and events that no golden covers.

use crate::common::memory::allocations;
use pchr::Character;
use pchr::diagnostics::Diagnostics;
use pchr::formats::{Input, NoSidecars, ReadOptions, spine};
use pchr::model::AnimationId;
use pchr::motion::{Cue, Evaluator, Position, evaluate};
use pchr::player::{TrackEvent, Tracks};
use pchr::pose::Pose;

/// A bone that `up` holds 10 pixels up, `turned` rotates by 90 degrees, and `wide` moves 10 pixels sideways.
fn character() -> Character {
    let json = r#"{"skeleton":{"spine":"3.8.99"},"bones":[{"name":"root"},{"name":"arm","parent":"root"}],
        "events":{"beep":{}},"animations":{
        "up":{"bones":{"arm":{"translate":[{"y":10},{"time":1,"y":10}]}},"events":[{"time":0.5,"name":"beep"}]},
        "wide":{"bones":{"arm":{"translate":[{"x":10},{"time":1,"x":10}]}}},
        "turned":{"bones":{"arm":{"rotate":[{"angle":90},{"time":1,"angle":90}]}}}}}"#;
    let input = Input { bytes: json.as_bytes().into(), sidecars: &NoSidecars };
    spine::read_character(&input, &ReadOptions::default(), &mut Diagnostics::default()).expect("it is valid")
}

fn id(character: &Character, name: &str) -> AnimationId {
    character.model().find_animation(name).expect("an animation")
}

/// Returns the position of the arm and its angle.
fn arm(character: &Character, tracks: &Tracks) -> [f32; 3] {
    let mut pose = Pose::default();
    evaluate(character, &tracks.cue(), &mut pose);
    let world = pose.world_from_bone[1];
    let degrees = world.matrix2.x_axis.to_angle().to_degrees();
    [world.translation.x, world.translation.y, degrees].map(|number| (number * 1e3).round() / 1e3)
}

/// Advances time and returns the events as text.
fn advance(tracks: &mut Tracks, character: &Character, dt: f64) -> String {
    let mut events = Vec::new();
    tracks.advance(character, dt, |track, animation, what| {
        let name = animation.map_or("nothing", |id| &character.model().animation(id).name);
        let what = match what {
            TrackEvent::Start => "starts",
            TrackEvent::Interrupt => "is interrupted",
            TrackEvent::Complete => "is complete",
            TrackEvent::End => "ends",
            TrackEvent::Event(_) => "fires",
        };
        events.push(format!("{track} {name} {what}"));
    });
    events.join(", ")
}

#[test]
fn nothing_is_allocated_once_there_is_room() {
    let character = character();
    let mut tracks = Tracks::new(0.5);
    for (track, name) in ["up", "wide", "turned"].into_iter().enumerate() {
        tracks.play(character.model(), track, id(&character, name), true);
    }
    let (mut cue, mut evaluator, mut pose) = (Cue::default(), Evaluator::default(), Pose::default());
    let mut show = |tracks: &mut Tracks| {
        tracks.advance(&character, 0.01, |_, _, _| {});
        tracks.write_layers(&mut cue);
        evaluator.evaluate(&character, &cue, &mut pose);
    };
    show(&mut tracks);
    assert_eq!(allocations(|| (0..9).for_each(|_| show(&mut tracks))), 0);
    assert_eq!(tracks.cue().layers.len(), 3);
}

/// Stored frames cannot be mixed: the topmost track is shown.
#[test]
fn animations_that_cannot_be_mixed_show_the_topmost_track() {
    let knight = Character::open("assets/paper-knight.pchr").expect("the knight");
    let model = knight.model();
    let [walk, idle] = ["walk", "idle"].map(|name| id(&knight, name));
    let mut tracks = Tracks::new(0.2);
    tracks.play(model, 0, idle, true);
    tracks.play(model, 1, walk, true);
    tracks.advance(&knight, 0.25, |_, _, _| {});
    let posed = |cue: &Cue| {
        let mut pose = Pose::default();
        evaluate(&knight, cue, &mut pose);
        pose
    };
    let alone = Cue { animation: Some(walk), position: Position::Seconds(0.25), ..Cue::default() };
    assert!(posed(&tracks.cue()) == posed(&alone));
    assert!(posed(&alone) != posed(&Cue::default()));
    // Played once, it holds its end, even if the animation loops as authored.
    tracks.play(model, 1, walk, false);
    tracks.advance(&knight, 0.0, |_, _, _| {});
    tracks.advance(&knight, 100.0, |_, _, _| {});
    let last = model.animation(walk).frame_count() - 1;
    let end = Cue { animation: Some(walk), position: Position::frame(last), ..Cue::default() };
    assert!(posed(&tracks.cue()) == posed(&end));
}

#[test]
fn a_crossfade_does_not_sag_where_both_animations_move() {
    let character = character();
    let mut tracks = Tracks::new(1.0);
    assert_eq!(arm(&character, &tracks), [0.0; 3], "nothing is played");
    tracks.play(character.model(), 0, id(&character, "up"), false);
    assert_eq!(advance(&mut tracks, &character, 0.0), "0 up starts");
    assert_eq!(arm(&character, &tracks), [0.0, 10.0, 0.0]);
    tracks.play(character.model(), 0, id(&character, "wide"), false);
    assert_eq!(advance(&mut tracks, &character, 0.25), "0 up is interrupted, 0 wide starts");
    assert_eq!(arm(&character, &tracks), [2.5, 7.5, 0.0], "on the straight line");
    advance(&mut tracks, &character, 0.5);
    assert_eq!(arm(&character, &tracks), [7.5, 2.5, 0.0]);
    advance(&mut tracks, &character, 0.25);
    assert_eq!(arm(&character, &tracks), [10.0, 0.0, 0.0]);
    assert_eq!(advance(&mut tracks, &character, 0.25), "0 up ends");
}

#[test]
fn bones_that_the_next_animation_does_not_move_return_to_rest() {
    let character = character();
    let mut tracks = Tracks::new(1.0);
    tracks.play(character.model(), 0, id(&character, "turned"), true);
    advance(&mut tracks, &character, 0.0);
    tracks.play(character.model(), 0, id(&character, "up"), true);
    advance(&mut tracks, &character, 0.25);
    assert_eq!(arm(&character, &tracks), [0.0, 2.5, 67.5]);
}

#[test]
fn tracks_override_each_other_and_fade_out() {
    let character = character();
    let mut tracks = Tracks::new(0.0);
    tracks.play(character.model(), 0, id(&character, "up"), true);
    tracks.play(character.model(), 3, id(&character, "wide"), true);
    assert_eq!(advance(&mut tracks, &character, 0.0), "0 up starts, 3 wide starts");
    assert_eq!(arm(&character, &tracks), [10.0, 0.0, 0.0]);
    tracks.fade_out(3, 1.0);
    assert_eq!(
        advance(&mut tracks, &character, 0.25),
        "3 wide is interrupted, 3 nothing starts, 3 nothing is complete"
    );
    assert_eq!(arm(&character, &tracks), [7.5, 2.5, 0.0], "the track below appears");
    assert_eq!(advance(&mut tracks, &character, 0.75), "0 up fires, 0 up is complete, 3 wide is complete");
    assert_eq!(advance(&mut tracks, &character, 0.25), "3 wide ends");
    assert_eq!(advance(&mut tracks, &character, 0.0), "3 nothing ends");
    tracks.fade_out(3, 1.0);
    tracks.fade_out(7, f64::NAN);
    assert_eq!(advance(&mut tracks, &character, f64::NAN), "", "there is nothing to fade out");
    assert_eq!(arm(&character, &tracks), [0.0, 10.0, 0.0]);
}

#[test]
fn queued_animations_start_in_time() {
    let character = character();
    let mut tracks = Tracks::new(0.25);
    tracks.queue(character.model(), 0, id(&character, "up"), true, 0.0);
    tracks.queue(character.model(), 0, id(&character, "wide"), false, 0.0);
    tracks.queue(character.model(), 0, id(&character, "turned"), false, 0.5);
    assert_eq!(advance(&mut tracks, &character, 0.5), "0 up starts, 0 up fires");
    assert_eq!(advance(&mut tracks, &character, 0.25), "");
    // The current iteration ends at 0.75 s plus the fade.
    assert_eq!(advance(&mut tracks, &character, 0.125), "0 up is interrupted, 0 wide starts");
    assert_eq!(arm(&character, &tracks), [5.0, 5.0, 0.0]);
    advance(&mut tracks, &character, 0.375);
    assert_eq!(advance(&mut tracks, &character, 0.125), "0 wide is interrupted, 0 turned starts");
    // Playing another animation replaces the queue at once.
    tracks.play(character.model(), 0, id(&character, "up"), true);
    tracks.play(character.model(), 0, id(&character, "wide"), true);
    let events = advance(&mut tracks, &character, 0.0);
    assert!(
        events.starts_with("0 turned is interrupted, 0 up starts, 0 up is interrupted, 0 up ends, 0 wide starts"),
        "{events}"
    );
}
