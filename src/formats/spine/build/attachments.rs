//! Skins and their attachments. Linked meshes are resolved once all skins are known.

use std::collections::HashSet;
use std::fmt::{self, Display};

use foldhash::HashMap;

use super::constraints::Order;
use super::pictures::{Picture, Pictures};
use super::sequences::{self, Numbered};
use super::vertices::{Wanted, vertices};
use super::{Build, Names, at, escaped_key, find, malformed, missing, optional_color};
use crate::diagnostics::Diagnostics;
use crate::error::{Error, Result, escaped};
use crate::formats::atlas::Region;
use crate::formats::spine::schema::{self, AttachmentType};
use crate::formats::spine::version::Version;
use crate::formats::{Input, Missing, ReadOptions};
use crate::limits::Budget;
use crate::math::angle::sin_cos_degrees;
use crate::math::{Vec2, vec2};
use crate::model::{
    Attachment, AttachmentId, BoneId, ClipMask, Indices, Influence, Mesh, ModelBuilder, Path, Point, Polygon,
    Skin, SkinEntry, SkinId, SkinNVertices, SlotId,
};
use crate::motion::spine::{Rig, Sequence};

/// A region at least this many times as wide or high as its picture has a wrong size. Spine writes the size of the picture;
/// atlases store it smaller, but rarely at a tenth.
const MAX_ENLARGEMENT: f32 = 10.0;

/// The attachments of a file, by name.
pub struct Attached<'a> {
    /// Index by skin, slot and name.
    pub places: HashMap<(u32, u32, &'a str), usize>,
    /// Number of influences, by attachment; `None` if it has errors.
    pub influences: Vec<Option<usize>>,
    /// The names of the atlases, with their unused regions.
    pub unused_regions: Vec<(String, Vec<String>)>,
}

/// One attachment of the file.
struct Item<'a> {
    skin: u32,
    slot: u32,
    key: &'a str,
    json: &'a schema::Attachment<'a>,
}

/// What building an attachment reads and writes.
struct Tools<'t, 'b, 'p> {
    pictures: Pictures<'p>,
    builder: &'t mut ModelBuilder,
    budget: &'t mut Budget<'b>,
    diagnostics: &'t mut Diagnostics,
}

impl<'a> Build<'_, 'a, '_> {
    /// Adds every attachment and skin to the model and the rig.
    pub fn attachments(&mut self, input: &Input<'_>, options: &ReadOptions) -> Result<Attached<'a>> {
        let root = self.root;
        sequences::charge(root, self.budget)?;
        let numbered = numbered_pictures_of(root, MAX_SEARCHED);
        let wanted = pictures_of(root, &numbered);
        let (builder, images) = (&mut self.builder, images_of(root));
        let pictures = Pictures::find(input, options, images, &wanted, builder, self.budget, self.diagnostics)?;
        let items = self.items()?;
        let Self { names, builder, rig, budget, diagnostics, .. } = &mut *self;
        let mut tools = Tools { pictures, builder, budget, diagnostics };
        let places: HashMap<_, _> =
            items.iter().enumerate().map(|(index, item)| ((item.skin, item.slot, item.key), index)).collect();
        let mut all_influences: Vec<Option<usize>> = Vec::with_capacity(items.len());
        for (index, item) in items.iter().enumerate() {
            let pointer = item.pointer(root);
            let made = if item.json.kind == AttachmentType::LinkedMesh {
                source_of(&items, &places, index, root, names).and_then(|(source, owner)| {
                    // The error of the mesh itself has been reported already.
                    if source < index && all_influences[source].is_none() {
                        return Ok(None);
                    }
                    let picture = tools.picture(item, &pointer)?;
                    let (mesh, count) = tools.mesh(item, &items[source], picture, root, rig, &pointer)?;
                    let owner =
                        if item.json.timelines.or(item.json.deform) == Some(false) { index } else { owner };
                    Ok(Some((Attachment::Mesh(mesh), owner, count)))
                })
            } else {
                let made = tools.attachment(item, root, names, rig, &pointer);
                made.map(|(attachment, count)| Some((attachment, index, count)))
            };
            let Some((attachment, deformed_as, influences)) = tools.diagnostics.recover(made)?.flatten() else {
                // A placeholder keeps the indices of the others.
                let bone = BoneId::new(rig.slots[item.slot as usize].bone);
                let point = Point { name: item.key.into(), bone, position: Vec2::ZERO, rotation_radians: 0.0 };
                tools.builder.attachment(Attachment::Point(point))?;
                rig.timed_as.push(AttachmentId::new(index));
                all_influences.push(None);
                continue;
            };
            if let Attachment::Path(path) = &attachment {
                let bones = &mut rig.slots[item.slot as usize].path_bones;
                let moved = path.vertices.influences().iter().map(|influence| influence.bone);
                bones.extend(moved.filter(|&bone| bone != Influence::NO_BONE));
            }
            tools.builder.attachment(attachment)?;
            rig.timed_as.push(AttachmentId::new(deformed_as));
            all_influences.push(Some(influences));
        }
        for (index, item) in items.iter().enumerate() {
            let Some(numbered) = Numbered::of(item.json).filter(|_| all_influences[index].is_some()) else {
                continue;
            };
            let pointer = item.pointer(root);
            let source = match item.json.kind {
                AttachmentType::LinkedMesh => &items[source_of(&items, &places, index, root, names)?.0],
                AttachmentType::Region
                | AttachmentType::Mesh
                | AttachmentType::BoundingBox
                | AttachmentType::Path
                | AttachmentType::Point
                | AttachmentType::Clipping => item,
            };
            tools.sequence(AttachmentId::new(index), (item, source), numbered, root, rig, &pointer)?;
        }
        let links =
            items.iter().zip(&rig.timed_as).filter(|(item, source)| items[source.index()].slot != item.slot);
        rig.followers = links.map(|(item, &source)| (source, item.slot)).collect();
        rig.followers.sort_unstable();
        rig.followers.dedup();
        for slot in &mut rig.slots {
            slot.path_bones.sort_unstable();
            slot.path_bones.dedup();
        }
        let Tools { builder, pictures, diagnostics, .. } = tools;
        let missing = options.missing.unwrap_or_else(|| pictures.missing());
        builder.hide_missing(missing == Missing::Hide);
        let unused_regions = pictures.report(missing, diagnostics);
        self.skins(&items)?;
        self.setup(&places)?;
        Ok(Attached { places, influences: all_influences, unused_regions })
    }

    /// Lists all attachments in file order, and numbers their names.
    fn items(&mut self) -> Result<Vec<Item<'a>>> {
        let root = self.root;
        let count = root.skins.attachments().count();
        let mut items = Vec::with_capacity(count);
        self.names.keys.reserve(count);
        for (skin, json) in (0..).zip(&root.skins.list) {
            for (slot, attachments) in &json.attachments.0 {
                let pointer = || format!("{}/{}", skin_pointer(root, skin), escaped_key(slot.as_str()));
                let Some(slot) = self.diagnostics.recover(find(&self.names.slots, slot, "slot", pointer))? else {
                    continue;
                };
                let slot = slot as u32;
                for (key, json) in &attachments.0 {
                    let count = self.names.keys.len() as u32;
                    self.names.keys.entry((slot, key.as_str())).or_insert(count);
                    items.push(Item { skin, slot, key: key.as_str(), json });
                }
            }
        }
        Ok(items)
    }

    /// Adds the skins to the model and the rig.
    fn skins(&mut self, items: &[Item<'_>]) -> Result<()> {
        let order = Order::of(self.root);
        let mut rest = items.iter().enumerate().peekable();
        for (index, skin) in (0..).zip(&self.root.skins.list) {
            let pointer = |list: &str, at: usize| format!("/skins/{index}/{list}/{at}");
            let mut bones = Vec::with_capacity(skin.bones.len());
            for (at, name) in skin.bones.iter().enumerate() {
                let bone = find(&self.names.bones, name, "bone", || pointer("bones", at));
                bones.extend(self.diagnostics.recover(bone)?.map(BoneId::new));
            }
            let mut constraints = Vec::new();
            for (kind, at, name) in skin.listed() {
                constraints.extend(self.diagnostics.recover(order.find(kind, name, || pointer(kind.name(), at)))?);
            }
            let mut entries = Vec::new();
            let mut keys = Vec::new();
            while let Some((at, item)) = rest.next_if(|(_, item)| item.skin == index) {
                let attachment = AttachmentId::new(at);
                entries.push(SkinEntry {
                    slot: SlotId::new(item.slot as usize),
                    key: item.key.into(),
                    attachment,
                });
                keys.extend(self.names.keys.get(&(item.slot, item.key)).map(|&key| (key, attachment)));
            }
            self.rig.skins.push(crate::motion::spine::Skin { entries: keys, bones: bones.clone(), constraints });
            let color = skin.color.as_ref().and_then(schema::Color::valid);
            self.builder.skin(Skin { name: skin.name.as_str().into(), entries, bones, color })?;
        }
        self.rig.default_skin = self.names.skins.get("default").map(|&skin| SkinId::new(skin as usize));
        Ok(())
    }

    /// Sets the setup pose's attachments. A name that only some skins have is valid.
    fn setup(&mut self, places: &HashMap<(u32, u32, &str), usize>) -> Result<()> {
        let default = self.names.skins.get("default").copied();
        for (index, slot) in (0..).zip(&self.root.slots) {
            let Some(name) = &slot.attachment else { continue };
            let key = self.names.keys.get(&(index, name.as_str())).copied();
            if key.is_none() {
                warn_unknown_key(name, format!("/slots/{index}/attachment"), self.diagnostics);
            }
            self.rig.slots[index as usize].key = key;
            let shown = default.and_then(|skin| places.get(&(skin, index, name.as_str())));
            if let Some(&shown) = shown {
                self.builder.show(SlotId::new(index as usize), AttachmentId::new(shown))?;
            }
        }
        Ok(())
    }
}

pub fn skin_pointer(root: &schema::Root<'_>, skin: u32) -> String {
    if root.skins.is_object {
        format!("/skins/{}", escaped_key(root.skins.list[skin as usize].name.as_str()))
    } else {
        format!("/skins/{skin}/attachments")
    }
}

/// Pointer and slot name of every attachment, in file order.
pub fn attachments_of<'a>(
    root: &'a schema::Root<'a>,
) -> impl Iterator<Item = (String, &'a str, &'a schema::Attachment<'a>)> {
    let slots = (0..)
        .zip(&root.skins.list)
        .flat_map(|(skin, json)| json.attachments.0.iter().map(move |slot| (skin, slot)));
    slots.flat_map(move |(skin, (slot, attachments))| {
        let folder = format!("{}/{}", skin_pointer(root, skin), escaped_key(slot.as_str()));
        attachments
            .0
            .iter()
            .map(move |(key, json)| (format!("{folder}/{}", escaped_key(key.as_str())), slot.as_str(), json))
    })
}

/// The drawable attachments and their keys.
fn drawable<'a>(
    root: &'a schema::Root<'a>,
) -> impl Iterator<Item = (&'a schema::Text<'a>, &'a schema::Attachment<'a>)> {
    let drawn = root.skins.attachments().filter(|(.., json)| json.kind.is_drawn());
    drawn.map(|(_, key, json)| (key, json))
}

/// The folder of loose pictures that the file states.
pub fn images_of<'a>(root: &'a schema::Root<'_>) -> &'a str {
    let images = root.skeleton.as_ref().and_then(|skeleton| skeleton.images.as_ref());
    images.map_or("", schema::Text::as_str)
}

/// The picture names of all sequences, at most `most` of each; for finding the atlas, [`MAX_SEARCHED`] are enough.
pub fn numbered_pictures_of(root: &schema::Root<'_>, most: usize) -> Vec<String> {
    let sequences = drawable(root).filter_map(|(key, json)| Some((key, json, Numbered::of(json)?)));
    sequences
        .flat_map(|(key, json, numbered)| numbered.names(picture_name(key.as_str(), json)).take(most))
        .collect()
}

/// The picture names of all drawable attachments; `numbered` contains the names in sequences.
pub fn pictures_of<'a>(root: &'a schema::Root<'a>, numbered: &'a [String]) -> HashSet<&'a str> {
    let single = drawable(root).filter(|(_, json)| Numbered::of(json).is_none());
    let single = single.map(|(key, json)| picture_name(key.as_str(), json));
    single.chain(numbered.iter().map(String::as_str)).collect()
}

/// The picture name of an attachment, or the start of the names of its sequence: its path, or its name, or its key.
pub fn picture_name<'a>(key: &'a str, json: &'a schema::Attachment<'a>) -> &'a str {
    json.path.as_ref().or(json.name.as_ref()).map_or(key, schema::Text::as_str)
}

impl Item<'_> {
    fn pointer(&self, root: &schema::Root<'_>) -> impl Display {
        fmt::from_fn(|f| {
            let slot = escaped_key(root.slots[self.slot as usize].name.as_str());
            write!(f, "{}/{slot}/{}", skin_pointer(root, self.skin), escaped_key(self.key))
        })
    }

    /// The name of the attachment, or its key.
    fn name(&self) -> &str {
        self.json.name.as_ref().map_or(self.key, schema::Text::as_str)
    }

    /// The name of its picture.
    fn picture(&self) -> &str {
        picture_name(self.key, self.json)
    }
}

/// Maximum number of pictures of a sequence that decide which atlas matches.
pub const MAX_SEARCHED: usize = 1000;

/// Maximum length of a chain of linked meshes. Spine itself only links to meshes directly.
const MAX_LINKS: usize = 64;

/// The field of a linked mesh that names its mesh.
fn parent_field(root: &schema::Root<'_>) -> &'static str {
    if root.version == Version::Four(3) { "source" } else { "parent" }
}

/// The mesh with the vertices of a linked mesh, and the attachment that it directly links to.
fn source_of(
    items: &[Item<'_>],
    places: &HashMap<(u32, u32, &str), usize>,
    linked: usize,
    root: &schema::Root<'_>,
    names: &Names<'_>,
) -> Result<(usize, usize)> {
    let mut owner = None;
    let mut at = linked;
    for _ in 0..=MAX_LINKS {
        let item = &items[at];
        match item.json.kind {
            AttachmentType::LinkedMesh => {}
            AttachmentType::Mesh => return Ok((at, owner.unwrap_or(at))),
            AttachmentType::Region
            | AttachmentType::BoundingBox
            | AttachmentType::Path
            | AttachmentType::Point
            | AttachmentType::Clipping => {
                let pointer = format!("{}/{}", items[linked].pointer(root), parent_field(root));
                return Err(malformed("linked-mesh", pointer, "the parent of a linked mesh must be a mesh"));
            }
        }
        let pointer = |field| format!("{}/{field}", item.pointer(root));
        let Some(parent) = &item.json.parent else {
            return Err(malformed(
                "linked-mesh",
                pointer(parent_field(root)),
                "a linked mesh must name its parent mesh",
            ));
        };
        let skin = match &item.json.skin {
            Some(skin) => Some(find(&names.skins, skin, "skin", || pointer("skin"))? as u32),
            None => names.skins.get("default").copied(),
        };
        let slot = match &item.json.slot {
            Some(slot) => find(&names.slots, slot, "slot", || pointer("slot"))? as u32,
            None => item.slot,
        };
        let found = skin.and_then(|skin| places.get(&(skin, slot, parent.as_str())));
        at = *found.ok_or_else(|| missing("mesh in that skin and slot", parent, pointer(parent_field(root))))?;
        owner = owner.or(Some(at));
    }
    let message = format!("the chain of linked meshes is longer than {MAX_LINKS}");
    Err(malformed("linked-mesh", items[linked].pointer(root), message))
}

impl Tools<'_, '_, '_> {
    /// Builds any attachment but a linked mesh, and counts its influences.
    fn attachment(
        &mut self,
        item: &Item<'_>,
        root: &schema::Root<'_>,
        names: &Names<'_>,
        rig: &Rig,
        pointer: &dyn Display,
    ) -> Result<(Attachment, usize)> {
        let json = item.json;
        let bone = rig.slots[item.slot as usize].bone;
        let name = || item.name().into();
        Ok(match json.kind {
            AttachmentType::Region => {
                let picture = self.picture(item, pointer)?;
                (Attachment::Region(self.region(item, bone, picture, pointer)?), 0)
            }
            AttachmentType::Mesh | AttachmentType::LinkedMesh => {
                let picture = self.picture(item, pointer)?;
                let (mesh, influences) = self.mesh(item, item, picture, root, rig, pointer)?;
                (Attachment::Mesh(mesh), influences)
            }
            AttachmentType::BoundingBox => {
                let vertices = self.polygon(item, 0, rig, pointer)?;
                let influences = vertices.influences().len();
                (Attachment::Bounds(Polygon { name: name(), vertices }), influences)
            }
            AttachmentType::Clipping => {
                let end = match &json.end {
                    None => None,
                    Some(end) => Some(find(&names.slots, end, "slot", || format!("{pointer}/end"))?),
                };
                let vertices = self.polygon(item, 3, rig, pointer)?;
                let influences = vertices.influences().len();
                let polygon = Polygon { name: name(), vertices };
                let end = end.map(SlotId::new);
                // The program takes an inverse mask for a convex one, too.
                let (is_inverse, is_convex) = (json.inverse, json.convex || json.inverse);
                (Attachment::ClipMask(ClipMask { polygon, is_convex, is_inverse, end }), influences)
            }
            AttachmentType::Path => {
                let least = if json.closed { 3 } else { 6 };
                let vertices = self.polygon(item, least, rig, pointer)?;
                let influences = vertices.influences().len();
                if !vertices.len().is_multiple_of(3) {
                    let message = format!("{} vertices; a path has three per knot", vertices.len());
                    return Err(malformed("vertex-count", format!("{pointer}/vertexCount"), message));
                }
                let path = Path {
                    name: name(),
                    vertices,
                    closed: json.closed,
                    constant_speed: json.constant_speed.unwrap_or(true),
                    lengths: rising(&json.lengths),
                };
                if path.lengths.len() < path.curve_count() {
                    let message = format!(
                        "{} lengths for {} curves; each curve needs one",
                        path.lengths.len(),
                        path.curve_count()
                    );
                    return Err(malformed("path-lengths", format!("{pointer}/lengths"), message));
                }
                (Attachment::Path(path), influences)
            }
            AttachmentType::Point => {
                let position = vec2(json.x.0, json.y.0);
                let rotation_radians = json.rotation.0.to_radians();
                (Attachment::Point(Point { name: name(), bone: BoneId::new(bone), position, rotation_radians }), 0)
            }
        })
    }

    /// The picture of an attachment, of a sequence the one at rest.
    fn picture(&mut self, item: &Item<'_>, pointer: &dyn Display) -> Result<Option<Picture>> {
        sequences::check(item.json, pointer, self.diagnostics);
        let Self { pictures, builder, budget, .. } = self;
        let Some(numbered) = Numbered::of(item.json) else {
            return pictures.get(item.picture(), pointer, builder, budget);
        };
        pictures.get(&numbered.name(item.picture(), numbered.rest), pointer, builder, budget)
    }

    /// Adds an attachment for each picture of a sequence except the one at rest, which `rest` shows. Missing pictures
    /// look the same and share one.
    fn sequence(
        &mut self,
        rest: AttachmentId,
        (item, source): (&Item<'_>, &Item<'_>),
        numbered: Numbered,
        root: &schema::Root<'_>,
        rig: &mut Rig,
        pointer: &dyn Display,
    ) -> Result<()> {
        let mut ids = Vec::with_capacity(numbered.count);
        let mut missing = None;
        for (index, name) in numbered.names(item.picture()).enumerate() {
            let Self { pictures, builder, budget, .. } = self;
            let picture = pictures.get(&name, pointer, builder, budget)?;
            let is_missing = picture.is_none();
            let known = if index == numbered.rest { Some(rest) } else { missing.filter(|_| is_missing) };
            if let Some(id) = known {
                ids.push(id);
                continue;
            }
            let made = if item.json.kind == AttachmentType::Region {
                let bone = rig.slots[item.slot as usize].bone;
                self.region(item, bone, picture, pointer).map(Attachment::Region)
            } else {
                self.mesh(item, source, picture, root, rig, pointer).map(|(mesh, _)| Attachment::Mesh(mesh))
            };
            let Some(mut attachment) = self.diagnostics.recover(made)? else { return Ok(()) };
            if let Attachment::Region(mesh) | Attachment::Mesh(mesh) = &mut attachment {
                mesh.name = name.into();
            }
            let id = self.builder.picture(rest, attachment)?;
            if is_missing {
                missing = Some(id);
            }
            ids.push(id);
            rig.timed_as.push(rig.timed_as[rest.index()]);
        }
        rig.sequences.push(Sequence { attachment: rest, pictures: ids });
        Ok(())
    }

    /// Four corners on the slot's bone. If whitespace was stripped from the picture, only the rest is covered.
    fn region(
        &mut self,
        item: &Item<'_>,
        bone: usize,
        picture: Option<Picture>,
        pointer: &dyn Display,
    ) -> Result<Mesh> {
        let json = item.json;
        let picture = picture.map(|picture| self.as_stored(picture, pointer));
        let whole = picture.as_ref().map_or([0.0; 2], |picture| picture.region.whole());
        let size = [json.width, json.height].map(|side| side.map(|side| side.0));
        if let Some(missing) = size.iter().position(Option::is_none) {
            let message = format!(
                "`{}` states no {}, which Spine's own players need; the size of its picture is used",
                escaped(item.name()),
                ["width", "height"][missing]
            );
            self.diagnostics.warn("region-size", at(pointer), message);
        }
        let size = vec2(size[0].unwrap_or(whole[0]), size[1].unwrap_or(whole[1]));
        if picture.is_some() && (size / Vec2::from_array(whole)).max_element() >= MAX_ENLARGEMENT {
            let ([width, height], [own_width, own_height]) = (size.to_array(), whole);
            let message = format!(
                "`{}` is {width}×{height}, but its picture has {own_width}×{own_height} pixels",
                escaped(item.name())
            );
            self.diagnostics.warn("region-size", at(pointer), message);
        }
        let scale = vec2(json.scale_x.0, json.scale_y.0);
        // Fractions of the whole picture, from the lower left.
        let (low, high, uvs) = match &picture {
            Some(Picture { page, region }) => {
                let whole = Vec2::from_array(whole);
                let low = Vec2::from_array(region.offset) / whole;
                let high = low + Vec2::from_array(region.size) / whole;
                let uvs = region.corners().map(|corner| Vec2::from_array(corner) / Vec2::from_array(page.size));
                (low, high, uvs)
            }
            None => (Vec2::ZERO, Vec2::ONE, [Vec2::Y, Vec2::ZERO, Vec2::X, Vec2::ONE]),
        };
        let (sin, cos) = sin_cos_degrees(json.rotation.0);
        let corner = |share: Vec2| {
            let at = (share - 0.5) * size * scale;
            vec2(at.x * cos - at.y * sin, at.x * sin + at.y * cos) + vec2(json.x.0, json.y.0)
        };
        let corners = [low, vec2(low.x, high.y), high, vec2(high.x, low.y)].map(corner);
        self.charge(4, 4, pointer)?;
        let mut vertices = SkinNVertices::with_capacity(4, 4);
        for (position, uv) in corners.into_iter().zip(uvs) {
            let influence = Influence { position, bone: bone as u32, weight: 1.0 };
            let pushed = vertices.push(uv, position, &[influence]);
            pushed.map_err(|_| too_large(pointer))?;
        }
        let page = picture.and_then(|picture| picture.page.id);
        let outline: &[[u16; 2]] = if page.is_none() { &[[0, 1], [1, 2], [2, 3], [3, 0]] } else { &[] };
        Ok(Mesh {
            name: item.name().into(),
            page,
            vertices: vertices.into(),
            indices: Indices::of_rectangle(),
            tint: optional_color(json.color.as_ref(), || format!("{pointer}/color"))?,
            outline: outline.into(),
        })
    }

    /// Spine's players turn the picture of a region only by 90 degrees: any other rotation is shown as it is stored.
    fn as_stored(&mut self, mut picture: Picture, pointer: &dyn Display) -> Picture {
        let Region { name, degrees, .. } = &mut picture.region;
        if matches!(*degrees, 180 | 270) {
            let message = format!(
                "region `{}` of the atlas is rotated by {degrees} degrees; the picture is drawn as it is stored, because \
                 region attachments only support 90",
                escaped(name)
            );
            self.diagnostics.warn("atlas-rotation", at(pointer), message);
            *degrees = 0;
        }
        picture
    }

    /// A mesh with the given picture and the vertices of `source`: itself, or the mesh that it is linked to.
    fn mesh(
        &mut self,
        item: &Item<'_>,
        source: &Item<'_>,
        picture: Option<Picture>,
        root: &schema::Root<'_>,
        rig: &Rig,
        pointer: &dyn Display,
    ) -> Result<(Mesh, usize)> {
        let json = source.json;
        let count = json.uvs.len() / 2;
        let source_pointer = source.pointer(root);
        if !json.uvs.len().is_multiple_of(2) || count > usize::from(u16::MAX) {
            let message =
                format!("{} numbers; expected two per vertex, for at most {} vertices", json.uvs.len(), u16::MAX);
            return Err(malformed("vertex-count", format!("{source_pointer}/uvs"), message));
        }
        let uv = |uv: &[schema::Number; 2]| match &picture {
            Some(Picture { page, region }) => {
                Vec2::from_array(region.on_page([uv[0].0, uv[1].0])) / Vec2::from_array(page.size)
            }
            None => vec2(uv[0].0, uv[1].0),
        };
        let uvs: Vec<Vec2> = json.uvs.as_chunks().0.iter().map(uv).collect();
        if !uvs.iter().all(|uv| uv.is_finite()) {
            return Err(too_large(&source_pointer));
        }
        // Vertices without weights follow the bone of the slot that shows the mesh, even if its source is in another one.
        let vertices = self.vertices(source, item.slot, count, &uvs, rig, &source_pointer)?;
        let influences = vertices.influences().len();
        // A linked mesh has a copy of the triangles.
        self.budget.charge_memory(json.triangles.len() as u64, size_of::<u16>(), || at(pointer))?;
        let page = picture.and_then(|picture| picture.page.id);
        let hull = json.hull.min(count as u32) as u16;
        let edge = |from: u16| [from, if from + 1 < hull { from + 1 } else { 0 }];
        let mesh = Mesh {
            name: item.name().into(),
            page,
            vertices: vertices.into(),
            indices: triangles(json, count, &source_pointer)?,
            tint: optional_color(item.json.color.as_ref(), || format!("{pointer}/color"))?,
            outline: if page.is_none() { (0..hull).map(edge).collect() } else { Box::default() },
        };
        Ok((mesh, influences))
    }

    /// The vertices of a polygon with at least `least` corners.
    fn polygon(
        &mut self,
        item: &Item<'_>,
        least: usize,
        rig: &Rig,
        pointer: &dyn Display,
    ) -> Result<SkinNVertices> {
        let found = item.json.vertex_count;
        let count = found.map_or(item.json.vertices.len() / 2, |count| count as usize);
        if count < least || count > usize::from(u16::MAX) {
            let message = format!("{count} vertices; this type must have {least} to {}", u16::MAX);
            return Err(malformed("vertex-count", format!("{pointer}/vertexCount"), message));
        }
        self.vertices(item, item.slot, count, &[], rig, pointer)
    }

    /// The vertices of `item` in a slot.
    fn vertices(
        &mut self,
        item: &Item<'_>,
        slot: u32,
        count: usize,
        uvs: &[Vec2],
        rig: &Rig,
        pointer: &dyn Display,
    ) -> Result<SkinNVertices> {
        self.charge(count, item.json.vertices.len() / 2, pointer)?;
        let bone = rig.slots[slot as usize].bone as u32;
        let wanted = Wanted { count, bone, bones: rig.bones.len(), uvs, pointer };
        vertices(&item.json.vertices, &wanted)
    }

    fn charge(&mut self, vertices: usize, influences: usize, pointer: &dyn Display) -> Result<()> {
        // A vertex record and an influence have the same size.
        self.budget.charge_memory((vertices + influences) as u64, size_of::<Influence>(), || at(pointer))
    }
}

/// The end of each curve of a path, made ascending: a curve that ends before its predecessor is never reached.
fn rising(lengths: &[schema::Number]) -> Box<[f32]> {
    let mut longest = f32::MIN;
    let longest = lengths.iter().map(|length| {
        longest = longest.max(length.0);
        longest
    });
    longest.collect()
}

fn too_large(pointer: &dyn Display) -> Error {
    malformed("not-finite", pointer, "its numbers are too large")
}

fn triangles(json: &schema::Attachment<'_>, vertices: usize, pointer: &dyn Display) -> Result<Indices> {
    if !json.triangles.len().is_multiple_of(3) {
        let message = format!("{} is not a multiple of 3; a triangle has three indices", json.triangles.len());
        return Err(malformed("partial-triangle", format!("{pointer}/triangles"), message));
    }
    if let Some(at) = json.triangles.iter().position(|&index| index as usize >= vertices) {
        let message = format!("vertex {} does not exist, the mesh has {vertices}", json.triangles[at]);
        return Err(malformed("index-out-of-range", format!("{pointer}/triangles/{at}"), message));
    }
    let triangle = |triangle: &[u32; 3]| triangle.map(|index| index as u16);
    Ok(Indices::from_triangles(&json.triangles.as_chunks().0.iter().map(triangle).collect::<Vec<_>>()))
}

/// Warns of an attachment name that no skin has. Some programs write an empty one for none.
pub fn warn_unknown_key(name: &schema::Text<'_>, pointer: String, diagnostics: &mut Diagnostics) {
    if name.as_str().is_empty() {
        return;
    }
    let message = format!("no skin has an attachment `{}` in this slot; nothing is drawn", escaped(name.as_str()));
    diagnostics.warn("unknown-attachment", at(pointer), message);
}
