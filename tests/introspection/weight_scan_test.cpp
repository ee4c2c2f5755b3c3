#include "introspection/weight_scan.h"
#include "support/temporary_folder.h"
#include "support/thrown.h"
#include "support/zip_file.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <cstring>
#include <vector>

using namespace model_validator;

namespace {

std::string bytes_of(const std::vector<float>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float)};
}

std::string text(const std::string& value) {
  return std::string("X") + static_cast<char>(value.size()) + std::string(3, '\0') + value;
}
std::string long_text(std::size_t size) {
  std::string length;
  for (int shift = 0; shift < 32; shift += 8) length += static_cast<char>(size >> shift & 0xffU);
  return "X" + length + std::string(size, 'a');
}
std::string number(int value) { return std::string("K") + static_cast<char>(value); }

/// The pickle of a one-dimensional float32 tensor.
std::string tensor(const std::string& storage, int offset, int size, int stride) {
  return "ctorch._utils\n_rebuild_tensor_v2\n((" + text("storage") + "ctorch\nFloatStorage\n" +
         text(storage) + text("cpu") + number(100) + "tQ" + number(offset) + "(" + number(size) +
         "t(" + number(stride) + "t\x89}tR";
}

/// The pickle of a module that has these attributes.
std::string object(const std::vector<std::pair<std::string, std::string>>& attributes) {
  std::string pickle = "c__torch__\nNet\n)\x81}(";
  for (const auto& [name, value] : attributes) pickle += text(name) + value;
  return pickle + "ub";
}

/// A TorchScript file as far as its tensors are concerned.
class ModelFile {
public:
  ModelFile(const std::string& root, const std::string& constants,
            const std::vector<float>& storage, bool deflated = false) {
    test::ZipFile zip;
    zip.add("net/data.pkl", "\x80\x02" + root + ".");
    zip.add("net/constants.pkl", "\x80\x02" + constants + ".");
    zip.add("net/code/__torch__.py", "pass");
    zip.add({"net/data/0", bytes_of(storage), deflated, {}, 0});
    zip.add("net/constants/0", bytes_of({1, std::nanf("")}));
    path_ = folder_.write("net.pt", zip.bytes());
  }
  WeightScan scan() const { return scan_weights(path_); }

private:
  test::TemporaryFolder folder_;
  std::filesystem::path path_;
};

using Names = std::vector<std::string>;
const std::vector<float> storage{1, 2, NAN, 4, INFINITY, 6, 7, 8};

} // namespace

TEST_CASE("NaN and infinities of a TorchScript file are found by the tensor's path") {
  for (const bool deflated : {false, true}) {
    const ModelFile file(object({{"fc", object({{"weight", tensor("0", 0, 4, 1)},
                                                {"bias", tensor("0", 5, 3, 1)},
                                                {"scale", tensor("0", 3, 2, 1)}})}}),
                         "(t", storage, deflated);
    const WeightScan scan = file.scan();
    REQUIRE(scan.non_finite.size() == 2);
    CHECK(scan.non_finite[0].names == Names{"fc.weight"});
    CHECK(scan.non_finite[0].dtype == "float32");
    CHECK(scan.non_finite[0].numbers == 4);
    CHECK(scan.non_finite[0].nan == 1);
    CHECK(scan.non_finite[0].infinite == 0);
    CHECK(scan.non_finite[1].names == Names{"fc.scale"});
    CHECK(scan.non_finite[1].infinite == 1);
    CHECK(scan.unread.empty());
  }
}

TEST_CASE("numbers that no tensor reaches do not matter") {
  const ModelFile file(object({{"even", tensor("0", 1, 3, 2)}}), "(t", storage);
  CHECK(file.scan().non_finite.empty());
}

TEST_CASE("a tensor that two paths share is reported once, by both names") {
  const ModelFile file(object({{"a", tensor("0", 0, 4, 1)}, {"b", tensor("0", 0, 4, 1)}}), "(t",
                       storage);
  const WeightScan scan = file.scan();
  REQUIRE(scan.non_finite.size() == 1);
  CHECK(scan.non_finite[0].names == Names{"a", "b"});
}

TEST_CASE("constants of a trace are read as well") {
  const ModelFile file(object({}), "(" + tensor("0", 0, 1, 1) + tensor("0", 0, 2, 1) + "t",
                       storage);
  const WeightScan scan = file.scan();
  REQUIRE(scan.non_finite.size() == 1);
  CHECK(scan.non_finite[0].names == Names{"CONSTANTS.c1"});
}

TEST_CASE("a tensor that exceeds its data, or has none, is an error") {
  const ModelFile beyond(object({{"a", tensor("0", 6, 9, 1)}}), "(t", storage);
  CHECK(test::kind_thrown_by([&] { beyond.scan(); }) == "truncated-file");
  const ModelFile without(object({{"a", tensor("7", 0, 4, 1)}}), "(t", storage);
  CHECK(test::kind_thrown_by([&] { without.scan(); }) == "damaged-file");
}

TEST_CASE("a long name costs nothing but itself") {
  const auto holding = [](const std::string& items) {
    return "c__torch__\nNet\n)\x81}(" + long_text(1'000'000) + "](" + items + "eub";
  };
  CHECK(ModelFile(holding(std::string(20'000, 'N')), "N", storage).scan().non_finite.empty());
  std::string tensors;
  for (int i = 0; i < 500; ++i) tensors += tensor("0", 0, 4, 1);
  const ModelFile file(holding(tensors), "N", storage);
  CHECK(test::kind_thrown_by([&] { file.scan(); }) == "too-large");
}
