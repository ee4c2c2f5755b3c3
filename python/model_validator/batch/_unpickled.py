"""Which parts of a program `torch.export.load` unpickles: the reader looks at what they call."""

from __future__ import annotations

import json

ALWAYS = ("data/sample_inputs/", "data/constants/opaque_obj_", "serialized_state_dict.", "serialized_constants.", "serialized_example_inputs.")


def is_always_unpickled(name: str) -> bool:
    """Whatever else the file says of it. The reader's own list is in `unpickled.cpp`."""
    lowered = name.lower()
    return lowered.startswith(ALWAYS) or (lowered.startswith(("data/weights/", "data/constants/")) and lowered.endswith(".pt"))


def pickled_tensors(config: str, content: bytes) -> set[str]:
    """The names, in lower case, of the entries that a list of tensors says are pickled. Empty where it cannot be read: then the
    reader finds holes in their place, and says that they cannot be looked into."""
    folder = config[: config.rfind("/") + 1]
    try:
        tensors = json.loads(content)["config"].values()
        return {(folder + str(tensor["path_name"])).lower() for tensor in tensors if tensor.get("use_pickle")}
    except (ValueError, RecursionError, KeyError, TypeError, AttributeError):
        return set()
