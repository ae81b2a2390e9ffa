//! What [`compare`](super::compare) finds: plain data, by kind. What is equal in both characters is not listed.
//!
//! Distances are in world units unless they say otherwise, and always finite.

/// Everything in which two characters differ.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Diff {
    /// Animations that only one has, or whose frames, rate, duration, events or looping differ.
    pub animations: Vec<AnimationDifference>,
    /// Bones that only one has, or that have another parent.
    pub bones: Vec<BoneDifference>,
    /// Constraints that only one has, or that differ. Empty where the two move by different kinds of
    /// [`Motion`](crate::motion::Motion).
    pub constraints: Vec<ItemDifference>,
    /// Events that only one has, or whose payload differs. Empty where the kinds of motion differ.
    pub events: Vec<ItemDifference>,
    /// Images that only one has, or that differ in size or pixels.
    pub images: Vec<ImageDifference>,
    /// Meshes that only one has, or that differ in anything but how they move.
    pub meshes: Vec<MeshDifference>,
    /// Animations of both in which something is elsewhere, hidden or in another order.
    pub poses: Vec<PoseDifference>,
    /// How many poses were compared: every stored frame of every animation that both have, and the bind pose.
    pub poses_compared: u64,
    /// Skins that only one has, or that have other attachments or bones. Empty where the kinds of motion differ.
    pub skins: Vec<ItemDifference>,
    /// Slots that only one has, or that differ. Empty where the kinds of motion differ.
    pub slots: Vec<ItemDifference>,
}

impl Diff {
    /// Whether nothing differs.
    pub fn is_empty(&self) -> bool {
        let Self {
            animations,
            bones,
            constraints,
            events,
            images,
            meshes,
            poses,
            poses_compared: _,
            skins,
            slots,
        } = self;
        animations.is_empty()
            && bones.is_empty()
            && constraints.is_empty()
            && events.is_empty()
            && images.is_empty()
            && meshes.is_empty()
            && poses.is_empty()
            && skins.is_empty()
            && slots.is_empty()
    }
}

/// Which of the two characters has something.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum FoundIn {
    /// Only the first.
    A,
    /// Only the second.
    B,
    /// Both.
    #[default]
    Both,
}

/// A name, and which of the items with that name is meant.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Named {
    /// The name in the file.
    pub name: String,
    /// How many items before it have the same name.
    pub occurrence: u32,
}

/// A value that differs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change<T> {
    /// In the first character.
    pub a: T,
    /// In the second character.
    pub b: T,
}

impl<T: PartialEq> Change<T> {
    /// `None` where the values are equal.
    pub(super) fn of(a: T, b: T) -> Option<Self> {
        (a != b).then_some(Self { a, b })
    }
}

/// An image that only one has, or that differs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ImageDifference {
    /// Which of the two has it.
    pub found_in: FoundIn,
    /// Its name; where both have it, the one in the first.
    pub named: Named,
    /// Pixels that differ, where the sizes are equal.
    pub pixels: Option<PixelDifference>,
    /// Width and height in pixels.
    pub size: Option<Change<[u32; 2]>>,
}

/// Pixels that differ.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PixelDifference {
    /// How many. Pixels that are transparent in both are equal.
    pub count: u64,
    /// The largest difference of a channel of straight RGBA.
    pub largest: u8,
}

/// A bone that only one has, or that has another parent.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct BoneDifference {
    /// Which of the two has it.
    pub found_in: FoundIn,
    /// Its name.
    pub named: Named,
    /// Its parent; `None` within the change for a root.
    pub parent: Option<Change<Option<Named>>>,
}

/// A slot, skin, constraint or event that only one has, or that differs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ItemDifference {
    /// The properties that differ; empty where only one has the item.
    pub changes: Vec<PropertyChange>,
    /// Which of the two has it.
    pub found_in: FoundIn,
    /// Its name.
    pub named: Named,
}

/// A property that differs, with both values as text for people. Control characters are escaped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PropertyChange {
    /// The value in the first character.
    pub a: String,
    /// The value in the second character.
    pub b: String,
    /// What the property is called, as `blend`.
    pub property: &'static str,
}

/// A mesh that only one has, or that differs.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct MeshDifference {
    /// The bone whose visibility and draw order it follows; `None` within the change where it follows none.
    pub bone: Option<Change<Option<Named>>>,
    /// Which of the two has it.
    pub found_in: FoundIn,
    /// The image that it shows; `None` within the change where it shows none.
    pub image: Option<Change<Option<Named>>>,
    /// Its name; `skin/slot/name` where the characters have skins.
    pub named: Named,
    /// Its place in the file, where it has moved among the meshes of both.
    pub order: Option<Change<usize>>,
    /// Bind-pose positions that differ.
    pub positions: Option<VertexDifference>,
    /// Triangles that differ.
    pub triangles: Option<TriangleDifference>,
    /// Texture coordinates that differ, in pixels of the image.
    pub uv: Option<VertexDifference>,
    /// How many vertices there are. Where this differs vertices are not compared.
    pub vertices: Option<Change<usize>>,
    /// Weights that differ.
    pub weights: Option<VertexDifference>,
}

/// Vertices that differ by more than the tolerance.
#[derive(Debug, Clone, PartialEq)]
pub struct VertexDifference {
    /// How many.
    pub count: usize,
    /// The largest difference.
    pub largest: f32,
    /// The index of the vertex that has it.
    pub vertex: usize,
}

/// Triangles that differ.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TriangleDifference {
    /// How many the first has.
    pub a: usize,
    /// How many the second has.
    pub b: usize,
    /// How many of those at the same place in both lists have other corners.
    pub different: usize,
}

/// An animation that only one has, or that differs in its description.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct AnimationDifference {
    /// Whether it holds the bind pose and is no motion.
    pub bind_pose: Option<Change<bool>>,
    /// Its duration, where both are keyed.
    pub duration_secs: Option<Change<f64>>,
    /// The first event that differs in its payload or time, as text for people; `None` within the change where one has
    /// no more events.
    pub events: Option<Change<Option<String>>>,
    /// Which of the two has it.
    pub found_in: FoundIn,
    /// Stored frames a second.
    pub fps: Option<Change<f64>>,
    /// How many stored frames there are.
    pub frames: Option<Change<u32>>,
    /// Whether the last frame is followed by the first.
    pub looping: Option<Change<bool>>,
    /// Its name.
    pub named: Named,
}

/// What differs while an animation plays.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PoseDifference {
    /// The animation; `None` is the bind pose.
    pub animation: Option<Named>,
    /// The farthest bone.
    pub bones: Option<FarthestBone>,
    /// Meshes that are drawn in another order.
    pub draw_order: Option<OrderDifference>,
    /// How many frames of it were compared.
    pub frames: u32,
    /// The skin that is worn over the default one.
    pub skin: Option<Named>,
    /// The farthest vertex.
    pub vertices: Option<FarthestVertex>,
    /// Meshes that only one shows.
    pub visibility: Option<VisibilityDifference>,
}

/// A point of a bone that is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BonePart {
    /// Its origin.
    Origin,
    /// The end of its x axis.
    XAxis,
    /// The end of its y axis.
    YAxis,
}

/// The bone that is farthest from where it is in the other character.
#[derive(Debug, Clone, PartialEq)]
pub struct FarthestBone {
    /// The bone.
    pub bone: Named,
    /// How far apart the two are.
    pub distance: f32,
    /// The stored frame in which they are.
    pub frame: u32,
    /// In how many frames any bone differs.
    pub frames: u32,
    /// Which point of the bone it is.
    pub part: BonePart,
}

/// The vertex that is farthest from where it is in the other character.
#[derive(Debug, Clone, PartialEq)]
pub struct FarthestVertex {
    /// How far apart the two are.
    pub distance: f32,
    /// The stored frame in which they are.
    pub frame: u32,
    /// In how many frames any vertex differs.
    pub frames: u32,
    /// The mesh.
    pub mesh: Named,
    /// The index of the vertex in the mesh.
    pub vertex: usize,
}

/// Meshes that are drawn in another order, among those that both show.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrderDifference {
    /// What the first draws at the lowest place that differs.
    pub a: Named,
    /// What the second draws there.
    pub b: Named,
    /// The first stored frame in which the order differs.
    pub frame: u32,
    /// In how many frames it differs.
    pub frames: u32,
}

/// Meshes that are shown in one and hidden in the other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VisibilityDifference {
    /// The first stored frame in which visibility differs.
    pub frame: u32,
    /// In how many frames it differs.
    pub frames: u32,
    /// The first such mesh in that frame.
    pub mesh: Named,
    /// Which of the two shows it.
    pub shown_in: FoundIn,
}
