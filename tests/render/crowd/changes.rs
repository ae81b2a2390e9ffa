//! Members that are added, removed, moved, tinted, and switched to another animation.

use super::{CELL, Drawn, TOLERANCE, asset, cell_of, cell_view, expect_cell, grid};
use crate::common::characters::{image, list_of, moved, quad};
use crate::common::v1::{Animation, BoneTransform, File};
use crate::common::{bone, read};
use pchr::Character;
use pchr::cpu;
use pchr::draw::{Command, DrawList, Filter, Picture, Settings, View};
use pchr::gpu::{CrowdMember, CrowdOptions, MemberId};
use pchr::math::{Affine2, Vec2, vec2};
use pchr::motion::{Cue, Position};
use pchr::pose::SkinMatrix;

/// Three bones in a row, each with a quad, turned and stretched by `turn` and `scale` in a single frame.
fn row(rotations: [f32; 3], scale: f32, shift: f32) -> Vec<BoneTransform> {
    let bone = |(number, rotation): (usize, f32)| BoneTransform {
        rotation,
        scale_x: scale,
        scale_y: 2.0 - scale,
        ..moved(if number == 0 { shift } else { 40.0 }, 0.0)
    };
    rotations.into_iter().enumerate().map(bone).collect()
}

/// A character with animations of one frame each: two poses, and what is between them at a quarter.
fn posed() -> Character {
    let colors = [[255, 40, 40, 255], [40, 255, 40, 255], [40, 40, 255, 255]];
    let rest = (0..3).map(|number| moved(if number == 0 { 0.0 } else { 40.0 }, 0.0)).collect();
    // The second bone turns the short way, through 180°.
    let (from, to) = (row([0.0, 170.0, -30.0], 1.0, 0.0), row([90.0, -170.0, 50.0], 0.5, 16.0));
    let quarter = row([22.5, 175.0, -10.0], 0.875, 4.0);
    read(&File {
        fps: 10,
        images: colors.iter().map(|color| image(1, 1, &[*color])).collect(),
        bones: (0..3).map(|number| bone(&format!("{number}"), number - 1)).collect(),
        meshes: (0..3)
            .map(|number| {
                quad(number, number, [40.0 * f32::from(number), -8.0], [40.0 * f32::from(number) + 36.0, 8.0])
            })
            .collect(),
        animations: vec![
            Animation::new("bind", false, &[rest]),
            Animation::new("from", true, &[from]),
            Animation::new("to", true, &[to]),
            Animation::new("quarter", true, &[quarter]),
        ],
        ..File::default()
    })
}

#[test]
fn a_switch_fades_from_one_animation_to_the_other() {
    let Some(mut drawn) = Drawn::new(posed(), CrowdOptions::default()) else { return };
    let character = drawn.character.clone();
    let animation = |name: &str| character.model().find_animation(name).unwrap();
    let view = View::new(CELL, CELL, vec2(-96.0, 96.0), 1.0);
    let id = drawn.crowd.add(CrowdMember::new(animation("from")));
    drawn.crowd.switch(id, animation("to"), 10.0, 2.0);
    for (time, expected) in [(9.0, "from"), (10.0, "from"), (10.5, "quarter"), (12.0, "to"), (500.0, "to")] {
        let cue = Cue { animation: Some(animation(expected)), ..Cue::default() };
        let list = list_of(&character, &cue, &view);
        let found = drawn.picture(&view, Filter::Linear, time);
        let compared = expect_cell(&format!("{time} s"), &character, &list, view, Filter::Linear, &found);
        assert!(compared.inside > 300, "{compared:?}");
    }
    assert_eq!(drawn.crowd.get(id).unwrap().animation, animation("to"));
}

#[test]
fn a_switch_begins_at_the_start_and_a_change_of_speed_where_it_is() {
    let Some(mut drawn) = Drawn::new(asset("paper-knight.pchr"), CrowdOptions::default()) else { return };
    let character = drawn.character.clone();
    let [walk, jump] = ["walk", "jump"].map(|name| character.model().find_animation(name).unwrap());
    let cell = cell_view(&character);
    let id = drawn.crowd.add(CrowdMember::new(walk));
    drawn.crowd.set_speed(id, 0.5, 2.0);
    let shown = |animation, secs| {
        let cue = Cue {
            animation: Some(animation),
            position: Position::Seconds(secs),
            interpolate: true,
            ..Cue::default()
        };
        list_of(&character, &cue, &cell)
    };
    let found = drawn.picture(&cell, Filter::Linear, 2.7);
    expect_cell("half speed", &character, &shown(walk, 2.35), cell, Filter::Linear, &found);
    drawn.crowd.switch(id, jump, 3.0, 0.0);
    let found = drawn.picture(&cell, Filter::Linear, 3.5);
    expect_cell("another animation", &character, &shown(jump, 0.25), cell, Filter::Linear, &found);
}

/// Draws members over each other with the CPU renderer.
fn drawn_over(character: &Character, members: &[(DrawList, Affine2)], view: &View) -> Picture {
    let mut all = DrawList::default();
    let mut picture = Picture::default();
    let mut renderer = cpu::Renderer::new(character.model());
    // Commands name bones of one palette, so members are drawn one by one and then put over each other.
    picture.reset(view.width(), view.height());
    for (list, place) in members {
        all.clone_from(list);
        all.palette.iter_mut().for_each(|matrix| *matrix = placed(place, matrix));
        let mut own = Picture::default();
        let settings = Settings { filter: Filter::Linear, ..Settings::default() };
        renderer.render(character.model(), &all, view, settings, &mut own);
        let pixels = picture.pixels_mut().as_chunks_mut::<4>().0.iter_mut();
        for (under, over) in pixels.zip(own.pixels().as_chunks::<4>().0) {
            for channel in 0..4 {
                let kept = u32::from(under[channel]) * (255 - u32::from(over[3]));
                under[channel] = (u32::from(over[channel]) + (kept + 127) / 255).min(255) as u8;
            }
        }
    }
    picture
}

fn placed(place: &Affine2, matrix: &SkinMatrix) -> SkinMatrix {
    let turned = |axis: Vec2| place.transform_vector2(axis);
    SkinMatrix {
        x_axis: turned(matrix.x_axis),
        y_axis: turned(matrix.y_axis),
        translation: place.transform_point2(matrix.translation),
    }
}

/// The share of pixels that differ by more than the tolerance.
fn share_off(found: &Picture, expected: &Picture) -> f64 {
    let pixels = found.pixels().as_chunks::<4>().0.iter().zip(expected.pixels().as_chunks::<4>().0);
    let covered = pixels.clone().filter(|(found, expected)| found[3].max(expected[3]) > 0).count();
    let off =
        pixels.filter(|(found, expected)| found.iter().zip(*expected).any(|(a, b)| a.abs_diff(*b) > TOLERANCE));
    assert!(covered > 1000, "{covered}");
    off.count() as f64 / covered as f64
}

#[test]
fn members_are_drawn_in_the_order_of_their_places() {
    let Some(mut drawn) = Drawn::new(posed(), CrowdOptions::default()) else { return };
    let character = drawn.character.clone();
    let names = ["from", "to", "bind", "quarter"];
    let animations = names.map(|name| character.model().find_animation(name).unwrap());
    let view = View::new(CELL, CELL, vec2(-96.0, 96.0), 1.0);
    let place = |number: usize| {
        let turn = Affine2::from_angle(number as f32 * 0.7);
        Affine2::from_translation(vec2(number as f32 * 3.0, -8.0 * number as f32))
            * turn
            * Affine2::from_scale(vec2(1.0, if number == 2 { -1.0 } else { 0.8 }))
    };
    let member = |number: usize| {
        let mut member = CrowdMember::new(animations[number % 4]);
        member.world_from_character = place(number);
        member
    };
    let expected = |numbers: &[usize]| {
        let list = |&number: &usize| {
            let cue = Cue { animation: Some(animations[number % 4]), ..Cue::default() };
            (list_of(&character, &cue, &view), place(number))
        };
        drawn_over(&character, &numbers.iter().map(list).collect::<Vec<_>>(), &view)
    };
    let ids: Vec<MemberId> = (0..6).map(|number| drawn.crowd.add(member(number))).collect();
    let expect = |drawn: &mut Drawn, numbers: &[usize]| {
        // Only edges may differ: drawn the other way round, a third of the pixels do.
        let share = share_off(&drawn.picture(&view, Filter::Linear, 0.0), &expected(numbers));
        assert!(share < 0.06, "{numbers:?}: {share}");
    };
    expect(&mut drawn, &[0, 1, 2, 3, 4, 5]);
    assert_eq!(drawn.crowd.remove(ids[1]), Some(member(1)));
    assert_eq!(drawn.crowd.remove(ids[1]), None);
    expect(&mut drawn, &[0, 2, 3, 4, 5]);
    // Takes the place of the one that was removed, whose number stays invalid.
    let new = drawn.crowd.add(member(7));
    assert_eq!((new.place(), drawn.crowd.len()), (1, 6));
    assert_eq!((drawn.crowd.get(ids[1]), drawn.crowd.get(new)), (None, Some(&member(7))));
    drawn.crowd.set_place(ids[1], Affine2::IDENTITY);
    drawn.crowd.set_tint(ids[1], [0; 4]);
    expect(&mut drawn, &[0, 7, 2, 3, 4, 5]);
    drawn.crowd.set(ids[5], member(8));
    drawn.crowd.set_place(ids[0], place(9));
    drawn.crowd.set(ids[0], member(9));
    expect(&mut drawn, &[9, 7, 2, 3, 4, 8]);
    // A place that is no place hides a member.
    drawn.crowd.set_place(new, Affine2::from_scale(vec2(f32::NAN, 1.0)));
    expect(&mut drawn, &[9, 2, 3, 4, 8]);
}

#[test]
fn members_have_tints() {
    let Some(mut drawn) = Drawn::new(asset("paper-knight.pchr"), CrowdOptions::default()) else { return };
    let character = drawn.character.clone();
    let cell = cell_view(&character);
    let (view, place) = grid(&cell, 2, 4);
    let tints = [[255, 255, 255, 255], [255, 0, 128, 255], [255, 255, 255, 100], [20, 200, 40, 180]];
    let animation = character.model().find_animation("walk").unwrap();
    for (number, tint) in (0..).zip(tints) {
        let id = drawn.crowd.add(CrowdMember::new(animation));
        drawn.crowd.set_place(id, Affine2::from_translation(place(number)));
        drawn.crowd.set_tint(id, tint);
    }
    let picture = drawn.picture(&view, Filter::Linear, 0.0);
    let cue = Cue { animation: Some(animation), ..Cue::default() };
    for (number, tint) in (0..).zip(tints) {
        let mut list = list_of(&character, &cue, &cell);
        let [r, g, b, a] = tint.map(|channel| f32::from(channel) / 255.0);
        for command in &mut list.commands {
            let Command::Sprite(sprite) = command else { continue };
            let light = &mut sprite.color.light;
            *light = [light[0] * r * a, light[1] * g * a, light[2] * b * a, light[3] * a];
        }
        expect_cell(&format!("{tint:?}"), &character, &list, cell, Filter::Linear, &cell_of(&picture, 2, number));
    }
}

#[test]
fn a_view_shows_the_members_inside_it() {
    let Some(mut drawn) = Drawn::new(asset("paper-knight.pchr"), CrowdOptions::default()) else { return };
    let character = drawn.character.clone();
    let cell = cell_view(&character);
    // More than a workgroup, with members outside the view on all sides and in between.
    let (_, place) = grid(&cell, 20, 600);
    let animation = character.model().find_animation("walk").unwrap();
    for number in 0..600 {
        let mut member = CrowdMember::new(animation);
        // Every third one is somewhere else.
        let far = if number % 3 == 1 { vec2(1e6, 0.0) } else { Vec2::ZERO };
        member.world_from_character = Affine2::from_translation(place(number) + far);
        drawn.crowd.add(member);
    }
    let corner = cell.world_from_pixel(Vec2::ZERO) + place(20 * 7 + 5);
    let view = View::new(4 * CELL, 4 * CELL, corner, cell.scale());
    let picture = drawn.picture(&view, Filter::Linear, 0.0);
    let cue = Cue { animation: Some(animation), ..Cue::default() };
    let shown = list_of(&character, &cue, &cell);
    let nothing = DrawList::default();
    for number in 0..16 {
        let member = 20 * (7 + number / 4) + 5 + number % 4;
        let list = if member % 3 == 1 { &nothing } else { &shown };
        let found = cell_of(&picture, 4, number);
        expect_cell(&format!("member {member}"), &character, list, cell, Filter::Linear, &found);
    }
    // Members whose middle is outside the view are drawn, too.
    let side = CELL as f32 / cell.scale();
    let mut inside = 0;
    for away in [vec2(0.55, 0.0), vec2(-0.55, 0.0), vec2(0.0, 0.55), vec2(0.0, -0.55)] {
        let view = View::new(CELL, CELL, cell.world_from_pixel(Vec2::ZERO) + away * side, cell.scale());
        let mut alone = Drawn::new(asset("paper-knight.pchr"), CrowdOptions::default()).unwrap();
        alone.crowd.add(CrowdMember::new(animation));
        let found = alone.picture(&view, Filter::Linear, 0.0);
        inside += expect_cell(&format!("{away}"), &character, &shown, view, Filter::Linear, &found).inside;
    }
    assert!(inside > 500, "{inside}");
}
