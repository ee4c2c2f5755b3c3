#include "support/run_check.h"
#include "validators/checks.h"

#include <catch2/catch.hpp>

using namespace model_validator;
using test::found_modules;
using test::SampleGraph;
using Paths = std::vector<std::string>;

namespace {

const std::string relu = "torch.nn.modules.activation.ReLU";
const std::string conv = "torch.nn.modules.conv.Conv2d";

constexpr test::Checker check{checks::reused_modules};

} // namespace

TEST_CASE("a module called twice is found, with both calls and the fix") {
  SampleGraph builder;
  const ModuleId act = builder.module("relu1", relu);
  builder.call(act, builder.frame(10, 12), 1, none, {{"aten::relu", {}, {}, {}}});
  builder.call(act, builder.frame(12, 12), 1, none, {{"aten::relu", {}, {}, {}}});
  const auto found = check(builder);
  REQUIRE(found.findings().size() == 1);
  const Diagnostic& finding = found.findings().front();
  CHECK(finding.message == "module `relu1` (ReLU) is called 2 times");
  CHECK(finding.op->type == "relu");
  CHECK(finding.method == "forward");
  REQUIRE(finding.locations.size() == 2);
  CHECK(finding.locations[0].role == "second call");
  CHECK(finding.locations[0].source.line == 12);
  CHECK(finding.locations[1].role == "first call");
  CHECK(finding.notes == Paths{"first call at net.py:10:12"});
  CHECK(finding.help == "give each call its own module: `self.relu1_2 = nn.ReLU()` in "
                        "`Net.__init__`, and call it here");
  CHECK(finding.fix->applicability == Applicability::safe);
}

TEST_CASE("the log says AIMET's sentence, with the leaf modules in order") {
  SampleGraph builder;
  for (const char* path : {"relu1", "relu2"}) {
    const ModuleId act = builder.module(path, relu);
    builder.call(act, builder.frame(10));
    builder.call(act, builder.frame(12));
  }
  CHECK(check(builder).summaries() ==
        Paths{"The following modules are used more than once in the model: ['relu1', 'relu2']\n"
              "AIMET features are not designed to work with reused modules. Please redefine your "
              "model to use distinct modules for each instance."});
}

TEST_CASE("modules that are called once, or never, are not found") {
  SampleGraph builder;
  builder.call(builder.module("relu1", relu), builder.frame(10));
  builder.module("relu2", relu);
  const auto found = check(builder);
  CHECK(found.findings().empty());
  CHECK(found.summaries().empty());
}

TEST_CASE("calls in the two arms of an if are not reuse") {
  SampleGraph builder;
  const ModuleId act = builder.module("act", relu);
  const OpId branch = builder.op("if_0", OpKind::control_flow);
  builder.call(act, builder.frame(10), 1, builder.region(Region::Kind::then_arm, 0, branch));
  builder.call(act, builder.frame(12), 1, builder.region(Region::Kind::else_arm, 0, branch));
  builder.graph.modules().at(act).calls = 1; // what the front end counts on one path
  CHECK(check(builder).findings().empty());
}

TEST_CASE("a second module with weights unties them: the fix is unsafe") {
  SampleGraph builder;
  const ModuleId layer = builder.module("conv", conv);
  builder.parameter(layer, "weight", {8, 8, 3, 3});
  builder.call(layer, builder.frame(10));
  builder.call(layer, builder.frame(11));
  const auto found = check(builder);
  REQUIRE(found.findings().size() == 1);
  CHECK(found.findings()[0].fix->applicability == Applicability::unsafe);
  CHECK(found.findings()[0].notes.back().find("unties") != std::string::npos);
}

TEST_CASE("a reused container is one finding, not one for each leaf inside") {
  SampleGraph builder;
  const ModuleId outer = builder.module("outer", "net.Outer", false);
  const ModuleId block = builder.module("outer.block", "net.Block", false);
  const ModuleId act = builder.module("outer.block.act", relu);
  const ModuleId layer = builder.module("outer.block.conv", conv);
  builder.parameter(layer, "weight", {8, 8, 3, 3});
  for (int i = 0; i < 2; ++i) {
    builder.call(outer, builder.frame(20 + i));
    builder.call(block, builder.frame(9, 8, outer));
    builder.call(act, builder.frame(3, 8, block));
    builder.call(layer, builder.frame(4, 8, block));
  }
  const auto found = check(builder);
  CHECK(found_modules(found) == Paths{"outer"});
  CHECK(found.findings()[0].fix->applicability == Applicability::unsafe);
  CHECK(found.findings()[0].help.find("`self.outer_2 = Outer(...)` in `Net.__init__`") !=
        std::string::npos);
  CHECK(found.summaries()[0].find("['outer.block.act', 'outer.block.conv']") != std::string::npos);
}

TEST_CASE("a leaf that a reused container calls twice each time is a finding of its own") {
  SampleGraph builder;
  const ModuleId block = builder.module("block", "net.Block", false);
  const ModuleId act = builder.module("block.act", relu);
  for (int i = 0; i < 2; ++i) {
    builder.call(block, builder.frame(20 + i));
    builder.call(act, builder.frame(3, 8, block));
    builder.call(act, builder.frame(5, 8, block));
  }
  const auto found = check(builder);
  CHECK(found_modules(found) == Paths{"block", "block.act"});
  CHECK(found.findings()[1].message == "module `block.act` (ReLU) is called 4 times");
  CHECK(found.findings()[1].locations[0].source.line == 5);
}

TEST_CASE("a call in a loop says so") {
  SampleGraph builder;
  const ModuleId act = builder.module("act", relu);
  builder.call(act, builder.frame(10), 2);
  const auto found = check(builder);
  REQUIRE(found.findings().size() == 1);
  CHECK(found.findings()[0].message == "module `act` (ReLU) is called in a loop, at least 2 times");
  CHECK(found.findings()[0].locations.size() == 1);
  CHECK(found.findings()[0].locations[0].role == "call in a loop");
}

TEST_CASE("two calls through one function name the callers of the function") {
  SampleGraph builder;
  const ModuleId act = builder.module("act", relu);
  for (const int line : {10, 12}) builder.call(act, builder.frame(3, 8, none, builder.frame(line)));
  const auto found = check(builder);
  REQUIRE(found.findings().size() == 1);
  CHECK(found.findings()[0].locations.size() == 1);
  CHECK(found.findings()[0].notes ==
        Paths{"the calls are reached from net.py:10:8 and net.py:12:8"});
}

TEST_CASE("two calls on one line say so, as a trace shows a loop") {
  SampleGraph builder;
  const ModuleId act = builder.module("act", relu);
  for (int turn = 0; turn < 2; ++turn) builder.call(act, builder.frame(10));
  CHECK(check(builder).findings().at(0).notes == Paths{"the calls are on one line"});
}

TEST_CASE("every further call and every alias is noted") {
  SampleGraph builder;
  const ModuleId act = builder.module("act", relu);
  builder.graph.modules().at(act).aliases = {"head.act"};
  for (const int line : {10, 12, 14}) builder.call(act, builder.frame(line));
  const Diagnostic finding = check(builder).findings().front();
  CHECK(finding.aliases == Paths{"head.act"});
  CHECK(finding.notes == Paths{"first call at net.py:10:8", "also called at net.py:14:8",
                               "the same module is also `head.act`"});
}

TEST_CASE(
    "all places that a shared module is reached from are named, and all modules that call it") {
  SampleGraph builder;
  std::vector<ModuleId> owners;
  for (const char* path : {"stem", "split", "spp"})
    owners.push_back(builder.module(path, "net.Conv", false));
  const ModuleId act = builder.module("stem.act", relu);
  for (std::size_t i = 0; i < owners.size(); ++i)
    builder.call(act, builder.frame(3, 8, owners[i], builder.frame(10 + 10 * static_cast<int>(i))));
  const auto found = check(builder);
  REQUIRE(found.findings().size() == 1);
  std::string notes;
  for (const std::string& note : found.findings()[0].notes) notes += note + "\n";
  for (const char* place : {"net.py:10:8", "net.py:20:8", "net.py:30:8"})
    CHECK_THAT(notes, Catch::Contains(place));
  for (const char* caller : {"`stem`", "`split`", "`spp`"})
    CHECK_THAT(notes, Catch::Contains(caller));
}
