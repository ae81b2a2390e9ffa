//! Picking finds exactly what a picture shows.

use pchr::Character;
use pchr::cpu::Renderer;
use pchr::draw::{Antialias, DrawList, Filter, Hit, Picture, Settings, View, pick};
use pchr::math::vec2;
use pchr::model::Attachment;
use pchr::motion::{Cue, Position, evaluate};
use pchr::pose::{Pose, bounds, palette};

/// Compares the pixels of a picture without any filtering with what is picked at their centres.
fn assert_picks_what_is_drawn(file: &str, animation: &str, seconds: f64) {
    let character = Character::open(format!("{}/assets/{file}", env!("CARGO_MANIFEST_DIR"))).unwrap();
    let model = character.model();
    let animation = model.find_animation(animation);
    assert!(animation.is_some());
    let (mut pose, mut matrices) = (Pose::default(), Vec::new());
    evaluate(&character, &Cue { animation, position: Position::Seconds(seconds), ..Cue::default() }, &mut pose);
    palette(model, &pose, &mut matrices);
    let world = bounds(model, &pose, &matrices);
    // Not a whole number of pixels, so that no centre is on an edge between two texels.
    let scale = 47.3 / world.size().max_element();
    let view = View::new(50, 50, vec2(world.min.x, world.max.y), scale);
    let (mut list, mut picture) = (DrawList::default(), Picture::default());
    list.build(model, &pose, &view);
    let settings = Settings { filter: Filter::Nearest, antialias: Antialias::None };
    Renderer::new(model).render(model, &list, &view, settings, &mut picture);
    let (mut hits, mut drawn, mut wrong) = (Vec::new(), 0, 0);
    for y in 0..50 {
        for x in 0..50 {
            let at = view.world_from_pixel(vec2(x as f32 + 0.5, y as f32 + 0.5));
            pick(model, &pose, &matrices, at, 0.0, &mut hits);
            let is_hit = hits.iter().any(|hit| hit.surface.is_some());
            let is_drawn = picture.pixel(x, y)[3] > 0;
            drawn += u32::from(is_drawn);
            wrong += u32::from(is_hit != is_drawn);
        }
    }
    assert!(drawn > 100 && drawn < 2400, "{file}: {drawn} pixels");
    // The renderer rounds vertices to 1/256 pixel, so a few pixels on edges may differ.
    assert!(wrong * 50 <= drawn, "{file}: {wrong} of {drawn} pixels differ");
}

#[test]
fn picking_finds_what_is_drawn() {
    assert_picks_what_is_drawn("paper-knight.pchr", "walk", 0.3);
    assert_picks_what_is_drawn("paper-lamp.json", "hop", 0.2);
}

#[test]
fn hits_are_listed_front_to_back_with_their_bones() {
    let character = Character::open(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/paper-lamp.json")).unwrap();
    let model = character.model();
    let (mut pose, mut matrices, mut hits) = (Pose::default(), Vec::new(), Vec::new());
    evaluate(&character, &Cue::default(), &mut pose);
    palette(model, &pose, &mut matrices);
    let head = model.skeleton().find("head").unwrap();
    let (joint, mut several) = (pose.world_from_bone[head.index()].translation, 0);
    for y in (-40..40).step_by(4) {
        for x in (-40..40).step_by(4) {
            pick(model, &pose, &matrices, joint + vec2(x as f32, y as f32), 0.05, &mut hits);
            let place = |hit: &Hit| pose.draw_order.iter().position(|slot| *slot == hit.slot);
            assert!(hits.is_sorted_by(|front, back| place(front) > place(back)));
            several += usize::from(hits.len() > 1);
            for hit in &hits {
                let Some(surface) = hit.surface else {
                    assert!(matches!(model.attachment(hit.attachment), Attachment::Bounds(_)));
                    continue;
                };
                let mut weights = Vec::new();
                surface.weights(model, model.attachment(hit.attachment).mesh().unwrap(), &mut weights);
                let sum: f32 = weights.iter().map(|(_, weight)| weight).sum();
                assert!((sum - 1.0).abs() < 1e-4 && weights.is_sorted_by(|a, b| a.1 >= b.1), "{weights:?}");
                assert!((surface.barycentric.iter().sum::<f32>() - 1.0).abs() < 1e-4);
                assert!(surface.alpha > 0.05 && surface.alpha <= 1.0);
            }
        }
    }
    assert!(several > 8, "{several} points show several slots");
}
