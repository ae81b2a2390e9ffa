//! Why a crowd cannot show a character.

use std::fmt;

use crate::error::escaped;
use crate::gpu::pipeline::CrowdPasses;
use crate::model::Blend;

/// A property of a character that a crowd cannot show. Draw such a character with
/// [`ViewBuffers`](crate::gpu::ViewBuffers) instead.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum CrowdObstacle {
    /// The motion has keys and constraints instead of stored frames. [`bake`](crate::bake::bake) converts it.
    Keys,
    /// The character is a sequence of pictures.
    Flipbook,
    /// A clip mask.
    ClipMask {
        /// The name of its slot.
        slot: Box<str>,
    },
    /// A slot whose blend mode needs a pipeline of its own.
    Blend {
        /// The name of the slot.
        slot: Box<str>,
        /// Multiply or screen.
        blend: Blend,
    },
    /// A mesh without a page, which is drawn with an outline.
    WithoutPage {
        /// The name of its slot.
        slot: Box<str>,
    },
    /// More pages than one draw call can sample.
    Pages {
        /// The number of pages that are shown.
        count: usize,
    },
    /// So many stored frames with a draw order of their own, each with so many slots, that their lists do not fit into
    /// a buffer.
    DrawOrders,
}

impl fmt::Display for CrowdObstacle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Keys => f.write_str("its motion has keys instead of stored frames, so it has to be baked"),
            Self::Flipbook => f.write_str("it is a sequence of pictures"),
            Self::ClipMask { slot } => write!(f, "slot `{}` is a clip mask", escaped(slot)),
            Self::Blend { slot, blend } => {
                write!(f, "slot `{}` is blended with `{}`", escaped(slot), blend.name())
            }
            Self::WithoutPage { slot } => write!(f, "the mesh of slot `{}` has no picture", escaped(slot)),
            Self::Pages { count } => {
                write!(f, "it shows {count} atlas pages, and a crowd at most {}", CrowdPasses::MAX_PAGES)
            }
            Self::DrawOrders => {
                f.write_str("its stored frames have too many different draw orders: bake it at a lower rate")
            }
        }
    }
}

/// The reasons why a crowd cannot show a character.
#[derive(Debug, Clone, thiserror::Error)]
#[error("a crowd cannot show this character: {}", listed(.0))]
pub struct CrowdObstacles(pub Vec<CrowdObstacle>);

fn listed(obstacles: &[CrowdObstacle]) -> String {
    let texts: Vec<String> = obstacles.iter().map(ToString::to_string).collect();
    texts.join("; ")
}
