"""Notes what network an export exports, in the export's own Python: `model_validator fix --rebuild` puts it before the
user's modules as `sitecustomize`. What it notes when the export has ended is a file of JSON; whatever goes wrong, none."""

import atexit
import hashlib
import importlib
import importlib.util
import inspect
import json
import os
import signal
import sys

FOLDER = os.path.dirname(os.path.abspath(__file__))
TARGET = os.environ.get("MODEL_VALIDATOR_WITNESS", "")
SECONDS = 60
#: Parameters that may make a constructor fetch something.
FETCHES = ("pretrained", "weights", "checkpoint", "path", "url", "download")

networks = []


class AfterTorch:
    """Finds torch as ever, and watches its exporters once it is imported."""

    def find_spec(self, name, path=None, target=None):
        if name != "torch":
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(name)
        if spec is not None and spec.loader is not None:
            execute = spec.loader.exec_module

            def exec_module(module):
                execute(module)
                watch_exporters(module)

            spec.loader.exec_module = exec_module
        return spec


def watch_exporters(torch):
    for place, name in ((torch.jit, "trace"), (torch.jit, "script"), (torch.onnx, "export"), (torch.export, "export")):
        setattr(place, name, watched(getattr(place, name), torch.nn.Module, counts_frames=name == "script"))


def watched(exporter, module_class, counts_frames):
    def export(*arguments, **options):
        if arguments and isinstance(arguments[0], module_class):
            inputs = arguments[1] if len(arguments) > 1 else ()
            networks.append((arguments[0], inputs if isinstance(inputs, tuple) else (inputs,)))
        elif counts_frames:  # to find the names of the function's caller
            options["_frames_up"] = options.get("_frames_up", 0) + 1
        return exporter(*arguments, **options)

    export.__wrapped__ = exporter
    return export


def class_of(module):
    return f"{type(module).__module__}.{type(module).__qualname__}"


def state_of(network):
    return [[name, str(tuple(tensor.shape))] for name, tensor in network.state_dict().items()]


def digest(value):
    if hasattr(value, "detach"):
        value = value.detach().cpu().contiguous()
        return str(value.dtype) + hashlib.sha256(value.reshape(-1).view(sys.modules["torch"].uint8).numpy()).hexdigest()
    if isinstance(value, dict):
        return [[str(key), digest(item)] for key, item in value.items()]
    return [digest(item) for item in value] if isinstance(value, (list, tuple)) else type(value).__name__


def can_be_scripted(network):
    torch = sys.modules["torch"]
    try:
        torch.jit.script(network)
    except Exception:
        return False
    return True


def with_defaults(network, inputs):
    """A network of the same class as its constructor's defaults make it; none where it needs or fetches something."""
    torch = sys.modules["torch"]
    kind = type(network)
    parameters = inspect.signature(kind).parameters.values()
    settings = [each for each in parameters if each.kind not in (each.VAR_POSITIONAL, each.VAR_KEYWORD)]
    if (not settings or kind.__module__.startswith("torch.") or any(each.default is each.empty for each in settings)
            or any(word in each.name and each.default for each in settings for word in FETCHES)):
        return None
    try:
        torch.manual_seed(1)
        other = kind().eval()
        torch.manual_seed(2)
        with torch.no_grad():
            return [state_of(other), digest(other(*inputs))]
    except Exception:
        return None


def note():
    def out_of_time(*_):
        raise TimeoutError

    network, inputs = networks[-1]
    signal.signal(signal.SIGALRM, out_of_time)
    signal.alarm(SECONDS)
    facts = {"children": [[path, class_of(each)] for path, each in network.named_modules()], "state": state_of(network),
             "defaults": with_defaults(network, inputs), "scripted": can_be_scripted(network)}
    signal.alarm(0)
    with open(TARGET, "w", encoding="utf-8") as file:
        json.dump(facts, file)


def note_quietly():
    try:
        if networks:
            with open(os.devnull, "w") as nowhere:
                sys.stdout = sys.stderr = nowhere
                note()
    except BaseException:
        pass


def run_the_user_s_own():
    """The `sitecustomize` that this one hides."""
    sys.path[:] = [each for each in sys.path if os.path.abspath(each or ".") != FOLDER]
    sys.modules.pop("sitecustomize", None)
    if importlib.util.find_spec("sitecustomize") is not None:
        importlib.import_module("sitecustomize")


if TARGET:
    sys.meta_path.insert(0, AfterTorch())
    atexit.register(note_quietly)
run_the_user_s_own()
