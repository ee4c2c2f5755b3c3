#include "support/sample_graph.h"
#include "validators/suggestions/module_reuse.h"

#include <catch2/catch.hpp>

using namespace model_validator;
using test::SampleGraph;

namespace {

const std::string relu = "torch.nn.modules.activation.ReLU";

} // namespace

TEST_CASE("arms of one if exclude each other, whatever is nested in them") {
  SampleGraph builder;
  const OpId branch = builder.op("if_0", OpKind::control_flow);
  const OpId other = builder.op("if_1", OpKind::control_flow);
  const RegionId yes = builder.region(Region::Kind::then_arm, 0, branch);
  const RegionId no = builder.region(Region::Kind::else_arm, 0, branch);
  const RegionId nested = builder.region(Region::Kind::loop_body, 1, other, no);
  ExclusiveRegions regions(builder.graph);
  regions.add(yes);
  regions.add(yes);
  CHECK(regions.exclusive_with(no) == 2);
  CHECK(regions.exclusive_with(nested) == 2);
  CHECK(regions.exclusive_with(yes) == 0);
  CHECK(regions.exclusive_with(none) == 0);
  regions.add(nested);
  CHECK(regions.exclusive_with(yes) == 1);
  CHECK(regions.exclusive_with(no) == 2);
}

TEST_CASE("calls in all arms of nested ifs are not a repeated call, one more is") {
  SampleGraph builder;
  const ModuleId act = builder.module("act", relu);
  std::vector<RegionId> arms = {none};
  for (std::size_t number = 0; number < 255; ++number) {
    const RegionId around = arms[number];
    const OpId branch = builder.op("if_" + std::to_string(number), OpKind::control_flow);
    arms.push_back(builder.region(Region::Kind::then_arm, number, branch, around));
    arms.push_back(builder.region(Region::Kind::else_arm, number, branch, around));
  }
  for (std::size_t leaf = 255; leaf < 511; ++leaf)
    builder.call(act, builder.frame(int(leaf)), 1, arms[leaf]);
  CHECK(repeated_call(builder.graph, builder.graph.module(act)).second == nullptr);
  builder.call(act, builder.frame(1000), 1, arms[3]);
  const Module& module = builder.graph.module(act);
  const RepeatedCall calls = repeated_call(builder.graph, module);
  CHECK(calls.first == &module.call_sites[0]);
  CHECK(calls.second == &module.call_sites.back());
}

TEST_CASE("the repeated call is the first pair that can both happen") {
  SampleGraph builder;
  const ModuleId act = builder.module("act", relu);
  const OpId branch = builder.op("if_0", OpKind::control_flow);
  const FrameId last = builder.frame(30);
  builder.call(act, builder.frame(10), 1, builder.region(Region::Kind::then_arm, 0, branch));
  builder.call(act, builder.frame(20), 1, builder.region(Region::Kind::else_arm, 0, branch));
  builder.call(act, last);
  const Module& module = builder.graph.module(act);
  const RepeatedCall calls = repeated_call(builder.graph, module);
  CHECK(calls.first == &module.call_sites[0]);
  CHECK(calls.second->frame == last);
}

TEST_CASE("a call that a loop repeats is its own second call") {
  SampleGraph builder;
  const ModuleId act = builder.module("act", relu);
  builder.call(act, builder.frame(10), 2);
  const RepeatedCall calls = repeated_call(builder.graph, builder.graph.module(act));
  CHECK(calls.first != nullptr);
  CHECK(calls.first == calls.second);
}

TEST_CASE("a call of a function belongs to the module that called the function") {
  SampleGraph builder;
  const ModuleId block = builder.module("block", "net.Block", false);
  const ModuleId act = builder.module("act", relu);
  const FrameId in_block = builder.frame(10, 8, block);
  const FrameId in_function = builder.frame(3, 8, none, in_block);
  builder.call(act, in_function);
  CHECK(caller_of(builder.graph, act, builder.graph.module(act).call_sites[0]) == block);
}

TEST_CASE("a call from an unknown place belongs to the called module above") {
  SampleGraph builder;
  const ModuleId block = builder.module("block", "net.Block", false);
  builder.module("block.acts", "torch.nn.modules.container.ModuleList", false);
  const ModuleId act = builder.module("block.acts.0", relu);
  builder.call(block, builder.frame(10));
  builder.call(act, none);
  CHECK(caller_of(builder.graph, act, builder.graph.module(act).call_sites[0]) == block);
}

TEST_CASE("a module's calls are explained by the one module that makes them, if that is reused") {
  SampleGraph builder;
  const ModuleId block = builder.module("block", "net.Block", false);
  const ModuleId act = builder.module("block.act", relu);
  builder.call(block, builder.frame(10));
  builder.call(block, builder.frame(11));
  for (int i = 0; i < 2; ++i) builder.call(act, builder.frame(3, 8, block));
  CHECK(only_caller(builder.graph, act) == block);
  CHECK(explained_by_caller(builder.graph, act));
  CHECK_FALSE(explained_by_caller(builder.graph, block));

  builder.call(act, builder.frame(4, 8, block));
  CHECK_FALSE(explained_by_caller(builder.graph, act));
}

TEST_CASE("a module that several others call explains itself") {
  SampleGraph builder;
  const ModuleId block = builder.module("block", "net.Block", false);
  const ModuleId act = builder.module("act", relu);
  builder.call(block, builder.frame(10));
  builder.call(block, builder.frame(11));
  builder.call(act, builder.frame(3, 8, block));
  builder.call(act, builder.frame(12, 8, 0));
  CHECK(only_caller(builder.graph, act) == none);
  CHECK_FALSE(explained_by_caller(builder.graph, act));
}

TEST_CASE("a container has state where a module below it has") {
  SampleGraph builder;
  const ModuleId block = builder.module("block", "net.Block", false);
  const ModuleId act = builder.module("block.act", relu);
  const ModuleId conv = builder.module("block.conv", "torch.nn.modules.conv.Conv2d");
  const ModuleId other = builder.module("other", "net.Block", false);
  builder.parameter(conv, "weight", {8, 3, 3, 3});
  const auto stateful = modules_with_state(builder.graph);
  CHECK(stateful[block]);
  CHECK(stateful[conv]);
  CHECK(stateful[0]);
  CHECK_FALSE(stateful[act]);
  CHECK_FALSE(stateful[other]);
}
