"""Checks every machine-readable output against its JSON Schema with a real validator.

Ours are in docs/schemas; that of SARIF is what tools/setup/npm_package.sh fetches.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import jsonschema

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

import preloaded

PROJECT = Path(__file__).resolve().parents[2]
SCHEMAS = PROJECT / "docs" / "schemas"
SARIF_SCHEMA = PROJECT / ".cache" / "sarif-2.1.0.json"

FORMATS = ["resnet18.traced.pt", "resnet18.pt2", "resnet18.onnx"]
MODELS = ["reused_nodes.scripted.pt", "functional_linear.traced.pt", "without_reused_nodes.scripted.pt", "missing.pt"]


def sarif_schema():
    subprocess.run([PROJECT / "tools" / "setup" / "npm_package.sh", "sarif", SARIF_SCHEMA], check=True, timeout=600)
    return json.loads(SARIF_SCHEMA.read_text(encoding="utf-8"))


def output_of(program, models, *arguments):
    """What the program writes, run in the folder of the generated models."""
    command = [program.resolve(), *arguments]
    result = preloaded.run(command, cwd=models, timeout=300)
    if not result.stdout:
        sys.exit(f"{command}: no output\n{result.stderr}")
    return result.stdout


def validator_of(schema):
    kind = jsonschema.validators.validator_for(schema)
    kind.check_schema(schema)
    return kind(schema, format_checker=kind.FORMAT_CHECKER)


def check(schema, document, what):
    errors = [f"  {error.json_path}: {error.message[:300]}" for error in validator_of(schema).iter_errors(document)]
    print(f"{what}: {'valid' if not errors else 'INVALID'}")
    print("\n".join(errors[:20]))
    return not errors


def check_own(program, models):
    """Each of our formats against its schema."""
    with tempfile.TemporaryDirectory() as folder:
        baseline = Path(folder) / "baseline.json"
        lint = ["check", "--isolated", "--output-format"]
        report = output_of(program, models, *lint, "json", "--baseline", baseline, "--write-baseline", *MODELS)
        profile = Path(folder) / "chip.toml"
        profile.write_text('[target]\nname = "chip"\n[operators]\n"aten::relu" = 0\n')
        divide = ["partition", "--output-format", "json", "functional_linear.traced.pt"]
        documents = [
            ("report", output_of(program, models, *lint, "json", *MODELS)),
            ("report", report),
            ("baseline", baseline.read_text()),
            ("graph", output_of(program, models, "graph", MODELS[0])),
            ("graph", output_of(program, models, "graph", "--input", "2x8", "--input", "3", "repeating.scripted.pt")),
            ("rules", output_of(program, models, "rule", "--all", "--format", "json")),
            ("targets", output_of(program, models, "targets", "--format", "json")),
            ("config", output_of(program, models, "config", "--format", "json")),
            ("partition", output_of(program, models, *divide, "--target", "onnx,openvino", "--input", "1x3x32x32")),
            ("partition", output_of(program, models, *divide, "--profile", profile, "--emit", Path(folder) / "subgraphs")),
            ("subgraphs", (Path(folder) / "subgraphs" / "manifest.json").read_text()),
        ]
    documents += [("graph", output_of(program, models, "graph", file)) for file in FORMATS]
    documents.append(("quantise-plan", output_of(program, models, "quantise-plan", "--output-format", "json", FORMATS[2])))
    with tempfile.TemporaryDirectory() as answers:
        probe = ["probe", FORMATS[2], "--backend", "onnxruntime", "--output-format", "json"]
        documents.append(("probe", output_of(program, models, *probe, "--all", "--answers", answers)))
    inspect = ["inspect", "--output-format", "json"]
    documents += [("inspect", output_of(program, models, *inspect, file)) for file in FORMATS]
    documents.append(("inspect", output_of(program, models, *inspect, "--no-fingerprint", MODELS[0])))
    for other in FORMATS:
        documents.append(("diff", output_of(program, models, "diff", "--output-format", "json", FORMATS[1], other)))
    documents += [("report-line", line) for line in output_of(program, models, *lint, "jsonl", *MODELS).splitlines()]
    schemas = {name: json.loads((SCHEMAS / f"{name}.schema.json").read_text()) for name, _ in documents}
    return all(check(schemas[name], json.loads(text), name) for name, text in documents)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", type=Path, required=True)
    parser.add_argument("--models", type=Path, required=True, help="folder of the generated models")
    parser.add_argument("part", choices=["own", "sarif"])
    arguments = parser.parse_args()
    if arguments.part == "own":
        return 0 if check_own(arguments.program, arguments.models) else 1
    sarif = output_of(arguments.program, arguments.models, "check", "--isolated", "--output-format", "sarif", *MODELS)
    return 0 if check(sarif_schema(), json.loads(sarif), "sarif") else 1


if __name__ == "__main__":
    sys.exit(main())
