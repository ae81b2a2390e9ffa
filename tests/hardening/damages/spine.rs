//! Ways to damage a Spine skeleton at random places, and the expected findings.

use serde_json::{Value, json};

use crate::common::random::Random;
use crate::quirks::spine::{ATLAS, SKELETON, page, premultiplied};

/// A skeleton to damage.
pub struct Skeleton {
    pub root: Value,
    pub atlas: Option<String>,
    pub page: Option<Vec<u8>>,
    /// Replaces the whole file.
    pub bytes: Option<Vec<u8>>,
    pub random: Random,
    /// Codes and paths of the expected findings.
    pub expected: Vec<(&'static str, String)>,
    code: &'static str,
}

/// One way to damage a skeleton.
pub struct Damage {
    pub code: &'static str,
    pub how: fn(&mut Skeleton),
}

impl Skeleton {
    pub fn new(damage: &Damage, seed: u64) -> Self {
        Self {
            root: serde_json::from_str(SKELETON).expect("it is JSON"),
            atlas: Some(ATLAS.to_owned()),
            page: Some(page()),
            bytes: None,
            random: Random(seed),
            expected: Vec::new(),
            code: damage.code,
        }
    }

    /// Makes it a skeleton of Spine 4, without animations.
    fn raise(&mut self, version: &str) {
        self.put("/skeleton/spine", json!(version));
        let root = self.root.as_object_mut().expect("an object");
        for list in ["animations", "events", "transform"] {
            root.remove(list);
        }
    }

    /// Makes it a skeleton of Spine 4.2 whose hand swings, with these fields.
    fn swing(&mut self, fields: Value) {
        self.raise("4.2.40");
        let mut physics = json!({"name": "swing", "order": 2, "bone": "hand", "rotate": 1, "x": 0.5});
        let Value::Object(fields) = fields else { panic!("an object") };
        physics.as_object_mut().expect("an object").extend(fields);
        self.put("/physics", json!([physics]));
    }

    /// Makes it a skeleton of Spine 4.3 with one more constraint, the third of its list.
    fn constrain(&mut self, constraint: Value) {
        self.raise("4.3.05");
        let root = self.root.as_object_mut().expect("an object");
        root.remove("ik");
        root.remove("path");
        let reach = json!({"type": "ik", "name": "reach", "bones": ["arm", "hand"], "target": "goal"});
        let follow = json!({"type": "path", "name": "follow", "bones": ["goal"], "slot": "way"});
        root.insert("constraints".to_owned(), json!([reach, follow, constraint]));
        self.put("/skins/0/attachments/arm/sleeve", json!({"type": "linkedmesh", "source": "arm"}));
    }

    /// Sets a value and expects the finding there.
    fn set(&mut self, pointer: &str, value: Value) {
        self.put(pointer, value);
        self.expect(pointer);
    }

    /// Sets a value.
    fn put(&mut self, pointer: &str, value: Value) {
        let (parent, key) = pointer.rsplit_once('/').expect("a pointer");
        match self.root.pointer_mut(parent).expect("it is there") {
            Value::Object(object) => _ = object.insert(key.to_owned(), value),
            Value::Array(list) => list[key.parse::<usize>().expect("an index")] = value,
            _ => panic!("{parent} is not a container"),
        }
    }

    fn expect(&mut self, path: &str) {
        self.expected.push((self.code, path.to_owned()));
    }

    fn one_of<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.random.below(list.len())]
    }

    /// A name that nothing has.
    fn nobody(&mut self) -> Value {
        json!(format!("nobody {}", self.random.below(1000)))
    }
}

const fn damage(code: &'static str, how: fn(&mut Skeleton)) -> Damage {
    Damage { code, how }
}

const BODY: &str = "/skins/0/attachments/body/body";
const MESH: &str = "/skins/0/attachments/arm/arm";
const CLIP: &str = "/skins/0/attachments/cut/cut";
const PATH: &str = "/skins/0/attachments/way/way";
const WAVE: &str = "/animations/wave";

/// All damages.
pub const DAMAGES: &[Damage] = &[
    damage("atlas-value", |s| {
        let (from, to, line) = s.one_of(&[
            ("size: 4, 4", "size: 4", 2),
            ("bounds: 0, 0, 4, 4", "bounds: 0, 0, -4, 4", 4),
            ("bounds: 1, 1, 2, 2", "bounds: 1, 1, 2, inf", 6),
            ("bounds: 2, 2, 2, 2", "rotate: around", 8),
        ]);
        s.atlas = Some(ATLAS.replace(from, to));
        s.expect(&format!("line {line}"));
    }),
    damage("atlas-rotation", |s| {
        let degrees = s.one_of(&["45", "-1", "90.5", "1e9"]);
        s.atlas = Some(ATLAS.replace("bounds: 2, 2, 2, 2", &format!("bounds: 2, 2, 2, 2\nrotate: {degrees}")));
        s.expect("line 9");
    }),
    damage("atlas-rotation", |s| {
        let degrees = s.one_of(&["180", "270", "-90"]);
        s.atlas = Some(ATLAS.replace("bounds: 0, 0, 4, 4", &format!("bounds: 0, 0, 4, 4\nrotate: {degrees}")));
        s.expect(BODY);
    }),
    damage("bad-sequence", |s| {
        s.raise("4.1.24");
        let (sequence, field, region) = s.one_of(&[
            (r#"{"count": 0, "setup": 7}"#, "count", "body"),
            (r#"{"start": 3}"#, "count", "body"),
            (r#"{"count": 1, "setup": 1}"#, "setup", "body1"),
            (r#"{"count": 1, "setup": 4294967295, "start": 4294967295}"#, "setup", "body4294967295"),
            (r#"{"count": 1, "digits": 33}"#, "digits", "body00000000000000000000000000000001"),
            (r#"{"count": 1, "digits": 4294967295}"#, "digits", "body00000000000000000000000000000001"),
        ]);
        s.atlas = Some(ATLAS.replace("body\n", &format!("{region}\n")));
        s.put(&format!("{BODY}/sequence"), serde_json::from_str(sequence).expect("it is JSON"));
        s.expect(&format!("{BODY}/sequence/{field}"));
    }),
    damage("missing-region", |s| {
        s.raise("4.2.40");
        let (sequence, region) = s.one_of(&[
            (r#"{"count": 3}"#, "body1"),
            (r#"{"count": 2, "start": 0, "setup": 1}"#, "body1"),
            (r#"{"count": 1000, "digits": 4}"#, "body0017"),
        ]);
        s.atlas = Some(ATLAS.replace("body\n", &format!("{region}\n")));
        s.put(&format!("{BODY}/sequence"), serde_json::from_str(sequence).expect("it is JSON"));
        s.expect(BODY);
    }),
    damage("bad-color", |s| {
        let color = s.one_of(&["", "red", "ff80000", "ff8000ff0", "gg8000ff", "ff80é0"]);
        let places = ["/slots/2/color", "/slots/2/dark", "/animations/wave/slots/arm/color/1/color"];
        let place = s.one_of(&places);
        s.set(place, json!(color));
    }),
    damage("short-color", |s| {
        s.raise("4.2.40");
        let place = s.one_of(&["/slots/2", BODY]);
        s.set(&format!("{place}/color"), json!("ff8000"));
    }),
    damage("bad-physics", |s| {
        let (field, value) = s.one_of(&[
            ("fps", "0"),
            ("fps", "-60"),
            ("fps", "1e9"),
            ("limit", "-1"),
            ("mass", "0"),
            ("mass", "-1e-9"),
            ("damping", "-0.1"),
        ]);
        let value: Value = serde_json::from_str(value).expect("a number");
        s.swing(json!({field: value}));
        s.expect(&format!("/physics/0/{field}"));
    }),
    damage("constraint-order", |s| {
        s.raise("4.2.40");
        let (list, order) =
            s.one_of(&[("path", 0), ("path", 2), ("path", i64::MAX), ("path", -1), ("ik", 2), ("ik", i64::MIN)]);
        s.set(&format!("/{list}/0/order"), json!(order));
    }),
    damage("drives-nothing", |s| {
        let (properties, field) = s.one_of(&[
            ("{}", ""),
            (r#"{"x": {}, "y": {"to": {}}}"#, ""),
            (r#"{"x": {"to": {"y": {"offset": 1}}}}"#, "/x/to/y/max"),
            (r#"{"y": {"to": {"x": {}, "rotate": {"offset": -3.5, "max": -3.5}}}}"#, "/y/to/rotate/max"),
        ]);
        let properties: Value = serde_json::from_str(properties).expect("it is JSON");
        s.constrain(json!({
            "type": "transform", "name": "copy", "bones": ["hand"], "source": "goal", "clamp": true,
            "properties": properties,
        }));
        s.expect(&format!("/constraints/2/properties{field}"));
    }),
    damage("drives-nothing", |s| {
        let property = s.one_of(&["rotate", "x", "y", "scaleX", "scaleY", "shearY"]);
        s.constrain(json!({
            "type": "slider", "name": "slide", "animation": "still", "bone": "goal", "property": property, "scale": 0,
        }));
        s.put("/animations", json!({"still": {"bones": {"goal": {"rotate": [{"value": 5}]}}}}));
        s.expect("/constraints/2/scale");
    }),
    damage("slider-keys-itself", |s| {
        let timeline = s.one_of(&["time", "mix"]);
        s.constrain(json!({"type": "slider", "name": "slide", "animation": "still"}));
        s.put("/animations", json!({"still": {"slider": {"slide": {timeline: [{"value": 0.5}]}}}}));
        s.expect("/animations/still/slider/slide");
    }),
    damage("missing-name", |s| {
        let nobody = s.nobody();
        let field = s.one_of(&["animation", "bone", "property"]);
        let mut slider = json!({
            "type": "slider", "name": "slide", "animation": "still", "bone": "goal", "property": "x",
        });
        slider[field] = nobody;
        s.constrain(slider);
        s.put("/animations", json!({"still": {"bones": {"goal": {"rotate": [{"value": 5}]}}}}));
        s.expect(&format!("/constraints/2/{field}"));
    }),
    damage("curve-length", |s| {
        let curve = s.one_of(&[8, 12, 28]);
        s.set(&format!("{WAVE}/bones/arm/rotate/1/curve"), json!(vec![0.5; curve]));
    }),
    damage("skel-hull", |s| {
        s.raise("4.2.40");
        let hull = s.one_of(&[0, 2, 4, u32::MAX]);
        s.set(&format!("{MESH}/hull"), json!(hull));
    }),
    damage("constraint-bones", |s| {
        let (bones, place) = s.one_of(&[(&["arm", "goal"][..], "/1"), (&[], ""), (&["root", "arm", "hand"], "")]);
        s.put("/ik/0/bones", json!(bones));
        s.expect(&format!("/ik/0/bones{place}"));
    }),
    damage("constraint-bones", |s| {
        let list = s.one_of(&["/transform/0/bones", "/path/0/bones"]);
        s.set(list, json!([]));
    }),
    damage("deform-length", |s| {
        // Four influences have eight numbers.
        let count = 1 + s.random.below(8);
        let offset = 9 - count + s.random.below(100);
        s.put(&format!("{WAVE}/deform/default/arm/arm/0"), json!({"offset": offset, "vertices": vec![1; count]}));
        s.expect(&format!("{WAVE}/deform/default/arm/arm/0/vertices"));
    }),
    damage("draw-order", |s| {
        let offset = s.one_of(&[-1, 4, 1000, i64::MIN, i64::MAX]);
        s.set(&format!("{WAVE}/drawOrder/0/offsets/0/offset"), json!(offset));
    }),
    damage("page-size", |s| {
        let size = s.one_of(&["4, 5", "2, 2", "1024, 4", "4.5, 4"]);
        s.atlas = Some(ATLAS.replace("size: 4, 4", &format!("size: {size}")));
        // In the atlas.
        s.expect("line 1");
    }),
    damage("linked-mesh", |s| {
        s.put("/skins/0/attachments/arm/sleeve/parent", json!("sleeve"));
        s.expect("/skins/0/attachments/arm/sleeve");
    }),
    damage("missing-atlas", |s| {
        (s.atlas, s.page) = (None, None);
        s.expect("/skins/0/attachments/arm/arm");
    }),
    damage("missing-name", |s| {
        let place = s.one_of(&[
            "/bones/1/parent",
            "/bones/2/parent",
            "/slots/0/bone",
            "/slots/3/bone",
            "/ik/0/target",
            "/ik/0/bones/0",
            "/transform/0/target",
            "/transform/0/bones/0",
            "/path/0/target",
            "/path/0/bones/0",
            "/skins/1/bones/0",
            "/skins/1/ik/0",
            "/skins/0/attachments/cut/cut/end",
            "/skins/0/attachments/arm/sleeve/parent",
            "/animations/wave/events/0/name",
            "/animations/wave/drawOrder/0/offsets/0/slot",
        ]);
        let nobody = s.nobody();
        s.set(place, nobody);
    }),
    damage("missing-name", |s| {
        let list = s.one_of(&["slots", "bones", "ik", "transform", "path", "deform"]);
        s.put(
            &format!("{WAVE}/{list}/nobody"),
            match list {
                "ik" | "transform" => json!([]),
                "deform" => json!({"arm": {"arm": []}}),
                _ => json!({}),
            },
        );
        s.expect(&format!("{WAVE}/{list}/nobody"));
    }),
    damage("missing-name", |s| {
        let nobody = s.nobody();
        s.swing(json!({"bone": nobody}));
        s.expect("/physics/0/bone");
    }),
    damage("missing-region", |s| {
        let nobody = s.nobody();
        s.put("/skins/1/attachments/arm/glove/path", nobody);
        s.expect("/skins/1/attachments/arm/glove");
    }),
    damage("path-lengths", |s| s.set(&format!("{PATH}/lengths"), json!([]))),
    damage("spine-binary", |s| {
        let version = s.one_of(&["1.9.18", "2.2.01", "4.4.39-beta"]);
        let hash: &[u8] = if version.starts_with('4') { b"12345678" } else { b"\x08hash123" };
        s.bytes = Some([hash, &[version.len() as u8 + 1], version.as_bytes(), b"\0\0\0\0"].concat());
        s.expect("/skeleton/spine");
    }),
    damage("spine-version", |s| {
        let version = s.one_of(&["4.4.39-beta", "4.4", "3.9.1", "1.9.27", "4", "1", "5.x"]);
        s.set("/skeleton/spine", json!(version));
    }),
    damage("vertex-count", |s| {
        let (pointer, count) = s.one_of(&[(CLIP, 2), (CLIP, 0), (PATH, 5), (PATH, 7), (CLIP, 70_000)]);
        s.put(&format!("{pointer}/vertices"), json!(vec![1; 2 * count]));
        s.set(&format!("{pointer}/vertexCount"), json!(count));
    }),
    damage("vertex-count", |s| s.set(&format!("{MESH}/uvs"), json!([0, 1, 1, 1, 0.5]))),
    damage("weights", |s| {
        let (vertices, at) = s.one_of(&[
            (&[1.0, 9.0, 0.0, 0.0, 1.0][..], 1),
            (&[1.0, 1.0, 0.0, 0.0, 1.0], 5),
            (&[0.5, 1.0, 0.0, 0.0, 1.0], 0),
            (&[2.0, 1.0, 0.0, 0.0, 1.0], 0),
        ]);
        s.put(&format!("{MESH}/vertices"), json!(vertices));
        s.expect(&format!("{MESH}/vertices/{at}"));
    }),
    damage("doubtful-alpha", |s| {
        s.atlas = Some(ATLAS.replace("size: 4, 4", "size: 32, 32\npma: false"));
        s.page = Some(premultiplied());
        s.expect("");
    }),
    damage("page-alpha", |s| {
        s.page = Some(premultiplied());
        s.atlas = Some(ATLAS.replace("size: 4, 4", "size: 32, 32"));
        s.expect("");
    }),
    damage("key-order", |s| {
        let list = s.one_of(&[
            "slots/arm/attachment",
            "slots/arm/color",
            "bones/arm/rotate",
            "path/follow/position",
            "deform/default/arm/arm",
        ]);
        let keys = s.root.pointer_mut(&format!("{WAVE}/{list}")).and_then(Value::as_array_mut).expect("keys");
        keys.reverse();
        s.expect(&format!("{WAVE}/{list}"));
    }),
    damage("odd-version", |s| {
        let version = s.one_of(&["3.8-from-4.0.64", "Dev", "0.0.00", "", "3", "3.x"]);
        s.set("/skeleton/spine", json!(version));
    }),
    damage("other-version", |s| {
        let key = s.one_of(&["/bones/1/flipX", "/animations/wave/bones/arm/flipY", "/slots/0/additive"]);
        s.set(key, if key.ends_with("flipY") { json!([{"y": true}]) } else { json!(true) });
    }),
    damage("no-version", |s| {
        let skeleton = s.root["skeleton"].as_object_mut().expect("an object");
        skeleton.remove("spine");
        s.expect("/skeleton/spine");
    }),
    damage("unknown-attachment", |s| {
        let place = s.one_of(&[
            "/slots/0/attachment",
            "/slots/2/attachment",
            "/animations/wave/slots/arm/attachment/0/name",
        ]);
        let nobody = s.nobody();
        s.set(place, nobody);
    }),
    damage("endless-clip", |s| {
        let end = s.one_of(&["body", "cut"]);
        s.put(&format!("{CLIP}/end"), json!(end));
        s.expect(CLIP);
    }),
    damage("curve-handles", |s| {
        let (c1, c3) = s.one_of(&[(-0.5, -0.25), (1.5, 1.25)]);
        let key = format!("{WAVE}/bones/arm/rotate/1");
        s.put(&format!("{key}/curve"), json!(c1));
        s.put(&format!("{key}/c3"), json!(c3));
        s.expect(&format!("{key}/curve"));
    }),
    damage("key-time", |s| {
        let list = s.one_of(&["bones/arm/rotate", "slots/arm/color", "path/follow/position"]);
        let (key, time) = s.one_of(&[(0, -0.5), (1, 1000.0), (1, 5e7)]);
        let keys = s.root.pointer_mut(&format!("{WAVE}/{list}")).and_then(Value::as_array_mut).expect("keys");
        keys.truncate(2);
        s.set(&format!("{WAVE}/{list}/{key}/time"), json!(time));
    }),
    damage("mesh-edges", |s| {
        let edge = s.one_of(&[1, 5, 6, 1000]);
        s.put(&format!("{MESH}/edges"), json!([0, 2, 2, edge]));
        s.expect(&format!("{MESH}/edges/3"));
    }),
    damage("implausible-setup", |s| {
        let (field, number) = s.one_of(&[("x", 1e6), ("y", -5e7), ("scaleX", 100.0), ("scaleY", -400.0)]);
        s.set(&format!("/bones/1/{field}"), json!(number));
    }),
    damage("region-size", |s| {
        let side = s.one_of(&["width", "height"]);
        let size = 40 + s.random.below(1000);
        s.put(&format!("/skins/0/attachments/body/body/{side}"), json!(size));
        s.expect("/skins/0/attachments/body/body");
    }),
    damage("no-timelines", |s| s.set("/animations/still", json!({}))),
    damage("unused-event", |s| s.set("/events/spare", json!({}))),
    damage("unused-region", |s| {
        s.atlas = Some(format!("{ATLAS}spare {}\nbounds: 0, 0, 1, 1\n", s.random.below(100)));
        s.expect("");
    }),
    damage("unused-slot", |s| {
        let bone = s.one_of(&["root", "arm", "hand", "goal"]);
        s.root["slots"].as_array_mut().expect("slots").push(json!({"name": "spare", "bone": bone}));
        s.expect("/slots/4");
    }),
];
