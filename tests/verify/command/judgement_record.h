#pragma once

#include "verify/command/output_judge.h"

#include <istream>
#include <map>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

namespace model_validator::verify {

/// Everything that decides about one output, in numbers: of a real pair, cut to a few elements.
struct JudgementRecord {
  std::string name;
  bool is_honest = true;
  Shape shape;
  std::optional<Narrowing> narrowing;
  NoiseFloor floor;
  bool in_steps = false;
  std::vector<double> reference, candidate;
  std::map<std::string, Evidence::Runs> runs; ///< by what they are: `rounding`, `float64`, …
  std::string says;                           ///< `same`, or the check that failed
};

void write(const JudgementRecord& record, std::ostream& to);
std::vector<JudgementRecord> read_judgement_records(std::istream& from);

/// The same with the candidate so many times as far off.
JudgementRecord farther_off(JudgementRecord record, double times);

/// What the judgement says of it: `same`, or the check that fails.
std::string judged(const JudgementRecord& record, const Limits& limits = {});

/// A record on an edge of a limit: beyond so many times its error the verdict is another.
struct Edge {
  std::string limit, record;
  double times = 1;
};

void write(const Edge& edge, std::ostream& to);
std::vector<Edge> read_edges(std::istream& from);

} // namespace model_validator::verify
