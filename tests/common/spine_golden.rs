//! Compares Spine characters with goldens made by an independent program.

use std::collections::BTreeSet;
use std::io::Read;
use std::path::{Path, PathBuf};

use pchr::Animator;
use pchr::Character;
use pchr::diagnostics::Diagnostics;
use pchr::formats::{Folder, Input, ReadOptions};
use pchr::math::angle::{atan2_degrees, sin_cos_degrees, sin_cos_radians};
use pchr::math::{Affine2, Vec2, vec2};
use pchr::model::{Attachment, AttachmentId, BoneId, Constraint, ConstraintKind, ConstraintTarget, SkinId};
use pchr::motion::{
    BoneOverride, Cue, Direction, Dynamics, Layer, Mix, Position, Span, constraint_notes, evaluate, for_each_event,
};
use pchr::player::{EventKind, LoopMode, TrackEvent};
use pchr::pose::{Pose, SkinMatrix, for_each_deformed_vertex, for_each_listed_vertex, palette};
use serde_json::Value;

use super::conformance_files;

/// Tolerance in world pixels and matrix entries, if the noise of the golden does not require more.
const TOLERANCE: f64 = 1e-3;
/// Maximum error as a multiple of the golden's noise.
const NOISES: f64 = 8.0;
/// Colours have eight bits; those of golden 2 are rounded to fewer digits.
const COLOR_TOLERANCES: [f64; 2] = [1e-4, 1e-3];
/// Alpha of a timeline, which binary skeletons store in a byte.
const BINARY_ALPHA_TOLERANCE: f64 = 4e-3;

/// A character with its golden.
pub struct Golden {
    pub name: String,
    pub character: Character,
    pub json: Value,
    /// Attachment ids, by the golden's index.
    attachments: Vec<AttachmentId>,
    /// For red, green and blue, and for alpha.
    color_tolerances: [f64; 2],
    is_binary: bool,
    /// True for a binary of 4.3 with the golden of its JSON, where an event key without balance has the volume.
    is_balanced: bool,
}

/// The results of comparisons.
#[derive(Default)]
pub struct Tally {
    pub files: usize,
    pub cases: usize,
    pub disputed: usize,
    /// Bones, draw orders and slots that were compared, and those that differ.
    pub parts: usize,
    pub parts_off: usize,
    /// Worst errors of matrices, positions and vertices, as fractions of the tolerance.
    pub worst: f64,
    /// The same in units.
    pub worst_units: [f64; 3],
    pub faults: Vec<String>,
    /// Poses of scripts that differ while animations are mixed: skeleton and script, frame, and difference.
    pub mixed: Vec<(String, u64, String)>,
    /// Skeletons and scripts that were run.
    pub scripts: BTreeSet<String>,
}

impl Tally {
    pub fn passing(&self) -> usize {
        self.cases.saturating_sub(self.faults.len() + self.mixed.len())
    }
}

/// Returns the goldens below `part` of the conformance data with their skeletons, limited to skeletons whose path
/// contains `PCHR_ONLY`. JSON and a binary skeleton share a golden, unless the latter has its own.
pub fn goldens(part: &str) -> Vec<(PathBuf, PathBuf)> {
    let only = std::env::var("PCHR_ONLY").unwrap_or_default();
    let mut found = Vec::new();
    for golden in conformance_files(part, ".golden.json.gz") {
        let name = golden.to_str().and_then(|name| name.strip_suffix(".golden.json.gz")).expect("a golden");
        let has_own = Path::new(&format!("{name}.skel.golden.json.gz")).exists();
        let binary = (!has_own).then(|| format!("{name}.skel"));
        let skeletons = match name.ends_with(".skel") {
            true => vec![name.to_owned()],
            false => [format!("{name}.json")].into_iter().chain(binary).collect(),
        };
        let skeletons = skeletons.into_iter().map(PathBuf::from).filter(|path| path.exists());
        found.extend(skeletons.map(|skeleton| (golden.clone(), skeleton)));
    }
    found.retain(|(_, skeleton)| skeleton.to_string_lossy().contains(&only));
    found
}

/// Reads the character at `path`.
pub fn read_spine(path: &Path, diagnostics: &mut Diagnostics) -> Character {
    read_spine_as(path, path, diagnostics)
}

/// Reads the character at `path` as if it were at `place`, beside its pictures.
fn read_spine_as(path: &Path, place: &Path, diagnostics: &mut Diagnostics) -> Character {
    let bytes = std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let input = Input { bytes: bytes.into(), sidecars: &Folder::of(place) };
    pchr::formats::from_input(&input, &ReadOptions::default(), diagnostics)
        .unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

impl Golden {
    /// Loads the golden at `path` with a skeleton.
    pub fn load(path: &Path, skeleton: &Path) -> Self {
        let packed = std::fs::read(path).expect("a readable golden");
        let mut text = Vec::new();
        flate2::read::GzDecoder::new(&packed[..]).read_to_end(&mut text).expect("gzip");
        let json: Value = serde_json::from_slice(&text).expect("a golden is JSON");
        let version = match json["format"].as_str() {
            Some("spine-golden/1") => 0,
            Some("spine-golden/2") => 1,
            other => panic!("{}: {other:?}", path.display()),
        };
        let color = COLOR_TOLERANCES[version];
        let is_binary = skeleton.extension().is_some_and(|extension| extension == "skel");
        let color_tolerances = [color, if is_binary { BINARY_ALPHA_TOLERANCE } else { color }];
        let place = path.with_file_name(skeleton.file_name().expect("a name"));
        let character = read_spine_as(skeleton, &place, &mut Diagnostics::default());
        // The version comes after the hash and its length.
        let head = std::fs::read(skeleton).expect("a readable skeleton");
        let is_balanced = is_binary && head.get(9..12) == Some(b"4.3");
        let model = character.model();
        let entry = |place: &Value| {
            let [skin, slot, key] = ["skin", "slot", "key"].map(|field| place[field].as_str().expect("a name"));
            let skin = model.skin(model.find_skin(skin).expect("a skin"));
            let is_it = |it: &&pchr::model::SkinEntry| *model.slot(it.slot).name == *slot && *it.key == *key;
            skin.entries.iter().find(is_it).expect("an attachment").attachment
        };
        let attachments = list(&json["attachments"]).iter().map(entry).collect();
        let folder = skeleton.parent().and_then(Path::parent).and_then(Path::file_name);
        let folder = folder.unwrap_or_default().to_string_lossy();
        let name = match version {
            1 => format!("{folder}/{}", skeleton.file_name().expect("a name").to_string_lossy()),
            // A version, whose rigs have the same names as those of another.
            _ if folder.starts_with(|first: char| first.is_ascii_digit()) => {
                format!("{folder}/{}", skeleton.file_stem().expect("a name").to_string_lossy())
            }
            _ if is_binary => skeleton.file_name().expect("a name").to_string_lossy().into_owned(),
            _ => skeleton.file_stem().expect("a name").to_string_lossy().into_owned(),
        };
        Self { name, character, json, attachments, color_tolerances, is_binary, is_balanced }
    }

    /// Compares everything that the golden states about the model.
    pub fn check_model(&self, faults: &mut Vec<String>) {
        let model = self.character.model();
        let same = |expected: &Value, found: Vec<&str>| assert_eq!(expected, &Value::from(found), "{}", self.name);
        same(&self.json["bones"], model.skeleton().bones().iter().map(|bone| &*bone.name).collect());
        same(&self.json["slots"], model.slots().iter().map(|slot| &*slot.name).collect());
        let mut skins: Vec<&str> = model.skins().iter().map(|skin| &*skin.name).collect();
        if !skins.contains(&"default") {
            // A file need not state the default skin if that has no attachments.
            skins.insert(0, "default");
        }
        same(&self.json["skins"], skins);
        for (name, duration) in self.json["durations"].as_object().expect("durations") {
            let animation = model.animation(model.find_animation(name).expect("an animation"));
            let off = (animation.duration_secs() - number(duration)).abs();
            // The golden has six digits.
            if off > 2e-6 {
                faults.push(format!(
                    "{}: {name} takes {}, expected {duration}",
                    self.name,
                    animation.duration_secs()
                ));
            }
        }
        for (place, id) in list(&self.json["attachments"]).iter().zip(&self.attachments) {
            if let Err(fault) = check_attachment(place, model.attachment(*id)) {
                faults.push(format!("{}: {}: {fault}", self.name, place["key"]));
            }
        }
    }

    fn skins(&self, skin: &Value) -> Vec<SkinId> {
        let find = |name| self.character.model().find_skin(name).expect("a skin");
        skin.as_str().map(find).into_iter().collect()
    }

    fn animation(&self, name: &Value) -> Option<pchr::model::AnimationId> {
        name.as_str().map(|name| self.character.model().find_animation(name).expect("an animation"))
    }

    /// Returns true if programs differ and none of them is the reference. For 4.3, the official one is.
    fn is_disputed(&self, case: &Value) -> bool {
        // `true`, and since golden 2 a text.
        (case["disputed"] == true || case["disputed"].is_string()) && !self.name.starts_with("4.3/")
    }

    /// Returns the undisputed cases.
    pub fn cases(&self) -> Vec<&Value> {
        list(&self.json["cases"]).iter().filter(|case| !self.is_disputed(case)).collect()
    }

    /// Returns the cue of a case.
    pub fn cue(&self, case: &Value) -> Cue {
        Cue {
            animation: self.animation(&case["anim"]),
            position: Position::Seconds(number(&case["time"])),
            hold: !case["loop"].as_bool().expect("a flag"),
            skins: self.skins(&case["skin"]),
            ..Cue::default()
        }
    }

    /// Compares animations at given times.
    pub fn check_poses(&self, tally: &mut Tally) {
        for case in list(&self.json["cases"]) {
            let cue = self.cue(case);
            self.check(case, &cue, &format!("{} {} at {}", case["skin"], case["anim"], case["time"]), tally);
        }
    }

    /// Like [`check_poses`](Self::check_poses), for a skeleton some of whose poses are known to differ: they are named by
    /// their number in the golden.
    pub fn check_listed_poses(&self, tally: &mut Tally) {
        tally.scripts.insert(self.name.clone());
        for (index, case) in list(&self.json["cases"]).iter().enumerate() {
            let what = format!("{index}: {} {} at {}", case["skin"], case["anim"], case["time"]);
            let before = tally.faults.len();
            self.check(case, &self.cue(case), &what, tally);
            let faults = tally.faults.split_off(before);
            tally.mixed.extend(faults.into_iter().map(|fault| (self.name.clone(), index as u64, fault)));
        }
    }

    /// Compares sequences of two animations.
    pub fn check_mixes(&self, tally: &mut Tally) {
        for case in list(&self.json["mix"]) {
            let layer = |op: &Value| Layer {
                position: Position::Seconds(number(&op["time"])),
                hold: true,
                alpha: number(&op["alpha"]),
                mix: match op["blend"].as_str() {
                    Some("setup") => Mix::Setup,
                    Some("first") => Mix::First,
                    Some("replace") => Mix::Replace,
                    Some("add") => Mix::Add,
                    other => panic!("{other:?}"),
                },
                direction: if op["dir"] == "in" { Direction::In } else { Direction::Out },
                ..Layer::new(self.animation(&op["anim"]).expect("an animation"), Position::default())
            };
            let layers = list(&case["ops"]).iter().map(layer).collect();
            let cue = Cue { layers, skins: self.skins(&case["skin"]), ..Cue::default() };
            self.check(case, &cue, &format!("mix {}", case["ops"]), tally);
        }
    }

    /// Scripts for tracks: every pose of them, and everything that happens.
    pub fn check_states(&self, tally: &mut Tally) {
        let one = Some(&self.json["state"]).filter(|state| !state.is_null());
        for state in one.into_iter().chain(self.json["states"].as_array().into_iter().flatten()) {
            self.check_state(state, tally);
        }
    }

    fn check_state(&self, state: &Value, tally: &mut Tally) {
        let name = match state["name"].as_str() {
            Some(script) => format!("{}:{script}", self.name),
            None => self.name.clone(),
        };
        tally.scripts.insert(name.clone());
        let dt = number(&state["dt"]);
        let (mut script, mut samples) = (list(&state["script"]).iter().peekable(), list(&state["samples"]).iter());
        let mut log = Vec::new();
        let mut animator = Animator::new(self.character.clone());
        // The goldens of tracks are without physics.
        animator.set_physics(false);
        animator.set_fade_secs(number(&state["defaultMix"]));
        animator.set_skins(self.skins(&state["skin"])).expect("skins of the character");
        let (mut next, mut frame) = (samples.next(), 0_u32);
        while let Some(sample) = next {
            let is_due = |at: &Value| match self.json["format"] == "spine-golden/2" || !state["name"].is_null() {
                true => number(at) <= f64::from(frame),
                false => number(at) < (f64::from(frame) + 0.5) * dt,
            };
            while let Some(step) = script.next_if(|step| is_due(&step[0])) {
                self.run_step(step, &mut animator);
            }
            if state["reset"] == true {
                animator.reset_pose();
            }
            let fired: Vec<Value> =
                animator.update(if frame == 0 { 0.0 } else { dt }).map(|it| self.log(it)).collect();
            if !fired.is_empty() {
                log.push(serde_json::json!({ "f": frame, "fired": fired }));
            }
            if sample["frame"] == frame && self.is_disputed(sample) {
                tally.disputed += 1;
                next = samples.next();
            } else if sample["frame"] == frame {
                tally.cases += 1;
                let faults = self.compare_parts(sample, animator.pose(), tally);
                if let Some(fault) = faults.first() {
                    let fault = format!("{name} state {frame}: {fault} ({} parts)", faults.len());
                    // Before a second animation begins there is nothing to mix.
                    if is_due(&list(&state["script"])[1][0]) {
                        tally.mixed.push((name.clone(), frame.into(), fault));
                    } else {
                        tally.faults.push(fault);
                    }
                }
                next = samples.next();
            }
            frame += 1;
        }
        let frames = u64::from(frame);
        let is_in = |entry: &&Value| entry["f"].as_u64().expect("a frame") < frames;
        let expected: Vec<&Value> = list(&state["log"]).iter().filter(is_in).collect();
        if !log.iter().eq(expected.iter().copied()) {
            let differs = log.iter().zip(&expected).find(|(found, expected)| found != *expected);
            let frame = differs.and_then(|(found, _)| found["f"].as_u64()).unwrap_or(frames);
            let fault = format!("{name}: the log differs at {differs:?}");
            tally.mixed.push((name, frame, fault));
        }
    }

    /// Carries out a step of a script.
    pub fn run_step(&self, step: &Value, animator: &mut Animator) {
        let track = step[2].as_u64().expect("a track") as usize;
        let animation = || self.animation(&step[3]).expect("an animation");
        let (options, looping) = match step[1].as_str() {
            Some("set") => {
                animator.play_on(track, animation()).expect("an animation");
                (&step[5], step[4].as_bool())
            }
            Some("add") => {
                animator.queue_on(track, animation(), number(&step[5])).expect("an animation");
                (&step[6], step[4].as_bool())
            }
            Some("empty") => return animator.fade_out(track, number(&step[3])),
            Some("addEmpty") => return animator.queue_fade_out(track, number(&step[3]), number(&step[4])),
            Some("clear") => return animator.stop_track(track),
            Some("clearAll") => return (0..4).for_each(|track| animator.stop_track(track)),
            Some("now") => (&step[3], None),
            other => panic!("{other:?}"),
        };
        let last = animator.queued(track).len().checked_sub(1).filter(|_| step[1] == "add");
        let playback = match last {
            Some(last) => animator.queued_mut(track, last),
            None => animator.playback_mut(track),
        };
        let Some(playback) = playback else { return };
        if let Some(looping) = looping {
            playback.set_loop_mode(if looping { LoopMode::Loop } else { LoopMode::Once });
        }
        let Some(options) = options.as_object() else { return };
        let start = playback.delay_secs();
        let mut thresholds = playback.thresholds();
        let mut range = playback.range_secs();
        for (name, value) in options {
            match name.as_str() {
                // The start of a queued animation stays.
                "mix" => _ = playback.set_fade(number(value)).set_delay(start),
                "weight" => _ = playback.set_weight(number(value)),
                "speed" => _ = playback.set_speed(number(value)),
                "additive" => _ = playback.set_additive(*value == true),
                "hold" => _ = playback.set_hold_previous(*value == true),
                "end" => _ = playback.set_end(Some(number(value))),
                "from" => range = number(value)..=*range.end(),
                "to" => range = *range.start()..=number(value),
                "tAtt" => thresholds.attachments = number(value),
                "tOrder" => thresholds.draw_order = number(value),
                "tEvent" => thresholds.events = number(value),
                "at" => {}
                other => panic!("{other}"),
            }
        }
        if options.contains_key("from") || options.contains_key("to") {
            playback.set_range_secs(range.clone());
        }
        playback.set_thresholds(thresholds);
        if let Some(at) = options.get("at") {
            playback.seek_secs(range.start() + number(at));
        }
    }

    fn log(&self, event: TrackEvent<'_>) -> Value {
        let model = self.character.model();
        let name = event.animation.map_or("<empty>", |id| &model.animation(id).name);
        match event.kind {
            EventKind::Start => serde_json::json!(["start", name]),
            EventKind::Interrupt => serde_json::json!(["interrupt", name]),
            EventKind::Complete => serde_json::json!(["complete", name]),
            EventKind::End => serde_json::json!(["end", name]),
            EventKind::Fired(fired) => serde_json::json!(["event", name, fired.name]),
        }
    }

    /// What animations tell.
    pub fn check_events(&self, tally: &mut Tally) {
        let model = self.character.model();
        for case in list(&self.json["events"]) {
            tally.cases += 1;
            let span = Span {
                from: number(&case["last"]),
                to: number(&case["time"]),
                looping: case["loop"].as_bool().expect("a flag"),
            };
            let mut found = Vec::new();
            let animation = self.animation(&case["anim"]).expect("an animation");
            for_each_event(&self.character, animation, span, |fired| {
                let event = &model.events()[fired.event.index()];
                let mut text = format!("{} {} {} {:?}", event.name, fired.int, fired.float, fired.string);
                if event.audio.is_some() {
                    text += &format!(" {} {}", fired.volume, fired.balance);
                }
                found.push((fired.time, text));
            });
            let expected = list(&case["fired"]).iter().map(|fired| {
                let text = |field: &str| fired[field].as_str().expect("a string").to_owned();
                let mut all =
                    format!("{} {} {} {:?}", text("name"), fired["int"], number(&fired["float"]), text("string"));
                if !fired["volume"].is_null() {
                    all += &format!(" {} ", number(&fired["volume"]));
                    if !(self.is_balanced && fired["volume"] == fired["balance"]) {
                        all += &number(&fired["balance"]).to_string();
                    }
                }
                (number(&fired["time"]) as f32, all)
            });
            let expected: Vec<_> = expected.collect();
            // One that ends in a space has no comparable balance.
            let is_event = |found: &str, expected: &str| {
                found == expected || expected.ends_with(' ') && found.starts_with(expected)
            };
            let is_same = found.len() == expected.len()
                && found.iter().zip(&expected).all(|(a, b)| (a.0 - b.0).abs() < 1e-5 && is_event(&a.1, &b.1));
            if !is_same {
                tally.faults.push(format!("{} {case}: found {found:?}", self.name));
            }
        }
    }

    /// Compares simulated physics.
    pub fn check_physics(&self, tally: &mut Tally) {
        for run in self.json["physicsSim"].as_array().into_iter().flatten() {
            let mut dynamics = Dynamics::default();
            let mut pose = Pose::default();
            let mut samples = list(&run["samples"]).iter().peekable();
            // `passed` is the time since the last step of physics.
            let (mut time, mut passed) = (0.0, 0.0);
            for (at, step) in list(&run["steps"]).iter().enumerate() {
                time += number(step);
                passed += number(step);
                let mut cue = Cue {
                    animation: self.animation(&run["anim"]),
                    position: Position::Seconds(time),
                    hold: !run["loop"].as_bool().expect("a flag"),
                    skins: self.skins(&run["skin"]),
                    ..Cue::default()
                };
                if run["moves"] == true {
                    evaluate(&self.character, &cue, &mut pose);
                    let bone = self.character.model().skeleton().bone_ids().next().expect("a root");
                    let root = pose.world_from_bone[bone.index()].translation;
                    cue.bones.push(BoneOverride::at(bone, root + moved(time)));
                }
                match run["modes"].as_array().map_or("update", |modes| modes[at].as_str().expect("a mode")) {
                    "none" => evaluate(&self.character, &cue, &mut pose),
                    "pose" => dynamics.hold(&self.character, &cue, &mut pose),
                    mode => {
                        if mode == "reset" {
                            dynamics.reset();
                        }
                        dynamics.update(&self.character, &cue, std::mem::take(&mut passed), &mut pose);
                    }
                }
                let Some(sample) = samples.next_if(|sample| sample["step"] == at) else { continue };
                if self.is_disputed(sample) {
                    tally.disputed += 1;
                    continue;
                }
                tally.cases += 1;
                if let Err(fault) = self.compare(sample, &pose, tally) {
                    let what = format!("physics {} {} {} step {at}", run["name"], run["anim"], run["skin"]);
                    tally.faults.push(format!("{} {what}: {fault}", self.name));
                }
            }
        }
    }

    /// Compares characters that swing because they are placed elsewhere in the world with such that swing because their root
    /// moves, as in [`Self::check_physics`]: in the steps of an animator, whose length is another than that of the golden.
    pub fn check_placement(&self, tally: &mut Tally) {
        let model = self.character.model();
        // The position of a bone is added to another one's, so the pose depends on where the origin of the world is.
        let adds_positions =
            |at| constraint_notes(&self.character, at).iter().any(|(name, _)| *name == "additive");
        if model.constraint_ids().any(adds_positions) {
            return;
        }
        let moving = self.json["physicsSim"].as_array().into_iter().flatten().filter(|run| run["moves"] == true);
        for run in moving {
            let mut placed = Animator::new(self.character.clone());
            placed.set_skins(self.skins(&run["skin"])).expect("skins of the character");
            placed.show(self.animation(&run["anim"]));
            let is_looping = run["loop"].as_bool().expect("a flag");
            placed.set_loop_mode(if is_looping { LoopMode::Loop } else { LoopMode::Once });
            let mut rooted = placed.clone();
            let bone = model.skeleton().bone_ids().next().expect("a root");
            let (mut pose, mut off) = (Pose::default(), 0.0_f32);
            for step in 0..100 {
                let (way, dt) = (moved(f64::from(step) / 60.0), if step == 0 { 0.0 } else { 1.0 / 60.0 });
                placed.set_placement(Affine2::from_translation(way));
                placed.update(dt);
                evaluate(&self.character, placed.cue(), &mut pose);
                let root = pose.world_from_bone[bone.index()].translation;
                rooted.override_bone(BoneOverride::at(bone, root + way));
                rooted.update(dt);
                let pairs = placed.pose().world_from_bone.iter().zip(&rooted.pose().world_from_bone);
                off = pairs.map(|(a, b)| a.translation.distance(b.translation)).fold(off, f32::max);
            }
            tally.cases += 1;
            tally.worst_units[1] = tally.worst_units[1].max(off.into());
            // Single precision of positions of a few hundred pixels.
            if off > 1e-3 {
                tally.faults.push(format!("{} {} {}: {off} pixels", self.name, run["anim"], run["skin"]));
            }
        }
    }

    fn check(&self, case: &Value, cue: &Cue, what: &str, tally: &mut Tally) {
        if self.is_disputed(case) {
            tally.disputed += 1;
            return;
        }
        tally.cases += 1;
        let mut pose = Pose::default();
        evaluate(&self.character, cue, &mut pose);
        if self.name.starts_with("3.1/") {
            self.delay_targets(cue, &mut pose);
        }
        if let Err(fault) = self.compare(case, &pose, tally) {
            tally.faults.push(format!("{} {what}: {fault}", self.name));
        }
    }

    /// Lets inverse kinematics reach for where its targets are at rest. The program of 3.1 takes a target that comes after
    /// the bones from the update before; that of a golden was the rest pose.
    fn delay_targets(&self, cue: &Cue, pose: &mut Pose) {
        let mut rest = Pose::default();
        evaluate(&self.character, &Cue { skins: cue.skins.clone(), ..Cue::default() }, &mut rest);
        let target = |it: &Constraint| match it.target {
            Some(ConstraintTarget::Bone(target)) if it.kind == ConstraintKind::Ik => Some(target),
            _ => None,
        };
        let is_late =
            |it: &&Constraint| target(it).is_some_and(|target| it.bones.iter().all(|bone| *bone < target));
        let late = self.character.model().constraints().iter().filter(is_late).filter_map(target);
        let late: Vec<BoneId> = late.collect();
        let at_rest = |&bone: &BoneId| BoneOverride::at(bone, rest.world_from_bone[bone.index()].translation);
        let cue = Cue { bones: late.iter().map(at_rest).collect(), ..cue.clone() };
        let now = std::mem::take(pose);
        evaluate(&self.character, &cue, pose);
        late.iter().for_each(|bone| pose.world_from_bone[bone.index()] = now.world_from_bone[bone.index()]);
    }

    fn compare(&self, case: &Value, pose: &Pose, tally: &mut Tally) -> Result<(), String> {
        self.compare_parts(case, pose, tally).into_iter().next().map_or(Ok(()), Err)
    }

    /// Compares each bone, the draw order and each slot, and returns how those differ that do.
    fn compare_parts(&self, case: &Value, pose: &Pose, tally: &mut Tally) -> Vec<String> {
        let model = self.character.model();
        let noise: Vec<f64> =
            case["noise"].as_array().map_or(vec![0.0; 3], |noise| noise.iter().map(number).collect());
        let allowed: Vec<f64> = noise.iter().map(|noise| (noise * NOISES).max(TOLERANCE)).collect();
        let inactive: Vec<u64> = case["inactive"]
            .as_array()
            .map_or(vec![], |list| list.iter().map(|bone| bone.as_u64().expect("a bone")).collect());
        let found: Vec<u64> = pose.inactive_bones.iter().map(|bone| bone.index() as u64).collect();
        if inactive != found {
            return vec![format!("bones {found:?} are inactive, expected {inactive:?}")];
        }
        let mut faults = Vec::new();
        for (index, (world, expected)) in
            pose.world_from_bone.iter().zip(list(&case["bones"]).chunks_exact(6)).enumerate()
        {
            if inactive.contains(&(index as u64)) {
                continue;
            }
            let (x, y, t) = (world.matrix2.x_axis, world.matrix2.y_axis, world.translation);
            let found = [x.x, y.x, x.y, y.y, t.x, t.y].map(f64::from);
            let mut fault = None;
            for (at, (found, expected)) in found.iter().zip(expected).enumerate() {
                let kind = usize::from(at >= 4);
                let off = (found - number_or_nan(expected)).abs();
                tally.add(kind, off, allowed[kind]);
                if (off.is_nan() || off > allowed[kind]) && fault.is_none() {
                    let name = &model.skeleton().bones()[index].name;
                    fault = Some(format!("bone {index} `{name}` entry {at} is {found}, expected {expected}"));
                }
            }
            tally.parts += 1;
            faults.extend(fault);
        }
        let order: Vec<u64> = pose.draw_order.iter().map(|slot| slot.index() as u64).collect();
        let expected: Vec<u64> =
            list(&case["drawOrder"]).iter().map(|slot| slot.as_u64().expect("a slot")).collect();
        tally.parts += 1;
        if order != expected {
            faults.push(format!("draw order {order:?}, expected {expected:?}"));
        }
        let mut matrices = Vec::new();
        palette(model, pose, &mut matrices);
        for slot in list(&case["slots"]) {
            tally.parts += 1;
            faults.extend(self.compare_slot(slot, pose, &matrices, allowed[2], tally).err());
        }
        tally.parts_off += faults.len();
        faults
    }

    fn compare_slot(
        &self,
        slot: &Value,
        pose: &Pose,
        matrices: &[SkinMatrix],
        allowed: f64,
        tally: &mut Tally,
    ) -> Result<(), String> {
        let model = self.character.model();
        let index = slot["s"].as_u64().expect("a slot") as usize;
        let state = &pose.slots[index];
        let name = &model.slots()[index].name;
        let at = slot["a"].as_i64().expect("an attachment");
        let expected = usize::try_from(at).ok().map(|at| self.attachments[at]);
        if !slot["q"].is_null() {
            let mesh = state.attachment.and_then(|id| model.attachment(id).mesh());
            check_uvs(mesh.ok_or("shows no picture")?, &slot["uv"])
                .map_err(|fault| format!("slot `{name}`, picture {}: {fault}", slot["q"]))?;
        }
        if state.attachment.map(|shown| model.authored_attachment(shown)) != expected {
            return Err(format!("slot `{name}` shows {:?}, expected {expected:?}", state.attachment));
        }
        let dark = state.tint.dark;
        let mut colors = vec![(&state.tint.light[..], &slot["c"])];
        if let Some(dark) = &dark {
            colors.push((&dark[..], &slot["d"]));
        } else if !slot["d"].is_null() {
            return Err(format!("slot `{name}` has no dark colour, expected {}", slot["d"]));
        }
        for (found, expected) in colors {
            let is_off = found.iter().zip(list(expected)).enumerate().any(|(at, (a, b))| {
                (f64::from(*a) - number(b)).abs() > self.color_tolerances[usize::from(at == 3)]
            });
            if is_off {
                return Err(format!("slot `{name}` has the colour {found:?}, expected {expected}"));
            }
        }
        let Some(expected) = slot["v"].as_array() else { return Ok(()) };
        let found =
            world_vertices(&self.character, state.attachment.expect("shown"), pose.deform_of(state), matrices);
        // A point has a direction as well, which golden 2 leaves out.
        let is_point = found.len() == 3 && expected.len() == 2;
        if found.len() != expected.len() && !is_point {
            return Err(format!("slot `{name}`: {} numbers, expected {}", found.len(), expected.len()));
        }
        let mut fault = Ok(());
        for (at, (found, expected)) in found.iter().zip(expected).enumerate() {
            let off = (f64::from(*found) - number_or_nan(expected)).abs();
            tally.add(2, off, allowed);
            if (off.is_nan() || off > allowed) && fault.is_ok() {
                fault = Err(format!("slot `{name}` vertex number {at} is {found}, expected {expected}"));
            }
        }
        fault
    }
}

impl Tally {
    fn add(&mut self, kind: usize, off: f64, allowed: f64) {
        self.worst = self.worst.max(off / allowed);
        self.worst_units[kind] = self.worst_units[kind].max(off);
    }
}

/// Returns x and y of each vertex in the world.
fn world_vertices(
    character: &Character,
    id: AttachmentId,
    deform: &[pchr::math::Vec2],
    matrices: &[SkinMatrix],
) -> Vec<f32> {
    let mut found = Vec::new();
    let mut push = |point: pchr::math::Vec2| found.extend(point.to_array());
    let vertices = match character.model().attachment(id) {
        Attachment::Region(mesh) | Attachment::Mesh(mesh) => {
            for_each_deformed_vertex(&mesh.vertices, deform, matrices, |point, _| push(point));
            return found;
        }
        Attachment::ClipMask(mask) => &mask.polygon.vertices,
        Attachment::Path(path) => &path.vertices,
        Attachment::Bounds(polygon) => &polygon.vertices,
        Attachment::Point(point) => {
            let matrix = matrices[point.bone.index()];
            push(matrix.transform(point.position));
            let (sin, cos) = sin_cos_degrees(point.rotation_radians.to_degrees());
            let along = matrix.x_axis * cos + matrix.y_axis * sin;
            found.push(atan2_degrees(along.y.into(), along.x.into()) as f32);
            return found;
        }
    };
    for_each_listed_vertex(vertices, deform, matrices, |position, _uv| push(position));
    found
}

fn check_attachment(place: &Value, attachment: &Attachment) -> Result<(), String> {
    let kind = match attachment {
        Attachment::Region(_) => "region",
        Attachment::Mesh(_) => "mesh",
        Attachment::ClipMask(_) => "clipping",
        Attachment::Path(_) => "path",
        Attachment::Point(_) => "point",
        Attachment::Bounds(_) => "boundingbox",
    };
    if place["type"] != kind {
        return Err(format!("is a {kind}"));
    }
    if place["name"] != attachment.name() {
        return Err(format!("is called {}", attachment.name()));
    }
    let Some(mesh) = attachment.mesh() else { return Ok(()) };
    // Goldens of old versions state less.
    if !place["color"].is_null() && off(&mesh.tint, &place["color"]) > COLOR_TOLERANCES[1] {
        return Err(format!("has the colour {:?}", mesh.tint));
    }
    let pchr::model::Vertices::SkinN(vertices) = &mesh.vertices else { return Err("has other vertices".into()) };
    if !place["uvs"].is_null() {
        check_uvs(mesh, &place["uvs"])?;
    }
    if kind == "region" && place["localQuad"].is_null() {
        // The size depends on the picture, which the golden does not have.
    } else if kind == "region" {
        let quad: Vec<f32> =
            vertices.influences().iter().flat_map(|influence| influence.position.to_array()).collect();
        if off(&quad, &place["localQuad"]) > 1e-3 {
            return Err(format!("has the corners {quad:?}, expected {}", place["localQuad"]));
        }
    } else if !place["triangles"].is_null() {
        let triangles: Vec<u64> = mesh.indices.triangles().flatten().map(u64::from).collect();
        let expected: Vec<u64> =
            list(&place["triangles"]).iter().map(|index| index.as_u64().expect("an index")).collect();
        if triangles != expected {
            return Err("has other triangles".into());
        }
    }
    Ok(())
}

/// The greatest difference.
fn off(found: &[f32], expected: &Value) -> f64 {
    let pairs = found.iter().zip(list(expected));
    pairs.map(|(a, b)| (f64::from(*a) - number(b)).abs()).fold(0.0, f64::max)
}

fn check_uvs(mesh: &pchr::model::Mesh, expected: &Value) -> Result<(), String> {
    let pchr::model::Vertices::SkinN(vertices) = &mesh.vertices else { return Err("has other vertices".into()) };
    let uvs: Vec<f32> = vertices.iter().flat_map(|vertex| vertex.uv.to_array()).collect();
    if mesh.page.is_some() && off(&uvs, expected) > 1e-5 {
        return Err(format!("has the coordinates {uvs:?}, expected {expected}"));
    }
    Ok(())
}

pub fn list(value: &Value) -> &[Value] {
    value.as_array().unwrap_or_else(|| panic!("{value} is not a list"))
}

pub fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is not a number"))
}

/// A number, or what programs show whose calculation failed.
fn number_or_nan(value: &Value) -> f64 {
    if value.is_null() { f64::NAN } else { number(value) }
}

/// Returns by how much the skeleton as a whole has moved in the goldens of moving skeletons, which state it with four digits.
fn moved(time: f64) -> Vec2 {
    let [(sin, _), (_, cos)] = [3.0, 5.0].map(|rate| sin_cos_radians(rate * time));
    let [x, y] = [60.0 * sin, -25.0 * (1.0 - cos)].map(|way| (way * 1e4).round() / 1e4);
    vec2(x as f32, y as f32)
}
