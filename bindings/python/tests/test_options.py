"""Keywords have the effects of the options of the programs."""

import ast
import json
import tempfile
import unittest
from pathlib import Path

import numpy as np
from common import BINDINGS, KNIGHT, LAMP, ROBOT, ROOT, raw, run, scene

import pchr

# Keyword, value, words, and keywords beside it without which it has no effect.
RENDERING = [
    ("time", 0.31, ["-t0.31"]),
    ("frame", 7, ["-f7"]),
    ("frames", [3, 1], ["-f3,1"]),
    ("physics", False, ["--physics=off"]),
    ("wind", (-2, 0.5), ["--wind=-2,0.5"]),
    ("gravity", 3, ["--gravity=3"]),
    ("physics_mix", 0.25, ["--physics-mix=0.25"]),
    ("skins", ["blue"], ["--skin=blue"]),
    ("meshes", ["moth", "bar"], ["--mesh=moth", "--mesh=bar"]),
    ("hide_meshes", ["base", "bulb"], ["--hide-mesh=base", "--hide-mesh=bulb"]),
    ("tracks", ["1=idle@-0.2", "2=hop@0.1,add"], ["--track=1=idle@-0.2", "--track=2=hop@0.1,add"]),
    ("bones", ["mouse=-80,10", "hold=40,90"], ["--bone=mouse=-80,10", "--bone=hold=40,90"]),
    ("attach", ["bulb=", "shade="], ["--attach=bulb=", "--attach=shade="]),
    ("size", (70, 40), ["-s70x40"]),
    ("scale", 0.5, ["--scale=0.5"]),
    ("padding", "10%", ["--padding=10%"]),
    ("fit", (-40, -10.5, 120, 140), ["--fit=-40,-10.5,120,140"]),
    ("fit_whole", True, ["--fit-whole"]),
    ("background", "#3366cc80", ["-b#3366cc80"]),
    ("alpha", "premultiplied", ["--alpha=premultiplied"]),
    ("additive", "pure", ["--additive=pure"]),
    ("filter", "nearest", ["--filter=nearest"]),
    ("antialias", "none", ["--antialias=none"]),
    ("show", ["bones", "names"], ["--show=bones,names"]),
]

# Keywords for a picture as background: their value, and its words.
PLACING = {
    "background_fit": ((-40, -10.5, 120, 140), "--background-fit=-40,-10.5,120,140"),
    "background_opacity": (0.5, "--background-opacity=0.5"),
}

# File, keywords of open, their words, and what they change.
READING = [
    (LAMP, {"atlas": ROOT / "assets/paper-lamp-4.2.atlas"}, [f"--atlas={ROOT / 'assets/paper-lamp-4.2.atlas'}"], "info"),
    (LAMP, {"fps": 7}, ["--fps=7"], "pictures"),
    (KNIGHT, {"flip_v": True}, ["--flip-v"], "pictures"),
    (KNIGHT, {"y_down": True}, ["--y-down"], "pictures"),
    (KNIGHT, {"page_alpha": "premultiplied"}, ["--page-alpha=premultiplied"], "pictures"),
    (LAMP, {"missing": "hide"}, ["--missing=hide"], None),
    (ROBOT, {"movie_clips": "play"}, ["--movie-clips=play"], None),
    (LAMP, {"layer": "body"}, ["--layer=body"], None),
    (LAMP, {"page_alpha": "straight"}, ["--page-alpha=straight"], None),
    (KNIGHT, {"limits": {"work": 10_000_000}}, ["--limit=work=10000000"], None),
]


class Options(unittest.TestCase):
    def setUp(self):
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))

    def test_keywords_of_rendering(self):
        file = scene(self.folder)
        character = pchr.open(file)
        for name, value, words in RENDERING:
            with self.subTest(name):
                many = name == "frames"
                draw = character.render_many if many else character.render
                others = {} if name in ("time", "frame", "frames") else {"frame": 12}
                others |= {} if name in ("size", "scale") else {"size": 50}
                given = [{"frame": "-f12", "size": "-s50"}[other] for other in others]
                picture = draw("hop", **others, **{name: value})
                self.assertEqual(picture.tobytes(), raw(file, "-a", "hop", *given, *words))
                self.assertFalse(np.array_equal(picture, draw("hop", **others)), "without effect")
                if isinstance(value, list) and len(value) == 1:
                    np.testing.assert_array_equal(picture, draw("hop", **others, **{name: value[0]}))
        # Stored frames are only mixed on tracks that do not begin at one.
        between = pchr.open(KNIGHT).render("walk", frame=5, size=50, tracks="1=idle@0.02", interpolate=True)
        words = ["-awalk", "-f5", "-s50", "--track=1=idle@0.02"]
        self.assertEqual(between.tobytes(), raw(KNIGHT, *words, "--interpolate"))
        self.assertNotEqual(between.tobytes(), raw(KNIGHT, *words))
        # A test in tests/project compares the keywords of the stubs with those of the module.
        stubs = ast.parse((BINDINGS / "pchr.pyi").read_text()).body
        classes = [it for it in stubs if isinstance(it, ast.ClassDef) and it.name in ("Look", "One", "Many")]
        known = {it.target.id for one in classes for it in one.body if isinstance(it, ast.AnnAssign)}
        self.assertEqual(known - {"interpolate", *PLACING}, {name for name, *_ in RENDERING})

    def test_a_picture_as_background(self):
        character, lamp = pchr.open(LAMP), ROOT / "assets/paper-lamp.png"
        plain = character.render(size=40, background=str(lamp))
        self.assertEqual(plain.tobytes(), raw(LAMP, "-s40", f"-b{lamp}", "-f0"))
        for name, (value, words) in PLACING.items():
            with self.subTest(name):
                picture = character.render(size=40, background=str(lamp), **{name: value})
                self.assertEqual(picture.tobytes(), raw(LAMP, "-s40", f"-b{lamp}", "-f0", words))
                self.assertFalse(np.array_equal(picture, plain), "without effect")
        with self.assertRaisesRegex(pchr.Error, "gone.png"):
            character.render(background="gone.png")

    def test_symbols_are_animations(self):
        robot = pchr.open(ROBOT, symbol="arm")
        self.assertEqual(robot.animations, [*pchr.open(ROBOT).animations, "symbol:arm"])
        picture = robot.render("symbol:arm", frame=3, size=40)
        self.assertEqual(picture.tobytes(), raw(ROBOT, "-asymbol:arm", "-f3", "-s40"))

    def test_keywords_of_reading(self):
        for file, keywords, words, changed in READING:
            with self.subTest(keywords):
                character, plain = pchr.open(file, **keywords), pchr.open(file)
                pictures = character.render_many(character.animations[1], size=40).tobytes()
                self.assertEqual(pictures, raw(file, "-a#1", "-s40", "-fall", *words))
                if changed:
                    both = [(it.info(), it.render_many(it.animations[1], size=40).tobytes()) for it in (character, plain)]
                    self.assertNotEqual(*[it[("info", "pictures").index(changed)] for it in both])
                if "fps" in keywords:
                    # The other commands do not have it.
                    continue
                [report] = json.loads(run("pchr", "inspect", "--json", file, *words))["files"]
                self.assertEqual(character.info(), report)
                [checked] = json.loads(run("pchr", "validate", "--style=json", file, *words))["files"]
                self.assertEqual(character.findings(), checked["findings"])
                self.assertEqual(pchr.validate(file, **keywords), checked["findings"])
                run("pchr", "convert", file, "-q", "-o", self.folder / "program.pchr", "--force", *words)
                character.convert(self.folder / "module.pchr", force=True)
                self.assertEqual((self.folder / "module.pchr").read_bytes(), (self.folder / "program.pchr").read_bytes())

    def test_timelines_with_errors(self):
        text = LAMP.read_text()
        bone = next(iter(next(iter(json.loads(text)["animations"].values()))["bones"]))
        file = self.folder / "torn.json"
        head, animations = text.split('"animations"')
        file.write_text(head + '"animations"' + animations.replace(f'"{bone}"', '"nothing"', 1))
        with self.assertRaises(pchr.Error) as raised:
            pchr.open(file)
        self.assertEqual(raised.exception.code, "missing-name")
        [error] = pchr.open(file, keep_going=True).info()["errors"]
        self.assertEqual(error["code"], "missing-name")
        run("pchr-view", file, "-o", self.folder / "torn.png", "-q", code=3)
        run("pchr-view", file, "-o", self.folder / "torn.png", "-q", "--keep-going")

    def test_skins_of_a_character(self):
        file = scene(self.folder)
        worn, bare = pchr.open(file, skins="blue"), pchr.open(file)
        self.assertEqual(bare.skins, ["default", "blue"])
        pictures = [worn.render("hop", frame=3, size=50, **more).tobytes() for more in ({}, {"skins": "none"})]
        words = ["-ahop", "-f3", "-s50"]
        self.assertEqual(pictures, [raw(file, *words, "--skin=blue"), raw(file, *words, "--skin=none")])
        self.assertNotEqual(*pictures)
        self.assertEqual(worn.render_many("hop", frames=[3], size=50).tobytes(), pictures[0])
        # A bone of a skin.
        plume = bare.bones.index("plume")
        for poses, active in [
            (worn.poses("hop"), True),
            (bare.poses("hop"), False),
            (bare.poses("hop", skins=["blue"]), True),
            (worn.poses("hop", skins="none"), False),
        ]:
            self.assertEqual(np.isfinite(poses.matrices[:, plume]).all(), active)
            self.assertEqual(np.isnan(poses.matrices[:, plume]).all(), not active)
            self.assertTrue(np.isfinite(np.delete(poses.matrices, plume, axis=1)).all())
        for character, keywords, words in [
            (worn, {}, ["--skin=blue"]),
            (bare, {"skins": ["blue"]}, ["--skin=blue"]),
            (worn, {"skins": "none"}, ["--skin=none"]),
            (bare, {"animations": "hop"}, ["--animation=hop"]),
            (bare, {"animations": ["idle", "hop"], "fps": 7}, ["--animation=idle", "--animation=hop", "--fps=7"]),
            (bare, {"to": "skel42", "skins": "blue"}, ["--to=skel42", "--skin=blue"]),
            (pchr.open(LAMP, fps=7), {}, []),
        ]:
            with self.subTest(keywords):
                module, program = (self.folder / f"{name}.{keywords.get('to', 'pchr')[:4]}" for name in ["module", "program"])
                report = character.convert(module, force=True, **keywords)
                document = run("pchr", "convert", character.path, "--json", "-q", "-o", program, "--force", *words)
                [printed] = json.loads(document)["files"]
                for key in ["fps", "from", "losses", "to", "worst_error_px"]:
                    self.assertEqual(report.get(key), printed.get(key), key)
                self.assertEqual(module.read_bytes(), program.read_bytes())
