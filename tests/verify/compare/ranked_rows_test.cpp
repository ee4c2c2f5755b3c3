#include "values.h"
#include "verify/compare/ranked_rows.h"

#include <catch2/catch.hpp>

#include <cstring>
#include <limits>

using namespace model_validator::verify;

namespace {

constexpr double any = std::numeric_limits<double>::infinity();

/// Boxes, scores and labels of one picture, as a detector gives them.
struct Found {
  std::vector<float> boxes, scores;
  std::vector<std::int64_t> labels;

  void add(float box, float score, std::int64_t label) {
    boxes.insert(boxes.end(), {box, box + 1});
    scores.push_back(score);
    labels.push_back(label);
  }
  std::vector<Tensor> tensors() const {
    const auto rows = static_cast<std::int64_t>(scores.size());
    return {values::tensor_of(DType::float32, boxes, {1, rows, 2}),
            values::tensor_of(DType::float32, scores, {1, rows}),
            values::tensor_of(DType::int64, labels, {1, rows})};
  }
};

constexpr std::size_t rows = 12;

/// Rows whose boxes are all far apart, with scores that fall by 0.01; the fourth and fifth tie.
Found detected() {
  Found found;
  for (std::size_t i = 0; i < rows; ++i)
    found.add(static_cast<float>(7 * i % 12), 0.9F - 0.01F * static_cast<float>(i),
              static_cast<std::int64_t>(i % 3));
  found.scores[4] = found.scores[3];
  return found;
}

template <class T>
void exchange(std::vector<T>& items, std::size_t one, std::size_t two, std::size_t width = 1) {
  for (std::size_t i = 0; i < width; ++i) std::swap(items[one * width + i], items[two * width + i]);
}

void exchange(Found& found, std::size_t one, std::size_t two) {
  exchange(found.boxes, one, two, 2);
  exchange(found.scores, one, two);
  exchange(found.labels, one, two);
}

ReorderedRows in_order(const Found& other, double window) {
  const auto ranked = RankedRows::find(detected().tensors());
  REQUIRE(ranked.has_value());
  return ranked->in_order(other.tensors(), window);
}

template <class T> bool holds(const Tensor& tensor, const std::vector<T>& numbers) {
  return std::memcmp(tensor.view.data, numbers.data(), numbers.size() * sizeof(T)) == 0;
}

bool are_those_of_the_reference(const ReorderedRows& found) {
  const Found reference = detected();
  return holds(found.outputs[0], reference.boxes) && holds(found.outputs[1], reference.scores) &&
         holds(found.outputs[2], reference.labels);
}

} // namespace

TEST_CASE("rows that tie are put in the order of the reference") {
  Found other = detected();
  exchange(other, 3, 4);
  const auto found = in_order(other, 1e-4);
  CHECK(found.moved == 2);
  CHECK(found.replaced == 0);
  CHECK(are_those_of_the_reference(found));
}

TEST_CASE("rows whose keys differ by more than the window stay") {
  Found other = detected();
  exchange(other, 6, 7);
  CHECK(in_order(other, 0.009).moved == 0);
  CHECK(in_order(other, 0.011).moved == 2);
}

TEST_CASE("all outputs of a row change places, or none") {
  Found other = detected();
  exchange(other.boxes, 3, 4, 2); // and their labels stay
  CHECK_FALSE(are_those_of_the_reference(in_order(other, 1e-4)));
}

TEST_CASE("a row that nearly ties with the last may be another there") {
  Found other = detected();
  const auto change_last = [&](float score) {
    other = detected();
    other.boxes[2 * (rows - 1)] = 100;
    other.scores[rows - 1] = score;
  };
  const float last = detected().scores.back();
  change_last(last + 0.001F);
  const auto found = in_order(other, 0.002);
  CHECK(found.replaced == 1);
  CHECK(are_those_of_the_reference(found));
  change_last(last - 0.005F);
  CHECK(in_order(other, 0.002).replaced == 0);
  Found middle = detected();
  middle.boxes[2 * 5] = 100;
  CHECK(in_order(middle, 0.002).replaced == 0);
}

TEST_CASE("a quarter of the rows may be others at the end") {
  for (const std::size_t changed : {3U, 4U}) {
    Found other = detected();
    for (std::size_t i = rows - changed; i < rows; ++i)
      other.boxes[2 * i] = 100 + static_cast<float>(i);
    CHECK(in_order(other, any).replaced == (changed == 3 ? 3 : 0));
  }
}

TEST_CASE("a row that is off by a tenth of the greatest value is another one") {
  for (const float error : {1.0F, 1.2F}) { // of 11
    Found other = detected();
    other.boxes[2 * (rows - 1)] += error;
    CHECK(in_order(other, 1e-3).replaced == (error > 1.1F ? 1 : 0));
  }
}

TEST_CASE("rows are looked for among sixty-four on either side") {
  for (const std::size_t steps : {64U, 65U}) {
    std::vector<float> keys, boxes;
    for (int i = 0; i < 200; ++i) {
      keys.push_back(i < 150 ? 1 : 0.5F);
      boxes.push_back(static_cast<float>(i));
    }
    const auto tensors = [&] {
      return std::vector<Tensor>{values::tensor_of(DType::float32, keys, {1, 200}),
                                 values::tensor_of(DType::float32, boxes, {1, 200})};
    };
    keys[0] = 1.5F; // so that one column alone is sorted
    exchange(boxes, 100, 101);
    const auto ranked = RankedRows::find(tensors());
    REQUIRE(ranked.has_value());
    exchange(boxes, 20, 20 + steps);
    CHECK(ranked->in_order(tensors(), 1e-3).moved == (steps == 64 ? 2 : 0));
  }
}

TEST_CASE("rows that no column sorts have no order") {
  Found found = detected();
  exchange(found.scores, 6, 7);
  CHECK_FALSE(RankedRows::find(found.tensors()).has_value());
}

TEST_CASE("few rows may be sorted by chance") {
  // Of four rows in random order one column in twelve is sorted; of seven one in 2520.
  for (const std::int64_t count : {4, 7}) {
    std::vector<float> numbers;
    for (std::int64_t i = 0; i < count; ++i) numbers.push_back(static_cast<float>(-i));
    CHECK(RankedRows::find({values::tensor_of(DType::float32, numbers, {count})}).has_value() ==
          (count == 7));
  }
  // One column in a hundred is too many: with six rows it is one in 360, of three columns.
  for (const std::int64_t columns : {3, 4}) {
    std::vector<float> numbers;
    for (int row = 0; row < 6; ++row)
      for (std::int64_t k = 0; k < columns; ++k)
        numbers.push_back(k == 0 ? static_cast<float>(-row)
                                 : static_cast<float>(k % 2 == 0 ? row * 5 % 6 : -(row * 5 % 6)));
    const auto found = RankedRows::find({values::tensor_of(DType::float32, numbers, {6, columns})});
    CHECK(found.has_value() == (columns == 3));
  }
}

TEST_CASE("labels are no keys") {
  const std::vector<std::int64_t> numbers{9, 8, 7, 6, 5, 4, 3, 2, 1, 0};
  CHECK_FALSE(RankedRows::find({values::tensor_of(DType::int64, numbers, {1, 10})}).has_value());
}

TEST_CASE("outputs of another shape are left as they are") {
  Found other = detected();
  exchange(other, 3, 4);
  auto tensors = other.tensors();
  tensors[0].view.shape = {1, 11, 2};
  const auto ranked = RankedRows::find(detected().tensors());
  REQUIRE(ranked.has_value());
  CHECK(ranked->in_order(tensors, any).moved == 0);
  CHECK_FALSE(ranked->change_of_keys(tensors).has_value());
}

TEST_CASE("keys of another run are compared place by place") {
  Found other = detected();
  exchange(other, 3, 4);
  other.scores[6] += 0.002F;
  const auto ranked = RankedRows::find(detected().tensors());
  REQUIRE(ranked.has_value());
  CHECK(ranked->output_of_keys() == 1);
  CHECK(ranked->greatest_key() == Approx(0.9));
  CHECK(ranked->change_of_keys(other.tensors()).value() == Approx(0.002).epsilon(1e-3));
}

TEST_CASE("of elements chosen along the last axis, any may be kept that has the last one's key") {
  const Shape shape{2, 5, 3};
  std::vector<float> keys;
  std::vector<std::int64_t> places;
  for (std::int64_t list = 0; list < 10; ++list) {
    keys.insert(keys.end(), {1.0F + static_cast<float>(3 * list % 7), 0, 0});
    places.insert(places.end(), {list % 8, (list + 1) % 8, (list + 2) % 8});
  }
  const auto outputs = [&](const std::vector<std::int64_t>& chosen) {
    return std::vector<Tensor>{values::tensor_of(DType::float32, keys, shape),
                               values::tensor_of(DType::int64, chosen, shape)};
  };
  const auto ranked = RankedRows::find(outputs(places));
  REQUIRE(ranked.has_value());
  auto others = places;
  others[1] = 7; // beside two zeros
  others[2] = 6;
  CHECK(ranked->in_order(outputs(others), 0).replaced == 2);
  others = places;
  others[0] = 7; // the greatest
  CHECK(ranked->in_order(outputs(others), 0).replaced == 0);
  const std::vector<Tensor> few{
      values::tensor_of(DType::float32, std::vector<float>{2, 0, 0}, {1, 1, 3}),
      values::tensor_of(DType::int64, std::vector<std::int64_t>{4, 1, 2}, {1, 1, 3})};
  CHECK_FALSE(RankedRows::find(few).has_value());
  CHECK(RankedRows::find(few, &*ranked).has_value()); // what another call has shown
}

TEST_CASE("a column of one number but for a few is sorted by chance") {
  // Of a hundred rows one is another in each column: it is the last in one column of a hundred.
  for (const std::int64_t others : {1, 3}) {
    std::vector<float> numbers(std::size_t{100} * 2, 0);
    for (std::int64_t i = 0; i < others; ++i) {
      numbers[static_cast<std::size_t>(2 * (99 - i))] = static_cast<float>(9 - i);
      numbers[static_cast<std::size_t>(2 * (5 * i) + 1)] = 1;
    }
    const auto found = RankedRows::find({values::tensor_of(DType::float32, numbers, {100, 2})});
    CHECK(found.has_value() == (others == 3));
  }
}
