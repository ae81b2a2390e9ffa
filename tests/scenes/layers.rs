//! Scenes of blended, tinted, clipped and deformed sprites, built without a file.

use pchr::math::{Affine2, Vec2, vec2};
use pchr::model::{
    AlphaSource, AtlasPage, Attachment, AttachmentId, Blend, Bone, ClipMask, Indices, Influence, Mesh, Model,
    ModelBuilder, PageId, Polygon, SkinNVertices, Slot, SlotId, Tint,
};
use pchr::pose::{DeformSpan, Pose, SlotPose};

/// The sprites in front of a floor that does not fill the picture.
#[derive(Debug, Clone, Copy)]
pub enum Layers {
    /// Two translucent sprites.
    Blended(Blend),
    /// Light and dark colours, of a page with straight and one with premultiplied alpha.
    TwoColours,
    /// A concave mask whose end slot is empty.
    ClippedConcave,
    /// A star with crossing sides.
    ClippedCrossing,
    /// A deformed mask on two bones without end slot, with a second mask inside.
    ClippedWeighted,
    /// A deformed strip of vertices with up to eleven influences.
    Eleven,
}

/// Bones: one fixed, one rotated, one translated; then those of the strip.
const STILL: u32 = 0;
const TURNED: u32 = 1;
const MOVED: u32 = 2;
const STRIP: u32 = 3;
const STRIP_BONES: u32 = 11;

/// Collects slots from back to front.
struct Stage {
    builder: ModelBuilder,
    slots: Vec<SlotId>,
    pose: Pose,
    /// Blend mode of every slot but the floor's.
    blend: Blend,
}

impl Layers {
    /// Returns the model and its pose.
    pub fn build(self) -> (Model, Pose) {
        let blend = if let Self::Blended(blend) = self { blend } else { Blend::Normal };
        let mut stage = Stage::new(blend);
        let floor = stage
            .page("floor", false, |x, y| [30 * x, 200 - 20 * y, if (x + y) % 2 == 0 { 220 } else { 40 }, 255]);
        let glass = |x: u8, y: u8| [255 - 25 * x, 30 * y, 100 + 20 * x, 36 * (y.abs_diff(x) % 8)];
        let straight = stage.page("straight", false, glass);
        let premultiplied = stage.page("premultiplied", true, |x, y| pchr::math::color::premultiply(glass(x, y)));
        let floor = stage.quad(floor, STILL, vec2(30.0, 22.0));
        stage.show(0, floor, Tint::NONE);
        let plain = stage.quad(straight, TURNED, vec2(26.0, 30.0));
        let second = stage.quad(premultiplied, MOVED, vec2(28.0, 18.0));
        let faint = Tint { light: [1.0, 0.7, 0.9, 0.6], dark: None };
        match self {
            Self::Blended(_) => {
                stage.show(1, plain, Tint::NONE);
                stage.show(2, second, faint);
            }
            Self::TwoColours => {
                stage.show(1, plain, Tint { light: [0.9, 0.4, 0.2, 0.8], dark: Some([0.1, 0.3, 0.7]) });
                stage.show(2, second, Tint { light: [1.0; 4], dark: Some([0.0, 0.6, 0.2]) });
            }
            Self::ClippedConcave => {
                let corners = [[-30.0, -28.0], [32.0, -20.0], [4.0, 2.0], [28.0, 33.0], [-34.0, 26.0]];
                let mask = stage.mask(&corners.map(|at| vec![(TURNED, at, 1.0)]), Some(4));
                stage.show(1, mask, Tint::NONE);
                stage.show(2, plain, Tint::NONE);
                stage.show(3, floor, faint);
                // The fourth slot is empty; the slots after it are not clipped.
                stage.show(5, second, faint);
            }
            Self::ClippedCrossing => {
                let corners = [[0.0, 40.0], [24.0, -33.0], [-38.0, 12.0], [38.0, 12.0], [-24.0, -33.0]];
                let mask = stage.mask(&corners.map(|at| vec![(MOVED, at, 1.0)]), None);
                stage.show(1, mask, Tint::NONE);
                stage.show(2, floor, Tint::NONE);
                stage.show(3, second, Tint::NONE);
            }
            Self::ClippedWeighted => {
                let corners =
                    [[-20.0, -30.0], [25.0, -25.0], [10.0, 0.0], [30.0, 30.0], [-26.0, 24.0], [-10.0, -4.0]];
                let both = corners.map(|[x, y]| vec![(STILL, [x, y], 0.4), (TURNED, [y, -x], 0.6)]);
                let mask = stage.mask(&both, None);
                stage.show(1, mask, Tint::NONE);
                stage.deform((0..12u8).map(|at| vec2(f32::from(at % 5) - 2.0, f32::from(at % 3) * 3.0 - 3.0)));
                stage.show(2, plain, Tint::NONE);
                let inner =
                    stage.mask(&[[0.0, 0.0], [9.0, 0.0], [0.0, 9.0]].map(|at| vec![(STILL, at, 1.0)]), Some(3));
                stage.show(3, inner, Tint::NONE);
                stage.show(4, second, faint);
            }
            Self::Eleven => {
                let strip = stage.strip(premultiplied);
                stage.show(1, plain, faint);
                stage.show(2, strip, Tint::NONE);
                let count = strip_influences().iter().map(|(_, list)| list.len()).sum::<usize>();
                stage.deform((0..count).map(|at| vec2((at % 7) as f32 - 3.0, (at % 4) as f32 - 1.5) * 0.8));
            }
        }
        stage.pose.draw_order = stage.slots;
        (stage.builder.build(), stage.pose)
    }
}

impl Stage {
    fn new(blend: Blend) -> Self {
        let mut builder = ModelBuilder::default();
        let mut pose = Pose::default();
        let axes = |x: [f32; 2], y: [f32; 2], at: [f32; 2]| Affine2 {
            matrix2: pchr::math::Mat2::from_cols(x.into(), y.into()),
            translation: at.into(),
        };
        pose.world_from_bone.push(Affine2::IDENTITY);
        pose.world_from_bone.push(axes([0.8, 0.6], [-0.6, 0.8], [-6.0, 5.0]));
        // Mirrored, so its polygons have the opposite winding.
        pose.world_from_bone.push(axes([-1.0, 0.1], [0.2, 0.9], [8.0, -7.0]));
        for bone in 0..STRIP_BONES {
            let along = bone as f32 - 5.0;
            let up = (along * along - 12.0) * 0.5;
            pose.world_from_bone.push(axes([0.9, 0.02 * along], [-0.02 * along, 1.1], [along * 7.0, up]));
        }
        for bone in 0..STRIP + STRIP_BONES {
            let name = format!("{bone}").into();
            builder
                .bone(Bone { name, bone_from_bind: Some(Affine2::IDENTITY), ..Bone::default() })
                .expect("a bone");
        }
        Self { builder, slots: Vec::new(), pose, blend }
    }

    /// Adds a page of eight by eight pixels.
    fn page(&mut self, name: &str, is_premultiplied: bool, texel: impl Fn(u8, u8) -> [u8; 4]) -> PageId {
        let pixels: Vec<u8> =
            (0..8).flat_map(|y| (0..8).map(move |x| (x, y))).flat_map(|(x, y)| texel(x, y)).collect();
        let (name, pixels) = (name.into(), pixels.into());
        let alpha_source = AlphaSource::Stated;
        let page = AtlasPage { name, width: 8, height: 8, pixels, is_premultiplied, alpha_source };
        self.builder.page(page).expect("a page")
    }

    /// Adds a rectangle centred at its bone.
    fn quad(&mut self, page: PageId, bone: u32, half: Vec2) -> AttachmentId {
        let mut vertices = SkinNVertices::default();
        for (x, y) in [(-1.0, -1.0), (-1.0, 1.0), (1.0, 1.0), (1.0, -1.0)] {
            let influence = Influence { position: vec2(x, y) * half, bone, weight: 1.0 };
            vertices.push(vec2(x + 1.0, 1.0 - y) * 0.5, Vec2::ZERO, &[influence]).expect("finite");
        }
        self.mesh(page, vertices, &[[0, 1, 2], [2, 3, 0]])
    }

    fn strip(&mut self, page: PageId) -> AttachmentId {
        let mut vertices = SkinNVertices::default();
        for (uv, influences) in strip_influences() {
            vertices.push(uv, Vec2::ZERO, &influences).expect("finite");
        }
        let row = |at: u16| [[at, at + 1, at + 2], [at + 1, at + 3, at + 2]];
        let triangles: Vec<[u16; 3]> = (0..10).flat_map(|at| row(2 * at)).collect();
        self.mesh(page, vertices, &triangles)
    }

    fn mesh(&mut self, page: PageId, vertices: SkinNVertices, triangles: &[[u16; 3]]) -> AttachmentId {
        let mesh = Mesh {
            name: "mesh".into(),
            page: Some(page),
            vertices: vertices.into(),
            indices: Indices::from_triangles(triangles),
            tint: [1.0, 1.0, 1.0, 0.9],
            outline: Box::default(),
        };
        self.builder.attachment(Attachment::Mesh(mesh)).expect("a mesh")
    }

    /// Adds a polygon whose corners follow bones, each with a position and a weight.
    fn mask(&mut self, corners: &[Vec<(u32, [f32; 2], f32)>], end: Option<usize>) -> AttachmentId {
        let mut vertices = SkinNVertices::default();
        for corner in corners {
            let influence =
                |&(bone, at, weight): &(u32, [f32; 2], f32)| Influence { position: at.into(), bone, weight };
            let influences: Vec<Influence> = corner.iter().map(influence).collect();
            vertices.push(Vec2::ZERO, Vec2::ZERO, &influences).expect("finite");
        }
        if let Some(end) = end {
            self.slot(end);
        }
        let polygon = Polygon { name: "mask".into(), vertices };
        let mask = ClipMask { polygon, end: end.map(|end| self.slots[end]), is_convex: false, is_inverse: false };
        self.builder.attachment(Attachment::ClipMask(mask)).expect("a mask")
    }

    /// Adds slots up to this index.
    fn slot(&mut self, number: usize) {
        while self.slots.len() <= number {
            let name = format!("{}", self.slots.len()).into();
            let blend = if self.slots.is_empty() { Blend::Normal } else { self.blend };
            self.slots.push(self.builder.slot(Slot { name, blend, ..Slot::default() }).expect("a slot"));
            self.pose.slots.push(SlotPose { attachment: None, tint: Tint::NONE, deform: DeformSpan::NONE });
        }
    }

    fn show(&mut self, slot: usize, attachment: AttachmentId, tint: Tint) {
        self.slot(slot);
        self.pose.slots[slot] = SlotPose { attachment: Some(attachment), tint, deform: DeformSpan::NONE };
    }

    /// Deforms the last slot.
    fn deform(&mut self, offsets: impl Iterator<Item = Vec2>) {
        let first = self.pose.deform.len() as u32;
        self.pose.deform.extend(offsets);
        let count = self.pose.deform.len() as u32 - first;
        if let Some(slot) = self.pose.slots.last_mut() {
            slot.deform = DeformSpan { first, count };
        }
    }
}

/// Returns eleven pairs of vertices; each pair's upper vertex has one more influence than that of the previous
/// pair.
fn strip_influences() -> Vec<(Vec2, Vec<Influence>)> {
    let mut vertices = Vec::new();
    for column in 0..STRIP_BONES {
        for (v, count) in [(0.0, column + 1), (1.0, 1)] {
            let influence = |nth: u32| {
                let bone = (column + nth) % STRIP_BONES;
                // The position of the vertex in the space of the bone, in the rest pose.
                let across = (column as f32 - bone as f32) * 7.0;
                let position = vec2(across, 14.0 - 28.0 * v);
                Influence { position, bone: STRIP + bone, weight: 1.0 / count as f32 }
            };
            let uv = vec2(column as f32 / 10.0, v);
            vertices.push((uv, (0..count).map(influence).collect()));
        }
    }
    vertices
}
