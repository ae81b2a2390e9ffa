//! The golden scenes of the CPU renderer: small pictures that together cover all of it.
//!
//! The same code runs in the native test and, as WebAssembly, under Node; the pictures are identical bit for bit.

mod layers;
#[path = "../../examples/make_paper_knight/v1.rs"]
mod v1;

use self::v1::write;
use self::v1::{Animation, Bone, BoneTransform, File, Image, Mesh, Vertex};
use pchr::Character;
use pchr::cpu::Renderer;
use pchr::draw::{Antialias, DrawList, Filter, Picture, Settings, View};
use pchr::math::vec2;
use pchr::model::{Blend, Model};
use pchr::motion::{Cue, Position, evaluate};
use pchr::pose::Pose;

use layers::Layers;

/// A scene to render.
pub struct Scene {
    pub name: &'static str,
    subject: Subject,
    view: View,
    settings: Settings,
}

enum Subject {
    Character { who: Who, animation: &'static str, position: Position },
    Layers(Layers),
}

enum Who {
    Knight,
    /// Four translucent squares of a few texels, rotated and overlapping.
    Panes,
    /// The same without their picture.
    Bare,
}

const KNIGHT: &[u8] = include_bytes!("../../assets/paper-knight.pchr");

/// Returns every scene, in the order of the list of hashes.
pub fn scenes() -> Vec<Scene> {
    let knight = |name, animation, position, antialias| Scene {
        name,
        subject: Subject::Character { who: Who::Knight, animation, position },
        view: View::new(150, 220, vec2(-150.0, 430.0), 0.5),
        settings: Settings { filter: Filter::Linear, antialias },
    };
    let panes = |name, who, scale: f32, filter, antialias| Scene {
        name,
        subject: Subject::Character { who, animation: "turn", position: Position::frame(1) },
        view: View::new(96, 96, vec2(-48.0, 48.0) / scale, scale),
        settings: Settings { filter, antialias },
    };
    let layers = |name, layers, antialias| Scene {
        name,
        subject: Subject::Layers(layers),
        view: View::new(96, 96, vec2(-48.0, 48.0), 1.0),
        settings: Settings { filter: Filter::Linear, antialias },
    };
    vec![
        knight("knight-walk", "walk", Position::frame(5), Antialias::None),
        knight("knight-wave-between", "wave", Position::Seconds(0.7381), Antialias::None),
        knight("knight-jump-msaa4", "jump", Position::frame(9), Antialias::Msaa4),
        knight("knight-idle-ssaa2", "idle", Position::frame(0), Antialias::Ssaa2),
        panes("panes-nearest", Who::Panes, 3.0, Filter::Nearest, Antialias::None),
        panes("panes-linear", Who::Panes, 3.0, Filter::Linear, Antialias::None),
        panes("panes-linear-msaa4", Who::Panes, 1.7, Filter::Linear, Antialias::Msaa4),
        panes("panes-ssaa4", Who::Panes, 0.7, Filter::Auto, Antialias::Ssaa4),
        // The corners are millions of pixels away, so they are clipped near the picture.
        panes("panes-far-inside", Who::Panes, 2.0e6, Filter::Linear, Antialias::None),
        panes("bare-outline", Who::Bare, 3.0, Filter::Auto, Antialias::None),
        layers("blend-additive", Layers::Blended(Blend::Additive), Antialias::None),
        layers("blend-multiply", Layers::Blended(Blend::Multiply), Antialias::None),
        layers("blend-screen", Layers::Blended(Blend::Screen), Antialias::None),
        layers("two-colours", Layers::TwoColours, Antialias::None),
        layers("clip-concave", Layers::ClippedConcave, Antialias::None),
        layers("clip-crossing-msaa4", Layers::ClippedCrossing, Antialias::Msaa4),
        layers("clip-weighted-ssaa2", Layers::ClippedWeighted, Antialias::Ssaa2),
        layers("eleven-influences", Layers::Eleven, Antialias::None),
    ]
}

impl Scene {
    /// Renders the scene. `adjust` may change how the renderer works, but not what it draws.
    #[allow(dead_code, reason = "every test file uses its own part")]
    pub fn render(&self, adjust: impl FnOnce(Renderer) -> Renderer) -> Picture {
        self.with(|model, pose| {
            let (mut list, mut picture) = (DrawList::default(), Picture::default());
            list.build(model, pose, &self.view);
            adjust(Renderer::new(model)).render(model, &list, &self.view, self.settings, &mut picture);
            picture
        })
    }

    /// Calls `show` with the scene's draw list, at `scale` times its size.
    #[allow(dead_code, reason = "every test file uses its own part")]
    pub fn with_list<T>(&self, scale: f32, show: impl FnOnce(&Model, &DrawList, View, Settings) -> T) -> T {
        let size = |side: u32| (side as f32 * scale) as u32;
        let world = self.view.world();
        let corner = vec2(world.min.x, world.max.y);
        let view = View::new(size(self.view.width()), size(self.view.height()), corner, self.view.scale() * scale);
        self.with(|model, pose| {
            let mut list = DrawList::default();
            list.build(model, pose, &view);
            show(model, &list, view, self.settings)
        })
    }

    fn with<T>(&self, show: impl FnOnce(&Model, &Pose) -> T) -> T {
        let (who, animation, position) = match &self.subject {
            Subject::Layers(layers) => {
                let (model, pose) = layers.build();
                return show(&model, &pose);
            }
            Subject::Character { who, animation, position } => (who, *animation, *position),
        };
        let bytes = match who {
            Who::Knight => KNIGHT.to_vec(),
            Who::Panes => panes(true),
            Who::Bare => panes(false),
        };
        let character = Character::from_bytes(bytes).expect("the scene's character is valid");
        let found = character.model().find_animation(animation);
        assert!(found.is_some(), "{} has no animation {animation}", self.name);
        let cue = Cue { animation: found, position, interpolate: true, ..Cue::default() };
        let mut pose = Pose::default();
        evaluate(&character, &cue, &mut pose);
        show(character.model(), &pose)
    }
}

/// Returns a character with four panes, each on its own bone.
fn panes(with_image: bool) -> Vec<u8> {
    let texel =
        |x: u8, y: u8| [40 * x, 60 * y, 255 - 30 * x, if (x + y).is_multiple_of(3) { 255 } else { 60 + 40 * y }];
    let pixels: Vec<u8> = (0..4).flat_map(|y| (0..4).flat_map(move |x| texel(x, y))).collect();
    let image = Image {
        name: "panes".into(),
        width: 4,
        height: 4,
        format: Image::RGBA8888,
        data: pixels.into(),
        offset: 0,
    };
    let corner = |bone: u16, x: f32, y: f32| Vertex {
        x: x * 12.0,
        y: y * 12.0,
        u: (x + 1.0) * 0.5,
        v: (1.0 - y) * 0.5,
        bone_ids: [bone, 0, 0, 0],
        bone_weights: [1.0, 0.0, 0.0, 0.0],
    };
    let square = |bone| [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)].map(|(x, y)| corner(bone, x, y));
    let turned = |bone: u16| BoneTransform {
        x: f32::from(bone % 2) * 9.0 - 4.5,
        y: f32::from(bone / 2) * 9.0 - 4.5,
        rotation: f32::from(bone) * 31.0 + 7.0,
        scale_x: 0.7 + f32::from(bone) * 0.2,
        // Overlaps in an order that differs from the file's.
        z_order: [2, 0, 3, 1][usize::from(bone)],
        ..BoneTransform::default()
    };
    let bones = (0..4u16).map(|bone| Bone { name: format!("bone{bone}"), parent: -1, offset: 0 });
    let file = File {
        fps: 24,
        images: if with_image { vec![image] } else { Vec::new() },
        bones: bones.collect(),
        meshes: (0..4)
            .map(|bone| Mesh::new(format!("pane{bone}"), 0, &square(bone), &[0, 1, 2, 2, 3, 0]))
            .collect(),
        animations: vec![
            Animation::new("bind", false, &[vec![BoneTransform::default(); 4]]),
            Animation::new("turn", true, &[vec![BoneTransform::default(); 4], (0..4).map(turned).collect()]),
        ],
        ..File::default()
    };
    write(&file).expect("the scene's character fits the format")
}
