#include "support/temporary_folder.h"
#include "support/thrown.h"
#include "verify/backends/xnnpack_weights.h"
#include "verify/small_pte.h"

#include <catch2/catch.hpp>

using namespace model_validator;
using namespace model_validator::test;
using namespace model_validator::test::small_pte;
using namespace model_validator::verify;

namespace {

std::vector<FewBitWeight> weights_in(const std::string& bytes) {
  const TemporaryFolder folder;
  std::vector<FewBitWeight> found;
  visit_xnnpack_weights(folder.write("net.pte", bytes),
                        [&](const FewBitWeight& weight) { found.push_back(weight); });
  return found;
}

} // namespace

TEST_CASE("a weight in few bits of XNNPACK is what its numbers and the scales of channels make") {
  const auto found = weights_in(program(linear()));
  REQUIRE(found.size() == 1);
  CHECK(found[0].layer == "XNNFullyConnected 0");
  CHECK(found[0].sizes == std::vector<std::int64_t>{2, 3});
  CHECK(found[0].numbers == std::vector<float>{0.5F, -1, 1.5F, 8, 10, -254});
  CHECK(found[0].steps == std::vector<float>{0.5F, 0.5F, 0.5F, 2, 2, 2});
  CHECK(found[0].ends == std::vector<std::int8_t>{0, 0, 0, 0, 0, -1});
}

TEST_CASE("the weight of a convolution of XNNPACK is brought into PyTorch's order") {
  Weight weight{.layer = xnn::node::convolution,
                .filter = 16,
                .dims = {2, 1, 2, 2}, // filter, height, width, channel
                .steps = of_channels(0),
                .data = bytes_of<std::int8_t>({1, 2, 3, 4, 5, 6, 7, 8}),
                .scales = bytes_of<float>({1, 10})};
  auto found = weights_in(program(weight));
  REQUIRE(found.size() == 1);
  CHECK(found[0].sizes == std::vector<std::int64_t>{2, 2, 1, 2});
  CHECK(found[0].numbers == std::vector<float>{1, 3, 2, 4, 50, 70, 60, 80});

  weight.layer = xnn::node::depthwise; // filters last
  weight.dims = {1, 2, 2, 2};
  weight.steps = of_channels(3);
  found = weights_in(program(weight));
  REQUIRE(found.size() == 1);
  CHECK(found[0].sizes == std::vector<std::int64_t>{2, 1, 2, 2});
  CHECK(found[0].numbers == std::vector<float>{1, 3, 5, 7, 20, 40, 60, 80});
}

TEST_CASE("a weight of XNNPACK in four bits has a scale in bfloat16 for each group") {
  const auto found = weights_in(
      program({.dtype = xnn::tensor::int4_of_groups,
               .dims = {2, 4},
               .steps_type = xnn::steps::per_group,
               .steps = FlatWriter().number<std::int32_t>(2, 2).number<std::uint32_t>(4, 2),
               .data = bytes_of<std::uint8_t>({0x98, 0x7a, 0x9f, 0x80}),
               .scales = bytes_of<std::uint16_t>({0x3f80, 0x4000, 0x3f00, 0x4080})}));
  REQUIRE(found.size() == 1);
  CHECK(found[0].sizes == std::vector<std::int64_t>{2, 4});
  CHECK(found[0].numbers == std::vector<float>{0, 1, 4, -2, 3.5F, 0.5F, -32, 0});
}

TEST_CASE("a weight of XNNPACK whose tables do not fit each other is left out") {
  Weight weight = linear();
  weight.dims = {2, 0xffffffff, 0xffffffff};
  CHECK(weights_in(program(weight)).empty());
  weight = linear();
  weight.steps = of_channels(7);
  CHECK(weights_in(program(weight)).empty());
  weight = linear();
  weight.steps = FlatWriter().number<std::uint32_t>(2, 99);
  CHECK(weights_in(program(weight)).empty());
  weight = linear();
  constexpr std::uint64_t far = ~0ULL;
  CHECK(weights_in(program(weight, {FlatWriter(), constant(far, 6), named("scale_1", 8)})).empty());
  CHECK(weights_in(program(weight, {FlatWriter(), constant(0, far), named("scale_1", 8)})).empty());
  CHECK(weights_in(program(weight, {FlatWriter(), constant(0, 6), named("other", 8)})).empty());
}

TEST_CASE("a program with weights that is damaged anywhere is refused or read, never beyond") {
  const std::string whole = program(linear());
  std::size_t refused = 0;
  const auto read = [&](const std::string& bytes) {
    const auto error = thrown_by([&] { weights_in(bytes); });
    if (error) CHECK(error->kind() == ErrorKind::damaged_file);
    refused += error ? 1 : 0;
  };
  for (std::size_t size = 8; size < whole.size(); ++size) read(whole.substr(0, size));
  CHECK(refused > whole.size() / 3);
  refused = 0;
  for (std::size_t place = 0; place < whole.size(); ++place)
    for (const char value : {'\x00', '\x7f', '\xff'}) {
      std::string damaged = whole;
      damaged[place] = value;
      read(damaged);
    }
  CHECK(refused > 10);
}
