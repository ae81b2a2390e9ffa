"""Threads, signals and processes; the programs of the wheel, and the examples."""

import gc
import io
import multiprocessing
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from concurrent.futures import ThreadPoolExecutor
from contextlib import redirect_stdout
from pathlib import Path

import numpy as np
from common import BINDINGS, KNIGHT, LAMP, SMALL, png, run

import pchr


class Processes(unittest.TestCase):
    def test_threads_share_a_character(self):
        character = pchr.open(KNIGHT)
        times = [index / 10 for index in range(6)]
        expected = [character.render("walk", time=at, size=40).tobytes() for at in times]
        poses = character.poses("walk", fps=10).matrices.tobytes()

        def work(first):
            # At each moment, the threads draw different pictures.
            order = times[first:] + times[:first]
            own = {at: character.render("walk", time=at, size=40).tobytes() for at in order}
            return [own[at] for at in times], character.poses("walk", fps=10).matrices.tobytes()

        with ThreadPoolExecutor(6) as threads:
            results = list(threads.map(work, range(6)))
        self.assertEqual(results, [(expected, poses)] * 6)

    def test_work_releases_the_interpreter(self):
        character = pchr.open(KNIGHT)
        for work in [
            lambda: character.render_many("walk", frames=[0] * 10, size=400),
            lambda: character.render("walk", size=1500),
        ]:
            ticks, thread = 0, threading.Thread(target=work)
            thread.start()
            while thread.is_alive():
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
        # The time goes into pictures, and into the areas of many times.
        for keywords in [{"frames": [0] * 2000, "size": 500}, {"times": [0] * 100_000, "size": 1}]:
            signal.setitimer(signal.ITIMER_REAL, 0.3)
            started = time.monotonic()
            try:
                with self.assertRaises(KeyboardInterrupt):
                    pchr.open(KNIGHT).render_many("walk", **keywords)
            finally:
                signal.setitimer(signal.ITIMER_REAL, 0)
            self.assertLess(time.monotonic() - started, 10)
        signal.signal(signal.SIGALRM, before)

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

        # A picture is 1 KiB.
        work(500)
        before = resident()
        work(4000)
        self.assertLess(resident() - before, 2 << 20)


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
        self.assertIn(b"Model Context Protocol", run("pchr", "mcp", "--help"))
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


class Examples(unittest.TestCase):
    def test_the_example_of_the_readme(self):
        example = (BINDINGS / "README.md").read_text().split("```python\n")[1].split("```")[0]
        names = {}
        with redirect_stdout(io.StringIO()):
            exec(example.replace('"knight.pchr"', repr(str(KNIGHT))), names)
        shapes = [names[name].shape for name in ["picture", "frames", "hand"]]
        self.assertEqual(shapes, [(256, 256, 4), (24, 240, 320, 4), (len(names["poses"]), 2)])

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
