"""The graph of a language model of any size, as `graph` would print it."""

BLOCK = ("layer_norm", "linear", "linear", "linear", "view", "transpose", "matmul", "mul", "softmax", "matmul", "transpose", "linear", "add",
         "layer_norm", "linear", "gelu", "linear", "add")
PARTS = ("norm1", "attention", "attention", "attention", "attention", "attention", "attention", "attention", "attention", "attention",
         "attention", "attention", "", "norm2", "mlp", "mlp", "mlp", "")


def language_model(ops, *, flat=False):
    """About that many ops in layers of attention; flat: without modules."""
    nodes, products, modules = [], [], {}

    def add(kind, parent, inputs):
        name = f"{kind}_{len(nodes)}"
        nodes.append({"name": name, "type": kind, "kind": "functional", "module": None, "module_class": None,
                      "parent": None if flat else parent, "parent_class": None, "schema": f"aten::{kind}", "region": [],
                      "source": {"file": "model.py", "line": 10 + len(nodes) % 90, "column": 8}})
        for number, each in enumerate(inputs):
            products.append({"name": f"{each}_out", "from": each, "output": 0, "to": name, "input": number, "shape": [1, 128, 768],
                             "dtype": "float32"})
        if parent and not flat:
            modules.setdefault(parent, len(modules))
        return name

    value = add("embedding", "embed", [])
    layer = 0
    while len(nodes) < ops - 2:
        kept, branch = value, value
        for kind, part in zip(BLOCK, PARTS, strict=True):
            path = f"model.layers.{layer}" + (f".{part}" if part else "")
            inputs = [branch, kept] if kind == "add" else [branch]
            branch = add(kind, path, inputs)
            if kind == "add":
                kept = branch
        value = branch
        layer += 1
    value = add("linear", "head", [value])
    nodes.append({**nodes[-1], "name": "output_0", "type": "output", "kind": "output", "parent": None, "schema": None})
    products.append({"name": "logits", "from": value, "output": 0, "to": "output_0", "input": 0, "shape": [1, 128, 50000], "dtype": "float32"})
    return {"schema": "model_validator-graph/1", "path": "large.onnx", "format": "onnx", "ops": nodes, "products": products, "inputs": [],
            "outputs": [], "modules": [{"path": path, "aliases": [], "class": "Block", "leaf": False, "calls": 1} for path in modules]}
