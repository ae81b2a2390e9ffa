//! The tools: one row each, with the start of a command line and the options that are parameters.

use super::param::Param;

/// A tool.
pub struct Tool {
    pub name: &'static str,
    pub about: &'static str,
    /// The start of its command line.
    pub words: &'static [&'static str],
    pub params: &'static [Param],
    /// The schema of its documents.
    pub schema: &'static str,
    pub picture: Picture,
}

/// The picture in an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Picture {
    None,
    /// What the command renders.
    Rendered,
    /// The difference between two characters.
    Difference,
}

/// Draws on the CPU, so that the answers are the same on every machine, and PNGs, so that no tool starts ffmpeg.
pub const DRAW: &[&str] = &["pchr-view", "--json", "--backend=cpu", "--quiet", "--force", "--format=png"];

const PATH: Param = Param::path("path", "Path of the character");
const ATLAS: Param = Param::input("atlases", "Atlas or image of a sheet [default: found near it]").named("atlas");
const SKINS: Param = Param::option("skins").about(
    "Skins over the default one, by name or #index; later ones override earlier ones; `none`: only the default skin \
     [default: those that fill the slots]",
);
const SAVE: Param = Param::output("output", "Also writes the picture to this path in the output folder");

/// All tools, in the order in which they are listed.
pub static TOOLS: &[Tool] = &[
    Tool {
        name: "inspect",
        about: "Describes a character: animations, bones, slots, skins, images",
        words: &["pchr", "inspect", "--json"],
        params: &[PATH, Param::option("only"), ATLAS],
        schema: "pchr.inspect/1",
        picture: Picture::None,
    },
    Tool {
        name: "validate",
        about: "Reports errors and questionable data in a character, or in all characters of a folder",
        words: &["pchr", "validate", "--style=json"],
        params: &[Param::path("path", "Path of the character or folder"), ATLAS],
        schema: "pchr.validate/1",
        picture: Picture::None,
    },
    Tool {
        name: "render",
        about: "Renders one picture of a character; the answer has the visible world rectangle and warnings",
        words: DRAW,
        params: &[
            PATH,
            Param::option("animations")
                .named("animation")
                .single("Animation by name or #index [default: `idle`, else the first that moves]"),
            Param::option("frames")
                .named("frame")
                .index("Stored frame, from 0; -1 is the last one [default: the first that shows enough]"),
            Param::option("time"),
            Param::option("size"),
            SKINS,
            Param::option("background"),
            Param::option("show"),
            Param::option("fit"),
            ATLAS,
            SAVE,
        ],
        schema: "pchr.render/1",
        picture: Picture::Rendered,
    },
    Tool {
        name: "contact_sheet",
        about: "Renders evenly spaced frames of animations as one picture with names and times",
        words: DRAW,
        params: &[
            PATH,
            Param::option("contact_sheet").named("grid").single("Columns and rows, such as 6x4").required(),
            Param::option("animations"),
            Param::option("size").single("Size of a cell in pixels: WxH, Wx, xH, N or native"),
            SKINS,
            Param::option("background"),
            ATLAS,
            SAVE,
        ],
        schema: "pchr.render/1",
        picture: Picture::Rendered,
    },
    Tool {
        name: "diff",
        about: "Compares two characters by content: bones, meshes, images, animations and every pose; the answer has a \
                picture of the difference if their first frames look different",
        words: &["pchr", "diff", "--json"],
        params: &[
            Param::path("a", "Path of the first character"),
            Param::path("b", "Path of the second character"),
            Param::option("epsilon"),
        ],
        schema: "pchr.diff/1",
        picture: Picture::Difference,
    },
    Tool {
        name: "convert",
        about: "Converts a character to another format, into the output folder; the answer lists what was lost",
        words: &["pchr", "convert", "--json"],
        params: &[
            PATH,
            Param::output("output", "Path in the output folder, such as hero.pchr").required(),
            Param::option("to").about("Output format [default: from the extension]"),
            Param::option("fps").about("Frames per second to store [default: the file's rate, or 30]"),
            Param::option("animations"),
            Param::option("skins"),
            Param::option("force"),
            ATLAS,
        ],
        schema: "pchr.written/1",
        picture: Picture::None,
    },
    Tool {
        name: "poses",
        about: "Returns the poses of animations as data: world transforms of bones, slots, hit boxes, events",
        words: &["pchr", "poses", "--json"],
        params: &[
            PATH,
            Param::option("animations"),
            Param::option("fps"),
            Param::option("bones"),
            Param::option("what"),
            SKINS,
            ATLAS,
        ],
        schema: "pchr.poses/1",
        picture: Picture::None,
    },
    Tool {
        name: "keys",
        about: "Lists the keys of animations as the file states them, with the place of each: JSON pointer with line, byte \
                offset or stored frame",
        words: &["pchr", "keys", "--json", "--max=500"],
        params: &[
            PATH,
            Param::option("animations"),
            Param::option("bones"),
            Param::option("slots"),
            Param::option("from"),
            Param::option("to"),
            Param::option("skip"),
            Param::option("max")
                .about("At most this many keys [default: 500]; `next` of the answer is the `skip` of the others"),
            ATLAS,
        ],
        schema: "pchr.keys/1",
        picture: Picture::None,
    },
    Tool {
        name: "test",
        about: "Renders the characters of a folder and compares them with its references",
        words: &["pchr", "test", "--json"],
        params: &[
            Param::path("path", "Folder of characters with references"),
            Param::output("results", "Folder in the output folder for new and different pictures").required(),
            Param::option("only"),
        ],
        schema: "pchr.compare/2",
        picture: Picture::None,
    },
];
