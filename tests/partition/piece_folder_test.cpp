#include "partition/piece_folder.h"
#include "support/piece_folder.h"
#include "support/temporary_folder.h"
#include "support/thrown.h"

#include <catch2/catch.hpp>

#include <fstream>
#include <sstream>

using namespace model_validator;
using namespace model_validator::partition;

namespace {

/// Writes two files that would be its pieces.
class TwoPieces final : public Divisible {
public:
  const ConnectedGraph& graph() const override { return graph_; }
  const Constraints& constraints() const override { return constraints_; }
  Manifest write_pieces(const Plan&, const std::filesystem::path& folder) const override {
    Manifest manifest{"net.pt", "torchscript", {}, {}, {}};
    for (const char* file : {"piece_0_chip.pt", "piece_1_eager.pt"}) {
      std::ofstream(folder / file) << "content of " << file;
      manifest.pieces.push_back({file, "chip", 1, {}, {}});
    }
    manifest.result.kind = ResultTree::Kind::none;
    return manifest;
  }

private:
  ConnectedGraph graph_;
  Constraints constraints_;
};

struct Written {
  Written() { test::write_piece_folder(TwoPieces(), {}, pieces, false); }
  Error refusal() const {
    return test::thrown_by([&] { read_piece_folder(pieces); }).value();
  }

  test::TemporaryFolder folder;
  std::filesystem::path pieces = folder.path() / "pieces";
};

} // namespace

TEST_CASE("pieces as they were written are read") {
  const Written written;
  const Manifest manifest = read_piece_folder(written.pieces);
  REQUIRE(manifest.pieces.size() == 2);
  CHECK(manifest.pieces[0].hash.size() == 32);
  CHECK(manifest.pieces[0].hash != manifest.pieces[1].hash);
}

TEST_CASE("a piece that is missing is named") {
  const Written written;
  std::filesystem::remove(written.pieces / "piece_1_eager.pt");
  CHECK(written.refusal().kind() == ErrorKind::not_found);
  CHECK(written.refusal().path() == (written.pieces / "piece_1_eager.pt").string());
}

TEST_CASE("a piece that was changed is named") {
  const Written written;
  std::ofstream(written.pieces / "piece_0_chip.pt") << "content of piece_0_chip.pT";
  CHECK(written.refusal().kind() == ErrorKind::changed_piece);
  CHECK(written.refusal().path() == (written.pieces / "piece_0_chip.pt").string());
}

TEST_CASE("a change that is meant takes the hash out of the manifest") {
  const Written written;
  std::ofstream(written.pieces / "piece_0_chip.pt") << "compiled anew";
  const auto file = written.pieces / "manifest.json";
  std::istringstream before(test::content_of(file));
  std::string after;
  for (std::string line; std::getline(before, line);)
    if (line.find("\"hash\"") == std::string::npos) after += line;
  std::ofstream(file) << after;
  CHECK(read_piece_folder(written.pieces).pieces[0].hash.empty());
}

TEST_CASE("a folder without a manifest holds no pieces") {
  const test::TemporaryFolder empty;
  CHECK(test::kind_thrown_by([&] { read_piece_folder(empty.path()); }) == "not-found");
}
