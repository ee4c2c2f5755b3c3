#include "rules/judging/node_condition.h"
#include "rules/judging/operands.h"

#include <catch2/catch.hpp>

using namespace model_validator;
using rules::Holds;

namespace {

constexpr auto no = Holds::no, unknown = Holds::unknown, yes = Holds::yes;

using Types = std::vector<TensorType>;

TensorType tensor(std::vector<std::int64_t> shape, std::string dtype = "float32") {
  return {std::move(shape), std::move(dtype)};
}

Holds holds(const NodeCondition& condition, const rules::LoneNode& node) {
  return rules::holds(NodeRefusal{.when = {condition}, .reason = {}}, node.view());
}

rules::LoneNode with(std::vector<Attribute> attributes) {
  return rules::lone_node({"aten::thing.Tensor", std::move(attributes), {}, {}});
}

/// With operands and results whose types are given.
rules::LoneNode between(const Types& operands, const Types& results = {},
                        std::vector<Attribute> attributes = {}) {
  rules::LoneNode lone = with(std::move(attributes));
  ProgramNode& node = lone.program.nodes.front();
  node.inputs.clear();
  const auto add = [&](const Types& types, std::vector<ValueId>& to) {
    for (const TensorType& type : types) {
      to.push_back(lone.program.values.size());
      lone.program.values.push_back({.name = "value", .type = type});
    }
  };
  add(operands, node.inputs);
  add(results, node.outputs);
  return lone;
}

NodeCondition on(const std::string& argument) {
  NodeCondition condition;
  condition.attribute = argument;
  condition.argument = true;
  return condition;
}

} // namespace

TEST_CASE("sizes are uneven where neither is a multiple of the other") {
  NodeCondition uneven;
  uneven.output = 0;
  uneven.uneven_to_input = 0;
  CHECK(holds(uneven, between({tensor({1, 8, 7})}, {tensor({1, 8, 3})})) == yes);
  CHECK(holds(uneven, between({tensor({1, 8, 2})}, {tensor({1, 8, 3})})) == yes);
  CHECK(holds(uneven, between({tensor({1, 8, 6})}, {tensor({1, 16, 3})})) == no);
  CHECK(holds(uneven, between({tensor({1, 8, 0})}, {tensor({1, 8, 3})})) == no);
  CHECK(holds(uneven, between({tensor({1, 8, -1})}, {tensor({1, 8, 3})})) == unknown);
  CHECK(holds(uneven, between({tensor({8, 6})}, {tensor({1, 8, 6})})) == unknown);
}

TEST_CASE("a word has capitals") {
  NodeCondition capital;
  capital.attribute = "equation";
  capital.types = {"capitals"};
  CHECK(holds(capital, with({{"equation", std::string("aB,B->a")}})) == yes);
  CHECK(holds(capital, with({{"equation", std::string("ab,b->a")}})) == no);
  CHECK(holds(capital, with({{"equation", std::int64_t{1}}})) == no);
}

TEST_CASE("an overload is an attribute") {
  NodeCondition condition;
  condition.attribute = "overload";
  condition.is = {std::string("Scalar")};
  CHECK(holds(condition, with({})) == no);
  condition.is.emplace_back(std::string("Tensor"));
  CHECK(holds(condition, with({})) == yes);
}

TEST_CASE("a rank is below or above a number, or nobody knows it") {
  NodeCondition low, high;
  low.input = high.input = 0;
  low.rank_below = 2;
  high.rank_above = 3;
  CHECK(holds(low, between({tensor({4})})) == yes);
  CHECK(holds(low, between({tensor({4, 4}), tensor({4})})) == no);
  CHECK(holds(high, between({tensor({1, 2, 3})})) == no);
  CHECK(holds(high, between({tensor({1, 2, 3, 4})})) == yes);
  CHECK(holds(high, between({TensorType{}})) == unknown);
  CHECK(holds(high, with({})) == unknown);
}

TEST_CASE("ranks differ where two that are known do") {
  NodeCondition condition;
  condition.mixed = "ranks";
  CHECK(holds(condition, between({TensorType{}, tensor({2, 3}), tensor({3})})) == yes);
  CHECK(holds(condition, between({tensor({2, 3}), TensorType{}, tensor({1, 3})})) == unknown);
  CHECK(holds(condition, between({tensor({2, 3}), tensor({1, 3})})) == no);
}

TEST_CASE("dtypes of operands and of results differ") {
  NodeCondition condition;
  condition.mixed = "dtypes";
  CHECK(holds(condition, between({tensor({1})}, {tensor({1}, "float16")})) == yes);
  CHECK(holds(condition, between({tensor({1}), tensor({1})}, {tensor({1})})) == no);
  CHECK(holds(condition, between({tensor({1}), TensorType{}})) == unknown);
}

TEST_CASE("an operand has a dtype that is not taken") {
  NodeCondition condition;
  condition.dtypes_not = {"float32"};
  CHECK(holds(condition, between({tensor({1}), tensor({1}, "int64")})) == yes);
  CHECK(holds(condition, between({tensor({1}), TensorType{}})) == unknown);
  CHECK(holds(condition, between({tensor({1})}, {tensor({1}, "int64")})) == no);
  const Operator op{"aten::thing", {}, {}, {"", "int64"}};
  CHECK(holds(condition, rules::lone_node(op)) == yes);
}

TEST_CASE("an argument is none of some values") {
  NodeCondition condition = on("mode");
  condition.is_not = {std::string("zeros"), nullptr, std::int64_t{2}, true};
  for (const AttributeValue& taken :
       {AttributeValue("zeros"), AttributeValue(), AttributeValue(std::int64_t{2}),
        AttributeValue(2.0), AttributeValue(true)})
    CHECK(holds(condition, with({{"mode", taken}})) == no);
  CHECK(holds(condition, with({{"mode", false}})) == yes);
  CHECK(holds(condition, with({{"mode", std::string("border")}})) == yes);
}

TEST_CASE("an argument that the file does not give is computed, and an attribute is not there") {
  NodeCondition condition = on("dim");
  condition.is = {std::int64_t{1}};
  CHECK(holds(condition, with({{"other", std::int64_t{1}}})) == unknown);
  condition.given = true; // left out, it is the default
  CHECK(holds(condition, with({{"other", std::int64_t{1}}})) == no);
  CHECK(holds(condition, with({{"dim", std::int64_t{1}}})) == yes);
  condition.given = false;
  condition.argument = false;
  CHECK(holds(condition, with({{"other", std::int64_t{1}}})) == no);
  condition = {};
  condition.attribute = "dim";
  condition.or_absent = true;
  CHECK(holds(condition, with({})) == yes);
  CHECK(holds(condition, with({{"dim", std::int64_t{1}}})) == no);
}

TEST_CASE("an item of an argument is too small, of a type, or missing") {
  NodeCondition small = on("size"), whole = on("size"), empty = on("size");
  small.below = 1;
  whole.types = {"integer", "None"};
  empty.shorter_than = 1;
  const auto sizes = [](std::vector<std::int64_t> values) {
    return with({{"size", std::move(values)}});
  };
  CHECK(holds(small, sizes({1, 3})) == no);
  CHECK(holds(small, sizes({1, 0})) == yes);
  CHECK(holds(small, with({{"size", 0.5}})) == yes);
  CHECK(holds(small, with({{"size", std::string("any")}})) == no);
  CHECK(holds(whole, sizes({1})) == yes);
  CHECK(holds(whole, with({{"size", AttributeValue{}}})) == yes);
  CHECK(holds(whole, with({{"size", 1.0}})) == no);
  CHECK(holds(empty, sizes({})) == yes);
  CHECK(holds(empty, sizes({2})) == no);
}

TEST_CASE("an axis is counted from the end of the result") {
  NodeCondition condition = on("dim");
  condition.is_not = {std::int64_t{-1}};
  condition.from_end = true;
  const auto at = [](std::int64_t dim, const Types& results) {
    return between({}, results, {{"dim", dim}});
  };
  CHECK(holds(condition, at(2, {tensor({1, 2, 3})})) == no);
  CHECK(holds(condition, at(1, {tensor({1, 2, 3})})) == yes);
  CHECK(holds(condition, at(-2, {})) == yes);
  CHECK(holds(condition, at(1, {})) == unknown);
}

TEST_CASE("a list of pairs leaves too few axes in front") {
  NodeCondition condition = on("pad");
  condition.axes_left = 2;
  const auto padded = [](const TensorType& type) {
    return between({type}, {}, {{"pad", std::vector<std::int64_t>{1, 1}}});
  };
  CHECK(holds(condition, padded(tensor({4, 5}))) == yes);
  CHECK(holds(condition, padded(tensor({2, 4, 5}))) == no);
  CHECK(holds(condition, padded({})) == unknown);
}
