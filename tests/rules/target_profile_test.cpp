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

[[refused]]
operators = ["aten::relu", "aten::gelu"]
when = [{dtypes_not = ["float32"]}]
reason = "floats only"

[[refused]]
operators = ["aten::gelu"]
when = [{argument = "approximate", is_not = ["none", 1, 2.5, true, "None"], below = 1}]
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
  CHECK(profile.operators.at("aten::gelu") == 12);
  CHECK(profile.file.refused.at("aten::relu").size() == 1);
  CHECK(profile.file.refused.count("aten::add.Tensor") == 0);
  CHECK(profile.removed_by_passes.contains("aten::warn"));
  CHECK(profile.decomposed.at("aten::silu") == std::vector<std::string>{"aten::relu"});
  CHECK(profile.replacements.at("aten::selu").text == "use a ReLU");
  const Replacement& diff = profile.replacements.at("aten::diff");
  CHECK(diff.text == "use a subtraction");
  CHECK(diff.arguments.at("n") == ConstraintValue{std::int64_t{1}});
  CHECK(diff.arguments.at("prepend") == ConstraintValue{nullptr});
  CHECK(diff.ranks == std::vector<int>{1});
  CHECK_FALSE(profile.modules);

  const NodeRefusal& gelu = profile.file.refused.at("aten::gelu").at(1);
  CHECK(gelu.reason == "only the exact one");
  const NodeCondition& approximate = gelu.when.at(0);
  CHECK(approximate.attribute == "approximate");
  CHECK(approximate.argument);
  CHECK(approximate.is_not ==
        std::vector<ConstraintValue>{std::string("none"), std::int64_t{1}, 2.5, true, nullptr});
  CHECK(approximate.below == 1.0);
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

TEST_CASE("an entry may be on all removed operators but some") {
  const TemporaryFile file(head + R"([removed_by_passes]
operators = ["aten::detach", "aten::ravel", "aten::t"]

[[refused]]
removed_by_passes_but = ["aten::detach"]
when = [{input = 0, dtypes = ["int64"]}]
reason = "floats only"
)");
  const TargetProfile profile = load_target_profile(file.path());
  CHECK(profile.file.refused.size() == 2);
  CHECK(profile.file.refused.contains("aten::ravel"));
  CHECK(profile.file.refused.contains("aten::t"));
}

TEST_CASE("a mistake in a refusal is named with its line") {
  const std::string refusal = head + "[[refused]]\noperators = [\"aten::relu\"]\n";
  const auto when = [&](const std::string& condition) {
    return message_of(refusal + "reason = \"r\"\nwhen = [{" + condition + "}]\n");
  };
  CHECK(message_of(refusal) == "line 5: `reason` is missing from [[refused]]");
  CHECK(message_of(refusal + "reason = \"r\"\n") == "line 5: a refusal without a condition");
  CHECK(when("below = 3") == "line 8: a condition on an argument needs its name");
  CHECK(when("attribute = \"use\", is = [\"iterated\", \"picked out\"]") ==
        "line 8: a value of `use` that no model has: `picked out`");
  CHECK(when("argument = \"a\", is = [[1]]") ==
        "line 8: a value of an argument must be a boolean, a number or a string");
  CHECK(message_of(head + "[[refused]]\noperators = [\"aten::x\"]\nreason = \"r\"\n"
                          "when = [{dtypes_not = [\"int8\"]}]\n")
            .ends_with("a refusal of `aten::x`, which is not in [operators]"));
}

TEST_CASE("an unknown key gets the nearest known one as hint") {
  CHECK(error_of("[target]\nname = \"x\"\npakage = \"y\"\n").hint() == "did you mean `package`?");
  CHECK(error_of(head + "[[refused]]\nreason = \"r\"\nwhen = [{dtype = [\"int8\"]}]\n").hint() ==
        "did you mean `dtypes`?");
}

TEST_CASE("a profile that is not there is an error") {
  CHECK_THROWS_AS(load_target_profile("/nowhere/board.toml"), Error);
}

TEST_CASE("conditions on tensors and arguments are read, and what is left of an operator") {
  const TemporaryFile file(
      head + "[[refused]]\noperators = [\"aten::relu\"]\n" +
      "when = [{mixed = \"ranks\", rank_below = 2, rank_above = 4, input = 0}, "
      "{argument = \"other\", types = [\"integer\"], from_end = true, shorter_than = 1, "
      "axes_left = 2}]\nparts = [\"aten::_to_copy\"]\nreason = \"r\"\n");
  const NodeRefusal refusal = load_target_profile(file.path()).file.refused.at("aten::relu").at(0);
  const NodeCondition &tensors = refusal.when.at(0), &other = refusal.when.at(1);
  CHECK(tensors.mixed == "ranks");
  CHECK(tensors.rank_below == 2);
  CHECK(tensors.rank_above == 4);
  CHECK(other.types == std::vector<std::string>{"integer"});
  CHECK(other.from_end);
  CHECK(other.shorter_than == 1);
  CHECK(other.axes_left == 2);
  CHECK(refusal.parts == std::vector<std::string>{"aten::_to_copy"});
}
