#include "fixes/fixing.h"

#include <catch2/catch.hpp>

using Catch::Contains;
using model_validator::Diagnostic;
using model_validator::SourceCall;

namespace {

struct CalledAt {
  std::string file;
  int line = 0;
};

/// A finding whose operation a function runs, which is called at these places, innermost first.
/// @param number, count  which of the operations of its kind it is, of those that one call runs
Diagnostic finding_in_function(const std::string& operation, const CalledAt& place,
                               const std::vector<CalledAt>& around, std::size_t number = 0,
                               std::size_t count = 1) {
  Diagnostic finding = op_finding(operation, place.line, operation == "add" ? "Add" : "Multiply");
  auto& calls = finding.fix->rewrite->calls;
  calls.front().place.file = place.file;
  calls.front().number = number;
  calls.front().count = count;
  for (const CalledAt& each : around) {
    SourceCall call;
    call.place = {each.file, each.line, 0, 0};
    call.number = number;
    call.count = count;
    calls.push_back(call);
  }
  return finding;
}

const std::string head = "import torch\nfrom torch import nn\n\n\n";
const std::string net_class = "class Net(nn.Module):\n    def __init__(self):\n"
                              "        super().__init__()\n        self.n = 1\n\n"
                              "    def forward(self, x, y):\n";

std::map<std::string, std::string> fixed_files(std::map<std::string, std::string> texts,
                                               const std::vector<Diagnostic*>& findings) {
  Files files(texts);
  for (const auto& change : model_validator::fixes::plan_fixes(findings, files, {}))
    texts[change.path] = change.after;
  return texts;
}

std::string refusal_of(const std::string& source, Diagnostic finding) {
  Files files({{"net.py", source}});
  model_validator::fixes::plan_fixes({&finding}, files, {});
  return finding.fix->refusal;
}

/// `net.py` with a function, whose text begins at line 5, and a class that calls it at the end.
std::string with_function(const std::string& function, const std::string& body) {
  return head + function + "\n\n" + net_class + "        " + body + "\n";
}

} // namespace

TEST_CASE("a function gets a class with modules for what it runs, and stays") {
  Diagnostic finding = finding_in_function("add", {"net.py", 8}, {{"net.py", 17}});
  const std::string source =
      with_function("def shift(x, by=1):\n    \"\"\"Says\n    much.\"\"\"\n    return x + by\n",
                    "return shift(x)");
  const std::string after = fixed(source, finding);
  INFO(finding.fix->refusal);
  CHECK_THAT(after, Contains("def shift(x, by=1):\n    \"\"\"Says\n"));
  CHECK_THAT(after, Contains("    return x + by\n\n\nclass ShiftModule(nn.Module):\n"
                             "    \"\"\"`shift`, with modules for what it runs.\"\"\"\n\n"
                             "    def __init__(self):\n        super().__init__()\n"
                             "        self.add = Add()\n\n"
                             "    def forward(self, x, by=1):\n"
                             "        return self.add(x, by)\n"));
  CHECK_THAT(after, Contains("        self.n = 1\n        self.shift = ShiftModule()\n"));
  CHECK_THAT(after, Contains("        return self.shift(x)\n"));
  CHECK_FALSE(finding.fix->edits.empty());
}

TEST_CASE("the class of a function runs under the modes of torch that its decorators set") {
  Diagnostic finding = finding_in_function("add", {"net.py", 8}, {{"net.py", 17}});
  const std::string modes = "@torch.no_grad()\n@torch.autocast('cpu', enabled=False)\n";
  const std::string after =
      fixed(with_function(modes + "def f(x):\n    return x + 1\n", "return f(x)"), finding);
  INFO(finding.fix->refusal);
  CHECK_THAT(after, Contains("    @torch.no_grad()\n    @torch.autocast('cpu', enabled=False)\n"
                             "    def forward(self, x):\n        return self.add(x, 1)\n"));
  CHECK_THAT(after, Contains(modes + "def f(x):\n    return x + 1\n"));
}

TEST_CASE("a mode that is given a name of where the function stands keeps it there") {
  const auto refused = [](const std::string& mode) {
    Diagnostic finding = finding_in_function("add", {"net.py", 7}, {{"net.py", 16}});
    fixed(with_function("@torch.inference_mode(" + mode + ")\ndef f(x):\n    return x + 1\n",
                        "return f(x)"),
          finding);
    return !finding.fix->refusal.empty();
  };
  CHECK(refused("FLAG"));
  CHECK_FALSE(refused("True"));
  CHECK_FALSE(refused("mode=False"));
}

namespace {

/// The file after a plan for the `+` of a function under a decorator, or why there is none.
std::string fixed_under(const std::string& decorator, int wraps_at) {
  const std::string source =
      with_function(decorator + "@timed\ndef f(x):\n    return x + 1\n", "return f(x)");
  const int lines = static_cast<int>(std::ranges::count(source, '\n'));
  const int at = 7 + static_cast<int>(std::ranges::count(decorator, '\n'));
  Diagnostic finding =
      finding_in_function("add", {"net.py", at}, {{"net.py", wraps_at}, {"net.py", lines}});
  const std::string after = fixed(source, finding);
  return finding.fix->refusal.empty() ? after : finding.fix->refusal;
}

std::string wrapper(const std::string& body, const std::string& before = "") {
  return "def timed(fn):\n    \"\"\"Times.\"\"\"\n" + before +
         "    @wraps(fn)\n    def inner(*args, **kwargs):\n" + body + "    return inner\n\n\n";
}

} // namespace

TEST_CASE("a decorator that passes all on stays with the class of its function") {
  const std::string call = "        return fn(*args, **kwargs)\n";
  const std::string after = fixed_under(wrapper("        check(*args)\n" + call), 10);
  CHECK_THAT(after, Contains("    @timed\n    def forward(self, x):\n"
                             "        return self.add(x, 1)\n"));
  CHECK_THAT(after, Contains("@timed\ndef f(x):\n    return x + 1\n"));
  CHECK_THAT(after, Contains("return self.f(x)"));
  for (const std::string& other :
       {wrapper("        check(args[0])\n" + call), wrapper("        log(fn)\n" + call),
        wrapper("        return fn(args[0])\n"), wrapper(call, "    names.append(fn)\n"),
        wrapper(call + "        fn(*args, **kwargs)\n"),
        std::string("def timed(fn):\n    names.append(fn)\n    return fn\n\n\n"),
        std::string("from other import timed\n\n\n")})
    CHECK_THAT(fixed_under(other, 10), Contains("is decorated"));
}

TEST_CASE("a method that knows its instance to call another gets a class as well") {
  const auto net = [](const std::string& between, const std::string& other = "") {
    return head +
           "class Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n\n"
           "    def shift(self, x):\n        return x + 1\n\n"
           "    def twice(self, x):\n        " +
           between +
           "\n\n"
           "    def forward(self, x, y):\n        x = self.twice(x)\n"
           "        return x, self.twice(y)\n" +
           other;
  };
  const auto plan = [](const std::string& source) {
    Diagnostic first = finding_in_function("add", {"net.py", 10}, {{"net.py", 13}, {"net.py", 16}});
    Diagnostic second =
        finding_in_function("add", {"net.py", 10}, {{"net.py", 13}, {"net.py", 17}});
    first.fix->rewrite->calls.front().count = second.fix->rewrite->calls.front().count = 2;
    const std::string after = fixed(source, std::vector<Diagnostic*>{&first, &second});
    return first.fix->refusal.empty() ? after : first.fix->refusal;
  };
  const std::string after = plan(net("return self.shift(x)"));
  CHECK_THAT(after, Contains("class TwiceModule(nn.Module):\n"));
  CHECK_THAT(after, Contains("        self.shift = ShiftModule()\n\n"
                             "    def forward(self, x):\n        return self.shift(x)\n"));
  CHECK_THAT(after, Contains("x = self.twice_2(x)\n        return x, self.twice_3(y)"));
  CHECK_THAT(plan(net("return self.shift(x) * self.scale")), Contains("more than once"));
  CHECK_THAT(plan(net("return self.shift(x)", "\n\nclass Sub(Net):\n    def shift(self, x):\n"
                                              "        return x\n")),
             Contains("of its own"));
}

TEST_CASE("the class of a static method keeps its other decorators") {
  const std::string source =
      net_class + "        return self.shift(x)\n\n    @staticmethod\n    @torch.no_grad()\n"
                  "    def shift(x):\n        return x + 1\n";
  Diagnostic finding = finding_in_function("add", {"net.py", 16}, {{"net.py", 11}});
  const std::string after = fixed(head + source, finding);
  INFO(finding.fix->refusal);
  CHECK_THAT(after, Contains("    @torch.no_grad()\n    def forward(self, x):\n"
                             "        return self.add(x, 1)\n"));
}

TEST_CASE("each call of a function gets a module of its own, also two on a line") {
  const std::string source =
      with_function("def shift(x):\n    return x + 1\n", "return shift(x), shift(y)");
  Diagnostic first = finding_in_function("add", {"net.py", 6}, {{"net.py", 15}}, 0, 2);
  Diagnostic second = finding_in_function("add", {"net.py", 6}, {{"net.py", 15}}, 1, 2);
  const std::string after = fixed(source, std::vector<Diagnostic*>{&first, &second});
  INFO(first.fix->refusal);
  CHECK_THAT(after, Contains("return self.shift(x), self.shift_2(y)"));
  CHECK(after.find("class ShiftModule") == after.rfind("class ShiftModule"));
  CHECK_THAT(fixed(source, first), Contains("return self.shift(x), shift(y)"));
}

TEST_CASE("functions that call one another get classes that hold one another") {
  const std::string source =
      with_function("def inner(x):\n    return x + 1\n\n\ndef outer(x):\n    return inner(x) * 2\n",
                    "return outer(x)");
  Diagnostic add = finding_in_function("add", {"net.py", 6}, {{"net.py", 10}, {"net.py", 19}});
  Diagnostic mul = finding_in_function("mul", {"net.py", 10}, {{"net.py", 19}});
  const std::string after = fixed(source, std::vector<Diagnostic*>{&add, &mul});
  INFO(add.fix->refusal << mul.fix->refusal);
  CHECK_THAT(after, Contains("        self.inner = InnerModule()\n"
                             "        self.mul = Multiply()\n\n"
                             "    def forward(self, x):\n"
                             "        return self.mul(self.inner(x), 2)\n") ||
                        Contains("        self.mul = Multiply()\n"
                                 "        self.inner = InnerModule()\n\n"
                                 "    def forward(self, x):\n"
                                 "        return self.mul(self.inner(x), 2)\n"));
  CHECK_THAT(after, Contains("self.outer = OuterModule()"));
}

TEST_CASE("a class of another file is imported from where the function is") {
  const std::string layers = head + "def shift(x):\n    return x + 1\n";
  const auto net = [](const std::string& import, const std::string& call) {
    return "import torch\nfrom torch import nn\n" + import + "\n\n\n" + net_class +
           "        return " + call + "\n";
  };
  const auto after = [&](const std::string& import, const std::string& call) {
    Diagnostic finding = finding_in_function("add", {"layers.py", 6}, {{"net.py", 12}});
    const auto files =
        fixed_files({{"layers.py", layers}, {"net.py", net(import, call)}}, {&finding});
    return finding.fix->refusal.empty() ? files.at("net.py") : finding.fix->refusal;
  };
  CHECK_THAT(after("from layers import shift", "shift(x)"),
             Contains("from layers import ShiftModule\n") &&
                 Contains("self.shift = ShiftModule()") && Contains("return self.shift(x)"));
  CHECK_THAT(after("import layers", "layers.shift(x)"),
             Contains("self.shift = layers.ShiftModule()"));
  CHECK_THAT(after("from package import shift", "shift(x)"),
             Contains("not imported from its own file"));
}

TEST_CASE("a method that does without its instance, and runs several times, is such a function") {
  const std::string methods =
      "    def shift(self, x):\n        return x + 1\n\n    def forward(self, x, y):\n";
  const auto net = [&](const std::string& body) {
    return head +
           "class Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
           "        self.n = 1\n\n" +
           methods + "        a = self.shift(x)\n        return a, " + body + "\n";
  };
  Diagnostic first = finding_in_function("add", {"net.py", 11}, {{"net.py", 14}});
  Diagnostic second = finding_in_function("add", {"net.py", 11}, {{"net.py", 15}});
  for (Diagnostic* each : {&first, &second}) each->fix->rewrite->calls[0].count = 2;
  const std::string after = fixed(net("self.shift(y)"), {&first, &second});
  INFO(first.fix->refusal);
  CHECK_THAT(after, Contains("a = self.shift_2(x)\n        return a, self.shift_3(y)"));
  CHECK_THAT(after, Contains("class ShiftModule(nn.Module):\n") &&
                        Contains("    def forward(self, x):\n        return self.add(x, 1)\n"));
  CHECK_THAT(after, Contains("    def shift(self, x):\n        return x + 1\n"));
  CHECK_THAT(refusal_of(net("self.shift(y)") +
                            "\n\nclass Other(Net):\n    def shift(self, x):\n        return x\n",
                        first),
             Contains("has a `shift` of its own"));
}

TEST_CASE("functions that a copy would not be the same as are left, with the reason") {
  const auto reason = [](const std::string& function, int line) {
    const std::string source = with_function(function, "return f(x)");
    const int call = static_cast<int>(std::ranges::count(source, '\n'));
    return refusal_of(source, finding_in_function("add", {"net.py", line}, {{"net.py", call}}));
  };
  CHECK(reason("def f(x):\n    return x + 1\n", 6).empty());
  CHECK_THAT(reason("@cached\ndef f(x):\n    return x + 1\n", 7), Contains("is decorated"));
  CHECK_THAT(reason("@torch.no_grad()\n@cached\ndef f(x):\n    return x + 1\n", 8),
             Contains("is decorated"));
  CHECK_THAT(reason("@no_grad()\ndef f(x):\n    return x + 1\n", 7), Contains("is decorated"));
  CHECK_THAT(reason("def f(x, seen=[]):\n    return x + len(seen)\n", 6) +
                 reason("def f(x, y=torch.ones(1)):\n    return x + y\n", 6),
             Contains("computes defaults"));
  CHECK_THAT(reason("def f(x):\n    f.seen = 1\n    return x + 1\n", 7), Contains("names itself"));
  for (const char* behind : {"f = fast(f)\n", "if fast:\n    from layers import f\n",
                             "def use(other):\n    global f\n    f = other\n"})
    CHECK_THAT(reason("def f(x):\n    return x + 1\n\n\n" + std::string(behind), 6),
               Contains("another value"));
  for (const char* behind : {"def g(f):\n    f = f + 1\n    return f\n", "from layers.f import g\n",
                             "class G:\n    def f(self):\n        return f\n"})
    CHECK(reason("def f(x):\n    return x + 1\n\n\n" + std::string(behind), 6).empty());
  CHECK_THAT(reason("def f(x):\n    yield x + 1\n", 6), Contains("more than a plain"));
  CHECK_THAT(reason("def f(x):\n    print('''a\n    b''')\n    return x + 1\n", 8),
             Contains("text of several lines"));
  CHECK_THAT(reason("def f(self):\n    return self + 1\n", 6), Contains("`self`"));
}

TEST_CASE("a function whose calls the source does not show is left") {
  const auto reason = [](const std::string& body) {
    return refusal_of(with_function("def f(x):\n    return x + 1\n", body),
                      finding_in_function("add", {"net.py", 6}, {{"net.py", 15}}));
  };
  CHECK_THAT(reason("return torch.utils.checkpoint(f, x)"), Contains("no such call"));
  CHECK_THAT(reason("return [f(i) for i in x]"), Contains("comprehension"));
  CHECK_THAT(reason("return (lambda a: f(a))(x)"), Contains("lambda"));
  Diagnostic alone = op_finding("add", 6, "Add");
  CHECK_THAT(refusal_of(with_function("def f(x):\n    return x + 1\n", "return f(x)"), alone),
             Contains("free function"));
}

TEST_CASE("a function that torch compiles, and that decides nothing, gets a class that is traced") {
  const auto result = [](const std::string& function, const std::string& body,
                         const std::string& import = "") {
    std::map<std::string, std::string> texts = {{"net.py", with_function(function, body)}};
    texts["net.py"].insert(0, import);
    const auto before = texts.at("net.py").substr(0, texts.at("net.py").find("x + 1"));
    Diagnostic finding =
        op_finding("add", 1 + static_cast<int>(std::ranges::count(before, '\n')), "Add");
    finding.fix->rewrite->calls.front().class_name = "net.Net";
    const std::string after = fixed_files(texts, {&finding}).at("net.py");
    CHECK(finding.fix->hazard.empty() != finding.fix->refusal.empty()); // what is edited waits
    return finding.fix->refusal.empty() ? after : finding.fix->refusal;
  };
  const std::string plain = "@torch.jit.script\ndef f(x):\n    y = x.exp()\n    return x + 1\n";
  CHECK_THAT(result(plain, "return f(x)"),
             Contains(plain) && Contains("        self.f = FModule()\n") &&
                 Contains("        return self.f(x)\n") && !Contains("script\n    def forward"));
  CHECK_THAT(result("@script_if_tracing\ndef f(x):\n    return x + 1\n", "return f(x)",
                    "from utils import script_if_tracing\n"),
             Contains("        return self.f(x)\n"));
  CHECK_THAT(result(plain, "return f(f(x))"), Contains("free function"));
  for (const char* line : {"if x.sum() > 0: x = -x", "for _ in range(3): x = -x", "n = x.item()",
                           "n = int(x)", "n = x.tolist()", "x = -x if x.sum() > 0 else x"})
    CHECK_THAT(
        result("@torch.jit.script\ndef f(x):\n    " + std::string(line) + "\n    return x + 1\n",
               "return f(x)"),
        Contains("is decorated"));
  CHECK_THAT(result("@torch.compile\ndef f(x):\n    return x + 1\n", "return f(x)"),
             Contains("free function"));
}

namespace {

/// An addition on line 7 of a function of three lines, called three times by what line 13 runs.
Diagnostic added_in_loop(std::size_t count = 3) {
  return finding_in_function("add", {"net.py", 7}, {{"net.py", 17}}, 0, count);
}

std::string counted(const std::string& function, const std::string& body,
                    const std::string& made = "self.n = 1") {
  Diagnostic finding = added_in_loop();
  std::string source = with_function(function, body);
  source.replace(source.find("self.n = 1"), 10, made);
  const std::string after = fixed(source, finding);
  return finding.fix->refusal.empty() ? after : finding.fix->refusal;
}

} // namespace

TEST_CASE("a loop of a function that runs as often as its caller's class says has modules") {
  const std::string steps = "def f(x, steps=2):\n    for _ in range(steps):\n        x = x + 1\n"
                            "    return x\n";
  const std::string after = counted(steps, "return f(x, self.n)");
  CHECK_THAT(after, Contains("    def __init__(self, steps=0):\n        super().__init__()\n"
                             "        self.adds = nn.ModuleList([Add() for _ in range(steps)])\n"));
  CHECK_THAT(after, Contains("        for _, add in zip(range(steps), self.adds, strict=True):\n"
                             "            x = add(x, 1)\n"));
  CHECK_THAT(after, Contains("        self.f = FModule(steps=self.n)\n"));
  CHECK_THAT(after, Contains("        return self.f(x, self.n)\n"));
  CHECK_THAT(counted(steps, "return f(x)"), Contains("self.f = FModule(steps=2)"));
  CHECK_THAT(counted(steps, "return f(x, steps=3)"), Contains("self.f = FModule(steps=3)"));
  for (const char* body : {"return f(x, y)", "return f(x, self.m)", "return f(*x)"})
    CHECK_THAT(counted(steps, body), Contains("it is in a loop"));
  const std::string changed = "def f(x, steps=2):\n    for _ in range(steps):\n        x = x + 1\n"
                              "        steps = 1\n";
  CHECK_THAT(counted(changed, "return f(x, self.n)"), Contains("it is in a loop"));
}

TEST_CASE("a loop that only fills a list gives a class no count") {
  Diagnostic finding = finding_in_function("add", {"net.py", 9}, {{"net.py", 18}});
  const std::string after =
      fixed(with_function("def f(x, n):\n    out = []\n    for i in range(n):\n"
                          "        out.append(i)\n    return x + 1\n",
                          "return f(x, self.n)"),
            finding);
  INFO(finding.fix->refusal);
  CHECK_THAT(after, Contains("self.f = FModule()\n"));
}

TEST_CASE("a loop of a function that was left early is not taken for one of all its turns") {
  const std::string steps = "def f(x):\n    for _ in range(3):\n        x = x + 1\n    return x\n";
  for (const std::size_t count : {2, 4}) {
    Diagnostic finding = added_in_loop(count);
    CHECK_THAT(refusal_of(with_function(steps, "return f(x)"), finding),
               Contains("does not distinguish"));
  }
  Diagnostic finding = added_in_loop(3);
  CHECK_THAT(fixed(with_function(steps, "return f(x)"), finding), Contains("self.f = FModule()"));
  for (const char* end : {"break", "return x"}) {
    const std::string ended =
        "def f(x):\n    for _ in range(3):\n        x = x + 1\n        " + std::string(end) + "\n";
    CHECK_THAT(refusal_of(with_function(ended, "return f(x)"), added_in_loop(3)),
               Contains("it is in a loop"));
  }
}

TEST_CASE("a function that is mapped over what is written out has a module for each") {
  const std::string f = "def f(x):\n    y = 1\n    return x + 1\n\n";
  const auto mapped = [&](const std::string& body) {
    Diagnostic finding = finding_in_function("add", {"net.py", 7}, {{"net.py", 17}}, 0, 2);
    const std::string after = fixed(with_function(f, body), finding);
    return finding.fix->refusal.empty() ? after : finding.fix->refusal;
  };
  const std::string after = mapped("x, y = map(f, (x, y))");
  CHECK_THAT(after, Contains("x, y = map(lambda each, module: module(each), (x, y), self.fs)"));
  CHECK_THAT(after, Contains("self.fs = nn.ModuleList([FModule() for _ in range(2)])"));
  CHECK_THAT(mapped("x, y = map(f, x)"), Contains("runs more than once"));
}

TEST_CASE("a lambda within a function is a frame of its own, of that function") {
  const std::string f = "def f(x, y):\n    z = 1\n"
                        "    return list(map(lambda t: t + 1, (x, y)))\n\n";
  Diagnostic finding =
      finding_in_function("add", {"net.py", 7}, {{"net.py", 7}, {"net.py", 17}}, 0, 2);
  const std::string after = fixed(with_function(f, "return f(x, y)"), finding);
  INFO(finding.fix->refusal);
  CHECK_THAT(after, Contains("map(lambda t, add: add(t, 1), (x, y), self.adds)"));
  CHECK_THAT(after, Contains("return self.f(x, y)"));
}

TEST_CASE("the class of a function that timm's tracers do not look into is registered like it") {
  Diagnostic finding = finding_in_function("add", {"net.py", 7}, {{"net.py", 17}});
  const std::string decorated = "@register_notrace_function\ndef f(x):\n    return x + 1\n\n";
  std::string source = with_function(decorated, "return f(x)");
  source.insert(0, "from timm.layers import register_notrace_function\n");
  finding.fix->rewrite->calls[0].place.line = 8;
  finding.fix->rewrite->calls[1].place.line = 18;
  const std::string after = fixed(source, finding);
  INFO(finding.fix->refusal);
  CHECK_THAT(after, Contains("\n@register_notrace_module\nclass FModule(nn.Module):"));
  CHECK_THAT(after, Contains("import register_notrace_function, register_notrace_module") ||
                        Contains("from timm.layers import register_notrace_module"));
  CHECK_THAT(after, Contains("    def forward(self, x):\n        return self.add(x, 1)"));
  source.replace(source.find("timm.layers"), 11, "mine.layers");
  CHECK_THAT(refusal_of(source, finding), Contains("is decorated"));
}
