#include "connected_graph/shapes/inference.h"

#include <catch2/catch.hpp>

#include <map>

using namespace model_validator::shapes;

namespace {

class Settings final : public Attributes {
public:
  std::map<std::string, std::vector<std::int64_t>, std::less<>> lists;

  std::optional<std::int64_t> integer(std::string_view name) const override {
    const auto found = lists.find(name);
    return found == lists.end() ? std::nullopt : std::optional(found->second.front());
  }
  std::optional<std::vector<std::int64_t>> integers(std::string_view name) const override {
    const auto found = lists.find(name);
    return found == lists.end() ? std::nullopt : std::optional(found->second);
  }
  std::optional<std::string> text(std::string_view) const override { return std::nullopt; }
  std::optional<std::vector<double>> reals(std::string_view) const override { return std::nullopt; }
  std::optional<std::vector<double>> stored_numbers(std::size_t) const override {
    return std::nullopt;
  }
};

Value shaped(Shape shape) {
  Value value;
  value.shape = shared(std::move(shape));
  return value;
}

Value list(Shape elements) {
  Value value = shaped({Size::of(static_cast<std::int64_t>(elements.size()))});
  value.elements = shared(std::move(elements));
  return value;
}

struct Sample {
  Sizes sizes;
  Facts facts;
  Settings settings;
  std::string_view domain;
  Size n = sizes.symbol({"x", 0, "n"});

  std::string operator()(std::string_view type, const std::vector<Value>& inputs,
                         std::size_t output = 0) {
    Node node;
    node.type = type;
    node.domain = domain;
    node.opset = 17;
    for (const Value& input : inputs) node.inputs.push_back(&input);
    node.output_count = output + 1;
    node.attributes = &settings;
    const Value result = infer(node, sizes, facts).at(output);
    if (!result.shape) return "?";
    std::string words;
    for (const Size size : *result.shape) words += (words.empty() ? "" : " ") + sizes.text(size);
    return words;
  }
};

Size number(std::int64_t value) { return Size::of(value); }

} // namespace

TEST_CASE("shapes follow through operators") {
  Sample infer_shape;
  const Size n = infer_shape.n;
  CHECK(infer_shape("MatMul", {shaped({n, number(4)}), shaped({number(4), number(3)})}) == "n 3");
  CHECK(infer_shape("Add", {shaped({n, number(1), number(3)}), shaped({number(5), number(1)})}) ==
        "n 5 3");
  CHECK(infer_shape("Reshape",
                    {shaped({n, number(4), number(8)}), list({number(0), number(-1)})}) == "n 32");
  CHECK(infer_shape("Reshape", {shaped({n, number(4)}), list({n, number(2), number(2)})}) ==
        "n 2 2");
  CHECK(infer_shape("Mystery", {shaped({n})}) == "?");
  CHECK(infer_shape.facts.mismatches.empty());
  CHECK(infer_shape.facts.demands.empty());
}

TEST_CASE("windows move over images of any size") {
  Sample infer_shape;
  infer_shape.settings.lists = {{"strides", {2}}, {"pads", {1, 1}}};
  CHECK(infer_shape("Conv", {shaped({number(1), number(3), infer_shape.n}),
                             shaped({number(8), number(3), number(3)})}) == "1 8 floor((n + 1)/2)");
}

TEST_CASE("whole factors that nodes make are followed") {
  Sample infer_shape;
  const Size n = infer_shape.n;
  const std::vector<Value> inputs{shaped({n, number(3)}), list({}), list({number(1), number(2)})};
  CHECK(infer_shape("Resize", inputs) == "n 6");
}

TEST_CASE("what cannot fit is told with both sizes") {
  Sample infer_shape;
  infer_shape("MatMul", {shaped({infer_shape.n, number(64)}), shaped({number(32), number(10)})});
  REQUIRE(infer_shape.facts.mismatches.size() == 1);
  const Mismatch& found = infer_shape.facts.mismatches[0];
  CHECK(found.fails == Fails::at_load);
  CHECK(found.sentence == "axis 1 of input 0 is 64, but axis 0 of input 1 is 32");
}

TEST_CASE("axes that data has not, updates of another shape and a scale's zero points are told") {
  const auto told = [](std::string_view type, std::vector<std::int64_t> axis,
                       const std::vector<Value>& inputs) {
    Sample infer_shape;
    infer_shape.settings.lists = {{type == "GatherND" ? "batch_dims" : "axis", std::move(axis)}};
    infer_shape(type, inputs);
    const auto& found = infer_shape.facts.mismatches;
    return found.empty() ? "" : found.front().sentence;
  };
  const Value data = shaped({number(4), number(3)});
  const Value places = shaped({number(2), number(3)});
  CHECK(told("GatherElements", {1}, {data, places}).empty());
  CHECK(told("GatherElements", {2}, {data, places}) == "input 0 has no axis 2");
  CHECK(told("ScatterElements", {-2}, {data, places, places}).empty());
  CHECK(told("ScatterElements", {2}, {data, places, places}) == "input 0 has no axis 2");
  CHECK(told("ScatterElements", {0}, {data, places, data}) ==
        "axis 0 of input 2 is 4, but axis 0 of input 1 is 2");
  CHECK(told("GatherND", {0}, {data, shaped({number(5), number(2)})}).empty());
  CHECK(told("GatherND", {-1}, {data, shaped({number(5), number(2)})}) == "`batch_dims` is -1");
  const Value scale = shaped({number(3)});
  CHECK(told("DequantizeLinear", {1}, {data, scale, scale}).empty());
  CHECK(told("DequantizeLinear", {1}, {data, scale, shaped({number(1), number(3)})}) ==
        "input 2 is no list: it has 2 axes");
}

TEST_CASE("an axis that has no choice is a demand, not a mismatch") {
  Sample infer_shape;
  const Size n = infer_shape.n;
  infer_shape("Reshape", {shaped({n, number(32)}), list({number(1), number(32)})});
  infer_shape("Add", {shaped({n, number(3)}), shaped({number(16), number(3)})});
  CHECK(infer_shape.facts.mismatches.empty());
  REQUIRE(infer_shape.facts.demands.size() == 2);
  CHECK(infer_shape.facts.demands[0].solution.number == 1);
  CHECK(!infer_shape.facts.demands[0].or_one);
  CHECK(infer_shape.facts.demands[1].solution.number == 16);
  CHECK(infer_shape.facts.demands[1].or_one);
}

TEST_CASE("attention keeps all elements, but in a ring or a buffer of a size of its own") {
  Sample infer_shape;
  const Size n = infer_shape.n, past = infer_shape.sizes.symbol({"past", 2, "past"});
  const Size total = infer_shape.sizes.symbol({"mask", 1, "total"});
  infer_shape.domain = "com.microsoft";
  infer_shape.settings.lists = {{"num_heads", {4}}, {"kv_num_heads", {2}}};
  const auto kept = [&](Size before) {
    const Value cache = shaped({number(1), number(2), before, number(16)});
    const Value query = shaped({number(1), n, number(64)}),
                key = shaped({number(1), n, number(32)});
    return infer_shape("GroupQueryAttention",
                       {query, key, key, cache, cache, shaped({number(1)}), list({total})}, 1);
  };
  CHECK(kept(past) == "1 2 total 16");
  CHECK(kept(number(2048)) == "1 2 ? 16");
  infer_shape.settings.lists["sliding_window_cache"] = {1};
  CHECK(kept(number(64)) == "1 2 64 16");
}
