"""What code does with a network that it is given: `look(net, x)` of another file, by what it is."""

#: The model has a module and functions, or functions alone.
BOTH = "both"
ALONE = "alone"
#: It calls a module twice.
TWICE = "twice"

#: It gets another result if the model has one module more.
NOTICES: dict[str, tuple[str, str]] = {
    # Hooks
    "features in a list": (BOTH, "kept = []\nfor m in net.modules():\n    if not list(m.children()):\n"
                                 "        m.register_forward_hook(lambda m, i, o: kept.append(o))\nnet(x)\nreturn kept[-2]"),
    "a hook of a maker": (BOTH, "kept = []\nfor m in net.modules():\n    m.register_forward_hook(save(kept))\nnet(x)\n"
                                "return len(kept)\n\n\ndef save(store):\n    def hook(m, i, o):\n"
                                "        store.append(o.mean())\n    return hook"),
    "a hook that counts": (BOTH, "counter = Counter()\nfor m in net.modules():\n    m.register_forward_hook(counter)\nnet(x)\n"
                                 "return counter.calls\n\n\nclass Counter:\n    calls = 0\n"
                                 "    def __call__(self, m, i, o):\n        self.calls += 1"),
    "a hook that scales": (BOTH, "for m in net.modules():\n    m.register_forward_hook(lambda m, i, o: o * 0.5)\nreturn net(x)"),
    "a hook before": (BOTH, "for m in net.modules():\n    m.register_forward_pre_hook(shift)\nreturn net(x)\n\n\n"
                            "def shift(m, given):\n    return (given[0] + 1,) + given[1:]"),
    "a hook that writes": (BOTH, "for m in net.modules():\n    m.register_forward_hook(clip)\nreturn net(x)\n\n\n"
                                 "def clip(m, given, out):\n    out.mul_(0.5)"),
    "a hook of all modules": (BOTH, "seen = []\ndef note(m, given):\n    seen.append(m)\nimport torch\n"
                                    "h = torch.nn.modules.module.register_module_forward_pre_hook(note)\nnet(x)\n"
                                    "h.remove()\nreturn len(seen)"),
    "an observer that is asked": (BOTH, "watch = Watch(net)\nnet(x)\nreturn watch.sizes\n\n\nclass Watch:\n"
                                        "    def __init__(self, net):\n        self.sizes = []\n        for m in net.modules():\n"
                                        "            m.register_forward_hook(self.hook)\n\n    def hook(self, m, given, out):\n"
                                        "        self.sizes.append(out.numel())"),
    "outputs of two calls by names": (TWICE, "kept = {}\ndef keep(name):\n    def hook(m, given, out):\n        kept[name] = out\n"
                                             "    return hook\nfor n, m in net.named_modules():\n"
                                             "    m.register_forward_hook(keep(n))\nnet(x)\nreturn kept['act']"),
    "what is kept in order": (BOTH, "watch = Watch(net)\nnet(x)\nreturn list(watch.out.values())[-2]\n\n\nclass Watch:\n"
                                    "    def __init__(self, net):\n        self.out = {}\n        for m in net.modules():\n"
                                    "            m.register_forward_hook(self.hook)\n\n    def hook(self, m, given, out):\n"
                                    "        self.out[m] = out"),
    # Places and numbers
    "a worklist": (BOTH, "order, todo = [], [net]\nwhile todo:\n    m = todo.pop()\n    order.append(m)\n"
                         "    todo.extend(m.children())\nreturn type(order[1]).__name__"),
    "all but the last": (BOTH, "mods = [m for m in net.modules()]\nfor m in mods[:-2]:\n    m.requires_grad_(False)\n"
                               "return len(mods[:-2])"),
    "the first half": (BOTH, "mods = list(net.modules())\nreturn [type(m).__name__ for m in mods[: len(mods) // 2]]"),
    "a place among names": (BOTH, "names = [n for n, _ in net.named_modules()]\nreturn names[-1]"),
    "the last module": (BOTH, "return type(list(net.modules())[-1]).__name__"),
    "the last child replaced": (BOTH, "name, _ = list(net.named_children())[-1]\nsetattr(net, name, nn.Identity())\nreturn net(x)"),
    "some of them": (BOTH, "from itertools import islice\nreturn [type(m).__name__ for m in islice(net.modules(), 2, None)]"),
    "a mean over modules": (BOTH, "return x / len(list(net.modules()))"),
    "a counted sum": (BOTH, "return x * sum(1 for _ in net.modules())"),
    "how many of a class": (BOTH, "return x * sum(isinstance(m, nn.ReLU) for m in net.modules())"),
    "whether there is one": (ALONE, "gain = 2 if any(isinstance(m, nn.ReLU) for m in net.modules()) else 1\nreturn x * gain"),
    "whether all are known": (BOTH, "return all(isinstance(m, (nn.Conv2d, nn.ReLU)) for m in net.children())"),
    "the first of a class": (ALONE, "for m in net.modules():\n    if isinstance(m, nn.ReLU):\n        return 'found'\nreturn 'none'"),
    "a number of a visit": (BOTH, "count = [0]\ndef visit(m):\n    count[0] += 1\nnet.apply(visit)\nreturn x * count[0]"),
    "a number outside": (BOTH, "n = 0\ndef visit(m):\n    nonlocal n\n    n += 1\nnet.apply(visit)\nreturn x * n"),
    "a running number": (BOTH, "i = 0\nfor m in net.modules():\n    i += 1\nreturn x * i"),
    "a list that a function fills": (BOTH, "leaves = []\ncollect(net, leaves)\nreturn type(leaves[-1]).__name__\n\n\n"
                                           "def collect(m, out):\n    for c in m.children():\n        out.append(c)\n"
                                           "        collect(c, out)"),
    "a list of a class": (BOTH, "return Layers(net).last()\n\n\nclass Layers:\n    def __init__(self, net):\n"
                                "        self.layers = list(net.modules())\n\n    def last(self):\n"
                                "        return type(self.layers[-1]).__name__"),
    "a function that is made to count": (BOTH, "calls = []\nnet.apply(counting(calls))\nreturn len(calls)\n\n\n"
                                               "def counting(calls):\n    def visit(m):\n        calls.append(1)\n"
                                               "    return visit"),
    "one of two functions counts": (BOTH, "net.apply(of('a'))\nreturn len(CALLS)\n\n\nCALLS = []\ndef init(m):\n    pass\n"
                                          "def count(m):\n    CALLS.append(1)\ndef of(mode):\n    if mode == 'b':\n"
                                          "        return init\n    return count"),
    "a seed for each": (BOTH, "seeds = iter(range(9))\nfor m in net.modules():\n    if next(seeds) and isinstance(m, nn.Linear):\n"
                              "        nn.init.ones_(m.weight)\nreturn next(seeds)"),
    "a function that is ended": (BOTH, "net.add_module('end', nn.Conv2d(4, 4, 1))\nfreeze(net)\n"
                                       "return [p.requires_grad for p in net.parameters()]\n\n\n"
                                       "def freeze(net):\n    for m in list(net.children()):\n"
                                       "        if not isinstance(m, nn.Conv2d):\n            return\n"
                                       "        m.requires_grad_(False)"),
    "what the last turn leaves": (BOTH, "for m in net.modules():\n    last = type(m).__name__\nreturn last"),
    # Tables and groups
    "rates by layer": (BOTH, "groups = []\nfor i, m in enumerate(net.modules()):\n"
                             "    groups.append({'params': list(m.parameters(recurse=False)), 'lr': 0.1 * 0.5 ** i})\n"
                             "return [g['lr'] for g in groups]"),
    "a rate that decays": (BOTH, "lr = 1.0\nfor m in net.modules():\n    lr *= 0.5\nreturn x * lr"),
    "groups of an optimiser": (BOTH, "import torch\nsgd = torch.optim.SGD(\n"
                                     "    [{'params': list(m.parameters(recurse=False))} for m in net.modules()], lr=0.1)\n"
                                     "return len(sgd.param_groups)"),
    "a checkpoint by place": (BOTH, "return {i: sorted(m.state_dict()) for i, m in enumerate(net.modules())}"),
    "names that were saved": (BOTH, "return [n for n, _ in net.named_modules()] == ['', 'conv', 'act']"),
    "two networks side by side": (BOTH, "old = Old()\nreturn [type(b).__name__ for a, b in zip(net.modules(), old.modules())]\n\n\n"
                                        "class Old(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
                                        "        self.conv = nn.Conv2d(4, 4, 3)\n        self.act = nn.ReLU()\n"
                                        "        self.a, self.b, self.c = nn.Tanh(), nn.GELU(), nn.SiLU()"),
    "one of its own for each": (BOTH, "it = iter([1, 2, 3])\nfor m in net.modules():\n    m.rate = next(it)\nreturn x"),
    "a queue": (BOTH, "rates = [1, 2, 3]\nfor m in net.modules():\n    m.rate = rates.pop(0)\nreturn x"),
    "costs by class": (BOTH, "total = 0\nfor m in net.modules():\n    if not list(m.children()):\n        total += COSTS[type(m)]\n"
                             "return x * total\n\n\nCOSTS = {nn.Conv2d: 9, nn.ReLU: 1}"),
    "an unknown class": (BOTH, "for m in net.children():\n    if isinstance(m, nn.Conv2d):\n        pass\n"
                               "    elif isinstance(m, nn.ReLU):\n        pass\n    else:\n"
                               "        raise NotImplementedError(type(m))\nreturn x"),
    "an unknown class in a function": (BOTH, "return x * sum(cost(m) for m in net.children())\n\n\ndef cost(m):\n"
                                             "    if isinstance(m, nn.Conv2d):\n        return 9\n"
                                             "    if type(m) is nn.ReLU:\n        return 1\n    raise ValueError(m)"),
    "pruned leaves": (ALONE, "from torch.nn.utils import prune\nfor m in net.modules():\n    if len(list(m.children())) == 0:\n"
                             "        prune.l1_unstructured(m, 'weight', 0.5)\nreturn net(x)"),
    "leaves with weights": (ALONE, "leaves = [m for m in net.modules() if not list(m.children())]\n"
                                   "return [m.weight.numel() for m in leaves]"),
    # Swaps
    "every activation": (ALONE, "swap(net)\nreturn net(x)\n\n\ndef swap(m):\n    for n, c in m.named_children():\n"
                                "        if isinstance(c, nn.ReLU):\n            setattr(m, n, nn.Sigmoid())\n"
                                "        else:\n            swap(c)"),
    "a class that is passed": (ALONE, "swap(net, nn.ReLU, nn.Sigmoid)\nreturn net(x)\n\n\ndef swap(m, old, new):\n"
                                      "    for n, c in m.named_children():\n        if isinstance(c, old):\n"
                                      "            setattr(m, n, new())\n        swap(c, old, new)"),
    "a table of classes": (ALONE, "for n, c in list(net.named_children()):\n    if type(c) in SWAPS:\n"
                                  "        setattr(net, n, SWAPS[type(c)]())\nreturn net(x)\n\n\n"
                                  "SWAPS = {nn.ReLU: nn.Sigmoid, nn.GELU: nn.Tanh}"),
    "a name of a class": (ALONE, "for n, c in list(net.named_children()):\n    if c.__class__.__name__.lower() == 'relu':\n"
                                 "        net._modules[n] = nn.Sigmoid()\nreturn net(x)"),
    "a pattern of names": (ALONE, "import re\nfor n, c in list(net.named_modules()):\n    if re.search('relu|gelu', n):\n"
                                  "        setattr(net, n, nn.Sigmoid())\nreturn net(x)"),
    "a part of a name": (ALONE, "for n, c in list(net.named_modules()):\n    if 'relu' in n:\n"
                                "        setattr(net, n, nn.Sigmoid())\nreturn net(x)"),
    "a module behind each": (BOTH, "for n, c in list(net.named_children()):\n"
                                   "    setattr(net, n, nn.Sequential(c, nn.Sigmoid()))\nreturn net(x)"),
    "a rounded forward": (BOTH, "for m in net.children():\n    m.forward = rounded(m.forward)\nreturn net(x)\n\n\n"
                                "def rounded(f):\n    return lambda *given: f(*given).round()"),
    "a class that is set": (ALONE, "for m in net.modules():\n    if isinstance(m, nn.ReLU):\n        m.__class__ = nn.Sigmoid\n"
                                   "return net(x)"),
    "what writes in place": (ALONE, "for m in net.modules():\n    if isinstance(m, nn.ReLU):\n        m.inplace = True\n"
                                    "y = x.clone()\nnet(y)\nreturn y"),
    "what may write in place": (ALONE, "for m in net.modules():\n    if hasattr(m, 'inplace'):\n        m.inplace = True\n"
                                       "y = x.clone()\nnet(y)\nreturn y"),
    "the last is taken away": (BOTH, "net._modules.popitem()\nreturn sorted(net._modules)"),
    "the others are taken away": (ALONE, "for n in list(net._modules):\n    if 'conv' not in n:\n        del net._modules[n]\n"
                                         "return net(x)"),
    "a method of torch's": (ALONE, "old = nn.ReLU.forward\nnn.ReLU.forward = lambda self, y: y\nout = net(x)\n"
                                   "nn.ReLU.forward = old\nreturn out"),
    "a parent that is looked up": (ALONE, "for n, m in list(net.named_modules()):\n    if isinstance(m, nn.ReLU):\n"
                                          "        parent, _, leaf = n.rpartition('.')\n"
                                          "        setattr(net.get_submodule(parent), leaf, nn.Sigmoid())\nreturn net(x)"),
    "children in another": (BOTH, "return copied(net)(x)\n\n\ndef copied(m):\n    out = nn.Sequential()\n"
                                  "    for n, c in m.named_children():\n        out.add_module(n, c)\n    return out"),
    "a network of the class becomes another": (BOTH, "import net as n\nKINDS.append(n.Net)\nreturn list(convert(net)._modules)\n\n\n"
                                                     "KINDS = []\ndef convert(m):\n    out = m\n    if isinstance(m, Net):\n"
                                                     "        out = nn.Sequential()\n    for n, c in m.named_children():\n"
                                                     "        out.add_module(n, convert(c))\n    return out\n\nfrom net import Net"),
    # The network as a whole
    "leaves in a row": (BOTH, "return nn.Sequential(*[m for m in net.modules() if not list(m.children())])(x)"),
    "children in a row": (BOTH, "from collections import OrderedDict\nreturn nn.Sequential(OrderedDict(net.named_children()))(x)"),
    "children in turn": (BOTH, "for m in net.children():\n    x = m(x)\nreturn x"),
    "a list of children": (BOTH, "layers = nn.ModuleList(net.children())\nreturn type(layers[-1]).__name__"),
    "a graph": (BOTH, "from torch import fx\nreturn [n.op for n in fx.symbolic_trace(net).graph.nodes]"),
    "a tracer's graph": (BOTH, "from torch.fx import Tracer\nreturn [n.op for n in Tracer().trace(net).nodes]"),
}
