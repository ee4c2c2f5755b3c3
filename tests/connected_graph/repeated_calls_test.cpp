#include "connected_graph/repeated_calls.h"
#include "support/sample_graph.h"

#include <catch2/catch.hpp>

#include <set>

using namespace model_validator;
using test::SampleGraph;

namespace {

constexpr const char* block_class = "net.Block";
constexpr const char* sequential_class = "torch.nn.modules.container.Sequential";

/// A model whose module `block` is called from one line, and holds a module `block.inner`.
struct Net {
  SampleGraph builder;
  ModuleId block = builder.module("block", block_class, false);
  ModuleId inner = builder.module("block.inner", block_class);
  FrameId call = builder.frame(10);
  std::vector<ProgramNode> nodes;

  /// An operator of the block itself, at a line of its forward.
  Net& in_block(const std::string& schema, int line, FrameId from = none) {
    return add(schema, {0, block}, builder.frame(line, 0, block, from == none ? call : from));
  }
  /// An operator of the inner module, which is called from line 20 of the block.
  Net& in_inner(const std::string& schema, int line) {
    return add(schema, {0, block, inner}, frames.inner(*this, line));
  }
  Net& add(const std::string& schema, const std::vector<ModuleId>& stack, FrameId frame) {
    ProgramNode node;
    node.schema = schema;
    node.frame = known(frame);
    for (const ModuleId module : stack) node.stack.push_back({module, none});
    nodes.push_back(std::move(node));
    return *this;
  }

  /// One frame for one place, as FrameTable has it.
  FrameId known(FrameId frame) const {
    const Frame& sought = builder.graph.frames()[frame];
    for (FrameId id = 0; id < frame; ++id) {
      const Frame& other = builder.graph.frames()[id];
      if (other.location.line == sought.location.line && other.module == sought.module &&
          other.caller == sought.caller)
        return id;
    }
    return frame;
  }

  struct Frames {
    FrameId inner(Net& net, int line) const {
      const FrameId caller = net.known(net.builder.frame(20, 0, net.block, net.call));
      return net.builder.frame(line, 0, net.inner, caller);
    }
  } frames;

  /// How many different calls the nodes say that a depth of their stacks has; 0 where they name
  /// none.
  std::size_t calls_at(std::size_t depth) {
    number_repeated_calls(builder.graph, nodes);
    std::set<std::size_t> calls;
    for (const ProgramNode& node : nodes)
      if (node.stack.size() > depth && node.stack[depth].call != none)
        calls.insert(node.stack[depth].call);
    return calls.size();
  }
};

} // namespace

TEST_CASE("a module that begins again with its first operator was called again") {
  Net net;
  for (int i = 0; i < 3; ++i) net.in_block("onnx::Mul", 21).in_block("onnx::Add", 22);
  CHECK(net.calls_at(1) == 3);
}

TEST_CASE("a module called from two lines was called twice") {
  Net net;
  const FrameId other = net.builder.frame(11);
  net.in_block("onnx::Mul", 21).in_block("onnx::Mul", 21, other);
  CHECK(net.calls_at(1) == 2);
}

TEST_CASE("a helper that a module calls from two lines is not a second call of the module") {
  Net net;
  for (const int line : {21, 22}) {
    const FrameId forward = net.known(net.builder.frame(line, 0, net.block, net.call));
    net.add("onnx::Mul", {0, net.block}, net.builder.frame(40, 0, net.block, forward));
  }
  CHECK(net.calls_at(1) == 0);
}

TEST_CASE(
    "operators from several lines are one call, whoever the frames are thought to belong to") {
  Net net;
  const FrameId helper = net.builder.frame(12);
  net.in_block("onnx::Mul", 21).in_block("onnx::Add", 22, helper);
  CHECK(net.calls_at(1) == 0);
}

TEST_CASE("a module called once is left alone") {
  Net net;
  net.in_block("onnx::Mul", 21).in_inner("onnx::Exp", 30).in_block("onnx::Add", 22);
  CHECK(net.calls_at(1) == 0);
}

TEST_CASE("what comes again after other operators is a loop inside the module") {
  Net net;
  net.in_block("onnx::Mul", 21);
  for (int i = 0; i < 3; ++i) net.in_inner("onnx::Exp", 30).in_inner("onnx::Log", 31);
  CHECK(net.calls_at(1) == 0);
  CHECK(net.calls_at(2) == 3);
}

TEST_CASE("a loop at the beginning of a module is not taken for calls where more follows it") {
  Net net;
  for (int i = 0; i < 3; ++i) net.in_block("onnx::Mul", 21);
  net.in_block("onnx::Add", 22);
  CHECK(net.calls_at(1) == 0);
}

TEST_CASE("a module whose operators share one line is not called again by one that comes twice") {
  Net net;
  for (const char* schema :
       {"onnx::MatMul", "onnx::Reshape", "onnx::Softmax", "onnx::MatMul", "onnx::Reshape"})
    net.in_block(schema, 21);
  CHECK(net.calls_at(1) == 0);
}

TEST_CASE("of nested modules the outermost was called again") {
  Net net;
  for (int i = 0; i < 2; ++i) net.in_inner("onnx::Exp", 30).in_inner("onnx::Log", 31);
  CHECK(net.calls_at(1) == 2);
  CHECK(net.calls_at(2) == 0);
}

TEST_CASE("a Sequential that runs one child again and again was called once") {
  Net net;
  net.builder.graph.modules()[net.block].class_name = sequential_class;
  for (int i = 0; i < 2; ++i) net.in_inner("onnx::Exp", 30).in_inner("onnx::Log", 31);
  CHECK(net.calls_at(1) == 0);
  CHECK(net.calls_at(2) == 2);
}

TEST_CASE("several nodes of one operator are one occurrence") {
  Net net;
  net.in_block("onnx::Mul", 21).in_block("onnx::Mul", 21).in_block("onnx::Add", 22);
  for (ProgramNode& node : net.nodes) node.origin_schema = "aten::gelu";
  for (ProgramNode& node : net.nodes) node.origin = "gelu";
  CHECK(net.calls_at(1) == 0);
}

TEST_CASE("the model itself is called once, whatever its operators repeat") {
  Net net;
  for (int i = 0; i < 3; ++i) net.add("onnx::Mul", {0}, net.call);
  CHECK(net.calls_at(0) == 0);
}

TEST_CASE("calls of torch.nn leaves are left to those who make ops of them") {
  Net net;
  const ModuleId relu = net.builder.module("relu", "torch.nn.modules.activation.ReLU");
  for (int i = 0; i < 3; ++i) net.add("onnx::Relu", {0, relu}, net.call);
  CHECK(net.calls_at(1) == 0);
}
