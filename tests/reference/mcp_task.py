"""Finds and mends a key that was moved by 1,000 px, with the tools of `pchr mcp` alone, through the official Python SDK.

Argument: the program. The folder `art` has `paper-lamp.json`, its atlas, and `broken.json`, a copy in which one key was moved."""

import asyncio
import base64
import json
import re
import sys
from pathlib import Path

from mcp import ClientSession, StdioServerParameters, stdio_client


async def main(program: str) -> None:
    server = StdioServerParameters(command=program, args=["mcp", "art", "--out", "out"])
    async with stdio_client(server) as (read, write), ClientSession(read, write) as session:
        await session.initialize()

        async def call(tool: str, **arguments):
            result = await session.call_tool(tool, arguments)
            text = result.content[0].text
            pictures = [part for part in result.content if part.type == "image"]
            return json.loads(text), [base64.b64decode(picture.data) for picture in pictures]

        # The findings name the key.
        found, _ = await call("validate", path="broken.json")
        suspects = [it for it in found["files"][0]["findings"] if it["code"] == "outlying-key"]
        assert len(suspects) == 1, suspects
        pointer = suspects[0]["pointer"]
        # The tool `keys` lists it there, with its animation, its bone and its time.
        keys, _ = await call("keys", path="broken.json")
        key = next(key for key in keys["keys"] if pointer.startswith(key["pointer"]))
        animation, bone, seconds = key["animation"], key["name"], key["seconds"]
        # In the pose at that time, the bone is far from where it is in all others.
        poses, _ = await call("poses", path="broken.json", animations=[animation], bones=[bone], fps=20, what=["bones"])
        far = farthest(poses)
        assert abs(far - seconds) < 0.2, (far, seconds)
        # The comparison with the original has the same key, and a picture.
        diff, pictures = await call("diff", a="paper-lamp.json", b="broken.json")
        assert not diff["same"], diff
        at = {"animation": animation, "time": seconds, "size": "64", "fit": "-100,-20,220,220"}
        _, before = await call("render", path="broken.json", output="before.png", **at)
        mend(Path("art/broken.json"), pointer)
        _, after = await call("render", path="broken.json", output="after.png", **at)
        _, expected = await call("render", path="paper-lamp.json", **at)
        assert before[0].startswith(b"\x89PNG") and before != after and after == expected
        diff, pictures = await call("diff", a="paper-lamp.json", b="broken.json")
        assert diff["same"] and not pictures, diff
        found, _ = await call("validate", path="broken.json")
        assert "outlying-key" not in json.dumps(found), found
        print(f"mended {pointer}: out/before.png, out/after.png")


def farthest(poses) -> float:
    """Returns the time at which the bone is farthest from its middle place."""
    places = []
    for frame in poses["animations"][0]["poses"]:
        places.append((frame["seconds"], frame["bones"][0]["position"][1]))
    middle = sorted(y for _, y in places)[len(places) // 2]
    return max(places, key=lambda place: abs(place[1] - middle))[0]


def mend(path: Path, pointer: str) -> None:
    """Subtracts 1,000 from the number at the pointer: the rest of the text stays as it is."""
    text = path.read_text()
    value = json.loads(text)
    for step in pointer.split("/")[1:]:
        value = value[int(step)] if isinstance(value, list) else value[step]
    mended, count = re.subn(rf'(?<=[ :]){re.escape(str(value))}(?=[ ,}}])', str(value - 1000), text)
    assert count == 1, (value, count)
    path.write_text(mended)


asyncio.run(main(sys.argv[1]))
