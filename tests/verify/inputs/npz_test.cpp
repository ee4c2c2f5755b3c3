#include "files/scratch_folder.h"
#include "verify/inputs/npy.h"
#include "verify/inputs/npz.h"

#include <model_validator/error.h>

#include <catch2/catch.hpp>

#include <cstring>
#include <fstream>

using namespace model_validator;
using namespace model_validator::verify;

namespace {

Tensor floats(Shape shape, std::vector<float> values) {
  return make_tensor(DType::float32, std::move(shape), values.data());
}

std::shared_ptr<const std::string> npy(const std::string& header, const std::string& data) {
  std::string bytes("\x93NUMPY\x01\x00", 8);
  const auto length = static_cast<std::uint16_t>(header.size());
  bytes.append(reinterpret_cast<const char*>(&length), 2);
  return std::make_shared<const std::string>(bytes + header + data);
}

std::string refusal(const std::shared_ptr<const std::string>& bytes) {
  try {
    read_npy(bytes, "x.npy");
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::bad_npy);
    return error.what();
  }
  return "";
}

} // namespace

TEST_CASE("arrays come back from a .npz file as they were written") {
  const ScratchFolder folder;
  const auto file = folder.path() / "x.npz";
  const std::int64_t number = 42;
  write_npz(file, {{"logits", floats({2, 2}, {1, 2, 3, 4})},
                   {"count", make_tensor(DType::int64, {}, &number)},
                   {"past.0/key", floats({0, 3}, {})}});
  const auto read = read_npz(file);
  REQUIRE(read.size() == 3);
  CHECK(read[0].name == "logits");
  CHECK(read[0].tensor.view.shape == Shape{2, 2});
  CHECK(static_cast<const float*>(read[0].tensor.view.data)[3] == 4);
  CHECK(read[1].tensor.view.dtype == DType::int64);
  CHECK(read[1].tensor.view.shape.empty());
  CHECK(*static_cast<const std::int64_t*>(read[1].tensor.view.data) == 42);
  CHECK(read[2].name == "past.0/key");
  CHECK(read[2].tensor.view.shape == Shape{0, 3});
}

TEST_CASE("a transposed tensor is written in row-major order") {
  const float values[] = {1, 2, 3, 4, 5, 6};
  TensorView view{values, DType::float32, {3, 2}, {1, 3}};
  const auto read = read_npy(std::make_shared<const std::string>(write_npy(view)), "x");
  const auto* data = static_cast<const float*>(read.view.data);
  CHECK(std::vector<float>(data, data + 6) == std::vector<float>{1, 4, 2, 5, 3, 6});
}

TEST_CASE("a column-major array is read") {
  const float values[] = {1, 2, 3, 4, 5, 6};
  const auto bytes = npy("{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3), }\n",
                         std::string(reinterpret_cast<const char*>(values), 24));
  const auto tensor = read_npy(bytes, "x.npy");
  CHECK(tensor.view.strides == std::vector<std::int64_t>{1, 2});
}

TEST_CASE("what is not an array of numbers is refused") {
  CHECK_THAT(refusal(std::make_shared<const std::string>("hello")),
             Catch::Contains("not a NumPy array"));
  CHECK_THAT(refusal(npy("{'descr': '<f4', 'fortran_order': False, 'shape': (9,), }\n", "abcd")),
             Catch::Contains("cut off"));
  CHECK_THAT(refusal(npy("{'descr': '>f4', 'fortran_order': False, 'shape': (1,), }\n", "abcd")),
             Catch::Contains("big-endian"));
  CHECK_THAT(refusal(npy("{'descr': '|O8', 'fortran_order': False, 'shape': (1,), }\n", "abcd")),
             Catch::Contains("are not numbers"));
  CHECK_THAT(refusal(npy("{'descr': '<f4', 'fortran_order': False, "
                         "'shape': (99999999999, 99999999999), }\n",
                         "")),
             Catch::Contains("not sensible"));
}

TEST_CASE("a header is read in any order and with any blanks, and nothing else is accepted") {
  const auto bytes =
      npy("{ 'shape' : ( 2 , 1L ), 'fortran_order':False,\"descr\": '=f4'}  ", "12345678");
  CHECK(read_npy(bytes, "x.npy").view.shape == Shape{2, 1});
  CHECK(read_npy(npy("{'descr': '|b1', 'fortran_order': False, 'shape': ()}", "1"), "x.npy")
            .view.shape.empty());
  for (const char* header :
       {"", "{", "{}", "{'descr'", "{'descr': '<f4'}", "{'descr': '<f4', 'fortran_order': Maybe}",
        "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,)}", "{'descr': '<",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (-1,)}", "{'other': 1}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': 1}"})
    CHECK_FALSE(refusal(npy(header, "12345678")).empty());
}

TEST_CASE("a header of many dimensions, or longer than any, is refused") {
  std::string sizes;
  for (int i = 0; i < 65; ++i) sizes += "1,";
  const std::string start = "{'descr': '<f4', 'fortran_order': False, 'shape': (";
  CHECK_THAT(refusal(npy(start + sizes + ")}", "1234")), Catch::Contains("not sensible"));
  std::string bytes("\x93NUMPY\x02\x00\xff\xff\xff\x7f", 12);
  CHECK_THAT(refusal(std::make_shared<const std::string>(bytes + std::string(64, ' '))),
             Catch::Contains("longer than 64 kB"));
}

TEST_CASE("a file's header gives its length") {
  const auto bytes = npy("{'descr': '<f4', 'fortran_order': False, 'shape': (1000, 1000)}", "");
  CHECK(npy_size(*bytes, "x.npy") == bytes->size() + 4'000'000);
}

TEST_CASE("a file that is not a .npz is refused") {
  const ScratchFolder folder;
  std::ofstream(folder.path() / "x.npz") << "no zip";
  CHECK_THROWS_AS(read_npz(folder.path() / "x.npz"), Error);
  CHECK_THROWS_AS(read_npz(folder.path() / "missing.npz"), Error);
}
