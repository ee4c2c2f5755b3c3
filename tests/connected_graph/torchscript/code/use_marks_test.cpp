#include "connected_graph/torchscript/code/inlined_graph.h"
#include "connected_graph/torchscript/code/use_marks.h"
#include "connected_graph/torchscript/modules.h"

#include <catch2/catch.hpp>

#include <set>
#include <string>

using namespace model_validator;

namespace {

void collect(const torch::jit::Block& block, std::set<std::string>& marks) {
  for (const torch::jit::Node* node : block.nodes()) {
    if (const std::string mark = torchscript::use_mark(*node); !mark.empty())
      marks.insert(std::string(node->kind().toQualString()) + " " + mark);
    for (const torch::jit::Block* inner : node->blocks()) collect(*inner, marks);
  }
}

using Marks = std::set<std::string>;

Marks marks(const std::string& body) {
  torch::jit::Module module("net");
  module.register_attribute("flag", c10::BoolType::get(), true);
  module.define("def forward(self, x):\n" + body);
  const auto graph = torchscript::inlined_graph(module, "forward");
  REQUIRE(graph != nullptr);
  torchscript::mark_uses(*graph);
  Marks found;
  collect(*graph->block(), found);
  return found;
}

} // namespace

TEST_CASE("a list that grows where it is made is like any other") {
  CHECK(marks(R"(
    parts = [x]
    parts.append(x + 1)
    return torch.cat(parts + [x], 1)
)")
            .empty());
}

TEST_CASE("a list that comes out of an if is noted at what joins it") {
  CHECK(marks(R"(
    if self.flag:
        parts = [x, x]
    else:
        parts = [x]
    return torch.cat(parts, 1)
)") == Marks{"aten::cat of an if"});
}

TEST_CASE("a list that an arm changes is noted at what joins it") {
  CHECK(marks(R"(
    parts = [x]
    if self.flag:
        parts.append(x + 1)
    return torch.stack(parts, 1)
)") == Marks{"aten::stack of an if"});
  CHECK(marks(R"(
    if self.flag:
        parts = [x]
        parts.append(x + 1)
        x = torch.cat(parts, 1)
    return x
)")
            .empty());
}

TEST_CASE("joining a list within an if or a loop that it was not made in is noted") {
  CHECK(marks(R"(
    parts = [x, x]
    if self.flag:
        x = torch.cat(parts, 1)
    return x
)") == Marks{"aten::cat from outside"});
  CHECK(marks(R"(
    parts = [x, x]
    for i in range(2):
        x = x + torch.cat(parts, 1)
    return x
)") == Marks{"aten::cat from outside"});
  CHECK(marks(R"(
    if self.flag:
        x = torch.cat([x, x], 1)
    return x
)")
            .empty());
}

TEST_CASE("joining a part of a list is noted, picking from it is not") {
  CHECK(marks("    parts = [x, x, x]\n    return torch.cat(parts[1:], 1)\n") ==
        Marks{"aten::cat slice"});
  CHECK(marks("    parts = [x, x, x]\n    return parts[1:][0]\n").empty());
}

TEST_CASE("what is split must be unpacked or read at known places") {
  CHECK(marks("    a, b = torch.chunk(x, 2, 1)\n    return a + b\n").empty());
  CHECK(marks("    parts = torch.split(x, 2, 1)\n    return parts[0] + parts[1]\n") ==
        Marks{"aten::split picked"});
  CHECK(marks(R"(
    y = x
    for part in torch.split(x, 2, 1):
        y = y + part
    return y
)") == Marks{"aten::split iterated"});
}

TEST_CASE("the result of a split must be unpacked where it is made") {
  CHECK(marks("    return torch.cat(torch.split(x, 2, 1), 0)\n") == Marks{"aten::split iterated"});
  CHECK(marks(R"(
    parts = torch.chunk(x, 2, 1)
    return parts[0] if self.flag else parts[1]
)") == Marks{"aten::chunk iterated"});
}

TEST_CASE("adding lists is noted where the second was read before it was whole") {
  CHECK(marks(R"(
    parts = [x]
    y = torch.cat([x] + parts, 1)
    parts.append(y)
    return torch.cat([y] + parts, 1)
)") == Marks{"aten::add dynamic"});
  CHECK(marks("    return torch.cat([x] + torch.split(x, 2, 1), 1)\n") ==
        Marks{"aten::add dynamic", "aten::split iterated"});
}

TEST_CASE("a mask for another dimension than the first is noted") {
  CHECK(marks("    return x[:, x[0] > 0]\n").count("aten::index mask after None") <= 1);
  CHECK(marks("    return x[x > 0]\n").empty());
}

TEST_CASE("reading a constant list at an unknown place is noted") {
  torch::jit::Module module("net");
  module.define("def forward(self, x, i: int):\n    flags = [True, False]\n"
                "    return x if flags[i] else x + 1\n");
  const auto graph = torchscript::inlined_graph(module, "forward");
  torchscript::mark_constant_lists(*graph, [](const torch::jit::Value& value) {
    return value.node()->kind() == torch::jit::prim::ListConstruct;
  });
  Marks found;
  collect(*graph->block(), found);
  CHECK(found == Marks{"aten::__getitem__ constant bool[]"});
}

TEST_CASE("a dtype that is compared is noted, one that is passed on is not") {
  CHECK(marks("    return x if x.dtype == 6 else x + 1\n") == Marks{"prim::dtype compared"});
  CHECK(marks("    return torch.zeros([2], dtype=x.dtype)\n").empty());
}
