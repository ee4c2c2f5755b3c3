#include "script.h"
#include "verify/run/narrow_execution.h"

#include <ATen/ATen.h>
#include <catch2/catch.hpp>

#include <cmath>
#include <limits>
#include <vector>

using namespace model_validator::verify;

namespace {

at::Tensor run_narrow(const torch::jit::Module& module, const at::Tensor& x,
                      const Narrowing& narrowing, std::uint64_t seed = 0) {
  return Interpreter(module, narrow_execution(narrowing, seed)).run({x}).toTensor();
}

Narrowing whole(int bits, std::int64_t block, bool shifted) {
  Narrowing narrowing;
  narrowing.weights = Narrowing::Weights::whole_numbers;
  narrowing.bits = bits;
  narrowing.block = block;
  narrowing.has_zero_point = shifted;
  return narrowing;
}

} // namespace

TEST_CASE("results are rounded to halves after every op") {
  const auto module = scripted("def forward(self, x):\n  return x * 1.3 + 0.7");
  const auto x = at::linspace(0, 1, 101);
  Narrowing narrowing;
  narrowing.results = Narrowing::Results::float16;
  const auto half = x.to(at::kHalf).to(at::kFloat);
  const auto expected =
      ((half * 1.3).to(at::kHalf).to(at::kFloat) + 0.7).to(at::kHalf).to(at::kFloat);
  CHECK(at::equal(run_narrow(module, x, narrowing), expected));
  SECTION("at random, by no more than a step") {
    const auto other = run_narrow(module, x, narrowing, 1);
    CHECK_FALSE(at::equal(other, expected));
    CHECK(at::allclose(other, expected, 4e-3, 0));
  }
  SECTION("what is too large is the largest number, and infinity stays") {
    const auto large = at::tensor({1e6F, -std::numeric_limits<float>::infinity()});
    const auto result = run_narrow(module, large, narrowing);
    CHECK(result[0].item<float>() == 65504);
    CHECK(result[1].item<float>() == -std::numeric_limits<float>::infinity());
  }
}

TEST_CASE("weights are rounded to steps of their row or block") {
  const auto weight = at::randn({6, 64});
  for (const bool shifted : {false, true}) {
    const auto rounded = rounded_weight(weight, whole(4, 16, shifted));
    const auto blocks = weight.reshape({6, 4, 16}), error = (rounded - weight).reshape({6, 4, 16});
    const auto range =
        shifted ? (blocks.amax(-1) - blocks.amin(-1)) / 15 : blocks.abs().amax(-1) / 7;
    CHECK((error.abs().amax(-1) <= range * 1.001).all().item<bool>());
    CHECK(error.abs().max().item<float>() > 0);
    CHECK(std::get<0>(at::_unique(rounded[0].slice(0, 0, 16))).numel() <= 16);
  }
  auto wide = whole(8, 0, false);
  wide.per_channel = true;
  const auto step = weight.abs().amax(-1, true) / 127;
  CHECK(((rounded_weight(weight, wide) - weight).abs() <= step * 0.501).all().item<bool>());
}

TEST_CASE("a stored weight is rounded along the axis that its file names") {
  const auto weight = at::linspace(-1, 1, 24).sin().reshape({2, 3, 4});
  const auto stored = [&](std::int64_t axis, const Narrowing& narrowing) {
    std::vector<float> numbers(weight.data_ptr<float>(), weight.data_ptr<float>() + 24);
    round_stored_weight(numbers, weight.sizes().vec(), axis, narrowing);
    return at::tensor(numbers).reshape({2, 3, 4});
  };
  for (const bool shifted : {false, true})
    for (const std::int64_t axis : {-1, 0, 1}) {
      auto narrowing = whole(4, 0, shifted);
      narrowing.per_channel = true;
      const auto rows = rounded_weight(weight.movedim(axis, 0), narrowing).movedim(0, axis);
      CHECK(at::equal(stored(axis, narrowing), rows));
      CHECK_FALSE(at::equal(rows, weight));
      // A block that is longer than a row ends with it.
      CHECK(at::equal(stored(axis, whole(4, std::int64_t{1} << 40, shifted)), rows));
    }
}

TEST_CASE("a number that is none spoils no other, and sizes that do not fit change nothing") {
  std::vector<float> numbers{0.1F, 0.2F, std::numeric_limits<float>::quiet_NaN(), 0.7F};
  round_stored_weight(numbers, {2, 2}, 0, whole(8, 0, false));
  CHECK(std::isnan(numbers[2]));
  CHECK(numbers[0] == Approx(0.1).margin(0.003));
  CHECK(numbers[0] != 0.1F);
  const std::vector<float> before{0.1F, 0.2F, 0.3F};
  constexpr auto large = std::int64_t{1} << 62;
  for (const std::vector<std::int64_t>& sizes :
       {std::vector<std::int64_t>{2, 2}, {3, 0}, {-3, -1}, {large, large}, {1, 2}}) {
    numbers = before;
    round_stored_weight(numbers, sizes, 0, whole(8, 0, false));
    CHECK(numbers == before);
  }
}

TEST_CASE("a table is rounded in eight bits, and in fewer left as it is") {
  auto module = scripted("");
  const auto table = at::randn({5, 16});
  module.register_parameter("table", table, false);
  define(module, "def forward(self, x):\n  return torch.embedding(self.table, x)");
  const auto rows = at::arange(5);
  for (const int bits : {4, 8}) {
    auto narrowing = whole(bits, 0, false);
    narrowing.per_channel = true;
    const auto expected = bits == 8 ? rounded_weight(table, narrowing) : table;
    CHECK(at::equal(run_narrow(module, rows, narrowing), expected));
  }
}

TEST_CASE("shares are stored in steps of 1/256, whatever they are") {
  const auto module = scripted("def forward(self, x):\n  return torch.softmax(x, -1)");
  auto narrowing = whole(8, 0, false);
  narrowing.results = Narrowing::Results::int8;
  narrowing.everywhere = true;
  const auto steps = run_narrow(module, at::linspace(0, 0.1, 10), narrowing) * 256;
  CHECK(at::equal(steps, steps.round()));
}

TEST_CASE("a layer that one operator computes is rounded like others") {
  const auto module = scripted(
      "def forward(self, x):\n"
      "  w, b = torch.ones([24, 8]), torch.zeros([24])\n"
      "  n, s = torch.ones([8]), torch.zeros([8])\n"
      "  return torch._transformer_encoder_layer_fwd(x, 8, 2, w, b, w[:8], s, False, False, 1e-5,\n"
      "      n, s, n, s, w[:8], s, w[:8], s)");
  const auto x = at::linspace(-1, 1, 80).sin().reshape({2, 5, 8});
  auto narrowing = whole(8, 0, false);
  narrowing.results = Narrowing::Results::int8;
  CHECK_FALSE(at::equal(run_narrow(module, x, narrowing), run_narrow(module, x, {})));
}

TEST_CASE("a precision is called by its name") {
  CHECK(words_of(whole(4, 32, false)) == "int4 weights in blocks of 32");
  Narrowing narrowing;
  narrowing.results = Narrowing::Results::bfloat16;
  CHECK(words_of(narrowing) == "bfloat16");
  narrowing = whole(8, 0, false);
  narrowing.results = Narrowing::Results::int8;
  CHECK(words_of(narrowing) == "int8");
}
