"""Checks every machine-readable output against its JSON Schema with a real validator.

Ours are in docs/schemas. That of SARIF comes from the npm package named below, through npm's own client; where npm is
not there and nothing is in the cache, that part is skipped, and said to be.
"""

import argparse
import hashlib
import json
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

try:
    import jsonschema
except ImportError:
    print("skipped: jsonschema is not installed; `make setup` installs it")
    sys.exit(77)

PROJECT = Path(__file__).resolve().parents[2]
SCHEMAS = PROJECT / "docs" / "schemas"
SARIF_PACKAGE = "@microsoft/sarif-multitool-linux@5.7.0"
SARIF_SHA256 = "1c49a0f2b60444c71bb14878e21e0d882198eff4c539861b133093ad89ed798c"
SARIF_CACHE = PROJECT / ".cache" / "sarif-2.1.0.json"
SKIPPED = 77

MODELS = ["reused_nodes.scripted.pt", "functional_linear.traced.pt", "without_reused_nodes.scripted.pt", "missing.pt"]


def fetch_sarif_schema():
    """The schema's text, or None where there is no way to get it."""
    if not SARIF_CACHE.exists():
        if not shutil.which("npm"):
            return None
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run(["npm", "pack", "--silent", SARIF_PACKAGE], cwd=folder, check=True, timeout=300)
            with tarfile.open(next(Path(folder).glob("*.tgz"))) as package:
                text = package.extractfile("package/sarif-2.1.0.json").read()
        SARIF_CACHE.parent.mkdir(exist_ok=True)
        SARIF_CACHE.write_bytes(text)
    text = SARIF_CACHE.read_bytes()
    if hashlib.sha256(text).hexdigest() != SARIF_SHA256:
        sys.exit(f"{SARIF_CACHE} is not the schema that was expected")
    return text


def output_of(program, models, *arguments):
    """What the program writes, run in the folder of the generated models."""
    command = [program.resolve(), *arguments]
    result = subprocess.run(command, cwd=models, capture_output=True, text=True, timeout=300, check=False)
    if not result.stdout:
        sys.exit(f"{command}: no output\n{result.stderr}")
    return result.stdout


def check(schema, document, what):
    jsonschema.Draft202012Validator.check_schema(schema)
    errors = [f"  {error.json_path}: {error.message[:300]}"
              for error in jsonschema.Draft202012Validator(schema).iter_errors(document)]
    print(f"{what}: {'valid' if not errors else 'INVALID'}")
    print("\n".join(errors[:20]))
    return not errors


def check_own(program, models):
    """Each of our formats against its schema."""
    with tempfile.TemporaryDirectory() as folder:
        baseline = Path(folder) / "baseline.json"
        lint = ["check", "--isolated", "--output-format"]
        report = output_of(program, models, *lint, "json", "--baseline", baseline, "--write-baseline", *MODELS)
        documents = [
            ("report", output_of(program, models, *lint, "json", *MODELS)),
            ("report", report),
            ("baseline", baseline.read_text()),
            ("graph", output_of(program, models, "graph", MODELS[0])),
            ("rules", output_of(program, models, "rule", "--all", "--format", "json")),
            ("targets", output_of(program, models, "targets", "--format", "json")),
            ("config", output_of(program, models, "config", "--format", "json")),
        ]
    documents += [("report-line", line) for line in output_of(program, models, *lint, "jsonl", *MODELS).splitlines()]
    schemas = {name: json.loads((SCHEMAS / f"{name}.schema.json").read_text()) for name, _ in documents}
    return all([check(schemas[name], json.loads(text), name) for name, text in documents])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", type=Path, required=True)
    parser.add_argument("--models", type=Path, required=True, help="folder of the generated models")
    parser.add_argument("part", choices=["own", "sarif"])
    arguments = parser.parse_args()
    if arguments.part == "own":
        return 0 if check_own(arguments.program, arguments.models) else 1
    schema = fetch_sarif_schema()
    if schema is None:
        print("skipped: the SARIF schema is not cached, and there is no npm to get it with")
        return SKIPPED
    sarif = output_of(arguments.program, arguments.models, "check", "--isolated", "--output-format", "sarif", *MODELS)
    return 0 if check(json.loads(schema), json.loads(sarif), "sarif") else 1


if __name__ == "__main__":
    sys.exit(main())
