#include "files/json_text.h"
#include "partition/manifest_file.h"
#include "support/temporary_folder.h"
#include "support/thrown.h"

#include <catch2/catch.hpp>

#include <fstream>

using namespace model_validator;
using namespace model_validator::partition;

namespace {

SubgraphValue tensor(const std::string& name) {
  return {name, "Tensor", {std::vector<std::int64_t>{2, -1}, "float32"}};
}

/// Two subgraphs, one after the other.
Manifest two_subgraphs() {
  Manifest manifest{"net.pt", "torchscript", {tensor("x")}, {}, {}};
  manifest.subgraphs.push_back({"subgraph_0_chip.pt", "chip", 3, {tensor("x")}, {tensor("a")}});
  manifest.subgraphs.push_back({"subgraph_1_eager.pt", "eager", 1, {tensor("a")}, {tensor("y")}});
  manifest.result.value = "y";
  return manifest;
}

class ManifestFile {
public:
  ManifestFile() {
    write_manifest(two_subgraphs(), folder_.path());
    std::ifstream stream(file());
    json = Json::parse(stream);
  }

  Manifest read() const {
    std::ofstream(file()) << json;
    return read_manifest(folder_.path());
  }
  std::string damage() const {
    const Error error = test::thrown_by([&] { read(); }).value();
    REQUIRE(error.kind() == ErrorKind::damaged_manifest);
    CHECK(error.hint() == "divide the model again");
    const std::string cause = error.what(), start = "this is not a manifest of subgraphs: ";
    REQUIRE(cause.substr(0, start.size()) == start);
    return cause.substr(start.size());
  }
  std::string damage_of_text(const std::string& text) const {
    std::ofstream(file()) << text;
    return test::thrown_by([&] { read_manifest(folder_.path()); }).value().what();
  }

  Json json;

private:
  std::filesystem::path file() const { return folder_.path() / manifest_name; }
  test::TemporaryFolder folder_;
};

} // namespace

TEST_CASE("a manifest is read as it was written") {
  const Manifest read = ManifestFile().read();
  CHECK(read.model == "net.pt");
  REQUIRE(read.subgraphs.size() == 2);
  CHECK(read.subgraphs[1].target == "eager");
  CHECK(read.subgraphs[1].inputs[0].tensor.shape == std::vector<std::int64_t>{2, -1});
  CHECK(read.result.value == "y");
}

TEST_CASE("a file that is not JSON is not a manifest") {
  const ManifestFile file;
  const std::string sentence = "this is not a manifest of subgraphs: it is not JSON";
  CHECK(file.damage_of_text("{\"schema\": ") == sentence);
  CHECK(file.damage_of_text("\xff\xfe") == sentence);
  CHECK(file.damage_of_text("[]") == "this is not a manifest of subgraphs: `schema` is missing");
}

TEST_CASE("a manifest is no larger and no deeper than one that is written") {
  const ManifestFile file;
  const std::string sentence = "this is not a manifest of subgraphs: ";
  CHECK(file.damage_of_text(std::string(1'000'000, '[')) == sentence + "it is not JSON");
  CHECK(file.damage_of_text(std::string((16U << 20U) + 1, ' ')) == sentence + "larger than 16 MiB");
}

TEST_CASE("missing or wrong parts of a manifest are named") {
  ManifestFile file;
  SECTION("a later schema") {
    file.json["schema"] = "model_validator-subgraphs/9";
    CHECK(file.damage() ==
          "its schema is `model_validator-subgraphs/9`, not `model_validator-subgraphs/1`");
  }
  SECTION("a part that is missing") {
    file.json["subgraphs"][1].erase("target");
    CHECK(file.damage() == "`target` is missing");
  }
  SECTION("text that is a number") {
    file.json["subgraphs"][0]["file"] = 7;
    CHECK(file.damage() == "`file` is not text");
  }
  SECTION("a list that is an object") {
    file.json["subgraphs"] = Json::object();
    CHECK(file.damage() == "`subgraphs` is not a list");
  }
  SECTION("a count below zero") {
    file.json["subgraphs"][0]["ops"] = -1;
    CHECK(file.damage() == "`ops` is not a count");
  }
  SECTION("a shape of words") {
    file.json["inputs"][0]["shape"][0] = "two";
    CHECK(file.damage() == "`shape` has something other than sizes");
  }
}

TEST_CASE("a subgraph lies in the folder and nowhere else") {
  ManifestFile file;
  for (const char* name : {"../subgraph.pt", "/etc/passwd", "..", ".", "", "deeper/subgraph.pt"}) {
    file.json["subgraphs"][0]["file"] = name;
    CHECK(file.damage() == "the subgraph `" + std::string(name) + "` does not lie in the folder");
  }
}

TEST_CASE("a value is given before it is taken") {
  ManifestFile file;
  SECTION("subgraphs in another order") {
    std::swap(file.json["subgraphs"][0], file.json["subgraphs"][1]);
    CHECK(file.damage() == "nothing gives the value `a` before `subgraph_1_eager.pt` takes it");
  }
  SECTION("a subgraph is gone") {
    file.json["subgraphs"].erase(1);
    CHECK(file.damage() == "nothing gives the result `y`");
  }
}

TEST_CASE("a result is a tree of values") {
  ManifestFile file;
  const Json y = {{"value", "y"}};
  SECTION("nothing at all") {
    file.json["result"] = nullptr;
    CHECK(file.read().result.kind == ResultTree::Kind::none);
  }
  SECTION("a dict") {
    file.json["result"] = {{"dict", Json::array({y, y})}, {"keys", {"'a'", "-2"}}};
    CHECK(file.read().result.keys == std::vector<std::string>{"'a'", "-2"});
  }
  SECTION("of an unknown kind") {
    file.json["result"] = {{"set", Json::array()}};
    CHECK(file.damage() == "`result` is neither a value, a tuple, a list, a dict nor null");
  }
  SECTION("a dict without keys") {
    file.json["result"] = {{"dict", Json::array({y})}};
    CHECK(file.damage() == "`result` does not have as many `keys` as values");
  }
  SECTION("keys that are not Python") {
    file.json["result"] = {{"dict", Json::array({y})}, {"keys", {"99999999999999999999"}}};
    CHECK(file.damage() == "`result` has a key that is neither a quoted word nor a whole number");
  }
  SECTION("nested beyond sense") {
    for (int i = 0; i < 300; ++i)
      file.json["result"] = {{"list", Json::array({file.json["result"]})}};
    CHECK(file.damage() == "`result` is nested too deep");
  }
}
