#!/usr/bin/env python3
"""Exports small models and looks which of them mutated-state finds to keep state.

usage: kept_state_test.py PROGRAM

Classes named `Fires…` keep state that results depend on, or leave something behind; what classes named `Fills…` keep is
only filled in behind a condition; classes named `Silent…` keep nothing.
"""
import json
import pathlib
import sys
import tempfile
import unittest
import warnings
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import Module

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "support"))

import preloaded

INPUT = torch.ones(2, 4)
#: What a trace shows: writes into tensors.
TRACED = ("FiresCounterBuffer", "FiresCounterBufferUnread", "FiresRingTensor", "FiresRunningMean", "FiresView", "FiresIndexPut",
          "FiresCopy", "FiresHelper", "FiresChildHelper", "FiresParam", "SilentBn", "SilentClone", "SilentPad")
#: Kept for whoever looks, and read by nothing in the model.
UNREAD = ("FiresStash",)


class FiresCounterAttr(Module):
    def __init__(self) -> None:
        super().__init__()
        self.count = 0

    def forward(self, x: Tensor) -> Tensor:
        self.count += 1
        return x * self.count


class FiresCounterUnread(Module):
    def __init__(self) -> None:
        super().__init__()
        self.count = 0
        self.fc = nn.Linear(4, 4)

    def forward(self, x: Tensor) -> Tensor:
        self.count = self.count + 1
        return self.fc(x)


class FiresCounterBuffer(Module):
    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("steps", torch.zeros(1))

    def forward(self, x: Tensor) -> Tensor:
        self.steps += 1
        return x / self.steps


class FiresCounterBufferUnread(Module):
    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("steps", torch.zeros(1))

    def forward(self, x: Tensor) -> Tensor:
        self.steps.add_(1)
        return x * 2


class FiresRing(Module):
    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("ring", torch.zeros(8, 4))
        self.pos = 0

    def forward(self, x: Tensor) -> Tensor:
        self.ring[self.pos % 8] = x[0]
        self.pos = (self.pos + 1) % 8
        return self.ring.mean(0)


class FiresRingTensor(Module):
    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("ring", torch.zeros(8, 4))
        self.register_buffer("pos", torch.zeros(1, dtype=torch.long))

    def forward(self, x: Tensor) -> Tensor:
        self.ring.index_copy_(0, self.pos, x[:1])
        self.pos.copy_((self.pos + 1) % 8)
        return self.ring.sum(0)


class FiresRoll(Module):
    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("hist", torch.zeros(8, 4))

    def forward(self, x: Tensor) -> Tensor:
        self.hist = torch.cat([self.hist[2:], x])
        return self.hist.mean(0)


class FiresKvList(Module):
    k: list[Tensor]

    def __init__(self) -> None:
        super().__init__()
        self.k = []

    def forward(self, x: Tensor) -> Tensor:
        self.k.append(x)
        k = torch.cat(self.k)
        return x @ k.t()


class FiresKvDict(Module):
    c: dict[str, Tensor]

    def __init__(self) -> None:
        super().__init__()
        self.c = {}

    def forward(self, x: Tensor) -> Tensor:
        if "k" in self.c:
            k = torch.cat([self.c["k"], x])
        else:
            k = x
        self.c["k"] = k
        return x @ k.t()


class FiresKvOptional(Module):
    k: Tensor | None

    def __init__(self) -> None:
        super().__init__()
        self.k = None

    def forward(self, x: Tensor) -> Tensor:
        k = self.k
        if k is not None:
            k = torch.cat([k, x])
        else:
            k = x
        self.k = k
        return x @ k.t()


class FiresKvBufferSlice(Module):
    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("k", torch.zeros(16, 4))
        self.n = 0

    def forward(self, x: Tensor) -> Tensor:
        s = x.size(0)
        self.k[self.n:self.n + s] = x
        self.n += s
        return x @ self.k[:self.n].t()


class FiresRunningMean(Module):
    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("mean", torch.zeros(4))

    def forward(self, x: Tensor) -> Tensor:
        self.mean.mul_(0.9).add_(x.mean(0), alpha=0.1)
        return x - self.mean


class FiresEmaAttr(Module):
    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("mean", torch.zeros(4))

    def forward(self, x: Tensor) -> Tensor:
        self.mean = 0.9 * self.mean + 0.1 * x.mean(0)
        return x - self.mean


class FiresRnnHidden(Module):
    def __init__(self) -> None:
        super().__init__()
        self.rnn = nn.GRU(4, 4, batch_first=True)
        self.h = torch.zeros(1, 1, 4)

    def forward(self, x: Tensor) -> Tensor:
        y, h = self.rnn(x.unsqueeze(0), self.h)
        self.h = h
        return y


class FiresLstmTuple(Module):
    def __init__(self) -> None:
        super().__init__()
        self.cell = nn.LSTMCell(4, 4)
        self.h = torch.zeros(2, 4)
        self.c = torch.zeros(2, 4)

    def forward(self, x: Tensor) -> Tensor:
        self.h, self.c = self.cell(x, (self.h, self.c))
        return self.h


class FiresView(Module):
    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("b", torch.zeros(2, 4))

    def forward(self, x: Tensor) -> Tensor:
        v = self.b.view(-1)
        v += x.reshape(-1)
        return self.b.clone()


class FiresIndexPut(Module):
    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("b", torch.zeros(2, 4))

    def forward(self, x: Tensor) -> Tensor:
        y = self.b + x
        self.b.index_put_((torch.tensor([0]),), x[0])
        return y


class FiresCopy(Module):
    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("last", torch.zeros(2, 4))

    def forward(self, x: Tensor) -> Tensor:
        d = x - self.last
        self.last.copy_(x)
        return d


class FiresPrevByReference(Module):
    def __init__(self) -> None:
        super().__init__()
        self.last = torch.zeros(2, 4)

    def forward(self, x: Tensor) -> Tensor:
        prev = self.last
        self.last = x
        return prev + x


class FiresHelper(Module):
    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("b", torch.zeros(2, 4))

    def update(self, t: Tensor, x: Tensor) -> None:
        t.add_(x)

    def forward(self, x: Tensor) -> Tensor:
        self.update(self.b, x)
        return self.b * 2


class Store(Module):
    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("b", torch.zeros(2, 4))

    def push(self, x: Tensor) -> None:
        self.b += x

    def get(self) -> Tensor:
        return self.b.clone()

    def forward(self, x: Tensor) -> Tensor:
        return x


class FiresChildHelper(Module):
    def __init__(self) -> None:
        super().__init__()
        self.store = Store()

    def forward(self, x: Tensor) -> Tensor:
        self.store.push(x)
        return self.store.get()


class FiresBranch(Module):
    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("b", torch.zeros(2, 4))

    def forward(self, x: Tensor) -> Tensor:
        if x.sum() > 0:
            self.b += x
        return x + self.b


class FillsFirstCall(Module):
    def __init__(self) -> None:
        super().__init__()
        self.first = True

    def forward(self, x: Tensor) -> Tensor:
        if self.first:
            self.first = False
            return x * 2
        return x


class FiresInitFromData(Module):
    def __init__(self) -> None:
        super().__init__()
        self.ready = False
        self.offset = torch.zeros(4)

    def forward(self, x: Tensor) -> Tensor:
        if not self.ready:
            self.offset = x.mean(0)
            self.ready = True
        return x - self.offset


class FiresRunningMax(Module):
    def __init__(self) -> None:
        super().__init__()
        self.m = torch.zeros(1)

    def forward(self, x: Tensor) -> Tensor:
        if bool(x.max() > self.m):
            self.m = x.max().reshape(1)
        return x / (self.m + 1)


class FiresParam(Module):
    def __init__(self) -> None:
        super().__init__()
        self.w = nn.Parameter(torch.ones(4), requires_grad=False)

    def forward(self, x: Tensor) -> Tensor:
        self.w.mul_(0.99)
        return x * self.w


class FillsFirstSize(Module):
    def __init__(self) -> None:
        super().__init__()
        self.n = 0

    def forward(self, x: Tensor) -> Tensor:
        if self.n == 0:
            self.n = x.size(0)
        return x[:self.n] * 2


class FiresStash(Module):
    def __init__(self) -> None:
        super().__init__()
        self.last = torch.zeros(2, 4)

    def forward(self, x: Tensor) -> Tensor:
        y = torch.softmax(x, -1)
        self.last = y
        return y * 2


class FillsReadBeforeGuard(Module):
    def __init__(self) -> None:
        super().__init__()
        self.done = False
        self.offset = torch.zeros(4)
        self.register_buffer("t", torch.ones(4))

    def forward(self, x: Tensor) -> Tensor:
        y = x + self.offset
        if not self.done:
            self.offset = self.t * 3
            self.done = True
        return y


class FiresLoop(Module):
    def __init__(self) -> None:
        super().__init__()
        self.h = torch.zeros(4)

    def forward(self, x: Tensor) -> Tensor:
        ys = []
        for i in range(x.size(0)):
            self.h = torch.tanh(self.h + x[i])
            ys.append(self.h)
        return torch.stack(ys)


class FiresDeque(Module):
    def __init__(self) -> None:
        super().__init__()
        self.q: list[Tensor] = [torch.zeros(2,4)]

    def forward(self, x: Tensor) -> Tensor:
        self.q.append(x)
        if len(self.q) > 4:
            self.q.pop(0)
        return torch.stack(self.q).mean(0)


class SilentScratch(Module):
    def __init__(self) -> None:
        super().__init__()
        self.tmp = torch.zeros(1)

    def forward(self, x: Tensor) -> Tensor:
        self.tmp = x * 2
        return self.tmp + 1


class SilentScratchList(Module):
    tmp: list[Tensor]

    def __init__(self) -> None:
        super().__init__()
        self.tmp = []

    def forward(self, x: Tensor) -> Tensor:
        self.tmp = [x, x * 2]
        self.tmp.append(x * 3)
        return torch.cat(self.tmp)


class SilentWarned(Module):
    def __init__(self) -> None:
        super().__init__()
        self.warned = False

    def forward(self, x: Tensor) -> Tensor:
        if not self.warned:
            print("once")
            self.warned = True
        return x * 2


class FillsCacheDict(Module):
    c: dict[str, Tensor]

    def __init__(self) -> None:
        super().__init__()
        self.c = {}
        self.w = nn.Parameter(torch.ones(4))

    def forward(self, x: Tensor) -> Tensor:
        k = str(x.device)
        if k not in self.c:
            self.c[k] = self.w * 2
        return x + self.c[k]


class FillsCacheDictReturn(Module):
    c: dict[str, Tensor]

    def __init__(self) -> None:
        super().__init__()
        self.c = {}
        self.w = nn.Parameter(torch.ones(4))

    def get(self, k: str) -> Tensor:
        if k in self.c:
            return self.c[k]
        v = self.w * 2
        self.c[k] = v
        return v

    def forward(self, x: Tensor) -> Tensor:
        return x + self.get(str(x.device))


class FillsCacheOptional(Module):
    c: Tensor | None

    def __init__(self) -> None:
        super().__init__()
        self.c = None
        self.w = nn.Parameter(torch.ones(4))

    def forward(self, x: Tensor) -> Tensor:
        c = self.c
        if c is None:
            c = self.w * 2
            self.c = c
        return x + c


class FillsRotary(Module):
    def __init__(self) -> None:
        super().__init__()
        self.n = 0
        self.cos = torch.zeros(1, 4)
        self.register_buffer("inv", torch.ones(4))

    def forward(self, x: Tensor) -> Tensor:
        n = x.size(0)
        if n > self.n:
            self.n = n
            t = torch.arange(n, dtype=torch.float)
            self.cos = torch.cos(torch.outer(t, self.inv))
        return x * self.cos[:n]


class FillsMask(Module):
    m: Tensor | None

    def __init__(self) -> None:
        super().__init__()
        self.m = None

    def forward(self, x: Tensor) -> Tensor:
        m = self.m
        if m is None or m.size(0) != x.size(0):
            m = torch.ones(x.size(0), 4, device=x.device)
            self.m = m
        return x * m


class FillsSize(Module):
    def __init__(self) -> None:
        super().__init__()
        self.n = 0

    def forward(self, x: Tensor) -> Tensor:
        if self.n != x.size(0):
            self.n = x.size(0)
        return x.reshape(self.n, -1)


class SilentBn(Module):
    def __init__(self) -> None:
        super().__init__()
        self.bn = nn.BatchNorm1d(4)

    def forward(self, x: Tensor) -> Tensor:
        return self.bn(x)


class SilentClone(Module):
    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("b", torch.zeros(2, 4))

    def forward(self, x: Tensor) -> Tensor:
        b = self.b.clone()
        b[0] = x[0]
        return b


class SilentTo(Module):
    def __init__(self) -> None:
        super().__init__()
        self.t = torch.ones(4)

    def forward(self, x: Tensor) -> Tensor:
        self.t = self.t.to(x.device)
        return x + self.t


class SilentTraining(Module):
    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("m", torch.zeros(4))

    def forward(self, x: Tensor) -> Tensor:
        if self.training:
            self.m.mul_(0.9).add_(x.mean(0))
        return x - self.m


class SilentPad(Module):
    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("z", torch.zeros(2, 4))

    def forward(self, x: Tensor) -> Tensor:
        both = [self.z]
        both.append(x)
        o = torch.zeros(4, 4)
        o[:2] = self.z
        return torch.cat(both) + o


class SilentResetHidden(Module):
    def __init__(self) -> None:
        super().__init__()
        self.h = torch.zeros(4)

    def forward(self, x: Tensor) -> Tensor:
        self.h = torch.zeros(4)
        ys = []
        for i in range(x.size(0)):
            self.h = torch.tanh(self.h + x[i])
            ys.append(self.h)
        return torch.stack(ys)


class SilentExplicit(Module):
    """The state goes in and comes out: what the page of the rule advises."""

    def forward(self, x: Tensor, state: Tensor) -> tuple[Tensor, Tensor]:
        state = 0.5 * state + x
        return torch.relu(state), state


def exported(name: str, model: Module, folder: pathlib.Path) -> list[pathlib.Path]:
    if name == "SilentExplicit":
        files = [folder / f"{name}.onnx", folder / f"{name}.pt2"]
        torch.onnx.export(model, (INPUT, INPUT), files[0], dynamo=False, input_names=["x", "state"])
        torch.export.save(torch.export.export(model, (INPUT, INPUT)), files[1])
        return files
    files = [folder / f"{name}.scripted.pt"]
    torch.jit.script(model).save(files[0])
    if name in TRACED:
        files.append(folder / f"{name}.traced.pt")
        torch.jit.trace(model, INPUT, check_trace=False).save(files[-1])
    return files


class KeptState(unittest.TestCase):
    program = ""

    def findings(self, files: list[pathlib.Path]) -> dict[str, list[dict[str, Any]]]:
        ran = preloaded.run([self.program, "check", "--select", "mutated-state", "--output-format", "json", *files])
        self.assertIn(ran.returncode, (0, 1), ran.stderr)
        return {pathlib.Path(model["path"]).name: model["findings"] for model in json.loads(ran.stdout)["models"]}

    def test_state_is_found_where_it_is_kept_and_nowhere_else(self) -> None:
        models = {name: made for name, made in globals().items() if name.startswith(("Fires", "Fills", "Silent"))}
        self.assertGreater(len(models), 40)
        with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            files = [file for name, made in models.items() for file in exported(name, made().eval(), pathlib.Path(folder))]
            for file, found in self.findings(files).items():
                with self.subTest(file=file):
                    name = file.partition(".")[0]
                    self.assertEqual(bool(found), not name.startswith("Silent"), found)
                    self.assertTrue(all(finding["locations"] for finding in found), found)
                    severities = {finding["severity"] for finding in found}
                    self.assertEqual("warning" in severities, name.startswith("Fires") and name not in UNREAD, found)


if __name__ == "__main__":
    KeptState.program = sys.argv[1]
    unittest.main(argv=sys.argv[:1])
