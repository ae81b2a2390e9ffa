//! Makes the small pictures of the gallery. Blocking; runs on the threads of a pool.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use super::cache::Cache;
use super::entry::Facts;
use crate::files::loading::read::{Contents, Source};
use crate::scene::loaded::Loaded;
use pchr::Character;
use pchr::cpu::{self, Threads};
use pchr::draw::{Overlay, Picture};
use pchr::error::{Place, escaped, with_sources};
use pchr::export::{
    Alpha, Drawing, ExportError, FrameSpec, Look, OverlayChoice, Padding, Plan, RenderOptions, Size, Subject,
    Surface,
};
use pchr::formats::ReadOptions;
use pchr::model::AnimationId;
use pchr::motion::initial_skins;
use pchr::progress::Progress;

/// Maximum number of pictures of a strip, and of pictures beside each other in it.
const MOST_PICTURES: u32 = 24;
pub const COLUMNS: usize = 6;
/// Share of the longer side that is left free around the character, in percent.
const PADDING: f32 = 6.0;
/// A picture may take this fraction of the work of a written one.
const WORK_SHARE: u64 = 16;

/// Kind of picture of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// One picture, which is kept in the cache.
    Still,
    /// Pictures of one pass of the animation, while the pointer is on the file.
    Strip,
}

/// A request for pictures of a file.
#[derive(Debug, Clone, PartialEq)]
pub struct ThumbnailRequest {
    /// The file.
    pub path: Arc<Path>,
    /// One or several pictures.
    pub kind: Kind,
    /// The width and height of each in pixels.
    pub side: u32,
    /// How often the file had changed.
    pub changes: u32,
}

/// The pictures of a file.
#[derive(Debug, Clone, Default)]
pub struct MadeThumbnail {
    /// Facts found while reading the file.
    pub facts: Facts,
    /// The pictures of equal size, [`COLUMNS`] beside each other, premultiplied; `None` if there is none.
    pub picture: Option<Picture>,
    /// Number of pictures, and the seconds for which each is shown.
    pub count: u32,
    pub picture_secs: f64,
}

/// How pictures are made.
#[derive(Debug)]
pub struct Maker {
    /// How files are read.
    pub read: ReadOptions,
    /// Where pictures are kept, if they are.
    pub cache: Option<Cache>,
    /// Ends what is being made.
    pub progress: Arc<Progress>,
}

impl Maker {
    /// Makes what is wanted, or takes it from the cache.
    pub fn make(&self, wanted: &ThumbnailRequest) -> MadeThumbnail {
        let cache = self.cache.as_ref().filter(|_| wanted.kind == Kind::Still);
        let key = cache.and_then(|cache| Some((cache, cache.key(wanted, &self.read)?)));
        if let Some(known) = key.as_ref().and_then(|(cache, key)| cache.find(key, wanted)) {
            return known;
        }
        let begun = SystemTime::now();
        let (thumbnail, sidecars) = self.read(wanted);
        if let Some((cache, key)) = key
            && self.progress.check().is_ok()
        {
            cache.keep(&key, wanted, &thumbnail, &sidecars, begun);
        }
        thumbnail
    }

    fn read(&self, wanted: &ThumbnailRequest) -> (MadeThumbnail, Vec<PathBuf>) {
        let source = Source { path: wanted.path.to_path_buf(), pipe: None, name: String::new() };
        let mut options = self.read.clone();
        options.limits.work /= WORK_SHARE;
        let Contents { character, diagnostics, sidecars, format } = source.read(options.clone(), &self.progress);
        let format = format.unwrap_or_default().to_owned();
        let warnings = diagnostics.warnings().count() + diagnostics.suppressed();
        let facts = Facts { format, errors: diagnostics.errors(), warnings, error: None };
        let made = character.map_err(ExportError::from).and_then(|character| {
            let loaded = Loaded::new(Arc::new(character), diagnostics);
            let animation = loaded.first_animation(options.limits.work);
            let draw = |show| {
                StripPlan::of(&loaded.character, animation, options.clone(), wanted, show)?.draw(&loaded.character)
            };
            let made = draw(Vec::new())?;
            let is_empty = made.picture.iter().all(|picture| picture.pixels().iter().all(|byte| *byte == 0));
            let has_bones = loaded.character.model().skeleton().bones().len() > 1;
            if is_empty && has_bones { draw(vec![Overlay::Bones.into()]) } else { Ok(made) }
        });
        let thumbnail = match made {
            Ok(made) => MadeThumbnail { facts, ..made },
            Err(error) => {
                let error = Some(reason(&error));
                MadeThumbnail { facts: Facts { error, ..facts }, ..MadeThumbnail::default() }
            }
        };
        (thumbnail, sidecars)
    }
}

/// Returns why a file cannot be shown, and below that where in it, without its folders.
fn reason(error: &ExportError) -> String {
    let text = with_sources(error);
    let place = if let ExportError::File(error) = error { error.place() } else { None };
    let Some(place) = place else { return escaped(&text) };
    let reason = text.strip_prefix(&place.to_string()).unwrap_or(&text);
    let file = place.file.as_deref().and_then(|file| Path::new(file).file_name());
    let file = file.map(|name| name.to_string_lossy().into_owned());
    let place = Place { file, ..place.clone() }.to_string();
    escaped(reason) + &format!("\n{}", place.trim_end_matches(": "))
}

/// Pictures that are drawn into one.
struct StripPlan {
    options: RenderOptions,
    plan: Plan,
    side: u32,
    picture_secs: f64,
}

impl StripPlan {
    fn of(
        character: &Character,
        animation: Option<AnimationId>,
        read: ReadOptions,
        wanted: &ThumbnailRequest,
        show: Vec<OverlayChoice>,
    ) -> Result<Self, ExportError> {
        let known = animation.map(|id| character.model().animation(id));
        let (count, secs) = known.map_or((1, 0.0), |known| (known.frame_count().max(1), known.duration_secs()));
        let step = count.div_ceil(MOST_PICTURES);
        let frames = (wanted.kind == Kind::Strip && known.is_some()).then(|| FrameSpec::range(0, count - 1, step));
        let options = RenderOptions {
            subject: Subject { frames, ..Subject::default() },
            look: Look {
                size: Size::Exact(wanted.side, wanted.side),
                padding: Padding::Percent(PADDING),
                alpha: Alpha::Premultiplied,
                show,
                ..Look::default()
            },
            read,
            ..RenderOptions::default()
        };
        let animations: Vec<AnimationId> = animation.into_iter().collect();
        let plan = options.plan(character, &animations, &initial_skins(character))?;
        let picture_secs = secs / plan.pictures.len().max(1) as f64;
        Ok(Self { options, plan, side: wanted.side, picture_secs })
    }

    fn draw(&self, character: &Character) -> Result<MadeThumbnail, ExportError> {
        let Self { options, plan, side, picture_secs } = self;
        let never = false.into();
        let surface = Surface { alpha: Alpha::Premultiplied, ..options.surface() };
        let sequence = options.sequence(character, plan, &never);
        let sequence = sequence.previewed(plan.view, options.settings(&plan.view), surface);
        let renderer = cpu::Renderer::new(character.model()).with_threads(Threads::One);
        let mut drawing = Drawing::cpu(renderer);
        let count = plan.pictures.len();
        let rows = count.div_ceil(COLUMNS).max(1) as u32;
        let mut whole = Picture::default();
        whole.reset(count.min(COLUMNS) as u32 * side, rows * side);
        for (place, planned) in plan.pictures.iter().enumerate() {
            let Some(picture) = sequence.picture(&mut drawing, &planned.cue)? else { break };
            copy_into(&mut whole, &picture, place);
        }
        let count = count as u32;
        Ok(MadeThumbnail { facts: Facts::default(), picture: Some(whole), count, picture_secs: *picture_secs })
    }
}

/// Copies a picture into the place with this number.
fn copy_into(whole: &mut Picture, picture: &Picture, place: usize) {
    let line = picture.width() as usize * 4;
    let (pitch, height) = (whole.width() as usize * 4, picture.height() as usize);
    let (left, top) = (place % COLUMNS * line, place / COLUMNS * height);
    let lines = whole.pixels_mut().chunks_exact_mut(pitch.max(1)).skip(top);
    for (to, from) in lines.zip(picture.pixels().chunks_exact(line.max(1))) {
        if let Some(to) = to.get_mut(left..left + line) {
            to.copy_from_slice(from);
        }
    }
}
