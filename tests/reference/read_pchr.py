#!/usr/bin/env python3
"""An independent reader of PCHR v1, to hold ours against: nothing but the field tables of the published
format and `struct`.

usage: read_pchr.py FILE...

Prints a JSON array with one object for every file: every field of the tables, in their words and order. A
float32 is eight hexadecimal digits, its bits, so that comparing is exact. Image data is its length and its
SHA-256. `trailing` is the number of bytes after the last animation. A file that is not PCHR v1, or that ends
too early, is reported on stderr and makes the exit code 1.
"""

import hashlib
import json
import struct
import sys

# A field is its name and its type. A type is a key of SCALARS, "string", "data", a table of fields, or, for an
# array, a pair of its element's type and how many there are: a number, or a function of the cursor.
SCALARS = {"uint8": "B", "uint16": "H", "uint32": "I", "int16": "h", "float32": "f"}

IMAGE = [
    ("name", "string"),
    ("width", "uint16"),
    ("height", "uint16"),
    ("format", "uint8"),
    ("data", "data"),
]

BONE = [
    ("name", "string"),
    ("parent", "int16"),
]

VERTEX = [
    ("x", "float32"),
    ("y", "float32"),
    ("u", "float32"),
    ("v", "float32"),
    ("boneIds", ("uint16", 4)),
    ("boneWeights", ("float32", 4)),
]

MESH = [
    ("name", "string"),
    ("image", "uint16"),
    ("vertexCount", "uint16"),
    ("indexCount", "uint32"),
    ("vertices", (VERTEX, lambda cursor: cursor.latest["vertexCount"])),
    ("indices", ("uint16", lambda cursor: cursor.latest["indexCount"])),
]

BONE_TRANSFORM = [
    ("x", "float32"),
    ("y", "float32"),
    ("rotation", "float32"),
    ("scaleX", "float32"),
    ("scaleY", "float32"),
    ("flags", "uint8"),
    ("zOrder", "int16"),
]

ANIMATION = [
    ("name", "string"),
    ("flags", "uint8"),
    ("frameCount", "uint16"),
    ("frames", (BONE_TRANSFORM, lambda cursor: cursor.latest["frameCount"] * cursor.latest["boneCount"])),
]

FILE = [
    ("magic", ("uint8", 4)),
    ("version", "uint32"),
    ("fps", "uint16"),
    ("flags", "uint16"),
    ("imageCount", "uint16"),
    ("images", (IMAGE, lambda cursor: cursor.latest["imageCount"])),
    ("boneCount", "uint16"),
    ("bones", (BONE, lambda cursor: cursor.latest["boneCount"])),
    ("meshCount", "uint16"),
    ("meshes", (MESH, lambda cursor: cursor.latest["meshCount"])),
    ("animationCount", "uint16"),
    ("animations", (ANIMATION, lambda cursor: cursor.latest["animationCount"])),
]


class NotPchr(Exception):
    """The bytes do not fit the tables."""


class Cursor:
    """Goes through the bytes once and remembers the counts it met."""

    def __init__(self, data):
        self.data = data
        self.at = 0
        self.latest = {}

    def take(self, length):
        end = self.at + length
        if end > len(self.data):
            raise NotPchr(f"byte {self.at}: {length} bytes are needed, {len(self.data) - self.at} are left")
        self.at, start = end, self.at
        return self.data[start:end]

    def numbers(self, kind, count):
        code = f"<{count}{SCALARS[kind]}"
        numbers = struct.unpack(code, self.take(struct.calcsize(code)))
        if kind == "float32":
            return [struct.pack(">f", number).hex() for number in numbers]
        return list(numbers)

    def string(self):
        (length,) = self.numbers("uint16", 1)
        return self.take(length).decode("utf-8")

    def blob(self):
        (length,) = self.numbers("uint32", 1)
        return {"dataLength": length, "sha256": hashlib.sha256(self.take(length)).hexdigest()}

    def value(self, kind):
        if isinstance(kind, tuple):
            return self.array(*kind)
        if isinstance(kind, list):
            return self.record(kind)
        if kind == "string":
            return self.string()
        if kind == "data":
            return self.blob()
        return self.numbers(kind, 1)[0]

    def array(self, kind, count):
        count = count(self) if callable(count) else count
        if isinstance(kind, str):
            return self.numbers(kind, count)
        return [self.record(kind) for _ in range(count)]

    def record(self, table):
        fields = {}
        for name, kind in table:
            fields[name] = self.value(kind)
            if name.endswith("Count"):
                self.latest[name] = fields[name]
        return fields


def read(path):
    with open(path, "rb") as file:
        cursor = Cursor(file.read())
    fields = cursor.record(FILE)
    if bytes(fields["magic"]) != b"PCHR":
        raise NotPchr("byte 0: the magic is not PCHR")
    if fields["version"] != 1:
        raise NotPchr(f"byte 4: version {fields['version']} is not 1")
    fields["trailing"] = len(cursor.data) - cursor.at
    return fields


def main(paths):
    files = []
    for path in paths:
        try:
            files.append(read(path))
        except (NotPchr, UnicodeDecodeError, OSError) as fault:
            sys.exit(f"{path}: {fault}")
    json.dump(files, sys.stdout)


if __name__ == "__main__":
    main(sys.argv[1:])
