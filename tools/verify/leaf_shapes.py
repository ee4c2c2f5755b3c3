"""Records the outputs of the leaf modules of an eager model in a real run, for measure_shapes.py to compare with.

    from leaf_shapes import record
    json.dump(record(model, inputs), open("NAME.leaf_shapes.json", "w"))
"""
import torch


def tensors_in(value):
    """Tensors in tuples, lists and dicts, in order."""
    if isinstance(value, torch.Tensor):
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from tensors_in(item)
    elif isinstance(value, (tuple, list)):
        for item in value:
            yield from tensors_in(item)


def describe(value):
    return [[list(tensor.shape), str(tensor.dtype).replace("torch.", "")] for tensor in tensors_in(value)]


def record(model, inputs):
    """Runs the model under forward hooks: [module path, shapes and dtypes of what it yields], call by call."""
    calls, handles = [], []
    for path, module in model.named_modules():
        leaf = not any(True for _ in module.children())
        if leaf and type(module).__module__.startswith("torch.nn."):
            handles.append(module.register_forward_hook(
                lambda _module, _inputs, result, path=path: calls.append([path, describe(result)])))
    with torch.no_grad():
        model.eval()(*inputs)
    for handle in handles:
        handle.remove()
    return calls
