// The judgement on recorded numbers of real pairs. tools/verify/record_judgements.py records them.

#include "command/judgement_record.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <fstream>
#include <set>

using namespace model_validator::verify;

namespace {

std::ifstream opened(const std::string& name) {
  std::ifstream file(std::string(MODEL_VALIDATOR_TESTS) + "/verify/command/" + name);
  REQUIRE(file.good());
  return file;
}

std::vector<JudgementRecord> recorded() {
  auto file = opened("judgements.txt");
  return read_judgement_records(file);
}

std::string at_edge(const Edge& edge, double times, double moved) {
  const auto records = recorded();
  const auto found = std::ranges::find(records, edge.record, &JudgementRecord::name);
  REQUIRE(found != records.end());
  Limits limits;
  for (const Limit& limit : list_of_limits)
    if (limit.name == edge.limit) limit.of(limits) *= moved;
  return judged(farther_off(*found, times * edge.times), limits);
}

} // namespace

TEST_CASE("recorded outputs are judged as they were") {
  const auto records = recorded();
  CHECK(records.size() > 50);
  for (const JudgementRecord& record : records) {
    INFO(record.name);
    CHECK(judged(record) == record.says);
  }
}

TEST_CASE("limits have a recorded output on either side, about which they decide") {
  // Others: limits_test.cpp and tests/integration/few_bits_test.py.
  const std::set<std::string_view> held_elsewhere{
      "whole_by_rounding", "group_by_rounding", "times_own_change", "times_a_step",
      "steps_of_weight",   "steps_of_group",    "steps_of_number"};
  auto file = opened("judgement_edges.txt");
  const auto edges = read_edges(file);
  for (const Limit& limit : list_of_limits) {
    INFO(limit.name);
    const auto edge = std::ranges::find(edges, limit.name, &Edge::limit);
    if (edge == edges.end()) {
      CHECK(held_elsewhere.count(limit.name) == 1);
      continue;
    }
    constexpr double inside = 0.99, outside = 1.01, moved = 1.1;
    CHECK(at_edge(*edge, inside, 1) == "same");
    CHECK(at_edge(*edge, outside, 1) != "same");
    CHECK(at_edge(*edge, inside, 1 / moved) != "same");
    CHECK(at_edge(*edge, outside, moved) == "same");
  }
}

TEST_CASE("nothing explains a copy that has lost its results") {
  JudgementRecord record;
  record.shape = {1, 4};
  record.narrowing.emplace().results = Narrowing::Results::int8;
  record.reference = {0.42, 0.18, 0.12, 0.28};
  record.candidate = {0.11, 0.1, 0.05, 0.74};
  record.runs["precision"] = {3, {0.2, 0.2, 0.1, 0.5}};
  CHECK(judged(record) == "lost");
  record.candidate = {0.35, 0.15, 0.1, 0.4};
  CHECK(judged(record) == "same");
}
