"""Edits of sources that are written to be harmed by them: what code observes stays the same, or the code is named."""

import contextlib
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import traceback
import typing
import unittest
import warnings

import looks

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))

import forked
import preloaded

PROGRAM = sys.argv.pop()
sys.dont_write_bytecode = True
warnings.simplefilter("ignore")

HEAD = "import torch\nimport torch.nn.functional as F\nfrom torch import nn\n\n\n"

MAKE = '''import hashlib, inspect, json, sys, torch
torch.manual_seed(1)
import net
def show(v):
    if isinstance(v, torch.Tensor): return [str(v.dtype), v.detach().double().flatten().tolist()]
    if isinstance(v, (list, tuple)): return [show(e) for e in v]
    return repr(v)
def attempt(f):
    try: return show(f())
    except Exception as e: return type(e).__name__
def seeded(f):
    torch.manual_seed(2)
    return f()
def make():
    torch.manual_seed(1)
    return net.Net().eval()
x = torch.randn(2, 4, 6, 6, generator=torch.Generator().manual_seed(3))
'''

#: What a model does and shows, in every way that is cheap to ask for.
PROBE = MAKE + '''
def kept(m, x):
    with torch.no_grad(): y = m(x)
    return y, x
facts = {
    "eval": attempt(lambda: kept(make(), x.clone())),
    "train": attempt(lambda: seeded(lambda: kept(make().train(), x.clone()))),
    "frozen": attempt(lambda: seeded(lambda: make().train().eval()(x))),
    "double": attempt(lambda: kept(make().double(), x.double())),
    "bfloat16": attempt(lambda: kept(make().bfloat16(), x.bfloat16())),
    "mixed": attempt(lambda: kept(make().bfloat16(), x)),
    "state": sorted(make().state_dict()),
    "parameters": [n for n, _ in make().named_parameters()],
    "signature": str(inspect.signature(net.Net)).split(" at 0x")[0],  # where a default stands in memory
}
def autocast():
    with torch.autocast("cpu", torch.bfloat16): return kept(make(), x.clone())
facts["autocast"] = attempt(autocast)
def scripted():
    m = torch.jit.script(make())
    return m(x.clone()), m.train()(x.clone()) if "dropout" not in m.code else None
facts["scripted"] = attempt(scripted)
facts["more"] = attempt(lambda: net.more() if hasattr(net, "more") else None)
try:
    import train
    facts["outside"] = show(train.look(make(), x.clone()))
except ImportError: pass
print(json.dumps(facts))
'''

#: What other code sees of a model.
LOOK = MAKE + '''
import train
print(json.dumps(show(train.look(make(), x.clone()))))
'''

EXPORT = '''import sys, torch
torch.manual_seed(1)
from net import Net
net = Net().eval()
scripted = "dropout" in open("net.py").read()  # a trace in evaluation has none
(torch.jit.script(net) if scripted else torch.jit.trace(net, torch.randn(2, 4, 6, 6), check_trace=False)).save("model.pt")
'''


def net(made: str, forward: str, head: str = "", base: str = "nn.Module") -> str:
    made = "".join(f"        {line}\n" for line in made.splitlines())
    forward = "".join(f"        {line}\n" for line in forward.splitlines())
    return (HEAD + head + f"class Net({base}):\n    def __init__(self):\n        super().__init__()\n{made}\n"
            f"    def forward(self, x):\n{forward}")


CONV = "self.conv = nn.Conv2d(4, 4, 3, padding=1)"
ACT = CONV + "\nself.act = nn.ReLU()"

SWISH = "def swish(x):\n    return x * torch.sigmoid(x)\n\n\n"


def taking(function: str, head: str = "") -> str:
    """A class whose constructor is given a function."""
    source = net(CONV + "\nself.f = f", "return self.f(self.conv(x) - 0.1)", head).replace("(self):", f"(self, f={function}):")
    return source + ("\n\ndef more():\n    x = torch.ones(1, 4, 3, 3) / 3\n    made = []\n"
                     "    for f in (torch.relu, torch.tanh, lambda t: t / 2, nn.PReLU(), nn.GELU()):\n"
                     "        torch.manual_seed(4)\n        model = Net(f)\n"
                     "        made.append((sorted(model.state_dict()), model(x)))\n    return made\n")


#: Sources whose edits change nothing.
FIXED: dict[str, str] = {
    "a residual": net(CONV, "y = self.conv(x)\ny += x\nreturn F.relu(y, inplace=True)"),
    "a residual that is the caller's tensor": net(CONV, "x += self.conv(x)\nreturn x"),
    "an alias in a branch that no sample takes":
        net(CONV, "y = self.conv(x)\naux = y.detach() if self.training else y * 1\ny += x\nreturn y, aux"),
    "a list that keeps what is written":
        net(CONV, "y = self.conv(x)\nkept = [y]\ny += x\ny *= 2\nreturn y, kept[0]"),
    "numbers": net(CONV + "\nself.scale = 0.5\nself.steps = 2",
                   "y = self.conv(x) * self.scale\ny = 1 - y\ny = y - 1\ny = y / self.steps\nreturn y + 1e-6"),
    "sizes": net(CONV, "b, c, h, w = x.shape\ny = self.conv(x) / h\nreturn torch.add(y, 1) + w"),
    "numbers of sizes":
        net(CONV, "b, c = x.shape[:2]\nn = b * c\ny = self.conv(x).reshape(b, c, -1) / (n - 1)\n"
                  "return y * (2 if self.training else 3) + max(n, 1)"),
    "numbers that functions take":
        net(CONV + "\nself.slope = 0.1", "y = F.leaky_relu(self.conv(x), self.slope)\n"
                                         "return y.masked_fill(x > 0.5, float('-inf')).softmax(-1)"),
    "a sum that begins with a number": net(CONV, "total = 0\ntotal += self.conv(x)\nfirst = total\n"
                                                 "total += x\nreturn total, first"),
    "the larger of two": net(CONV, "y = self.conv(x)\na = torch.max(y, dim=1)[0]\nv, i = y.min(1)\n"
                                   "return torch.max(a, v) + i"),
    "the larger of it and a weight":
        net(CONV + "\nself.floor = nn.Parameter(torch.zeros(1))", "return torch.max(self.conv(x), self.floor)"),
    "a function that is given nothing":
        net(CONV + "\nself.w = nn.Parameter(torch.rand(108, 36))\nself.out = nn.Parameter(torch.rand(36, 36))",
            "y = self.conv(x).flatten(2)\nreturn F.multi_head_attention_forward(y, y, y, 36, 4, self.w, None, None, None,\n"
            "    False, dropout_p=0.0, out_proj_weight=self.out, out_proj_bias=None, training=self.training)[0]"),
    "a number of the file": net(CONV, "return self.conv(x) * SCALE", head="SCALE = 0.25\n\n\n"),
    "functions with arguments":
        net(CONV, "y = self.conv(x)\ny = y.mean(dim=1, keepdim=True)\ny = torch.cat([y, x], dim=1)\n"
                  "y = F.pad(y, (1, 1, 1, 1))\nreturn y.clamp(min=0.0).sum(dim=(2, 3))"),
    "a dropout": net(CONV, "return F.dropout2d(self.conv(x), 0.5, self.training)"),
    "a dropout whose class stays in evaluation":
        net(CONV + "\nself.eval()", "return F.dropout2d(self.conv(x), 0.5, self.training)"),
    "a dropout of a class that trains differently":
        net(CONV, "return F.dropout2d(self.conv(x), 0.5, self.training)")
        + "\n    def train(self, mode=True):\n        self.training = mode\n        return self\n",
    "a module called twice": net(CONV + "\nself.relu = nn.ReLU()", "return self.relu(self.conv(self.relu(x)))"),
    "a function that is kept": net(CONV + "\nself.f = F.relu", "return self.f(self.f(self.conv(x)) - 0.1)"),
    "a function of the file that is kept":
        net(CONV + "\nself.f = swish", "y = self.f(self.conv(x))\nreturn self.f(y)", head=SWISH),
    "a function that is given": taking("F.relu"),
    "a function of the file that is given": taking("swish", SWISH),
    "a tensor that is taken apart": net(CONV, "a, b = self.conv(x)\nc, d = tuple(x)\nreturn [a + c - t for t in x], b + d"),
    "what is taken apart and may be no tensor":
        net(CONV, "a, b = x\nreturn a - b") + "\n\ndef more():\n    model = Net()\n"
        "    return model((3, 2)), model(iter([5.0, 1.0])), model({7: 1, 4: 1})\n",
    "what a loop runs along and may be no tensor":
        net(CONV, "total = x[0] * 0\nfor t in x:\n    total = total + t\n"
                  "    if isinstance(x, list) and len(x) < 4:\n        x.append(t * 2)\nreturn total")
        + "\n\ndef more():\n    return Net()([torch.ones(2)])\n",
    "what is made while a loop runs along it":
        net(CONV, "total = 0\nfor t in x:\n    total = total + t\n    if total.sum() > 9:\n        break\nreturn total")
        + "\n\ndef more():\n    made = []\n    def frames():\n        for i in range(9):\n            made.append(i)\n"
        "            yield torch.ones(2) * i\n    return Net()(frames()), made\n",
    "a receiver of another name": net(CONV, "return self.conv(x) + x").replace("self", "this"),
    "a constructor on one line":
        HEAD + "class Net(nn.Module):\n    def __init__(self): super().__init__(); " + CONV
        + "; self.act = nn.ReLU()\n\n    def forward(self, x):\n        return self.act(self.conv(self.act(x))) + x\n",
    "a module behind a property":
        net(CONV + "\nself._act = nn.ReLU()", "return self.act(self.conv(self.act(x)))")
        + "\n    @property\n    def act(self):\n        return self._act\n",
    "names that other code sets":
        net(CONV, "return F.relu(self.conv(x)) - 0.1") + "\n\ndef more():\n    model = Net().eval()\n"
        "    for name in ('sub', 'relu_2'):\n        setattr(model, name, 3)\n"
        "    model.__dict__.update(relu=None)\n    model.register_buffer('sub_2', torch.ones(1))\n"
        "    return model(torch.ones(1, 4, 3, 3)).sum().isfinite(), sorted(model.state_dict())\n",
    "names of classes that derive from it by other names":
        net(CONV, "return F.relu(self.conv(x)) - 0.1") + "\n\ndef more():\n    from net import Net as Base\n"
        "    class Sub(Base):\n        relu = 3\n    Other = type('Other', (Net,), {'sub': 7})\n"
        "    made = [Sub(), Other()]\n    x = torch.ones(1, 4, 3, 3)\n"
        "    return [m(x).isfinite().all() for m in made], made[0].relu, made[1].sub\n",
    "names of classes that derive from any":
        net(CONV, "return F.relu(self.conv(x)) - 0.1") + "\n\ndef named(base):\n    class Named(base):\n"
        "        def __init__(self):\n            super().__init__()\n            self.relu = self.sub = None\n"
        "    return Named\n\n\ndef more():\n    return named(Net)()(torch.ones(1, 4, 3, 3)).isfinite().all()\n",
    "lines that end differently": net(CONV, "return self.conv(x) + x").replace("\n", "\r\n", 3),
}

#: Sources whose edits this code may notice.
LEFT: dict[str, tuple[str, str]] = {
    # Under autocast it computes in another dtype.
    "a function that torch compiles": (net(CONV, "return swish(self.conv(x))", head="@torch.jit.script\n" + SWISH), ""),
    "a class without a constructor":
        (net(CONV, "return self.conv(x)").replace("Net", "Base").replace("(self)", "(self, width: int = 3)", 1)
         + "\n\nclass Net(Base):\n    # the sum\n    def forward(self, x):\n        return self.conv(x) + x\n", ""),
    "a base class that runs what derives from it":
        (net("self.build()", "return self.encode(x)").replace("Net", "Base")
         + "\n    def build(self):\n        pass\n\n\nclass Net(Base):\n    def __init__(self):\n        super().__init__()\n"
           "        self.last = nn.Conv2d(4, 4, 1)\n\n    def build(self):\n        " + CONV + "\n"
           "        self.size = self.encode(torch.zeros(1, 4, 3, 3)).shape\n\n    def encode(self, x):\n"
           "        return F.relu(self.conv(x)) + x\n\n    def forward(self, x):\n"
           "        return self.last(self.encode(x))\n", ""),
    "a method that a constructor hands on":
        (net(CONV + "\nself.size = size_of(self.encode)", "return self.encode(x)",
             head="def size_of(function):\n    return function(torch.zeros(1, 4, 3, 3)).shape\n\n\n")
         + "\n    def encode(self, x):\n        return F.relu(self.conv(x)) + x\n", ""),
    "a property that a constructor reads":
        (net(CONV + "\nself.sizes = [self.size]", "return self.encode(x)")
         + "\n    @property\n    def size(self):\n        return self.encode(torch.zeros(1, 4, 3, 3)).shape\n"
           "\n    def encode(self, x):\n        return F.relu(self.conv(x)) + x\n", ""),
    "a copy that a constructor makes of itself":
        (net(CONV + "\nself.shadow = [copy.deepcopy(x=self)]", "return self.encode(x)", head="import copy\n\n\n")
         + "\n    def encode(self, x):\n        return F.relu(self.conv(x)) + x\n",
         "def look(net, x):\n    return net.shadow[0].encode(x)\n"),
    "what a package does by the class of a module":
        (net(CONV, "return F.relu(self.conv(x))"),
         "from captum.attr import GuidedBackprop\ndef look(net, x):\n    return GuidedBackprop(net).attribute(x)\n"),
    "a function of a package that visits all modules":
        (net(CONV, "return F.relu(self.conv(x))"),
         "from timm.models import named_apply\ndef look(net, x):\n    seen = []\n\n    def note(module, name):\n"
         "        seen.append(name)\n    named_apply(note, net)\n    return seen\n"),
    "a loop that other code makes longer":
        (net(CONV + "\nself.layers = nn.ModuleList([nn.Conv2d(4, 4, 1) for _ in range(2)])",
             "for layer in self.layers:\n    x = F.relu(layer(x))\nreturn x"),
         "from torch import nn\ndef look(net, x):\n    net.layers.append(nn.Identity())\n    return net(x)\n"),
    "a factory that draws":
        (net(CONV + "\nself.act = make()", "return self.act(self.conv(self.act(x)))",
             head="def make():\n    return nn.LeakyReLU(torch.rand(1).item())\n\n\n"), ""),
    "children that a package runs in a row":
        (net(ACT + "\nself.last = nn.Conv2d(4, 4, 1)", "return self.last(self.act(self.conv(self.act(x))))"),
         "from package import IntermediateLayerGetter\ndef look(net, x):\n"
         "    return IntermediateLayerGetter(net, {'last': 'out'})\n"),
    "modules that others choose":
        (net(CONV + "\nself.act = act_layer()", "return self.act(self.conv(self.act(x)))")
         .replace("(self):", "(self, act_layer=nn.ReLU):", 1) + "\n\ndef more():\n    "
         "return sorted(Net(nn.PReLU).state_dict())\n", ""),
    "a factory that counts":
        (net(CONV + "\nself.act = make()", "return self.act(self.conv(self.act(x)))",
             head="MADE = []\ndef make():\n    MADE.append(1)\n    return nn.LeakyReLU(0.1 * len(MADE))\n\n\n"), ""),
    "slices of children": (net(CONV, "return torch.sigmoid(self.conv(x))"),
                           "from torch import nn\ndef look(net, x):\n"
                           "    return nn.Sequential(*list(net.children())[:2])(x)\n"),
    "the last child": (net(CONV + "\nself.last = nn.Conv2d(4, 2, 1)", "return F.relu(self.last(self.conv(x)))"),
                       "def look(net, x):\n    for child in list(net.children())[:-1]:\n"
                       "        child.requires_grad_(False)\n"
                       "    return [p.requires_grad for p in net.parameters()]\n"),
    "swaps": (net(CONV + "\nself.act = nn.ReLU()", "return F.relu(self.conv(self.act(x)) - 0.1)"),
              "from torch import nn\ndef look(net, x):\n    for name, child in net.named_children():\n"
              "        if isinstance(child, nn.ReLU):\n            setattr(net, name, nn.Sigmoid())\n"
              "    return net(x)\n"),
    "one attribute replaced": (net(CONV + "\nself.act = nn.ReLU()", "return self.act(self.conv(self.act(x)))"),
                               "from torch import nn\ndef look(net, x):\n    net.act = nn.Sigmoid()\n"
                               "    return net(x)\n"),
    "a class that counts what it is given":
        (net(CONV, "return F.relu(self.conv(x))")
         + "\n    def __setattr__(self, name, value):\n        super().__setattr__(name, value)\n"
           "        self.__dict__.setdefault('seen', []).append(name)\n", "def look(net, x):\n    return net.seen\n"),
    "a class with names of its own":
        (net(CONV, "return F.relu(self.conv(x))")
         + "\n    def __getattr__(self, name):\n        return 3 if name == 'relu' else super().__getattr__(name)\n", ""),
}

#: A model with both a module and a function, one that calls a module twice, and one that does not make its modules in order.
ONE = net(ACT, "return F.relu(self.conv(self.act(x)) - 0.1)")
TWICE = net(ACT, "return self.act(self.conv(self.act(x)) - 0.1)")
MIDDLE = net("self.act = nn.ReLU()\n" + CONV + "\nself.last = nn.Conv2d(4, 4, 1)",
             "return self.last(self.act(self.conv(self.act(x))))")
KEPT = net(CONV + "\nself.f = F.relu", "return self.f(self.f(self.conv(x) - 0.1) - 0.1)")
TAKING = taking("F.relu")
#: Of these, code of `looks` is given one.
GIVEN = {looks.BOTH: ONE, looks.ALONE: net(CONV, "return self.conv(F.relu(x)) - 0.1"),
         looks.TWICE: TWICE}
ZERO = "register_forward_hook(lambda m, i, o: o + 1)"

#: The same by what `look(net, x)` of another file does: with a network's children,
LOOKS: dict[str, tuple[str, str]] = {
    "all names": (ONE, "for name in dir(net):\n    if name.startswith('__'):\n        continue\n"
                       "    if isinstance(getattr(net, name, None), nn.ReLU):\n"
                       "        setattr(net, name, nn.Sigmoid())\nreturn net(x)"),
    "members": (ONE, "import inspect\nfor name, m in inspect.getmembers(net, lambda m: isinstance(m, nn.ReLU)):\n"
                     "    setattr(net, name, nn.Sigmoid())\nreturn net(x)"),
    "vars": (ONE, "return list(vars(net)['_modules'])"),
    "a dictionary": (ONE, "return len(net.__dict__['_modules'])"),
    "a dictionary that is asked": (ONE, "return list(net.__dict__.get('_modules'))[-1]"),
    "an attribute by its name": (ONE, "return list(getattr(net, '_modules').keys())"),
    "a method of the class": (ONE, "return len(list(nn.Module.children(net)))"),
    "a method by its name": (ONE, "return len(list(getattr(net, 'children')()))"),
    "a method under another name": (ONE, "it = net.named_children\nreturn [n for n, _ in it()]"),
    "a caller of a method": (ONE, "from operator import methodcaller\nreturn len(list(methodcaller('children')(net)))"),
    "a method whose name is computed": (ONE, "return [n for n, _ in getattr(net, 'named_' + kind())()]\n\n\n"
                                             "def kind():\n    return 'children'"),
    "a method whose name is kept": (ONE, "walk = 'named_children'\nreturn [n for n, _ in getattr(net, walk)()]"),
    "names of a file": (ONE, "import inspect, net as n\nreturn [k for k, v in inspect.getmembers(n, inspect.isclass)]"),
    "variables of a file": (ONE, "import net as n\nreturn sorted(k for k, v in vars(n).items() if isinstance(v, type))"),
    "a quantiser": (net(CONV, "return torch.sigmoid(self.conv(x))"),
                    "from torch.ao import quantization as tq\nnet.qconfig = tq.get_default_qconfig('x86')\n"
                    "return sorted(tq.prepare(net).state_dict())"),
    "a number of each": (MIDDLE, "for i, child in enumerate(net.children()):\n    if i < 2:\n"
                                 "        for p in child.parameters():\n            p.requires_grad_(False)\n"
                                 "return [p.requires_grad for p in net.parameters()]"),
    "groups of weights": (MIDDLE, "groups = []\nfor child in net.children():\n"
                                  "    groups.append(list(child.parameters()))\nreturn len(groups)"),
    "what a loop ends with": (ONE, "for m in net.modules():\n    last = m\nreturn type(last).__name__"),
    "names in a list": (ONE, "for name, m in net.named_children():\n    if any(key in name for key in KINDS):\n"
                             "        m." + ZERO + "\nreturn net(x)\n\n\nKINDS = ['relu', 'gelu']"),
    "names by default": (ONE, "def hook(kinds=('relu', 'gelu')):\n    for name, m in net.named_children():\n"
                              "        if name in kinds:\n            m." + ZERO + "\nhook()\nreturn net(x)"),
    "hooks of all modules": (ONE, "calls = []\nhook = nn.modules.module.register_module_forward_hook(\n"
                                  "    lambda m, i, o: calls.append(type(m).__name__))\nnet(x)\nhook.remove()\nreturn calls"),
    "a graph": (ONE, "from torch import fx\nreturn [n.op for n in fx.symbolic_trace(net).graph.nodes]"),
    # with the module that is called twice,
    "a hook": (TWICE, "net.act." + ZERO + "\nreturn net(x)"),
    "a hook by another name": (TWICE, "act = net.act\nact." + ZERO + "\nreturn net(x)"),
    "a function that hooks": (TWICE, "def hook(m):\n    m." + ZERO + "\nhook(net.act)\nreturn net(x)"),
    "what it writes into": (TWICE, "net.act.inplace = True\ny = x.clone()\nnet(y)\nreturn y"),
    "an entry": (TWICE, "net._modules['act'] = nn.Sigmoid()\nreturn net(x)"),
    "an entry of all": (TWICE, "dict(net.named_modules())['act']." + ZERO + "\nreturn net(x)"),
    "a submodule": (TWICE, "net.get_submodule('act')." + ZERO + "\nreturn net(x)"),
    "another submodule": (TWICE, "net.set_submodule('act', nn.Sigmoid())\nreturn net(x)"),
    "a module that is added": (TWICE, "net.add_module('act', nn.Sigmoid())\nreturn net(x)"),
    "a getter": (TWICE, "from operator import attrgetter\nattrgetter('act')(net)." + ZERO + "\nreturn net(x)"),
    "a patch": (TWICE, "from unittest import mock\nwith mock.patch.object(net, 'act', nn.Sigmoid()):\n    return net(x)"),
    "names that are computed": (TWICE, "for name, kind in SWAPS.items():\n    setattr(net, name, kind())\nreturn net(x)"
                                       "\n\n\nSWAPS = {'act': nn.Sigmoid}"),
    "keywords": (TWICE, "def patch(**kinds):\n    for name, kind in kinds.items():\n        setattr(net, name, kind)\n"
                        "patch(act=nn.Sigmoid())\nreturn net(x)"),
    "fused modules": (net("self.conv = nn.Conv2d(4, 4, 3, padding=1)\nself.conv2 = nn.Conv2d(4, 4, 1)\n"
                          "self.act = nn.ReLU()", "return self.act(self.conv2(self.act(self.conv(x))) - 0.1)"),
                      "from torch.ao.quantization import fuse_modules\nreturn fuse_modules(net, ['conv', 'act'])(x)"),
    "a class that derives": (TWICE, "import net as n\nclass Sub(n.Net):\n    def __init__(self):\n"
                                    "        super().__init__()\n        self.act = nn.Sigmoid()\n"
                                    "sub = Sub().eval()\nsub.load_state_dict(net.state_dict())\nreturn sub(x)"),
    # with the function that it keeps, or that its constructor is given,
    "another function": (KEPT, "net.f = nn.functional.sigmoid\nreturn net(x)"),
    "another function of several": (KEPT, "old, net.f = net.f, nn.functional.sigmoid\nreturn net(x)"),
    "another function by its name": (KEPT, "setattr(net, 'f', nn.functional.sigmoid)\nreturn net(x)"),
    "another function for a while": (KEPT, "from unittest import mock\nwith mock.patch.object(net, 'f', nn.functional.sigmoid):\n"
                                           "    return net(x)"),
    "another function in its place": (KEPT, "net.__dict__['f'] = nn.functional.sigmoid\nreturn net(x)"),
    "another function of a class that derives":
        (KEPT, "import net as n\nclass Sub(n.Net):\n    def __init__(self):\n        super().__init__()\n"
               "        self.f = nn.functional.sigmoid\nsub = Sub().eval()\nsub.load_state_dict(net.state_dict())\nreturn sub(x)"),
    "a patch of the function": (KEPT, "from unittest import mock\nwith mock.patch('torch.nn.functional.relu', nn.functional.sigmoid):\n"
                                      "    return net(x)"),
    "which function it is": (TAKING, "return net.f is nn.functional.relu"),
    "the name of its function": (TAKING, "return getattr(net.f, '__name__', None)"),
    "the class of its function": (TAKING, "return type(net.f).__name__"),
    "whether it is a function": (TAKING, "import inspect\nreturn inspect.isfunction(net.f)"),
    "a function among variables": (TAKING, "return 'f' in vars(net)"),
    "a function that is compared": (TAKING, "import copy\nreturn copy.deepcopy(net).f is net.f"),
    "a function that is handed on": (TAKING, "import pickle\nreturn pickle.dumps(net.f)"),
    "a function of all variables": (TAKING, "return [k for k, v in vars(net).items() if callable(v)]"),
    # or with its methods alone
    "a borrowed method": (ONE, "import net as n\nclass Other(nn.Module):\n    forward = n.Net.forward\n"
                               "    conv = act = nn.Identity()\nreturn Other()(x)"),
    "a borrowed method under another name":
        (ONE, "from net import Net as N\nclass Other(nn.Module):\n    conv = act = nn.Identity()\n"
              "    def forward(self, x):\n        return N.forward(self, x)\nreturn Other()(x)"),
    "a borrowed method by its name": (ONE, "import net as n, types\nother = nn.Module()\n"
                                           "other.conv = other.act = nn.Identity()\n"
                                           "return types.MethodType(getattr(n.Net, 'forward'), other)(x)"),
    "another constructor": (ONE, "import net as n\ndef light(self):\n    nn.Module.__init__(self)\n"
                                 "    self.conv = self.act = nn.Identity()\nn.Net.__init__ = light\nreturn n.Net()(x)"),
    "another constructor for a while":
        (ONE, "import net as n\nfrom unittest import mock\ndef light(self):\n    nn.Module.__init__(self)\n"
              "    self.conv = self.act = nn.Identity()\nwith mock.patch.object(n.Net, '__init__', light):\n"
              "    return n.Net()(x)"),
    "a class of computed members": (ONE, "import net as n\nmembers = {'relu': 3, 'sub': 7}\n"
                                         "return type('Sub', (n.Net,), members)().eval()(x).shape"),
    "a class made of any": (ONE, "import net as n\ndef light(base):\n    class Light(base):\n"
                                 "        def __init__(self):\n            nn.Module.__init__(self)\n"
                                 "            self.conv = self.act = nn.Identity()\n    return Light\n"
                                 "return light(n.Net)()(x)"),
    "a maker under another name": (ONE, "import net as n\nmake = object.__new__\nnew = make(n.Net)\n"
                                        "nn.Module.__init__(new)\nnew.conv = new.act = nn.Identity()\nreturn new(x)"),
    "a class that makes its own": (ONE, "import net as n\nclass Sub(n.Net):\n    def __init__(self):\n"
                                        "        nn.Module.__init__(self)\n        self.conv = self.act = nn.Identity()\n"
                                        "return Sub()(x)"),
    "an object without a constructor": (ONE, "import net as n\nnew = n.Net.__new__(n.Net)\nnn.Module.__init__(new)\n"
                                             "new.conv = new.act = nn.Identity()\nreturn new(x)"),
}


#: What is said of edits that touch what other code names; and what an export shows of a model.
NAMED = "wait for `--write-mentioned`"
LISTED = "code that looks at all modules"
#: Networks that cannot be made, or exported, once they are edited.
FAILS = ("a base class that runs what derives from it",)
OF_MODEL = ("eval", "train", "frozen", "state", "parameters")

#: Exports of sources.
MODELS: dict[str, bytes] = {}


def looking(code: str) -> str:
    code, _, behind = code.partition("\n\n\n")
    body = "".join(f"    {line}\n" for line in code.splitlines())
    return "from torch import nn\n\n\ndef look(net, x):\n" + body + "\n\n" + behind + "\n"


class HarmTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        forked.warm()

    def setUp(self) -> None:
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def python(self, code: str, failure: str | None = None) -> str:
        """Runs code in a fork, which finds torch imported.

        failure: what is returned where it fails
        """
        printed = self.folder / "printed.txt"
        child = os.fork()
        if child == 0:
            try:
                os.chdir(self.folder)
                sys.path.insert(0, str(self.folder))
                with printed.open("w") as out, contextlib.redirect_stdout(out):
                    exec(code, {"__name__": "__main__"})
                os._exit(0)
            except BaseException:
                if failure is None:
                    traceback.print_exc()
            os._exit(1)
        failed = os.waitpid(child, 0)[1] != 0
        if failed and failure is not None:
            return failure
        self.assertFalse(failed)
        return printed.read_text()

    def fix(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        done = preloaded.run([PROGRAM, "fix", "model.pt", "--isolated", "--select", "GRA001,GRA002", *arguments], cwd=self.folder)
        self.assertIn(done.returncode, (0, 1), done.stderr)
        return done

    def lay_out(self, source: str, beside: str = "") -> dict[str, typing.Any]:
        for path in self.folder.glob("*"):
            path.unlink()
        (self.folder / "net.py").write_bytes(source.encode())
        if beside:
            (self.folder / "train.py").write_text(beside)
        self.python(EXPORT)
        return typing.cast("dict[str, typing.Any]", json.loads(self.python(PROBE)))

    def test_edits_that_nothing_names_change_nothing(self) -> None:
        for name, source in FIXED.items():
            with self.subTest(name):
                before = self.lay_out(source)
                if before["scripted"] == "RuntimeError":  # the edit may mend that
                    del before["scripted"]
                self.fix("--write", "--unproven")
                after = (self.folder / "net.py").read_text()
                self.assertNotEqual((self.folder / "net.py").read_bytes(), source.encode())
                facts = json.loads(self.python(PROBE))
                self.assertEqual({key: facts[key] for key in before}, before, after)
                self.assertEqual(self.fix("--write", "--unproven").stdout, "", "a second run with the old model")
                self.assertEqual((self.folder / "net.py").read_text(), after)

    def test_a_model_that_an_edit_changes_is_spoken_of(self) -> None:
        """Its export proves the others wrong."""
        changed = set()
        for name, (source, beside) in LEFT.items():
            with self.subTest(name):
                before = self.lay_out(source, beside)
                said = self.fix("--write", "--unproven").stderr
                after = json.loads(self.python(PROBE, "{}"))
                if after and {key: after[key] for key in OF_MODEL} != {key: before[key] for key in OF_MODEL}:
                    continue
                if after != before:
                    changed.add(name)
                    self.assertTrue(NAMED in said or LISTED in said or name in FAILS, said)
        self.assertGreater(len(changed), 5)

    def look(self, source: str, code: str) -> tuple[str, str, str]:
        """What code gets before a fix and after it, and what the fix says."""
        for path in self.folder.glob("*.py"):
            path.unlink()
        (self.folder / "net.py").write_text(source)
        (self.folder / "train.py").write_text(looking(code))
        if source not in MODELS:
            self.python(EXPORT)
            MODELS[source] = (self.folder / "model.pt").read_bytes()
        (self.folder / "model.pt").write_bytes(MODELS[source])
        before = self.python(LOOK)
        said = self.fix("--write", "--unproven").stderr
        return before, self.python(LOOK, "it fails"), said

    def test_code_that_an_edit_changes_is_named(self) -> None:
        changed = set()
        given = {name: (GIVEN[model], code) for name, (model, code) in looks.NOTICES.items()}
        for name, (source, code) in {**LOOKS, **given}.items():
            with self.subTest(name):
                before, after, said = self.look(source, code)
                if after != before:
                    changed.add(name)
                    self.assertIn("train.py:", said)
        self.assertGreater(len(changed), 50)

    def test_a_class_hides_none_of_a_file_that_imports_all_names(self) -> None:
        self.lay_out(net(CONV, "return self.conv(x) * x"))
        (self.folder / "fusion.py").write_text("from torch import nn\nclass Multiply(nn.Module):\n    own = True\n\n\n"
                                               "from net import *\n\nOWN = Multiply.own\n")
        self.assertNotIn(NAMED, self.fix("--write", "--unproven").stderr)
        self.assertIn("Multiply", (self.folder / "net.py").read_text())
        self.assertEqual(self.python("import fusion\nprint(fusion.OWN)"), "True\n")

    def test_nothing_is_written_through_a_link_that_leads_nowhere(self) -> None:
        self.lay_out(FIXED["a residual"])
        outside = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, outside)
        (self.folder / "functional_modules.py").symlink_to(outside / "written.py")
        self.assertIn("must not be written", self.fix("--write", "--unproven").stderr)
        self.assertEqual(list(outside.iterdir()), [])

    def test_a_file_of_the_user_s_stays(self) -> None:
        for text in ("", "X = 1\n"):
            self.lay_out(FIXED["numbers"])
            (self.folder / "functional_modules.py").write_text(text)
            self.assertIn("already exists", self.fix("--write", "--unproven").stderr)
            self.assertEqual((self.folder / "functional_modules.py").read_text(), text)

    def test_pickles_of_whole_models_are_spoken_of(self) -> None:
        self.lay_out(FIXED["a residual"])
        self.assertIn("pickled", self.fix().stderr)


if __name__ == "__main__":
    unittest.main()
