//! The picture of the differences between two scenes, computed on a thread of its own.
//!
//! Both scenes are drawn by the CPU renderer, which gives the same pixels on every machine, and compared like the
//! pictures of `--reference`.

use std::sync::{Arc, Mutex, PoisonError};

use crate::base::pool::Pool;
use crate::base::waker::Waker;
use crate::scene::{CpuSceneRenderer, Scene};
use pchr::draw::Picture;
use pchr::export::{Alpha, Surface};
use pchr::golden;

/// How two scenes differ.
#[derive(Debug, Clone)]
pub struct Differences {
    /// The scenes.
    pub scenes: Arc<[Scene; 2]>,
    /// The [heat map](golden::heat_map); `None` if drawing a scene would take too long.
    pub map: Option<Arc<Picture>>,
    /// Number of different pixels, and the largest difference.
    pub found: golden::Difference,
}

/// Computes differences while the window keeps running.
#[derive(Debug, Default)]
pub struct Comparer {
    pool: Option<Pool<Arc<[Scene; 2]>, Differences>>,
    asked: Option<Arc<[Scene; 2]>>,
    latest: Option<Differences>,
}

impl Comparer {
    /// Requests the differences of two scenes, unless they were requested last.
    pub fn show(&mut self, scenes: [Scene; 2]) {
        if self.asked.as_deref() == Some(&scenes) {
            return;
        }
        let scenes = Arc::new(scenes);
        let pool = self.pool.get_or_insert_with(|| {
            let stages = Mutex::new([CpuSceneRenderer::default(), CpuSceneRenderer::default()]);
            let find = move |scenes: &Arc<_>| {
                compare(&mut stages.lock().unwrap_or_else(PoisonError::into_inner), Arc::clone(scenes))
            };
            Pool::start("differences", 1, Some(&Waker::of_nobody()), find)
        });
        pool.ask(vec![Arc::clone(&scenes)]);
        self.asked = Some(scenes);
    }

    /// Returns the latest result. It is out of date while [`Self::is_busy`] returns true.
    pub fn latest(&mut self) -> Option<&Differences> {
        if let Some((_, differences)) = self.pool.as_ref().and_then(|pool| pool.take().pop()) {
            self.latest = Some(differences);
        }
        self.latest.as_ref()
    }

    /// Returns true while the requested differences are being computed.
    pub fn is_busy(&self) -> bool {
        self.asked.as_ref() != self.latest.as_ref().map(|latest| &latest.scenes)
    }
}

fn compare(stages: &mut [CpuSceneRenderer; 2], scenes: Arc<[Scene; 2]>) -> Differences {
    let [a, b] = stages;
    let pictures = [straight(a, &scenes[0]), straight(b, &scenes[1])];
    let (map, found) = match pictures {
        [Some(a), Some(b)] => (
            golden::heat_map(&a, &b, 0, Alpha::Straight).map(Arc::new),
            golden::difference(&a, &b, 0, Alpha::Straight).unwrap_or_default(),
        ),
        [_, _] => (None, golden::Difference::default()),
    };
    Differences { scenes, map, found }
}

/// Returns the picture of `scene` with straight alpha, as in a PNG file.
fn straight(stage: &mut CpuSceneRenderer, scene: &Scene) -> Option<Picture> {
    let mut picture = stage.render(scene).0.clone();
    Surface::default().finish(&mut picture);
    (!stage.is_too_heavy()).then_some(picture)
}
