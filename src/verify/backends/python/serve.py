"""Runs a model in a process of its own, for as long as its standard input is open. Each line there is a request in JSON, each
line of its standard output the answer. A request that names a file loads a model in place of the one before. Arrays are handed over in
files, in the order in which the model declares them."""

import json
import os
import sys

sys.path += [place for place in os.environ.get("MODEL_VALIDATOR_PACKAGES", "").split(":") if place]

import numpy as np


def read_arrays(file):
    if not os.path.exists(file):
        return []  # of no arrays no archive is written
    with np.load(file) as arrays:
        return [arrays[key] for key in arrays.files]


def write_arrays(file, arrays):
    np.savez(file, **{f"{i:06}": np.asarray(array, order="C") for i, array in enumerate(arrays)})


def serve(load):
    """load: makes a model of what the file declares. A model has `run`, and where its intermediates can be seen `nodes` and `show`. What
    else there is to answer is in its `said`."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # which runtimes print to
    model, kind = None, ""
    for line in sys.stdin:
        asked, answer = json.loads(line), {}
        try:
            if "file" in asked:
                kind, model = "refused", None
                model = load(asked)
                answer = {"nodes": model.nodes() if asked["shows"] else []}
            else:
                kind = "failed"
                replaced = dict(zip(asked["replaced"], read_arrays(asked["values"]) if asked["replaced"] else [], strict=True))
                given = read_arrays(asked["inputs"])
                results = model.show(given, replaced, asked["shown"], asked["own"]) if model.shows else model.run(given)
                write_arrays(asked["outputs"], results)
            answer |= getattr(model, "said", {})
        except ImportError as error:
            answer = {"kind": "missing", "error": str(error)}
        except Exception as error:
            answer = {"kind": kind, "error": str(error) or type(error).__name__}
        answers.write(json.dumps(answer) + "\n")
        answers.flush()
