//! Compares SkelForm characters with goldens made by independent programs.

use std::io::Read;
use std::path::{Path, PathBuf};

use pchr::Character;
use pchr::diagnostics::Diagnostics;
use pchr::formats::{Input, NO_SIDECARS, ReadOptions};
use pchr::math::angle::sin_cos_degrees_f64;
use pchr::math::{DVec2, Vec2, dvec2, vec2};
use pchr::model::{AnimationId, SkinId};
use pchr::motion::{Cue, Dynamics, Layer, Position, evaluate};
use pchr::pose::{Pose, SkinMatrix, for_each_deformed_vertex, palette};
use serde_json::Value;

use super::conformance_files;

/// Tolerances in pixels and radians.
type Tolerance = (f64, f64);
/// Both sides compute step by step in 32 bits; chains amplify rounding errors.
const STATELESS: Tolerance = (0.02, 1e-4);
/// Rounding errors accumulate over the steps.
const CARRIED: Tolerance = (0.05, 1e-3);
/// Tolerance of atlas coordinates and vertices of the editor.
const EDITOR: f64 = 0.05;

/// A character with one of its goldens.
pub struct Golden {
    pub name: String,
    pub character: Character,
    json: Value,
    armature: Value,
    /// The worn skins, in the order of a cue.
    skins: Vec<SkinId>,
}

/// The results of comparisons.
#[derive(Default)]
pub struct Tally {
    pub goldens: usize,
    pub poses: usize,
    pub vertices: usize,
    /// Vertices below mirrored bones, in goldens of the editor.
    pub set_aside: usize,
    pub worst_pixels: f64,
    pub worst_radians: f64,
    pub faults: Vec<String>,
}

/// Returns the entry `name` of the archive in `bytes`.
pub fn entry(bytes: &[u8], name: &str) -> Option<Vec<u8>> {
    let archive = rawzip::ZipArchive::from_slice(bytes).expect("an archive");
    let mut entries = archive.entries().map(|entry| entry.expect("an entry"));
    let found = entries.find(|entry| entry.file_path().as_bytes() == name.as_bytes())?;
    let entry = archive.get_entry(found.wayfinder()).expect("its data");
    assert_eq!(found.compression_method().as_u16(), 0, "samples are stored");
    Some(entry.data().to_vec())
}

pub fn read_skelform(bytes: &[u8]) -> Character {
    let input = Input { bytes: bytes.to_vec().into(), sidecars: NO_SIDECARS };
    let mut diagnostics = Diagnostics::default();
    pchr::formats::from_input(&input, &ReadOptions::default(), &mut diagnostics).expect("a sample is valid")
}

/// Returns the goldens of a kind, limited to paths that contain `PCHR_ONLY`.
pub fn goldens(kind: &str) -> Vec<PathBuf> {
    let only = std::env::var("PCHR_ONLY").unwrap_or_default();
    let mut found = conformance_files(&format!("skelform/golden/{kind}"), ".json.gz");
    found.retain(|path| path.to_string_lossy().contains(&only));
    found
}

impl Golden {
    /// Reads a golden and its character: `samples/NAME.skf` beside `golden/KIND`.
    pub fn load(path: &Path) -> Self {
        let packed = std::fs::read(path).expect("a readable golden");
        let mut text = Vec::new();
        flate2::read::GzDecoder::new(&packed[..]).read_to_end(&mut text).expect("gzip");
        let json: Value = serde_json::from_slice(&text).expect("a golden is JSON");
        assert_eq!(json["format"], "skelform-golden-1", "{}", path.display());
        let root = path.ancestors().nth(3).expect("skelform/golden/KIND");
        let sample = root.join(format!("samples/{}.skf", json["sample"].as_str().expect("a name")));
        let bytes = std::fs::read(&sample).unwrap_or_else(|error| panic!("{}: {error}", sample.display()));
        let character = read_skelform(&bytes);
        let armature = entry(&bytes, "armature.json").expect("an armature");
        let armature: Value = serde_json::from_slice(&armature).expect("JSON");
        // If the file names no styles, the goldens wear all of them.
        let has_editor = entry(&bytes, "editor.json").is_some();
        let styles = character.model().skins();
        let skins = styles.iter().rev().filter(|_| !has_editor);
        let skins = skins.map(|skin| character.model().find_skin(&skin.name).expect("a skin")).collect();
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        Self { name, character, json, armature, skins }
    }

    fn animation(&self, index: &Value) -> Option<AnimationId> {
        let index = usize::try_from(index.as_u64()?).expect("a number");
        Some(self.character.model().animation_ids().nth(index).expect("an animation"))
    }

    fn cue(&self, animation: Option<AnimationId>, frame: u64) -> Cue {
        let position = Position::frame(u32::try_from(frame).expect("a frame"));
        Cue { animation, position, skins: self.skins.clone(), ..Cue::default() }
    }

    /// Returns up to five evenly chosen poses of the golden with descriptions. Poses with physics are taken after
    /// the stated number of steps.
    pub fn poses(&self) -> Vec<(String, Pose)> {
        const COUNT: usize = 5;
        let animation = self.animation(&self.json["anim"]["index"]);
        let frames = list(&self.json["frames"]);
        let count = frames.len().min(COUNT);
        let chosen = (0..count).map(|index| &frames[(2 * index + 1) * frames.len() / (2 * count)]);
        let (mut dynamics, mut pose, mut tick) = (Dynamics::default(), Pose::default(), 0);
        let mut pose_at = |frame: &Value| {
            if frame["tick"].is_null() {
                let at = frame["frame"].as_u64().unwrap_or_default();
                evaluate(&self.character, &self.cue(animation, at), &mut pose);
                return (format!("frame {at}"), pose.clone());
            }
            let last = whole(&self.json["anim"]["last_frame"]);
            while tick <= whole(&frame["tick"]) {
                dynamics.step(&self.character, &self.cue(animation, tick % (last + 1)), &mut pose);
                tick += 1;
            }
            (format!("tick {}", tick - 1), pose.clone())
        };
        chosen.map(&mut pose_at).collect()
    }

    /// Compares every pose of the golden, whatever its kind.
    pub fn check(&self, tally: &mut Tally) {
        tally.goldens += 1;
        match self.json["mode"].as_str() {
            Some("nophys") => self.check_stateless(tally),
            Some("phys") => self.check_physics(tally),
            Some("blend") if !self.json["anim"]["switch"].is_null() => self.check_switch(tally),
            Some("blend") => self.check_together(tally),
            mode => panic!("{}: {mode:?}", self.name),
        }
    }

    fn check_stateless(&self, tally: &mut Tally) {
        let animation = self.animation(&self.json["anim"]["index"]);
        let mut pose = Pose::default();
        for frame in list(&self.json["frames"]) {
            // The rest pose has no frame.
            let at = frame["frame"].as_u64().unwrap_or_default();
            evaluate(&self.character, &self.cue(animation, at), &mut pose);
            tally.poses += 1;
            let fault = if frame["draw"].is_null() {
                self.check_pose(&frame["pose"], &pose, STATELESS, tally)
            } else {
                self.check_draw(&frame["draw"], &pose, tally)
            };
            self.tell(fault, frame, tally);
        }
    }

    fn check_physics(&self, tally: &mut Tally) {
        let animation = self.animation(&self.json["anim"]["index"]);
        let last = whole(&self.json["anim"]["last_frame"]);
        let (mut dynamics, mut pose, mut tick) = (Dynamics::default(), Pose::default(), 0);
        for frame in list(&self.json["frames"]) {
            while tick <= whole(&frame["tick"]) {
                dynamics.step(&self.character, &self.cue(animation, tick % (last + 1)), &mut pose);
                tick += 1;
            }
            tally.poses += 1;
            let fault = self.check_pose(&frame["pose"], &pose, CARRIED, tally);
            self.tell(fault, frame, tally);
        }
    }

    fn check_switch(&self, tally: &mut Tally) {
        let what = &self.json["anim"];
        let [first, second] = [0, 1].map(|at| self.animation(&what["switch"][at]));
        let (mut dynamics, mut pose) = (Dynamics::default().with_physics(false), Pose::default());
        for frame in 0..=whole(&what["at"]) {
            dynamics.step(&self.character, &self.cue(first, frame), &mut pose);
        }
        let frames = list(&self.json["frames"]);
        tally.poses += frames.len();
        self.tell(self.check_pose(&frames[0]["pose"], &pose, CARRIED, tally), &frames[0], tally);
        dynamics.set_smoothing(number(&what["smooth"]));
        for (at, frame) in (0..).zip(&frames[1..]) {
            assert_eq!(whole(&frame["frame"]), at);
            // Beyond the last frame the animation does not restart.
            let cue = Cue { hold: true, ..self.cue(second, at) };
            dynamics.step(&self.character, &cue, &mut pose);
            self.tell(self.check_pose(&frame["pose"], &pose, CARRIED, tally), frame, tally);
        }
    }

    fn check_together(&self, tally: &mut Tally) {
        let [first, second] = [0, 1].map(|at| self.animation(&self.json["anim"]["together"][at]));
        for frame in list(&self.json["frames"]) {
            let mut cue = self.cue(first, whole(&frame["frame"]));
            let (position, hold) = (cue.position, true);
            cue.hold = hold;
            let animation = second.expect("an animation");
            cue.layers = vec![Layer { hold, ..Layer::new(animation, position) }];
            let mut pose = Pose::default();
            evaluate(&self.character, &cue, &mut pose);
            tally.poses += 1;
            self.tell(self.check_pose(&frame["pose"], &pose, CARRIED, tally), frame, tally);
        }
    }

    fn tell(&self, result: Result<(), String>, frame: &Value, tally: &mut Tally) {
        if let Err(fault) = result {
            let at = if frame["tick"].is_null() { &frame["frame"] } else { &frame["tick"] };
            tally.faults.push(format!("{} at {at}: {fault}", self.name));
        }
    }

    /// Compares bones, draw order, textures, tints and mesh vertices.
    fn check_pose(
        &self,
        expected: &Value,
        pose: &Pose,
        allowed: Tolerance,
        tally: &mut Tally,
    ) -> Result<(), String> {
        let model = self.character.model();
        let bones = list(&expected["bones"]);
        assert_eq!(bones.len(), model.skeleton().authored_bones().len(), "{}", self.name);
        let mut fault = None;
        for (index, (bone, found)) in bones.iter().zip(&pose.world_from_bone).enumerate() {
            let [x, y, rotation, scale_x, scale_y] = [0, 1, 2, 3, 4].map(|at| number(&bone[at]));
            let (sin, cos) = sin_cos_degrees_f64(rotation.to_degrees());
            let off = (found.translation.as_dvec2() - dvec2(x, y)).length();
            // Rotating by a small angle moves the end of an axis by the same amount.
            let axes = [
                (found.matrix2.x_axis, dvec2(cos, sin) * scale_x),
                (found.matrix2.y_axis, dvec2(-sin, cos) * scale_y),
            ];
            let turn =
                axes.map(|(axis, expected)| (axis.as_dvec2() - expected).length() / expected.length().max(1.0));
            let turn = turn[0].max(turn[1]);
            tally.see(off, turn);
            if !(off <= allowed.0 && turn <= allowed.1) {
                fault.get_or_insert(format!("bone {index} is off by {off} px and {turn} rad"));
            }
        }
        let slot_bone = |slot: usize| model.slots()[slot].bone.expect("a bone").index() as u64;
        let found: Vec<u64> = pose.draw_order.iter().map(|slot| slot_bone(slot.index())).collect();
        let is_hidden = |bone: &u64| whole(&expected["hidden_propagated"][*bone as usize]) != 0;
        let order: Vec<u64> = list(&expected["draw_order"]).iter().map(whole).collect();
        let order: Vec<u64> = order.into_iter().filter(|bone| !is_hidden(bone)).collect();
        if found != order {
            return Err(format!("bones are drawn in the order {found:?}, expected {order:?}"));
        }
        let mut matrices = Vec::new();
        palette(model, pose, &mut matrices);
        for (slot, state) in pose.slots.iter().enumerate() {
            let bone = slot_bone(slot) as usize;
            let visual =
                self.armature["bones"][bone]["visuals_id"].as_u64().map_or(slot, |visual| visual as usize);
            let expected = &expected["visuals"][visual];
            let tint = (0..4).map(|at| number(&expected["tint"][at]).clamp(0.0, 1.0));
            let off = tint.zip(state.tint.light).map(|(a, b)| (a - f64::from(b)).abs()).fold(0.0, f64::max);
            if off > 1e-4 {
                return Err(format!("visual {visual} is tinted {:?}, expected {}", state.tint, expected["tint"]));
            }
            let Some(mesh) = state.attachment.and_then(|id| model.attachment(id).mesh()) else { continue };
            if expected["tex"] != *mesh.name {
                return Err(format!("visual {visual} shows `{}`, expected {}", mesh.name, expected["tex"]));
            }
            let vertices = list(&expected["verts"]);
            if vertices.is_empty() {
                continue;
            }
            let offset = self.pivot_offset(visual, &mesh.name, &bones[bone]);
            let found = positions(&mesh.vertices, &matrices);
            assert_eq!(found.len(), vertices.len(), "{}: vertices of visual {visual}", self.name);
            for (at, (found, expected)) in found.iter().zip(vertices).enumerate() {
                let off = (found.as_dvec2() - offset - point(expected)).length();
                tally.vertices += 1;
                tally.see(off, 0.0);
                if off.is_nan() || off > allowed.0 {
                    fault.get_or_insert(format!("vertex {at} of visual {visual} is off by {off} px"));
                }
            }
        }
        fault.map_or(Ok(()), Err)
    }

    /// Returns the offset by which the pivot moves `visual` on `bone`, which the goldens omit.
    fn pivot_offset(&self, visual: usize, texture: &str, bone: &Value) -> DVec2 {
        let pivot = &self.armature["visuals"][visual]["pivot_pos"];
        if pivot.is_null() {
            return DVec2::ZERO;
        }
        let mut textures = list(&self.armature["styles"]).iter().flat_map(|style| list(&style["textures"]));
        let size = &textures.find(|json| json["name"] == texture).expect("a texture")["size"];
        let moved = dvec2(number(&pivot["x"]) * number(&size["x"]), number(&pivot["y"]) * number(&size["y"]));
        let (sin, cos) = sin_cos_degrees_f64(number(&bone[2]).to_degrees());
        let turned = dvec2(moved.x * cos - moved.y * sin, moved.x * sin + moved.y * cos);
        turned * dvec2(number(&bone[3]), number(&bone[4]))
    }

    /// Returns true if an ancestor of the bone is mirrored along one axis.
    fn is_below_mirror(&self, bone: usize, pose: &Pose) -> bool {
        let bones = self.character.model().skeleton().bones();
        let mut parents = std::iter::successors(bones[bone].parent, |parent| bones[parent.index()].parent);
        parents.any(|parent| pose.world_from_bone[parent.index()].matrix2.determinant() < 0.0)
    }

    /// Compares what is drawn, back to front.
    fn check_draw(&self, expected: &Value, pose: &Pose, tally: &mut Tally) -> Result<(), String> {
        let model = self.character.model();
        let mut matrices = Vec::new();
        palette(model, pose, &mut matrices);
        let drawn = pose.draw_order.iter().filter_map(|slot| {
            let state = &pose.slots[slot.index()];
            Some((slot, state, model.attachment(state.attachment?).mesh()?))
        });
        let drawn: Vec<_> = drawn.collect();
        let expected = list(expected);
        if drawn.len() != expected.len() {
            let found: Vec<&str> = drawn.iter().map(|(.., mesh)| &*mesh.name).collect();
            return Err(format!("{} meshes are drawn, expected {}: {found:?}", drawn.len(), expected.len()));
        }
        for (at, ((slot, state, mesh), expected)) in drawn.into_iter().zip(expected).enumerate() {
            let bone = model.slot(*slot).bone.expect("a bone").index() as u64;
            let page = mesh.page.map(|page| page.index() as u64);
            if bone != whole(&expected["bone"]) || expected["tex"] != *mesh.name {
                return Err(format!("{at} is `{}` on {bone}, expected {}", mesh.name, expected["tex"]));
            }
            if page != Some(whole(&expected["atlas"])) {
                return Err(format!("{at} is drawn from page {page:?}"));
            }
            let tint = (0..4).map(|at| number(&expected["tint"][at]).clamp(0.0, 1.0));
            let off = tint.zip(state.tint.light).map(|(a, b)| (a - f64::from(b)).abs()).fold(0.0, f64::max);
            if off > 1e-4 {
                return Err(format!("{at} is tinted {:?}, expected {}", state.tint, expected["tint"]));
            }
            let indices: Vec<u64> = mesh.indices.triangles().flatten().map(u64::from).collect();
            if indices != list(&expected["indices"]).iter().map(whole).collect::<Vec<_>>() {
                return Err(format!("{at} has the triangles {indices:?}, expected {}", expected["indices"]));
            }
            let page = &model.pages()[mesh.page.expect("a page").index()];
            let size = vec2(page.width as f32, page.height as f32);
            let mut found = Vec::new();
            for_each_deformed_vertex(&mesh.vertices, &[], &matrices, |position, uv| {
                found.push((position, uv * size))
            });
            assert_eq!(found.len(), list(&expected["verts"]).len(), "{}: vertices of {at}", self.name);
            for (vertex, ((position, uv), expected)) in found.into_iter().zip(list(&expected["verts"])).enumerate()
            {
                let off = (position.as_dvec2() - point(expected)).abs();
                let off_uv = (uv.as_dvec2() - dvec2(number(&expected[2]), number(&expected[3]))).abs();
                // The editor that made these goldens predates the rule for mirrored parents; the other goldens
                // follow it.
                let is_mirrored = self.is_below_mirror(bone as usize, pose);
                let off = if is_mirrored { 0.0 } else { off.max_element() };
                let off = off.max(off_uv.max_element());
                tally.vertices += 1;
                tally.set_aside += usize::from(is_mirrored);
                tally.see(off, 0.0);
                if off.is_nan() || off > EDITOR {
                    return Err(format!("vertex {vertex} of {at}, `{}`, is off by {off} px", mesh.name));
                }
            }
        }
        Ok(())
    }
}

impl Tally {
    fn see(&mut self, pixels: f64, radians: f64) {
        self.worst_pixels = self.worst_pixels.max(pixels);
        self.worst_radians = self.worst_radians.max(radians);
    }
}

fn positions(vertices: &pchr::model::Vertices, matrices: &[SkinMatrix]) -> Vec<Vec2> {
    let mut found = Vec::new();
    for_each_deformed_vertex(vertices, &[], matrices, |position, _| found.push(position));
    found
}

fn point(value: &Value) -> DVec2 {
    dvec2(number(&value[0]), number(&value[1]))
}

fn list(value: &Value) -> &[Value] {
    value.as_array().unwrap_or_else(|| panic!("{value} is not a list"))
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is not a number"))
}

fn whole(value: &Value) -> u64 {
    value.as_u64().unwrap_or_else(|| panic!("{value} is not an integer"))
}
