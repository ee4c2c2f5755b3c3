"""Notes what network an export exports, in the export's own Python: `model_validator fix --rebuild` puts it before the
user's modules as `sitecustomize`. What it notes when the export has ended is a file of JSON; whatever goes wrong, none."""

import atexit
import contextlib
import copy
import dataclasses
import hashlib
import importlib
import importlib.util
import inspect
import json
import os
import pickle
import signal
import sys
import time
import weakref

FOLDER = os.path.dirname(os.path.abspath(__file__))
CHOSEN = os.path.join(FOLDER, "configurations.json")
TARGET = os.environ.get("MODEL_VALIDATOR_WITNESS", "")
SECONDS = 60
#: Parameters that may make a constructor fetch something.
FETCHES = ("pretrained", "weights", "checkpoint", "path", "url", "download")

#: Of these, so many are tried.
VARIATIONS = 6

networks = []
made = weakref.WeakKeyDictionary()


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
    torch.manual_seed(0)  # what an export draws at random is the same each time, though its author seeds nothing
    note_constructors(torch.nn.Module)
    for place, name in ((torch.jit, "trace"), (torch.jit, "script"), (torch.onnx, "export"), (torch.export, "export")):
        setattr(place, name, watched(getattr(place, name), torch.nn.Module, counts_frames=name == "script"))


def watched(exporter, module_class, counts_frames):
    def export(*arguments, **options):
        if arguments and isinstance(arguments[0], module_class):
            inputs = arguments[1] if len(arguments) > 1 else ()
            networks.append((arguments[0], inputs if isinstance(inputs, tuple) else (inputs,),
                             digest(sys.modules["torch"].get_rng_state())))
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
    if isinstance(value, (list, tuple)):
        return [digest(item) for item in value]
    if dataclasses.is_dataclass(value):
        return [digest(getattr(value, field.name)) for field in dataclasses.fields(value)]
    return repr(value) if isinstance(value, (bool, int, float, str, type(None))) else type(value).__name__


def tensors_in(value):
    if hasattr(value, "detach"):
        return [value]
    if isinstance(value, dict):
        value = list(value.values())
    return [tensor for item in value for tensor in tensors_in(item)] if isinstance(value, (list, tuple)) else []


def copied(inputs, dtype=None):
    """The inputs anew, as the network may write into them."""
    torch = sys.modules["torch"]
    if isinstance(inputs, torch.Tensor):
        floats = dtype is not None and inputs.is_floating_point()
        return inputs.detach().clone().to(dtype if floats else inputs.dtype)
    if isinstance(inputs, dict):
        return {key: copied(value, dtype) for key, value in inputs.items()}
    return type(inputs)(copied(value, dtype) for value in inputs) if type(inputs) in (list, tuple) else inputs


def run(network, inputs, dtype=None):
    """What the network computes, and what it leaves of its inputs."""
    torch = sys.modules["torch"]
    torch.manual_seed(2)
    given = copied(inputs, dtype)
    with torch.no_grad():
        return [digest(network(*given)), digest(given)]


def given_to(network):
    """What the network is run with: the inputs of its first export, or else those that the command line names."""
    inputs, place = network[1], os.path.join(FOLDER, "inputs.json")
    if inputs:
        return attempt(those_of_first_export, inputs) or inputs
    if not os.path.exists(place):
        return inputs
    with open(place, encoding="utf-8") as file:
        named = json.load(file)
    return attempt(loaded, named["files"][0]) or attempt(random_inputs, named["specs"]) or ()


def those_of_first_export(inputs):
    """An example at random is another one in each export, unless its author seeds it."""
    torch, place = sys.modules["torch"], os.path.join(FOLDER, "given.pt")
    if not os.path.exists(place):
        torch.save(inputs, place + ".part")
        os.replace(place + ".part", place)
    return torch.load(place, weights_only=False)


def loaded(path):
    inputs = sys.modules["torch"].load(path, weights_only=True)
    return tuple(inputs.values() if isinstance(inputs, dict) else inputs if isinstance(inputs, (list, tuple)) else [inputs])


def random_inputs(specs):
    """Of specifications such as `x=1x3x224x224:float32`."""
    torch = sys.modules["torch"]
    torch.manual_seed(4)
    found = []
    for spec in specs:
        shape, _, dtype = spec.rpartition("=")[2].partition(":")
        tensor = torch.rand([int(size) for size in shape.split("x")])
        found.append(tensor.to(getattr(torch, dtype.partition(":")[0], None) or torch.float32))
    return tuple(found)


def step(network, inputs):
    """A step of training."""
    torch = sys.modules["torch"]
    torch.manual_seed(3)
    given = copied(inputs)
    if not any(each.requires_grad for each in network.parameters()):
        network.requires_grad_(True)
    with torch.enable_grad():
        outputs = network.train()(*given)
        loss = [tensor.float().sum() for tensor in tensors_in(outputs) if tensor.requires_grad]
        if loss:
            sum(loss).backward()
    return [digest(outputs), digest(given), digest(torch.get_rng_state()),
            [[name, digest(each.grad)] for name, each in network.named_parameters()], digest(network.state_dict())]


def copies(network, inputs):
    return [attempt(run, copy.deepcopy(network), inputs),
            attempt(lambda: run(pickle.loads(pickle.dumps(network)), inputs))]


def dtypes(network, inputs):
    torch = sys.modules["torch"]
    with torch.autocast("cpu", dtype=torch.bfloat16):
        mixed = attempt(run, copy.deepcopy(network), inputs)
    return [mixed, attempt(lambda: run(copy.deepcopy(network).double(), inputs, torch.float64)),
            attempt(lambda: run(copy.deepcopy(network).bfloat16(), inputs, torch.bfloat16))]


def again(network, inputs):
    """What it computes once its caller has written into what it returned."""
    torch = sys.modules["torch"]
    own = copy.deepcopy(network)
    with torch.no_grad():
        for tensor in tensors_in(own(*copied(inputs))):
            tensor.zero_()
    return run(own, inputs)


def modes(network):
    other = copy.deepcopy(network)
    old = {name for name, _ in network.named_modules() if name in noted_names()}
    return [[[name, each.training] for name, each in set_mode().named_modules() if name in old]
            for set_mode in (other.eval, other.train)]


def exported():
    """The network that is looked at: of several that an export makes, the one of the most modules, which is hardly a helper."""
    return max(networks, key=lambda each: sum(1 for _ in each[0].modules()))


def noted_names():
    """The modules of the network as it was before any edit: the first export writes them down."""
    place = os.path.join(FOLDER, "names.json")
    if not os.path.exists(place):
        with open(place, "w", encoding="utf-8") as file:
            json.dump([name for name, _ in exported()[0].named_modules()], file)
    return set(read(place))


def read(place):
    with open(place, encoding="utf-8") as file:
        return json.load(file)


def attempt(function, *arguments):
    try:
        return function(*arguments)
    except Exception:
        return None


def scripted(network):
    try:
        return sys.modules["torch"].jit.script(copy.deepcopy(network))
    except Exception:
        return None


def note_constructors(module_class):
    """Remembers what each network is made of: what its constructor is given."""
    def make(kind, *arguments, **options):
        module = super(module_class, kind).__new__(kind)
        with contextlib.suppress(Exception):
            made[module] = (arguments, options)
        return module

    if "__new__" not in vars(module_class):
        module_class.__new__ = staticmethod(make)


def another(value):
    """A switch turned over, or a number that is one larger; None for anything else."""
    if isinstance(value, bool):
        return not value
    return value + 1 if isinstance(value, int) else None


def fetches(parameters, values):
    """Whether a constructor would download what it is given, or what it takes by default."""
    defaults = {each.name: each.default for each in parameters if each.name not in values}
    return any(word in name and value for name, value in [*values.items(), *defaults.items()] for word in FETCHES)


def variations(network):
    """Other arguments of the network's constructor, by what is other: its defaults, a further layer, a switch."""
    kind = type(network)
    if kind.__module__.startswith("torch."):
        return {}
    parameters = [each for each in inspect.signature(kind).parameters.values()
                  if each.kind not in (each.VAR_POSITIONAL, each.VAR_KEYWORD)]
    given, options = made.get(network, ((), {}))
    known = dict(zip((each.name for each in parameters), given, strict=False)) | options
    found = {}
    if parameters and all(each.default is not each.empty for each in parameters):
        found["defaults"] = {}
    for each in parameters:
        value = another(known.get(each.name, each.default))
        if value is not None:
            found[f"{each.name}={value}"] = {**known, each.name: value}
    return {name: values for name, values in found.items() if not fetches(parameters, values)}


def configured(network, inputs, values):
    torch = sys.modules["torch"]
    torch.manual_seed(1)
    other = type(network)(**values)
    state = [state_of(other), digest(torch.get_rng_state()), digest(other.state_dict())]
    return [state, run(other.eval(), inputs), attempt(step, other, inputs)]


def configurations(network, inputs):
    """As many as the first export has time for, and the same ones in each further export."""
    found, begun, chosen = {}, time.monotonic(), attempt(read, CHOSEN)
    for name, values in variations(network).items():
        if name in chosen if chosen is not None else len(found) < VARIATIONS and time.monotonic() - begun < SECONDS / 4:
            found[name] = attempt(configured, network, inputs, values)
    if chosen is None:
        with open(CHOSEN, "w", encoding="utf-8") as file:
            json.dump(list(found), file)
    return found


def note():
    def out_of_time(*_):
        raise TimeoutError

    torch = sys.modules["torch"]
    chosen = exported()
    network, inputs, random_state = chosen[0], given_to(chosen), chosen[2]
    signal.signal(signal.SIGALRM, out_of_time)
    # Where other work slows a later export down, that is no difference.
    signal.alarm(4 * SECONDS if os.path.exists(CHOSEN) else SECONDS)
    facts = {"children": [[path, class_of(each)] for path, each in network.named_modules()], "state": state_of(network),
             "random": random_state, "modes": attempt(modes, network)}
    compiled = scripted(network)
    facts["scripted"] = compiled is not None
    evaluated = attempt(copy.deepcopy, network)
    if evaluated is not None:
        evaluated.eval()
        facts |= {"copies": attempt(copies, evaluated, inputs), "dtypes": attempt(dtypes, evaluated, inputs),
                  "again": attempt(again, evaluated, inputs),
                  "compiled": compiled and attempt(run, compiled.eval(), inputs),
                  "step": attempt(step, copy.deepcopy(network), inputs)}
    facts["configurations"] = configurations(network, inputs) if isinstance(network, torch.nn.Module) else {}
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
