//! The poses of an animation as arrays, sampled as `pchr poses` does.

use numpy::{PyArrayDyn, PyUntypedArrayMethods};
use pchr::export::{PoseSampling, choose};
use pchr::formats::ReadOptions;
use pchr::motion::plays_physics;
use pchr::outline::{matrix, placed};
use pyo3::prelude::*;

use crate::failure::Failure;

/// The world transforms of bones over time.
#[pyclass(frozen, get_all, module = "pchr")]
pub struct Poses {
    /// Name of the animation; None for the rest pose of a character without animations.
    pub animation: Option<String>,
    /// Names of the bones, parents first.
    pub bones: Vec<String>,
    /// Times in seconds: float64, (poses,).
    pub seconds: Py<PyArrayDyn<f64>>,
    /// The x axis, the y axis and the position of each bone in world pixels, y up: float32, (poses, bones, 6). A row
    /// [a, b, c, d, x, y] moves a point (u, v) of the bone to (a·u + c·v + x, b·u + d·v + y). NaN if the bone is inactive.
    pub matrices: Py<PyArrayDyn<f32>>,
}

#[pymethods]
impl Poses {
    fn __repr__(&self, py: Python<'_>) -> String {
        let poses = self.seconds.bind(py).len();
        let animation = self.animation.as_deref().unwrap_or("the rest pose");
        format!("<pchr.Poses of {animation}: {poses} poses, {} bones>", self.bones.len())
    }

    fn __len__(&self, py: Python<'_>) -> usize {
        self.seconds.bind(py).len()
    }
}

/// [`Poses`] before they are arrays.
pub struct Sampled {
    pub animation: Option<String>,
    pub bones: Vec<String>,
    pub seconds: Vec<f64>,
    pub matrices: Vec<f32>,
}

impl Sampled {
    pub fn of(
        character: &pchr::Character,
        read: &ReadOptions,
        animation: Option<String>,
        fps: Option<f64>,
        skins: &[String],
        physics: Option<bool>,
    ) -> Result<Self, Failure> {
        let model = character.model();
        let skins = choose::skins(character, skins)?;
        let sampling = PoseSampling { character, skins, physics: plays_physics(character, physics), fps };
        let animations = choose::animations(model, animation.as_slice())?;
        let animations = animations.unwrap_or_else(|| model.default_animation().into_iter().collect());
        let motion = match animations[..] {
            [] => sampling.rest(),
            [id] => sampling.motion(id),
            _ => return Err(Failure::misuse("several-animations", "poses() samples one animation")),
        };
        sampling.charge(&[motion], &read.limits)?;
        let names = model.skeleton().authored_bones().iter().map(|bone| bone.name.to_string());
        let bones: Vec<String> = names.collect();
        let bytes = motion.count.saturating_mul(24 * bones.len() as u64);
        if bytes > read.limits.memory_bytes {
            let message =
                format!("{} poses of {} bones exceed the limit `memory-bytes`", motion.count, bones.len());
            return Err(Failure::misuse("too-many-poses", message));
        }
        let animation = sampling.name(&motion).map(str::to_owned);
        let mut sampled = Self { animation, bones, seconds: Vec::new(), matrices: Vec::new() };
        let ids: Vec<_> = model.skeleton().bone_ids().take(sampled.bones.len()).collect();
        sampling.for_each(&motion, |posed| {
            sampled.seconds.push(posed.seconds);
            for id in &ids {
                sampled.matrices.extend(placed(posed.pose, *id).map_or([f32::NAN; 6], matrix));
            }
            Ok::<_, Failure>(())
        })?;
        Ok(sampled)
    }
}
