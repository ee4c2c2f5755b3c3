#include "connected_graph/shapes/symbolic_shapes.h"
#include "report/graph_writer.h"

#include <model_validator/graph_builder.h>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <sstream>

using namespace model_validator;
using nlohmann::json;

namespace {

ConnectedGraph sample() {
  GraphBuilder graph;
  graph.origin.path = "m.pt";
  graph.origin.format = FileFormat::torchscript;
  const ModuleId root = graph.add_module({"", {}, "Net", none, false, false, 1, {}, {}, {}});
  const ModuleId relu = graph.add_module(
      {"relu", {"act"}, "torch.nn.modules.activation.ReLU", root, true, true, 2, {}, {}, {}});
  Op input;
  input.name = "x";
  input.type = "input";
  input.kind = OpKind::input;
  input.outputs = {{std::vector<std::int64_t>{1, -1}, "float32"}};
  Op call;
  call.name = "relu_0";
  call.type = "relu";
  call.kind = OpKind::module;
  call.module = relu;
  call.parent = root;
  call.region = graph.add_region({Region::Kind::then_arm, 3, none, none});
  call.frame = graph.add_frame({{"net.py", 7, 8, 0}, root, none});
  const OpId from = graph.add_op(input);
  const OpId to = graph.add_op(call);
  graph.add_product(from, to, {"x", 0, 1, {std::vector<std::int64_t>{1, -1}, "float32"}});
  return graph;
}

json written(const ConnectedGraph& graph) {
  std::ostringstream out;
  write_graph_json(out, graph);
  return json::parse(out.str());
}

} // namespace

TEST_CASE("an op says what it is and where it stands") {
  const json graph = written(sample());
  CHECK(graph["schema"] == "model_validator-graph/1");
  CHECK(graph["ops"][1] == json{{"name", "relu_0"},
                                {"type", "relu"},
                                {"kind", "module"},
                                {"module", "relu"},
                                {"module_class", "torch.nn.modules.activation.ReLU"},
                                {"parent", ""},
                                {"parent_class", "Net"},
                                {"schema", nullptr},
                                {"region", {"if@3.then"}},
                                {"source", {{"file", "net.py"}, {"line", 7}, {"column", 8}}}});
  CHECK(graph["ops"][0]["module"].is_null());
  CHECK(graph["ops"][0]["source"].is_null());
}

TEST_CASE("a product joins two ops and has its shape where known") {
  CHECK(written(sample())["products"][0] == json{{"name", "x"},
                                                 {"from", "x"},
                                                 {"output", 0},
                                                 {"to", "relu_0"},
                                                 {"input", 1},
                                                 {"shape", {1, nullptr}},
                                                 {"dtype", "float32"}});
}

TEST_CASE("modules and inputs are listed") {
  const json graph = written(sample());
  CHECK(graph["modules"][1] == json{{"path", "relu"},
                                    {"aliases", {"act"}},
                                    {"class", "torch.nn.modules.activation.ReLU"},
                                    {"leaf", true},
                                    {"calls", 2}});
  CHECK(graph["inputs"][0]["name"] == "x");
  CHECK(graph["outputs"].empty());
}

TEST_CASE("sizes of products and inputs have their names") {
  ConnectedGraph graph = sample();
  SymbolicShapes shapes;
  const auto batch = shapes.sizes.symbol({"x", 1, "batch"});
  shapes.of_ops = {{shapes::shared({shapes::Size::of(1), batch})}, {}};
  graph.shapes = std::make_shared<const SymbolicShapes>(std::move(shapes));
  for (const char* list : {"products", "inputs"})
    CHECK(written(graph)[list][0]["sizes"] == json{"1", "batch"});
  CHECK(!written(sample())["inputs"][0].contains("sizes"));
}

TEST_CASE("an empty graph is a document too") {
  const json graph = written(ConnectedGraph{});
  for (const char* list : {"ops", "products", "inputs", "outputs", "modules"})
    CHECK(graph[list].empty());
}
