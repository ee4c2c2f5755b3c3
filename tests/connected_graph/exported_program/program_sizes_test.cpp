#include "connected_graph/shapes/symbolic_shapes.h"
#include "program_builder.h"

#include <catch2/catch.hpp>

using namespace model_validator;
using namespace model_validator::testing;

namespace {

const std::string n = "Symbol('s77', positive=True, integer=True)";
const std::string h = "Symbol('s53', integer=True)";

/// The sizes of the input `x[s77, s53]` and of one result, as `inspect` names them.
std::string size_in_words(const std::string& expression) {
  ProgramBuilder builder;
  builder.input("x");
  builder.node("aten.relu.default", {"x"}, "y");
  builder.output("y");
  const auto sizes = [&](const std::string& name) -> Json& {
    return builder.graph()["tensor_values"][name]["sizes"];
  };
  const auto written = [](const std::string& text) {
    return Json{{"as_expr", {{"expr_str", text}}}};
  };
  sizes("x") = {written(n), written(h)};
  sizes("y") = {{{"as_int", 3}}, written(expression)};
  const ConnectedGraph graph = builder.read();
  const auto of_input = port_size_names(graph, graph.inputs().at(0)).value();
  CHECK(of_input == std::vector<std::string>{"s77", "s53"});
  const auto names = port_size_names(graph, graph.outputs().at(0)).value();
  CHECK(names.at(0) == "3");
  return names.at(1);
}

} // namespace

TEST_CASE("sizes of a program are expressions over its symbols") {
  CHECK(size_in_words(n) == "s77");
  CHECK(size_in_words("Integer(7)") == "7");
  CHECK(size_in_words("Add(" + n + ", Integer(1))") == "s77 + 1");
  CHECK(size_in_words("Mul(Integer(2), " + n + ", " + h + ")") == "2*s77*s53");
  CHECK(size_in_words("FloorDiv(" + h + ", Integer(2))") == "floor(s53/2)");
  CHECK(size_in_words("Max(Integer(1), " + n + ")") == "max(s77, 1)");
  CHECK(size_in_words("PythonMod(Integer(7), Integer(4))") == "3");
  CHECK(size_in_words("Add(Symbol('u0', integer=True), Integer(-2))") == "u0 - 2");
}

TEST_CASE("what is no expression of sizes is unknown") {
  for (const std::string& text :
       {std::string(), std::string("Add("), "Add(" + n, "Add(" + n + "))",
        "Pow(" + n + ", Integer(2))", std::string("Integer(x)"),
        std::string("Integer(99999999999999999999)"), std::string("Symbol()"),
        std::string("Symbol('')"), "FloorDiv(" + n + ", Integer(0))"})
    CHECK(size_in_words(text) == "?");
  std::string deep;
  for (int i = 0; i < 100'000; ++i) deep += "Max(";
  CHECK(size_in_words(deep) == "?");
}
