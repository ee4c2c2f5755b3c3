#include <model_validator/graph_builder.h>

#include <catch2/catch.hpp>

#include <type_traits>
#include <utility>

using namespace model_validator;

namespace {

Op op_of(std::string name, OpKind kind) {
  Op op;
  op.name = std::move(name);
  op.kind = kind;
  return op;
}

} // namespace

// Only a builder changes a graph.
static_assert(std::is_same_v<decltype(std::declval<ConnectedGraph&>().op(0)), const Op&>);
static_assert(std::is_same_v<decltype(std::declval<ConnectedGraph&>().modules()),
                             const std::vector<Module>&>);
static_assert(std::is_same_v<decltype(std::declval<GraphBuilder&>().op(0)), Op&>);

TEST_CASE("inputs and outputs keep the order of the signature") {
  GraphBuilder graph;
  const OpId a = graph.add_op(op_of("a", OpKind::input));
  const OpId b = graph.add_op(op_of("b", OpKind::input));
  const OpId out = graph.add_op(op_of("out", OpKind::output));
  CHECK(graph.inputs() == std::vector<OpId>{a, b});
  CHECK(graph.outputs() == std::vector<OpId>{out});
}

TEST_CASE("parallel products between two ops stay distinct") {
  GraphBuilder graph;
  const OpId x = graph.add_op(op_of("x", OpKind::input));
  const OpId square = graph.add_op(op_of("mul_0", OpKind::functional));
  graph.add_product(x, square, {"x", 0, 0, {}});
  graph.add_product(x, square, {"x", 0, 1, {}});
  CHECK(graph.product_count() == 2);
}

TEST_CASE("region labels go from the outermost inwards") {
  GraphBuilder graph;
  const RegionId loop = graph.add_region({Region::Kind::loop_body, 3, none, none});
  const RegionId arm = graph.add_region({Region::Kind::else_arm, 12, loop, none});
  CHECK(graph.region_labels(arm) == std::vector<std::string>{"loop@3", "if@12.else"});
  CHECK(graph.region_labels(none).empty());
}

TEST_CASE("a call chain goes from the op to the entry of the model") {
  GraphBuilder graph;
  const FrameId outer = graph.add_frame({{"net.py", 10, 8, 0}, none, none});
  const FrameId inner = graph.add_frame({{"block.py", 4, 8, 0}, none, outer});
  CHECK(graph.call_chain(inner) == std::vector<FrameId>{inner, outer});
  CHECK(graph.location(inner).file == "block.py");
  CHECK_FALSE(graph.location(none).known());
}
