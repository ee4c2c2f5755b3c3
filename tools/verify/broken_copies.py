"""Copies of a TorchScript or ONNX file, each with one fault at a known place.

Of many possible places for a fault, it takes the one nearest to the middle of the model where the fault shows in the
outputs: some models have layers that are not used, or hardly matter.
"""
import ast
import math

import numpy
import onnx
import onnxruntime
import torch
from onnx import TensorProto, helper, numpy_helper

SEEN = 2e-4  # of an output's largest value: twice what the default checker allows
PERTURBED = "a weight perturbed by 1e-2"
NAN = "NaN injected"
CHANGED = "an op changed"
SWAPPED, DROPPED, DTYPE = "outputs swapped", "an output dropped", "a dtype changed"


def as_tuple(result):
    if isinstance(result, torch.Tensor):
        return (result,)
    if isinstance(result, dict):
        return tuple(result.values())
    return tuple(result)


def leaves(result):
    """The tensors of a nested result as arrays."""
    if isinstance(result, torch.Tensor):
        return [result.detach().numpy()]
    if result is None:
        return []
    items = result.values() if isinstance(result, dict) else result
    return [leaf for item in items for leaf in leaves(item)]


def is_seen(expected, got):
    """Whether the results differ so much that a verification must fail."""
    for reference, candidate in zip(expected, got, strict=False):
        if not numpy.issubdtype(reference.dtype, numpy.floating):
            continue
        scale = numpy.abs(reference).max(initial=0)
        if not numpy.abs(candidate - reference).max(initial=0) <= SEEN * scale:
            return True
    return False


def from_the_middle(items):
    middle = len(items) // 2
    return sorted(items, key=lambda item: abs(items.index(item) - middle))


class Wrapper(torch.nn.Module):
    """Calls the model and changes what it returns: as a trace, so that any model can be called."""

    def __init__(self, model, change):
        super().__init__()
        self.model = model
        self.change = change

    def forward(self, *inputs):
        return self.change(self.model(*inputs))


OUTPUT_FAULTS = {
    SWAPPED: lambda result: tuple(reversed(as_tuple(result))),
    DROPPED: lambda result: as_tuple(result)[:-1],
    DTYPE: lambda result: (as_tuple(result)[0].double(), *as_tuple(result)[1:]),
}


class TorchScriptCopies:
    """Copies of a traced file. Culprits are module paths."""

    WEIGHTED = ("Conv1d", "Conv2d", "Conv3d", "ConvTranspose2d", "Linear")
    ACTIVATIONS = ("ReLU", "ReLU6", "SiLU", "GELU", "GELUActivation", "Hardswish", "Sigmoid", "Tanh")

    def __init__(self, reference, inputs, folder):
        self.reference, self.inputs, self.folder = reference, inputs, folder
        self.expected = leaves(self.run(self.load()))

    def load(self):
        return torch.jit.load(str(self.reference))

    def run(self, model):
        with torch.no_grad():
            return model(*[x.clone() if isinstance(x, torch.Tensor) else x for x in self.inputs])

    def save(self, model, label):
        file = self.folder / (label.replace(" ", "_") + ".pt")
        model.save(str(file))
        return file

    def paths(self, classes):
        return [path for path, module in self.load().named_modules()
                if module.original_name in classes and not list(module.children()) and hasattr(module, "forward")]

    def first_seen(self, label, paths, break_module):
        for path in from_the_middle(paths):
            model = self.load()
            if break_module(dict(model.named_modules())[path]) and is_seen(self.expected, leaves(self.run(model))):
                yield label, {path}, self.save(model, label)
                return

    def copies(self):
        result = as_tuple(self.run(self.load()))
        flat = all(isinstance(item, torch.Tensor) for item in result)
        for label, change in OUTPUT_FAULTS.items():
            if not flat or (label != DTYPE and len(result) < 2):
                continue
            traced = torch.jit.trace(Wrapper(self.load(), change).eval(), tuple(self.inputs), check_trace=False, strict=False)
            yield label, None, self.save(traced, label)
        yield from self.first_seen(PERTURBED, self.paths(self.WEIGHTED), lambda module: scale_weight(module, 1.01))
        yield from self.first_seen(NAN, self.paths(self.WEIGHTED), lambda module: scale_weight(module, float("nan")))
        yield from self.first_seen(CHANGED, self.paths(self.ACTIVATIONS), change_activation)


def scale_weight(module, factor):
    """Scales the weight, or only one of its elements if the factor is NaN."""
    weight = dict(module.named_parameters()).get("weight")
    if weight is None:
        return False
    with torch.no_grad():
        (weight.view(-1)[:1] if math.isnan(factor) else weight).mul_(factor)
    return True


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


class OnnxCopies:
    """Copies of an exported file. Culprits are the module paths that the exporter wrote, and the nodes themselves."""

    ACTIVATIONS = ("Relu", "Sigmoid", "Tanh", "HardSwish", "HardSigmoid", "Gelu", "Erf", "Clip", "Elu", "LeakyRelu")

    def __init__(self, file, inputs, folder):
        self.file, self.folder = file, folder
        # An exporter drops inputs that nothing uses, and gives some other names.
        ports = onnxruntime.InferenceSession(str(file)).get_inputs()
        self.feeds = {port.name: array for port, array in zip(ports, inputs, strict=False)}
        self.expected = self.run(self.load())

    def load(self):
        return onnx.load(str(self.file))

    def run(self, model):
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads, options.log_severity_level = 1, 4
        return onnxruntime.InferenceSession(model.SerializeToString(), options).run(None, self.feeds)

    def save(self, model, label):
        file = self.folder / (label.replace(" ", "_") + ".onnx")
        onnx.save(model, str(file))
        return file

    def first_seen(self, label, places, break_at):
        """`break_at(model, place)` returns the culprits, or None where the place is unsuitable."""
        for place in from_the_middle(places):
            model = self.load()
            culprits = break_at(model, place)
            if culprits is not None and is_seen(self.expected, self.run(model)):
                yield label, culprits, self.save(model, label)
                return

    def copies(self):
        model = self.load()
        outputs = model.graph.output
        if len(outputs) > 1:
            swapped = list(reversed(outputs))
            del outputs[:]
            outputs.extend(swapped)
            yield SWAPPED, None, self.save(model, SWAPPED)
            model = self.load()
            del model.graph.output[-1]
            yield DROPPED, None, self.save(model, DROPPED)
        yield DTYPE, None, self.save(with_wide_output(self.load()), DTYPE)
        nodes = self.load().graph.node
        weighted = [i for i, node in enumerate(nodes) if node.op_type in ("Conv", "MatMul", "Gemm")]
        yield from self.first_seen(PERTURBED, weighted, lambda model, i: scale_initializer(model, i, 1.01))
        yield from self.first_seen(NAN, weighted, lambda model, i: scale_initializer(model, i, float("nan")))
        active = [i for i, node in enumerate(nodes) if node.op_type in self.ACTIVATIONS]
        yield from self.first_seen(CHANGED, active, change_node)


def with_wide_output(model):
    output = model.graph.output[0]
    name, output.name = output.name, output.name + "_wide"
    output.type.tensor_type.elem_type = TensorProto.DOUBLE
    model.graph.node.append(helper.make_node("Cast", [name], [output.name], to=TensorProto.DOUBLE))
    return model


def scopes(node):
    """The module paths that an ONNX node was made from, only the innermost."""
    entries = {entry.key: entry.value for entry in node.metadata_props}
    names = [name for name in ast.literal_eval(entries.get("pkg.torch.onnx.name_scopes", "['']"))[:-1] if name]
    return {names[-1] if names else ""}


def scale_initializer(model, position, factor):
    node = model.graph.node[position]
    for initializer in model.graph.initializer:
        if initializer.name in node.input and len(initializer.dims) >= 2:
            values = numpy_helper.to_array(initializer).copy()
            if not numpy.issubdtype(values.dtype, numpy.floating):
                continue
            if math.isnan(factor):
                values.reshape(-1)[0] = factor
            else:
                values *= numpy.asarray(factor, values.dtype)
            initializer.CopyFrom(numpy_helper.from_array(values, initializer.name))
            # Folded into a convolution, a normalisation gives the node its own scope.
            owner = initializer.name.rsplit(".", 1)[0] if initializer.name.endswith(".weight") else None
            readers = {reader.name for reader in model.graph.node if initializer.name in reader.input}
            return scopes(node) | ({owner} if owner else set()) | readers
    return None


def change_node(model, position):
    node = model.graph.node[position]
    culprits = scopes(node) | {node.name}
    replacement = helper.make_node("Cos", [node.input[0]], [node.output[0]], name=node.name)
    model.graph.node.remove(node)
    model.graph.node.insert(position, replacement)
    return culprits
