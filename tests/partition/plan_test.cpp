#include "connected_graph/file_nodes.h"
#include "partition/random_division.h"
#include "support/thrown.h"

#include <model_validator/error.h>
#include <model_validator/program.h>

#include <catch2/catch.hpp>

#include <optional>

using namespace model_validator;
using namespace model_validator::partition;
using namespace model_validator::partition::testing;

namespace {

/// a, b, c, … in a row, each reading the one before.
ConnectedGraph chain(const std::string& types) {
  test::SampleGraph builder;
  OpId last = builder.op("x", OpKind::input);
  for (const char type : types) {
    const OpId op = builder.functional(std::string(1, type), std::string("aten::") + type);
    builder.edge(last, op);
    last = op;
  }
  builder.edge(last, builder.op("output_0", OpKind::output));
  return std::move(builder.graph);
}

std::vector<std::size_t> sizes(const Plan& plan) {
  std::vector<std::size_t> result;
  for (const Partition& part : plan.partitions) result.push_back(part.op_count);
  return result;
}

std::vector<std::string> targets(const Plan& plan) {
  std::vector<std::string> result;
  for (const Partition& part : plan.partitions) result.push_back(plan.targets[part.target]);
  return result;
}

Options with(std::vector<TargetProfile> profiles) {
  Options options;
  options.targets = std::move(profiles);
  return options;
}

using Names = std::vector<std::string>;
using Sizes = std::vector<std::size_t>;

} // namespace

TEST_CASE("each op goes to the first target that takes it, else to the fallback") {
  const Plan plan =
      make_plan(chain("abcaa"), {}, with({target("A", {"a"}), target("B", {"a", "b"})}));
  CHECK(targets(plan) == Names{"A", "B", "eager", "A"});
  CHECK(sizes(plan) == Sizes{1, 1, 1, 2});
  CHECK(plan.fewest);
}

TEST_CASE("branches of one target are one partition") {
  test::SampleGraph builder;
  const OpId x = builder.op("x", OpKind::input);
  const OpId left = builder.functional("a", "aten::a");
  const OpId other = builder.functional("c", "aten::c");
  const OpId right = builder.functional("a", "aten::a");
  const OpId join = builder.functional("c", "aten::c");
  for (const OpId op : {left, other, right}) builder.edge(x, op);
  builder.edge(left, join).edge(right, join, 1).edge(other, join, 2);
  const Plan plan = make_plan(builder.graph, {}, with({target("A", {"a"})}));
  CHECK(targets(plan) == Names{"A", "eager"});
  CHECK(plan.partitions[0].ops == std::vector<OpId>{left, right});
}

TEST_CASE("a partition below the smallest size falls back, and its neighbours are merged") {
  Options options = with({target("A", {"a"})});
  options.smallest = 2;
  const Plan plan = make_plan(chain("aacacaa"), {}, options);
  CHECK(sizes(plan) == Sizes{2, 3, 2});
  CHECK(targets(plan) == Names{"A", "eager", "A"});
  REQUIRE(plan.held_back.size() == 1);
  CHECK(plan.held_back[0].op == 4);
  CHECK(plan.held_back[0].because == none);
}

TEST_CASE("what may not be separated falls back together, with what lies between") {
  const Plan plan = make_plan(chain("aabaa"), {{{2, 3}}, {}, {}}, with({target("A", {"a"})}));
  CHECK(sizes(plan) == Sizes{1, 2, 2});
  REQUIRE(plan.held_back.size() == 1);
  CHECK(plan.held_back[0].op == 2);
  CHECK(plan.held_back[0].because == 3);
  const Plan around = make_plan(chain("aabaa"), {{{2, 4}}, {}, {}}, with({target("A", {"a"})}));
  CHECK(sizes(around) == Sizes{1, 3, 1});
}

TEST_CASE("the arms of an if are not separated from it") {
  test::SampleGraph builder;
  const OpId x = builder.op("x", OpKind::input);
  const OpId inside = builder.functional("a", "aten::a");
  const OpId join = builder.op("if_0", OpKind::control_flow, "prim::If");
  const OpId after = builder.functional("a", "aten::a");
  builder.graph.op(inside).region = builder.region(Region::Kind::then_arm, 0, join);
  builder.edge(x, inside).edge(inside, join).edge(join, after);
  const Plan plan = make_plan(builder.graph, {}, with({target("A", {"a"})}));
  CHECK(sizes(plan) == Sizes{2, 1});
  CHECK(targets(plan) == Names{"eager", "A"});
}

TEST_CASE("a query splits nothing and is not an op, and what it reads crosses") {
  test::SampleGraph builder;
  const OpId x = builder.op("x", OpKind::input);
  const OpId first = builder.functional("a", "aten::a");
  const OpId size = builder.op("size_0", OpKind::query, "aten::size");
  const OpId second = builder.functional("b", "aten::b");
  builder.edge(x, first).edge(first, size).edge(size, second);
  builder.edge(second, builder.op("output_0", OpKind::output));
  const Plan plan = make_plan(builder.graph, {}, with({target("A", {"a", "size"})}));
  REQUIRE(sizes(plan) == Sizes{1, 1});
  CHECK(plan.op_count == 2);
  CHECK(plan.partitions[0].inputs == Names{"x"});
  CHECK(plan.partitions[0].outputs == Names{builder.graph.op(first).name});
  CHECK(plan.partitions[1].inputs == plan.partitions[0].outputs);
  CHECK(plan.partitions[1].outputs == Names{builder.graph.op(second).name});
}

TEST_CASE("what a query that a target refuses computes for falls back with it, where its table "
          "names queries") {
  test::SampleGraph builder;
  const OpId x = builder.op("x", OpKind::input);
  const OpId first = builder.functional("a", "aten::a");
  const OpId number = builder.op("float_0", OpKind::query, "aten::Float");
  const OpId sum = builder.op("add_0", OpKind::query, "aten::add");
  const OpId second = builder.functional("a", "aten::a");
  builder.edge(x, first).edge(first, number).edge(number, sum).edge(sum, second);
  builder.edge(second, builder.op("output_0", OpKind::output));
  CHECK(targets(make_plan(builder.graph, {}, with({target("A", {"a", "add"})}))) == Names{"A"});
  const Plan plan = make_plan(builder.graph, {}, with({target("A", {"a", "add", "size"})}));
  CHECK(targets(plan) == Names{"A", "eager"});
  REQUIRE(plan.obstacles.size() == 1);
  CHECK(plan.obstacles[0].ops == std::vector<OpId>{number});
  REQUIRE(plan.held_back.size() == 1);
  CHECK(plan.held_back[0].op == second);
  CHECK(plan.held_back[0].because == number);
}

TEST_CASE("obstacles name operator, target and reason, and gains their effect") {
  Options options = with({target("A", {"a"})});
  options.targets[0].refusal = "no converter for {operator}";
  options.targets[0].replacements["aten::b"].text = "use a";
  const Plan plan = make_plan(chain("abaca"), {}, options);
  REQUIRE(plan.obstacles.size() == 2);
  CHECK(plan.obstacles[0].name == "aten::b");
  CHECK(plan.obstacles[0].reason == "no converter for aten::b");
  CHECK(plan.obstacles[0].help == "use a");
  CHECK(plan.obstacles[0].ops == std::vector<OpId>{2});
  REQUIRE(plan.gains.size() == 2);
  CHECK(plan.gains[0].partitions == 3);
  CHECK(plan.gains[0].ops == 1);
}

TEST_CASE("a plan counts each target's verdicts on the ops") {
  const Plan plan =
      make_plan(chain("abcaa"), {}, with({target("A", {"a"}), target("B", {"a", "b"})}));
  REQUIRE(plan.verdicts.size() == 2);
  CHECK(plan.verdicts[0].taken == 3);
  CHECK(plan.verdicts[0].refused == 2);
  CHECK(plan.verdicts[1].taken == 4);
  CHECK(plan.verdicts[1].unknown == 0);
}

TEST_CASE("an ONNX operator that no target was asked about is left to the fallback") {
  test::SampleGraph builder;
  builder.graph.origin.format = FileFormat::onnx;
  const OpId op = builder.functional("thing", "mine::Thing");
  builder.edge(builder.op("x", OpKind::input), op);
  builder.edge(op, builder.op("output_0", OpKind::output));
  Program program;
  program.nodes.emplace_back().schema = "mine::Thing";
  program.nodes.back().op = op;
  builder.graph.program = std::make_shared<const Program>(std::move(program));
  builder.graph.file_nodes = std::make_shared<const FileNodes>(FileNodes{{{"ai.onnx", 20}}});
  TargetProfile board;
  board.name = "board";
  board.operators["onnx::Add"];
  board.file.releases = {{"1.0", 8, {{"ai.onnx", 20}}}};
  board.release = board.file.releases.back();
  const Plan plan = make_plan(builder.graph, {}, with({board}));
  CHECK(targets(plan) == Names{"eager"});
  CHECK(plan.verdicts.at(0).unknown == 1);
  CHECK(plan.obstacles.at(0).name == "mine::Thing");
  board.release.opsets["ai.onnx"] = 19;
  CHECK(make_plan(builder.graph, {}, with({board})).obstacles.at(1).name == "the file");
}

TEST_CASE("a gain counts ops that move from one target to a preferred one") {
  const Plan plan = make_plan(chain("aba"), {}, with({target("A", {"a"}), target("B", {"b"})}));
  REQUIRE(plan.gains.size() == 1);
  CHECK(plan.gains[0].name == "aten::b");
  CHECK(plan.gains[0].target == 0);
  CHECK(plan.gains[0].partitions == 1);
  CHECK(plan.gains[0].ops == 1);
}

TEST_CASE("an op that runs on the first target has no obstacle from the second") {
  const Plan plan = make_plan(chain("ab"), {}, with({target("A", {"a", "b"}), target("B", {"a"})}));
  CHECK(sizes(plan) == Sizes{2});
  CHECK(plan.obstacles.empty());
  CHECK(plan.held_back.empty());
  CHECK(plan.gains.empty());
}

TEST_CASE("multiply-accumulates are those of each partition's ops") {
  test::SampleGraph builder;
  const TensorType two_by_three{std::vector<std::int64_t>{2, 3}, "float32"};
  const OpId x = builder.op("x", OpKind::input);
  const OpId product = builder.functional("mm", "aten::mm");
  builder.graph.op(product).outputs = {{std::vector<std::int64_t>{2, 5}, "float32"}};
  const OpId other = builder.functional("b", "aten::b");
  builder.edge(x, product, 0, two_by_three).edge(product, other);
  const Plan plan = make_plan(builder.graph, {}, with({target("A", {"mm"})}));
  CHECK(plan.partitions.at(0).multiply_accumulates == 30);
  CHECK(plan.partitions.at(1).multiply_accumulates == 0);
  CHECK(plan.multiply_accumulates.total == 30);
}

TEST_CASE("a model that computes nothing, and a target of another format, are refused") {
  CHECK(test::kind_thrown_by([] { make_plan(chain(""), {}, with({target("A", {"a"})})); }) ==
        "no-ops");
  ConnectedGraph onnx = chain("a");
  onnx.origin.format = FileFormat::onnx;
  const auto error = test::thrown_by([&] { make_plan(onnx, {}, with({target("A", {"a"})})); });
  REQUIRE(error);
  CHECK(error->kind() == ErrorKind::wrong_format);
  CHECK(test::well_worded(*error));
  CHECK(error->hint().find("--profile") != std::string::npos);
}

TEST_CASE("every division of a random graph is one") {
  for (unsigned seed = 0; seed < 400; ++seed) {
    CAPTURE(seed);
    const RandomModel model = random_model(seed, 4 + seed % 40, 4);
    Options options = with({target("A", {"a"}), target("B", {"a", "b", "c"})});
    options.smallest = 1 + seed % 3;
    std::optional<Plan> made;
    try {
      made = make_plan(model.graph, model.constraints, options);
    } catch (const Error&) {
      continue; // queries alone
    }
    const Plan& plan = *made;
    const auto parts = parts_of(model.graph, model.constraints);
    // Every op once.
    std::map<OpId, std::size_t> home;
    for (std::size_t i = 0; i < plan.partitions.size(); ++i)
      for (const OpId op : plan.partitions[i].ops) {
        CHECK(home.emplace(op, i).second);
        CHECK(plan.partition_of[op] == i);
      }
    for (OpId op = 0; op < model.graph.op_count(); ++op)
      if (parts[op] == Part::computing) CHECK(home.contains(op));
    // Nothing is read from a later partition: no cycle between partitions, each is convex.
    for (const auto& [from, to] : real_edges(model, plan)) CHECK(home.at(from) <= home.at(to));
    for (const auto& group : model.constraints.inseparable)
      for (const OpId op : group) CHECK(home.at(op) == home.at(group.front()));
    // Neighbours differ in target, and none is too small.
    for (std::size_t i = 0; i < plan.partitions.size(); ++i) {
      const Partition& part = plan.partitions[i];
      if (i > 0) CHECK(part.target != plan.partitions[i - 1].target);
      if (part.target + 1 < plan.targets.size()) CHECK(part.op_count >= options.smallest);
    }
    // Never more than cutting the list of ops where the target changes.
    if (options.smallest > 1 || !model.constraints.inseparable.empty()) continue;
    std::size_t naive = 0, last = none;
    for (const auto& [op, part] : home)
      if (plan.partitions[part].target != last) {
        ++naive;
        last = plan.partitions[part].target;
      }
    CHECK(plan.partitions.size() <= naive);
  }
}
