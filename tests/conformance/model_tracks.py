"""Runs scripts of tracks with the project's own model of them, model.py, for random_tracks.rs.

Usage: model_tracks.py FOLDER_OF_THE_MODEL VERSION RIG.json < SCRIPTS.json
Each script is a state of a golden without samples. Prints a list for each: of each frame, the positions of all bones.
"""

import json
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])
import model  # noqa: E402
import model43  # noqa: E402


def frames(loaded, version, state):
    animations, setup = loaded
    kind = model43.Mixer43 if version == "4.3" else model.Mixer
    mixer = kind(version, animations, setup, state["defaultMix"])
    script = list(state["script"])
    for frame in range(state["frames"]):
        while script and script[0][0] <= frame:
            model.step_op(mixer, script.pop(0))
        mixer.update(state["dt"] if frame else 0.0)
        if state["reset"]:
            mixer.pose = dict(setup)
        mixer.apply()
        yield mixer.pose


with open(sys.argv[3]) as file:
    rig = json.load(file)
loaded = model.load(rig, sys.argv[2])
bones = [bone["name"] for bone in rig["bones"]]
place = lambda pose: [number for bone in bones for number in pose[bone + "/translate"]]
scripts = json.load(sys.stdin)
print(json.dumps([[place(pose) for pose in frames(loaded, sys.argv[2], state)] for state in scripts]))
