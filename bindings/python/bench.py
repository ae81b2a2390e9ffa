#!/usr/bin/env python3
"""Compares render_many with pchr-view, and counts the poses per second of the characters in a folder.

    python bench.py [FOLDER]

Run it with the wheel of scripts/build-wheel (not --quick) on an idle machine. Each figure is the best of five runs.
"""

import subprocess
import sys
import time
from pathlib import Path

import pchr

ASSETS = Path(__file__).resolve().parents[2] / "assets"
FRAMES, SIDE, RUNS = 200, 512, 5


def best(work) -> float:
    def once() -> float:
        started = time.perf_counter()
        work()
        return time.perf_counter() - started

    return min(once() for _ in range(RUNS))


def pictures(file: Path) -> None:
    """All read the file and draw 200 pictures; only the program that writes to /dev/null needs no memory for them."""
    frames = pchr.open(file).poses().seconds.size
    chosen = [frame % frames for frame in range(FRAMES)]
    spec = ",".join(map(str, chosen))
    words = ["--backend=cpu", "--format=raw", "-q", "-s", str(SIDE), "-f", spec, "-o", "-"]
    program = ["pchr-view", file, *words]
    alone = best(lambda: subprocess.run(program, check=True, stdout=subprocess.DEVNULL))
    received = best(lambda: subprocess.run(program, check=True, stdout=subprocess.PIPE))
    module = best(lambda: pchr.open(file).render_many(frames=chosen, size=SIDE))
    single = best(lambda: [pchr.open(file).render(frame=frame, size=SIDE) for frame in chosen[:20]]) * FRAMES / 20
    print(f"{file.name}: {FRAMES} pictures of {SIDE}×{SIDE}: render_many {module:.3f} s; pchr-view to a pipe {received:.3f} s "
          f"({module / received:.2f}×), to /dev/null {alone:.3f} s ({module / alone:.2f}×); open and render each {single:.3f} s")


def poses(folder: Path) -> None:
    opened, count, bones = [], 0, 0
    for path in pchr.find(folder):
        try:
            opened.append(pchr.open(path))
        except pchr.Error:
            continue
    started = time.perf_counter()
    for character in opened:
        for animation in character.animations:
            sampled = character.poses(animation)
            count += len(sampled)
            bones += len(sampled) * len(sampled.bones)
    seconds = time.perf_counter() - started
    print(f"{folder}: {len(opened)} characters, {count} poses in {seconds:.2f} s: {count / seconds:,.0f} poses "
          f"and {bones / seconds:,.0f} bones per second")


if __name__ == "__main__":
    for name in ["paper-knight.pchr", "paper-lamp.json"]:
        pictures(ASSETS / name)
    poses(Path(sys.argv[1]) if sys.argv[1:] else ASSETS)
