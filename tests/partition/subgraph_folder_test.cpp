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
class TwoSubgraphs final : public PartitionableModel {
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

TEST_CASE("a folder of subgraphs is replaced as it was written, and only so") {
  const Written written;
  const auto& place = written.subgraphs;
  const auto replace = [&](const std::filesystem::path& at) {
    return test::thrown_by([&] { test::write_subgraph_folder(TwoSubgraphs(), {}, at, true); });
  };
  CHECK_FALSE(replace(place));
  CHECK_FALSE(replace(place / ""));
  std::ofstream(place / "notes.txt") << "mine";
  CHECK_THAT(replace(place).value().what(), Catch::Contains("notes.txt"));
  CHECK(test::content_of(place / "notes.txt") == "mine");
  std::filesystem::remove(place / "notes.txt");
  std::filesystem::create_directory(place / "folder");
  CHECK_THAT(replace(place).value().what(), Catch::Contains("folder"));
  std::filesystem::remove(place / "folder");
  std::ofstream(place / "subgraph_0_chip.pt") << "changed";
  CHECK(replace(place).value().kind() == ErrorKind::already_there);
  CHECK(test::content_of(place / "subgraph_0_chip.pt") == "changed");
}

TEST_CASE("any manifest.json does not make a folder one of subgraphs") {
  const test::TemporaryFolder folder;
  folder.write("out/thesis.txt", "mine");
  for (const char* manifest :
       {"{}", "[]", "", R"({"schema": "model_validator-subgraphs/1"})",
        R"({"schema": "model_validator-subgraphs/1", "model": "a", "format": "b", "inputs": [],
            "result": null, "subgraphs": [{"file": "thesis.txt", "target": "a", "ops": 1,
            "inputs": [], "outputs": []}]})",
        R"({"schema": "model_validator-subgraphs/1", "model": "a", "format": "b", "inputs": [],
            "result": null, "subgraphs": [{"file": "thesis.txt", "target": "a", "ops": 1,
            "hash": "00000000000000000000000000000000", "inputs": [], "outputs": []}]})"}) {
    folder.write("out/manifest.json", manifest);
    CHECK(test::kind_thrown_by([&] {
            test::write_subgraph_folder(TwoSubgraphs(), {}, folder.path() / "out", true);
          }) == "already-there");
    CHECK(test::content_of(folder.path() / "out" / "thesis.txt") == "mine");
  }
}

TEST_CASE("a link to a folder is not followed, however it is written") {
  const Written written;
  std::filesystem::create_symlink("subgraphs", written.folder.path() / "link");
  std::filesystem::create_symlink("absent", written.folder.path() / "nowhere");
  for (const char* name : {"link", "link/", "link/.", "link/./", "nowhere"})
    CHECK(test::kind_thrown_by([&] {
            test::write_subgraph_folder(TwoSubgraphs(), {}, written.folder.path() / name, true);
          }) == "already-there");
  CHECK(read_subgraph_folder(written.subgraphs).subgraphs.size() == 2);
}

TEST_CASE("a folder without a manifest holds no subgraphs") {
  const test::TemporaryFolder empty;
  CHECK(test::kind_thrown_by([&] { read_subgraph_folder(empty.path()); }) == "not-found");
}
