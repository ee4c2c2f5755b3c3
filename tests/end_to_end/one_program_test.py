"""The program that is judged is the program that runs: files that say one thing to one reader and another to the next.

Environment: PROGRAM (a file).
"""

import io
import json
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest
import zipfile
import zlib
from pathlib import Path

import numpy
import onnx
import torch
from hostile_files import field
from onnx import TensorProto, helper, numpy_helper

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

import preloaded

PROGRAM = os.environ["PROGRAM"]


class Files(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp()).resolve()
        self.addCleanup(shutil.rmtree, self.folder)

    def run_program(self, *arguments):
        return preloaded.run([PROGRAM, *map(str, arguments)], cwd=self.folder)

    def report(self, file, *options):
        done = self.run_program("check", "--isolated", "--select", "all", "--output-format", "json", *options, file)
        return json.loads(done.stdout)["models"][0]

    def assert_refused(self, file, kind, *words):
        report = self.report(file)
        self.assertIsNotNone(report["error"], f"{file}: {report['status']}")
        self.assertEqual(report["error"]["kind"], kind, report["error"])
        for word in words:
            self.assertIn(word, report["error"]["message"])

    def rules(self, file, *options):
        report = self.report(file, *options)
        self.assertIsNone(report["error"])
        return {finding["rule"] for finding in report["findings"] if not finding["suppressed"]}

    def assert_different(self, first, second, *words):
        done = self.run_program("diff", first, second)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        for word in words:
            self.assertIn(word, done.stdout)


def onnx_model(nodes, initializers=(), opset=17, functions=(), inputs=("x",), outputs=("y",)):
    values = [[helper.make_tensor_value_info(name, TensorProto.FLOAT, [2]) for name in names] for names in (inputs, outputs)]
    graph = helper.make_graph(nodes, "g", *values, initializer=list(initializers))
    return helper.make_model(graph, functions=list(functions), opset_imports=[helper.make_opsetid("", opset), helper.make_opsetid("my", 1)])


class Onnx(Files):
    def save(self, name, model):
        onnx.save(model, self.folder / name)
        return self.folder / name

    def write(self, name, *parts):
        (self.folder / name).write_bytes(b"".join(parts))
        return self.folder / name

    def adding(self):
        weight = numpy_helper.from_array(numpy.ones(2, numpy.float32), "w")
        return onnx_model([helper.make_node("Add", ["x", "w"], ["y"])], [weight])

    def test_what_a_library_writes_is_read(self):
        self.assertEqual(self.rules(self.save("plain.onnx", self.adding())), {"unused-declaration"})  # of the domain `my`

    def test_numbers_in_two_fields(self):
        model = self.adding()
        model.graph.initializer[0].float_data.extend([1.0, 1.0])
        self.assert_refused(self.save("two.onnx", model), "damaged-onnx", "`w`", "two ways")

    def test_a_field_given_twice(self):
        whole = self.adding()
        tensor = whole.graph.initializer[0].SerializeToString()
        del whole.graph.initializer[:]
        bad = field(5, tensor + field(9, numpy.full(2, numpy.nan, numpy.float32).tobytes()))
        graph = whole.graph.SerializeToString() + bad
        whole.ClearField("graph")
        self.assert_refused(self.write("twice.onnx", whole.SerializeToString(), field(7, graph)), "damaged-onnx", "twice")
        self.assert_refused(self.write("graphs.onnx", self.adding().SerializeToString(), field(7, graph)), "damaged-onnx", "twice")

    def test_an_attribute_given_twice(self):
        node = helper.make_node("Softmax", ["x"], ["y"], axis=0)
        node.attribute.extend([helper.make_attribute("axis", -1)])
        self.assert_refused(self.save("axis.onnx", onnx_model([node])), "damaged-onnx", "`axis`")

    def test_an_opset_given_twice(self):
        model = self.adding()
        model.opset_import.extend([helper.make_opsetid("ai.onnx", 9)])
        self.assert_refused(self.save("opsets.onnx", model), "damaged-onnx", "opset")

    def external(self, *more):
        numpy.full(2, numpy.nan, numpy.float32).tofile(self.folder / "w.bin")
        numpy.ones(2, numpy.float32).tofile(self.folder / "good.bin")
        model = self.adding()
        tensor = model.graph.initializer[0]
        tensor.ClearField("raw_data")
        tensor.data_location = TensorProto.EXTERNAL
        for key, value in more:
            tensor.external_data.add(key=key, value=value)
        return self.write("external.onnx", model.SerializeToString())

    def test_a_place_given_twice(self):
        self.assert_refused(self.external(("location", "good.bin"), ("location", "w.bin")), "damaged-onnx", "location", "twice")

    def test_a_length_of_0_is_none(self):
        self.assertIn("non-finite-weights", self.rules(self.external(("location", "w.bin"), ("length", "0"))))
        self.assertNotIn("non-finite-weights", self.rules(self.external(("location", "good.bin"), ("length", "0"))))

    def test_numbers_without_a_tensor_are_weights(self):
        for value, expected in ((numpy.nan, True), (1.0, False)):
            nodes = [helper.make_node("Constant", [], ["c"], value_floats=[value, 1.0]), helper.make_node("Add", ["x", "c"], ["y"])]
            self.assertEqual("non-finite-weights" in self.rules(self.save("floats.onnx", onnx_model(nodes))), expected)

    def test_nodes_that_runtimes_pass_over(self):
        drawn = helper.make_node("RandomNormalLike", ["x"], ["y"])
        self.assertIn("nondeterministic-op", self.rules(self.save("plain.onnx", onnx_model([drawn]))))
        drawn.overload = "x"
        self.assert_refused(self.save("overload.onnx", onnx_model([drawn])), "damaged-onnx", "overload")
        node = helper.make_node("Softmax", ["x"], ["y"], axis=0)
        node.attribute[0].name = ""
        self.assert_refused(self.save("nameless.onnx", onnx_model([node])), "damaged-onnx", "no name")
        own = self.function("my", "F", helper.make_node("", [], []), helper.make_node("Relu", ["a"], ["b"]))
        model = onnx_model([helper.make_node("F", ["x"], ["y"], domain="my")], functions=[own])
        self.assert_refused(self.save("empty.onnx", model), "damaged-onnx", "names no operator")

    def test_dropout_in_a_function(self):
        own = self.function("my", "F", helper.make_node("Dropout", ["a", "r", "t"], ["b"]))
        own.input.extend(["r", "t"])
        for trains in (True, False):
            given = [numpy_helper.from_array(numpy.array(value), name) for name, value in (("r", numpy.float32(0.5)), ("t", trains))]
            model = onnx_model([helper.make_node("F", ["x", "r", "t"], ["y"], domain="my")], given, functions=[own])
            self.assertEqual("training-mode" in self.rules(self.save("drops.onnx", model)), trains)

    def test_an_overload_of_a_function(self):
        own = self.function("my", "F", helper.make_node("RandomNormalLike", ["a"], ["b"]))
        call = helper.make_node("F", ["x"], ["y"], domain="my")
        own.overload = call.overload = "two"
        self.assertIn("nondeterministic-op", self.rules(self.save("overload.onnx", onnx_model([call], functions=[own]))))

    def test_a_function_that_is_given_a_graph(self):
        def arm(op):
            return helper.make_graph([helper.make_node(op, ["x"], ["q"])], op, [], [helper.make_tensor_value_info("q", TensorProto.FLOAT, [2])])

        chosen = helper.make_node("If", ["c"], ["b"], else_branch=arm("Relu"))
        chosen.attribute.add(name="then_branch", type=onnx.AttributeProto.GRAPH, ref_attr_name="body")
        drawn = helper.make_attribute("body", arm("RandomNormalLike"))
        for by_default in (True, False):
            own = helper.make_function("my", "C", ["x", "c"], ["b"], [chosen], [helper.make_opsetid("", 17)])
            call = helper.make_node("C", ["x", "c"], ["y"], domain="my")
            (own.attribute_proto if by_default else call.attribute).append(drawn)
            if not by_default:
                own.attribute.append("body")
            model = onnx_model([call], [numpy_helper.from_array(numpy.array(True), "c")], functions=[own])
            self.assert_refused(self.save("graph.onnx", model), "damaged-onnx", "`C`", "a graph to run")

    def test_a_function_given_twice(self):
        own = self.function("my", "F", helper.make_node("Relu", ["a"], ["b"]))
        model = onnx_model([helper.make_node("F", ["x"], ["y"], domain="my")], functions=[own, own])
        self.assert_refused(self.save("twice.onnx", model), "damaged-onnx", "`F` is given twice")

    def test_diff_tells_shapes_and_types_of_constants(self):
        files = []
        for name, indices in (("flat", [1, 0]), ("square", [[1, 0]]), ("narrow", numpy.int32([1, 0]))):
            for stored in (True, False):
                tensor = numpy_helper.from_array(numpy.array(indices), "i")
                first = [] if stored else [helper.make_node("Constant", [], ["i"], value=tensor)]
                nodes = [*first, helper.make_node("Gather", ["x", "i"], ["y"])]
                files.append(self.save(f"{name}_{stored}.onnx", onnx_model(nodes, [tensor] if stored else [])))
        for other in files[2:]:
            self.assert_different(files[0], other)
        self.assertEqual(self.run_program("diff", files[0], files[1]).returncode, 0)

    def test_weights_that_callers_may_replace(self):
        files = []
        for version in (3, 4, 9):
            model = self.adding()
            model.ir_version = version
            files.append(self.save(f"{version}.onnx", model))
        self.assert_different(*files[:2], "list of inputs")
        self.assertEqual(self.run_program("diff", *files[1:]).returncode, 0)

    def function(self, domain, name, *nodes):
        return helper.make_function(domain, name, ["a"], ["b"], list(nodes), [helper.make_opsetid("", 17)])

    def test_a_function_with_the_name_of_an_operator(self):
        own = self.function("", "Bernoulli", helper.make_node("Relu", ["a"], ["b"]))
        model = onnx_model([helper.make_node("Bernoulli", ["x"], ["y"])], functions=[own])
        self.assert_refused(self.save("shadow.onnx", model), "damaged-onnx", "`Bernoulli`")

    def test_what_runs_in_a_function_is_seen(self):
        bad = self.function(
            "my", "F",
            helper.make_node("Constant", [], ["m"], value_floats=[-1e9, 0.0]),
            helper.make_node("RandomNormalLike", ["a"], ["r"]),
            helper.make_node("Add", ["r", "m"], ["s"]),
            helper.make_node("Softmax", ["s"], ["b"]),
        )
        good = self.function("my", "F", helper.make_node("Relu", ["a"], ["b"]))
        call = [helper.make_node("F", ["x"], ["y"], domain="my")]
        told = self.rules(self.save("inside.onnx", onnx_model(call, functions=[bad])))
        self.assertLessEqual({"nondeterministic-op", "mask-sentinel"}, told)
        told = self.rules(self.save("good.onnx", onnx_model(call, functions=[good])))
        self.assertFalse({"nondeterministic-op", "mask-sentinel"} & told)

    def test_a_zip_within(self):
        script = io.BytesIO()
        torch.jit.save(torch.jit.script(torch.nn.ReLU()), script)
        for attribute in ("producer_name", "doc_string"):
            with self.subTest(attribute):
                whole = self.adding().SerializeToString()
                number = {"producer_name": 2, "doc_string": 6}[attribute]
                self.assert_refused(self.write("both.onnx", whole, field(number, script.getvalue())), "several-models", "zip")

    def test_diff_tells_what_computes_something_else(self):
        softmax = [helper.make_node("Softmax", ["x"], ["y"])]
        first = self.save("12.onnx", onnx_model(softmax, opset=12))
        self.assert_different(first, self.save("13.onnx", onnx_model(softmax, opset=13)), "opset of ai.onnx", "12", "13")

        functions = []
        for opset in (12, 13):
            function = helper.make_function("my", "F", ["a"], ["b"], [helper.make_node("Softmax", ["a"], ["b"])], [helper.make_opsetid("", opset)])
            functions.append(self.save(f"f{opset}.onnx", onnx_model([helper.make_node("F", ["x"], ["y"], domain="my")], functions=[function])))
        self.assert_different(*functions, "opset", "F")

        wired = []
        for operands in (["t", "a"], ["a", "t"]):
            nodes = [helper.make_node("Tanh", ["a"], ["t"]), helper.make_node("Sub", operands, ["b"])]
            function = helper.make_function("my", "W", ["a"], ["b"], nodes, [helper.make_opsetid("", 17)])
            model = onnx_model([helper.make_node("W", ["x"], ["y"], domain="my")], functions=[function])
            wired.append(self.save(f"wired{len(wired)}.onnx", model))
        self.assert_different(*wired, "wiring within ops")

        overloads = []
        for name in ("one", "two"):
            function = self.function("my", "G", helper.make_node("Relu", ["a"], ["b"]))
            node = helper.make_node("G", ["x"], ["y"], domain="my")
            node.overload = function.overload = name
            overloads.append(self.save(f"{name}.onnx", onnx_model([node], functions=[function])))
        self.assert_different(*overloads)

        sparse = []
        for dims in ([4], [8]):
            values = helper.make_tensor("v", TensorProto.FLOAT, [1], [1.0])
            indices = helper.make_tensor("i", TensorProto.INT64, [1], [2])
            constant = helper.make_node("Constant", [], ["c"], sparse_value=helper.make_sparse_tensor(values, indices, dims))
            sparse.append(self.save(f"sparse{dims[0]}.onnx", onnx_model([constant, helper.make_node("Add", ["x", "c"], ["y"])])))
        self.assert_different(*sparse)

        floats = []
        for last in (1.0, 2.0):
            nodes = [helper.make_node("Constant", [], ["c"], value_floats=[0.0] * 99 + [last]), helper.make_node("Add", ["x", "c"], ["y"])]
            floats.append(self.save(f"long{last}.onnx", onnx_model(nodes)))
        self.assert_different(*floats)
        self.assertEqual(self.run_program("diff", floats[0], floats[0]).returncode, 0)


    def test_a_value_has_the_type_that_is_declared(self):
        def attribute_of(model):
            return model.graph.node[0].attribute[0]

        for what, edit in (
            ("no type", lambda attribute: attribute.ClearField("type")),
            ("not of its type", lambda attribute: setattr(attribute, "type", onnx.AttributeProto.FLOAT)),
            ("several types", lambda attribute: setattr(attribute, "f", 1.0)),
        ):
            with self.subTest(what):
                model = onnx_model([helper.make_node("Softmax", ["x"], ["y"], axis=0)])
                edit(attribute_of(model))
                self.assert_refused(self.save("type.onnx", model), "damaged-onnx", "`axis`", what)

    def test_a_constant_has_one_value(self):
        both = helper.make_node("Constant", [], ["c"], value_floats=[1.0, 1.0], value_float=2.0)
        other = helper.make_node("Constant", [], ["c"], values=[1.0, 1.0])
        for node in (both, other):
            model = onnx_model([node, helper.make_node("Add", ["x", "c"], ["y"])])
            self.assert_refused(self.save("constant.onnx", model), "damaged-onnx", "exactly one value")

    def test_a_place_that_runtimes_cannot_find(self):
        for entries in ((("offset", "0"),), (("location", "good.bin"), ("offsett", "4")), (("location", "good.bin"), ("offset", ""))):
            self.assert_refused(self.external(*entries), "damaged-onnx", "tensor `w`")

    def test_diff_tells_what_a_caller_meets(self):
        def subtracting(inputs=("x", "w"), size=2, kind=TensorProto.FLOAT):
            model = onnx_model([helper.make_node("Sub", list(inputs), ["y"])], inputs=inputs)
            model.graph.input[0].type.tensor_type.shape.dim[0].dim_value = size
            model.graph.output[0].type.tensor_type.elem_type = kind
            return self.save(f"{inputs[0]}{size}{kind}.onnx", model)

        first = subtracting()
        self.assert_different(first, subtracting(size=3), "float32[2]", "float32[3]")
        self.assert_different(first, subtracting(kind=TensorProto.DOUBLE))
        self.assert_different(first, subtracting(inputs=("w", "x")), "list of inputs")

    def test_diff_tells_a_weight_that_is_read_twice(self):
        weights = [numpy_helper.from_array(numpy.full(100, value, numpy.float32), name) for name, value in (("v", 1), ("w", 2))]
        files = []
        for inputs in (("x", "v", "w"), ("x", "v", "w", "v")):
            files.append(self.save(f"{len(inputs)}.onnx", onnx_model([helper.make_node("Concat", inputs, ["y"], axis=0)], weights)))
        self.assert_different(*files)

    def test_diff_tells_the_types_within_a_loop(self):
        def looping(kind):
            values = [("i", TensorProto.INT64, []), ("go", TensorProto.BOOL, []), ("s", kind, None)]
            values = [helper.make_tensor_value_info(*each) for each in values]
            results = [helper.make_tensor_value_info("on", TensorProto.BOOL, []), helper.make_tensor_value_info("t", TensorProto.FLOAT, None)]
            nodes = [helper.make_node("Identity", ["go"], ["on"]), helper.make_node("Neg", ["s"], ["t"])]
            body = helper.make_graph(nodes, "body", values, results)
            count = numpy_helper.from_array(numpy.array(3), "n")
            return self.save(f"{kind}.onnx", onnx_model([helper.make_node("Loop", ["n", "", "x"], ["y"], body=body)], [count]))

        self.assert_different(looping(TensorProto.FLOAT), looping(TensorProto.DOUBLE))

    def test_diff_tells_how_often_a_loop_runs(self):
        def looping(name, count=None, counted="x"):
            values = [("i", TensorProto.INT64, []), ("go", TensorProto.BOOL, []), ("s", TensorProto.FLOAT, None)]
            results = [("go_on", TensorProto.BOOL, []), ("t", TensorProto.FLOAT, None)]
            nodes = [helper.make_node("Identity", ["go"], ["go_on"]), helper.make_node("Neg", ["s"], ["t"])]
            values, results = ([helper.make_tensor_value_info(*each) for each in some] for some in (values, results))
            loop = helper.make_node("Loop", ["n", "", "x"], ["y"], body=helper.make_graph(nodes, "body", values, results))
            counting = [helper.make_node("Add", ["x", "x"], ["double"]), helper.make_node("Size", [counted], ["n"])]
            counts = [] if count is None else [numpy_helper.from_array(numpy.array(count), "n")]
            return self.save(f"{name}.onnx", onnx_model([*(counting if count is None else []), loop], counts))

        self.assert_different(looping("three", 3), looping("five", 5))
        self.assert_different(looping("three", 3), looping("one_of_them", [3]))
        self.assert_different(looping("size"), looping("other", counted="double"))


class Net(torch.nn.Module):
    def forward(self, x, y):
        return {"left": x - y, "right": 3}


class Drawing(torch.nn.Module):
    def forward(self, x, y):
        return {"left": torch.rand_like(x) - y, "right": 3}


def program_in(source):
    (name,) = (name for name in source.namelist() if name.endswith("models/model.json"))
    return name


class Programs(Files):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.temporary.cleanup)
        for name, net in (("good", Net()), ("bad", Drawing())):
            example = (torch.ones(2), torch.ones(2))
            torch.export.save(torch.export.export(net, example), str(Path(cls.temporary.name) / f"{name}.pt2"))

    def setUp(self):
        super().setUp()
        for name in ("good", "bad"):
            shutil.copy(Path(self.temporary.name) / f"{name}.pt2", self.folder)
        with zipfile.ZipFile(self.folder / "good.pt2") as source:
            self.entries = [(entry.filename, source.read(entry)) for entry in source.infolist()]
            self.program_name = program_in(source)
        with zipfile.ZipFile(self.folder / "bad.pt2") as source:
            self.bad = source.read(program_in(source))
        self.top = self.program_name.split("/")[0]

    def write(self, name, entries):
        with zipfile.ZipFile(self.folder / name, "w") as target:
            for entry, content in entries:
                target.writestr(entry, content)
        return self.folder / name

    def edited(self, name, edit):
        entries = []
        for entry, content in self.entries:
            if entry != self.program_name:
                entries.append((entry, content))
                continue
            program = json.loads(content)
            edit(program)
            entries.append((entry, json.dumps(program)))
        return self.write(name, entries)

    def test_what_torch_writes_is_read(self):
        self.assertNotIn("nondeterministic-op", self.rules("good.pt2"))
        self.assertIn("nondeterministic-op", self.rules("bad.pt2"))
        self.assertNotIn("nondeterministic-op", self.rules(self.write("again.pt2", self.entries)))

    def test_a_name_twice(self):
        sys.stderr, kept = io.StringIO(), sys.stderr  # zipfile warns
        self.addCleanup(setattr, sys, "stderr", kept)
        self.assert_refused(self.write("twice.pt2", [*self.entries, (self.program_name, self.bad)]), "damaged-zip", "model.json")
        other = self.program_name.replace("models/", "MODELS/")
        self.assert_refused(self.write("case.pt2", [*self.entries, (other, self.bad)]), "damaged-zip", "model.json")

    def test_two_directories(self):
        good, bad = ((self.folder / f"{name}.pt2").read_bytes() for name in ("good", "bad"))
        (self.folder / "behind.pt2").write_bytes(good + b"\0" * 7)
        self.assert_refused("behind.pt2", "damaged-zip", "directory")
        (self.folder / "joined.pt2").write_bytes(good + bad)
        self.assert_refused("joined.pt2", "damaged-zip", "directory")

    def test_a_name_that_only_some_readers_see(self):
        def renamed(entry, content, shown):
            info, raw = zipfile.ZipInfo(entry), entry.encode()
            info.extra = struct.pack("<HHBI", 0x7075, 5 + len(shown), 1, zlib.crc32(raw)) + shown.encode()
            return info, content

        good = dict(self.entries)
        posing = renamed(f"{self.top}/q", good.pop(self.program_name), self.program_name)
        hidden = renamed(self.program_name, self.bad, f"{self.top}/other")
        self.assert_refused(self.write("renamed.pt2", [*good.items(), hidden, posing]), "damaged-zip", "the name of")
        self.assertIn("rand_like", str(torch.export.load(self.folder / "renamed.pt2").graph))  # torch runs the other program

    def test_places_that_torch_finds_otherwise(self):
        deeper = [(entry.replace("models/", "models/a/"), content) for entry, content in self.entries]
        self.assert_refused(self.write("deeper.pt2", deeper), "damaged-zip", "the name of its program")

    def test_several_programs(self):
        other = self.program_name.replace("model.json", "other.json")
        self.assert_refused(self.write("other.pt2", [*self.entries, (other, self.bad)]), "several-models")
        unlike = self.program_name.replace("model.json", "model12345")
        self.assert_refused(self.write("unlike.pt2", [*self.entries, (unlike, self.bad)]), "several-models")
        torch.export.load(self.folder / "unlike.pt2")  # torch does take it for one
        old = f"{self.top}/serialized_exported_program.json"
        self.assert_refused(self.write("old.pt2", [*self.entries, (old, self.bad)]), "several-models")
        script = io.BytesIO()
        torch.jit.save(torch.jit.script(torch.nn.ReLU()), script)
        with zipfile.ZipFile(script) as source:
            more = [(f"{self.top}/{entry.filename.split('/', 1)[1]}", source.read(entry)) for entry in source.infolist()]
        names = {name for name, _ in self.entries}
        self.assert_refused(self.write("script.pt2", [*self.entries, *(each for each in more if each[0] not in names)]), "several-models")

    def test_weights_in_two_formats(self):
        old = f"{self.top}/data/weights/model.pt"
        self.assert_refused(self.write("old.pt2", [*self.entries, (old, b"PK")]), "damaged-zip", "weights")

    def test_compiled_code_beside_the_program(self):
        for name in ("aotinductor/model/a.wrapper.so", "executorch/model.pte"):
            file = self.write("both.pt2", [*self.entries, (f"{self.top}/data/{name}", b"x")])
            self.assert_refused(file, "several-models", "compiled code")

    def test_a_file_that_is_marked_as_a_folder(self):
        with zipfile.ZipFile(self.folder / "folder.pt2", "w") as target:
            for name, content in self.entries:
                entry = zipfile.ZipInfo(name)
                entry.external_attr = 0x10 if name.endswith("models/model.json") else 0x20
                target.writestr(entry, content)
        self.assert_refused("folder.pt2", "damaged-zip", "model.json", "folder")

    def test_no_folder_around(self):
        bare = [(name.split("/", 1)[1], content) for name, content in self.entries]
        self.assert_refused(self.write("bare.pt2", bare), "damaged-zip", "folder")

    def test_operators_by_other_names(self):
        for target in ("torch_.ops.aten.rand_like.default", "torch._ops.ops.aten.rand_like.default", "torch.rand_like"):
            with self.subTest(target):

                def rename(program, target=target):
                    program["graph_module"]["graph"]["nodes"][0]["target"] = target

                self.assert_refused(self.edited("named.pt2", rename), "damaged-exported-program", target)

    def test_an_argument_given_twice(self):
        def double(program):
            inputs = program["graph_module"]["graph"]["nodes"][0]["inputs"]
            inputs.append(inputs[0])

        self.assert_refused(self.edited("argument.pt2", double), "damaged-exported-program", "given twice")

    def test_inputs_in_another_order_than_the_signature(self):
        def swap(side):
            def edit(program):
                values = program["graph_module"]["graph"][side]
                values[0], values[1] = values[1], values[0]

            return edit

        for side in ("inputs", "outputs"):
            self.assert_refused(self.edited(f"{side}.pt2", swap(side)), "damaged-exported-program", side, "signature")

    def test_diff_tells_each_field_that_torch_reads(self):
        first = self.write("first.pt2", self.entries)

        def values(program):
            return program["graph_module"]["graph"]["tensor_values"]

        def kind(program):
            program["graph_module"]["graph"]["nodes"][0]["inputs"][0]["kind"] = 2

        edits = {
            "size": lambda program: values(program)["x"]["sizes"][0].update(as_int=3),
            "stride": lambda program: values(program)["x"]["strides"][0].update(as_int=7),
            "device": lambda program: values(program)["y"]["device"].update(type="cuda"),
            "kind": kind,
        }
        for name, edit in edits.items():
            with self.subTest(name):
                self.assert_different(first, self.edited(f"{name}.pt2", edit))

    def test_a_forged_place_hides_nothing(self):
        with zipfile.ZipFile(self.folder / "bad.pt2") as source:
            entries = [(entry.filename, source.read(entry)) for entry in source.infolist()]
            name_in_bad = program_in(source)
        program = json.loads(self.bad)
        for node in program["graph_module"]["graph"]["nodes"]:
            node["metadata"]["nn_module_stack"] = "L__self__,,torch.nn.modules.activation.ReLU"
            node["metadata"].pop("torch_fn", None)
        forged = [(name, json.dumps(program) if name == name_in_bad else content) for name, content in entries]
        self.assertIn("nondeterministic-op", self.rules(self.write("forged.pt2", forged)))

    def test_a_comment_that_only_the_file_holds(self):
        net = self.folder / "net.py"
        net.write_text(
            "import torch\n\n\nclass Net(torch.nn.Module):\n    def forward(self, x):\n"
            "        return torch.rand_like(x)  # mv: ignore[nondeterministic-op] trust me\n"
        )
        export = "import torch; from net import Net; torch.export.save(torch.export.export(Net(), (torch.ones(2),)), 'n.pt2'); "
        export += "torch.jit.script(Net()).save('n.pt')"
        subprocess.run([sys.executable, "-W", "ignore", "-c", export], cwd=self.folder, check=True, capture_output=True)
        for file in ("n.pt2", "n.pt"):
            self.assertNotIn("nondeterministic-op", self.rules(file))
        net.unlink()
        for file in ("n.pt2", "n.pt"):
            with self.subTest(file):
                self.assertIn("nondeterministic-op", self.rules(file))

    def test_diff_tells_what_computes_something_else(self):
        def names(program):
            inputs = program["graph_module"]["graph"]["nodes"][0]["inputs"]
            inputs[0]["name"], inputs[1]["name"] = inputs[1]["name"], inputs[0]["name"]

        def returned(program):
            listed = [spec["user_output"]["arg"] for spec in program["graph_module"]["signature"]["output_specs"]]
            for argument in [*listed, *program["graph_module"]["graph"]["outputs"]]:
                if "as_int" in argument:
                    argument["as_int"] = 4

        def keys(program):
            for call in program["graph_module"]["module_call_graph"]:
                if call["fqn"] == "":
                    call["signature"]["out_spec"] = call["signature"]["out_spec"].replace("left", "aleft")

        for edit in (names, returned, keys):
            with self.subTest(edit.__name__):
                self.assert_different("good.pt2", self.edited("edited.pt2", edit))
        self.assertEqual(self.run_program("diff", "good.pt2", self.edited("same.pt2", lambda program: None)).returncode, 0)


class Inner(torch.nn.Module):
    def forward(self, x):
        return torch.rand_like(x)


class Outer(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.act = Inner()

    def forward(self, x):
        return self.act(x)


class Attending(torch.nn.Module):
    def __init__(self, share: float):
        super().__init__()
        self.share = share

    def forward(self, x):
        return torch.nn.functional.scaled_dot_product_attention(x, x, x, dropout_p=self.share)


class Drawn(torch.nn.Module):
    def forward(self, x):
        return torch.rand_like(x)


class Scaled(torch.nn.Module):
    def __init__(self, scale: float):
        super().__init__()
        self.act = torch.nn.Hardtanh(-scale, scale)

    def forward(self, x):
        return self.act(x)


class Script(Files):
    def test_a_class_of_torchs_name_hides_nothing(self):
        Inner.__module__ = "torch.nn.modules.activation"  # of which the file's class gets its name
        torch.jit.script(Outer()).save(self.folder / "named.pt")
        with zipfile.ZipFile(self.folder / "named.pt") as source:
            self.assertIn("named/code/__torch__/torch/nn/modules/activation.py", source.namelist())
        self.assertIn("nondeterministic-op", self.rules("named.pt"))
        torch.jit.script(torch.nn.Sequential(torch.nn.ReLU())).save(self.folder / "real.pt")
        self.assertNotIn("nondeterministic-op", self.rules("real.pt"))


    def test_attention_that_drops(self):
        example = torch.ones(1, 2, 4, 8)
        for share in (0.5, 0.0):
            torch.jit.trace(Attending(share), example, check_trace=False).save(self.folder / "traced.pt")
            torch.jit.script(Attending(share)).save(self.folder / "scripted.pt")
            torch.export.save(torch.export.export(Attending(share), (example,)), str(self.folder / "program.pt2"))
            for file in ("traced.pt", "scripted.pt", "program.pt2"):
                with self.subTest(file, share=share):
                    self.assertEqual("training-mode" in self.rules(file), share > 0)

    def mobile(self, name, net):
        torch.jit.script(net)._save_for_lite_interpreter(str(self.folder / name))
        with zipfile.ZipFile(self.folder / name) as source:
            return {entry.filename.split("/", 1)[1]: source.read(entry) for entry in source.infolist()}

    def test_bytecode_that_is_not_of_the_code(self):
        parts = self.mobile("honest.ptl", Scaled(0.5))
        self.assertEqual(self.rules("honest.ptl"), set())
        for word, other in (("rand_like", torch.nn.Sequential(Drawn())), ("0.25", Scaled(0.25))):
            bytecode = self.mobile("other.ptl", other)["bytecode.pkl"]
            with zipfile.ZipFile(self.folder / "mixed.ptl", "w") as target:
                for name, content in parts.items():
                    target.writestr(f"mixed/{name}", bytecode if name == "bytecode.pkl" else content)
            self.assert_refused("mixed.ptl", "damaged-file", "bytecode", word)

    def test_a_class_of_torchs_name_that_drops_for_good(self):
        torch.jit.script(torch.nn.Sequential(torch.nn.ReLU(), torch.nn.Dropout(0.5)).eval()).save(self.folder / "real.pt")
        self.assertNotIn("training-mode", self.rules("real.pt"))
        with zipfile.ZipFile(self.folder / "real.pt") as source:
            entries = [(entry.filename, source.read(entry).decode("latin-1")) for entry in source.infolist()]
        for file in ("activation.py", "dropout.py"):
            with zipfile.ZipFile(self.folder / "named.pt", "w") as target:
                for name, content in entries:
                    dropping = re.sub(r"  return .*", "  return torch.dropout(input, 0.5, True)", content)
                    target.writestr(name, (dropping if name.endswith("modules/" + file) else content).encode("latin-1"))
            with self.subTest(file):
                self.assertIn("training-mode", self.rules("named.pt"))


class Doubled(torch.nn.Module):
    def forward(self, x):
        return torch.relu(x)


class Suppressions(Files):
    def setUp(self):
        super().setUp()
        net = torch.nn.Sequential()
        for number in range(50):
            net.add_module("a" * 3000 + str(number), Doubled())
        torch.jit.trace(net, torch.ones(2)).save(self.folder / "m.pt")

    def suppress(self, count, pattern):
        entries = [f'[[suppress]]\nrule = "all"\nmodule = "{pattern}{number}"\nreason = "r"\n' for number in range(count)]
        (self.folder / "model_validator.toml").write_text("".join(entries))
        return self.run_program("check", "--fail-on-installed", "m.pt")

    def test_patterns_that_would_take_minutes_are_refused(self):
        done = self.suppress(1000, "*a" * 100)
        self.assertEqual(done.returncode, 2, done.stdout[-1000:])
        self.assertIn("too many patterns", done.stderr)

    def test_patterns_that_people_write_are_taken(self):
        done = self.suppress(50, "a*")
        self.assertIn("50 suppressed", done.stdout)


class Chosen(torch.nn.Module):
    def forward(self, x):
        return torch.cond(x.sum() > 0, lambda a: a + 1, lambda a: a - 1, (x,))


class Twice(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.first = torch.nn.Linear(2, 2)
        self.second = torch.nn.Linear(2, 2)

    def forward(self, x):
        z = x
        for _ in range(3):
            z = self.second(self.first(z)) * 0.5
        return {"left": z}


class Stored(Files):
    """Which bytes are whose, and what the code says beside its operators."""

    def entries(self, file):
        with zipfile.ZipFile(file) as source:
            return [(entry.filename, source.read(entry)) for entry in source.infolist()]

    def write(self, name, entries):
        with zipfile.ZipFile(self.folder / name, "w") as target:
            for entry, content in entries:
                target.writestr(entry, content)
        return self.folder / name

    def replaced(self, name, entries, end, *pairs):
        changed = []
        for entry, stored in entries:
            content = stored
            for old, new in pairs if entry.endswith(end) else ():
                self.assertIn(old, content)
                content = content.replace(old, new)
            changed.append((entry, content))
        return self.write(name, changed)

    def script(self):
        torch.jit.save(torch.jit.script(Twice()), str(self.folder / "script.pt"))
        entries = self.entries(self.folder / "script.pt")
        return self.write("first.pt", entries), entries

    def test_a_file_that_is_packed_again_is_the_same(self):
        first, entries = self.script()
        self.assertEqual(self.run_program("diff", first, self.write("again.pt", entries[::-1])).returncode, 0)

    def test_places_in_python_are_no_difference(self):
        torch.jit.save(torch.jit.script(Twice()), str(self.folder / "script.pt"))
        entries = [each for each in self.entries(self.folder / "script.pt") if not each[0].endswith(".debug_pkl")]
        self.assertEqual(self.run_program("diff", "script.pt", self.write("bare.pt", entries)).returncode, 0)

    def test_names_in_a_loop_are_no_difference(self):
        first, entries = self.script()
        same = self.replaced("same.pt", entries, "linear.py", (b"    bias = self.bias\n", b"    bias = self.bias\n    bias = self.bias\n"))
        self.assertEqual(self.run_program("diff", first, same).returncode, 0)

    def test_a_weight_given_twice_in_a_script(self):
        _, entries = self.script()
        name, content = next(each for each in entries if "/data/" in each[0])
        sys.stderr, kept = io.StringIO(), sys.stderr  # zipfile warns
        self.addCleanup(setattr, sys, "stderr", kept)
        for again in (name, name.replace("/data/", "/DATA/")):
            self.assert_refused(self.write("twice.pt", [*entries, (again, content[::-1])]), "damaged-zip", "contradicts")

    def test_weights_that_change_places_in_a_script(self):
        first, entries = self.script()
        weights = [name for name, _ in entries if "/data/" in name]
        self.assertEqual(len(weights), 4)
        zero, two = b"X\x01\0\0\0000", b"X\x01\0\0\0002"
        swapped = self.replaced("swapped.pt", entries, "/data.pkl", (zero, b"<>"), (two, zero), (b"<>", two))
        self.assert_different(first, swapped, "weight")

    def test_a_tensor_that_is_no_parameter_or_no_buffer(self):
        first, entries = self.script()
        listed = b'__parameters__ = ["weight", "bias", ]', b'__parameters__ = ["bias", ]'
        self.assert_different(first, self.replaced("changed.pt", entries, "linear.py", listed), "`first.weight` (a buffer)")
        torch.jit.save(torch.jit.script(torch.nn.BatchNorm1d(2).eval()), str(self.folder / "norm.pt"))
        listed = b'"running_mean", ', b""
        changed = self.replaced("changed_norm.pt", self.entries(self.folder / "norm.pt"), "batchnorm.py", listed)
        self.assert_different("norm.pt", changed, "parameters and buffers")
        norm = torch.jit.load(self.folder / "norm.pt")
        norm.running_mean.requires_grad_(True)
        torch.jit.save(norm, str(self.folder / "grad.pt"))
        self.assert_different("norm.pt", "grad.pt", "parameters and buffers")

    def test_what_a_graph_within_a_program_yields(self):
        torch.export.save(torch.export.export(Chosen(), (torch.ones(2),)), str(self.folder / "program.pt2"))
        entries = self.entries(self.folder / "program.pt2")
        model = next(content for name, content in entries if name.endswith("models/model.json"))
        program = json.loads(model)
        for node in program["graph_module"]["graph"]["nodes"]:
            for argument in node["inputs"]:
                if "as_graph" in argument["arg"]:
                    inner = argument["arg"]["as_graph"]["graph"]
                    inner["is_single_tensor_return"] = not inner["is_single_tensor_return"]
        changed = [(name, json.dumps(program) if content is model else content) for name, content in entries]
        self.assert_different("program.pt2", self.write("changed.pt2", changed))
        self.assertEqual(self.run_program("diff", "program.pt2", self.write("same.pt2", entries)).returncode, 0)

    def test_weights_that_change_places_in_a_program(self):
        torch.export.save(torch.export.export(Twice(), (torch.ones(2, 2),)), str(self.folder / "program.pt2"))
        entries = self.entries(self.folder / "program.pt2")
        first = self.write("first.pt2", entries)
        zero, two = b'"weight_0"', b'"weight_2"'
        swapped = self.replaced("swapped.pt2", entries, "_weights_config.json", (zero, b"<>"), (two, zero), (b"<>", two))
        self.assert_different(first, swapped, "weight")

    def test_code_beside_its_operators(self):
        first, entries = self.script()
        for name, old, new in (("key", b'"left"', b'"right"'), ("round", b".forward(z, )", b".forward(x, )")):
            with self.subTest(name):
                self.assert_different(first, self.replaced(f"{name}.pt", entries, "code/__torch__.py", (old, new)), "code")

if __name__ == "__main__":
    unittest.main()
