#include "random_values.h"
#include "values.h"

#include <model_validator/verify/same.h>

#include <catch2/catch.hpp>

#include <cmath>

using namespace model_validator::verify;

namespace {

const float not_a_number = std::nanf("");

std::string first(const SameResult& result) {
  return result.differences.empty() ? "" : result.differences.front();
}

Value narrowed(const Value& precise, double relative_error) {
  const auto& view = std::get<Tensor>(precise.data).view;
  const auto* data = static_cast<const double*>(view.data);
  std::vector<float> result;
  for (std::int64_t i = 0; i < element_count(view); ++i)
    result.push_back(static_cast<float>(data[i] * (1 + (i % 2 == 0 ? 1 : -1) * relative_error)));
  return values::floats(result);
}

} // namespace

TEST_CASE("close tensors are the same, within the tolerance of the result") {
  CHECK(same(values::floats({1, 2}), values::floats({1.0001F, 2})));
  const SameResult result = same(values::floats({1, 2}), values::floats({1.001F, 2}));
  CHECK_FALSE(result);
  CHECK_THAT(first(result), Catch::StartsWith("result: allclose not within tol=0.0001: 1 of 2"));
}

TEST_CASE("nested structures are compared with their paths in the messages") {
  const Value a =
      values::list({values::floats({1}),
                    values::dict({{"k", values::list({values::floats({2}), Value{3.0}})}})});
  const Value b =
      values::list({values::floats({1}),
                    values::dict({{"k", values::list({values::floats({5}), Value{4.0}})}})});
  CHECK(same(a, a));
  const SameResult result = same(a, b);
  REQUIRE(result.differences.size() == 2);
  CHECK_THAT(result.differences[0], Catch::StartsWith("1.k.0: "));
  CHECK_THAT(result.differences[1], Catch::StartsWith("1.k.1: "));
}

TEST_CASE("structures must agree: lengths, names, kinds, shapes, dtypes") {
  const Value one = values::floats({1});
  CHECK_THAT(first(same(values::list({one, one}), values::list({one}))),
             Catch::Contains("length mismatch: 2 and 1"));
  CHECK_THAT(first(same(values::dict({{"a", one}}), values::dict({{"a", one}, {"b", one}}))),
             Catch::StartsWith("b: keys mismatch"));
  CHECK_THAT(first(same(values::dict({{"a", one}}), values::dict({}))),
             Catch::StartsWith("a: keys mismatch"));
  CHECK_FALSE(same(values::list({one}), values::dict({{"0", one}})));
  CHECK_FALSE(same(one, values::text("1")));
  CHECK_THAT(first(same(values::floats({1, 1}), one)), Catch::Contains("shape mismatch"));
  CHECK_THAT(first(same(one, values::doubles({1}))),
             Catch::Contains("dtype mismatch float32, float64"));
  SameTolerances loose;
  loose.exact_dtype = false;
  CHECK(same(one, values::doubles({1}), nullptr, loose));
}

TEST_CASE("plain values must be equal") {
  CHECK(same(Value{None{}}, Value{None{}}));
  CHECK(same(Value{std::int64_t{3}}, Value{std::int64_t{3}}));
  CHECK_FALSE(same(Value{std::int64_t{3}}, Value{std::int64_t{4}}));
  CHECK_FALSE(same(Value{true}, Value{false}));
  CHECK_FALSE(same(values::text("a"), values::text("b")));
  CHECK_FALSE(same(Value{None{}}, values::floats({1})));
  CHECK(same(values::booleans({1, 0}), values::booleans({1, 0})));
  CHECK_FALSE(same(values::booleans({1, 0}), values::booleans({1, 1})));
}

TEST_CASE("NaN equals NaN only when asked") {
  const Value a = values::floats({1, not_a_number});
  CHECK_FALSE(same(a, a));
  SameTolerances equal_nan;
  equal_nan.equal_nan = true;
  CHECK(same(a, a, nullptr, equal_nan));
}

TEST_CASE("a result as near to float64 as the reference passes") {
  std::vector<double> precise(2000);
  for (std::size_t i = 0; i < precise.size(); ++i) precise[i] = std::sin(static_cast<double>(i));
  const Value fp64 = values::doubles(precise);
  const Value ref = narrowed(fp64, 3e-4);
  const SameResult within = same(ref, narrowed(fp64, -5e-4), &fp64);
  CHECK(within);
  CHECK(within.notes.size() == 1);
  CHECK_FALSE(same(ref, narrowed(fp64, -5e-4)));
  const SameResult beyond = same(ref, narrowed(fp64, -7e-4), &fp64);
  CHECK_FALSE(beyond);
  CHECK_THAT(first(beyond), Catch::Contains("multiplier 2"));
}

TEST_CASE("small tensors and half precision are allowed three times the error") {
  const Value fp64 = values::doubles(std::vector<double>(500, 1.0));
  const Value ref = narrowed(fp64, 3e-4);
  CHECK(same(ref, narrowed(fp64, -8e-4), &fp64));
  CHECK_FALSE(same(ref, narrowed(fp64, -1e-3), &fp64));
}

TEST_CASE("a NaN only in the reference is allowed if the result is right") {
  const Value fp64 = values::doubles({1, 2, 3});
  CHECK(same(values::floats({1, not_a_number, 3}), values::floats({1, 2, 3}), &fp64));
  CHECK_FALSE(same(values::floats({1, not_a_number, 3}), values::floats({1, 9, 3}), &fp64));
  CHECK_FALSE(same(values::floats({1, 2, 3}), values::floats({1, not_a_number, 3}), &fp64));
}

TEST_CASE("the float64 reference must have the structure") {
  const Value one = values::floats({1}), short_one = values::list({});
  CHECK_FALSE(same(values::list({one}), values::list({one}), &short_one));
}

TEST_CASE("cosine similarity takes the place of closeness when asked") {
  SameTolerances cosine;
  cosine.cos_similarity = true;
  const auto a = normal_values(100);
  auto b = a;
  for (float& value : b) value *= 1.5F;
  CHECK(same(values::floats(a), values::floats(b), nullptr, cosine));
  for (float& value : b) value = -value;
  CHECK_FALSE(same(values::floats(a), values::floats(b), nullptr, cosine));
  CHECK_FALSE(same(values::floats({0, 0}), values::floats({1, 1}), nullptr, cosine));
}
