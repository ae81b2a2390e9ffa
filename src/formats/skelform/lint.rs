//! Lints of a character without errors: what SkelForm's editor warns about, and what is unused.
//!
//! Each check is one pass over the file.

use std::collections::{HashMap, HashSet};

use super::build::element_name;
use super::normalise::Armature;
use super::read::at;
use super::schema;
use crate::diagnostics::Diagnostics;
use crate::error::{Place, escaped};
use crate::formats::page_alpha::contradiction;
use crate::formats::repeated::repeated;
use crate::model::Model;

/// Why pages must have straight alpha.
const STRAIGHT: &str = "SkelForm pictures have straight alpha";

/// Place and message of a finding.
type Remark = (Place, String);

/// Runs all checks.
pub fn lint(root: &schema::Root<'_>, armature: &Armature<'_>, model: &Model, diagnostics: &mut Diagnostics) {
    // Warnings before notes: once the limit is reached, findings are only counted.
    chains(armature, diagnostics);
    binds(armature, diagnostics);
    let animations = root.animations.iter().map(|animation| animation.name.as_str());
    let styles = root.styles.iter().map(|style| style.name.as_str());
    let mut twice = same_names("animations", animations);
    twice.extend(same_names("styles", styles));
    diagnostics.warn_all("duplicate-name", twice);
    let why = contradiction(model.pages(), STRAIGHT);
    diagnostics.warn_all("doubtful-alpha", why.map(|why| (at("/atlases"), why)));
    equal_orders(armature, diagnostics);
    unused(root, armature, diagnostics);
}

/// Checks for IK families that move nothing.
fn chains(armature: &Armature<'_>, diagnostics: &mut Diagnostics) {
    let without = armature.chains.iter().filter(|chain| chain.target.is_none()).map(|chain| {
        let pointer = chain.pointer.replace("bone_ids", "target_id");
        (at(pointer), "the family has no target, so it moves nothing".to_owned())
    });
    diagnostics.warn_all("ik-without-target", without);
    let short = armature.chains.iter().filter(|chain| chain.bones.len() < 2).map(|chain| {
        let count = match chain.bones.len() {
            0 => "no bone",
            _ => "only one bone",
        };
        (at(&*chain.pointer), format!("the family has {count}, so it moves nothing; it needs at least two"))
    });
    diagnostics.warn_all("short-ik-chain", short);
}

/// Checks for binds without a bone.
fn binds(armature: &Armature<'_>, diagnostics: &mut Diagnostics) {
    let all =
        armature.visuals.iter().flat_map(|visual| visual.binds.iter().enumerate().map(move |bind| (visual, bind)));
    let without = all.filter(|(_, (_, bind))| bind.bone_id.get().is_none()).map(|(visual, (index, _))| {
        let message = "the bind has no bone, so it moves none of its vertices".to_owned();
        (at(format!("{}/binds/{index}/bone_id", visual.pointer)), message)
    });
    diagnostics.warn_all("bind-without-bone", without);
}

/// Reports each duplicate name once, at its second occurrence.
fn same_names<'a>(list: &str, names: impl Iterator<Item = &'a str>) -> Vec<Remark> {
    let remark = |(second, name, _): (usize, &str, usize)| {
        let message = format!("several {list} are called `{}`; a lookup by name finds the first", escaped(name));
        (at(format!("/{list}/{second}/name")), message)
    };
    repeated(names.enumerate()).into_iter().map(remark).collect()
}

/// Checks for visuals with the same order as an earlier one.
fn equal_orders(armature: &Armature<'_>, diagnostics: &mut Diagnostics) {
    let mut first: HashMap<i32, &str> = HashMap::new();
    let mut found = Vec::new();
    // Bones break ties, so they are visited in their order.
    for bone in &armature.bones {
        let Some(visual) = bone.visual.and_then(|visual| armature.visuals.get(visual)) else { continue };
        if let Some(before) = first.get(&visual.rest.order) {
            let (name, before) = (escaped(bone.name), escaped(before));
            let message = format!(
                "`{name}` has the same zindex as `{before}`, {}, and is in front only because its bone comes later",
                visual.rest.order
            );
            found.push((at(format!("{}/zindex", visual.pointer)), message));
        } else {
            first.insert(visual.rest.order, bone.name);
        }
    }
    diagnostics.note_all("equal-z-order", found);
}

/// Checks for textures that are never shown, and atlases without textures.
fn unused(root: &schema::Root<'_>, armature: &Armature<'_>, diagnostics: &mut Diagnostics) {
    let keys = root.animations.iter().flat_map(|animation| &animation.keyframes);
    let keyed = keys.filter(|key| element_name(key) == Some("Texture")).map(|key| key.value_str.as_str());
    let rest = armature.visuals.iter().map(|visual| visual.rest.texture);
    let shown_ones: HashSet<&str> = rest.chain(keyed).collect();
    let textures = root.styles.iter().enumerate().flat_map(|(style, it)| {
        it.textures.iter().enumerate().map(move |(index, texture)| (style, index, texture))
    });
    let never = textures.filter(|(_, _, texture)| !shown_ones.contains(texture.name.as_str()));
    diagnostics.note_all(
        "unused-texture",
        never.map(|(style, index, texture)| {
            let message = format!("no bone shows texture `{}`", escaped(texture.name.as_str()));
            (at(format!("/styles/{style}/textures/{index}/name")), message)
        }),
    );
    let textures = root.styles.iter().flat_map(|style| &style.textures);
    let drawn_from: HashSet<usize> = textures.map(schema::Texture::atlas).collect();
    let empty = root.atlases.iter().enumerate().filter(|(index, _)| !drawn_from.contains(index));
    diagnostics.note_all(
        "unused-image",
        empty.map(|(index, atlas)| {
            let message = format!("no texture is on atlas `{}`", escaped(atlas.filename.as_str()));
            (at(format!("/atlases/{index}")), message)
        }),
    );
}
