#include "connected_graph/exported_program/exported_program_reader.h"
#include "connected_graph/exported_program/program_builder.h"

#include <model_validator/error.h>

#include <catch2/catch.hpp>

using namespace model_validator;
using namespace model_validator::testing;

namespace {

const std::string relu_stack = ";L__self__act,act,torch.nn.modules.activation.ReLU";
const std::string second_relu_stack = ";L__self__act@1,act,torch.nn.modules.activation.ReLU";

const Module& module_at(const ConnectedGraph& graph, const std::string& path) {
  for (const Module& module : graph.modules())
    if (module.path == path) return module;
  throw std::runtime_error("no module at " + path);
}

const Op& op_of_type(const ConnectedGraph& graph, const std::string& type) {
  for (OpId id = 0; id < graph.op_count(); ++id)
    if (graph.op(id).type == type) return graph.op(id);
  throw std::runtime_error("no op of type " + type);
}

std::string error_of(const std::map<std::string, std::string>& entries) {
  const TemporaryZip file(entries);
  try {
    read_exported_program(file.path());
  } catch (const Error& error) {
    return std::string(to_string(error.kind())) + ": " + error.what();
  }
  return "no error";
}

ProgramBuilder small_program() {
  ProgramBuilder builder;
  builder.input("x");
  builder.node("aten.relu.default", {"x"}, "h", relu_stack);
  builder.node("aten.add_.Tensor", {"h", "x"}, "y");
  builder.output("y");
  return builder;
}

} // namespace

TEST_CASE("an exported program becomes ops joined by products") {
  const ConnectedGraph graph = small_program().read();
  CHECK(graph.origin.format == FileFormat::exported_program);
  CHECK(graph.origin.producer == "pytorch 2.13.0");
  CHECK(graph.origin.has_modules);
  REQUIRE(graph.op_count() == 4);
  CHECK(graph.product_count() == 4);

  const Op& relu = op_of_type(graph, "relu");
  CHECK(relu.kind == OpKind::module);
  CHECK(graph.module_path(relu.module) == "act");
  CHECK(relu.body->front().schema == "aten::relu");
  const Op& add = op_of_type(graph, "add");
  CHECK(add.kind == OpKind::functional);
  CHECK(add.schema == "aten::add_.Tensor");
  CHECK(graph.module_path(add.parent).empty());
  CHECK(add.outputs.at(0).shape == std::vector<std::int64_t>{2, 4});
}

TEST_CASE("the number after a key distinguishes the calls of a module") {
  ProgramBuilder builder;
  builder.input("x");
  builder.node("aten.relu.default", {"x"}, "h", relu_stack);
  builder.node("aten.relu.default", {"h"}, "y", second_relu_stack);
  builder.output("y");
  const ConnectedGraph graph = builder.read();
  CHECK(module_at(graph, "act").calls == 2);
  CHECK(module_at(graph, "act").call_sites.size() == 2);
  CHECK(graph.op_count() == 4);
}

TEST_CASE("a module that takes several operators is called once") {
  ProgramBuilder builder;
  builder.input("x");
  builder.node("aten.neg.default", {"x"}, "h", relu_stack);
  builder.node("aten.relu.default", {"h"}, "y", relu_stack);
  builder.output("y");
  const ConnectedGraph graph = builder.read();
  CHECK(module_at(graph, "act").calls == 1);
  CHECK(op_of_type(graph, "relu").body->size() == 2);
}

TEST_CASE("weights belong to modules, and shared ones have one storage") {
  ProgramBuilder builder;
  builder.input("x");
  builder.parameter("a.weight", "p_a", "weight_0");
  builder.parameter("b.weight", "p_b", "weight_0");
  builder.parameter("c.weight", "p_c", "weight_1");
  const std::string linear = "torch.nn.modules.linear.Linear";
  builder.node("aten.linear.default", {"x", "p_a"}, "h", ";L__self__a,a," + linear);
  builder.node("aten.linear.default", {"h", "p_b"}, "i", ";L__self__b,b," + linear);
  builder.node("aten.linear.default", {"i", "p_c"}, "y", ";L__self__c,c," + linear);
  builder.output("y");
  const ConnectedGraph graph = builder.read();
  REQUIRE(graph.parameters().size() == 3);
  CHECK(graph.parameters()[0].storage == graph.parameters()[1].storage);
  CHECK(graph.parameters()[0].storage != graph.parameters()[2].storage);
  CHECK(graph.parameters()[0].bytes == 32);
  CHECK(module_at(graph, "a").aliases == std::vector<std::string>{"b"});
  CHECK(module_at(graph, "a").calls == 2);
  CHECK(module_at(graph, "c").calls == 1);
}

TEST_CASE("what yields sizes is a query") {
  ProgramBuilder builder = small_program();
  auto& size = builder.node("aten.sym_size.int", {"x"}, "n");
  size["outputs"] = {{{"as_sym_int", {{"as_name", "n"}}}}};
  const ConnectedGraph graph = builder.read();
  CHECK(op_of_type(graph, "sym_size").kind == OpKind::query);
}

TEST_CASE("symbolic sizes are unknown, and inputs carry their ranges") {
  ProgramBuilder builder = small_program();
  builder.graph()["tensor_values"]["x"]["sizes"][0] = {
      {"as_expr", {{"expr_str", "Symbol('s77', integer=True)"}}}};
  builder.program["range_constraints"]["s77"] = {{"min_val", 2}, {"max_val", 64}};
  const ConnectedGraph graph = builder.read();
  const Op& input = graph.op(graph.inputs().at(0));
  CHECK(input.outputs.at(0).shape == std::vector<std::int64_t>{-1, 4});
  CHECK(input.attributes.back() == Attribute{"range_0", std::string("2..64")});
}

TEST_CASE("the graphs of a cond are regions that exclude each other") {
  ProgramBuilder builder;
  builder.input("x");
  auto cond = builder.make("higher_order.cond", {"x"}, "y");
  cond["inputs"].push_back(ProgramBuilder::subgraph(
      builder.make("aten.relu.default", {"a"}, "r", relu_stack), "a", "r"));
  cond["inputs"].push_back(ProgramBuilder::subgraph(
      builder.make("aten.relu.default", {"a"}, "r", second_relu_stack), "a", "r"));
  cond["inputs"].push_back({{"name", ""}, {"arg", {{"as_tensors", {{{"name", "x"}}}}}}});
  builder.graph()["nodes"].push_back(cond);
  builder.output("y");
  const ConnectedGraph graph = builder.read();
  CHECK(graph.regions().size() == 2);
  CHECK(graph.region_labels(op_of_type(graph, "relu").region) ==
        std::vector<std::string>{"if@0.then"});
  CHECK(op_of_type(graph, "cond").kind == OpKind::control_flow);
  CHECK(module_at(graph, "act").calls == 1);
  CHECK(boost::in_degree(graph.regions()[0].op, graph.graph()) == 3);
}

TEST_CASE("the graphs of a while_loop are a loop that may run twice") {
  ProgramBuilder builder;
  builder.input("x");
  auto loop = builder.make("higher_order.while_loop", {}, "y");
  loop["inputs"].push_back(
      ProgramBuilder::subgraph(builder.make("aten.any.default", {"a"}, "c"), "a", "c"));
  loop["inputs"].push_back(ProgramBuilder::subgraph(
      builder.make("aten.relu.default", {"a"}, "r", relu_stack), "a", "r"));
  loop["inputs"].push_back({{"name", ""}, {"arg", {{"as_tensors", {{{"name", "x"}}}}}}});
  builder.graph()["nodes"].push_back(loop);
  builder.output("y");
  const ConnectedGraph graph = builder.read();
  CHECK(graph.region_labels(op_of_type(graph, "relu").region) ==
        std::vector<std::string>{"loop@0"});
  CHECK(module_at(graph, "act").calls == 2);
}

TEST_CASE("what a loop is given is read by it, whether its body reads it or not") {
  ProgramBuilder builder;
  for (const char* name : {"start", "rows"}) builder.input(name);
  auto scan = builder.make("higher_order.scan", {}, "y");
  scan["inputs"].push_back(
      ProgramBuilder::subgraph(builder.make("aten.zeros.default", {}, "r", relu_stack), "a", "r"));
  for (const char* name : {"start", "rows"})
    scan["inputs"].push_back({{"name", ""}, {"arg", {{"as_tensors", {{{"name", name}}}}}}});
  builder.graph()["nodes"].push_back(scan);
  builder.output("y");
  const ConnectedGraph graph = builder.read();
  REQUIRE(graph.inputs().size() == 2);
  for (const OpId input : graph.inputs()) CHECK(boost::out_degree(input, graph.graph()) == 1);
}

TEST_CASE("what merely wraps a graph leaves no op") {
  ProgramBuilder builder;
  builder.input("x");
  auto wrapper = builder.make("higher_order.wrap_with_set_grad_enabled", {}, "y");
  wrapper["inputs"].push_back(ProgramBuilder::subgraph(
      builder.make("aten.relu.default", {"a"}, "r", relu_stack), "a", "r"));
  wrapper["inputs"].push_back({{"name", ""}, {"arg", ProgramBuilder::tensor("x")}});
  builder.graph()["nodes"].push_back(wrapper);
  builder.output("y");
  const ConnectedGraph graph = builder.read();
  CHECK(graph.op_count() == 3);
  CHECK(graph.product_count() == 2);
}

TEST_CASE("what a program writes to its buffers is not an output of the model") {
  ProgramBuilder builder = small_program();
  builder.buffer("count", "b_count");
  auto& listed = builder.graph()["outputs"];
  listed.insert(listed.begin(), ProgramBuilder::tensor("h"));
  const Json written = {{"arg", {{"name", "h"}}}, {"buffer_name", "count"}};
  auto& specified = builder.signature()["output_specs"];
  specified.insert(specified.begin(), Json::object({{"buffer_mutation", written}}));
  CHECK(builder.read().outputs().size() == 1);
}

TEST_CASE("exported programs of other schema versions are refused by name") {
  ProgramBuilder builder = small_program();
  builder.program["schema_version"] = {{"major", 7}, {"minor", 3}};
  CHECK(error_of(builder.entries()) == "unsupported-version: the exported program has schema "
                                       "version 7.3, but only version 8 is read");
  builder.program["schema_version"] = {{"major", 8}, {"minor", 999}};
  CHECK(error_of(builder.entries()) == "no error");
}

TEST_CASE("broken exported programs are refused with a sentence") {
  ProgramBuilder builder = small_program();
  auto entries = builder.entries();
  SECTION("JSON that is cut off") {
    entries["net/models/model.json"].resize(200);
    CHECK(error_of(entries) ==
          "damaged-exported-program: the description of the exported program is not JSON");
  }
  SECTION("JSON of another shape") {
    entries["net/models/model.json"] = "[1, 2, 3]";
    CHECK(error_of(entries).starts_with("damaged-exported-program"));
  }
  SECTION("JSON that is nested without end") {
    entries["net/models/model.json"] = std::string(200'000, '[');
    CHECK(error_of(entries).starts_with("damaged-exported-program"));
  }
  SECTION("a size that is not a whole number") {
    std::string& program = entries["net/models/model.json"];
    const std::string size = R"("as_int":)";
    const std::size_t at = program.find(size);
    REQUIRE(at != std::string::npos);
    program.replace(at, program.find_first_of(",}", at) - at, size + "9.3e18");
    CHECK(error_of(entries) == "damaged-exported-program: the exported program does not have the "
                               "structure that torch.export writes");
  }
  SECTION("a name that nothing makes") {
    builder.node("aten.relu.default", {"ghost"}, "z");
    CHECK(error_of(builder.entries()) ==
          "damaged-exported-program: node `z` reads `ghost`, which nothing before it produces");
  }
  SECTION("a value made twice") {
    builder.node("aten.relu.default", {"x"}, "y");
    CHECK(error_of(builder.entries()) == "damaged-exported-program: value `y` is defined twice");
  }
  SECTION("an output that nothing makes") {
    builder.output("ghost");
    CHECK(error_of(builder.entries()) ==
          "damaged-exported-program: the graph reads `ghost`, which nothing before it produces");
  }
  SECTION("several programs in one file") {
    entries["net/models/one.json"] = entries["net/models/two.json"] = "{}";
    entries.erase("net/models/model.json");
    CHECK(error_of(entries).starts_with("several-models"));
  }
  SECTION("weights of old beside a list of weights") {
    entries["net/data/weights/model.pt"] = "PK";
    CHECK(error_of(entries) == "damaged-zip: the zip contradicts itself about its weights");
  }
  SECTION("another program, by whatever name") { // torch loads all that is in the folder
    entries["net/models/model12345"] = "{}";
    CHECK(error_of(entries).starts_with("several-models"));
  }
}

TEST_CASE("what is nested too deep is refused before it is read") {
  const std::string deep(100000, '['), end(100000, ']');
  auto entries = small_program().entries();
  SECTION("in the program") {
    std::string& json = entries.at("net/models/model.json");
    json.replace(json.find("\"range_constraints\":{}"), 22, "\"range_constraints\":" + deep + end);
    CHECK(error_of(entries) ==
          "damaged-exported-program: `models/model.json` is nested more than 1000 levels deep");
  }
  SECTION("in the directory of the weights") {
    entries.at("net/data/weights/model_weights_config.json") =
        R"({"config": {"w": {"path_name": "w", "tensor_meta": )" + deep + end + "}}}";
    CHECK(error_of(entries) == "damaged-exported-program: `data/weights/model_weights_config.json` "
                               "is nested more than 1000 levels deep");
  }
  SECTION("but not brackets in a text") {
    std::string& json = entries.at("net/models/model.json");
    json.replace(json.find("2.13.0"), 6, "\\\"" + deep);
    CHECK(error_of(entries) == "no error");
  }
}

TEST_CASE("what a program writes to its buffers is reported, and whether results depend on it") {
  ProgramBuilder builder;
  builder.buffer("cache.keys", "b_keys");
  builder.buffer("cache.last", "b_last");
  builder.buffer("cache.calls", "b_calls");
  builder.buffer("cache.grid", "b_grid");
  builder.input("x");
  builder.node("aten.mul.Tensor", {"b_keys", "b_grid"}, "scaled");
  builder.node("aten.add.Tensor", {"scaled", "x"}, "keys");
  builder.node("aten.copy.default", {"b_last", "x"}, "last");
  builder.node("aten.add.Tensor", {"b_calls", "b_grid"}, "calls");
  builder.node("aten.add.Tensor", {"keys", "last"}, "y");
  builder.leaves("cache.keys", "keys");
  builder.leaves("cache.last", "last");
  builder.leaves("cache.calls", "calls");
  builder.output("y");
  const ConnectedGraph graph = builder.read();
  REQUIRE(graph.state_writes.size() == 3);
  const auto state_write = [&](std::size_t i) {
    const StateWrite& write = graph.state_writes[i];
    return graph.module_path(write.module) + "." + write.attribute +
           (write.read ? " read" : " unread");
  };
  CHECK(state_write(0) == "cache.keys read");
  CHECK(graph.state_writes[0].schema == "aten::add.Tensor");
  CHECK(state_write(1) == "cache.last unread");
  CHECK(state_write(2) == "cache.calls unread");
}

TEST_CASE("a program that writes to a buffer that it does not have is damaged") {
  ProgramBuilder builder = small_program();
  builder.leaves("cache.keys", "y");
  CHECK(error_of(builder.entries()).starts_with("damaged-exported-program"));
}

namespace {

std::vector<std::string> writes_of(const ConnectedGraph& graph) {
  std::vector<std::string> writes;
  for (const StateWrite& write : graph.state_writes)
    writes.push_back(write.attribute + " by " + write.schema + (write.read ? " read" : " unread"));
  return writes;
}

/// A program that was not decomposed, with two buffers and one input.
ProgramBuilder undecomposed() {
  ProgramBuilder builder;
  builder.buffer("cache.keys", "keys");
  builder.buffer("cache.calls", "calls");
  builder.input("x");
  return builder;
}

} // namespace

TEST_CASE("a program that was not decomposed writes into buffers and declares nothing") {
  ProgramBuilder builder = undecomposed();
  builder.node("aten.add_.Tensor", {"calls", "x"}, "counted");
  builder.node("aten.add.Tensor", {"x", "calls"}, "y");
  builder.output("y");
  CHECK(writes_of(builder.read()) == std::vector<std::string>{"calls by aten::add_.Tensor read"});
}

TEST_CASE("a write through a view of a view is one into the buffer") {
  ProgramBuilder builder = undecomposed();
  builder.node("aten.select.int", {"keys"}, "layer");
  builder.node("aten.slice.Tensor", {"layer"}, "part");
  builder.node("aten.copy_.default", {"part", "x"}, "copied");
  builder.node("aten.add.Tensor", {"x", "keys"}, "y");
  builder.output("y");
  CHECK(writes_of(builder.read()) == std::vector<std::string>{"keys by aten::copy_ read"});
}

TEST_CASE("what a call overwrites before it reads it is read by no later call") {
  ProgramBuilder builder = undecomposed();
  builder.node("aten.copy_.default", {"keys", "x"}, "copied");
  builder.node("aten.add.Tensor", {"x", "keys"}, "y");
  builder.node("aten.add_.Tensor", {"calls", "x"}, "counted");
  builder.output("y");
  CHECK(writes_of(builder.read()) == std::vector<std::string>{"keys by aten::copy_ unread",
                                                              "calls by aten::add_.Tensor unread"});
}

TEST_CASE("what is written into a value that the program made is no state") {
  ProgramBuilder builder = undecomposed();
  builder.node("aten.clone.default", {"keys"}, "own");
  builder.node("aten.add_.Tensor", {"own", "x"}, "sum");
  builder.output("sum");
  CHECK(writes_of(builder.read()).empty());
}

TEST_CASE("a tensor that is no buffer keeps state where a node writes into it") {
  ProgramBuilder builder;
  builder.constant("cache.last", "last");
  builder.constant("scale", "scale");
  builder.input("x");
  builder.node("aten.select.int", {"last"}, "row");
  builder.node("aten.copy_.default", {"row", "x"}, "copied");
  builder.node("aten.mul.Tensor", {"last", "scale"}, "y");
  builder.output("y");
  const ConnectedGraph graph = builder.read();
  CHECK(writes_of(graph) == std::vector<std::string>{"last by aten::copy_ read"});
  CHECK(graph.parameters().size() == 1);
}
