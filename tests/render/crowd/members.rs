//! Members in every loop mode, with positions before, in and after their animations.

use std::sync::Arc;

use super::{Drawn, animator, asset, baked, cell_of, cell_view, expect_cell, grid, open};
use crate::common::characters::limbs;
use crate::common::{conformance_files, say};
use pchr::Character;
use pchr::draw::{DrawList, Filter};
use pchr::gpu::{CrowdMember, CrowdOptions};
use pchr::math::Affine2;
use pchr::model::AnimationId;
use pchr::player::LoopMode;

/// Draws members in every loop mode, with positions before, in and after their animations, and compares each.
fn compare(name: &str, character: Character, options: CrowdOptions, filter: Filter) -> usize {
    let Some(mut drawn) = Drawn::new(character, options) else { return 0 };
    let character = Arc::clone(&drawn.character);
    let cell = cell_view(&character);
    let animations: Vec<AnimationId> = character
        .model()
        .animation_ids()
        .filter(|id| character.model().animation(*id).frame_count() > 0)
        .collect();
    let mut members = Vec::new();
    for (number, mode) in LoopMode::ALL.into_iter().cycle().take(16).enumerate() {
        let animation = animations[number % animations.len()];
        let duration = character.model().animation(animation).duration_secs();
        let mut member = CrowdMember::new(animation);
        member.loop_mode = mode;
        member.start_secs = [0.0, -0.37, 0.81, -2.3, 5.55][number % 5] * duration;
        member.speed = [1.0, 0.5, -1.25, 0.0][number / 4];
        members.push(member);
    }
    let (view, place) = grid(&cell, 4, members.len() as u32);
    for (number, member) in (0..).zip(&mut members) {
        member.world_from_character = Affine2::from_translation(place(number));
        drawn.crowd.add(*member);
    }
    let mut compared = 0;
    // Stored frames, the middle between two, and any time.
    for time in [0.0, 0.25, 0.27083, 1.7, 3600.5] {
        let picture = drawn.picture(&view, filter, time);
        for (number, member) in (0..).zip(&members) {
            let animator = animator(&character, member, options.interpolate, time);
            let mut list = DrawList::default();
            animator.build_draw_list(&cell, &mut list);
            let about = format!("{name}, {filter:?}, {time} s, member {number}: {member:?}");
            let found = cell_of(&picture, 4, number);
            compared += expect_cell(&about, &character, &list, cell, filter, &found).inside;
        }
    }
    assert_eq!(drawn.crowd.draw_calls(), 1, "{name}");
    assert!(compared > 10_000, "{name}: only {compared} pixels were compared");
    compared
}

fn compare_all(name: &str, character: &Character) {
    let interpolated = CrowdOptions::default();
    compare(name, character.clone(), interpolated, Filter::Linear);
    compare(name, character.clone(), interpolated, Filter::Auto);
    compare(name, character.clone(), CrowdOptions::interpolate(false), Filter::Linear);
}

#[test]
fn knights_look_like_single_ones() {
    let knight = asset("paper-knight.pchr");
    compare_all("knight", &knight);
}

#[test]
fn limbs_with_mirrored_bones_and_changing_orders_look_like_single_ones() {
    compare_all("limbs", &limbs(7));
}

#[test]
fn baked_spine_characters_look_like_single_ones() {
    compare_all("lamp", &baked(&asset("paper-lamp.json")));
}

#[test]
fn baked_skelform_characters_look_like_single_ones() {
    let files = conformance_files("skelform/samples", "synth-ik.skf");
    let Some(path) = files.first() else { return say("SKIPPED: no SkelForm samples") };
    compare_all("ik test", &baked(&open(path)));
}

#[test]
fn characters_of_the_corpus_look_like_single_ones() {
    let files = conformance_files("pchr", ".pchr");
    for path in files.iter().take(3) {
        compare(&path.display().to_string(), open(path), CrowdOptions::default(), Filter::Auto);
    }
}
