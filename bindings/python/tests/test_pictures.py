"""Pictures are those of pchr-view."""

import json
import shutil
import tempfile
import unittest
from pathlib import Path

import numpy as np
from common import KNIGHT, LAMP, ROOT, SMALL, png, raw, run

import pchr


class Pictures(unittest.TestCase):
    def test_bytes_are_those_of_the_program(self):
        for file, animation in [(KNIGHT, "walk"), (LAMP, None)]:
            character = pchr.open(file)
            animation = animation or character.animations[-1]
            words = ["-a", animation, "-s", "120x90"]
            for keywords, more in [
                ({"frame": 3}, ["-f", "3"]),
                ({"frame": -1}, ["-f", "-1"]),
                ({"time": 0.123}, ["-t", "0.123"]),
                ({"time": 0.2, "fit": "frame", "background": "#3366cc80"}, ["-t", "0.2", "--fit=frame", "-b", "#3366cc80"]),
                ({"frame": 1, "fit": (-50, -20.5, 200, 300), "padding": "5%"}, ["-f1", "--fit=-50,-20.5,200,300", "--padding=5%"]),
                ({"frame": 1, "show": ["bones", "names"], "antialias": "msaa4"}, ["-f1", "--show=bones,names", "--antialias=msaa4"]),
                ({"time": 0.3, "alpha": "premultiplied", "filter": "nearest"}, ["-t.3", "--alpha=premultiplied", "--filter=nearest"]),
            ]:
                with self.subTest(file=file.name, keywords=keywords):
                    picture = character.render(animation, size=(120, 90), **keywords)
                    self.assertEqual((picture.shape, picture.dtype), ((90, 120, 4), np.uint8))
                    self.assertEqual(picture.tobytes(), raw(file, *words, *more))
                    self.assertGreater(np.count_nonzero(picture[..., 3]), 50)

    def test_without_keywords_it_is_the_picture_that_the_program_writes(self):
        with tempfile.TemporaryDirectory() as folder:
            for file in [KNIGHT, LAMP]:
                run("pchr-view", file, "-q", "--backend=cpu", "-s", "64x64", "-o", Path(folder) / f"{file.stem}.png")
                picture = pchr.open(file).render(size=64)
                np.testing.assert_array_equal(picture, png(Path(folder) / f"{file.stem}.png"))
            # The first frames show nothing.
            document = json.loads(LAMP.read_text())
            hidden = [{"name": None}, {"time": 0.5, "name": "bar"}, {"time": 1, "name": None}]
            slots = {slot["name"]: {"attachment": hidden} for slot in document["slots"]}
            document["animations"] = {"late": {"slots": slots}}
            late = Path(folder) / "paper-lamp.json"
            late.write_text(json.dumps(document))
            for name in ["paper-lamp.atlas", "paper-lamp.png"]:
                shutil.copy(ROOT / "assets" / name, folder)
            picture = pchr.open(late).render(size=64)
            run("pchr-view", late, "-q", "--backend=cpu", "-s", "64x64", "-o", Path(folder) / "late.png")
            np.testing.assert_array_equal(picture, png(Path(folder) / "late.png"))
            self.assertTrue(picture.any())
            self.assertFalse(pchr.open(late).render(size=64, frame=0).any())

    def test_many_pictures_are_the_same_with_any_number_of_threads(self):
        for file in [KNIGHT, LAMP]:
            character = pchr.open(file)
            name = character.animations[-1]
            expected = raw(file, "-a", name, "-f", "all", "-s", "50x70")
            for jobs in [0, 1, 3]:
                pictures = character.render_many(name, size=(50, 70), jobs=jobs)
                self.assertEqual(pictures.shape[1:], (70, 50, 4))
                self.assertEqual(pictures.tobytes(), expected)
            chosen = character.render_many(name, frames=[2, 0, 2], size=(50, 70))
            self.assertEqual(chosen.tobytes(), raw(file, "-a", name, "-f", "2,0,2", "-s", "50x70"))
            self.assertEqual(chosen.tobytes(), character.render_many(name, frames="2,0,2", size=(50, 70)).tobytes())
            np.testing.assert_array_equal(chosen[0], chosen[2])
        every = pchr.open(KNIGHT).render_many("all", size=40)
        self.assertEqual(every.tobytes(), b"".join(
            raw(KNIGHT, "-a", name, "-f", "all", "-s", "40", "--fit=all") for name in pchr.open(KNIGHT).animations
            if name.lower() != "bind"
        ))

    def test_times_share_one_area(self):
        character = pchr.open(KNIGHT)
        times = [0.0, 0.1, 0.25, 99.0, -1.0]
        pictures = character.render_many("walk", times=times, size=80)
        for at, picture in zip(times, pictures, strict=True):
            np.testing.assert_array_equal(picture, character.render("walk", time=at, size=80), str(at))
        # The area of both, whichever is first.
        native = character.render_many("walk", times=[0.1, 0.4], fit="frame")
        np.testing.assert_array_equal(native[::-1], character.render_many("walk", times=[0.4, 0.1], fit="frame"))
        for at, picture in zip([0.1, 0.4], native, strict=True):
            alone = character.render("walk", time=at, fit="frame")
            self.assertGreaterEqual(native.shape[1:], alone.shape)
            self.assertAlmostEqual(picture[..., 3].sum() / alone[..., 3].sum(), 1, places=2)
        for nothing in [{"times": []}, {"frames": []}, {"frames": "2..1"}]:
            with self.assertRaises(pchr.Error):
                character.render_many("walk", **nothing)

    def test_arrays_are_writable_and_their_own(self):
        character = pchr.open(KNIGHT)
        picture, again = (character.render(size=20) for _ in range(2))
        picture[:] = 7
        self.assertTrue(again.flags.writeable and again.flags.c_contiguous)
        self.assertFalse((again == 7).all())

    def test_sizes(self):
        character = pchr.open(KNIGHT)
        native = character.render("walk", frame=0)
        for size, shape in [(30, (30, 30)), ((40, 20), (20, 40)), ("40x20", (20, 40)), ("native", native.shape[:2])]:
            self.assertEqual(character.render("walk", frame=0, size=size).shape[:2], shape)
        self.assertEqual(character.render("walk", size=(40, None)).shape[1], 40)
        self.assertEqual(character.render("walk", size=(None, 40)).shape[0], 40)
        self.assertEqual(character.render("walk", frame=0, scale=2.0).shape[0], 2 * native.shape[0])
        for size in [0, -1, (0, 5), (5, -5), (3, 4, 5), "big", 2**40, (10**9, 10**9), 40_000]:
            with self.subTest(size=size), self.assertRaises(pchr.Error) as raised:
                character.render("walk", size=size)
            self.assertIn(raised.exception.code, ["invalid-argument", "picture-too-large", "too-large-to-draw"])
        with self.assertRaises(TypeError):
            character.render("walk", size=object())
        # 140 TB, more than the addresses of a process.
        with self.assertRaises(MemoryError) as raised:
            pchr.open(SMALL).render_many(frames=[0] * 140_000, size=16_000, fit=(0, 0, 9, 9))
        self.assertIn("140000 pictures of 16000×16000", str(raised.exception))
