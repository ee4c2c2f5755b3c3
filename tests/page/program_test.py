"""The pages that the program writes, used as readers use them.

Environment: PROGRAM, MODELS, AXE (files), PROJECT (a folder).
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import onnx
from browser import BrowserTest

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

import preloaded

PROGRAM, MODELS, PROJECT = (Path(os.environ[name]) for name in ("PROGRAM", "MODELS", "PROJECT"))
RESNET = MODELS / "resnet18.scripted.pt"
ZOO = """import torch


class Zoo(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.relu = torch.nn.ReLU()

    def forward(self, x):
        return self.relu(self.relu(x) - 1)
"""
LARGEST = 1_500_000  # bytes of the page of a ResNet-18


def run(*arguments, status=(0, 1, 2)):
    """Runs the program where the source of the models lies."""
    done = preloaded.run([PROGRAM, *arguments], cwd=PROJECT)
    assert done.returncode in status, done.stderr
    return done.stdout


def quantised_model():
    """An input with a free axis, quantised and back."""
    nodes = [onnx.helper.make_node("QuantizeLinear", ["x", "s"], ["q"]), onnx.helper.make_node("DequantizeLinear", ["q", "s"], ["y"])]
    x, y = (onnx.helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, ["batch", 4]) for name in "xy")
    scale = onnx.helper.make_tensor("s", onnx.TensorProto.FLOAT, [], [0.5])
    graph = onnx.helper.make_graph(nodes, "g", [x], [y], [scale])
    return onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 17)], ir_version=8)


class Pages(BrowserTest):
    """Pages that are made once."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = Path(folder.name)

    def made(self, name, *arguments):
        """The page that a command writes."""
        file = self.folder / f"{name}.html"
        if not file.exists():
            run(*arguments, "--output-format", "html", "--output-file", file)
        return file

    def check_page(self, *options, name="check", **how):
        """The page of a ResNet-18."""
        return self.open(self.made(name, "check", RESNET, "--preset", "quantise", "--target", "openvino,onnx", *options), **how)


class CheckPage(Pages):
    """One model."""

    def test_the_top_says_what_the_model_is(self):
        page = self.check_page()
        top = page.locator("header.top").inner_text()
        for words in ("resnet18.scripted.pt", "torchscript", "warnings", "parameters", "11.7 M", "structural hash", "openvino", "taken"):
            self.assertIn(words, top)
        self.assertIn("resnet18", page.title())
        self.assertLess(self.made("check").stat().st_size, LARGEST)

    def test_free_sizes_have_the_names_that_the_file_gives(self):
        file = self.folder / "free.onnx"
        onnx.save(quantised_model(), file)
        page = self.open(self.made("free", "check", file))
        self.assertIn("x float32 batch×4", page.locator("header.top").inner_text())
        page.locator("details.quantisation summary").click()
        self.assertIn("batch×4", page.locator("details.quantisation table").inner_text())
        self.assertNotIn("?×4", page.locator("body").inner_text())

    def test_a_finding_leads_to_its_op_and_back(self):
        page = self.check_page()
        page.locator(".finding", has_text="reused-modules").get_by_role("button", name="layer3.0.relu", exact=True).click()
        self.assertIn("relu", page.locator("section.details h3").inner_text())
        self.assertIn("layer3.0.relu", page.locator("section.details").inner_text())
        self.assertEqual(page.locator("svg .chosen").count(), 1)
        self.assertEqual(page.locator(".finding.chosen").count(), 1)
        page.locator("svg .box.op", has_text="add").first.click()
        page.locator(".finding.chosen", has_text="missing-modules").wait_for()

    def test_the_link_to_a_finding_can_be_sent(self):
        page = self.check_page()
        link = page.locator(".finding", has_text="reused-modules").locator("a.permalink").get_attribute("href")
        other = self.check_page(hash=link)
        self.assertIn("reused-modules", other.locator(".finding.chosen").inner_text())
        self.assertIn("relu", other.locator("section.details h3").inner_text())
        page.locator(".finding", has_text="reused-modules").locator("a.permalink").click()
        page.wait_for_selector(".finding.chosen")

    def test_the_python_around_a_finding_is_shown(self):
        page = self.check_page()
        code = page.locator(".finding", has_text="missing-modules").locator(".lines").first
        self.assertEqual(code.locator(".line").count(), 11)
        self.assertIn("out += identity", code.locator(".marked").inner_text())
        self.assertIn("def", code.locator("span.k").all_inner_texts())

    def test_a_fix_is_a_diff(self):
        page = self.check_page()
        fix = page.locator(".finding", has_text="reused-modules").locator("details.fix")
        fix.locator("summary").click()
        self.assertTrue(any(re.search(r"self\.relu_\d", text) for text in fix.locator(".added").all_inner_texts()))
        self.assertIn("return self.relu(out)", " ".join(fix.locator(".removed").all_inner_texts()))

    def test_findings_are_filtered(self):
        page = self.check_page()
        everything = page.locator(".finding").count()
        page.get_by_label("every rule").select_option("reused-modules")
        self.assertEqual(page.locator(".finding").count(), 1)
        page.get_by_label("every rule").select_option("")
        page.get_by_label("filter findings by text").fill("nothing like that")
        self.assertEqual(page.locator(".finding").count(), 0)
        page.get_by_label("filter findings by text").fill("layer4.1")
        self.assertIn("layer4.1", page.locator(".finding").first.inner_text())
        page.get_by_label("filter findings by text").fill("")
        self.assertEqual(page.locator(".finding").count(), everything)

    def test_findings_are_filtered_by_module(self):
        page = self.check_page()
        everything = page.locator(".finding").count()
        page.get_by_label("every module").select_option("layer4")
        self.assertIn("of 2 causes", page.locator(".findings p[role=status]").inner_text())
        self.assertIn("layer4.0", page.locator(".finding").first.inner_text())
        self.assertNotIn("layer3.0", page.locator(".findings .cards").inner_text())
        page.get_by_label("every module").select_option("")
        self.assertEqual(page.locator(".finding").count(), everything)

    def test_on_paper_there_is_all_that_can_be_read(self):
        page = self.check_page()
        page.emulate_media(media="print")
        self.assertTrue(page.locator(".filter").is_hidden())
        self.assertTrue(page.locator(".finding").last.is_visible())
        self.assertEqual(page.evaluate("getComputedStyle(document.querySelector('.scroll')).overflow"), "visible")
        self.assertGreater(page.pdf().count(b"/Type /Page\n"), 1)

    def test_suppressed_findings_are_shown_on_request(self):
        baseline = self.folder / "baseline.json"
        run("check", RESNET, "--baseline", baseline, "--write-baseline", "-q")
        page = self.check_page("--baseline", baseline, name="suppressed")
        self.assertEqual(page.locator(".finding", has_text="reused-modules").count(), 0)
        page.get_by_label("suppressed").check()
        self.assertIn("suppressed by baseline", page.locator(".finding", has_text="reused-modules").inner_text())

    def test_findings_in_installed_packages_are_told_apart(self):
        packages = self.folder / "venv" / "lib" / "python3.11" / "site-packages"
        packages.mkdir(parents=True)
        (packages / "zoo.py").write_text(ZOO)
        trace = "import torch; from zoo import Zoo; torch.jit.trace(Zoo(), torch.ones(1, 2)).save('zoo.pt')"
        subprocess.run([sys.executable, "-W", "ignore", "-c", trace], cwd=self.folder, env={**os.environ, "PYTHONPATH": str(packages)}, check=True)
        page = self.open(self.made("installed", "check", self.folder / "zoo.pt"))
        self.assertIn("in package zoo, which does not count", page.locator(".finding", has_text="reused-modules").inner_text())
        self.assertIn("passed", page.locator("header.top").inner_text())
        page = self.open(self.made("counted", "check", self.folder / "zoo.pt", "--fail-on-installed"))
        self.assertNotIn("does not count", page.locator(".finding", has_text="reused-modules").inner_text())

    def test_islands_have_a_tint_each(self):
        operators = [("Relu", "x", "a"), ("Hardmax", "a", "b"), ("Sigmoid", "b", "c"), ("Relu", "c", "y")]
        nodes = [onnx.helper.make_node(name, [before], [after]) for name, before, after in operators]
        x, y = (onnx.helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, [1, 3, 4, 4]) for name in "xy")
        file = self.folder / "islands.onnx"
        graph = onnx.helper.make_graph(nodes, "g", [x], [y])
        onnx.save(onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 17)], ir_version=8), file)
        page = self.open(self.made("islands", "check", file, "--target", "qnn-htp"))
        page.get_by_label("colour by").select_option(label="islands of qnn-htp")
        self.assertEqual(page.locator(".legend .key").all_inner_texts(), ["island 1 (1)", "island 2 (2)", "runs elsewhere (1)"])
        for tone, count in (("tone-island-0", 1), ("tone-island-1", 2), ("tone-rest", 1)):
            self.assertEqual(page.locator(f"svg .box.{tone}").count(), count)

    def test_the_colours_of_the_graph_are_chosen(self):
        page = self.check_page()
        self.assertGreater(page.locator("svg .tone-warn").count(), 0)
        page.get_by_label("colour by").select_option(label="target openvino")
        self.assertEqual(page.locator("svg .tone-warn").count(), 0)
        self.assertIn("taken", page.locator(".legend").inner_text())

    def test_nothing_serious_bars_anyone(self):
        for scheme in ("light", "dark"):
            with self.subTest(scheme=scheme):
                page = self.check_page(color_scheme=scheme)
                page.locator(".finding button.headline").first.click()
                self.assert_no_barriers(page)

    def test_a_narrow_screen_shows_all_of_it(self):
        page = self.check_page(viewport=(390, 800))
        self.assertLessEqual(page.evaluate("document.documentElement.scrollWidth"), 390)
        top = "element => element.getBoundingClientRect().top"
        self.assertLess(page.locator(".findings").evaluate(top), page.locator(".pane").evaluate(top), "what was found comes first")


class Graph(Pages):
    """The graph of a page."""

    def test_modules_open_and_close(self):
        page = self.check_page()
        page.get_by_role("button", name="close all modules").click()
        closed = page.locator("svg [data-item]").count()
        page.locator('svg [data-item="module:layer1"]').click()
        self.assertGreater(page.locator("svg [data-item]").count(), closed)
        self.assertEqual(page.locator('svg [data-item="module:layer1"]').get_attribute("aria-expanded"), "true")
        page.locator('svg [data-item="module:layer1"] text').click(force=True)
        self.assertEqual(page.locator("svg [data-item]").count(), closed)
        page.get_by_role("button", name="open modules").click()
        self.assertEqual(page.locator('svg [aria-expanded="false"]').count(), 0)

    def test_an_op_is_found_by_its_name(self):
        page = self.check_page()
        page.get_by_role("button", name="close all modules").click()
        page.keyboard.press("/")
        page.keyboard.type("layer3.1.conv2")
        page.keyboard.press("Enter")
        self.assertIn("layer3.1.conv2", page.locator("section.details").inner_text())
        box = page.locator("svg .chosen").bounding_box()
        pane = page.locator("svg.graph").bounding_box()
        self.assertTrue(pane["y"] < box["y"] < pane["y"] + pane["height"])
        page.locator("input[type=search]").last.fill("nothing like that")
        self.assertIn("nothing is called that", page.locator(".found").inner_text())

    def test_the_keyboard_goes_along_tensors(self):
        page = self.check_page()
        page.locator('svg [data-item][tabindex="0"]').focus()
        names = []
        for _ in range(3):
            page.keyboard.press("ArrowDown")
            names.append(page.evaluate("document.activeElement.getAttribute('data-item')"))
        self.assertEqual(len(set(names)), 3)
        page.keyboard.press("Enter")
        self.assertFalse(page.locator("section.details").is_hidden())

    def test_it_pans_and_zooms(self):
        page = self.check_page()
        where = page.locator("svg.graph > g")
        before = where.get_attribute("transform")
        pane = page.locator("svg.graph").bounding_box()
        page.mouse.move(pane["x"] + 20, pane["y"] + 20)
        page.mouse.wheel(0, 200)
        zoomed = where.get_attribute("transform")
        self.assertNotEqual(zoomed, before)
        page.mouse.down()
        page.mouse.move(pane["x"] + 120, pane["y"] + 90)
        page.mouse.up()
        self.assertNotEqual(where.get_attribute("transform"), zoomed)
        self.assertTrue(page.locator("section.details").is_hidden(), "a drag is no click")


class SeveralModels(Pages):
    """A run over more than one model."""

    def several(self, **how):
        files = [MODELS / f"{name}.scripted.pt" for name in ("resnet18", "reused_nodes", "without_reused_nodes")]
        return self.open(self.made("several", "check", *files, MODELS / "bad/empty.pt", "--target", "openvino"), **how)

    def test_the_table_sorts_filters_and_opens(self):
        page = self.several()
        rows = page.locator(".models tbody tr")
        self.assertEqual(rows.count(), 4)
        page.get_by_role("button", name="ops", exact=True).click()
        page.get_by_role("button", name="ops", exact=True).click()
        self.assertIn("resnet18", rows.first.inner_text())
        page.get_by_label("filter models").fill("without")
        self.assertEqual(rows.count(), 1)
        rows.get_by_role("button").click()
        page.wait_for_selector("svg.graph [data-item]")
        self.assertIn("without_reused_nodes", page.locator("header.top h1").inner_text())
        self.assert_no_barriers(page)

    def test_a_file_that_could_not_be_read_says_why(self):
        page = self.several(hash="#model=3")
        self.assertIn("could not be read", page.locator(".model").inner_text())


class OtherPages(Pages):
    """The pages of other commands."""

    def test_a_failed_verification(self):
        file = self.folder / "verify.html"
        good = MODELS / "resnet18.traced.pt"
        run("verify", good, MODELS / "faulty/perturbed_weight.pt", "--input", "x=1x3x64x64", "--localize", "--report", file)
        page = self.open(file)
        self.assertIn("different", page.locator("header.top").inner_text())
        self.assertGreater(page.locator(".plot canvas").count(), 1)
        self.assertIn("layer3.0.conv1", page.locator(".op-errors").inner_text())
        self.assertIn("layer3.0.conv1", page.locator("section.details").inner_text())
        self.assertIn("begins here", page.locator(".legend").inner_text())
        page.locator(".op-errors summary").click()
        page.locator(".op-errors").get_by_role("button", name="conv2d_1", exact=True).click()
        self.assertIn("conv2d_1", page.locator("section.details h3").inner_text())
        self.assert_no_barriers(page)

    def test_a_partition(self):
        page = self.open(self.made("partition", "partition", MODELS / "resnet18.onnx", "--target", "openvino-onnx", "--target", "onnxruntime"))
        self.assertIn("openvino", page.locator(".legend").inner_text())
        page.locator(".band").get_by_role("button").first.click()
        self.assertIn("partition 1", page.locator("section.details").inner_text())
        self.assert_no_barriers(page)

    def test_a_difference(self):
        files = (MODELS / "reused_nodes.traced.pt", MODELS / "functional_linear.traced.pt")
        page = self.open(self.made("diff", "diff", *files))
        self.assertIn("different structure", page.locator("header.top").inner_text())
        self.assertEqual(page.locator("svg.graph").count(), 2)
        self.assertGreater(page.locator("svg .tone-bad").count(), 0)
        self.assert_no_barriers(page)

    def test_a_difference_of_weights(self):
        page = self.open(self.made("weights", "diff", MODELS / "resnet18.traced.pt", MODELS / "faulty/perturbed_weight.pt"))
        self.assertIn("other weights", page.locator("header.top").inner_text())
        self.assertIn("layer3.0.conv1.weight", page.locator("table").inner_text())
        self.assertEqual(page.locator("svg .tone-bad").count(), 0)

    def test_the_page_holds_what_the_commands_print(self):
        page = self.check_page()
        shown = page.evaluate("""async () => {
          const script = document.querySelector('script[data-kind=graph]');
          const bytes = Uint8Array.from(atob(script.textContent), (c) => c.charCodeAt(0));
          return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'))).text();
        }""")
        self.assertEqual(json.loads(shown), json.loads(run("graph", RESNET)))


if __name__ == "__main__":
    unittest.main()
