//! Every finding there is: its code, how much it matters, what it is about and what would be right.
//!
//! Codes are stable: people write them into `--ignore`. A test holds the codes in the sources against this
//! list, and writes `docs/findings.md` from it.

use crate::diagnostics::Severity;

/// What is known of one code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rule {
    /// The stable name, in lower case with hyphens.
    pub code: &'static str,
    /// How much it matters where everything is looked for, as [`examine`](super::examine) does.
    pub severity: Severity,
    /// What it is about, without a full stop.
    pub title: &'static str,
    /// Why it matters and what would be right, in a sentence or two.
    pub help: &'static str,
}

/// What is known of `code`; `None` for one that no file causes.
pub fn rule(code: &str) -> Option<&'static Rule> {
    RULES.iter().find(|rule| rule.code == code)
}

const fn error(code: &'static str, title: &'static str, help: &'static str) -> Rule {
    Rule { code, severity: Severity::Error, title, help }
}

const fn warning(code: &'static str, title: &'static str, help: &'static str) -> Rule {
    Rule { code, severity: Severity::Warning, title, help }
}

const fn note(code: &'static str, title: &'static str, help: &'static str) -> Rule {
    Rule { code, severity: Severity::Note, title, help }
}

/// Every code, errors first, each severity in the order of the codes.
pub const RULES: &[Rule] = &[
    error(
        "atlas-value",
        "A value in the atlas is of the wrong kind",
        "The numbers of an atlas are decimals with commas between them, sizes are not negative, and a region is turned by 0, 90, 180 or 270 degrees. Pack the atlas again.",
    ),
    error(
        "bad-chunk",
        "A frame or a chunk of an Aseprite file has an impossible header",
        "Each frame has its magic number after its length, and the lengths of frames and chunks include their own headers. The file is damaged, or a length before this place is wrong. Save it again with Aseprite.",
    ),
    error(
        "bad-color",
        "A colour is none",
        "Spine writes colours as 6 or 8 hexadecimal digits: red, green, blue and, with 8, alpha.",
    ),
    error(
        "bad-jpeg",
        "A picture is no JPEG that can be decoded",
        "A picture that begins like a JPEG file is a whole one. Export the character again, as PNG if it happens again.",
    ),
    error(
        "bad-json",
        "The text is no JSON",
        "The file cannot be read beyond this place. The position is where the reader gave up; the mistake is there or just before.",
    ),
    error(
        "bad-magic",
        "The file does not begin as its kind does",
        "Every binary file begins with these four bytes; this one is of another kind or damaged at its start.",
    ),
    error(
        "bad-parent",
        "A bone's parent does not come before it",
        "Bones are stored parents first, so that one pass poses them all. The parent is the index of an earlier bone or -1 for a root; in Spine its name.",
    ),
    error(
        "bad-pixels",
        "The pixels of an Aseprite file cannot be unpacked",
        "Cels and tilesets hold as many pixels as their size says, in a zlib stream. The file is damaged. Save it again with Aseprite.",
    ),
    error(
        "bad-plist",
        "A property list is damaged, or is not one of a sheet",
        "A sheet is a dictionary with another one, `frames`, in it, as XML or as a binary property list. Export it again, as XML if it happens again.",
    ),
    error(
        "bad-png",
        "A picture is no PNG that can be decoded",
        "The data of an image that is stored as PNG, or a file that JSON names, is a whole picture; only sprite sheets and atlases take JPEG and WebP as well. Write the picture again.",
    ),
    error(
        "bad-utf8",
        "A text is not UTF-8",
        "Names, atlases and XML are stored as UTF-8. Most likely the program that wrote the file used another encoding, or a length before the name is wrong.",
    ),
    error(
        "bad-webp",
        "A picture is no WebP that can be decoded",
        "A picture that begins like a WebP file is a whole one. Write the picture again.",
    ),
    error(
        "bad-xml",
        "The text is not XML",
        "The file cannot be read beyond this place: an element is not closed, a file was cut, or a character such as `&` is not escaped. Export the sheet again.",
    ),
    error(
        "bad-zip",
        "The archive is damaged",
        "It was cut, an entry does not unpack to what is listed, or the data of two entries overlap. Save the character again, or unzip it and zip it anew.",
    ),
    error(
        "bone-out-of-range",
        "A vertex follows a bone that does not exist",
        "An influence with a weight names a bone by its index, counted from 0. An influence that is not used has weight 0.",
    ),
    error(
        "color-depth",
        "An Aseprite file has an unknown number of bits per pixel",
        "RGBA sprites have 32, grey ones 16 and indexed ones 8.",
    ),
    error(
        "constraint-bones",
        "A constraint pulls bones that it cannot",
        "Inverse kinematics have one bone, or a bone and a child of it; every constraint has one bone at least.",
    ),
    error(
        "deform-length",
        "A deform key has more numbers than its attachment",
        "Numbers count from `offset`: two for each vertex, or two for each bone of each vertex where there are weights.",
    ),
    error(
        "dragonbones",
        "The file is of DragonBones",
        "DragonBones is not read. Its own tools convert its JSON to that of Spine (`db2 -t spine`), which is.",
    ),
    error(
        "draw-order",
        "A draw order key moves a slot to where it cannot be",
        "`offset` is how many places a slot goes from its place at rest. No two slots have the same place, and each is named once.",
    ),
    error(
        "duplicate-entry",
        "Two entries of the archive have the same name",
        "Programs differ in which of the two they take. Zip the files anew.",
    ),
    error(
        "empty-image",
        "An image has no pixels",
        "Width and height are at least 1. An image that is not used is better left out.",
    ),
    error(
        "entry-leads-out",
        "The name of an entry leads out of the archive",
        "Such names would be written somewhere else by programs that unpack them. No program for characters writes them.",
    ),
    error(
        "frame-length",
        "A frame does not have one transform for each bone",
        "Every frame of every animation lists all bones, in the order of `bones`.",
    ),
    error(
        "git-lfs-pointer",
        "The file is a Git LFS pointer",
        "Git LFS keeps large files outside the repository and leaves a few lines of text in their place. `git lfs pull` fetches the files.",
    ),
    error(
        "grid",
        "The picture has no room for so many frames of that size",
        "`--grid WxH:COUNT` cuts a picture into frames from left to right and from top to bottom; what does not fill a frame is left over.",
    ),
    error(
        "image-format",
        "The format of an image is not known",
        "There are 0 (a PNG file) and 1 (raw RGBA, 8 bits each).",
    ),
    error(
        "image-length",
        "Raw pixels are too many or too few",
        "An `rgba8888` image has exactly width · height · 4 bytes of data.",
    ),
    error(
        "image-out-of-range",
        "A mesh is drawn from an image that does not exist",
        "A mesh names its image by its index, counted from 0.",
    ),
    error(
        "image-size",
        "Width and height are not those of the PNG",
        "Texture coordinates are parts of the picture's size, so the two must agree. Correct the size or export the picture again.",
    ),
    error(
        "index-out-of-range",
        "A triangle has a corner that does not exist",
        "Triangles name vertices of their own mesh, counted from 0.",
    ),
    error(
        "io",
        "The file cannot be read",
        "The operating system refused. Check that the file is there and that you may read it.",
    ),
    error(
        "json-value",
        "A value in the JSON is missing or of the wrong kind",
        "Something that every file has is not there, is no number where one belongs, is too large for the format, or contradicts another value. `pchr schema` prints what is expected.",
    ),
    error(
        "limit-exceeded",
        "The file asks for more than it may",
        "Sizes are held against limits before memory is taken, so that a small file cannot fill it. `--limit NAME=VALUE` raises a limit for a file that you trust.",
    ),
    error(
        "linked-mesh",
        "A linked mesh is linked to no mesh",
        "`parent` is the key of a mesh in the same slot, of the skin that `skin` names, else of the default skin.",
    ),
    error(
        "missing-atlas",
        "The pictures of a Spine character are nowhere",
        "The character plays in neutral colours. The atlas is looked for beside the JSON: by its name (`hero.atlas`, `hero.atlas.txt` or `hero-pma.atlas` for `hero.json` and `hero-pro.json`), else by the regions that it has; then by its name in the folders directly in that of the JSON and in its parent. Where no atlas is sure to be the right one `--atlas FILE` names it. Without an atlas there are loose pictures in the folder that `images` names, if that is below that of the JSON.",
    ),
    error(
        "missing-entry",
        "The archive has no `armature.json`",
        "Every SkelForm file has this entry at its top level; other archives are no characters.",
    ),
    error(
        "missing-image",
        "A picture that the file names is not there, or is broken",
        "What is drawn from it is drawn in a neutral colour. Pictures are looked for in the folder of the JSON file, or of the atlas, and below it and nowhere else; a packed file holds one picture. One that cannot be decoded has to be written again.",
    ),
    error(
        "missing-name",
        "Something is named that is not there",
        "Spine names bones, slots, skins, constraints, events and attachments by their names. Export the file again, or correct the name.",
    ),
    error(
        "missing-region",
        "The atlas has no such region",
        "The attachment plays in a neutral colour. A region is looked for by the attachment's `path`, else its `name`, else its key. Pack the atlas again with all pictures.",
    ),
    error(
        "no-atlas",
        "There are meshes, but no image",
        "The character plays in a neutral colour. Export the atlas with it.",
    ),
    error(
        "no-frames",
        "A sprite sheet has no frames",
        "It lists each frame with its rectangle, and at least one of them can be shown. Export it again with something to show.",
    ),
    error(
        "no-image",
        "A mesh has no image to be drawn from",
        "The older JSON may name an image that does not exist; the mesh plays in a neutral colour. Correct its `imageIdx`.",
    ),
    error(
        "no-reader",
        "This build of the program does not read the format",
        "Each family of formats is a feature of the library, and this program was built without the one that the message names. The programs as they are published read every format.",
    ),
    error(
        "not-finite",
        "A number is infinite or none at all",
        "Such numbers come from dividing by zero and spread to everything that they are used with. Coordinates, weights and transforms are finite.",
    ),
    error(
        "packed-otherwise",
        "An entry of the archive is encrypted or packed in an unusual way",
        "Entries that are stored or deflated are read, and none that need a password.",
    ),
    error(
        "partial-triangle",
        "The number of indices is not a multiple of 3",
        "Each triangle takes three indices; the last one is not whole.",
    ),
    error(
        "path-lengths",
        "A path has fewer lengths than curves",
        "`lengths` says for each curve how long the path is up to its end.",
    ),
    error(
        "png-without-grid",
        "A picture alone does not say how its frames lie",
        "`--grid WxH` names the size of a frame. Sheets that this program writes as a PNG say it themselves, unless another program wrote the picture again.",
    ),
    error(
        "sheet-without-image",
        "A packed sprite sheet holds no picture",
        "Without it there is nothing to show. Export the sheet again, or use its JSON beside a PNG.",
    ),
    error(
        "skelform-version",
        "The SkelForm file is older than version 0.2",
        "Files that old have another structure. Open it in an editor of that time and save it again.",
    ),
    error(
        "spine-binary",
        "This is a binary skeleton of Spine",
        "Binary skeletons differ in every version of Spine and are not read. Export the skeleton as JSON, for version 3.8.",
    ),
    error(
        "spine-project",
        "The file is a project of the Spine editor",
        "Projects are read by the editor alone. Open it there and export it as JSON, for version 3.8.",
    ),
    error(
        "spine-version",
        "This version of Spine is not read",
        "JSON of Spine 3.6, 3.7 and 3.8 is read, and that of 3.0 to 3.5 where it holds nothing that 3.6 does not. Version 4 writes curves and constraints in another way, version 2 scales bones by other rules. Export for 3.8: the export has a `Version` setting.",
    ),
    error(
        "too-many",
        "There is more than the format can hold",
        "Counts and indices have 16 bits: at most 65,535 of a kind. In Spine, constraints and bones are limited together, because each constraint may move every bone. Groups of an Aseprite file are nested at most 64 deep. Split what is too large.",
    ),
    error(
        "truncated",
        "The file ends too early",
        "Something takes more bytes than are left: the file was cut, or a count or a length before this place is wrong.",
    ),
    error(
        "unknown-format",
        "This is no character that can be read",
        "The format is told by the file's content, not by its name. The message lists what can be read.",
    ),
    error(
        "unknown-version",
        "The file has a version that is not known",
        "Version 1 is the only one there is. The file is newer than this program, or damaged.",
    ),
    error(
        "vertex-count",
        "The number of vertices is wrong",
        "A mesh has two texture coordinates for each of at most 65,535 vertices, a clipping polygon three vertices at least, and a path three for each of at least two knots.",
    ),
    error(
        "weights",
        "A list of vertices is not as long as it says",
        "A vertex is two numbers, or with weights the number of its bones and for each of those bone, x, y and weight. The list has two numbers a vertex or is a weighted one.",
    ),
    error(
        "xml-dtd",
        "The XML declares entities or elements of its own",
        "No sheet needs declarations inside its `<!DOCTYPE`, and they can make a small file grow without end, so they are not read. Remove what stands in its brackets.",
    ),
    warning(
        "bad-cel",
        "A cel of an Aseprite file cannot be drawn",
        "It names a layer that does not exist or holds no pixels, links to a frame without a cel, is the second one on its layer in its frame, or is of an unknown type. The frame is drawn without it.",
    ),
    warning(
        "bad-duration",
        "A frame is shown for no time",
        "Durations are milliseconds from 1 on. Where there is none at all a frame is shown for 100 ms.",
    ),
    warning(
        "bad-file-name",
        "The name of an image or an animation cannot be the name of a file",
        "`unpack` and exports name files after them. Characters such as `/` and `:`, names such as `nul`, and very long ones are replaced, so the files are called otherwise than expected.",
    ),
    warning(
        "bad-frame",
        "A frame of a sheet is not described as it should be",
        "What can be understood is shown: a number or `true` in a string, a frame without the size of its canvas. A frame without a rectangle on the page is empty, and keeps its place, so that tags and the rhythm of an animation stay right. Export the sheet again.",
    ),
    warning(
        "bad-layer",
        "A layer of an Aseprite file is not drawn as it should be, or not at all",
        "Its type or blend mode is unknown, or its tileset is in another file. Update pchr if a newer Aseprite wrote the file; copy the tileset into the file otherwise.",
    ),
    warning(
        "bad-tag",
        "A tag names frames that are not there, or plays them in a way that is not known",
        "Tags number frames from 0, the last one included. Aseprite numbers those of the sprite, not of the sheet: with several sprites in a sheet, or with layers or tags apart, the numbers are of other frames, and only names such as `{title}_{tag}:{tagframe}` tell which are meant. What can be played is played.",
    ),
    warning(
        "bind-without-bone",
        "A bind is on no bone",
        "The vertices that it has stay as they are without it. Choose its bone in the editor, or delete the bind.",
    ),
    warning(
        "control-character",
        "The JSON has a control character in a string",
        "JSON wants it escaped, and other programs refuse such a file. Aseprite writes a line break in a user's text as it is: take it out there.",
    ),
    warning(
        "degenerate-triangle",
        "A triangle has no area",
        "It names a vertex twice, or its corners lie on a line: nothing of it is ever drawn, where a piece of the mesh may be missing.",
    ),
    warning(
        "doubtful-alpha",
        "The pixels of a page contradict what the file or its format says about their alpha",
        "Colours of pictures are straight or multiplied with their alpha (premultiplied); read the other way, every soft edge is too dark or too bright. What is stated is followed: `pma: true` or `pma: false` in an atlas, and the formats themselves for PCHR, Pachario and SkelForm, which are straight. `--page-alpha` overrides it; the lasting remedy is to correct the atlas, or to export the pictures again.",
    ),
    warning(
        "doubtful-bind-pose",
        "The vertices fit another frame better than the bind pose",
        "The format does not store the pose in which vertices were drawn. When the wrong frame is taken, every mesh is bent out of shape; `--bind-pose NAME:FRAME` names the right one, and a one-frame animation `bind` at the start settles it.",
    ),
    warning(
        "duplicate-name",
        "Two things of one kind have the same name",
        "Options and programs ask for animations, meshes and bones by name and get the first, and what a Spine file names is the last of them. Give each its own.",
    ),
    warning(
        "empty-animation",
        "An animation has no frames",
        "There is nothing to show but the bind pose. Export its frames, or leave it out.",
    ),
    warning(
        "empty-mesh",
        "A mesh has no triangles",
        "Nothing of it is ever drawn. Leave it out, or export its triangles.",
    ),
    warning(
        "empty-name",
        "An image, a bone, a mesh or an animation has no name",
        "Nothing can ask for it, and a file that is made of it gets a name that nobody expects.",
    ),
    warning(
        "flipped-v",
        "The pictures seem to be upside down",
        "v = 0 is the top row of a picture. Some programs count from the bottom: meshes then show the wrong part of the atlas, often an empty one. `--flip-v` reads such files.",
    ),
    warning(
        "frame-outside",
        "A part of a frame is not in the picture",
        "What is not there is transparent. The picture was cut or replaced, or a rectangle is wrong.",
    ),
    warning(
        "ik-without-target",
        "An inverse kinematics family has no target",
        "Its bones stay as they are without it. Choose its target in the editor, or dissolve the family.",
    ),
    warning(
        "key-order",
        "Keys are not in the order of their times",
        "They are played in the order of their times. Whatever wrote the file may have meant other times.",
    ),
    warning(
        "loop-jump",
        "A looping animation jumps from its last frame to its first",
        "That step is several times larger than any other of the same bone, which shows as a jerk in every round. Add the missing frames, or do not let it loop. Movement across the ground is better left to the program that plays it.",
    ),
    warning(
        "negative-weight",
        "A weight is negative",
        "In PCHR it counts as 0, so the vertex may not move as it was meant. Weights are 0 to 1.",
    ),
    warning(
        "never-visible",
        "No frame shows a mesh",
        "A mesh is hidden with the bone that has most of its weight, and that bone is hidden in every frame of every animation. Leave the mesh out, or show the bone.",
    ),
    warning(
        "no-inverse-bind",
        "A bone is flat in the bind pose",
        "What was drawn on a bone without width or length cannot be undone, so the bone moves no vertex. Give it a scale other than 0 in the bind pose.",
    ),
    warning(
        "no-palette",
        "An indexed sprite has no palette",
        "Its pixels are numbers of colours that the file does not define, so everything is black. Save it again with Aseprite.",
    ),
    warning(
        "no-weight",
        "A vertex follows no bone",
        "All its weights are 0: it stays where it is in the bind pose while the rest of the character moves. Give it a weight.",
    ),
    warning(
        "older-rules",
        "A constraint moves otherwise than in the version of the file",
        "Every file plays by the rules of 3.8. Before 3.8 inverse kinematics of a single bone that inherits neither rotation nor reflection moved otherwise, before 3.7 path constraints did. Compare the poses with the editor, or export the project from Spine 3.8.",
    ),
    warning(
        "page-size",
        "A picture is not as large as its atlas says",
        "The picture counts: regions are cut from it by their pixels. It was most likely scaled or padded after the atlas was packed; where it was scaled, pack the atlas again.",
    ),
    warning(
        "reserved-bits",
        "Bits are set that mean nothing in version 1",
        "They are ignored, and may mean something in a later version. Write them as 0.",
    ),
    warning(
        "sheet-size",
        "The picture is not as large as the sheet says",
        "The picture counts. It was most likely scaled or replaced after the sheet was written, and then frames are in other places.",
    ),
    warning(
        "short-ik-chain",
        "An inverse kinematics family has less than two bones",
        "It moves nothing; other programs end where they meet one. Add a bone to it, or dissolve it.",
    ),
    warning(
        "trailing-bytes",
        "Bytes follow the last animation",
        "They are ignored, and lost when the file is written again. A count may be too low, or two files were joined.",
    ),
    warning(
        "unknown-attachment",
        "A slot is to show something that no skin has",
        "Nothing is shown. The attachment may have been renamed or left out of the export.",
    ),
    warning(
        "unknown-element",
        "A key changes something that is not known",
        "It is ignored, and what it was to change stays as it is. It may be misspelt, or of a newer version.",
    ),
    warning(
        "unknown-key",
        "The JSON has a key that means nothing here",
        "It is ignored. It may be misspelt, or belong to another program.",
    ),
    warning(
        "unnamed-image",
        "A packed file holds a picture, but its JSON lists no image",
        "Nothing can be drawn from it. Add it to `images`, or leave it out.",
    ),
    warning(
        "uv-out-of-range",
        "A texture coordinate is outside the picture",
        "Coordinates are 0 to 1; beyond them the pixels at the edge are repeated, which shows as stripes.",
    ),
    warning(
        "weight-sum",
        "The weights of a vertex do not sum up to 1",
        "Weights are used as they are: with less than 1 the vertex is drawn towards the world's origin, with more away from it, the farther out the more.",
    ),
    warning(
        "zero-fps",
        "The frame rate is 0",
        "Animations are shown as still pictures. Set `fps` to the rate at which they were made.",
    ),
    note(
        "bind-is-motion",
        "An animation that is named for the bind pose moves",
        "By its name it holds the bind pose: it is not offered as motion and only its first frame is used. If it is one, rename it; if not, one frame is enough.",
    ),
    note(
        "endless-clip",
        "A clipping polygon cuts everything above it",
        "It ends after a slot that is drawn no later than it begins, so it never does. Where it is to end, say a slot above it.",
    ),
    note(
        "equal-z-order",
        "Meshes overlap with the same zOrder",
        "Then the one that comes later in the file is in front. That is well defined here, but other programs may do otherwise. At most 32 frames, evenly chosen, are looked at; what is compared are the rectangles around the meshes, and each mesh is told once. In a SkelForm file the numbers alone are compared.",
    ),
    note(
        "found-elsewhere",
        "The atlas or a picture has another name than expected",
        "It was found by what is derived from the names in the file or by what it holds, and may be another one than was meant; `--atlas FILE` names the atlas. Called after the skeleton and put beside it, an atlas is found by every program.",
    ),
    note(
        "image-path",
        "The sheet names its picture by a path from elsewhere",
        "Programs that follow such a path do not find it on another machine. The picture is looked for beside the file, by the last part of the path.",
    ),
    note(
        "missing-texture",
        "No style has a texture of this name",
        "Nothing is shown for it. Some characters hide parts like this; otherwise the name is misspelt.",
    ),
    note(
        "no-version",
        "A skeleton of Spine does not state its version",
        "Nothing in it is of another version, so it is read as 3.8. `skeleton.spine` is the version.",
    ),
    note(
        "odd-fps",
        "The frame rate is unusually high",
        "More than 240 frames a second are most likely another unit, and take far more space than they show.",
    ),
    note(
        "odd-version",
        "The version is not 3.6, 3.7 or 3.8",
        "`3.8-from-4.0.64` is what Spine 4 writes when it exports for 3.8, and is read as 3.8. So are 3.0 to 3.5 where they hold nothing that 3.6 does not, and names such as `Dev` where nothing is of version 4.",
    ),
    note(
        "page-alpha",
        "Pictures are read as premultiplied because of their pixels",
        "Atlases of Spine 3 and sprite sheets cannot say whether colours are multiplied with their alpha. If no colour on any page is brighter than its alpha although many would be in straight pictures, they are; otherwise they are read as straight. `--page-alpha straight` or `premultiplied` overrides the decision, and `pma: true` or `pma: false` in an atlas settles it.",
    ),
    note(
        "pixel-ratio",
        "The pixels of a sprite are not square",
        "The sprite is stretched by the ratio that the file gives, as Aseprite shows it. Sprite sheets cannot store the ratio.",
    ),
    note(
        "unknown-chunk",
        "An Aseprite file has chunks of unknown types",
        "They are skipped. A newer version of Aseprite probably wrote them; their content has no effect.",
    ),
    note(
        "unused-bone",
        "A bone moves nothing",
        "Nothing follows it or a bone below it. It may be a handle for another program; otherwise it takes space in every frame.",
    ),
    note(
        "unused-event",
        "No animation tells an event",
        "A program that waits for it waits in vain. Leave it out, or key it.",
    ),
    note(
        "unused-image",
        "Nothing is drawn from an image",
        "No mesh names it. It takes space in the file and on the GPU.",
    ),
    note(
        "unused-region",
        "Nothing is drawn from some regions of the atlas",
        "Another skeleton may share the atlas; otherwise they take space on the GPU.",
    ),
    note(
        "unused-slot",
        "A slot never shows anything",
        "No skin has an attachment for it. A program may put something there; otherwise it can be left out.",
    ),
    note(
        "unused-texture",
        "No bone shows a texture",
        "Neither a bone nor a key names it. A program may; otherwise it takes space in the atlas.",
    ),
];
