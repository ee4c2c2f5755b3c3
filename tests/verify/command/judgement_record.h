#pragma once

#include "verify/command/output_judge.h"

#include <array>
#include <istream>
#include <map>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
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

struct Limit {
  std::string_view name;
  double& (*of)(Limits& limits);
};

inline constexpr std::array list_of_limits{
    Limit{"stored.whole", [](Limits& l) -> double& { return l.stored.whole; }},
    Limit{"stored.group", [](Limits& l) -> double& { return l.stored.group; }},
    Limit{"stored.element", [](Limits& l) -> double& { return l.stored.element; }},
    Limit{"calibrated.whole", [](Limits& l) -> double& { return l.calibrated.whole; }},
    Limit{"calibrated.group", [](Limits& l) -> double& { return l.calibrated.group; }},
    Limit{"calibrated.element", [](Limits& l) -> double& { return l.calibrated.element; }},
    Limit{"whole_by_rounding", [](Limits& l) -> double& { return l.whole_by_rounding; }},
    Limit{"group_by_rounding", [](Limits& l) -> double& { return l.group_by_rounding; }},
    Limit{"times_own_change", [](Limits& l) -> double& { return l.times_own_change; }},
    Limit{"times_noise_nearby", [](Limits& l) -> double& { return l.times_noise_nearby; }},
    Limit{"times_a_step", [](Limits& l) -> double& { return l.times_a_step; }},
    Limit{"seldom", [](Limits& l) -> double& { return l.seldom; }},
    Limit{"steps_of_weight", [](Limits& l) -> double& { return l.steps_of_weight; }},
    Limit{"steps_of_group", [](Limits& l) -> double& { return l.steps_of_group; }},
    Limit{"steps_of_number", [](Limits& l) -> double& { return l.steps_of_number; }},
};

/// A record on an edge of a limit: beyond so many times its error the verdict is another.
struct Edge {
  std::string limit, record;
  double times = 1;
};

void write(const Edge& edge, std::ostream& to);
std::vector<Edge> read_edges(std::istream& from);

} // namespace model_validator::verify
