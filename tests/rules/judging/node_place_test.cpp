#include "rules/file_node.h"
#include "rules/judging/node_place.h"

#include <catch2/catch.hpp>

using namespace model_validator;
using rules::NodePlaces;
using test::operand;

namespace {

/// Two nodes of the arms of an `If` whose condition is stored, which comes after them.
Program with_arms(std::optional<std::int64_t> condition) {
  ProgramValue given = operand("bool");
  given.origin = condition ? Origin::stored : Origin::computed;
  given.number = condition;
  Program program = test::program_of({{.schema = "onnx::Relu", .inputs = {}},
                                      {.schema = "onnx::Neg", .inputs = {}},
                                      {.schema = "onnx::If", .inputs = {given}}});
  for (std::size_t arm = 0; arm < 2; ++arm) {
    program.nodes[arm].region = arm;
    program.nodes[2].owned_regions.push_back(arm);
    program.nodes[2].inputs.push_back(program.nodes[arm].outputs[0]);
  }
  program.nodes[2].results_of_bodies = 2;
  program.outputs.emplace_back("y", program.nodes[2].outputs[0]);
  return program;
}

std::vector<std::string> places_in(const Program& program) {
  const std::vector<Region> regions{{Region::Kind::then_arm, 0, none, none},
                                    {Region::Kind::else_arm, 0, none, none}};
  const NodePlaces places(program, regions);
  std::vector<std::string> found;
  for (const NodeView node : all_nodes(program)) found.emplace_back(places.of(node));
  return found;
}

} // namespace

TEST_CASE("a stored condition takes one arm") {
  CHECK(places_in(with_arms(1)) == std::vector<std::string>{"", "unchosen", ""});
  CHECK(places_in(with_arms(0)) == std::vector<std::string>{"unchosen", "", ""});
  CHECK(places_in(with_arms(std::nullopt)) == std::vector<std::string>{"", "", ""});
}

TEST_CASE("a node that no output follows from is dead") {
  Program program = with_arms(std::nullopt);
  program.outputs.clear();
  CHECK(places_in(program) == std::vector<std::string>{"dead", "dead", "dead"});
}

TEST_CASE("where known sizes alone are read, what they are of does not run") {
  const auto runs = [](const std::vector<std::int64_t>& sizes,
                       const std::string& reader = "onnx::Shape") {
    ProgramValue given = operand("float32");
    Program program = test::program_of(
        {{.schema = "onnx::Neg", .inputs = {given}}, {.schema = reader, .inputs = {}}});
    program.values[program.nodes[0].outputs[0]].type.shape = sizes;
    program.nodes[1].inputs = program.nodes[0].outputs;
    program.outputs.emplace_back("y", program.nodes[1].outputs[0]);
    const NodePlaces places(program, {});
    return places.runs(NodeView(program, program.nodes[0]));
  };
  CHECK_FALSE(runs({2, 3}));
  CHECK(runs({2, -1}));
  CHECK(runs({2, 3}, "onnx::Size")); // which runtimes compute as any other node
}
