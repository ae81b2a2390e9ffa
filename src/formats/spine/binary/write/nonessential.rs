//! Finds out whether a document has values that a binary skeleton only stores as nonessential data, and knows their
//! defaults.

use crate::formats::spine::binary::layout::Layout;
use crate::formats::spine::schema::{Attachment, AttachmentType, Root, Slider};

/// The colours in which the editor draws what states none.
pub const BONE_COLOR: [u8; 4] = [0x98, 0x98, 0x98, 0xff];
const BOX_COLOR: [u8; 4] = [0x60, 0xf0, 0x00, 0xff];
const PATH_COLOR: [u8; 4] = [0xff, 0x7f, 0x00, 0xff];
const POINT_COLOR: [u8; 4] = [0xf1, 0xf1, 0x00, 0xff];
const CLIPPING_COLOR: [u8; 4] = [0xce, 0x3a, 0x3a, 0xff];

/// The frame rate of the editor.
pub const FPS: f32 = 30.0;

/// The default colour of an attachment.
pub fn color_of(kind: AttachmentType) -> [u8; 4] {
    match kind {
        AttachmentType::Region | AttachmentType::Mesh | AttachmentType::LinkedMesh => super::WHITE,
        AttachmentType::BoundingBox => BOX_COLOR,
        AttachmentType::Path => PATH_COLOR,
        AttachmentType::Point => POINT_COLOR,
        AttachmentType::Clipping => CLIPPING_COLOR,
    }
}

/// Returns true if the document has nonessential data that the layout can store.
pub fn is_in(root: &Root<'_>, layout: Layout) -> bool {
    let in_head = root
        .skeleton
        .as_ref()
        .is_some_and(|skeleton| skeleton.fps.is_some() || skeleton.images.is_some() || skeleton.audio.is_some());
    let has_more = layout.has_flags();
    let in_bones =
        root.bones.iter().any(|bone| bone.color.is_some() || has_more && (bone.icon.is_some() || !bone.visible));
    let in_one_list = layout.has_one_list()
        && (root.bones.iter().any(|bone| bone.icon_size.is_some() || bone.icon_rotation.is_some())
            || root.animations.0.iter().any(|(_, animation)| animation.color.is_some())
            || root.all::<Slider<'_>>().filter_map(|slider| slider.driver.as_ref()).any(|it| it.max.is_some()));
    let in_slots = has_more && root.slots.iter().any(|slot| !slot.visible);
    let in_skins = has_more && root.skins.list.iter().any(|skin| skin.color.is_some());
    in_head
        || in_bones
        || in_one_list
        || in_slots
        || in_skins
        || root.skins.attachments().any(|(.., attachment)| is_in_attachment(attachment))
}

fn is_in_attachment(attachment: &Attachment<'_>) -> bool {
    let has_size = attachment.width.is_some() || attachment.height.is_some();
    match attachment.kind {
        AttachmentType::Region => false,
        AttachmentType::Mesh => has_size || !attachment.edges.is_empty(),
        AttachmentType::LinkedMesh => has_size,
        AttachmentType::BoundingBox | AttachmentType::Path | AttachmentType::Point | AttachmentType::Clipping => {
            attachment.color.is_some()
        }
    }
}
