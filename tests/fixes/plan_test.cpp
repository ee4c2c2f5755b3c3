#include "fixes/fixing.h"
#include "fixes/known_source.h"

#include <catch2/catch.hpp>

#include <algorithm>

using namespace model_validator;
using Catch::Contains;

namespace {

/// A class whose `forward` holds the statements, the first of them on line 8.
std::string net(const std::string& statements, const std::string& made = "") {
  return "import torch\nfrom torch import nn\nimport torch.nn.functional as F\nclass "
         "Net(nn.Module):\n"
         "    def __init__(self):\n        super().__init__()" +
         (made.empty() ? "" : "; " + made) + "\n    def forward(self, x, y):\n        " +
         statements + "\n        return x\n";
}

std::string line_fixed(const std::string& operation, const std::string& statement) {
  Diagnostic finding = op_finding(operation, 8);
  const std::string after = fixed(net(statement), finding);
  CAPTURE(finding.fix->refusal);
  REQUIRE(finding.fix->refusal.empty());
  // One line of imports at most and one of `__init__` stand before it now.
  const auto begin = after.find("\n        ", after.find("def forward")) + 9;
  return after.substr(begin, after.find('\n', begin) - begin);
}

std::string refusal(const std::string& operation, const std::string& source, int line = 8) {
  Diagnostic finding = op_finding(operation, line);
  CHECK(fixed(source, {&finding}, "package") == source);
  CHECK(finding.fix->edits.empty());
  return finding.fix->refusal;
}

} // namespace

TEST_CASE("operators become calls of modules") {
  CHECK(line_fixed("add", "x = x + y") == "x = self.add(x, y)");
  CHECK(line_fixed("mul", "x = 2 * x") == "x = self.mul(2, x)");
  CHECK(line_fixed("matmul", "x = x @ y.T") == "x = self.matmul(x, y.T)");
  CHECK(line_fixed("neg", "x = -x") == "x = self.neg(x)");
  CHECK(line_fixed("gt", "x = x > 0") == "x = self.gt(x, 0)");
  CHECK(line_fixed("add", "x = (x + y) * 2") == "x = (self.add(x, y)) * 2");
  CHECK(line_fixed("mul", "x = (x + y) * 2") == "x = self.mul(x + y, 2)");
  CHECK(line_fixed("add", "x = torch.add(x, y)") == "x = self.add(x, y)");
  CHECK(line_fixed("add", "x = x.add(y)") == "x = self.add(x, y)");
}

TEST_CASE("functions become modules of torch's where all else is constant") {
  CHECK(line_fixed("relu", "x = F.relu(x, inplace=True)") == "x = self.relu(x)");
  CHECK(line_fixed("softmax", "x = x.softmax(dim=-1)") == "x = self.softmax(x)");
  CHECK(line_fixed("softmax", "x = torch.softmax(x, 1).view(-1)") ==
        "x = self.softmax(x).view(-1)");
  Diagnostic finding = op_finding("softmax", 8);
  CHECK_THAT(fixed(net("x = F.softmax(x, dim=1)"), finding),
             Contains("self.softmax = nn.Softmax(dim=1)"));
  Diagnostic dropout = op_finding("dropout", 8, "Dropout");
  CHECK_THAT(fixed(net("x = F.dropout(x, 0.1, self.training)"), dropout),
             Contains("self.dropout = nn.Dropout(p=0.1)"));
}

TEST_CASE("a module that is made where it is called is made once") {
  Diagnostic relu = op_finding("relu", 8);
  const std::string after = fixed(net("x = nn.ReLU(inplace=True)(x)"), relu);
  CHECK_THAT(after, Contains("self.relu = nn.ReLU(inplace=True)"));
  CHECK_THAT(after, Contains("x = self.relu(x)\n"));
  Diagnostic pad = op_finding("pad", 8);
  const std::string padded = fixed(net("x = nn.ZeroPad2d((1, 0, 1, 0))(x) + y"), pad);
  CHECK_THAT(padded, Contains("self.pad = nn.ZeroPad2d((1, 0, 1, 0))"));
  CHECK_THAT(padded, Contains("x = self.pad(x) + y\n"));
  CHECK_THAT(refusal("softmax", net("x = nn.Softmax(dim=y)(x)")), Contains("constant arguments"));
  // It draws in either mode, and one of the class would not.
  CHECK_THAT(refusal("dropout", net("x = nn.Dropout(0.1)(x)")), Contains("no such call"));
  CHECK_THAT(refusal("linear", net("x = nn.Linear(2, 2)(x)")), Contains("no such call"));
  CHECK_THAT(refusal("relu", net("x = nn.Sigmoid()(x)")), Contains("no such call"));
}

TEST_CASE("what is not constant stays an argument") {
  CHECK(line_fixed("softmax", "x = F.softmax(x, dim=y)") == "x = self.softmax(x, dim=y)");
  CHECK(line_fixed("dropout", "x = F.dropout(x, 0.1)") == "x = self.dropout(x, 0.1)");
  CHECK(line_fixed("mean", "x = x.mean((2, 3))") == "x = self.mean(x, (2, 3))");
  CHECK(line_fixed("cat", "x = torch.cat([x, y], 1)") == "x = self.cat([x, y])");
  CHECK(line_fixed("cat", "x = torch.cat(y, dim=1)") == "x = self.cat(y)");
}

TEST_CASE("a statement that writes in place is a plain assignment afterwards") {
  Diagnostic finding = op_finding("add", 9);
  CHECK_THAT(fixed(net("x = self.f(x)\n        x += y"), finding), Contains("x = self.add(x, y)"));
}

TEST_CASE("a tensor that others see is not replaced") {
  CHECK_THAT(refusal("add", net("x += y")), Contains("what the caller passed"));
  CHECK_THAT(refusal("add", net("x[0] += y")), Contains("writes into `x[0]`"));
  CHECK_THAT(refusal("add", net("x = y.view(3)\n        x += y"), 9), Contains("another tensor's"));
  CHECK_THAT(refusal("add", net("x = x * 2\n        l = [x]\n        x += y"), 10),
             Contains("kept elsewhere"));
}

TEST_CASE("fixes of one line go together") {
  Diagnostic add = op_finding("add", 8, "Add");
  Diagnostic mul = op_finding("mul", 8, "Multiply");
  Diagnostic relu = op_finding("relu", 8);
  const std::string after =
      fixed(net("x = F.relu((x + y) * 2)"), std::vector<Diagnostic*>{&add, &mul, &relu});
  CHECK_THAT(after, Contains("x = self.relu(self.mul(self.add(x, y), 2))"));
  CHECK_THAT(after, Contains("import Add, Multiply"));
}

TEST_CASE("calls of one kind on a line are distinguished by their order") {
  Diagnostic first = op_finding("add", 8, "Add");
  Diagnostic second = op_finding("add", 8, "Add");
  first.fix->rewrite->calls[0].count = second.fix->rewrite->calls[0].count = 2;
  second.fix->rewrite->calls[0].number = 1;
  second.fix->rewrite->attribute = "add_2";
  const std::string source = net("x = x + y + 1");
  CHECK_THAT(fixed(source, std::vector<Diagnostic*>{&first, &second}),
             Contains("x = self.add_2(self.add(x, y), 1)"));
  CHECK_THAT(fixed(source, first), Contains("x = self.add(x, y) + 1"));
  CHECK_THAT(refusal("add", source), Contains("several such calls"));
}

TEST_CASE("all operators that a function runs become one module") {
  std::vector<Diagnostic> parts = {op_finding("norm", 8, "Norm"), op_finding("clamp_min", 8),
                                   op_finding("div", 8, "Divide")};
  const std::string source = net("x = F.normalize(x, dim=-1)");
  for (const auto& some : {std::vector{&parts[0], &parts[1], &parts[2]}, std::vector{&parts[2]}}) {
    const std::string after = fixed(source, some);
    CHECK_THAT(after, Contains("import Normalize\n"));
    CHECK_THAT(after, Contains("self.normalize = Normalize()\n    def"));
    CHECK_THAT(after, Contains("x = self.normalize(x, dim=-1)"));
  }
  Diagnostic own = op_finding("div", 8, "Divide");
  own.fix->rewrite->calls[0].count = 2;
  own.fix->rewrite->calls[0].number = 1;
  CHECK_THAT(fixed(net("x = F.normalize(x) / y"), own),
             Contains("x = self.div(F.normalize(x), y)"));
  CHECK_THAT(refusal("div", net("x = x.normalize()")), Contains("no such call"));
  CHECK_THAT(refusal("mul", source), Contains("no such call"));
}

TEST_CASE("a number divided by a tensor is one module for both operators") {
  for (const char* quotient : {"1 / x", "2.5 / x", "len(x) / x", "self.scale / x"})
    for (const char* part : {"reciprocal", "mul"}) {
      CAPTURE(quotient, part);
      const std::string given(quotient, std::string_view(quotient).find(' '));
      Diagnostic finding = op_finding(part, 8);
      CHECK_THAT(fixed(net(std::string("x = ") + quotient), finding),
                 Contains("x = self.div(" + given + ", x)") && Contains("self.div = Divide()"));
    }
  Diagnostic product = op_finding("mul", 8);
  CHECK_THAT(fixed(net("x = self.scale / (x * y)"), product),
             Contains("x = self.scale / (self.mul(x, y))"));
  CHECK_THAT(refusal("mul", net("x = torch.div(x, y)")), Contains("no such call"));
  CHECK_THAT(refusal("mul", net("x = y[0] / x")), Contains("no such call"));
}

TEST_CASE("a function with weights becomes a module that is given them") {
  Diagnostic finding = op_finding("conv2d", 8, "DynamicConv2d");
  const std::string after = fixed(net("x = F.conv2d(x, self.weight, None, self.stride)"), finding);
  CHECK_THAT(after, Contains("self.conv2d = DynamicConv2d()"));
  CHECK_THAT(after, Contains("x = self.conv2d(x, self.weight, None, self.stride)"));
}

TEST_CASE("several instances of a class give one edit") {
  Diagnostic one = op_finding("add", 8, "Add");
  Diagnostic other = op_finding("add", 8, "Add");
  const std::string after = fixed(net("x = x + y"), std::vector<Diagnostic*>{&one, &other});
  CHECK(after.find("self.add = Add()") == after.rfind("self.add = Add()"));
  CHECK(one.fix->edits == other.fix->edits);
}

TEST_CASE("code that no module of its own can stand for is left, with the reason") {
  CHECK_THAT(refusal("add", "def f(x, y):\n    return x + y\n", 2), Contains("free function"));
  CHECK_THAT(refusal("add", net("f = lambda a: a + y")), Contains("lambda"));
  CHECK_THAT(refusal("add", net("for i in y: x = x + i")), Contains("loop"));
  CHECK_THAT(refusal("add", net("x = [i + 1 for i in y]")), Contains("comprehension"));
  CHECK_THAT(
      refusal("add", "class N(Sequential):\n    def forward(self, x):\n        return x + 1\n", 3),
      Contains("iterates over its children"));
  CHECK_THAT(
      refusal("add",
              "class N(nn.Module):\n    @staticmethod\n    def f(x):\n        return x + 1\n", 4),
      Contains("no instance"));
  CHECK_THAT(refusal("add", net("x = y")), Contains("no such call"));
  CHECK_THAT(refusal("add", net("x = x[1 + 2]")), Contains("no such call"));
}

TEST_CASE("a function within a method calls the modules of its instance") {
  const auto inner = [](const std::string& parameters) {
    return net("def inner(" + parameters + "):\n            return x + y\n        x = inner(x)");
  };
  Diagnostic finding = op_finding("add", 9, "Add");
  CHECK_THAT(fixed(inner("x"), finding), Contains("            return self.add(x, y)\n"));
  CHECK_THAT(refusal("add", inner("self, x"), 9), Contains("nested function"));
  const std::string free = "def f(self):\n    def inner(x):\n        return x + 1\n";
  CHECK_THAT(refusal("add", free, 3), Contains("nested function"));
}

TEST_CASE("a line that was changed after the export is not edited") {
  Diagnostic finding = op_finding("add", 8, "Add");
  finding.fix->rewrite->calls[0].code = "        x = x - y";
  const std::string source = net("x = x + y");
  CHECK(fixed(source, finding) == source);
  CHECK_THAT(finding.fix->refusal, Contains("changed since"));
  Diagnostic commented = op_finding("add", 8, "Add");
  commented.fix->rewrite->calls[0].code = "        x = x + y  # once";
  CHECK_THAT(fixed(source, commented), Contains("x = self.add(x, y)"));
}

TEST_CASE("a class without a constructor gets one") {
  Diagnostic finding = op_finding("relu", 6);
  CHECK(
      fixed("import torch.nn as nn\nimport torch.nn.functional as F\n\nclass N(nn.Module):\n"
            "    def forward(self, x):\n        return F.relu(x)\n",
            finding) ==
      "import torch.nn as nn\nimport torch.nn.functional as F\n\nclass N(nn.Module):\n"
      "    def __init__(self, *args, **kwargs):\n        super().__init__(*args, **kwargs)\n"
      "        self.relu = nn.ReLU()\n\n    def forward(self, x):\n        return self.relu(x)\n");
}

TEST_CASE("new lines are indented and end as those around them") {
  Diagnostic tabs = op_finding("relu", 6);
  const std::string after =
      fixed("import torch.nn.functional as F\nclass N(Module):\n\tdef __init__(self):\n"
            "\t\tsuper().__init__()\n\tdef forward(self, x):\n\t\treturn F.relu(x)\n",
            tabs);
  CHECK_THAT(after, Contains("super().__init__()\n\t\tself.relu = nn.ReLU()\n\tdef forward"));
  std::string dos = net("x = F.relu(x)");
  for (auto at = dos.find('\n'); at != std::string::npos; at = dos.find('\n', at + 2))
    dos.insert(at, 1, '\r');
  Diagnostic finding = op_finding("relu", 8);
  const std::string written = fixed(dos, finding);
  CHECK_THAT(written, Contains("__init__()\r\n        self.relu = nn.ReLU()\r\n"));
  CHECK(std::count(written.begin(), written.end(), '\r') ==
        std::count(written.begin(), written.end(), '\n'));
}

TEST_CASE("a statement in the middle of a line is copied behind itself") {
  const std::string source =
      "class N(nn.Module):\n    def __init__(self, a):\n        super().__init__()\n"
      "        if a: self.act = a()\n    def forward(self, x):\n        "
      "return self.act(self.act(x))\n";
  Diagnostic finding = reuse_on_a_line("act", 6);
  CHECK_THAT(fixed(source, finding),
             Contains("if a: self.act = a(); self.act_2 = copy.deepcopy(self.act)\n"));
}

TEST_CASE("a dataclass is not edited") {
  CHECK_THAT(
      refusal("add",
              "@dataclass\nclass N(nn.Module):\n    def forward(self, x):\n        return x + 1\n",
              4),
      Contains("dataclass"));
}

TEST_CASE("a name that the class has is not taken again") {
  Diagnostic finding = op_finding("relu", 8);
  CHECK_THAT(fixed(net("x = F.relu(x) + self.relu"), finding), Contains("self.relu_2(x)"));
}

TEST_CASE("each call of a module gets its own, made as the first") {
  const std::string made = "\n        self.act = nn.ReLU(inplace=True)  # kept";
  const std::string source =
      "from torch import nn\nclass N(nn.Module):\n    def __init__(self):\n        "
      "super().__init__()" +
      made +
      "\n        self.w = 1\n    def forward(self, x):\n        x = self.act(x)\n"
      "        return self.act(x)\n";
  Diagnostic finding = reuse_finding("act", {8, 9});
  const std::string after = fixed(source, finding);
  CHECK_THAT(after,
             Contains(made + "\n        self.w = 1\n        self.act_2 = nn.ReLU(inplace=True)\n"));
  CHECK_THAT(after, Contains("x = self.act(x)\n        return self.act_2(x)"));
  CHECK_THAT(finding.help, Contains("`self.act_2 = nn.ReLU(inplace=True)` in `N.__init__`"));
}

TEST_CASE("a module that was passed in is copied") {
  const std::string source =
      "class N(nn.Module):\n    def __init__(self, act):\n        super().__init__()\n        "
      "self.act = "
      "act\n"
      "    def forward(self, x):\n        a = self.act\n        return a(a(x))\n";
  Diagnostic finding = reuse_on_a_line("act", 7);
  const std::string after = fixed(source, finding);
  CHECK_THAT(after, Contains("self.act = act\n        self.act_2 = copy.deepcopy(self.act)"));
  CHECK_THAT(after, Contains("return self.act_2(a(x))"));
  CHECK_THAT(after, Contains("import copy"));
}

TEST_CASE("a line that runs more than once in a run of its module is not edited") {
  Diagnostic finding = op_finding("add", 8, "Add");
  finding.fix->rewrite->calls[0].count = 3;
  const std::string source = net("x = x + y");
  CHECK(fixed(source, finding) == source);
  CHECK_THAT(finding.fix->refusal, Contains("more than once"));
  Diagnostic reused = op_finding("add", 8, "Add");
  reused.fix->rewrite->calls[0].count = reused.fix->rewrite->calls[0].runs = 3;
  CHECK(fixed(source, reused) != source);
}

TEST_CASE("a constant tensor becomes a buffer") {
  Diagnostic finding = op_finding("zeros", 8);
  finding.fix->rewrite->kind = Rewrite::Kind::make_buffer;
  const std::string after = fixed(net("x = x + torch.zeros(3, device=x.device)"), finding);
  CHECK_THAT(after, Contains("self.register_buffer(\"zeros\", torch.zeros(3), persistent=False)"));
  CHECK_THAT(after, Contains("x = x + self.zeros"));
  Diagnostic sized = op_finding("zeros", 8);
  sized.fix->rewrite->kind = Rewrite::Kind::make_buffer;
  CHECK(fixed(net("x = torch.zeros(x.shape[0])"), sized) == net("x = torch.zeros(x.shape[0])"));
  CHECK_THAT(sized.fix->refusal, Contains("constant arguments"));
}

TEST_CASE("a constant tensor that is written into, or stored, becomes no buffer") {
  const std::string made = "z = torch.zeros(3, dtype=torch.int64)\n        ";
  const auto refusal = [&](const std::string& rest) {
    Diagnostic finding = op_finding("zeros", 8);
    finding.fix->rewrite->kind = Rewrite::Kind::make_buffer;
    fixed(net(made + rest), finding);
    return finding.fix->refusal;
  };
  for (const char* rest :
       {"if x.shape[0] > 2: z += 1\n        x = x + z", "z[0] = 1\n        x = x + z",
        "z.add_(1)\n        x = x + z", "torch.add(x, 1, out=z)\n        x = x + z",
        "self.last = z\n        x = x + z", "z[1:].zero_()\n        x = x + z"})
    CHECK_THAT(refusal(rest), Contains("written into, or stored"));
  for (const char* rest : {"x = x + z", "x += z", "z = z + 1\n        x = x[z]", "y = x[z]"})
    CHECK(refusal(rest).empty());
}

TEST_CASE("a number beyond float16 becomes another where the call holds it") {
  const auto replaced = [](const std::string& operation, const std::string& statement) {
    Diagnostic finding = op_finding(operation, 8);
    finding.fix->rewrite->kind = Rewrite::Kind::replace_number;
    finding.fix->rewrite->expression = "-100.0";
    const std::string after = fixed(net(statement), finding);
    CHECK(finding.fix->applicability == Applicability::unsafe);
    CHECK_THAT(finding.fix->hazard, Contains("masked throughout"));
    return after == net(statement) ? finding.fix->refusal : after;
  };
  CHECK(replaced("masked_fill", "x = x.masked_fill(y == 0, -1e9)") ==
        net("x = x.masked_fill(y == 0, -100.0)"));
  CHECK(replaced("masked_fill", "x = x.masked_fill(y == 0, torch.finfo(x.dtype).min)") ==
        net("x = x.masked_fill(y == 0, -100.0)"));
  CHECK(replaced("mul", "x = x + (1.0 - y) * -1_000_000") == net("x = x + (1.0 - y) * -100.0"));
  CHECK(replaced("where", "x = torch.where(y, x, -torch.finfo(x.dtype).max)") ==
        net("x = torch.where(y, x, -100.0)"));
  for (const char* statement :
       {"x = x.masked_fill(y, self.least)", "x = x.masked_fill(y, float('-inf'))",
        "x = x.masked_fill(y + 1e9, -1e9)", "x = x.masked_fill(y, -1e4)"}) {
    Diagnostic finding = op_finding("masked_fill", 8);
    finding.fix->rewrite->kind = Rewrite::Kind::replace_number;
    CHECK(fixed(net(statement), finding) == net(statement));
    CHECK_THAT(finding.fix->refusal, Contains("one such number"));
  }
}

TEST_CASE("a dropout that ignores the mode of its module is told it") {
  const auto told = [](const std::string& statement) {
    Diagnostic finding = op_finding("dropout", 8);
    finding.fix->rewrite->kind = Rewrite::Kind::follow_mode;
    const std::string after = fixed(net(statement), finding);
    return finding.fix->refusal.empty() ? after : finding.fix->refusal;
  };
  CHECK_THAT(told("x = F.dropout(x, 0.1)"), Contains("F.dropout(x, 0.1, training=self.training)"));
  CHECK_THAT(told("x = F.dropout(x)"), Contains("F.dropout(x, training=self.training)"));
  CHECK_THAT(told("x = F.dropout(x, 0.1, True)"), Contains("F.dropout(x, 0.1, self.training)"));
  CHECK_THAT(told("x = F.dropout(x, training=True, p=0.2)"),
             Contains("F.dropout(x, training=self.training, p=0.2)"));
  CHECK_THAT(told("for _ in x: x = F.dropout(x)"), Contains("(x, training=self.training)"));
  CHECK_THAT(told("x = F.dropout(x, training=self.training)"), Contains("already"));
  CHECK_THAT(told("x = F.dropout(*x)"), Contains("which arguments"));
  Diagnostic finding = op_finding("dropout", 8);
  finding.fix->rewrite->kind = Rewrite::Kind::follow_mode;
  Files files({{"net.py", net("x = F.dropout(x)")}});
  CHECK(fixes::plan_fixes({&finding}, files, {"", false, fixes::PlanOptions::Edits::provable})
            .empty());
}

TEST_CASE("numbers get type annotations for TorchScript") {
  Diagnostic half = op_finding("mul", 8, "Multiply");
  Diagnostic both = op_finding("mul", 9, "Multiply");
  half.fix->rewrite->scripted = both.fix->rewrite->scripted = true;
  both.fix->rewrite->attribute = "mul_2";
  Files files({{"net.py", net("x = x * 0.5\n        x = x * y")}});
  const auto changes = fixes::plan_fixes({&half, &both}, files, {});
  REQUIRE(changes.size() == 2);
  CHECK(changes[0].path == fixes::module_file_name);
  CHECK_THAT(changes[0].after, Contains("import Union"));
  CHECK_THAT(changes[0].after, Contains("class Multiply(nn.Module):\n"
                                        "    def forward(self, input, other: Union[int, float]):\n"
                                        "        return input * other\n"));
  CHECK_THAT(changes[0].after, Contains("class Multiply2(nn.Module):\n"
                                        "    def forward(self, input, other):\n"));
}

TEST_CASE("a bound that is an integer stays an integer") {
  Diagnostic clamp = op_finding("clamp", 8, "Clamp");
  Diagnostic other = op_finding("clamp", 9, "Clamp");
  clamp.fix->rewrite->scripted = other.fix->rewrite->scripted = true;
  Files files({{"net.py", net("x = torch.clamp(x, min=-10, max=10)\n"
                              "        x = torch.clamp(x, min=-0.5, max=None)")}});
  const auto changes = fixes::plan_fixes({&clamp, &other}, files, {});
  REQUIRE(changes.size() == 2);
  CHECK_THAT(changes[0].after, Contains("forward(self, input, min: int, max: int)"));
  CHECK_THAT(changes[0].after,
             Contains("forward(self, input, min: Optional[float], max: Optional[float])"));
}

TEST_CASE("a number that comes first is distinguished") {
  Diagnostic less = op_finding("mul", 8, "Multiply");
  less.fix->rewrite->scripted = true;
  less.fix->rewrite->schema = "aten::mul.Scalar";
  Files files({{"net.py", net("x = self.scale * x")}});
  const auto changes = fixes::plan_fixes({&less}, files, {});
  REQUIRE(changes.size() == 2);
  CHECK_THAT(changes[0].after, Contains("    def forward(self, input: Union[int, float], other):\n"
                                        "        if isinstance(input, int):\n"
                                        "            return input * other\n"
                                        "        return input * other\n"));
}

TEST_CASE("thousands of calls in one method each get a name of their own") {
  constexpr int count = 3000;
  std::string body;
  std::vector<Diagnostic> findings;
  for (int i = 0; i < count; ++i) {
    body += (i == 0 ? "x = x.abs()" : "\n        x += y");
    if (i > 0) findings.push_back(op_finding("add", 8 + i, "Add"));
  }
  std::vector<Diagnostic*> pointers;
  for (Diagnostic& finding : findings) pointers.push_back(&finding);
  Files files({{"net.py", net(body)}});
  const auto changes = fixes::plan_fixes(pointers, files, {});
  REQUIRE(changes.size() == 2);
  CHECK_THAT(changes[1].after,
             Contains("self.add = AddInPlace()") && Contains("self.add_2999 = AddInPlace()"));
}

TEST_CASE("edits are given by lines and characters") {
  Diagnostic finding = op_finding("relu", 8);
  fixed(net("x = 'ä' if y else F.relu(x)"), finding);
  REQUIRE(finding.fix->edits.size() == 2);
  CHECK(finding.fix->edits[1].start == TextPosition{8, 26});
  CHECK(finding.fix->edits[1].end == TextPosition{8, 32});
  CHECK(finding.fix->edits[1].text == "self.relu");
}

TEST_CASE("a list keeps its brackets where its closing text would be left over") {
  const std::string black =
      "x = torch.cat(\n            [\n                x,\n                y,\n"
      "            ],\n            dim=1,\n        )";
  Diagnostic finding = op_finding("cat", 8, "Concat");
  CHECK_THAT(fixed(net(black), {&finding}, "package"),
             Contains("self.cat(\n            *[\n                x,\n                y,\n"
                      "            ],\n        )"));
  Diagnostic commented = op_finding("cat", 8, "Concat");
  CHECK_THAT(fixed(net("x = torch.cat([x,\n            y  # last\n        ], 1)"), {&commented},
                   "package"),
             Contains("self.cat(*[x,\n            y  # last\n        ])"));
  Diagnostic ends = op_finding("cat", 8, "Concat");
  CHECK_THAT(fixed(net("x = torch.cat((x, y,), 1)"), {&ends}, "package"),
             Contains("x = self.cat(x, y)\n"));
}

TEST_CASE("only a class that writes in place gets the argument") {
  CHECK_THAT(refusal("sigmoid", net("x = x.sigmoid_()")), Contains("writes into a tensor"));
  Diagnostic relu = op_finding("relu", 8);
  CHECK_THAT(fixed(net("x = x.relu_()"), relu), Contains("nn.ReLU(inplace=True)"));
}

TEST_CASE("reversed operands stay reversed") {
  Diagnostic finding = op_finding("sub", 8, "Subtract");
  Files files({{"net.py", net("x = torch.rsub(x, y)")}});
  const auto changes = fixes::plan_fixes({&finding}, files, {});
  REQUIRE(changes.size() == 2);
  CHECK_THAT(changes[0].after, Contains("return torch.rsub(input, arg1)"));
}

TEST_CASE("a name is used only where it means an import") {
  const std::string rest =
      "class N(torch.nn.Module):\n    def forward(self, x):\n        return torch.relu(x)\n";
  for (const std::string hidden :
       {"def f():\n    from torch import nn\n", "if TYPE_CHECKING:\n    from torch import nn\n",
        "if __name__ == '__main__':\n    from torch import nn\n"}) {
    CAPTURE(hidden);
    const std::string source = "import torch.nn\n" + hidden + rest;
    Diagnostic finding = op_finding("relu", 6);
    CHECK_THAT(fixed(source, finding), Contains("self.relu = torch.nn.ReLU()"));
    Diagnostic alone = op_finding("relu", 6);
    CHECK_THAT(fixed("from torch import relu\n" + hidden +
                         "class N(Module):\n    def forward(self, x):\n        return relu(x)\n",
                     alone),
               Contains("from torch import relu\nfrom torch import nn as nnModule\n"));
  }
}

TEST_CASE("imports are added behind those of the file") {
  const std::string rest = "\n\nclass N(nn.Module):\n    def __init__(self, act):\n"
                           "        super().__init__()\n        self.act = act\n"
                           "    def forward(self, x):\n        return self.act(self.act(x))\n";
  for (const char* const head :
       {"from torch import nn\n", "import abc\nimport os\n\nfrom torch import nn\n",
        "\"\"\"Text.\"\"\"\nfrom __future__ import annotations\nX = 1\nfrom torch import (\n    "
        "nn)\n"}) {
    const std::string text = head;
    const auto lines = std::count(text.begin(), text.end(), '\n');
    Diagnostic reused = reuse_on_a_line("act", static_cast<int>(lines) + 8);
    CHECK_THAT(fixed(text + rest, reused), Catch::StartsWith(text + "import copy\n\n\nclass N"));
  }
  Diagnostic finding = op_finding("add", 6, "Add");
  const std::string source = "import torch\nclass N(torch.nn.Module):\n    def __init__(self):\n"
                             "        super().__init__()\n    def forward(self, x):\n"
                             "        return x + 1\n";
  CHECK_THAT(fixed(source, finding),
             Catch::StartsWith("import torch\nfrom functional_modules import Add\nclass N"));
}

TEST_CASE("an import does not hide what the file makes itself") {
  const std::string source =
      "Add = None\nclass N(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
      "    def forward(self, x):\n        return x + 1\n";
  Diagnostic finding = op_finding("add", 6, "Add");
  const std::string after = fixed(source, finding);
  CHECK_THAT(after, Contains("import Add as AddModule") && Contains("self.add = AddModule()"));
  const std::string handed_in =
      "class N(nn.Module):\n    def __init__(self, act, copy=True):\n        super().__init__()\n"
      "        self.act = act\n    def forward(self, x):\n        return self.act(self.act(x))\n";
  Diagnostic reused = reuse_on_a_line("act", 6);
  CHECK_THAT(fixed(handed_in, reused), Contains("self.act_2 = copyModule.deepcopy(self.act)"));
}

TEST_CASE("what has to be first in a file stays first") {
  const std::string rest = "try:\n    import torch\nfinally:\n    pass\nclass N(nn.Module):\n"
                           "    def forward(self, x):\n        return x + 1\n";
  for (const std::string head : {"\xEF\xBB\xBF", "#!/usr/bin/python\n# coding: latin-1\n"}) {
    Diagnostic finding = op_finding("add", head.back() == '\n' ? 9 : 7, "Add");
    CHECK(
        fixed(head + rest, finding).starts_with(head + "from functional_modules import Add\ntry"));
  }
}

TEST_CASE("a copied expression of several lines keeps their ends") {
  const std::string source = "class N(nn.Module):\r\n    def __init__(self):\r\n        "
                             "super().__init__()\r\n        self.act = "
                             "L(\r\n            1)\r\n    def forward(self, x):\r\n"
                             "        return self.act(self.act(x))\r\n";
  Diagnostic finding = reuse_on_a_line("act", 7);
  const std::string after = fixed(source, finding);
  CHECK_THAT(after, Contains("self.act_2 = copy.deepcopy(self.act)\r\n") && !Contains("\r\r"));
}

TEST_CASE("an expression that gives something else the next time is not run again") {
  for (const std::string made : {"acts.pop()", "next(acts)", "kw.pop('act', nn.ReLU)()"}) {
    const std::string source =
        "class N(nn.Module):\n    def __init__(self, acts, kw):\n        super().__init__()\n"
        "        self.act = " +
        made + "\n    def forward(self, x):\n        return self.act(self.act(x))\n";
    Diagnostic finding = reuse_on_a_line("act", 6);
    CHECK_THAT(fixed(source, finding), Contains("self.act_2 = copy.deepcopy(self.act)"));
  }
}

TEST_CASE("a constructor that a class of the file does not run is given nothing") {
  const std::string base =
      "class A(nn.Module):\n    def __init__(self, a):\n        super().__init__()\n"
      "    def forward(self, x):\n        return x + 1\n";
  for (const std::string other :
       {"class B(A):\n    def __init__(self):\n        nn.Module.__init__(self)\n",
        "class B(A):\n    def __init__(self):\n        super(A, self).__init__()\n",
        "class B(nn.Module, A):\n    def __init__(self):\n        super().__init__()\n"})
    CHECK_THAT(refusal("add", base + other, 5), Contains("does not run its `__init__`"));
  for (const std::string other :
       {"class B(A):\n    def __init__(self):\n        super(B, self).__init__(1)\n",
        "class B(A):\n    def __init__(self):\n        A.__init__(self, 1)\n",
        "class B(A):\n    pass\n"}) {
    Diagnostic finding = op_finding("add", 5, "Add");
    CHECK_THAT(fixed(base + other, finding), Contains("self.add(x, 1)"));
  }
}

TEST_CASE("a use that may keep a tensor under another name counts as one that does") {
  const auto kept_by = [](const std::string& statement) {
    return refusal("add", net("x = self.f(x)\n        " + statement + "\n        x += y"), 10);
  };
  for (const char* statement :
       {"z = self.g(x)", "z = (x)", "z = x if y else y", "z = dict(before=x)", "self.keep(x)",
        "z = F.relu(x, inplace=True)", "z = F.dropout(x)", "z = x.contiguous()", "z = x.add_(1)",
        "print(z := x)", "z = x or y", "z = [x]"}) {
    INFO(statement);
    CHECK_THAT(kept_by(statement), Contains("kept elsewhere"));
  }
  for (const char* statement :
       {"z = x * 2", "z = F.relu(x)", "z = x.shape[0]", "z = x.mean()", "print(len(x))",
        "if self.g: x = self.g(x)", "assert x is not None", "z = -x"}) {
    INFO(statement);
    Diagnostic finding = op_finding("add", 10);
    CHECK_THAT(fixed(net("x = self.f(x)\n        " + std::string(statement) + "\n        x += y"),
                     finding),
               Contains("x = self.add(x, y)"));
  }
}

TEST_CASE("what is written in place has to be made where its name is") {
  const std::string twice =
      "x = self.f(x)\n        if y:\n            x = self.g(x)\n        x += y";
  Diagnostic either = op_finding("add", 11, "Add");
  CHECK_THAT(fixed(net(twice), either), Contains("x = self.add(x, y)"));
  Diagnostic elsewhere = op_finding("add", 9, "Add");
  elsewhere.fix->rewrite->operand_made = {{"net.py", 7, 0, 0}};
  const std::string source = net("x = self.drop(x)\n        x += y");
  CHECK(fixed(source, {&elsewhere}, "package") == source);
  CHECK_THAT(elsewhere.fix->refusal, Contains("another tensor's memory"));
  Diagnostic later = op_finding("add", 9, "Add");
  later.fix->rewrite->operand_read_later = true;
  CHECK(fixed(source, {&later}, "package") == source);
  CHECK_THAT(later.fix->refusal, Contains("under another name afterwards"));
  CHECK_THAT(refusal("add", net("x = z = self.f(x)\n        x += y"), 9), Contains("another"));
  CHECK_THAT(refusal("add",
                     net("x = self.f(x)\n        l = [x]\n        x += y\n"
                         "        x += y"),
                     11),
             Contains("kept elsewhere"));
}

TEST_CASE("what is refused for one instance is refused for all of the class") {
  Diagnostic may = op_finding("add", 9, "Add");
  Diagnostic may_not = op_finding("add", 9, "Add");
  may_not.fix->rewrite->operand_read_later = true;
  const std::string source = net("x = self.f(x)\n        x += y");
  CHECK(fixed(source, std::vector<Diagnostic*>{&may, &may_not}, "package") == source);
  CHECK(may.fix->edits.empty());
}

TEST_CASE("classes are imported as the export imported the file") {
  const auto line_with = [](const std::string& path, const std::string& class_name) {
    Diagnostic finding = op_finding("add", 8, "Add");
    finding.fix->rewrite->calls[0].place.file = path;
    finding.fix->rewrite->calls[0].class_name = class_name;
    Files files({{path, net("x = x + y")}, {"models/__init__.py", ""}});
    for (const auto& change : fixes::plan_fixes({&finding}, files, {}))
      if (change.path == path) return change.after;
    return std::string();
  };
  CHECK_THAT(line_with("/src/models/net.py", "models.net.Net"),
             Contains("from .functional_modules"));
  CHECK_THAT(line_with("/src/models/net.py", "net.Net"), Contains("from functional_modules"));
  CHECK_THAT(line_with("models/net.py", "Net"), Contains("from functional_modules"));
  CHECK_THAT(line_with("models/net.py", "other.Net"), Contains("from .functional_modules"));
}

namespace {

/// A class whose `forward`, from line 10 on, has modules in `self.layers`.
std::string stack(const std::string& statements,
                  const std::string& made = "nn.ModuleList(layers)") {
  return "import torch\nfrom torch import nn\nimport torch.nn.functional as F\nclass "
         "Net(nn.Module):\n"
         "    def __init__(self, layers):\n        super().__init__()\n        self.layers = " +
         made + "\n        self.act = nn.ReLU()\n    def forward(self, x):\n        " + statements +
         "\n        return x\n";
}

/// An operation on line 11 that ran three times.
Diagnostic turn_finding(const std::string& operation, const std::string& class_name) {
  Diagnostic finding = op_finding(operation, 11, class_name);
  finding.fix->rewrite->calls[0].count = 3;
  return finding;
}

std::string loop_fixed(const std::string& head, const std::string& body) {
  Diagnostic finding = turn_finding("add", "Add");
  const std::string after = fixed(stack(head + "\n            " + body), finding);
  if (!finding.fix->refusal.empty()) return finding.fix->refusal;
  const auto begin = after.find("\n        for ") + 9;
  return after.substr(begin, after.find("\n        return") - begin);
}

} // namespace

TEST_CASE("a loop over modules calls its own module in each iteration") {
  CHECK(loop_fixed("for layer in self.layers:", "x = layer(x) + x") ==
        "for layer, add in zip(self.layers, self.adds, strict=True):\n            x = "
        "add(layer(x), x)");
  CHECK(
      loop_fixed("for a, b in self.layers:", "x = a(x) + x") ==
      "for (a, b), add in zip(self.layers, self.adds, strict=True):\n            x = add(a(x), x)");
  CHECK(loop_fixed("for i, (a, b) in enumerate(self.layers):", "x = a(x) + x") ==
        "for i, ((a, b), add) in enumerate(zip(self.layers, self.adds, strict=True)):\n"
        "            x = add(a(x), x)");
  CHECK(loop_fixed("for i, layer in enumerate(self.layers, 1):", "x = layer(x) + x") ==
        "for i, (layer, add) in enumerate(zip(self.layers, self.adds, strict=True), 1):\n"
        "            x = add(layer(x), x)");
  CHECK(loop_fixed("for (a, b) in zip(self.layers, y):", "x = a(x) + x") ==
        "for (a, b, add) in zip(self.layers, y, self.adds):\n            x = add(a(x), x)");
  CHECK(loop_fixed("for layer in self.layers:", "x = layer(x) + add") ==
        "for layer, add_module in zip(self.layers, self.adds, strict=True):\n"
        "            x = add_module(layer(x), add)");
}

TEST_CASE("several of a loop's operations run along in one order") {
  Diagnostic first = turn_finding("mul", "Multiply");
  Diagnostic second = turn_finding("add", "Add");
  const std::string after =
      fixed(stack("for layer in self.layers:\n            x = layer(x) * 2 + x"),
            std::vector<Diagnostic*>{&first, &second});
  CHECK_THAT(
      after,
      Contains("for layer, add, mul in zip(self.layers, self.adds, self.muls, strict=True):") &&
          Contains("x = add(mul(layer(x), 2), x)") &&
          Contains("self.adds = nn.ModuleList([Add() for _ in self.layers])"));
}

TEST_CASE("a module that a loop over modules calls becomes one for each iteration") {
  Diagnostic finding = reuse_finding("act", {11});
  finding.fix->rewrite->calls[0].count = 3;
  const std::string after =
      fixed(stack("for layer in self.layers:\n            x = self.act(layer(x))"), finding);
  CHECK_THAT(after, Contains("for layer, act in zip(self.layers, self.acts, strict=True):") &&
                        Contains("x = act(layer(x))") &&
                        Contains("nn.ModuleList([copy.deepcopy(self.act) for _ in self.layers])"));
}

TEST_CASE("a loop with a counter reaches the module by its number") {
  CHECK(loop_fixed("for i in range(n):", "x = self.layers[i](x) + x") ==
        "for i in range(n):\n            x = self.adds[i](self.layers[i](x), x)");
  CHECK(loop_fixed("for i, y in enumerate(x):", "x = self.layers[i](y) + x") ==
        "for i, y in enumerate(x):\n            x = self.adds[i](self.layers[i](y), x)");
  for (const char* body :
       {"x = self.layers[i + 1](x) + x", "x = x + (self.layers[i](x) if i else 1)",
        "x = x + self.other[i](x)", "x = x + 1; i = 0; x = self.layers[i](x)",
        "x = x + 1\n            if i: break\n            x = self.layers[i](x)",
        "x = x + 1\n            if i: x = self.layers[i](x)"})
    CHECK_THAT(loop_fixed("for i in range(n):", body), Contains("it is in a loop"));
}

TEST_CASE("a loop whose source says how often it runs calls its own module in each iteration") {
  CHECK(loop_fixed("for i in range(3):", "x = x + i") ==
        "for i in range(3):\n            x = self.adds[i](x, i)");
  CHECK(loop_fixed("for _ in range(3):", "x = x + 1") ==
        "for _, add in zip(range(3), self.adds, strict=True):\n            x = add(x, 1)");
  CHECK(loop_fixed("for i in range(3):", "i = i + x") ==
        "for i, add in zip(range(3), self.adds, strict=True):\n            i = add(i, x)");
  CHECK(loop_fixed("for y in (x, x, x):", "z = y + x") ==
        "for y, add in zip((x, x, x), self.adds, strict=True):\n            z = add(y, x)");
  Diagnostic finding = turn_finding("add", "Add");
  CHECK_THAT(fixed(stack("for i in range(3):\n            x = x + i"), finding),
             Contains("self.adds = nn.ModuleList([Add() for _ in range(3)])"));
  for (const char* head : {"for i in range(1000):", "for i in range(1, 3):", "for y in (x, *x):",
                           "for i in range(n):", "for i in range(self.n):", "for y in x, x:"})
    CHECK_THAT(loop_fixed(head, "x = x + 1"), Contains("it is in a loop"));
}

TEST_CASE("a loop that runs as often as a number of its class says calls its own modules") {
  const auto source = [](const std::string& elsewhere) {
    return stack("for _ in range(self.n):\n            x = x + 1", "nn.ModuleList(layers)\n        "
                                                                   "self.n = len(layers)") +
           elsewhere;
  };
  const auto at = [](int line) {
    Diagnostic finding = op_finding("add", line, "Add");
    finding.fix->rewrite->calls[0].count = 3;
    return finding;
  };
  Diagnostic finding = at(12);
  const std::string after = fixed(source(""), finding);
  CHECK_THAT(after, Contains("self.adds = nn.ModuleList([Add() for _ in range(self.n)])") &&
                        Contains("for _, add in zip(range(self.n), self.adds, strict=True):"));
  CHECK(hazard_beside(source(""), "m = net.n + 1", at(12)).empty());
  CHECK_THAT(hazard_beside(source(""), "net.n = 4", at(12)), Contains("mentions it"));
  CHECK_THAT(hazard_beside(source(""), "setattr(net, 'n', 4)", at(12)), Contains("mentions it"));
  CHECK_THAT(hazard_beside(source("def more(net):\n    net.n += 1\n"), "", at(12)),
             Contains("refused"));
}

TEST_CASE("modules that another constructor keeps are mentioned") {
  const std::string source = stack("for layer in self.layers:\n            x = x + 1");
  const std::string other = "class Other:\n    def __init__(self, net):\n        ";
  const Diagnostic finding = turn_finding("add", "Add");
  CHECK_THAT(hazard_beside(source, other + "self.all = net.layers\n", finding),
             Contains("mentions it"));
  CHECK(hazard_beside(source, other + "self.count = len(net.layers)\n", finding).empty());
}

TEST_CASE("a map of a lambda calls its own module for each element") {
  const auto mapped = [](const std::string& line, std::size_t count = 2) {
    Diagnostic finding = op_finding("softmax", 10);
    finding.fix->rewrite->calls[0].count = count;
    const std::string after = fixed(stack(line), finding);
    if (!finding.fix->refusal.empty()) return finding.fix->refusal;
    const auto begin = after.find("\n        a, b = ") + 9;
    return after.substr(begin, after.find("\n        return") - begin);
  };
  CHECK(mapped("a, b = map(lambda t: t.softmax(dim=-1), (x, y))") ==
        "a, b = map(lambda t, softmax: softmax(t), (x, y), self.softmaxes)");
  CHECK(mapped("a, b = map(lambda s, t: s * t.softmax(-1), z, [x, y])") ==
        "a, b = map(lambda s, t, softmax: s * softmax(t), z, [x, y], self.softmaxes)");
  for (const char* line :
       {"a, b = map(lambda t: t.softmax(-1), z)", "a, b = map(lambda *t: t.softmax(-1), (x, y))",
        "a, b = map(lambda t, s=1: t.softmax(-1), (x, y))", "a, b = (lambda t: t.softmax(-1))(x)",
        "a, b = each(lambda t: t.softmax(-1), (x, y))"})
    CHECK(mapped(line) == "it is in a lambda");
}

TEST_CASE("a sum of tensors is one module, whatever it is a sum of") {
  const auto summed = [](const std::string& line, bool scripted = false) {
    Diagnostic finding = op_finding("add", 10, "Add");
    finding.fix->rewrite->calls[0].count = 3;
    Files files({{"net.py", stack(line)}});
    const auto changes = fixes::plan_fixes({&finding}, files, {"", scripted});
    if (!finding.fix->refusal.empty()) return finding.fix->refusal;
    const std::string& after = changes.back().after;
    const auto begin = after.find("\n        y = ") + 9;
    return after.substr(begin, after.find("\n        return") - begin);
  };
  CHECK(summed("y = sum(x)") == "y = self.add(x)");
  CHECK(summed("y = sum(a for a in x)") == "y = self.add([a for a in x])");
  CHECK(summed("y = sum([a for a in x])") == "y = self.add([a for a in x])");
  CHECK_THAT(summed("y = sum(x, x)"), Contains("no such call"));
  for (const char* line : {"y = sum(x.mul_(2) for a in x)", "y = sum(a * x.mul_(a) for a in x)",
                           "y = sum(torch.mul(x, 2, out=x) for a in x)"})
    CHECK_THAT(summed(line), Contains("writes into a tensor between"));
  CHECK(summed("y = sum(a.mul(2) for a in x)") == "y = self.add([a.mul(2) for a in x])");
  CHECK_THAT(summed("y = sum(x); sum = max"), Contains("no such call"));
  CHECK_THAT(summed("y = sum(x)", true), Contains("TorchScript"));
  CHECK_THAT(summed("y = sum(1 for a in x)"), Contains("self.add([1 for a in x])"));
  Diagnostic inner = op_finding("gelu", 10);
  Diagnostic outer = op_finding("add", 10, "Add");
  inner.fix->rewrite->calls[0].count = outer.fix->rewrite->calls[0].count = 3;
  CHECK_THAT(fixed(stack("y = sum(F.gelu(a(x)) for a in self.layers)"), {&inner, &outer}),
             Contains("y = self.add([gelu(a(x)) for a, gelu in "
                      "zip(self.layers, self.gelus, strict=True)])"));
  Diagnostic finding = op_finding("add", 10, "Add");
  Files files({{"net.py", stack("y = sum(x)")}});
  const auto changes = fixes::plan_fixes({&finding}, files, {});
  CHECK_THAT(changes.front().after, Contains("class Add(") && Contains("return sum(tensors)"));
}

TEST_CASE("a function of a group of torch's runs the operator of that group") {
  Diagnostic finding = op_finding("fft_rfftn", 10, "FftRfftn");
  CHECK_THAT(fixed(stack("y = torch.fft.rfftn(x, norm=n)"), finding),
             Contains("y = self.fft_rfftn(x, norm=n)"));
  Diagnostic other = op_finding("fft_rfftn", 10, "FftRfftn");
  const std::string source = stack("y = mine.fft.rfftn(x)");
  CHECK(fixed(source, other) == source);
}

TEST_CASE("a part that is written into is told by its name") {
  Diagnostic finding = op_finding("fill", 10, "Fill");
  fixed(stack("x[0] = 1"), finding);
  CHECK_THAT(finding.fix->refusal, Contains("it writes into `x[0]`"));
}

TEST_CASE("a module at several places of a container gets a copy at each") {
  const auto separated = [](const std::string& made, const std::string& expression = "nn.ReLU()") {
    const auto more = static_cast<int>(std::ranges::count(made, '\n'));
    Diagnostic finding = reuse_finding("0", {10 + more});
    finding.fix->rewrite->expression = expression;
    finding.fix->rewrite->calls[0].count = 2;
    const std::string after = fixed(stack("x = self.layers(x)", made), finding);
    if (!finding.fix->refusal.empty()) return finding.fix->refusal;
    const auto begin = after.find("self.layers = ") + 14;
    return after.substr(begin, after.find("\n    def forward") - begin);
  };
  const std::string act = "\n        self.act = nn.ReLU()";
  CHECK(separated("nn.Sequential()\n        r = nn.ReLU()\n        "
                  "self.layers = nn.Sequential(a, r, b, r)") ==
        "nn.Sequential()\n        r = nn.ReLU()\n        "
        "self.layers = nn.Sequential(a, r, b, copy.deepcopy(r))" +
            act);
  CHECK(separated("nn.Sequential()\n        self.r = nn.ReLU()\n        all = [a, self.r]\n        "
                  "for i in n:\n            all.append(self.r)\n        "
                  "self.layers = nn.Sequential(*all)") ==
        "nn.Sequential()\n        self.r = nn.ReLU()\n        all = [a, copy.deepcopy(self.r)]\n   "
        "     "
        "for i in n:\n            all.append(copy.deepcopy(self.r))\n        "
        "self.layers = nn.Sequential(*all)" +
            act);
  for (const char* made : {"nn.Sequential(r, r)",
                           "nn.Sequential()\n        r = own()\n        "
                           "self.layers = nn.Sequential(r, r)",
                           "nn.Sequential()\n        r = nn.ReLU()\n        use(r, r)"})
    CHECK_THAT(separated(made), Contains("called from a container"));
  const std::string place = "\n        self.layers = nn.Sequential(self.r, a, self.r)";
  for (const std::string& made :
       {"self.r = nn.ReLU() if a else nn.PReLU()" + place,
        "if a:\n            self.r = nn.ReLU()\n        else:\n            self.r = nn.PReLU()" +
            place,
        "self.r = nn.ReLU()" + place + "\n        self.r = nn.PReLU()",
        "self.r = nn.ReLU()\n        self.kept = (self.r,)" + place,
        "self.r = nn.ReLU()\n        self.kept = []\n        self.kept.append(self.r)" + place,
        "self.r = nn.ReLU()\n        keep(self.r)" + place,
        "self.r = nn.ReLU()" + place + "\n        self.r.inplace = a",
        "n = nn.ModuleList()\n        self.r = nn.ReLU()\n        x = n * [self.r]" + place,
        std::string("self.r = nn.ReLU()\n        all = [self.r, self.r]\n        self.kept = all\n"
                    "        self.layers = nn.Sequential(*all)"),
        std::string(
            "self.r = nn.ReLU()\n        self.layers = nn.Sequential(*[self.r] * 2, self.r)"),
        std::string("layers = nn.ReLU()\n        self.layers = nn.Sequential(layers, layers)")}) {
    CAPTURE(made);
    CHECK_THAT(separated("nn.Sequential()\n        " + made), Contains("called from a container"));
  }
  CHECK_THAT(
      separated("nn.Sequential()\n        self.r = nn.ReLU()\n        self.mine = nn.ReLU()\n"
                "        self.hooked = [self.mine]" +
                place),
      Contains("[self.mine]") && Contains("(copy.deepcopy(self.r), a, copy.deepcopy(self.r))"));
  CHECK_THAT(separated("nn.Sequential()\n        r = nn.ReLU()\n        "
                       "self.layers = nn.Sequential(r, r)",
                       "nn.PReLU()"),
             Contains("called from a container"));
}

TEST_CASE("a module under two names of a class gets a copy for the second") {
  const auto separated = [](const std::string& made) {
    Diagnostic finding = reuse_finding("r", {11});
    finding.fix->rewrite->expression = "nn.ReLU()";
    SourceCall other = finding.fix->rewrite->calls[0];
    finding.fix->rewrite->calls[0].place.line += static_cast<int>(std::ranges::count(made, '\n'));
    other.place.line = finding.fix->rewrite->calls[0].place.line + 1;
    finding.fix->rewrite->calls.push_back(other);
    const std::string after =
        fixed(stack("pass\n        x = self.r(x)\n        x = self.s(x)", made), finding);
    return finding.fix->refusal.empty() ? after : finding.fix->refusal;
  };
  CHECK_THAT(separated("1\n        self.r = nn.ReLU()\n        self.s = self.r"),
             Contains("self.s = copy.deepcopy(self.r)\n") &&
                 Contains("x = self.r(x)\n        x = self.s(x)"));
  CHECK_THAT(separated("1\n        self.r = own()\n        self.s = self.r"),
             Contains("no such call"));
}

TEST_CASE("a parameter that is declared as whole numbers gives them") {
  const auto typed = [](const std::string& type) {
    Diagnostic finding = op_finding("mul", 7, "Multiply");
    Files files({{"net.py", "from torch import nn\nclass Net(nn.Module):\n    def __init__(self):\n"
                            "        super().__init__()\n    def forward(self, x, size: " +
                                type + "):\n        h, w = size\n        return x * (h - 1)\n"}});
    return fixes::plan_fixes({&finding}, files, {}).front().after;
  };
  for (const char* type : {"List[int]", "Tuple[int, int]", "tuple[int, ...]"})
    CHECK_THAT(typed(type), Contains("other: Union[int, float]"));
  for (const char* type : {"List[torch.Tensor]", "Tuple[int, torch.Tensor]", "tuple"})
    CHECK_THAT(typed(type), !Contains("other: Union[int, float]"));
}

TEST_CASE("what are likely numbers makes no line unclear") {
  Diagnostic finding = op_finding("sub", 10, "Subtract");
  CHECK_THAT(fixed(stack("y = (x[:, None] - x[None]) + (self.size - 1)"), finding),
             Contains("y = (self.sub(x[:, None], x[None])) + (self.size - 1)"));
  for (const std::string sum : {"sum(self.sizes)", "sum([1, len(x)])", "sum(len(a) for a in x)"}) {
    Diagnostic added = op_finding("add", 10, "Add");
    CHECK_THAT(fixed(stack("y = x + " + sum), added), Contains("y = self.add(x, " + sum + ")"));
  }
  Diagnostic added = op_finding("add", 10, "Add");
  CHECK_THAT(fixed(stack("y = x + sum(z)"), added), Contains("y = x + sum(z)"));
}

TEST_CASE("a trace says which of two spellings ran") {
  const auto ran = [](const std::string& schema) {
    Diagnostic finding = op_finding("mul", 10, "Multiply");
    finding.fix->rewrite->schema = schema;
    const std::string after = fixed(stack("y = x.mul_(2) if self.inplace else x * 2"), finding);
    return finding.fix->refusal.empty() ? after : finding.fix->refusal;
  };
  CHECK_THAT(ran("aten::mul.Tensor"),
             Contains("y = x.mul_(2) if self.inplace else self.mul(x, 2)"));
  CHECK_THAT(ran("aten::mul_.Tensor"), Contains("it writes into a tensor"));
  CHECK_THAT(ran("onnx::Mul"), Contains("does not distinguish"));
}

namespace {

/// The line after the fix of an addition in a comprehension, or why there is none.
std::string comprehension_fixed(const std::string& line, bool scripted = false,
                                std::size_t count = 3) {
  Diagnostic finding = op_finding("add", 10, "Add");
  finding.fix->rewrite->calls[0].count = count;
  Files files({{"net.py", stack(line)}});
  const auto changes = fixes::plan_fixes({&finding}, files, {"", scripted});
  if (!finding.fix->refusal.empty()) return finding.fix->refusal;
  const std::string& after = changes.back().after; // behind the file of classes
  const auto begin = after.find("\n        y = ") + 9;
  return after.substr(begin, after.find("\n        return") - begin);
}

} // namespace

TEST_CASE("a comprehension over modules calls a separate module for each") {
  CHECK(comprehension_fixed("y = [layer(x) + x for layer in self.layers]") ==
        "y = [add(layer(x), x) for layer, add in zip(self.layers, self.adds, strict=True)]");
  CHECK(comprehension_fixed("y = sum(a(x) + b for a, b in zip(self.layers, x))", false, 6) ==
        "y = sum(add(a(x), b) for a, b, add in zip(self.layers, x, self.adds))");
  CHECK(comprehension_fixed("y = {i: self.layers[i](x) + x for i in range(3)}") ==
        "y = {i: self.adds[i](self.layers[i](x), x) for i in range(3)}");
  for (const char* line : {"y = [layer(x) + x for layer in layers]",
                           "y = [layer(z) + x for layer in self.layers for z in x]",
                           "y = [layer for layer in self.layers if x + 1]",
                           "y = [[layer(x) + x for layer in self.layers] for x in x]"})
    CHECK_THAT(comprehension_fixed(line), Contains("in a comprehension"));
  CHECK_THAT(comprehension_fixed("y = [layer(x) + x for layer in self.layers]", true),
             Contains("in a comprehension"));
}

TEST_CASE("modules that are added elsewhere are not skipped") {
  const std::string loop = "for layer in self.layers:\n            x = x + 1";
  for (const char* elsewhere :
       {"class A(Net):\n    pass\nclass B(A):\n    def __init__(self):\n        "
        "super().__init__([])\n        self.layers.append(1)\n",
        "class Outer(nn.Module):\n    def grow(self):\n        self.net.layers.append(1)\n",
        "def grow(net):\n    layers = net.layers\n    layers.append(1)\n",
        "def grow(net):\n    getattr(net, 'layers').append(1)\n"}) {
    INFO(elsewhere);
    Diagnostic finding = turn_finding("add", "Add");
    const std::string source = stack(loop) + elsewhere;
    CHECK(fixed(source, finding) == source);
  }
}

TEST_CASE("a class that the model has another module of is left alone") {
  Diagnostic finding = reuse_finding("act", {10, 11});
  finding.fix->rewrite->expression = "nn.LeakyReLU(0.1)";
  fixed(stack("x = self.act(x)\n        x = self.act(x)"), finding);
  CHECK_THAT(finding.fix->refusal, Contains("a different class there"));
}

TEST_CASE("a module is there before its class runs itself to learn a size") {
  Diagnostic finding = op_finding("relu", 11);
  const std::string source =
      "import torch\nfrom torch import nn\nimport torch.nn.functional as F\nclass Net(nn.Module):\n"
      "    def __init__(self):\n        super().__init__()\n"
      "        self.fc = nn.Linear(self.size(torch.zeros(4)), 2)\n"
      "    def size(self, x):\n        return self.features(x).numel()\n"
      "    def features(self, x):\n        return F.relu(x)\n"
      "    def forward(self, x):\n        return self.fc(self.features(x))\n";
  CHECK_THAT(fixed(source, finding),
             Contains("super().__init__()\n        self.relu = nn.ReLU()\n        self.fc"));
}

TEST_CASE("no new child is added to a class whose children are run, even by another class") {
  const std::string body = "    def forward(self, x):\n        return x * 2\n";
  const std::string head = "import torch\nfrom torch import nn\n";
  for (const std::string& types :
       {std::string("class A(nn.Sequential):\n    pass\nclass Net(A):\n"),
        std::string("class A(nn.Module):\n    def run(self):\n        return self.children()\n"
                    "class Net(A):\n"),
        std::string("class Net(nn.Module):\n    def run(self):\n        return self._modules\n")}) {
    const std::string source = head + types + body;
    const int line = 1 + static_cast<int>(std::count(source.begin(), source.end(), '\n'));
    Diagnostic finding = op_finding("mul", line - 1, "Multiply");
    CHECK(fixed(source, finding) == source);
    CHECK_THAT(finding.fix->refusal, Contains("iterates over its children"));
  }
}

TEST_CASE("what takes the place of an expression is a word of its own") {
  const auto line_after = [](const std::string& operation, const std::string& statement) {
    Diagnostic finding = op_finding(operation, 11, "Own");
    const std::string after = fixed(stack("y = 1\n        " + statement), finding);
    const auto begin = after.find("y = 1\n        ") + 14;
    return after.substr(begin, after.find('\n', begin) - begin);
  };
  CHECK(line_after("neg", "return-x") == "return self.neg(x)");
  CHECK(line_after("mul", "return(x + y) * 2") == "return self.mul(x + y, 2)");
}

TEST_CASE("joining lists is not an operation on tensors") {
  for (const char* statement : {"x = [x] * 2", "x = y + [x]", "x += [y]"}) {
    INFO(statement);
    Diagnostic finding = op_finding(
        std::string(statement).find('*') == std::string::npos ? "add" : "mul", 10, "Own");
    const std::string source = stack(statement);
    CHECK(fixed(source, finding) == source);
  }
}

TEST_CASE("what writes in place stays where a file computes in several dtypes") {
  Diagnostic finding = op_finding("add", 11, "Add");
  finding.fix->rewrite->operand_made = {{"net.py", 10, 0, 0}};
  const std::string source = stack("x = self.act(x)\n        x += self.mean") +
                             "MEAN = torch.zeros(3, dtype=torch.float64)\n";
  CHECK(fixed(source, {&finding}, "package") == source);
  CHECK_THAT(finding.fix->refusal, Contains("keeps the dtype"));
}

namespace {

/// The `forward` of the class that stands for a call in a scripted model, or why there is none.
std::string scripted_class(const std::string& operation, const std::string& statement) {
  Diagnostic finding = op_finding(operation, 10, "Own");
  finding.fix->rewrite->scripted = true;
  Files files({{"net.py", stack(statement)}});
  const auto changes = fixes::plan_fixes({&finding}, files, {"", true});
  if (!finding.fix->refusal.empty()) return finding.fix->refusal;
  const std::string& classes = changes.front().after;
  const auto begin = classes.find("def forward(self, ") + 18;
  return classes.substr(begin, classes.find(')', begin) - begin);
}

} // namespace

TEST_CASE("a function's arguments get type annotations for TorchScript") {
  CHECK(scripted_class("where", "x = torch.where(x > 0, self.f(x), x)") ==
        "condition, input, other");
  CHECK_THAT(scripted_class("sum", "x = x.sum(self.dim)"), Contains("one number or several"));
  CHECK(scripted_class("sum", "x = x.sum([self.d, -1])") == "input, dim: List[int]");
  CHECK(scripted_class("pad", "x = F.pad(x, [d // 2, d - d // 2])") == "input, pad: List[int]");
  CHECK(scripted_class("hardsigmoid", "x = F.hardsigmoid(x, inplace=y)") == "input, inplace: bool");
  CHECK(scripted_class("softmax", "x = F.softmax(x, dim=y, dtype=torch.float64)") ==
        "input, dim: int, dtype: Optional[int]");
  CHECK_THAT(scripted_class("adaptive_avg_pool2d", "x = F.adaptive_avg_pool2d(x, self.s)"),
             Contains("one number or several"));
  CHECK_THAT(scripted_class("interpolate", "x = F.interpolate(x, None, self.factor)"),
             Contains("one number or several"));
  CHECK(scripted_class("interpolate", "f = 1 / 2; x = F.interpolate(x, scale_factor=f)") ==
        "input, scale_factor: float");
}

TEST_CASE("arguments after a named one are named") {
  Diagnostic finding = op_finding("max_pool2d", 10);
  CHECK_THAT(fixed(stack("x = F.max_pool2d(x, stride=2, kernel_size=3)"), finding),
             Contains("nn.MaxPool2d(stride=2, kernel_size=3)"));
}

TEST_CASE("no other loop is touched") {
  for (const char* head : {"for layer in self.layers[1:]:", "for layer in reversed(self.layers):",
                           "for layer in layers:", "for layer in zip(self.layers, x):",
                           "for layer in self.other:", "while self.layers:"})
    CHECK_THAT(loop_fixed(head, "x = x + 1"), Contains("it is in a loop"));
  for (const char* made : {"zip(layers)", "None", "nn.ModuleList(a) if a else b", "layers",
                           "make(layers)", "self.make(layers)"}) {
    Diagnostic finding = turn_finding("add", "Add");
    const std::string source = stack("for layer in self.layers:\n            x = x + 1", made);
    CHECK(fixed(source, finding) == source);
  }
  const std::string grown = "class Longer(Net):\n    def __init__(self):\n        "
                            "super().__init__([])\n        self.layers.append(nn.ReLU())\n";
  Diagnostic finding = turn_finding("add", "Add");
  const std::string source = stack("for layer in self.layers:\n            x = x + 1") + grown;
  CHECK(fixed(source, finding) == source);
}

TEST_CASE("a loop that not every configuration runs has modules where these can be counted") {
  const auto guarded = [](const std::string& parameter, const std::string& made) {
    Diagnostic finding = op_finding("add", 9, "Add");
    finding.fix->rewrite->calls[0].count = 3;
    return fixed("from torch import nn\nclass Net(nn.Module):\n    def __init__(self, " +
                     parameter + "):\n        super().__init__()\n        self.n = " + made +
                     "\n    def forward(self, x):\n        if self.n:\n            for _ in "
                     "range(self.n):\n                x = x + 1\n        return x\n",
                 finding);
  };
  for (const char* parameter : {"n=3", "n: int", "n: int = 3"})
    CHECK_THAT(guarded(parameter, "n"), Contains("Add() for _ in range(self.n)"));
  for (const char* made : {"3", "len(n)", "int(n)"})
    CHECK_THAT(guarded("n", made), Contains("Add() for _ in range(self.n)"));
  for (const char* parameter : {"n", "n=None", "n: int = None", "n: Optional[int] = None"})
    CHECK_THAT(guarded(parameter, "n"), !Contains("Add()"));
  CHECK_THAT(guarded("n", "n.size"), !Contains("Add()"));
}

TEST_CASE("a number that may be none is counted to where each run of the module does") {
  const auto run = [](const std::string& line) {
    Diagnostic finding = op_finding("softmax", 8);
    finding.fix->rewrite->calls[0].count = 3;
    return fixed("from torch import nn\nclass Net(nn.Module):\n    def __init__(self, n=None):\n"
                 "        super().__init__()\n        self.n = n\n    def forward(self, x):\n"
                 "        y = 1\n        " +
                     line + "\n        return x\n",
                 finding);
  };
  const std::string all = "[x.softmax(-1) for _ in range(self.n)]";
  for (const std::string& line : {"x = " + all, "x = torch.stack(" + all + ")", "return " + all})
    CHECK_THAT(run(line), Contains("self.softmaxes"));
  for (const std::string& line :
       {"x = " + all + " if self.n else x", "x = self.n and " + all, "if self.n: x = " + all})
    CHECK_THAT(run(line), !Contains("self.softmaxes"));
}

TEST_CASE("a function of the file may give back what a loop runs along") {
  const auto along = [](const std::string& body) {
    Diagnostic finding = turn_finding("add", "Add");
    return fixed(stack("for layer in self.layers:\n            x = x + 1", "make(layers)") +
                     "def make(layers):\n" + body,
                 finding);
  };
  for (const char* body : {"    return nn.ModuleList(layers)\n", "    return list(layers)\n",
                           "    all = []\n    return all\n"})
    CHECK_THAT(along(body), Contains("Add() for _ in self.layers"));
  for (const char* body : {"    yield layers\n", "    return layers\n", "    return iter(layers)\n",
                           "    if layers:\n        return None\n    return []\n",
                           "    if layers:\n        return []\n"})
    CHECK_THAT(along(body), !Contains("Add()"));
}

TEST_CASE("a function that a class keeps becomes a module") {
  const auto kept = [](const std::string& made, const std::string& use = "x = self.f(x)") {
    Diagnostic finding = op_finding("gelu", 8);
    const std::string after = fixed(net(use, made), finding);
    return after == net(use, made) ? finding.fix->refusal : after;
  };
  CHECK_THAT(kept("self.f = F.gelu"), Contains("self.f = nn.GELU()\n"));
  CHECK_THAT(kept("self.f = F.gelu if y else torch.tanh"),
             Contains("self.f = nn.GELU() if y else torch.tanh\n"));
  for (const char* made : {"self.f = g", "self.f = F.relu", "self.f = partial(F.gelu)"})
    CHECK_THAT(kept(made), Contains("holds no such call"));
  // What else is done with the function is done as before.
  CHECK_THAT(kept("self.f = F.gelu; h(self.f)"),
             Contains("self.f = F.gelu; h(self.f)") && Contains("x = self.gelu(x)"));
  CHECK_THAT(kept("self.f = F.gelu", "x = self.f(x, approximate='tanh')"),
             Contains("self.gelu = nn.GELU(approximate='tanh')\n"));
  CHECK_THAT(kept("self.f = F.gelu", "x = self.f(x) if y is self.f else x"),
             Contains("x = self.gelu(x) if y is self.f else x"));
  Diagnostic derived = op_finding("gelu", 8);
  const std::string other = net("x = self.f(x)", "self.f = F.gelu") +
                            "class Tanh(Net):\n    def forward(self, x):\n"
                            "        return self.f(x, approximate='tanh')\n";
  CHECK_THAT(fixed(other, derived),
             Contains("self.f = F.gelu\n") && Contains("        x = self.gelu(x)\n"));
  Diagnostic early = op_finding("gelu", 7);
  const std::string source =
      "from torch import nn\nclass Net(nn.Module):\n    def __init__(self):\n"
      "        self.f = nn.functional.gelu\n        super().__init__()\n"
      "    def forward(self, x):\n        return self.f(x)\n";
  CHECK_THAT(fixed(source, early), Contains("self.f = nn.functional.gelu\n        super()") &&
                                       Contains("return self.gelu(x)\n"));
}

TEST_CASE("source that would take the parser beyond its counts is left alone") {
  // 65,536 unclosed brackets are children of one node, whose number has 16 bits in tree-sitter.
  for (const char* part : {"(", "{", "-"}) {
    std::string many;
    for (int i = 0; i < 70'000; ++i) many += part;
    CHECK(refusal("relu", net("x = F.relu(x)") + "y = " + many + "\n") ==
          "its file is too long to be edited");
  }
  std::string lines;
  for (int i = 0; i < 3000; ++i) lines += "# a comment on what is computed here, and why\n";
  Diagnostic finding = op_finding("relu", 8);
  CHECK_THAT(fixed(net("x = F.relu(x)") + lines, finding), Contains("self.relu(x)"));
}

TEST_CASE("what comments and strings say makes no file too long") {
  std::string prose;
  for (int i = 0; i < 30'000; ++i) prose += "a, 'b' (c) ";
  const std::string long_file = "\"\"\"" + prose + "\"\"\"\nU = f'{1}' + r\"" +
                                std::string(70'000, '(') + "\\\"\"  # " + prose + "\n";
  const std::string line = net("x = F.relu(x) + F.interpolate(y, mode='nearest')  # a's \"sum\"");
  Diagnostic finding = op_finding("relu", 10);
  const std::string after = fixed(long_file + line, finding);
  CHECK_THAT(finding.fix->refusal, Catch::Equals(""));
  CHECK(after.starts_with(long_file));
  CHECK_THAT(after, Contains("self.relu(x) + F.interpolate(y, mode='nearest')  # a's \"sum\""));
  CHECK(refusal("relu", long_file + line + "y = '" + std::string(70'000, '{') + "\n", 10) ==
        "its file does not parse as Python");
}

TEST_CASE("a file of the user's that has the name of the classes' file is left alone") {
  for (const char* text : {"", "X = 1\n"}) {
    Files files({{"net.py", net("x = x + y")}, {"functional_modules.py", text}});
    Diagnostic finding = op_finding("add", 8, "Add");
    Diagnostic second = op_finding("add", 8, "Add");
    CHECK(fixes::plan_fixes({&finding, &second}, files, {}).empty());
    CHECK_THAT(finding.fix->refusal, Contains("already exists"));
    CHECK_THAT(second.fix->refusal, Contains("already exists"));
  }
}

TEST_CASE("a name is free in the whole hierarchy, wherever it is") {
  const auto source = [](const std::string& base) {
    return "import torch\nfrom torch import nn\nfrom other import Base\nclass Net(" + base +
           "):\n    def __init__(self):\n        super().__init__()\n    def forward(self, x):\n"
           "        return x.std(1)\n";
  };
  const auto with = [&](const std::string& base, const std::string& other) {
    Files files({{"net.py", source(base)}, {"other.py", other}});
    Diagnostic finding = op_finding("std", 8, "Std");
    for (const auto& change : fixes::plan_fixes({&finding}, files, {}))
      if (change.path == "net.py") return change.after;
    return finding.fix->refusal;
  };
  CHECK_THAT(with("Base", "from torch import nn\nclass Base(nn.Module):\n"
                          "    def __init__(self):\n        self.std = 2.0\n"),
             Contains("self.std_2 = Std()"));
  CHECK_THAT(with("nn.Module", "from net import Net\nclass Sub(Net):\n    std = 2.0\n"),
             Contains("self.std_2 = Std()"));
  CHECK_THAT(with("nn.Module", "net.std = 2.0\n"), Contains("self.std_2 = Std()"));
  CHECK_THAT(with("nn.Module", "y = getattr(net, 'std', None)\n"), Contains("self.std_2 = Std()"));
  CHECK_THAT(with("nn.Module", "for each in ['std']:\n    self.add_module(each, nn.ReLU())\n"),
             Contains("self.std_2 = Std()"));
  CHECK_THAT(with("Base", ""), Contains("self.std_op = Std()"));
  CHECK_THAT(with("nn.Module", "x = 1\n"), Contains("self.std = Std()"));
}

TEST_CASE("a dropout that other code may put into another mode keeps its class's mode") {
  const std::string source = net("x = F.dropout2d(x, 0.5, self.training)");
  const auto with = [&](const std::string& other) {
    Files files({{"net.py", source}, {"other.py", other}});
    Diagnostic finding = op_finding("dropout2d", 8, "Dropout2d");
    for (const auto& change : fixes::plan_fixes({&finding}, files, {}))
      if (change.path == "net.py") return change.after;
    return finding.fix->refusal;
  };
  CHECK_THAT(with(""), Contains("self.dropout2d = nn.Dropout2d(p=0.5)"));
  for (const char* other :
       {"if isinstance(m, nn.Dropout2d): m.train()\n",
        "class Sub(Net):\n    def train(self, mode=True):\n        pass\n", "m.training = True\n"})
    CHECK_THAT(with(other), Contains("self.dropout2d(x, 0.5, self.training)"));
}

TEST_CASE("an owner that a trace records without what it shares is asked by its line") {
  const auto owner = [](const std::string& run) {
    return "from torch import nn\nclass Owner(nn.Module):\n    def __init__(self, act):\n"
           "        super().__init__()\n        self.act = act\n        self.other = act\n"
           "    def forward(self, x):\n        return " +
           run + "\n";
  };
  const auto finding_of = [] {
    Diagnostic finding = reuse_finding("act", {8, 8});
    finding.fix->rewrite->kind = Rewrite::Kind::separate_owners;
    finding.fix->rewrite->calls.back().attribute.clear();
    return finding;
  };
  Diagnostic finding = finding_of();
  CHECK_THAT(fixed(owner("self.act(x)"), finding), Contains("self.act = copy.deepcopy(act)"));
  CHECK_THAT(finding.fix->hazard, Contains("may have weights"));
  finding = finding_of();
  fixed(owner("self.act(x) + self.other(x)"), finding);
  CHECK_THAT(finding.fix->refusal, Contains("does not record by what name"));
}

TEST_CASE("what writes in place becomes a module that does") {
  Diagnostic finding = op_finding("add", 8, "Add");
  Files files({{"net.py", net("x += y")}});
  const auto changes = fixes::plan_fixes({&finding}, files, {});
  REQUIRE(changes.size() == 2);
  CHECK_THAT(changes[0].after, Contains("        input += other\n        return input\n"));
  CHECK_THAT(changes[1].after, Contains("x = self.add(x, y)") && Contains("AddInPlace()"));
  CHECK(finding.fix->hazard.empty());
}

TEST_CASE("a new constructor shows the signature of the one that it runs, and leaves comments") {
  Diagnostic finding = op_finding("add", 9, "Add");
  const std::string after =
      fixed("from torch import nn\nclass Base(nn.Module):\n    def __init__(self, a):\n"
            "        super().__init__()\nclass Net(Base):\n\n    # what it computes\n"
            "    def forward(self, x, y):\n        return x + y\n",
            finding);
  CHECK_THAT(after,
             Contains("    @wraps(Base.__init__)\n    def __init__(self, *args, **kwargs):\n"));
  CHECK_THAT(after, Contains("    # what it computes\n    def forward("));
}

TEST_CASE("an edit ends its lines as those around it") {
  Diagnostic finding = op_finding("add", 8, "Add");
  std::string source = net("x = x + y");
  source.insert(source.find('\n'), "\r");
  const std::string after = fixed(source, finding);
  CHECK_THAT(after, Contains("self.add = Add()\n") && !Contains("self.add = Add()\r\n"));
}

TEST_CASE("a constructor on one line gets more on it") {
  Diagnostic finding = op_finding("add", 6, "Add");
  CHECK_THAT(fixed("import torch\nfrom torch import nn\nclass Net(nn.Module):\n"
                   "    def __init__(self): super().__init__()\n    def forward(me, x, y):\n"
                   "        return x + y\n",
                   finding),
             Contains("super().__init__(); self.add = Add()\n") && Contains("return me.add(x, y)"));
}

TEST_CASE("a module that a property returns is found") {
  Diagnostic finding = reuse_finding("_act", {10, 11});
  CHECK_THAT(fixed("from torch import nn\nclass Net(nn.Module):\n    def __init__(self):\n"
                   "        super().__init__()\n        self._act = nn.ReLU()\n    @property\n"
                   "    def act(self):\n        return self._act\n    def forward(self, x):\n"
                   "        x = self.act(x)\n        return self.act(x)\n",
                   finding),
             Contains("return self._act_2(x)"));
}

TEST_CASE("a file that was edited since the model was exported is left alone") {
  Diagnostic finding = op_finding("add", 8, "Add");
  finding.fix->rewrite->calls[0].class_name = "__torch__.net.Net";
  const std::string source = net("x = self.add(x, y); x = x + y", "self.add = Add()");
  CHECK(fixed(source, finding) == source);
  CHECK_THAT(finding.fix->refusal, Contains("has been edited"));
}

TEST_CASE("an attribute is not named as one of a class that some other derives from as well") {
  const std::string own =
      "from net import Net\nfrom mixin import Mixin\n\n\nclass Own(Net, Mixin):\n"
      "    pass\n";
  const std::string mixin =
      "from torch import nn\n\n\nclass Mixin(nn.Module):\n    def more(self):\n"
      "        self.softmax = nn.Softmax(0)\n        return self.softmax\n";
  Files files({{"net.py", net("x = F.softmax(x, dim=0)")}, {"own.py", own}, {"mixin.py", mixin}});
  Diagnostic finding = op_finding("softmax", 8, "Softmax");
  const auto changes = fixes::plan_fixes({&finding}, files, {});
  REQUIRE(changes.size() == 1);
  CHECK_THAT(changes.front().after, Contains("self.softmax_2 = "));
}

TEST_CASE("classes of one family get different attributes in one plan") {
  const std::string base = net("x = F.softmax(x, dim=0)");
  const std::string derived = "import torch.nn.functional as F\nfrom base import Net\n\n\nclass "
                              "Own(Net):\n    def forward(self, x):\n        x = "
                              "super().forward(x)\n        return F.softmax(x, dim=1)\n";
  Files files({{"base.py", base}, {"derived.py", derived}});
  Diagnostic one = op_finding("softmax", 8, "Softmax");
  one.fix->rewrite->calls.front().place.file = "base.py";
  Diagnostic other = op_finding("softmax", 8, "Softmax");
  other.fix->rewrite->calls.front().place.file = "derived.py";
  for (const auto& order : {std::vector{&one, &other}, std::vector{&other, &one}}) {
    std::string after;
    for (const auto& change : fixes::plan_fixes(order, files, {})) after += change.after;
    CHECK_THAT(after, Contains("self.softmax = ") && Contains("self.softmax_2 = "));
  }
}

TEST_CASE("a tensor that Python takes apart is taken apart by a module") {
  const auto text = [](const std::string& statement) {
    return "import torch\nfrom torch import nn\n\n\nclass Net(nn.Module):\n"
           "    def __init__(self):\n        super().__init__()\n\n"
           "    def forward(self, x):\n        " +
           statement + "\n";
  };
  const auto result = [&](const std::string& statement, const std::string& package = "") {
    Diagnostic finding = op_finding("unbind", 10, "Unbind");
    const std::string after = fixed(text(statement), {&finding}, package);
    return finding.fix->refusal.empty() ? after : finding.fix->refusal;
  };
  for (const auto& [before, after] : std::map<std::string, std::string>{
           {"q, k, v = f(x)", "q, k, v = self.unbind(f(x))"},
           {"(q, k), v = x", "(q, k), v = self.unbind(x)"},
           {"q, k = tuple(x)", "q, k = tuple(self.unbind(x))"},
           {"q, k = map(lambda t: t.exp(), x + 1)",
            "q, k = map(lambda t: t.exp(), self.unbind(x + 1))"},
           {"for t in x: pass", "for t in self.unbind(x): pass"},
           {"for i, t in enumerate(x): pass", "for i, t in enumerate(self.unbind(x)): pass"}})
    CHECK_THAT(result(before),
               Contains("        self.unbind = Unbind()\n") && Contains("        " + after + "\n"));
  CHECK_THAT(result("q, k = x.unbind(1)"), Contains("q, k = self.unbind(x, 1)"));
  for (const char* statement :
       {"q, k = x, x", "q, k = [x, x]", "q, k = x.chunk(2)", "q = x", "q, k = map(f, x, x)",
        "q, k = zip(x, x)", "q, k = y = x", "y = q, k = x"})
    CHECK_THAT(result(statement), Contains("no such call"));
  CHECK_THAT(result("q, k = x", "own.modules"), Contains("package"));
}

TEST_CASE("the function unfold runs an operator of another name, the method does not") {
  const auto source = [](const std::string& call) {
    return "import torch.nn.functional as F\nfrom torch import nn\n\n\n"
           "class Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n\n"
           "    def forward(self, x):\n        return " +
           call + "\n";
  };
  Diagnostic of_function = op_finding("im2col", 10, "Im2col");
  CHECK_THAT(fixed(source("F.unfold(x, 3)"), of_function), Contains("return self.im2col(x, 3)"));
  Diagnostic of_method = op_finding("im2col", 10, "Im2col");
  fixed(source("x.unfold(1, 2, 2)"), of_method);
  CHECK_THAT(of_method.fix->refusal, Contains("no such call"));
}

TEST_CASE("a package's module with weights is called with a tensor, a weight and a bias") {
  const auto refusal = [](const std::string& call, const std::string& package) {
    Diagnostic finding = op_finding("conv2d", 10, "DynamicConv2d");
    fixed("import torch.nn.functional as F\nfrom torch import nn\n\n\n"
          "class Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n\n"
          "    def forward(self, x):\n        return " +
              call + "\n",
          {&finding}, package);
    return finding.fix->refusal;
  };
  CHECK(refusal("F.conv2d(x, self.w, self.b)", "own.modules").empty());
  CHECK_THAT(refusal("F.conv2d(x, self.w, self.b, 2)", "own.modules"), Contains("package"));
  CHECK(refusal("F.conv2d(x, self.w, self.b, 2)", "").empty());
}
