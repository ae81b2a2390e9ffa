//! Misuse of the library: ids of another model, emptied data, and numbers that are NaN or infinite.
//!
//! Nothing overflows, hangs or exhausts memory. A wrong index panics with a message that names it, as documented
//! under `# Panics`; everything else gives `None`, an error, or a picture without the nonsensical parts.

mod drawing;
#[cfg(feature = "export")]
mod export;
#[cfg(feature = "convert")]
mod files;
#[cfg(feature = "gpu")]
mod gpu;
mod ids;
mod models;
mod numbers;
mod text;

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::common::v1::{Animation, BoneTransform, File};
use pchr::Character;
use pchr::model::{
    AnimationId, AttachmentId, Bone, BoneId, Event, EventId, ModelBuilder, Path, SkinId, SkinNVertices, Slot,
    SlotId,
};

use crate::common::characters::{limbs, roots};
use crate::common::{bone, read, tiny, triangle};

/// The message that `misuse` panics with.
#[track_caller]
pub fn panic_of<T>(misuse: impl FnOnce() -> T) -> String {
    let Err(panic) = catch_unwind(AssertUnwindSafe(misuse)) else { panic!("it did not panic") };
    let text = panic.downcast_ref::<String>().cloned();
    text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned())).expect("a message")
}

/// Checks that `misuse` panics with a message that contains `part`.
#[track_caller]
pub fn panics<T>(part: &str, misuse: impl FnOnce() -> T) {
    let message = panic_of(misuse);
    assert!(message.contains(part), "it panics with `{message}`, expected `{part}`");
}

/// A character with two bones, one mesh and two animations.
pub fn small() -> Character {
    read(&tiny())
}

/// A character with forty bones, meshes and animations.
pub fn large() -> Character {
    let animation = |index: usize| {
        let frames = vec![vec![BoneTransform::default(); 40]; 3];
        Animation::new(format!("{index}"), true, &frames)
    };
    let mesh = |bone: u16| crate::common::v1::Mesh::new(format!("{bone}"), 0, &triangle(bone), &[0, 1, 2]);
    read(&File {
        bones: roots(40),
        meshes: (0..40).map(mesh).collect(),
        animations: (0..40).map(animation).collect(),
        ..tiny()
    })
}

/// The last ids of a model with forty of everything.
pub struct Foreign {
    pub animation: AnimationId,
    pub attachment: AttachmentId,
    pub bone: BoneId,
    pub event: EventId,
    pub skin: SkinId,
    pub slot: SlotId,
}

pub fn foreign() -> Foreign {
    let mut builder = ModelBuilder::default();
    let mut one = || {
        let bone = Bone::default();
        let event = Event {
            name: "".into(),
            int: 0,
            float: 0.0,
            string: "".into(),
            audio: None,
            volume: 1.0,
            balance: 0.0,
        };
        let skin = pchr::model::Skin::default();
        Foreign {
            animation: builder.animation(Default::default()),
            attachment: builder.attachment(path(SkinNVertices::default())).expect("it hangs on nothing"),
            bone: builder.bone(bone).expect("a root"),
            event: builder.event(event),
            skin: builder.skin(skin).expect("it is empty"),
            slot: builder.slot(Slot::default()).expect("it shows nothing"),
        }
    };
    (0..40).map(|_| one()).last().expect("forty")
}

/// A path without vertices.
fn path(vertices: SkinNVertices) -> pchr::model::Attachment {
    let path = Path { name: "".into(), vertices, closed: false, constant_speed: false, lengths: Box::default() };
    pchr::model::Attachment::Path(path)
}

/// A character for each kind of motion, all with fewer than forty animations.
pub fn of_every_motion() -> Vec<(&'static str, Character)> {
    let mut all = vec![("stored", small()), ("limbs", limbs(3))];
    #[cfg(feature = "formats-all")]
    all.extend([("spine", lamp()), ("flipbook", flipbook())]);
    #[cfg(feature = "convert")]
    all.push(("skelform", skelform()));
    all
}

/// Our own character as Spine JSON.
#[cfg(feature = "formats-all")]
pub fn lamp() -> Character {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/paper-lamp.json");
    Character::open(path).expect("it is valid")
}

/// [`limbs`] as SkelForm.
#[cfg(feature = "convert")]
pub fn skelform() -> Character {
    let character = limbs(3);
    let png = |page: &pchr::model::AtlasPage| {
        pchr::formats::image::encode_png(page.width, page.height, &page.pixels).expect("it fits")
    };
    let pages: Vec<Vec<u8>> = character.model().pages().iter().map(png).collect();
    let written = pchr::formats::skelform::write::write(
        &character,
        &pages,
        &mut pchr::limits::Budget::new(&Default::default()),
    )
    .expect("it fits");
    Character::from_bytes(written.bytes).expect("it is valid")
}

/// Four frames of one pixel.
#[cfg(feature = "formats-all")]
pub fn flipbook() -> Character {
    use pchr::formats::{Grid, ReadOptions, from_bytes, image};
    let png = image::encode_png(4, 1, &[255; 16]).expect("it fits");
    let options = ReadOptions {
        grid: Some(Grid { width: 1, height: 1, count: None, ..Grid::default() }),
        ..ReadOptions::default()
    };
    from_bytes(png, &options, &mut Default::default()).expect("it is valid")
}

/// A character with static bones.
pub fn bones(count: usize) -> Character {
    let bones = (0..count).map(|index| bone(&format!("{index}"), -1)).collect();
    read(&File { bones, meshes: Vec::new(), animations: Vec::new(), images: Vec::new(), ..tiny() })
}

/// The id of the bone at an index.
pub fn ids_of_bones(index: usize) -> Option<BoneId> {
    let mut builder = ModelBuilder::default();
    let bone = Bone::default;
    (0..=index).map(|_| builder.bone(bone()).expect("a root")).last()
}
