#include "introspection/weight_store.h"

#include <catch2/catch.hpp>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <unistd.h>
#include <vector>
#include <zip.h>

using namespace model_validator;

namespace {

using Tensors = std::vector<std::string>;

Tensors random_tensors(unsigned seed) {
  std::mt19937 random(seed);
  Tensors tensors(1 + random() % 6);
  for (std::string& tensor : tensors) {
    tensor.resize(1 + random() % 3000);
    for (char& byte : tensor) byte = static_cast<char>(random());
  }
  return tensors;
}

/// A TorchScript file as far as its weights are concerned, gone when the test is over.
class WeightFile {
public:
  WeightFile(const Tensors& tensors, bool reversed, bool compressed)
      : path_(std::filesystem::temp_directory_path() /
              ("model_validator_weights_" + std::to_string(::getpid()))) {
    zip_t* archive = zip_open(path_.c_str(), ZIP_CREATE | ZIP_TRUNCATE, nullptr);
    const auto method = static_cast<zip_int32_t>(compressed ? ZIP_CM_DEFLATE : ZIP_CM_STORE);
    const auto add = [&](const std::string& name, const std::string& bytes) {
      zip_source_t* source = zip_source_buffer(archive, bytes.data(), bytes.size(), 0);
      const auto index = zip_file_add(archive, name.c_str(), source, ZIP_FL_ENC_UTF_8);
      zip_set_file_compression(archive, static_cast<zip_uint64_t>(index), method, 0);
    };
    static const std::string pickle = "\x80\x02N.";
    add("net/data.pkl", pickle);
    add("net/constants.pkl", pickle);
    for (std::size_t i = 0; i < tensors.size(); ++i) {
      const std::size_t number = reversed ? tensors.size() - 1 - i : i;
      add("net/data/" + std::to_string(number), tensors[number]);
    }
    REQUIRE(zip_close(archive) == 0);
  }
  ~WeightFile() { std::filesystem::remove(path_); }
  WeightFile(const WeightFile&) = delete;
  WeightFile& operator=(const WeightFile&) = delete;
  const std::filesystem::path& path() const { return path_; }

private:
  std::filesystem::path path_;
};

std::vector<std::string> hashes(const Tensors& tensors, bool reversed = false,
                                bool compressed = false) {
  const WeightFile file(tensors, reversed, compressed);
  return hash_weights(list_weights(file.path()));
}

} // namespace

TEST_CASE("the hashes of weights change with every single bit") {
  for (unsigned seed = 0; seed < 60; ++seed) {
    Tensors tensors = random_tensors(seed);
    const auto before = hashes(tensors);
    REQUIRE(before.size() == tensors.size());
    std::mt19937 random(seed + 1000);
    const std::size_t which = random() % tensors.size();
    char& byte = tensors[which][random() % tensors[which].size()];
    byte = static_cast<char>(byte ^ (1 << (random() % 8)));
    const auto after = hashes(tensors);
    for (std::size_t i = 0; i < tensors.size(); ++i)
      REQUIRE((before[i] == after[i]) == (i != which));
  }
}

TEST_CASE("the hashes of weights do not change with the zip's order and compression") {
  for (unsigned seed = 0; seed < 30; ++seed) {
    const Tensors tensors = random_tensors(seed);
    REQUIRE(hashes(tensors) == hashes(tensors, true, false));
    REQUIRE(hashes(tensors) == hashes(tensors, false, true));
  }
}

TEST_CASE("a tensor larger than one piece is the same on any number of threads, packed or not") {
  Tensors tensors{std::string(40'000'000, 'a'), "small"};
  tensors[0][33'000'000] = 'b';
  const WeightFile plain(tensors, false, false);
  const auto weights = list_weights(plain.path());
  const auto expected = hash_weights(weights, 1);
  CHECK(hash_weights(weights, 2) == expected);
  CHECK(hash_weights(weights, 7) == expected);
  CHECK(hashes(tensors, false, true) == expected);
}

TEST_CASE("the tenth tensor comes after the second") {
  Tensors tensors(12, "same");
  tensors[2] = "third";
  const auto hashed = hashes(tensors);
  CHECK(hashed[2] != hashed[10]);
  CHECK(hashed[10] == hashed[11]);
}

TEST_CASE("a tensor without bytes has a hash") { CHECK(hashes({"", "x"}).at(0).size() == 32); }
