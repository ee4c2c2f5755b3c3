#include "connected_graph/shapes/inference.h"

#include <catch2/catch.hpp>

#include <limits>
#include <map>

using namespace model_validator::shapes;

namespace {

class Settings final : public Attributes {
public:
  std::map<std::string, std::vector<std::int64_t>, std::less<>> lists;
  std::map<std::string, std::string, std::less<>> texts;

  std::optional<std::int64_t> integer(std::string_view name) const override {
    const auto found = lists.find(name);
    return found == lists.end() ? std::nullopt : std::optional(found->second.front());
  }
  std::optional<std::vector<std::int64_t>> integers(std::string_view name) const override {
    const auto found = lists.find(name);
    return found == lists.end() ? std::nullopt : std::optional(found->second);
  }
  std::optional<std::string> text(std::string_view name) const override {
    const auto found = texts.find(name);
    return found == texts.end() ? std::nullopt : std::optional(found->second);
  }
  std::optional<std::vector<double>> reals(std::string_view) const override { return std::nullopt; }
  std::optional<std::int64_t> count(std::string_view name) const override {
    const auto found = lists.find(name);
    if (found != lists.end()) return static_cast<std::int64_t>(found->second.size());
    return texts.contains(name) ? std::optional<std::int64_t>(1) : std::nullopt;
  }
  std::vector<std::string> words(std::string_view name) const override {
    const auto found = texts.find(name);
    return found == texts.end() ? std::vector<std::string>{} : std::vector{found->second};
  }
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
  int opset = 17;
  Size n = sizes.symbol({"x", 0, "n"});

  std::string operator()(std::string_view type, const std::vector<Value>& inputs,
                         std::size_t output = 0) {
    Node node;
    node.type = type;
    node.domain = domain;
    node.opset = opset;
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

/// What comes of a node, or what is told of its operands.
std::string outcome(Sample& sample, std::string_view type, const std::vector<Value>& inputs) {
  const std::string shape = sample(type, inputs);
  const auto& told = sample.facts.mismatches;
  return told.empty() ? shape : told.back().sentence;
}

Value numbers(std::initializer_list<std::int64_t> all) {
  Shape elements;
  for (const std::int64_t each : all) elements.push_back(number(each));
  return list(std::move(elements));
}

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

TEST_CASE("a slice of a known axis takes what its steps take") {
  const auto length = [](Size size, std::int64_t start, std::int64_t end, std::int64_t step) {
    Sample infer_shape;
    const Value data = shaped({size.known() ? size : infer_shape.n});
    return infer_shape("Slice",
                       {data, numbers({start}), numbers({end}), numbers({0}), numbers({step})});
  };
  constexpr std::int64_t far = std::numeric_limits<std::int64_t>::max();
  CHECK(length(number(10), -1, -11, -2) == "5");
  CHECK(length(number(10), -1, -8, -2) == "4");
  CHECK(length(number(10), 2, -far, -1) == "3");
  CHECK(length(number(10), -100, 100, 3) == "4");
  CHECK(length(number(10), 4, 2, 1) == "0");
  CHECK(length(number(0), -1, -far, -1) == "0");
  CHECK(length({}, far, -far, -2) == "floor((n + 1)/2)");
  CHECK(length({}, -5, far, 1) == "min(n, 5)");
  CHECK(length({}, -1, far, 1) == "1");
  CHECK(length({}, 0, -3, 1) == "n - 3");
}

TEST_CASE("the last elements of an open axis are as many as fit, and that is no demand") {
  Sample infer_shape;
  const Value last = shaped({infer_shape.sizes.minimum(infer_shape.n, number(5))});
  CHECK(infer_shape("Add", {last, shaped({number(5)})}) == "5");
  CHECK(infer_shape.facts.demands.empty());
  CHECK(infer_shape.facts.mismatches.empty());
}

TEST_CASE("what is never equal and must broadcast leaves few sizes") {
  Sample infer_shape;
  const Size n = infer_shape.n;
  infer_shape("Add", {shaped({infer_shape.sizes.sum(n, number(1))}),
                      shaped({infer_shape.sizes.sum(n, number(3))})});
  infer_shape("Add", {shaped({infer_shape.sizes.sum(n, number(-1))}), shaped({n})});
  CHECK(infer_shape.facts.mismatches.empty());
  REQUIRE(infer_shape.facts.demands.size() == 2);
  CHECK(infer_shape.facts.demands[0].solution.kind == Sizes::Solution::Kind::number);
  CHECK(infer_shape.facts.demands[1].solution.kind == Sizes::Solution::Kind::few);
  infer_shape("Add", {shaped({infer_shape.sizes.sum(n, number(2))}),
                      shaped({infer_shape.sizes.sum(n, number(3))})});
  CHECK(infer_shape.facts.mismatches.size() == 1);
}

TEST_CASE("paddings are followed the way PyTorch orders them") {
  Sample infer_shape;
  const Size n = infer_shape.n;
  const auto elements = [&](std::string_view type, const std::vector<Value>& inputs) {
    Node node;
    node.type = type;
    node.opset = 17;
    for (const Value& input : inputs) node.inputs.push_back(&input);
    node.output_count = 1;
    node.attributes = &infer_shape.settings;
    return infer(node, infer_shape.sizes, infer_shape.facts).at(0);
  };
  const Value ordered = list({number(1), n, number(0), number(0)});
  const Value matrix = elements("Reshape", {ordered, numbers({-1, 2})});
  const Value upside_down = elements(
      "Slice", {matrix, numbers({-1}), numbers({-1'000'000'000'000}), numbers({0}), numbers({-1})});
  infer_shape.settings.lists = {{"perm", {1, 0}}};
  const Value turned = elements("Transpose", {upside_down});
  const Value pads = elements("Reshape", {turned, numbers({-1})});
  CHECK(infer_shape("Pad", {shaped({number(3), number(8)}), pads}) == "3 n + 9");
}

TEST_CASE("lists of sizes have an end for each axis, whatever they hold") {
  const auto told = [](std::string_view type, std::size_t place, std::size_t count) {
    Sample infer_shape;
    std::vector<Value> inputs(place);
    inputs[0] = shaped({infer_shape.n, number(4)});
    inputs.push_back(list(Shape(count)));
    return outcome(infer_shape, type, inputs);
  };
  CHECK(told("Tile", 1, 2) == "? ?");
  CHECK(told("Tile", 1, 3) == "input 1 has 3 numbers, and input 0 2 axes");
  CHECK(told("Pad", 1, 4) == "? ?");
  CHECK(told("Pad", 1, 3) == "there are 3 paddings for 2 axes");
  CHECK(told("Resize", 3, 2) == "? ?");
  CHECK(told("Resize", 3, 3) == "there are 3 sizes for 2 axes");
}

TEST_CASE("lists that say too much or too little are told") {
  Sample infer_shape;
  const Size n = infer_shape.n;
  const Value image = shaped({n, number(3), number(4), number(4)});
  CHECK(outcome(infer_shape, "Reshape", {shaped({n, number(4)}), numbers({-1, 2, 0})}) ==
        "the new shape copies axis 2 of input 0, which has 2 axes");
  CHECK(outcome(infer_shape, "Expand", {shaped({n}), shaped({number(2), number(2)})}) ==
        "input 1 is no list: it has 2 axes");
  Value stored = shaped({number(1), number(1)});
  stored.elements = shared({number(4)});
  stored.source = Source::stored;
  infer_shape.facts.mismatches.clear();
  CHECK(outcome(infer_shape, "Expand", {shaped({number(1)}), stored}) == "4");
  CHECK(outcome(infer_shape, "OneHot", {shaped({n}), numbers({5, 5}), shaped({number(2)})}) ==
        "input 1 is not one number");
  CHECK(outcome(infer_shape, "OneHot", {shaped({n}), numbers({5}), shaped({number(3)})}) ==
        "axis 0 of input 2 is 3, but the number of its values is 2");
  infer_shape.settings.lists = {{"axis", {2}}};
  CHECK(outcome(infer_shape, "OneHot", {shaped({n}), numbers({5}), shaped({number(2)})}) ==
        "`axis` is 2, and the result has 2 axes");
  infer_shape.facts.mismatches.clear();
  infer_shape.settings.lists = {{"axis", {-2}}};
  CHECK(outcome(infer_shape, "OneHot", {shaped({n}), numbers({5}), shaped({number(2)})}) == "5 n");
  infer_shape.settings.lists = {{"kernel_shape", {2, 2}}, {"strides", {2, 2}}};
  CHECK(outcome(infer_shape, "MaxUnpool", {image, image, numbers({1, 3, 9})}) ==
        "input 2 has 3 numbers, and input 0 4 axes");
  infer_shape.facts.mismatches.clear();
  CHECK(outcome(infer_shape, "MaxUnpool", {image, image}) == "n 3 8 8");
  CHECK(outcome(infer_shape, "MaxUnpool", {image, image, numbers({1, 3, 9, 9})}) == "1 3 9 9");
  infer_shape.settings.lists.clear();
  CHECK(outcome(infer_shape, "Squeeze", {shaped({n, number(1)}), numbers({})}) == "?");
  infer_shape.settings.texts = {{"coordinate_transformation_mode", "tf_crop_and_resize"}};
  CHECK(outcome(infer_shape, "Resize", {image, shaped({number(8)}), {}, list(Shape(4))}) ==
        "? ? ? ?");
  CHECK(outcome(infer_shape, "Resize", {image, shaped({number(7)}), {}, list(Shape(4))}) ==
        "there are 7 ends of the region for 4 axes");
}

TEST_CASE("a Squeeze of all axes, or a list of any length, leaves the rank to the run") {
  Sample infer_shape;
  const Size n = infer_shape.n;
  const auto open_ranks = [&] { return infer_shape.facts.open_ranks.size(); };
  CHECK(outcome(infer_shape, "Squeeze", {shaped({number(1), number(4)})}) == "4");
  const Size longer = infer_shape.sizes.sum(n, number(2));
  CHECK(outcome(infer_shape, "Squeeze", {shaped({longer, number(1)})}) == "n + 2");
  CHECK(open_ranks() == 0);
  CHECK(outcome(infer_shape, "Squeeze", {shaped({n, number(1)})}) == "?");
  CHECK(open_ranks() == 1);
  Value list = shaped({n});
  CHECK(outcome(infer_shape, "Reshape", {shaped({number(6)}), list}) == "?");
  CHECK(open_ranks() == 1);
  list.source = Source::input;
  CHECK(outcome(infer_shape, "Reshape", {shaped({number(6)}), list}) == "?");
  CHECK(outcome(infer_shape, "ConstantOfShape", {list}) == "?");
  CHECK(open_ranks() == 3);
}

TEST_CASE("sizes are raised to powers and clipped") {
  Sample infer_shape;
  const auto made = [&](std::string_view type, std::vector<Value> inputs) {
    inputs.push_back({});
    Node node;
    node.type = type;
    node.opset = 17;
    for (const Value& input : inputs) node.inputs.push_back(&input);
    node.inputs.pop_back();
    node.output_count = 1;
    node.attributes = &infer_shape.settings;
    const Value value = infer(node, infer_shape.sizes, infer_shape.facts).at(0);
    return value.elements ? infer_shape.sizes.text(value.elements->front()) : "?";
  };
  CHECK(made("Pow", {list({infer_shape.n}), numbers({2})}) == "n*n");
  CHECK(made("Pow", {list({infer_shape.n}), numbers({-1})}) == "?");
  CHECK(made("Clip", {list({infer_shape.n}), numbers({2}), numbers({5})}) == "min(max(n, 2), 5)");
}

TEST_CASE("a split by computed sizes is followed") {
  Sample infer_shape;
  infer_shape.settings.lists = {{"axis", {0}}};
  const Size n = infer_shape.n, half = infer_shape.sizes.quotient(n, number(2));
  const std::vector<Value> inputs{shaped({n}), list({half, infer_shape.sizes.difference(n, half)})};
  CHECK(infer_shape("Split", inputs, 1) == "n - floor(n/2)");
  CHECK(infer_shape.facts.demands.empty());
}

TEST_CASE("a resize that keeps proportions makes what is wanted fit") {
  Sample infer_shape;
  infer_shape.settings.lists = {{"axes", {1, 2}}};
  infer_shape.settings.texts = {{"keep_aspect_ratio_policy", "not_larger"}};
  const std::vector<Value> inputs{
      shaped({infer_shape.n, number(8), number(12)}), {}, {}, numbers({16, 18})};
  CHECK(infer_shape("Resize", inputs) == "n 12 18");
  infer_shape.settings.texts = {{"keep_aspect_ratio_policy", "not_smaller"}};
  CHECK(infer_shape("Resize", inputs) == "n 16 24");
}

TEST_CASE("einsum follows an ellipsis, and what is yielded without an arrow") {
  const auto einsum = [](const char* equation, const std::vector<Shape>& shapes) {
    Sample infer_shape;
    infer_shape.settings.texts = {{"equation", equation}};
    std::vector<Value> inputs;
    for (const Shape& each : shapes) inputs.push_back(shaped(each));
    return outcome(infer_shape, "Einsum", inputs);
  };
  const Size two = number(2), three = number(3), four = number(4);
  CHECK(einsum("...ij, jk -> ...ik", {{two, three, four, two}, {two, four}}) == "2 3 4 4");
  CHECK(einsum("bij, jk", {{two, three, four}, {four, two}}) == "2 3 2");
  CHECK(einsum("...a,...a->...", {{two, three, four}, {two, three, four}}) == "2 3");
  CHECK(einsum("...a,...a->...", {{two, three, four}, {three, four}}) ==
        "`...` stands for 2 axes, and in input 1 for 1");
  CHECK(einsum("...ij,jk->...ik", {{two, three, four}, {three, two}}) ==
        "axis 2 of input 0 is 4, but axis 0 of input 1 is 3");
  CHECK(einsum("ij->ij", {{two, three}, {three, four}}) ==
        "the equation is for 1 operands, and there are 2");
  CHECK(einsum("ij,jk->iz", {{two, three}, {three, four}}) ==
        "no operand has the axis `z` of the result");
}

TEST_CASE("a sum along an axis is along one of those that there are") {
  Sample infer_shape;
  const Value data = shaped({number(2), number(3)});
  CHECK(outcome(infer_shape, "CumSum", {data, numbers({-1})}) == "2 3");
  CHECK(outcome(infer_shape, "CumSum", {data, numbers({2})}) == "input 0 has no axis 2");
  CHECK(outcome(infer_shape, "CumSum", {data, numbers({0, 1})}) == "input 1 is not one number");
}

TEST_CASE("boxes have scores each") {
  Sample infer_shape;
  const auto given = [](std::int64_t a, std::int64_t b, std::int64_t c) {
    return shaped({number(a), number(b), number(c)});
  };
  CHECK(outcome(infer_shape, "NonMaxSuppression", {given(1, 6, 4), given(1, 2, 6)}) == "? 3");
  CHECK(outcome(infer_shape, "NonMaxSuppression", {given(1, 6, 4), given(1, 2, 5)}) ==
        "axis 2 of input 1 is 5, but axis 1 of input 0 is 6");
}

TEST_CASE("a batch normalisation has as many results as its training mode says") {
  Sample infer_shape;
  const Value data = shaped({number(2), number(3)}), scale = shaped({number(3)});
  const std::vector<Value> inputs = {data, scale, scale, scale, scale};
  CHECK(outcome(infer_shape, "BatchNormalization", inputs) == "2 3");
  infer_shape.settings.lists = {{"training_mode", {1}}};
  CHECK(outcome(infer_shape, "BatchNormalization", inputs) == "it has 1 outputs, and must have 3");
}

TEST_CASE("grids of positions fit matrices and images") {
  Sample infer_shape;
  const auto theta = [](std::int64_t rows, std::int64_t columns) {
    return shaped({number(2), number(rows), number(columns)});
  };
  CHECK(infer_shape("AffineGrid", {theta(2, 3), numbers({2, 3, 4, 5})}) == "2 4 5 2");
  CHECK(infer_shape("AffineGrid", {theta(3, 4), numbers({2, 3, 4, 5, 6})}) == "2 4 5 6 3");
  CHECK(infer_shape("GridSample", {shaped({number(2), number(3), number(4), number(5)}),
                                   shaped({number(2), number(7), number(8), number(2)})}) ==
        "2 3 7 8");
  CHECK(infer_shape.facts.mismatches.empty());
  CHECK(outcome(infer_shape, "AffineGrid", {theta(2, 3), numbers({2, 3, 4})}) ==
        "input 1 has 3 numbers instead of 4 or 5");
  CHECK(outcome(infer_shape, "AffineGrid", {theta(2, 3), numbers({3, 3, 4, 5})}) ==
        "axis 0 of input 0 is 2, but the batch that is wanted is 3");
  CHECK(outcome(infer_shape, "AffineGrid", {theta(3, 3), numbers({2, 3, 4, 5})}) ==
        "axis 1 of input 0 is 3, but the number of axes of the image is 2");
  CHECK(outcome(infer_shape, "GridSample",
                {shaped({number(2), number(3), number(4), number(5)}),
                 shaped({number(2), number(7), number(8), number(3)})}) ==
        "axis 3 of input 1 is 3, but the number of axes of the image is 2");
}

TEST_CASE("columns make an image of as many windows") {
  Sample infer_shape;
  const auto columns = [&](std::int64_t places) {
    return shaped({infer_shape.n, number(12), number(places)});
  };
  CHECK(infer_shape("Col2Im", {columns(16), numbers({5, 5}), numbers({2, 2})}) == "n 3 5 5");
  CHECK(infer_shape.facts.mismatches.empty());
  CHECK(outcome(infer_shape, "Col2Im", {columns(20), numbers({5, 5}), numbers({2, 2})}) ==
        "axis 2 of input 0 is 20, but the number of windows in the image is 16");
  CHECK(outcome(infer_shape, "Col2Im", {columns(16), numbers({5, 5}), numbers({2, 2, 2})}) ==
        "input 1 is for 2 axes, and input 2 for 3");
}

TEST_CASE("signals are taken apart into frequencies") {
  Sample infer_shape;
  const Size n = infer_shape.n;
  const Value signal = shaped({number(2), n, number(1)});
  CHECK(infer_shape("STFT", {signal, numbers({4}), shaped({number(16)})}) ==
        "2 floor(n/4) - 3 9 2");
  CHECK(infer_shape("HannWindow", {numbers({16})}) == "16");
  const auto one = [](std::int64_t count) {
    Value value = shaped({});
    value.elements = shared(Shape{number(count)});
    return value;
  };
  CHECK(infer_shape("MelWeightMatrix", {one(8), one(16)}) == "9 8");
  CHECK(infer_shape("DFT", {signal}) == "2 n 2");
  infer_shape.settings.lists = {{"onesided", {1}}};
  CHECK(infer_shape("DFT", {signal, numbers({16})}) == "2 9 2");
  infer_shape.opset = 20;
  CHECK(infer_shape("DFT", {shaped({number(3), number(8), number(1)})}) == "3 5 2");
}

TEST_CASE("scales, tables and lists that belong to an operand are as long as it") {
  const auto told = [](std::string_view type, const std::vector<Value>& inputs,
                       std::map<std::string, std::vector<std::int64_t>, std::less<>> settings = {},
                       std::string_view domain = {}, int opset = 23) {
    Sample infer_shape;
    infer_shape.settings.lists = std::move(settings);
    infer_shape.domain = domain;
    infer_shape.opset = opset;
    infer_shape(type, inputs);
    const auto& found = infer_shape.facts.mismatches;
    return found.empty() ? "" : found.front().sentence;
  };
  const auto sized = [](std::initializer_list<std::int64_t> sizes) {
    return shaped(*numbers(sizes).elements);
  };
  const std::string_view microsoft = "com.microsoft";
  CHECK(told("GroupNormalization", {sized({2, 6, 4}), sized({6}), sized({6})}).empty());
  CHECK(told("GroupNormalization", {sized({2, 6, 4}), sized({5}), sized({5})}) ==
        "axis 0 of input 1 is 5, but axis 1 of input 0 is 6");
  CHECK(told("GroupNormalization", {sized({2, 6, 4}), sized({3}), sized({3})},
             {{"num_groups", {3}}}, {}, 18)
            .empty());
  CHECK(!told("GroupNormalization", {sized({2, 6, 4}), sized({6}), sized({6})},
              {{"num_groups", {3}}}, {}, 18)
             .empty());
  CHECK(told("GroupNormalization", {sized({2, 6, 4}), sized({6}), sized({6})},
             {{"num_groups", {4}}}) == "the channels of input 0 cannot be divided into 4 groups");
  CHECK(told("RotaryEmbedding", {sized({1, 2, 4, 8}), sized({9, 4}), sized({9, 4}), sized({1, 4})})
            .empty());
  CHECK(told("RotaryEmbedding", {sized({1, 2, 4, 8}), sized({9, 4}), sized({8, 4})}) ==
        "axis 0 of input 2 is 8, but axis 0 of input 1 is 9");
  const Value query = sized({1, 4, 5, 8});
  CHECK(told("Attention", {query, sized({1, 2, 7, 8}), sized({1, 2, 7, 6})}).empty());
  CHECK(told("Attention", {query, sized({1, 2, 7, 6}), sized({1, 2, 7, 6})}) ==
        "the size of a head of the query is 8, but that of the key is 6");
  CHECK(told("Attention", {query, sized({1, 3, 7, 8}), sized({1, 3, 7, 8})}) ==
        "the 4 heads of the query cannot be shared among 3 of the key");
  CHECK(
      told("DequantizeLinear", {sized({8, 3}), sized({2, 3})}, {{"axis", {0}}, {"block_size", {4}}})
          .empty());
  CHECK(told("DequantizeLinear", {sized({8, 3}), sized({3, 3})},
             {{"axis", {0}}, {"block_size", {4}}}) ==
        "axis 0 of input 1 is 3, but the number of blocks is 2");
  CHECK(told("ReverseSequence", {sized({5, 2, 3}), sized({2})}).empty());
  CHECK(told("ReverseSequence", {sized({5, 2, 3}), sized({5})}) ==
        "axis 0 of input 1 is 5, but axis 1 of input 0 is 2");
  CHECK(told("RoiAlign", {sized({1, 3, 8, 8}), sized({5, 4}), sized({5})}).empty());
  CHECK(told("RoiAlign", {sized({1, 3, 8, 8}), sized({5, 5}), sized({5})}) ==
        "axis 1 of input 1 is 5, but the length of a region is 4");
  CHECK(told("MatMulNBits", {sized({2, 32}), sized({6, 1, 16}), sized({6})},
             {{"K", {32}}, {"N", {6}}, {"block_size", {32}}}, microsoft, 1)
            .empty());
  CHECK(told("MatMulNBits", {sized({2, 32}), sized({5, 1, 16}), sized({6})},
             {{"K", {32}}, {"N", {6}}, {"block_size", {32}}}, microsoft,
             1) == "axis 0 of input 1 is 5, but attribute `N` is 6");
  CHECK(told("SkipLayerNormalization",
             {sized({2, 8}), sized({2, 8}), sized({8}), sized({8}), sized({9})}, {}, microsoft,
             1) == "axis 0 of input 4 is 9, but axis 1 of input 0 is 8");
  CHECK(told("QLinearConv", {sized({1, 3, 4, 4}), sized({}), sized({}), sized({4, 3, 1, 1}),
                             sized({3}), sized({3})}) ==
        "axis 0 of input 4 is 3, but axis 0 of input 3 is 4");
}

TEST_CASE("a window that is larger than the image by a stride or more leaves nothing") {
  const auto told = [](std::int64_t size, std::int64_t stride, std::string_view type) {
    Sample pool;
    pool.settings.lists = {{"kernel_shape", {7, 7}}, {"strides", {stride, stride}}};
    pool(type, {shaped({number(1), number(3), number(size), number(8)})});
    return !pool.facts.mismatches.empty();
  };
  for (const std::string_view type : {"AveragePool", "LpPool", "MaxPool"}) {
    CHECK(told(6, 1, type));
    CHECK(told(5, 2, type));
    CHECK_FALSE(told(7, 1, type));
    CHECK_FALSE(told(6, 2, type));
  }
}

TEST_CASE("losses, attention and transforms ask for what belongs together") {
  using Lists = std::map<std::string, std::vector<std::int64_t>, std::less<>>;
  const auto told = [](std::string_view type, const std::vector<Value>& inputs, Lists lists = {},
                       int opset = 23) {
    Sample sample;
    sample.settings.lists = std::move(lists);
    sample.opset = opset;
    sample(type, inputs);
    return !sample.facts.mismatches.empty();
  };
  const auto sized = [](std::initializer_list<std::int64_t> sizes) {
    return shaped(*numbers(sizes).elements);
  };
  for (const std::string_view type : {"NegativeLogLikelihoodLoss", "SoftmaxCrossEntropyLoss"}) {
    CHECK_FALSE(told(type, {sized({2, 5, 4}), sized({2, 4}), sized({5})}));
    CHECK(told(type, {sized({2, 5, 4}), sized({3, 4})}));
    CHECK(told(type, {sized({2, 5, 4}), sized({2, 3})}));
    CHECK(told(type, {sized({2, 5, 4}), sized({2})}));
    CHECK(told(type, {sized({2, 5}), sized({2}), sized({4})}));
  }
  const Value words = sized({2, 5, 8}), image = sized({2, 2, 5, 4});
  CHECK(told("Attention", {words, words, words}));
  CHECK_FALSE(
      told("Attention", {words, words, words}, {{"q_num_heads", {2}}, {"kv_num_heads", {2}}}));
  CHECK_FALSE(told("Attention", {image, image, image}));
  const Value signal = sized({1, 8, 1});
  CHECK(told("DFT", {signal}, {{"axis", {3}}}, 17));
  CHECK(told("DFT", {signal}, {{"axis", {-4}}}, 17));
  CHECK_FALSE(told("DFT", {signal}, {{"axis", {-2}}}, 17));
  const Value steps = sized({5, 2, 3}), weights = sized({1, 16, 3}), recurrence = sized({1, 16, 4});
  CHECK(
      told("LSTM", {steps, weights, recurrence}, {{"hidden_size", {4}}, {"activations", {0, 0}}}));
  CHECK_FALSE(told("LSTM", {steps, weights, recurrence},
                   {{"hidden_size", {4}}, {"activations", {0, 0, 0}}}));
  CHECK(told("MelWeightMatrix", {sized({1}), sized({}), sized({}), sized({}), sized({})}));
  CHECK_FALSE(told("MelWeightMatrix", {sized({}), sized({}), sized({}), sized({}), sized({})}));
}

TEST_CASE("ranks and attributes beyond what an operator has are told") {
  Sample sample;
  CHECK(outcome(sample, "Softmax", {shaped({})}) == "input 0 has 0 axes, and must have 1 or more");
  CHECK(outcome(sample, "EyeLike", {shaped({number(2)})}) == "input 0 has 1 axes, and must have 2");
  Sample summed;
  summed.settings.lists["exclusive"] = {2};
  CHECK(outcome(summed, "CumSum", {shaped({number(2)}), shaped({})}) ==
        "attribute `exclusive` is 2, and must be 0 to 1");
  Sample fits;
  fits.settings.lists["exclusive"] = {1};
  CHECK(outcome(fits, "CumSum", {shaped({number(2)}), shaped({})}) == "2");
}

TEST_CASE("a slice cuts each axis once, and by steps") {
  const Value data = shaped({number(4), number(6)});
  const Value zeros = list({number(0), number(0)}), ends = list({number(2), number(2)});
  Sample twice;
  CHECK(outcome(twice, "Slice", {data, zeros, ends, list({number(1), number(-1)})}) ==
        "axis 1 is cut twice");
  Sample still;
  CHECK(outcome(still, "Slice",
                {data, zeros, ends, list({number(0), number(1)}), list({number(1), number(0)})}) ==
        "a step is 0");
  Sample fits;
  CHECK(outcome(fits, "Slice", {data, zeros, ends, list({number(0), number(1)})}) == "2 2");
}

TEST_CASE("of a sequence that the file shows, places, lengths and axes are known") {
  const auto held = [](std::vector<Shape> shapes) {
    std::vector<std::shared_ptr<const Shape>> all;
    for (Shape& each : shapes) all.push_back(shared(std::move(each)));
    Value value;
    value.held = std::make_shared<const std::vector<std::shared_ptr<const Shape>>>(std::move(all));
    return value;
  };
  const auto at = [](std::int64_t number_of) {
    Value value = shaped({});
    value.elements = shared({number(number_of)});
    return value;
  };
  const Value two = held({{number(2), number(3)}, {number(4), number(3)}});
  Sample first, last, beyond, empty, joined, stacked, apart, open;
  CHECK(outcome(first, "SequenceAt", {two, at(0)}) == "2 3");
  CHECK(outcome(last, "SequenceAt", {two, at(-1)}) == "4 3");
  CHECK(outcome(beyond, "SequenceAt", {two, at(2)}) ==
        "input 0 has 2 elements, and none at position 2");
  CHECK(outcome(empty, "SequenceErase", {held({})}) ==
        "input 0 has 0 elements, and none at position -1");
  joined.settings.lists["axis"] = {0};
  CHECK(outcome(joined, "ConcatFromSequence", {two}) == "6 3");
  stacked.settings.lists["axis"] = {2};
  CHECK(outcome(stacked, "ConcatFromSequence", {two}) == "what input 0 holds has no axis 2");
  CHECK(outcome(apart, "SplitToSequence", {shaped({number(3)}), list({number(1), number(1)})}) ==
        "axis 0 of input 0 is 3, but the sum of the parts is 2");
  CHECK(outcome(apart, "SplitToSequence",
                {shaped({number(3)}), list({number(INT64_MAX), number(INT64_MAX), number(5)})}) ==
        "axis 0 of input 0 is 3, but the sum of the parts is beyond 64 bits");
  CHECK(outcome(open, "SequenceAt", {Value{}, at(7)}) == "?");
}

TEST_CASE("indices that the file states lie in the data") {
  const Value data = shaped({number(2), number(3)}), row = shaped({number(1), number(3)});
  const auto pairs = [](std::int64_t a, std::int64_t b) {
    Value value = shaped({number(1), number(2)});
    value.elements = shared({number(a), number(b)});
    return value;
  };
  Sample inside, beyond;
  CHECK(outcome(inside, "GatherND", {data, pairs(1, -3)}) == "1");
  CHECK(outcome(beyond, "GatherND", {data, pairs(0, 3)}) ==
        "index 3 is outside of axis 1 of input 0, which is 3");
  Value one = shaped({number(1), number(1)});
  one.elements = shared({number(5)});
  Sample scattered;
  CHECK(outcome(scattered, "ScatterND", {data, one, row}) ==
        "index 5 is outside of axis 0 of input 0, which is 2");
}

TEST_CASE("lists of attributes that belong together are of one length") {
  Sample given;
  given.domain = "ai.onnx.ml";
  const std::vector<Value> data{shaped({given.n, number(3)})};
  given.settings.lists = {{"scale", {1, 1, 1}}, {"offset", {0, 0, 0}}};
  outcome(given, "Scaler", data);
  CHECK(given.facts.mismatches.empty());
  given.settings.lists["offset"] = {0, 0};
  CHECK(outcome(given, "Scaler", data) ==
        "`count(scale)` is 3, and must be `count(offset)`, which is 2");
  CHECK(given.facts.mismatches.back().fails == Fails::at_load);
  CHECK(given.facts.mismatches.back().schema == "ai.onnx.ml::Scaler");
}

TEST_CASE("as many scales as columns, or one for all") {
  Sample given;
  given.domain = "ai.onnx.ml";
  given.settings.lists = {{"scale", {1}}, {"offset", {0}}};
  outcome(given, "Scaler", {shaped({given.n, number(3)})});
  given.settings.lists = {{"scale", {1, 1}}, {"offset", {0, 0}}};
  outcome(given, "Scaler", {shaped({number(3), given.n})});
  CHECK(given.facts.mismatches.empty());
  CHECK(outcome(given, "Scaler", {shaped({given.n, number(3)})}) ==
        "`x[1]` is 3, and must be `count(scale)`, which is 2");
  CHECK(given.facts.mismatches.back().inputs == std::vector<std::size_t>{0});
}

TEST_CASE("an attribute is one of the words that its operator knows") {
  Sample given;
  given.domain = "ai.onnx.ml";
  given.settings.texts = {{"norm", "L2"}};
  outcome(given, "Normalizer", {shaped({given.n, number(3)})});
  CHECK(given.facts.mismatches.empty());
  given.settings.texts = {{"norm", "L3"}};
  CHECK(outcome(given, "Normalizer", {shaped({given.n, number(3)})}) ==
        "attribute `norm` is L3, and must be one of MAX, L1, L2");
}

TEST_CASE("heads of attention divide what they share") {
  Sample given;
  given.domain = "com.microsoft";
  const Value tokens = shaped({given.n, number(5), number(8)});
  given.settings.lists = {{"num_heads", {2}}};
  CHECK(outcome(given, "MultiHeadAttention", {tokens, tokens, tokens}) == "n 5 8");
  given.settings.lists = {{"num_heads", {3}}};
  CHECK(outcome(given, "MultiHeadAttention", {tokens, tokens, tokens}) ==
        "`query[2] % num_heads` is 2, and must be 0");
  CHECK(given.facts.mismatches.back().inputs == std::vector<std::size_t>{0});
}

TEST_CASE("of sizes that are not known, a relation says nothing") {
  Sample given;
  given.domain = "com.microsoft";
  given.settings.lists = {{"num_heads", {3}}};
  const Value tokens = shaped({number(2), number(5), given.n});
  outcome(given, "MultiHeadAttention", {tokens, tokens, tokens});
  outcome(given, "MultiHeadAttention", {Value{}, Value{}, Value{}});
  CHECK(given.facts.mismatches.empty());
}

TEST_CASE("packed weights are as large as their blocks make them") {
  Sample given;
  given.domain = "com.microsoft";
  given.settings.lists = {{"K", {64}}, {"N", {16}}, {"block_size", {32}}};
  const Value data = shaped({given.n, number(64)});
  const auto with = [&](std::int64_t bytes, std::int64_t scales) {
    return outcome(
        given, "MatMulNBits",
        {data, shaped({number(16), number(2), number(bytes)}), shaped({number(scales)})});
  };
  CHECK(with(16, 32) == "n 16");
  CHECK(with(8, 32) == "`b[2]` is 8, and must be `block_size * bits / 8`, which is 16");
  given.facts.mismatches.clear();
  CHECK(with(16, 31) ==
        "`size(scales)` is 31, and must be `N * ((K + block_size - 1) / block_size)`, which is 32");
}

TEST_CASE("numbers that are stored are none that no run takes") {
  Sample given;
  const Value data = shaped({number(3), number(4)});
  CHECK(outcome(given, "Tile", {data, numbers({1, 2})}) == "3 8");
  CHECK(outcome(given, "Tile", {data, numbers({1, -2})}) ==
        "`least(repeats)` is -2, and must be at least 0");
}

TEST_CASE("no more is cut off an axis than it has, or mirrored than lies beside its edge") {
  Sample given;
  const Value data = shaped({given.n, number(4)});
  CHECK(outcome(given, "Pad", {data, numbers({0, -2, 0, -2})}) == "n 0");
  CHECK(outcome(given, "Pad", {data, numbers({0, -2, 0, -3})}) ==
        "axis 1 of input 0 is 4, of which more is cut off");
  given.facts.mismatches.clear();
  given.settings.texts = {{"mode", "reflect"}};
  CHECK(outcome(given, "Pad", {data, numbers({0, 3, 0, 3})}) == "n 10");
  CHECK(outcome(given, "Pad", {data, numbers({0, 4, 0, 0})}) ==
        "axis 1 of input 0 is 4, of which 4 elements beside the edge are mirrored");
}

TEST_CASE("attributes beyond all that is computed with contradict nothing") {
  constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
  constexpr std::int64_t greatest = std::numeric_limits<std::int64_t>::max();
  Sample given;
  given.opset = 23;
  given.settings.lists = {{"q_num_heads", {least}}, {"kv_num_heads", {-1}}};
  const Value head = shaped({given.n, number(1), number(4), number(8)});
  outcome(given, "Attention", {head, head, head});
  given.domain = "com.microsoft";
  given.settings.lists = {{"num_heads", {1}}, {"qkv_hidden_sizes", {greatest, greatest, 2}}};
  outcome(given, "Attention",
          {shaped({given.n, number(4), number(8)}), shaped({number(8), number(24)})});
  CHECK(given.facts.mismatches.empty());
}
