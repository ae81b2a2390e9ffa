"""What the tests share: characters, the programs of the wheel, and a reader of PNGs."""

import json
import shutil
import struct
import subprocess
import sys
import zlib
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[3]
KNIGHT = ROOT / "assets/paper-knight.pchr"
# Spine.
LAMP = ROOT / "assets/paper-lamp.json"
ROBOT = ROOT / "tests/fixtures/paper-robot/Animation.json"
# The same with a physics constraint.
SWINGING_LAMP = ROOT / "assets/paper-lamp-4.2.json"
SMALL = ROOT / "tests/fixtures/pchr/bone-unused/input.pchr"
# Read with a warning.
WARNED = ROOT / "tests/fixtures/pchr/animation-flags-reserved/input.pchr"
BINDINGS = ROOT / "bindings/python"


def scene(folder):
    """A Spine character with skins, a bone and a slot of one of them, physics, added light, and a small part far away."""
    for source in (ROOT / "assets").glob("paper-lamp*.png"):
        shutil.copy(source, folder)
    shutil.copy(ROOT / "assets/paper-lamp-4.2.atlas", folder / "scene.atlas")
    document = json.loads(SWINGING_LAMP.read_text())
    document["bones"] += [{"name": "far", "parent": "root", "x": 900}, {"name": "plume", "parent": "root", "skin": True}]
    document["slots"] += [{"name": "drop", "bone": "far", "attachment": "drop"}]
    document["physics"][0] |= {"wind": 20, "gravity": 20}
    default, blue = document["skins"]
    default["attachments"]["drop"] = {"drop": {"path": "bulb", "width": 4, "height": 4}}
    blue["bones"] = ["plume"]
    next(slot for slot in document["slots"] if slot["name"] == "bulb")["blend"] = "additive"
    path = folder / "scene.json"
    path.write_text(json.dumps(document))
    return path


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
