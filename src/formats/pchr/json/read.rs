//! JSON → [`Document`]. Accepts the names of both forms: `parent` and `parentIdx`, `image` and `imageIdx`,
//! `indices` and `triangles`, `boneIds` with `boneWeights` and `bones`.
//!
//! Numbers become `f32`; vertices and frames are packed as in v1 while they are read.

use std::fmt;
use std::marker::PhantomData;

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, SeqAccess, Visitor};

use super::shared::{Influence, Transform};
use crate::bytes::Writer;
use crate::diagnostics::Diagnostics;
use crate::error::{Error, Place, Result};
use crate::formats::detect::json::JsonText;
use crate::formats::detect::pchr::is_pachario;
use crate::formats::json::{self, Oddity, note_boolean, number::Number};
use crate::formats::pchr::document::{At, Document, Kind, LongInfluences, OLDER_WORDS, Sidecar};
use crate::formats::pchr::influences::largest_four;
use crate::formats::pchr::schema;
use crate::limits::Budget;

/// Reads either form. Loading the pictures is left to the caller: every image is marked as missing.
///
/// An error in the text or in a single value ends the reading, even if `diagnostics` collects errors.
pub(crate) fn read(
    text: JsonText<'_>,
    budget: &mut Budget<'_>,
    diagnostics: &mut Diagnostics,
) -> Result<Document> {
    let JsonText { text, offset } = text.without_bom();
    let mut odd = Diagnostics::default();
    let mut see = |pointer: String, oddity| match oddity {
        Oddity::Ignored(_) => odd.warn("unknown-key", Place::inside(pointer), "unknown key; it is ignored"),
        Oddity::NumberAsBoolean => note_boolean(Place::inside(pointer), &mut odd),
    };
    let root = json::read::<Root>(text, offset, budget, Some(&mut see)).map_err(|error| explain(text, error));
    // If the file is not a character, its oddities are not worth reporting.
    if !root.as_ref().is_err_and(|error| error.code() == "unknown-format") {
        diagnostics.append(odd);
    }
    root?.into_document(is_pachario(text), budget, diagnostics)
}

/// Says what an error about one of the values means for a file of this kind.
fn explain(text: &[u8], mut error: Error) -> Error {
    if error.code() == "json-value"
        && let Some(keys) = foreign_keys(text)
    {
        let message = format!(
            "this JSON is not a supported character: it has {keys}; a PCHR description and Pachario JSON have \
             `bones`, `meshes` and `animations`, Spine JSON has `skeleton`, `bones` and `slots`"
        );
        return Error::unsupported("unknown-format", Place::default(), message);
    }
    if let (Error::Malformed(fault), true) = (&mut error, is_pachario(text)) {
        for (word, older) in OLDER_WORDS.into_iter().chain([("boneIds", "bones")]) {
            fault.message = fault.message.replace(&format!(" field `{word}`"), &format!(" field `{older}`"));
        }
    }
    error
}

/// Lists the keys of an object that is not a character.
fn foreign_keys(text: &[u8]) -> Option<String> {
    let keys: std::collections::BTreeMap<String, serde::de::IgnoredAny> = serde_json::from_slice(text).ok()?;
    let ours = ["bones", "meshes", "images"].iter().filter(|key| keys.contains_key(**key)).count();
    if ours >= 2 {
        return None;
    }
    let shown: Vec<String> = keys.keys().take(5).map(|key| format!("`{key}`")).collect();
    Some(if shown.is_empty() { "no keys".to_owned() } else { shown.join(", ") })
}

#[derive(Deserialize)]
struct Root {
    version: u32,
    fps: u16,
    #[serde(default)]
    flags: u16,
    images: Vec<Image>,
    bones: Vec<schema::Bone>,
    meshes: Vec<Mesh>,
    animations: Vec<Animation>,
}

#[derive(Deserialize)]
struct Image {
    name: String,
    width: u16,
    height: u16,
    #[serde(default)]
    format: schema::ImageFormat,
    path: String,
}

#[derive(Deserialize)]
struct Mesh {
    name: String,
    #[serde(alias = "imageIdx")]
    image: i64,
    vertices: Vertices,
    #[serde(alias = "triangles")]
    indices: Indices,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Vertex {
    x: f32,
    y: f32,
    u: f32,
    v: f32,
    bone_ids: Option<Vec<u16>>,
    bone_weights: Option<Vec<f32>>,
    bones: Option<Vec<Influence>>,
}

#[derive(Deserialize)]
struct Animation {
    name: String,
    #[serde(rename = "loop")]
    is_looping: bool,
    flags: Option<u8>,
    frames: Frames,
}

/// Packed vertices, and separately those with more than four influences.
#[derive(Default)]
struct Vertices {
    packed: Writer,
    count: usize,
    long: Vec<(usize, Vec<(u16, f32)>)>,
}

/// Packed indices.
#[derive(Default)]
struct Indices(Writer);

/// Packed frames.
#[derive(Default)]
struct Frames {
    packed: Writer,
    count: usize,
    /// Number of transforms of the first frame.
    bones: usize,
    /// The first frame with a different number, and that number.
    ragged: Option<(usize, usize)>,
}

impl Vertex {
    /// Returns all influences in either notation.
    fn influences<E: serde::de::Error>(&mut self) -> Result<Vec<(u16, f32)>, E> {
        match (self.bone_ids.take(), self.bone_weights.take(), self.bones.take()) {
            (Some(ids), Some(weights), None) if ids.len() == weights.len() => {
                Ok(ids.into_iter().zip(weights).collect())
            }
            (Some(ids), Some(weights), None) => Err(E::custom(format_args!(
                "{} `boneIds` but {} `boneWeights`; each bone needs one weight",
                ids.len(),
                weights.len()
            ))),
            (None, None, Some(bones)) => {
                Ok(bones.into_iter().map(|Influence { idx, weight: Number(weight) }| (idx, weight)).collect())
            }
            (None, Some(_), None) | (None, None, None) => Err(E::missing_field("boneIds")),
            (Some(_), None, None) => Err(E::missing_field("boneWeights")),
            (_, _, Some(_)) => {
                Err(E::custom("influences are given by either `bones` or `boneIds` and `boneWeights`, not both"))
            }
        }
    }
}

/// A vertex and its influences in either notation. Read as one value, so that errors are reported for the vertex.
struct WithInfluences(Vertex, Vec<(u16, f32)>);

impl<'de> Deserialize<'de> for WithInfluences {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut vertex = Vertex::deserialize(deserializer)?;
        let influences = vertex.influences()?;
        Ok(Self(vertex, influences))
    }
}

/// A transform with all flags in one byte.
struct WithFlags(schema::BoneTransform);

impl<'de> Deserialize<'de> for WithFlags {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let transform = Transform::deserialize(deserializer)?;
        let Transform { x, y, rotation, scale_x, scale_y, visible, flags: extra, z_order } = transform;
        let [Number(x), Number(y), Number(rotation), Number(scale_x), Number(scale_y)] =
            [x, y, rotation, scale_x, scale_y];
        let flags = flags(visible, "visible", extra)?;
        Ok(Self(schema::BoneTransform { x, y, rotation, scale_x, scale_y, flags, z_order }))
    }
}

/// Combines bit 0 with the optional `flags`.
fn flags<E: serde::de::Error>(bit: bool, name: &str, flags: Option<u8>) -> Result<u8, E> {
    match flags {
        Some(flags) if (flags & 1 != 0) != bit => {
            Err(E::custom(format_args!("bit 0 of `flags` ({flags}) contradicts `{name}` ({bit})")))
        }
        Some(flags) => Ok(flags),
        None => Ok(bit.into()),
    }
}

/// Calls `each` with the entries of a list, which is `what` the file should have there.
fn for_each<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    deserializer: D,
    what: &'static str,
    each: impl FnMut(T),
) -> Result<(), D::Error> {
    struct Each<F, T>(&'static str, F, PhantomData<T>);
    impl<'de, F: FnMut(T), T: Deserialize<'de>> Visitor<'de> for Each<F, T> {
        type Value = ();

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str(self.0)
        }

        fn visit_seq<A: SeqAccess<'de>>(mut self, mut list: A) -> Result<(), A::Error> {
            while let Some(entry) = list.next_element()? {
                (self.1)(entry);
            }
            Ok(())
        }
    }
    deserializer.deserialize_seq(Each(what, each, PhantomData))
}

impl<'de> Deserialize<'de> for Vertices {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut out = Self::default();
        for_each(deserializer, "a list of vertices", |WithInfluences(vertex, influences)| {
            let (bone_ids, bone_weights) = largest_four(&influences);
            let Vertex { x, y, u, v, .. } = vertex;
            let vertex = schema::Vertex { x, y, u, v, bone_ids, bone_weights };
            out.packed.bytes(&vertex.record());
            if influences.len() > 4 {
                out.long.push((out.count, influences));
            }
            out.count += 1;
        })?;
        Ok(out)
    }
}

impl<'de> Deserialize<'de> for Indices {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut out = Self::default();
        for_each(deserializer, "a list of vertex indices", |index: u16| out.0.bytes(&index.to_le_bytes()))?;
        Ok(out)
    }
}

impl<'de> Deserialize<'de> for Frames {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Packer;
        impl<'de> Visitor<'de> for Packer {
            type Value = Frames;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list of frames")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Frames, A::Error> {
                let mut out = Frames::default();
                while let Some(bones) = list.next_element_seed(FrameOf(&mut out.packed))? {
                    if out.count == 0 {
                        out.bones = bones;
                    } else if out.bones != bones && out.ragged.is_none() {
                        out.ragged = Some((out.count, bones));
                    }
                    out.count += 1;
                }
                Ok(out)
            }
        }
        deserializer.deserialize_seq(Packer)
    }
}

/// Packs one frame and returns its number of transforms.
struct FrameOf<'a>(&'a mut Writer);

impl<'de> DeserializeSeed<'de> for FrameOf<'_> {
    type Value = usize;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<usize, D::Error> {
        let mut count = 0;
        for_each(deserializer, "a list of bone transforms", |WithFlags(transform)| {
            self.0.bytes(&transform.record());
            count += 1;
        })?;
        Ok(count)
    }
}

impl Root {
    fn into_document(
        self,
        is_pachario: bool,
        budget: &mut Budget<'_>,
        diagnostics: &mut Diagnostics,
    ) -> Result<Document> {
        let kind = if is_pachario { Kind::PacharioJson } else { Kind::Description };
        if self.version != schema::VERSION {
            let message =
                format!("this is version {}; only version {} is supported", self.version, schema::VERSION);
            return Err(Error::unsupported("unknown-version", Place::inside("/version"), message));
        }
        let counts = [self.images.len(), self.bones.len(), self.meshes.len(), self.animations.len()];
        for (list, count) in ["/images", "/bones", "/meshes", "/animations"].into_iter().zip(counts) {
            budget.charge_records(count as u64, || Place::inside(list))?;
            check_count(count, || Place::inside(list))?;
        }
        let mut document = Document { kind, ..Document::default() };
        document.file = schema::File { fps: self.fps, flags: self.flags, ..schema::File::default() };
        if self.flags != 0 {
            let message = format!("reserved bits are set ({:#06x}); v1 requires 0", self.flags);
            diagnostics.warn("reserved-bits", Place::inside("/flags"), message);
        }
        for Image { name, width, height, format, path } in self.images {
            let format = format.code();
            document.file.images.push(schema::Image { name, width, height, format, ..Default::default() });
            document.sidecars.push(Sidecar { path, missing: Some("the picture is not loaded".to_owned()) });
        }
        document.file.bones = self.bones;
        for (index, mesh) in self.meshes.into_iter().enumerate() {
            mesh.add_to(&mut document, index, diagnostics)?;
        }
        for (index, animation) in self.animations.into_iter().enumerate() {
            animation.add_to(&mut document, index, diagnostics)?;
        }
        Ok(document)
    }
}

/// Refuses counts beyond the limits of v1, whose indices have 16 bits.
fn check_count(count: usize, place: impl FnOnce() -> Place) -> Result<()> {
    if count <= u16::MAX.into() {
        return Ok(());
    }
    Err(Error::unsupported("too-many", place(), format!("{count} entries; at most {} are supported", u16::MAX)))
}

impl Mesh {
    fn add_to(self, document: &mut Document, index: usize, diagnostics: &mut Diagnostics) -> Result<()> {
        let Self { name, image, vertices, indices: Indices(indices) } = self;
        check_count(vertices.count, || document.place(At::Mesh(index, "vertices")))?;
        let image = match u16::try_from(image) {
            Ok(image) => image,
            // Pachario meshes can be played without a picture.
            Err(_) if document.kind.is_pachario() => u16::MAX,
            Err(_) => {
                let count = document.file.images.len();
                let message = format!("image {image} does not exist, the file has {count}");
                let place = document.place(At::Mesh(index, "image"));
                diagnostics.reject(Error::malformed("image-out-of-range", place, message))?;
                0
            }
        };
        let mut indices = indices.into_bytes()?;
        let count = indices.len() / 2;
        if !count.is_multiple_of(3) {
            let place = document.place(At::Mesh(index, "indices"));
            let message = format!("{count} is not a multiple of 3; a triangle has three indices");
            diagnostics.reject(Error::malformed("partial-triangle", place, message))?;
            indices.truncate(count / 3 * 6);
        }
        let long = vertices.long.into_iter();
        document.long_influences.extend(long.map(|(vertex, influences)| LongInfluences {
            mesh: index,
            vertex,
            influences,
        }));
        let vertices = vertices.packed.into_bytes()?.into();
        document.file.meshes.push(schema::Mesh { name, image, vertices, indices: indices.into(), offset: 0 });
        Ok(())
    }
}

impl Animation {
    fn add_to(self, document: &mut Document, index: usize, diagnostics: &mut Diagnostics) -> Result<()> {
        let Self { name, is_looping, flags: extra, frames } = self;
        let place = |document: &Document, field| document.place(At::Animation(index, field));
        check_count(frames.count, || place(document, "frames"))?;
        let flags = flags::<serde::de::value::Error>(is_looping, "loop", extra)
            .map_err(|error| Error::malformed("json-value", place(document, "flags"), error.to_string()))?;
        let bone_count = document.file.bones.len();
        let ragged = if frames.count > 0 && frames.bones != bone_count { Some((0, frames.bones)) } else { None };
        let mut packed = frames.packed.into_bytes()?;
        let mut frame_count = frames.count;
        if let Some((frame, found)) = ragged.or(frames.ragged) {
            let message = format!("this frame has {found} transforms, but the skeleton has {bone_count} bones");
            diagnostics.reject(Error::malformed(
                "frame-length",
                document.place(At::Frame(index, frame)),
                message,
            ))?;
            document.cut_animations.push(index);
            frame_count = frame;
            packed.truncate(frame * bone_count * schema::BoneTransform::SIZE);
        }
        document.file.animations.push(schema::Animation {
            name,
            flags,
            frame_count: frame_count as u16,
            frames: packed.into(),
            offset: 0,
        });
        Ok(())
    }
}
