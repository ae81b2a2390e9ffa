//! A picture of the game, drawn on the CPU.

use pchr::cpu::Renderer;
use pchr::draw::{Antialias, DrawList, Filter, Picture, Settings, View};
use pchr::model::Model;

use super::{Game, Lists};

const SKY: [[f32; 3]; 2] = [[150.0, 186.0, 214.0], [236.0, 224.0, 200.0]];
const GROUND: [u8; 4] = [126, 140, 92, 255];

pub struct Painter {
    hero: Renderer,
    lamp: Renderer,
    knight: Renderer,
}

impl Painter {
    pub fn new(game: &Game) -> Self {
        let [hero, lamp, knight] = [&game.hero.animator, &game.lamp, &game.crowd.knights[0]]
            .map(|animator| Renderer::new(animator.model()));
        Self { hero, lamp, knight }
    }

    /// Draws the whole game.
    pub fn paint(&mut self, game: &mut Game, view: &View) -> pchr::Result<Picture> {
        let mut lists = Lists::default();
        game.build(view, &mut lists)?;
        let mut picture = background(view);
        let knight = game.crowd.knights[0].model();
        for list in &game.crowd.lists {
            draw_over(&mut self.knight, knight, list, view, &mut picture);
        }
        let hero = game.hero.animator.model();
        draw_over(&mut self.hero, hero, &lists.behind, view, &mut picture);
        draw_over(&mut self.lamp, game.lamp.model(), &lists.lamp, view, &mut picture);
        draw_over(&mut self.hero, hero, &lists.front, view, &mut picture);
        Ok(picture)
    }
}

/// Draws a list over a picture.
fn draw_over(renderer: &mut Renderer, model: &Model, list: &DrawList, view: &View, picture: &mut Picture) {
    let mut layer = Picture::default();
    let settings = Settings { filter: Filter::Auto, antialias: Antialias::Ssaa2 };
    renderer.render(model, list, view, settings, &mut layer);
    layer.lay_over(|x, y| picture.pixel(x, y));
    *picture = layer;
}

fn background(view: &View) -> Picture {
    let mut picture = Picture::default();
    picture.reset(view.width(), view.height());
    let horizon = view.pixel_from_world(pchr::math::vec2(0.0, 44.0)).y as u32;
    picture.lay_over(|_, y| {
        if y >= horizon {
            return GROUND;
        }
        let share = y as f32 / horizon as f32;
        let [r, g, b] = [0, 1, 2].map(|at| (SKY[0][at] + (SKY[1][at] - SKY[0][at]) * share) as u8);
        [r, g, b, 255]
    });
    picture
}
