#!/usr/bin/env python3
"""Renders evenly spaced poses of every animation of a character into one picture.

    python contact_sheet.py knight.pchr sheet.png [SIDE]
"""

import struct
import sys
import zlib

import numpy as np

import pchr


def write_png(path: str, pixels: np.ndarray) -> None:
    """Writes uint8 (height, width, 4) with straight alpha."""
    height, width, _ = pixels.shape
    rows = np.concatenate([np.zeros((height, 1), np.uint8), pixels.reshape(height, -1)], axis=1)

    def chunk(name: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))

    header = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0))
    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + header + chunk(b"IDAT", zlib.compress(rows.tobytes())) + chunk(b"IEND", b""))


def main(character: str, sheet: str, side: int = 96) -> None:
    opened = pchr.open(character)
    rows = []
    for animation in opened.animations:
        end = float(opened.poses(animation).seconds[-1])
        pictures = opened.render_many(animation, times=np.linspace(0, end, 6).tolist(), size=side)
        # (6, side, side, 4) → one row of pictures.
        rows.append(np.concatenate(list(pictures), axis=1))
    write_png(sheet, np.concatenate(rows))
    print(f"{sheet}: {len(rows)} animations")


if __name__ == "__main__":
    try:
        main(*sys.argv[1:3], *map(int, sys.argv[3:4]))
    except pchr.Error as error:
        sys.exit(f"{error} [{error.code}]")
