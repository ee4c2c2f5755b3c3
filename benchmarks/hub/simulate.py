"""Prints how long a hub of a million models takes on clusters of other sizes, from what was measured of some.

    benchmarks/hub/simulate.py RESULTS [--latency S] [--bandwidth MB] [--rate N] [--overhead S] [--models N]

RESULTS is a folder that `benchmarks/hub/measure.py transfer` kept: models with the requests, bytes and seconds of a core that each took are
drawn from it. A simulated worker has one core and fetches eight models at a time; the store answers each request after its latency and the time
that its bytes take, and takes no more requests a second than its rate. What follows is counted event by event for some thousand models, and
scaled to all.
"""

from __future__ import annotations

import argparse
import heapq
import json
import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from model_validator import batch

CONNECTIONS = 8
AT_ONCE = 8
WORKERS = (1, 10, 100)


@dataclass(frozen=True)
class Model:
    """What one takes."""

    requests: int
    bytes: int
    seconds: float
    """Of a core."""
    in_order: bool
    """Whether each request has to wait for the one before."""

    @property
    def turns(self) -> int:
        """How often something is waited for."""
        return self.requests if self.in_order else min(self.requests, 3) + max(0, self.requests - 3) // AT_ONCE


@dataclass(frozen=True)
class Store:
    latency: float
    bandwidth: float
    rate: float


class Limiter:
    """Lets through so many requests a second."""

    def __init__(self, rate: float) -> None:
        self._step = 1 / rate
        self._next = 0.0

    def turn(self, now: float, requests: int) -> float:
        """When so many requests are through."""
        self._next = max(self._next, now) + self._step * requests
        return self._next


def simulated(models: Sequence[Model], workers: int, store: Store, overhead: float) -> float:
    """Seconds from the first request to the last row."""
    waiting = iter(models)
    limiter = Limiter(store.rate)
    cores = [0.0] * workers
    events: list[tuple[float, int, int, Model, int]] = []  # when, in which order, of which worker, which model, turns that are left
    order = end = 0

    def begin(now: float, worker: int) -> None:
        nonlocal order
        if model := next(waiting, None):
            order += 1
            heapq.heappush(events, (now, order, worker, model, model.turns))

    for _ in range(CONNECTIONS):
        for worker in range(workers):
            begin(0.0, worker)
    while events:
        now, _, worker, model, turns = heapq.heappop(events)
        if turns:
            requests = max(1, model.requests // model.turns)
            sent = limiter.turn(now, requests)
            arrived = sent + store.latency + model.bytes / model.turns / store.bandwidth
            order += 1
            heapq.heappush(events, (arrived, order, worker, model, turns - 1))
        else:
            cores[worker] = max(cores[worker], now) + model.seconds + overhead
            end = max(end, cores[worker])
            begin(cores[worker], worker)
    return float(end)


def measured(results: str) -> dict[str, list[Model]]:
    """What was measured, by format."""
    cores = json.loads(Path(f"{results}.cores.json").read_text())
    opened = batch.Results(results, {})
    found: dict[str, list[Model]] = {}
    for row in opened.latest(list(opened.settings())[-1]):
        if row["requests"] and row["format"]:
            model = Model(row["requests"], row["bytes_read"], cores[row["uri"].rsplit("/", maxsplit=1)[-1]], row["format"] == "onnx")
            found.setdefault(row["format"], []).append(model)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results")
    parser.add_argument("--latency", type=float, default=0.03, help="seconds before a request is answered (0.03)")
    parser.add_argument("--bandwidth", type=float, default=50, help="MB a second of one connection (50)")
    parser.add_argument("--rate", type=float, default=5000, help="requests a second that the store takes (5000)")
    parser.add_argument("--overhead", type=float, default=0.002, help="seconds of a core that a model takes besides (0.002)")
    parser.add_argument("--models", type=int, default=1_000_000)
    given = parser.parse_args()
    store = Store(given.latency, given.bandwidth * 1e6, given.rate)
    numbers = random.Random(0)
    print(f"{'format':<18} {'workers':>7} {'models/s':>9} {'hours':>8} {'core hours':>11} {'requests/s':>11}")
    for kind, models in sorted(measured(given.results).items()):
        for workers in WORKERS:
            drawn = [numbers.choice(models) for _ in range(max(2000, 60 * workers))]
            rate = len(drawn) / simulated(drawn, workers, store, given.overhead)
            hours, requests = given.models / rate / 3600, rate * sum(model.requests for model in drawn) / len(drawn)
            print(f"{kind:<18} {workers:>7} {rate:>9.1f} {hours:>8.1f} {hours * workers:>11.0f} {requests:>11.0f}")


if __name__ == "__main__":
    main()
