// What other code names of that which an edit touches, so that the edit waits for a word.

#include "fixes/fixing.h"
#include "fixes/known_source.h"

#include <catch2/catch.hpp>

using namespace model_validator;
using Catch::Contains;

namespace {

/// A class that calls `self.act` on lines 9 and 10, and `F.relu` on line 11.
std::string net_with(const std::string& more = "", const std::string& base = "nn.Module") {
  return "import torch.nn.functional as F\nfrom torch import nn\nclass Net(" + base +
         "):\n    def __init__(self, act_layer=nn.ReLU):\n        super().__init__()\n"
         "        self.act = nn.ReLU()\n        self.fc = nn.Linear(2, 2)\n    def forward(self, "
         "x):\n"
         "        x = self.act(x)\n        x = self.act(x)\n        return F.relu(self.fc(x))\n" +
         more;
}

std::string hazard_of_second(const std::string& other, const std::string& more = "") {
  return hazard_beside(net_with(more), other, reuse_finding("act", {9, 10}));
}

std::string hazard_of_relu(const std::string& other, const std::string& more = "") {
  return hazard_beside(net_with(more), other, op_finding("relu", 11));
}

/// The same of a line in a file of another kind.
std::string hazard_by(const std::string& path, const std::string& text, Diagnostic finding) {
  Files files({{"net.py", net_with()}, {path, text}});
  fixes::plan_fixes({&finding}, files, {});
  return finding.fix->hazard;
}

} // namespace

TEST_CASE("code that tells modules by parts of names mentions a new one") {
  const std::string source =
      "import torch.nn.functional as F\nfrom torch import nn\nclass Net(nn.Module):\n"
      "    def __init__(self):\n        super().__init__()\n        self.weight = kernel()\n"
      "    def forward(self, x):\n        return F.conv2d(x, self.weight)\n";
  const auto hazard = [&](const std::string& other) {
    return hazard_beside(source, other, op_finding("conv2d", 8, "DynamicConv2d"));
  };
  const std::string asks = "def init(m):\n    name = m.__class__.__name__\n";
  for (const char* code : {"    if name.find('Conv') != -1:\n        m.weight.data.fill_(1)\n",
                           "    return 'conv' in name.lower()\n",
                           "    return name in ('DynamicConv2d', 'Linear')\n"}) {
    CAPTURE(code);
    CHECK_THAT(hazard(asks + code), Contains("of `other.py` mentions it"));
  }
  CHECK(hazard(asks + "    return name.find('Linear') != -1\n").empty());
  CHECK(hazard(asks + "    return 'm' in name or f('Conv')\n").empty());
  CHECK(hazard("def f(word):\n    return word.find('Conv')\n").empty());
  CHECK_FALSE(hazard("def init(m):\n    return 'Conv' in str(type(m))\n").empty());
  const std::string walks = "def init(net):\n    for name, m in net.named_modules():\n        ";
  CHECK_FALSE(hazard(walks + "if 'conv' in name: m.weight.data.fill_(1)\n").empty());
  CHECK_FALSE(hazard(walks + "if any(k in name for k in ('fc', 'conv')): m.weight\n").empty());
  CHECK(hazard(walks + "if 'norm' in name: m.weight.data.fill_(1)\n").empty());
  CHECK(hazard("def f(net):\n    return [n for n, p in net.named_parameters() if 'conv' in n]\n")
            .empty());
}

TEST_CASE("an attribute that other code names is mentioned") {
  for (const char* code :
       {"net.act = nn.SiLU()\n", "net.act, kept = nn.SiLU(), net.act\n", "del net.act\n",
        "net.set_submodule(f'layer{i}.act', nn.SiLU())\n", "vars(net).update(act=nn.SiLU())\n",
        "fuse_modules(net, ['conv', 'act'])\n", "getattr(net, 'act')\n", "NAMES = ('act', 'fc')\n",
        "class Sub(Net):\n    def f(self):\n        self.act = nn.SiLU()\n",
        "class Sub(Net):\n    def act(self, x):\n        return x\n",
        "class Mixin:\n    def f(self):\n        return [self.act]\nclass Own(Net, Mixin):\n    "
        "pass\n",
        "super(Net, net).__setattr__('act', nn.SiLU())\n", "hook(net.act)\n",
        "class Other:\n    def __init__(self):\n        self.f = Net()\n"
        "        self.f.add_module('act', nn.SiLU())\n",
        "net.act.register_forward_hook(f)\n", "net.inner.act.inplace = True\n"}) {
    CAPTURE(code);
    CHECK_THAT(hazard_of_second(code), Contains("of `other.py` mentions it"));
  }
  for (const char* code :
       {"y = net.act(x)\n", "if config.act:\n    p = config['act']\n", "act = 3\nf(act)\n",
        "class Other:\n    def f(self):\n        self.act = 3\n        return [self.act]\n",
        "parser.add_argument('--act')\n", "'the act of a text'\n", "Net(act=3)\n",
        "class Sub(Net):\n    def f(self, x):\n        return self.act(x)\n", "f('active.acts')\n",
        "__all__ = ['act']\n",
        "from torch import nn\nclass Other:\n    def __init__(self):\n"
        "        self.f = nn.Sequential()\n        self.f.add_module('act', nn.SiLU())\n"}) {
    CAPTURE(code);
    CHECK(hazard_of_second(code).empty());
  }
}

TEST_CASE("an attribute that its own class does more with than call it is mentioned") {
  for (const char* code :
       {"    def all(self):\n        return [self.act]\n",
        "    @property\n    def it(self):\n        return self.act\n",
        "    def set(self, act):\n        self.act = act\n",
        "    def set(self, p):\n        def f():\n            self.act.p = p\n        f()\n"}) {
    CAPTURE(code);
    CHECK_THAT(hazard_of_second("", code), Contains("of `net.py` mentions it"));
  }
  CHECK(hazard_of_second("", "    def again(self, x):\n        return self.act(x)\n").empty());
}

TEST_CASE("a word of torch's initialisers names no attribute") {
  const std::string use = "init.kaiming_normal_(w, mode='act')\n";
  CHECK(hazard_of_second("from torch.nn import init\n" + use).empty());
  CHECK_FALSE(hazard_of_second("from mine import init\n" + use).empty());
}

TEST_CASE("a word that says which activation is meant names no attribute") {
  for (const char* code : {"make(activation='act')\n", "c = {'activation': 'act'}\n",
                           "c = {'norm_act': ('act', {})}\n", "a = mx.Activation('act')\n",
                           "a = get_activation('act')\n", "def f(norm_act='act'):\n    pass\n",
                           "w = kaiming(w, nonlinearity='act')\n"}) {
    CAPTURE(code);
    CHECK(hazard_of_second(code).empty());
  }
  for (const char* code :
       {"probe(net, 'act')\n", "probe(net, name='act')\n", "c = {'layer': 'act'}\n",
        "c = {'act': 'gelu'}\n", "a = Action('act')\n", "exact = 'act'\n", "act_layer = 'act'\n",
        "replace_activation(net, 'act')\n", "f(net, act_name='act')\n",
        "setattr(net, 'act', f)\n"}) {
    CAPTURE(code);
    CHECK_FALSE(hazard_of_second(code).empty());
  }
}

TEST_CASE("a word that says which activation is a name where code computes names") {
  const std::string word = "make(activation='act')\n";
  for (const char* code :
       {"def f(net, name):\n    setattr(net, name, 1)\n", "getattr(net, name)\n",
        "net.get_submodule(path)\n", "net._modules[name] = 1\n", "vars(net)[name] = 1\n",
        "class C:\n    def f(self, name):\n        setattr(self, name, 1)\n"}) {
    CAPTURE(code);
    CHECK_FALSE(hazard_of_second(word + code).empty());
  }
  for (const char* code :
       {"setattr(net, 'other', 1)\n", "from torch import nn\ngetattr(nn, name)\n",
        "getattr(args, name)\n", "net._modules['other']\n", "net.get_submodule('a.b')\n"}) {
    CAPTURE(code);
    CHECK(hazard_of_second(word + code).empty());
  }
}

TEST_CASE("a class of another file with the same name is no relative") {
  const std::string sub = "class Sub(Net):\n    def set(self, act):\n        self.act = act\n";
  const std::string imports = "from torch import nn\n";
  CHECK(hazard_of_second(imports + "class Net(nn.Module):\n    pass\n" + sub).empty());
  CHECK_FALSE(hazard_of_second("from net import Net\n" + sub).empty());
}

TEST_CASE("a function that other code replaces is mentioned") {
  for (const char* code :
       {"net.F.relu = f\n", "F.relu, kept = f, F.relu\n", "net.F = f\n", "nn.ReLU.forward = f\n",
        "import torch.nn.functional as G\nG.relu = f\n", "mock.patch('net.F.relu', f)\n",
        "monkeypatch.setattr(net.F, 'relu', f)\n", "mocker.patch.object(F, 'relu')\n",
        "vars(F)['relu'] = f\n", "patches = {'net.F.relu': f}\n",
        "patches = {'net.F.relu': 'own.relu'}\n", "F.relu = None\n",
        "mock.patch(f'{name}.relu', f)\n",
        "for name in ['relu', 'gelu']:\n    setattr(F, name, f)\n"}) {
    CAPTURE(code);
    CHECK_THAT(hazard_of_relu(code), Contains("of `other.py` mentions it"));
  }
  for (const char* code :
       {"y = F.relu(x)\n", "y = F.relu(x) + 1\n", "f = F.relu\n", "make(act='relu')\n",
        "layer.relu = False\n", "options['relu'] = True\n", "base = {'net.relu': 3}\n",
        "path = join('~', '.relu')\n", "Act, _ = optional_import('layers.relu', name='Act')\n",
        "importlib.import_module('layers.F')\n",
        "class A:\n    def f(self):\n"
        "        self.relu = 3\n"}) {
    CAPTURE(code);
    CHECK(hazard_of_relu(code).empty());
  }
}

TEST_CASE("a class whose methods run without its constructor is mentioned") {
  for (const char* code :
       {"new = Net.__new__(Net)\n", "new = object.__new__(Net)\n", "new.__class__ = Net\n",
        "class Other:\n    forward = Net.forward\n", "Net.forward = f\n", "f = net.Net.forward\n",
        "from net import Net as N\nf = N.forward\n", "mock.patch.object(net.Net, '__init__', f)\n",
        "make = object.__new__\nnew = make(Net)\n",
        "def f(base):\n    class Own(base):\n        def __init__(self):\n            pass\n",
        "Own = type('Own', (Net,), {})\n", "f = getattr(Net, 'forward')\n",
        "class Sub(Net):\n    def __init__(self):\n        nn.Module.__init__(self)\n",
        "class Sub(Net):\n    def __init__(self):\n        super().__init__()\n"
        "        self.copy = [deepcopy(self)]\n"}) {
    CAPTURE(code);
    CHECK_THAT(hazard_of_relu(code), Contains("of `other.py` mentions it"));
  }
  for (const char* code :
       {"net = Net()\n", "MODELS = {'net': Net}\n", "build(block=Net)\n", "y = Net.load(path)\n",
        "def f(net: Net) -> Net:\n    return net\n", "if type(net) is Net:\n    pass\n",
        "class Sub(Net):\n    def forward(self, x):\n        return Net.forward(self, x)\n"}) {
    CAPTURE(code);
    CHECK(hazard_of_relu(code).empty());
  }
}

TEST_CASE("a constructor that a class did not have is seen by code that reads its arguments") {
  const std::string source = net_with("class Last(Net):\n    def forward(self, x):\n"
                                      "        return F.relu(x)\n");
  const auto hazard = [&](const std::string& other) {
    return hazard_beside(source, other, op_finding("relu", 14, "Last"));
  };
  CHECK(hazard("x = 1\n").empty());
  CHECK_THAT(hazard("frame = inspect.currentframe()\n"), Contains("mentions it"));
  CHECK(hazard_of_relu("frame = inspect.currentframe()\n").empty());
}

TEST_CASE("modules that a loop runs over are mentioned where other code changes them") {
  const std::string source =
      "from torch import nn\nimport torch.nn.functional as F\nclass Net(nn.Module):\n"
      "    def __init__(self):\n        super().__init__()\n"
      "        self.layers = nn.ModuleList([])\n        self.layers.append(nn.Linear(2, 2))\n"
      "    def forward(self, x):\n        for layer in self.layers:\n"
      "            x = F.relu(layer(x))\n        return x\n";
  const auto hazard = [&](const std::string& other) {
    return hazard_beside(source, other, op_finding("relu", 10));
  };
  for (const char* code : {"net.layers.append(nn.Linear(2, 2))\n", "net.layers = net.layers[:2]\n",
                           "del net.layers[0]\n", "net.layers[0] = f\n", "prune(net.layers)\n",
                           "def prune(n, layers):\n    layers.pop(n)\nprune(1, net.layers)\n",
                           "def same(layers):\n    return layers\nsame(net.layers)\n",
                           "def of(n, layers):\n    layers.pop()\n    return n[0]\n"
                           "of(*x, net.layers)\n"}) {
    CAPTURE(code);
    CHECK_THAT(hazard(code), Contains("mentions it"));
  }
  for (const char* code : {"n = len(net.layers)\n", "for each in net.layers:\n    f(each)\n",
                           "w = net.layers[0].weight\n", "name = 'model.layers.0.weight'\n",
                           "def last(layers):\n    return layers[-1]\nlast(net.layers)\n"}) {
    CAPTURE(code);
    CHECK(hazard(code).empty());
  }
}

TEST_CASE("notebooks and configurations are searched by their lines") {
  const Diagnostic second = reuse_finding("act", {9, 10}), relu = op_finding("relu", 11);
  CHECK_THAT(hazard_by("a.ipynb", "[\"net.act = 3\\n\"]", second), Contains("`a.ipynb`"));
  CHECK_THAT(hazard_by("a.yaml", "freeze: [net.act]\n", second), Contains("`a.yaml`"));
  CHECK_THAT(hazard_by("a.ipynb", "[\"net.F.relu = f\\n\"]", relu), Contains("`a.ipynb`"));
  CHECK(hazard_by("a.ipynb", "[\"y = net.act(x)\\n\"]", second).empty());
  CHECK(hazard_by("a.yaml", "act: relu\n", second).empty());
  CHECK(hazard_by("a.ipynb", "[\"y = F.relu(x)\\n\"]", relu).empty());
}

TEST_CASE("a second module waits unless it is surely without weights") {
  const auto hazard = [](const std::string& made, const std::string& other = "") {
    std::string source = net_with();
    source.replace(source.find("nn.ReLU()\n"), 9, made);
    source.insert(source.find("torch"), "timm.layers, ");
    return hazard_beside(source, other, reuse_finding("act", {9, 10}));
  };
  CHECK(hazard("nn.ReLU()").empty());
  CHECK(hazard("nn.LeakyReLU(act_layer)").empty());
  CHECK(hazard("nn.Dropout(p) if p else nn.Identity()").empty());
  const auto drop_path = [](const std::string& made) {
    return "from torch import nn\nclass DropPath(nn.Module):\n    def __init__(self, p):\n"
           "        super().__init__()\n        self.p = float(p)\n        " +
           made +
           "\n    def forward(self, x):\n        return self.drop(x)\n"
           "    def drop(self, x):\n        return x * self.p\n";
  };
  CHECK(hazard("DropPath(p)", drop_path("pass")).empty());
  CHECK(hazard("DropPath(p)", drop_path("pass") + drop_path("pass")).empty());
  CHECK_FALSE(
      hazard("DropPath(p)", drop_path("pass") + drop_path("self.fc = nn.Linear(2, 2)")).empty());
  CHECK(hazard("DropPath(p)", drop_path("self.act = nn.ReLU6()\n    def f(self, x):\n"
                                        "        return self.act(x)"))
            .empty());
  CHECK(hazard("DropPath(p)", drop_path("self.inner = DropPath(p)")).empty());
  CHECK(hazard("timm.layers.DropPath(p) if p else nn.Identity()").empty());
  CHECK_FALSE(hazard("timm.layers.Mlp(p) if p else nn.Identity()").empty());
  CHECK_FALSE(hazard("timm.layers.DropPath(p)", drop_path("self.fc = nn.Linear(2, 2)")).empty());
  for (const char* made :
       {"self.fc = nn.Linear(2, 2)", "self.w = nn.Parameter(p)", "self.b = Block()",
        "self.act = p\n    def f(self, x):\n        return self.act(x)",
        "self.act = nn.ReLU() if p else p\n    def f(self, x):\n        return self.act(x)"})
    CHECK_THAT(hazard("DropPath(p)", drop_path(made)), Contains("never has weights"));
  for (const char* made : {"act_layer()", "make()", "ACTS[0]()", "nn.PReLU()"})
    CHECK_THAT(hazard(made), Contains("never has weights"));
}

TEST_CASE("all code that looks at modules is listed once") {
  const std::string other =
      "for m in net.modules():\n    f(m)\n# net.children()\n"
      "if isinstance(m, nn.ReLU):\n    pass\nif isinstance(x, list):\n    pass\n"
      "net.apply(init)\n";
  Files files({{"net.py", net_with()}, {"other.py", other}});
  fixes::KnownSource source(files);
  std::vector<int> lines;
  for (const fixes::Mention& each : source.looks_at_modules())
    if (each.path == "other.py") lines.push_back(each.line);
  CHECK(lines == std::vector<int>{1, 4, 8});
}

TEST_CASE("a module at several places is mentioned by all code but its constructor") {
  const std::string source =
      "from torch import nn\nclass Net(nn.Module):\n    def __init__(self):\n"
      "        super().__init__()\n        self.drop = nn.Dropout(0.5)\n"
      "        self.layers = nn.Sequential(self.drop, self.drop)\n"
      "    def forward(self, x):\n        return self.layers(x)\n";
  Diagnostic finding = reuse_finding("0", {8});
  finding.fix->rewrite->expression = "nn.Dropout(0.5)";
  finding.fix->rewrite->calls[0].count = 2;
  CHECK(hazard_beside(source, "net.layers(x)\n", finding).empty());
  const std::string import = "from net import Net\n";
  for (const char* code :
       {"net.drop.p = 1\n", "all = [net.drop]\n", "getattr(net, 'drop').p = 1\n",
        "class Sub(Net):\n    def __init__(self):\n        super().__init__()\n"
        "        self.drop.p = 1\n",
        "class Other:\n    def __init__(self, net):\n        self.all = [net.drop]\n"})
    CHECK_THAT(hazard_beside(source, import + code, finding), Contains("mentions it"));
}
