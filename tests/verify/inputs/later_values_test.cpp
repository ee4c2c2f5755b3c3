#include "verify/inputs/later_values.h"

#include <catch2/catch.hpp>

#include <vector>

using namespace model_validator::verify;
using model_validator::DType;

namespace {

template <class T> NamedValues given(DType dtype, const std::vector<T>& numbers) {
  const Shape shape{1, static_cast<std::int64_t>(numbers.size())};
  return {{"x", Value{Sequence{{Value{make_tensor(dtype, shape, numbers.data())}}, {}}}}};
}

template <class T> std::vector<T> numbers_of(const NamedValues& values) {
  const auto& items = std::get<Sequence>(values.front().value.data).items;
  const TensorView& view = std::get<Tensor>(items.front().data).view;
  const auto* first = static_cast<const T*>(view.data);
  return {first, first + element_count(view)};
}

} // namespace

TEST_CASE("floating values of a later call are those of the first, moved on") {
  const auto values = given<float>(DType::float32, {1, 2, 3});
  CHECK(numbers_of<float>(moved_on(values, 1)) == std::vector<float>{3, 1, 2});
  CHECK(numbers_of<float>(moved_on(values, 5)) == std::vector<float>{2, 3, 1});
  CHECK(numbers_of<float>(values) == std::vector<float>{1, 2, 3});
}

TEST_CASE("ids and lone numbers of a later call are those of the first") {
  CHECK(numbers_of<std::int64_t>(moved_on(given<std::int64_t>(DType::int64, {1, 2}), 1)) ==
        std::vector<std::int64_t>{1, 2});
  CHECK(numbers_of<float>(moved_on(given<float>(DType::float32, {7}), 1)) == std::vector<float>{7});
}
