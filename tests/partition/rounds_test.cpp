#include "partition/rounds.h"
#include "support/sample_graph.h"

#include <catch2/catch.hpp>

#include <string>

using namespace model_validator;
using namespace model_validator::partition;
using test::SampleGraph;

namespace {

using Ops = std::vector<OpId>;

/// `x -> a -> b`, of which a loop runs both; each op is one node of the code.
SampleGraph chain() {
  SampleGraph net;
  const OpId x = net.op("input_0", OpKind::input);
  const OpId a = net.op("a_0", OpKind::functional);
  const OpId b = net.op("b_0", OpKind::functional);
  net.edge(x, a).edge(a, b).edge(b, net.op("output_0", OpKind::output));
  return net;
}

/// Each unit reads what the one before it makes; value 0 is the input.
DataFlow chained(std::size_t units) {
  DataFlow flow;
  flow.input_count = 1;
  flow.makers = {none};
  for (UnitNumber unit = 0; unit < units; ++unit) {
    flow.reads.push_back({unit});
    flow.makers.push_back(unit);
  }
  flow.results = {units};
  return flow;
}

std::string names(const ConnectedGraph& graph) {
  std::string all;
  for (OpId op = 0; op < graph.op_count(); ++op) all += graph.op(op).name + ' ';
  return all;
}

/// The ops that an op reads from.
std::string read_by(const ConnectedGraph& graph, OpId op) {
  std::string all;
  for (const auto edge : boost::make_iterator_range(boost::in_edges(op, graph.graph())))
    all += graph.op(boost::source(edge, graph.graph())).name + ' ';
  return all;
}

} // namespace

TEST_CASE("what runs once is left as it is") {
  const Rounds rounds = split_rounds(chain().graph, {{{1, 0}}, {{2, 1}}}, chained(2));
  CHECK(names(rounds.graph) == "input_0 a_0 b_0 output_0 ");
  CHECK(rounds.ops == std::vector<Ops>{{1}, {2}});
  CHECK(rounds.graph.product_count() == 3);
}

TEST_CASE("ops of a loop are there once for each round, in the order in which they run") {
  const UnitNodes units{{{1, 0}}, {{2, 1}}, {{1, 0}}, {{2, 1}}};
  const Rounds rounds = split_rounds(chain().graph, units, chained(4));
  CHECK(names(rounds.graph) == "input_0 a_0[0] b_0[0] a_0[1] b_0[1] output_0 ");
  CHECK(rounds.ops == std::vector<Ops>{{1}, {2}, {3}, {4}});
  CHECK(read_by(rounds.graph, 1) == "input_0 ");
  CHECK(read_by(rounds.graph, 2) == "a_0[0] ");
  CHECK(read_by(rounds.graph, 4) == "a_0[1] ");
  CHECK(read_by(rounds.graph, rounds.graph.outputs().at(0)) == "b_0[1] ");
}

TEST_CASE("a round reads what the one before it made") {
  SampleGraph carried;
  const OpId x = carried.op("input_0", OpKind::input);
  const OpId first = carried.op("first_0", OpKind::functional);
  const OpId a = carried.op("a_0", OpKind::functional);
  carried.edge(x, first).edge(first, a);
  const UnitNodes units{{{first, 0}}, {{a, 1}}, {{a, 1}}};
  const Rounds rounds = split_rounds(carried.graph, units, chained(3));
  CHECK(names(rounds.graph) == "input_0 first_0 a_0[0] a_0[1] ");
  CHECK(read_by(rounds.graph, 2) == "first_0 ");
  CHECK(read_by(rounds.graph, 3) == "a_0[0] ");
}

TEST_CASE("so does one whose first round reads an input") {
  SampleGraph net;
  const OpId a = 1;
  const OpId x = net.op("input_0", OpKind::input);
  net.edge(x, net.op("a_0", OpKind::functional));
  const Rounds rounds = split_rounds(net.graph, {{{a, 0}}, {{a, 0}}}, chained(2));
  CHECK(read_by(rounds.graph, 1) == "input_0 ");
  CHECK(read_by(rounds.graph, 2) == "a_0[0] ");
}

TEST_CASE("an op whose nodes are not all there in each round stays one") {
  const UnitNodes units{{{1, 0}}, {{1, 9}}, {{1, 0}}, {{2, 1}}};
  const Rounds rounds = split_rounds(chain().graph, units, chained(4));
  CHECK(names(rounds.graph) == "input_0 a_0 b_0 output_0 ");
  CHECK(rounds.ops == std::vector<Ops>{{1}, {1}, {1}, {2}});
}

TEST_CASE("a unit that holds several copies of a node is one iteration") {
  const UnitNodes units{{{1, 0}, {1, 0}}, {{2, 1}}};
  const Rounds rounds = split_rounds(chain().graph, units, chained(2));
  CHECK(names(rounds.graph) == "input_0 a_0 b_0 output_0 ");
}

TEST_CASE("branches of later rounds have regions of their own") {
  SampleGraph net;
  const OpId branch = net.op("if_0", OpKind::control_flow);
  const OpId inside = net.op("sin_0", OpKind::functional);
  net.graph.op(inside).region = net.region(Region::Kind::then_arm, 0, branch);
  const UnitNodes units{{{branch, 0}, {inside, 1}}, {{branch, 0}, {inside, 1}}};
  const Rounds rounds = split_rounds(net.graph, units, chained(2));
  REQUIRE(names(rounds.graph) == "if_0[0] sin_0[0] if_0[1] sin_0[1] ");
  CHECK(rounds.graph.regions()[rounds.graph.op(1).region].op == 0);
  CHECK(rounds.graph.regions()[rounds.graph.op(3).region].op == 2);
}
