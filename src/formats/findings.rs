//! All findings: code, severity, title and help.
//!
//! Codes are stable, because they are used with `--ignore`. A test compares the codes in the sources with this
//! list and generates `docs/findings.md` from it.

use crate::diagnostics::Severity;

/// The description of a code.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rule {
    /// The stable name, in lower case with hyphens.
    pub code: &'static str,
    /// Severity in [`examine`](super::examine).
    pub severity: Severity,
    /// Title, without a full stop.
    pub title: &'static str,
    /// Why it matters and how to fix it, in a sentence or two.
    pub help: &'static str,
}

/// Returns the description of `code`, or `None` for a code that no file causes.
pub fn rule(code: &str) -> Option<&'static Rule> {
    RULES.iter().find(|rule| rule.code == code)
}

/// Declares the list of all codes: for each severity, a row with code and title, and the help below.
macro_rules! rules {
    ($($severity:ident { $($code:literal: $title:literal, $help:literal;)* })*) => {
        /// All codes, sorted by severity (errors first), then by code.
        pub const RULES: &[Rule] = &[
            $($(Rule { code: $code, severity: Severity::$severity, title: $title, help: $help },)*)*
        ];
    };
}

rules! {
    Error {
        "atlas-value": "An atlas value is invalid",
            "Atlas numbers are decimals separated by commas, sizes are not negative, `pma` is `true` or `false`, and `rotate` is that or a number of degrees. Pack the atlas again.";
        "bad-chunk": "A frame or chunk of an Aseprite file has an invalid header",
            "The magic number of a frame follows its length, and the lengths of frames and chunks include their own headers. The file is damaged, or an earlier length is wrong. Save it again in Aseprite.";
        "bad-color": "A colour is invalid",
            "Spine writes colours as 6 or 8 hexadecimal digits: red, green, blue and, with 8 digits, alpha.";
        "bad-jpeg": "A JPEG image cannot be decoded",
            "The image starts like a JPEG file but is damaged or incomplete. Export the character again; if the error remains, use PNG.";
        "bad-json": "The text is not valid JSON",
            "Nothing after this position can be read. The mistake is at the reported position or just before it.";
        "bad-magic": "The file does not start with the magic number of its format",
            "Every binary file starts with four fixed bytes; this file is in another format, or its start is damaged.";
        "bad-parent": "A bone does not come after its parent",
            "Bones are stored parents first, so that one pass can pose them all. The parent is the index of an earlier bone, or -1 for a root; in Spine it is the name of an earlier bone.";
        "bad-pixels": "The pixels of an Aseprite file cannot be decompressed",
            "Each cel and tileset stores width × height pixels in a zlib stream. The file is damaged. Save it again in Aseprite.";
        "bad-plist": "A property list is damaged or does not describe a sprite sheet",
            "A sheet is a dictionary that contains a dictionary `frames`, stored as XML or as a binary property list. Export it again; if the error remains, use XML.";
        "bad-png": "A PNG image cannot be decoded",
            "An image stored as PNG, or an image file named by JSON, must be a complete PNG file. JPEG and WebP are only accepted for sprite sheets and Spine atlases, and JPEG for SkelForm. Save the image again.";
        "bad-utf8": "Text is not valid UTF-8",
            "Names, atlases and XML are stored as UTF-8. The file was probably written in another encoding, or a length before the name is wrong.";
        "bad-webp": "A WebP image cannot be decoded",
            "The image starts like a WebP file but is damaged or incomplete. Save the image again.";
        "bad-xml": "The text is not valid XML",
            "Nothing after this position can be read: an element is not closed, the file is truncated, or a character such as `&` is not escaped. Export the sheet again.";
        "bad-zip": "The archive is damaged",
            "It is truncated, the size or checksum of an entry is wrong, or the data of two entries overlap. Save the character again, or unzip it and zip it again.";
        "bone-out-of-range": "A vertex refers to a bone that does not exist",
            "An influence with a non-zero weight refers to a bone by its index, counted from 0. Unused influences have weight 0.";
        "color-depth": "An Aseprite file has an unknown colour depth",
            "RGBA sprites have 32 bits per pixel, greyscale sprites 16 and indexed sprites 8.";
        "constraint-bones": "A constraint has bones that it cannot move",
            "An IK constraint has one bone, or a bone and its child; every other constraint has at least one bone.";
        "curve-length": "A curve has a wrong count of numbers",
            "A Bezier curve has four numbers: the time and the value of each of its two handles. Since Spine 4.0 a key has four for each of its values, such as 8 for a translation and 16 for a colour. Export the skeleton again.";
        "deform-length": "A deform key has more numbers than its attachment",
            "The key stores two numbers per vertex or, in weighted meshes, two per influence of each vertex, starting at `offset`.";
        "dragonbones": "The file is a DragonBones skeleton",
            "DragonBones is not supported. The DragonBones tools can convert its JSON to Spine JSON (`db2 -t spine`), which pchr can read.";
        "draw-order": "A draw order key moves a slot to an invalid position",
            "`offset` is the number of positions by which a slot moves from its place in the rest pose. Each slot is listed once, and no two slots share a position.";
        "duplicate-entry": "Two entries of the archive have the same name",
            "Programs differ in which of the two entries they use. Zip the files again.";
        "empty-image": "An image has no pixels",
            "Width and height must be at least 1. Leave out unused images.";
        "entry-leads-out": "The name of an archive entry leads outside the archive",
            "Programs that unpack such an entry would write outside the target folder. No character editor writes such names.";
        "frame-length": "A frame does not have exactly one transform for each bone",
            "Every frame of every animation lists all bones, in the order of `bones`.";
        "git-conflict": "The file has an unresolved merge conflict",
            "Git has written both versions into the file, between lines of `<<<<<<<`, `=======` and `>>>>>>>`. Resolve the conflict, or check out one version: `git checkout --ours FILE` or `--theirs`.";
        "git-lfs-pointer": "The file is a Git LFS pointer",
            "Git LFS stores large files outside the repository and leaves a few lines of text in their place. `git lfs pull` fetches the files.";
        "grid": "The image is too small for the grid",
            "`--grid WxH:COUNT` cuts an image into frames, left to right and top to bottom; pixels that do not fill a whole frame are ignored.";
        "image-format": "An image has an unknown format",
            "The formats are 0 (a PNG file) and 1 (raw RGBA, 8 bits per channel).";
        "image-length": "An image has too many or too few raw pixels",
            "An `rgba8888` image has exactly width × height × 4 bytes of data.";
        "image-out-of-range": "A mesh refers to an image that does not exist",
            "A mesh refers to its image by index, counted from 0.";
        "image-size": "The stored image size differs from the size of the PNG",
            "Texture coordinates are fractions of the image size, so the two must agree. Correct the size or export the image again.";
        "index-out-of-range": "A triangle refers to a vertex that does not exist",
            "Triangles refer to the vertices of their own mesh by index, counted from 0.";
        "io": "The file cannot be read",
            "The operating system reported an error. Check that the file exists and that you have permission to read it.";
        "json-value": "A JSON value is missing or invalid",
            "A required value is missing, has the wrong type, is too large for the format, or contradicts another value. `pchr schema` prints the expected structure.";
        "limit-exceeded": "The file exceeds a limit",
            "Sizes are checked against the limits before memory is allocated, so that a small file cannot exhaust the memory. `--limit NAME=VALUE` raises a limit for a file that you trust.";
        "linked-mesh": "A linked mesh has no source mesh",
            "`parent` is the key of a mesh in the same slot, in the skin named by `skin` or, without it, in the default skin.";
        "markdown-fence": "The text is inside a Markdown code fence",
            "It was copied from a document or a chat together with the lines of ``` around it. Remove them.";
        "missing-atlas": "The atlas of a Spine character was not found",
            "The character is drawn in neutral colours. The atlas is looked up next to the skeleton, by its name (`hero.atlas`, `hero.atlas.txt` or `hero-pma.atlas` for `hero.json` and `hero-pro.json`) or else by its regions; then in the subfolders of that folder and of its parent, by its name, or if it has all regions and at least four, counting those of other skeletons next to this one that are all in it. If no atlas is certain to match, select one with `--atlas FILE`. Without an atlas, separate images are read from the folder named by `images`, or, if it is not named or outside the folder of the skeleton, from that folder and from `images` in it.";
        "missing-entry": "The archive has no `armature.json`",
            "Every SkelForm file has this entry at its top level; an archive without it is not a character.";
        "missing-image": "An image that the file refers to is missing or damaged",
            "Everything that uses it is drawn in a neutral colour, or is hidden if it is a page of an atlas with others; `--missing` overrides this. Images are only looked up in the folder of the JSON file or atlas and its subfolders; a packed file contains exactly one image.";
        "missing-name": "A name refers to something that does not exist",
            "Spine refers to bones, slots, skins, constraints, events and attachments by name, and binary skeletons by index, counted from 0. Correct the name, or export the file again.";
        "missing-region": "The atlas does not contain a region",
            "The attachment is hidden, because packers can leave out blank images; `--ignore missing-region` accepts that, and `--missing box` draws it in a neutral colour. If the atlas has no region of the character, all are drawn so. A region is looked up by the attachment's `path`; without it, by its `name`, and without that, by its key. The names of the pictures of a sequence end with their number. Pack the atlas again with all images.";
        "missing-timeline": "The file has no timeline",
            "`Animation.json` contains it as `AN` or `ANIMATION`. Export the texture atlas again.";
        "no-atlas": "The file has meshes but no images",
            "The character is drawn in a neutral colour. Export the atlas with the character.";
        "no-frames": "A sprite sheet has no frames",
            "A sheet lists each frame with its rectangle, and at least one frame must be visible. Export it again with visible content.";
        "no-image": "A mesh has no image",
            "Files in the older JSON format may refer to an image that does not exist; the mesh is drawn in a neutral colour. Correct its `imageIdx`.";
        "no-reader": "This build does not support the format",
            "Each family of formats is a feature of the library, and this program was built without the feature named in the message. Published builds support all formats.";
        "not-finite": "A number is NaN or infinite",
            "Such numbers usually come from a division by zero and make every result computed from them invalid. Coordinates, weights and transforms must be finite.";
        "other-version": "A Spine skeleton has keys of another version than the one it states",
            "The file mixes keys of several versions, so it is played as the stated one. Keys that the stated version does not read have no effect, and `convert` leaves them out. Where Spine's own program of that version would refuse the file or show nothing, pchr reads what was meant. Write these keys in the form of the stated version.";
        "packed-otherwise": "An archive entry is encrypted or uses an unsupported compression method",
            "Entries must be stored or deflated, without a password.";
        "partial-triangle": "The number of indices is not a multiple of 3",
            "Each triangle takes three indices; the last triangle is incomplete.";
        "path-lengths": "A path has fewer lengths than curves",
            "`lengths` lists, for each curve, the length of the path up to the end of that curve.";
        "png-without-grid": "An image alone does not describe its frames",
            "`--grid WxH` sets the size of a frame; the window guesses it and lets you change it. PNG sheets written by this program contain a description of their frames, which is lost when another program saves the image.";
        "sheet-without-image": "A packed sprite sheet contains no image",
            "Export the sheet again, or use its JSON with a separate PNG.";
        "skel-value": "A value of a binary Spine skeleton is invalid",
            "The value has no meaning at this place. A binary skeleton has no marks between its parts, so an earlier count or length may be wrong: the file is damaged. Export it again.";
        "skelform-version": "The SkelForm file is older than version 0.2",
            "Such files have a different structure. Open the file in a SkelForm editor that can still read it, and save it in a newer version.";
        "spine-binary": "This version of binary Spine skeletons is not supported",
            "The layout of binary skeletons differs between Spine versions. Versions 2.1 to 4.3 are supported. Export the skeleton as JSON or binary for version 4.2 or 3.8: Spine's export dialog has a `Version` setting.";
        "spine-project": "The file is a Spine project",
            "Only the Spine editor can read projects. Open the project there and export it as JSON or binary, with `Version` set to 4.2 or 3.8.";
        "spine-version": "This version of Spine is not supported",
            "Spine JSON 2.1 to 4.3 is supported. Export the project for version 4.2 or 3.8: Spine's export dialog has a `Version` setting.";
        "too-many": "There are more items than the format allows",
            "Counts and indices have 16 bits: at most 65,535 items of each kind. In Spine, constraints and bones are limited together, because each constraint may move every bone, and a sequence has at most 10,000 pictures. Groups in an Aseprite file nest at most 64 levels deep. Split the character or the sprite into smaller ones.";
        "truncated": "The file ends too early",
            "It declares more bytes than it contains: the file was truncated, or an earlier count or length is wrong.";
        "unknown-format": "The file is not in a supported format",
            "The format is detected from the content, not from the file name. The message lists the supported formats.";
        "unknown-version": "The file has an unknown version",
            "Only version 1 is known. The file is newer than this program, or damaged.";
        "unread-dialect": "A file of another program is recognised but not supported",
            "The message says what it is, and what to export instead.";
        "version-mismatch": "A Spine skeleton states a version that its data contradicts",
            "All keys of the file, or its binary layout, belong to another version, so pchr plays it as that version; Spine's own programs go by the stated one. The file probably comes from a program that generates skeletons, or that changed the version without converting the data. State the version of the data, or export the skeleton again.";
        "vertex-count": "The number of vertices is invalid",
            "A mesh has two texture coordinates for each of at most 65,535 vertices, a clipping polygon at least three vertices, and a path three vertices for each of at least two knots.";
        "weights": "A vertex list has an invalid length",
            "A vertex is two numbers or, with weights, the number of its bones followed by bone, x, y and weight for each bone. The list must have two numbers per vertex, or be completely weighted.";
        "xml-dtd": "The XML declares its own entities or elements",
            "Sprite sheets need no declarations inside `<!DOCTYPE`. They are not read, because they can make a small file expand without limit. Remove the part in brackets.";
    }
    Warning {
        "atlas-rotation": "The rotation of an atlas region is ignored",
            "Only multiples of 90 degrees are supported; a region with another rotation is drawn as it is stored. As in Spine's own players, meshes are drawn upright for every multiple, but region attachments only for 90 degrees: with 180 or 270 the picture is drawn as it is stored. Pack the atlas without rotation, or with rotation by 90 degrees.";
        "bad-cel": "A cel of an Aseprite file cannot be drawn",
            "It is on a layer that does not exist or cannot contain cels, links to a frame without a cel, is the second cel on its layer in its frame, or has an unknown type. The frame is drawn without it.";
        "bad-duration": "A frame has no duration",
            "Durations are in milliseconds and at least 1. A frame without a duration is shown for 100 ms.";
        "bad-file-name": "An image or animation has a name that is not a valid file name",
            "`unpack` and the exports name files after images and animations. Characters such as `/` and `:`, names such as `nul`, and very long names are replaced, so the files are named differently than expected.";
        "bad-frame": "A frame of a sheet has invalid values",
            "Values that can be corrected are used. A frame without a rectangle on the page is empty but keeps its place, so that tags and timing stay right. Export the sheet again.";
        "bad-layer": "A layer of an Aseprite file or of a split sheet is drawn incorrectly or not at all",
            "Its type or blend mode is unknown, or its tileset is in another file. Update pchr if a newer Aseprite wrote the file; otherwise copy the tileset into the file.";
        "bad-physics": "A number of a physics constraint is impossible",
            "Physics needs a positive mass, and a limit and a damping of at least 0. It takes 1 to 1,000 steps per second: a rate that is not positive counts as 60, and a higher one as 1,000. A bone that swings out of all bounds returns to its place. Correct the constraint in the editor.";
        "bad-sequence": "The numbers of a Spine sequence are invalid",
            "The pictures of a sequence are named by the path of the attachment and a number. A sequence without pictures is ignored, the picture at rest is at most the last one, and numbers are padded to at most 32 digits. Export the skeleton again.";
        "bad-tag": "A tag refers to frames that do not exist, or has an unknown direction",
            "A tag refers to its frames by number, counted from 0; an animation of a character, to frames whose names begin with its prefix. Aseprite numbers the frames of the sprite, not of the sheet: in a sheet of several sprites, or split by layers or tags, only names such as `{title}_{tag}:{tagframe}` identify the right ones. The valid part is played.";
        "bind-without-bone": "A bind has no bone",
            "Its vertices are not moved. Choose a bone for it in the editor, or delete the bind.";
        "blank-mask": "A mask has no visible pixels",
            "It cuts nothing. Give its shape a fill.";
        "clamped-color": "A colour effect goes beyond a tint",
            "Negative offsets, results above white and offsets of alpha are clamped.";
        "constraint-order": "A constraint is never applied",
            "Since Spine 4.0, `order` numbers the constraints of all kinds together, from 0 without gaps. As in Spine's own players, a constraint is never applied if its order is not below the number of constraints. If several have the same order, only the first is applied: IK comes before transform, path and physics constraints, and within a kind the list decides. Export the skeleton again, or correct `order`.";
        "control-character": "A JSON string contains a control character",
            "JSON requires control characters to be escaped, and other programs reject such a file. Aseprite does not escape line breaks in user data: remove them there.";
        "curve-handles": "A curve has handles outside its key",
            "Spine follows the curve by time, so the value jumps if the first handle lies before the key, the second one after the next key, or either far outside. Since 4.0 handles are in seconds of the animation and in units of the value; before, both are shares from 0 to 1, as in CSS. A share becomes seconds by `start + share * (end - start)` with the times of its key and the next one, and a value likewise.";
        "deep-symbol": "Symbols are nested too deeply",
            "Beyond 64 levels, nothing is drawn.";
        "degenerate-triangle": "A triangle has no area",
            "It uses the same vertex twice, or its corners are on a line. It is never drawn; a piece of the mesh may be missing.";
        "doubtful-alpha": "The pixels of a page contradict its declared alpha",
            "Image colours are either straight or multiplied by alpha (premultiplied); if they are read the wrong way, every soft edge is too dark or too bright. The declaration is trusted: `pma: true` or `pma: false` in an atlas; PCHR, Pachario and SkelForm images are straight by definition. `--page-alpha` overrides it; for a permanent fix, correct the atlas or export the images again.";
        "doubtful-bind-pose": "The vertices fit another frame better than the bind pose",
            "The format does not store the pose in which the vertices were authored. With the wrong frame, every mesh is distorted; `--bind-pose NAME:FRAME` selects the right one. To store it in the file, add a one-frame animation `bind` at the start.";
        "drives-nothing": "A constraint drives nothing, or a constant",
            "Since Spine 4.3, a transform constraint states which property of its source drives which of its bones, in `properties`: without any it moves nothing, and a clamped property whose `offset` is its `max` is a constant. A slider that follows a bone needs a `scale` that is not 0.";
        "duplicate-name": "Two items of the same kind have the same name",
            "Options and programs look up animations, meshes and bones by name and get the first match; references within a Spine file use the last one. If an object of JSON has a key twice, most programs lose the first value. Give each a unique name.";
        "empty-animation": "An animation has no frames",
            "Only the bind pose can be shown for it. Export its frames, or leave it out.";
        "empty-mesh": "A mesh has no triangles",
            "It is never drawn. Leave it out, or export its triangles.";
        "empty-name": "An image, bone, mesh or animation has no name",
            "It cannot be looked up, and files generated from it get an arbitrary name.";
        "far-away": "An element is too far away",
            "Elements beyond a million pixels, such as Animate's empty pictures, are not drawn.";
        "flipped-v": "The images seem to be upside down",
            "v = 0 is the top row of an image. Some programs count from the bottom: in that case meshes show the wrong part of the atlas, often an empty one. Use `--flip-v` for such files.";
        "frame-gap": "Keyframes overlap or leave a gap",
            "In a gap, the layer is empty; of overlapping keyframes, the later one is shown.";
        "frame-outside": "A frame or region is partly or completely outside the image",
            "Outside the image, nothing or its last row of pixels is drawn. The image was cropped or replaced, or a rectangle is wrong.";
        "guessed-image": "A page of an atlas does not exist, and the only picture of its size is used",
            "It may be another picture. Give the page's picture its name.";
        "ik-without-target": "An IK family has no target",
            "Its bones do not move. Choose its target in the editor, or dissolve the family.";
        "implausible-setup": "A bone or an attachment is implausibly large or far away",
            "Positions are in pixels of the pictures, and scales are factors: a scale of 100 is probably meant as a percentage.";
        "key-order": "Keys are not sorted by time",
            "They are sorted before playing. The program that wrote the file may have intended other times.";
        "key-time": "The time of a key is implausible",
            "Times are in seconds from the start of the animation. Spine plays no time before 0, and an animation lasts until its last key.";
        "late-start": "An animation has no key at its start",
            "Before its first key, a bone is in its setup pose, or where the animation before left it if a program does not reset it. If the keys of all bones begin later, those at 0 were probably left out: add them.";
        "loop-jump": "A looping animation jumps from its last frame to its first",
            "The step is several times larger than any other step of the same bone and is visible as a jerk in every loop. Add the missing frames, or do not loop the animation. If the character moves across the ground, let the program that plays the animation move it.";
        "matrix-3d": "A matrix moves or turns in depth",
            "Only its plane part is used.";
        "mesh-edges": "An edge of a mesh has no vertex",
            "`edges` lists pairs of vertex indices, each multiplied by 2. Players ignore them, but the editor shows them. Correct them, or leave `edges` out.";
        "missing-sprite": "The spritemap lacks a sprite",
            "The sprite is not drawn. Export the texture atlas again.";
        "missing-symbol": "A symbol is missing",
            "Its instances are not drawn. Export the texture atlas again.";
        "negative-weight": "A weight is negative",
            "In PCHR it counts as 0, so the vertex may not move as intended. Weights range from 0 to 1.";
        "nested-mask": "A mask is inside of another one",
            "Where both apply, only the inner one cuts.";
        "never-visible": "A mesh is never visible",
            "A mesh is hidden when the bone that has most of its weight is hidden, and that bone is hidden in every frame of every animation. Leave the mesh out, or show the bone.";
        "no-inverse-bind": "A bone has zero scale in the bind pose",
            "Its bind transform cannot be inverted, so the bone moves no vertices. Give it a non-zero scale in the bind pose.";
        "no-palette": "An indexed sprite has no palette",
            "Its pixels are indices of colours that the file does not define, so everything is black. Save it again in Aseprite.";
        "no-weight": "A vertex has no bone",
            "All its weights are 0: it stays at its bind position while the rest of the character moves. Give it a weight.";
        "not-drawn": "An effect or element is not drawn",
            "Filters, texts, blend modes other than add, multiply and screen, and effects, sounds and scripts of whole keyframes are ignored.";
        "nothing-visible": "Nothing is ever visible",
            "The file has pictures, but none can be seen in any frame of any animation, in any skin: slots and attachments have alpha 0, no slot shows an attachment, a bone has zero scale, everything is clipped, or the pictures are transparent. The message states the reason that is nearest to being visible.";
        "odd-loop-mode": "An instance has an unknown loop mode",
            "It is played in a loop.";
        "odd-resolution": "A spritemap has another resolution than the stage",
            "Its sprites are scaled to the stage.";
        "page-size": "The size of an image differs from the size in its atlas",
            "The image was probably scaled or padded after the atlas was packed. If all regions fit into it, they are cut out by their pixels, otherwise they are scaled with it. If it was enlarged, pack the atlas again.";
        "region-size": "An attachment states no size, or one that is much larger than its picture",
            "`width` and `height` of a region attachment are the size of its picture before packing; use `scaleX` and `scaleY` to enlarge it.";
        "reserved-bits": "Reserved bits are set",
            "They have no meaning in version 1 and are ignored, but may have a meaning in a later version. Write them as 0.";
        "sheet-size": "The size of the image differs from the size in the sheet",
            "The actual size is used. The image was probably scaled or replaced after the sheet was written, so the frames may be in other places.";
        "short-color": "A colour has too few digits",
            "The last two digits are alpha. Here and in Spine's TypeScript player a colour without them is opaque; its players in C and C++ for 4.0 to 4.2 misread it. Write alpha, too: `ff8000ff`. Only `dark` and the colours of `rgb` and `rgb2` timelines have 6 digits. In files before 3.6, a colour with any other number of digits is replaced by white, or in a key by the colour of the slot.";
        "short-ik-chain": "An IK family has fewer than two bones",
            "It has no effect; other programs fail on it. Add a bone to it, or dissolve it.";
        "slider-keys-itself": "A slider applies keys for itself",
            "A slider has its values from the animations that are played. Keys for it in the animation that it applies itself have no effect. Move them to another animation.";
        "symbol-loop": "A symbol contains itself",
            "The inner one is not drawn.";
        "trailing-bytes": "The file has extra bytes at its end",
            "They are ignored, and are lost when the file is written again. A count may be too low, or two files were concatenated.";
        "unknown-attachment": "A slot shows an attachment that no skin has",
            "Nothing is drawn. The attachment may have been renamed or left out of the export.";
        "unknown-element": "A key changes an unknown property",
            "The key is ignored and the property does not change. It may be misspelt, or from a newer version.";
        "unknown-key": "The JSON contains an unknown key",
            "It is ignored. It may be misspelt, or belong to another program.";
        "unnamed-image": "A packed file contains an image, but its JSON lists none",
            "Nothing can be drawn from it. Add it to `images`, or leave it out.";
        "uv-out-of-range": "A texture coordinate is outside the image",
            "Coordinates range from 0 to 1; outside that range, the edge pixels are repeated, which is visible as stripes.";
        "weight-sum": "The weights of a vertex do not add up to 1",
            "Weights are used as they are: if the sum is below 1, the vertex is pulled towards the world origin; if it is above 1, the vertex is pushed away from it, in proportion to the distance.";
        "zero-fps": "The frame rate is 0",
            "Animations are shown as still images. Set `fps` to the rate at which they were made.";
    }
    Note {
        "bind-is-motion": "An animation named after the bind pose moves",
            "Programs do not list it, and only its first frame is used. If it is meant as an animation, rename it; otherwise keep one frame.";
        "endless-clip": "A clipping polygon clips everything above it",
            "Its end slot is not drawn after it, so the clipping never ends. To end it, set a slot above it as the end slot.";
        "equal-z-order": "Overlapping meshes have the same zOrder",
            "The mesh that comes later in the file is drawn in front. Other programs may draw them in a different order. At most 32 frames are checked, by the meshes' bounding rectangles; in a SkelForm file, only the numbers are compared.";
        "foreign-key": "Spine does not read some keys",
            "They are ignored and change nothing: marks of an author, keys without content and, before 3.6, all keys that games and other programs add.";
        "found-elsewhere": "The atlas or an image was found under another name",
            "It was found by a name derived from those in the file, or by its content; `--atlas FILE` selects the atlas.";
        "image-path": "The sheet refers to its image by a path instead of a file name",
            "The image is looked up next to the file, by the last component of the path.";
        "missing-texture": "No style has a texture of this name",
            "Nothing is drawn for it. Some characters hide parts on purpose in this way; otherwise the name is probably misspelt.";
        "no-timelines": "An animation has no timelines",
            "It lasts 0 seconds and shows the setup pose, perhaps to fade to it; otherwise the timelines were left out.";
        "no-version": "A Spine skeleton does not state its version",
            "It is read as the version to which its keys belong, or as 3.8 if every version has all of them. The version belongs in `skeleton.spine`.";
        "number-as-boolean": "A number stands for a boolean",
            "0 is read as false and 1 as true. The format has `true` and `false`; the program that wrote the file should write these.";
        "odd-fps": "The frame rate is implausible",
            "Rates above 240 frames per second are probably in another unit. Impossible ones are replaced by 30.";
        "odd-version": "The stated version is unusual",
            "Spine 4 writes `3.8-from-4.0.64` when it exports for 3.8; this is read as 3.8. Versions 2.0, 3.0 and 3.3 are played as the version after them. For a name such as `Dev`, the keys of the file decide; if every version has all of them, it is read as 3.8.";
        "outlying-key": "A key is far from the keys beside it",
            "The value is three times as far from them and the rest pose as such keys usually are. It is probably a mistake.";
        "page-alpha": "Images are read as premultiplied because of their pixels",
            "Atlases of Spine 3 and sprite sheets cannot declare whether colours are multiplied by alpha. Along a soft edge, a premultiplied colour becomes darker with alpha: the majority of the soft pixels of all pages decides. Images without such pixels are read as straight. `pchr inspect` shows the shares. `--page-alpha straight` or `premultiplied` overrides the decision, and `pma: true` or `pma: false` in an atlas makes it unnecessary.";
        "pixel-ratio": "The pixels of a sprite are not square",
            "The sprite is stretched by the ratio in the file, as in Aseprite. Sprite sheets cannot store the ratio.";
        "scale-through-zero": "One key of a scale has another sign than all others",
            "On the way the part shrinks to nothing. To mirror it at once, use stepped keys.";
        "single-frame-part": "A part is shown for a single frame",
            "It flashes. If that is not intended, move or remove the key.";
        "skel-hull": "A binary skeleton of Spine 4.2 cannot store a mesh",
            "`.skel` of 4.2 does not store how many triangles a mesh has: a mesh with v vertices and h of them on the hull must have 2v − h − 2. Meshes with holes or separate parts do not fit, nor does a wrong hull length. Export the skeleton again, or keep it as JSON.";
        "unknown-chunk": "An Aseprite file contains chunks of unknown types",
            "They are skipped. They were probably written by a newer version of Aseprite.";
        "unused-bone": "A bone has no effect",
            "No mesh uses it or a bone below it. Another program may use it as a handle; otherwise it wastes space in every frame.";
        "unused-event": "An event is never fired",
            "Programs that wait for it never receive it. Leave it out, or add a key.";
        "unused-image": "An image is not used",
            "No mesh refers to it. It wastes space in the file and on the GPU.";
        "unused-region": "The atlas has unused regions",
            "Another skeleton may share the atlas; otherwise they waste space on the GPU.";
        "unused-slot": "A slot is always empty",
            "No skin has an attachment for it. Keep it if a program attaches something to it; otherwise leave it out.";
        "unused-texture": "A texture is not used",
            "No bone and no key refers to it. A program may use it; otherwise it wastes space in the atlas.";
    }
}
