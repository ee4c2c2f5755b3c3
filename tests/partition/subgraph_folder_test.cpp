#include "partition/subgraph_folder.h"
#include "support/subgraph_folder.h"
#include "support/temporary_folder.h"
#include "support/thrown.h"

#include <catch2/catch.hpp>

#include <fstream>
#include <sstream>

using namespace model_validator;
using namespace model_validator::partition;

namespace {

/// Writes two files that would be its subgraphs.
class TwoSubgraphs final : public Divisible {
public:
  const ConnectedGraph& graph() const override { return graph_; }
  const Constraints& constraints() const override { return constraints_; }
  Manifest write_subgraphs(const Plan&, const std::filesystem::path& folder) const override {
    Manifest manifest{"net.pt", "torchscript", {}, {}, {}};
    for (const char* file : {"subgraph_0_chip.pt", "subgraph_1_eager.pt"}) {
      std::ofstream(folder / file) << "content of " << file;
      manifest.subgraphs.push_back({file, "chip", 1, {}, {}});
    }
    manifest.result.kind = ResultTree::Kind::none;
    return manifest;
  }

private:
  ConnectedGraph graph_;
  Constraints constraints_;
};

struct Written {
  Written() { test::write_subgraph_folder(TwoSubgraphs(), {}, subgraphs, false); }
  Error refusal() const {
    return test::thrown_by([&] { read_subgraph_folder(subgraphs); }).value();
  }

  test::TemporaryFolder folder;
  std::filesystem::path subgraphs = folder.path() / "subgraphs";
};

} // namespace

TEST_CASE("subgraphs as they were written are read") {
  const Written written;
  const Manifest manifest = read_subgraph_folder(written.subgraphs);
  REQUIRE(manifest.subgraphs.size() == 2);
  CHECK(manifest.subgraphs[0].hash.size() == 32);
  CHECK(manifest.subgraphs[0].hash != manifest.subgraphs[1].hash);
}

TEST_CASE("a subgraph that is missing is named") {
  const Written written;
  std::filesystem::remove(written.subgraphs / "subgraph_1_eager.pt");
  CHECK(written.refusal().kind() == ErrorKind::not_found);
  CHECK(written.refusal().path() == (written.subgraphs / "subgraph_1_eager.pt").string());
}

TEST_CASE("a subgraph that was changed is named") {
  const Written written;
  std::ofstream(written.subgraphs / "subgraph_0_chip.pt") << "content of subgraph_0_chip.pT";
  CHECK(written.refusal().kind() == ErrorKind::changed_subgraph);
  CHECK(written.refusal().path() == (written.subgraphs / "subgraph_0_chip.pt").string());
}

TEST_CASE("for an intended change, the hash is removed from the manifest") {
  const Written written;
  std::ofstream(written.subgraphs / "subgraph_0_chip.pt") << "compiled anew";
  const auto file = written.subgraphs / "manifest.json";
  std::istringstream before(test::content_of(file));
  std::string after;
  for (std::string line; std::getline(before, line);)
    if (line.find("\"hash\"") == std::string::npos) after += line;
  std::ofstream(file) << after;
  CHECK(read_subgraph_folder(written.subgraphs).subgraphs[0].hash.empty());
}

TEST_CASE("a folder without a manifest holds no subgraphs") {
  const test::TemporaryFolder empty;
  CHECK(test::kind_thrown_by([&] { read_subgraph_folder(empty.path()); }) == "not-found");
}
