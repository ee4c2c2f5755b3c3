import sys

import numpy as np

# PyTorch's words for OpenVINO's types.
WORDS = {"boolean": "bool", "bf16": "bfloat16", "f16": "float16", "f32": "float32", "f64": "float64"}
WORDS |= {f"{letter}{bits}": f"{word}{bits}" for letter, word in (("i", "int"), ("u", "uint")) for bits in (8, 16, 32, 64)}
# Operations that compute nothing.
STILL = {"Constant", "Parameter", "Result"}


def word_of(kind):
    if (name := kind.get_type_name()) not in WORDS:
        raise TypeError(f"PyTorch has no tensors of OpenVINO's type {name}")
    return WORDS[name]


def flat_graph(flat):
    """The graph of a file that `write_flat_module` wrote, and the paths of modules by the values that their nodes give."""
    import torch

    if "torchvision::" in flat.text:
        import torchvision  # noqa: F401  # which brings its operators
    graph = torch._C.parse_ir(flat.text)
    paths = {value.unique(): path for node, path in zip(graph.nodes(), flat.paths, strict=True) for value in node.outputs()}
    inputs = list(graph.inputs())
    first = len(inputs) - len(flat.constants)
    for node in list(graph.nodes())[:1]:
        graph.setInsertPoint(node)
    for value, constant in zip(inputs[first:], flat.constants, strict=True):
        value.replaceAllUsesWith(graph.insertConstant(constant))
    for number in reversed(range(first, len(inputs))):
        graph.eraseInput(number)
    return graph, paths


def converted(file):
    """A flat module, by OpenVINO's front end for TorchScript. @returns what must stay as long as the model, too"""
    import torch
    from openvino import PartialShape
    from openvino.frontend import FrontEndManager
    from openvino.frontend.pytorch.ts_decoder import TorchScriptPythonDecoder

    flat = torch.jit.load(file)
    graph, paths = flat_graph(flat)

    class FlatDecoder(TorchScriptPythonDecoder):
        """Knows the sizes of a run, and names layers by the paths of their modules."""

        def get_shape_for_value(self, value):
            sizes = value.type().sizes() if isinstance(value.type(), torch.TensorType) else None
            return PartialShape.dynamic() if sizes is None or None in sizes else PartialShape(sizes)

        def visit_subgraph(self, node_visitor):
            for node in self.graph_element.nodes():
                self.m_decoders.append(FlatDecoder(self.pt_module, node, alias_db=self.alias_db))
                node_visitor(self.m_decoders[-1])

        def mark_node(self, node):
            path = next((paths[value.unique()] for value in self.raw_outputs if value.unique() in paths), "")
            node.set_friendly_name(f"{path}/{self.get_op_type()}")
            return node

    front_end = FrontEndManager().load_by_framework("pytorch")
    decoder = FlatDecoder(flat, graph, alias_db=graph.alias_db())
    return front_end.convert(front_end.load(decoder)), (flat, graph, decoder)


def results_of(model):
    """What a model's operations compute, in order."""
    return [output for node in model.get_ordered_ops() if node.get_type_name() not in STILL for output in node.outputs()]


def key_of(output):
    return output.get_node().get_name(), output.get_index()


def names_of(port):
    return [port.get_node().get_friendly_name(), *sorted(port.get_names())]


class OpenVino:
    """Computes in float32 where the model says float32. Each call starts from the state in the file."""

    def __init__(self, asked):
        # Else it is told of each model that is read, by a copy of this process that keeps its pipes open.
        sys.modules["openvino_telemetry"] = None
        import openvino

        self.package, self.asked, self.shows, self.core = openvino, asked, asked["shows"], openvino.Core()
        self.given, self.is_flat, self.said = dict(asked["given"]), asked["is_flat"], {}
        try:
            self.model, self.kept = converted(asked["file"]) if self.is_flat else (self.core.read_model(asked["file"]), None)
            self.compiled = None if self.shows else self.compile(self.model)
        except Exception as refusal:
            if self.is_flat or isinstance(refusal, ImportError):
                raise
            self.take_sizes(self.given, refusal)
        self.said["inputs"] = [self.declared(port) for port in self.model.inputs]
        self.said["outputs"] = ["" if self.is_flat else min(port.get_names(), default="") for port in self.model.outputs]

    def compile(self, model):
        device = self.asked["device"] or "CPU"
        threads = {"INFERENCE_NUM_THREADS": self.asked["threads"]} if self.asked["threads"] and device == "CPU" else {}
        return self.core.compile_model(model, device, {"INFERENCE_PRECISION_HINT": "f32", **threads})

    def declared(self, port):
        names, kind, shape = names_of(port), port.get_element_type(), port.get_partial_shape()
        if self.is_flat:  # its inputs are numbered
            numbers = (int(name.removeprefix("input_")) for name in names if name.startswith("input_"))
            names = [list(self.given)[number] for number in numbers]
        sizes = [size.get_length() if size.is_static else -1 for size in shape] if shape.rank.is_static else []
        return [names[0], "" if kind.is_dynamic() else word_of(kind), sizes, names[1:]]

    def take_sizes(self, sizes, refusal):
        """Reads and compiles the file for these sizes alone, as it was refused with those that it leaves open."""
        try:
            model = self.read_with(sizes)
            left = dict(sizes)
            chosen = [next((left.pop(name) for name in names_of(port) if name in left), None) for port in model.inputs]
            others = iter(left.values())
            shapes = [self.package.PartialShape(next(others) if size is None else size) for size in chosen]
            model.reshape(dict(zip(range(len(shapes)), shapes, strict=True)))
            self.compiled = None if self.shows else self.compile(model)
        except Exception:
            raise refusal from None
        self.model = model
        self.said = {"refusal": str(refusal), "sizes": ", ".join(f"{name} {size}" for name, size in sizes.items())}

    def read_with(self, sizes):
        """The front end converts an operator only where it knows the rank of what the operator is given."""
        if self.asked["file"].endswith(".xml"):
            return self.core.read_model(self.asked["file"])
        front_end = self.package.frontend.FrontEndManager().load_by_framework("onnx")
        source = front_end.load(self.asked["file"])
        for name, size in sizes.items():
            if (place := source.get_place_by_tensor_name(name)) is not None and place.is_input():
                source.set_partial_shape(place, self.package.PartialShape(size))
        return front_end.convert(source)

    def kind_of(self, array, value):
        """bfloat16, which NumPy does not have, comes as its bits."""
        kind = value.get_element_type()
        return kind if kind.get_type_name() == "bf16" and array.dtype == np.uint16 else self.package.Type(array.dtype)

    def infer(self, compiled, arrays):
        request = compiled.create_infer_request()
        for number, (array, port) in enumerate(zip(arrays, compiled.inputs, strict=True)):
            request.set_input_tensor(number, self.package.Tensor(array, self.package.Shape(array.shape), self.kind_of(array, port)))
        request.infer()
        results = [request.get_output_tensor(number) for number in range(len(compiled.outputs))]
        words = [word_of(result.element_type) for result in results]
        return [result.data.view(np.uint16) if word == "bfloat16" else result.data for result, word in zip(results, words, strict=True)], words

    def run(self, arrays):
        self.said = {}
        try:
            results, words = self.infer(self.compiled, arrays)
        except Exception as failure:
            if self.is_flat or not self.model.is_dynamic():
                raise
            sizes = {names_of(port)[0]: list(array.shape) for port, array in zip(self.model.inputs, arrays, strict=True)}
            self.take_sizes(sizes, failure)
            results, words = self.infer(self.compiled, arrays)
        self.said["dtypes"] = words
        return results

    def named(self, number, output):
        """Of the names that the file gives: of tensors, which readers of ONNX keep, or else of layers."""
        layer = output.get_node().get_friendly_name()
        numbered = f"result_{number}"
        if self.is_flat:
            return numbered
        is_of_torch = "aten::" in layer  # there tensors have numbers, and layers the paths of their modules
        if output.get_names() and not is_of_torch:
            name = min(output.get_names())
        else:
            name = layer if output.get_node().get_output_size() == 1 else numbered
        return numbered if name in self.numbers else name

    def nodes(self):
        """What each operation gives, in the order in which they run."""
        self.numbers, made, nodes = {}, {}, []
        for number, output in enumerate(results_of(self.model)):
            node, name = output.get_node(), self.named(number, output)
            self.numbers[name], made[key_of(output)] = number, name
            word, layer = node.get_type_name(), node.get_friendly_name()
            read = [made[key] for key in map(key_of, node.input_values()) if key in made]
            nodes.append([name, f"{word} {layer}" if self.is_flat else word, read, False, "" if self.is_flat else layer])
        return nodes

    def given_in_place_of(self, output, array):
        try:
            from openvino import op
        except ImportError:
            from openvino.runtime import op  # until 2025

        parameter = op.Parameter(self.kind_of(array, output), self.package.PartialShape(array.shape))
        for reader in output.get_target_inputs():
            reader.replace_source_output(parameter.output(0))
        return parameter

    def add_outputs(self, model, values, shown):
        return [model.add_outputs(values[self.numbers[name]])[0].get_node().get_name() for name in shown]

    def show(self, arrays, replaced, shown, own):
        """What is asked for, and the outputs, of a copy of the model that gives both. `own`: of what is replaced, what the model computes."""
        model, count = self.model.clone(), len(self.model.outputs)
        values = results_of(model)
        # An output that is there reads what is given in place of its value.
        added = [] if own else self.add_outputs(model, values, shown)
        model.add_parameters([self.given_in_place_of(values[self.numbers[name]], array) for name, array in replaced.items()])
        if own:
            added = self.add_outputs(model, values, shown)
        results, words = self.infer(self.compile(model), [*arrays, *replaced.values()])
        places = {port.get_node().get_name(): place for place, port in enumerate(model.outputs)}
        order = [*(places[name] for name in added), *range(count)]
        self.said = {"dtypes": [words[place] for place in order]}
        return [results[place] for place in order]
