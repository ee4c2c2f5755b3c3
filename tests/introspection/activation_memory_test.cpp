#include "connected_graph/shapes/symbolic_shapes.h"
#include "introspection/activation_memory.h"
#include "introspection/given_sizes.h"

#include <model_validator/error.h>
#include <model_validator/graph_builder.h>

#include <catch2/catch.hpp>

using namespace model_validator;
using shapes::Size;

namespace {

constexpr std::uint64_t float_bytes = 4;

/// Ops in a row; any may read what earlier ones give.
struct Chain {
  GraphBuilder graph;

  OpId add(const std::string& type, std::optional<std::vector<std::int64_t>> shape,
           const std::vector<OpId>& read, OpKind kind = OpKind::functional) {
    Op op;
    op.name = op.type = type;
    op.kind = kind;
    if (kind != OpKind::output) op.outputs = {{std::move(shape), "float32"}};
    const OpId id = graph.add_op(op);
    for (std::size_t i = 0; i < read.size(); ++i)
      graph.add_product(read[i], id, {"", i, 0, graph.op(read[i]).outputs[0]});
    return id;
  }
};

} // namespace

TEST_CASE("what is still to be read is held, and what nobody reads any more is not") {
  Chain chain;
  const OpId x = chain.add("x", {{10}}, {}, OpKind::input);
  const OpId a = chain.add("a", {{20}}, {x});
  const OpId b = chain.add("b", {{30}}, {a});
  const OpId c = chain.add("c", {{5}}, {b, a});
  chain.add("y", {}, {c}, OpKind::output);
  const ActivationMemory memory = find_activation_memory(chain.graph);
  CHECK(memory.bytes == (20 + 30 + 5) * float_bytes); // x is done, a is not
  CHECK(memory.op == c);
  CHECK(memory.unknown == 0);
}

TEST_CASE("a view keeps alive what it views, and needs nothing itself") {
  Chain chain;
  const OpId x = chain.add("x", {{100}}, {}, OpKind::input);
  const OpId same = chain.add("clone", {{100}}, {x}); // which ONNX writes as Identity
  const OpId flat = chain.add("flatten", {{100}}, {same});
  const OpId small = chain.add("small", {{1}}, {flat});
  const OpId written = chain.add("relu_", {{100}}, {flat});
  chain.add("sum", {{1}}, {written, small});
  CHECK(find_activation_memory(chain.graph).bytes == (100 + 1 + 1) * float_bytes);
}

TEST_CASE("values of unknown size are counted and left out") {
  Chain chain;
  const OpId x = chain.add("x", {{10}}, {}, OpKind::input);
  chain.add("unknown", std::nullopt, {x});
  const ActivationMemory memory = find_activation_memory(chain.graph);
  CHECK(memory.bytes == 10 * float_bytes);
  CHECK(memory.unknown == 1);

  Chain nothing;
  nothing.add("x", std::nullopt, {}, OpKind::input);
  CHECK(find_activation_memory(nothing.graph).op == none);
}

TEST_CASE("free sizes stay names until they are given") {
  Chain chain;
  const OpId x = chain.add("x", {{-1, 10}}, {}, OpKind::input);
  chain.add("a", {{-1, 20}}, {x});
  SymbolicShapes shapes;
  const Size batch = shapes.sizes.symbol({"x", 0, "batch"});
  const Size part = shapes.sizes.symbol({"x", 1, ""});
  shapes.of_ops = {{shapes::shared({batch, Size::of(10)})}, {shapes::shared({batch, part})}};
  chain.graph.shapes = std::make_shared<const SymbolicShapes>(shapes);

  CHECK(find_activation_memory(chain.graph).for_any_size == "40*batch + 4*batch*x.shape[1]");
  give_sizes(chain.graph, {"batch=3", "x.1=5"});
  CHECK(find_activation_memory(chain.graph).bytes == (3 * 10 + 3 * 5) * float_bytes);
  CHECK(size_names(chain.graph, 1, 0) == std::vector<std::string>{"3", "5"});
  CHECK_THROWS_AS(give_sizes(chain.graph, {"batches=3"}), Error);
  CHECK_THROWS_AS(give_sizes(chain.graph, {"batch=3,4"}), Error);
  CHECK_THROWS_AS(give_sizes(chain.graph, {"batch=0"}), Error);
}
