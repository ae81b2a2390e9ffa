//! The rows of the table, in the order in which help texts list the formats.

use super::losses::{
    BY_NAME, BY_NUMBER, DIALECT, KEYED, LOOPS, NAMELESS, NO_ORIGIN, NOT_V1, REWRITTEN, ROUNDED, SAMPLED,
    SAMPLED_SPINE, SHEET, SKELFORM, UPGRADED, V1,
};
use super::{Extensions, Family, Format, LossKind, Source, Target};
use crate::formats::{animate, aseprite, detect, pchr, sheet, skelform, spine};

/// All formats, best known first. A build may lack some readers.
pub static FORMATS: &[Format] = &[
    Format {
        family: Family::Pchr,
        name: "pchr",
        brand: if cfg!(feature = "pachario") { "PCHR · Pachario" } else { "PCHR" },
        title: if cfg!(feature = "pachario") {
            "PCHR v1, its JSON description, Pachario JSON and packed Pachario"
        } else {
            "PCHR v1"
        },
        feature: None,
        extensions: Extensions { own: &["pchr"], shared: PCHR_JSON, only_named: &[] },
        is_sheet: false,
        sources: &[
            Source { name: "pchr", about: "PCHR v1" },
            Source { name: "pchr-json", about: "The JSON description of PCHR v1" },
            Source { name: "pachario", about: "Pachario JSON" },
            Source { name: "pachario-packed", about: "Pachario JSON and image in one file" },
        ],
        targets: &[
            target("pchr", "PCHR v1", "pchr", &[SAMPLED, SAMPLED_SPINE, LOOPS, V1]),
            Target {
                has_separate_images: true,
                ..target(
                    "pchr-json",
                    "The JSON description of PCHR v1, images beside it",
                    "json",
                    &[SAMPLED, SAMPLED_SPINE, LOOPS, V1],
                )
            },
            Target {
                has_separate_images: true,
                ..target(
                    "pachario",
                    "Pachario JSON, images beside it",
                    "json",
                    &[SAMPLED, SAMPLED_SPINE, LOOPS, NOT_V1],
                )
            },
            target(
                "pachario-packed",
                "Pachario JSON and image in one file",
                "pchr",
                &[SAMPLED, SAMPLED_SPINE, LOOPS, NOT_V1],
            ),
        ],
        score: detect::pchr::score,
        kind: |bytes| pchr::kind_of(bytes).name(),
        reader: pchr::READER,
    },
    Format {
        family: Family::Spine,
        name: "spine",
        brand: "Spine",
        title: "Spine JSON and .skel 2.1 to 4.3",
        feature: Some("spine"),
        extensions: Extensions { own: &["skel"], shared: &["json"], only_named: &[] },
        is_sheet: false,
        sources: &[Source { name: "spine", about: "Spine JSON or binary (.skel)" }],
        targets: &[
            spine_target("spine", "The same as spine38", "json"),
            spine_target("spine43", "Spine 4.3 JSON, atlas and images beside it", "json"),
            spine_target("spine42", "Spine 4.2 JSON", "json"),
            spine_target("spine41", "Spine 4.1 JSON", "json"),
            spine_target("spine40", "Spine 4.0 JSON", "json"),
            spine_target("spine38", "Spine 3.8 JSON", "json"),
            // The default for its extension.
            spine_target("skel42", "Spine 4.2 binary, atlas and images beside it", "skel"),
            spine_target("skel43", "Spine 4.3 binary", "skel"),
            spine_target("skel41", "Spine 4.1 binary", "skel"),
            spine_target("skel40", "Spine 4.0 binary", "skel"),
            spine_target("skel38", "Spine 3.8 binary", "skel"),
        ],
        score: detect::spine::score,
        kind: |bytes| detect::spine::kind(bytes).unwrap_or("Spine"),
        reader: spine::READER,
    },
    Format {
        family: Family::Sheet,
        name: "sheet",
        brand: "sprite sheets",
        title: "sprite sheets (JSON from Aseprite, TexturePacker or Egret, Starling XML, cocos2d plist, libGDX .atlas, \
        Godot and Unity .tpsheet, .sprsh, PNG with a grid)",
        feature: Some("sheet"),
        extensions: Extensions {
            own: &["sprsh"],
            shared: &["json", "xml", "plist", "atlas", "tpsheet", "tres"],
            only_named: &["png"],
        },
        is_sheet: true,
        sources: &[SHEET_SOURCE],
        targets: &[
            sheet_target(
                "sheet",
                "A sprite sheet as JSON with an array of frames, PNGs beside it",
                &[SHEET, ROUNDED],
            ),
            sheet_target("sheet-hash", "The same with an object of frames by name", &[SHEET, ROUNDED, BY_NAME]),
            sheet_target(
                "sheet-multiatlas",
                "The same with all pages in one JSON, as for Phaser",
                &[SHEET, ROUNDED],
            ),
            Target {
                extension: "sprsh",
                has_separate_images: false,
                ..sheet_target(
                    "sheet-packed",
                    "A sprite sheet as .sprsh, JSON and PNG in one file",
                    &[SHEET, ROUNDED],
                )
            },
            dialect_target("sheet-starling", "Starling XML, a PNG beside it", "xml", &[SHEET, DIALECT, BY_NUMBER]),
            dialect_target(
                "sheet-cocos2d",
                "A property list of cocos2d, a PNG beside it",
                "plist",
                &[SHEET, DIALECT, BY_NUMBER],
            ),
            dialect_target(
                "sheet-libgdx",
                "A libGDX atlas, PNGs beside it",
                "atlas",
                &[SHEET, DIALECT, BY_NUMBER, NO_ORIGIN],
            ),
            dialect_target(
                "sheet-godot",
                "SpriteFrames of Godot 4, a PNG beside it",
                "tres",
                &[SHEET, DIALECT, NAMELESS, NO_ORIGIN, ROUNDED],
            ),
        ],
        score: detect::sheet::score,
        kind: detect::sheet::kind,
        reader: sheet::READER,
    },
    Format {
        family: Family::Aseprite,
        name: "aseprite",
        brand: "Aseprite",
        title: "Aseprite (.aseprite, .ase)",
        feature: Some("aseprite"),
        extensions: Extensions { own: &["aseprite", "ase"], shared: &[], only_named: &[] },
        is_sheet: true,
        sources: &[SHEET_SOURCE],
        targets: &[],
        score: |bytes| if detect::is_aseprite(bytes) { 95 } else { 0 },
        kind: |_| "Aseprite sprite",
        reader: aseprite::READER,
    },
    Format {
        family: Family::SkelForm,
        name: "skelform",
        brand: "SkelForm",
        title: "SkelForm",
        feature: Some("skelform"),
        extensions: Extensions { own: &["skf", "skfe"], shared: &[], only_named: &[] },
        is_sheet: false,
        sources: &[Source { name: "skelform", about: "A SkelForm archive" }],
        targets: &[target(
            "skelform",
            "A SkelForm 0.7 archive",
            "skf",
            &[SAMPLED, SAMPLED_SPINE, NOT_V1, KEYED, SKELFORM, UPGRADED],
        )],
        // The start of any ZIP archive.
        score: |head| if detect::animate::is_zip(head) { 60 } else { 0 },
        kind: |_| "SkelForm",
        reader: skelform::READER,
    },
    Format {
        family: Family::Animate,
        name: "animate",
        brand: "Adobe Animate",
        title: "Adobe Animate texture atlases (Animation.json)",
        feature: Some("animate"),
        extensions: Extensions { own: &[], shared: &["json"], only_named: &["zip"] },
        is_sheet: false,
        sources: &[Source { name: "animate", about: "A texture atlas of Adobe Animate" }],
        targets: &[],
        score: detect::animate::score,
        kind: |_| "Adobe Animate texture atlas",
        reader: animate::READER,
    },
];

/// All sheets share one source.
const SHEET_SOURCE: Source = Source { name: "sheet", about: "A sprite sheet" };

const PCHR_JSON: &[&str] = if cfg!(feature = "pachario") { &["json"] } else { &[] };

/// A single file to which any character can be converted.
const fn target(
    name: &'static str,
    about: &'static str,
    extension: &'static str,
    loses: &'static [&'static [LossKind]],
) -> Target {
    Target { name, about, extension, has_separate_images: false, is_sheet: false, loses }
}

/// A version of Spine, as JSON or binary, with atlas and images beside it.
const fn spine_target(name: &'static str, about: &'static str, extension: &'static str) -> Target {
    let target = target(name, about, extension, &[SAMPLED, NOT_V1, KEYED, REWRITTEN]);
    Target { has_separate_images: true, ..target }
}

/// JSON with PNGs beside it to which any sheet can be converted.
const fn sheet_target(name: &'static str, about: &'static str, loses: &'static [&'static [LossKind]]) -> Target {
    Target { name, about, extension: "json", has_separate_images: true, is_sheet: true, loses }
}

/// The description of another program with PNGs beside it to which any sheet can be converted.
const fn dialect_target(
    name: &'static str,
    about: &'static str,
    extension: &'static str,
    loses: &'static [&'static [LossKind]],
) -> Target {
    Target { extension, ..sheet_target(name, about, loses) }
}
