//! Pictures for a background: what they have in common with pictures for none.

use crate::scenes;
use pchr::cpu::{Renderer, Threads};
use pchr::draw::{Antialias, Picture, Settings, View};

fn colors(view: &View) -> Picture {
    let mut picture = Picture::default();
    picture.reset(view.width(), view.height());
    picture.lay_over(|x, y| [(x * 3) as u8, 255 - y as u8, 99, 255]);
    picture
}

#[test]
fn only_blended_sprites_depend_on_what_is_behind() {
    let mut blended = 0;
    for scene in scenes::scenes() {
        scene.with_list(1.0, |model, list, view, settings| {
            let behind = colors(&view);
            let (mut alone, mut over, mut again) = (Picture::default(), Picture::default(), Picture::default());
            let mut renderer = Renderer::new(model);
            renderer.render(model, list, &view, settings, &mut alone);
            renderer.render_over(model, list, &view, settings, &behind, &mut over);
            assert_eq!(over == alone, !list.blends_with_background(), "{}", scene.name);
            // Alpha is the coverage in both.
            let is_same = |(a, b): (&[u8], &[u8])| a[3] == b[3];
            assert!(over.pixels().chunks(4).zip(alone.pixels().chunks(4)).all(is_same), "{}", scene.name);
            blended += u32::from(over != alone);
            let mut single = Renderer::new(model).with_threads(Threads::One);
            single.render_over(model, list, &view, settings, &behind, &mut again);
            assert!(again == over, "{}: with one thread", scene.name);
        });
    }
    assert!(blended >= 2, "{blended}");
}

#[test]
fn nothing_behind_is_like_no_background() {
    for scene in scenes::scenes() {
        scene.with_list(1.0, |model, list, view, settings| {
            for antialias in [settings.antialias, Antialias::Msaa4, Antialias::Ssaa2] {
                let settings = Settings { antialias, ..settings };
                let (mut behind, mut alone, mut over) =
                    (Picture::default(), Picture::default(), Picture::default());
                behind.reset(view.width(), view.height());
                let mut renderer = Renderer::new(model);
                renderer.render(model, list, &view, settings, &mut alone);
                renderer.render_over(model, list, &view, settings, &behind, &mut over);
                assert!(over == alone, "{}, {antialias:?}", scene.name);
            }
        });
    }
}

#[test]
#[should_panic(expected = "the picture behind has 1×1 pixels")]
fn a_picture_behind_of_another_size_is_refused() {
    let scene = &scenes::scenes()[0];
    scene.with_list(1.0, |model, list, view, settings| {
        let mut behind = Picture::default();
        behind.reset(1, 1);
        Renderer::new(model).render_over(model, list, &view, settings, &behind, &mut Picture::default());
    });
}
