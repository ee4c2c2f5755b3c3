"""Whole hubs in S3: models and results, on a real server."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from typing import Any

import pytest
from conftest import MODELS
from hub_command import light_workers  # noqa: F401 - a fixture
from test_hub import without_measures

from model_validator import batch
from model_validator.batch._files import ModelFile
from model_validator.batch._linting import Linter

NEEDED = ("moto", "s3fs")
pytestmark = pytest.mark.skipif(
    any(importlib.util.find_spec(name) is None for name in NEEDED), reason="the tests of S3 need `pip install 'moto[server]' s3fs`"
)

NAMES = ("reused_nodes.onnx", "reused_nodes.pt2", "resnet18.traced.pt", "bad/garbage_pickle.pt")


@pytest.fixture(scope="module")
def storage() -> Iterator[dict[str, Any]]:
    """The options for a store with a bucket of models."""
    server = importlib.import_module("moto.server").ThreadedMotoServer("127.0.0.1", 0, verbose=False)
    server.start()
    try:
        host, port = server.get_host_and_port()
        options = {"key": "a", "secret": "b", "endpoint_url": f"http://{host}:{port}"}
        system = importlib.import_module("s3fs").S3FileSystem(**options)
        system.mkdir("hub")
        for name in NAMES:
            system.put_file(str(MODELS / name), f"hub/models/{name}")
        yield {"s3": options}
    finally:
        server.stop()


def test_models_and_results_in_s3(storage: dict[str, Any]) -> None:
    first = batch.run("s3://hub/models", "s3://hub/results", storage=storage, workers=2)
    assert (first.tally.models, first.tally.failures) == (len(NAMES), 1)
    rows = {row["uri"]: row for row in batch.Results("s3://hub/results", storage).models()}
    local = Linter(batch.Settings({}))
    for name in NAMES:
        expected = without_measures(local.row_of(ModelFile(str(MODELS / name))))
        expected.pop("findings")
        assert without_measures(rows[f"s3://hub/models/{name}"]) == expected
        assert rows[f"s3://hub/models/{name}"]["version"].startswith("etag:")
    assert rows["s3://hub/models/resnet18.traced.pt"]["bytes_read"] < 1e6
    again = batch.run("s3://hub/models", "s3://hub/results", storage=storage, workers=1)
    assert (again.tally.models, again.tally.skipped) == (0, len(NAMES))
    assert batch.report("s3://hub/results", storage=storage).models == len(NAMES)


def test_what_s3_refuses_is_a_row(storage: dict[str, Any]) -> None:
    row = Linter(batch.Settings({}, storage)).row_of(ModelFile("s3://hub/models/nowhere.pt"))
    assert row is not None and row["error"] == "not-found"
