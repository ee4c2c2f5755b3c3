"""Every form that a profile refuses is seen in the files that it was asked with, and not in their twins.

    forms_test.py PROGRAM FOLDER

No runtime is needed: what they answered is in the profiles.
"""

import collections
import json
import pathlib
import subprocess
import sys
import unittest

import tomllib

PROGRAM, FOLDER = sys.argv[1], pathlib.Path(sys.argv[2])
PROJECT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(PROJECT / "tools/rules"))

from probe import drawn_edges, forms, inner_forms, more_edges, nested_forms, size_forms, typed_forms, weight_forms  # noqa: E402

KNOWN = forms.forms() + nested_forms.nested_forms() + inner_forms.inner_forms() + typed_forms.typed_forms() + size_forms.size_forms()
KNOWN += weight_forms.weight_forms()
VERDICTS = {"wrong": "wrong", "depends": "taken in part"}
TABLES = {"onnxruntime": "onnxruntime", "openvino": "openvino-onnx", "tensorrt-rtx": "tensorrt-onnx"}


def answers(table):
    """Kind -> what becomes of a file that has it."""
    text = (PROJECT / "rules" / f"{table}.toml").read_text().partition("# Contradictions")[0]
    profile = tomllib.loads(text)
    return {kind: VERDICTS.get(each.get("outcome"), "refused") for each in profile["forms"] for kind in each["kinds"]}


def written():
    """Name -> the model, each in a folder of its own with its data."""
    paths = {}
    for number, form in enumerate(KNOWN):
        for twin, model, data in (("", form.model, form.data), ("twin of ", form.twin, form.twin_data)):
            place = FOLDER / f"{number}{'t' if twin else ''}"
            place.mkdir(parents=True, exist_ok=True)
            (place / "model.onnx").write_bytes(model.SerializeToString())
            for name, held in data.items():
                (place / name).write_bytes(held)
            paths[twin + form.name] = str(place / "model.onnx")
    return paths


class Forms(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.known = KNOWN
        paths = written()
        cls.verdicts, cls.alone = {}, {}
        for options, kept in ((("--target", ",".join(TABLES)), cls.verdicts), ((), cls.alone)):
            done = subprocess.run(
                [PROGRAM, "check", "--isolated", *options, "--output-format", "json", "-q", *paths.values()],
                capture_output=True,
                text=True,
                timeout=300,
                check=False,
            )
            models = {model["path"]: model for model in json.loads(done.stdout)["models"]}
            kept.update({name: models[path] for name, path in paths.items()})

    def verdict(self, name, target):
        model = self.verdicts[name]
        if model["status"] == "error":
            return "refused"
        return next(each["verdict"] for each in model["verdicts"] if each["target"] == target)

    def test_there_are_many_of_many_kinds(self):
        self.assertGreater(len(self.known), 400)
        self.assertGreater(len({form.kind for form in self.known}), 50)
        self.assertEqual([name for name, count in collections.Counter(form.name for form in self.known).items() if count > 1], [])

    def test_a_form_that_a_target_refuses_is_seen(self):
        for target, table in TABLES.items():
            known = answers(table)
            for form in self.known:
                if form.kind in known:
                    with self.subTest(target=target, form=form.name):
                        self.assertIn(self.verdict(form.name, target), {known[form.kind], "refused"})

    def test_its_twin_has_it_not(self):
        for target, table in TABLES.items():
            known = answers(table)
            for form in self.known:
                if form.kind in known and not form.twin.functions and not form.kind.startswith(("scan", "loop-trips")):
                    with self.subTest(target=target, form=form.name):
                        reasons = [each for each in self.verdicts["twin of " + form.name]["findings"] if each["rule"] == "unsupported-ops"]
                        self.assertFalse(
                            [each["message"] for each in reasons if "does not take the file" in each["message"] and f"`{target}`" in each["message"]]
                        )

    def test_what_is_invalid_everywhere_is_an_error_without_a_target(self):
        everywhere = set.intersection(*(set(answers(table)) for table in TABLES.values()))
        everywhere -= {"function-left-out", *(kind for kind in everywhere if kind.startswith("resized-"))}
        for form in self.known:
            if form.kind in everywhere:
                with self.subTest(form=form.name):
                    model = self.alone[form.name]
                    self.assertIn("error", {model["status"], *(each["severity"] for each in model.get("findings", ()))})

    def test_a_form_that_no_question_has_is_in_no_profile(self):
        kinds = {form.kind for form in self.known}
        for table in TABLES.values():
            self.assertEqual(set(answers(table)) - kinds, set())


class Edges(unittest.TestCase):
    def test_what_shows_an_edge_is_told_and_what_is_taken_is_not(self):
        FOLDER.mkdir(parents=True, exist_ok=True)
        for target, table in TABLES.items():
            asked = table.replace("tensorrt-onnx", "tensorrt-rtx")
            made = [edge for maker in (*more_edges.MAKERS, *drawn_edges.MAKERS) for edge in maker() if edge.target == asked]
            paths = {}
            for number, edge in enumerate(made):
                for what, models in (("seen", edge.seen), ("taken", edge.taken)):
                    for at, each in enumerate(models):
                        path = FOLDER / f"{target} edge {number} {what} {at}.onnx"
                        path.write_bytes(each.model.SerializeToString())
                        paths[str(path)] = (what, edge.operators, at)
            command = [PROGRAM, "check", "--isolated", "--target", target, "--output-format", "json", "-q", *paths]
            done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
            judged = json.loads(done.stdout)["models"]
            self.assertEqual({model["path"] for model in judged}, set(paths))
            for model in judged:
                what, *of = paths[model["path"]]
                with self.subTest(target=target, what=what, of=of):
                    self.assertNotIn(model["verdicts"][0]["verdict"], ("taken",) if what == "seen" else ("refused", "wrong"))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
