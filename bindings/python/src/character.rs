//! `pchr.Character`.

use std::path::PathBuf;
use std::sync::OnceLock;

use bytes::Bytes;
use numpy::PyArrayDyn;
use pchr::cpu::Renderer;
use pchr::diagnostics::Diagnostics;
use pchr::diff::{self, Side};
use pchr::formats::{Folder, Input, ReadOptions};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::convert::{Wanted, convert};
use crate::failure::Failure;
use crate::open::{Several, findings, rate};
use crate::poses::{Poses, Sampled};
use crate::threads::{detached, interruptible};
use crate::{arrays, keywords, pictures};

/// A character. It is immutable, and threads may share it.
///
/// The file is only read again by info, findings and convert.
#[pyclass(frozen, module = "pchr")]
pub struct Character {
    pub(crate) path: PathBuf,
    /// The contents of the file, whose keys and places `diff` lists.
    pub(crate) bytes: Bytes,
    pub(crate) read: ReadOptions,
    /// Worn by default.
    pub(crate) worn: Vec<String>,
    pub(crate) character: pchr::Character,
    pub(crate) diagnostics: Diagnostics,
    pub(crate) renderer: OnceLock<Renderer>,
}

impl Character {
    /// The path as reports name it, with `/`.
    fn name(&self) -> String {
        self.path.to_string_lossy().replace(std::path::MAIN_SEPARATOR, "/")
    }

    /// The pages are prepared once. Plans check the memory of pictures.
    fn renderer(&self) -> &Renderer {
        self.renderer.get_or_init(|| Renderer::new(self.character.model()).with_max_bytes(u64::MAX))
    }

    fn worn_or(&self, skins: Option<Several<String>>) -> Vec<String> {
        skins.map_or_else(|| self.worn.clone(), |skins| Several::of(Some(skins)))
    }
}

#[pymethods]
impl Character {
    /// The path that was opened.
    #[getter]
    fn path(&self) -> PathBuf {
        self.path.clone()
    }

    /// Names of the animations, in file order.
    #[getter]
    fn animations(&self) -> Vec<&str> {
        self.character.model().animations().iter().map(|animation| animation.name.as_str()).collect()
    }

    /// Names of the skins, in file order.
    #[getter]
    fn skins(&self) -> Vec<&str> {
        self.character.model().skins().iter().map(|skin| &*skin.name).collect()
    }

    /// Names of the bones, parents first.
    #[getter]
    fn bones(&self) -> Vec<&str> {
        self.character.model().skeleton().authored_bones().iter().map(|bone| &*bone.name).collect()
    }

    fn __repr__(&self) -> String {
        let [animations, bones] = [self.animations().len(), self.bones().len()];
        format!("<pchr.Character {}: {animations} animations, {bones} bones>", self.name())
    }

    /// What the file contains: its entry in the document of `pchr inspect --json`.
    fn info<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyAny>, Failure> {
        let report = detached(py, &self.path, || {
            Ok(pchr::inspect::file(&self.path, &self.name(), &[], &self.read, &mut Diagnostics::default())?)
        })?;
        Ok(arrays::document(py, &report)?)
    }

    /// Errors and questionable data, as `pchr validate --json` prints them.
    fn findings<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyAny>, Failure> {
        findings(py, &self.path, &self.read)
    }

    /// Renders one picture: NumPy, uint8, (height, width, 4), straight alpha, from the top.
    ///
    /// animation: name or #index [default: `idle`, else the first that moves]
    /// time: seconds, between frames too, or
    /// frame: a stored frame; negative numbers count from the end [default: the first that shows enough]
    /// size: side, (width, height), (width, None) or (None, height) [default: one pixel per world pixel]
    ///
    /// The other keywords are options of pchr-view by their long names, with _ for -: interpolate, physics, wind, gravity,
    /// physics_mix, skins, meshes, hide_meshes, tracks, bones, attach, scale, padding, fit, fit_whole, background, background_fit, background_opacity,
    /// alpha, additive, filter, antialias and show. The pixels are those that `pchr-view --backend cpu` writes.
    ///
    /// Raises Error for an invalid value, an unknown name, or a picture over a limit.
    #[pyo3(signature = (animation=None, **keywords))]
    fn render<'py>(
        &self,
        py: Python<'py>,
        animation: Option<String>,
        keywords: Option<&Bound<'py, PyDict>>,
    ) -> Result<Bound<'py, PyArrayDyn<u8>>, Failure> {
        let options = keywords::options(&self.read, &self.worn, animation, keywords, ("render", &["frames"]))?;
        let pixels = detached(py, &self.path, || pictures::one(&self.character, self.renderer(), &options))?;
        Ok(pixels.into_array(py)?)
    }

    /// Renders several pictures on all cores: NumPy, uint8, (pictures, height, width, 4). All have one visible area.
    ///
    /// animation: name, #index, or "all"
    /// frames: numbers, or as in pchr-view --frames, such as "0..10:2" [default: all], or
    /// times: seconds
    /// jobs: number of threads; 0: one per core
    ///
    /// Takes the keywords of render, too.
    #[pyo3(signature = (animation=None, *, times=None, jobs=0, **keywords))]
    fn render_many<'py>(
        &self,
        py: Python<'py>,
        animation: Option<String>,
        times: Option<Vec<f64>>,
        jobs: usize,
        keywords: Option<&Bound<'py, PyDict>>,
    ) -> Result<Bound<'py, PyArrayDyn<u8>>, Failure> {
        let without = ("render_many", &["time", "frame"][..]);
        let mut options = keywords::options(&self.read, &self.worn, animation, keywords, without)?;
        if times.is_some() && options.subject.frames.is_some() {
            return Err(PyTypeError::new_err("render_many() takes either frames or times").into());
        }
        options.output.jobs = jobs;
        let pixels = interruptible(py, &self.path, |is_cancelled| {
            pictures::many(&self.character, self.renderer(), options, times.as_deref(), is_cancelled)
        })?;
        Ok(pixels.into_array(py)?)
    }

    /// The world transforms of all bones over an animation, as `pchr poses --json` prints them.
    ///
    /// fps: poses per second, interpolated [default: the frames that are rendered]
    /// physics: simulated from the first pose [default: on for Spine, off for SkelForm]
    #[pyo3(signature = (animation=None, fps=None, *, skins=None, physics=None))]
    fn poses(
        &self,
        py: Python<'_>,
        animation: Option<String>,
        fps: Option<f64>,
        skins: Option<Several<String>>,
        physics: Option<bool>,
    ) -> Result<Poses, Failure> {
        let (fps, skins) = (fps.map(rate).transpose()?, self.worn_or(skins));
        let sampled = detached(py, &self.path, || {
            Sampled::of(&self.character, &self.read, animation, fps, &skins, physics)
        })?;
        let Sampled { animation, bones, seconds, matrices } = sampled;
        let shape = [seconds.len(), bones.len(), 6];
        Ok(Poses {
            animation,
            bones,
            seconds: arrays::array(py, seconds, &shape[..1])?.unbind(),
            matrices: arrays::array(py, matrices, &shape)?.unbind(),
        })
    }

    /// Writes the character in another format, as `pchr convert` does, and returns what it has written and lost.
    ///
    /// output: the main file; images of formats with separate ones are written next to it
    /// to: a value of pchr convert --to [default: from the extension]
    /// fps: frames per second to store [default: the file's rate, or 30]
    /// force: overwrite existing files
    #[pyo3(signature = (
        output, *, to=None, animations=None, skins=None, fps=None, allow_missing_images=false, force=false
    ))]
    #[expect(clippy::too_many_arguments, reason = "keywords of Python")]
    fn convert<'py>(
        &self,
        py: Python<'py>,
        output: PathBuf,
        to: Option<String>,
        animations: Option<Several<String>>,
        skins: Option<Several<String>>,
        fps: Option<u16>,
        allow_missing_images: bool,
        force: bool,
    ) -> Result<Bound<'py, PyAny>, Failure> {
        let wanted = Wanted {
            output: &output,
            to: to.as_deref(),
            animations: Several::of(animations),
            skins: self.worn_or(skins),
            fps,
            allow_missing_images,
            force,
        };
        // The rate of reading is only that of pictures that are cut into frames.
        let read = ReadOptions { fps: None, ..self.read.clone() };
        let report = detached(py, &self.path, || convert(&self.path, &read, wanted))?;
        Ok(arrays::document(py, &report)?)
    }

    /// Compares with another character: the document of `pchr diff --json`.
    ///
    /// epsilon: maximum distance of points that count as equal, in world units
    #[pyo3(signature = (other, *, epsilon=0.001))]
    fn diff<'py>(
        &self,
        py: Python<'py>,
        other: &Bound<'py, Self>,
        epsilon: f32,
    ) -> Result<Bound<'py, PyAny>, Failure> {
        if !(epsilon >= 0.0 && epsilon.is_finite()) {
            return Err(Failure::misuse("invalid-argument", "epsilon is 0 or a positive number"));
        }
        let other = other.get();
        let names = [self.name(), other.name()];
        let found = detached(py, &self.path, || {
            let options = diff::Options { epsilon, limits: self.read.limits.clone() };
            let [a, b] =
                [(self, &names[0]), (other, &names[1])].map(|(it, file)| Side { character: &it.character, file });
            let found = diff::compare(a, b, &options)?;
            let folders = [self, other].map(|it| Folder::of(&it.path));
            let [a, b] = [(self, &folders[0]), (other, &folders[1])]
                .map(|(it, sidecars)| Input { bytes: it.bytes.clone(), sidecars });
            Ok(found
                .with_findings([&self.diagnostics, &other.diagnostics])
                .with_keys([(&a, &self.read), (&b, &other.read)]))
        })?;
        Ok(arrays::document(py, &found)?)
    }
}
