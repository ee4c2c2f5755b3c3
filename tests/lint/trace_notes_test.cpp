#include "lint/trace_notes.h"

#include <model_validator/graph_builder.h>

#include <catch2/catch.hpp>

#include <utility>

using namespace model_validator;

namespace {

/// An op of that kind, with regions of its own.
TracedGraph with_op(OpKind kind, const std::vector<Region::Kind>& regions) {
  GraphBuilder graph;
  Op op;
  op.name = "op_0";
  op.kind = kind;
  const OpId id = graph.add_op(op);
  for (const Region::Kind region : regions) graph.add_region({region, 0, none, id});
  TracedGraph traced{std::move(graph), {}};
  traced.trace.runs = {1};
  traced.trace.outcomes.resize(regions.size());
  return traced;
}

std::vector<std::string> notes_on(const TracedGraph& traced, const std::string& op) {
  Diagnostic finding;
  finding.op = OpReference{op, "type"};
  std::vector<Diagnostic> findings{finding};
  add_trace_notes(traced, findings);
  return findings[0].notes;
}

using Notes = std::vector<std::string>;

} // namespace

TEST_CASE("a finding says that its op does not run") {
  auto traced = with_op(OpKind::functional, {});
  CHECK(notes_on(traced, "op_0").empty());
  traced.trace.runs = {0};
  CHECK(notes_on(traced, "op_0") == Notes{"with these inputs it does not run"});
  CHECK(notes_on(traced, "another").empty());
  traced.trace.runs = {std::nullopt}; // the trace did not come to it
  CHECK(notes_on(traced, "op_0").empty());
}

TEST_CASE("a finding on an `if` says whether its condition holds") {
  auto traced = with_op(OpKind::control_flow, {Region::Kind::then_arm, Region::Kind::else_arm});
  CHECK(notes_on(traced, "op_0").empty());
  traced.trace.outcomes[0] = RegionOutcome{2, 2, 0, 0};
  CHECK(notes_on(traced, "op_0") == Notes{"with these inputs the condition holds"});
  traced.trace.outcomes[0] = RegionOutcome{2, 0, 0, 0};
  CHECK(notes_on(traced, "op_0") == Notes{"with these inputs the condition does not hold"});
  traced.trace.outcomes[0] = RegionOutcome{3, 2, 0, 0};
  CHECK(notes_on(traced, "op_0") == Notes{"with these inputs the condition holds 2 of 3 times"});
}

TEST_CASE("a finding on a loop gives its number of iterations") {
  auto traced = with_op(OpKind::control_flow, {Region::Kind::loop_body});
  traced.trace.outcomes[0] = RegionOutcome{1, 1, 1, 1};
  CHECK(notes_on(traced, "op_0") == Notes{"with these inputs it runs 1 iteration"});
  traced.trace.outcomes[0] = RegionOutcome{2, 7, 2, 5};
  CHECK(notes_on(traced, "op_0") == Notes{"with these inputs it runs 2 to 5 iterations"});
}
