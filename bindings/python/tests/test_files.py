"""Files, documents and poses are those of the programs."""

import json
import os
import shutil
import tempfile
import unittest
from pathlib import Path

import numpy as np
from common import KNIGHT, LAMP, ROOT, SMALL, SWINGING_LAMP, WARNED, run

import pchr


class Files(unittest.TestCase):
    def setUp(self):
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))

    def failed(self, method, *arguments, **keywords):
        with self.assertRaises(pchr.Error) as raised:
            method(*arguments, **keywords)
        return raised.exception

    def test_missing_files(self):
        for method in [pchr.open, pchr.validate]:
            error = self.failed(method, self.folder / "none.pchr")
            self.assertEqual((error.code, error.file, error.path), ("io", str(self.folder / "none.pchr"), None))
            self.assertIn("none.pchr", str(error))
            self.assertEqual(self.failed(method, str(self.folder)).code, "io")
            self.assertEqual(self.failed(method, "").code, "io")
        closed = open(KNIGHT, "rb")
        closed.close()
        for wrong in [closed, 3, None, object()]:
            with self.assertRaises(TypeError):
                pchr.open(wrong)
        with self.assertRaises((pchr.Error, ValueError)):
            pchr.open("a\0b")

    def test_a_file_that_vanishes_is_drawn_and_not_read_again(self):
        copy = self.folder / "knight.pchr"
        shutil.copy(KNIGHT, copy)
        character = pchr.open(copy)
        copy.unlink()
        np.testing.assert_array_equal(character.render("walk", size=30), pchr.open(KNIGHT).render("walk", size=30))
        for method in [character.info, character.findings, lambda: character.convert(self.folder / "x.json")]:
            error = self.failed(method)
            self.assertEqual((error.code, error.file), ("io", str(copy)))

    def test_damaged_files(self):
        cut = self.folder / "cut.pchr"
        cut.write_bytes(KNIGHT.read_bytes()[: KNIGHT.stat().st_size // 2])
        wrong = self.folder / "lamp.json"
        document = json.loads(LAMP.read_text())
        document["bones"][1]["parent"] = "nobody"
        wrong.write_text(json.dumps(document))
        for file, place in [(cut, "meshes"), (wrong, "bones")]:
            error = self.failed(pchr.open, file)
            [failure] = json.loads(run("pchr", "inspect", "--json", file, code=3))["failures"]
            self.assertEqual(
                (error.code, error.path, error.offset), (failure["code"], failure["place"], failure.get("offset"))
            )
            self.assertEqual(error.file, str(file))
            self.assertIn(place, error.path)
            [checked] = json.loads(run("pchr", "validate", "--style=json", file, code=1))["files"]
            self.assertEqual(pchr.validate(file), checked["findings"])
            self.assertIn(("error", error.code), [(it["severity"], it["code"]) for it in checked["findings"]])
        self.assertGreater(len(checked["findings"]), 1)
        self.assertIsInstance(self.failed(pchr.open, cut).offset, int)
        other = self.folder / "text.pchr"
        other.write_text("hello")
        self.assertEqual(self.failed(pchr.open, other).code, "unknown-format")

    def test_folders(self):
        found = pchr.find(ROOT / "assets")
        self.assertEqual(found, sorted(found))
        self.assertEqual({KNIGHT, LAMP} - set(found), set())
        self.assertEqual([path for path in found if path.suffix in (".png", ".atlas")], [])
        (self.folder / "broken.pchr").write_bytes(KNIGHT.read_bytes()[:100])
        self.assertEqual(pchr.find(str(self.folder)), [self.folder / "broken.pchr"])
        self.assertEqual(pchr.find(self.folder / "none"), [self.folder / "none"])

    @unittest.skipUnless(os.name == "posix", "needs links")
    def test_folders_with_links(self):
        (self.folder / "gone.pchr").symlink_to("nothing")
        (self.folder / "back").symlink_to(self.folder)
        self.assertEqual(pchr.find(self.folder), [self.folder / "gone.pchr"])

    def test_limits(self):
        error = self.failed(pchr.open, KNIGHT, limits={"file-bytes": 10})
        self.assertEqual(error.code, "limit-exceeded")
        self.assertIn("work", str(self.failed(pchr.open, KNIGHT, limits={"work": 10})))
        # A text of 300 bytes that asks for many poses.
        long = self.folder / "long.json"
        long.write_text(json.dumps({
            "skeleton": {"spine": "4.2.0"}, "bones": [{"name": "root"}],
            "animations": {"long": {"bones": {"root": {"rotate": [{"time": 0}, {"time": 100_000, "value": 1}]}}}},
        }))
        small = pchr.open(long, limits={"memory-bytes": 1 << 20})
        self.assertEqual(len(small.poses("long", fps=0.1)), 10_000)
        self.assertEqual(self.failed(small.poses, "long", fps=1).code, "too-many-poses")
        character = pchr.open(long, limits={"work": 1000})
        knight = pchr.open(KNIGHT, limits={"work": 10_000_000})
        for character, work in [
            (character, lambda: character.poses("long", fps=1000)),
            (knight, lambda: knight.render("walk", size=8000)),
            (knight, lambda: knight.render_many("walk", frames=[0] * 4000, size=1000)),
            (knight, lambda: knight.diff(knight)),
        ]:
            error = self.failed(work)
            self.assertEqual((error.code, error.file), ("limit-exceeded", str(character.path)))

    def test_documents_are_those_of_the_program(self):
        for file in [KNIGHT, LAMP]:
            [report] = json.loads(run("pchr", "inspect", "--json", file))["files"]
            self.assertEqual(pchr.open(str(file)).info(), report)
            [checked] = json.loads(run("pchr", "validate", "--style=json", file))["files"]
            self.assertEqual(pchr.open(file).findings(), checked["findings"])
            self.assertEqual(pchr.validate(file), checked["findings"])
        character = pchr.open(KNIGHT)
        self.assertEqual(character.animations, [it["name"] for it in character.info()["animations"]])
        self.assertEqual(character.bones, [it["name"] for it in character.info()["bones"]])
        self.assertIn("walk", character.animations)
        self.assertEqual(character.path, KNIGHT)

    def test_findings_are_found(self):
        found = pchr.open(SMALL).findings()
        self.assertEqual([(it["code"], it["severity"]) for it in found], [("unused-bone", "note")])

    def test_conversions(self):
        character = pchr.open(LAMP)
        report = character.convert(self.folder / "lamp.pchr")
        self.assertEqual((report["to"], report["files"]), ("pchr", [str(self.folder / "lamp.pchr")]))
        run("pchr", "convert", LAMP, "-o", self.folder / "program.pchr", "-q")
        self.assertEqual((self.folder / "lamp.pchr").read_bytes(), (self.folder / "program.pchr").read_bytes())
        self.assertTrue(report["losses"])
        self.assertEqual(set(report["losses"][0]) & {"code", "message", "path"}, {"code", "message", "path"})
        error = self.failed(character.convert, self.folder / "lamp.pchr")
        self.assertEqual(error.code, "io")
        character.convert(self.folder / "lamp.pchr", force=True)
        files = character.convert(self.folder / "new/lamp.json", to="spine42")["files"]
        self.assertTrue(all(Path(file).is_file() for file in files) and len(files) >= 3, files)
        self.assertEqual(self.failed(character.convert, self.folder / "x.wurst").code, "unknown-target")
        self.assertEqual(self.failed(character.convert, self.folder / "x", to="wurst").code, "unknown-target")
        self.assertEqual(self.failed(character.convert, self.folder / "x.pchr", to="spine42").code, "invalid-argument")

    def test_conversions_do_not_overwrite_their_input(self):
        for name in ["paper-lamp.json", "paper-lamp.atlas", "paper-lamp.png"]:
            shutil.copy(LAMP.parent / name, self.folder)
        lamp = pchr.open(self.folder / "paper-lamp.json")
        # The file itself, and its atlas.
        for output, to in [(lamp.path, "spine42"), (self.folder / "paper-lamp.atlas", "pchr")]:
            error = self.failed(lamp.convert, output, to=to, force=True)
            self.assertEqual(error.code, "output-is-input")
        self.assertEqual(lamp.path.read_bytes(), LAMP.read_bytes())
        self.assertEqual({it.suffix for it in self.folder.iterdir()}, {".json", ".atlas", ".png"})
        (self.folder / "paper-lamp.png").unlink()
        lamp = pchr.open(lamp.path)
        self.assertEqual(self.failed(lamp.convert, self.folder / "new.pchr").code, "missing-image")
        self.assertEqual(lamp.convert(self.folder / "new.pchr", allow_missing_images=True)["to"], "pchr")

    def test_conversions_of_sheets_keep_their_text(self):
        sheet = self.folder / "sheet.sprsh"
        run("pchr-view", LAMP, "-ahop", "-s40", "--format=sheet", "-q", "-o", sheet)
        character = pchr.open(sheet)
        for name, keywords, words in [("kept", {}, []), ("new", {"to": "sheet"}, ["--to=sheet"])]:
            character.convert(self.folder / name / "a.json", **keywords)
            run("pchr", "convert", sheet, "-q", "-o", self.folder / name / "b.json", *words)
            a, b = ((self.folder / name / it).read_text() for it in ["a.json", "b.json"])
            self.assertEqual(a.replace("a.png", "b.png"), b)

    def test_differences(self):
        knight = pchr.open(KNIGHT)
        lamp = pchr.open(LAMP)
        same = json.loads(run("pchr", "diff", "--json", KNIGHT, KNIGHT))
        self.assertEqual(knight.diff(knight), same)
        other = json.loads(run("pchr", "diff", "--json", KNIGHT, LAMP, code=1))
        self.assertEqual(knight.diff(lamp), other)
        nearly = json.loads(run("pchr", "diff", "--json", "--epsilon=5", KNIGHT, WARNED, code=1))
        self.assertTrue(nearly["b"]["warnings"])
        # Of the two files of a command, each warning names its own.
        for warning in nearly["b"]["warnings"]:
            warning["message"] = warning["message"].removeprefix(f"{WARNED}: ")
        self.assertEqual(knight.diff(pchr.open(WARNED), epsilon=5), nearly)
        moved = self.folder / "paper-lamp.json"
        moved.write_text(LAMP.read_text().replace('"x": 100, "y": 60', '"x": 101, "y": 60'))
        for name in ["paper-lamp.atlas", "paper-lamp.png"]:
            shutil.copy(LAMP.parent / name, self.folder)
        self.assertEqual([lamp.diff(pchr.open(moved), epsilon=it)["same"] for it in (0.001, 10)], [False, True])
        moved.write_text(LAMP.read_text().replace('"time": 0.45, "y": 34', '"time": 0.45, "y": 44'))
        other = pchr.open(moved)
        moved.write_text("{}")
        [key] = lamp.diff(other)["keys"]
        self.assertEqual(key["b"]["pointer"], "/animations/hop/bones/base/translate/1")


class Bones(unittest.TestCase):
    def compare(self, file, name, fps, poses, *words):
        words = [*words, *(["--fps", fps] if fps else [])]
        document = json.loads(run("pchr", "poses", file, "-a", name, "--json", *words))
        [printed] = document["animations"]
        self.assertEqual((poses.animation, len(poses)), (printed["animation"], len(printed["poses"])))
        self.assertEqual(poses.matrices.shape, (len(poses), len(poses.bones), 6))
        self.assertEqual((poses.matrices.dtype, poses.seconds.dtype), (np.float32, np.float64))
        for index, pose in enumerate(printed["poses"]):
            self.assertEqual(poses.seconds[index], pose["seconds"])
            rows = {row["bone"]: np.array(row["matrix"], np.float32) for row in pose["bones"]}
            for bone, matrix in zip(poses.bones, poses.matrices[index], strict=True):
                np.testing.assert_array_equal(matrix, rows.get(bone, np.full(6, np.nan, np.float32)), bone)

    def test_poses_are_those_of_the_program(self):
        for file in [KNIGHT, LAMP, SWINGING_LAMP]:
            character = pchr.open(file)
            for name in character.animations[:3]:
                for fps in [None, 25]:
                    with self.subTest(file=file.name, name=name, fps=fps):
                        self.compare(file, name, fps, character.poses(name, fps))
            self.assertEqual(character.poses().bones, character.bones)
        swinging = pchr.open(SWINGING_LAMP)
        self.compare(SWINGING_LAMP, "hop", 25, swinging.poses("hop", 25, physics=False), "--physics=off")
        self.assertFalse(np.array_equal(swinging.poses("hop").matrices, swinging.poses("hop", physics=False).matrices))
