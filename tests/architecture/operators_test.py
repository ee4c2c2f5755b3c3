"""The tables of operators against what torch and ONNX say: `connected_graph/operators.cpp`, of what becomes of values, and
`connected_graph/shapes/function_table.cpp`, of what becomes of shapes. A new release of either fails here until its operators have rows.

Environment: PROJECT (folder).
"""

import collections
import os
import re
import unittest
import warnings
from pathlib import Path

import numpy
import onnx
import torch

ROOM = Path(os.environ["PROJECT"]) / "src/connected_graph"
REARRANGES = {"keeps", "reshapes", "transposes", "shuffles", "repeats", "drops_out", "converts"}
MOVES = REARRANGES | {"cuts", "picks", "joins", "inserts", "pads", "bounds"}

# Views of what is no tensor of numbers in rows, of parts of complex numbers, and what torch has for its own tests.
OTHER_VIEWS = re.compile(r"_.*|linalg_diagonal|.*indices|values|coalesce|conj|imag|real|view_as_(complex|real)|slice_inverse|get|pop|keys"
                         r"|setdefault|as_tensor|local_value|to_here")
# They draw where they are told to drop out, or are made of what draws.
ALSO_SEEDED = re.compile(r"_.*|fractional_max_pool\d?d?|scaled_dot_product_attention|multi_head_attention.*|normal_functional|pca_lowrank|svd_lowrank"
                         r"|nonzero_static")
# Of ONNX, what moves texts, sequences, or the elements of what is no tensor.
MOVES_NO_NUMBERS = {"ConcatFromSequence", "OptionalGetElement", "Optional", "SequenceAt", "SequenceConstruct", "SequenceInsert", "SequenceErase",
                    "SequenceMap", "SplitToSequence", "StringNormalizer", "StringSplit", "If", "Loop", "Scan", "Constant"}
# Whose results may be whole or small numbers that some input happens to hold.
HAPPENS_TO_MOVE = {"BitwiseAnd", "BitwiseOr", "BitwiseXor", "Abs", "Ceil", "Floor", "Round", "Mod", "And", "Or", "Xor", "Not", "Mul", "Add",
                   "OneHot", "Sign", "TfIdfVectorizer"}


def rows(file: str, pattern: str, table: str = "constexpr") -> list[tuple[str, list[str]]]:
    text = re.sub(r'"\s*"', "", (ROOM / file).read_text().partition(table)[2].partition("\n});")[0])
    return [(kind, names.split()) for kind, names in re.findall(pattern, text)]


def pairs(file: str) -> dict[str, str]:
    text = re.sub(r'"\s*"', "", (ROOM / file).read_text())
    return dict(pair.split("=") for words in re.findall(r'word_array<\s*"([^"]*=[^"]*)">', text) for pair in words.split())


KINDS = rows("operators.cpp", r'\{Does::(\w+),\s*"([^"]*)"\}', "value_rows")
FURTHER = dict(rows("operators.cpp", r'\{Does::([^,]+),\s*"([^"]*)"\}', "further_rows"))
MAY_COPY = FURTHER["returns_memory | Does::may_copy"]
KIND = {name: kind for kind, names in KINDS for name in names}
ONNX_NAMES, WHOLE = pairs("canonical_type.cpp"), pairs("undecomposed_type.cpp")


def kind_of_torch(name: str) -> str | None:
    name = WHOLE.get(name, name)
    return KIND.get(name) or KIND.get(name.removesuffix("_copy"))


def kind_of_onnx(name: str) -> str | None:
    snake = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name).lower()
    return KIND.get(ONNX_NAMES.get(name, {"AveragePool": "avg_pool", "Trilu": "triu"}.get(name, snake)))


class OfTorch(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.schemas = collections.defaultdict(list)
        for schema in torch._C._jit_get_all_schemas():
            if schema.name.startswith("aten::") and not schema.name.endswith("_"):
                cls.schemas[schema.name.removeprefix("aten::")].append(schema)

    def tagged(self, tag):
        for name, schemas in self.schemas.items():
            packet = getattr(torch.ops.aten, name, None)
            if any(tag in getattr(packet, schema.overload_name or "default").tags for schema in schemas
                   if schema.overload_name in ("", *packet.overloads())):
                yield name

    def test_each_name_has_one_row(self):
        self.assertEqual([name for name, count in collections.Counter(name for _, names in KINDS for name in names).items() if count > 1], [])

    def test_what_returns_the_memory_that_it_is_given_moves_values(self):
        for name, schemas in self.schemas.items():
            views = any(returned.alias_info is not None and not returned.alias_info.is_write for schema in schemas for returned in schema.returns)
            if views and not OTHER_VIEWS.fullmatch(name):
                with self.subTest(name=name):
                    self.assertIn(kind_of_torch(name), REARRANGES | {"cuts", "picks"})
            if views and not re.fullmatch(r"_.*|linalg_diagonal|(c?col|c?row|)_?indices|values|coalesce|conj|slice_inverse|get|pop|keys|setdefault"
                                          r"|as_tensor|local_value|to_here|cpu|cuda|pin_memory", name):
                with self.subTest(name=name, column="returns_memory"):
                    self.assertIn(name, FURTHER["returns_memory"] + MAY_COPY)

    def arguments(self, name):
        names = (f"{space}::{name}" for space in ("aten", "prim"))
        schemas = [schema for each in names for schema in torch._C._jit_get_schemas_for_operator(each)]
        return [{argument.name: str(argument.type) for argument in schema.arguments} for schema in schemas]

    def test_further_columns_name_what_torch_or_onnx_has(self):
        of_onnx = {"identity", "nms", "unique", "interpolate"}  # the last three also as functions of torch, which are one op
        dropping = {name for name in MAY_COPY if "dropout" in name}
        for kind, names in FURTHER.items():
            for name in names:
                with self.subTest(kind=kind, name=name):
                    self.assertTrue(self.arguments(name) or name in of_onnx | dropping)

    def test_what_further_columns_say_is_in_the_schemas(self):
        for name in FURTHER["takes_sizes"]:
            if name not in ("interpolate", "full", "eye"):
                with self.subTest(takes_sizes=name):
                    self.assertTrue(any("int" in kind.lower() for each in self.arguments(name) for kind in each.values()))
        for name in FURTHER["reduces"]:
            with self.subTest(reduces=name):
                self.assertTrue(any("dim" not in each or each["dim"].startswith("Optional") for each in self.arguments(name)))
        for name in set(FURTHER["reads_values"]) - {"tolist"}:  # whose schema takes anything
            with self.subTest(reads_values=name):
                self.assertTrue(any("Tensor" in each.values() for each in self.arguments(name)))

    def test_what_draws_random_numbers(self):
        for name in self.tagged(torch.Tag.nondeterministic_seeded):
            if not ALSO_SEEDED.fullmatch(name):
                with self.subTest(name=name):
                    self.assertIn(kind_of_torch(name), {"draws", "drops_out", "draws_trained"})

    def test_what_draws_only_while_a_model_is_trained(self):
        for name in self.tagged(torch.Tag.nondeterministic_seeded):
            says = any(argument.name in ("train", "training") for schema in self.schemas[name] for argument in schema.arguments)
            if says and not name.startswith("_"):
                with self.subTest(name=name):
                    self.assertIn(kind_of_torch(name), {"drops_out", "draws_trained"})

    def test_what_computes_each_element_moves_none(self):
        kinds = {"keeps", "bounds", "joins", "inserts", "adds", "compares", "draws_trained", None}
        for name in self.tagged(torch.Tag.pointwise):
            with self.subTest(name=name):
                self.assertIn(kind_of_torch(name), kinds)


class OfOnnx(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.newest = {schema.name for schema in onnx.defs.get_all_schemas() if schema.domain == "" and not schema.deprecated}
        warnings.simplefilter("ignore")
        from onnx.backend.test.case.node import collect_testcases
        cls.examples = collections.defaultdict(list)
        for case in collect_testcases(None):
            if len(case.model.graph.node) == 1 and case.data_sets:
                cls.examples[case.model.graph.node[0].op_type].append(case.data_sets[0])

    def test_shapes_follow_through_all(self):
        functions = rows("shapes/function_table.cpp", r'\{(?:functions::)?(\w+),\s*"([^"]*)"\}')
        known = {name for _, names in functions for name in names}
        self.assertEqual(sorted(self.newest - known - {"Constant", "If", "Loop", "Scan"}), [], "have no function that makes shapes of shapes")

    def only_moves(self, operator):
        """Whether all examples yield elements of their inputs alone."""
        def arrays(values):
            return [numpy.asarray(each) for each in values if isinstance(each, (numpy.ndarray, numpy.generic))]
        seen = False
        for inputs, outputs in self.examples[operator]:
            given, made = arrays(inputs), arrays(outputs[:1])
            if not made:
                continue  # a sequence
            if not given or made[0].dtype.kind in "OSUc":
                return False
            elements = numpy.concatenate([each.astype("float64").ravel() for each in given if each.dtype.kind not in "OSUc"] or [numpy.empty(0)])
            seen = seen or made[0].size >= 4
            if not numpy.isin(made[0].astype("float64").ravel(), numpy.append(elements, [0.0])).all():
                return False
        return seen

    def test_what_moves_values_is_known_to(self):
        for operator in sorted(self.newest - MOVES_NO_NUMBERS - HAPPENS_TO_MOVE):
            if self.only_moves(operator):
                with self.subTest(operator=operator):
                    self.assertIn(kind_of_onnx(operator), MOVES | {"compares", "draws", "creates"})

    def test_what_is_said_to_rearrange_does(self):
        for operator in sorted(self.newest - MOVES_NO_NUMBERS):
            if kind_of_onnx(operator) in REARRANGES - {"converts", "drops_out"} and self.examples[operator]:
                with self.subTest(operator=operator):
                    self.assertTrue(self.only_moves(operator))


if __name__ == "__main__":
    unittest.main()
