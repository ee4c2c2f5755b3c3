#include "partition/random_division.h"
#include "partition/schedule.h"

#include <catch2/catch.hpp>

#include <optional>

using namespace model_validator;
using namespace model_validator::partition;
using namespace model_validator::partition::testing;

namespace {

Colours random_colours(const ClusterGraph& clusters, unsigned seed, std::size_t targets) {
  std::mt19937 random(seed);
  Colours colours;
  for (ClusterId i = 0; i < clusters.size(); ++i) colours.push_back(random() % targets);
  return colours;
}

/// The least number of runs over all orders, by trying sets of finished clusters.
class Exhaustive {
public:
  Exhaustive(const ClusterGraph& clusters, const Colours& colours)
      : clusters_(clusters), colours_(colours), before_(clusters.size(), 0) {
    for (ClusterId from = 0; from < clusters.size(); ++from)
      for (const ClusterId to : clusters.successors(from)) before_[to] |= 1U << from;
  }

  std::size_t fewest() { return from(settled(0), none); }

private:
  /// Carried clusters come along as soon as they can.
  unsigned settled(unsigned done) const {
    for (const ClusterId cluster : clusters_.topological_order())
      if (clusters_.carried(cluster) && (before_[cluster] & ~done) == 0) done |= 1U << cluster;
    return done;
  }

  std::size_t from(unsigned done, std::size_t target) {
    if (done + 1 == 1U << clusters_.size()) return 0;
    const auto known = known_.find({done, target});
    if (known != known_.end()) return known->second;
    std::size_t best = clusters_.size() + 1;
    for (ClusterId cluster = 0; cluster < clusters_.size(); ++cluster) {
      if ((done >> cluster & 1U) != 0 || (before_[cluster] & ~done) != 0) continue;
      const std::size_t own = colours_[cluster];
      best = std::min(best, (own == target ? 0 : 1) + from(settled(done | 1U << cluster), own));
    }
    return known_[{done, target}] = best;
  }

  const ClusterGraph& clusters_;
  const Colours& colours_;
  std::vector<unsigned> before_;
  std::map<std::pair<unsigned, std::size_t>, std::size_t> known_;
};

} // namespace

TEST_CASE("for two targets no order has fewer runs") {
  for (unsigned seed = 0; seed < 300; ++seed) {
    CAPTURE(seed);
    const RandomModel model = random_model(seed, 3 + seed % 10, 3);
    const ClusterGraph clusters(model.graph, model.constraints);
    const Colours colours = random_colours(clusters, seed, 2);
    CHECK(schedule(clusters, colours, 2).targets.size() == Exhaustive(clusters, colours).fewest());
  }
}

TEST_CASE("for three targets the runs are at most one more than the fewest, and the bound holds") {
  std::size_t best = 0, all = 0;
  for (unsigned seed = 0; seed < 300; ++seed) {
    CAPTURE(seed);
    const RandomModel model = random_model(seed, 3 + seed % 10, 3);
    const ClusterGraph clusters(model.graph, model.constraints);
    const Colours colours = random_colours(clusters, seed, 3);
    const std::size_t runs = schedule(clusters, colours, 3).targets.size();
    const std::size_t fewest = Exhaustive(clusters, colours).fewest();
    CHECK(runs <= fewest + 1);
    CHECK(fewest_runs(clusters, colours, 3) <= fewest);
    ++all;
    if (runs == fewest) ++best;
  }
  CHECK(best * 10 >= all * 9);
}

TEST_CASE("a run ends where its target has nothing ready") {
  test::SampleGraph builder;
  const OpId a = builder.functional("a", "aten::a");
  const OpId b = builder.functional("b", "aten::b");
  const OpId c = builder.functional("c", "aten::c");
  builder.edge(a, b).edge(b, c);
  const ClusterGraph clusters(builder.graph, {});
  const Schedule found = schedule(clusters, {0, 1, 0}, 2);
  CHECK(found.targets == std::vector<std::size_t>{0, 1, 0});
  CHECK(found.run_of == std::vector<std::size_t>{0, 1, 2});
}
