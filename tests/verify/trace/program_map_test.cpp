#include "connected_graph/exported_program/program_builder.h"
#include "verify/trace/trace_model.h"

#include <catch2/catch.hpp>

using namespace model_validator;
using namespace model_validator::verify;
using testing::Json;
using testing::ProgramBuilder;
using testing::TemporaryZip;

namespace {

Json names(const std::vector<std::string>& tensors) {
  Json list = Json::array();
  for (const std::string& name : tensors) list.push_back({{"name", name}});
  return {{"as_tensors", list}};
}

Json argument(const Json& value) { return {{"name", ""}, {"arg", value}, {"kind", 1}}; }

TracedGraph traced(const ProgramBuilder& builder) {
  const TemporaryZip file(builder.entries());
  ProgramModule program = load_program(file.path(), {}, ProgramContent::all);
  Trace trace = trace_program(program, {.inputs = {}, .values = true});
  return {std::move(program.graph), std::move(trace)};
}

OpId op_of_type(const TracedGraph& traced, const std::string& type) {
  for (OpId id = 0; id < traced.graph.op_count(); ++id)
    if (traced.graph.op(id).type == type) return id;
  throw std::runtime_error("no op of type " + type);
}

std::size_t runs_of_type(const TracedGraph& traced, const std::string& type) {
  return traced.trace.runs.at(op_of_type(traced, type)).value();
}

/// `cond` with a ReLU and a tanh as its arms.
TracedGraph traced_condition(const std::string& relu, const std::string& tanh) {
  ProgramBuilder builder;
  builder.input("x");
  builder.node("aten.any.default", {"x"}, "decides");
  Json cond = builder.make("higher_order.cond", {"decides"}, "y");
  for (const auto& [target, result] :
       {std::pair("aten.relu.default", relu), std::pair("aten.tanh.default", tanh)})
    cond["inputs"].push_back(
        ProgramBuilder::subgraph(builder.make(target, {"a"}, result), "a", result));
  cond["inputs"].push_back(argument(names({"x"})));
  builder.graph()["nodes"].push_back(cond);
  builder.output("y");
  return traced(builder);
}

void check_first_arm_ran(const TracedGraph& graph) {
  CHECK(runs_of_type(graph, "cond") == 1);
  CHECK(runs_of_type(graph, "relu") == 1);
  CHECK(runs_of_type(graph, "tanh") == 0);
  REQUIRE(graph.trace.outcomes.size() == 2);
  CHECK(graph.trace.outcomes[0].value().runs == 1);
  CHECK(graph.trace.outcomes[1].value().runs == 0);
}

} // namespace

TEST_CASE("the elements of a list that a program's node gives are outputs of their own") {
  ProgramBuilder builder;
  builder.input("x");
  builder.node("aten.unbind.int", {"x"}, "a")["outputs"] = {names({"a", "b"})};
  builder.value("b");
  builder.output("a");
  builder.output("b");
  const TracedGraph graph = traced(builder);
  const Op& unbind = graph.graph.op(op_of_type(graph, "unbind"));
  REQUIRE(unbind.outputs.size() == 2);
  CHECK(unbind.outputs[1] == TensorType{std::vector<std::int64_t>{4}, "float32"});
}

TEST_CASE("a branch of a program runs once, and says which arm was taken") {
  check_first_arm_ran(traced_condition("relu", "tanh"));
}

TEST_CASE("a name that another graph of the program uses again is another op's") {
  check_first_arm_ran(traced_condition("y", "y"));
}

TEST_CASE("a loop of a program runs once, however many operators it takes") {
  ProgramBuilder builder;
  builder.input("x");
  Json map = builder.make("higher_order.map_impl", {}, "y");
  map["inputs"].push_back(
      ProgramBuilder::subgraph(builder.make("aten.relu.default", {"a"}, "r"), "a", "r"));
  map["inputs"].push_back(argument(names({"x"})));
  map["inputs"].push_back(argument(names({})));
  builder.graph()["nodes"].push_back(map);
  builder.output("y");
  const TracedGraph graph = traced(builder);
  CHECK(runs_of_type(graph, "map_impl") == 1);
  CHECK(runs_of_type(graph, "relu") == 2);
  REQUIRE(graph.trace.outcomes.size() == 1);
  CHECK(graph.trace.outcomes[0].value().most == 2);
}

TEST_CASE("an op whose outputs several nodes give runs once, and has the type of each") {
  ProgramBuilder builder;
  builder.program["graph_module"]["module_call_graph"].push_back({{"fqn", "cell"}});
  const std::string cell = ";L__self___cell,cell,torch.nn.modules.rnn.LSTMCell";
  builder.input("x");
  builder.node("aten.relu.default", {"x"}, "h", cell);
  builder.node("aten.any.default", {"x"}, "c", cell);
  builder.output("c");
  builder.output("h");
  const TracedGraph graph = traced(builder);
  const OpId id = op_of_type(graph, "lstm_cell");
  CHECK(graph.trace.runs.at(id) == 1);
  const Op& op = graph.graph.op(id);
  REQUIRE(op.outputs.size() == 2);
  CHECK(op.outputs[0] == TensorType{std::vector<std::int64_t>{2, 4}, "float32"});
  CHECK(op.outputs[1] == TensorType{std::vector<std::int64_t>{}, "bool"});
}

TEST_CASE("a loop counts though nothing reads its first result") {
  ProgramBuilder builder;
  builder.input("x");
  Json loop = builder.make("higher_order.while_loop", {}, "unread");
  loop["outputs"].push_back(ProgramBuilder::tensor("y"));
  builder.value("y");
  Json stop =
      ProgramBuilder::subgraph(builder.make("aten.any.default", {"a"}, "more"), "a", "more");
  Json step = ProgramBuilder::subgraph(builder.make("aten.relu.default", {"a"}, "r"), "a", "r");
  for (Json* graph : {&stop, &step}) {
    Json& inner = (*graph)["arg"]["as_graph"]["graph"];
    inner["inputs"].push_back(ProgramBuilder::tensor("b"));
  }
  step["arg"]["as_graph"]["graph"]["nodes"].push_back(
      builder.make("aten.zeros_like.default", {"b"}, "zero"));
  step["arg"]["as_graph"]["graph"]["outputs"] = {ProgramBuilder::tensor("zero"),
                                                 ProgramBuilder::tensor("r")};
  loop["inputs"] = {stop, step, argument(names({"x", "x"})), argument(names({}))};
  builder.graph()["nodes"].push_back(loop);
  builder.output("y");
  const TracedGraph graph = traced(builder);
  CHECK(runs_of_type(graph, "while_loop") == 1);
  CHECK(graph.trace.outcomes.at(0).has_value());
}
