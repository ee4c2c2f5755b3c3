"""Writes files that nobody should trust: ONNX, torch.export programs, TorchScript, pickles and arrays, byte by byte."""

import json
import struct
import zipfile
import zlib

NASTY = "a\nINJECTED\r\n::error file=x::y\x1b[31mred\x1b]0;title\x07\x9b\u202e\u2066\u2028\ufeff\ufffe\uffff##[warning]b"


# Protobuf
def varint(number):
    out = b""
    while number >= 128:
        out += bytes([number & 127 | 128])
        number >>= 7
    return out + bytes([number])


def integer(key, value):
    return varint(key << 3) + varint(value)


def field(key, value):
    value = value.encode() if isinstance(value, str) else value
    return varint(key << 3 | 2) + varint(len(value)) + value


def joined(key, values):
    return b"".join(field(key, value) for value in values)


def attribute(name, **values):
    """An attribute of a node: text, graph, reference or integers."""
    kinds = {"text": (4, 3), "graph": (6, 5), "reference": (21, 3)}
    if "integers" in values:
        return field(1, name) + b"".join(integer(8, value) for value in values["integers"]) + integer(20, 7)
    (kind, value), = values.items()
    key, type_number = kinds[kind]
    return field(1, name) + field(key, value) + integer(20, type_number)


def node(op, inputs, outputs, name="", domain="", meta=(), attributes=()):
    return (joined(1, inputs) + joined(2, outputs) + field(3, name) + field(4, op) + joined(5, attributes) + field(7, domain)
            + joined(9, (field(1, key) + field(2, value) for key, value in dict(meta).items())))


def value_info(name, dims=(1, 4)):
    shape = joined(1, (integer(1, size) for size in dims))
    return field(1, name) + field(2, field(1, integer(1, 1) + field(2, shape)))


def function(name, nodes, inputs=("a",), outputs=("b",), domain="f", extra=b""):
    opsets = joined(9, [field(1, domain) + integer(2, 1), field(1, "") + integer(2, 17)])
    return field(1, name) + joined(4, inputs) + joined(5, outputs) + joined(7, nodes) + opsets + field(10, domain) + extra


def graph(nodes, inputs=("x",), outputs=("y",), initializers=b"", name="g"):
    return (joined(1, nodes) + field(2, name) + initializers + joined(11, map(value_info, inputs))
            + joined(12, map(value_info, outputs)))


def onnx(nodes, functions=(), **rest):
    opsets = joined(8, [field(1, "") + integer(2, 17), field(1, "f") + integer(2, 1)])
    return integer(1, 10) + field(7, graph(nodes, **rest)) + opsets + joined(25, functions)


def external(location, name="w", length=16):
    entries = {"location": location, "offset": "0", "length": str(length)}
    return field(5, integer(1, 4) + integer(2, 1) + field(8, name)
                 + joined(13, (field(1, key) + field(2, value) for key, value in entries.items())) + integer(14, 1))


# Zips and pickles
def archive(path, members, compression=zipfile.ZIP_DEFLATED):
    with zipfile.ZipFile(path, "w", compression) as zipped:
        for name, data in members.items():
            zipped.writestr(name, data)


def packed(path, members, name, start, zeros):
    """The same, and an entry of very many zeros, of which a megabyte is packed and taken again and again."""
    archive(path, members)
    packer, megabyte = zlib.compressobj(wbits=-zlib.MAX_WBITS), bytes(1 << 20)
    data = packer.compress(start) + packer.flush(zlib.Z_FULL_FLUSH)
    data += (packer.compress(megabyte) + packer.flush(zlib.Z_FULL_FLUSH)) * (zeros >> 20) + packer.flush()
    entry = zipfile.ZipInfo(name)
    with zipfile.ZipFile(path, "a") as zipped:
        with zipped.open(entry, "w", force_zip64=True) as out:
            out.write(data)
        # What was stored is what packing gives: both headers say so.
        entry.compress_type, entry.file_size, entry.CRC = zipfile.ZIP_DEFLATED, len(start) + zeros, zlib.crc32(start)
        for _ in range(zeros >> 20):
            entry.CRC = zlib.crc32(megabyte, entry.CRC)
        zipped.fp.seek(entry.header_offset)
        zipped.fp.write(entry.FileHeader(zip64=True))


def text(value):
    return b"X" + struct.pack("<I", len(value.encode())) + value.encode()


def number(value):
    return b"K" + bytes([value]) if 0 <= value < 256 else b"J" + struct.pack("<i", value)


def pickled(instructions):
    return b"\x80\x02" + instructions + b"."


def tensor(sizes, strides, elements=16, key="0"):
    storage = b"(" + text("storage") + b"ctorch\nFloatStorage\n" + text(key) + text("cpu") + number(elements) + b"tQ"
    def shape(values):
        return b"(" + b"".join(map(number, values)) + b"t"
    return (b"ctorch._utils\n_rebuild_tensor_v2\n(" + storage + number(0) + shape(sizes) + shape(strides)
            + b"\x89ccollections\nOrderedDict\n)RtR")


def saved(path, instructions, records=(), compression=zipfile.ZIP_STORED):
    """What torch.save writes."""
    archive(path, {"a/data.pkl": pickled(instructions), "a/version": "3\n", "a/byteorder": "little", **dict(records)}, compression)


def torchscript(path, result="torch.relu(x)"):
    """A model of one line, and nothing wrong with it."""
    code = ("class M(Module):\n  __parameters__ = []\n  __buffers__ = []\n  training : bool\n"
            "  def forward(self: __torch__.M,\n    x: Tensor) -> Tensor:\n    return " + result + "\n")
    module = pickled(b"c__torch__\nM\n)\x81}(" + text("training") + b"\x89ub")
    archive(path, {"m/version": "3\n", "m/data.pkl": module, "m/code/__torch__.py": code, "m/constants.pkl": pickled(b")")})


def npy(header, data=b"", version=1):
    size = struct.pack("<H" if version == 1 else "<I", len(header))
    return b"\x93NUMPY" + bytes([version, 0]) + size + header.encode("latin1") + data


def npy_header(descr="<f4", shape="1, 4", fortran="False"):
    return f"{{'descr': '{descr}', 'fortran_order': {fortran}, 'shape': ({shape},), }}\n"


# torch.export
def tensor_argument(name):
    return {"as_tensor": {"name": name}}


def call(op, inputs, outputs, metadata=(), extra=()):
    arguments = [{"name": "a", "arg": tensor_argument(name), "kind": 1} for name in inputs]
    return {"target": op, "inputs": arguments + list(extra), "outputs": [tensor_argument(name) for name in outputs],
            "metadata": dict(metadata), "is_hop_single_tensor_return": None}


def exported_graph(nodes, values, inputs=("x",), outputs=("y",)):
    meta = {"dtype": 7, "sizes": [{"as_int": 4}], "requires_grad": False, "device": {"type": "cpu", "index": None},
            "strides": [{"as_int": 1}], "storage_offset": {"as_int": 0}, "layout": 7}
    return {"inputs": list(map(tensor_argument, inputs)), "outputs": list(map(tensor_argument, outputs)), "nodes": nodes,
            "tensor_values": dict.fromkeys(values, meta), "is_single_tensor_return": False,
            **{key: {} for key in ("sym_int_values", "sym_bool_values", "custom_obj_values", "sym_float_values")}}


def exported(path, graph, module_calls=(), text=None):
    signature = {"input_specs": [{"user_input": {"arg": argument}} for argument in graph["inputs"]],
                 "output_specs": [{"user_output": {"arg": argument}} for argument in graph["outputs"]]}
    program = {"graph_module": {"graph": graph, "signature": signature, "module_call_graph": list(module_calls), "metadata": {},
                                "treespec_namedtuple_fields": {}},
               "opset_version": {"aten": 10}, "range_constraints": {}, "schema_version": {"major": 8, "minor": 8},
               "verifiers": ["TRAINING"], "torch_version": "2.9.0"}
    archive(path, {"m/archive_format": "pt2", "m/archive_version": "0", "m/byteorder": "little",
                   "m/models/model.json": text or json.dumps(program)})
