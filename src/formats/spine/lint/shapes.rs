//! Weights that do not add up to 1, texture coordinates outside the picture, edges without vertices, clips that never
//! end, and hulls that binary skeletons cannot store.

use super::{Item, Subject};
use crate::diagnostics::Diagnostics;
use crate::error::escaped;
use crate::formats::spine::build::at;
use crate::formats::spine::schema::{self, AttachmentType, Number};
use crate::formats::spine::version::Version;
use crate::model::{Attachment, WEIGHT_SUM_TOLERANCE};

/// Tolerance of texture coordinates outside 0 to 1: less than half a texel of a picture of 4,096 pixels.
const UV_TOLERANCE: f32 = 1e-4;

/// Scale and distance that no character needs, in setup poses.
const MAX_SCALE: f32 = 100.0;
const MAX_DISTANCE: f32 = 1e6;

/// Reports the first offence of each attachment, and the number of offences.
pub fn check(subject: &Subject<'_>, diagnostics: &mut Diagnostics) {
    // A linked mesh repeats the values of its parent.
    let own = || subject.items().filter(|item| item.json.kind != AttachmentType::LinkedMesh);
    diagnostics
        .warn_all("weight-sum", own().filter_map(|item| weights(&item).map(|found| (at(&item.pointer), found))));
    diagnostics.warn_all(
        "uv-out-of-range",
        own().filter_map(|item| {
            uvs(&item).map(|(index, found)| (at(format!("{}/uvs/{index}", item.pointer)), found))
        }),
    );
    diagnostics.warn_all(
        "mesh-edges",
        own().filter_map(|item| {
            edges(&item).map(|(index, found)| (at(format!("{}/edges/{index}", item.pointer)), found))
        }),
    );
    let distances = |x: Number, y: Number| [("x", x, MAX_DISTANCE), ("y", y, MAX_DISTANCE)];
    // A single pixel as an attachment may be scaled by any number, to cover the screen.
    let bones = subject.root.bones.iter().enumerate().map(|(index, it)| {
        let scales = [("scaleX", it.scale_x, MAX_SCALE), ("scaleY", it.scale_y, MAX_SCALE)];
        (format!("/bones/{index}"), [&distances(it.x, it.y)[..], &scales].concat())
    });
    let attachments = own().map(|Item { pointer, json: it, .. }| (pointer, distances(it.x, it.y).to_vec()));
    diagnostics.warn_all(
        "implausible-setup",
        bones.chain(attachments).filter_map(|(pointer, fields)| {
            let (field, number, most) = fields.into_iter().find(|(_, number, most)| number.0.abs() >= *most)?;
            let message = format!("{} is implausible; characters stay far below {most}", number.0);
            Some((at(format!("{pointer}/{field}")), message))
        }),
    );
    diagnostics.note_all(
        "endless-clip",
        own().filter_map(|item| clip(&item, subject).map(|found| (at(&item.pointer), found))),
    );
    if subject.root.version == Version::Four(2) {
        diagnostics.note_all(
            "skel-hull",
            own().filter_map(|item| hull(&item).map(|found| (at(format!("{}/hull", item.pointer)), found))),
        );
    }
}

fn weights(item: &Item<'_>) -> Option<String> {
    let sums = item
        .attachment
        .listed_vertices()?
        .iter()
        .map(|vertex| vertex.influences.iter().map(|influence| f64::from(influence.weight)).sum::<f64>());
    let mut off = sums.enumerate().filter(|(_, sum)| (sum - 1.0).abs() > WEIGHT_SUM_TOLERANCE);
    let (vertex, sum) = off.next()?;
    Some(format!(
        "the weights of vertex {vertex} add up to {sum:.4}, not to 1, so it is drawn closer to the world's origin or \
         farther from it; affected vertices of `{}`: {}",
        escaped(item.attachment.name()),
        1 + off.count()
    ))
}

fn uvs(item: &Item<'_>) -> Option<(usize, String)> {
    let is_outside = |value: f32| !(-UV_TOLERANCE..=1.0 + UV_TOLERANCE).contains(&value);
    let mut off = item.json.uvs.iter().enumerate().filter(|(_, number)| is_outside(number.0));
    let (index, number) = off.next()?;
    let message = format!(
        "{} is outside 0 to 1: neighbours of the picture on its page are drawn; affected numbers of `{}`: {}",
        number.0,
        escaped(item.attachment.name()),
        1 + off.count()
    );
    Some((index, message))
}

/// Edges connect vertices, whose indices are stored times 2.
fn edges(item: &Item<'_>) -> Option<(usize, String)> {
    let numbers = item.json.uvs.len() as u64;
    let (index, edge) =
        item.json.edges.iter().enumerate().find(|(_, edge)| u64::from(**edge) >= numbers || **edge % 2 == 1)?;
    let message = format!(
        "{edge} is not the index of one of {} vertices, times 2: the editor cannot show this edge",
        numbers / 2
    );
    Some((index, message))
}

/// Binary skeletons of 4.2 do not store the number of triangles: it follows from the vertices and the hull.
fn hull(item: &Item<'_>) -> Option<String> {
    let schema::Attachment { kind: AttachmentType::Mesh, hull, ref triangles, ref uvs, .. } = *item.json else {
        return None;
    };
    let (vertices, corners) = (uvs.len() as u64 / 2, triangles.len() as u64);
    let fitting = (2 * vertices).checked_sub(u64::from(hull) + 2);
    if fitting == Some(corners / 3) {
        return None;
    }
    let expected = fitting.map_or("none".to_owned(), |fitting| fitting.to_string());
    Some(format!(
        "the hull of `{}` has {hull} of {vertices} vertices, which fits {expected} triangles, not {}: a binary skeleton \
         of 4.2 cannot store this mesh",
        escaped(item.attachment.name()),
        corners / 3
    ))
}

fn clip(item: &Item<'_>, subject: &Subject<'_>) -> Option<String> {
    let Attachment::ClipMask(mask) = item.attachment else { return None };
    let end = mask.end?;
    if end.index() > item.slot.index() {
        return None;
    }
    let end = escaped(&subject.model.slot(end).name);
    Some(format!("the clip ends at slot `{end}`, which is not drawn after it, so it clips every slot above"))
}
