//! The pictures of a character: atlas pages or loose files.

mod atlases;
mod load;
mod loose;

use std::collections::HashSet;
use std::fmt::Display;

use crate::diagnostics::Diagnostics;
use crate::error::Result;
use crate::formats::atlas::Region;
use crate::formats::spine::locate::{Located, locate};
use crate::formats::{Input, Missing, ReadOptions};
use crate::limits::Budget;
use crate::model::{ModelBuilder, PageId};

use atlases::Atlases;
use loose::Loose;

/// The source of pictures, which attachments reference by name.
pub enum Pictures<'a> {
    /// The pages of atlases.
    Atlases(Atlases),
    /// Atlases that cannot be read, which has been reported.
    Broken,
    /// Loose files, searched on demand.
    Loose(Loose<'a>),
}

/// One page, if it was found.
#[derive(Debug, Clone, Copy, Default)]
pub struct Page {
    pub id: Option<PageId>,
    /// The size that regions refer to, in pixels.
    pub size: [f32; 2],
}

/// The picture of an attachment.
#[derive(Debug, Clone, Default)]
pub struct Picture {
    pub page: Page,
    pub region: Region,
}

impl<'a> Pictures<'a> {
    /// [Finds](locate) the atlas. Without one, pictures are loose files in `images` or next to the skeleton. `wanted`
    /// are the picture names of all attachments.
    pub fn find(
        input: &Input<'a>,
        options: &ReadOptions,
        images: &str,
        wanted: &HashSet<&str>,
        builder: &mut ModelBuilder,
        budget: &mut Budget<'_>,
        diagnostics: &mut Diagnostics,
    ) -> Result<Self> {
        Ok(match locate(input, options, wanted, budget.limits(), diagnostics)? {
            Located::Atlases(found) => {
                let mut atlases = Atlases::default();
                for atlas in found {
                    atlases.add(&atlas, builder, budget, diagnostics)?;
                }
                if atlases.names.is_empty() { Self::Broken } else { Self::Atlases(atlases) }
            }
            Located::Loose(candidates) => Self::Loose(Loose::new(images, input.sidecars, candidates)),
        })
    }

    /// Returns the picture called `name`; `None` if it is missing, which [`Self::report`] says.
    pub fn get(
        &mut self,
        name: &str,
        pointer: &dyn Display,
        builder: &mut ModelBuilder,
        budget: &mut Budget<'_>,
    ) -> Result<Option<Picture>> {
        Ok(match self {
            Self::Broken => None,
            Self::Atlases(atlases) => atlases.get(name, pointer),
            Self::Loose(loose) => {
                let page = loose.page(name, pointer, builder, budget)?;
                let region = Region { size: page.size, ..Region::default() };
                page.id.is_some().then_some(Picture { page, region })
            }
        })
    }

    /// What is shown of missing pictures, unless the user chooses. Packers leave blank images out of an atlas on purpose.
    pub fn missing(&self) -> Missing {
        match self {
            Self::Atlases(atlases) if atlases.have_any() => Missing::Hide,
            Self::Atlases(_) | Self::Broken | Self::Loose(_) => Missing::Box,
        }
    }

    /// Reports missing pictures; `missing` says what is drawn instead. Returns the names of the atlases with their unused
    /// regions.
    pub fn report(self, missing: Missing, diagnostics: &mut Diagnostics) -> Vec<(String, Vec<String>)> {
        match self {
            Self::Broken => Vec::new(),
            Self::Atlases(atlases) => {
                atlases.lacking.report(missing, diagnostics);
                atlases.unused()
            }
            Self::Loose(loose) => {
                loose.report(missing, diagnostics);
                Vec::new()
            }
        }
    }
}
