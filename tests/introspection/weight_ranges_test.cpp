#include "introspection/range_kernels.h"
#include "introspection/weight_ranges.h"
#include "support/temporary_folder.h"
#include "support/zip_file.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <random>
#include <vector>

using namespace model_validator;

namespace {

std::string text(const std::string& value) {
  return std::string("X") + static_cast<char>(value.size()) + std::string(3, '\0') + value;
}
std::string number(std::size_t value) {
  std::string bytes = "J";
  for (int shift = 0; shift < 32; shift += 8) bytes += static_cast<char>(value >> shift & 0xffU);
  return bytes;
}
std::string tuple(const std::vector<std::size_t>& values) {
  std::string pickle = "(";
  for (const std::size_t value : values) pickle += number(value);
  return pickle + "t";
}

/// A TorchScript file with one tensor, `weight`.
class WeightFile {
public:
  WeightFile(const std::vector<float>& storage, const std::vector<std::size_t>& sizes,
             const std::vector<std::size_t>& strides) {
    const std::string tensor = "ctorch._utils\n_rebuild_tensor_v2\n((" + text("storage") +
                               "ctorch\nFloatStorage\n" + text("0") + text("cpu") +
                               number(storage.size()) + "tQ" + number(0) + tuple(sizes) +
                               tuple(strides) + "\x89}tR";
    test::ZipFile zip;
    zip.add("net/data.pkl", "\x80\x02"
                            "c__torch__\nNet\n)\x81}(" +
                                text("weight") + tensor + "ub.");
    zip.add("net/constants.pkl", "\x80\x02(t.");
    zip.add("net/code/__torch__.py", "pass");
    zip.add("net/data/0",
            {reinterpret_cast<const char*>(storage.data()), storage.size() * sizeof(float)});
    path_ = folder_.write("net.pt", zip.bytes());
  }
  WeightRange measured(std::size_t axis, double enough = 1000) const {
    return measure_weights(path_, {{"weight", axis}}, enough).at(0).value();
  }
  const std::filesystem::path& path() const { return path_; }

private:
  test::TemporaryFolder folder_;
  std::filesystem::path path_;
};

/// Normal numbers; channel i of `channels`, at (place ÷ inner) mod channels, is `1 + i` times as
/// large.
std::vector<float> numbers(std::size_t count, std::size_t channels, std::size_t inner) {
  std::mt19937 random(1);
  std::normal_distribution<float> normal;
  std::vector<float> numbers(count);
  for (std::size_t i = 0; i < count; ++i)
    numbers[i] = normal(random) * static_cast<float>(1 + i / inner % channels);
  return numbers;
}

/// The ratio in dB, computed number by number; `scale_of(i)` says which numbers share a scale.
template <class ScaleOf> double ratio(const std::vector<float>& numbers, ScaleOf scale_of) {
  std::map<std::size_t, double> largest;
  for (std::size_t i = 0; i < numbers.size(); ++i)
    largest[scale_of(i)] =
        std::max(largest[scale_of(i)], std::abs(static_cast<double>(numbers[i])));
  double signal = 0, noise = 0;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const double scale = largest[scale_of(i)] / 127;
    const double error =
        scale > 0 ? numbers[i] - std::nearbyint(numbers[i] / scale) * scale : numbers[i];
    signal += static_cast<double>(numbers[i]) * numbers[i];
    noise += error * error;
  }
  return 10 * std::log10(signal / noise);
}

constexpr double near = 0.01;

} // namespace

TEST_CASE("ratios are those of rounding to int8, whichever dimension has the channels") {
  struct Form {
    std::vector<std::size_t> sizes;
    std::size_t axis;
    std::size_t inner; ///< numbers between those of one channel and those of the next
  };
  const std::vector<Form> forms{{{48, 640}, 0, 640},        {{640, 48}, 1, 1},
                                {{64, 32, 3, 3}, 0, 288},   {{64, 32, 3, 3}, 1, 9},
                                {{64, 40, 16, 16}, 1, 256}, {{7, 9}, 0, 9},
                                {{700, 2}, 1, 1},           {{3, 5000, 2}, 2, 1}};
  for (const Form& form : forms) {
    std::size_t count = 1;
    std::vector<std::size_t> strides(form.sizes.size());
    for (std::size_t i = form.sizes.size(); i-- > 0; count *= form.sizes[i]) strides[i] = count;
    const std::size_t channels = form.sizes[form.axis];
    const auto values = numbers(count, channels, form.inner);
    const WeightFile file(values, form.sizes, strides);
    const WeightRange range = file.measured(form.axis);
    CHECK(range.channels == channels);
    CHECK(range.dead == 0);
    CHECK(range.per_tensor.value() ==
          Approx(ratio(values, [](std::size_t) { return 0; })).margin(near));
    CHECK(range.per_channel.value() == Approx(ratio(values, [&](std::size_t i) {
                                         return i / form.inner % channels;
                                       })).margin(near));
    if (form.inner % 128 == 0)
      CHECK(range.grouped.value() ==
            Approx(ratio(values, [](std::size_t i) { return i / 128; })).margin(near));
    else if (form.inner == 1)
      CHECK(range.grouped.value() == Approx(ratio(values, [&](std::size_t i) {
                                       return i / channels / 128 * channels + i % channels;
                                     })).margin(near));
    else
      CHECK_FALSE(range.grouped);
  }
}

TEST_CASE("channels of a tensor that lies in another order than its dimensions") {
  // 32 × 16 × 3 × 3 with its channels last, as `memory_format=torch.channels_last` stores it.
  const auto values = numbers(4608, 32, 144);
  const WeightFile file(values, {32, 16, 3, 3}, {144, 1, 48, 16});
  CHECK(file.measured(0).per_channel.value() ==
        Approx(ratio(values, [](std::size_t i) { return i / 144; })).margin(near));
  CHECK(file.measured(1).per_channel.value() ==
        Approx(ratio(values, [](std::size_t i) { return i % 16; })).margin(near));
}

TEST_CASE("ratios are left out where the range shows that they are good") {
  const auto values = numbers(4096, 1, 64);
  const WeightFile file(values, {64, 64}, {64, 1});
  CHECK_FALSE(file.measured(0, 26).per_tensor);
  auto with_outlier = values;
  with_outlier[77] = 300;
  const WeightRange range = WeightFile(with_outlier, {64, 64}, {64, 1}).measured(0, 26);
  CHECK(range.per_tensor.value() < 20);
  CHECK(range.per_channel.value() > 30);
  CHECK_FALSE(range.grouped);
}

TEST_CASE("dead channels are counted, and a tensor of zeros has only those") {
  auto values = numbers(4096, 1, 64);
  std::fill(values.begin() + 64, values.begin() + 192, 0.0F);
  std::fill(values.begin() + 256, values.begin() + 320, 1e-30F);
  CHECK(WeightFile(values, {64, 64}, {64, 1}).measured(0).dead == 3);
  const WeightRange zeros = WeightFile(std::vector<float>(64), {8, 8}, {8, 1}).measured(0);
  CHECK(zeros.largest == 0);
  CHECK(zeros.dead == 8);
  CHECK_FALSE(zeros.per_tensor);
}

TEST_CASE("channels that one scale leaves nothing of are counted") {
  auto values = numbers(4096, 1, 64);
  values[200] = 2000;
  const WeightRange range = WeightFile(values, {64, 64}, {64, 1}).measured(0, 26);
  CHECK(range.lost == 63);
  CHECK(range.dead == 0);
}

TEST_CASE("numbers that are not finite are counted instead") {
  auto values = numbers(4096, 1, 64);
  values[7] = std::nanf("");
  values[4000] = INFINITY;
  const WeightRange range = WeightFile(values, {64, 64}, {64, 1}).measured(0);
  CHECK(range.non_finite == 2);
  CHECK_FALSE(range.per_tensor);
}

TEST_CASE("a name that the file does not have has no result") {
  const WeightFile file(numbers(64, 1, 1), {8, 8}, {8, 1});
  const auto ranges = measure_weights(file.path(), {{"other", 0}, {"weight", 5}}, 1000);
  CHECK_FALSE(ranges.at(0));
  CHECK(ranges.at(1).value().channels == 1); // there is no such dimension
}

TEST_CASE("numbers of every dtype are widened exactly") {
  const std::vector<std::uint16_t> halves{0x0001, 0x3c00, 0xc000, 0x7bff, 0x7c00, 0xfc00, 0x8000};
  const std::vector<float> expected{5.9604645e-8F, 1, -2, 65504, INFINITY, -INFINITY, 0};
  std::vector<float> wide(halves.size());
  widen({reinterpret_cast<const char*>(halves.data()), halves.size() * 2}, "float16", wide);
  CHECK(wide == expected);
  const std::vector<std::uint16_t> nan{0x7e00};
  widen({reinterpret_cast<const char*>(nan.data()), 2}, "float16", std::span(wide).first(1));
  CHECK(std::isnan(wide.front()));
  const std::vector<std::uint16_t> brains{0x3f80, 0xc040};
  std::vector<float> two(2);
  widen({reinterpret_cast<const char*>(brains.data()), 4}, "bfloat16", two);
  CHECK(two == std::vector<float>{1, -3});
  const std::vector<double> doubles{0.5, -8};
  widen({reinterpret_cast<const char*>(doubles.data()), 16}, "float64", two);
  CHECK(two == std::vector<float>{0.5F, -8});
  CHECK_FALSE(may_be_widened("int8"));
  CHECK_FALSE(may_be_widened("float8_e4m3fn"));
}
