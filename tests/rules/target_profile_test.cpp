#include "temporary_file.h"

#include <model_validator/error.h>
#include <model_validator/target_profile.h>

#include <catch2/catch.hpp>

using namespace model_validator;
using tests::TemporaryFile;

namespace {

const std::string whole = R"(
[target]
name = "board"
description = "a board"
package = "board 1.0"
date = "2026-01-02"
refusal = "no kernel for {operator}"
notes = ["one"]

[judged]
opset = 11
smallest_opset = 9
largest_opset = 12
overloads = true

[operators]
"aten::relu" = 0
"aten::add.Tensor" = 0
"aten::gelu" = 12

[[constraints]]
operators = ["aten::relu", "aten::gelu"]
dtypes = ["float32"]
reason = "floats only"

[[constraints]]
operators = ["aten::gelu"]
attribute = "approximate"
one_of = ["none", 1, 2.5, true, "None"]
minimum = 1
below_opset = 20
reason = "only the exact one"

[removed_by_passes]
operators = ["aten::warn"]

[decomposed]
"aten::silu" = ["aten::relu"]

[replacements]
"aten::selu" = "use a ReLU"
"aten::diff" = {text = "use a subtraction", arguments = {n = [1], prepend = ["None"]}, ranks = [1]}
)";

Error error_of(const std::string& text) {
  const TemporaryFile file(text);
  try {
    load_target_profile(file.path());
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::bad_profile);
    CHECK(error.path() == file.path().string());
    return error;
  }
  FAIL("no error for " << text);
  throw std::logic_error("unreachable");
}

std::string message_of(const std::string& text) { return error_of(text).what(); }

const std::string head = "[target]\nname = \"x\"\n[operators]\n\"aten::relu\" = 0\n";

} // namespace

TEST_CASE("a profile is read whole") {
  const TemporaryFile file(whole);
  const TargetProfile profile = load_target_profile(file.path());
  CHECK(profile.name == "board");
  CHECK(profile.package == "board 1.0");
  CHECK(profile.date == "2026-01-02");
  CHECK(profile.notes == std::vector<std::string>{"one"});
  CHECK(profile.opset == 11);
  CHECK(profile.opsets == std::pair{9, 12});
  CHECK(profile.overloads);
  CHECK_FALSE(profile.inplace_distinct);
  CHECK(profile.operators.size() == 3);
  CHECK(profile.operators.at("aten::gelu").since_opset == 12);
  CHECK(profile.operators.at("aten::relu").constraints.size() == 1);
  CHECK(profile.operators.at("aten::add.Tensor").constraints.empty());
  CHECK(profile.removed_by_passes.contains("aten::warn"));
  CHECK(profile.decomposed.at("aten::silu") == std::vector<std::string>{"aten::relu"});
  CHECK(profile.replacements.at("aten::selu").text == "use a ReLU");
  const Replacement& diff = profile.replacements.at("aten::diff");
  CHECK(diff.text == "use a subtraction");
  CHECK(diff.arguments.at("n") == ConstraintValue{std::int64_t{1}});
  CHECK(diff.arguments.at("prepend") == ConstraintValue{nullptr});
  CHECK(diff.ranks == std::vector<int>{1});
  CHECK_FALSE(profile.modules);

  const OperatorConstraint& gelu = profile.operators.at("aten::gelu").constraints.at(1);
  CHECK(gelu.attribute == "approximate");
  CHECK(gelu.one_of ==
        std::vector<ConstraintValue>{std::string("none"), std::int64_t{1}, 2.5, true, nullptr});
  CHECK(gelu.minimum == 1.0);
  CHECK(gelu.below_opset == 20);
  CHECK(gelu.reason == "only the exact one");
}

TEST_CASE("a mistake in a profile is named with its line") {
  CHECK(message_of("[target\n").starts_with("line 1: not valid TOML"));
  CHECK(message_of("") == "the file is empty");
  CHECK(message_of("x = 1\n").starts_with("line 1: unknown key `x` in a target profile"));
  CHECK(message_of("[operators]\n").find("no [target]") != std::string::npos);
  CHECK(message_of("[target]\n[operators]\n") == "line 1: `name` is missing from [target]");
  CHECK(message_of("[target]\nname = 3\n") == "line 2: `name` in [target] must be a string");
  CHECK(message_of("[target]\nname = \"x\"\n").find("neither [operators], [op_type_map] nor") !=
        std::string::npos);
  CHECK(message_of(head + "\"aten::add\" = \"yes\"\n").starts_with("line 5: `aten::add` in"));
  CHECK(message_of(head + "[removed_by_passes]\noperators = 3\n") ==
        "line 6: `operators` in [removed_by_passes] must be a list of strings");
}

TEST_CASE("a mistake in a constraint is named with its line") {
  const std::string constraint = head + "[[constraints]]\noperators = [\"aten::relu\"]\n";
  CHECK(message_of(constraint) == "line 5: `reason` is missing from [[constraints]]");
  CHECK(message_of(constraint + "reason = \"r\"\n") == "line 5: a constraint without a condition");
  CHECK(message_of(constraint + "minimum = 3\nreason = \"r\"\n") ==
        "line 5: a condition on an argument needs `attribute`, its name");
  CHECK(message_of(constraint + "attribute = \"use\"\nnone_of = [\"iterated\", \"picked out\"]\n"
                                "reason = \"r\"\n") ==
        "line 5: a value of `use` that no model has: `picked out`");
  CHECK(message_of(constraint + "attribute = \"a\"\none_of = [[1]]\nreason = \"r\"\n") ==
        "line 8: a value of an argument must be a boolean, a number or a string");
  CHECK(message_of(head + "[[constraints]]\noperators = [\"aten::x\"]\ndtypes = [\"int8\"]\n"
                          "reason = \"r\"\n") ==
        "line 5: constraint on `aten::x`, which is not in [operators]");
}

TEST_CASE("an unknown key gets the nearest known one as hint") {
  CHECK(error_of("[target]\nname = \"x\"\npakage = \"y\"\n").hint() == "did you mean `package`?");
  CHECK(error_of(head + "[[constraints]]\ndtype = [\"int8\"]\n").hint() ==
        "did you mean `dtypes`?");
}

TEST_CASE("a profile that is not there is an error") {
  CHECK_THROWS_AS(load_target_profile("/nowhere/board.toml"), Error);
}

TEST_CASE("conditions on tensors and on the types of arguments are read") {
  const TemporaryFile file(
      head + "[[constraints]]\noperators = [\"aten::relu\"]\n" +
      "same_dtype = true\nconstant_operands = [1, 2]\n"
      "computed_operands = [0]\nresults = 1\nnot_returned = true\nattribute = \"other\"\n"
      "not_types = [\"integer\"]\nfrom_end = true\nmin_length = 1\n"
      "parts = [\"aten::_to_copy\"]\nreason = \"r\"\n");
  const TargetProfile profile = load_target_profile(file.path());
  const OperatorConstraint& relu = profile.operators.at("aten::relu").constraints.at(0);
  CHECK(relu.same_dtype);
  CHECK(relu.constant_operands == std::vector<int>{1, 2});
  CHECK(relu.computed_operands == std::vector<int>{0});
  CHECK(relu.results == 1);
  CHECK(relu.not_returned);
  CHECK(relu.min_length == 1);
  CHECK(relu.not_types == std::vector<std::string>{"integer"});
  CHECK(relu.from_end);
  CHECK(relu.parts == std::vector<std::string>{"aten::_to_copy"});
}

TEST_CASE("conditions on overloads and on numbers of dimensions are read") {
  const TemporaryFile file(head + "[[constraints]]\noperators = [\"aten::relu\"]\n" +
                           "not_overloads = [\"out\"]\nmin_rank = 2\nmax_rank = 4\n"
                           "same_rank = true\nreason = \"r\"\n");
  const TargetProfile profile = load_target_profile(file.path());
  const OperatorConstraint& relu = profile.operators.at("aten::relu").constraints.at(0);
  CHECK(relu.not_overloads == std::vector<std::string>{"out"});
  CHECK(relu.min_rank == 2);
  CHECK(relu.max_rank == 4);
  CHECK(relu.same_rank);
}
