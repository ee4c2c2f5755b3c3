#include "lint/node_names.h"
#include "support/sample_graph.h"

#include <model_validator/program.h>

#include <catch2/catch.hpp>

#include <utility>

using namespace model_validator;

namespace {

Diagnostic about(const std::string& op) {
  Diagnostic finding;
  finding.op = OpReference{op, "relu"};
  return finding;
}

ProgramNode node(std::string name, OpId op) {
  ProgramNode made;
  made.name = std::move(name);
  made.op = op;
  return made;
}

} // namespace

TEST_CASE("a finding says what the file calls its node, or what that makes") {
  test::SampleGraph sample;
  GraphBuilder& graph = sample.graph;
  const OpId named = sample.functional("relu", "onnx::Relu");
  const OpId unnamed = sample.functional("relu", "onnx::Relu");
  const OpId output = sample.op("y", OpKind::output);
  sample.edge(named, unnamed);
  graph.add_product(unnamed, output, {"made", 0, 0, {}});
  Program program;
  program.nodes = {node("", named), node("/act/Relu", named), node("later", named),
                   node("", unnamed), node("a constant", none)};
  graph.origin.format = FileFormat::onnx;
  graph.program = std::make_shared<const Program>(std::move(program));
  std::vector<Diagnostic> findings{about(graph.op(named).name), about(graph.op(unnamed).name),
                                   about("a constant"), Diagnostic{}};
  findings.push_back(about(graph.op(named).name));
  findings.back().locations = {{{"net.py", 3, 0, 0}, "", "call", ""}};
  name_nodes(graph, findings);
  const auto notes_of = [&](std::size_t i) { return findings[i].notes; };
  using Notes = std::vector<std::string>;
  CHECK(notes_of(0) == Notes{"the file calls the node `/act/Relu`"});
  CHECK(notes_of(1) == Notes{"the file does not name the node, which makes `made`"});
  CHECK(notes_of(2).empty()); // is called so already
  CHECK(notes_of(3).empty());
  CHECK(notes_of(4).empty()); // has a place
}

TEST_CASE("other formats have no names beside ours") {
  test::SampleGraph sample;
  const OpId relu = sample.functional("relu", "aten::relu");
  std::vector<Diagnostic> findings{about(sample.graph.op(relu).name)};
  name_nodes(sample.graph, findings);
  CHECK(findings[0].notes.empty());
}
