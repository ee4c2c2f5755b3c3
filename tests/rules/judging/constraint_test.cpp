#include "rules/judging/constraint.h"

#include <catch2/catch.hpp>

using namespace model_validator;
using rules::breaks;

namespace {

bool broken(const OperatorConstraint& constraint, const Operator& op, int opset = 0) {
  return breaks(constraint, op, rules::parse_operator_name(op.schema), opset);
}

TensorType tensor(std::vector<std::int64_t> shape, std::string dtype = "float32") {
  return {std::move(shape), std::move(dtype)};
}

bool broken_with(const OperatorConstraint& constraint, const rules::Operands& operands) {
  Operator op;
  op.schema = "aten::cat";
  return breaks(constraint, op, rules::parse_operator_name(op.schema), 0, operands);
}

rules::Operands operands_of(rules::TensorTypes types, rules::TensorTypes results = {}) {
  rules::Operands operands;
  operands.types = std::move(types);
  operands.results = std::move(results);
  return operands;
}

bool broken_by(const OperatorConstraint& constraint, rules::TensorTypes operands) {
  return broken_with(constraint, operands_of(std::move(operands)));
}

Operator with(const std::string& attribute, AttributeValue value) {
  Operator op;
  op.schema = "aten::thing.Tensor";
  op.attributes = {{attribute, std::move(value)}};
  return op;
}

OperatorConstraint on(const std::string& attribute) {
  OperatorConstraint constraint;
  constraint.attribute = attribute;
  return constraint;
}

} // namespace

TEST_CASE("an overload is accepted or not") {
  OperatorConstraint constraint;
  constraint.overloads = {"Scalar"};
  CHECK(broken(constraint, with("a", true)));
  constraint.overloads.emplace_back("Tensor");
  CHECK_FALSE(broken(constraint, with("a", true)));
}

TEST_CASE("an overload is refused or not") {
  OperatorConstraint constraint;
  constraint.not_overloads = {"Scalar"};
  CHECK_FALSE(broken(constraint, with("a", true)));
  constraint.not_overloads.emplace_back("Tensor");
  CHECK(broken(constraint, with("a", true)));
}

TEST_CASE("the first tensor must have a number of dimensions between two") {
  OperatorConstraint constraint;
  constraint.min_rank = 2;
  constraint.max_rank = 3;
  CHECK(broken_by(constraint, {tensor({4})}));
  CHECK_FALSE(broken_by(constraint, {tensor({4, 4}), tensor({4})}));
  CHECK(broken_by(constraint, {tensor({1, 2, 3, 4})}));
  CHECK_FALSE(broken_by(constraint, {TensorType{}}));
  CHECK_FALSE(broken_by(constraint, {}));
}

TEST_CASE("all tensors must have the same number of dimensions") {
  OperatorConstraint constraint;
  constraint.same_rank = true;
  CHECK(broken_by(constraint, {tensor({2, 3, 4}), tensor({0})}));
  CHECK_FALSE(broken_by(constraint, {tensor({2, 3}), TensorType{}, tensor({1, 3})}));
  CHECK(broken_by(constraint, {TensorType{}, tensor({2, 3}), tensor({3})}));
}

TEST_CASE("dtypes of a graph's tensors count like those of an operator") {
  OperatorConstraint constraint;
  constraint.dtypes = {"float32"};
  CHECK_FALSE(broken_by(constraint, {tensor({1}), TensorType{}}));
  CHECK(broken_by(constraint, {tensor({1}), tensor({1}, "int64")}));
}

TEST_CASE("only dtypes that are known can break a constraint") {
  OperatorConstraint constraint;
  constraint.dtypes = {"float32"};
  Operator op = with("a", true);
  CHECK_FALSE(broken(constraint, op));
  op.dtypes = {"float32", ""};
  CHECK_FALSE(broken(constraint, op));
  op.dtypes = {"float32", "int64"};
  CHECK(broken(constraint, op));
}

TEST_CASE("an argument must be one of some values") {
  OperatorConstraint constraint = on("mode");
  constraint.one_of = {std::string("zeros"), nullptr, std::int64_t{2}, true};
  CHECK_FALSE(broken(constraint, with("mode", std::string("zeros"))));
  CHECK_FALSE(broken(constraint, with("mode", std::monostate{})));
  CHECK_FALSE(broken(constraint, with("mode", std::int64_t{2})));
  CHECK_FALSE(broken(constraint, with("mode", 2.0)));
  CHECK_FALSE(broken(constraint, with("mode", true)));
  CHECK(broken(constraint, with("mode", false)));
  CHECK(broken(constraint, with("mode", std::string("border"))));
  CHECK_FALSE(broken(constraint, with("other", std::string("border"))));
}

TEST_CASE("an argument must not be one of some values") {
  OperatorConstraint constraint = on("mode");
  constraint.none_of = {std::string("mean")};
  CHECK(broken(constraint, with("mode", std::string("mean"))));
  CHECK_FALSE(broken(constraint, with("mode", std::string("sum"))));
}

TEST_CASE("each item of a list must stay within bounds") {
  OperatorConstraint constraint = on("size");
  constraint.minimum = 1;
  constraint.maximum = 3;
  CHECK_FALSE(broken(constraint, with("size", std::vector<std::int64_t>{1, 3})));
  CHECK(broken(constraint, with("size", std::vector<std::int64_t>{1, 4})));
  CHECK(broken(constraint, with("size", std::int64_t{0})));
  CHECK(broken(constraint, with("size", 3.5)));
  CHECK_FALSE(broken(constraint, with("size", std::string("any"))));
  constraint.one_of = {true};
  CHECK(broken(constraint, with("size", std::vector<bool>{true, false})));
}

TEST_CASE("an argument that is computed breaks a constraint only where it must be constant") {
  OperatorConstraint constraint = on("dim");
  constraint.minimum = 0;
  CHECK_FALSE(broken(constraint, with("other", std::int64_t{1})));
  constraint.must_be_constant = true;
  CHECK(broken(constraint, with("other", std::int64_t{1})));
  CHECK_FALSE(broken(constraint, with("dim", std::int64_t{1})));
}

TEST_CASE("a constraint may be lifted by a later opset") {
  OperatorConstraint constraint = on("dim");
  constraint.must_be_constant = true;
  constraint.below_opset = 13;
  CHECK(broken(constraint, with("other", true), 12));
  CHECK_FALSE(broken(constraint, with("other", true), 13));
}

TEST_CASE("all that is taken and yielded must have the same dtype") {
  OperatorConstraint constraint;
  constraint.same_dtype = true;
  CHECK_FALSE(broken_by(constraint, {tensor({1}), TensorType{}}));
  CHECK(broken_by(constraint, {tensor({1}), tensor({1}, "int64")}));
  CHECK(broken_with(constraint, operands_of({tensor({1})}, {tensor({1}, "float16")})));
  CHECK_FALSE(broken_with(constraint, operands_of({tensor({1})}, {TensorType{}, tensor({1})})));
}

TEST_CASE("an operand may have to be constant") {
  OperatorConstraint constraint;
  constraint.constant_operands = {1, 2};
  rules::Operands operands;
  CHECK_FALSE(broken_with(constraint, operands));
  operands.depends_on_inputs = [](std::size_t position) { return position == 2; };
  CHECK(broken_with(constraint, operands));
  operands.depends_on_inputs = [](std::size_t position) { return position == 0; };
  CHECK_FALSE(broken_with(constraint, operands));
}

TEST_CASE("an operand may have to be computed by the model") {
  OperatorConstraint constraint;
  constraint.computed_operands = {0};
  rules::Operands operands;
  operands.inputs = {1};
  CHECK_FALSE(broken_with(constraint, operands));
  operands.inputs = {1, 0};
  CHECK(broken_with(constraint, operands));
}

TEST_CASE("only the first results may be used") {
  OperatorConstraint constraint;
  constraint.results = 1;
  rules::Operands operands;
  operands.results_used = 1;
  CHECK_FALSE(broken_with(constraint, operands));
  operands.results_used = 2;
  CHECK(broken_with(constraint, operands));
}

TEST_CASE("an argument may not be of a type") {
  OperatorConstraint constraint = on("other");
  constraint.not_types = {"integer", "None"};
  CHECK(broken(constraint, with("other", std::int64_t{1})));
  CHECK(broken(constraint, with("other", AttributeValue{})));
  CHECK_FALSE(broken(constraint, with("other", 1.0)));
  CHECK_FALSE(broken(constraint, with("alpha", std::int64_t{1})));
}

TEST_CASE("a dimension is counted from the end of the result") {
  OperatorConstraint constraint = on("dim");
  constraint.one_of = {std::int64_t{-1}};
  constraint.from_end = true;
  const auto broken_at = [&constraint](std::int64_t dim, rules::TensorTypes results) {
    const Operator op = with("dim", dim);
    return breaks(constraint, op, rules::parse_operator_name(op.schema), 0,
                  operands_of({}, std::move(results)));
  };
  CHECK_FALSE(broken_at(2, {tensor({1, 2, 3})}));
  CHECK(broken_at(1, {tensor({1, 2, 3})}));
  CHECK(broken_at(-2, {}));
  CHECK_FALSE(broken_at(1, {}));
}

TEST_CASE("a result may have to stay inside the model") {
  OperatorConstraint constraint;
  constraint.not_returned = true;
  CHECK_FALSE(broken_with(constraint, rules::Operands{}));
  rules::Operands returned;
  returned.returned = true;
  CHECK(broken_with(constraint, returned));
}

TEST_CASE("a list may have to have items") {
  OperatorConstraint constraint = on("repeats");
  constraint.min_length = 1;
  CHECK(broken(constraint, with("repeats", std::vector<std::int64_t>{})));
  CHECK_FALSE(broken(constraint, with("repeats", std::vector<std::int64_t>{2})));
  CHECK_FALSE(broken(constraint, with("other", std::vector<std::int64_t>{})));
}

TEST_CASE("for some arguments, a list of pairs needs further dimensions in front") {
  OperatorConstraint constraint = on("pad");
  constraint.dimensions_before_pairs = 2;
  constraint.where["mode"] = {std::string("circular")};
  Operator pad = with("pad", std::vector<std::int64_t>{1, 1});
  const auto broken = [&](const rules::TensorTypes& operands) {
    return breaks(constraint, pad, rules::parse_operator_name(pad.schema), 0,
                  operands_of(operands));
  };
  CHECK_FALSE(broken({tensor({4, 5})})); // of another mode
  pad.attributes.push_back({"mode", std::string("circular")});
  CHECK(broken({tensor({4, 5})}));
  CHECK_FALSE(broken({tensor({2, 4, 5})}));
  CHECK_FALSE(broken({TensorType{}}));
  CHECK(rules::is_decided(constraint, pad, 0, operands_of({tensor({2, 4, 5})})));
  CHECK_FALSE(rules::is_decided(constraint, pad, 0, operands_of({TensorType{}})));
}
