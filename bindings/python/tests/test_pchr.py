"""Tests of the wheel that is installed in this environment, and of its programs on the PATH. scripts/test python runs them."""

import ast
import gc
import inspect
import json
import math
import multiprocessing
import os
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import zlib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

import pchr

ROOT = Path(__file__).resolve().parents[3]
KNIGHT = ROOT / "assets/paper-knight.pchr"
# Spine.
LAMP = ROOT / "assets/paper-lamp.json"
SMALL = ROOT / "tests/fixtures/pchr/bone-unused/input.pchr"
BINDINGS = ROOT / "bindings/python"


def run(program, *words, code=0, **options):
    found = shutil.which(program)
    assert found and Path(found).parent == Path(sys.executable).parent, f"{program} is not that of the wheel: {found}"
    done = subprocess.run([found, *map(str, words)], capture_output=True, timeout=120, **options)
    assert done.returncode == code, (done.returncode, done.stderr)
    return done.stdout


def raw(character, *words):
    """What pchr-view draws, as bytes."""
    return run("pchr-view", character, "--backend", "cpu", "-q", "--format", "raw", "-o", "-", *words)


def png(path):
    """The pixels of a PNG of 8 bits and 4 channels."""
    data, at, content = Path(path).read_bytes(), 8, b""
    while at < len(data):
        (length,), name = struct.unpack(">I", data[at : at + 4]), data[at + 4 : at + 8]
        chunk, at = data[at + 8 : at + 8 + length], at + 12 + length
        if name == b"IHDR":
            width, height, depth, color = struct.unpack(">IIBB", chunk[:10])
            assert (depth, color) == (8, 6), (depth, color)
        content += chunk if name == b"IDAT" else b""
    lines = np.frombuffer(zlib.decompress(content), np.uint8).reshape(height, 1 + 4 * width)
    pixels, above = np.zeros((height, width, 4), np.uint8), np.zeros((width, 4), np.int32)
    for row, line in enumerate(lines):
        filtered, line = line[0], line[1:].reshape(width, 4).astype(np.int32)
        left, corner = np.zeros(4, np.int32), np.zeros(4, np.int32)
        for column in range(width):
            up = above[column]
            estimate = left + up - corner
            distances = np.abs(np.stack([estimate - left, estimate - up, estimate - corner]))
            paeth = np.choose(distances.argmin(0), [left, up, corner])
            guess = [0 * left, left, up, (left + up) // 2, paeth][filtered]
            left, corner = (line[column] + guess) % 256, up
            line[column] = left
        pixels[row], above = line, line
    return pixels


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
        native = character.render_many("walk", times=[0.1, 0.4], fit="frame")
        alone = character.render("walk", time=0.1, fit="frame")
        self.assertGreaterEqual(native.shape[1:], alone.shape)
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
        with self.assertRaises((pchr.Error, MemoryError)):
            character.render_many("walk", frames=[0] * 3000, size=30_000)


class Arguments(unittest.TestCase):
    def refused(self, code, method, *arguments, **keywords):
        with self.assertRaises(pchr.Error) as raised:
            method(*arguments, **keywords)
        error = raised.exception
        self.assertEqual(error.code, code, str(error))
        self.assertIsNone(error.offset)
        return str(error)

    def test_times_that_are_none(self):
        character = pchr.open(KNIGHT)
        for at in [math.nan, math.inf, -math.inf]:
            self.assertIn("seconds", self.refused("invalid-argument", character.render, "walk", time=at))
            self.refused("invalid-argument", character.render_many, "walk", times=[0.0, at])
            self.refused("invalid-argument", character.poses, "walk", fps=at)
            self.refused("invalid-argument", pchr.open, LAMP, fps=at)
            self.refused("invalid-argument", character.diff, character, epsilon=at)
        first, end = character.render("walk", frame=0, size=40), character.render("walk", frame=-1, size=40)
        np.testing.assert_array_equal(character.render("walk", time=-5, size=40), first)
        np.testing.assert_array_equal(character.render("walk", time=1e300, size=40), end)

    def test_names_that_are_unknown(self):
        character = pchr.open(KNIGHT)
        self.assertIn("did you mean `walk`", self.refused("unknown-name", character.render, "wlak"))
        self.refused("unknown-name", character.render_many, "wlak")
        self.refused("unknown-name", character.poses, "wlak")
        self.refused("unknown-name", character.render, "walk", skins="x")
        self.refused("unknown-name", pchr.open, KNIGHT, skins=["x"])
        self.refused("no-such-frame", character.render, "walk", frame=10_000)
        self.refused("invalid-argument", character.render, "walk", background="wurst")
        self.refused("invalid-argument", character.render, "walk", alpha="straightish")
        self.refused("invalid-argument", character.render, "walk", frame=1, time=0.1)
        self.refused("several-pictures", character.render, "all")
        self.refused("invalid-argument", pchr.open, KNIGHT, page_alpha="x")
        self.refused("invalid-argument", pchr.open, KNIGHT, limits={"sanity": 1})
        for call in [
            lambda: character.render("walk", wurst=1),
            lambda: character.render("walk", frames="all"),
            lambda: character.render_many("walk", time=1),
            lambda: character.render_many("walk", frames="all", times=[0]),
            lambda: character.render("walk", frame=True),
            lambda: character.render(3),
            lambda: character.diff("x"),
        ]:
            with self.assertRaises(TypeError):
                call()

    def test_options_are_words_of_their_own(self):
        """A value cannot become another option."""
        character = pchr.open(KNIGHT)
        self.refused("unknown-name", character.render, "--help")
        self.refused("unknown-name", character.render, "walk", skins=["--files=x"])
        self.refused("invalid-argument", character.render, "walk", background="-o x")

    def test_none_is_the_default(self):
        character = pchr.open(KNIGHT)
        plain = character.render("walk", size=30)
        np.testing.assert_array_equal(plain, character.render("walk", size=30, time=None, frame=None, skins=None, fit=None))


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
            self.assertIn(("error", error.code), [(it["severity"], it["code"]) for it in pchr.validate(file)])
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
        self.assertEqual(self.failed(pchr.open(long, limits={"work": 1000}).poses, "long", fps=1000).code, "limit-exceeded")

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
        copy = self.folder / "knight.pchr"
        shutil.copy(KNIGHT, copy)
        self.failed(pchr.open(copy).convert, copy, force=True)
        self.assertEqual(copy.read_bytes(), KNIGHT.read_bytes())

    def test_differences(self):
        knight = pchr.open(KNIGHT)
        lamp = pchr.open(LAMP)
        same = json.loads(run("pchr", "diff", "--json", KNIGHT, KNIGHT))
        self.assertEqual(knight.diff(knight), same)
        other = json.loads(run("pchr", "diff", "--json", KNIGHT, LAMP, code=1))
        self.assertEqual(knight.diff(lamp), other)


class Bones(unittest.TestCase):
    def compare(self, file, name, fps, poses):
        words = ["--fps", fps] if fps else []
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
        for file in [KNIGHT, LAMP]:
            character = pchr.open(file)
            for name in character.animations:
                for fps in [None, 25]:
                    with self.subTest(file=file.name, name=name, fps=fps):
                        self.compare(file, name, fps, character.poses(name, fps))
            self.assertEqual(character.poses().bones, character.bones)


class Processes(unittest.TestCase):
    def test_threads_share_a_character(self):
        character = pchr.open(KNIGHT)
        times = [index / 40 for index in range(24)]
        expected = [character.render("walk", time=at, size=60).tobytes() for at in times]

        def work(_):
            own = [character.render("walk", time=at, size=60).tobytes() for at in times]
            return own, character.poses("walk").matrices.tobytes()

        with ThreadPoolExecutor(8) as threads:
            results = list(threads.map(work, range(8)))
        self.assertEqual(results, [(expected, character.poses("walk").matrices.tobytes())] * 8)

    def test_work_releases_the_interpreter(self):
        character = pchr.open(KNIGHT)
        ticks, done = 0, threading.Event()

        def render():
            character.render_many("walk", frames="0," * 40 + "0", size=400)
            done.set()

        thread = threading.Thread(target=render)
        thread.start()
        while not done.is_set():
            ticks += 1
            time.sleep(0.001)
        thread.join()
        self.assertGreater(ticks, 5)

    @unittest.skipUnless(hasattr(os, "fork"), "needs fork")
    def test_a_forked_process_has_threads_of_its_own(self):
        character = pchr.open(KNIGHT)
        expected = character.render("walk", size=50).tobytes()
        character.render_many("walk", size=50)
        with multiprocessing.get_context("fork").Pool(2) as pool:
            results = pool.map_async(forked, [character.path] * 4).get(timeout=60)
        self.assertEqual(results, [expected] * 4)

    @unittest.skipUnless(hasattr(signal, "setitimer"), "needs POSIX signals")
    def test_a_signal_ends_long_work(self):
        def interrupt(*_):
            raise KeyboardInterrupt

        before = signal.signal(signal.SIGALRM, interrupt)
        signal.setitimer(signal.ITIMER_REAL, 0.3)
        started = time.monotonic()
        try:
            with self.assertRaises(KeyboardInterrupt):
                pchr.open(KNIGHT).render_many("walk", frames=[0] * 2000, size=500)
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)
        self.assertLess(time.monotonic() - started, 10)

    @unittest.skipUnless(os.path.exists("/proc/self/statm"), "needs /proc")
    def test_memory_does_not_grow(self):
        def resident():
            gc.collect()
            return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")

        character = pchr.open(SMALL)

        def work(count):
            for _ in range(count):
                character.render(size=16)
                try:
                    character.render("none")
                except pchr.Error:
                    pass

        work(1000)
        before = resident()
        work(9000)
        self.assertLess(resident() - before, 4 << 20)


def forked(path):
    return pchr.open(path).render("walk", size=50).tobytes()


class Programs(unittest.TestCase):
    def test_the_programs_are_the_programs(self):
        version = run("pchr", "--version").decode().split()
        self.assertEqual(version, ["pchr", pchr.__version__])
        self.assertEqual(run("pchr-view", "--version").decode().split(), ["pchr-view", pchr.__version__])
        with tempfile.TemporaryDirectory() as folder:
            picture = Path(folder) / "knight.png"
            run("pchr-view", KNIGHT, "-o", picture, "-q")
            self.assertGreater(np.count_nonzero(png(picture)[..., 3]), 1000)
        self.assertIn(b"walk", run("pchr", "inspect", KNIGHT))
        run("pchr", "diff", KNIGHT, LAMP, code=1)
        run("pchr", "diff", KNIGHT, code=2)
        run("pchr-view", KNIGHT, "-o", KNIGHT / "x.png", code=5)

    @unittest.skipUnless(os.name == "posix", "needs POSIX signals and pipes")
    def test_signals_and_pipes_are_those_of_the_programs(self):
        found = shutil.which("pchr-view")
        with tempfile.TemporaryDirectory() as folder:
            watching = subprocess.Popen(
                [found, KNIGHT, "-o", Path(folder) / "x.png", "--watch"], stderr=subprocess.PIPE, stdout=subprocess.PIPE
            )
            watching.stderr.readline()
            watching.send_signal(signal.SIGINT)
            self.assertEqual(watching.wait(timeout=30), 130)
            watching.communicate()
        frames = subprocess.Popen(
            [found, KNIGHT, "-a", "walk", "-s500", "-f", "0," * 100 + "0", "--format=raw", "-q", "-o", "-"],
            stdout=subprocess.PIPE,
        )
        frames.stdout.read(10)
        frames.stdout.close()
        self.assertEqual(frames.wait(timeout=60), 0)


class Stubs(unittest.TestCase):
    """The stub has the names of the module, no more and no fewer."""

    tree = ast.parse((BINDINGS / "pchr.pyi").read_text())
    ONLY_TYPES = {"Finding", "Look", "One", "Many", "Path", "Names", "Size"}

    def parameters(self, function):
        arguments = function.args
        names = [it.arg for it in [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs] if it.arg != "self"]
        return names + ([arguments.kwarg.arg] if arguments.kwarg else [])

    def test_names(self):
        defined = {it.name: it for it in self.tree.body if isinstance(it, (ast.ClassDef, ast.FunctionDef))}
        named = {it.target.id for it in self.tree.body if isinstance(it, ast.AnnAssign)}
        public = {name for name in dir(pchr) if not name.startswith("_") and name != "pchr"} | {"__version__"}
        self.assertEqual((set(defined) | named) - self.ONLY_TYPES, public)
        for name in ["find", "open", "validate"]:
            found = list(inspect.signature(getattr(pchr, name)).parameters)
            self.assertEqual(self.parameters(defined[name]), found)
        for name in ["Character", "Poses"]:
            kind = getattr(pchr, name)
            members = defined[name].body
            stubbed = {it.name for it in members if isinstance(it, ast.FunctionDef)}
            stubbed |= {it.target.id for it in members if isinstance(it, ast.AnnAssign)}
            inherited = set(dir(object)) | {"__module__"}
            self.assertEqual(stubbed - inherited, set(dir(kind)) - inherited, name)
            for member in members:
                if isinstance(member, ast.FunctionDef) and not member.decorator_list and member.name[0] != "_":
                    found = [it for it in inspect.signature(getattr(kind, member.name)).parameters if it != "self"]
                    self.assertEqual(self.parameters(member), found, member.name)

    def test_every_keyword_is_known(self):
        classes = {it.name: it for it in self.tree.body if isinstance(it, ast.ClassDef)}
        fields = {name: [it.target.id for it in classes[name].body if isinstance(it, ast.AnnAssign)] for name in classes}
        character = pchr.open(SMALL)
        for keyword in fields["Look"] + fields["One"]:
            character.render(**{"size": 8, keyword: None})
        for keyword in fields["Look"] + fields["Many"]:
            character.render_many(**{"size": 8, keyword: None})
        source = (BINDINGS / "src/keywords.rs").read_text()
        known = [line.split('"')[1] for line in source.splitlines() if line.strip().startswith('("')]
        self.assertEqual(sorted(known), sorted(fields["Look"] + fields["One"] + fields["Many"]))

    def test_it_is_installed_and_documented(self):
        installed = Path(pchr.__file__).parent
        self.assertTrue((installed / "py.typed").is_file())
        self.assertEqual((installed / "__init__.pyi").read_text(), (BINDINGS / "pchr.pyi").read_text())
        for documented in [pchr, pchr.find, pchr.open, pchr.validate, pchr.Character, pchr.Poses, pchr.Error]:
            self.assertTrue(documented.__doc__, documented)
        for name, member in vars(pchr.Character).items():
            if not name.startswith("_"):
                self.assertTrue(member.__doc__, name)


class Examples(unittest.TestCase):
    def test_the_contact_sheet(self):
        script = BINDINGS / "examples/contact_sheet.py"
        with tempfile.TemporaryDirectory() as folder:
            sheet = Path(folder) / "sheet.png"
            subprocess.run([sys.executable, script, KNIGHT, sheet, "32"], check=True, timeout=120, stdout=subprocess.DEVNULL)
            pixels = png(sheet)
            self.assertEqual(pixels.shape, (32 * len(pchr.open(KNIGHT).animations), 6 * 32, 4))
            self.assertGreater(np.count_nonzero(pixels[..., 3]), 1000)
            failed = subprocess.run([sys.executable, script, "none", sheet], capture_output=True, text=True)
            self.assertEqual((failed.returncode, "[io]" in failed.stderr), (1, True), failed.stderr)


if __name__ == "__main__":
    unittest.main()
