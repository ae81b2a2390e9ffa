//! Files → characters, with their pages as textures.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use bevy::asset::io::Reader;
use bevy::asset::{Asset, AssetLoader, AssetPath, Handle, LoadContext, RenderAssetUsages};
use bevy::ecs::error::BevyError;
use bevy::image::{Image, ImageSampler, ImageSamplerDescriptor};
use bevy::reflect::TypePath;
use bevy::render::render_resource::{Extent3d, TextureDimension, TextureFormat};
use pchr::Character;
use pchr::diagnostics::Diagnostics;
use pchr::formats::{Files, ReadOptions};
use pchr::math::color::premultiply;
use pchr::model::{Model, PageId};
use serde::{Deserialize, Serialize};

/// A character or sprite sheet that was loaded.
#[derive(Debug, Asset, TypePath)]
pub struct CharacterAsset {
    /// The character, shared by the animators of all entities that show it.
    pub character: Arc<Character>,
    /// The textures of its pages: premultiplied, gamma-encoded.
    #[dependency]
    pub pages: Vec<Handle<Image>>,
    /// What the reader found odd.
    pub diagnostics: Diagnostics,
}

/// How a character is loaded, by `AssetServer::load_builder` or a `.meta` file.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct LoadSettings {
    /// The atlases, or the picture of a sprite sheet: paths from the topmost folder of the asset source. If empty, the
    /// atlas is called like the file, and a sheet names its picture.
    pub atlases: Vec<PathBuf>,
    /// Shows pages with hard texels. `None`: those that look like pixel art.
    pub is_sharp: Option<bool>,
}

/// Loads characters of every format. The atlas and the pages are read from the same asset source.
#[derive(Debug, Default, TypePath)]
pub struct CharacterLoader;

impl AssetLoader for CharacterLoader {
    type Asset = CharacterAsset;
    type Settings = LoadSettings;
    type Error = BevyError;

    async fn load(
        &self,
        reader: &mut dyn Reader,
        settings: &LoadSettings,
        context: &mut LoadContext<'_>,
    ) -> Result<CharacterAsset, BevyError> {
        let mut bytes = Vec::new();
        reader.read_to_end(&mut bytes).await?;
        let (character, diagnostics) = read(bytes, settings, context).await?;
        let mut pages = Vec::new();
        for page in character.model().page_ids() {
            let texture = texture(character.model(), page, settings.is_sharp);
            pages.push(context.add_labeled_asset(format!("page{}", page.index()), texture));
        }
        Ok(CharacterAsset { character: Arc::new(character), pages, diagnostics })
    }

    fn extensions(&self) -> &[&str] {
        &["pchr", "skel", "skf", "json", "xml", "aseprite", "ase"]
    }
}

/// Reads a character. Files are loaded asynchronously, so those that the reader asks for are loaded before it tries again.
async fn read(
    bytes: Vec<u8>,
    settings: &LoadSettings,
    context: &mut LoadContext<'_>,
) -> Result<(Character, Diagnostics), BevyError> {
    let options = ReadOptions { atlases: settings.atlases.clone(), ..ReadOptions::default() };
    let path = context.path().clone();
    let name = path.path().to_string_lossy().into_owned();
    let asked = Arc::new(Mutex::new(BTreeSet::new()));
    let mut files = Files::new([(name.as_str(), bytes)]).or_else({
        let asked = Arc::clone(&asked);
        move |path| {
            asked.lock().unwrap_or_else(PoisonError::into_inner).insert(path.to_owned());
            None
        }
    });
    let mut tried = BTreeSet::new();
    loop {
        let mut diagnostics = Diagnostics::default();
        let result = files.open_with(&name, &options, &mut diagnostics);
        let asked = std::mem::take(&mut *asked.lock().unwrap_or_else(PoisonError::into_inner));
        let mut has_more = false;
        for asked in asked {
            if tried.insert(asked.clone()) {
                let place = AssetPath::from_path_buf(PathBuf::from(&asked)).with_source(path.source().clone());
                if let Ok(bytes) = context.read_asset_bytes(place).await {
                    files.insert(asked, bytes);
                    has_more = true;
                }
            }
        }
        if !has_more {
            return Ok((result?, diagnostics));
        }
    }
}

/// The texture of a page. Its format does not decode sRGB: the shader tints gamma-encoded colours.
pub fn texture(model: &Model, id: PageId, is_sharp: Option<bool>) -> Image {
    let page = &model.pages()[id.index()];
    let mut pixels = page.pixels.to_vec();
    if !page.is_premultiplied {
        pixels.as_chunks_mut().0.iter_mut().for_each(|pixel| *pixel = premultiply(*pixel));
    }
    let size = Extent3d { width: page.width, height: page.height, depth_or_array_layers: 1 };
    let (dimension, format) = (TextureDimension::D2, TextureFormat::Rgba8Unorm);
    let mut image = Image::new(size, dimension, pixels, format, RenderAssetUsages::RENDER_WORLD);
    let is_sharp = is_sharp.unwrap_or_else(|| model.is_pixel_art(id));
    let sampler = if is_sharp { ImageSamplerDescriptor::nearest() } else { ImageSamplerDescriptor::linear() };
    image.sampler = ImageSampler::Descriptor(sampler);
    image
}
