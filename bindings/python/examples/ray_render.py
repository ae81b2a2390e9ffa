#!/usr/bin/env python3
"""Renders a folder of characters with tasks of Ray, and writes a row for each to report.csv.

    python ray_render.py FOLDER OUT [--size 256] [--workers N]

Needs `pip install ray`. It starts a cluster on this machine, unless RAY_ADDRESS names one; its machines need the wheel, and
the folders at the same paths. The files are the same with any number of workers. A character that cannot be read or drawn
costs its own row, and the exit code is 1. tests/try_ray.py runs it.
"""

import argparse
import csv
import sys
from pathlib import Path

import ray
from contact_sheet import write_png

import pchr


@ray.remote(num_cpus=1, max_retries=2)
def render(character: str, picture: str, size: int) -> dict:
    row = {"character": character, "picture": "", "animations": "", "code": "", "message": ""}
    try:
        opened = pchr.open(character)
        pixels = opened.render(size=size)
        row["animations"] = len(opened.animations)
        Path(picture).parent.mkdir(parents=True, exist_ok=True)
        write_png(picture, pixels)
        row["picture"] = picture
    except pchr.Error as error:
        row |= {"code": error.code, "message": str(error)}
    except OSError as error:
        row |= {"code": "io", "message": str(error)}
    return row


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--size", type=int, default=256)
    parser.add_argument("--workers", type=int, help="at most this many at once [default: as the cluster decides]")
    arguments = parser.parse_args()
    characters = pchr.find(arguments.folder)
    out = arguments.out.resolve()
    # Names with the extension, since a folder may have hero.json and hero.skel.
    pictures = [out / f"{path.relative_to(arguments.folder)}.png" for path in characters]
    here = str(Path(__file__).resolve().parent)
    ray.init(num_cpus=arguments.workers, runtime_env={"env_vars": {"PYTHONPATH": here}}, log_to_driver=False)
    tasks = {}
    for index, (character, picture) in enumerate(zip(characters, pictures, strict=True)):
        tasks[render.remote(str(character.resolve()), str(picture), arguments.size)] = index
    rows, waiting = [None] * len(characters), list(tasks)
    while waiting:
        done, waiting = ray.wait(waiting, num_returns=1)
        for task in done:
            index = tasks[task]
            try:
                rows[index] = ray.get(task)
            except ray.exceptions.RayError as error:
                # The worker died, repeatedly: for example, because the system stopped it for its memory.
                rows[index] = {"character": str(characters[index]), "code": "worker", "message": str(error).split("\n")[0]}
    out.mkdir(parents=True, exist_ok=True)
    with open(out / "report.csv", "w", newline="") as file:
        table = csv.DictWriter(file, ["character", "picture", "animations", "code", "message"])
        table.writeheader()
        table.writerows(rows)
    failed = sum(bool(row["code"]) for row in rows)
    print(f"{len(rows) - failed} of {len(rows)} characters rendered; the rows are in {out / 'report.csv'}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
