#!/usr/bin/env python3
"""Renders each character of a folder as a task of Ray, and writes a row for each to report.csv.

    python ray_render.py FOLDER OUT [--size 256] [--workers N]

Requires `pip install ray`. Starts a cluster on this machine unless RAY_ADDRESS names one, whose machines need the wheel, and
all folders at the same paths. The files are the same with any number of workers. A character that cannot be read or drawn
costs its own row, and the exit code is then 1.
"""

import argparse
import csv
import os
import sys
from pathlib import Path

import ray
from contact_sheet import write_png

import pchr

COLUMNS = ["character", "picture", "animations", "code", "message"]


@ray.remote(num_cpus=1, max_retries=2)
def render(character: str, picture: str, size: int) -> tuple[dict, tuple]:
    """Returns the row without the character's name, and what identifies the process that made it."""
    worker = (ray.get_runtime_context().get_node_id(), os.getpid())
    try:
        opened = pchr.open(character)
        pixels = opened.render(size=size)
        Path(picture).parent.mkdir(parents=True, exist_ok=True)
        write_png(picture, pixels)
    except pchr.Error as error:
        return {"code": error.code, "message": str(error)}, worker
    except OSError as error:
        return {"code": "io", "message": str(error)}, worker
    return {"picture": picture, "animations": len(opened.animations)}, worker


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--size", type=int, default=256)
    parser.add_argument("--workers", type=int, help="of the cluster that is started [default: the number of cores]")
    arguments = parser.parse_args()
    folder, out = arguments.folder.resolve(), arguments.out.resolve()
    # Workers import write_png from the folder of this file. A task draws on the core that Ray counts for it.
    variables = {"PYTHONPATH": str(Path(__file__).resolve().parent), "RAYON_NUM_THREADS": "1"}
    environment = {"env_vars": variables}
    ray.init(num_cpus=arguments.workers, runtime_env=environment, include_dashboard=False, log_to_driver=False)
    rows, tasks = [], {}
    for character in pchr.find(folder):
        name = character.relative_to(folder)
        # Names with the extension: a folder may have hero.json and hero.skel.
        task = render.remote(str(character), str(out / f"{name}.png"), arguments.size)
        tasks[task] = len(rows)
        rows.append({"character": str(name)})
    workers, waiting = set(), list(tasks)
    while waiting:
        done, waiting = ray.wait(waiting)
        for task in done:
            try:
                row, worker = ray.get(task)
                workers.add(worker)
            except ray.exceptions.RayError as error:
                # The worker has died three times, for example because the system stopped it for its memory.
                row = {"code": "worker", "message": str(error).partition("\n")[0]}
            rows[tasks[task]] |= row
    out.mkdir(parents=True, exist_ok=True)
    with open(out / "report.csv", "w", newline="") as file:
        table = csv.DictWriter(file, COLUMNS)
        table.writeheader()
        table.writerows(rows)
    failed = sum("code" in row for row in rows)
    print(f"{len(rows) - failed} of {len(rows)} characters rendered by {len(workers)} workers: {out / 'report.csv'}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
