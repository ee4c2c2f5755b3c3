"""Copies of a TorchScript file, each with one fault of which is known where it sits."""
import torch


class Wrapper(torch.nn.Module):
    """Calls the model and changes what it returns: as a trace, so that any model can be called."""

    def __init__(self, model, change):
        super().__init__()
        self.model = model
        self.change = change

    def forward(self, *inputs):
        return self.change(self.model(*inputs))


def as_tuple(result):
    if isinstance(result, torch.Tensor):
        return (result,)
    if isinstance(result, dict):
        return tuple(result.values())
    return tuple(result)


OUTPUT_FAULTS = {
    "outputs swapped": lambda result: tuple(reversed(as_tuple(result))),
    "an output dropped": lambda result: as_tuple(result)[:-1],
    "a dtype changed": lambda result: (as_tuple(result)[0].double(),) + as_tuple(result)[1:],
}


def middle_of(modules):
    return modules[len(modules) // 2] if modules else None


def weighted(model):
    """Leaf modules with a floating-point weight that are called."""
    return [(path, module) for path, module in model.named_modules()
            if path and not list(module.children()) and "weight" in dict(module.named_parameters())
            and module.original_name in ("Conv1d", "Conv2d", "Conv3d", "Linear")]


def activations(model):
    return [(path, module) for path, module in model.named_modules()
            if module.original_name in ("ReLU", "ReLU6", "SiLU", "GELU", "Hardswish", "Sigmoid", "Tanh")
            and not list(module.children()) and hasattr(module, "forward")]


def change_activation(module):
    """Replaces the module's operator by a cosine."""
    graph = module.forward.graph
    for node in graph.nodes():
        if node.kind().startswith("aten::"):
            cosine = graph.create("aten::cos", [next(iter(node.inputs()))], 1)
            cosine.insertBefore(node)
            node.output().replaceAllUsesWith(cosine.output())
            node.destroy()
            return True
    return False


def broken_copies(reference, folder):
    """Yields label, path of the module at fault (None for faults of no op) and file."""
    def load():
        return torch.jit.load(str(reference))

    def save(model, label):
        file = folder / (label.replace(" ", "_") + ".pt")
        model.save(str(file))
        return file

    inputs = torch.load(str(reference).replace(".traced.pt", ".inputs.pt"), weights_only=False)
    count = len(as_tuple(load()(*inputs)))
    for label, change in OUTPUT_FAULTS.items():
        if label == "outputs swapped" and count < 2:
            continue
        if label == "an output dropped" and count < 2:
            continue
        traced = torch.jit.trace(Wrapper(load(), change), tuple(inputs), check_trace=False, strict=False)
        yield label, None, save(traced, label)
    for label, value in (("a weight perturbed by 1e-2", 1e-2), ("NaN injected", float("nan"))):
        model = load()
        if (found := middle_of(weighted(model))) is not None:
            path, module = found
            with torch.no_grad():
                weight = module.weight
                if value == value:
                    weight.mul_(1 + value)
                else:
                    weight.view(-1)[0] = value
            yield label, path, save(model, label)
    model = load()
    if (found := middle_of(activations(model))) is not None and change_activation(found[1]):
        yield "an op changed", found[0], save(model, "an op changed")
