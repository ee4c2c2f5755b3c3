#include "introspection/random_graph.h"
#include "introspection/structure.h"

#include <catch2/catch.hpp>

#include <set>

using namespace model_validator;
using namespace model_validator::testing;

namespace {

constexpr unsigned seeds = 200;

/// An op of the graph that is neither its input nor its output.
OpId some_op(const ConnectedGraph& graph, unsigned seed) {
  return 1 + seed % (graph.op_count() - 2);
}

} // namespace

TEST_CASE("the structural hash does not change with names and lines") {
  for (unsigned seed = 0; seed < seeds; ++seed) {
    const ConnectedGraph graph = random_graph(seed);
    GraphBuilder renamed = random_graph(seed);
    for (OpId id = 0; id < renamed.op_count(); ++id)
      renamed.op(id).name = "v" + std::to_string(seed + id);
    for (Frame& frame : renamed.frames()) frame.location.line += 40;
    renamed.origin.path = "elsewhere.pt";
    renamed.origin.producer = "pytorch 9.9";
    REQUIRE(hash_structure(graph) == hash_structure(renamed));
    REQUIRE_FALSE(structural_difference(graph, renamed));
  }
}

TEST_CASE("the structural hash is 32 hexadecimal digits that distinguish graphs") {
  std::set<std::string> hashes;
  for (unsigned seed = 0; seed < seeds; ++seed) {
    const std::string hash = hash_structure(random_graph(seed));
    REQUIRE(hash.size() == 32);
    REQUIRE(hash.find_first_not_of("0123456789abcdef") == std::string::npos);
    hashes.insert(hash);
  }
  CHECK(hashes.size() == seeds);
}

TEST_CASE("the structural hash changes with every op, attribute, connection and shape") {
  for (unsigned seed = 0; seed < seeds; ++seed) {
    const ConnectedGraph graph = random_graph(seed);
    GraphBuilder changed = random_graph(seed);
    const OpId id = some_op(changed, seed);
    std::string expected;
    switch (seed % 7) {
    case 0:
      changed.op(id).type = "gelu";
      expected = "the operation is `" + graph.op(id).type + "` against `gelu`";
      break;
    case 1:
      changed.op(id).attributes[0].value = std::int64_t{77};
      expected = "`alpha` is " + to_python(graph.op(id).attributes[0].value) + " against 77";
      break;
    case 2:
      changed.op(id).attributes.push_back({"extra", true});
      expected = "`extra` is nothing against True";
      break;
    case 3: changed = reconnected(changed, seed % changed.product_count()); break;
    case 4: {
      GraphBuilder larger = random_graph(seed);
      Parameter parameter = larger.parameters()[0];
      parameter.type.shape = std::vector<std::int64_t>{100, 4};
      larger.op(id).parameters = {larger.add_parameter(parameter)};
      changed = std::move(larger);
      break;
    }
    case 5: changed.op(id).schema += "_"; break;
    default: changed.op(id).kind = OpKind::query; break;
    }
    REQUIRE(hash_structure(graph) != hash_structure(changed));
    const auto difference = structural_difference(graph, changed);
    REQUIRE(difference);
    if (!expected.empty()) {
      REQUIRE(difference->first == id);
      REQUIRE(difference->what == expected);
    }
  }
}

TEST_CASE("sharing a weight is structure") {
  GraphBuilder shared = random_graph(3);
  GraphBuilder untied = random_graph(3);
  Parameter copy = shared.parameters()[0];
  shared.op(2).parameters = {shared.add_parameter(copy)};
  copy.storage = 1000;
  untied.op(2).parameters = {untied.add_parameter(copy)};
  CHECK(hash_structure(shared) != hash_structure(untied));
}

TEST_CASE("one model may end before the other") {
  const ConnectedGraph graph = random_graph(5);
  GraphBuilder longer = random_graph(5);
  Op op;
  op.type = "relu";
  const OpId added = longer.add_op(op);
  const auto difference = structural_difference(graph, longer);
  REQUIRE(difference);
  CHECK(difference->first == none);
  CHECK(difference->second == added);
  CHECK(difference->what == "the first model ends here");
}

TEST_CASE("a parameter that no op uses belongs to the structure") {
  const ConnectedGraph graph = random_graph(7);
  GraphBuilder more = random_graph(7);
  Parameter unused;
  unused.path = "unused.weight";
  more.add_parameter(unused);
  CHECK(hash_structure(graph) != hash_structure(more));
  CHECK(structural_difference(graph, more)->what == "parameters that no op uses differ");
}

TEST_CASE("a long list is told by what differs in it") {
  GraphBuilder graph = random_graph(4);
  GraphBuilder changed = random_graph(4);
  const OpId id = some_op(graph, 4);
  std::vector<double> leaves(5000, 0.5);
  graph.op(id).attributes.push_back({"leaves", leaves});
  SECTION("an element") {
    leaves[777] = 0.75;
    leaves[4000] = 0.25;
    changed.op(id).attributes.push_back({"leaves", leaves});
    CHECK(structural_difference(graph, changed)->what ==
          "`leaves` differs in 2 of 5000 elements, first in `[777]`, 0.5 against 0.75");
  }
  SECTION("its length") {
    leaves.pop_back();
    changed.op(id).attributes.push_back({"leaves", leaves});
    CHECK(structural_difference(graph, changed)->what == "`leaves` has 5000 elements against 4999");
  }
}

TEST_CASE("an op that reads another value is told by what it reads") {
  const auto reading = [](OpId from) {
    GraphBuilder graph;
    graph.add_module({});
    for (const char* name : {"x", "a", "b", "c"}) {
      Op op;
      op.kind = graph.op_count() == 0 ? OpKind::input : OpKind::functional;
      op.type = graph.op_count() == 0 ? "input" : "relu";
      op.name = name;
      graph.add_op(std::move(op));
    }
    graph.add_product(0, 1, {});
    graph.add_product(0, 2, {});
    graph.add_product(from, 3, {});
    return graph;
  };
  CHECK(structural_difference(reading(1), reading(2))->what == "operand 0 is `a` against `b`");
}
