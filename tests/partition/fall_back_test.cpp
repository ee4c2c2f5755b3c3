#include "partition/fall_back.h"
#include "partition/random_division.h"

#include <catch2/catch.hpp>

using namespace model_validator;
using namespace model_validator::partition;
using namespace model_validator::partition::testing;

TEST_CASE("sizes are respected however many rounds of fallback it takes") {
  // Runs of 1, 2, 3, … ops of target 0 between single ops of target 1: what falls makes the runs
  // of target 1 larger, but never those of target 0.
  test::SampleGraph builder;
  Colours colours;
  OpId last = none;
  const auto add = [&](std::size_t colour) {
    const OpId op = builder.functional("a", "aten::a");
    if (last != none) builder.edge(last, op);
    last = op;
    colours.push_back(colour);
  };
  for (std::size_t length = 1; length < 30; ++length) {
    for (std::size_t i = 0; i < length; ++i) add(0);
    add(1);
  }
  const ClusterGraph clusters(builder.graph, {});
  const Schedule found = schedule_with_smallest_size(clusters, colours, 3, 20);
  std::vector<std::size_t> sizes(found.targets.size(), 0);
  for (ClusterId cluster = 0; cluster < clusters.size(); ++cluster) {
    ++sizes[found.run_of[cluster]];
    CHECK(found.targets[found.run_of[cluster]] == colours[cluster]);
  }
  for (std::size_t run = 0; run < sizes.size(); ++run)
    if (found.targets[run] != 2) CHECK(sizes[run] >= 20);
  CHECK(found.targets.size() == 21);
}
