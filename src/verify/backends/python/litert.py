import copy

import numpy as np

# Operators that read and give values whose channels are last.
LAYERS = {"CONV_2D", "DEPTHWISE_CONV_2D", "TRANSPOSE_CONV", "AVERAGE_POOL_2D", "MAX_POOL_2D", "RESIZE_BILINEAR", "RESIZE_NEAREST_NEIGHBOR"}
# Operators whose result has dimensions of its own.
MOVING = {"TRANSPOSE", "RESHAPE", "EXPAND_DIMS", "SQUEEZE", "FULLY_CONNECTED", "BATCH_MATMUL", "GATHER", "PACK"}


def steps_of(tensor):
    """Scale and zero point, where the tensor stores whole numbers of one scale."""
    steps = tensor["quantization_parameters"]
    is_stepped = len(steps["scales"]) == 1 and np.issubdtype(tensor["dtype"], np.integer)
    return (np.float32(steps["scales"][0]), np.float32(steps["zero_points"][0])) if is_stepped else None


def as_stored(array, tensor):
    if (steps := steps_of(tensor)) is None or array.dtype.kind != "f":
        return array.astype(tensor["dtype"])
    limits = np.iinfo(tensor["dtype"])
    return np.clip(np.round(array / steps[0]) + steps[1], limits.min, limits.max).astype(tensor["dtype"])


def in_floats(array, tensor):
    steps = steps_of(tensor)
    return array if steps is None else (array.astype(np.float32) - steps[1]) * steps[0]


def word_of(code, builtin):
    """The name of an operator, of its own or by its number."""
    return (code.customCode or b"").decode() or builtin[max(code.builtinCode, code.deprecatedBuiltinCode)]


class LiteRt:
    """With all that users have by default or, where intermediates are shown, without delegates, which hide them."""

    def __init__(self, asked):
        from ai_edge_litert import interpreter

        self.package, self.asked, self.shows = interpreter, asked, asked["shows"]
        self.model = self.opened(model_path=asked["file"])

    def opened(self, **content):
        kinds = self.package.OpResolverType
        return self.package.Interpreter(
            num_threads=self.asked["threads"] or None,
            experimental_op_resolver_type=kinds.AUTO if self.asked["optimise"] else kinds.BUILTIN_WITHOUT_DEFAULT_DELEGATES,
            experimental_preserve_all_tensors=self.shows,
            **content,
        )

    def call(self, model, arrays, names):
        """arrays: by the numbers of inputs"""
        given = {value: as_stored(array, model._get_tensor_details(value, self.asked["graph"])) for value, array in arrays.items()}
        if not self.asked["keep_state"]:
            model.reset_all_variables()
        if self.asked["entry"]:
            model.get_signature_runner(self.asked["entry"])(**{names[value]: array for value, array in given.items()})
            return
        for value, array in given.items():
            model.resize_tensor_input(value, array.shape)
        model.allocate_tensors()
        for value, array in given.items():
            model.set_tensor(value, array)
        model.invoke()

    def taken(self, model, value):
        return in_floats(model.get_tensor(value, self.asked["graph"]), model._get_tensor_details(value, self.asked["graph"]))

    def run(self, arrays):
        values = [value for _, value in self.asked["inputs"]]
        self.call(self.model, dict(zip(values, arrays, strict=True)), {value: name for name, value in self.asked["inputs"]})
        return [self.taken(self.model, value) for _, value in self.asked["outputs"]]

    def stored(self):
        from ai_edge_litert import schema_py_generated as schema

        with open(self.asked["file"], "rb") as file:
            content = file.read()
        model = schema.ModelT.InitFromObj(schema.Model.GetRootAs(content))
        for buffer in model.buffers:
            if buffer.offset > 1:  # it lies behind the model
                buffer.data = np.frombuffer(content, np.uint8, buffer.size, buffer.offset)
                buffer.offset = buffer.size = 0
        return schema, model, model.subgraphs[self.asked["graph"]]

    def has_channels_last(self, word, read):
        return word in LAYERS or (word not in MOVING and any(value in self.channels_last for value in read))

    def named(self, value, tensor):
        """Keeps the value under a name that no other has."""
        name = (tensor.name or b"").decode(errors="replace")
        name = name if name and name not in self.values else f"{name}#{value}"
        self.values[name] = value
        return name

    def nodes(self):
        """What each operator gives, in the order in which they run."""
        schema, model, graph = self.stored()
        builtin = {number: name for name, number in vars(schema.BuiltinOperator).items()}
        inputs, nodes, self.values, self.channels_last, made = {int(value) for value in graph.inputs}, [], {}, set(), {}
        for op in graph.operators:
            word = word_of(model.operatorCodes[op.opcodeIndex], builtin)
            read = [int(value) for value in op.inputs if value >= 0]
            is_last = self.has_channels_last(word, read)
            for value in map(int, op.outputs):
                made[value] = self.named(value, graph.tensors[value])
                if is_last and len(graph.tensors[value].shape) == 4:
                    self.channels_last.add(value)
                nodes.append([made[value], word, [made[each] for each in read if each in made], not inputs.isdisjoint(read), made[value]])
        return nodes

    def with_inputs_for(self, values):
        """A copy of the model that is given these values, and does not compute them. @returns the number of each, too"""
        import flatbuffers

        schema, model, graph = self.stored()
        moved = {}
        for value in values:
            moved[value] = len(graph.tensors)
            tensor = copy.copy(graph.tensors[value])
            tensor.buffer, tensor.name = 0, f"given_{value}".encode()
            graph.tensors.append(tensor)
        for owner, field in [*((op, "inputs") for op in graph.operators), (graph, "outputs")]:
            setattr(owner, field, [moved.get(int(value), int(value)) for value in getattr(owner, field)])
        graph.inputs = [*map(int, graph.inputs), *moved.values()]
        for signature in model.signatureDefs or []:
            if signature.subgraphIndex == self.asked["graph"]:
                for port in signature.outputs:
                    port.tensorIndex = moved.get(port.tensorIndex, port.tensorIndex)
                for value in moved.values():
                    port = schema.TensorMapT()
                    port.name, port.tensorIndex = f"given_{value}", value
                    signature.inputs.append(port)
        builder = flatbuffers.Builder()
        builder.Finish(model.Pack(builder), b"TFL3")
        return bytes(builder.Output()), moved

    def show(self, arrays, replaced, shown, _own):
        """What is asked for, as the model computes it, and the outputs. Values of layers have their channels where PyTorch has them."""
        given = dict(zip((value for _, value in self.asked["inputs"]), arrays, strict=True))
        names, model, moved = {value: name for name, value in self.asked["inputs"]}, self.model, {}
        if replaced:
            content, moved = self.with_inputs_for([self.values[name] for name in replaced])
            model = self.opened(model_content=content)
            for name, array in replaced.items():
                value = self.values[name]
                given[moved[value]] = np.moveaxis(array, 1, -1) if value in self.channels_last else array
                names[moved[value]] = f"given_{moved[value]}"
        self.call(model, given, names)
        results = []
        for value in (self.values[name] for name in shown):
            array = self.taken(model, value)
            results.append(np.moveaxis(array, -1, 1) if value in self.channels_last and array.ndim == 4 else array)
        return results + [self.taken(model, moved.get(value, value)) for _, value in self.asked["outputs"]]
