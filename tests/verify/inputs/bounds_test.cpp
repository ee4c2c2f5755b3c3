#include "verify/inputs/bounds.h"
#include "verify/inputs/input_files.h"
#include "verify/inputs/input_meaning.h"

#include <model_validator/graph_builder.h>

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <set>

using namespace model_validator;
using namespace model_validator::verify;

namespace {

Attribute number(const std::string& name, double value) { return {name, value}; }
Attribute whole(const std::string& name, std::int64_t value) { return {name, value}; }

/// An input `x`, and ops each of which reads the one before.
class Chain {
public:
  Chain() { last_ = add("x", OpKind::input, {}); }

  Chain& then(const std::string& type, std::vector<Attribute> attributes = {},
              OpKind kind = OpKind::functional) {
    const OpId next = add(type, kind, std::move(attributes));
    graph.add_product(last_, next, {});
    last_ = next;
    return *this;
  }

  InputNeed need(DType dtype, Shape shape, std::vector<std::string> symbols = {}) const {
    std::vector<InputNeed> needs{{"x", "Tensor", InputNeed::Kind::tensor, true, dtype,
                                  std::move(shape), std::move(symbols)}};
    find_meanings(graph, needs);
    return needs.front();
  }

  GraphBuilder graph;

private:
  OpId add(const std::string& type, OpKind kind, std::vector<Attribute> attributes) {
    Op op;
    op.name = type == "x" ? type : type + std::to_string(graph.op_count());
    op.type = type;
    op.kind = kind;
    op.attributes = std::move(attributes);
    return graph.add_op(op);
  }

  OpId last_ = none;
};

std::vector<double> bounds_of(const Chain& chain) {
  return chain.need(DType::float32, {2, 4}).meaning.bounds;
}

FilledSamples samples_for(const InputNeed& need, std::uint64_t bytes = 1000) {
  return *standard_samples({need}, {}, bytes, 0);
}

std::vector<std::string> names_of(const InputNeed& need, std::uint64_t bytes = 1000) {
  std::vector<std::string> names;
  const FilledSamples filled = samples_for(need, bytes);
  for (const SampleShape& shape : filled.shapes) names.push_back(shape.name);
  return names;
}

std::set<double> values_in(const InputNeed& need) {
  std::set<double> values;
  const FilledSamples filled = samples_for(need);
  for (const Sample& sample : filled.samples) {
    const auto& view = std::get<Tensor>(sample[0].data).view;
    for (std::int64_t i = 0; i < element_count(view); ++i)
      values.insert(view.dtype == DType::int64
                        ? static_cast<double>(static_cast<const std::int64_t*>(view.data)[i])
                    : view.dtype == DType::bool_
                        ? static_cast<double>(static_cast<const std::uint8_t*>(view.data)[i])
                        : static_cast<double>(static_cast<const float*>(view.data)[i]));
  }
  return values;
}

} // namespace

TEST_CASE("a bound is told in the numbers of the input") {
  CHECK(bounds_of(Chain().then("clamp", {number("min", -2), number("max", 5)})) ==
        std::vector<double>{-2, 5});
  CHECK(bounds_of(Chain().then("add", {number("other", 8)}).then("leaky_relu")) ==
        std::vector<double>{-8});
  CHECK(bounds_of(Chain().then("mul", {number("other", 2)}).then("gt", {number("other", 6)})) ==
        std::vector<double>{3});
  CHECK(bounds_of(Chain().then("neg").then("lt", {number("input1", 3)})) ==
        std::vector<double>{-3});
}

TEST_CASE("what lies behind a layer has no bound in the numbers of the input") {
  const Chain plain = Chain().then("matmul").then("relu");
  CHECK(bounds_of(plain).empty());
  CHECK_FALSE(plain.need(DType::float32, {2, 4}).meaning.magnitudes);
  const Chain capped = Chain().then("matmul").then("relu6");
  CHECK(bounds_of(capped).empty());
  CHECK(capped.need(DType::float32, {2, 4}).meaning.magnitudes);
}

TEST_CASE("values on both sides of a bound are tried") {
  const auto values = values_in(Chain().then("relu6").need(DType::float32, {2, 8}));
  CHECK(values.contains(0));
  CHECK(values.contains(6));
  CHECK(*values.rbegin() >= 12);
  CHECK(*values.begin() <= -1);
  const auto few = values_in(Chain().then("clamp", {whole("max", 40)}).need(DType::int64, {2}));
  CHECK(few.contains(40));
  CHECK(few.contains(41));
  CHECK(*few.begin() < 0);
}

TEST_CASE("an input that is held to nothing is given what it was given before") {
  CHECK(names_of(Chain().then("matmul").need(DType::float32, {2, 8})).size() == 1);
}

TEST_CASE("both values of a flag are tried") {
  CHECK(values_in(Chain().then("where").need(DType::bool_, {})) == std::set<double>{0, 1});
}

TEST_CASE("ids that are computed with go beyond 32 bits, others do not") {
  const auto hashed = Chain().then("mul", {whole("other", 40503)});
  CHECK(*values_in(hashed.need(DType::int64, {2, 4})).rbegin() > 4e9);
  CHECK(*values_in(Chain().then("add", {whole("other", 1)}).need(DType::int64, {2, 4})).rbegin() <
        100);
}

TEST_CASE("where remainders begin anew is tried beyond what a float holds") {
  const auto values =
      values_in(Chain().then("remainder", {whole("other", 86400)}).need(DType::int64, {2, 4}));
  CHECK(std::ranges::any_of(values, [](double value) {
    return value > 4e9 && static_cast<std::int64_t>(value) % 86400 == 86399;
  }));
  const auto few =
      values_in(Chain().then("remainder", {whole("other", 86400)}).need(DType::int32, {2, 4}));
  CHECK(*few.rbegin() < 2147483648.0);
}

TEST_CASE("the numbers of a small stored tensor are bounds, those of a large one are not") {
  const auto bounds_beside = [](std::uint64_t bytes) {
    Chain chain;
    chain.then("ge");
    Parameter stored;
    stored.path = "edges";
    stored.bytes = bytes;
    chain.graph.op(1).parameters = {chain.graph.add_parameter(stored)};
    std::vector<InputNeed> needs{
        {"x", "Tensor", InputNeed::Kind::tensor, true, DType::float32, Shape{2, 4}, {}}};
    find_meanings(chain.graph, needs, [](const std::vector<std::string>& names) {
      return WeightSamples{names == std::vector<std::string>{"edges"}
                               ? std::optional(std::vector<double>{18, 65})
                               : std::nullopt};
    });
    return needs.front().meaning.bounds;
  };
  CHECK(bounds_beside(8) == std::vector<double>{18, 65});
  CHECK(bounds_beside(256) == std::vector<double>{18, 65});
  CHECK(bounds_beside(257).empty());
}

TEST_CASE("NaN is tried where the graph asks for it, and nowhere else") {
  const auto any_nan = [](const InputNeed& need) {
    const FilledSamples filled = samples_for(need);
    return std::ranges::any_of(filled.samples, [](const Sample& sample) {
      const auto& view = std::get<Tensor>(sample[0].data).view;
      const auto* first = static_cast<const float*>(view.data);
      return std::any_of(first, first + element_count(view), [](float x) { return x != x; });
    });
  };
  CHECK(any_nan(Chain().then("isnan").need(DType::float32, {2, 8})));
  CHECK(any_nan(
      Chain().then("mul", {number("other", 2)}).then("nan_to_num").need(DType::float32, {2, 8})));
  CHECK_FALSE(any_nan(Chain().then("matmul").then("isnan").need(DType::float32, {2, 8})));
  CHECK_FALSE(any_nan(Chain().then("relu6").need(DType::float32, {2, 8})));
}

TEST_CASE("a whole row is NaN, and infinities are tried where the graph asks for them") {
  const auto row_of_nan = [](const char* asks) {
    const FilledSamples filled = samples_for(Chain().then(asks).need(DType::float32, {3, 4}));
    const auto& view = std::get<Tensor>(filled.samples.back()[0].data).view;
    const auto* first = static_cast<const float*>(view.data);
    CHECK(std::all_of(first, first + 4, [](float x) { return x != x; }));
    return std::any_of(first + 4, first + 12, [](float x) { return std::isinf(x); });
  };
  CHECK(row_of_nan("nan_to_num"));
  CHECK_FALSE(row_of_nan("isnan"));
}

TEST_CASE("row numbers beyond the table are tried where they are cut off before") {
  const auto lowest_of = [](const char* type) {
    InputNeed need =
        Chain().then(type, {whole("min", 0), whole("other", 0)}).need(DType::int64, {2, 4});
    need.meaning.role = InputRole::rows;
    need.meaning.rows = 50;
    return *values_in(need).begin();
  };
  CHECK(lowest_of("clamp") == -1);
  CHECK(lowest_of("ge") == 0);
}

TEST_CASE("differences of positions reach what they are compared with") {
  const auto need = Chain()
                        .then("size", {whole("dim", 1)}, OpKind::query)
                        .then("arange")
                        .then("sub")
                        .then("gt", {whole("other", 47)})
                        .need(DType::float32, {-1, -1, 8}, {"batch", "length", ""});
  REQUIRE(need.meaning.sizes == std::vector<SizeBound>{{1, 48}});
  const auto names = names_of(need);
  CHECK(std::count(names.begin(), names.end(), "length=49") == 1);
}

TEST_CASE("sizes on both sides of what they are compared with are tried") {
  const auto sized = Chain()
                         .then("size", {whole("dim", 1)}, OpKind::query)
                         .then("gt", {whole("other", 16)}, OpKind::query);
  const auto need = sized.need(DType::float32, {-1, -1, 8}, {"batch", "length", ""});
  REQUIRE(need.meaning.sizes == std::vector<SizeBound>{{1, 16}});
  const auto names = names_of(need);
  CHECK(std::count(names.begin(), names.end(), "length=17") == 1);
  CHECK(std::count(names.begin(), names.end(), "length=16") == 1);
  const auto of_batch = Chain()
                            .then("size", {whole("dim", 0)}, OpKind::query)
                            .then("gt", {whole("other", 16)}, OpKind::query)
                            .need(DType::float32, {-1, -1, 8}, {"batch", "length", ""});
  const auto other = names_of(of_batch);
  CHECK(std::count(other.begin(), other.end(), "batch=17") == 1);
}

TEST_CASE("of two sequences one is also longer") {
  InputNeed query = Chain().then("matmul").need(DType::float32, {1, -1, 8}, {"", "q_len", ""});
  InputNeed key = query;
  key.name = "key";
  key.symbols = {"", "k_len", ""};
  const auto filled = standard_samples({query, key}, {}, 1000, 0);
  REQUIRE(filled);
  CHECK(std::ranges::count(filled->shapes, "k_len=9", &SampleShape::name) == 1);
}

TEST_CASE("pictures of free sizes are also odd") {
  const auto need = Chain().then("conv2d").need(DType::float32, {1, 3, -1, -1}, {"", "", "h", "w"});
  const auto names = names_of(need);
  CHECK(std::count(names.begin(), names.end(), "h=225,w=197") == 1);
}

TEST_CASE("a large model is given few samples more") {
  const auto need = Chain().then("clamp", {whole("max", 40)}).need(DType::int64, {});
  CHECK(names_of(need, std::uint64_t{4} << 30).size() == 3);
  CHECK(names_of(need, 1000).size() > 4);
}

TEST_CASE("boxes of which those that overlap are dropped overlap") {
  const auto need = Chain().then("nms").need(DType::float32, {1, -1, 4}, {"", "n", ""});
  CHECK(need.meaning.boxes);
  const FilledSamples filled = samples_for(need);
  const auto& view = std::get<Tensor>(filled.samples.front()[0].data).view;
  const auto* boxes = static_cast<const float*>(view.data);
  CHECK(boxes[0] < boxes[2]);
  CHECK(boxes[4] < boxes[2]); // the second begins before the first ends
}

TEST_CASE("boxes behind a sigmoid overlap where it is not flat") {
  const auto need =
      Chain().then("sigmoid").then("mul").then("nms").need(DType::float32, {1, 64, 4});
  CHECK_FALSE(need.meaning.boxes);
  CHECK(need.meaning.activated_boxes);
  const FilledSamples filled = samples_for(need);
  const auto* boxes =
      static_cast<const float*>(std::get<Tensor>(filled.samples.front()[0].data).view.data);
  CHECK(boxes[4] < boxes[2]);
  CHECK(std::all_of(boxes, boxes + 256, [](float x) { return std::fabs(x) <= 3; }));
  const auto of_image = Chain().then("conv2d").then("sigmoid").then("nms");
  CHECK_FALSE(of_image.need(DType::float32, {1, 64, 4}).meaning.activated_boxes);
}

TEST_CASE("a state that is counted up says in how many calls it comes round") {
  Chain ring = Chain().then("remainder", {whole("other", 6)}, OpKind::query);
  CHECK(calls_to_come_round(ring.graph) == 0);
  ring.graph.state_writes.emplace_back();
  CHECK(calls_to_come_round(ring.graph) == 8);
  Chain long_ring = Chain().then("remainder", {whole("other", 600)}, OpKind::query);
  long_ring.graph.state_writes.emplace_back();
  CHECK(calls_to_come_round(long_ring.graph) == 0);
}
