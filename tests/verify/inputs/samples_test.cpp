#include "files/scratch_folder.h"
#include "support/thrown.h"
#include "support/zip_file.h"
#include "verify/inputs/input_files.h"
#include "verify/inputs/npy.h"
#include "verify/inputs/npz.h"
#include "verify/inputs/sample_plan.h"

#include <model_validator/error.h>
#include <model_validator/verify/inputs.h>

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstring>
#include <fstream>

using namespace model_validator;
using namespace model_validator::verify;

namespace {

using Kind = InputNeed::Kind;

InputNeed need(const std::string& name, const std::string& type = "Tensor",
               Kind kind = Kind::tensor, bool required = true) {
  return {name, type, kind, required, std::nullopt, std::nullopt, {}};
}

const Tensor& tensor(const Value& value) { return std::get<Tensor>(value.data); }

Tensor one(float value) { return make_tensor(DType::float32, {1}, &value); }

float first(const Value& value) { return *static_cast<const float*>(tensor(value).view.data); }

InputOptions from_specs(std::vector<std::string> specs) {
  InputOptions options;
  options.specs = std::move(specs);
  return options;
}

InputOptions from_files(std::vector<std::filesystem::path> files) {
  InputOptions options;
  options.files = std::move(files);
  return options;
}

std::string error_kind(const std::vector<InputNeed>& needs, const InputOptions& options,
                       const std::string& words) {
  try {
    make_samples(needs, options);
  } catch (const Error& error) {
    CHECK_THAT(error.what() + error.hint(), Catch::Contains(words));
    return std::string(to_string(error.kind()));
  }
  return "accepted";
}

} // namespace

TEST_CASE("inputs are given by name or by position") {
  const auto samples =
      make_samples({need("x"), need("y")}, from_specs({"y=2:int64", "3x4:float16"}));
  REQUIRE(samples.size() == 1);
  CHECK(tensor(samples[0][0]).view.dtype == DType::float16);
  CHECK(tensor(samples[0][0]).view.shape == Shape{3, 4});
  CHECK(tensor(samples[0][1]).view.dtype == DType::int64);
}

TEST_CASE("an input that takes a number gets a number") {
  const auto samples =
      make_samples({need("n", "int", Kind::number), need("eps", "float", Kind::number),
                    need("flag", "bool", Kind::number)},
                   from_specs({"n=3", "eps=1", "flag=True"}));
  CHECK(std::get<std::int64_t>(samples[0][0].data) == 3);
  CHECK(std::get<double>(samples[0][1].data) == 1.0);
  CHECK(std::get<bool>(samples[0][2].data));
}

TEST_CASE("0 and 1 are flags where the model takes a flag") {
  const auto samples =
      make_samples({need("on", "bool", Kind::number), need("off", "bool", Kind::number),
                    need("n", "int", Kind::number)},
                   from_specs({"on=1", "off=0", "n=1"}));
  CHECK(std::get<bool>(samples[0][0].data));
  CHECK_FALSE(std::get<bool>(samples[0][1].data));
  CHECK(std::get<std::int64_t>(samples[0][2].data) == 1);
}

TEST_CASE("parts of a nested input are named by their path") {
  const auto samples = make_samples({need("states", "List[Tensor]", Kind::other)},
                                    from_specs({"states.0=1x2", "states.1=1x3"}));
  const auto& sequence = std::get<Sequence>(samples[0][0].data);
  REQUIRE(sequence.items.size() == 2);
  CHECK(tensor(sequence.items[1]).view.shape == Shape{1, 3});
}

TEST_CASE("what is missing is asked for by name") {
  CHECK(error_kind({need("x"), need("mask")}, from_specs({"x=1x2"}), "`mask` (Tensor)") ==
        "missing-input");
  CHECK(error_kind({need("x"), need("mask")}, {}, "`x` (Tensor), `mask` (Tensor)") ==
        "missing-input");
}

TEST_CASE("what is not required may be left out") {
  const auto samples = make_samples(
      {need("x"), need("mask", "Optional[Tensor]", Kind::tensor, false)}, from_specs({"x=1x2"}));
  CHECK(std::holds_alternative<None>(samples[0][1].data));
}

TEST_CASE("what the model does not have is refused") {
  CHECK(error_kind({need("x")}, from_specs({"y=1x2"}), "it needs `x`") == "unknown-input");
  CHECK(error_kind({need("x")}, from_specs({"1x2", "1x2"}), "more inputs") == "unknown-input");
}

TEST_CASE("a model that declares shapes and dtypes needs no options") {
  auto image = need("image");
  image.shape = Shape{1, 3};
  image.dtype = DType::uint8;
  CHECK(tensor(make_samples({image}, {})[0][0]).view.dtype == DType::uint8);
  image.shape = Shape{-1, 3};
  CHECK(tensor(make_samples({image}, {})[0][0]).view.shape == Shape{2, 3});
  image.shape = std::nullopt;
  CHECK(error_kind({image}, {}, "`--input image=1x3x224x224:uint8`") == "missing-input");
}

TEST_CASE("free sizes of a picture are those of a picture, of other channels smaller") {
  for (const auto& [channels, size] : {std::pair{3, 224}, {1, 224}, {4, 64}, {16, 64}}) {
    auto latent = need("sample");
    latent.shape = Shape{1, channels, -1, -1};
    latent.dtype = DType::float32;
    CHECK(tensor(make_samples({latent}, {})[0][0]).view.shape == Shape{1, channels, size, size});
    std::vector<Shape> others;
    const std::vector needs{latent};
    for (const SampleSizes& sizes : other_sizes(SampleSizes(needs)))
      others.push_back(sizes.shape_of(latent).value());
    const std::int64_t other = size == 64 ? 224 : 64;
    CHECK(std::count(others.begin(), others.end(), Shape{1, channels, other, other}) == 1);
  }
}

TEST_CASE("declared properties of an input need not be given again") {
  auto ids = need("ids"), rate = need("rate");
  ids.shape = Shape{-1, -1};
  ids.dtype = rate.dtype = DType::int64;
  rate.shape = Shape{};
  const auto sample = make_samples({ids, rate}, from_specs({"ids=1x4", "rate=16000"}))[0];
  CHECK(tensor(sample[0]).view.dtype == DType::int64);
  const auto& scalar = tensor(sample[1]);
  REQUIRE(scalar.view.shape.empty());
  CHECK(*static_cast<const std::int64_t*>(scalar.view.data) == 16000);
  SECTION("of a scalar neither") {
    rate.dtype = DType::float32;
    const auto half = make_samples({rate}, from_specs({"rate=0.5"}))[0];
    CHECK(*static_cast<const float*>(tensor(half[0]).view.data) == 0.5F);
  }
  SECTION("a dtype that is said decides") {
    const auto said = make_samples({ids}, from_specs({"ids=1x4:int32"}))[0];
    CHECK(tensor(said[0]).view.dtype == DType::int32);
  }
}

TEST_CASE("random values depend on seed, sample and input, and on nothing else") {
  auto options = from_specs({"x=8", "y=8"});
  options.samples = 2;
  const auto once = make_samples({need("x"), need("y")}, options);
  const auto again = make_samples({need("x"), need("y")}, options);
  options.seed = 1;
  const auto other = make_samples({need("x"), need("y")}, options);
  REQUIRE(once.size() == 2);
  CHECK(first(once[0][0]) == first(again[0][0]));
  CHECK(first(once[0][0]) != first(once[0][1]));
  CHECK(first(once[0][0]) != first(once[1][0]));
  CHECK(first(once[0][0]) != first(other[0][0]));
}

TEST_CASE("whole numbers need a whole number in their range") {
  for (const DType dtype : {DType::int8, DType::int64, DType::bool_})
    CHECK_THROWS_AS(random_tensor(dtype, {2}, 7, ValueRange{0.5, 0.6}), Error);
  const auto widest = random_tensor(DType::int64, {2}, 7, ValueRange{-1e300, 1e300});
  CHECK(widest.view.shape == Shape{2});
  CHECK_THROWS_AS(random_tensor(DType::uint8, {2}, 7, ValueRange{-9, -1}), Error);
  const auto bytes = random_tensor(DType::uint8, {1000}, 7, ValueRange{-1, 300});
  const auto* byte = static_cast<const std::uint8_t*>(bytes.view.data);
  CHECK(*std::min_element(byte, byte + 1000) == 0);
  CHECK(*std::max_element(byte, byte + 1000) == 255);
  CHECK(std::count(byte, byte + 1000, 255) < 20); // and not as what lies beyond would wrap
  const auto small = random_tensor(DType::int8, {1000}, 7, ValueRange{-300, -127});
  const auto* whole = static_cast<const std::int8_t*>(small.view.data);
  CHECK(*std::max_element(whole, whole + 1000) == -127);
  CHECK(*std::min_element(whole, whole + 1000) == -128);
}

TEST_CASE("random values stay in their range") {
  const auto reals = random_tensor(DType::float32, {1000}, 7, ValueRange{2, 3});
  const auto* real = static_cast<const float*>(reals.view.data);
  CHECK(*std::min_element(real, real + 1000) >= 2);
  CHECK(*std::max_element(real, real + 1000) <= 3);
  const auto integers = random_tensor(DType::int64, {1000}, 7, ValueRange{-2, 2});
  const auto* integer = static_cast<const std::int64_t*>(integers.view.data);
  CHECK(*std::min_element(integer, integer + 1000) == -2);
  CHECK(*std::max_element(integer, integer + 1000) == 2);
  const auto coins = random_tensor(DType::bool_, {1000}, 7);
  const auto* coin = static_cast<const std::uint8_t*>(coins.view.data);
  CHECK(*std::max_element(coin, coin + 1000) == 1);
}

TEST_CASE("a .npz file is a sample, by name or by position") {
  const ScratchFolder folder;
  write_npz(folder.path() / "a.npz", {{"y", one(2)}, {"x", one(1)}});
  write_npz(folder.path() / "b.npz", {{"arr_0", one(3)}, {"arr_1", one(4)}});
  const auto samples = make_samples({need("x"), need("y")}, from_files({folder.path()}));
  REQUIRE(samples.size() == 2);
  CHECK(first(samples[0][0]) == 1);
  CHECK(first(samples[0][1]) == 2);
  CHECK(first(samples[1][0]) == 3);
  CHECK(first(samples[1][1]) == 4);
}

TEST_CASE("a folder of .npy files is one sample, each named like its file") {
  const ScratchFolder folder;
  for (const auto& [name, value] : {std::pair("x", 1.0F), std::pair("y", 2.0F)})
    std::ofstream(folder.path() / (std::string(name) + ".npy"), std::ios::binary)
        << write_npy(one(value).view);
  const auto samples = make_samples({need("y"), need("x")}, from_files({folder.path()}));
  REQUIRE(samples.size() == 1);
  CHECK(first(samples[0][0]) == 2);
  CHECK(first(samples[0][1]) == 1);
}

TEST_CASE("files and specifications complete each other") {
  const ScratchFolder folder;
  write_npz(folder.path() / "a.npz", {{"x", one(5)}});
  auto options = from_files({folder.path() / "a.npz"});
  options.specs = {"mask=4:bool"};
  const auto samples = make_samples({need("x"), need("mask")}, options);
  CHECK(first(samples[0][0]) == 5);
  CHECK(tensor(samples[0][1]).view.shape == Shape{4});
}

TEST_CASE("missing files and empty folders are reported") {
  const ScratchFolder folder;
  CHECK(error_kind({need("x")}, from_files({folder.path()}), "no .npz") == "no-inputs");
  CHECK(error_kind({need("x")}, from_files({folder.path() / "none.npz"}), "no such") ==
        "not-found");
}

TEST_CASE("an input with a dot in its name is no part of another") {
  const auto samples =
      make_samples({need("past"), need("past.0")}, from_specs({"past.0=3", "past=2"}));
  CHECK(tensor(samples[0][0]).view.shape == Shape{2});
  CHECK(tensor(samples[0][1]).view.shape == Shape{3});
  CHECK(error_kind({need("x")}, from_specs({"x.0=1x2"}), "it needs `x`") == "unknown-input");
}

TEST_CASE("stored values are taken by position where the model has none of their names") {
  const auto sample = fit_sample({need("a"), need("b")}, {{"x", {one(1)}}, {"y", {one(2)}}});
  CHECK(first(sample[1]) == 2);
  CHECK_THROWS_AS(fit_sample({need("a"), need("b")}, {{"a", {one(1)}}, {"y", {one(2)}}}), Error);
}

TEST_CASE("a dimension is tried with several sizes") {
  InputOptions options = from_specs({"x=1x4", "y=3"});
  const std::vector<InputNeed> needs{need("x"), need("y")};
  const auto shapes = [&] {
    std::vector<std::pair<Shape, Shape>> found;
    for (const Sample& sample : make_samples(needs, options))
      found.emplace_back(tensor(sample[0]).view.shape, tensor(sample[1]).view.shape);
    return found;
  };
  using Shapes = std::vector<std::pair<Shape, Shape>>;
  SECTION("of one input") {
    options.sizes = {"x.0=1,2,7"};
    CHECK(shapes() == Shapes{{{1, 4}, {3}}, {{2, 4}, {3}}, {{7, 4}, {3}}});
  }
  SECTION("of several inputs at once") {
    options.sizes = {"x.1,y.0=5,0"};
    CHECK(shapes() == Shapes{{{1, 5}, {5}}, {{1, 0}, {0}}});
  }
  SECTION("in every combination, and each as often as there are samples") {
    options.sizes = {"x.0=1,2", "y.0=8,9"};
    CHECK(shapes() == Shapes{{{1, 4}, {8}}, {{2, 4}, {8}}, {{1, 4}, {9}}, {{2, 4}, {9}}});
    options.samples = 2;
    CHECK(shapes().size() == 8);
  }
  SECTION("of which there may be none") {
    options.sizes = {"z.0=1"};
    CHECK(error_kind(needs, options, "no input has a dimension `z.0`") == "unknown-input");
  }
  SECTION("which are numbers") {
    for (const char* text : {"x.0", "x.0=", "x.0=-1", "x.0=1,", "x.0=1x2"}) {
      options.sizes = {text};
      CHECK(error_kind(needs, options, "--sizes x.0=1,2,7") == "bad-input-spec");
    }
  }
}

TEST_CASE("sizes of one symbol of the file change together") {
  InputNeed x = need("x"), y = need("y");
  x.dtype = y.dtype = DType::float32;
  x.shape = Shape{2, 4};
  y.shape = Shape{3, 2};
  x.symbols = {"s77", ""};
  y.symbols = {"", "s77"};
  InputOptions options;
  for (const char* name : {"x.0", "y.1", "s77"}) {
    options.sizes = {std::string(name) + "=5"};
    const auto samples = make_samples({x, y}, options);
    REQUIRE(samples.size() == 1);
    CHECK(tensor(samples[0][0]).view.shape == Shape{5, 4});
    CHECK(tensor(samples[0][1]).view.shape == Shape{3, 5});
  }
}

TEST_CASE("a large input that only the file declares is made where the user asks for it") {
  InputNeed large = need("x");
  large.shape = Shape{1025, 1 << 20};
  large.dtype = DType::uint8;
  CHECK_THROWS_WITH(fill_samples({large}, {}),
                    "the input `x` (Tensor), as the file declares it, takes 1025 MB");
  CHECK(make_samples({large}, from_specs({"x=2x4"})).size() == 1);
}

TEST_CASE("an input that no machine can hold is refused, whoever asks for it") {
  InputNeed huge = need("x");
  huge.shape = Shape{std::int64_t{1} << 40, 1 << 20};
  huge.dtype = DType::float32;
  CHECK_THROWS_AS(fill_samples({huge}, {}), Error);
  CHECK_THROWS_WITH(fill_samples({need("x")}, from_specs({"x=100000x1000x1000"})),
                    "the input `x` (Tensor) would not fit into this machine's memory");
}

TEST_CASE("a saved value that torch reads and this does not is refused for what it is") {
  const ScratchFolder folder;
  const auto cause = [&](const std::string& bytes) {
    const auto file = folder.path() / "x.pt";
    std::ofstream(file, std::ios::binary) << bytes;
    const auto error = test::thrown_by([&] { read_input_files({file}); });
    return error ? std::string(error->what()) : "";
  };
  CHECK(cause("\x80\x02K\x01.") ==
        "the file holds no saved tensors: it is no zip, which torch.save writes since torch 1.6");
  test::ZipFile zip;
  zip.add("x/data.pkl", "\x80\x02K\x01.").add("x/byteorder", "big");
  CHECK(cause(zip.bytes()) == "its tensors are big-endian");
}
