#include "partition/subgraph_contents.h"

#include <catch2/catch.hpp>

using namespace model_validator;
using namespace model_validator::partition;

namespace {

using Numbers = std::vector<std::size_t>;

/// Input 0; unit 0 makes value 1 of it, unit 1 (a query) makes 2 of 1, unit 2 makes 3 of 1 and 2.
DataFlow flow_with_query() {
  DataFlow flow;
  flow.input_count = 1;
  flow.makers = {none, 0, 1, 2};
  flow.reads = {{0}, {1}, {1, 2}};
  flow.ops = {1, 2, 3};
  flow.results = {3};
  return flow;
}

Plan plan_of(const std::vector<std::vector<OpId>>& partitions, const Numbers& partition_of) {
  Plan plan;
  for (const auto& ops : partitions) plan.partitions.push_back({0, ops, ops.size(), 0, {}, {}});
  plan.partition_of = partition_of;
  return plan;
}

} // namespace

TEST_CASE("a query is in the subgraph that reads it") {
  const auto subgraphs =
      contents_of_subgraphs(flow_with_query(), plan_of({{1}, {3}}, {none, 0, 0, 1}));
  CHECK(subgraphs.at(0).units == Numbers{0});
  CHECK(subgraphs.at(0).outputs == Numbers{1});
  CHECK(subgraphs.at(1).units == Numbers{1, 2});
  CHECK(subgraphs.at(1).inputs == Numbers{1});
  CHECK(subgraphs.at(1).outputs == Numbers{3});
}

TEST_CASE("a query that is a result is given by the first subgraph that can compute it") {
  DataFlow flow = flow_with_query();
  flow.results = {3, 2};
  const auto subgraphs = contents_of_subgraphs(flow, plan_of({{1}, {3}}, {none, 0, 0, 1}));
  CHECK(subgraphs.at(0).units == Numbers{0, 1});
  CHECK(subgraphs.at(0).outputs == Numbers{1, 2});
  CHECK(subgraphs.at(1).inputs == Numbers{1, 2});
}

TEST_CASE("an input that is a result is no subgraph's output, and a constant is the last one's") {
  DataFlow flow = flow_with_query();
  flow.makers.push_back(none); // value 4, a constant
  flow.results = {0, 4, 3};
  const auto subgraphs = contents_of_subgraphs(flow, plan_of({{1}, {3}}, {none, 0, 0, 1}));
  CHECK(subgraphs.at(0).outputs == Numbers{1});
  CHECK(subgraphs.at(1).outputs == Numbers{3, 4});
}
